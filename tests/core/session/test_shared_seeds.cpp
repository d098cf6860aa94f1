// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run_history.h"
#include "core/session/session_json.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <set>

using namespace seedwave;

namespace {

Stroke stroke_number(std::int64_t number) {
  return {.label = static_cast<std::uint16_t>(1 + number % 3),
          .radius_mm = 1.0,
          .points = {{static_cast<double>(number), 0, 0}},
          .plane = {}};
}

/// Changes the strokes as painting, withdrawing and going back in the history do.
void change(SeedSet& seeds, const RunHistory& history, test::RandomNumbers& random) {
  std::vector<Stroke>& strokes = seeds.strokes;
  const std::int64_t what = random.below(6);
  if (what < 3) strokes.push_back(stroke_number(random.below(1000)));
  if (what == 3 && !strokes.empty())
    strokes.erase(strokes.begin() + random.below(std::ssize(strokes)));
  if (what == 4) std::erase_if(strokes, [](const Stroke& each) { return each.label == 2; });
  if (what == 5 && !history.runs().empty())
    seeds = history.runs()[random.below(std::ssize(history.runs()))].recipe.seeds.as_set();
}

/// Returns the number of strokes that a history holds in memory.
std::size_t held(const RunHistory& history) {
  std::set<SharedSeeds::Block> blocks;
  for (const Run& run : history.runs()) {
    for (const SharedSeeds::Part& part : run.recipe.seeds.parts())
      blocks.insert(part.block);
  }
  std::size_t strokes = 0;
  for (const SharedSeeds::Block& block : blocks)
    strokes += block->size();
  return strokes;
}

Run run_of(const SeedSet& seeds) {
  Run run;
  run.recipe.operation = "irfc";
  run.recipe.seeds = seeds;
  return run;
}

/// Returns the runs after saving and opening a session.
std::vector<Run> through_json(const std::vector<Run>& runs) {
  RunLists lists;
  auto list = nlohmann::json::array();
  for (const Run& run : runs)
    list.push_back(to_json(run, {"/nowhere"}, lists));
  const nlohmann::json written{{"run_strokes", lists.strokes()}};
  const ReadRunLists read_lists = run_lists_from_json(JsonPlace(written, "session"));
  std::vector<Run> read;
  for (const nlohmann::json& run : list)
    read.push_back(run_from_json(JsonPlace(run, "run"), {"/nowhere"}, read_lists));
  return read;
}

}  // namespace

class TestSharedSeeds : public QObject {
  Q_OBJECT
 private slots:
  void every_run_keeps_its_own_strokes();
  void a_stroke_for_each_run_is_held_once();
  void runs_of_equal_strokes_hold_them_once();
};

void TestSharedSeeds::every_run_keeps_its_own_strokes() {
  for (int seed = 0; seed < 300; ++seed) {
    test::RandomNumbers random(seed);
    RunHistory history;
    std::vector<SeedSet> expected;
    SeedSet seeds;
    for (int step = 0; step < 25; ++step) {
      change(seeds, history, random);
      history.add(run_of(seeds));
      expected.push_back(seeds);
    }
    const std::vector<Run> read = through_json(history.runs());
    RunHistory restored;
    restored.restore(read);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      QCOMPARE(history.runs()[i].recipe.seeds.size(), expected[i].strokes.size());
      QVERIFY(history.runs()[i].recipe.seeds.as_set() == expected[i]);
      QVERIFY(read[i].recipe.seeds == SharedSeeds(expected[i]));
      QVERIFY(restored.runs()[i].recipe.seeds.as_set() == expected[i]);
    }
  }
}

void TestSharedSeeds::a_stroke_for_each_run_is_held_once() {
  constexpr int kRuns = 400;
  RunHistory history;
  SeedSet seeds;
  for (int i = 0; i < kRuns; ++i) {
    seeds.strokes.push_back(stroke_number(i));
    history.add(run_of(seeds));
  }
  QCOMPARE(held(history), std::size_t{kRuns});
  RunHistory opened;
  opened.restore(through_json(history.runs()));
  QCOMPARE(held(opened), std::size_t{kRuns});
}

void TestSharedSeeds::runs_of_equal_strokes_hold_them_once() {
  RunHistory history;
  const SeedSet one{{stroke_number(1), stroke_number(2)}};
  const SeedSet other{{stroke_number(3), stroke_number(4)}};
  for (int i = 0; i < 10; ++i)
    history.add(run_of(i % 2 == 0 ? one : other));
  QCOMPARE(held(history), std::size_t{4});
}

QTEST_GUILESS_MAIN(TestSharedSeeds)
#include "test_shared_seeds.moc"
