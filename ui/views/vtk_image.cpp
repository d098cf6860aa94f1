// SPDX-License-Identifier: Apache-2.0
#include "ui/views/vtk_image.h"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkCommand.h>
#include <vtkImageData.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <memory>

namespace seedwave::ui {
namespace {

/// Holds the voxels of a volume until the array that refers to them is destroyed.
class KeepAlive : public vtkCommand {
 public:
  static KeepAlive* New() { return new KeepAlive; }
  void hold(std::shared_ptr<const void> voxels) { voxels_ = std::move(voxels); }
  void Execute(vtkObject*, unsigned long, void*) override { voxels_.reset(); }

 private:
  std::shared_ptr<const void> voxels_;
};

}  // namespace

vtkSmartPointer<vtkImageData> to_vtk_image(const Volume& volume) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  const Geometry& geometry = volume.geometry();
  image->SetDimensions(static_cast<int>(geometry.size[0]), static_cast<int>(geometry.size[1]),
                       static_cast<int>(geometry.size[2]));
  image->SetSpacing(geometry.spacing.data());
  visit_voxels(volume, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    vtkNew<vtkAOSDataArrayTemplate<T>> scalars;
    scalars->SetNumberOfComponents(volume.components());
    // VTK only reads: the array does not own its data, and the pipeline never writes its input.
    scalars->SetArray(const_cast<T*>(voxels.data()), static_cast<vtkIdType>(voxels.size()), 1);
    vtkNew<KeepAlive> keep;
    keep->hold(volume.owner());
    scalars->AddObserver(vtkCommand::DeleteEvent, keep);
    image->GetPointData()->SetScalars(scalars);
  });
  return image;
}

vtkSmartPointer<vtkMatrix4x4> to_world_matrix(const Geometry& geometry) {
  auto matrix = vtkSmartPointer<vtkMatrix4x4>::New();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      matrix->SetElement(row, column, geometry.direction[3 * row + column]);
    matrix->SetElement(row, 3, geometry.origin[row]);
  }
  return matrix;
}

}  // namespace seedwave::ui
