// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/feature_sample.h"
#include "tests/support/random_numbers.h"
#include "tests/support/random_phases.h"

#include <QTest>

#include <cstring>
#include <vector>

using namespace seedwave;

namespace {

bool same_bits(const Points& a, const Points& b) {
  return a.dimensions == b.dimensions && a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)) == 0;
}

TpcfProblem problem_of(test::RandomNumbers& random, std::int64_t nx, std::int64_t ny,
                       std::int64_t window) {
  TpcfProblem problem{.count = 3, .window = window, .directions = 4, .strip_rows = 3};
  problem.phases = test::random_phases(random, nx, ny, problem.count);
  return problem;
}

}  // namespace

class TestFeatureSample : public QObject {
  Q_OBJECT
 private slots:
  void picked_and_single_windows_have_the_same_bits();
  void threads_change_no_bit();
  void is_what_one_window_has();
  void the_grid_lies_in_the_middle_of_the_windows_data();
  void the_grid_lies_in_the_middle_of_the_windows();
  void refuses_places_that_are_none();
};

void TestFeatureSample::picked_and_single_windows_have_the_same_bits() {
  test::RandomNumbers random(1);
  for (int round = 0; round < 60; ++round) {
    const std::int64_t window = 1 + random.below(12);
    const TpcfProblem problem =
        problem_of(random, window + random.below(60), window + random.below(60), window);
    const Index3& size = problem.phases.geometry().size;
    std::vector<WindowPlace> places;
    for (std::int64_t i = random.below(50); i > 0; --i)  // none, and some twice
      places.push_back({random.below(size[0] - window + 1), random.below(size[1] - window + 1)});
    Context context(Context::Settings{.threads = 1 + round % 3});
    const Points by_pass = sample_features_by_pass(problem, places, context);
    QCOMPARE(by_pass.values.size(), places.size() * static_cast<std::size_t>(plane_count(problem)));
    QVERIFY(same_bits(by_pass, sample_features_one_by_one(problem, places, context)));
    QVERIFY(same_bits(by_pass, sample_features(problem, places, context)));
  }
}

void TestFeatureSample::threads_change_no_bit() {
  test::RandomNumbers random(2);
  const TpcfProblem problem = problem_of(random, 1100, 60, 9);  // two bands
  const std::vector<WindowPlace> places = sample_grid(problem).places();
  Context one(Context::Settings{.threads = 1});
  const Points expected = sample_features_by_pass(problem, places, one);
  for (const int threads : {2, 3, 16}) {
    Context context(Context::Settings{.threads = threads});
    QVERIFY(same_bits(sample_features_by_pass(problem, places, context), expected));
    QVERIFY(same_bits(sample_features_one_by_one(problem, places, context), expected));
  }
}

void TestFeatureSample::is_what_one_window_has() {
  test::RandomNumbers random(3);
  const TpcfProblem problem = problem_of(random, 40, 30, 8);
  Context context;
  const std::vector<WindowPlace> places{{32, 0}, {5, 22}};
  const Points sample = sample_features(problem, places, context);
  for (std::int64_t i = 0; i < sample.count(); ++i) {
    const std::vector<float> features = features_at(problem, places[i].x, places[i].y);
    QVERIFY(std::equal(features.begin(), features.end(), sample.row(i).begin()));
  }
}

void TestFeatureSample::the_grid_lies_in_the_middle_of_the_windows_data() {
  QTest::addColumn<int>("nx");
  QTest::addColumn<int>("ny");
  QTest::addColumn<int>("spacing");
  QTest::newRow("one window") << 8 << 8 << 1;
  QTest::newRow("all of them") << 135 << 135 << 1;
  QTest::newRow("a row too many") << 135 << 136 << 2;
  QTest::newRow("a square of 1024") << 1024 << 1024 << 8;
  QTest::newRow("a strip") << 40000 << 8 << 3;
}

void TestFeatureSample::the_grid_lies_in_the_middle_of_the_windows() {
  QFETCH(int, nx);
  QFETCH(int, ny);
  QFETCH(int, spacing);
  test::RandomNumbers random(4);
  const TpcfProblem problem = problem_of(random, nx, ny, 8);
  const SampleGrid grid = sample_grid(problem);
  QCOMPARE(grid.spacing, spacing);
  QVERIFY(grid.count() <= kMostSampled);
  const std::vector<WindowPlace> places = grid.places();
  QCOMPARE(std::ssize(places), grid.count());
  const std::int64_t right = nx - 8 - places.back().x;
  const std::int64_t below = ny - 8 - places.back().y;
  QVERIFY(right >= 0 && right < spacing && below >= 0 && below < spacing);
  QVERIFY(right - places.front().x == 0 || right - places.front().x == 1);
  QVERIFY(below - places.front().y == 0 || below - places.front().y == 1);
}

void TestFeatureSample::refuses_places_that_are_none() {
  test::RandomNumbers random(5);
  const TpcfProblem problem = problem_of(random, 10, 9, 4);
  Context context;
  for (const WindowPlace& place :
       {WindowPlace{7, 0}, WindowPlace{0, 6}, WindowPlace{-1, 0}, WindowPlace{0, -1}}) {
    QVERIFY_EXCEPTION_THROWN((void)sample_features(problem, {place}, context), UsageError);
  }
}

QTEST_GUILESS_MAIN(TestFeatureSample)
#include "test_feature_sample.moc"
