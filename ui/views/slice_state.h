// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/histogram.h"
#include "core/image/label_color.h"
#include "ui/views/color_map.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// The plane that a slice view shows: of a volume the one of its grid nearest to the patient's
/// plane, of a 2-D image always the image itself.
enum class PlaneKind { Axial, Coronal, Sagittal };

/// How voxels become pixels between their centres. Labels are never interpolated.
enum class Interpolation { Nearest, Linear, Cubic };

/// What lies over the image beside seeds and reference.
enum class OverlayKind { Labels, Map };

/// Patient's right at screen left (Radiological), or at screen right.
enum class Convention { Radiological, Neurological };

/// Superior and inferior are lettered S and I, or H and F as DICOM's (0020,0020) does.
enum class HeadFootLetters { SuperiorInferior, HeadFoot };

/// A label as the views draw it.
struct LabelStyle {
  std::uint16_t id = 1;
  QString name;
  QColor color;
  double opacity = 1.0;
  bool visible = true;
  friend bool operator==(const LabelStyle&, const LabelStyle&) = default;
};

/// How a result looks whose numbers are not those of the labels.
struct ResultStyles {
  std::vector<LabelStyle> labels;
  /// What all numbers but those have in turn; empty: the default colours.
  std::vector<Rgb> others;
  friend bool operator==(const ResultStyles&, const ResultStyles&) = default;
};

/// How a scalar map looks; values as they are shown, not as they are stored.
struct MapStyle {
  static constexpr double kAll = -std::numeric_limits<double>::infinity();
  ColorScheme colors = ColorScheme::Viridis;
  /// What has the first and the last colour; low < high.
  double low = 0.0;
  double high = 1.0;
  /// Only what is above is shown; kAll: everything.
  double threshold = 0.5;
  /// The values begin again after so many: `colors` is Cyclic, and low and high count for nothing;
  /// 0: they do not.
  double period = 0.0;
  /// Where the map has a weight: with which one nothing of it is seen, and with which one all.
  double faint = 0.0;
  double full = 1.0;
  [[nodiscard]] bool shows_all() const noexcept { return threshold == kAll; }
  friend bool operator==(const MapStyle&, const MapStyle&) = default;
};

/// How the overlays look; shared by all planes.
struct OverlayStyle {
  OverlayKind kind = OverlayKind::Labels;
  bool show_result = true;
  bool show_seeds = true;
  bool show_reference = true;
  bool outline_only = false;
  /// Share of the fill of labels and of the map's colours, 0..1. Outlines are always full. A map
  /// with a weight lets the image through by that: of it twice the share is seen where it is full.
  double opacity = 0.45;
  MapStyle map;
  friend bool operator==(const OverlayStyle&, const OverlayStyle&) = default;
};

/// What all planes of a study have in common. The owner is the caller: a view shows what it is
/// given, and tells by signals what the user meant.
struct DisplayState {
  Vec3 cursor{0, 0, 0};  // world
  GreyWindow window;
  /// MONOCHROME1: the smallest value is white.
  bool inverted = false;
  Interpolation interpolation = Interpolation::Cubic;
  OverlayStyle overlay;
  bool show_crosshair = true;
  bool show_corner_texts = true;
  bool show_patient = false;
  Convention convention = Convention::Radiological;
  /// False: a picture without a place in the patient: no letters, no plane's name, axes as stored.
  bool in_patient = true;
  HeadFootLetters head_foot = HeadFootLetters::SuperiorInferior;
  friend bool operator==(const DisplayState&, const DisplayState&) = default;
};

/// Where one view looks: zoom 1 fits the image; the offset, in mm to screen right and down, is what
/// lies at the view's middle, from the middle of the image.
struct SliceCamera {
  double zoom = 1.0;
  double right_mm = 0.0;
  double down_mm = 0.0;
  friend bool operator==(const SliceCamera&, const SliceCamera&) = default;
};

/// What stands in the corners.
struct CornerTexts {
  QString patient;  // shown only where DisplayState::show_patient
  QString series;
  QString note;  // "Assumed spacing", "Preview": in words, may be empty
  QString run;   // "A: run 3", while runs are compared; stands first and in colour
  friend bool operator==(const CornerTexts&, const CornerTexts&) = default;
};

/// A line over the image, with a mark at either end and one in the middle.
struct LineMark {
  Vec3 from{0, 0, 0};  // world
  Vec3 to{0, 0, 0};
  QString text;
  friend bool operator==(const LineMark&, const LineMark&) = default;
};

/// A line as the hand draws it in a slice view.
struct LineDrag {
  enum class Phase { Began, Moved, Ended, Cancelled };
  /// Drawn anew or by one of its ends; or moved as it is.
  enum class Kind { Drawn, Moved };
  Phase phase = Phase::Moved;
  Kind kind = Kind::Drawn;
  Vec3 from{0, 0, 0};  // world; where it was drawn from
  Vec3 to{0, 0, 0};
  bool snaps = false;
  /// The grid's axis across the view.
  int slice_axis = 2;
  friend bool operator==(const LineDrag&, const LineDrag&) = default;
};

/// What is under the pointer: the world point in the slice and its voxel.
struct Hover {
  Vec3 world{0, 0, 0};
  Index3 index{0, 0, 0};
  friend bool operator==(const Hover&, const Hover&) = default;
};

}  // namespace seedwave::ui
