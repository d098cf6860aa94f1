// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/slab_states.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

using namespace seedwave;

class TestSlabStates : public QObject {
  Q_OBJECT
 private slots:
  void store_their_own_and_compare_the_rest_data();
  void store_their_own_and_compare_the_rest();
  void show_one_worker_the_cells_themselves();
  void compare_with_what_was_seen();
  void compare_a_draft_with_the_halo_as_it_was();
  void see_what_arrives_at_the_next_look();
  void are_never_torn_within_a_layer();
};

void TestSlabStates::store_their_own_and_compare_the_rest_data() {
  QTest::addColumn<std::size_t>("workers");
  QTest::newRow("one worker") << std::size_t{1};
  QTest::newRow("several") << std::size_t{3};
}

void TestSlabStates::store_their_own_and_compare_the_rest() {
  QFETCH(std::size_t, workers);
  const SlabGrid slabs({2, 7, 1}, 2);  // rows 0, 1-2, 3-4, 5-6
  QCOMPARE(slabs.count(), std::int64_t{4});
  std::vector<int> cells(14, 1);
  Context context({.workers = std::vector<Worker>(workers)});
  SlabStates<int> states(slabs, cells, context);
  const auto store = [&](std::int64_t number, const std::vector<int>& solved) {
    const SlabPart part{number, slabs.slab(number)};
    return states.store(part, solved, states.look(part, context), context);
  };
  std::vector<int> solved(8, 1);
  solved[2] = solved[5] = 5;
  SlabSides wakes = store(1, solved);
  QVERIFY(!wakes.before && !wakes.after);
  QVERIFY(cells == (std::vector<int>{1, 1, 5, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1}));
  solved[7] = 2;
  wakes = store(1, solved);
  QVERIFY(!wakes.before && wakes.after);
  solved[0] = 2;
  solved[7] = 1;
  wakes = store(1, solved);
  QVERIFY(wakes.before && !wakes.after);
  QVERIFY(cells == (std::vector<int>{1, 1, 5, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1}));
  wakes = store(0, {4, 4, 6, 1});
  QVERIFY(!wakes.before && wakes.after);
  wakes = store(3, std::vector<int>(6, 3));
  QVERIFY(wakes.before && !wakes.after);
  QVERIFY(cells == (std::vector<int>{4, 4, 5, 1, 1, 5, 1, 1, 1, 1, 3, 3, 3, 3}));
}

/// Also if one of several workers writes the halo meanwhile.
void TestSlabStates::compare_a_draft_with_the_halo_as_it_was() {
  const SlabGrid slabs({2, 7, 1}, 2);
  const SlabPart part{1, slabs.slab(1)};  // rows 1-2, and 0 and 3 beside them
  for (const std::size_t workers : {1, 3}) {
    std::vector<int> cells(14, 1);
    Context context({.workers = std::vector<Worker>(workers)});
    SlabStates<int> states(slabs, cells, context);
    auto draft = states.draft(part, context);
    QCOMPARE(std::ssize(draft.cells()), std::int64_t{8});
    draft.cells()[2] = 5;
    const int there = workers > 1 ? 4 : 1;
    cells[0] = there;
    SlabSides wakes = states.store(part, draft, context);
    QVERIFY(!wakes.before && !wakes.after);
    QVERIFY(cells == (std::vector<int>{there, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
    draft = states.draft(part, context);
    QCOMPARE(draft.cells()[0], there);
    draft.cells()[7] = 6;
    wakes = states.store(part, draft, context);
    QVERIFY(!wakes.before && wakes.after);
    draft = states.draft(part, context);
    draft.cells()[0] = 3;
    wakes = states.store(part, draft, context);
    QVERIFY(wakes.before && !wakes.after);
    QVERIFY(cells == (std::vector<int>{there, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  }
}

/// Rows 2 and 3 are this rank's. A solver may still read what a visit saw when a layer arrives.
void TestSlabStates::see_what_arrives_at_the_next_look() {
  const SlabGrid slabs({2, 6, 1}, 2, {2, 4});
  const SlabPart part{0, slabs.slab(0)};
  for (const std::size_t workers : {1, 2}) {
    std::vector<int> cells(12, 1);
    Context context({.workers = std::vector<Worker>(workers)});
    SlabStates<int> states(slabs, cells, context);
    const auto first = states.look(part, context);
    const auto arrive = [&](std::int64_t layer, const std::vector<int>& from) {
      states.put(layer, std::as_bytes(std::span(from)));
    };
    arrive(1, {4, 5});
    arrive(4, {6, 7});
    arrive(4, {8, 9});  // the last one counts
    QVERIFY(std::all_of(first.get(), first.get() + 8, [](int cell) { return cell == 1; }));
    const auto second = states.look(part, context);
    QVERIFY(std::vector<int>(second.get(), second.get() + 8) ==
            (std::vector<int>{4, 5, 1, 1, 1, 1, 8, 9}));
  }
}

void TestSlabStates::show_one_worker_the_cells_themselves() {
  const SlabGrid slabs({3, 6, 1}, 2);
  std::vector<int> cells(18);
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i] = static_cast<int>(i);
  Context context;
  SlabStates<int> one(slabs, cells, context);
  QVERIFY(one.look({1, slabs.slab(1)}, context).get() == cells.data() + 3);
  SlabStates<int> several(slabs, cells, Context({.workers = std::vector<Worker>(2)}));
  for (std::int64_t number = 0; number < 3; ++number) {
    const Slab slab = slabs.slab(number);
    const auto seen = several.look({number, slab}, context);
    QVERIFY(seen.get() != cells.data() + slab.halo_begin * 3);
    QVERIFY(std::equal(cells.begin() + slab.halo_begin * 3, cells.begin() + slab.halo_end * 3,
                       seen.get()));
  }
}

/// A neighbour may have raised the halo since: he looks again at what this slab stored, so only a
/// cell that this slab raised beyond what it saw wakes him.
void TestSlabStates::compare_with_what_was_seen() {
  const SlabGrid slabs({1, 4, 1}, 2);
  std::vector<int> cells{1, 1, 1, 1};
  Context context({.workers = std::vector<Worker>(2)});
  SlabStates<int> states(slabs, cells, context);
  const SlabPart part{0, slabs.slab(0)};
  const auto seen = states.look(part, context);
  cells[2] = 7;
  QVERIFY(!states.store(part, std::vector<int>{1, 1, 1}, seen, context).after);
  QVERIFY(states.store(part, std::vector<int>{1, 1, 7}, seen, context).after);
  QVERIFY(cells == (std::vector<int>{1, 1, 7, 1}));
}

/// Two neighbours store and look at the same time; the thread sanitizer sees whether they meet.
void TestSlabStates::are_never_torn_within_a_layer() {
  for (const std::int64_t thick : {1, 3}) {
    const SlabGrid slabs({64, 3 * thick, 1}, thick);
    std::vector<std::uint16_t> cells(64 * 3 * thick);
    SlabStates<std::uint16_t> states(slabs, cells, Context({.workers = std::vector<Worker>(3)}));
    std::vector<int> torn(3);
    {
      std::vector<std::jthread> owners;
      for (std::int64_t number = 0; number < 3; ++number) {
        owners.emplace_back([&, number] {
          const SlabPart part{number, slabs.slab(number)};
          const std::int64_t layers = part.layers.layers_with_halo();
          Context context({.threads = 1});
          for (std::uint16_t value = 1; value < 500; ++value) {
            const auto seen = states.look(part, context);
            for (std::int64_t layer = 0; layer < layers; ++layer) {
              const auto* row = seen.get() + layer * 64;
              if (!std::all_of(row, row + 64, [&](std::uint16_t a) { return a == *row; }))
                ++torn[number];
            }
            (void)states.store(
                part, std::vector<std::uint16_t>(static_cast<std::size_t>(64 * layers), value),
                seen, context);
          }
        });
      }
    }
    QVERIFY(torn == std::vector<int>(3));
    QVERIFY(cells == std::vector<std::uint16_t>(cells.size(), 499));
  }
}

QTEST_GUILESS_MAIN(TestSlabStates)
#include "test_slab_states.moc"
