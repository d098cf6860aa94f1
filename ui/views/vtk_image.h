// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <vtkSmartPointer.h>

class vtkImageData;
class vtkMatrix4x4;

namespace seedwave::ui {

/// The volume as VTK sees it: the same voxels without a copy, kept alive as long as VTK holds them.
///
/// Spacing is set, but neither origin nor direction, which not all of VTK's mappers know: give
/// their actor to_world_matrix() instead.
[[nodiscard]] vtkSmartPointer<vtkImageData> to_vtk_image(const Volume& volume);

/// From millimetres along the grid's axes to world: direction and origin.
[[nodiscard]] vtkSmartPointer<vtkMatrix4x4> to_world_matrix(const Geometry& geometry);

}  // namespace seedwave::ui
