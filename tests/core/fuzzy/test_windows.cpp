// SPDX-License-Identifier: Apache-2.0
// Tests the windows of intensities that are estimated from seeds.
#include "core/base/error.h"
#include "core/fuzzy/windows.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stop_token>
#include <vector>

using namespace seedwave;
using namespace seedwave::fuzzy;

namespace {

constexpr std::int64_t kSide = 40;

Geometry grid() {
  Geometry geometry;
  geometry.size = {kSide, kSide, 12};
  return geometry;
}

/// Noise around level(x, y, z), of the same deviation everywhere: about 5.8.
Volume noisy(const std::function<double(const Index3&)>& level, double factor = 1.0,
             double shift = 0.0) {
  const Geometry geometry = grid();
  test::RandomNumbers random(3);
  std::vector<float> values;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const auto noise = static_cast<double>(random.below(21) - 10);
    values.push_back(static_cast<float>(factor * (level(geometry.index_of(i)) + noise) + shift));
  }
  return {geometry, values};
}

/// Left half 100, right half 40.
double halves(const Index3& at) {
  return at[0] < kSide / 2 ? 100.0 : 40.0;
}

/// A stroke of 3 x 9 voxels in one slice.
void stroke(std::vector<Seed>& seeds, std::int64_t x, std::int64_t y, std::int64_t z, Label label) {
  const Geometry geometry = grid();
  for (std::int64_t dy = 0; dy < 9; ++dy) {
    for (std::int64_t dx = 0; dx < 3; ++dx)
      seeds.push_back({geometry.offset({x + dx, y + dy, z}), label});
  }
  std::ranges::sort(seeds, {}, &Seed::offset);
}

WindowsProblem two_strokes(const Volume& image) {
  WindowsProblem problem{.image = image, .smooth = {0.6, 0.6, 0.6}, .described = {1}};
  stroke(problem.seeds, 8, 10, 6, 1);
  stroke(problem.seeds, 30, 10, 6, 2);
  return problem;
}

WindowsEstimate estimated(const WindowsProblem& problem, int threads = 1,
                          const WindowsRules& rules = {}) {
  Context context(Context::Settings{.threads = threads});
  return WindowsEstimator(problem, context).estimate(rules);
}

bool is_near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

}  // namespace

class TestWindows : public QObject {
  Q_OBJECT

 private slots:
  void lie_around_the_strokes_and_end_before_the_others() {
    const WindowsEstimate found = estimated(two_strokes(noisy(halves)));
    QCOMPARE(found.windows.size(), std::size_t{1});
    const ObjectWindows& windows = found.windows.at(1);
    QCOMPARE(windows.size(), std::size_t{1});
    QVERIFY2(is_near(windows[0].m, 100.0, 3.0), qPrintable(QString::number(windows[0].m)));
    // Half-way to 40 belongs to neither: 4.08 deviations end before.
    QVERIFY(4.08 * windows[0].below < 35.0);
    QVERIFY(4.08 * windows[0].above < 35.0);
    QVERIFY(found.sigma_h > 0.0);
  }

  void follow_the_scale_of_the_image() {
    const WindowsEstimate plain = estimated(two_strokes(noisy(halves)));
    const WindowsEstimate scaled = estimated(two_strokes(noisy(halves, 0.25, -7.0)));
    const IntensityWindow& a = plain.windows.at(1)[0];
    const IntensityWindow& b = scaled.windows.at(1)[0];
    QVERIFY(is_near(b.m, 0.25 * a.m - 7.0, 1e-3));
    QVERIFY(is_near(b.below, 0.25 * a.below, 1e-3));
    QVERIFY(is_near(b.above, 0.25 * a.above, 1e-3));
    QVERIFY(is_near(scaled.sigma_h, 0.25 * plain.sigma_h, 1e-3));
  }

  // Intensities of 16 bits are looked up, others are not.
  void the_type_of_the_image_does_not_matter() {
    const Volume image = noisy(halves, 1.0, 500.0);
    const auto values = image.voxels<float>();
    const auto in_type = [&]<typename T>(T) {
      WindowsProblem problem = two_strokes({grid(), std::vector<T>(values.begin(), values.end())});
      problem.smooth = {};
      return estimated(problem, 3);
    };
    const WindowsEstimate narrow = in_type(std::uint16_t{});
    const WindowsEstimate wide = in_type(std::int32_t{});
    QCOMPARE(narrow.sigma_h, wide.sigma_h);
    QCOMPARE(narrow.windows.at(1)[0].m, wide.windows.at(1)[0].m);
    QCOMPARE(narrow.windows.at(1)[0].below, wide.windows.at(1)[0].below);
  }

  void a_close_neighbour_narrows_its_own_side_alone() {
    const auto close = [](const Index3& at) { return at[0] < kSide / 2 ? 100.0 : 110.0; };
    const IntensityWindow far = estimated(two_strokes(noisy(halves))).windows.at(1)[0];
    const IntensityWindow near = estimated(two_strokes(noisy(close))).windows.at(1)[0];
    QVERIFY2(near.above < 0.8 * near.below,
             qPrintable(QString("%1 and %2").arg(near.above).arg(near.below)));
    QVERIFY(is_near(near.below, far.below, 0.2 * far.below));
  }

  void a_stroke_of_another_intensity_gets_its_own_window() {
    const auto three = [](const Index3& at) {
      return at[0] >= kSide / 2 ? 40.0 : at[1] < kSide / 2 ? 100.0 : 180.0;
    };
    WindowsProblem problem = two_strokes(noisy(three));
    stroke(problem.seeds, 8, 26, 6, 1);
    const ObjectWindows windows = estimated(problem).windows.at(1);
    QCOMPARE(windows.size(), std::size_t{2});
    QVERIFY(is_near(windows[0].m, windows[1].m < 140.0 ? 180.0 : 100.0, 4.0));
  }

  void have_one_window_if_parts_get_none_of_their_own() {
    WindowsProblem problem =
        two_strokes(noisy([](const Index3& at) { return at[1] >= 28 ? 200.0 : halves(at); }));
    stroke(problem.seeds, 8, 30, 6, 1);
    QCOMPARE(estimated(problem).windows.at(1).size(), std::size_t{2});
    const WindowsRules one{.own_windows = false};
    QCOMPARE(estimated(problem, 1, one).windows.at(1).size(), std::size_t{1});
  }

  void a_strict_window_is_moved_less_by_a_part_that_differs() {
    WindowsProblem problem =
        two_strokes(noisy([](const Index3& at) { return at[1] >= 28 ? 112.0 : halves(at); }));
    stroke(problem.seeds, 8, 30, 6, 1);
    stroke(problem.seeds, 14, 30, 6, 1);
    const IntensityWindow usual = estimated(problem).windows.at(1).front();
    const IntensityWindow strict = estimated(problem, 1, {.strict = true}).windows.at(1).front();
    QVERIFY2(strict.below + strict.above < usual.below + usual.above,
             qPrintable(
                 QString("%1 %2").arg(strict.below + strict.above).arg(usual.below + usual.above)));
  }

  void a_stroke_across_a_border_hardly_changes_the_window() {
    WindowsProblem problem = two_strokes(noisy(halves));
    const IntensityWindow before = estimated(problem).windows.at(1)[0];
    stroke(problem.seeds, kSide / 2 - 1, 22, 6, 1);
    const ObjectWindows after = estimated(problem).windows.at(1);
    QCOMPARE(after.size(), std::size_t{1});
    QVERIFY(is_near(after[0].m, before.m, 3.0));
    QVERIFY(after[0].below < 1.5 * before.below);
  }

  void a_background_stroke_that_looks_like_the_object_describes_nothing() {
    WindowsProblem problem = two_strokes(noisy(halves));
    stroke(problem.seeds, 30, 24, 6, 2);
    const IntensityWindow before = estimated(problem).windows.at(1)[0];
    stroke(problem.seeds, 3, 24, 6, 2);  // in the bright half
    const IntensityWindow after = estimated(problem).windows.at(1)[0];
    QVERIFY(is_near(after.m, before.m, 2.0));
    QVERIFY(is_near(after.below, before.below, 0.3 * before.below));
    QVERIFY(is_near(after.above, before.above, 0.3 * before.above));
  }

  void regions_of_a_first_result_are_samples() {
    const WindowsProblem problem = two_strokes(noisy(halves));
    const IntensityWindow before = estimated(problem).windows.at(1)[0];
    std::vector<std::uint8_t> first;
    for (std::int64_t i = 0; i < grid().voxel_count(); ++i)
      first.push_back(grid().index_of(i)[0] < kSide / 2 ? 1 : 2);
    const WindowsRules with_first{.first = LabelMap(grid(), first)};
    const IntensityWindow after = estimated(problem, 1, with_first).windows.at(1)[0];
    QVERIFY(after != before);
    QVERIFY(is_near(after.m, 100.0, 2.0));
  }

  void describe_every_label_that_is_asked_for() {
    WindowsProblem problem = two_strokes(noisy(halves));
    problem.described = {1, 2};
    const WindowsEstimate found = estimated(problem);
    QVERIFY(is_near(found.windows.at(2)[0].m, 40.0, 3.0));
  }

  void do_not_depend_on_threads() {
    const WindowsProblem problem = two_strokes(noisy(halves));
    const WindowsEstimate one = estimated(problem, 1);
    const WindowsEstimate many = estimated(problem, 4);
    QVERIFY(one.windows == many.windows);
    QCOMPARE(one.sigma_h, many.sigma_h);
  }

  void long_strokes_over_two_tissues_get_a_window_for_each() {
    // Object: 100, and 70 in every other row of cells; thin, so that no part shows the second
    // alone.
    const auto striped = [](const Index3& at) {
      return at[0] >= kSide / 2 ? 20.0 : at[1] % 8 < 5 ? 100.0 : 70.0;
    };
    const auto strokes_of = [&](std::int64_t length) {
      WindowsProblem problem{.image = noisy(striped), .smooth = {0.6, 0.6, 0.6}, .described = {1}};
      for (const std::int64_t x : {3, 10, 15}) {
        for (std::int64_t y = 2; y < 2 + length; ++y) {
          for (std::int64_t dx = 0; dx < 4; ++dx)
            problem.seeds.push_back({grid().offset({x + dx, y, 6}), 1});
        }
      }
      for (std::int64_t y = 4; y < 34; ++y)
        problem.seeds.push_back({grid().offset({32, y, 6}), 2});
      std::ranges::sort(problem.seeds, {}, &Seed::offset);
      return problem;
    };
    const auto covers = [](const ObjectWindows& windows, double value) {
      return std::ranges::any_of(windows, [value](const IntensityWindow& window) {
        const double away = value - window.m;
        return std::abs(away) <= 2.5 * (away < 0.0 ? window.below : window.above);
      });
    };
    const ObjectWindows of_long = estimated(strokes_of(36)).windows.at(1);
    QVERIFY(of_long.size() > 1 && covers(of_long, 100.0) && covers(of_long, 70.0));
    QVERIFY(!covers(of_long, 20.0));
    // Short strokes may be mixed by noise or by a boundary.
    QCOMPARE(estimated(strokes_of(8)).windows.at(1).size(), std::size_t{1});
  }

  void clicks_describe_their_label_together() {
    WindowsProblem problem = two_strokes(noisy(halves));
    std::erase_if(problem.seeds, [](const Seed& seed) { return seed.label == 1; });
    // The first lies in the other half.
    problem.seeds.push_back({grid().offset({35, 1, 1}), 1});
    for (std::int64_t i = 0; i < 11; ++i)
      problem.seeds.push_back({grid().offset({4 + i % 3 * 4, 4 + i / 3 * 8, 6}), 1});
    std::ranges::sort(problem.seeds, {}, &Seed::offset);
    const ObjectWindows found = estimated(problem).windows.at(1);
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(is_near(found[0].m, 100.0, 6.0), qPrintable(QString::number(found[0].m)));
  }

  void refuse_what_is_no_number() {
    std::vector<float> values(static_cast<std::size_t>(grid().voxel_count()), 1.0F);
    values[7] = std::numeric_limits<float>::quiet_NaN();
    const WindowsProblem problem = two_strokes(Volume(grid(), values));
    QVERIFY_THROWS_EXCEPTION(InputError, (void)estimated(problem));
  }

  void a_flat_image_has_a_window() {
    const std::vector<float> values(static_cast<std::size_t>(grid().voxel_count()), 5.0F);
    const WindowsEstimate found = estimated(two_strokes(Volume(grid(), values)));
    QVERIFY(found.windows.at(1)[0].below > 0.0);
    QVERIFY(std::isfinite(found.sigma_h) && found.sigma_h > 0.0);
  }

  void stop_when_asked_to() {
    std::stop_source stop;
    stop.request_stop();
    Context context(Context::Settings{.stop = stop.get_token()});
    QVERIFY_THROWS_EXCEPTION(Cancelled, WindowsEstimator(two_strokes(noisy(halves)), context));
  }
};

QTEST_GUILESS_MAIN(TestWindows)
#include "test_windows.moc"
