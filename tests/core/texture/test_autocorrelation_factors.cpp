// SPDX-License-Identifier: Apache-2.0
#include "core/texture/autocorrelation_factors.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace seedwave;

namespace {

constexpr SampleGrid kGrid{.columns = 60, .rows = 50, .spacing = 3, .first = {0, 0}};
constexpr std::int64_t kWindow = 6;  // two steps of the grid

double noise(test::RandomNumbers& random) {
  return static_cast<double>(random.below(2001) - 1000) / 1000.0;
}

/// The left half differs slightly from the right one in the second feature. The first varies ten
/// times as much from window to window, the third is the sum of both, and the last is constant.
Points two_halves(test::RandomNumbers& random) {
  Points sample{.dimensions = 4, .values = {}};
  for (std::int64_t i = 0; i < kGrid.count(); ++i) {
    const double loud = 10.0 * noise(random);
    const double quiet = (i % kGrid.columns < kGrid.columns / 2 ? 0.0 : 3.0) + noise(random);
    for (const double feature : {loud, quiet, loud + quiet, 0.25})
      sample.values.push_back(feature);
  }
  return sample;
}

double mean_product(const Points& points, std::int64_t a, std::int64_t b) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < points.count(); ++i)
    sum += points.row(i)[a] * points.row(i)[b];
  return sum / static_cast<double>(points.count());
}

}  // namespace

class TestAutocorrelationFactors : public QObject {
  Q_OBJECT
 private slots:
  void the_first_is_what_varies_from_place_to_place();
  void factors_are_uncorrelated_and_their_noise_is_1();
  void a_row_has_neighbours_along_it_alone();
  void threads_change_no_bit();
  void features_that_do_not_vary_have_no_variance();
};

void TestAutocorrelationFactors::the_first_is_what_varies_from_place_to_place() {
  test::RandomNumbers random(1);
  const Points sample = two_halves(random);
  Context context;
  const AutocorrelationFactors factors =
      autocorrelation_factors(sample, kGrid, kWindow, 2, context);
  const Points inside = mapped(sample, factors.mean, factors.axes, context);
  double means[2] = {};
  for (std::int64_t i = 0; i < kGrid.count(); ++i)
    means[i % kGrid.columns < kGrid.columns / 2 ? 0 : 1] += inside.row(i)[0] / 1500.0;
  // 3 apart, whereas uniform noise has a standard deviation of 0.58.
  QVERIFY(std::abs(means[1] - means[0]) > 4.0);
  QVERIFY(factors.variances[0] > 5.0);
  QVERIFY(factors.variances[1] < 1.2);
}

void TestAutocorrelationFactors::factors_are_uncorrelated_and_their_noise_is_1() {
  test::RandomNumbers random(2);
  const Points sample = two_halves(random);
  Context context;
  const AutocorrelationFactors factors =
      autocorrelation_factors(sample, kGrid, kWindow, 2, context);
  const Points inside = mapped(sample, factors.mean, factors.axes, context);
  Points apart{.dimensions = 2, .values = {}};
  for (std::int64_t i = 0; i < kGrid.count(); ++i) {
    for (const std::int64_t step : {std::int64_t{2}, 2 * kGrid.columns}) {
      if (step == 2 ? i % kGrid.columns + 2 >= kGrid.columns : i + step >= kGrid.count()) continue;
      for (std::int64_t k = 0; k < 2; ++k)
        apart.values.push_back((inside.row(i + step)[k] - inside.row(i)[k]) / std::sqrt(2.0));
    }
  }
  for (std::int64_t a = 0; a < 2; ++a) {
    for (std::int64_t b = 0; b < 2; ++b) {
      QVERIFY(std::abs(mean_product(inside, a, b) - (a == b ? factors.variances[a] : 0.0)) < 1e-9);
      // Equal except for the shrinkage.
      QVERIFY(std::abs(mean_product(apart, a, b) - (a == b ? 1.0 : 0.0)) < 0.02);
    }
  }
}

void TestAutocorrelationFactors::a_row_has_neighbours_along_it_alone() {
  constexpr SampleGrid kRow{.columns = 4000, .rows = 1, .spacing = 6, .first = {0, 0}};
  test::RandomNumbers random(4);
  Points sample{.dimensions = 1, .values = {}};
  for (std::int64_t i = 0; i < kRow.count(); ++i)
    sample.values.push_back(noise(random));
  Context context;
  const AutocorrelationFactors factors = autocorrelation_factors(sample, kRow, kWindow, 1, context);
  // Pure noise: the same variance between places as within.
  QCOMPARE(factors.variances.size(), std::size_t{1});
  QVERIFY2(std::abs(factors.variances[0] - 1.0) < 0.1,
           qPrintable(QString::number(factors.variances[0])));
}

void TestAutocorrelationFactors::threads_change_no_bit() {
  test::RandomNumbers random(3);
  const Points sample = two_halves(random);
  Context one(Context::Settings{.threads = 1});
  const AutocorrelationFactors expected = autocorrelation_factors(sample, kGrid, kWindow, 4, one);
  for (const int threads : {2, 3, 16}) {
    Context context(Context::Settings{.threads = threads});
    const AutocorrelationFactors factors =
        autocorrelation_factors(sample, kGrid, kWindow, 4, context);
    QCOMPARE(factors.axes.values, expected.axes.values);
    QCOMPARE(factors.variances, expected.variances);
  }
}

void TestAutocorrelationFactors::features_that_do_not_vary_have_no_variance() {
  Context context;
  const Points one{3, {0.5, 0.25, 0.0}};
  const SampleGrid alone{.columns = 1, .rows = 1, .spacing = 1, .first = {0, 0}};
  const AutocorrelationFactors factors = autocorrelation_factors(one, alone, 32, 8, context);
  QCOMPARE(factors.axes.count(), 3);
  QCOMPARE(factors.variances, std::vector<double>(3, 0.0));
  QCOMPARE(factors.mean, one.values);
}

QTEST_GUILESS_MAIN(TestAutocorrelationFactors)
#include "test_autocorrelation_factors.moc"
