// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <map>
#include <stop_token>

class vtkPolyData;

namespace seedwave::ui {

/// Returns the smallest box of each label that has voxels, without the background. One pass.
[[nodiscard]] std::map<Label, Box> label_boxes(const LabelMap& map);

/// Largest number of triangles of a label: more than a screen resolves, and few enough to rotate
/// smoothly.
inline constexpr std::int64_t kMostTriangles = 1'000'000;

/// Returns the surface of one label, in millimetres along the axes of the grid (to_world_matrix
/// converts to world points). It is closed where the label touches the border of the grid.
///
/// A small binomial filter smooths the indicator of the label. Each voxel keeps its side of one
/// half, so that nothing thin is lost and the surface stays within a voxel of the label. Flying
/// edges computes the contour (Schroeder et al., IEEE LDAV 2015). Large labels are first reduced by
/// an integer factor, which bounds memory and triangles.
/// Null if `stop` was requested. Any thread.
[[nodiscard]] vtkSmartPointer<vtkPolyData> make_surface(const LabelMap& map, Label label,
                                                        const Box& box,
                                                        const std::stop_token& stop);

}  // namespace seedwave::ui
