// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <map>
#include <stop_token>

class vtkPolyData;

namespace seedwave::ui {

/// The smallest box of each label that has voxels; the background is left out. One pass.
[[nodiscard]] std::map<std::uint16_t, Box> label_boxes(const LabelMap& map);

/// At most so many triangles a label: more than a screen can show, and a mesh of them is turned
/// smoothly.
inline constexpr std::int64_t kMostTriangles = 1'000'000;

/// The surface of one label, in millimetres along the grid's axes (to_world_matrix makes world
/// points of them), closed also where the label touches the edge of the grid.
///
/// The label's indicator is smoothed by a small binomial filter, kept on its side of one half in
/// every voxel, so that nothing thin is lost and the surface stays within a voxel of the label;
/// its contour is made by flying edges (Schroeder et al., IEEE LDAV 2015). Large labels are shrunk
/// by a whole factor first, so that neither memory nor triangles run away.
/// Null when `stop` was asked for. Any thread.
[[nodiscard]] vtkSmartPointer<vtkPolyData> make_surface(const LabelMap& map, std::uint16_t label,
                                                        const Box& box,
                                                        const std::stop_token& stop);

}  // namespace seedwave::ui
