// SPDX-License-Identifier: Apache-2.0
#include "ui/views/surface_mesh.h"

#include "core/base/error.h"
#include "core/mesh/label_surface.h"

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt32Array.h>

#include <algorithm>
#include <vector>

namespace seedwave::ui {
namespace {

/// A label with more cells than this (12 MB) is reduced before contouring.
constexpr std::int64_t kMostCells = 12'000'000;

/// Returns three numbers a point.
vtkSmartPointer<vtkFloatArray> array_of(const std::vector<Surface::Point>& points) {
  const auto count = static_cast<vtkIdType>(points.size());
  auto numbers = vtkSmartPointer<vtkFloatArray>::New();
  numbers->SetNumberOfComponents(3);
  numbers->SetNumberOfTuples(count);
  float* number = numbers->GetPointer(0);
  for (const Surface::Point& point : points)
    number = std::copy(point.begin(), point.end(), number);
  return numbers;
}

vtkSmartPointer<vtkPolyData> poly_data_of(const Surface& surface) {
  vtkNew<vtkTypeInt32Array> corners;
  corners->SetNumberOfValues(3 * static_cast<vtkIdType>(surface.triangles.size()));
  std::int32_t* corner = corners->GetPointer(0);
  for (const Surface::Triangle& triangle : surface.triangles)
    corner = std::copy(triangle.begin(), triangle.end(), corner);
  vtkNew<vtkPoints> points;
  points->SetData(array_of(surface.points));
  vtkNew<vtkCellArray> triangles;
  triangles->SetData(3, corners);
  auto mesh = vtkSmartPointer<vtkPolyData>::New();
  mesh->SetPoints(points);
  mesh->SetPolys(triangles);
  mesh->GetPointData()->SetNormals(array_of(surface.normals));
  return mesh;
}

}  // namespace

vtkSmartPointer<vtkPolyData> make_surface(const LabelMap& map, Label label, const Box& box,
                                          const std::stop_token& stop) {
  try {
    return poly_data_of(
        smooth_surface(map, label, box, {.cells = kMostCells, .triangles = kMostTriangles}, stop));
  } catch (const Cancelled&) {
    return nullptr;
  }
}

}  // namespace seedwave::ui
