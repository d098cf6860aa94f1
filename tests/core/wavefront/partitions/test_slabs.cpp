// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/parallel/context.h"
#include "core/wavefront/partitions/slabs.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

class TestSlabs : public QObject {
  Q_OBJECT
 private slots:
  void cover_the_grid_once();
  void of_all_ranks_cover_the_grid_once();
  void are_as_thick_as_the_budget_allows();
  void name_the_least_budget();
  void are_enough_for_all_workers();
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

void TestSlabs::of_all_ranks_cover_the_grid_once() {
  for (const std::int64_t layers : {1, 2, 7, 100}) {
    for (const int ranks : {1, 2, 3, 5, 64}) {
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const LayerRange own = layers_of_rank(layers, rank, ranks);
        const SlabGrid slabs({1, layers, 1}, 4, own);
        QCOMPARE(slabs.count() == 0, own.layers() == 0);
        for (std::int64_t i = 0; i < slabs.count(); ++i) {
          const Slab slab = slabs.slab(i);
          QCOMPARE(slab.begin, next);
          QVERIFY(slab.layers() > 0 && slab.layers() <= 4);
          // Halos reach into the layers of other ranks.
          QCOMPARE(slab.halo_begin, std::max<std::int64_t>(0, slab.begin - 1));
          QCOMPARE(slab.halo_end, std::min(layers, slab.end + 1));
          for (std::int64_t layer = slab.begin; layer < slab.end; ++layer)
            QCOMPARE(rank_of_layer(layer, layers, ranks), rank);
          next = slab.end;
        }
      }
      QCOMPARE(next, layers);
    }
  }
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

void TestSlabs::are_enough_for_all_workers() {
  const BytesForSize bytes = [](const Index3& size) { return size[0] * size[1]; };
  for (const std::size_t workers : {2, 3, 5}) {
    const Context shared({.workers = std::vector<Worker>(workers)});
    const auto count = static_cast<std::int64_t>(workers);
    QCOMPARE(slabs_for(shared, {10, 4000, 1}, bytes).count(), 8 * count);
    // Thin slabs would be halo for the most part.
    QCOMPARE(slabs_for(shared, {10, 48, 1}, bytes).count(), std::int64_t{3});
    // Each has the memory of a slab with its halo, and of the states that it saw.
    const Context limited({.workers = std::vector<Worker>(workers), .memory = 60'000});
    const SlabGrid slabs = slabs_for(limited, {10, 4000, 1}, bytes);
    const Slab second = slabs.slab(1);
    QVERIFY(count * 5 * 10 * (second.halo_end - second.halo_begin) <= 60'000);
  }
  QCOMPARE(slabs_for(Context(), {10, 4000, 1}, bytes).count(), std::int64_t{1});
  QCOMPARE(slabs_for(Context({.workers = {{}}}), {10, 4000, 1}, bytes).count(), std::int64_t{1});
}

QTEST_GUILESS_MAIN(TestSlabs)
#include "test_slabs.moc"
