// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/wavefront/partitions/settle_slabs.h"
#include "core/wavefront/partitions/slabs.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

class TestSlabs : public QObject {
  Q_OBJECT
 private slots:
  void cover_the_grid_once();
  void store_their_own_and_compare_the_rest();
  void are_as_thick_as_the_budget_allows();
  void name_the_least_budget();
  void settle_whatever_the_order();
  void turn_where_nothing_waits();
  void pass_on_progress_and_times();
  void stop_when_asked();
};

void TestSlabs::cover_the_grid_once() {
  for (const Index3& size : {Index3{5, 4, 7}, Index3{5, 9, 1}, Index3{13, 1, 1}, Index3{1, 1, 1}}) {
    for (std::int64_t most = 1; most < 15; ++most) {
      const SlabGrid slabs(size, most);
      const std::int64_t layers = size[2] > 1 ? size[2] : size[1] > 1 ? size[1] : size[0];
      std::int64_t next = 0;
      for (std::int64_t i = 0; i < slabs.count(); ++i) {
        const Slab slab = slabs.slab(i);
        QCOMPARE(slab.begin, next);
        QVERIFY(slab.end > slab.begin && slab.end - slab.begin <= most);
        QCOMPARE(slab.halo_begin, i == 0 ? 0 : slab.begin - 1);
        QCOMPARE(slab.halo_end, i + 1 == slabs.count() ? slab.end : slab.end + 1);
        next = slab.end;
      }
      QCOMPARE(next, layers);
      QCOMPARE(slabs.layer_cells() * layers, size[0] * size[1] * size[2]);
    }
  }
}

void TestSlabs::store_their_own_and_compare_the_rest() {
  const SlabGrid slabs({2, 7, 1}, 2);  // rows 0, 1-2, 3-4, 5-6
  QCOMPARE(slabs.count(), std::int64_t{4});
  std::vector<int> states(14, 1);
  std::vector<int> solved(8, 1);
  solved[2] = solved[5] = 5;
  SlabWakes wakes = store_slab(slabs, 1, std::span<const int>(solved), std::span(states));
  QVERIFY(!wakes.before && !wakes.after);
  QVERIFY(states == (std::vector<int>{1, 1, 5, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1}));
  solved[7] = 2;
  wakes = store_slab(slabs, 1, std::span<const int>(solved), std::span(states));
  QVERIFY(!wakes.before && wakes.after);
  solved[0] = 2;
  solved[7] = 1;
  wakes = store_slab(slabs, 1, std::span<const int>(solved), std::span(states));
  QVERIFY(wakes.before && !wakes.after);
  QVERIFY(states == (std::vector<int>{1, 1, 5, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1}));
  const std::vector<int> last(6, 3);
  wakes = store_slab(slabs, 3, std::span<const int>(last), std::span(states));
  QVERIFY(wakes.before && !wakes.after);
  QVERIFY(states == (std::vector<int>{1, 1, 5, 1, 1, 5, 1, 1, 1, 1, 3, 3, 3, 3}));
}

void TestSlabs::are_as_thick_as_the_budget_allows() {
  // Four bytes per cell and ten in addition, in whole pairs of layers.
  const BytesForSize bytes = [](const Index3& size) {
    return 4 * size[0] * ((size[1] + 1) / 2 * 2);
  };
  const Index3 size{10, 100, 1};
  QCOMPARE(slabs_within(4010, size, bytes, 10).count(), std::int64_t{1});
  for (std::int64_t budget = 170; budget < 4010; budget += 7) {
    const SlabGrid slabs = slabs_within(budget, size, bytes, 10);
    std::int64_t thickest = 0;
    for (std::int64_t i = 0; i < slabs.count(); ++i) {
      const Slab slab = slabs.slab(i);
      thickest = std::max(thickest, slab.halo_end - slab.halo_begin);
    }
    QVERIFY(10 + bytes({10, thickest, 1}) <= budget);
    // One slab fewer would have exceeded the budget.
    const std::int64_t fewer = (100 + slabs.count() - 2) / (slabs.count() - 1) + 2;
    QVERIFY(10 + bytes({10, fewer, 1}) > budget || fewer > 99);
  }
}

void TestSlabs::name_the_least_budget() {
  const BytesForSize bytes = [](const Index3& size) { return 1000 * size[1]; };
  QCOMPARE(least_budget({10, 100, 1}, bytes, 500), std::int64_t{3500});
  QCOMPARE(least_budget({10, 2, 1}, bytes, 0), std::int64_t{2000});
  try {
    const SlabGrid slabs = slabs_within(3499, {10, 100, 1}, bytes, 500);
    QFAIL(std::to_string(slabs.count()).c_str());
  } catch (const UnavailableError& error) {
    QCOMPARE(error.what(),
             "4 kB of memory is too little for 10 x 100 x 1 voxels: at least 4 kB are needed");
  }
  QCOMPARE(slabs_within(3500, {10, 100, 1}, bytes, 500).count(), std::int64_t{100});
}

/// The minimum of a chain with passable links reaches every slab, in any order. A solver that
/// forgets to wake is detected.
void TestSlabs::settle_whatever_the_order() {
  bool seen = false;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    test::RandomNumbers random(number);
    const std::int64_t count = 1 + random.below(7);
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    for (std::int64_t& value : values)
      value = random.below(100);
    const std::int64_t least = *std::min_element(values.begin(), values.end());
    const bool forgets = number % 4 == 0;
    const auto wins = [&](std::int64_t from, std::int64_t to) {
      return to >= 0 && to < count && values[from] < values[to];
    };
    std::set<std::int64_t> visited;
    Context context;
    settle_slabs(
        count,
        [&](std::int64_t slab, Context&) -> SlabWakes {
          visited.insert(slab);
          for (const std::int64_t from : {slab - 1, slab + 1}) {
            if (from >= 0 && from < count) values[slab] = std::min(values[slab], values[from]);
          }
          return {.before = wins(slab, slab - 1) && !forgets, .after = wins(slab, slab + 1)};
        },
        context,
        [&](const std::vector<char>& waiting) {
          std::int64_t slab = random.below(count);
          while (waiting[slab] == 0)
            slab = (slab + 1) % count;
          return slab;
        });
    QCOMPARE(std::ssize(visited), count);
    const bool rests = std::all_of(values.begin(), values.end(),
                                   [&](std::int64_t value) { return value == least; });
    if (forgets) {
      seen = seen || !rests;
    } else {
      QVERIFY(rests);
    }
  }
  QVERIFY(seen);
}

void TestSlabs::turn_where_nothing_waits() {
  std::vector<std::int64_t> order;
  Context context;
  int turns = 0;
  settle_slabs(
      4,
      [&](std::int64_t slab, Context&) -> SlabWakes {
        order.push_back(slab);
        // The last one starts a front downwards, and at the bottom it turns once.
        if (slab == 0) ++turns;
        return {.before = slab > 0 && order.size() > 3, .after = slab == 0 && turns == 2};
      },
      context);
  QVERIFY(order == (std::vector<std::int64_t>{0, 1, 2, 3, 2, 1, 0, 1, 0}));
}

void TestSlabs::pass_on_progress_and_times() {
  std::vector<double> fractions;
  Context context({.progress =
                       [&](const std::string& stage, double fraction) {
                         QCOMPARE(stage, std::string("work"));
                         fractions.push_back(fraction);
                       },
                   .threads = 3});
  const auto stage = context.stage("work");
  int visits = 0;
  int threads = 0;
  settle_slabs(
      5,
      [&](std::int64_t slab, Context& part) -> SlabWakes {
        threads = part.threads();
        part.add_stage_time("upload", 2.0);
        part.checkpoint(0.0);
        part.checkpoint(1.0);
        return {.before = slab > 0 && ++visits < 20, .after = false};
      },
      context);
  QCOMPARE(threads, 3);
  QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
  QVERIFY(fractions.front() == 0.0 && fractions.back() == 1.0);
  QCOMPARE(context.stage_times().front().stage, std::string("upload"));
  QVERIFY(context.stage_times().front().ms >= 10.0);
}

void TestSlabs::stop_when_asked() {
  std::stop_source stop;
  Context context({.stop = stop.get_token()});
  int visits = 0;
  const auto visit = [&](std::int64_t, Context& part) -> SlabWakes {
    if (++visits == 3) stop.request_stop();
    part.checkpoint(0.5);
    return {};
  };
  QVERIFY_EXCEPTION_THROWN(settle_slabs(9, visit, context), Cancelled);
  QCOMPARE(visits, 3);
}

QTEST_GUILESS_MAIN(TestSlabs)
#include "test_slabs.moc"
