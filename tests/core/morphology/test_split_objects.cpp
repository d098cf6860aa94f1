// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/regional_maxima.h"
#include "core/morphology/split_objects.h"
#include "tests/reference/distance.h"
#include "tests/reference/reconstruction.h"
#include "tests/reference/watershed.h"
#include "tests/support/counted_memory.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

const SplitSolvers& tiles() {
  static const SplitSolvers solvers{distance_map, reconstruct_by_tiles, watershed_by_tiles};
  return solvers;
}
const SplitSolvers& flood() {
  static const SplitSolvers solvers{distance_by_envelope, reconstruct_by_hybrid,
                                    watershed_by_flood};
  return solvers;
}

using Labels = std::vector<Label>;

Labels split(const SplitProblem& problem, const SplitSolvers& solvers, int threads = 1) {
  Context context(Context::Settings{.threads = threads});
  const LabelMap map = split_objects(problem, solvers, context);
  return {map.labels().begin(), map.labels().end()};
}

/// Returns an image of objects from rows of '#' and '.'.
SplitProblem picture(const std::vector<std::string>& rows, double h) {
  Geometry geometry;
  geometry.size = {static_cast<std::int64_t>(rows[0].size()), std::ssize(rows), 1};
  std::vector<std::uint8_t> voxels;
  for (const std::string& row : rows) {
    for (const char cell : row)
      voxels.push_back(cell == '#' ? 1 : 0);
  }
  SplitProblem problem;
  problem.objects = Volume(geometry, std::move(voxels));
  problem.h = h;
  return problem;
}

struct Disc {
  double x;
  double y;
  double radius;
};
SplitProblem discs(const std::vector<Disc>& all, double h, int width = 80, int height = 50) {
  Geometry geometry;
  geometry.size = {width, height, 1};
  std::vector<std::uint8_t> voxels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool inside = std::ranges::any_of(
          all, [&](const Disc& disc) { return std::hypot(x - disc.x, y - disc.y) <= disc.radius; });
      voxels.push_back(inside ? 255 : 0);
    }
  }
  SplitProblem problem;
  problem.objects = Volume(geometry, std::move(voxels));
  problem.h = h;
  return problem;
}
int count_of(const Labels& labels) {
  return *std::ranges::max_element(labels);
}

SplitProblem random_problem(std::uint64_t number, const Index3& longest) {
  test::RandomNumbers random(number);
  Geometry geometry;
  geometry.size = {1 + random.below(longest[0]), 1 + random.below(longest[1]),
                   1 + random.below(longest[2])};
  const std::int64_t one_in = random.of(std::array<std::int64_t, 3>{2, 6, 30});
  std::vector<std::uint8_t> voxels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i)
    voxels.push_back(random.below(one_in) == 0 ? 0
                                               : static_cast<std::uint8_t>(1 + random.below(9)));
  SplitProblem problem;
  problem.objects = Volume(geometry, std::move(voxels));
  problem.h = random.of(std::array{0.0, 0.5, 1.0, 3.0});
  problem.connectivity =
      geometry.size[2] == 1
          ? random.of(std::array{Connectivity::C4, Connectivity::C8})
          : random.of(std::array{Connectivity::C6, Connectivity::C18, Connectivity::C26});
  return problem;
}

std::vector<std::vector<std::int64_t>> neighbours_of(const Geometry& geometry,
                                                     Connectivity connectivity) {
  std::vector<std::vector<std::int64_t>> all;
  for (std::int64_t cell = 0; cell < geometry.voxel_count(); ++cell) {
    const Index3 at = geometry.index_of(cell);
    all.emplace_back();
    for (const NeighbourStep& step : neighbour_steps(connectivity)) {
      const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
      if (geometry.contains(to)) all.back().push_back(geometry.offset(to));
    }
  }
  return all;
}

/// Finds maxima plateau by plateau in raster order, each by flooding.
std::vector<std::uint32_t> maxima_by_flooding(const std::vector<double>& image,
                                              const Volume& objects, Connectivity connectivity) {
  const auto inside = objects.voxels<std::uint8_t>();
  const auto neighbours = neighbours_of(objects.geometry(), connectivity);
  std::vector<std::uint32_t> numbers(image.size(), NumberedMaxima::kNone);
  std::vector<char> seen(image.size());
  std::uint32_t count = 0;
  for (std::int64_t start = 0; start < std::ssize(image); ++start) {
    if (inside[start] == 0 || seen[start] != 0) continue;
    std::vector<std::int64_t> plateau{start};
    seen[start] = 1;
    bool highest = true;
    for (std::size_t i = 0; i < plateau.size(); ++i) {
      for (const std::int64_t to : neighbours[plateau[i]]) {
        if (inside[to] == 0) continue;
        highest = highest && image[to] <= image[start];
        if (image[to] != image[start] || seen[to] != 0) continue;
        seen[to] = 1;
        plateau.push_back(to);
      }
    }
    if (!highest) continue;
    ++count;
    for (const std::int64_t cell : plateau)
      numbers[cell] = count;
  }
  return numbers;
}

/// Performs every step by its definition.
Labels split_by_definition(const SplitProblem& problem) {
  const Geometry& geometry = problem.objects.geometry();
  const auto objects = problem.objects.voxels<std::uint8_t>();
  std::vector<std::int64_t> background;
  for (std::int64_t i = 0; i < std::ssize(objects); ++i)
    background.push_back(objects[i] == 0 ? i : -1);
  const auto nearest = reference::nearest_sources(background, geometry.size, {1, 1, 1});
  constexpr float kFar = std::numeric_limits<float>::infinity();
  std::vector<float> heights;
  std::vector<float> lowered;
  std::vector<float> valleys;
  std::vector<std::uint16_t> mask;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const float length =
        nearest[i].square < 0
            ? kFar
            : static_cast<float>(std::sqrt(static_cast<double>(nearest[i].square)));
    heights.push_back(objects[i] != 0 ? length : -kFar);
    lowered.push_back(heights.back() - static_cast<float>(problem.h));
    valleys.push_back(-length);
    mask.push_back(objects[i] != 0 ? 1 : 0);
  }
  const int connectivity = static_cast<int>(neighbour_steps(problem.connectivity).size());
  const std::vector<double> peaks = reference::reconstruction(
      Volume(geometry, lowered), Volume(geometry, heights), connectivity, false);
  Labels markers;
  for (const std::uint32_t number :
       maxima_by_flooding(peaks, problem.objects, problem.connectivity))
    markers.push_back(number);
  return reference::watershed(Volume(geometry, valleys), LabelMap(geometry, markers),
                              LabelMap(geometry, mask), connectivity)
      .labels;
}

}  // namespace

class TestSplitObjects : public QObject {
  Q_OBJECT
 private slots:
  void maxima_equal_flooding();
  void equals_the_definition();
  void solvers_and_threads_do_not_show();
  void batches_do_not_show();
  void objects_around_others_are_split_once();
  void numbers_more_objects_than_16_bits_hold();
  void parts_discs_that_touch();
  void parts_equal_discs_in_the_middle_data();
  void parts_equal_discs_in_the_middle();
  void h_decides_how_thin_a_neck_must_be();
  void every_object_keeps_a_label();
  void takes_the_extremes();
  void needs_little_memory_data();
  void needs_little_memory();
};

void TestSplitObjects::maxima_equal_flooding() {
  for (std::uint64_t number = 0; number < 300; ++number) {
    // Some with more rows than a strip.
    const SplitProblem problem =
        random_problem(number, number % 3 == 0 ? Index3{7, 300, 1} : Index3{9, 40, 6});
    test::RandomNumbers random(number);
    std::vector<std::uint8_t> image;
    for (std::int64_t i = 0; i < problem.objects.value_count(); ++i)
      image.push_back(static_cast<std::uint8_t>(random.below(1 + std::int64_t(number) % 4)));
    Context context(Context::Settings{.threads = 1 + static_cast<int>(number % 8)});
    const NumberedMaxima found = regional_maxima(Volume(problem.objects.geometry(), image),
                                                 problem.objects, problem.connectivity, context);
    const auto expected =
        maxima_by_flooding({image.begin(), image.end()}, problem.objects, problem.connectivity);
    QVERIFY2(found.numbers == expected, qPrintable(QStringLiteral("problem %1").arg(number)));
    QCOMPARE(found.count, *std::ranges::max_element(expected));
  }
}

void TestSplitObjects::equals_the_definition() {
  for (std::uint64_t number = 0; number < 400; ++number) {
    const SplitProblem problem =
        random_problem(number, number % 2 == 0 ? Index3{14, 14, 1} : Index3{7, 7, 5});
    const Labels expected = split_by_definition(problem);
    QVERIFY2(split(problem, tiles(), 1 + static_cast<int>(number % 8)) == expected,
             qPrintable(QStringLiteral("problem %1").arg(number)));
    QVERIFY2(split(problem, flood()) == expected,
             qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

void TestSplitObjects::solvers_and_threads_do_not_show() {
  for (std::uint64_t number = 0; number < 12; ++number) {
    const SplitProblem problem =
        random_problem(number, number % 2 == 0 ? Index3{300, 300, 1} : Index3{60, 50, 30});
    const Labels expected = split(problem, flood());
    for (const int threads : {1, 2, 5, 8})
      QVERIFY(split(problem, tiles(), threads) == expected);
  }
}

void TestSplitObjects::batches_do_not_show() {
  for (std::uint64_t number = 0; number < 1500; ++number) {
    const bool is_large = number % 10 == 0;
    const Index3 longest = number % 2 == 0 ? (is_large ? Index3{300, 200, 1} : Index3{40, 40, 1})
                                           : (is_large ? Index3{40, 30, 20} : Index3{12, 12, 9});
    const SplitProblem problem = random_problem(number, longest);
    test::RandomNumbers random(number);
    const std::int64_t side = 1 + random.below(is_large ? 70 : 12);
    Context context(Context::Settings{.threads = 1 + static_cast<int>(random.below(3))});
    const LabelMap map =
        split_objects_in_batches(problem, number % 3 == 0 ? flood() : tiles(), context, side);
    QVERIFY2(std::ranges::equal(map.labels(), split(problem, tiles())),
             qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

/// Rings around rings, whose boxes overlap: they go into one batch.
void TestSplitObjects::objects_around_others_are_split_once() {
  Geometry geometry;
  geometry.size = {121, 121, 1};
  SplitProblem problem;
  std::vector<std::uint8_t> voxels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const std::int64_t ring = std::max(std::abs(at[0] - 60), std::abs(at[1] - 60));
    voxels.push_back(ring % 6 < 4 ? 1 : 0);
  }
  problem.objects = Volume(geometry, std::move(voxels));
  const Labels expected = split(problem, tiles());
  for (const std::int64_t side : {1, 8, 50, 121}) {
    Context context(Context::Settings{.threads = 2});
    const LabelMap map = split_objects_in_batches(problem, tiles(), context, side);
    QVERIFY(std::ranges::equal(map.labels(), expected));
  }
}

void TestSplitObjects::numbers_more_objects_than_16_bits_hold() {
  constexpr std::int64_t kColumns = 300;
  SplitProblem problem;
  const Geometry geometry{.size = {2 * kColumns, 2 * kColumns, 1}};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  Labels expected(voxels.size());
  for (std::int64_t i = 0; i < kColumns * kColumns; ++i) {
    const auto cell =
        static_cast<std::size_t>(geometry.offset({2 * (i % kColumns), 2 * (i / kColumns), 0}));
    voxels[cell] = 1;
    expected[cell] = static_cast<Label>(i + 1);
  }
  problem.objects = Volume(geometry, std::move(voxels));
  QVERIFY(split(problem, tiles(), 2) == expected);
  QVERIFY(split(problem, flood()) == expected);
  Context context(Context::Settings{.threads = 2});
  QVERIFY(
      std::ranges::equal(split_objects_in_batches(problem, tiles(), context).labels(), expected));
}

void TestSplitObjects::parts_discs_that_touch() {
  const SplitProblem problem = discs({{20, 25, 12}, {40, 25, 12}, {65, 25, 9}}, 1.0);
  const Labels labels = split(problem, tiles());
  QCOMPARE(count_of(labels), 3);
  const auto at = [&](int x, int y) {
    return static_cast<int>(labels[static_cast<std::size_t>(x + 80 * y)]);
  };
  // Numbered by their centres, row by row, and separated half way.
  QVERIFY(at(20, 25) != at(40, 25) && at(40, 25) != at(65, 25) && at(20, 25) != at(65, 25));
  for (int y = 15; y <= 35; ++y) {
    for (int x = 0; x < 29; ++x)
      QVERIFY(at(x, y) == 0 || at(x, y) == at(20, 25));
    for (int x = 32; x < 53; ++x)
      QVERIFY(at(x, y) == 0 || at(x, y) == at(40, 25));
  }
}

void TestSplitObjects::parts_equal_discs_in_the_middle_data() {
  QTest::addColumn<int>("radius");
  QTest::addColumn<int>("apart");
  for (const auto& [radius, apart] : {std::pair{20, 29}, {30, 45}, {30, 44}, {40, 60}, {40, 61}})
    QTest::addRow("radius %d, %d apart", radius, apart) << radius << apart;
}

/// A middle column, if there is one, is equally near to both and belongs to the smaller label.
void TestSplitObjects::parts_equal_discs_in_the_middle() {
  QFETCH(int, radius);
  QFETCH(int, apart);
  const double left = radius + 4;
  const double right = left + apart;
  const int width = 2 * radius + apart + 9;
  for (const auto connectivity : {Connectivity::C4, Connectivity::C8}) {
    SplitProblem problem = discs({{left, left, double(radius)}, {right, left, double(radius)}}, 1.0,
                                 width, 2 * radius + 9);
    problem.connectivity = connectivity;
    for (const SplitSolvers* solvers : {&tiles(), &flood()}) {
      const Labels labels = split(problem, *solvers, 2);
      for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
        if (labels[static_cast<std::size_t>(i)] == 0) continue;
        QCOMPARE(static_cast<int>(labels[static_cast<std::size_t>(i)]),
                 2 * (i % width) < width ? 1 : 2);
      }
    }
  }
}

void TestSplitObjects::h_decides_how_thin_a_neck_must_be() {
  // The neck between discs of radius 12 at 20 cells is about 6.6 to each side: 5.4 deep.
  QCOMPARE(count_of(split(discs({{20, 25, 12}, {40, 25, 12}}, 5.0), tiles())), 2);
  QCOMPARE(count_of(split(discs({{20, 25, 12}, {40, 25, 12}}, 6.5), tiles())), 1);
  // A bar's distance has many equal peaks along its middle, but it is one object.
  QCOMPARE(
      count_of(split(picture({"........", ".######.", ".######.", ".######.", "........"}, 0.0),
                     tiles())),
      1);
}

void TestSplitObjects::every_object_keeps_a_label() {
  // A speck, a hair, a disc: h is far above the peaks of the first two.
  const Labels labels = split(discs({{5, 5, 0}, {60, 25, 15}, {10, 40, 1}}, 8.0), tiles());
  QCOMPARE(count_of(labels), 3);
  // Cells that touch only at corners are neighbours for 8, not for 4.
  SplitProblem corners = picture({"#.", ".#"}, 1.0);
  QCOMPARE(split(corners, tiles()), (Labels{1, 0, 0, 2}));
  corners.connectivity = Connectivity::C8;
  QCOMPARE(split(corners, tiles()), (Labels{1, 0, 0, 1}));
}

void TestSplitObjects::takes_the_extremes() {
  QCOMPARE(split(picture({"...", "..."}, 1.0), tiles()), Labels(6));
  QCOMPARE(split(picture({"###", "###"}, 1.0), tiles()), Labels(6, 1));  // infinitely far
  QCOMPARE(split(picture({"#"}, 0.0), tiles()), Labels{1});
}

void TestSplitObjects::needs_little_memory_data() {
  QTest::addColumn<Index3>("size");
  QTest::addColumn<double>("most");
  QTest::newRow("picture") << Index3{2048, 2048, 1} << 24.0;
  QTest::newRow("volume") << Index3{160, 160, 160} << 25.5;
}

/// Memory in addition to the objects. If kept to the end, the results of all steps would need 35
/// bytes per voxel.
void TestSplitObjects::needs_little_memory() {
  QFETCH(Index3, size);
  QFETCH(double, most);
  Geometry geometry;
  geometry.size = size;
  SplitProblem problem;
  problem.connectivity = size[2] > 1 ? Connectivity::C6 : Connectivity::C4;
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < voxels.size(); ++i) {  // touching balls of radius 12
    const auto [x, y, z] = geometry.index_of(static_cast<std::int64_t>(i));
    const auto off = [](std::int64_t at) { return static_cast<double>(at % 22 - 11); };
    voxels[i] = std::hypot(off(x), off(y), size[2] > 1 ? off(z) : 0.0) <= 12 ? 1 : 0;
  }
  problem.objects = Volume(geometry, std::move(voxels));
  Context context(Context::Settings{.threads = 1});
  const test::CountedMemory counted;
  (void)split_objects(problem, tiles(), context);
  const double each = double(counted.most()) / double(geometry.voxel_count());
  QVERIFY2(each <= most, qPrintable(QStringLiteral("%1 bytes a voxel").arg(each)));
  QVERIFY(each > most / 2);  // the counting works
}

QTEST_GUILESS_MAIN(TestSplitObjects)
#include "test_split_objects.moc"
