// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <vtkSmartPointer.h>

class vtkImageData;
class vtkMatrix4x4;

namespace seedwave::ui {

/// Returns the volume as VTK data: the same voxels without a copy, kept alive as long as VTK holds
/// them.
///
/// Spacing is set, but neither origin nor direction, which not all VTK mappers support. Set
/// to_world_matrix() on their actor instead.
[[nodiscard]] vtkSmartPointer<vtkImageData> to_vtk_image(const Volume& volume);

/// Returns the matrix from millimetres along the axes of the grid to world: direction and origin.
[[nodiscard]] vtkSmartPointer<vtkMatrix4x4> to_world_matrix(const Geometry& geometry);

}  // namespace seedwave::ui
