// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/io/image_source.h"
#include "core/morphology/distance.h"
#include "core/morphology/distance/kernel.h"
#include "tests/reference/distance.h"
#include "tests/support/random_numbers.h"
#include "tests/support/ranks_in_process.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <vector>

using namespace seedwave;
using test::RandomNumbers;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct NamedSolver {
  const char* name;
  DistanceMap (*solve)(const DistanceProblem&, Context&);
};
/// Every exact solver on the CPU.
DistanceMap by_plain_min_plus(const DistanceProblem& problem, Context& context) {
  return distance_by_min_plus(problem, distance::plain_kernel(), context);
}

constexpr std::array kSolvers{NamedSolver{"envelope", distance_by_envelope},
                              NamedSolver{"min-plus", distance_map},
                              NamedSolver{"min-plus without AVX2", by_plain_min_plus}};

struct NamedZonesSolver {
  const char* name;
  LabelMap (*solve)(const InfluenceZonesProblem&, Context&);
};
LabelMap zones_by_min_plus(const InfluenceZonesProblem& problem, Context& context) {
  return influence_zones_by_min_plus(problem, context);
}
LabelMap zones_by_plain_min_plus(const InfluenceZonesProblem& problem, Context& context) {
  return influence_zones_by_min_plus(problem, distance::plain_kernel(), context);
}
constexpr std::array kZonesSolvers{
    NamedZonesSolver{"envelope", influence_zones_by_envelope},
    NamedZonesSolver{"min-plus", zones_by_min_plus},
    NamedZonesSolver{"min-plus without AVX2", zones_by_plain_min_plus}};

Volume volume(const Index3& size, std::vector<std::uint8_t> voxels,
              const Vec3& spacing = {1, 1, 1}) {
  return Volume(Geometry{.size = size, .spacing = spacing}, std::move(voxels));
}

/// Returns a size of at most 2000 cells: lines and planes along any axis, odd ones, sizes around
/// 32. Some lines are long enough for columns to be divided into bands and for distances to exceed
/// the near range.
Index3 random_size(RandomNumbers& random) {
  constexpr std::array<std::int64_t, 17> kSides{1,  1,  2,  3,  5,  7,   8,   15,  17,
                                                31, 32, 33, 64, 70, 129, 300, 1000};
  for (;;) {
    const Index3 size{random.of(kSides), random.of(kSides), random.of(kSides)};
    if (size[0] * size[1] * size[2] <= 2000) return size;
  }
}

/// Returns objects with any amount of background: none, a few cells, half, or everything.
std::vector<std::uint8_t> random_objects(std::int64_t count, RandomNumbers& random) {
  constexpr std::array<std::int64_t, 6> kOneIn{1, 2, 3, 10, 100, 1000};
  const bool inverted = random.below(4) == 0;
  const std::int64_t one_in = random.of(kOneIn);
  std::vector<std::uint8_t> objects;
  for (std::int64_t i = 0; i < count; ++i) {
    const bool background = (random.below(one_in) == 0) != inverted;
    objects.push_back(background ? 0 : static_cast<std::uint8_t>(1 + random.below(255)));
  }
  return objects;
}

/// Returns equal spacings, integer multiples (many ties), or ordinary ones.
Vec3 random_spacing(RandomNumbers& random) {
  constexpr std::array<Vec3, 6> kSpacings{Vec3{1, 1, 1},   {0.7, 0.7, 0.7},       {1, 2, 3},
                                          {0.3, 0.1, 0.2}, {0.9375, 0.9375, 1.5}, {5, 0.5, 0.61}};
  return random.of(kSpacings);
}

std::array<std::int64_t, 3> whole(const Vec3& weights) {
  return {static_cast<std::int64_t>(weights[0]), static_cast<std::int64_t>(weights[1]),
          static_cast<std::int64_t>(weights[2])};
}

struct Expected {
  std::vector<float> lengths;
  std::vector<float> squares;
  std::vector<std::int32_t> voxels;
  std::vector<std::int32_t> nearest;
};

Expected by_definition(const DistanceProblem& problem) {
  std::vector<std::int64_t> names;
  for (const std::uint8_t object : problem.objects.voxels<std::uint8_t>())
    names.push_back(object == 0 ? static_cast<std::int64_t>(names.size()) : -1);
  Expected expected;
  for (const reference::Nearest& nearest : reference::nearest_sources(
           names, problem.objects.geometry().size, whole(problem.scale.weights))) {
    const double unit = problem.scale.unit;
    const auto square = static_cast<double>(nearest.square);
    const bool none = nearest.name < 0;
    expected.lengths.push_back(none ? kInfinity : static_cast<float>(unit * std::sqrt(square)));
    expected.squares.push_back(none ? kInfinity : static_cast<float>(unit * unit * square));
    expected.voxels.push_back(static_cast<std::int32_t>(nearest.square));
    expected.nearest.push_back(static_cast<std::int32_t>(nearest.name));
  }
  return expected;
}

template <typename T>
bool same(const Volume& volume, const std::vector<T>& expected) {
  const auto got = volume.voxels<T>();
  return std::equal(got.begin(), got.end(), expected.begin(), expected.end());
}

}  // namespace

class TestDistance : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void zones_equal_the_definition_data();
  void zones_equal_the_definition();
  void long_lines_equal_the_definition_data();
  void long_lines_equal_the_definition();
  void tall_images_equal_the_reference();
  void ranks_change_no_bit();
  void ranks_agree_that_squares_do_not_fit();
  void workers_change_no_bit();
  void a_part_begun_anew_finds_its_squares();
  void propagation_is_never_too_small();
  void propagation_is_never_too_small_however_it_is_divided();
  void propagation_by_one_worker_repeats_itself();
  void propagation_errs_as_in_the_paper();
  void is_zero_on_background_and_no_steeper_than_one();
  void equals_what_others_compute_data();
  void equals_what_others_compute();
  void lengths_are_those_of_the_spacing();
  void equal_spacings_tie_as_voxels_do();
  void refuses_what_does_not_fit();
  void stops_when_asked();
};

void TestDistance::equals_the_definition_data() {
  QTest::addColumn<int>("solver");
  QTest::addColumn<int>("threads");
  for (int solver = 0; solver < static_cast<int>(kSolvers.size()); ++solver) {
    for (const int threads : {1, 2, 3, 8})
      QTest::addRow("%s, %d threads", kSolvers[solver].name, threads) << solver << threads;
  }
}

void TestDistance::equals_the_definition() {
  QFETCH(int, solver);
  QFETCH(int, threads);
  constexpr std::uint64_t kCases = 250;
  for (std::uint64_t number = 0; number < kCases; ++number) {
    RandomNumbers random(number * 8 + static_cast<std::uint64_t>(threads));
    const Index3 size = random_size(random);
    DistanceProblem problem;
    problem.objects = volume(size, random_objects(size[0] * size[1] * size[2], random));
    problem.scale =
        random.below(2) == 0 ? voxel_scale() : spacing_scale(size, random_spacing(random));
    const Expected expected = by_definition(problem);
    const auto check = [&](DistanceForm form, NearestCells nearest, const auto& distances) {
      problem.form = form;
      problem.nearest = nearest;
      Context context(Context::Settings{.threads = threads, .layers = random.below(80)});
      const DistanceMap map = kSolvers[static_cast<std::size_t>(solver)].solve(problem, context);
      return same(map.distance, distances) &&
             map.nearest.empty() == (nearest == NearestCells::Skip) &&
             (map.nearest.empty() || same(map.nearest, expected.nearest));
    };
    bool right = check(DistanceForm::Length, NearestCells::Skip, expected.lengths) &&
                 check(DistanceForm::Length, NearestCells::Find, expected.lengths) &&
                 check(DistanceForm::Square, NearestCells::Skip, expected.squares);
    if (problem.scale.weights == voxel_scale().weights) {
      right = right && check(DistanceForm::SquareInVoxels, NearestCells::Skip, expected.voxels) &&
              check(DistanceForm::SquareInVoxels, NearestCells::Find, expected.voxels);
    }
    QVERIFY2(
        right,
        qPrintable(
            QString("case %1, %2").arg(number).arg(describe(problem.objects.geometry()).c_str())));
  }
}

namespace {

LabelMap in_smallest_type(const Geometry& grid, const std::vector<Label>& labels) {
  const Label most = *std::max_element(labels.begin(), labels.end());
  return make_labels(grid, most, [&]<typename T>(std::vector<T>& narrow) {
    std::transform(labels.begin(), labels.end(), narrow.begin(),
                   [](Label label) { return static_cast<T>(label); });
  });
}

}  // namespace

void TestDistance::zones_equal_the_definition_data() {
  QTest::addColumn<int>("solver");
  QTest::addColumn<int>("threads");
  for (int solver = 0; solver < static_cast<int>(kZonesSolvers.size()); ++solver) {
    for (const int threads : {1, 3})
      QTest::addRow("%s, %d threads", kZonesSolvers[solver].name, threads) << solver << threads;
  }
}

void TestDistance::zones_equal_the_definition() {
  QFETCH(int, solver);
  QFETCH(int, threads);
  constexpr std::uint64_t kCases = 250;
  for (std::uint64_t number = 0; number < kCases; ++number) {
    RandomNumbers random(number * 8 + static_cast<std::uint64_t>(threads));
    const Index3 size = random_size(random);
    const std::int64_t highest = random.of(std::array<std::int64_t, 3>{255, 65535, 4294967295});
    std::vector<Label> labels;
    std::vector<std::int64_t> names;
    for (const std::uint8_t object : random_objects(size[0] * size[1] * size[2], random)) {
      // Few labels, including the highest: the test looks for ties between them.
      const auto label = static_cast<Label>(object == 0 ? highest - random.below(4) * 3 : 0);
      labels.push_back(label);
      names.push_back(label == 0 ? -1 : std::int64_t{label});
    }
    const InfluenceZonesProblem problem{.labels = in_smallest_type(Geometry{.size = size}, labels),
                                        .scale = random.below(2) == 0
                                                     ? voxel_scale()
                                                     : spacing_scale(size, random_spacing(random))};
    Context context(Context::Settings{.threads = threads});
    const LabelMap zones = kZonesSolvers[static_cast<std::size_t>(solver)].solve(problem, context);
    const auto expected = reference::nearest_sources(names, size, whole(problem.scale.weights));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::int64_t label = std::max<std::int64_t>(expected[i].name, 0);
      QVERIFY2(zones.labels()[i] == label, qPrintable(QString("case %1").arg(number)));
    }
  }
}

void TestDistance::long_lines_equal_the_definition_data() {
  QTest::addColumn<QVector<int>>("size");
  QTest::addColumn<double>("spacing_x");
  // More rows than 16 bits count, and squares beyond i32 and, in volumes, beyond u16.
  for (const QVector<int>& size : {QVector<int>{70000, 2, 1},
                                   {2, 70000, 1},
                                   {2, 1, 70000},
                                   {32760, 1, 3},
                                   {40000, 3, 2},
                                   {300, 300, 3},
                                   {2, 400, 200},
                                   {257, 3, 300}}) {
    for (const double spacing_x : {1.0, 0.61}) {
      QTest::addRow("%dx%dx%d, %g", size[0], size[1], size[2], spacing_x) << size << spacing_x;
    }
  }
}

void TestDistance::long_lines_equal_the_definition() {
  QFETCH(QVector<int>, size);
  QFETCH(double, spacing_x);
  const Index3 n{size[0], size[1], size[2]};
  RandomNumbers random(11);
  for (const int sources : {1, 3}) {
    std::vector<std::uint8_t> objects(static_cast<std::size_t>(n[0] * n[1] * n[2]), 1);
    for (int i = 0; i < sources; ++i)
      objects[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(objects.size())))] =
          0;
    DistanceProblem problem;
    problem.objects = volume(n, objects);
    problem.scale = spacing_scale(n, {spacing_x, 1.0, 1.0});
    const Expected expected = by_definition(problem);
    for (const NamedSolver& solver : kSolvers) {
      for (const NearestCells nearest : {NearestCells::Skip, NearestCells::Find}) {
        problem.nearest = nearest;
        Context context(Context::Settings{.threads = 2});
        const DistanceMap map = solver.solve(problem, context);
        QVERIFY2(same(map.distance, expected.lengths), solver.name);
        QVERIFY2(map.nearest.empty() || same(map.nearest, expected.nearest), solver.name);
      }
    }
  }
}

void TestDistance::tall_images_equal_the_reference() {
  for (std::uint64_t number = 0; number < 60; ++number) {
    RandomNumbers random(number);
    const Index3 size{1 + random.below(4), 32700 + random.below(1 << random.below(16)), 1};
    DistanceProblem problem;
    problem.objects = volume(size, random_objects(size[0] * size[1], random));
    problem.scale = spacing_scale(size, random_spacing(random));
    problem.form = random.below(2) == 0 ? DistanceForm::Length : DistanceForm::Square;
    Context context(Context::Settings{.threads = 2, .layers = random.below(80)});
    const DistanceMap expected = distance_by_envelope(problem, context);
    const DistanceMap found = distance_map(problem, context);
    QVERIFY2(std::ranges::equal(found.distance.bytes(), expected.distance.bytes()),
             qPrintable(QString("case %1").arg(number)));
  }
}

namespace {

bool same_bits(const DistanceMap& a, const DistanceMap& b) {
  return std::ranges::equal(a.distance.bytes(), b.distance.bytes()) &&
         a.nearest.empty() == b.nearest.empty() &&
         (a.nearest.empty() || std::ranges::equal(a.nearest.bytes(), b.nearest.bytes()));
}

/// Returns whether the first rank gets the reference's distances and nearest voxels. Each has other
/// threads and layers.
bool is_equal_by_ranks(const DistanceProblem& problem, int count, std::uint64_t seed) {
  Context alone;
  const DistanceMap expected = distance_by_envelope(problem, alone);
  test::RanksInProcess all(count, std::chrono::microseconds(50), seed);
  bool equal = false;
  all.run([&](const std::shared_ptr<Ranks>& ranks) {
    Context context(
        {.threads = 1 + ranks->rank() % 3, .ranks = ranks, .layers = 1 + 9 * ranks->rank()});
    const DistanceMap map = distance_map(problem, context);
    if (ranks->rank() == 0) equal = same_bits(map, expected);
  });
  return equal;
}

/// Returns a problem whose rows and slices can be shared.
DistanceProblem random_problem(RandomNumbers& random) {
  const Index3 size = random_size(random);
  DistanceProblem problem;
  problem.objects = volume(size, random_objects(size[0] * size[1] * size[2], random));
  problem.scale =
      random.below(2) == 0 ? voxel_scale() : spacing_scale(size, random_spacing(random));
  problem.form = random.below(2) == 0 ? DistanceForm::Length : DistanceForm::Square;
  problem.nearest = random.below(2) == 0 ? NearestCells::Find : NearestCells::Skip;
  return problem;
}

/// The largest error of `iwpp-edt` that is allowed, in pixels.
constexpr double kMostTooLarge = 0.09;

/// Returns a small image, or one time in three a volume.
DistanceProblem propagation_problem(RandomNumbers& random) {
  const Index3 size = random.below(3) != 0 ? Index3{1 + random.below(150), 1 + random.below(150), 1}
                                           : Index3{1 + random.below(25), 1 + random.below(25),
                                                    1 + random.below(25)};
  DistanceProblem problem;
  problem.objects = volume(size, random_objects(size[0] * size[1] * size[2], random));
  problem.nearest = NearestCells::Find;
  return problem;
}

/// Figure 3: A, B, C around q; B is nearest, but its zone near q touches no neighbour of q.
DistanceProblem problem_of_the_paper() {
  constexpr std::int64_t kSide = 20;
  std::vector<std::uint8_t> objects(kSide * kSide, 1);
  for (const auto& [x, y] : {std::pair{1, 13}, {5, 12}, {7, 11}})
    objects[static_cast<std::size_t>(y * kSide + x)] = 0;
  DistanceProblem problem;
  problem.objects = volume({kSide, kSide, 1}, std::move(objects));
  problem.nearest = NearestCells::Find;
  return problem;
}

/// Counts what `iwpp-edt` finds beside the exact distances.
struct Propagated {
  int voxels = 0;
  int too_large = 0;
  int wrong = 0;  // too small, or of a voxel that is no background
  double worst = 0.0;

  void add(const DistanceProblem& problem, Context& context) {
    const DistanceMap found = distance_by_iwpp(problem, context);
    Context alone;
    const DistanceMap exact = distance_map(problem, alone);
    const auto lengths = found.distance.voxels<float>();
    const auto least = exact.distance.voxels<float>();
    const auto nearest = found.nearest.voxels<std::int32_t>();
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      ++voxels;
      const bool is_none = nearest[i] < 0;
      if (lengths[i] < least[i] || is_none != (lengths[i] == kInfinity)) ++wrong;
      if (is_none) continue;
      if (problem.objects.voxels<std::uint8_t>()[nearest[i]] != 0) ++wrong;
      too_large += lengths[i] > least[i] ? 1 : 0;
      worst = std::max(worst, static_cast<double>(lengths[i] - least[i]));
    }
  }
};

}  // namespace

/// Also more ranks than rows, and images of several bands.
void TestDistance::ranks_change_no_bit() {
  for (std::uint64_t number = 0; number < 300; ++number) {
    RandomNumbers random(number);
    const DistanceProblem problem = random_problem(random);
    const auto count = random.of(std::array{1, 2, 3, 5, 7});
    QVERIFY2(is_equal_by_ranks(problem, count, number),
             qPrintable(QString("case %1, %2 ranks").arg(number).arg(count)));
  }
}

/// 247^2 + 20^2 is a square that 16 bits hold, 247^2 + 21^2 is not. So the rows of some ranks fit.
void TestDistance::ranks_agree_that_squares_do_not_fit() {
  const Index3 size{40, 30, 248};
  std::vector<std::uint8_t> objects(static_cast<std::size_t>(size[0] * size[1] * size[2]), 1);
  std::fill_n(objects.begin(), size[0], std::uint8_t{0});
  DistanceProblem problem;
  problem.objects = volume(size, objects);
  for (const int count : {2, 3, 5})
    QVERIFY(is_equal_by_ranks(problem, count, 1));
}

void TestDistance::workers_change_no_bit() {
  for (std::uint64_t number = 0; number < 300; ++number) {
    RandomNumbers random(number);
    const DistanceProblem problem = random_problem(random);
    Context alone({.threads = 1});
    const DistanceMap expected = distance_by_min_plus(problem, alone);
    for (const std::size_t workers : {2, 3, 5}) {
      Context context({.workers = std::vector<Worker>(workers, {.device = kCpu, .threads = 2})});
      const DistanceMap got = distance_by_min_plus(problem, context);
      QVERIFY2(same_bits(got, expected),
               qPrintable(QString("case %1, %2 workers").arg(number).arg(workers)));
    }
  }
}

/// A worker fails at each of its looks whether it is to stop, one after the other: in parts of
/// several rows, of which it has finished some.
void TestDistance::a_part_begun_anew_finds_its_squares() {
  const Index3 size{70, 200, 6};
  RandomNumbers random(3);
  std::vector<std::uint8_t> objects(static_cast<std::size_t>(size[0] * size[1] * size[2]));
  for (std::uint8_t& object : objects)
    object = random.below(100) == 0 ? 0 : 1;
  DistanceProblem problem;
  problem.objects = volume(size, std::move(objects));
  Context alone({.threads = 1});
  const DistanceMap expected = distance_by_min_plus(problem, alone);
  int failed = 0;
  for (int last = 2; last < 300; last += 3) {
    std::atomic<int> looks = 0;
    Context context({.progress =
                         [&](const std::string&, double) {
                           if (++looks == last) throw UnavailableError("the device is full");
                         },
                     .workers = {{.device = kCpu}, {.device = kCpu}}});
    try {
      const DistanceMap got = distance_by_min_plus(problem, context);
      QVERIFY2(same_bits(got, expected), qPrintable(QString::number(last)));
    } catch (const UnavailableError&) {
      continue;  // between two passes, where nobody else can go on
    }
    for (const WorkDone& done : context.work_done())
      failed += done.failure.empty() ? 0 : 1;
  }
  QVERIFY(failed > 50);
}

void TestDistance::propagation_is_never_too_small() {
  Propagated all;
  for (std::uint64_t number = 0; number < 300; ++number) {
    RandomNumbers random(number);
    Context context;
    all.add(propagation_problem(random), context);
  }
  QCOMPARE(all.wrong, 0);
  QVERIFY2(all.worst < kMostTooLarge, qPrintable(QString::number(all.worst)));
}

/// Among workers, ranks whose messages take a while, and slabs of any thickness.
void TestDistance::propagation_is_never_too_small_however_it_is_divided() {
  Propagated all;
  for (std::uint64_t number = 0; number < 300; ++number) {
    RandomNumbers random(number);
    const DistanceProblem problem = propagation_problem(random);
    const std::int64_t layers = random.below(12);
    const std::vector<Worker> workers(static_cast<std::size_t>(random.below(4)));
    const int count = random.of(std::array{1, 2, 3, 5});
    if (count == 1) {
      Context context({.workers = workers, .layers = layers});
      all.add(problem, context);
      continue;
    }
    test::RanksInProcess ranks(count, std::chrono::microseconds(random.below(2) * 500), number);
    ranks.run([&](const std::shared_ptr<Ranks>& each) {
      Context context({.workers = workers, .ranks = each, .layers = layers});
      if (each->rank() == 0) {
        all.add(problem, context);
      } else {
        QVERIFY_THROWS_EXCEPTION(LeftToFirst,
                                 static_cast<void>(distance_by_iwpp(problem, context)));
      }
    });
  }
  const DistanceProblem of_the_paper = problem_of_the_paper();
  for (std::int64_t layers = 1; layers <= 20; ++layers) {
    Context context({.workers = std::vector<Worker>(2), .layers = layers});
    all.add(of_the_paper, context);
  }
  QVERIFY(all.too_large > 0);
  QCOMPARE(all.wrong, 0);
  QVERIFY2(all.worst < kMostTooLarge, qPrintable(QString::number(all.worst)));
  qInfo("%d of %d voxels are too large, by at most %.4f", all.too_large, all.voxels, all.worst);
}

void TestDistance::propagation_by_one_worker_repeats_itself() {
  for (std::uint64_t number = 0; number < 50; ++number) {
    RandomNumbers random(number);
    const DistanceProblem problem = propagation_problem(random);
    const std::int64_t layers = 1 + random.below(12);
    Context first({.threads = 1, .layers = layers});
    Context second({.threads = 4, .layers = layers});
    QVERIFY(same_bits(distance_by_iwpp(problem, first), distance_by_iwpp(problem, second)));
  }
}

void TestDistance::propagation_errs_as_in_the_paper() {
  const DistanceProblem problem = problem_of_the_paper();
  Context context;
  QCOMPARE(distance_map(problem, context).distance.voxels<float>()[0], 13.0F);
  QCOMPARE(distance_by_iwpp(problem, context).distance.voxels<float>()[0], std::sqrt(170.0F));
}

void TestDistance::is_zero_on_background_and_no_steeper_than_one() {
  // Properties of the definition, at sizes that brute force cannot reach.
  const Index3 size{700, 450, 3};
  RandomNumbers random(5);
  std::vector<std::uint8_t> objects;
  for (std::int64_t i = 0; i < size[0] * size[1] * size[2]; ++i)
    objects.push_back(random.below(20000) == 0 ? 0 : 1);
  DistanceProblem problem;
  problem.objects = volume(size, objects);
  for (const Vec3& spacing : {Vec3{1, 1, 1}, {0.5, 0.61, 5}}) {
    problem.scale = spacing_scale(size, spacing);
    Context context(Context::Settings{.threads = 2});
    const DistanceMap map = distance_map(problem, context);
    const auto lengths = map.distance.voxels<float>();
    const std::array<std::int64_t, 3> steps{1, size[0], size[0] * size[1]};
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(lengths.size()); ++i) {
      QVERIFY((lengths[i] == 0.0F) == (objects[i] == 0));
      const Index3 at{i % size[0], i / size[0] % size[1], i / steps[2]};
      for (int axis = 0; axis < 3; ++axis) {
        if (at[axis] + 1 == size[axis]) continue;
        const double rise = std::abs(lengths[i] - lengths[i + steps[axis]]);
        QVERIFY(rise <= spacing[axis] * (1.0 + 1e-4));
      }
    }
  }
}

void TestDistance::equals_what_others_compute_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("digest");
  // XXH64 of the squares (i32, x fastest) that SciPy 1.17.1's distance_transform_edt finds, by the
  // indices that it returns.
  QTest::newRow("P1") << "P1_nuclei_glands/nuclei_mask.png"
                      << "xxh64:df7ed3e1848907d0";
  QTest::newRow("P2") << "P2_nuclei_dense/nuclei_mask.png"
                      << "xxh64:0a79b0a65b04f0bd";
  QTest::newRow("P4") << "P4_nuclei_aligned/nuclei_mask.png"
                      << "xxh64:8244070bd574dc9f";
  QTest::newRow("B1") << "B1_itksnap_brain/MRIcrop-seg.nii.gz"
                      << "xxh64:50d63089cd00a796";
  QTest::newRow("R1") << "R1_ct_aorta/label_aorta.nii.gz"
                      << "xxh64:23484ab2ff93b2a6";
}

void TestDistance::equals_what_others_compute() {
  QFETCH(QString, file);
  QFETCH(QString, digest);
  const std::filesystem::path path = test::test_data(file.toStdString());
  SEEDWAVE_NEED_DATA(path);
  Context context;
  DistanceProblem problem;
  problem.objects = objects_of(io::load_path(path.string(), "", context).volume, context);
  problem.form = DistanceForm::SquareInVoxels;
  for (const NamedSolver& solver : kSolvers)
    QCOMPARE(QString::fromStdString(xxh64_digest(solver.solve(problem, context).distance.bytes())),
             digest);
}

void TestDistance::lengths_are_those_of_the_spacing() {
  // Compared with f64 without weights: the error is that of spacing_scale(), plus f64's own
  // rounding.
  for (const Index3& size : {Index3{4096, 4096, 1}, {512, 512, 192}, {8192, 3, 1}, {7, 5, 3}}) {
    for (const Vec3& spacing : {Vec3{1, 1, 1},
                                {0.7, 0.7, 0.7},
                                {0.9375, 0.9375, 1.5},
                                {5, 0.5, 0.61},
                                {0.3, 0.1, 0.2},
                                {0.01, 0.0101, 7.0}}) {
      const DistanceScale scale = spacing_scale(size, spacing);
      const double smallest = std::min({spacing[0], spacing[1], spacing[2]});
      double diagonal = 0.0;
      for (int axis = 0; axis < 3; ++axis)
        diagonal += std::pow(static_cast<double>(size[axis]) * spacing[axis] / smallest, 2);
      RandomNumbers random(7);
      double worst = 0.0;
      for (int i = 0; i < 1000; ++i) {
        double square = 0.0;
        double expected = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
          const auto apart = static_cast<double>(random.below(size[axis]));
          square += apart * apart * scale.weights[axis];
          expected += apart * spacing[axis] * (apart * spacing[axis]);
        }
        QVERIFY(square < 9007199254740992.0 && square == std::floor(square));
        expected = std::sqrt(expected);
        if (expected == 0.0) continue;
        worst = std::max(worst, std::abs(scale.unit * std::sqrt(square) - expected) / expected);
      }
      QVERIFY2(worst < std::ldexp(diagonal + 8.0, -53), qPrintable(QString::number(worst)));
    }
  }
}

void TestDistance::equal_spacings_tie_as_voxels_do() {
  const DistanceScale scale = spacing_scale({9, 9, 1}, {0.7, 0.7, 5.0});
  QCOMPARE(scale.weights, (Vec3{1, 1, 1}));
  QCOMPARE(scale.unit, 0.7);
  // Three steps of 0.1 equal one of 0.3, although 0.3 / 0.1 is not 3 in f64.
  const DistanceScale thirds = spacing_scale({9, 9, 1}, {0.3, 0.1, 1.0});
  QCOMPARE(thirds.weights[0], 9 * thirds.weights[1]);
}

void TestDistance::refuses_what_does_not_fit() {
  const Geometry ordinary{.size = {4096, 4096, 1}};
  check_distance_fits(ordinary, DistanceForm::SquareInVoxels, NearestCells::Find);
  // 32768^2 + 32768^2 = 2^31.
  check_distance_fits(Geometry{.size = {32768, 32767, 1}}, DistanceForm::SquareInVoxels,
                      NearestCells::Skip);
  QVERIFY_EXCEPTION_THROWN(check_distance_fits(Geometry{.size = {32768, 32768, 1}},
                                               DistanceForm::SquareInVoxels, NearestCells::Skip),
                           InputError);
  const Geometry large{.size = {65536, 65536, 1}};
  check_distance_fits(large, DistanceForm::Length, NearestCells::Skip);
  QVERIFY_EXCEPTION_THROWN(
      check_distance_fits(large, DistanceForm::SquareInVoxels, NearestCells::Skip), InputError);
  QVERIFY_EXCEPTION_THROWN(check_distance_fits(large, DistanceForm::Length, NearestCells::Find),
                           InputError);
  QVERIFY_EXCEPTION_THROWN(static_cast<void>(spacing_scale({9, 9, 1}, {1e-9, 1e9, 1})), InputError);
  Context context;
  const Volume with_nan(Geometry{.size = {2, 1, 1}},
                        std::vector<float>{1.0F, std::numeric_limits<float>::quiet_NaN()});
  QVERIFY_EXCEPTION_THROWN(static_cast<void>(objects_of(with_nan, context)), InputError);
}

void TestDistance::stops_when_asked() {
  // Immediately, and in the middle of each pass.
  for (const NamedSolver& solver : kSolvers) {
    for (const NearestCells nearest : {NearestCells::Skip, NearestCells::Find}) {
      for (const int after : {0, 5, 400}) {
        for (const int threads : {1, 3}) {
          std::stop_source stop;
          if (after == 0) stop.request_stop();
          std::atomic<int> reports = 0;
          Context context(Context::Settings{.stop = stop.get_token(),
                                            .progress =
                                                [&](const std::string&, double) {
                                                  if (++reports == after) stop.request_stop();
                                                },
                                            .threads = threads});
          DistanceProblem problem;
          problem.objects = volume({64, 320, 31}, std::vector<std::uint8_t>(64 * 320 * 31, 1));
          problem.nearest = nearest;
          QVERIFY_EXCEPTION_THROWN(static_cast<void>(solver.solve(problem, context)), Cancelled);
          QVERIFY(reports <= after + threads);
        }
      }
    }
  }
}

QTEST_GUILESS_MAIN(TestDistance)
#include "test_distance.moc"
