// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run_history.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace seedwave;

namespace {

LabelMap random_map(Index3 size, unsigned seed, int labels) {
  std::mt19937 random(seed);
  Geometry geometry;
  geometry.size = size;
  std::vector<std::uint16_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (auto& voxel : voxels)
    voxel = static_cast<std::uint16_t>(random() % labels);
  if (seed % 3 != 0) return {geometry, std::move(voxels)};
  std::vector<Label> wide(voxels.begin(), voxels.end());
  for (Label& label : wide)
    label *= 1'000'000'000;
  return {geometry, std::move(wide)};
}

Run run_with(const LabelMap& map) {
  Run run;
  run.recipe.operation = "irfc";
  run.labels = PackedLabels(map);
  return run;
}

}  // namespace

class TestRunHistory : public QObject {
  Q_OBJECT
 private slots:
  void packing_keeps_every_label();
  void gives_up_the_oldest_unpinned_labels();
  void what_is_put_back_stays_before_others();
  void ids_grow_over_a_restore();
  void lists_only_what_differs();
};

void TestRunHistory::packing_keeps_every_label() {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Index3 size{1 + seed % 7, 1 + seed % 5, 1 + seed % 3};
    const LabelMap map = random_map(size, seed, 1 + static_cast<int>(seed % 4));
    const LabelMap back = PackedLabels(map).unpack();
    QVERIFY(same_grid(back.geometry(), map.geometry()));
    QVERIFY(back.labels() == map.labels());
    QVERIFY(PackedLabels(map).counts() == count_labels(map));
  }
}

void TestRunHistory::gives_up_the_oldest_unpinned_labels() {
  const LabelMap map = random_map({16, 16, 4}, 1, 3);
  const std::size_t one = PackedLabels(map).bytes();
  RunHistory history(2 * one + one / 2);
  const auto first = history.add(run_with(map));
  history.set_pinned(first, true);
  const auto second = history.add(run_with(map));
  const auto third = history.add(run_with(map));
  QVERIFY(!history.find(first)->labels.empty());
  QVERIFY(history.find(second)->labels.empty());
  QVERIFY(!history.find(third)->labels.empty());
  QCOMPARE(history.runs().size(), std::size_t{3});
}

void TestRunHistory::what_is_put_back_stays_before_others() {
  const LabelMap map = random_map({16, 16, 4}, 1, 3);
  const std::size_t one = PackedLabels(map).bytes();
  RunHistory history(2 * one + one / 2);
  std::vector<std::uint64_t> ids;
  for (int i = 0; i < 4; ++i)
    ids.push_back(history.add(run_with(map)));
  QVERIFY(history.find(ids[0])->labels.empty() && !history.find(ids[2])->labels.empty());
  history.put_back(ids[0], PackedLabels(map), {});
  QVERIFY(!history.find(ids[0])->labels.empty());
  QVERIFY(history.find(ids[2])->labels.empty());
  QVERIFY(!history.find(ids[3])->labels.empty());
  QVERIFY(history.bytes() <= 2 * one + one / 2);
  history.put_back(17, PackedLabels(map), {});  // of a removed run
  QCOMPARE(history.runs().size(), std::size_t{4});
}

void TestRunHistory::ids_grow_over_a_restore() {
  RunHistory history;
  history.add({});
  history.add({});
  const std::vector<Run> runs = history.runs();
  RunHistory opened;
  opened.restore(runs);
  QCOMPARE(opened.add({}), std::uint64_t{3});
}

void TestRunHistory::lists_only_what_differs() {
  Run a;
  a.recipe.operation = "irfc";
  a.facts.values.set("sigma_o", 12.5);
  a.facts.values.set("smooth", 0.0);
  a.score.labels[1] = 0.9;
  Run b = a;
  QVERIFY(differences(a, b).empty());
  b.facts.values.set("sigma_o", 20.0);
  b.score.labels[1] = 0.95;
  const auto list = differences(a, b);
  QCOMPARE(list.size(), std::size_t{2});
  QCOMPARE(list[0].what, std::string("sigma_o"));
  QCOMPARE(list[0].a, std::string("12.5"));
  QCOMPARE(list[1].what, std::string("Dice (mean)"));
}

QTEST_GUILESS_MAIN(TestRunHistory)
#include "test_run_history.moc"
