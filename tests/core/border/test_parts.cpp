// SPDX-License-Identifier: Apache-2.0
// Tests the parts of bands, and what is linked with a change.
#include "core/border/linked_cells.h"
#include "core/border/parts.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

using namespace seedwave;
using namespace seedwave::border;

namespace {

class Random : public test::RandomNumbers {
 public:
  using RandomNumbers::RandomNumbers;

  Geometry geometry() {
    Geometry made;
    for (std::int64_t& size : made.size)
      size = below(4) == 0 ? 1 : 1 + below(12);
    return made;
  }
  LabelMap labels(const Geometry& geometry) {
    std::vector<std::uint8_t> values(static_cast<std::size_t>(geometry.voxel_count()));
    for (std::uint8_t& value : values)
      value = static_cast<std::uint8_t>(below(3));
    return {geometry, std::move(values)};
  }
};

bool holds(const Box& box, const Index3& at) {
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] < box.lo[axis] || at[axis] >= box.hi[axis]) return false;
  }
  return true;
}

bool overlap(const Box& a, const Box& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a.lo[axis] >= b.hi[axis] || b.lo[axis] >= a.hi[axis]) return false;
  }
  return true;
}

}  // namespace

class TestParts : public QObject {
  Q_OBJECT

 private slots:
  void every_voxel_lies_in_one_part() {
    Random random(1);
    int divided = 0;
    for (int k = 0; k < 500; ++k) {
      const Geometry geometry = random.geometry();
      const Context context(Context::Settings{.layers = random.below(5)});
      const PartGrid parts(geometry, random.below(2) == 0 ? 1.0 : 3.0, context);
      for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
        const Index3 at = geometry.index_of(i);
        for (std::int64_t part = 0; part < parts.count(); ++part)
          QCOMPARE(holds(parts.box(part), at), part == parts.part_at(at));
      }
      for (std::int64_t a = 0; a < parts.count(); ++a) {
        std::set<std::int64_t> near;
        parts.visit(parts.box(a).grown(1, geometry), [&](std::int64_t part) { near.insert(part); });
        std::set<std::int64_t> beside;
        parts.visit_neighbours(a, [&](std::int64_t part, int axis) {
          QVERIFY(parts.is_divided(axis));
          beside.insert(part);
        });
        for (std::int64_t b = 0; b < parts.count(); ++b) {
          QCOMPARE(near.contains(b), overlap(parts.box(a).grown(1, geometry), parts.box(b)));
          if (beside.contains(b)) QVERIFY(near.contains(b) && a != b);
        }
      }
      divided += parts.is_divided(0) || parts.is_divided(1) || parts.is_divided(2) ? 1 : 0;
    }
    QVERIFY(divided > 200);
  }

  void changes_hold_all_that_differs() {
    Random random(2);
    for (int k = 0; k < 500; ++k) {
      const Geometry geometry = random.geometry();
      const LabelMap before = random.labels(geometry);
      std::vector<std::uint8_t> values(before.labels().begin(), before.labels().end());
      const std::int64_t label_at = random.below(geometry.voxel_count());
      values[label_at] = static_cast<std::uint8_t>(values[label_at] + 1);
      const std::int64_t seed_at = random.below(geometry.voxel_count());
      Context context(Context::Settings{.layers = 1 + random.below(4)});
      const PartGrid parts(geometry, 1.0, context);
      const std::vector<Box> changes = changes_between(
          {before, {}}, {LabelMap(geometry, values), {{seed_at, 1}}}, parts, context);
      for (std::int64_t part = 0; part < parts.count(); ++part) {
        bool differs = false;
        for (const std::int64_t offset : {label_at, seed_at}) {
          const Index3 at = geometry.index_of(offset);
          if (parts.part_at(at) != part) continue;
          differs = true;
          QVERIFY(holds(changes[part], at));
        }
        QCOMPARE(changes[part].empty(), !differs);
      }
    }
  }

  void marks_all_that_is_linked_with_a_start() {
    Random random(3);
    for (int k = 0; k < 500; ++k) {
      const Geometry geometry = random.geometry();
      std::vector<BandCell> cells;
      std::vector<std::int64_t> starts;
      for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
        if (random.below(2) == 0) continue;
        cells.push_back({i, 1});
        if (random.below(20) == 0) starts.push_back(i);
      }
      const std::vector<std::uint8_t> marks = linked_with(cells, geometry, starts);
      // Spreads by one step of an offset at a time, ends of rows or not, until nothing changes.
      std::vector<std::uint8_t> expected(cells.size());
      bool changed = true;
      while (changed) {
        changed = false;
        for (std::size_t i = 0; i < cells.size(); ++i) {
          if (expected[i] != 0) continue;
          bool linked = std::ranges::binary_search(starts, cells[i].offset);
          for (std::size_t j = 0; j < cells.size(); ++j) {
            const std::int64_t step = std::abs(cells[i].offset - cells[j].offset);
            const bool is_near = step == 1 || step == geometry.size[0] ||
                                 step == geometry.size[0] * geometry.size[1];
            linked = linked || (is_near && expected[j] != 0);
          }
          expected[i] = linked ? 1 : 0;
          changed = changed || linked;
        }
      }
      QCOMPARE(marks, expected);
    }
  }
};

QTEST_GUILESS_MAIN(TestParts)
#include "test_parts.moc"
