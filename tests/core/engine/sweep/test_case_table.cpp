// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/case_table.h"
#include "core/ops/operation_table.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace seedwave;
using Use = ListedCase::Use;

namespace {

SweepRow row_of(std::size_t run, double dice) {
  SweepRow row;
  row.run = run;
  row.scores = {{ScoreKind::Dice, dice}, {ScoreKind::Jaccard, dice / (2 - dice)}};
  row.facts.digest = "xxh64:" + std::to_string(run);
  row.facts.total_ms = 2.5;
  return row;
}

SweepRow failed_row(std::size_t run) {
  SweepRow row;
  row.run = run;
  row.failure = "they do not go together";
  return row;
}

CaseTable table_of(const std::string& vary, std::vector<CaseRows> cases) {
  const OperationTable operations = make_operation_table();
  const Operation& threshold = operations.at("threshold");
  return {.name = {"operation", threshold.id},
          .grid = SweepGrid({axis_of(threshold, parse_vary(threshold, vary), true)}),
          .cases = std::move(cases)};
}

/// Returns two cases to tune by, one of them with labels of its own, and one held out.
CaseTable small_table() {
  SweepRow labelled = row_of(0, 0.5);
  labelled.voxels[7] = 12;
  labelled.by_label[7] = {.dice = 0.5, .jaccard = 0.25};
  return table_of("low=1,2,3",
                  {{.name = "a", .rows = {row_of(0, 0.5), row_of(1, 1), row_of(2, 0.25)}},
                   {.name = "held, out", .use = Use::Test, .rows = {row_of(1, 0.5)}},
                   {.name = "b",
                    .labels = {7},
                    .counted = {7},
                    .rows = {labelled, row_of(1, 0), failed_row(2)}}});
}

}  // namespace

class TestCaseTable : public QObject {
  Q_OBJECT
 private slots:
  void figures_equal_their_definition();
  void no_figures_where_a_score_is_missing();
  void a_combination_counts_only_where_all_cases_have_it();
  void best_and_plateau_are_those_of_the_means();
  void csv_is_this_text();
  void csv_of_what_was_interrupted_is_whole();
  void json_has_cases_combinations_and_test();
  void expects_as_long_a_voxel_for_later_cases();
};

void TestCaseTable::figures_equal_their_definition() {
  test::RandomNumbers random(1);
  for (int i = 0; i < 3000; ++i) {
    // Multiples of an eighth, with exact sums and squares: any order gives the same bits.
    std::vector<std::optional<double>> scores;
    double sum = 0.0;
    for (std::int64_t count = 1 + random.below(6); count > 0; --count) {
      scores.push_back(static_cast<double>(random.below(9)) / 8);
      sum += *scores.back();
    }
    const auto n = static_cast<double>(scores.size());
    const CaseFigures figures = figures_of(scores).value();
    QCOMPARE(figures.mean, sum / n);
    QCOMPARE(figures.min, (*std::min_element(scores.begin(), scores.end())).value());
    QCOMPARE(figures.spread.has_value(), scores.size() > 1);
    if (!figures.spread) continue;
    // By pairs: half the mean square of the differences.
    double pairs = 0.0;
    for (const auto& a : scores) {
      for (const auto& b : scores)
        pairs += (*a - *b) * (*a - *b);
    }
    QVERIFY(std::abs(*figures.spread - std::sqrt(pairs / (2 * n * (n - 1)))) < 1e-12);
  }
}

void TestCaseTable::no_figures_where_a_score_is_missing() {
  QVERIFY(!figures_of({}));
  const std::vector<std::optional<double>> scores{0.5, std::nullopt, 0.75};
  QVERIFY(!figures_of(scores));
}

void TestCaseTable::a_combination_counts_only_where_all_cases_have_it() {
  CaseTable table = small_table();
  const CaseFindings findings = findings_of(table);
  QVERIFY((findings.figures[0] == CaseFigures{.mean = 0.5, .min = 0.5, .spread = 0.0}));
  QVERIFY((findings.figures[1] == CaseFigures{.mean = 0.5, .min = 0.0, .spread = std::sqrt(0.5)}));
  QVERIFY(!findings.figures[2]);  // it failed on b
  table.cases[2].rows.resize(1);  // interrupted
  QVERIFY(findings_of(table).figures[0] && !findings_of(table).figures[1]);
  table.cases[2].rows.clear();
  QVERIFY(!findings_of(table).found.plateau);
}

void TestCaseTable::best_and_plateau_are_those_of_the_means() {
  test::RandomNumbers random(2);
  for (int i = 0; i < 1000; ++i) {
    std::vector<CaseRows> cases;
    std::vector<double> sums(5, 0.0);
    const std::int64_t count = 1 + random.below(4);
    for (std::int64_t one = 0; one < count; ++one) {
      cases.push_back({.name = std::to_string(one)});
      for (std::size_t run = 0; run < sums.size(); ++run) {
        const double dice = static_cast<double>(random.below(9)) / 8;
        cases.back().rows.push_back(row_of(run, dice));
        sums[run] += dice;
      }
    }
    // The held-out case changes nothing.
    cases.push_back({.name = "held out", .use = Use::Test, .rows = {row_of(3, 1.0)}});
    CaseTable table = table_of("low=1:5:1", std::move(cases));
    table.tolerance = 0.125;
    SweepScores means;
    for (const double sum : sums)
      means.push_back(sum / static_cast<double>(count));
    const CaseFindings findings = findings_of(table);
    QVERIFY(findings.found.scores == means);
    QVERIFY(findings.found.plateau == find_plateau(table.grid, means, 0.125));
  }
}

void TestCaseTable::csv_is_this_text() {
  QCOMPARE(to_csv(small_table()),
           std::string("case,use,run,low,dice,jaccard,neighbours,plateau,dice_7,jaccard_7,labels,"
                       "voxels,voxels_7,ms,digest,failure,dice_min,dice_spread\n"
                       "a,tune,1,1,0.5,0.3333333333333333,0.75,0,,,0,0,,2.5,xxh64:0,,,\n"
                       "a,tune,2,2,1,1,0.5833333333333334,1,,,0,0,,2.5,xxh64:1,,,\n"
                       "a,tune,3,3,0.25,0.14285714285714285,0.625,0,,,0,0,,2.5,xxh64:2,,,\n"
                       "b,tune,1,1,0.5,0.3333333333333333,0.25,1,0.5,0.25,0,0,12,2.5,xxh64:0,,,\n"
                       "b,tune,2,2,0,0,0.25,0,,,0,0,,2.5,xxh64:1,,,\n"
                       "b,tune,3,3,,,,0,,,,,,,,they do not go together,,\n"
                       ",tune,1,1,0.5,0.3333333333333333,0.5,1,,,,,,,,,0.5,0\n"
                       ",tune,2,2,0.5,0.5,0.5,1,,,,,,,,,0,0.7071067811865476\n"
                       "\"held, out\",test,2,2,0.5,0.3333333333333333,,0,,,0,0,,2.5,xxh64:1,,,\n"
                       ",test,2,2,0.5,0.3333333333333333,,0,,,,,,,,,0.5,\n"));
}

void TestCaseTable::csv_of_what_was_interrupted_is_whole() {
  CaseTable table = small_table();
  table.cases[0].rows.resize(1);
  table.cases[1].rows.clear();
  table.cases[2].rows.clear();
  const std::string csv = to_csv(table);
  QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), 2);
  QVERIFY(csv.find("\na,tune,1,1,0.5,") != std::string::npos);
}

void TestCaseTable::json_has_cases_combinations_and_test() {
  const nlohmann::ordered_json json = to_json(small_table());
  QCOMPARE(json.at("runs").get<int>(), 3);
  QCOMPARE(json.at("cases").size(), std::size_t{3});
  QCOMPARE(json.at("cases")[1].at("use").get<std::string>(), std::string("test"));
  QCOMPARE(json.at("cases")[2].at("scored").get<std::string>(), std::string("label 7"));
  QCOMPARE(json.at("rows").size(), std::size_t{6});
  QCOMPARE(json.at("rows")[3].at("case").get<std::string>(), std::string("b"));
  QCOMPARE(json.at("rows")[5].at("failure").get<std::string>(),
           std::string("they do not go together"));
  QCOMPARE(json.at("combinations").size(), std::size_t{2});
  QCOMPARE(json.at("combinations")[1].at("dice").at("min").get<double>(), 0.0);
  QCOMPARE(json.at("best").at("run").get<int>(), 1);
  QCOMPARE(json.at("plateau").at("runs").dump(), std::string("[1,2]"));
  const nlohmann::ordered_json& test = json.at("test");
  QCOMPARE(test.at("run").get<int>(), 2);
  QCOMPARE(test.at("rows")[0].at("case").get<std::string>(), std::string("held, out"));
  QCOMPARE(test.at("dice").dump(), std::string(R"({"mean":0.5,"min":0.5,"spread":null})"));
  CaseTable untested = small_table();
  untested.cases[1].rows.clear();
  QVERIFY(to_json(untested).at("test").is_null());
}

void TestCaseTable::expects_as_long_a_voxel_for_later_cases() {
  // 4 runs of 100 voxels take 8 ms: 0.02 ms per voxel.
  QCOMPARE(expected_ms_of_cases(8.0, 4, 100.0, 0.0), 8.0);
  QCOMPARE(expected_ms_of_cases(8.0, 4, 100.0, 1000.0), 28.0);
  QCOMPARE(expected_ms_of_cases(0.0, 0, 100.0, 1000.0), 0.0);
}

QTEST_GUILESS_MAIN(TestCaseTable)
#include "test_case_table.moc"
