// SPDX-License-Identifier: Apache-2.0
#include "ui/views/surface_mesh.h"

#include "core/base/error.h"
#include "core/image/vec3.h"
#include "core/mesh/label_surface.h"

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt32Array.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace seedwave::ui {
namespace {

/// A label with more cells than this (12 MB) is reduced before contouring.
constexpr std::int64_t kMostCells = 12'000'000;

Vec3 vector_of(const Surface::Point& point) {
  return {point[0], point[1], point[2]};
}

/// Returns the normals of the points: those of their triangles, weighted by area.
std::vector<Vec3> normals_of(const Surface& surface) {
  std::vector<Vec3> normals(surface.points.size(), Vec3{0, 0, 0});
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 from = vector_of(surface.points[a]);
    const Vec3 normal =
        cross(minus(vector_of(surface.points[b]), from), minus(vector_of(surface.points[c]), from));
    for (const std::uint32_t point : {a, b, c})
      normals[point] = plus(normals[point], normal);
  }
  for (Vec3& normal : normals) {
    const double length = norm(normal);
    if (length > 0) normal = scaled(normal, 1 / length);
  }
  return normals;
}

vtkSmartPointer<vtkPolyData> poly_data_of(const Surface& surface) {
  const auto count = static_cast<vtkIdType>(surface.points.size());
  vtkNew<vtkFloatArray> coordinates;
  coordinates->SetNumberOfComponents(3);
  coordinates->SetNumberOfTuples(count);
  std::copy_n(surface.points.data()->data(), 3 * count, coordinates->GetPointer(0));
  vtkNew<vtkFloatArray> normals;
  normals->SetNumberOfComponents(3);
  normals->SetNumberOfTuples(count);
  float* normal = normals->GetPointer(0);
  for (const Vec3& each : normals_of(surface))
    normal = std::copy(each.begin(), each.end(), normal);
  vtkNew<vtkTypeInt32Array> corners;
  corners->SetNumberOfValues(static_cast<vtkIdType>(3 * surface.triangles.size()));
  std::int32_t* corner = corners->GetPointer(0);
  for (const Surface::Triangle& triangle : surface.triangles)
    corner = std::copy(triangle.begin(), triangle.end(), corner);
  vtkNew<vtkPoints> points;
  points->SetData(coordinates);
  vtkNew<vtkCellArray> triangles;
  triangles->SetData(3, corners);
  auto mesh = vtkSmartPointer<vtkPolyData>::New();
  mesh->SetPoints(points);
  mesh->SetPolys(triangles);
  mesh->GetPointData()->SetNormals(normals);
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
