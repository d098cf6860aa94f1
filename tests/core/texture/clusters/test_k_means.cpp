// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/clusters/k_means.h"
#include "tests/core/texture/clusters/random_points.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using Point = std::vector<double>;
using Row = std::vector<Point>;

Row rows_of(const Points& points) {
  Row rows;
  for (std::int64_t i = 0; i < points.count(); ++i)
    rows.emplace_back(points.row(i).begin(), points.row(i).end());
  return rows;
}

std::int64_t different(const Points& points) {
  const Row rows = rows_of(points);
  return static_cast<std::int64_t>(std::set<Point>(rows.begin(), rows.end()).size());
}

double squared(const Point& a, const Point& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j)
    sum += std::pow(a[j] - b[j], 2);
  return sum;
}

int nearest(const Point& point, const Row& centres) {
  int best = 0;
  for (int c = 1; c < static_cast<int>(centres.size()); ++c) {
    if (squared(point, centres[c]) < squared(point, centres[best])) best = c;
  }
  return best;
}

/// Lloyd's rounds by definition, if no cluster loses all its points.
struct PlainLloyd {
  Row centres;
  std::vector<std::int32_t> of_point;
  bool lost_one = false;
};
PlainLloyd plain_lloyd(Row centres, const Row& points) {
  PlainLloyd result{std::move(centres), std::vector<std::int32_t>(points.size(), -1)};
  while (true) {
    std::vector<std::int32_t> of_point;
    for (const Point& point : points)
      of_point.push_back(nearest(point, result.centres));
    if (of_point == result.of_point) return result;
    result.of_point = of_point;
    for (int c = 0; c < static_cast<int>(result.centres.size()); ++c) {
      Point sum(points[0].size(), 0.0);
      double count = 0.0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (of_point[i] != c) continue;
        ++count;
        for (std::size_t j = 0; j < sum.size(); ++j)
          sum[j] += points[i][j];
      }
      if (count == 0.0) {
        result.lost_one = true;
        return result;
      }
      for (std::size_t j = 0; j < sum.size(); ++j)
        result.centres[c][j] = sum[j] / count;
    }
  }
}

/// Returns the weighted sum of squared distances to the means of the groups.
double scatter(const KMeansProblem& problem, const std::vector<std::int32_t>& group_of) {
  double sum = 0.0;
  const Row points = rows_of(problem.points);
  for (std::int32_t group = 0; group < problem.clusters; ++group) {
    Point mean(points[0].size(), 0.0);
    double weight = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (group_of[i] != group) continue;
      weight += weight_of(problem, static_cast<std::int64_t>(i));
      for (std::size_t j = 0; j < mean.size(); ++j)
        mean[j] += weight_of(problem, static_cast<std::int64_t>(i)) * points[i][j];
    }
    for (double& value : mean)
      value /= weight;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (group_of[i] == group)
        sum += weight_of(problem, static_cast<std::int64_t>(i)) * squared(points[i], mean);
    }
  }
  return sum;
}

/// Returns the minimum over all partitions of the points.
double least_scatter(const KMeansProblem& problem) {
  std::vector<std::int32_t> group_of(static_cast<std::size_t>(problem.points.count()), 0);
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    if (const double sum = scatter(problem, group_of); sum < least) least = sum;  // NaN: no points
    std::size_t place = 0;
    while (place < group_of.size() && ++group_of[place] == problem.clusters)
      group_of[place++] = 0;
    if (place == group_of.size()) return least;
  }
}

/// Checks the guarantees of the header on a result, whatever the starts.
bool keeps_its_promises(const Clusters& clusters, const KMeansProblem& problem) {
  const Row points = rows_of(problem.points);
  const Row centres = rows_of(clusters.centres);
  if (!clusters.settled) return false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (clusters.of_point[i] != nearest(points[i], centres)) return false;
  }
  for (int c = 0; c < static_cast<int>(centres.size()); ++c) {
    Point off = centres[c];
    double weight = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (clusters.of_point[i] == c) weight += weight_of(problem, static_cast<std::int64_t>(i));
    }
    if (weight == 0.0) return false;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (clusters.of_point[i] != c) continue;
      for (std::size_t j = 0; j < off.size(); ++j)
        off[j] -= weight_of(problem, static_cast<std::int64_t>(i)) / weight * points[i][j];
    }
    // Coordinates are below 10: one or two roundings per term.
    if (squared(off, Point(off.size(), 0.0)) > 1e-24) return false;
  }
  return true;
}

KMeansProblem random_problem(test::RandomNumbers& random, std::int64_t most_points) {
  const std::int64_t count = 1 + random.below(most_points);
  const std::int64_t dimensions = 1 + random.below(4);
  KMeansProblem problem;
  problem.points = random.below(2) == 0
                       ? test::random_points(random, count, dimensions)
                       : test::random_lattice(random, count, dimensions, 1 + random.below(4));
  if (random.below(2) == 0) {
    for (std::int64_t i = 0; i < count; ++i)
      problem.weights.push_back(1 + random.below(9));
  }
  problem.clusters = 1 + random.below(8);
  return problem;
}

}  // namespace

class TestKMeans : public QObject {
  Q_OBJECT
 private slots:
  void from_given_starts_equals_the_definition();
  void settles_on_means_of_the_nearest();
  void gives_as_many_as_there_are_different_points();
  void is_seldom_far_from_the_least_scatter();
  void parts_what_lies_apart();
  void a_weight_is_so_many_points();
  void a_cluster_without_points_starts_again_at_the_worst_point();
  void more_starts_than_points_do_no_harm();
  void splits_what_differs_by_one_rounding();
  void starts_need_points_and_their_weights();
  void threads_do_not_count();
  void stops_when_asked();
};

/// Bit for bit: up to 1024 points are summed in order.
void TestKMeans::from_given_starts_equals_the_definition() {
  Context context;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    test::RandomNumbers random(seed);
    KMeansProblem problem = random_problem(random, 40);
    problem.weights.clear();
    const Points starts = test::random_points(random, problem.clusters, problem.points.dimensions);
    const PlainLloyd plain = plain_lloyd(rows_of(starts), rows_of(problem.points));
    if (plain.lost_one) continue;
    const Clusters clusters = k_means_from(starts, problem, context);
    QVERIFY(clusters.settled);
    QCOMPARE(clusters.of_point, plain.of_point);
    QCOMPARE(rows_of(clusters.centres), plain.centres);
    ++compared;
  }
  QVERIFY2(compared > 500, qPrintable(QString::number(compared)));
}

void TestKMeans::settles_on_means_of_the_nearest() {
  Context context;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    test::RandomNumbers random(seed);
    const KMeansProblem problem = random_problem(random, 60);
    QVERIFY2(keeps_its_promises(k_means(problem, context), problem),
             qPrintable(QString::number(seed)));
  }
}

void TestKMeans::gives_as_many_as_there_are_different_points() {
  Context context;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    test::RandomNumbers random(seed);
    KMeansProblem problem = random_problem(random, 12);
    problem.clusters = 1 + random.below(16);
    const Clusters clusters = k_means(problem, context);
    QCOMPARE(clusters.centres.count(), std::min(problem.clusters, different(problem.points)));
  }
}

/// Lloyd's rounds end in a local optimum; good starts make it a good one.
void TestKMeans::is_seldom_far_from_the_least_scatter() {
  Context context;
  constexpr int kRounds = 400;
  int best = 0;
  int close = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    test::RandomNumbers random(seed);
    KMeansProblem problem{.points = test::random_points(random, 8, 2), .weights = {}};
    problem.clusters = 2 + random.below(2);
    const double least = least_scatter(problem);
    const double found = scatter(problem, k_means(problem, context).of_point);
    QVERIFY(found > least * (1.0 - 1e-12));
    if (found < least * (1.0 + 1e-12)) ++best;
    if (found < least * 1.25) ++close;
  }
  QVERIFY2(best > kRounds / 2, qPrintable(QString::number(best)));
  QVERIFY2(close > kRounds * 9 / 10, qPrintable(QString::number(close)));
}

void TestKMeans::parts_what_lies_apart() {
  Context context;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    test::RandomNumbers random(seed);
    const std::int64_t heaps = 2 + random.below(15);
    const std::int64_t dimensions = 1 + random.below(6);
    KMeansProblem problem{.points = test::random_points(random, 30 * heaps, dimensions),
                          .weights = {},
                          .clusters = heaps};
    // Ten apart, on a line that is not an axis.
    for (std::int64_t i = 0; i < problem.points.count(); ++i) {
      for (double& value : problem.points.row(i))
        value += 10.0 * static_cast<double>(i % heaps);
    }
    const Clusters clusters = k_means(problem, context);
    for (std::int64_t i = 0; i < problem.points.count(); ++i)
      QCOMPARE(clusters.of_point[i], clusters.of_point[i % heaps]);
    QCOMPARE(static_cast<std::int64_t>(
                 std::set<int>(clusters.of_point.begin(), clusters.of_point.end()).size()),
             heaps);
  }
}

void TestKMeans::a_weight_is_so_many_points() {
  Context context;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    test::RandomNumbers random(seed);
    KMeansProblem weighted{.points = test::random_points(random, 2 + random.below(20), 2)};
    weighted.clusters = 1 + random.below(4);
    KMeansProblem repeated{.points = test::points_of(2, {}), .weights = {}};
    repeated.clusters = weighted.clusters;
    std::vector<std::int64_t> point_of;
    for (std::int64_t i = 0; i < weighted.points.count(); ++i) {
      weighted.weights.push_back(1 + random.below(5));
      for (std::int64_t time = 0; time < weighted.weights.back(); ++time) {
        point_of.push_back(i);
        const auto row = weighted.points.row(i);
        repeated.points.values.insert(repeated.points.values.end(), row.begin(), row.end());
      }
    }
    const Clusters one = k_means(weighted, context);
    const Clusters many = k_means(repeated, context);
    // The same clusters; of two equally distant ones either may be the first.
    for (std::size_t i = 0; i < point_of.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        QCOMPARE(many.of_point[i] == many.of_point[j],
                 one.of_point[point_of[i]] == one.of_point[point_of[j]]);
    }
  }
}

void TestKMeans::a_cluster_without_points_starts_again_at_the_worst_point() {
  Context context;
  // Points 0, 1, 2, 10 and a far start, which gets none: 10 is the farthest from the only centre.
  const KMeansProblem problem{.points = test::points_of(1, {0, 1, 2, 10}), .weights = {}};
  const Clusters clusters = k_means_from(test::points_of(1, {1.5, 1000.0}), problem, context);
  QVERIFY(clusters.settled);
  QCOMPARE(clusters.centres.values, (std::vector<double>{1.0, 10.0}));
  QCOMPARE(clusters.of_point, (std::vector<std::int32_t>{0, 0, 0, 1}));

  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    test::RandomNumbers random(seed);
    KMeansProblem any = random_problem(random, 30);
    any.clusters = std::min(any.clusters, different(any.points));
    Points starts = test::random_points(random, any.clusters, any.points.dimensions);
    for (std::int64_t c = 1; c < starts.count(); c += 2)
      std::ranges::fill(starts.row(c), 1000.0);
    QVERIFY2(keeps_its_promises(k_means_from(starts, any, context), any),
             qPrintable(QString::number(seed)));
  }
}

void TestKMeans::more_starts_than_points_do_no_harm() {
  Context context;
  const KMeansProblem problem{.points = test::points_of(1, {5, 5, 5, 7}), .weights = {}};
  const Clusters clusters = k_means_from(test::points_of(1, {0, 1, 2, 8}), problem, context);
  QVERIFY(clusters.settled);
  QCOMPARE(clusters.centres.values, (std::vector<double>{5, 5, 5, 7}));
  QCOMPARE(clusters.of_point, (std::vector<std::int32_t>{0, 0, 0, 3}));
}

void TestKMeans::starts_need_points_and_their_weights() {
  Context context;
  const auto starts = [&](KMeansProblem problem) { (void)starting_centres(problem, context); };
  QVERIFY_EXCEPTION_THROWN(starts({.points = {}, .weights = {}, .clusters = 2}), Fault);
  const auto points = test::points_of(1, {1.0, 2.0, 3.0});
  QVERIFY_EXCEPTION_THROWN(starts({.points = points, .weights = {}, .clusters = 0}), Fault);
  QVERIFY_EXCEPTION_THROWN(starts({.points = points, .weights = {1}, .clusters = 2}), Fault);
}

/// The mean of adjacent numbers is one of them.
void TestKMeans::splits_what_differs_by_one_rounding() {
  Context context;
  for (const double value : {1.0, 1.0 / 3.0, 1e-300, 1e60}) {
    const double next = std::nextafter(value, 2e60);
    KMeansProblem problem{.points = test::points_of(1, {value, next, value, next, value}),
                          .weights = {},
                          .clusters = 3};
    std::vector<double> starts = starting_centres(problem, context).values;
    std::ranges::sort(starts);
    QCOMPARE(starts, (std::vector<double>{value, next}));
  }
}

void TestKMeans::threads_do_not_count() {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    test::RandomNumbers random(seed);
    KMeansProblem problem{.points = test::random_points(random, 5000 + random.below(300), 3)};
    for (std::int64_t i = 0; i < problem.points.count(); ++i)
      problem.weights.push_back(1 + random.below(1000));
    problem.clusters = 2 + random.below(15);
    Context alone(Context::Settings{.threads = 1});
    const Clusters expected = k_means(problem, alone);
    for (const int threads : {2, 3, 16}) {
      Context context(Context::Settings{.threads = threads});
      const Clusters clusters = k_means(problem, context);
      QCOMPARE(clusters.centres.values, expected.centres.values);
      QCOMPARE(clusters.of_point, expected.of_point);
      QCOMPARE(clusters.rounds, expected.rounds);
    }
  }
}

void TestKMeans::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  test::RandomNumbers random(1);
  const KMeansProblem problem{
      .points = test::random_points(random, 100, 2), .weights = {}, .clusters = 4};
  QVERIFY_EXCEPTION_THROWN((void)k_means(problem, context), Cancelled);
}

QTEST_GUILESS_MAIN(TestKMeans)
#include "test_k_means.moc"
