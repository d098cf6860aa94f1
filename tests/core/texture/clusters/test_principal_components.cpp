// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/clusters/principal_components.h"
#include "tests/core/texture/clusters/random_points.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <vector>

using namespace seedwave;

namespace {

using Matrix = std::vector<std::vector<double>>;

/// Returns the covariance by definition, divided by the number of points.
Matrix covariance(const Points& points, const std::vector<double>& mean) {
  Matrix matrix(mean.size(), std::vector<double>(mean.size()));
  for (std::size_t a = 0; a < mean.size(); ++a) {
    for (std::size_t b = 0; b < mean.size(); ++b) {
      for (std::int64_t i = 0; i < points.count(); ++i)
        matrix[a][b] += (points.row(i)[a] - mean[a]) * (points.row(i)[b] - mean[b]);
      matrix[a][b] /= static_cast<double>(points.count());
    }
  }
  return matrix;
}

/// Returns |C v - variance v|.
double off(const Matrix& matrix, std::span<const double> axis, double variance) {
  double sum = 0.0;
  for (std::size_t a = 0; a < axis.size(); ++a) {
    double entry = -variance * axis[a];
    for (std::size_t b = 0; b < axis.size(); ++b)
      entry += matrix[a][b] * axis[b];
    sum += entry * entry;
  }
  return std::sqrt(sum);
}

bool largest_entry_is_positive(std::span<const double> axis) {
  double largest = 0.0;
  for (const double entry : axis) {
    if (std::abs(entry) > std::abs(largest)) largest = entry;
  }
  return largest > 0.0;
}

Points identity(std::int64_t dimensions) {
  Points rows = Points::zeros(dimensions, dimensions);
  for (std::int64_t i = 0; i < dimensions; ++i)
    rows.row(i)[i] = 1.0;
  return rows;
}

PrincipalComponents components_of(const Points& points, std::int64_t count, Context& context) {
  return principal_components(points, identity(points.dimensions), count, context);
}

}  // namespace

class TestPrincipalComponents : public QObject {
  Q_OBJECT
 private slots:
  void finds_the_axes_of_an_ellipse();
  void equals_the_definition();
  void a_map_counts_as_mapped_points();
  void axes_of_points_in_a_plane_have_no_variance_beyond_it();
  void takes_one_point_and_equal_points();
  void threads_do_not_count();
  void stops_when_asked();
};

void TestPrincipalComponents::finds_the_axes_of_an_ellipse() {
  Context context;
  // Along (3, 4) / 5 by 10, across by 2.
  const Points points = test::points_of(2, {7, 9, -5, -7, 2.6, -0.2, -0.6, 2.2});
  const PrincipalComponents components = components_of(points, 2, context);
  const std::vector<double> expected{0.6, 0.8, 0.8, -0.6};
  for (std::size_t i = 0; i < expected.size(); ++i)
    QVERIFY(std::abs(components.axes.values[i] - expected[i]) < 1e-15);
  QVERIFY(std::abs(components.mean[0] - 1.0) < 1e-15 && std::abs(components.mean[1] - 1.0) < 1e-15);
  QVERIFY(std::abs(components.variances[0] - 50.0) < 1e-12);
  QVERIFY(std::abs(components.variances[1] - 2.0) < 1e-12);
}

void TestPrincipalComponents::equals_the_definition() {
  Context context;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    test::RandomNumbers random(seed);
    const std::int64_t dimensions = 1 + random.below(seed % 20 == 0 ? 70 : 8);
    const Points points = random.below(3) == 0
                              ? test::random_lattice(random, 1 + random.below(50), dimensions, 3)
                              : test::random_points(random, 1 + random.below(50), dimensions);
    const std::int64_t count = 1 + random.below(dimensions + 2);
    const PrincipalComponents components = components_of(points, count, context);
    QCOMPARE(components.axes.count(), std::min(count, dimensions));
    QCOMPARE(std::ssize(components.variances), components.axes.count());
    for (std::int64_t j = 0; j < dimensions; ++j) {
      double mean = 0.0;
      for (std::int64_t i = 0; i < points.count(); ++i)
        mean += points.row(i)[j];
      QCOMPARE(components.mean[j], mean / static_cast<double>(points.count()));
    }
    const Matrix matrix = covariance(points, components.mean);
    double total = 0.0;
    for (std::int64_t j = 0; j < dimensions; ++j)
      total += matrix[j][j];
    const double rounding = 1e-14 * std::max(1.0, total) * static_cast<double>(dimensions);
    for (std::int64_t a = 0; a < components.axes.count(); ++a) {
      QVERIFY(off(matrix, components.axes.row(a), components.variances[a]) < rounding);
      QVERIFY(components.variances[a] >= 0.0);
      QVERIFY(a == 0 || components.variances[a] <= components.variances[a - 1]);
      QVERIFY(largest_entry_is_positive(components.axes.row(a)));
      for (std::int64_t b = 0; b <= a; ++b) {
        const double product = dot(components.axes.row(a), components.axes.row(b));
        QVERIFY(std::abs(product - (a == b ? 1.0 : 0.0)) < 1e-13);
      }
      total -= components.variances[a];
    }
    if (count >= dimensions) QVERIFY(std::abs(total) < rounding);
  }
}

void TestPrincipalComponents::a_map_counts_as_mapped_points() {
  Context context;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    test::RandomNumbers random(seed);
    const std::int64_t dimensions = 1 + random.below(12);
    const Points points = test::random_points(random, 60, dimensions);
    const Points map = test::random_points(random, 1 + random.below(6), dimensions);
    const std::int64_t count = 1 + random.below(4);
    const PrincipalComponents found = principal_components(points, map, count, context);
    const Points after = mapped(points, found.mean, map, context);
    const PrincipalComponents expected = components_of(after, count, context);
    QCOMPARE(found.variances.size(), expected.variances.size());
    const Points along = mapped(points, found.mean, found.axes, context);
    for (std::int64_t k = 0; k < along.dimensions; ++k) {
      QVERIFY(std::abs(found.variances[k] - expected.variances[k]) < 1e-12);
      double variance = 0.0;
      for (std::int64_t i = 0; i < along.count(); ++i)
        variance += along.row(i)[k] * along.row(i)[k] / static_cast<double>(along.count());
      QVERIFY(std::abs(variance - found.variances[k]) < 1e-12);
    }
  }
}

void TestPrincipalComponents::axes_of_points_in_a_plane_have_no_variance_beyond_it() {
  Context context;
  test::RandomNumbers random(7);
  const Points in_plane = test::random_points(random, 300, 2);
  const Points spans = test::random_points(random, 40, 2);
  const std::vector<double> origin(2);
  const Points points = mapped(in_plane, origin, spans, context);
  const PrincipalComponents components = components_of(points, 40, context);
  QVERIFY(components.variances[1] > 0.01);
  QVERIFY(components.variances[2] < 1e-14);
  const Points back = mapped(points, components.mean, components.axes, context);
  for (std::int64_t i = 0; i < back.count(); ++i) {
    for (std::int64_t axis = 2; axis < 40; ++axis)
      QVERIFY(std::abs(back.row(i)[axis]) < 1e-12);
  }
}

void TestPrincipalComponents::takes_one_point_and_equal_points() {
  Context context;
  for (const std::int64_t count : {1, 2, 1025}) {
    Points points = Points::zeros(count, 3);
    std::ranges::fill(points.values, 0.5);
    const PrincipalComponents components = components_of(points, 2, context);
    QCOMPARE(components.mean, (std::vector<double>{0.5, 0.5, 0.5}));
    QCOMPARE(components.variances, (std::vector<double>{0.0, 0.0}));
    QCOMPARE(dot(components.axes.row(0), components.axes.row(0)), 1.0);
    QCOMPARE(dot(components.axes.row(0), components.axes.row(1)), 0.0);
  }
}

void TestPrincipalComponents::threads_do_not_count() {
  test::RandomNumbers random(3);
  const Points points = test::random_points(random, 3000, 68);
  Context alone(Context::Settings{.threads = 1});
  const PrincipalComponents expected = components_of(points, 8, alone);
  for (const int threads : {2, 3, 16}) {
    Context context(Context::Settings{.threads = threads});
    const PrincipalComponents components = components_of(points, 8, context);
    QCOMPARE(components.mean, expected.mean);
    QCOMPARE(components.axes.values, expected.axes.values);
    QCOMPARE(components.variances, expected.variances);
  }
}

void TestPrincipalComponents::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  test::RandomNumbers random(1);
  const Points points = test::random_points(random, 100, 5);
  QVERIFY_EXCEPTION_THROWN((void)components_of(points, 2, context), Cancelled);
}

QTEST_GUILESS_MAIN(TestPrincipalComponents)
#include "test_principal_components.moc"
