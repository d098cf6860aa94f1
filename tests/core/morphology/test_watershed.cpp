// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/watershed.h"
#include "core/wavefront/ordered_cells.h"
#include "core/wavefront/rule_tiles.h"
#include "core/wavefront/watershed_rules.h"
#include "tests/reference/watershed.h"
#include "tests/support/random_numbers.h"
#include "tests/support/type_rows.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using Labels = std::vector<Label>;

Labels labels_of(const LabelMap& map) {
  return {map.labels().begin(), map.labels().end()};
}
Labels by_tiles(const WatershedProblem& problem, Context& context) {
  return labels_of(watershed_by_tiles(problem, context));
}
Labels by_flood(const WatershedProblem& problem, Context& context) {
  return labels_of(watershed_by_flood(problem, context));
}

const std::map<std::string, Labels (*)(const WatershedProblem&, Context&)>& solvers() {
  static const std::map<std::string, Labels (*)(const WatershedProblem&, Context&)> all{
      {"tiles", by_tiles}, {"flood", by_flood}};
  return all;
}

bool is_planar(Connectivity connectivity) {
  return connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
}

template <typename T>
Volume random_volume(test::RandomNumbers& random, const Geometry& geometry, std::int64_t levels,
                     T step) {
  std::vector<T> voxels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const std::int64_t level = random.below(levels) - (std::is_signed_v<T> ? levels / 2 : 0);
    // The limits of the type are ordinary values.
    T voxel = static_cast<T>(static_cast<T>(level) * step);
    if (random.below(50) == 0) voxel = std::numeric_limits<T>::max();
    if (random.below(50) == 0) voxel = std::numeric_limits<T>::lowest();
    voxels.push_back(voxel);
  }
  return Volume(geometry, std::move(voxels));
}

Volume random_volume(test::RandomNumbers& random, const Geometry& geometry, VoxelType type) {
  const std::int64_t levels = random.of(std::array<std::int64_t, 4>{1, 3, 20, 250});
  switch (type) {
    case VoxelType::U8:
      return random_volume<std::uint8_t>(random, geometry, levels, 1);
    case VoxelType::I16:
      return random_volume<std::int16_t>(random, geometry, levels, 100);
    case VoxelType::U16:
      return random_volume<std::uint16_t>(random, geometry, levels, 200);
    case VoxelType::I32:
      return random_volume<std::int32_t>(random, geometry, levels, 4000000);
    default:
      break;
  }
  return random_volume<float>(random, geometry, levels, 0.25F);
}

LabelMap random_labels(test::RandomNumbers& random, const Geometry& geometry, std::int64_t labels,
                       std::int64_t one_in) {
  std::vector<std::uint16_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::uint16_t& voxel : voxels) {
    if (random.below(one_in) == 0) voxel = static_cast<std::uint16_t>(1 + random.below(labels));
  }
  return LabelMap(geometry, std::move(voxels));
}

/// 32-bit labels of which some share their upper half, and some their lower half.
LabelMap random_wide_labels(test::RandomNumbers& random, const Geometry& geometry,
                            std::int64_t one_in) {
  constexpr std::array<Label, 10> kLabels{1,      2,      65535,      65536,      65537,
                                          131071, 131072, 2147483648, 4294967294, 4294967295};
  Labels voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (Label& voxel : voxels) {
    if (random.below(one_in) == 0) voxel = random.of(kLabels);
  }
  return LabelMap(geometry, std::move(voxels));
}

WatershedProblem random_problem(std::uint64_t number, VoxelType type, Connectivity connectivity,
                                const Index3& longest) {
  test::RandomNumbers random(number);
  Geometry geometry;
  geometry.size = {1 + random.below(longest[0]), 1 + random.below(longest[1]),
                   1 + random.below(longest[2])};
  const std::int64_t one_in = random.of(std::array<std::int64_t, 3>{2, 8, 60});
  WatershedProblem problem;
  problem.connectivity = connectivity;
  problem.image = random_volume(random, geometry, type);
  switch (random.below(3)) {
    case 0:
      problem.markers = random_labels(random, geometry, 3, one_in);
      break;
    case 1:
      problem.markers = random_labels(random, geometry, 65535, one_in);
      break;
    default:
      problem.markers = random_wide_labels(random, geometry, one_in);
  }
  if (random.below(2) == 0) {
    std::vector<std::uint16_t> mask(static_cast<std::size_t>(geometry.voxel_count()));
    for (std::uint16_t& voxel : mask)
      voxel = random.below(4) == 0 ? 0 : 7;
    problem.mask = LabelMap(geometry, std::move(mask));
  }
  return problem;
}

template <typename T>
Volume line(std::vector<T> voxels) {
  Geometry geometry;
  geometry.size = {std::ssize(voxels), 1, 1};
  return Volume(geometry, std::move(voxels));
}
LabelMap label_line(std::vector<std::uint16_t> labels) {
  Geometry geometry;
  geometry.size = {std::ssize(labels), 1, 1};
  return LabelMap(geometry, std::move(labels));
}

/// Returns pairs of neighbours, each once.
std::vector<std::pair<std::int64_t, std::int64_t>> neighbour_pairs(
    const WatershedProblem& problem) {
  const Geometry& geometry = problem.image.geometry();
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::int64_t cell = 0; cell < geometry.voxel_count(); ++cell) {
    const Index3 at = geometry.index_of(cell);
    for (const NeighbourStep& step : neighbour_steps(problem.connectivity)) {
      const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
      if (geometry.contains(to) && geometry.offset(to) > cell) {
        pairs.emplace_back(cell, geometry.offset(to));
      }
    }
  }
  return pairs;
}

}  // namespace

class TestWatershed : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void tiles_equal_flood_data();
  void tiles_equal_flood();
  void equals_other_programs_but_for_ties();
  void altitudes_are_the_lowest_passes();
  void numbers_of_markers_decide_ties_alone_data();
  void numbers_of_markers_decide_ties_alone();
  void turned_images_give_turned_labels();
  void basins_hang_together();
  void shares_a_plateau_by_hops_and_ties_by_label();
  void markers_keep_their_labels();
  void walls_of_the_mask_keep_the_water_out();
  void takes_the_ends_of_a_type();
  void counts_hops_beyond_sixteen_bits();
  void rows_of_a_power_of_two();
  void lines_part_all_basins();
  void refuses_what_does_not_fit();
  void stops_when_asked();
};

void TestWatershed::equals_the_definition_data() {
  QTest::addColumn<QString>("solver");
  QTest::addColumn<int>("type");
  QTest::addColumn<int>("connectivity");
  for (const auto& [name, solver] : solvers()) {
    for (const VoxelType type : kVoxelTypes) {
      for (const int connectivity : {4, 8, 6, 18, 26}) {
        QTest::addRow("%s, %s, %d neighbours", name.c_str(), std::string(name_of(type)).c_str(),
                      connectivity)
            << QString::fromStdString(name) << static_cast<int>(type) << connectivity;
      }
    }
  }
}

void TestWatershed::equals_the_definition() {
  QFETCH(QString, solver);
  QFETCH(int, type);
  QFETCH(int, connectivity);
  const auto neighbours = static_cast<Connectivity>(connectivity);
  const Index3 longest = is_planar(neighbours) ? Index3{13, 13, 2} : Index3{7, 7, 5};
  for (std::uint64_t number = 0; number < 100; ++number) {
    const WatershedProblem problem =
        random_problem(number, static_cast<VoxelType>(type), neighbours, longest);
    Context context(Context::Settings{.threads = 1 + static_cast<int>(number % 8)});
    QVERIFY2(
        solvers().at(solver.toStdString())(problem, context) ==
            reference::watershed(problem.image, problem.markers, problem.mask, connectivity).labels,
        qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

void TestWatershed::tiles_equal_flood_data() {
  test::add_type_rows();
}

/// Several tiles each way, none of them whole at the far ends.
void TestWatershed::tiles_equal_flood() {
  QFETCH(int, type);
  QFETCH(int, connectivity);
  const auto neighbours = static_cast<Connectivity>(connectivity);
  const Index3 longest = is_planar(neighbours) ? Index3{300, 200, 2} : Index3{70, 50, 20};
  for (std::uint64_t number = 0; number < 12; ++number) {
    const WatershedProblem problem =
        random_problem(number, static_cast<VoxelType>(type), neighbours, longest);
    Context one;
    Context several(Context::Settings{.threads = 1 + static_cast<int>(number % 8)});
    QVERIFY2(by_tiles(problem, several) == by_flood(problem, one),
             qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

/// Labels of ITK and scikit-image (made by tests/oracles/watershed.py). If no two values are equal,
/// ours are the same. Otherwise theirs are among those that arrive, by the definition.
void TestWatershed::equals_other_programs_but_for_ties() {
  std::ifstream file(SEEDWAVE_ORACLES "/watershed.json");
  QVERIFY2(file, SEEDWAVE_ORACLES);
  int compared = 0;
  for (const nlohmann::json& one : nlohmann::json::parse(file)) {
    const auto size = one.at("size").get<std::vector<std::int64_t>>();
    Geometry geometry;
    geometry.size = {size[0], size[1], size.size() == 3 ? size[2] : 1};
    WatershedProblem problem;
    problem.connectivity = static_cast<Connectivity>(one.at("connectivity").get<int>());
    problem.image = Volume(geometry, one.at("image").get<std::vector<std::int32_t>>());
    problem.markers = LabelMap(geometry, one.at("markers").get<std::vector<std::uint16_t>>());
    problem.mask = LabelMap(geometry, one.at("mask").get<std::vector<std::uint16_t>>());
    const auto defined = reference::watershed(problem.image, problem.markers, problem.mask,
                                              one.at("connectivity").get<int>());
    for (const auto& [name, solve] : solvers()) {
      Context context(Context::Settings{.threads = 2});
      const Labels ours = solve(problem, context);
      for (const char* program : {"scikit-image", "ITK"}) {
        if (!one.contains(program)) continue;
        const auto theirs = one.at(program).get<Labels>();
        if (one.at("distinct").get<bool>()) QCOMPARE(ours, theirs);
        for (std::size_t i = 0; i < theirs.size(); ++i) {
          QVERIFY(theirs[i] == 0 ? defined.arriving[i].empty()
                                 : defined.arriving[i].contains(theirs[i]));
          ++compared;
        }
      }
    }
  }
  QVERIFY(compared > 10000);
}

/// Computed by joining the edges of the graph in ascending order, and by the rule that CUDA runs
/// too.
void TestWatershed::altitudes_are_the_lowest_passes() {
  for (std::uint64_t number = 0; number < 200; ++number) {
    const WatershedProblem problem =
        random_problem(number, VoxelType::U8, Connectivity::C8, {40, 30, 1});
    const auto f = problem.image.voxels<std::uint8_t>();
    const auto outside = [&](std::int64_t cell) {
      return !problem.mask.empty() && problem.mask.labels()[cell] == 0;
    };
    std::vector<std::int64_t> parents(f.size());
    std::iota(parents.begin(), parents.end(), 0);
    const auto root = [&](std::int64_t cell) {
      while (parents[cell] != cell)
        cell = parents[cell] = parents[parents[cell]];
      return cell;
    };
    std::vector<char> has_marker(f.size());
    for (std::size_t i = 0; i < f.size(); ++i)
      has_marker[i] = problem.markers.labels()[i] != 0 && !outside(std::int64_t(i)) ? 1 : 0;
    auto pairs = neighbour_pairs(problem);
    const auto height = [&](const auto& pair) { return std::max(f[pair.first], f[pair.second]); };
    std::ranges::stable_sort(pairs, {}, height);
    std::vector<int> passes(f.size(), 255);
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (has_marker[i] != 0) passes[i] = f[i];
    }
    // The water reaches all of a component at once when it joins one with a marker, whose label it
    // then has. A marker in the component sets its height, so the markers' own values are levels
    // too.
    for (int level = 0; level < 256; ++level) {
      for (const auto& pair : pairs) {
        if (height(pair) == level && !outside(pair.first) && !outside(pair.second)) {
          parents[root(pair.first)] = root(pair.second);
        }
      }
      std::vector<char> wet(f.size());
      for (std::size_t i = 0; i < f.size(); ++i) {
        if (has_marker[i] != 0 && f[i] <= level) wet[root(std::int64_t(i))] = 1;
      }
      for (std::size_t i = 0; i < f.size(); ++i) {
        if (f[i] <= level && wet[root(std::int64_t(i))] != 0) {
          passes[i] = std::min(passes[i], level);
        }
      }
    }
    std::vector<std::uint8_t> start(f.size(), 255);
    std::vector<std::uint8_t> takes(f.size());
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (has_marker[i] != 0) start[i] = f[i];
      takes[i] = has_marker[i] == 0 && !outside(std::int64_t(i)) ? 1 : 0;
    }
    Context context(Context::Settings{.threads = 1 + static_cast<int>(number % 8)});
    run_rule(AltitudeRule<std::uint8_t>{f.data(), takes.data()},
             TileGrid(problem.image.geometry().size, 8, 1), problem.connectivity, std::span(start),
             context);
    const auto defined =
        reference::watershed(problem.image, problem.markers, problem.mask, 8).altitudes;
    for (std::size_t i = 0; i < f.size(); ++i) {
      QCOMPARE(int{start[i]}, passes[i]);
      QCOMPARE(std::min(defined[i], 255.0), static_cast<double>(passes[i]));
    }
  }
}

void TestWatershed::numbers_of_markers_decide_ties_alone_data() {
  QTest::addColumn<int>("connectivity");
  for (const int connectivity : {4, 8, 6, 18, 26})
    QTest::addRow("%d neighbours", connectivity) << connectivity;
}

/// With other numbers for the same markers only cells that several labels reach change: none if all
/// values differ.
void TestWatershed::numbers_of_markers_decide_ties_alone() {
  QFETCH(int, connectivity);
  const auto neighbours = static_cast<Connectivity>(connectivity);
  const Index3 longest = is_planar(neighbours) ? Index3{20, 20, 1} : Index3{9, 9, 6};
  std::int64_t tied = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    test::RandomNumbers random(number);
    WatershedProblem problem = random_problem(number, VoxelType::U8, neighbours, longest);
    const Geometry& geometry = problem.image.geometry();
    const bool distinct = number % 2 == 0;
    if (distinct) {
      std::vector<std::int32_t> values(static_cast<std::size_t>(geometry.voxel_count()));
      std::iota(values.begin(), values.end(), -100);
      for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[static_cast<std::size_t>(random.below(std::int64_t(i)))]);
      problem.image = Volume(geometry, std::move(values));
    }
    problem.markers = random_labels(random, geometry, 9, 12);
    std::array<std::uint16_t, 10> renumbered{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (std::int64_t i = 9; i > 1; --i)
      std::swap(renumbered[static_cast<std::size_t>(i)],
                renumbered[static_cast<std::size_t>(1 + random.below(i))]);
    WatershedProblem other = problem;
    std::vector<std::uint16_t> markers;
    for (const Label marker : problem.markers.labels())
      markers.push_back(renumbered[marker]);
    other.markers = LabelMap(geometry, std::move(markers));
    const auto defined =
        reference::watershed(problem.image, problem.markers, problem.mask, connectivity);
    for (const auto& [name, solve] : solvers()) {
      Context context(Context::Settings{.threads = 1 + static_cast<int>(number % 4)});
      const Labels labels = solve(problem, context);
      const Labels others = solve(other, context);
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const bool may_differ = defined.arriving[i].size() > 1;
        QVERIFY(!may_differ || !distinct);
        tied += may_differ ? 1 : 0;
        QVERIFY2(may_differ || others[i] == renumbered[labels[i]],
                 qPrintable(QStringLiteral("problem %1, cell %2").arg(number).arg(i)));
      }
    }
  }
  QVERIFY(tied > 0);
}

/// Mirrored along x, and with x and y swapped: labels do not depend on the order of cells.
void TestWatershed::turned_images_give_turned_labels() {
  for (const auto connectivity : {Connectivity::C4, Connectivity::C8, Connectivity::C26}) {
    for (std::uint64_t number = 0; number < 30; ++number) {
      const Index3 longest = is_planar(connectivity) ? Index3{150, 90, 1} : Index3{30, 25, 6};
      const WatershedProblem problem = random_problem(number, VoxelType::U8, connectivity, longest);
      const Geometry& geometry = problem.image.geometry();
      const Index3 size = geometry.size;
      for (const bool mirror : {true, false}) {
        Geometry turned;
        turned.size = mirror ? size : Index3{size[1], size[0], size[2]};
        const auto turn = [&](const auto& cells) {
          std::vector<std::decay_t<decltype(cells[0])>> result(cells.size());
          for (std::int64_t i = 0; i < std::ssize(cells); ++i) {
            const Index3 at = geometry.index_of(i);
            const Index3 to =
                mirror ? Index3{size[0] - 1 - at[0], at[1], at[2]} : Index3{at[1], at[0], at[2]};
            result[static_cast<std::size_t>(turned.offset(to))] =
                cells[static_cast<std::size_t>(i)];
          }
          return result;
        };
        WatershedProblem other;
        other.connectivity = connectivity;
        other.image = Volume(turned, turn(problem.image.voxels<std::uint8_t>()));
        other.markers = LabelMap(turned, turn(problem.markers.labels()));
        if (!problem.mask.empty()) other.mask = LabelMap(turned, turn(problem.mask.labels()));
        for (const auto& [name, solve] : solvers()) {
          Context context(Context::Settings{.threads = 2});
          QVERIFY(solve(other, context) == turn(solve(problem, context)));
        }
      }
    }
  }
}

/// Every cell of a basin is connected to a marker of its label within the basin.
void TestWatershed::basins_hang_together() {
  for (std::uint64_t number = 0; number < 40; ++number) {
    const WatershedProblem problem =
        random_problem(number, VoxelType::U16, Connectivity::C6, {30, 20, 9});
    Context context;
    const Labels labels = by_tiles(problem, context);
    std::vector<char> joined(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i)
      joined[i] = labels[i] != 0 && problem.markers.labels()[i] == labels[i] ? 1 : 0;
    const auto pairs = neighbour_pairs(problem);
    for (bool more = true; more;) {
      more = false;
      for (const auto& [a, b] : pairs) {
        if (labels[a] != labels[b] || joined[a] == joined[b]) continue;
        joined[a] = joined[b] = 1;
        more = true;
      }
    }
    for (std::size_t i = 0; i < labels.size(); ++i)
      QCOMPARE(joined[i] != 0, labels[i] != 0);
  }
}

void TestWatershed::shares_a_plateau_by_hops_and_ties_by_label() {
  for (const auto& [name, solve] : solvers()) {
    Context context;
    WatershedProblem problem;
    problem.image = line<std::uint8_t>({1, 5, 5, 5, 5, 5, 5, 5, 2});
    problem.markers = label_line({9, 0, 0, 0, 0, 0, 0, 0, 4});
    QCOMPARE(solve(problem, context), (Labels{9, 9, 9, 9, 4, 4, 4, 4, 4}));
    // The water from the right floods the plateau before the water from the left has risen to it.
    // The ridge belongs to the lower neighbour, whatever its label.
    problem.image = line<std::uint8_t>({1, 6, 5, 5, 5, 5, 5, 5, 2});
    QCOMPARE(solve(problem, context), (Labels{9, 9, 4, 4, 4, 4, 4, 4, 4}));
  }
}

void TestWatershed::markers_keep_their_labels() {
  for (const auto& [name, solve] : solvers()) {
    Context context;
    WatershedProblem problem;
    problem.image = line<std::uint8_t>({1, 200, 3, 4, 5});
    problem.markers = label_line({1, 2, 0, 0, 0});
    QCOMPARE(solve(problem, context), (Labels{1, 2, 2, 2, 2}));
  }
}

void TestWatershed::walls_of_the_mask_keep_the_water_out() {
  for (const auto& [name, solve] : solvers()) {
    Context context;
    WatershedProblem problem;
    problem.image = line<std::int16_t>({3, 3, 3, 3, 3, 3});
    problem.markers = label_line({5, 0, 0, 8, 0, 0});
    problem.mask = label_line({1, 1, 0, 0, 1, 1});
    QCOMPARE(solve(problem, context), (Labels{5, 5, 0, 0, 0, 0}));
    QCOMPARE(markers_outside_mask(problem), std::int64_t{1});
    problem.markers = label_line({0, 0, 0, 0, 0, 0});
    QCOMPARE(solve(problem, context), Labels(6));
  }
}

void TestWatershed::takes_the_ends_of_a_type() {
  constexpr float kFar = std::numeric_limits<float>::infinity();
  for (const auto& [name, solve] : solvers()) {
    Context context;
    WatershedProblem problem;
    problem.image = line<float>({kFar, -kFar, kFar, -0.0F, 0.0F, kFar});
    problem.markers = label_line({7, 0, 0, 0, 0, 3});
    QCOMPARE(solve(problem, context), (Labels{7, 7, 7, 3, 3, 3}));
    problem.image = line<std::uint8_t>({255, 255, 255, 255, 255, 255});
    QCOMPARE(solve(problem, context), (Labels{7, 7, 7, 3, 3, 3}));
    problem.mask = label_line({1, 0, 1, 1, 0, 1});
    QCOMPARE(solve(problem, context), (Labels{7, 0, 0, 0, 0, 3}));
  }
}

/// A corridor of one altitude that winds through the whole image: 130,000 cells from end to end. It
/// has a marker at both ends, so the labels meet after 65,000 hops.
void TestWatershed::counts_hops_beyond_sixteen_bits() {
  constexpr std::int64_t kSide = 511;
  Geometry geometry;
  geometry.size = {kSide, kSide, 1};
  std::vector<std::uint16_t> mask(kSide * kSide);
  for (std::int64_t y = 0; y < kSide; ++y) {
    for (std::int64_t x = 0; x < kSide; ++x) {
      const bool at_the_turn = y % 4 == 1 ? x == kSide - 1 : x == 0;
      mask[static_cast<std::size_t>(x + kSide * y)] = y % 2 == 0 || at_the_turn ? 1 : 0;
    }
  }
  std::vector<std::uint16_t> markers(mask.size());
  markers[0] = 5;
  for (const bool two : {false, true}) {
    markers[static_cast<std::size_t>(kSide * (kSide - 1))] = two ? 6 : 0;
    markers[markers.size() - 1] = two ? 0 : 6;  // exactly at the end of the corridor, or near it
    WatershedProblem problem;
    problem.image = Volume(geometry, std::vector<std::uint8_t>(mask.size(), 9));
    problem.markers = LabelMap(geometry, markers);
    problem.mask = LabelMap(geometry, mask);
    Context one;
    Context several(Context::Settings{.threads = 3});
    QVERIFY(by_tiles(problem, several) == by_flood(problem, one));
  }
}

/// They have padding columns inside, which must have no effect.
void TestWatershed::rows_of_a_power_of_two() {
  test::RandomNumbers random(3);
  for (const std::int64_t rows : {1, 70}) {
    Geometry geometry;
    geometry.size = {512, rows, 1};
    WatershedProblem problem;
    problem.connectivity = Connectivity::C8;
    problem.image = random_volume(random, geometry, VoxelType::F32);
    problem.markers = random_labels(random, geometry, 9, 200);
    problem.mask = random_labels(random, geometry, 1, 1);
    Context context(Context::Settings{.threads = 2});
    QVERIFY(by_tiles(problem, context) == by_flood(problem, context));
    problem.mask = {};
    QVERIFY(by_tiles(problem, context) == by_flood(problem, context));
  }
}

void TestWatershed::lines_part_all_basins() {
  for (const auto connectivity : {Connectivity::C4, Connectivity::C8, Connectivity::C26}) {
    for (std::uint64_t number = 0; number < 60; ++number) {
      const WatershedProblem problem =
          random_problem(number, VoxelType::U8, connectivity, {40, 30, 3});
      Context context(Context::Settings{.threads = 1 + static_cast<int>(number % 8)});
      const Labels basins = by_tiles(problem, context);
      const Labels labels = labels_of(
          with_watershed_lines(problem, LabelMap(problem.image.geometry(), basins), context));
      const auto is_marker = [&](std::int64_t cell) { return problem.markers.labels()[cell] != 0; };
      std::vector<char> at_a_border(labels.size());
      for (const auto& [a, b] : neighbour_pairs(problem)) {
        if (basins[a] == 0 || basins[b] == 0 || basins[a] == basins[b]) continue;
        at_a_border[a] = at_a_border[b] = 1;
        if (is_marker(a) && is_marker(b)) continue;
        QVERIFY(labels[a] == 0 || labels[b] == 0);
        // One cell wide: the cell with the smaller label stays, unless a marker is adjacent.
        const std::int64_t smaller = basins[a] < basins[b] ? a : b;
        if (!is_marker(a) && !is_marker(b)) QVERIFY(labels[smaller == a ? b : a] == 0);
      }
      for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
        QVERIFY(labels[i] == basins[i] || (labels[i] == 0 && at_a_border[i] != 0));
        QVERIFY(!is_marker(i) || labels[i] == basins[i]);
      }
    }
  }
  WatershedProblem problem;
  problem.image = line<std::uint8_t>({1, 2, 3, 3, 2, 1});
  problem.markers = label_line({1, 0, 0, 0, 0, 2});
  Context context;
  const LabelMap lines =
      with_watershed_lines(problem, watershed_by_tiles(problem, context), context);
  QCOMPARE(labels_of(lines), (Labels{1, 1, 1, 0, 2, 2}));
}

void TestWatershed::refuses_what_does_not_fit() {
  for (const auto& [name, solve] : solvers()) {
    Context context;
    WatershedProblem problem;
    problem.image = line<std::uint8_t>({1, 2, 3});
    problem.markers = label_line({1, 0});
    QVERIFY_EXCEPTION_THROWN((void)solve(problem, context), InputError);
    problem.markers = label_line({1, 0, 0});
    problem.mask = label_line({1, 1});
    QVERIFY_EXCEPTION_THROWN((void)solve(problem, context), InputError);
    problem.mask = {};
    problem.image = line<float>({1.0F, std::numeric_limits<float>::quiet_NaN(), 2.0F});
    QVERIFY_EXCEPTION_THROWN((void)solve(problem, context), InputError);
  }
}

void TestWatershed::stops_when_asked() {
  Geometry geometry;
  geometry.size = {300, 300, 1};
  WatershedProblem problem;
  problem.image = Volume(geometry, std::vector<std::uint8_t>(300 * 300, 1));
  std::vector<std::uint16_t> markers(300 * 300);
  markers[0] = 1;
  problem.markers = LabelMap(geometry, std::move(markers));
  std::stop_source stop;
  stop.request_stop();
  for (const auto& [name, solve] : solvers()) {
    Context context(Context::Settings{.stop = stop.get_token()});
    QVERIFY_EXCEPTION_THROWN((void)solve(problem, context), Cancelled);
  }
}

QTEST_GUILESS_MAIN(TestWatershed)
#include "test_watershed.moc"
