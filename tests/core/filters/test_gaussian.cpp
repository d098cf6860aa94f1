// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/filters/gaussian.h"
#include "core/filters/gaussian_passes.h"
#include "core/filters/kernel.h"
#include "tests/reference/filters.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
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

Geometry grid(std::int64_t x, std::int64_t y, std::int64_t z) {
  Geometry geometry;
  geometry.size = {x, y, z};
  return geometry;
}

/// Returns noise of the type's whole range.
template <typename T>
Volume full_range(const Geometry& geometry) {
  test::RandomNumbers random(5);
  std::vector<T> voxels(geometry.voxel_count());
  for (T& voxel : voxels) {
    const std::int64_t span = std::int64_t{1} << (8 * sizeof(T));
    voxel = static_cast<T>(std::numeric_limits<T>::min() + random.below(span));
  }
  return Volume(geometry, std::move(voxels));
}

}  // namespace

class TestGaussian : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void equals_the_definition_at_the_limits_of_a_type();
  void threads_and_instruction_sets_change_no_bit();
  void rounds_half_up_within_the_type();
  void is_the_weighted_mean_of_the_neighbourhood();
  void leaves_a_flat_image_and_thin_axes_alone();
  void tiny_sigma_changes_nothing();
  void reads_intensities_in_full_precision();
  void sigma_in_voxels_follows_the_spacing();
  void refuses_what_it_cannot_smooth();
  void stops_when_asked();
};

void TestGaussian::equals_the_definition_data() {
  QTest::addColumn<int>("type");
  for (const VoxelType type : kVoxelTypes)
    QTest::addRow("%s", std::string(name_of(type)).c_str()) << static_cast<int>(type);
}

void TestGaussian::equals_the_definition() {
  QFETCH(int, type);
  Context one(Context::Settings{.threads = 1});
  Context several(Context::Settings{.threads = 3});
  for (std::uint64_t number = 0; number < 500; ++number) {
    test::RandomNumbers random(number);
    const auto length = [&] { return 1 + random.below(random.of(std::array{1, 3, 9, 21})); };
    const Geometry geometry = grid(length(), length(), length());
    Vec3 sigma{};
    for (double& along : sigma)
      along = random.of(std::array{0.0, 1e-300, 0.2, 0.5, 0.6, 1.0, 1.3, 2.75, 30.0});
    const Volume image = random_volume(random, geometry, static_cast<VoxelType>(type));
    const std::vector<double> expected = reference::gaussian(image, sigma);
    QVERIFY2(values_of(gaussian(image, sigma, one)) == expected,
             qPrintable(QString::number(number)));
    QVERIFY2(values_of(gaussian(image, sigma, several)) == expected,
             qPrintable(QString::number(number)));
  }
}

void TestGaussian::equals_the_definition_at_the_limits_of_a_type() {
  Context context;
  const Vec3 sigma{0.7, 0.3, 0.4};
  const Geometry geometry = grid(17, 9, 5);
  for (const Volume& image :
       {full_range<std::uint8_t>(geometry), full_range<std::int16_t>(geometry),
        full_range<std::uint16_t>(geometry), full_range<std::int32_t>(geometry)})
    QCOMPARE(values_of(gaussian(image, sigma, context)), reference::gaussian(image, sigma));
  constexpr std::int32_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kHigh = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t value : {kLow, kHigh}) {
    const Volume flat(geometry, std::vector<std::int32_t>(geometry.voxel_count(), value));
    QCOMPARE(values_of(gaussian(flat, {3.0, 3.0, 3.0}, context)), values_of(flat));
  }
  const float most = std::numeric_limits<float>::max();
  const Volume wide = line_of<float>({most, most, -most, -most, 0.0F, 1e-45F, most});
  QCOMPARE(values_of(gaussian(wide, sigma, context)), reference::gaussian(wide, sigma));
}

/// More than one piece along y and along z, with rests of each; the last reaches too far along z
/// for the slices to stay in the cache.
void TestGaussian::threads_and_instruction_sets_change_no_bit() {
  const Vec3 little{1.3, 0.8, 2.0};
  const std::vector<std::pair<Geometry, Vec3>> cases{{grid(67, 61, 133), little},
                                                     {grid(2100, 131, 1), little},
                                                     {grid(3, 2, 700), little},
                                                     {grid(300, 60, 90), {0.0, 0.5, 12.0}}};
  for (const auto& [geometry, sigma] : cases) {
    const Volume image = full_range<std::uint16_t>(geometry);
    Context one(Context::Settings{.threads = 1});
    const Volume expected = gaussian(image, sigma, one);
    QCOMPARE(values_of(expected), reference::gaussian(image, sigma));
    for (const int threads : {2, 3, 8}) {
      Context context(Context::Settings{.threads = threads});
      const Volume found = gaussian(image, sigma, context);
      QVERIFY(std::ranges::equal(found.bytes(), expected.bytes()));
    }
  }
  const filters::Kernel* const avx2 = filters::avx2_kernel();
  if (avx2 == nullptr) QSKIP("this processor has no AVX2");
  const auto compare = [](const auto& kernel, const auto& other, auto cell) {
    constexpr std::int64_t kReach = 5;
    test::RandomNumbers random(3);
    std::vector<double> row(100);
    for (double& value : row)
      value = static_cast<double>(random.below(1 << 20)) / 7.0;
    const std::vector<double> weights{0.3, 0.2, 0.1, 0.05, 0.01, 1e-5};
    for (std::int64_t count = 1; count < 80; ++count) {
      std::vector<decltype(cell)> a(count);
      std::vector<decltype(cell)> b(count);
      kernel.along(row.data() + kReach, count, weights.data(), kReach, a.data());
      other.along(row.data() + kReach, count, weights.data(), kReach, b.data());
      QCOMPARE(a, b);
    }
  };
  compare(filters::plain_kernel().smooth_f32, avx2->smooth_f32, float{});
  compare(filters::plain_kernel().smooth_f64, avx2->smooth_f64, double{});
}

void TestGaussian::rounds_half_up_within_the_type() {
  const auto compare = []<typename Cell>(const filters::RoundKernel<Cell>& kernel) {
    test::RandomNumbers random(4);
    std::vector<float> values{-0.5F, 0.5F, 1.5F, -1.5F, 0.49999997F, -0.0F, 65535.5F, -32768.5F};
    while (values.size() < 4096)
      values.push_back(static_cast<float>(random.below(1 << 18) - (1 << 17)) / 2.0F);
    for (std::int64_t count = 1; count < std::ssize(values);
         count = count < 40 ? count + 1 : 3 * count) {
      std::vector<Cell> found(count);
      kernel.row(values.data(), count, found.data());
      for (std::int64_t i = 0; i < count; ++i)
        QCOMPARE(found[i], filters::rounded<Cell>(values[i]));
    }
  };
  for (const filters::Kernel* kernel : {&filters::plain_kernel(), &filters::best_kernel()}) {
    compare(kernel->round_u8);
    compare(kernel->round_i16);
    compare(kernel->round_u16);
  }
}

void TestGaussian::is_the_weighted_mean_of_the_neighbourhood() {
  // The plain threefold sum with repeated borders may differ by rounding between the axes.
  const Geometry geometry = grid(7, 5, 6);
  const Volume image = full_range<std::uint16_t>(geometry);
  const double sigma = 0.6;
  Context context;
  const Volume smoothed = gaussian(image, {sigma, sigma, sigma}, context);
  const int reach = 3;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    double sum = 0.0;
    double weights = 0.0;
    for (int dz = -reach; dz <= reach; ++dz) {
      for (int dy = -reach; dy <= reach; ++dy) {
        for (int dx = -reach; dx <= reach; ++dx) {
          const double w = std::exp(-(dx * dx + dy * dy + dz * dz) / (2.0 * sigma * sigma));
          const Index3 from{std::clamp<std::int64_t>(at[0] + dx, 0, 6),
                            std::clamp<std::int64_t>(at[1] + dy, 0, 4),
                            std::clamp<std::int64_t>(at[2] + dz, 0, 5)};
          sum += w * image.value_at(from);
          weights += w;
        }
      }
    }
    QVERIFY(std::abs(smoothed.value_at(at) - sum / weights) < 0.51);
  }
}

void TestGaussian::leaves_a_flat_image_and_thin_axes_alone() {
  Context context;
  const Volume flat(grid(5, 4, 1), std::vector<std::uint16_t>(20, 65535));
  QCOMPARE(values_of(gaussian(flat, {2.0, 2.0, 2.0}, context)), values_of(flat));
  const Volume one = line_of<std::uint16_t>({7});
  QCOMPARE(values_of(gaussian(one, {2.0, 2.0, 2.0}, context)), values_of(one));
  // The sigma of an axis of one voxel is not used.
  QCOMPARE(values_of(gaussian(flat, {0.0, 0.0, 1e9}, context)), values_of(flat));
}

void TestGaussian::tiny_sigma_changes_nothing() {
  test::RandomNumbers random(2);
  Context context;
  for (const VoxelType type : kVoxelTypes) {
    const Volume image = random_volume(random, grid(9, 8, 7), type);
    for (const double sigma : {0.0, std::numeric_limits<double>::denorm_min(), 1e-160, 0.02}) {
      const Volume result = gaussian(image, {sigma, sigma, sigma}, context);
      QVERIFY(std::ranges::equal(result.bytes(), image.bytes()));
    }
  }
}

void TestGaussian::reads_intensities_in_full_precision() {
  // The outlier smooths into its neighbourhood unchanged, and affects nothing beyond.
  const Geometry geometry = grid(24, 24, 6);
  const auto smoothed = [&](float outlier) {
    test::RandomNumbers random(1);
    std::vector<float> voxels(geometry.voxel_count());
    for (float& voxel : voxels)
      voxel = 95.0F + static_cast<float>(random.below(1000)) / 100.0F;
    voxels[2000] = outlier;
    Context context;
    return gaussian(Volume(geometry, std::move(voxels)), {0.6, 0.6, 0.6}, context);
  };
  const Volume tame = smoothed(100.0F);
  const Volume wild = smoothed(1e7F);
  const Index3 place = geometry.index_of(2000);
  for (std::int64_t i = 0; i < tame.value_count(); ++i) {
    const Index3 at = tame.geometry().index_of(i);
    std::int64_t away = 0;
    for (int axis = 0; axis < 3; ++axis)
      away = std::max(away, std::abs(at[axis] - place[axis]));
    if (away > 3) QCOMPARE(wild.voxels<float>()[i], tame.voxels<float>()[i]);
  }
  QVERIFY(wild.voxels<float>()[2000] > 1e6F);
  // i32: stored as f64 between the axes.
  Context context;
  const Volume whole = line_of<std::int32_t>({2000000001, 2000000001, 2000000003, 2000000003});
  const Volume result = gaussian(whole, {0.5, 0.5, 0.5}, context);
  QCOMPARE(result.voxels<std::int32_t>()[1], 2000000001);
  QCOMPARE(result.voxels<std::int32_t>()[2], 2000000003);
}

void TestGaussian::sigma_in_voxels_follows_the_spacing() {
  Geometry geometry = grid(2, 2, 2);
  geometry.spacing = {0.5, 2.0, 4.0};
  QCOMPARE(in_voxels(3.0, geometry), (Vec3{6.0, 1.5, 0.75}));
}

void TestGaussian::refuses_what_it_cannot_smooth() {
  Context context;
  const auto refused = [&](const Volume& image, double sigma) {
    try {
      (void)gaussian(image, {sigma, sigma, sigma}, context);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const float inf = std::numeric_limits<float>::infinity();
  const Volume two = line_of<float>({1.0F, 2.0F});
  QVERIFY(refused(two, 1.0).empty());
  QVERIFY(refused(two, 1001.0).starts_with("sigma is 1001 voxels along axis x"));
  for (const double sigma : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    QVERIFY(!refused(two, sigma).empty());
  QCOMPARE(refused(line_of<float>({1.0F, 0.0F, inf, -inf}), 1.0),
           std::string("the image has 2 infinite values, the first at (2, 0, 0)"));
  QVERIFY(refused(line_of<float>({std::nanf("")}), 1.0).find("NaN") != std::string::npos);
  const Volume colour(grid(1, 1, 1), std::vector<std::uint8_t>{1, 2, 3}, 3);
  QVERIFY(refused(colour, 1.0).find("one channel") != std::string::npos);
}

void TestGaussian::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  QVERIFY_EXCEPTION_THROWN(
      (void)gaussian(line_of<std::uint8_t>({1, 2, 3}), {1.0, 1.0, 1.0}, context), Cancelled);
}

QTEST_GUILESS_MAIN(TestGaussian)
#include "test_gaussian.moc"
