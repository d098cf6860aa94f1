// SPDX-License-Identifier: Apache-2.0
// Conditions under which a run may continue from the previous one.
#include "core/fuzzy/added_seeds.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

using namespace seedwave;
using fuzzy::SeedChange;

namespace {

using Seeds = std::vector<Seed>;

Seeds sorted(const std::map<std::int64_t, std::uint16_t>& labels) {
  Seeds seeds;
  for (const auto& [offset, label] : labels)
    seeds.push_back({offset, label});
  return seeds;
}

fuzzy::Problem problem_with(const std::string& key, Seeds seeds) {
  fuzzy::Problem problem;
  problem.affinity_key = key;
  problem.seeds = std::move(seeds);
  return problem;
}

}  // namespace

Q_DECLARE_METATYPE(Seeds)
Q_DECLARE_METATYPE(SeedChange)

class TestAddedSeeds : public QObject {
  Q_OBJECT
 private slots:
  void tells_added_seeds_from_other_changes_data() {
    QTest::addColumn<Seeds>("former");
    QTest::addColumn<Seeds>("now");
    QTest::addColumn<SeedChange>("change");
    QTest::addColumn<Seeds>("added");
    const Seeds two = {{3, 1}, {8, 2}};
    QTest::newRow("the same") << two << two << SeedChange::None << Seeds{};
    QTest::newRow("none at all") << Seeds{} << Seeds{} << SeedChange::None << Seeds{};
    QTest::newRow("first ones") << Seeds{} << two << SeedChange::Added << two;
    QTest::newRow("before all") << two << Seeds{{0, 1}, {3, 1}, {8, 2}} << SeedChange::Added
                                << Seeds{{0, 1}};
    QTest::newRow("between") << two << Seeds{{3, 1}, {5, 2}, {8, 2}} << SeedChange::Added
                             << Seeds{{5, 2}};
    QTest::newRow("behind all, a new label")
        << two << Seeds{{3, 1}, {8, 2}, {9, 7}} << SeedChange::Added << Seeds{{9, 7}};
    QTest::newRow("the first is gone") << two << Seeds{{8, 2}} << SeedChange::Other << Seeds{};
    QTest::newRow("the last is gone") << two << Seeds{{3, 1}} << SeedChange::Other << Seeds{};
    QTest::newRow("all are gone") << two << Seeds{} << SeedChange::Other << Seeds{};
    QTest::newRow("one moved") << two << Seeds{{4, 1}, {8, 2}} << SeedChange::Other << Seeds{};
    QTest::newRow("one was painted over")
        << two << Seeds{{3, 2}, {8, 2}} << SeedChange::Other << Seeds{};
    QTest::newRow("one was painted over, one added")
        << two << Seeds{{1, 1}, {3, 1}, {8, 1}} << SeedChange::Other << Seeds{};
    QTest::newRow("as many, but others")
        << two << Seeds{{3, 1}, {9, 2}} << SeedChange::Other << Seeds{};
  }
  void tells_added_seeds_from_other_changes() {
    QFETCH(Seeds, former);
    QFETCH(Seeds, now);
    QFETCH(SeedChange, change);
    QFETCH(Seeds, added);
    const auto difference =
        fuzzy::seed_difference({.affinity_key = "a", .seeds = former}, problem_with("a", now));
    QVERIFY(difference.change == change);
    QVERIFY(difference.added == added);
  }

  void other_affinities_are_another_run() {
    const Seeds seeds = {{3, 1}, {8, 2}};
    const auto former = fuzzy::grown_from(problem_with("a", seeds));
    QVERIFY(fuzzy::seed_difference(former, problem_with("a", seeds)).change == SeedChange::None);
    QVERIFY(fuzzy::seed_difference(former, problem_with("b", seeds)).change == SeedChange::Other);
    // An empty key matches nothing, not even itself.
    const auto unnamed = fuzzy::grown_from(problem_with("", seeds));
    QVERIFY(fuzzy::seed_difference(unnamed, problem_with("", seeds)).change == SeedChange::Other);
  }

  /// Compares with the definition by sets: every former seed is still one, with its label.
  void agrees_with_the_definition_on_random_changes() {
    std::mt19937 random(1);
    const auto below = [&](unsigned count) { return static_cast<int>(random() % count); };
    int seen[3] = {};
    for (int trial = 0; trial < 20'000; ++trial) {
      std::map<std::int64_t, std::uint16_t> former;
      for (int i = below(6); i > 0; --i)
        former[below(12)] = static_cast<std::uint16_t>(1 + below(3));
      auto now = former;
      for (int i = below(4); i > 0; --i) {
        const int offset = below(12);
        if (below(6) == 0) {
          now.erase(offset);
        } else {
          now[offset] = static_cast<std::uint16_t>(1 + below(3));
        }
      }
      const bool kept = std::all_of(former.begin(), former.end(), [&](const auto& seed) {
        const auto found = now.find(seed.first);
        return found != now.end() && found->second == seed.second;
      });
      auto left = now;
      for (const auto& [offset, label] : former)
        left.erase(offset);
      const SeedChange expected = !kept          ? SeedChange::Other
                                  : left.empty() ? SeedChange::None
                                                 : SeedChange::Added;
      const auto difference = fuzzy::seed_difference(sorted(former), sorted(now));
      QVERIFY(difference.change == expected);
      QVERIFY(difference.added == (expected == SeedChange::Added ? sorted(left) : Seeds{}));
      ++seen[static_cast<int>(expected)];
    }
    for (const int count : seen)
      QVERIFY(count > 1000);
  }
};

QTEST_GUILESS_MAIN(TestAddedSeeds)
#include "test_added_seeds.moc"
