// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <stop_token>

class vtkPolyData;

namespace seedwave::ui {

/// Largest number of triangles of a label: more than a screen resolves, and few enough to rotate
/// smoothly.
inline constexpr std::int64_t kMostTriangles = 1'000'000;

/// Returns the smooth surface of one label (smooth_surface in core/mesh) with normals, in world
/// coordinates. Large labels are first reduced by an integer factor, which bounds memory and
/// triangles. Null if `stop` was requested. Any thread.
[[nodiscard]] vtkSmartPointer<vtkPolyData> make_surface(const LabelMap& map, Label label,
                                                        const Box& box,
                                                        const std::stop_token& stop);

}  // namespace seedwave::ui
