// SPDX-License-Identifier: Apache-2.0
#include "core/image/picture_levels.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace seedwave;

namespace {

Geometry grid(std::int64_t width, std::int64_t height) {
  Geometry geometry;
  geometry.size = {width, height, 1};
  geometry.spacing = {0.5, 0.25, 1.0};
  geometry.origin = {10, 20, 30};
  return geometry;
}

template <typename T>
Volume noise(const Geometry& geometry, int components, int low, int high) {
  std::mt19937 random(7);
  std::vector<T> values(static_cast<std::size_t>(geometry.voxel_count() * components));
  for (T& value : values)
    value = static_cast<T>(low + static_cast<int>(random() % static_cast<unsigned>(high - low)));
  return {geometry, std::move(values), components};
}

/// Returns the mean of the finer pixels under a pixel of the level above, as the header defines it.
double mean_below(const Volume& finer, std::int64_t x, std::int64_t y, int component) {
  const Geometry& geometry = finer.geometry();
  double sum = 0;
  for (std::int64_t dy = 0; dy < 2; ++dy) {
    for (std::int64_t dx = 0; dx < 2; ++dx) {
      sum += finer.value_at({std::min(2 * x + dx, geometry.size[0] - 1),
                             std::min(2 * y + dy, geometry.size[1] - 1), 0},
                            component);
    }
  }
  return sum / 4;
}

bool is_half_of(const Volume& level, const Volume& finer, double tolerance) {
  const Geometry& geometry = level.geometry();
  for (std::int64_t y = 0; y < geometry.size[1]; ++y) {
    for (std::int64_t x = 0; x < geometry.size[0]; ++x) {
      for (int c = 0; c < level.components(); ++c) {
        if (std::abs(level.value_at({x, y, 0}, c) - mean_below(finer, x, y, c)) > tolerance)
          return false;
      }
    }
  }
  return true;
}

}  // namespace

class TestPictureLevels : public QObject {
  Q_OBJECT
 private slots:
  void each_is_half_the_one_before();
  void integers_are_rounded_to_the_nearest_below_zero_too();
  void lies_in_the_same_place();
  void small_pictures_and_volumes_have_none();
};

void TestPictureLevels::each_is_half_the_one_before() {
  // Odd sizes in both directions, on more than one level.
  const Volume picture = noise<std::uint8_t>(grid(2049, 1103), 3, 0, 256);
  const std::vector<Volume> levels = picture_levels(picture);
  QCOMPARE(levels.size(), std::size_t{2});
  QCOMPARE(levels[0].geometry().size, (Index3{1025, 552, 1}));
  QCOMPARE(levels[1].geometry().size, (Index3{513, 276, 1}));
  QCOMPARE(levels[1].components(), 3);
  QVERIFY(is_half_of(levels[0], picture, 0.5));
  QVERIFY(is_half_of(levels[1], levels[0], 0.5));
}

void TestPictureLevels::integers_are_rounded_to_the_nearest_below_zero_too() {
  const Volume picture = noise<std::int16_t>(grid(1100, 31), 1, -1000, 1000);
  QVERIFY(is_half_of(picture_levels(picture).front(), picture, 0.5));
  const Volume real = noise<float>(grid(1100, 31), 1, -1000, 1000);
  QVERIFY(is_half_of(picture_levels(real).front(), real, 1e-3));
}

void TestPictureLevels::lies_in_the_same_place() {
  const Volume picture = noise<std::uint8_t>(grid(2048, 1500), 1, 0, 256);
  for (const Volume& level : picture_levels(picture)) {
    const Vec3 corner = picture.geometry().to_world(Vec3{-0.5, -0.5, 0});
    const Vec3 seen = level.geometry().to_world(Vec3{-0.5, -0.5, 0});
    for (std::size_t axis = 0; axis < 3; ++axis)
      QVERIFY(std::abs(corner[axis] - seen[axis]) < 1e-9);
  }
}

void TestPictureLevels::small_pictures_and_volumes_have_none() {
  QVERIFY(picture_levels(noise<std::uint8_t>(grid(1024, 1024), 1, 0, 256)).empty());
  QVERIFY(picture_levels({}).empty());
  Geometry volume = grid(1100, 2);
  volume.size[2] = 2;
  QVERIFY(picture_levels(noise<std::uint8_t>(volume, 1, 0, 256)).empty());
}

QTEST_GUILESS_MAIN(TestPictureLevels)
#include "test_picture_levels.moc"
