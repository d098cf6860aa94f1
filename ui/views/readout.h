// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/edits.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/volume.h"
#include "ui/views/slice_state.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <span>

namespace seedwave::ui {

/// Returns "L 17.6  P 35.3  S 12.1 mm": LPS with the letter of the side, so that the direction of
/// the axes is clear. Images without a position in the patient: "x 120.0  y 45.0 px", or mm.
[[nodiscard]] QString readout_position(const Geometry& geometry, const Vec3& world,
                                       HeadFootLetters letters, bool in_patient = true);

/// Returns "index 120, 45, 12 (0-based)", or two numbers for a 2-D image. Files and the command
/// line count the same way; slices are counted from 1.
[[nodiscard]] QString readout_index(const Geometry& geometry, const Index3& index);

/// Returns "134 HU", "0.125" or "R 120  G 45  B 12". The index must be inside.
[[nodiscard]] QString readout_value(const Volume& image, const Index3& index, const QString& unit);

/// Returns "strength 0.73", "image 12.5 mm", "nearest: none" or "angle 37.5°, response 84". The
/// index must be inside.
[[nodiscard]] QString readout_map(const ScalarMap& map, const Index3& index);

/// The texts of the status bar about one voxel.
struct Readout {
  QString position;
  QString index;
  QString value;  // empty outside the image
  QString label;  // empty if there is none
  QString map;    // "strength 0.73", "image 12.5 mm"; empty if there is none
};
struct ReadoutSource {
  const Volume& image;
  const LabelMap& result;  // may be empty
  const ScalarMap& map;    // may be empty
  std::span<const LabelStyle> labels;
  QString unit;
  bool in_patient = true;
  /// Returns the name of a label of the result if its numbers are not those of the labels. Empty if
  /// they are.
  std::function<QString(Label)> name_of{};
  const LabelPatch* patch = nullptr;  // over the result; null: none
};
[[nodiscard]] Readout readout(const ReadoutSource& source, const Hover& hover,
                              HeadFootLetters letters);

}  // namespace seedwave::ui
