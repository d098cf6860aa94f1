// SPDX-License-Identifier: Apache-2.0
// Compares connected parts with flooding cell by cell.
#include "core/morphology/connected_parts.h"
#include "core/morphology/strips.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::array kConnectivities{Connectivity::C4, Connectivity::C8, Connectivity::C6,
                                     Connectivity::C18, Connectivity::C26};

/// The parts of a map by definition.
struct Expected {
  std::vector<Label> numbers;
  std::vector<ConnectedPart> parts;
};

Expected by_flood(const LabelMap& map, Connectivity connectivity, std::int64_t smallest) {
  const Geometry& geometry = map.geometry();
  const LabelSpan& labels = map.labels();
  const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
  Expected expected;
  expected.numbers.assign(labels.size(), 0);
  std::vector<bool> seen(labels.size());
  for (std::size_t start = 0; start < labels.size(); ++start) {
    if (labels[start] == 0 || seen[start]) continue;
    std::vector<std::size_t> cells{start};
    seen[start] = true;
    for (std::size_t next = 0; next < cells.size(); ++next) {
      const Index3 at = geometry.index_of(static_cast<std::int64_t>(cells[next]));
      for (const NeighbourStep& step : steps) {
        const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
        if (!geometry.contains(to)) continue;
        const auto offset = static_cast<std::size_t>(geometry.offset(to));
        if (labels[offset] != labels[start] || seen[offset]) continue;
        seen[offset] = true;
        cells.push_back(offset);
      }
    }
    if (std::ssize(cells) < smallest) continue;
    ConnectedPart part;
    part.label = labels[start];
    part.first = geometry.index_of(static_cast<std::int64_t>(start));
    for (const std::size_t cell : cells) {
      const Index3 at = geometry.index_of(static_cast<std::int64_t>(cell));
      part.box.include(at);
      ++part.voxels;
      for (std::size_t axis = 0; axis < 3; ++axis)
        part.sums[axis] += at[axis];
    }
    expected.parts.push_back(part);
    for (const std::size_t cell : cells)
      expected.numbers[cell] = static_cast<Label>(expected.parts.size());
  }
  return expected;
}

bool are_equal(const ConnectedPart& a, const ConnectedPart& b) {
  return a.label == b.label && a.voxels == b.voxels && a.box == b.box && a.first == b.first &&
         a.sums == b.sums;
}

template <typename T>
LabelMap random_map(test::RandomNumbers& random, const Index3& size) {
  Geometry geometry;
  geometry.size = size;
  std::vector<T> labels;
  const std::int64_t kind = random.below(4);
  const std::int64_t labels_used = 1 + random.below(3);
  const std::int64_t of_ten = 1 + random.below(10);
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    // A snake, along rows and back: one part with more turns than a strip has rows.
    const bool turn = at[1] % 4 == 1 ? at[0] == size[0] - 1 : at[0] == 0;
    const bool snake = at[1] % 2 == 0 || turn;
    const bool inside = kind == 0 ? snake : random.below(10) < of_ten;
    labels.push_back(inside ? static_cast<T>(1 + random.below(kind < 2 ? 1 : labels_used)) : T{0});
  }
  if (kind == 3) {  // runs, as in pictures
    for (std::size_t i = 1; i < labels.size(); ++i) {
      if (random.below(4) != 0) labels[i] = labels[i - 1];
    }
  }
  return {geometry, std::move(labels)};
}

Index3 random_size(test::RandomNumbers& random, Connectivity connectivity) {
  const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
  // Several strips: of 64 rows, or of 8 planes.
  if (!planar) return {1 + random.below(12), 1 + random.below(6), 2 + random.below(26)};
  const bool is_stack = random.below(5) == 0;
  return {1 + random.below(140), 1 + random.below(is_stack ? 5 : 200),
          is_stack ? 2 + random.below(18) : 1};
}

void check(const LabelMap& map, Connectivity connectivity, std::int64_t smallest, int threads) {
  Context context(Context::Settings{.threads = threads});
  const Expected expected = by_flood(map, connectivity, smallest);
  const LabelMap numbers = number_connected_parts(map, connectivity, smallest, context);
  QVERIFY(std::ranges::equal(numbers.labels(), expected.numbers));
  const auto parts = connected_parts(map, connectivity, smallest, context);
  QVERIFY(std::ranges::equal(parts, expected.parts, are_equal));
}

}  // namespace

class TestConnectedParts : public QObject {
  Q_OBJECT
 private slots:
  void are_those_of_a_flood();
  void of_objects_have_any_values();
  void are_numbered_in_the_smallest_type();
  void join_labels_that_touch_at_corners();
  void are_joined_by_label();
  void stop_when_cancelled();
};

void TestConnectedParts::are_those_of_a_flood() {
  test::RandomNumbers random(291);
  for (int round = 0; round < 600; ++round) {
    for (const Connectivity connectivity : kConnectivities) {
      const Index3 size = random_size(random, connectivity);
      const std::int64_t smallest = random.below(3) == 0 ? random.below(20) : 0;
      const int threads = 1 + static_cast<int>(random.below(3));
      const std::int64_t type = random.below(3);
      const LabelMap map = type == 0   ? random_map<std::uint8_t>(random, size)
                           : type == 1 ? random_map<std::uint16_t>(random, size)
                                       : random_map<std::uint32_t>(random, size);
      check(map, connectivity, smallest, threads);
      if (QTest::currentTestFailed()) return;
    }
  }
}

void TestConnectedParts::of_objects_have_any_values() {
  test::RandomNumbers random(31);
  for (int round = 0; round < 300; ++round) {
    const Connectivity connectivity = random.of(kConnectivities);
    const LabelMap map = random_map<std::uint8_t>(random, random_size(random, connectivity));
    const auto values = map.labels().as<std::uint8_t>();
    std::vector<std::uint8_t> ones(values.size());
    std::ranges::transform(values, ones.begin(),
                           [](std::uint8_t value) { return value != 0 ? 1 : 0; });
    const Expected expected = by_flood({map.geometry(), ones}, connectivity, 0);
    const Volume objects(map.geometry(), std::vector<std::uint8_t>(values.begin(), values.end()));
    Context context(Context::Settings{.threads = 2});
    QVERIFY(std::ranges::equal(connected_parts(objects, connectivity, context), expected.parts,
                               are_equal));
    const auto is_kept = [](const ConnectedPart& part) { return part.voxels % 3 == 1; };
    const Volume kept = kept_parts(objects, connectivity, is_kept, context);
    for (std::size_t i = 0; i < ones.size(); ++i) {
      const Label part = expected.numbers[i];
      const bool stays = part != 0 && is_kept(expected.parts[part - 1]);
      QCOMPARE(kept.voxels<std::uint8_t>()[i], static_cast<std::uint8_t>(stays ? 1 : 0));
    }
  }
}

void TestConnectedParts::are_numbered_in_the_smallest_type() {
  Geometry geometry;
  geometry.size = {600, 300, 1};
  for (const auto& [parts, bytes] :
       {std::pair<std::int64_t, std::size_t>{255, 1}, {256, 2}, {65535, 2}, {65536, 4}}) {
    std::vector<std::uint8_t> labels(600 * 300);
    for (std::int64_t i = 0; i < parts; ++i)  // neighbours of another label
      labels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(1 + i % 2 + i / 600 % 2 * 2);
    const LabelMap map(geometry, std::move(labels));
    Context context(Context::Settings{.threads = 2});
    const LabelMap numbers = number_connected_parts(map, Connectivity::C4, 0, context);
    QCOMPARE(numbers.labels().bytes_each(), bytes);
    QCOMPARE(largest_label(numbers.labels()), static_cast<Label>(parts));
  }
}

void TestConnectedParts::join_labels_that_touch_at_corners() {
  // Runs of one row that end together with their neighbours across the corner: 1 2 over 2 1.
  Geometry geometry;
  geometry.size = {2, 2, 1};
  const LabelMap map(geometry, std::vector<std::uint8_t>{1, 2, 2, 1});
  Context context;
  const auto numbers = [&](Connectivity connectivity) {
    const LabelMap made = number_connected_parts(map, connectivity, 0, context);
    return std::vector<Label>(made.labels().begin(), made.labels().end());
  };
  QCOMPARE(numbers(Connectivity::C8), (std::vector<Label>{1, 2, 2, 1}));
  QCOMPARE(numbers(Connectivity::C4), (std::vector<Label>{1, 2, 3, 4}));
}

void TestConnectedParts::are_joined_by_label() {
  test::RandomNumbers random(5);
  Context context;
  for (int round = 0; round < 50; ++round) {
    const LabelMap map = random_map<std::uint16_t>(random, {20, 30, 1});
    const auto labels = joined_by_label(connected_parts(map, Connectivity::C4, 0, context));
    std::set<Label> present(map.labels().begin(), map.labels().end());
    present.erase(0);
    QCOMPARE(labels.size(), present.size());
    auto label = labels.begin();
    for (const Label wanted : present) {
      QCOMPARE(label->label, wanted);
      QCOMPARE(label->box, box_of(map, wanted));
      QCOMPARE(label->voxels, std::ranges::count(map.labels(), wanted));
      ++label;
    }
  }
}

void TestConnectedParts::stop_when_cancelled() {
  Geometry geometry;
  geometry.size = {64, 64, 16};
  const LabelMap map(geometry, std::vector<std::uint8_t>(64 * 64 * 16, 1));
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  QVERIFY_THROWS_EXCEPTION(Cancelled,
                           static_cast<void>(connected_parts(map, Connectivity::C6, 0, context)));
}

QTEST_APPLESS_MAIN(TestConnectedParts)
#include "test_connected_parts.moc"
