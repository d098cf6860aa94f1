// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/scalar_map.h"
#include "core/session/document.h"
#include "ui/views/slice_state.h"

#include <map>
#include <string>
#include <vector>

namespace seedwave::ui {

/// Which of a run's maps is shown, and how each looks: what the user set, and for the rest what
/// fits the map. Each output of each operation has its own range and threshold; the threshold of
/// shares (theta) and the colours are one for all.
class MapDisplay {
 public:
  void read(const ViewState& view);
  void write(ViewState& view) const;

  /// The map that is to be shown; where the one chosen is not there, the first with a weight, or
  /// the first; null: none.
  [[nodiscard]] const ScalarMap* chosen(const std::vector<ScalarMap>& maps) const;
  void choose(const std::string& output) { output_ = output; }

  [[nodiscard]] MapStyle style(const std::string& operation, const ScalarMap& map) const;
  /// Keeps what differs from style().
  void set_style(const std::string& operation, const ScalarMap& map, const MapStyle& style);
  /// The range that fits the map, as long as the user does not set another.
  void set_automatic_range(const std::string& operation, const ScalarMap& map);
  [[nodiscard]] bool has_automatic_range(const std::string& operation, const ScalarMap& map) const;

 private:
  std::string output_;
  ColorScheme colors_ = ColorScheme::Viridis;
  double theta_ = 0.5;
  std::map<std::string, MapView> views_;
};

}  // namespace seedwave::ui
