// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/seeded_mixture.h"
#include "tests/core/texture/clusters/plain_algebra.h"
#include "tests/core/texture/clusters/random_points.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using test::close;
using test::difference;
using test::mahalanobis;
using test::Matrix;
using test::Vector;

struct Plain {
  Matrix means;
  Matrix shape;
};

void add_product(Matrix& matrix, double times, const Vector& y) {
  for (std::size_t a = 0; a < y.size(); ++a) {
    for (std::size_t b = 0; b < y.size(); ++b)
      matrix[a][b] += times * y[a] * y[b];
  }
}

Plain plain_start(const SeededMixtureProblem& problem) {
  const auto p = static_cast<std::size_t>(problem.examples.dimensions);
  Plain start{.means = test::means_of(problem.examples, problem.class_of, problem.classes),
              .shape = Matrix(p, Vector(p))};
  for (std::size_t a = 0; a < p; ++a)
    start.shape[a][a] = 1.0;
  return start;
}

Matrix examples_covariance(const SeededMixtureProblem& problem, const Matrix& means) {
  const auto p = static_cast<std::size_t>(problem.examples.dimensions);
  Matrix covariance(p, Vector(p));
  for (std::int64_t i = 0; i < problem.examples.count(); ++i)
    add_product(covariance, 1.0 / static_cast<double>(problem.examples.count()),
                difference(problem.examples.row(i), means[problem.class_of[i]]));
  return covariance;
}

/// Returns u_ic of all classes for one point, as in the header, but with std::pow.
Vector plain_weights(const Plain& model, std::span<const double> x) {
  const auto p = static_cast<double>(x.size());
  Vector u;
  double all = 0.0;
  for (const Vector& mean : model.means)
    all += std::pow(1.0 + mahalanobis(model.shape, difference(x, mean)) / p, -p);
  for (const Vector& mean : model.means) {
    const double q = 1.0 + mahalanobis(model.shape, difference(x, mean)) / p;
    u.push_back(2.0 / q * std::pow(q, -p) / all);
  }
  return u;
}

Plain plain_round(const SeededMixtureProblem& problem, const Plain& start, const Matrix& covariance,
                  const Plain& model, double weight) {
  const std::size_t p = covariance.size();
  const auto count = static_cast<double>(problem.others.count());
  const double as_many = weight * count / static_cast<double>(problem.classes);
  Matrix u;
  for (std::int64_t i = 0; i < problem.others.count(); ++i)
    u.push_back(plain_weights(model, problem.others.row(i)));
  Plain result{.means = start.means, .shape = Matrix(p, Vector(p))};
  for (std::size_t c = 0; c < result.means.size(); ++c) {
    double all = as_many;
    for (double& value : result.means[c])
      value *= as_many;
    for (std::size_t i = 0; i < u.size(); ++i) {
      all += u[i][c];
      for (std::size_t j = 0; j < p; ++j)
        result.means[c][j] += u[i][c] * problem.others.row(static_cast<std::int64_t>(i))[j];
    }
    for (double& value : result.means[c])
      value /= all;
    for (std::size_t i = 0; i < u.size(); ++i)
      add_product(result.shape, u[i][c],
                  difference(problem.others.row(static_cast<std::int64_t>(i)), result.means[c]));
  }
  double scale = 0.0;
  for (std::size_t a = 0; a < p; ++a) {
    for (std::size_t b = 0; b < p; ++b)
      result.shape[a][b] =
          (result.shape[a][b] + weight * count * covariance[a][b]) / (count + weight * count);
    scale += result.shape[a][a] / static_cast<double>(p);
  }
  for (std::size_t a = 0; a < p; ++a) {
    for (std::size_t b = 0; b < p; ++b)
      result.shape[a][b] = (1.0 - kMixtureShrinkage) * result.shape[a][b] +
                           (a == b ? kMixtureShrinkage * scale : 0.0);
  }
  return result;
}

/// Returns the number of examples of each class that the model reproduces.
std::vector<int> plain_kept(const SeededMixtureProblem& problem, const Plain& model) {
  std::vector<int> kept(model.means.size());
  for (std::int64_t i = 0; i < problem.examples.count(); ++i) {
    Vector squared;
    for (const Vector& mean : model.means)
      squared.push_back(mahalanobis(model.shape, difference(problem.examples.row(i), mean)));
    const auto nearest = std::ranges::min_element(squared) - squared.begin();
    if (nearest == problem.class_of[i]) ++kept[static_cast<std::size_t>(nearest)];
  }
  return kept;
}

struct PlainAnswer {
  Plain model;
  double weight;
};
PlainAnswer plain_of(const SeededMixtureProblem& problem) {
  const Plain start = plain_start(problem);
  const Matrix covariance = examples_covariance(problem, start.means);
  const std::vector<int> at_first = plain_kept(problem, start);
  for (const double weight : kExampleWeights) {
    Plain model = start;
    for (int round = 0; round < kMixtureRounds; ++round)
      model = plain_round(problem, start, covariance, model, weight);
    const std::vector<int> kept = plain_kept(problem, model);
    bool all = true;
    for (std::size_t c = 0; c < kept.size(); ++c)
      all = all && 20 * kept[c] >= 19 * at_first[c];
    if (all) return {model, weight};
  }
  return {start, 0.0};
}

/// Returns clouds around some centres; examples lie away from them.
SeededMixtureProblem random_problem(test::RandomNumbers& random, std::int64_t others) {
  SeededMixtureProblem problem;
  problem.classes = 1 + random.below(3);
  const std::int64_t p = 1 + random.below(4);
  const Points centres = test::random_points(random, problem.classes + 1, p);
  const double apart = 1.0 + static_cast<double>(random.below(6));
  const auto cloud = [&](std::int64_t count, std::int64_t centre, Points& into) {
    Points around = test::random_points(random, count, p);
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < p; ++j)
        around.row(i)[j] += apart * centres.row(centre)[j];
    }
    into.dimensions = p;
    into.values.insert(into.values.end(), around.values.begin(), around.values.end());
  };
  for (std::int64_t c = 0; c < problem.classes; ++c) {
    const std::int64_t count = 1 + random.below(10);
    cloud(count, c, problem.examples);
    problem.class_of.insert(problem.class_of.end(), static_cast<std::size_t>(count),
                            static_cast<std::int32_t>(c));
  }
  // The last cloud belongs to no class.
  for (std::int64_t c = 0; c <= problem.classes; ++c)
    cloud(1 + random.below(others), c, problem.others);
  return problem;
}

}  // namespace

class TestSeededMixture : public QObject {
  Q_OBJECT
 private slots:
  void distances_are_those_of_the_definition();
  void keeps_what_was_shown();
  void finds_the_middle_that_examples_miss();
  void points_of_no_class_count_little();
  void points_that_do_not_differ_change_nothing();
  void threads_do_not_count();
};

void TestSeededMixture::distances_are_those_of_the_definition() {
  Context context;
  int with_others = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    test::RandomNumbers random(seed);
    const SeededMixtureProblem problem = random_problem(random, 30);
    const PlainAnswer plain = plain_of(problem);
    const SeededMixture mixture = seeded_mixture(problem, context);
    QCOMPARE(mixture.weight, plain.weight);
    with_others += mixture.weight > 0.0 ? 1 : 0;
    const std::int64_t p = problem.examples.dimensions;
    const Points anywhere = test::random_points(random, 5, p);
    const Points places =
        mapped(anywhere, std::vector<double>(static_cast<std::size_t>(p)), mixture.axes, context);
    for (std::int64_t i = 0; i < anywhere.count(); ++i) {
      for (std::int64_t c = 0; c < problem.classes; ++c) {
        const double expected =
            mahalanobis(plain.model.shape, difference(anywhere.row(i), plain.model.means[c]));
        QVERIFY(close(squared_distance(places.row(i), mixture.means.row(c)), expected, 1e-7));
      }
    }
  }
  QVERIFY(with_others > 200);
}

void TestSeededMixture::keeps_what_was_shown() {
  Context context;
  // All others lie on the second class's side. If they had full influence, they would split that
  // side in two.
  SeededMixtureProblem problem{.examples = test::points_of(1, {0, 1, 2, 3, 4, 5}),
                               .class_of = {0, 0, 0, 1, 1, 1},
                               .classes = 2,
                               .others = test::points_of(1, {})};
  for (int i = 0; i <= 1000; ++i)
    problem.others.values.push_back(3.0 + 0.006 * i);
  const SeededMixture mixture = seeded_mixture(problem, context);
  QVERIFY(mixture.weight > kExampleWeights.front());
  for (std::int64_t i = 0; i < 6; ++i) {
    const double place = problem.examples.row(i)[0] * mixture.axes.row(0)[0];
    const bool is_first =
        std::abs(place - mixture.means.row(0)[0]) <= std::abs(place - mixture.means.row(1)[0]);
    QCOMPARE(is_first, problem.class_of[i] == 0);
  }
}

void TestSeededMixture::finds_the_middle_that_examples_miss() {
  Context context;
  // Clouds in 0 .. 4 and 5 .. 9; halfway between the examples' means is 3.5.
  SeededMixtureProblem problem{.examples = test::points_of(1, {0, 2, 5, 7}),
                               .class_of = {0, 0, 1, 1},
                               .classes = 2,
                               .others = test::points_of(1, {})};
  for (int i = 0; i < 200; ++i) {
    problem.others.values.push_back(0.02 * i);
    problem.others.values.push_back(5.0 + 0.02 * i);
  }
  const SeededMixture mixture = seeded_mixture(problem, context);
  const double scale = mixture.axes.row(0)[0];
  const double between = (mixture.means.row(0)[0] + mixture.means.row(1)[0]) / (2.0 * scale);
  QVERIFY(between > 4.0 && between < 5.0);
}

void TestSeededMixture::points_of_no_class_count_little() {
  Context context;
  SeededMixtureProblem problem{.examples = test::points_of(1, {-1, 1, 9, 11}),
                               .class_of = {0, 0, 1, 1},
                               .classes = 2,
                               .others = test::points_of(1, {})};
  for (int i = 0; i < 100; ++i) {
    problem.others.values.push_back(0.02 * i - 1.0);
    problem.others.values.push_back(0.02 * i + 9.0);
  }
  for (int i = 0; i < 20; ++i)
    problem.others.values.push_back(100.0);
  const SeededMixture mixture = seeded_mixture(problem, context);
  QVERIFY(mixture.weight > 0.0);
  const double scale = mixture.axes.row(0)[0];
  // As members of the second class they would move its mean to 25.
  QVERIFY(std::abs(mixture.means.row(1)[0] / scale - 10.0) < 1.0);
}

void TestSeededMixture::points_that_do_not_differ_change_nothing() {
  Context context;
  const SeededMixtureProblem problem{.examples = test::points_of(2, {1, 2, 1, 2}),
                                     .class_of = {0, 1},
                                     .classes = 2,
                                     .others = test::points_of(2, {1, 2, 1, 2})};
  const SeededMixture mixture = seeded_mixture(problem, context);
  QVERIFY(std::ranges::all_of(mixture.axes.values, [](double v) { return std::isfinite(v); }));
  QCOMPARE(squared_distance(mixture.means.row(0), mixture.means.row(1)), 0.0);
  SeededMixtureProblem alone = problem;
  alone.others = test::points_of(2, {});
  QCOMPARE(seeded_mixture(alone, context).weight, 0.0);
}

void TestSeededMixture::threads_do_not_count() {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    test::RandomNumbers random(seed);
    const SeededMixtureProblem problem = random_problem(random, 3000);
    Context alone(Context::Settings{.threads = 1});
    const SeededMixture expected = seeded_mixture(problem, alone);
    for (const int threads : {2, 3, 16}) {
      Context context(Context::Settings{.threads = threads});
      const SeededMixture mixture = seeded_mixture(problem, context);
      QCOMPARE(mixture.axes.values, expected.axes.values);
      QCOMPARE(mixture.means.values, expected.means.values);
      QCOMPARE(mixture.weight, expected.weight);
    }
  }
}

QTEST_GUILESS_MAIN(TestSeededMixture)
#include "test_seeded_mixture.moc"
