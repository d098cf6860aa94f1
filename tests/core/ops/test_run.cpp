// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/ops/report_json.h"
#include "core/ops/run.h"

#include <QTest>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

using namespace seedwave;

namespace {

Geometry grid() {
  Geometry geometry;
  geometry.size = {4, 1, 1};
  return geometry;
}

Volume image() {
  return {grid(), std::vector<std::uint8_t>{10, 20, 30, 40}};
}

/// Returns an implementation that labels every voxel as `label` and reports which implementation it
/// was.
Implementation labeller(const char* algorithm, Backend backend, std::uint16_t label) {
  return {.algorithm = algorithm,
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [label](const Inputs& inputs, const Values& values, Context& context) {
            const auto stage = context.stage("work");
            Result result;
            result.outputs["labels"] =
                LabelMap(inputs.image.geometry(), std::vector<std::uint16_t>(4, label));
            result.values = values;
            result.warnings = {"label " + std::to_string(label)};
            return result;
          }};
}

Implementation without_memory(Backend backend) {
  Implementation implementation = labeller("fill", backend, 0);
  implementation.run = [](const Inputs&, const Values&, Context&) -> Result {
    throw UnavailableError("the device has no memory left");
  };
  return implementation;
}

OperationTable table_of(std::vector<Implementation> implementations) {
  OperationTable table({{.id = "op",
                         .title = "",
                         .help = "",
                         .inputs = {{InputKind::Image, true, ""}},
                         .parameters = {},
                         .outputs = {{"labels", "", LabelsForm{}}},
                         .implementations = std::move(implementations),
                         .reference_algorithm = "fill"}});
  table.set_devices({{0, "GPU", 1000, 1000}}, "");
  return table;
}

RunRequest request() {
  RunRequest made;
  made.operation = "op";
  made.inputs.image = image();
  return made;
}

}  // namespace

namespace {

/// Returns a profile operation whose only output is a curve: the voxels' values, times `by`, over
/// their places.
Operation profile_operation() {
  Operation profile{.id = "profile", .title = "Profile", .help = ""};
  profile.inputs = {{InputKind::Image, true, ""}};
  profile.parameters = {
      {.id = "by", .title = "By", .initial = 1.0, .domain = NumberDomain{.low = 0.0, .high = 9.0}}};
  profile.outputs = {
      {.id = "profile",
       .help = "",
       .form =
           CurveForm{.columns = {{.id = "angle", .title = "Angle", .unit = "\u00b0", .period = 4},
                                 {.id = "value",
                                  .title = "Value",
                                  .unit_for = [](const Values&, const Geometry&) { return "mm"; }}},
                     .x_parameter = "angle"}}};
  profile.reference_algorithm = "plain";
  profile.implementations = {
      {.algorithm = "plain", .run = [](const Inputs& inputs, const Values& values, Context&) {
         Table table{.columns = {"angle", "value"}, .rows = {}};
         for (std::int64_t x = 0; x < 4; ++x) {
           table.rows.push_back(
               {static_cast<double>(x), values.number("by") * inputs.image.value_at({x, 0, 0})});
         }
         Result result;
         result.outputs["profile"] = table;
         result.values = values;
         return result;
       }}};
  return profile;
}

}  // namespace

class TestRun : public QObject {
  Q_OBJECT
 private slots:
  void shares_are_told_at_length_and_in_brief();
  void reports_what_was_done();
  void takes_the_cpu_where_the_device_is_too_small();
  void does_not_hide_a_fault_of_the_device();
  void tells_the_devices_reason_where_the_cpu_has_no_such_algorithm();
  void does_not_replace_what_was_asked_for();
  void keeps_to_a_stated_memory_or_says_that_it_cannot();
  void lets_other_failures_through();
  void refuses_a_place_outside_before_it_runs();
  void thresholds_in_the_closed_range_data();
  void thresholds_in_the_closed_range();
  void json_has_the_report_in_order();
  void a_label_that_the_reference_lacks_has_no_dice();
  void a_curve_alone_has_a_digest_and_its_columns();
  void json_of_the_table_says_what_a_curves_columns_are();
};

void TestRun::shares_are_told_at_length_and_in_brief() {
  const std::vector<RunFacts::Share> shares = {
      {"H200 (cuda:0)", {.busy_ms = 61.25, .visits = 12, .cells = 600, .failure = {}}},
      {"H200 (cuda:1)", {.busy_ms = 60.0, .visits = 7, .cells = 350, .failure = {}}},
      {"CPU, 8 threads", {.busy_ms = 50.0, .visits = 1, .cells = 50, .failure = {}}}};
  QCOMPARE(share_text(shares[1]),
           std::string("H200 (cuda:1): 7 visits to slabs, 350 voxels, 60.0 ms"));
  QCOMPARE(shares_in_brief(shares), std::string("2 \u00d7 H200 95 %, CPU 5 %"));
  QCOMPARE(shares_in_brief({shares[0], shares[2]}), std::string("H200 92 %, CPU 8 %"));
  QCOMPARE(shares_in_brief({{"H200 (cuda:0)", {}}, {"CPU, 1 thread", {}}}),
           std::string("H200, CPU"));
  QCOMPARE(shares_in_brief({}), std::string());
}

void TestRun::reports_what_was_done() {
  RunRequest wanted = request();
  Context context;
  { const auto stage = context.stage("load"); }
  const RunReport report =
      run_operation(table_of({labeller("fill", Backend::Cpu, 7)}), wanted, context);
  QCOMPARE(report.operation, std::string("op"));
  QCOMPARE(report.facts.algorithm, std::string("fill"));
  QCOMPARE(report.facts.backend, std::string("cpu"));
  QVERIFY(report.facts.total_ms >= 0);
  QCOMPARE(report.facts.stages.size(), std::size_t{2});
  QCOMPARE(report.facts.stages[0].stage, std::string("load"));
  QCOMPARE(report.facts.stages[1].stage, std::string("work"));
  const std::vector<std::uint16_t> sevens(4, 7);
  QCOMPARE(report.summaries.at("labels").digest,
           xxh64_digest_of(std::span<const std::uint16_t>(sevens)));
  QVERIFY((report.summaries.at("labels").counts == LabelCounts{{7, 4}}));
  QVERIFY(report.dice.empty());
  QCOMPARE(report.facts.warnings, std::vector<std::string>{"label 7"});
}

void TestRun::a_label_that_the_reference_lacks_has_no_dice() {
  const OperationTable table = table_of({labeller("fill", Backend::Cpu, 7)});
  Context context;
  RunReport report = run_operation(table, request(), context);
  const auto dice_with = [&](const std::vector<std::uint16_t>& reference) {
    return dice_of(table.at("op"), report, LabelMap(grid(), reference), context);
  };
  QCOMPARE(dice_with({7, 7, 0, 3}), (DiceByLabel{{3, 0.0}, {7, 4.0 / 6.0}}));
  report.dice = dice_with({3, 3, 0, 3});
  QCOMPARE(report.dice, (DiceByLabel{{3, 0.0}, {7, std::nullopt}}));
  const auto json = to_json(report).at("dice");
  QCOMPARE(json.at("3").get<double>(), 0.0);
  QVERIFY(json.at("7").is_null());
}

void TestRun::takes_the_cpu_where_the_device_is_too_small() {
  const OperationTable table =
      table_of({labeller("fill", Backend::Cpu, 1), without_memory(Backend::Cuda)});
  Context context;
  const RunReport report = run_operation(table, request(), context);
  QCOMPARE(report.facts.backend, std::string("cpu"));
  QCOMPARE(report.facts.device, std::string());
  QCOMPARE(report.facts.why, std::string("auto: the device failed: the device has no memory left"));
}

void TestRun::does_not_hide_a_fault_of_the_device() {
  Implementation faulty = without_memory(Backend::Cuda);
  faulty.run = [](const Inputs&, const Values&, Context&) -> Result {
    throw DeviceFault("the GPU failed");
  };
  const OperationTable table = table_of({labeller("fill", Backend::Cpu, 1), faulty});
  Context context;
  QVERIFY_EXCEPTION_THROWN(run_operation(table, request(), context), DeviceFault);
}

void TestRun::tells_the_devices_reason_where_the_cpu_has_no_such_algorithm() {
  Implementation only_there = without_memory(Backend::Cuda);
  only_there.algorithm = "flood";
  const OperationTable table = table_of({labeller("fill", Backend::Cpu, 1), only_there});
  RunRequest wanted = request();
  wanted.how.algorithm = "flood";
  Context context;
  try {
    static_cast<void>(run_operation(table, wanted, context));
    QFAIL("the device has no memory");
  } catch (const UnavailableError& error) {
    QCOMPARE(std::string(error.what()), std::string("the device has no memory left"));
  }
}

void TestRun::does_not_replace_what_was_asked_for() {
  const OperationTable table =
      table_of({labeller("fill", Backend::Cpu, 1), without_memory(Backend::Cuda)});
  RunRequest wanted = request();
  wanted.how.backend = Backend::Cuda;
  Context context;
  QVERIFY_EXCEPTION_THROWN(run_operation(table, wanted, context), UnavailableError);
}

void TestRun::keeps_to_a_stated_memory_or_says_that_it_cannot() {
  Implementation keeps = labeller("fill", Backend::Cpu, 1);
  std::int64_t told = 0;
  keeps.least_bytes = [](const Inputs&, const Values&) { return std::int64_t{1}; };
  keeps.run = [&told, run = keeps.run](const Inputs& inputs, const Values& values,
                                       Context& context) {
    told = context.memory();
    return run(inputs, values, context);
  };
  const OperationTable table = table_of({keeps, labeller("greedy", Backend::Cpu, 2)});
  RunRequest wanted = request();
  Context context({.memory = 123});
  static_cast<void>(run_operation(table, wanted, context));
  QCOMPARE(told, std::int64_t{123});
  wanted.how.algorithm = "greedy";
  Context again({.memory = 123});
  QVERIFY_EXCEPTION_THROWN(run_operation(table, wanted, again), UsageError);
  Context with_files({.memory = 123, .in_files = true});
  static_cast<void>(run_operation(table, wanted, with_files));
}

void TestRun::lets_other_failures_through() {
  const OperationTable table = table_of({without_memory(Backend::Cpu)});
  Context context;
  QVERIFY_EXCEPTION_THROWN(run_operation(table, request(), context), UnavailableError);
  RunRequest nothing = request();
  nothing.inputs.image = {};
  QVERIFY_EXCEPTION_THROWN(run_operation(table, nothing, context), InputError);
}

void TestRun::refuses_a_place_outside_before_it_runs() {
  Operation operation = table_of({labeller("fill", Backend::Cpu, 7)}).operations().front();
  operation.parameters = {
      {.id = "at", .initial = "0,0", .domain = PlaceDomain{}, .applies = Applies::Images}};
  RunRequest wanted = request();
  wanted.values.set("at", "4,0");
  Context context;
  QVERIFY_EXCEPTION_THROWN(
      static_cast<void>(run_operation(OperationTable({operation}), wanted, context)), UsageError);
  wanted.values.set("at", "3,0");
  QCOMPARE(run_operation(OperationTable({operation}), wanted, context).facts.values.word("at"),
           std::string("3,0"));
}

void TestRun::thresholds_in_the_closed_range_data() {
  QTest::addColumn<QString>("low");
  QTest::addColumn<QString>("high");
  QTest::addColumn<QVector<int>>("expected");
  QTest::newRow("none") << "none"
                        << "none" << QVector<int>{1, 1, 1, 1};
  QTest::newRow("from") << "20"
                        << "none" << QVector<int>{0, 1, 1, 1};
  QTest::newRow("to") << "none"
                      << "20" << QVector<int>{1, 1, 0, 0};
  QTest::newRow("both") << "20"
                        << "30" << QVector<int>{0, 1, 1, 0};
  QTest::newRow("between values") << "20.5"
                                  << "29.5" << QVector<int>{0, 0, 0, 0};
}

void TestRun::thresholds_in_the_closed_range() {
  QFETCH(QString, low);
  QFETCH(QString, high);
  QFETCH(QVector<int>, expected);
  const OperationTable table = make_operation_table();
  const Operation& threshold = table.at("threshold");
  RunRequest wanted = request();
  wanted.operation = threshold.id;
  wanted.values.set("low", parse_value(*threshold.find_parameter("low"), low.toStdString()));
  wanted.values.set("high", parse_value(*threshold.find_parameter("high"), high.toStdString()));
  Context context;
  const RunReport report = run_operation(table, wanted, context);
  const auto labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  QCOMPARE(QVector<int>(labels.begin(), labels.end()), expected);
}

void TestRun::json_has_the_report_in_order() {
  Context context;
  const RunReport report =
      run_operation(table_of({labeller("fill", Backend::Cuda, 7)}), request(), context);
  const nlohmann::ordered_json json = to_json(report);
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items())
    keys.push_back(key);
  QCOMPARE(keys,
           (std::vector<std::string>{"operation", "algorithm", "backend", "device", "why", "values",
                                     "image", "ms", "outputs", "dice", "warnings"}));
  QCOMPARE(json["backend"].get<std::string>(), std::string("cuda"));
  QCOMPARE(json["device"].get<std::string>(), std::string("GPU"));
  QCOMPARE(json["outputs"]["labels"]["counts"]["7"].get<int>(), 4);
}

void TestRun::a_curve_alone_has_a_digest_and_its_columns() {
  const OperationTable table({profile_operation()});
  RunRequest wanted = request();
  wanted.operation = "profile";
  Context context;
  const RunReport report = run_operation(table, wanted, context);
  const std::vector<double> numbers{0, 10, 1, 20, 2, 30, 3, 40};
  QCOMPARE(report.summaries.at("profile").digest,
           xxh64_digest_of(std::span<const double>(numbers)));
  QVERIFY(report.summaries.at("profile").counts.empty());
  const LabelMap reference(grid(), std::vector<std::uint16_t>{7, 7, 0, 3});
  QVERIFY(dice_of(table.at("profile"), report, reference, context).empty());
  const nlohmann::ordered_json json = to_json(report)["outputs"]["profile"];
  QCOMPARE(json["digest"].get<std::string>(), report.summaries.at("profile").digest);
  QCOMPARE(json["columns"].dump(), std::string(R"(["angle","value"])"));
  QCOMPARE(json["rows"].get<int>(), 4);

  wanted.values.set("by", 2.0);
  Context again;
  QVERIFY(run_operation(table, wanted, again).summaries.at("profile").digest !=
          report.summaries.at("profile").digest);
}

void TestRun::json_of_the_table_says_what_a_curves_columns_are() {
  const nlohmann::ordered_json json =
      to_json(OperationTable({profile_operation()}))["operations"][0]["outputs"][0];
  QCOMPARE(json["kind"].get<std::string>(), std::string("curve"));
  QCOMPARE(json["columns"].dump(),
           std::string("[{\"id\":\"angle\",\"title\":\"Angle\",\"unit\":\"\u00b0\",\"period\":4.0},"
                       "{\"id\":\"value\",\"title\":\"Value\",\"unit\":null}]"));
  QCOMPARE(json["x_parameter"].get<std::string>(), std::string("angle"));
}

QTEST_GUILESS_MAIN(TestRun)
#include "test_run.moc"
