// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/engine/sweep/sweep.h"
#include "core/metrics/overlap.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

struct ScoredInputs : Inputs {
  LabelMap reference;
};

/// Returns a ramp 0..9 and a reference with 3..6 as label 1.
ScoredInputs ramp() {
  Geometry geometry;
  geometry.size = {10, 1, 1};
  std::vector<std::uint8_t> voxels;
  std::vector<std::uint16_t> truth;
  for (std::uint8_t i = 0; i < 10; ++i) {
    voxels.push_back(i);
    truth.push_back(i >= 3 && i <= 6 ? 1 : 0);
  }
  ScoredInputs inputs;
  inputs.image = Volume(geometry, std::move(voxels));
  inputs.reference = LabelMap(geometry, std::move(truth));
  return inputs;
}

/// Returns three noisy regions side by side with some seeds of 1, 2 and 3; the reference has 1 and
/// 2.
ScoredInputs segmentation() {
  Geometry geometry;
  geometry.size = {24, 16, 5};
  test::RandomNumbers random(3);
  std::vector<std::int16_t> voxels;
  std::vector<std::uint16_t> truth;
  ScoredInputs inputs;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const std::int64_t region = at[0] / 8;
    voxels.push_back(static_cast<std::int16_t>(100 + 30 * region + random.below(61) - 30));
    truth.push_back(static_cast<std::uint16_t>(region < 2 ? region + 1 : 0));
    if (at[2] == 2 && at[1] == 8 && at[0] % 8 > 2 && at[0] % 8 < 6) {
      inputs.seeds.seeds.push_back({i, static_cast<std::uint16_t>(region + 1)});
    }
  }
  inputs.image = Volume(geometry, std::move(voxels));
  inputs.reference = LabelMap(geometry, std::move(truth));
  return inputs;
}

SweepRequest sweep_of(const OperationTable& table, const std::string& operation,
                      ScoredInputs inputs, const std::vector<std::string>& vary,
                      const Values& set = {}) {
  SweepRequest request;
  request.reference = inputs.reference;
  std::vector<SweepAxis> axes;
  for (const std::string& text : vary) {
    const Operation& op = table.at(operation);
    axes.push_back(axis_of(op, parse_vary(op, text), inputs.image.geometry().is_2d()));
  }
  request.grid = SweepGrid(std::move(axes));
  RunRequest run{.operation = operation, .values = set};
  run.inputs = std::move(inputs);
  request.subject = std::make_shared<const OperationSubject>(table, std::move(run));
  return request;
}

std::vector<SweepRow> all_rows(const Sweep& sweep) {
  std::vector<SweepRow> rows;
  run_sweep(sweep, {}, {.row = [&](SweepRow row) { rows.push_back(std::move(row)); }});
  return rows;
}

template <typename Failure>
std::string refusal(const std::function<SweepRequest()>& request) {
  try {
    const Sweep sweep(request());
    return "not refused";
  } catch (const Failure& error) {
    return error.what();
  }
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Labels every voxel as `label`; caches the part that depends on `slow` alone.
Operation cached_operation(std::atomic<int>& made) {
  const auto run = [&made](const Inputs& inputs, const Values& values, Context& context) {
    const std::string key = "made " + text_of(values.at("slow"));
    if (!context.cache().find<int>(key)) {
      context.cache().put(key, std::make_shared<int>(++made), 4);
    }
    Result result;
    result.outputs["labels"] =
        LabelMap(inputs.image.geometry(),
                 std::vector<std::uint16_t>(
                     static_cast<std::size_t>(inputs.image.geometry().voxel_count()), 1));
    result.values = values;
    return result;
  };
  return {.id = "cached",
          .title = "",
          .help = "",
          .inputs = {{InputKind::Image, true, ""}},
          .parameters = {{.id = "slow", .domain = NumberDomain{.low = 0, .high = 10}},
                         {.id = "fast", .domain = NumberDomain{.low = 0, .high = 10}}},
          .outputs = {{"labels", "", LabelsForm{}}},
          .implementations = {{.algorithm = "only", .run = run}},
          .reference_algorithm = "only"};
}

}  // namespace

class TestSweep : public QObject {
  Q_OBJECT
 private slots:
  void gives_these_rows();
  void each_row_is_the_single_run_data();
  void each_row_is_the_single_run();
  void values_that_do_not_go_together_are_a_row_that_says_so();
  void scores_labels_that_were_painted_and_that_the_reference_has();
  void scores_the_labels_that_are_asked_for();
  void ranks_numbered_objects_by_f1();
  void ranks_by_the_score_that_is_asked_for();
  void runs_without_a_reference();
  void image_outputs_have_a_digest();
  void refuses_what_cannot_run();
  void keeps_what_was_done_when_stopped();
  void goes_on_where_it_stopped();
  void computes_shared_stages_once();
  void tells_how_far_it_is();
  void expects_the_mean_of_the_runs_so_far();
};

void TestSweep::gives_these_rows() {
  const OperationTable table = make_operation_table();
  const Sweep sweep(sweep_of(table, "threshold", ramp(), {"low=2:4:1", "high=5:7:2"}));
  const std::vector<SweepRow> rows = all_rows(sweep);
  QCOMPARE(rows.size(), std::size_t{6});
  QVERIFY(sweep.labels().empty());  // no seeds: the foreground
  std::size_t run = 0;
  for (const int low : {2, 3, 4}) {
    for (const int high : {5, 7}) {
      const SweepRow& row = rows[run];
      QCOMPARE(row.run, run++);
      QCOMPARE(row.facts.values.number("low"), double(low));
      QCOMPARE(row.facts.values.number("high"), double(high));
      const int found = high - low + 1;
      const int both = std::min(high, 6) - std::max(low, 3) + 1;
      QCOMPARE(row.label_count, std::int64_t{1});
      QCOMPARE(row.labelled, std::int64_t{found});
      QCOMPARE(row.score(ScoreKind::Dice).value(), 2.0 * both / (found + 4));
      QCOMPARE(row.score(ScoreKind::Jaccard).value(), double(both) / (found + 4 - both));
      QVERIFY(row.failure.empty());
      QVERIFY(row.facts.total_ms >= 0);
    }
  }
  const SweepScores scores = scores_of(sweep.grid(), rows, sweep.ranked_by(rows));
  QCOMPARE(find_plateau(sweep.grid(), scores)->best, std::size_t{3});  // 3 to 7: 8/9
}

void TestSweep::each_row_is_the_single_run_data() {
  QTest::addColumn<QString>("operation");
  QTest::addColumn<std::vector<std::string>>("vary");
  const auto row = [](const char* name, std::vector<std::string> vary) {
    QTest::newRow(name) << QString(name) << std::move(vary);
  };
  row("irfc", {"smooth=0:1:0.5", "sigma_o=5:45:*3", "connectivity=6,26"});
  row("rfc", {"sigma_h=auto,10,30", "m=100:140:20"});
  row("afc", {"theta=0:1:0.25"});
  row("watershed", {"connectivity=6,18,26"});
}

void TestSweep::each_row_is_the_single_run() {
  QFETCH(QString, operation);
  QFETCH(std::vector<std::string>, vary);
  const OperationTable table = make_operation_table();
  const ScoredInputs inputs = segmentation();
  const Sweep sweep(sweep_of(table, operation.toStdString(), inputs, vary));
  const std::vector<SweepRow> rows = all_rows(sweep);
  QCOMPARE(rows.size(), sweep.grid().size());
  std::set<std::string> digests;
  for (const SweepRow& row : rows) {
    // A single run with an empty cache: from the requested values, and from those used.
    for (const Values& values : {sweep.grid().values_of(row.run), row.facts.values}) {
      RunRequest request;
      request.operation = operation.toStdString();
      request.inputs = inputs;
      request.values = values;
      Context context;
      const RunReport report = run_operation(table, request, context);
      QCOMPARE(row.facts.digest, report.summaries.at("labels").digest);
      QCOMPARE(row.facts.values, report.facts.values);
      const DiceByLabel dice =
          dice_of(table.at(request.operation), report, inputs.reference, context);
      QVERIFY(!row.by_label.empty());
      for (const auto& [label, score] : row.by_label)
        QCOMPARE(score.dice, dice.at(label).value());
      for (const auto& [label, count] : row.voxels) {
        QCOMPARE(count, report.summaries.at("labels").counts.of(label));
      }
    }
    digests.insert(row.facts.digest);
  }
  QVERIFY(digests.size() > 1);  // the parameters matter
}

void TestSweep::values_that_do_not_go_together_are_a_row_that_says_so() {
  const OperationTable table = make_operation_table();
  const Sweep sweep(sweep_of(table, "threshold", ramp(), {"low=4,6", "high=5,7"}));
  const std::vector<SweepRow> rows = all_rows(sweep);
  QCOMPARE(rows.size(), std::size_t{4});
  QVERIFY(has(rows[2].failure, "low"));  // 6 to 5
  QVERIFY(rows[2].scores.empty());
  QVERIFY(rows[2].facts.digest.empty());
  QCOMPARE(rows[2].facts.values.number("low"), 6.0);
  for (const std::size_t run : {0, 1, 3})
    QVERIFY(rows[run].failure.empty() && rows[run].score(ScoreKind::Dice));
  QCOMPARE(scores_of(sweep.grid(), rows, ScoreKind::Dice)[2], std::optional<double>());
}

void TestSweep::scores_labels_that_were_painted_and_that_the_reference_has() {
  const OperationTable table = make_operation_table();
  const Sweep sweep(sweep_of(table, "irfc", segmentation(), {"sigma_o=5:45:*3"}));
  QCOMPARE(sweep.labels(), (std::vector<Label>{1, 2}));
  QCOMPARE(sweep.counted(), (std::vector<Label>{1, 2, 3}));
  for (const SweepRow& row : all_rows(sweep)) {
    QCOMPARE(row.by_label.size(), std::size_t{2});
    QCOMPARE(row.score(ScoreKind::Dice).value(),
             (row.by_label.at(1).dice + row.by_label.at(2).dice) / 2);
    QCOMPARE(row.score(ScoreKind::Jaccard).value(),
             (row.by_label.at(1).jaccard + row.by_label.at(2).jaccard) / 2);
    QCOMPARE(row.voxels.size(), std::size_t{3});
  }
  ScoredInputs stranger = segmentation();
  stranger.reference =
      LabelMap(stranger.image.geometry(),
               std::vector<std::uint16_t>(stranger.reference.labels().size(), std::uint16_t{255}));
  const std::string why =
      refusal<InputError>([&] { return sweep_of(table, "irfc", stranger, {"sigma_o=5:45:*3"}); });
  QVERIFY2(has(why, "label 1, 2, 3") && has(why, "only 255"), why.c_str());
}

void TestSweep::scores_the_labels_that_are_asked_for() {
  const OperationTable table = make_operation_table();
  SweepRequest request = sweep_of(table, "irfc", segmentation(), {"sigma_o=5:45:*3"});
  request.labels = {2};
  const Sweep sweep(request);
  for (const SweepRow& row : all_rows(sweep)) {
    QCOMPARE(row.by_label.size(), std::size_t{1});
    QCOMPARE(row.score(ScoreKind::Dice).value(), row.by_label.at(2).dice);
  }
  request.labels = {2, 9};
  const std::string why = refusal<InputError>([&] { return request; });
  QVERIFY2(has(why, "no label 9, only 1, 2"), why.c_str());
  request.reference = {};
  QVERIFY(has(refusal<UsageError>([&] { return request; }), "there is none"));
}

namespace {

/// Returns pairs of squares that touch at a bridge; the reference numbers each square.
ScoredInputs touching_squares() {
  constexpr std::int64_t kPairs = 4;
  Geometry geometry;
  geometry.size = {2 + 16, 2 + 10 * kPairs, 1};
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(geometry.voxel_count()), 0);
  std::vector<std::uint16_t> truth(mask.size(), 0);
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const std::int64_t pair = at[1] / 10;
    const std::int64_t row = at[1] % 10;
    const bool is_right = at[0] > 9;
    const std::int64_t column = is_right ? at[0] - 10 : at[0] - 1;
    if (pair >= kPairs || row < 1 || row > 7) continue;
    const bool in_square = column >= 0 && column < 7;
    const bool on_bridge = row == 4 && (at[0] == 8 || at[0] == 9);
    if (!in_square && !on_bridge) continue;
    mask[static_cast<std::size_t>(i)] = 1;
    truth[static_cast<std::size_t>(i)] =
        static_cast<std::uint16_t>(40 - 2 * pair - (at[0] > 8 ? 1 : 0));
  }
  ScoredInputs inputs;
  inputs.image = Volume(geometry, std::move(mask));
  inputs.reference = LabelMap(geometry, std::move(truth));
  return inputs;
}

}  // namespace

void TestSweep::ranks_numbered_objects_by_f1() {
  const OperationTable table = make_operation_table();
  const ScoredInputs inputs = touching_squares();
  const Sweep sweep(sweep_of(table, "split-objects", inputs, {"h=0.5,100"}));
  QVERIFY(sweep.counts_objects());
  const std::vector<SweepRow> rows = all_rows(sweep);
  QCOMPARE(sweep.ranked_by(rows), ScoreKind::F1);
  // Split at the bridge, all squares are found; otherwise each pair is one object.
  QCOMPARE(rows[0].label_count, std::int64_t{8});
  QCOMPARE(rows[1].label_count, std::int64_t{4});
  QCOMPARE(rows[0].score(ScoreKind::F1), std::optional(1.0));
  QCOMPARE(rows[1].objects->merged, std::int64_t{4});
  // Dice sees no difference between them.
  QCOMPARE(rows[0].score(ScoreKind::Dice), rows[1].score(ScoreKind::Dice));
  Context context;
  for (const SweepRow& row : rows) {
    RunRequest request{.operation = "split-objects", .values = sweep.grid().values_of(row.run)};
    request.inputs = inputs;
    const RunReport report = run_operation(table, request, context);
    const ObjectScores scores = object_scores(std::get<LabelMap>(report.outputs.at("labels")),
                                              inputs.reference, {1, 2}, context);
    QCOMPARE(row.score(ScoreKind::F1), scores.f1());
    QCOMPARE(row.score(ScoreKind::Pq), scores.pq());
    QCOMPARE(row.score(ScoreKind::Aji), scores.aji());
  }
  const SweepFindings found = findings_of(sweep, rows);
  QCOMPARE(found.plateau->best, std::size_t{0});
  QVERIFY(!found.is_flat());
}

void TestSweep::ranks_by_the_score_that_is_asked_for() {
  const OperationTable table = make_operation_table();
  SweepRequest request = sweep_of(table, "split-objects", touching_squares(), {"h=0.5,100"});
  request.ranked_by = ScoreKind::Dice;
  const Sweep sweep(request);
  const std::vector<SweepRow> rows = all_rows(sweep);
  QCOMPARE(sweep.ranked_by(rows), ScoreKind::Dice);
  QVERIFY(findings_of(sweep, rows).is_flat());
  // A threshold numbers nothing, whatever the reference does: Dice ranks its runs.
  const Sweep mask(sweep_of(table, "threshold", touching_squares(), {"low=0.5,1"}));
  QCOMPARE(mask.ranked_by(all_rows(mask)), ScoreKind::Dice);
  SweepRequest painted = sweep_of(table, "irfc", segmentation(), {"sigma_o=5:45:*3"});
  painted.ranked_by = ScoreKind::F1;
  QVERIFY(has(refusal<UsageError>([&] { return painted; }), "F1 of objects"));
}

void TestSweep::runs_without_a_reference() {
  const OperationTable table = make_operation_table();
  ScoredInputs inputs = ramp();
  inputs.reference = {};
  const Sweep sweep(sweep_of(table, "threshold", inputs, {"low=2:4:1"}));
  QVERIFY(!sweep.is_scored());
  const std::vector<SweepRow> rows = all_rows(sweep);
  QCOMPARE(rows.size(), std::size_t{3});
  QCOMPARE(rows[2].labelled, std::int64_t{6});
  QVERIFY(rows[2].scores.empty());
}

void TestSweep::image_outputs_have_a_digest() {
  const OperationTable table = make_operation_table();
  ScoredInputs inputs = ramp();
  inputs.reference = {};
  const Sweep sweep(sweep_of(table, "h-domes", inputs, {"h=1:3:1"}));
  const std::vector<SweepRow> rows = all_rows(sweep);
  QCOMPARE(rows.size(), std::size_t{3});
  QVERIFY(rows[0].facts.digest.starts_with("xxh64:"));
  QVERIFY(rows[0].facts.digest != rows[1].facts.digest);
  QVERIFY(rows[0].voxels.empty() && rows[0].labelled == 0);
}

void TestSweep::refuses_what_cannot_run() {
  const OperationTable table = make_operation_table();
  const auto with_value = [&](const std::string& id) {
    return refusal<UsageError>([&] {
      return sweep_of(table, "threshold", ramp(), {"low=2:4:1"}, {{id, 3.0}});
    });
  };
  QVERIFY(has(with_value("low"), "low is varied and cannot be set"));
  QVERIFY(has(with_value("hihg"), "hihg"));
  SweepRequest request = sweep_of(table, "threshold", ramp(), {"low=2:4:1"});
  request.reference = LabelMap(ramp().image.geometry(), std::vector<std::uint16_t>(10, 0));
  QVERIFY(has(refusal<InputError>([&] { return request; }), "no label"));
  Geometry other;
  other.size = {5, 2, 1};
  request.reference = LabelMap(other, std::vector<std::uint16_t>(10, 1));
  QVERIFY(has(refusal<InputError>([&] { return request; }), "a different grid"));
  const auto seedless = [&] { return sweep_of(table, "irfc", ramp(), {"sigma_o=2:4:1"}); };
  QVERIFY(has(refusal<InputError>(seedless), "seeds"));
}

void TestSweep::keeps_what_was_done_when_stopped() {
  const OperationTable table = make_operation_table();
  const Sweep sweep(sweep_of(table, "threshold", ramp(), {"low=0:9:1"}));
  std::stop_source stop;
  std::vector<SweepRow> rows;
  const SweepObserver observer{.row = [&](SweepRow row) {
    rows.push_back(std::move(row));
    if (rows.size() == 4) stop.request_stop();
  }};
  QVERIFY_EXCEPTION_THROWN(run_sweep(sweep, {.stop = stop.get_token()}, observer), Cancelled);
  QCOMPARE(rows.size(), std::size_t{4});
  QCOMPARE(rows.back().run, std::size_t{3});
}

void TestSweep::goes_on_where_it_stopped() {
  const OperationTable table = make_operation_table();
  const Sweep sweep(sweep_of(table, "threshold", ramp(), {"low=0:9:1"}));
  std::vector<std::size_t> runs;
  run_sweep(sweep, {}, {.row = [&](const SweepRow& row) { runs.push_back(row.run); }}, 7);
  QCOMPARE(runs, (std::vector<std::size_t>{7, 8, 9}));
}

void TestSweep::computes_shared_stages_once() {
  std::atomic<int> made = 0;
  const OperationTable table({cached_operation(made)});
  ScoredInputs inputs = ramp();
  const Sweep sweep(sweep_of(table, "cached", inputs, {"slow=1,2,3", "fast=0:9:1"}));
  QCOMPARE(all_rows(sweep).size(), std::size_t{30});
  QCOMPARE(made.load(), 3);
  // A cache of the caller serves the next sweep too.
  Context::Settings settings;
  settings.cache = std::make_shared<ScratchCache>();
  for (int i = 0; i < 2; ++i)
    run_sweep(sweep, settings, {.row = [](const SweepRow&) {}});
  QCOMPARE(made.load(), 6);
}

void TestSweep::tells_how_far_it_is() {
  const OperationTable table = make_operation_table();
  const Sweep sweep(sweep_of(table, "irfc", segmentation(), {"sigma_o=5:45:*3"}));
  std::mutex mutex;
  std::vector<SweepProgress> told;
  run_sweep(sweep, {},
            {.row = [](const SweepRow&) {},
             .progress =
                 [&](const SweepProgress& progress) {
                   const std::lock_guard lock(mutex);
                   told.push_back(progress);
                 }});
  QVERIFY(!told.empty());
  std::set<std::size_t> done;
  for (const SweepProgress& progress : told) {
    QCOMPARE(progress.total, std::size_t{3});
    QCOMPARE(progress.ms_left.has_value(), progress.done > 0);
    done.insert(progress.done);
  }
  QCOMPARE(done, (std::set<std::size_t>{0, 1, 2}));
}

void TestSweep::expects_the_mean_of_the_runs_so_far() {
  QCOMPARE(expected_ms({}, 5), std::optional<double>());
  QCOMPARE(expected_ms(std::vector{100.0}, 5), std::optional(500.0));
  QCOMPARE(expected_ms(std::vector{100.0, 10.0, 20.0}, 4), std::optional(60.0));
  QCOMPARE(expected_ms(std::vector{100.0, 10.0}, 0), std::optional(0.0));
}

QTEST_GUILESS_MAIN(TestSweep)
#include "test_sweep.moc"
