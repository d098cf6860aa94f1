// SPDX-License-Identifier: Apache-2.0
//
// Files of surfaces, read and measured by VTK.
#include "core/io/surfaces.h"

#include <QTemporaryDir>
#include <QTest>
#include <vtkFeatureEdges.h>
#include <vtkMassProperties.h>
#include <vtkNew.h>
#include <vtkPLYReader.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>

using namespace seedwave;

class TestSurfaceFiles : public QObject {
  Q_OBJECT
 private slots:
  void vtk_reads_a_closed_stl_of_the_same_volume();
  void vtk_reads_the_colours_of_a_ply();

 private:
  [[nodiscard]] std::string write(const char* name, io::SurfaceShape shape);

  QTemporaryDir folder_;
  Context context_;
};

namespace {

/// Two balls on an oblique grid, of labels 1 and 2.
LabelMap balls() {
  Geometry geometry;
  geometry.size = {50, 40, 30};
  geometry.spacing = {0.8, 1.0, 1.4};
  geometry.origin = {-10, 20, 300};
  geometry.direction = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, -1};
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const auto inside = [&](double x, double radius) {
      return std::hypot(0.8 * (static_cast<double>(at[0]) - x), static_cast<double>(at[1]) - 20,
                        1.4 * (static_cast<double>(at[2]) - 15)) <= radius;
    };
    labels[static_cast<std::size_t>(i)] = inside(15, 9) ? 1 : inside(36, 7) ? 2 : 0;
  }
  return {geometry, std::move(labels)};
}

double volume_of(vtkPolyData* surface) {
  vtkNew<vtkMassProperties> mass;
  mass->SetInputData(surface);
  return mass->GetVolume();
}

/// Returns the number of edges without exactly two triangles.
vtkIdType odd_edges(vtkPolyData* surface) {
  vtkNew<vtkFeatureEdges> edges;
  edges->SetInputData(surface);
  edges->BoundaryEdgesOn();
  edges->NonManifoldEdgesOn();
  edges->FeatureEdgesOff();
  edges->ManifoldEdgesOff();
  edges->Update();
  return edges->GetOutput()->GetNumberOfCells();
}

}  // namespace

std::string TestSurfaceFiles::write(const char* name, io::SurfaceShape shape) {
  const std::string path = folder_.filePath(name).toStdString();
  io::OutputSet outputs;
  save_surfaces(outputs, path, balls(), {{2, "second", "#0a141e"}}, {.shape = shape}, context_);
  outputs.commit();
  return path;
}

void TestSurfaceFiles::vtk_reads_a_closed_stl_of_the_same_volume() {
  const LabelMap labels = balls();
  double expected = 0;
  for (const Label label : labels.labels())
    expected += label != 0 ? labels.geometry().voxel_volume() : 0;
  for (const io::SurfaceShape shape : {io::SurfaceShape::Smooth, io::SurfaceShape::VoxelFaces}) {
    vtkNew<vtkSTLReader> reader;
    reader->SetFileName(write("balls.stl", shape).c_str());
    reader->Update();
    vtkPolyData* surface = reader->GetOutput();
    QVERIFY(surface->GetNumberOfPolys() > 1000);
    QVERIFY(QByteArray(reader->GetHeader()).contains("SPACE=LPS"));
    QCOMPARE(odd_edges(surface), vtkIdType{0});
    const double tolerance = shape == io::SurfaceShape::VoxelFaces ? 1e-5 : 2e-3;
    QVERIFY2(std::abs(volume_of(surface) / expected - 1) < tolerance,
             qPrintable(QString("%1 of %2").arg(volume_of(surface)).arg(expected)));
    double bounds[6];
    surface->GetBounds(bounds);
    QVERIFY(bounds[4] > 250 && bounds[5] < 301);  // the slices run downwards from z = 300
  }
}

void TestSurfaceFiles::vtk_reads_the_colours_of_a_ply() {
  vtkNew<vtkPLYReader> reader;
  reader->SetFileName(write("balls.ply", io::SurfaceShape::Smooth).c_str());
  reader->Update();
  vtkPolyData* surface = reader->GetOutput();
  QCOMPARE(odd_edges(surface), vtkIdType{0});
  auto* colors = vtkUnsignedCharArray::SafeDownCast(surface->GetPointData()->GetScalars());
  QVERIFY(colors != nullptr);
  QCOMPARE(colors->GetNumberOfComponents(), 3);
  const vtkIdType last = surface->GetNumberOfPoints() - 1;
  QCOMPARE(colors->GetTypedComponent(last, 0), 10);
  QCOMPARE(colors->GetTypedComponent(last, 1), 20);
  QCOMPARE(colors->GetTypedComponent(last, 2), 30);
  QVERIFY(colors->GetTypedComponent(0, 0) != 10);
}

QTEST_GUILESS_MAIN(TestSurfaceFiles)
#include "test_surface_files.moc"
