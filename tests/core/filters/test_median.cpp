// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/filters/kernel.h"
#include "core/filters/median.h"
#include "tests/reference/filters.h"
#include "tests/support/random_volume.h"
#include "tests/support/type_rows.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;
using test::line_of;
using test::random_volume;
using test::values_of;

namespace {

/// Returns noise of all bits; for f32, of all finite numbers and infinities.
template <typename T>
Volume all_bits(const Geometry& geometry, std::uint64_t number) {
  test::RandomNumbers random(number);
  std::vector<T> voxels(geometry.voxel_count());
  for (T& voxel : voxels) {
    const auto bits = static_cast<std::uint32_t>(random.below(std::int64_t{1} << 32));
    if constexpr (std::is_same_v<T, float>) {
      voxel = std::bit_cast<float>(bits);
      if (std::isnan(voxel)) voxel = std::copysign(INFINITY, voxel);
    } else {
      voxel = static_cast<T>(bits);
    }
  }
  return Volume(geometry, std::move(voxels));
}

std::vector<Volume> of_each_type(const Geometry& geometry, std::uint64_t number) {
  return {all_bits<std::uint8_t>(geometry, number), all_bits<std::int16_t>(geometry, number),
          all_bits<std::uint16_t>(geometry, number), all_bits<std::int32_t>(geometry, number),
          all_bits<float>(geometry, number)};
}

Geometry random_grid(test::RandomNumbers& random, bool volume) {
  Geometry geometry;
  geometry.size = {1 + random.below(volume ? 9 : 150), 1 + random.below(volume ? 8 : 9),
                   volume ? 1 + random.below(7) : 1};
  for (double& spacing : geometry.spacing)
    spacing = random.of(std::array{1.0, 0.5, 0.7, 2.5});
  return geometry;
}

}  // namespace

class TestMedian : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void both_algorithms_agree_on_all_bits();
  void large_balls_count_in_wider_keys();
  void tiles_and_threads_change_no_bit();
  void instruction_sets_change_no_bit();
  void removes_outliers_and_keeps_edges();
  void a_radius_of_nothing_is_the_image();
  void a_ball_holds_what_its_radius_says();
  void refuses_nan_colours_and_huge_balls();
  void stops_when_asked();
};

void TestMedian::equals_the_definition_data() {
  test::add_type_and_dimension_rows();
}

void TestMedian::equals_the_definition() {
  QFETCH(int, type);
  QFETCH(bool, volume);
  Context context(Context::Settings{.threads = 2});
  for (std::uint64_t number = 0; number < 150; ++number) {
    test::RandomNumbers random(number);
    const Geometry geometry = random_grid(random, volume);
    const double radius = random.of(std::array{0.0, 0.5, 0.7, 1.0, 1.5, 2.0, 3.5});
    const Volume image = random_volume(random, geometry, static_cast<VoxelType>(type));
    const std::vector<double> expected = reference::median(image, radius);
    const QString what = QStringLiteral("image %1, radius %2").arg(number).arg(radius);
    QVERIFY2(values_of(median_filtered(image, radius, context)) == expected, qPrintable(what));
    QVERIFY2(values_of(median_by_selection(image, radius, context)) == expected, qPrintable(what));
  }
}

void TestMedian::both_algorithms_agree_on_all_bits() {
  Context context(Context::Settings{.threads = 2});
  for (std::uint64_t number = 0; number < 40; ++number) {
    test::RandomNumbers random(number);
    const Geometry geometry = random_grid(random, number % 2 == 0);
    const double radius = random.of(std::array{0.5, 1.0, 2.0, 3.0});
    for (const Volume& image : of_each_type(geometry, number)) {
      const Volume expected = median_by_selection(image, radius, context);
      QVERIFY(
          std::ranges::equal(median_filtered(image, radius, context).bytes(), expected.bytes()));
    }
  }
}

/// Balls of up to 255 and 65535 values, and of more.
void TestMedian::large_balls_count_in_wider_keys() {
  Context context;
  Geometry plane;
  plane.size = {9, 7, 1};
  Geometry brick;
  brick.size = {3, 4, 3};
  for (const auto& [geometry, radius] :
       {std::pair(plane, 6.0), std::pair(plane, 7.0), std::pair(plane, 9.0), std::pair(plane, 10.0),
        std::pair(plane, 20.0), std::pair(plane, 144.0), std::pair(plane, 145.0),
        std::pair(plane, 103.0), std::pair(brick, 4.0), std::pair(brick, 20.0)}) {
    for (const Volume& image : of_each_type(geometry, 3)) {
      const Volume expected = median_by_selection(image, radius, context);
      QVERIFY(
          std::ranges::equal(median_filtered(image, radius, context).bytes(), expected.bytes()));
    }
  }
}

void TestMedian::tiles_and_threads_change_no_bit() {
  for (const Index3& size : {Index3{301, 150, 1}, Index3{270, 37, 19}}) {
    Geometry geometry;
    geometry.size = size;
    for (const Volume& image : of_each_type(geometry, 9)) {
      Context one(Context::Settings{.threads = 1});
      Context several(Context::Settings{.threads = 3});
      const Volume expected = median_by_selection(image, 2.0, several);
      QVERIFY(std::ranges::equal(median_filtered(image, 2.0, one).bytes(), expected.bytes()));
      QVERIFY(std::ranges::equal(median_filtered(image, 2.0, several).bytes(), expected.bytes()));
    }
  }
}

void TestMedian::instruction_sets_change_no_bit() {
  const filters::Kernel* const avx2 = filters::avx2_kernel();
  if (avx2 == nullptr) QSKIP("this processor has no AVX2");
  const auto compare = [](const auto& kernel, const auto& other, auto key) {
    using Key = decltype(key);
    test::RandomNumbers random(4);
    std::vector<Key> keys(400);
    for (Key& each : keys)
      each = static_cast<Key>(random.below(std::int64_t{1} << 32));
    const std::vector<std::ptrdiff_t> offsets{0, 1, 2, 50, 51, 52, 100, 101, 102};
    for (std::int64_t count = 1; count < 150; ++count) {
      std::vector<Key> a(count + filters::kMostLanes);
      std::vector<Key> b(count + filters::kMostLanes);
      const int bits = 8 * static_cast<int>(sizeof(Key));
      const Key first = std::numeric_limits<Key>::min();
      kernel.middle(keys.data(), count, offsets.data(), 9, first, bits, a.data());
      other.middle(keys.data(), count, offsets.data(), 9, first, bits, b.data());
      a.resize(count);
      b.resize(count);
      QCOMPARE(a, b);
      std::vector<Key> values;
      for (const std::ptrdiff_t offset : offsets)
        values.push_back(keys[count - 1 + offset]);
      std::sort(values.begin(), values.end());
      QCOMPARE(a.back(), values[4]);
    }
  };
  compare(filters::plain_kernel().select_i8, avx2->select_i8, std::int8_t{});
  compare(filters::plain_kernel().select_i16, avx2->select_i16, std::int16_t{});
  compare(filters::plain_kernel().select_i32, avx2->select_i32, std::int32_t{});
}

void TestMedian::removes_outliers_and_keeps_edges() {
  Context context;
  QCOMPARE(
      values_of(median_filtered(line_of<std::uint8_t>({1, 9, 1, 1, 5, 5, 0, 5, 5}), 1.0, context)),
      (std::vector<double>{1, 1, 1, 1, 5, 5, 5, 5, 5}));
}

void TestMedian::a_radius_of_nothing_is_the_image() {
  Context context;
  Geometry geometry;
  geometry.size = {33, 9, 4};
  for (const Volume& image : of_each_type(geometry, 1)) {
    for (const double radius : {0.0, 0.99}) {
      const Volume result = median_filtered(image, radius, context);
      QVERIFY(values_of(result) == values_of(image));
    }
  }
  const Volume zero = median_filtered(line_of<float>({-0.0F, -0.0F}), 1.0, context);
  QVERIFY(!std::signbit(zero.voxels<float>()[0]));
}

void TestMedian::a_ball_holds_what_its_radius_says() {
  Geometry geometry;
  geometry.size = {2, 2, 1};
  // The Gauss circle problem: lattice points within r of the centre.
  const std::vector<std::int64_t> points{1, 5, 13, 29, 49, 81, 113, 149, 197, 253, 317};
  for (std::size_t r = 0; r < points.size(); ++r)
    QCOMPARE(std::ssize(ball_offsets(static_cast<double>(r), geometry)), points[r]);
  geometry.size = {2, 2, 2};
  const std::vector<std::int64_t> in_balls{1, 7, 33, 123, 257, 515};
  for (std::size_t r = 0; r < in_balls.size(); ++r)
    QCOMPARE(std::ssize(ball_offsets(static_cast<double>(r), geometry)), in_balls[r]);
  // Three steps of 0.1 are not 0.3 in binary numbers.
  geometry.size = {2, 1, 1};
  geometry.spacing = {0.1, 0.1, 0.1};
  QCOMPARE(std::ssize(ball_offsets(0.3, geometry)), 7);
}

void TestMedian::refuses_nan_colours_and_huge_balls() {
  Context context;
  const Volume nan = line_of<float>({0.0F, std::numeric_limits<float>::quiet_NaN()});
  QVERIFY_EXCEPTION_THROWN((void)median_filtered(nan, 1.0, context), InputError);
  QVERIFY_EXCEPTION_THROWN((void)median_by_selection(nan, 1.0, context), InputError);
  Geometry geometry;
  geometry.size = {2, 2, 2};
  for (const double radius : {64.0, 500.0, 1e9, 1e300})
    QVERIFY_EXCEPTION_THROWN((void)ball_offsets(radius, geometry), InputError);
  QVERIFY(std::ssize(ball_offsets(60.0, geometry)) < kMostMedianVoxels);
  Geometry one;
  one.size = {1, 1, 1};
  const Volume colour(one, std::vector<std::uint8_t>{1, 2, 3}, 3);
  QVERIFY_EXCEPTION_THROWN((void)median_filtered(colour, 1.0, context), InputError);
}

void TestMedian::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  const Volume image = line_of<std::uint8_t>({1, 2, 3});
  QVERIFY_EXCEPTION_THROWN((void)median_filtered(image, 1.0, context), Cancelled);
  QVERIFY_EXCEPTION_THROWN((void)median_by_selection(image, 1.0, context), Cancelled);
}

QTEST_GUILESS_MAIN(TestMedian)
#include "test_median.moc"
