// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/histogram.h"
#include "core/image/label_color.h"
#include "core/image/label_map.h"
#include "ui/views/color_map.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::ui {

class ProfileColors;

/// The plane that a slice view shows. For a volume, it is the plane of its grid nearest to the
/// patient's plane. For a 2-D image, it is always the image itself.
enum class PlaneKind { Axial, Coronal, Sagittal };

/// Interpolation of the image between voxel centres. Labels are never interpolated.
enum class Interpolation { Nearest, Linear, Cubic };

/// The overlay on the image, in addition to seeds and reference.
enum class OverlayKind { Labels, Map };

/// Patient's right at screen left (Radiological), or at screen right.
enum class Convention { Radiological, Neurological };

/// Letters of superior and inferior: S and I, or H and F as in DICOM (0020,0020).
enum class HeadFootLetters { SuperiorInferior, HeadFoot };

/// A label as the views draw it.
struct LabelStyle {
  Label id = 1;
  QString name;
  QColor color;
  double opacity = 1.0;
  bool visible = true;
  friend bool operator==(const LabelStyle&, const LabelStyle&) = default;
};

/// The look of a result whose numbers are not those of the labels.
struct ResultStyles {
  std::vector<LabelStyle> labels;
  /// Colours in turn of all other numbers; empty for the default colours.
  std::vector<Rgb> others;
  friend bool operator==(const ResultStyles&, const ResultStyles&) = default;
};

/// The look of a scalar map. Values are as displayed, not as stored.
struct MapStyle {
  static constexpr double kAll = -std::numeric_limits<double>::infinity();
  ColorScheme colors = ColorScheme::Viridis;
  /// The values of the first and the last colour; low < high.
  double low = 0.0;
  double high = 1.0;
  /// Only values above are shown; kAll shows everything.
  double threshold = 0.5;
  /// Period of the values: `colors` is Cyclic, and low and high are not used. 0 if they are not
  /// periodic.
  double period = 0.0;
  /// For a map with a weight: fully transparent at weight `faint`, fully visible at `full`.
  double faint = 0.0;
  double full = 1.0;
  [[nodiscard]] bool shows_all() const noexcept { return threshold == kAll; }
  friend bool operator==(const MapStyle&, const MapStyle&) = default;
};

/// The look of the overlays; shared by all planes.
struct OverlayStyle {
  OverlayKind kind = OverlayKind::Labels;
  bool show_result = true;
  bool show_seeds = true;
  bool show_reference = true;
  bool show_regions = true;
  bool outline_only = false;
  /// Opacity of label fills and map colours, 0..1. Outlines are always opaque. A map with a weight
  /// is transparent by its weight; at full weight it has twice this opacity, at most 1.
  double opacity = 0.45;
  MapStyle map;
  friend bool operator==(const OverlayStyle&, const OverlayStyle&) = default;
};

/// A picture seen from another side: mirrored at its vertical axis, then turned to the right.
struct Turn {
  int quarters = 0;  // 0..3
  bool mirrored = false;
  friend bool operator==(const Turn&, const Turn&) = default;
};

/// The look of one channel of a slide with several, which are shown at once.
struct ChannelTint {
  QColor color;
  bool shown = true;
  /// The channel that the image holds: operations read it, and DisplayState::window is its window
  /// in place of this one.
  bool is_image = false;
  GreyWindow window;
  friend bool operator==(const ChannelTint&, const ChannelTint&) = default;
};

/// The state that all planes of a study share. The caller owns it: a view shows what it is given,
/// and reports user input by signals.
struct DisplayState {
  Vec3 cursor{0, 0, 0};  // world
  GreyWindow window;
  /// MONOCHROME1: the smallest value is white.
  bool inverted = false;
  /// The channel of a colour image that is shown in place of its colours (core/image/channel.h);
  /// empty for the colours.
  std::string channel;
  /// The channels of a slide with several; else empty.
  std::vector<ChannelTint> tints;
  /// The scanner's profile, by which colours are shown; null: as they are stored.
  std::shared_ptr<const ProfileColors> profile;
  /// For 2-D images.
  Turn turn;
  Interpolation interpolation = Interpolation::Cubic;
  OverlayStyle overlay;
  bool show_crosshair = true;
  bool show_corner_texts = true;
  bool show_patient = false;
  Convention convention = Convention::Radiological;
  /// If false, the image has no position in the patient: no letters, no plane name, axes as stored.
  bool in_patient = true;
  HeadFootLetters head_foot = HeadFootLetters::SuperiorInferior;
  friend bool operator==(const DisplayState&, const DisplayState&) = default;
};

/// The camera of one view. Zoom 1 fits the image. The offset from the centre of the image to the
/// centre of the view is in mm to screen right and down.
struct SliceCamera {
  double zoom = 1.0;
  double right_mm = 0.0;
  double down_mm = 0.0;
  friend bool operator==(const SliceCamera&, const SliceCamera&) = default;
};

/// The texts in the corners.
struct CornerTexts {
  QString patient;  // shown only if DisplayState::show_patient
  QString series;
  QString note;  // "Assumed spacing", "Preview": in words, may be empty
  QString run;   // "A: run 3" while runs are compared; first and in colour
  friend bool operator==(const CornerTexts&, const CornerTexts&) = default;
};

/// A line over the image, with a handle at either end and one in the middle.
struct LineMark {
  Vec3 from{0, 0, 0};  // world
  Vec3 to{0, 0, 0};
  QString text;
  friend bool operator==(const LineMark&, const LineMark&) = default;
};

/// A line that is being drawn in a slice view.
struct LineDrag {
  enum class Phase { Began, Moved, Ended, Cancelled };
  /// Drawn (anew or by one of its ends), or moved as a whole.
  enum class Kind { Drawn, Moved };
  Phase phase = Phase::Moved;
  Kind kind = Kind::Drawn;
  Vec3 from{0, 0, 0};  // world; the fixed end
  Vec3 to{0, 0, 0};
  bool snaps = false;
  /// The grid axis normal to the view.
  int slice_axis = 2;
  friend bool operator==(const LineDrag&, const LineDrag&) = default;
};

/// The position under the pointer: the world point in the slice and its voxel.
struct Hover {
  Vec3 world{0, 0, 0};
  Index3 index{0, 0, 0};
  friend bool operator==(const Hover&, const Hover&) = default;
};

}  // namespace seedwave::ui
