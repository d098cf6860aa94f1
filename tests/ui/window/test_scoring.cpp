// SPDX-License-Identifier: Apache-2.0
//
// The region of a Dice: all of the image, or only where the reference has a label.
#include "core/image/label_counts.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/sweep_model.h"

#include <QCheckBox>
#include <QLabel>
#include <QTreeView>

#include <algorithm>

namespace seedwave::ui {

using test::kLimitMs;

namespace {

/// Dice of bands with a reference of half of each: 2 * 1 / (2 + 1).
constexpr double kPart = 2.0 / 3.0;

}  // namespace

class TestScoring : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void the_choice_holds_for_every_run() {
    run_twice();
    QVERIFY(!choice().isVisible());
    set_reference(8);
    // The user is told the possible reason, and nothing is changed.
    QTRY_VERIFY_WITH_TIMEOUT(has_scores({kPart, kPart}), kLimitMs);
    QVERIFY(choice().isVisible() && !choice().isChecked());
    QVERIFY(label("where_labelled_hint")->isVisible());
    QVERIFY2(label("where_labelled_hint")->text().contains("50 %"),
             qPrintable(label("where_labelled_hint")->text()));
    choice().click();
    QVERIFY(has_no_scores());  // no old value under the new heading
    QTRY_VERIFY_WITH_TIMEOUT(has_scores({1.0, 1.0}), kLimitMs);
    QVERIFY(!label("where_labelled_hint")->isVisible());
    QVERIFY(label("score_detail")->text().contains("where the reference has a label"));
    const auto head = list().headerData(RunModel::Dice, Qt::Horizontal, Qt::ToolTipRole);
    QVERIFY(head.toString().contains("where the reference has a label"));
    choice().click();
    QTRY_VERIFY_WITH_TIMEOUT(has_scores({kPart, kPart}), kLimitMs);
    QVERIFY(!label("score_detail")->text().contains("where the reference has a label"));
  }

  void a_run_made_after_the_choice_is_scored_like_the_others() {
    run_twice();
    set_reference(8);
    QTRY_VERIFY_WITH_TIMEOUT(has_scores({kPart, kPart}), kLimitMs);
    choice().click();
    QTRY_VERIFY_WITH_TIMEOUT(has_scores({1.0, 1.0}), kLimitMs);
    run_with(2.0);
    QTRY_VERIFY_WITH_TIMEOUT(has_scores({1.0, 1.0, 1.0}), kLimitMs);
    // The choice is made during a run.
    fixture_.workbench().steps().set_value("count", 4.0, "Count");
    fixture_.runs().run();
    QVERIFY(fixture_.runs().busy());
    choice().click();
    QTRY_VERIFY_WITH_TIMEOUT(has_scores({kPart, kPart, kPart, kPart}), kLimitMs);
  }

  void a_reference_that_went_while_a_run_was_under_way_leaves_no_score() {
    run_twice();
    set_reference(8);
    QTRY_VERIFY_WITH_TIMEOUT(has_scores({kPart, kPart}), kLimitMs);
    fixture_.workbench().steps().set_value("count", 8.0, "Count");
    fixture_.runs().run();
    QVERIFY(fixture_.runs().busy());
    fixture_.workbench().clear_reference();
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().history().runs().size() == 3, kLimitMs);
    QVERIFY(has_no_scores());
  }

  void a_sweep_is_scored_so_too() {
    run_twice();
    set_reference(8);
    fixture_.workbench().set_scored(Scored::WhereLabelled);
    SweepController& sweep = fixture_.window().sweep();
    sweep.start(SweepGrid({SweepAxis{.parameter = "count", .values = {2.0, 4.0}}}));
    QTRY_COMPARE_WITH_TIMEOUT(sweep.state(), SweepController::State::Ended, kLimitMs);
    // There are no seeds: the foreground is scored, which these bands fill.
    QCOMPARE(sweep.sweep()->scored(), Scored::WhereLabelled);
    QCOMPARE(sweep.rows().at(0).score(ScoreKind::Dice), std::optional(1.0));
    const QString title =
        title_of(*sweep.sweep(), measures_of(*sweep.sweep()).front(), fixture_.workbench());
    QVERIFY2(title.endsWith("where the reference has a label"), qPrintable(title));
  }

  void a_reference_of_all_brings_no_hint_and_a_session_keeps_the_choice() {
    run_twice();
    set_reference(16);
    QTRY_VERIFY_WITH_TIMEOUT(has_scores({1.0, 1.0}), kLimitMs);
    QVERIFY(choice().isVisible() && !label("where_labelled_hint")->isVisible());
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    choice().click();
    QVERIFY(fixture_.window().isWindowModified());
    fixture_.window().saver().save_session(fixture_.path("scored.json"));
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
    fixture_.show_window();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::session_opened);
    fixture_.window().opener().open({fixture_.path("scored.json")});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QVERIFY(choice().isChecked());
    QVERIFY(!fixture_.window().isWindowModified());
    // Another image has another reference.
    fixture_.open(fixture_.image());
    QVERIFY(!choice().isChecked());
  }

 private:
  QCheckBox& choice() {
    return *fixture_.window().findChild<QCheckBox*>(QStringLiteral("where_labelled"));
  }
  QLabel* label(const char* name) {
    return fixture_.window().findChild<QLabel*>(QString::fromLatin1(name));
  }
  QAbstractItemModel& list() {
    return *fixture_.window().findChild<QTreeView*>(QStringLiteral("runs"))->model();
  }
  void run_with(double count) {
    const std::size_t before = fixture_.runs().history().runs().size();
    fixture_.workbench().steps().set_value("count", count, "Count");
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().history().runs().size() == before + 1,
        kLimitMs);
  }
  /// Runs two bands, then four.
  void run_twice() {
    fixture_.show_window();
    fixture_.open_page();
    fixture_.workbench().steps().set_operation("bands", "Bands");
    fixture_.runs().clear();
    run_with(2.0);
    run_with(4.0);
  }
  /// Sets labels 1 and 2, `wide` pixels wide, at the left and the right edge.
  void set_reference(std::int64_t wide) {
    const Geometry grid = fixture_.workbench().image().geometry();
    std::vector<std::uint16_t> labels;
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
      const std::int64_t x = grid.index_of(i)[0];
      const std::uint16_t right = x >= grid.size[0] - wide ? 2 : 0;
      labels.push_back(x < wide ? 1 : right);
    }
    const LabelMap map(grid, std::move(labels));
    fixture_.workbench().set_reference(map, Source{}, count_labels(map));
  }
  bool has_no_scores() {
    const std::vector<Run>& runs = fixture_.runs().history().runs();
    return std::none_of(runs.begin(), runs.end(),
                        [](const Run& run) { return run.score.mean().has_value(); });
  }
  /// Checks the scores of the runs in order, as displayed in the list.
  bool has_scores(const std::vector<double>& scores) {
    if (fixture_.runs().busy() || list().rowCount() != static_cast<int>(scores.size()))
      return false;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const int row = static_cast<int>(scores.size() - 1 - i);
      const QString text = list().index(row, RunModel::Dice).data().toString();
      if (text != QLocale().toString(scores[i], 'f', 3)) return false;
    }
    return true;
  }

  test::WindowFixture fixture_{test::table_with({test::bands_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestScoring)
#include "test_scoring.moc"
