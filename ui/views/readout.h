// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// "L 17.6  P 35.3  S 12.1 mm": LPS with the letter of the side, so that nobody has to guess which
/// way the axes run. Pictures without a place in the patient: "x 120.0  y 45.0 px", or mm.
[[nodiscard]] QString readout_position(const Geometry& geometry, const Vec3& world,
                                       HeadFootLetters letters, bool in_patient = true);

/// "index 120, 45, 12 (from 0)", as files and the command line count, while slices are counted
/// from 1; of a 2-D image without the last.
[[nodiscard]] QString readout_index(const Geometry& geometry, const Index3& index);

/// "134 HU", "0.125", "R 120  G 45  B 12"; the index must be inside.
[[nodiscard]] QString readout_value(const Volume& image, const Index3& index, const QString& unit);

/// "strength 0.73", "image 12.5 mm", "nearest: none", "angle 37.5°, response 84"; the index must
/// be inside.
[[nodiscard]] QString readout_map(const ScalarMap& map, const Index3& index);

/// What the status bar says about one voxel.
struct Readout {
  QString position;
  QString index;
  QString value;  // "" outside the image
  QString label;  // "" where there is none
  QString map;    // "strength 0.73", "image 12.5 mm", "" where there is none
};
struct ReadoutSource {
  const Volume& image;
  const LabelMap& result;  // may be empty
  const ScalarMap& map;    // may be empty
  std::span<const LabelStyle> labels;
  QString unit;
  bool in_patient = true;
  /// What a label of the result is called where its numbers are none of the labels'; empty: they
  /// are.
  std::function<QString(std::uint16_t)> name_of{};
};
[[nodiscard]] Readout readout(const ReadoutSource& source, const Hover& hover,
                              HeadFootLetters letters);

}  // namespace seedwave::ui
