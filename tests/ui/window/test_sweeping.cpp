// SPDX-License-Identifier: Apache-2.0
//
// A sweep in the window: the form, the table, the heat map, a click that restores a run, and the
// priority of painting.
#include "core/base/error.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/heat_map.h"
#include "ui/plots/chart_view.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTreeView>

#include <atomic>
#include <chrono>
#include <thread>

namespace seedwave::ui {

using test::kLimitMs;
using State = SweepController::State;

namespace {

/// Numbers of runs of the operation that have started and that have ended, completed or not.
std::atomic<int> begun = 0;
std::atomic<int> over = 0;

struct Counted {
  Counted() { ++begun; }
  ~Counted() { ++over; }
};

/// Labels voxels above `level`. Takes 20 ms, so that it can be cancelled. Fails above 1000.
Operation slow_threshold() {
  Operation slow{.id = "slow", .title = "Slow", .help = "What is above a level."};
  slow.inputs = {{.kind = InputKind::Image, .help = "any"}};
  slow.parameters = {{.id = "level",
                      .title = "Level",
                      .initial = 500.0,
                      .domain = NumberDomain{.low = 0, .high = 2000}}};
  slow.outputs = {{.id = "labels", .help = "", .form = LabelsForm{}}};
  slow.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context& context) {
    const Counted counted;
    if (values.number("level") > 1000.0) throw InputError("nothing lies above 1000");
    for (int i = 0; i < 10; ++i) {
      context.checkpoint(i / 10.0);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const Geometry& grid = inputs.image.geometry();
    std::vector<std::uint16_t> labels;
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
      const double value = inputs.image.value_at(grid.index_of(i));
      labels.push_back(value > values.number("level") ? 1 : 0);
    }
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["labels"] = LabelMap(grid, std::move(labels));
    return result;
  };
  slow.implementations = {plain};
  return slow;
}

}  // namespace

class TestSweeping : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void scores_every_combination_and_brings_a_run_back() {
    fixture_.segment();
    load_reference();
    open_dialog();
    // Two sigmas are offered, around the values of the run.
    QCOMPARE(box("first_parameter")->currentData().toString(), "sigma_o");
    QCOMPARE(box("second_parameter")->currentData().toString(), "sigma_h");
    set_range("first", "20", "500", 3);
    set_range("second", "10", "300", 4);
    QVERIFY(label("plan")->text().startsWith("12 run"));
    QVERIFY(!label("note")->isVisible());
    run_sweep();
    QCOMPARE(sweep().rows().size(), std::size_t{12});
    QCOMPARE(map().data().columns.size(), 4);
    QCOMPARE(map().data().rows.size(), 3);
    QVERIFY(map().data().value_title.startsWith("Dice"));
    QVERIFY(sweep().plateau().has_value());
    QVERIFY(label("found")->text().contains("Centre of the plateau"));

    // A click on a cell applies its values and shows its result.
    const std::size_t cell = sweep().plateau()->runs.size() == 12 ? 11 : worst();
    const SweepRow& row = sweep().rows()[cell];
    QTest::mouseClick(&map(), Qt::LeftButton, {}, map().cell_rect(cell).center());
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && shown_digest() == row.facts.digest,
                             kLimitMs);
    QCOMPARE(fixture_.workbench().document().current_values().at("sigma_o"),
             row.facts.values.at("sigma_o"));
    QCOMPARE(fixture_.workbench().document().current_values().at("sigma_h"),
             row.facts.values.at("sigma_h"));
    QCOMPARE(fixture_.runs().displayed().run()->facts.values, row.facts.values);
    QVERIFY(std::abs(fixture_.runs().displayed().run()->score.mean().value() -
                     row.score(ScoreKind::Dice).value()) < 1e-12);
    // Again: the run is now in the history and comes from there.
    const std::size_t runs = fixture_.runs().history().runs().size();
    button("take")->click();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QTest::mouseClick(&map(), Qt::LeftButton, {}, map().cell_rect(cell).center());
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && shown_digest() == row.facts.digest,
                             kLimitMs);
    QVERIFY(fixture_.runs().history().runs().size() <= runs + 1);
    // And undo reverts it.
    fixture_.workbench().steps().undo_stack().undo();
    QVERIFY(fixture_.workbench().document().current_values().at("sigma_o") !=
                row.facts.values.at("sigma_o") ||
            fixture_.workbench().document().current_values().at("sigma_h") !=
                row.facts.values.at("sigma_h"));
  }

  void keys_move_over_the_heat_map() {
    fixture_.segment();
    load_reference();
    open_dialog();
    set_range("first", "20", "500", 2);
    set_range("second", "10", "300", 3);
    run_sweep();
    map().setFocus();
    for (int i = 0; i < 5; ++i) {
      QTest::keyClick(&map(), Qt::Key_Left);
      QTest::keyClick(&map(), Qt::Key_Down);
    }
    QCOMPARE(map().current(), std::optional<std::size_t>(0));
    QTest::keyClick(&map(), Qt::Key_Right);
    QTest::keyClick(&map(), Qt::Key_Up);
    QCOMPARE(map().current(), std::optional<std::size_t>(4));
    QCOMPARE(label("pointed")->text(), map().accessibleDescription());
    QVERIFY(label("pointed")->text().contains("Dice"));
    QTest::keyClick(&map(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && shown_digest() == sweep().rows()[4].facts.digest, kLimitMs);
    QVERIFY(dialog()->isVisible());  // Enter did not close it
  }

  void without_a_reference_it_shows_volumes() {
    fixture_.segment();
    open_dialog();
    QVERIFY(label("note")->isVisible());
    set_range("first", "20", "500", 3);
    box("second_parameter")->setCurrentIndex(0);
    emit box("second_parameter")->activated(0);
    run_sweep();
    QVERIFY(!sweep().plateau());
    QVERIFY(!button("take")->isEnabled());
    QVERIFY(chart().isVisible() && !map().isVisible());
    QVERIFY(chart().plot().y.title.startsWith("Volume of"));
    QVERIFY(chart().plot().curves.at(0).y.at(0) > 0);
    QVERIFY(chart().plot().marks.empty() && !chart().plot().shaded);
    button("copy")->click();
    QVERIFY(QGuiApplication::clipboard()->text().startsWith("run,sigma_o,labels,voxels,"));
  }

  void one_parameter_is_a_curve_and_a_click_brings_a_run_back() {
    fixture_.segment();
    load_reference();
    auto* row = fixture_.window().findChild<QAction*>("sweep_sigma_o");
    QVERIFY(row != nullptr);
    row->trigger();  // from the parameter's own menu
    QVERIFY(QTest::qWaitForWindowExposed(dialog()));
    QApplication::setActiveWindow(dialog());
    QCOMPARE(box("first_parameter")->currentData().toString(), "sigma_o");
    QVERIFY(box("second_parameter")->currentData().toString().isEmpty());
    const double used = fixture_.runs().displayed().run()->facts.values.number("sigma_o");
    QVERIFY(edit("first_from")->text().toDouble() < used);
    QVERIFY(edit("first_to")->text().toDouble() > used);
    set_range("first", "1", "1000", 7);
    QVERIFY(label("plan")->text().startsWith("7 run"));
    run_sweep();
    QVERIFY(chart().isVisible() && !map().isVisible());
    const Plot& plot = chart().plot();
    QCOMPARE(plot.x.scale, PlotScale::Logarithmic);
    QVERIFY(plot.y.title.startsWith("Dice"));
    QCOMPARE(plot.curves.size(), std::size_t{1});
    for (std::size_t run = 0; run < 7; ++run) {
      QCOMPARE(plot.curves[0].y[run], sweep().rows()[run].score(ScoreKind::Dice).value());
      QCOMPARE(Value(plot.curves[0].x[run]), sweep().rows()[run].facts.values.at("sigma_o"));
    }
    // Values by a factor are equally spaced.
    const auto at = [&](std::size_t run) {
      return chart().position_of({.curve = 0, .index = run});
    };
    for (std::size_t run = 1; run < 7; ++run)
      QVERIFY(std::abs((at(run).x() - at(0).x()) / (at(6).x() - at(0).x()) -
                       static_cast<double>(run) / 6.0) < 0.01);
    QCOMPARE(
        plot.marks.at(0),
        (PlotMark{.curve = 0, .index = sweep().plateau()->best, .kind = PlotMark::Kind::Ring}));
    QCOMPARE(plot.marks.at(1).index, sweep().plateau()->centre);

    const std::size_t run = worst();
    QTest::mouseClick(&chart(), Qt::LeftButton, {}, at(run).toPoint());
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && shown_digest() == sweep().rows()[run].facts.digest,
        kLimitMs);
    // By keys alone: moves to the first, and its values are displayed.
    chart().setFocus();
    QTest::keyClick(&chart(), Qt::Key_Right);
    QVERIFY(label("pointed")->text().contains("Dice"));
    QCOMPARE(chart().accessibleDescription(), label("pointed")->text());
    // Saves a file: numbers or an image. The question for the path is disconnected, because it
    // waits for an answer.
    disconnect(dialog(), SIGNAL(save_wanted(QString, QImage)), nullptr, nullptr);
    QSignalSpy save(dialog(), SIGNAL(save_wanted(QString, QImage)));
    button("save")->click();
    QCOMPARE(save.count(), 1);
    QCOMPARE(save[0][0].toString().count(QLatin1Char('\n')), 8);
    QVERIFY(save[0][1].value<QImage>().width() >= chart().width());
  }

  void a_value_of_the_image_is_tried_where_the_image_has_values() {
    fixture_.open_ball();
    fixture_.runs().set_live(false);
    fixture_.workbench().steps().set_operation("threshold", "Threshold");
    fixture_.window().findChild<QAction*>("sweep_low")->trigger();
    // No values are set: from one end of the image's values to the other.
    const ValueRange range = fixture_.workbench().opened().scene.range;
    QVERIFY(std::abs(edit("first_from")->text().toDouble() - range.low) < 10.0);
    QVERIFY(std::abs(edit("first_to")->text().toDouble() - range.high) < 50.0);
  }

  void a_heat_map_is_saved_as_a_picture() {
    fixture_.segment();
    load_reference();
    open_dialog();
    set_range("first", "20", "500", 2);
    set_range("second", "10", "300", 2);
    run_sweep();
    QVERIFY(map().isVisible() && !chart().isVisible());
    // The question for the path is disconnected, because it waits for an answer.
    disconnect(dialog(), SIGNAL(save_wanted(QString, QImage)), nullptr, nullptr);
    QSignalSpy save(dialog(), SIGNAL(save_wanted(QString, QImage)));
    button("save")->click();
    const auto picture = save[0][1].value<QImage>();
    QCOMPARE(picture.size(), map().size() * map().devicePixelRatio());
  }

  void says_what_is_wrong_with_the_form() {
    fixture_.segment();
    open_dialog();
    edit("first_from")->setText("wide");
    QVERIFY(label("plan")->text().contains("'wide' is not a number"));
    QVERIFY(!button("run_sweep")->isEnabled());
    edit("first_from")->setText("-1");
    QVERIFY(label("plan")->text().contains("above 0"));
    edit("first_from")->setText("1e12");
    QVERIFY(label("plan")->text().contains("from 0.000001 to 1000000000") ||
            label("plan")->text().contains("from 1e-06 to 1000000000"));
    box("second_parameter")->setCurrentIndex(box("first_parameter")->currentIndex() + 1);
    edit("first_from")->setText("1");
    QVERIFY(label("plan")->text().contains("twice"));
  }

  void pauses_goes_on_and_stops() {
    open_slow();
    set_range("first", "0", "1000", 100);
    button("run_sweep")->click();
    QTRY_VERIFY_WITH_TIMEOUT(sweep().rows().size() >= 3, kLimitMs);
    button("pause")->click();
    QCOMPARE(sweep().state(), State::Paused);
    const std::size_t paused_at = sweep().rows().size();
    nothing_more_is_run();
    QCOMPARE(sweep().rows().size(), paused_at);
    button("pause")->click();
    QTRY_VERIFY_WITH_TIMEOUT(sweep().rows().size() > paused_at, kLimitMs);
    button("run_sweep")->click();
    QCOMPARE(sweep().state(), State::Ended);
    const std::size_t stopped_at = sweep().rows().size();
    nothing_more_is_run();
    QCOMPARE(sweep().rows().size(), stopped_at);
    QVERIFY(stopped_at < 100);
    for (std::size_t run = 0; run < stopped_at; ++run)
      QCOMPARE(sweep().rows()[run].run, run);
  }

  void a_run_that_cannot_be_made_ends_it_and_says_why() {
    open_slow();
    set_range("first", "900", "1100", 3);
    button("run_sweep")->click();
    QTRY_COMPARE_WITH_TIMEOUT(sweep().state(), State::Ended, kLimitMs);
    QCOMPARE(sweep().rows().size(), std::size_t{2});
    QCOMPARE(sweep().failure(), QStringLiteral("nothing lies above 1000"));
    QCOMPARE(label("plan")->text(), sweep().failure());
    nothing_more_is_run();
    // Another one starts afresh.
    set_range("first", "900", "1000", 2);
    run_sweep();
    QCOMPARE(sweep().rows().size(), std::size_t{2});
  }

  void a_run_of_the_window_goes_first() {
    open_slow();
    set_range("first", "0", "1000", 60);
    button("run_sweep")->click();
    QTRY_VERIFY_WITH_TIMEOUT(sweep().rows().size() >= 2, kLimitMs);
    std::size_t rows_at_end = 0;
    const auto connection = connect(&fixture_.runs(), &RunController::ended, this,
                                    [&] { rows_at_end = sweep().rows().size(); });
    for (int i = 0; i < 5; ++i) {
      const std::uint64_t before = fixture_.runs().displayed().result().run;
      fixture_.runs().run();
      const std::size_t rows = sweep().rows().size();
      QTRY_VERIFY_WITH_TIMEOUT(fixture_.runs().displayed().result().run != before, kLimitMs);
      QCOMPARE(rows_at_end, rows);  // nothing of the sweep arrived meanwhile
    }
    disconnect(connection);
    QTRY_COMPARE_WITH_TIMEOUT(sweep().state(), State::Ended, kLimitMs);
    QCOMPARE(sweep().rows().size(), std::size_t{60});
    for (std::size_t run = 0; run < 60; ++run)
      QCOMPARE(sweep().rows()[run].run, run);
  }

  void another_image_ends_it() {
    open_slow();
    set_range("first", "0", "1000", 100);
    button("run_sweep")->click();
    QTRY_VERIFY_WITH_TIMEOUT(sweep().rows().size() >= 2, kLimitMs);
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    fixture_.window().opener().open({fixture_.image()});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QCOMPARE(sweep().state(), State::None);
    QVERIFY(sweep().rows().empty());
    nothing_more_is_run();
    QVERIFY(sweep().rows().empty());
  }

 private:
  SweepController& sweep() { return fixture_.window().sweep(); }
  QDialog* dialog() { return fixture_.window().findChild<QDialog*>("sweep"); }
  QPushButton* button(const char* name) { return dialog()->findChild<QPushButton*>(name); }
  QComboBox* box(const char* name) { return dialog()->findChild<QComboBox*>(name); }
  QLabel* label(const char* name) { return dialog()->findChild<QLabel*>(name); }
  QLineEdit* edit(const char* name) { return dialog()->findChild<QLineEdit*>(name); }
  ChartView& chart() { return *dialog()->findChild<ChartView*>(); }
  HeatMap& map() { return *dialog()->findChild<HeatMap*>(); }
  std::string shown_digest() { return fixture_.runs().displayed().run()->facts.digest; }

  void open_dialog() {
    fixture_.window().actions().at("sweep")->trigger();
    QVERIFY(QTest::qWaitForWindowExposed(dialog()));
    QApplication::setActiveWindow(dialog());
  }
  void open_slow() {
    fixture_.open_ball();
    fixture_.runs().set_live(false);
    fixture_.workbench().steps().set_operation("slow", "Slow");
    open_dialog();
  }
  void load_reference() {
    QSignalSpy loaded(&fixture_.workbench(), &Workbench::reference_changed);
    fixture_.window().opener().import_reference(fixture_.reference());
    QTRY_VERIFY_WITH_TIMEOUT(
        loaded.count() >= 1 && !fixture_.workbench().reference().labels.empty(), kLimitMs);
  }
  void set_range(const char* row, const char* from, const char* to, int count) {
    const QString name = QString::fromLatin1(row);
    dialog()->findChild<QLineEdit*>(name + "_from")->setText(from);
    dialog()->findChild<QLineEdit*>(name + "_to")->setText(to);
    dialog()->findChild<QSpinBox*>(name + "_count")->setValue(count);
  }
  void run_sweep() {
    button("run_sweep")->click();
    QTRY_COMPARE_WITH_TIMEOUT(sweep().state(), State::Ended, kLimitMs);
    QVERIFY2(sweep().failure().isEmpty(), qPrintable(sweep().failure()));
  }
  /// Checks that runs under way have ended, that their reports have been read, and that nothing
  /// followed.
  void nothing_more_is_run() {
    QTRY_COMPARE_WITH_TIMEOUT(over.load(), begun.load(), kLimitMs);
    const int last = begun;
    QCoreApplication::processEvents();
    QCOMPARE(begun.load(), last);
  }
  std::size_t worst() {
    std::size_t found = 0;
    for (const SweepRow& row : sweep().rows()) {
      if (row.score(ScoreKind::Dice).value() < sweep().rows()[found].score(ScoreKind::Dice).value())
        found = row.run;
    }
    return found;
  }

  test::WindowFixture fixture_{test::table_with({slow_threshold()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestSweeping)
#include "test_sweeping.moc"
