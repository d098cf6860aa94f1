// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/repeated_k_means.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <vector>

using namespace seedwave;

namespace {

Points random_points(test::RandomNumbers& random, std::int64_t count) {
  Points points = Points::zeros(count, 2);
  for (double& value : points.values)
    value = static_cast<double>(random.below(1000));
  return points;
}

double spread(const Points& points, const std::vector<std::int32_t>& of_point,
              std::int64_t clusters) {
  Points means = Points::zeros(clusters, points.dimensions);
  std::vector<double> counts(static_cast<std::size_t>(clusters));
  for (std::int64_t i = 0; i < points.count(); ++i) {
    ++counts[of_point[i]];
    for (std::int64_t j = 0; j < points.dimensions; ++j)
      means.row(of_point[i])[j] += points.row(i)[j];
  }
  double sum = 0.0;
  for (std::int64_t i = 0; i < points.count(); ++i) {
    for (std::int64_t j = 0; j < points.dimensions; ++j) {
      const double apart = points.row(i)[j] - means.row(of_point[i])[j] / counts[of_point[i]];
      sum += apart * apart;
    }
  }
  return sum;
}

/// Returns the minimum over all ways to put points into clusters.
double least_spread(const Points& points, std::int64_t clusters) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::int32_t> of_point(static_cast<std::size_t>(points.count()));
  for (;;) {
    least = std::min(least, spread(points, of_point, clusters));
    std::size_t i = 0;
    while (i < of_point.size() && of_point[i] == clusters - 1)
      of_point[i++] = 0;
    if (i == of_point.size()) return least;
    ++of_point[i];
  }
}

}  // namespace

class TestRepeatedKMeans : public QObject {
  Q_OBJECT
 private slots:
  void finds_the_best_clusters_of_few_points();
  void no_further_start_is_k_means();
  void the_best_of_some_points_goes_on_with_all();
  void threads_change_no_bit();
  void takes_fewer_points_than_clusters();
};

void TestRepeatedKMeans::finds_the_best_clusters_of_few_points() {
  test::RandomNumbers random(1);
  constexpr int kRounds = 60;
  int found_once = 0;
  int found = 0;
  for (int round = 0; round < kRounds; ++round) {
    const KMeansProblem problem{.points = random_points(random, 8), .weights = {}, .clusters = 3};
    const double least = least_spread(problem.points, 3) * (1.0 + 1e-12);
    Context context;
    found_once += spread(problem.points, k_means(problem, context).of_point, 3) <= least ? 1 : 0;
    found += spread(problem.points, repeated_k_means(problem, 15, context).of_point, 3) <= least;
  }
  QVERIFY(found_once < kRounds * 9 / 10);
  QCOMPARE(found, kRounds);
}

void TestRepeatedKMeans::no_further_start_is_k_means() {
  test::RandomNumbers random(2);
  const KMeansProblem problem{.points = random_points(random, 50), .weights = {}, .clusters = 4};
  Context context;
  QCOMPARE(repeated_k_means(problem, 0, context).centres.values,
           k_means(problem, context).centres.values);
}

void TestRepeatedKMeans::the_best_of_some_points_goes_on_with_all() {
  test::RandomNumbers random(4);
  int better = 0;
  for (int round = 0; round < 20; ++round) {
    const KMeansProblem problem{
        .points = random_points(random, 2 * kMostTried + round), .weights = {}, .clusters = 7};
    Context context;
    const Clusters once = k_means(problem, context);
    const Clusters found = repeated_k_means(problem, 15, context);
    QVERIFY(found.settled);
    QCOMPARE(std::ssize(found.of_point), problem.points.count());
    const double least = spread(problem.points, found.of_point, 7);
    QVERIFY(least <= spread(problem.points, once.of_point, 7) * (1.0 + 1e-12));
    better += least < spread(problem.points, once.of_point, 7) ? 1 : 0;
  }
  QVERIFY(better > 10);
}

void TestRepeatedKMeans::threads_change_no_bit() {
  test::RandomNumbers random(3);
  const KMeansProblem problem{.points = random_points(random, 5000), .weights = {}, .clusters = 5};
  Context one(Context::Settings{.threads = 1});
  const Clusters expected = repeated_k_means(problem, 5, one);
  for (const int threads : {2, 3, 16}) {
    Context context(Context::Settings{.threads = threads});
    const Clusters clusters = repeated_k_means(problem, 5, context);
    QCOMPARE(clusters.centres.values, expected.centres.values);
    QCOMPARE(clusters.of_point, expected.of_point);
  }
}

void TestRepeatedKMeans::takes_fewer_points_than_clusters() {
  KMeansProblem problem;
  problem.points = {1, {3.0, 3.0, 7.0, 3.0}};
  problem.weights = {2, 1, 1, 5};
  problem.clusters = 4;
  Context context;
  const Clusters clusters = repeated_k_means(problem, 3, context);
  QCOMPARE(clusters.centres.count(), 2);
  QCOMPARE(clusters.centres.row(clusters.of_point[2])[0], 7.0);
}

QTEST_GUILESS_MAIN(TestRepeatedKMeans)
#include "test_repeated_k_means.moc"
