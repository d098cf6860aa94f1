// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/row_report.h"
#include "core/engine/sweep/sweep_report.h"

#include <QTest>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

enum class Reference { None, Given };

/// Returns four voxels 10, 20, 30, 40; the reference has the last two as label 1.
Sweep threshold_sweep(const OperationTable& table, Reference reference) {
  Geometry geometry;
  geometry.size = {4, 1, 1};
  SweepRequest request;
  RunRequest run{.operation = "threshold"};
  run.inputs.image = Volume(geometry, std::vector<std::uint8_t>{10, 20, 30, 40});
  request.subject = std::make_shared<const OperationSubject>(table, std::move(run));
  if (reference == Reference::Given) {
    request.reference = LabelMap(geometry, std::vector<std::uint16_t>{0, 0, 1, 1});
  }
  const Operation& threshold = table.at("threshold");
  request.grid = SweepGrid({axis_of(threshold, parse_vary(threshold, "low=15:35:10"), true),
                            axis_of(threshold, parse_vary(threshold, "high=25,50"), true)});
  return Sweep(std::move(request));
}

/// Sets times that do not change from run to run.
std::vector<SweepRow> rows_of(const Sweep& sweep) {
  std::vector<SweepRow> rows;
  run_sweep(sweep, {}, {.row = [&](SweepRow row) {
              row.facts.total_ms = 2.5;
              row.facts.digest = row.failure.empty() ? "xxh64:" + std::to_string(row.run) : "";
              row.failure = row.failure.empty() ? "" : "low, \"high\"";
              rows.push_back(std::move(row));
            }});
  return rows;
}

}  // namespace

class TestSweepReport : public QObject {
  Q_OBJECT
 private slots:
  void csv_is_this_text();
  void csv_without_a_reference_has_no_scores();
  void csv_of_some_rows_is_whole();
  void json_has_rows_best_and_plateau();
  void json_of_nothing_done_is_whole();
  void names_what_is_scored_and_where_to_go_on();
};

void TestSweepReport::csv_is_this_text() {
  const OperationTable table = make_operation_table();
  const Sweep sweep = threshold_sweep(table, Reference::Given);
  // 15..25 finds one wrong voxel; 15..50 three, two of them correct: 4/5; 25..25 none; 25..50 and
  // 35..50 follow.
  const std::string expected =
      "run,low,high,dice,jaccard,neighbours,plateau,labels,voxels,ms,digest,failure\n"
      "1,15,25,0,0,0.26666666666666666,0,1,1,2.5,xxh64:0,\n"
      "2,15,50,0.8,0.6666666666666666,0.6,0,1,3,2.5,xxh64:1,\n"
      "3,25,25,0,0,0.3333333333333333,0,0,0,2.5,xxh64:2,\n"
      "4,25,50,1,1,0.6166666666666667,1,1,2,2.5,xxh64:3,\n"
      "5,35,25,,,,0,,,,,\"low, \"\"high\"\"\"\n"
      "6,35,50,0.6666666666666666,0.5,0.8333333333333333,0,1,1,2.5,xxh64:5,\n";
  QCOMPARE(to_csv(sweep, rows_of(sweep)), expected);
}

void TestSweepReport::csv_without_a_reference_has_no_scores() {
  const OperationTable table = make_operation_table();
  const Sweep sweep = threshold_sweep(table, Reference::None);
  const std::string csv = to_csv(sweep, rows_of(sweep));
  QVERIFY(csv.starts_with("run,low,high,labels,voxels,ms,digest,failure\n1,15,25,1,1,2.5,"));
}

void TestSweepReport::csv_of_some_rows_is_whole() {
  const OperationTable table = make_operation_table();
  const Sweep sweep = threshold_sweep(table, Reference::Given);
  std::vector<SweepRow> rows = rows_of(sweep);
  rows.resize(2);
  QCOMPARE(to_csv(sweep, rows),
           std::string("run,low,high,dice,jaccard,neighbours,plateau,labels,voxels,ms,digest,"
                       "failure\n"
                       "1,15,25,0,0,0.4,0,1,1,2.5,xxh64:0,\n"
                       "2,15,50,0.8,0.6666666666666666,0.4,1,1,3,2.5,xxh64:1,\n"));
}

void TestSweepReport::json_has_rows_best_and_plateau() {
  const OperationTable table = make_operation_table();
  const Sweep sweep = threshold_sweep(table, Reference::Given);
  const nlohmann::ordered_json json = to_json(sweep, rows_of(sweep), 0.5);
  QCOMPARE(json.at("operation").get<std::string>(), std::string("threshold"));
  QCOMPARE(json.at("runs").get<int>(), 6);
  QCOMPARE(json.at("done").get<int>(), 6);
  QCOMPARE(json.at("varied").dump(),
           std::string(R"([{"parameter":"low","scale":"linear","values":[15.0,25.0,35.0]},)"
                       R"({"parameter":"high","scale":"linear","values":[25.0,50.0]}])"));
  QCOMPARE(json.at("rows").size(), std::size_t{6});
  QCOMPARE(json.at("rows")[3].at("dice").get<double>(), 1.0);
  QCOMPARE(json.at("rows")[3].at("values").at("low").get<double>(), 25.0);
  QCOMPARE(json.at("rows")[4].at("failure").get<std::string>(), std::string("low, \"high\""));
  QVERIFY(!json.at("rows")[4].contains("dice"));
  QCOMPARE(json.at("best").at("run").get<int>(), 4);
  QCOMPARE(json.at("plateau").at("runs").dump(), std::string("[2,4,6]"));
  // 35..50 has one neighbour, 25..50, and a mean of 5/6, which is the highest.
  QCOMPARE(json.at("plateau").at("centre").at("run").get<int>(), 6);
  QCOMPARE(json.at("plateau").at("tolerance").get<double>(), 0.5);
}

void TestSweepReport::json_of_nothing_done_is_whole() {
  const OperationTable table = make_operation_table();
  const Sweep sweep = threshold_sweep(table, Reference::Given);
  const nlohmann::ordered_json json = to_json(sweep, {});
  QCOMPARE(json.at("done").get<int>(), 0);
  QVERIFY(json.at("best").is_null() && json.at("plateau").is_null());
}

void TestSweepReport::names_what_is_scored_and_where_to_go_on() {
  const OperationTable table = make_operation_table();
  const Sweep sweep = threshold_sweep(table, Reference::Given);
  QCOMPARE(scored_text(sweep.labels()), std::string("all labelled voxels"));
  const Plateau plateau =
      find_plateau(sweep.grid(), scores_of(sweep.grid(), rows_of(sweep), ScoreKind::Dice), 0.5)
          .value();
  QCOMPARE(plateau.at_ends, (std::vector<std::string>{"low", "high"}));
  QCOMPARE(could_go_on(sweep.grid(), plateau), (std::vector<std::string>{"low", "high"}));
  // Smoothing cannot be less than none, so its first value is not a boundary to extend.
  const Operation& irfc = table.at("irfc");
  Geometry geometry;
  geometry.size = {4, 1, 1};
  SweepRequest request;
  RunRequest run{.operation = "irfc"};
  run.inputs.image = Volume(geometry, std::vector<std::uint8_t>{10, 20, 30, 40});
  run.inputs.seeds.seeds = {{0, 1}, {3, 2}};
  request.subject = std::make_shared<const OperationSubject>(table, std::move(run));
  request.reference = LabelMap(geometry, std::vector<std::uint16_t>{1, 1, 2, 2});
  request.grid = SweepGrid({axis_of(irfc, parse_vary(irfc, "smooth=0:2:1"), true)});
  const Sweep smooth(std::move(request));
  QCOMPARE(scored_text(smooth.labels()), std::string("labels 1 and 2 (mean)"));
  Plateau at_start{.runs = {0, 1}, .at_ends = {"smooth"}};
  QVERIFY(could_go_on(smooth.grid(), at_start).empty());
  Plateau at_end{.runs = {1, 2}, .at_ends = {"smooth"}};
  QCOMPARE(could_go_on(smooth.grid(), at_end), std::vector<std::string>{"smooth"});
  // As far again: 2 + 2; nothing is below 0.
  QCOMPARE(extended_range(smooth.grid(), at_end, "smooth"), std::pair(0.0, 4.0));
  QCOMPARE(extended_range(smooth.grid(), at_start, "smooth"), std::pair(0.0, 2.0));
}

QTEST_GUILESS_MAIN(TestSweepReport)
#include "test_sweep_report.moc"
