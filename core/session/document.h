// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/source.h"
#include "core/image/channel.h"
#include "core/image/edits.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/region.h"
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
  Label id = 1;
  std::string name;
  std::string color;  // "#rrggbb"
  double opacity = 1.0;
  bool visible = true;
  friend bool operator==(const LabelEntry&, const LabelEntry&) = default;
};

/// Display range of one scalar map; values that are not set are derived from the map.
struct MapView {
  std::optional<double> low;
  std::optional<double> high;
  /// Only values above are shown; minus infinity shows all.
  std::optional<double> threshold;
  friend bool operator==(const MapView&, const MapView&) = default;
};

/// View settings, saved so that a session opens with the same view.
/// The look of one channel of a slide.
struct ChannelView {
  bool shown = true;
  std::string color;  // "#rrggbb"
  double window_centre = 0.0;
  double window_width = 0.0;  // 0: automatic
  friend bool operator==(const ChannelView&, const ChannelView&) = default;
};

struct ViewState {
  Vec3 cursor{0, 0, 0};  // world
  double window_centre = 0.0;
  double window_width = 0.0;  // 0: automatic
  double zoom = 1.0;
  double overlay_opacity = 0.45;
  bool show_result = true;
  bool show_seeds = true;
  bool show_reference = true;
  bool show_regions = true;
  /// Shows a scalar map instead of the labels if there are both.
  bool show_map = false;
  /// Id of the output whose map is shown; "" for the first.
  std::string map;
  /// Name of the colour map.
  std::string map_colors = "viridis";
  /// Threshold of maps that are fractions: only values above are shown, 0..1.
  double theta = 0.5;
  /// Display ranges of other maps, by "operation/output".
  std::map<std::string, MapView> maps;
  bool outline_only = false;
  /// A 2-D image is seen mirrored, then turned to the right by so many quarters.
  bool mirrored = false;
  int quarter_turns = 0;
  /// The channel of a colour image that is shown in place of its colours; "" for the colours.
  std::string shown_channel;
  /// The looks of the channels of a slide with several; empty for the first ones.
  std::vector<ChannelView> channels;
  std::string layout = "four";  // "four", "axial", "coronal", "sagittal", "surface"
  friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// Everything that the user made or chose, as a value. Undo changes it, a session file stores it,
/// and a run is a function of it. Voxels are not part of it; they are shared by pointer.
struct Document {
  Source image;
  Source reference;
  /// The voxels at which results are compared with the reference.
  Scored scored = Scored::Everywhere;
  SeedSet seeds;
  /// On the grid of the image.
  Edits edits;
  /// Areas that are kept whatever is run; of 2-D images.
  Regions regions;
  std::vector<LabelEntry> labels;
  Label current_label = 1;
  std::string operation = "irfc";
  /// Values set by the user, by operation id; other parameters are absent.
  std::map<std::string, Values> values;
  /// Input choices by operation id.
  std::map<std::string, InputChoices> inputs;
  /// Additional outputs by operation id.
  std::map<std::string, std::set<std::string>> requested;
  /// Chosen automatically if "" or "auto". The backend kAllDevices: all devices and the CPU share
  /// runs.
  std::string algorithm;
  std::string backend = "auto";
  std::string channel;
  /// The user's own stains, as channels (stain_channel()).
  std::vector<std::string> own_channels;
  ViewState view;
  friend bool operator==(const Document&, const Document&) = default;

  /// Values that the user set for the current operation.
  [[nodiscard]] Values current_values() const;
  /// Inputs of the current operation other than the open image and the strokes.
  [[nodiscard]] InputChoices current_inputs() const;
  /// The channels to choose from: those with names, the user's own, and the current one.
  [[nodiscard]] std::vector<Channel> offered_channels() const;
  /// The entry of a label, or null.
  [[nodiscard]] const LabelEntry* find_label(Label id) const;
};

/// Returns whether a label's name ("background", "other", "rest") means none of the objects: such a
/// label is drawn faintly.
[[nodiscard]] bool is_background_name(const std::string& name);

/// The labels that a new document starts with: "object" and "background", colour-blind-safe.
[[nodiscard]] std::vector<LabelEntry> default_labels();
/// The same for a slide: "tissue 1" to "tissue 3", as many as are found without strokes.
[[nodiscard]] std::vector<LabelEntry> default_labels_of_slide();
/// Returns whether a label has a name that a new document gives it.
[[nodiscard]] bool has_default_name(const LabelEntry& label);

}  // namespace seedwave
