// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/crop.h"
#include "core/texture/class_kernel.h"
#include "core/texture/tissue.h"
#include "tests/support/random_numbers.h"
#include "tests/support/random_phases.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::int64_t kSide = 96;
constexpr std::int64_t kWindow = 16;

/// Returns noise left of the middle and patches of 4 pixels a side right of it, with the same
/// amount of each phase.
LabelMap two_textures(test::RandomNumbers& random) {
  std::vector<std::uint16_t> phases(kSide * kSide);
  std::vector<std::uint16_t> patches(kSide * kSide / 16);
  for (std::uint16_t& phase : patches)
    phase = static_cast<std::uint16_t>(1 + random.below(2));
  for (std::int64_t i = 0; i < kSide * kSide; ++i) {
    const std::int64_t x = i % kSide;
    const std::int64_t y = i / kSide;
    phases[i] = x < kSide / 2 ? static_cast<std::uint16_t>(1 + random.below(2))
                              : patches[y / 4 * (kSide / 4) + x / 4];
  }
  return test::picture(kSide, kSide, std::move(phases));
}

TissueProblem problem_of(test::RandomNumbers& random) {
  return {.windows = {.phases = two_textures(random), .count = 2, .window = kWindow},
          .seeds = {},
          .clusters = 2,
          .components = 2,
          .majority_radius = 2};
}

/// Returns two strokes along the second axis.
std::vector<Seed> strokes(std::uint16_t left, std::uint16_t right) {
  std::vector<Seed> seeds;
  for (std::int64_t y = 20; y < 76; ++y) {
    seeds.push_back({y * kSide + 20, left});
    seeds.push_back({y * kSide + 76, right});
  }
  return seeds;
}

/// Returns the share of a label among the pixels of one half that are half a window away from the
/// other.
double share_of(const LabelMap& labels, bool is_left, Label label) {
  double with = 0.0;
  double all = 0.0;
  for (std::int64_t y = 0; y < kSide; ++y) {
    for (std::int64_t x = 0; x < (kSide - kWindow) / 2; ++x) {
      all += 1.0;
      with += labels.at({is_left ? x : kSide - 1 - x, y, 0}) == label ? 1.0 : 0.0;
    }
  }
  return with / all;
}

bool same_bits(const Tissue& a, const Tissue& b) {
  return std::ranges::equal(a.labels.labels(), b.labels.labels()) &&
         std::ranges::equal(a.distance.bytes(), b.distance.bytes());
}

}  // namespace

class TestTissue : public QObject {
  Q_OBJECT
 private slots:
  void finds_two_textures_without_strokes();
  void finds_them_from_strokes();
  void pixels_at_the_border_have_the_nearest_window();
  void threads_change_no_bit();
  void solvers_can_be_replaced();
  void the_sample_stays_for_the_next_run();
  void one_texture_has_one_label();
  void looks_alike_where_the_texture_is_the_same();
  void a_part_has_the_bits_of_the_whole();
  void refuses_what_it_cannot_answer();
};

void TestTissue::finds_two_textures_without_strokes() {
  test::RandomNumbers random(1);
  Context context;
  const LabelMap labels = tissue(problem_of(random), {}, context).labels;
  const Label left = labels.at({20, 48, 0});
  const Label right = labels.at({76, 48, 0});
  QVERIFY(left + right == 3);
  QVERIFY(share_of(labels, true, left) > 0.95);
  QVERIFY(share_of(labels, false, right) > 0.95);
  // Most of the image has label 1.
  QVERIFY(std::ranges::count(labels.labels(), 1) >= std::ranges::count(labels.labels(), 2));
}

void TestTissue::finds_them_from_strokes() {
  test::RandomNumbers random(2);
  TissueProblem problem = problem_of(random);
  problem.seeds = strokes(700, 3);
  Context context;
  const LabelMap labels = tissue(problem, {}, context).labels;
  QVERIFY(share_of(labels, true, 700) > 0.95);
  QVERIFY(share_of(labels, false, 3) > 0.95);
}

void TestTissue::pixels_at_the_border_have_the_nearest_window() {
  test::RandomNumbers random(3);
  TissueProblem problem = problem_of(random);
  problem.majority_radius = 0;
  Context context;
  const Tissue result = tissue(problem, {}, context);
  const auto distance = [&](std::int64_t x, std::int64_t y) {
    return result.distance.voxels<float>()[y * kSide + x];
  };
  // The last window begins at kSide - kWindow.
  constexpr std::int64_t kFirst = kWindow / 2;
  constexpr std::int64_t kLast = kSide - kWindow + kWindow / 2;
  for (std::int64_t i = 0; i < kSide; ++i) {
    const std::int64_t inside = std::clamp(i, kFirst, kLast);
    QCOMPARE(distance(i, 40), distance(inside, 40));
    QCOMPARE(distance(40, i), distance(40, inside));
    QCOMPARE(result.labels.at({i, 40, 0}), result.labels.at({inside, 40, 0}));
  }
  QVERIFY(distance(kFirst, 40) != distance(kFirst + 1, 40));
  QVERIFY(distance(kLast, 40) != distance(kLast - 1, 40));
}

void TestTissue::threads_change_no_bit() {
  test::RandomNumbers random(4);
  TissueProblem problem = problem_of(random);
  for (const bool with_strokes : {false, true}) {
    if (with_strokes) problem.seeds = strokes(1, 2);
    Context one(Context::Settings{.threads = 1});
    const Tissue expected = tissue(problem, {}, one);
    for (const int threads : {2, 3, 16}) {
      Context context(Context::Settings{.threads = threads});
      QVERIFY(same_bits(tissue(problem, {}, context), expected));
    }
  }
}

void TestTissue::solvers_can_be_replaced() {
  test::RandomNumbers random(5);
  const TissueProblem problem = problem_of(random);
  int sampled = 0;
  int classified = 0;
  const TissueSolvers solvers{
      .sample =
          [&](const TpcfProblem& windows, const std::vector<WindowPlace>& places,
              Context& context) {
            ++sampled;
            return sample_features_one_by_one(windows, places, context);
          },
      .nearest =
          [&](const TpcfProblem& windows, const FeatureClasses& classes, Context& context) {
            ++classified;
            return texture::nearest_class_by(texture::plain_class_kernel(), windows, classes,
                                             context);
          }};
  Context context;
  Context other;
  QVERIFY(same_bits(tissue(problem, solvers, context), tissue(problem, {}, other)));
  QCOMPARE(sampled, 1);
  QCOMPARE(classified, 1);
}

void TestTissue::the_sample_stays_for_the_next_run() {
  test::RandomNumbers random(8);
  std::int64_t windows_sampled = 0;
  const TissueSolvers counting{.sample = [&](const TpcfProblem& windows,
                                             const std::vector<WindowPlace>& places,
                                             Context& context) {
    windows_sampled += std::ssize(places);
    return sample_features(windows, places, context);
  }};
  Context context;
  const auto on_its_own = [](const TissueProblem& problem) {
    Context own;
    return tissue(problem, {}, own);
  };
  TissueProblem problem = problem_of(random);
  for (const bool with_strokes : {false, true}) {
    if (with_strokes) problem.seeds = strokes(1, 2);
    for (const std::int64_t window : {kWindow, kWindow + 1, kWindow}) {
      problem.windows.window = window;
      QVERIFY(same_bits(tissue(problem, counting, context), on_its_own(problem)));
    }
  }
  // Another number of classes, or other strokes, need no new sample; another image does.
  windows_sampled = 0;
  problem.seeds.clear();
  problem.clusters = 3;
  QVERIFY(same_bits(tissue(problem, counting, context), on_its_own(problem)));
  QCOMPARE(windows_sampled, 0);
  problem.seeds = strokes(5, 9);
  QVERIFY(same_bits(tissue(problem, counting, context), on_its_own(problem)));
  QCOMPARE(windows_sampled, std::ssize(problem.seeds));
  problem.windows.phases = two_textures(random);
  QVERIFY(same_bits(tissue(problem, counting, context), on_its_own(problem)));
  QVERIFY(windows_sampled > 2 * std::ssize(problem.seeds));
}

void TestTissue::one_texture_has_one_label() {
  const TissueProblem problem{
      .windows = {.phases = test::picture(40, 30, std::vector<std::uint16_t>(1200, 1)),
                  .count = 1,
                  .window = 8},
      .seeds = {}};
  Context context;
  const Tissue result = tissue(problem, {}, context);
  QVERIFY(std::ranges::all_of(result.labels.labels(), [](std::uint16_t l) { return l == 1; }));
  QVERIFY(std::ranges::all_of(result.distance.voxels<float>(), [](float d) { return d < 1e-6F; }));
}

void TestTissue::looks_alike_where_the_texture_is_the_same() {
  test::RandomNumbers random(6);
  const LookAlikeProblem problem{.windows = problem_of(random).windows, .x = 24, .y = 50};
  Context context;
  const Volume distance = look_alike(problem, {}, context);
  const auto voxels = distance.voxels<float>();
  QCOMPARE(voxels[50 * kSide + 24], 0.0F);
  double means[2] = {};
  for (std::int64_t i = 0; i < kSide * kSide; ++i)
    means[i % kSide < kSide / 2 ? 0 : 1] += voxels[i];
  QVERIFY(means[1] > 2.0 * means[0]);
}

void TestTissue::a_part_has_the_bits_of_the_whole() {
  for (std::uint64_t number = 0; number < 200; ++number) {
    test::RandomNumbers random(100 + number);
    const std::int64_t window = 3 + random.below(10);
    const std::int64_t nx = window + 1 + random.below(50);
    const std::int64_t ny = window + 1 + random.below(50);
    const std::int64_t count = 1 + random.below(4);
    TissueProblem problem{.windows = {.phases = test::random_phases(random, nx, ny, count),
                                      .count = count,
                                      .window = window,
                                      .directions = 4},
                          .seeds = {},
                          .clusters = 1 + random.below(3),
                          .components = 2,
                          .majority_radius = random.below(6)};
    if (number % 2 == 1) problem.seeds = {{0, 7}, {nx * ny / 2, 3}, {nx * ny - 1, 3}};
    Box box;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::int64_t cells = axis == 0 ? nx : ny;
      box.lo[axis] = random.below(cells);
      box.hi[axis] = box.lo[axis] + 1 + random.below(cells - box.lo[axis]);
    }
    box.hi[2] = 1;
    Context context(Context::Settings{.threads = 1 + static_cast<int>(number % 3)});
    const Tissue whole = tissue(problem, {}, context);
    const Tissue part = tissue_in(box, problem, learn_tissue(problem, {}, context), {}, context);
    QVERIFY(same_bits(part, {crop(whole.labels, box), crop(whole.distance, box)}));
    QVERIFY(same_grid(part.labels.geometry(), crop(whole.labels.geometry(), box)));

    const LookAlikeProblem alike{
        .windows = problem.windows, .x = random.below(nx), .y = random.below(ny), .components = 2};
    const Volume distance = look_alike_in(box, alike, learn_place(alike, {}, context), {}, context);
    QVERIFY(
        std::ranges::equal(distance.bytes(), crop(look_alike(alike, {}, context), box).bytes()));
  }
}

void TestTissue::refuses_what_it_cannot_answer() {
  test::RandomNumbers random(7);
  TissueProblem problem = problem_of(random);
  Context context;
  problem.seeds = {{0, 5}, {9, 5}};
  QVERIFY_EXCEPTION_THROWN((void)tissue(problem, {}, context), InputError);
  problem.seeds.clear();
  problem.windows.window = 97;
  QVERIFY_EXCEPTION_THROWN((void)tissue(problem, {}, context), InputError);
  LookAlikeProblem alike{.windows = problem_of(random).windows, .x = kSide, .y = 0};
  QVERIFY_EXCEPTION_THROWN((void)look_alike(alike, {}, context), UsageError);
  alike.x = 0;
  alike.y = -1;
  QVERIFY_EXCEPTION_THROWN((void)look_alike(alike, {}, context), UsageError);
}

QTEST_GUILESS_MAIN(TestTissue)
#include "test_tissue.moc"
