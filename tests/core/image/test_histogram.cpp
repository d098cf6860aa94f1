// SPDX-License-Identifier: Apache-2.0
#include "core/image/histogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace seedwave;

class TestHistogram : public QObject {
  Q_OBJECT
 private slots:
  void counts_every_voxel_of_the_box();
  void percentiles_are_those_of_the_sorted_values();
  void passes_over_what_is_not_a_number();
  void otsu_parts_as_the_definition_does();
  void the_window_covers_all_but_a_thousandth();
  void the_mr_window_ignores_air_and_vessels();
  void a_flat_image_still_has_a_window();
};

namespace {

Geometry grid(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  Geometry geometry;
  geometry.size = {nx, ny, nz};
  return geometry;
}

Volume random_volume(const Geometry& geometry, unsigned seed, int low, int high) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> value(low, high);
  std::vector<std::int16_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (auto& voxel : voxels)
    voxel = static_cast<std::int16_t>(value(random));
  return {geometry, std::move(voxels)};
}

}  // namespace

void TestHistogram::counts_every_voxel_of_the_box() {
  const Volume volume = random_volume(grid(7, 5, 3), 1, -4, 9);
  const Box box{{1, 2, 0}, {6, 5, 2}};
  const Histogram counts = histogram(volume, box);
  std::map<int, std::int64_t> expected;
  for (std::int64_t z = 0; z < 2; ++z) {
    for (std::int64_t y = 2; y < 5; ++y) {
      for (std::int64_t x = 1; x < 6; ++x)
        ++expected[static_cast<int>(volume.value_at({x, y, z}))];
    }
  }
  QCOMPARE(counts.total, std::int64_t{5 * 3 * 2});
  QCOMPARE(counts.bin_width, 1.0);
  for (const auto& [value, count] : expected)
    QCOMPARE(counts.counts[static_cast<std::size_t>(value - counts.low)], count);
}

void TestHistogram::percentiles_are_those_of_the_sorted_values() {
  const Volume volume = random_volume(grid(31, 33, 5), 2, -1000, 2000);
  const auto voxels = volume.voxels<std::int16_t>();
  std::vector<std::int16_t> sorted(voxels.begin(), voxels.end());
  std::sort(sorted.begin(), sorted.end());
  const Histogram counts = histogram(volume);
  for (const double share : {0.001, 0.1, 0.5, 0.9, 0.999}) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
    const double value = counts.percentile(share);
    // Within the bin of the value at that rank, or the adjacent one.
    QVERIFY2(std::abs(value - sorted[at]) <= 2.0,
             qPrintable(QString("%1: %2, %3").arg(share).arg(value).arg(sorted[at])));
  }
}

void TestHistogram::passes_over_what_is_not_a_number() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const Volume volume(grid(6, 1, 1),
                      std::vector<float>{nan, 1.0F, 3.0F, infinite, -infinite, 2.0F});
  const Histogram counts = histogram(volume, 4);
  QCOMPARE(counts.total, std::int64_t{3});
  QCOMPARE(counts.low, 1.0);
  const Volume none(grid(2, 1, 1), std::vector<float>{nan, nan});
  QCOMPARE(histogram(none).total, std::int64_t{0});
  QVERIFY(automatic_window(none, WindowRule::MagneticResonance).width > 0);
}

void TestHistogram::otsu_parts_as_the_definition_does() {
  std::mt19937 random(3);
  std::normal_distribution<double> dark(20, 6);
  std::normal_distribution<double> bright(90, 12);
  std::vector<std::int16_t> voxels;
  for (int i = 0; i < 3000; ++i)
    voxels.push_back(static_cast<std::int16_t>(dark(random)));
  for (int i = 0; i < 1500; ++i)
    voxels.push_back(static_cast<std::int16_t>(bright(random)));
  const auto within = [&](double threshold) {
    double sum[2] = {0, 0};
    double square[2] = {0, 0};
    double count[2] = {0, 0};
    for (const double value : voxels) {
      const int side = value < threshold ? 0 : 1;
      sum[side] += value;
      square[side] += value * value;
      ++count[side];
    }
    double variance = 0;
    for (int side = 0; side < 2; ++side) {
      if (count[side] > 0) variance += square[side] - sum[side] * sum[side] / count[side];
    }
    return variance;
  };
  double best = std::numeric_limits<double>::max();
  for (int threshold = -10; threshold < 150; ++threshold)
    best = std::min(best, within(threshold));
  const Volume volume(grid(4500, 1, 1), std::move(voxels));
  voxels.assign(volume.voxels<std::int16_t>().begin(), volume.voxels<std::int16_t>().end());
  const double found = within(histogram(volume).otsu_threshold());
  QVERIFY2(found <= best * (1 + 1e-9), qPrintable(QString("%1 > %2").arg(found).arg(best)));
}

void TestHistogram::the_window_covers_all_but_a_thousandth() {
  std::vector<std::int16_t> voxels(10'000);
  for (std::size_t i = 0; i < voxels.size(); ++i)
    voxels[i] = static_cast<std::int16_t>(i % 1000);
  voxels[17] = 30'000;  // one outlier
  const GreyWindow window =
      automatic_window(Volume(grid(100, 100, 1), std::move(voxels)), WindowRule::Percentiles);
  QVERIFY(std::abs(window.low()) < 3);
  QVERIFY(std::abs(window.high() - 1000) < 5);
}

void TestHistogram::the_mr_window_ignores_air_and_vessels() {
  // 70 % air with noise, 29.9 % tissue around 300, 0.1 % vessels at 4000.
  std::mt19937 random(4);
  std::normal_distribution<double> noise(8, 3);
  std::normal_distribution<double> tissue(300, 60);
  std::vector<std::uint16_t> voxels;
  for (int i = 0; i < 100'000; ++i) {
    const double value = i < 70'000 ? noise(random) : i < 99'900 ? tissue(random) : 4000.0;
    voxels.push_back(static_cast<std::uint16_t>(std::max(value, 0.0)));
  }
  const GreyWindow window = automatic_window(Volume(grid(1000, 100, 1), std::move(voxels)),
                                             WindowRule::MagneticResonance);
  QVERIFY2(window.low() < 20, qPrintable(QString::number(window.low())));
  QVERIFY2(window.high() > 420 && window.high() < 700, qPrintable(QString::number(window.high())));
}

void TestHistogram::a_flat_image_still_has_a_window() {
  for (const WindowRule rule : {WindowRule::Percentiles, WindowRule::MagneticResonance}) {
    const GreyWindow window =
        automatic_window(Volume(grid(4, 4, 1), std::vector<std::uint8_t>(16, 7)), rule);
    QVERIFY(window.width > 0);
    QVERIFY(window.low() <= 8 && window.high() >= 7);
  }
  QVERIFY(GreyWindow::between(5, 5).width > 0);
}

QTEST_GUILESS_MAIN(TestHistogram)
#include "test_histogram.moc"
