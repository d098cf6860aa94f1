// SPDX-License-Identifier: Apache-2.0
//
// Edits by hand, against plain searches on small random labels.
#include "core/engine/edit_gesture.h"
#include "core/morphology/label_part.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

using namespace seedwave;

namespace {

Geometry grid(std::mt19937& random) {
  Geometry geometry;
  geometry.size = {1 + static_cast<std::int64_t>(random() % 14),
                   1 + static_cast<std::int64_t>(random() % 12),
                   1 + static_cast<std::int64_t>(random() % 8)};
  geometry.spacing = {0.7, 0.7, 1.9};
  return geometry;
}

LabelMap random_labels(const Geometry& geometry, std::mt19937& random) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  const auto kinds = 2 + random() % 3;
  for (auto& label : labels)
    label = random() % 4 == 0 ? 0 : static_cast<std::uint8_t>(1 + random() % kinds);
  return {geometry, std::move(labels)};
}

std::set<std::int64_t> offsets_of(const std::vector<LabelRun>& runs, Label label) {
  std::set<std::int64_t> offsets;
  std::int64_t at = 0;
  for (const LabelRun& run : runs) {
    // In order, not empty, and apart: as FixedVoxels::with() expects them.
    if (run.begin < at || run.end <= run.begin || run.label != label) qFatal("a bad run");
    at = run.end;
    for (std::int64_t offset = run.begin; offset < run.end; ++offset)
      offsets.insert(offset);
  }
  return offsets;
}

/// The part by a search from voxel to voxel.
std::set<std::int64_t> part_by_search(const LabelMap& labels, const Index3& index, bool& border) {
  const Geometry& geometry = labels.geometry();
  const Label label = labels.at(index);
  std::set<std::int64_t> part{geometry.offset(index)};
  std::vector<Index3> open{index};
  border = false;
  while (!open.empty()) {
    const Index3 at = open.back();
    open.pop_back();
    for (int axis = 0; axis < 3; ++axis) {
      for (const int step : {-1, 1}) {
        Index3 next = at;
        next[axis] += step;
        if (!geometry.contains(next)) {
          border = border || geometry.size[axis] > 1;
        } else if (labels.at(next) == label && part.insert(geometry.offset(next)).second) {
          open.push_back(next);
        }
      }
    }
  }
  return part;
}

double between(const Geometry& geometry, std::int64_t a, std::int64_t b) {
  const Vec3 p = geometry.to_world(geometry.index_of(a));
  const Vec3 q = geometry.to_world(geometry.index_of(b));
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

}  // namespace

class TestEditGesture : public QObject {
  Q_OBJECT
 private slots:
  void parts_and_holes();
  void margins();
  void the_filter_keeps_locks_and_range();
};

void TestEditGesture::parts_and_holes() {
  std::mt19937 random(1);
  int filled = 0;
  for (int round = 0; round < 2000; ++round) {
    const LabelMap labels = random_labels(grid(random), random);
    const Geometry& geometry = labels.geometry();
    const Index3 index = geometry.index_of(
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(geometry.voxel_count())));
    bool border = false;
    const std::set<std::int64_t> expected = part_by_search(labels, index, border);
    Context context;
    const LabelPart part = part_at(labels, index, context);
    QCOMPARE(part.label, labels.at(index));
    QVERIFY(offsets_of(part.runs, part.label) == expected);
    QCOMPARE(part.voxels, static_cast<std::int64_t>(expected.size()));
    // A row of one voxel touches both of its ends, so a grid of one column is all border.
    if (geometry.size[0] > 1) QCOMPARE(part.reaches_border, border);

    for (const Label label : {Label{1}, kFixedAsNone, Label{0}}) {
      const auto runs =
          runs_of({.label = label, .shape = PartAround{index}}, geometry, labels, context);
      const bool changes =
          part.label != label && (part.label != 0 || (!part.reaches_border && label == 1));
      QVERIFY(offsets_of(runs, label) == (changes ? expected : std::set<std::int64_t>()));
      if (changes && part.label == 0) ++filled;
    }
  }
  QVERIFY(filled > 20);
}

void TestEditGesture::margins() {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const LabelMap labels = random_labels(grid(random), random);
    const Geometry& geometry = labels.geometry();
    const double distance = 0.3 + 0.01 * static_cast<double>(random() % 300);
    std::set<std::int64_t> gained;
    std::set<std::int64_t> lost;
    for (std::int64_t a = 0; a < geometry.voxel_count(); ++a) {
      const Label of_a = labels.labels()[static_cast<std::size_t>(a)];
      for (std::int64_t b = 0; b < geometry.voxel_count(); ++b) {
        const Label of_b = labels.labels()[static_cast<std::size_t>(b)];
        const bool near =
            static_cast<float>(between(geometry, a, b)) <= static_cast<float>(distance);
        if (near && of_a == 0 && of_b == 1) gained.insert(a);
        if (near && of_a == 1 && of_b != 1) lost.insert(a);
      }
    }
    Context context;
    const Margin margin{.of = 1, .distance = distance};
    QVERIFY(offsets_of(runs_of({.label = 1, .shape = margin}, geometry, labels, context), 1) ==
            gained);
    QVERIFY(offsets_of(runs_of({.label = kFixedAsNone, .shape = margin}, geometry, labels, context),
                       kFixedAsNone) == lost);
  }
}

void TestEditGesture::the_filter_keeps_locks_and_range() {
  Geometry geometry;
  geometry.size = {40, 1, 1};
  std::vector<std::int16_t> values(40);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int16_t>(i);
  const Volume image(geometry, values);
  Edits edits{.size = geometry.size, .drawn = {}, .locked = {}};
  const std::vector<LabelRun> all{{0, 40, 1}};
  QVERIFY(!filter_of(edits, 1, {}, image));
  QVERIFY(filtered(all, {}) == all);
  edits.locked[2] = FixedVoxels(std::vector<LabelRun>{{10, 15, 2}});
  QVERIFY((filtered(all, filter_of(edits, 1, {}, image)) ==
           std::vector<LabelRun>{{0, 10, 1}, {15, 40, 1}}));
  QVERIFY((filtered(all, filter_of(edits, 1, EditRange{.low = 8, .high = 20}, image)) ==
           std::vector<LabelRun>{{8, 10, 1}, {15, 21, 1}}));
  const EditRange outside{.low = 8, .high = 20, .inverted = true};
  QVERIFY((filtered(all, filter_of(edits, 1, outside, image)) ==
           std::vector<LabelRun>{{0, 8, 1}, {21, 40, 1}}));
  QVERIFY(filtered(all, filter_of(edits, 2, {}, image)).empty());
}

QTEST_APPLESS_MAIN(TestEditGesture)
#include "test_edit_gesture.moc"
