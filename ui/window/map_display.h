// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/scalar_map.h"
#include "core/session/document.h"
#include "ui/views/slice_state.h"

#include <map>
#include <string>
#include <vector>

namespace seedwave::ui {

/// The displayed map of a run and the look of each map: the user's settings, otherwise defaults
/// that fit the map. Each output of each operation has its own range and threshold. The threshold
/// of fractions (theta) and the colours are shared by all.
class MapDisplay {
 public:
  void read(const ViewState& view);
  void write(ViewState& view) const;

  /// Returns the map to display. If the chosen one does not exist, the first with a weight, or the
  /// first; null if there is none.
  [[nodiscard]] const ScalarMap* chosen(const std::vector<ScalarMap>& maps) const;
  void choose(const std::string& output) { output_ = output; }

  [[nodiscard]] MapStyle style(const std::string& operation, const ScalarMap& map) const;
  /// Stores the differences to style().
  void set_style(const std::string& operation, const ScalarMap& map, const MapStyle& style);
  /// Resets the range to one that fits the map, until the user sets another.
  void set_automatic_range(const std::string& operation, const ScalarMap& map);
  [[nodiscard]] bool has_automatic_range(const std::string& operation, const ScalarMap& map) const;

 private:
  std::string output_;
  ColorScheme colors_ = ColorScheme::Viridis;
  double theta_ = 0.5;
  std::map<std::string, MapView> views_;
};

}  // namespace seedwave::ui
