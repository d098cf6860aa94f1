// SPDX-License-Identifier: Apache-2.0
#include "ui/views/halved.h"
#include "ui/views/vtk_image.h"

#include <QTest>
#include <vtkImageData.h>
#include <vtkMatrix4x4.h>

#include <cmath>

using namespace seedwave;
using namespace seedwave::ui;

class TestVtkImage : public QObject {
  Q_OBJECT
 private slots:
  void shares_the_voxels_and_keeps_them_alive();
  void the_matrix_leads_to_the_world();
  void halving_takes_means_and_stays_in_place();
};

void TestVtkImage::shares_the_voxels_and_keeps_them_alive() {
  Geometry geometry;
  geometry.size = {3, 2, 2};
  std::weak_ptr<const void> watched;
  vtkSmartPointer<vtkImageData> image;
  const void* voxels = nullptr;
  {
    const Volume volume(geometry, std::vector<std::int16_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    watched = volume.owner();
    voxels = volume.owner().get();
    image = to_vtk_image(volume);
  }
  QVERIFY(!watched.expired());
  QCOMPARE(static_cast<const void*>(image->GetScalarPointer()), voxels);
  QCOMPARE(image->GetScalarComponentAsDouble(2, 1, 1, 0), 11.0);
  image = nullptr;
  QVERIFY(watched.expired());
}

void TestVtkImage::the_matrix_leads_to_the_world() {
  Geometry geometry;
  geometry.size = {4, 4, 4};
  geometry.spacing = {0.5, 1.5, 2.5};
  geometry.origin = {10, -20, 30};
  geometry.direction = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  const auto matrix = to_world_matrix(geometry);
  const double grid_mm[4] = {3 * 0.5, 2 * 1.5, 1 * 2.5, 1};
  double world[4];
  matrix->MultiplyPoint(grid_mm, world);
  const Vec3 expected = geometry.to_world(Index3{3, 2, 1});
  for (int axis = 0; axis < 3; ++axis)
    QCOMPARE(world[axis], expected[axis]);
}

void TestVtkImage::halving_takes_means_and_stays_in_place() {
  Geometry geometry;
  geometry.size = {5, 4, 1};
  geometry.spacing = {1, 2, 3};
  geometry.origin = {7, 8, 9};
  std::vector<float> voxels(20);
  for (std::size_t i = 0; i < voxels.size(); ++i)
    voxels[i] = static_cast<float>(i * i);
  const Volume volume(geometry, voxels);
  const Volume half = halved(volume);
  QCOMPARE(half.geometry().size, (Index3{2, 2, 1}));
  QCOMPARE(half.geometry().spacing, (Vec3{2, 4, 3}));
  // The mean of four voxels is located at their centre.
  QCOMPARE(half.geometry().to_world(Index3{1, 1, 0}), geometry.to_world(Vec3{2.5, 2.5, 0}));
  QCOMPARE(half.value_at({1, 1, 0}), (12.0 * 12 + 13 * 13 + 17 * 17 + 18 * 18) / 4);
}

QTEST_GUILESS_MAIN(TestVtkImage)
#include "test_vtk_image.moc"
