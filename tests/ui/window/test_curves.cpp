// SPDX-License-Identifier: Apache-2.0
//
// Operations that give only curves, and one whose parameter is a place on them: `ui` has no code
// specific to them.
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/plot_panel.h"
#include "ui/plots/chart_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace seedwave::ui {

using test::kLimitMs;

class TestCurves : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void a_curve_is_plotted_by_itself_and_takes_no_focus() {
    fixture_.open_ball();
    QVERIFY(!dock()->isVisible());
    fixture_.axial().setFocus();
    choose("spectrum");
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run("spectrum"), kLimitMs);
    QVERIFY(dock()->isVisible());
    QCOMPARE(QApplication::focusWidget(), &fixture_.axial());
    const Plot& plot = chart().plot();
    QCOMPARE(plot.x.text(), QStringLiteral("Angle (°)"));
    QCOMPARE(plot.y.text(), QStringLiteral("Response"));
    QCOMPARE(plot.curves.size(), std::size_t{1});
    QCOMPARE(plot.curves[0].x.size(), std::size_t{72});
    QCOMPARE(chart().peaks(0), (std::vector<std::size_t>{16, 48}));  // 40 and 120 degrees
    QCOMPARE(find<QLabel>("plot_title")->text(), QStringLiteral("Run 1: Spectrum"));
    // The dock was closed and stays closed as long as the same operation runs.
    dock()->close();
    run_with_width(12);
    QVERIFY(!dock()->isVisible());
  }

  void a_run_with_a_curve_alone_is_a_run_like_others() {
    fixture_.open_ball();
    fixture_.window().opener().import_reference(fixture_.reference());
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.workbench().reference().labels.empty(), kLimitMs);
    choose("spectrum");
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run("spectrum"), kLimitMs);
    const Run* run = fixture_.runs().displayed().run();
    QVERIFY(run->facts.digest.starts_with("xxh64:") && run->score.labels.empty() &&
            !run->score.foreground);
    QVERIFY(fixture_.runs().displayed().result().labels.empty() &&
            fixture_.runs().displayed().result().maps.empty());
    QVERIFY(fixture_.window().views().maps().shown() == nullptr);
    QVERIFY(!fixture_.window().labels().voxels(1));
    QVERIFY(field("backend")->text().contains(QStringLiteral("plain")));
    QCOMPARE(find<QTreeView>("runs")->model()->rowCount(), 1);
    // Adding or removing a reference has no effect: there is nothing to score.
    fixture_.workbench().clear_reference();
    fixture_.window().opener().import_reference(fixture_.reference());
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.workbench().reference().labels.empty(), kLimitMs);
    QVERIFY(fixture_.runs().displayed().run()->score.labels.empty());
    // The other digest is that of the other curve.
    const std::string digest = run->facts.digest;
    run_with_width(12);
    QVERIFY(fixture_.runs().displayed().run()->facts.digest != digest);
    fixture_.runs().restore(1);
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.runs().displayed().result().run == 1 && !fixture_.runs().busy(), kLimitMs);
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{2});
    QCOMPARE(chart().plot().curves[0].run, std::uint64_t{1});
    // Comparing reports the alternative.
    fixture_.window().actions().at("compare")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(field("message")->text().contains(QStringLiteral("pin their curves")),
                             kLimitMs);
  }

  void live_redraws_it_and_keeps_the_part_that_is_looked_at() {
    run_spectrum();
    const double top = highest();
    run_with_width(30);
    QVERIFY(highest() != top);  // the bumps overlap
    const QPointF middle = chart().position_of({.curve = 0, .index = 16});
    turn_wheel(middle, 3);
    const ChartLayout::View view = chart().view();
    QVERIFY(view.x.high - view.x.low < 100);
    run_with_width(29);
    QVERIFY(std::abs(chart().view().x.low - view.x.low) < 1e-9);
    QTest::mouseDClick(&chart(), Qt::LeftButton, {}, middle.toPoint());
    QVERIFY(chart().view() == whole_view(chart().plot()));
  }

  void it_is_read_at_the_pointer_and_by_keys() {
    run_spectrum();
    QTest::mouseMove(&chart(), chart().position_of({.curve = 0, .index = 20}).toPoint());
    QTRY_COMPARE_WITH_TIMEOUT(field("plot_readout")->text().section(',', 0, 0),
                              QStringLiteral("50°"), kLimitMs);
    QTest::keyClick(&chart(), Qt::Key_Right);
    QVERIFY(field("plot_readout")->text().startsWith(QStringLiteral("52.5°")));
    QTest::keyClick(&chart(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(field("plot_readout")->text(), QStringLiteral("120°, 0.6"));
  }

  void copies_are_numbers_and_a_picture() {
    run_spectrum();
    action("plot_copy_csv")->trigger();
    const QStringList lines = QApplication::clipboard()->text().trimmed().split('\n');
    QCOMPARE(lines.size(), 73);
    QCOMPARE(lines[0], QStringLiteral("Angle (°),Run 1"));
    QCOMPARE(lines[17].section(',', 0, 0), QStringLiteral("40"));
    QCOMPARE(lines[17].section(',', 1).toDouble(), chart().plot().curves[0].y[16]);
    action("plot_copy_picture")->trigger();
    const QImage picture = QApplication::clipboard()->image();
    QCOMPARE(picture.width(), chart().width());
    // The image contains the line itself and its axes.
    const QPoint peak = chart().position_of({.curve = 0, .index = 16}).toPoint();
    const QColor background = picture.pixelColor(chart().width() - 3, 3);
    QVERIFY(has_other_colour(picture, QRect(peak - QPoint(3, 3), QSize(7, 7)), background));
    QVERIFY(has_other_colour(picture, QRect(60, picture.height() - 16, picture.width() - 60, 14),
                             background));

    window().saver().export_content("plot", fixture_.path("plot.csv"),
                                    [] { return std::string("a,b\n"); });
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(fixture_.path("plot.csv")), kLimitMs);
  }

  void pinned_curves_stay_beside_later_ones() {
    run_spectrum();
    action("plot_pin")->trigger();
    const std::size_t color_of_first = chart().plot().color_of(0);
    run_with_width(20);
    const Plot& plot = chart().plot();
    QCOMPARE(plot.curves.size(), std::size_t{2});
    // A run keeps its colour, and another one has a different colour.
    QCOMPARE(plot.color_of(1), color_of_first);
    QVERIFY(plot.color_of(0) != color_of_first);
    QCOMPARE(plot.curves[0].name, QStringLiteral("Run 2: width 20"));
    QCOMPARE(plot.curves[1].name, QStringLiteral("Run 1: width 8"));
    QVERIFY(chart().peaks(1).empty());  // the displayed curve's peaks are marked
    QVERIFY(panel().csv().startsWith(QStringLiteral("Angle (°),Run 2: width 20,Run 1: width 8\n")));
    // One drag of a slider leaves one entry, but never replaces the pinned one.
    action("plot_pin")->trigger();
    fixture_.workbench().steps().set_value("width", 21.0, QStringLiteral("Width"),
                                           Gesture::Continued);
    QTRY_VERIFY_WITH_TIMEOUT(
        has_fresh_run("spectrum") && fixture_.runs().displayed().result().run == 3, kLimitMs);
    QCOMPARE(chart().plot().curves.size(), std::size_t{3});
    auto* pinned = find<QToolButton>("plot_pinned");
    QCOMPARE(pinned->text(), QStringLiteral("Pinned (2)"));
    emit pinned->menu()->aboutToShow();
    QCOMPARE(pinned->menu()->actions().front()->text(), QStringLiteral("Unpin Run 1: width 8"));
    pinned->menu()->actions().front()->trigger();
    QCOMPARE(chart().plot().curves.size(), std::size_t{2});
    // From the list of runs, and as run A of comparisons without a question.
    choose_run(1);
    QVERIFY(find<QPushButton>("pin_curve")->isVisible());
    action("run_pin_curve")->trigger();
    QCOMPARE(chart().plot().curves.size(), std::size_t{3});
    choose_run(1);
    action("run_pin_curve")->trigger();
    choose_run(1);
    action("run_pin")->trigger();
    QCOMPARE(chart().plot().curves.size(), std::size_t{3});
    fixture_.runs().history().remove(1);
    QCOMPARE(chart().plot().curves.size(), std::size_t{2});
  }

  void curves_over_other_axes_are_not_drawn_but_told() {
    run_spectrum();
    action("plot_pin")->trigger();
    choose("sizes");
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run("sizes"), kLimitMs);
    QCOMPARE(chart().plot().curves.size(), std::size_t{1});
    QCOMPARE(chart().plot().x.text(), QStringLiteral("Length (mm)"));
    QCOMPARE(chart().plot().y.text(), QStringLiteral("Left (%)"));
    QVERIFY(field("plot_left_out")->isVisible());
    QVERIFY(field("plot_left_out")->text().contains(QStringLiteral("Run 1: Spectrum")));
    auto* quantity = find<QComboBox>("plot_quantity");
    QCOMPARE(quantity->count(), 3);
    quantity->setCurrentIndex(2);
    emit quantity->activated(2);
    QCOMPARE(chart().plot().curves.size(), std::size_t{2});
    QCOMPARE(chart().plot().curves[1].name, QStringLiteral("Run 2, Lost"));
    QCOMPARE(chart().plot().y.text(), QStringLiteral("Left, Lost (%)"));
    quantity->setCurrentIndex(1);
    emit quantity->activated(1);
    QCOMPARE(chart().plot().curves.size(), std::size_t{1});
    QCOMPARE(chart().plot().y.text(), QStringLiteral("Lost (%)"));
    // No parameter is a length: nothing is offered.
    click(chart().position_of({.curve = 0, .index = 3}));
    QVERIFY(find<QToolButton>("plot_use") == nullptr);
  }

  void a_peak_is_tried_out_in_an_operation_that_has_the_parameter() {
    run_spectrum();
    // A place beside the peaks is offered, not applied.
    click(chart().position_of({.curve = 0, .index = 30}));
    auto* use = find<QToolButton>("plot_use");
    QVERIFY(use != nullptr && use->isVisible());
    QCOMPARE(use->text(), QStringLiteral("Use 75° in Tilted"));
    QCOMPARE(fixture_.workbench().document().operation, std::string("spectrum"));
    // A peak needs one click.
    const int steps = fixture_.workbench().steps().undo_stack().count();
    click(chart().position_of({.curve = 0, .index = 16}));
    QCOMPARE(fixture_.workbench().document().operation, std::string("tilted"));
    QCOMPARE(fixture_.workbench().document().current_values().number("tilt"), 40.0);
    QCOMPARE(fixture_.workbench().steps().undo_stack().count(), steps + 1);
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run("tilted"), kLimitMs);
    // The curve stays, and the next peak is applied at once.
    QCOMPARE(chart().plot().curves.size(), std::size_t{1});
    click(chart().position_of({.curve = 0, .index = 48}));
    QCOMPARE(fixture_.workbench().document().current_values().number("tilt"), 120.0);
    QCOMPARE(field("plot_readout")->text(), QStringLiteral("120° is now the angle of Tilted"));
    click(chart().position_of({.curve = 0, .index = 30}));
    QCOMPARE(fixture_.workbench().document().current_values().number("tilt"), 120.0);
    use = find<QToolButton>("plot_use");
    QCOMPARE(use->text(), QStringLiteral("Use 75° as angle"));
    QTest::mouseClick(use, Qt::LeftButton);
    QCOMPARE(fixture_.workbench().document().current_values().number("tilt"), 75.0);
    fixture_.workbench().steps().undo_stack().undo();
    QCOMPARE(fixture_.workbench().document().current_values().number("tilt"), 120.0);
  }

  void a_peak_goes_to_what_ran_last_and_the_others_are_offered() {
    fixture_.open_ball();
    choose("leaning");
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run("leaning"), kLimitMs);
    choose("spectrum");
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run("spectrum"), kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(chart().isVisible() && chart().width() > 200, kLimitMs);
    QVERIFY(!chart().grab().isNull());
    QCoreApplication::processEvents();
    click(chart().position_of({.curve = 0, .index = 16}));
    QCOMPARE(fixture_.workbench().document().operation, std::string("leaning"));
    QCOMPARE(fixture_.workbench().document().current_values().number("tilt"), 40.0);
    auto* use = find<QToolButton>("plot_use");
    QVERIFY(use != nullptr);
    QCOMPARE(use->text(), QStringLiteral("Use 40° in Tilted"));
    QTest::mouseClick(use, Qt::LeftButton);
    QCOMPARE(fixture_.workbench().document().operation, std::string("tilted"));
    QCOMPARE(find<QToolButton>("plot_use")->text(), QStringLiteral("Use 40° in Leaning"));
  }

  void a_session_keeps_curves_and_pins() {
    run_spectrum();
    action("plot_pin")->trigger();
    run_with_width(20);
    const Plot before = chart().plot();
    const QString session = fixture_.path("session.json");
    QSignalSpy saved(&window().saver(), &FileSaver::session_saved);
    window().saver().save_session(session);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
    QVERIFY(!window().isWindowModified());
    fixture_.show_window();
    QSignalSpy opened(&window().opener(), &FileOpener::session_opened);
    window().opener().open({session});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(chart().plot() == before, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(dock()->isVisible(), kLimitMs);
    QCOMPARE(fixture_.runs().displayed().result().run, std::uint64_t{2});
    // Another image: no curve of the previous one.
    QSignalSpy image(&window().opener(), &FileOpener::image_opened);
    window().workbench().steps().undo_stack().setClean();
    window().opener().open({fixture_.image()});
    QTRY_COMPARE_WITH_TIMEOUT(image.count(), 1, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(chart().plot().empty() || chart().plot().curves.size() == 1, kLimitMs);
  }

 private:
  static Operation leaning() {
    Operation leaning = test::tilted_operation();
    leaning.id = "leaning";
    leaning.title = "Leaning";
    return leaning;
  }
  MainWindow& window() { return fixture_.window(); }
  template <typename Widget>
  Widget* find(const char* name) {
    return window().findChild<Widget*>(QString::fromLatin1(name));
  }
  const QLabel* field(const char* name) { return find<QLabel>(name); }
  QDockWidget* dock() { return find<QDockWidget>("dock_plot"); }
  ChartView& chart() { return *find<ChartView>("plot"); }
  PlotPanel& panel() { return *window().findChild<PlotPanel*>(); }
  QAction* action(const char* id) { return window().actions().at(id); }
  void choose(const char* operation) {
    fixture_.workbench().steps().set_operation(operation, QString::fromLatin1(operation));
  }
  [[nodiscard]] bool has_fresh_run(const char* operation) {
    const DisplayedResult::Result& shown = fixture_.runs().displayed().result();
    return shown.run != 0 && !shown.stale && !fixture_.runs().busy() &&
           fixture_.runs().displayed().run()->recipe.operation == operation;
  }
  void run_spectrum() {
    fixture_.open_ball();
    choose("spectrum");
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run("spectrum"), kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(chart().isVisible() && chart().width() > 200, kLimitMs);
    QVERIFY(!chart().grab().isNull());
    QCoreApplication::processEvents();  // the dock gets its size
  }
  void run_with_width(double width) {
    const std::uint64_t before = fixture_.runs().displayed().result().run;
    fixture_.workbench().steps().set_value("width", width, QStringLiteral("Width"));
    QTRY_VERIFY_WITH_TIMEOUT(
        has_fresh_run("spectrum") && fixture_.runs().displayed().result().run != before, kLimitMs);
  }
  double highest() {
    const std::vector<double>& y = chart().plot().curves[0].y;
    return *std::max_element(y.begin(), y.end());
  }
  void choose_run(std::uint64_t id) {
    auto* list = find<QTreeView>("runs");
    const int count = list->model()->rowCount();
    for (int row = 0; row < count; ++row) {
      if (list->model()->index(row, 0).data().toString().startsWith(QString::number(id)))
        list->setCurrentIndex(list->model()->index(row, 0));
    }
  }
  void click(const QPointF& place) {
    QTest::mouseClick(&chart(), Qt::LeftButton, {}, place.toPoint());
  }
  void turn_wheel(const QPointF& place, int steps) {
    QWheelEvent event(place, chart().mapToGlobal(place), {}, {0, 120 * steps}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&chart(), &event);
  }
  static bool has_other_colour(const QImage& picture, const QRect& part, const QColor& than) {
    for (int y = part.top(); y <= part.bottom(); ++y) {
      for (int x = part.left(); x <= part.right(); ++x) {
        if (picture.valid(x, y) && picture.pixelColor(x, y) != than) return true;
      }
    }
    return false;
  }

  test::WindowFixture fixture_{test::table_with(
      {test::spectrum_operation(), test::sizes_operation(), test::tilted_operation(), leaning()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestCurves)
#include "test_curves.moc"
