// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/class_means.h"
#include "tests/core/texture/clusters/plain_algebra.h"
#include "tests/core/texture/clusters/random_points.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using test::close;
using test::difference;
using test::mahalanobis;
using test::Matrix;
using test::Vector;

double squared_norm(const Matrix& matrix) {
  double sum = 0.0;
  for (const Vector& row : matrix) {
    for (const double entry : row)
      sum += entry * entry;
  }
  return sum;
}

/// The definition in the header, term by term.
struct Plain {
  Matrix means;
  double rho = 0.0;
  Matrix covariance;
};
Plain plain_of(const ClassMeansProblem& problem) {
  const auto p = static_cast<std::size_t>(problem.points.dimensions);
  const auto n = static_cast<double>(problem.points.count());
  Plain plain{.means = test::means_of(problem.points, problem.class_of, problem.classes),
              .covariance = Matrix(p, Vector(p))};
  std::vector<Matrix> products;
  Matrix& sample = plain.covariance;
  for (std::int64_t i = 0; i < problem.points.count(); ++i) {
    const Vector y = difference(problem.points.row(i), plain.means[problem.class_of[i]]);
    Matrix product(p, Vector(p));
    for (std::size_t a = 0; a < p; ++a) {
      for (std::size_t b = 0; b < p; ++b) {
        product[a][b] = y[a] * y[b];
        sample[a][b] += product[a][b] / n;
      }
    }
    products.push_back(std::move(product));
  }
  double m = 0.0;
  for (std::size_t a = 0; a < p; ++a)
    m += sample[a][a] / static_cast<double>(p);
  Matrix off = sample;
  for (std::size_t a = 0; a < p; ++a)
    off[a][a] -= m;
  double b2 = 0.0;
  for (Matrix& product : products) {
    for (std::size_t a = 0; a < p; ++a) {
      for (std::size_t b = 0; b < p; ++b)
        product[a][b] -= sample[a][b];
    }
    b2 += squared_norm(product) / (n * n);
  }
  const double d2 = squared_norm(off);
  plain.rho = d2 == 0.0 ? 1.0 : std::max(kLeastShrinkage, std::min(b2, d2) / d2);
  if (m == 0.0) m = 1.0;
  for (std::size_t a = 0; a < p; ++a) {
    for (std::size_t b = 0; b < p; ++b)
      sample[a][b] = (1.0 - plain.rho) * sample[a][b] + (a == b ? plain.rho * m : 0.0);
  }
  return plain;
}

/// The `scale` of each dimension differs, so that covariances do not look like the identity.
ClassMeansProblem random_problem(test::RandomNumbers& random, std::int64_t most_dimensions) {
  ClassMeansProblem problem;
  problem.classes = 1 + random.below(4);
  const std::int64_t dimensions = 1 + random.below(most_dimensions);
  const std::int64_t count = problem.classes + random.below(60);
  problem.points = test::random_points(random, count, dimensions);
  for (std::int64_t i = 0; i < count; ++i) {
    problem.class_of.push_back(
        static_cast<std::int32_t>(i < problem.classes ? i : random.below(problem.classes)));
    for (std::int64_t j = 0; j < dimensions; ++j)
      problem.points.row(i)[j] *= 1.0 + static_cast<double>(j * j);
  }
  return problem;
}

}  // namespace

class TestClassMeans : public QObject {
  Q_OBJECT
 private slots:
  void distances_are_those_of_mahalanobis();
  void fewer_rows_tell_classes_apart_alike();
  void whitens_one_class();
  void points_that_do_not_differ_keep_their_distances();
  void has_an_inverse_where_the_sample_has_none();
  void threads_do_not_count();
};

void TestClassMeans::distances_are_those_of_mahalanobis() {
  Context context;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    test::RandomNumbers random(seed);
    const ClassMeansProblem problem = random_problem(random, 7);
    const Plain plain = plain_of(problem);
    const ClassMeans means = class_means(problem, context);
    QVERIFY(close(means.shrinkage, plain.rho, 1e-9));
    QCOMPARE(means.axes.count(), problem.points.dimensions);
    const Points anywhere = test::random_points(random, 5, problem.points.dimensions);
    const Points places = mapped(anywhere, means.origin, means.axes, context);
    for (std::int64_t i = 0; i < anywhere.count(); ++i) {
      for (std::int64_t c = 0; c < problem.classes; ++c) {
        const double expected =
            mahalanobis(plain.covariance, difference(anywhere.row(i), plain.means[c]));
        // The condition number of the covariance is below 1e5.
        QVERIFY(close(squared_distance(places.row(i), means.means.row(c)), expected, 1e-9));
      }
    }
  }
}

void TestClassMeans::fewer_rows_tell_classes_apart_alike() {
  Context context;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    test::RandomNumbers random(seed);
    ClassMeansProblem problem = random_problem(random, 12);
    const ClassMeans whole = class_means(problem, context);
    problem.dimensions = 1 + random.below(problem.points.dimensions);
    const ClassMeans few = class_means(problem, context);
    const std::int64_t told = std::min(problem.classes - 1, problem.points.dimensions);
    QCOMPARE(few.axes.count(), std::max(problem.dimensions, told));
    const Points anywhere = test::random_points(random, 5, problem.points.dimensions);
    const Points in_whole = mapped(anywhere, whole.origin, whole.axes, context);
    const Points in_few = mapped(anywhere, few.origin, few.axes, context);
    for (std::int64_t i = 0; i < anywhere.count(); ++i) {
      const auto beyond_the_first = [&](const ClassMeans& means, const Points& places,
                                        std::int64_t c) {
        return squared_distance(places.row(i), means.means.row(c)) -
               squared_distance(places.row(i), means.means.row(0));
      };
      for (std::int64_t c = 1; c < problem.classes; ++c) {
        QVERIFY(
            close(beyond_the_first(few, in_few, c), beyond_the_first(whole, in_whole, c), 1e-8));
      }
    }
  }
}

void TestClassMeans::whitens_one_class() {
  Context context;
  test::RandomNumbers random(5);
  ClassMeansProblem problem = random_problem(random, 1);
  problem = {.points = test::random_points(random, 20000, 4), .class_of = {}, .classes = 1};
  problem.class_of.assign(20000, 0);
  for (std::int64_t i = 0; i < problem.points.count(); ++i)
    problem.points.row(i)[2] *= 100.0;
  const ClassMeans means = class_means(problem, context);
  const Points places = mapped(problem.points, means.origin, means.axes, context);
  for (std::int64_t a = 0; a < 4; ++a) {
    QVERIFY(std::abs(means.means.row(0)[a]) < 1e-9);
    for (std::int64_t b = 0; b <= a; ++b) {
      double product = 0.0;
      for (std::int64_t i = 0; i < places.count(); ++i)
        product += places.row(i)[a] * places.row(i)[b] / static_cast<double>(places.count());
      if (a != b) QVERIFY(std::abs(product) < 1e-9);
      // The widest direction keeps its variance; the others gain what shrinkage adds.
      if (a == b) QVERIFY(a == 0 ? std::abs(product - 1.0) < 1e-3 : product < 1.0);
    }
  }
}

void TestClassMeans::points_that_do_not_differ_keep_their_distances() {
  Context context;
  const ClassMeansProblem problem{
      .points = test::points_of(2, {1, 2, 1, 2, 4, 6}), .class_of = {0, 0, 1}, .classes = 2};
  const ClassMeans means = class_means(problem, context);
  QVERIFY(close(squared_distance(means.means.row(0), means.means.row(1)), 25.0, 1e-14));
  const ClassMeansProblem one{.points = test::points_of(2, {1, 2}), .class_of = {0}, .classes = 1};
  const ClassMeans alone = class_means(one, context);
  const Points place = mapped(test::points_of(2, {4, 6}), alone.origin, alone.axes, context);
  QVERIFY(close(squared_distance(place.row(0), alone.means.row(0)), 25.0, 1e-14));
}

void TestClassMeans::has_an_inverse_where_the_sample_has_none() {
  Context context;
  // Two points: Ledoit and Wolf's formula alone would not shrink, because all products are equal.
  const ClassMeansProblem problem{
      .points = test::points_of(3, {0, 0, 0, 2, 0, 0}), .class_of = {0, 0}, .classes = 1};
  const ClassMeans means = class_means(problem, context);
  QCOMPARE(means.shrinkage, kLeastShrinkage);
  const Points across = test::points_of(3, {1, 1, 0});
  const Points place = mapped(across, means.origin, means.axes, context);
  // Variance 1e-3 of a third.
  QVERIFY(close(squared_distance(place.row(0), means.means.row(0)), 3000.0, 1e-9));
}

void TestClassMeans::threads_do_not_count() {
  test::RandomNumbers random(9);
  ClassMeansProblem problem{.points = test::random_points(random, 3000, 68), .class_of = {}};
  problem.classes = 3;
  for (std::int64_t i = 0; i < problem.points.count(); ++i)
    problem.class_of.push_back(static_cast<std::int32_t>(i % 3));
  Context alone(Context::Settings{.threads = 1});
  const ClassMeans expected = class_means(problem, alone);
  for (const int threads : {2, 3, 16}) {
    Context context(Context::Settings{.threads = threads});
    const ClassMeans means = class_means(problem, context);
    QCOMPARE(means.axes.values, expected.axes.values);
    QCOMPARE(means.means.values, expected.means.values);
  }
}

QTEST_GUILESS_MAIN(TestClassMeans)
#include "test_class_means.moc"
