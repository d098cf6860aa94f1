// SPDX-License-Identifier: Apache-2.0
//
// The sparse edits against plain arrays, on random changes.
#include "core/base/error.h"
#include "core/image/edits.h"
#include "core/image/fixed_voxels.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using namespace seedwave;

namespace {

constexpr Index3 kSize{61, 47, 29};  // 83,143 voxels: six blocks

Geometry grid() {
  Geometry geometry;
  geometry.size = kSize;
  return geometry;
}

/// Runs in order, some of which cross blocks, some of which touch.
std::vector<LabelRun> random_runs(std::mt19937& random, std::int64_t voxels) {
  std::vector<LabelRun> runs;
  const int longest = random() % 4 == 0 ? 40000 : 300;
  std::int64_t at = static_cast<std::int64_t>(random() % 20000);
  while (at < voxels && runs.size() < 60) {
    const std::int64_t end = std::min<std::int64_t>(at + 1 + random() % longest, voxels);
    constexpr Label kLabels[] = {0, 1, 2, 700, kLargestLabel, kFixedAsNone};
    runs.push_back({at, end, kLabels[random() % std::size(kLabels)]});
    at = end + (random() % 3 == 0 ? 0 : random() % 5000);
  }
  return runs;
}

std::vector<Label> dense(const FixedVoxels& fixed, std::int64_t voxels) {
  std::vector<Label> labels(static_cast<std::size_t>(voxels));
  for (std::int64_t i = 0; i < voxels; ++i)
    labels[static_cast<std::size_t>(i)] = fixed.at(i);
  return labels;
}

LabelMap random_labels(std::mt19937& random, Label most) {
  return make_labels(grid(), most, [&](auto& labels) {
    using T = typename std::decay_t<decltype(labels)>::value_type;
    for (std::size_t i = 0; i < labels.size();) {
      const std::size_t end = std::min(labels.size(), i + 1 + random() % 50);
      std::fill(labels.begin() + static_cast<std::ptrdiff_t>(i),
                labels.begin() + static_cast<std::ptrdiff_t>(end),
                static_cast<T>(random() % (most + 1)));
      i = end;
    }
  });
}

Edits random_edits(std::mt19937& random) {
  Edits edits{.size = kSize, .drawn = FixedVoxels(random_runs(random, grid().voxel_count()))};
  const LabelMap before = random_labels(random, 3);
  if (random() % 2 == 0) edits.locked[2] = voxels_of(before, 2);
  if (random() % 3 == 0) edits.locked[3];  // locked without a voxel
  return edits;
}

}  // namespace

class TestEdits : public QObject {
  Q_OBJECT
 private slots:
  void changes_equal_those_of_an_array();
  void a_small_change_takes_little_memory();
  void equal_voxels_are_equal_however_they_came();
  void results_get_the_edits();
  void a_change_equals_starting_anew();
  void labels_that_need_a_wider_type_get_it();
  void a_label_image_holds_all();
  void a_label_out_of_range_is_named();
  void the_part_in_a_box_is_that_of_the_whole();
};

void TestEdits::changes_equal_those_of_an_array() {
  std::mt19937 random(1);
  const std::int64_t voxels = grid().voxel_count();
  for (int round = 0; round < 20; ++round) {
    FixedVoxels fixed;
    std::vector<Label> expected(static_cast<std::size_t>(voxels));
    for (int change = 0; change < 6; ++change) {
      const std::vector<LabelRun> runs = random_runs(random, voxels);
      const FixedVoxels before = fixed;
      const std::vector<Label> of_before = expected;
      fixed = fixed.with(runs);
      for (const LabelRun& run : runs)
        std::fill(expected.begin() + run.begin, expected.begin() + run.end, run.label);
      QVERIFY(dense(fixed, voxels) == expected);
      QVERIFY(dense(before, voxels) == of_before);  // a value: the old one is as it was
      QCOMPARE(fixed.count(), voxels - std::count(expected.begin(), expected.end(), Label{0}));
      QVERIFY(FixedVoxels(fixed.runs()) == fixed);
    }
    const std::vector<LabelRun> free{{0, voxels, 0}};
    QVERIFY(fixed.with(free).empty());
  }
}

void TestEdits::a_small_change_takes_little_memory() {
  std::vector<LabelRun> rows;
  for (std::int64_t row = 0; row < 100000; ++row)
    rows.push_back({row * 500, row * 500 + 250, 1});
  const FixedVoxels all(rows);
  const std::vector<LabelRun> one{{25'000'000, 25'000'010, 2}};
  const FixedVoxels changed = all.with(one);
  QVERIFY(!(changed == all));
  QVERIFY(all.bytes_beside({}) > 600'000);
  QVERIFY2(changed.bytes_beside(all) < 100'000, "the list of blocks and one block");
}

void TestEdits::equal_voxels_are_equal_however_they_came() {
  const std::vector<LabelRun> whole{{10, 40000, 5}};
  const std::vector<LabelRun> hole{{20000, 20100, 0}};
  const std::vector<LabelRun> plug{{20000, 20100, 5}};
  const FixedVoxels a(whole);
  QVERIFY(a.with(hole).with(plug) == a);
  QVERIFY(!(a.with(hole) == a));
  QVERIFY(a.with(std::vector<LabelRun>{{0, 10, 0}}) == a);
  const std::vector<std::int64_t> offsets{3, 4, 5, 9};
  QVERIFY((runs_at(offsets, 7) == std::vector<LabelRun>{{3, 6, 7}, {9, 10, 7}}));
}

void TestEdits::results_get_the_edits() {
  std::mt19937 random(2);
  for (int round = 0; round < 20; ++round) {
    const LabelMap labels = random_labels(random, 3);
    const Edits edits = random_edits(random);
    const LabelMap edited = with_edits(labels, edits);
    for (std::int64_t i = 0; i < grid().voxel_count(); ++i) {
      // Locked labels win, then what was drawn, then the result without locked labels.
      Label expected = labels.labels()[static_cast<std::size_t>(i)];
      if (edits.is_locked(expected)) expected = 0;
      if (const Label drawn = edits.drawn.at(i); drawn != 0)
        expected = drawn == kFixedAsNone ? 0 : drawn;
      for (const auto& [label, voxels] : edits.locked) {
        if (voxels.at(i) != 0) expected = label;
      }
      QCOMPARE(edited.labels()[static_cast<std::size_t>(i)], expected);
    }
  }
  const LabelMap labels = random_labels(random, 3);
  QCOMPARE(with_edits(labels, {}).owner(), labels.owner());
}

void TestEdits::a_change_equals_starting_anew() {
  std::mt19937 random(6);
  for (int round = 0; round < 60; ++round) {
    const LabelMap labels = random_labels(random, random() % 2 == 0 ? 3 : 300);
    const Edits before = random_edits(random);
    Edits after = before;
    after.drawn = before.drawn.with(random_runs(random, grid().voxel_count()));
    if (random() % 4 == 0) after.locked[1] = voxels_of(labels, 1);
    const LabelMap shown = with_edits(labels, before);
    const LabelMap changed = with_edits(labels, after, shown, before);
    QVERIFY(changed.labels() == with_edits(labels, after).labels());
    const Box box = changed_box(shown, changed);
    for (int axis = 0; axis < 3 && !box.empty(); ++axis) {
      QVERIFY(changed.changed().lo[axis] <= box.lo[axis]);
      QVERIFY(changed.changed().hi[axis] >= box.hi[axis]);
    }
    const std::optional<LabelPatch> patch = patch_between(labels, before, after);
    QCOMPARE(patch.has_value(), after.locked == before.locked);
    if (!patch) continue;
    QCOMPARE(patch->box, changed.changed());
    std::int64_t voxels = 0;
    for (const LabelRun& run : patch->runs)
      voxels += run.end - run.begin;
    QVERIFY(patch_between(labels, before, after, voxels).has_value());
    QVERIFY(!patch_between(labels, before, after, voxels - 1).has_value());
    for (std::int64_t i = 0; i < grid().voxel_count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      QCOMPARE(patch->at(i).value_or(shown.labels()[at]), changed.labels()[at]);
    }
    // The differences are those of the arrays.
    std::vector<Label> expected = dense(before.drawn, grid().voxel_count());
    for (const LabelRun& run : after.drawn.differences_from(before.drawn)) {
      for (std::int64_t at = run.begin; at < run.end; ++at) {
        QVERIFY(expected[static_cast<std::size_t>(at)] != run.label);
        expected[static_cast<std::size_t>(at)] = run.label;
      }
    }
    QVERIFY(expected == dense(after.drawn, grid().voxel_count()));
  }
}

void TestEdits::labels_that_need_a_wider_type_get_it() {
  std::mt19937 random(3);
  const LabelMap labels = random_labels(random, 3);
  QCOMPARE(labels.labels().bytes_each(), std::size_t{1});
  Edits edits{.size = kSize, .drawn = FixedVoxels(std::vector<LabelRun>{{5, 9, 700}})};
  const LabelMap edited = with_edits(labels, edits);
  QCOMPARE(edited.labels().bytes_each(), std::size_t{2});
  QCOMPARE(edited.labels()[6], Label{700});
  QCOMPARE(edited.labels()[9], labels.labels()[9]);
  const LabelMap patched = with_patch(labels, *patch_between(labels, {}, edits));
  QCOMPARE(patched.labels().bytes_each(), std::size_t{2});
  QVERIFY(patched.labels() == edited.labels());
}

void TestEdits::a_label_image_holds_all() {
  std::mt19937 random(4);
  for (int round = 0; round < 10; ++round) {
    Edits edits = random_edits(random);
    // Tools draw neither a locked label nor over one.
    std::vector<LabelRun> over;
    for (const auto& [label, voxels] : edits.locked) {
      for (LabelRun run : voxels.runs()) {
        run.label = 0;
        over.push_back(run);
      }
    }
    edits.drawn = edits.drawn.with(over);
    std::vector<LabelRun> drawn = edits.drawn.runs();
    for (LabelRun& run : drawn) {
      if (edits.is_locked(run.label)) run.label = 1;
    }
    edits.drawn = FixedVoxels(drawn);
    std::set<Label> locked;
    for (const auto& [label, voxels] : edits.locked)
      locked.insert(label);
    QVERIFY(edits_from(as_labels(edits, grid()), locked, "edits") == edits);
  }
}

void TestEdits::a_label_out_of_range_is_named() {
  std::vector<std::uint32_t> labels(static_cast<std::size_t>(grid().voxel_count()));
  labels[7] = 70000;
  try {
    (void)edits_from(LabelMap(grid(), labels), {}, "edits.nrrd");
    QFAIL("accepted");
  } catch (const InputError& error) {
    QVERIFY(QString(error.what()).startsWith("edits.nrrd holds label 70000"));
  }
}

void TestEdits::the_part_in_a_box_is_that_of_the_whole() {
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    const Edits edits = random_edits(random);
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
      box.lo[axis] = static_cast<std::int64_t>(random() % kSize[axis]);
      box.hi[axis] =
          box.lo[axis] + 1 + static_cast<std::int64_t>(random() % (kSize[axis] - box.lo[axis]));
    }
    const Edits part = cropped(edits, box);
    Geometry small;
    for (int axis = 0; axis < 3; ++axis)
      small.size[axis] = box.hi[axis] - box.lo[axis];
    QCOMPARE(part.size, small.size);
    QCOMPARE(part.locked.size(), edits.locked.size());
    for (std::int64_t i = 0; i < small.voxel_count(); ++i) {
      Index3 at = small.index_of(i);
      for (int axis = 0; axis < 3; ++axis)
        at[axis] += box.lo[axis];
      QCOMPARE(part.drawn.at(i), edits.drawn.at(grid().offset(at)));
      for (const auto& [label, voxels] : edits.locked)
        QCOMPARE(part.locked.at(label).at(i), voxels.at(grid().offset(at)));
    }
  }
}

QTEST_APPLESS_MAIN(TestEdits)
#include "test_edits.moc"
