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

/// How far the corners of two grids of the same size lie apart at most, in mm.
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

/// What is written is read back: geometry, type and every bit.
class TestVolumeFiles : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void oblique_volumes_survive_data();
  void oblique_volumes_survive();

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
  // NIfTI holds positions as 32-bit numbers: some 1e-5 mm at 300 mm; the others hold all digits.
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

QTEST_GUILESS_MAIN(TestVolumeFiles)
#include "test_volume_files.moc"
