// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/source.h"
#include "core/image/geometry.h"
#include "core/image/seed_set.h"
#include "core/metrics/scored.h"
#include "core/ops/values.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace seedwave {

/// A label as the user sees it.
struct LabelEntry {
  std::uint16_t id = 1;
  std::string name;
  std::string color;  // "#rrggbb"
  double opacity = 1.0;
  bool visible = true;
  friend bool operator==(const LabelEntry&, const LabelEntry&) = default;
};

/// How the values of one scalar map are shown; what is not set is found from the map.
struct MapView {
  std::optional<double> low;
  std::optional<double> high;
  /// Only what is above is shown; minus infinity: everything.
  std::optional<double> threshold;
  friend bool operator==(const MapView&, const MapView&) = default;
};

/// How the picture looks: saved so that opening a session gives the same one.
struct ViewState {
  Vec3 cursor{0, 0, 0};  // world
  double window_centre = 0.0;
  double window_width = 0.0;  // 0: automatic
  double zoom = 1.0;
  double overlay_opacity = 0.45;
  bool show_result = true;
  bool show_seeds = true;
  bool show_reference = true;
  /// A scalar map in the place of the labels, where there are both.
  bool show_map = false;
  /// Which of several maps, by the output's id; "": the first.
  std::string map;
  /// The colours of maps, by name.
  std::string map_colors = "viridis";
  /// Of maps that are shares: only what is above is shown, 0..1.
  double theta = 0.5;
  /// Of other maps, by "operation/output".
  std::map<std::string, MapView> maps;
  bool outline_only = false;
  std::string layout = "four";  // "four", "axial", "coronal", "sagittal", "surface"
  friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// All that the user made and chose, as a value: what undo changes, a session file keeps, and a run
/// is a function of. Voxels are not in it; they are shared by pointer beside it.
struct Document {
  Source image;
  Source reference;
  /// Where results are compared with the reference.
  Scored scored = Scored::Everywhere;
  SeedSet seeds;
  std::vector<LabelEntry> labels;
  std::uint16_t current_label = 1;
  std::string operation = "irfc";
  /// What the user set, by operation id; parameters left alone are not in it.
  std::map<std::string, Values> values;
  /// By operation id.
  std::map<std::string, InputChoices> inputs;
  /// Outputs that come only when asked for, by operation id.
  std::map<std::string, std::set<std::string>> requested;
  /// "" and "auto": left to us.
  std::string algorithm;
  std::string backend = "auto";
  std::string channel;
  ViewState view;
  friend bool operator==(const Document&, const Document&) = default;

  /// The entry of a label, or null.
  [[nodiscard]] const LabelEntry* find_label(std::uint16_t id) const;
};

/// Returns whether a label's name ("background", "other", "rest") means none of the objects: such a
/// label is drawn faintly.
[[nodiscard]] bool is_background_name(const std::string& name);

/// The labels that a new document starts with: "object" and "background", colour-blind-safe.
[[nodiscard]] std::vector<LabelEntry> default_labels();

}  // namespace seedwave
