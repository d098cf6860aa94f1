// SPDX-License-Identifier: Apache-2.0
#include "core/texture/class_kernel.h"
#include "core/texture/feature_sample.h"
#include "core/texture/nearest_class.h"
#include "tests/support/random_numbers.h"
#include "tests/support/random_phases.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

using namespace seedwave;

namespace {

Points random_points(test::RandomNumbers& random, std::int64_t count, std::int64_t dimensions) {
  Points points = Points::zeros(count, dimensions);
  for (double& value : points.values)
    value = static_cast<double>(random.below(2001) - 1000) / 700.0;
  return points;
}

FeatureClasses random_classes(test::RandomNumbers& random, std::int64_t planes) {
  const std::int64_t dimensions = 1 + random.below(10);
  FeatureClasses classes;
  classes.origin = random_points(random, 1, planes).values;
  classes.axes = random_points(random, dimensions, planes);
  classes.centres = random_points(random, 1 + random.below(6), dimensions);
  if (random.below(3) == 0) {  // the same centre twice: the first counts
    const std::span<const double> first = classes.centres.row(0);
    const std::vector<double> again(first.begin(), first.end());
    classes.centres.values.insert(classes.centres.values.end(), again.begin(), again.end());
  }
  return classes;
}

/// Computes the definition, window by window.
NearestClasses nearest_by_definition(const TpcfProblem& windows, const FeatureClasses& classes) {
  const Index3& size = windows.phases.geometry().size;
  NearestClasses nearest{.columns = size[0] - windows.window + 1,
                         .rows = size[1] - windows.window + 1,
                         .classes = {},
                         .distances = {}};
  const std::int64_t planes = plane_count(windows);
  for (std::int64_t y = 0; y < nearest.rows; ++y) {
    for (std::int64_t x = 0; x < nearest.columns; ++x) {
      const std::vector<float> features = features_at(windows, x, y);
      std::vector<double> mapped;
      for (std::int64_t k = 0; k < classes.axes.count(); ++k) {
        double offset = 0.0;
        double sum = 0.0;
        for (std::int64_t plane = 0; plane < planes; ++plane) {
          const double factor = classes.axes.row(k)[plane];
          offset += factor * classes.origin[plane];
          sum += factor * static_cast<double>(features[plane]);
        }
        mapped.push_back(sum - offset);
      }
      std::vector<double> squares;
      for (std::int64_t c = 0; c < classes.centres.count(); ++c) {
        double sum = 0.0;
        for (std::size_t k = 0; k < mapped.size(); ++k) {
          const double apart = mapped[k] - classes.centres.row(c)[k];
          sum += apart * apart;
        }
        squares.push_back(sum);
      }
      const auto least = std::min_element(squares.begin(), squares.end());
      nearest.classes.push_back(static_cast<std::uint16_t>(least - squares.begin()));
      nearest.distances.push_back(static_cast<float>(std::sqrt(*least)));
    }
  }
  return nearest;
}

bool same_bits(const NearestClasses& a, const NearestClasses& b) {
  return a.columns == b.columns && a.rows == b.rows && a.classes == b.classes &&
         a.distances.size() == b.distances.size() &&
         std::memcmp(a.distances.data(), b.distances.data(), a.distances.size() * sizeof(float)) ==
             0;
}

TpcfProblem random_windows(test::RandomNumbers& random) {
  const std::int64_t window = 1 + random.below(9);
  TpcfProblem windows{.count = 1 + random.below(4),
                      .window = window,
                      .directions = 4,
                      .strip_rows = random.below(4)};
  // Fewer adjacent windows than are mapped at once, and more.
  windows.phases = test::random_phases(random, window + random.below(40), window + random.below(8),
                                       windows.count);
  return windows;
}

}  // namespace

class TestNearestClass : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition();
  void equals_the_definition_on_glass();
  void threads_change_no_bit();
  void equally_near_centres_give_the_first();
  void a_centre_that_is_a_window_has_distance_0();
};

void TestNearestClass::equals_the_definition() {
  test::RandomNumbers random(1);
  for (int round = 0; round < 150; ++round) {
    const TpcfProblem windows = random_windows(random);
    const FeatureClasses classes = random_classes(random, plane_count(windows));
    const NearestClasses expected = nearest_by_definition(windows, classes);
    Context context(Context::Settings{.threads = 1 + round % 3});
    QVERIFY(same_bits(nearest_class(windows, classes, context), expected));
    QVERIFY(same_bits(
        texture::nearest_class_by(texture::plain_class_kernel(), windows, classes, context),
        expected));
  }
}

void TestNearestClass::equals_the_definition_on_glass() {
  test::RandomNumbers random(5);
  for (int round = 0; round < 40; ++round) {
    TpcfProblem windows{.count = 1 + random.below(4),
                        .window = 1 + random.below(20),
                        .directions = 4,
                        .strip_rows = random.below(4)};
    windows.phases = test::phases_on_glass(random, windows.window + 64 + random.below(260),
                                           windows.window + random.below(12), windows.count);
    const FeatureClasses classes = random_classes(random, plane_count(windows));
    Context context(Context::Settings{.threads = 1 + round % 3});
    QVERIFY(same_bits(nearest_class(windows, classes, context),
                      nearest_by_definition(windows, classes)));
  }
}

void TestNearestClass::threads_change_no_bit() {
  test::RandomNumbers random(2);
  TpcfProblem windows{.count = 4, .window = 16};
  windows.phases = test::random_phases(random, 1100, 150, windows.count);  // two bands
  const FeatureClasses classes = random_classes(random, plane_count(windows));
  Context one(Context::Settings{.threads = 1});
  const NearestClasses expected = nearest_class(windows, classes, one);
  for (const int threads : {2, 3, 16}) {
    Context context(Context::Settings{.threads = threads});
    QVERIFY(same_bits(nearest_class(windows, classes, context), expected));
  }
}

void TestNearestClass::equally_near_centres_give_the_first() {
  // All windows are equal: one phase alone.
  const TpcfProblem windows{.phases = test::picture(30, 4, std::vector<std::uint16_t>(120, 1)),
                            .window = 3,
                            .directions = 1};
  FeatureClasses classes{
      .origin = {1.0, 0.0}, .axes = {2, {1.0, 0.0}}, .centres = {1, {3.0, 2.0, -2.0, 2.0}}};
  Context context;
  const NearestClasses nearest = nearest_class(windows, classes, context);
  QCOMPARE(nearest.classes, std::vector<std::uint16_t>(56, 1));
  QCOMPARE(nearest.distances, std::vector<float>(56, 2.0F));
}

void TestNearestClass::a_centre_that_is_a_window_has_distance_0() {
  test::RandomNumbers random(3);
  TpcfProblem windows{.count = 2, .window = 8};
  windows.phases = test::random_phases(random, 40, 30, windows.count);
  Context context;
  const Points place = sample_features(windows, {{11, 7}}, context);
  FeatureClasses classes = random_classes(random, plane_count(windows));
  classes.origin.assign(place.values.begin(), place.values.end());
  classes.centres = Points::zeros(1, classes.axes.count());
  const NearestClasses nearest = nearest_class(windows, classes, context);
  QCOMPARE(nearest.distances[static_cast<std::size_t>(7 * nearest.columns + 11)], 0.0F);
}

QTEST_GUILESS_MAIN(TestNearestClass)
#include "test_nearest_class.moc"
