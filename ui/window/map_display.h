// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/scalar_map.h"
#include "core/session/document.h"
#include "ui/models/run_controller.h"
#include "ui/views/slice_state.h"
#include "ui/window/shown_comparison.h"
#include "ui/window/view_settings.h"

#include <QObject>
#include <QString>

#include <map>
#include <string>
#include <vector>

namespace seedwave::ui {

/// The displayed map of a run and the look of each map: the user's settings, otherwise defaults
/// that fit the map. Each output of each operation has its own range and threshold. The threshold
/// of fractions (theta) and the colours are shared by all.
class MapDisplay : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  MapDisplay(const RunController& runs, ViewSettings& settings, const ShownComparison& comparison);

  void read(const ViewState& view);
  void write(ViewState& view) const;

  /// Returns whether a map is to be displayed instead of labels, if there is one.
  [[nodiscard]] bool wanted() const;
  /// Returns the map displayed instead of labels, or null.
  [[nodiscard]] const ScalarMap* shown() const;
  /// Returns the map that is displayed, or would be; null if the result has none.
  [[nodiscard]] const ScalarMap* chosen() const {
    return chosen(runs_.displayed().on_screen().maps);
  }
  /// Returns the map to display. If the chosen one does not exist, the first with a weight, or the
  /// first; null if there is none.
  [[nodiscard]] const ScalarMap* chosen(const std::vector<ScalarMap>& maps) const;
  /// Displays one of the result's maps, or its labels if empty.
  void choose(const QString& output);

  /// Returns the look of the chosen map, or of the last one if there is none.
  [[nodiscard]] const MapStyle& style() const noexcept { return style_; }
  [[nodiscard]] MapStyle style(const std::string& operation, const ScalarMap& map) const;
  /// Stores the differences to style().
  void set_style(const MapStyle& style);
  [[nodiscard]] bool has_automatic_range() const;
  /// Resets the range to one that fits the map, until the user sets another.
  void set_automatic_range();

 signals:
  /// The displayed map, or its look, has changed.
  void changed();
  /// Emitted after `changed` if the user changed it.
  void choice_changed();

 private:
  /// Passes on that the displayed map, or its look, may have changed.
  void update();
  void store_style(const ScalarMap& map, const MapStyle& style);
  /// Returns the operation that gave the displayed result.
  [[nodiscard]] std::string operation_seen() const;

  const RunController& runs_;
  ViewSettings& settings_;
  const ShownComparison& comparison_;
  /// The last display.overlay.kind.
  OverlayKind kind_ = OverlayKind::Labels;
  std::string output_;
  ColorScheme colors_ = ColorScheme::Viridis;
  double theta_ = 0.5;
  std::map<std::string, MapView> views_;
  MapStyle style_;
};

}  // namespace seedwave::ui
