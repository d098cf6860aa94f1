// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/plateau.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>

using namespace seedwave;

namespace {

SweepAxis axis(const std::string& id, std::size_t count) {
  SweepAxis made{.parameter = id, .values = {}};
  for (std::size_t i = 0; i < count; ++i)
    made.values.emplace_back(static_cast<double>(i));
  return made;
}

using Numbers = std::vector<std::size_t>;

/// The definition, from the documented neighbourhoods alone: closure by repeated passes, distances
/// in floating point, with all ties.
struct ByDefinition {
  const SweepGrid& grid;
  const SweepScores& scores;

  [[nodiscard]] bool neighbours(std::size_t a, std::size_t b) const {
    int apart = 0;
    for (std::size_t i = 0; i < grid.axes().size(); ++i) {
      apart +=
          std::abs(static_cast<int>(grid.place_of(a)[i]) - static_cast<int>(grid.place_of(b)[i]));
    }
    return apart == 1;
  }
  [[nodiscard]] double mean_around(std::size_t run) const {
    double sum = 0;
    int count = 0;
    for (std::size_t other = 0; other < grid.size(); ++other) {
      if ((other != run && !neighbours(run, other)) || !scores[other]) continue;
      sum += *scores[other];
      ++count;
    }
    return sum / count;
  }
  [[nodiscard]] Numbers plateau(std::size_t best, double tolerance) const {
    std::vector<bool> in(grid.size());
    in[best] = true;
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t a = 0; a < grid.size(); ++a) {
        for (std::size_t b = 0; b < grid.size(); ++b) {
          if (!in[a] || in[b] || !neighbours(a, b) || !scores[b]) continue;
          if (*scores[b] < *scores[best] - tolerance - 1e-12) continue;
          in[b] = grows = true;
        }
      }
    }
    Numbers runs;
    for (std::size_t run = 0; run < grid.size(); ++run) {
      if (in[run]) runs.push_back(run);
    }
    return runs;
  }
  [[nodiscard]] double off_middle(std::size_t run, const Numbers& runs) const {
    double sum = 0;
    for (std::size_t i = 0; i < grid.axes().size(); ++i) {
      double middle = 0;
      for (const std::size_t each : runs)
        middle += static_cast<double>(grid.place_of(each)[i]);
      middle /= static_cast<double>(runs.size());
      sum += std::pow(static_cast<double>(grid.place_of(run)[i]) - middle, 2);
    }
    return sum;
  }
  [[nodiscard]] std::size_t centre(const Numbers& runs) const {
    double highest = -1;
    for (const std::size_t run : runs)
      highest = std::max(highest, mean_around(run));
    std::size_t centre = grid.size();
    for (const std::size_t run : runs) {
      if (mean_around(run) < highest - 1e-12) continue;
      if (centre == grid.size() || off_middle(run, runs) < off_middle(centre, runs) - 1e-9)
        centre = run;
    }
    return centre;
  }
};

}  // namespace

class TestPlateau : public QObject {
  Q_OBJECT
 private slots:
  void a_flat_top_beats_a_peak();
  void limits_themselves_count();
  void equal_runs_give_their_middle();
  void the_first_of_equal_ones_is_best();
  void a_valley_parts_two_tops();
  void what_failed_is_no_bridge_and_no_neighbour();
  void tells_at_which_ends_it_lies();
  void nothing_scored_has_no_plateau();
  void equals_the_definition_data();
  void equals_the_definition();
};

void TestPlateau::a_flat_top_beats_a_peak() {
  // The peak at 1 is isolated; 4 to 6 are nearly as good, and so are their neighbours.
  const SweepGrid grid({axis("a", 8)});
  const SweepScores scores{.80, .91, .905, .903, .905, .907, .905, .80};
  const Plateau plateau = find_plateau(grid, scores, 0.01).value();
  QCOMPARE(plateau.best, std::size_t{1});
  QCOMPARE(plateau.runs, (Numbers{1, 2, 3, 4, 5, 6}));
  QCOMPARE(plateau.centre, std::size_t{2});  // (.91 + .905 + .903) / 3 is more than .9056 around 5
  QCOMPARE(plateau.at_ends, std::vector<std::string>{});
  QVERIFY(std::abs(neighbour_mean(grid, scores, 5).value() - (.905 + .907 + .905) / 3) < 1e-15);
  QVERIFY(std::abs(neighbour_mean(grid, scores, 0).value() - (.80 + .91) / 2) < 1e-15);
  // A score below by exactly the tolerance counts, one below by more does not.
  QCOMPARE(find_plateau(grid, {.80, .91, .90, .80, .8, .8, .8, .8}, 0.01)->runs, (Numbers{1, 2}));
  QCOMPARE(find_plateau(grid, {.80, .91, .8999, .80, .8, .8, .8, .8}, 0.01)->runs, (Numbers{1}));
  QCOMPARE(find_plateau(grid, scores, 0.0)->runs, (Numbers{1}));
}

void TestPlateau::limits_themselves_count() {
  // A score exactly at the limit belongs to the plateau; the next number below does not.
  const SweepGrid two({axis("a", 2)});
  const double least = 1.0 - 0.25 - 1e-12;
  QCOMPARE(find_plateau(two, {1.0, least}, 0.25)->runs, (Numbers{0, 1}));
  QCOMPARE(find_plateau(two, {1.0, std::nextafter(least, 0.0)}, 0.25)->runs, (Numbers{0}));
  // So does a mean that only rounding may have put below the highest. The middle of three runs is
  // their centre as long as its mean is not below the limit.
  const SweepGrid three({axis("a", 3)});
  const double limit = 1.0 - 1e-12;
  SweepScores scores{1.0, 1.0, 1.0 - 2.9e-12};
  while (neighbour_mean(three, scores, 1).value() > limit)
    scores[2] = std::nextafter(*scores[2], 0.0);
  QVERIFY(neighbour_mean(three, scores, 1).value() == limit);
  QCOMPARE(find_plateau(three, scores, 0.25)->centre, std::size_t{1});
  while (neighbour_mean(three, scores, 1).value() == limit)
    scores[2] = std::nextafter(*scores[2], 0.0);
  QCOMPARE(find_plateau(three, scores, 0.25)->centre, std::size_t{0});
}

void TestPlateau::equal_runs_give_their_middle() {
  const SweepGrid grid({axis("a", 5), axis("b", 7)});
  const SweepScores flat(grid.size(), 0.875);
  QCOMPARE(find_plateau(grid, flat)->centre, grid.run_at({2, 3}));
  // The first of the two in the middle is chosen.
  const SweepGrid even({axis("a", 4)});
  QCOMPARE(find_plateau(even, SweepScores(4, 0.3))->centre, std::size_t{1});
}

void TestPlateau::the_first_of_equal_ones_is_best() {
  const SweepGrid grid({axis("a", 5)});
  const Plateau plateau = find_plateau(grid, {.1, .9, .1, .9, .1}).value();
  QCOMPARE(plateau.best, std::size_t{1});
  QCOMPARE(plateau.runs, Numbers{1});
}

void TestPlateau::a_valley_parts_two_tops() {
  const SweepGrid grid({axis("a", 3), axis("b", 3)});
  const SweepScores scores{.9, .1, .89,  //
                           .1, .1, .89,  //
                           .9, .1, .9};
  QCOMPARE(find_plateau(grid, scores)->runs, Numbers{0});  // diagonal ones do not touch
}

void TestPlateau::what_failed_is_no_bridge_and_no_neighbour() {
  const SweepGrid grid({axis("a", 3)});
  const SweepScores scores{.9, {}, .9};
  const Plateau plateau = find_plateau(grid, scores).value();
  QCOMPARE(plateau.runs, Numbers{0});
  QCOMPARE(neighbour_mean(grid, scores, 0), std::optional(.9));
  QCOMPARE(neighbour_mean(grid, scores, 1), std::optional<double>());
}

void TestPlateau::tells_at_which_ends_it_lies() {
  const SweepAxis words{.parameter = "word", .values = {"4", "8"}};
  const SweepGrid grid({axis("one", 1), axis("a", 3), axis("b", 3), words});
  SweepScores scores(grid.size(), 0.1);
  scores[grid.run_at({0, 1, 2, 0})] = 0.9;
  QCOMPARE(find_plateau(grid, scores)->at_ends, std::vector<std::string>{"b"});
  scores[grid.run_at({0, 0, 2, 0})] = 0.9;
  QCOMPARE(find_plateau(grid, scores)->at_ends, (std::vector<std::string>{"a", "b"}));
}

void TestPlateau::nothing_scored_has_no_plateau() {
  const SweepGrid grid({axis("a", 3)});
  QCOMPARE(find_plateau(grid, SweepScores(3)), std::optional<Plateau>());
}

void TestPlateau::equals_the_definition_data() {
  QTest::addColumn<int>("number");
  for (int number = 0; number < 300; ++number)
    QTest::addRow("table %d", number) << number;
}

void TestPlateau::equals_the_definition() {
  QFETCH(int, number);
  test::RandomNumbers random(static_cast<std::uint64_t>(number));
  std::vector<SweepAxis> axes;
  for (std::int64_t i = 0; i <= random.below(3); ++i)
    axes.push_back(axis(std::string(1, static_cast<char>('a' + i)),
                        static_cast<std::size_t>(1 + random.below(6))));
  const SweepGrid grid(std::move(axes));
  SweepScores scores(grid.size());
  // Few levels make ties, many make peaks.
  const std::int64_t levels = random.of(std::array<std::int64_t, 4>{1, 2, 4, 1000});
  for (auto& score : scores) {
    if (random.below(8) > 0) score = 0.7 + 0.02 * static_cast<double>(random.below(levels));
  }
  const double tolerance = random.of(std::array{0.0, 0.02, 0.04, 1.0});
  const auto found = find_plateau(grid, scores, tolerance);
  const auto highest = std::max_element(scores.begin(), scores.end());  // an empty score is the
                                                                        // lowest
  if (!*highest) {
    QVERIFY(!found);
    return;
  }
  const ByDefinition definition{grid, scores};
  QCOMPARE(found->best, static_cast<std::size_t>(highest - scores.begin()));
  QCOMPARE(found->runs, definition.plateau(found->best, tolerance));
  QCOMPARE(found->centre, definition.centre(found->runs));
  for (const std::size_t run : found->runs) {
    QVERIFY(std::abs(neighbour_mean(grid, scores, run).value() - definition.mean_around(run)) <
            1e-12);
  }
}

QTEST_GUILESS_MAIN(TestPlateau)
#include "test_plateau.moc"
