// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/core/io/random_images.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace seedwave;
using seedwave::test::random_grid;
using seedwave::test::random_volume;
using seedwave::test::same_voxels;

namespace {

namespace fs = std::filesystem;

/// Returns the largest distance between the corners of two grids of the same size, in mm.
double corner_distance(const Geometry& a, const Geometry& b) {
  double largest = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    Index3 index{};
    for (int axis = 0; axis < 3; ++axis)
      index[axis] = (corner >> axis & 1) != 0 ? a.size[axis] - 1 : 0;
    const Vec3 p = a.to_world(index);
    const Vec3 q = b.to_world(index);
    largest = std::max(largest, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
  }
  return largest;
}

}  // namespace

/// Written files are read back with the same geometry, type and bits.
class TestVolumeFiles : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void oblique_volumes_survive_data();
  void oblique_volumes_survive();
  void flat_images_survive_data();
  void flat_images_survive();
  void pictures_stay_pictures_data() { flat_images_survive_data(); }
  void pictures_stay_pictures();

 private:
  fs::path folder_;
  std::unique_ptr<QTemporaryDir> temporary_;
};

void TestVolumeFiles::init() {
  temporary_ = std::make_unique<QTemporaryDir>();
  QVERIFY(temporary_->isValid());
  folder_ = fs::path(temporary_->path().toStdString());
}

void TestVolumeFiles::oblique_volumes_survive_data() {
  QTest::addColumn<QString>("suffix");
  QTest::addColumn<VoxelType>("type");
  QTest::addColumn<double>("tolerance_mm");
  // NIfTI stores positions as 32-bit numbers: about 1e-5 mm at 300 mm. The others keep all digits.
  const std::array<std::pair<const char*, double>, 4> formats{
      {{".nii", 2e-4}, {".nii.gz", 2e-4}, {".nrrd", 1e-9}, {".mha", 1e-9}}};
  for (const auto& [suffix, tolerance] : formats) {
    for (const VoxelType type : kVoxelTypes) {
      const QByteArray row = QByteArray(suffix) + ", " + name_of(type).data() + ", seed 5";
      QTest::newRow(row.constData()) << QString(suffix) << type << tolerance;
    }
  }
}

void TestVolumeFiles::oblique_volumes_survive() {
  QFETCH(QString, suffix);
  QFETCH(VoxelType, type);
  QFETCH(double, tolerance_mm);
  std::mt19937 random(5);
  Context context;
  for (int round = 0; round < 10; ++round) {
    const Volume volume = random_volume(type, random_grid(random), random);
    const fs::path path = folder_ / ("Größe 大 image" + suffix.toStdString());
    io::save_volume(path, volume);
    const io::LoadedImage back = io::load_path(path, "", context);
    QVERIFY2(back.warnings.empty(), back.warnings.empty() ? "" : back.warnings[0].c_str());
    QVERIFY(same_voxels(back.volume, volume));
    QCOMPARE(back.volume.geometry().size, volume.geometry().size);
    const double apart = corner_distance(back.volume.geometry(), volume.geometry());
    QVERIFY2(apart <= tolerance_mm, std::to_string(apart).c_str());
  }
}

void TestVolumeFiles::flat_images_survive_data() {
  QTest::addColumn<QString>("suffix");
  for (const char* suffix : {".nii", ".nii.gz", ".nrrd", ".mha"})
    QTest::newRow(suffix) << QString(suffix);
}

void TestVolumeFiles::flat_images_survive() {
  QFETCH(QString, suffix);
  std::mt19937 random(6);
  std::uniform_real_distribution<double> number(0.1, 3.0);
  Context context;
  for (int round = 0; round < 20; ++round) {
    Geometry grid;
    grid.size = {7, 5, 1};
    grid.planar = true;
    grid.spacing = {number(random), number(random), 1.0};
    grid.origin = {300 * number(random), -200 * number(random), 0.0};
    const double c = std::cos(2 * number(random));
    const double s = std::sqrt(1 - c * c);
    // Rotated, and mirrored every second time.
    const double mirror = round % 2 == 0 ? 1 : -1;
    grid.direction = {c, -s * mirror, 0, s, c * mirror, 0, 0, 0, 1};
    const Volume image = random_volume(VoxelType::I16, grid, random);
    const fs::path path = folder_ / ("flat" + suffix.toStdString());
    io::save_volume(path, image);
    const io::LoadedImage back = io::load_path(path, "", context);
    const Geometry& read = back.volume.geometry();
    QVERIFY2(back.warnings.empty(), back.warnings.empty() ? "" : back.warnings[0].c_str());
    QVERIFY(same_voxels(back.volume, image));
    QCOMPARE(read.unit, LengthUnit::Millimetre);
    QVERIFY(read.has_two_axes());
    QVERIFY(corner_distance(read, grid) <= 2e-4);
    // A volume of one slice at the same position keeps its three axes.
    grid.planar = false;
    io::save_volume(path, random_volume(VoxelType::I16, grid, random));
    QVERIFY(!io::load_path(path, "", context).volume.geometry().planar);
  }
}

void TestVolumeFiles::pictures_stay_pictures() {
  QFETCH(QString, suffix);
  std::mt19937 random(7);
  Context context;
  const Geometry grid{.size = {7, 5, 1}, .unit = LengthUnit::Pixel};
  const fs::path path = folder_ / ("picture" + suffix.toStdString());
  io::save_volume(path, random_volume(VoxelType::U8, grid, random));
  const io::LoadedImage back = io::load_path(path, "", context);
  QCOMPARE(back.volume.geometry().unit, LengthUnit::Pixel);
  QVERIFY(back.warnings.empty());
}

QTEST_GUILESS_MAIN(TestVolumeFiles)
#include "test_volume_files.moc"
