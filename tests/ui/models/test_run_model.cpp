// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operation_table.h"
#include "ui/models/run_model.h"

#include <QTest>

#include <algorithm>

namespace seedwave::ui {

namespace {

Run run_with(std::uint64_t id, std::initializer_list<std::uint16_t> labels) {
  Run run;
  run.id = id;
  run.recipe.operation = "irfc";
  SeedSet seeds;
  for (const std::uint16_t label : labels) {
    seeds.strokes.push_back({.label = label, .radius_mm = 1.0, .points = {{0, 0, 0}}, .plane = {}});
  }
  run.recipe.seeds = seeds;
  return run;
}

QString text(const RunModel& model, int row, int role = Qt::DisplayRole) {
  return model.data(model.index(row, RunModel::Changes), role).toString();
}

}  // namespace

class TestRunModel : public QObject {
  Q_OBJECT

 private slots:
  void tells_whose_strokes_came_and_went() {
    const OperationTable table = make_operation_table();
    Workbench workbench;
    RunController runs(workbench, table);
    const RunModel model(workbench, runs);
    runs.restore_history(
        {run_with(1, {1, 2, 2}), run_with(2, {1, 1, 1, 2}), run_with(3, {1, 2, 0})});
    QCOMPARE(text(model, 2), QStringLiteral("first run"));
    // No translation is loaded here, so the plural form stays undetermined.
    QCOMPARE(text(model, 1), QStringLiteral("+2 stroke(s) (object), −1 stroke(s) (background)"));
    QCOMPARE(text(model, 0), QStringLiteral("+1 stroke(s) (eraser), −2 stroke(s) (object)"));
  }

  void names_the_values_that_the_user_changed_but_not_each_estimate() {
    const OperationTable table = make_operation_table();
    Workbench workbench;
    RunController runs(workbench, table);
    const RunModel model(workbench, runs);
    Run first = run_with(1, {});
    first.facts.values.set("windows", Value("1=10:2:2"));
    first.facts.values.set("sigma_h", 3.0);
    first.facts.values.set("detail", 0.0);
    Run estimated = first;
    estimated.id = 2;
    estimated.facts.values.set("windows", Value("1=11:3:3"));
    estimated.facts.values.set("sigma_h", 4.0);
    Run smoother = estimated;
    smoother.id = 3;
    smoother.recipe.values.set("detail", -1.0);
    smoother.facts.values.set("detail", -1.0);
    runs.restore_history({first, estimated, smoother});
    QCOMPARE(text(model, 1), QStringLiteral("re-estimated"));
    QVERIFY(text(model, 1, Qt::ToolTipRole).contains(QStringLiteral("sigma_h = 4")));
    QCOMPARE(text(model, 0), QStringLiteral("detail -1"));
  }

  // Edits lie above the run before them: its time is not theirs.
  void edits_took_no_run() {
    const OperationTable table = make_operation_table();
    Workbench workbench;
    RunController runs(workbench, table);
    const RunModel model(workbench, runs);
    Run first = run_with(1, {1, 2});
    first.facts.total_ms = 500.0;
    Run edited = first;
    edited.id = 2;
    edited.recipe.edits.locked[1];
    Run both = edited;
    both.id = 3;
    both.recipe.edits.locked[2];
    both.recipe.seeds = run_with(3, {1, 2, 2}).recipe.seeds;
    runs.restore_history({first, edited, both});
    const auto time = [&](int row) {
      return model.data(model.index(row, RunModel::Milliseconds), Qt::DisplayRole).toString();
    };
    QCOMPARE(time(2), QStringLiteral("500"));
    QCOMPARE(text(model, 1), QStringLiteral("edits"));
    QCOMPARE(time(1), QStringLiteral("–"));
    QCOMPARE(time(0), QStringLiteral("500"));
  }

  void tells_the_channel_where_it_is_another() {
    const OperationTable table = make_operation_table();
    Workbench workbench;
    RunController runs(workbench, table);
    const RunModel model(workbench, runs);
    Run red = run_with(1, {});
    red.recipe.channel = "red";
    Run stain = run_with(2, {});
    stain.recipe.channel = "hematoxylin";
    Run again = run_with(3, {});
    again.recipe.channel = "hematoxylin";
    const Run of_a_run = run_with(4, {});
    runs.restore_history({red, stain, again, of_a_run});
    QCOMPARE(text(model, 2), QStringLiteral("channel Haematoxylin"));
    QCOMPARE(text(model, 1), QStringLiteral("no changes"));
    QVERIFY(text(model, 3, Qt::ToolTipRole).contains(QStringLiteral("channel: Red")));
    QVERIFY(!text(model, 0, Qt::ToolTipRole).contains(QStringLiteral("channel")));
    const auto list = differences(red, stain);
    QVERIFY(std::any_of(list.begin(), list.end(), [](const RunDifference& row) {
      return row.what == "channel" && row.a == "red" && row.b == "hematoxylin";
    }));
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestRunModel)
#include "test_run_model.moc"
