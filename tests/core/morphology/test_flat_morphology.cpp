// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/flat_morphology.h"
#include "tests/reference/flat_morphology.h"
#include "tests/support/random_volume.h"
#include "tests/support/type_rows.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace seedwave;
using test::line_of;
using test::random_volume;
using test::values_of;

class TestFlatMorphology : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void blocks_and_threads_change_no_bit();
  void a_disc_holds_what_its_radius_says();
  void a_box_is_its_sides();
  void opening_keeps_what_the_disc_fits_under();
  void radius_nothing_is_the_image();
  void refuses_nan_and_has_no_negative_zero();
  void stops_when_asked();
};

void TestFlatMorphology::equals_the_definition_data() {
  test::add_type_and_dimension_rows();
}

void TestFlatMorphology::equals_the_definition() {
  QFETCH(int, type);
  QFETCH(bool, volume);
  for (std::uint64_t number = 0; number < 60; ++number) {
    test::RandomNumbers random(number);
    Geometry geometry;
    geometry.size = {1 + random.below(volume ? 9 : 23), 1 + random.below(volume ? 8 : 19),
                     volume ? 1 + random.below(7) : 1};
    for (double& spacing : geometry.spacing)
      spacing = random.of(std::array{1.0, 0.1, 0.7, 2.5});
    const double radius = random.of(std::array{0.0, 0.3, 0.7, 1.0, 1.5, 2.0, 3.5, 5.0, 17.0, 1e6});
    const Volume image = random_volume(random, geometry, static_cast<VoxelType>(type));
    const FlatElement ball = FlatElement::ball(radius, geometry);
    Context context;
    const QString what = QStringLiteral("image %1, radius %2").arg(number).arg(radius);
    QVERIFY2(
        values_of(dilated(image, ball, context)) == reference::ball_extreme(image, radius, false),
        qPrintable(what));
    QVERIFY2(
        values_of(eroded(image, ball, context)) == reference::ball_extreme(image, radius, true),
        qPrintable(what));
  }
}

/// Large enough for several blocks each way; the same image with swapped axes has other blocks.
void TestFlatMorphology::blocks_and_threads_change_no_bit() {
  test::RandomNumbers random(7);
  Geometry geometry;
  geometry.size = {2600, 150, 1};
  const Volume wide = test::random_volume_of<std::uint8_t>(random, geometry, 256);
  const auto turned = [](const Volume& image) {
    Geometry grid;
    grid.size = {image.geometry().size[1], image.geometry().size[0], 1};
    std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()));
    for (std::int64_t y = 0; y < grid.size[1]; ++y) {
      for (std::int64_t x = 0; x < grid.size[0]; ++x)
        voxels[x + y * grid.size[0]] = image.voxels<std::uint8_t>()[y + x * grid.size[1]];
    }
    return Volume(grid, std::move(voxels));
  };
  for (const double radius : {1.0, 6.3, 40.0, 500.0}) {
    Context one(Context::Settings{.threads = 1});
    Context several(Context::Settings{.threads = 3});
    const FlatElement disc = FlatElement::ball(radius, wide.geometry());
    const Volume expected = eroded(wide, disc, one);
    QVERIFY(std::ranges::equal(eroded(wide, disc, several).bytes(), expected.bytes()));
    const Volume tall = turned(wide);
    const Volume other = eroded(tall, FlatElement::ball(radius, tall.geometry()), several);
    QVERIFY(std::ranges::equal(turned(other).bytes(), expected.bytes()));
  }
}

void TestFlatMorphology::a_disc_holds_what_its_radius_says() {
  Geometry geometry;
  geometry.size = {101, 101, 1};
  const auto cells = [](const FlatElement& element) {
    std::int64_t count = 0;
    for (const FlatElement::Row& row : element.rows())
      count += 2 * row.half_width + 1;
    return count;
  };
  // The Gauss circle problem: lattice points within r of the centre.
  const std::vector<std::int64_t> points{1, 5, 13, 29, 49, 81, 113, 149, 197, 253, 317};
  for (std::size_t r = 0; r < points.size(); ++r)
    QCOMPARE(cells(FlatElement::ball(static_cast<double>(r), geometry)), points[r]);
  geometry.size = {51, 51, 51};
  const std::vector<std::int64_t> in_balls{1, 7, 33, 123, 257, 515};
  for (std::size_t r = 0; r < in_balls.size(); ++r)
    QCOMPARE(cells(FlatElement::ball(static_cast<double>(r), geometry)), in_balls[r]);
  // Three steps of 0.1 are not 0.3 in binary numbers.
  geometry.spacing = {0.1, 0.1, 0.1};
  QCOMPARE(FlatElement::ball(0.3, geometry).reach(), (Index3{3, 3, 3}));
}

void TestFlatMorphology::a_box_is_its_sides() {
  Geometry geometry;
  geometry.size = {5, 4, 3};
  std::vector<std::int32_t> voxels(60, 0);
  voxels[static_cast<std::size_t>(geometry.offset({2, 1, 1}))] = 9;
  Context context;
  const Volume result =
      dilated(Volume(geometry, voxels), FlatElement::box({1, 2, 0}, geometry), context);
  for (std::int64_t i = 0; i < 60; ++i) {
    const Index3 at = geometry.index_of(i);
    const bool inside = at[0] >= 1 && at[0] <= 3 && at[2] == 1;
    QCOMPARE(result.voxels<std::int32_t>()[i], inside ? 9 : 0);
  }
}

void TestFlatMorphology::opening_keeps_what_the_disc_fits_under() {
  const Volume image = line_of<std::uint8_t>({9, 9, 1, 5, 5, 5, 1, 8, 2, 7});
  Context context;
  const FlatElement three = FlatElement::ball(1.0, image.geometry());
  QCOMPARE(values_of(opened(image, three, context)),
           (std::vector<double>{9, 9, 1, 5, 5, 5, 1, 2, 2, 2}));
  QCOMPARE(values_of(closed(image, three, context)),
           (std::vector<double>{9, 9, 5, 5, 5, 5, 5, 8, 7, 7}));
}

void TestFlatMorphology::radius_nothing_is_the_image() {
  test::RandomNumbers random(3);
  Geometry geometry;
  geometry.size = {33, 9, 4};
  const Volume image = random_volume(random, geometry, VoxelType::I32);
  Context context;
  const Volume result = opened(image, FlatElement::ball(0.0, geometry), context);
  QVERIFY(std::ranges::equal(result.bytes(), image.bytes()));
}

void TestFlatMorphology::refuses_nan_and_has_no_negative_zero() {
  Context context;
  const Volume zero = line_of<float>({-0.0F, -0.0F});
  const FlatElement disc = FlatElement::ball(1.0, zero.geometry());
  const Volume result = eroded(zero, disc, context);
  QVERIFY(!std::signbit(result.voxels<float>()[0]));
  const Volume nan = line_of<float>({0.0F, std::numeric_limits<float>::quiet_NaN()});
  QVERIFY_EXCEPTION_THROWN((void)dilated(nan, disc, context), InputError);
}

void TestFlatMorphology::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  const Volume image = line_of<std::uint8_t>({1, 2, 3});
  QVERIFY_EXCEPTION_THROWN((void)dilated(image, FlatElement::ball(1.0, image.geometry()), context),
                           Cancelled);
}

QTEST_GUILESS_MAIN(TestFlatMorphology)
#include "test_flat_morphology.moc"
