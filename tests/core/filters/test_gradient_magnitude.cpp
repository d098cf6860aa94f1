// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/filters/gradient_magnitude.h"
#include "core/filters/kernel.h"
#include "tests/reference/filters.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

using namespace seedwave;
using test::line_of;
using test::random_volume;

namespace {

std::vector<float> lengths_of(const Volume& volume) {
  const auto voxels = volume.voxels<float>();
  return {voxels.begin(), voxels.end()};
}

}  // namespace

class TestGradientMagnitude : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void is_the_slope_of_a_ramp_at_any_sigma();
  void instruction_sets_change_no_bit();
  void has_no_nan_at_extreme_values_and_spacings();
  void refuses_nan_infinity_and_colours();
  void stops_when_asked();
};

void TestGradientMagnitude::equals_the_definition_data() {
  QTest::addColumn<int>("type");
  for (const VoxelType type : kVoxelTypes)
    QTest::addRow("%s", std::string(name_of(type)).c_str()) << static_cast<int>(type);
}

void TestGradientMagnitude::equals_the_definition() {
  QFETCH(int, type);
  Context one(Context::Settings{.threads = 1});
  Context several(Context::Settings{.threads = 3});
  for (std::uint64_t number = 0; number < 500; ++number) {
    test::RandomNumbers random(number);
    Geometry geometry;
    for (std::int64_t& length : geometry.size)
      length = 1 + random.below(random.of(std::array{1, 3, 9, 21}));
    for (double& spacing : geometry.spacing)
      spacing = random.of(std::array{1.0, 0.1, 0.7, 2.5});
    Vec3 sigma{};
    for (double& along : sigma)
      along = random.of(std::array{0.0, 0.3, 0.5, 1.0, 2.75, 12.0});
    const Volume image = random_volume(random, geometry, static_cast<VoxelType>(type));
    const std::vector<float> expected = reference::gradient_magnitude(image, sigma);
    QVERIFY2(lengths_of(gradient_magnitude(image, sigma, one)) == expected,
             qPrintable(QString::number(number)));
    QVERIFY2(lengths_of(gradient_magnitude(image, sigma, several)) == expected,
             qPrintable(QString::number(number)));
  }
}

/// In image units per mm: 3 a column of 0.5 mm, 4 a row of 2 mm, 10 a slice of 2.5 mm.
void TestGradientMagnitude::is_the_slope_of_a_ramp_at_any_sigma() {
  Geometry geometry;
  geometry.size = {31, 27, 25};
  geometry.spacing = {0.5, 2.0, 2.5};
  std::vector<std::int16_t> voxels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    voxels.push_back(static_cast<std::int16_t>(3 * at[0] + 4 * at[1] - 10 * at[2]));
  }
  const Volume ramp(geometry, std::move(voxels));
  const double slope = std::sqrt(6.0 * 6.0 + 2.0 * 2.0 + 4.0 * 4.0);
  Context context;
  for (const double sigma : {0.0, 0.3, 0.5, 1.0, 2.5}) {
    const Volume found = gradient_magnitude(ramp, {sigma, sigma, sigma}, context);
    QVERIFY(std::abs(found.value_at({15, 13, 12}) - slope) < 1e-4);
  }
  // At the border the voxel is repeated, so half of the slope remains there.
  const Volume line = line_of<std::uint8_t>({1, 3, 5});
  QCOMPARE(lengths_of(gradient_magnitude(line, {}, context)), (std::vector<float>{1, 2, 1}));
}

void TestGradientMagnitude::instruction_sets_change_no_bit() {
  const filters::Kernel* const avx2 = filters::avx2_kernel();
  if (avx2 == nullptr) QSKIP("this processor has no AVX2");
  const auto compare = [](const auto& kernel, const auto& other, auto cell) {
    using Cell = decltype(cell);
    test::RandomNumbers random(4);
    std::vector<std::vector<Cell>> rows(6, std::vector<Cell>(70));
    std::array<const Cell*, 6> ends{};
    for (std::size_t i = 0; i < ends.size(); ++i) {
      for (Cell& each : rows[i])
        each = static_cast<Cell>(random.below(1 << 20)) / Cell{7};
      ends[i] = rows[i].data();
    }
    const std::array factors{0.5, 0.7, 0.2};
    for (std::int64_t count = 1; count <= 70; ++count) {
      std::vector<float> a(count);
      std::vector<float> b(count);
      kernel.lengths(ends.data(), factors.data(), count, a.data());
      other.lengths(ends.data(), factors.data(), count, b.data());
      QCOMPARE(a, b);
    }
  };
  compare(filters::plain_kernel().gradient_f32, avx2->gradient_f32, float{});
  compare(filters::plain_kernel().gradient_f64, avx2->gradient_f64, double{});
}

void TestGradientMagnitude::has_no_nan_at_extreme_values_and_spacings() {
  Context context;
  const float most = std::numeric_limits<float>::max();
  Geometry geometry;
  geometry.size = {3, 2, 2};
  for (const double spacing :
       {std::numeric_limits<double>::denorm_min(), 1.0, std::numeric_limits<double>::max()}) {
    geometry.spacing = {spacing, spacing, spacing};
    std::vector<float> voxels(12, most);
    voxels[4] = -most;
    for (const double sigma : {0.0, 0.7}) {
      const Volume image(geometry, voxels);
      for (const float length : lengths_of(gradient_magnitude(image, {sigma, 0, 0}, context)))
        QVERIFY(length >= 0.0F);
    }
  }
}

void TestGradientMagnitude::refuses_nan_infinity_and_colours() {
  Context context;
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const Volume image = line_of<float>({0.0F, bad});
    QVERIFY_EXCEPTION_THROWN((void)gradient_magnitude(image, {}, context), InputError);
  }
  Geometry one;
  one.size = {1, 1, 1};
  const Volume colour(one, std::vector<std::uint8_t>{1, 2, 3}, 3);
  QVERIFY_EXCEPTION_THROWN((void)gradient_magnitude(colour, {}, context), InputError);
}

void TestGradientMagnitude::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  QVERIFY_EXCEPTION_THROWN((void)gradient_magnitude(line_of<std::uint8_t>({1, 2, 3}), {}, context),
                           Cancelled);
}

QTEST_GUILESS_MAIN(TestGradientMagnitude)
#include "test_gradient_magnitude.moc"
