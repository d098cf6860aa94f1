// SPDX-License-Identifier: Apache-2.0
//
// A click sets an operation's place, and the plot follows the pointer: `ui` has no code specific to
// that operation.
#include "core/ops/curve_columns.h"
#include "core/ops/place_text.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/plot_panel.h"
#include "ui/plots/chart_view.h"
#include "ui/views/slice_layers.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

namespace seedwave::ui {

using test::kLimitMs;

namespace {

/// Number of runs of the operation since the program started.
std::atomic<int> probes = 0;

/// Gives two curves of a place, its column and its row, each increasing by one per step. For each
/// label with seeds it gives two curves of 100. Takes a configurable time.
Operation probe_operation() {
  Operation probe{.id = "probe", .title = "Probe", .help = "Where it is."};
  probe.inputs = {{.kind = InputKind::Image, .help = "any"},
                  {.kind = InputKind::Seeds, .required = false, .help = "to be told of"}};
  probe.parameters = {{.id = "spot",
                       .title = "Spot",
                       .help = "Where",
                       .initial = "none",
                       .domain = PlaceDomain{.word = "none"},
                       .applies = Applies::Images},
                      {.id = "ms",
                       .title = "Takes",
                       .initial = 0.0,
                       .domain = NumberDomain{.low = 0.0, .high = 1000.0}}};
  probe.outputs = {
      {.id = "curve",
       .help = "",
       .form = CurveForm{.columns = {{.id = "step", .title = "Step"},
                                     {.id = "axis", .title = "Index", .repeats = true}}}}};
  probe.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    ++probes;
    std::this_thread::sleep_for(std::chrono::milliseconds(static_cast<int>(values.number("ms"))));
    const PixelIndex spot = parse_place(values.word("spot")).value_or(PixelIndex{0, 0});
    Table table{.columns = {"step", column_name("axis", 1), column_name("axis", 2)}, .rows = {}};
    for (double step = 0.0; step < 4.0; ++step) {
      table.rows.push_back(
          {step, static_cast<double>(spot[0]) + step, static_cast<double>(spot[1]) + step});
    }
    std::set<Label> labels;
    for (const Seed& seed : inputs.seeds.seeds)
      labels.insert(seed.label);
    for (const Label label : labels) {
      for (const std::int64_t axis : {1, 2})
        table.columns.push_back(column_name("axis", axis, label));
      for (std::vector<double>& row : table.rows)
        row.insert(row.end(), 2, 100.0);
    }
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["curve"] = table;
    return result;
  };
  probe.implementations = {plain};
  return probe;
}

}  // namespace

class TestPlaces : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void the_tool_is_there_where_an_operation_has_a_place() {
    fixture_.show_window();
    QVERIFY(!action("tool_place")->isEnabled());
    fixture_.open_page();
    choose("threshold");
    QVERIFY(!action("tool_place")->isEnabled() && !action("follow_pointer")->isEnabled());
    choose("probe");
    QVERIFY(action("tool_place")->isEnabled() && action("follow_pointer")->isEnabled());
    QTest::keyClick(&window(), Qt::Key_P);
    QCOMPARE(window().views().settings().tool(), Tool::Place);
    QVERIFY(find<QLabel>("message")->text().contains(QStringLiteral("spot")));
    choose("threshold");
    QCOMPARE(window().views().settings().tool(), Tool::Navigate);
  }

  void a_click_sets_the_place_and_runs() {
    take_probe();
    action("tool_place")->trigger();
    click(5, 7);
    QCOMPARE(spot(), std::string("5,7"));
    QTRY_VERIFY_WITH_TIMEOUT(has_run_at("5,7"), kLimitMs);
    QVERIFY(view().layers().place() == (Vec3{5, 7, 0}));
    // One step, which undo reverts together with the mark.
    window().workbench().steps().undo_stack().undo();
    QCOMPARE(spot(), std::string());
    QVERIFY(!view().layers().place().has_value());
    // By keys: at the crosshair.
    view().setFocus();
    QTest::keyClick(&view(), Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(&view(), Qt::Key_Return);
    const Index3 cursor =
        window().workbench().image().geometry().nearest_index(view().display().cursor);
    QCOMPARE(spot(), place_text({cursor[0], cursor[1]}));
  }

  void an_operation_that_needs_a_place_says_how_to_choose_one() {
    fixture_.show_window();
    fixture_.open_page();
    choose("look-alike");
    const auto* message = find<QLabel>("missing");
    QVERIFY2(message->text().startsWith(QStringLiteral("Choose the place: press P and click")),
             qPrintable(message->text()));
    // Nothing was started that could fail with a command-line message.
    fixture_.runs().run();
    QVERIFY(!fixture_.runs().busy() && fixture_.runs().failure().isEmpty());
    fixture_.runs().set_live(false);
    action("tool_place")->trigger();
    click(16, 12);
    QVERIFY(fixture_.runs().next().missing().isEmpty());
    // A volume has no place to choose, so it is not requested.
    fixture_.open(fixture_.image());
    choose("look-alike");
    QVERIFY(fixture_.runs().next().missing().isEmpty());
    // An operation with an optional place can run.
    fixture_.open_page();
    choose("probe");
    QVERIFY(fixture_.runs().next().missing().isEmpty());
  }

  void the_place_is_typed_and_cleared() {
    take_probe();
    auto* x = find<QSpinBox>("spot_value_x");
    auto* y = find<QSpinBox>("spot_value_y");
    QCOMPARE(x->text(), QStringLiteral("x none"));
    QCOMPARE(x->maximum(), 31);
    QVERIFY(!x->accessibleName().isEmpty() && !y->accessibleName().isEmpty());
    y->setValue(4);
    QCOMPARE(spot(), std::string("0,4"));
    x->setValue(9);
    QCOMPARE(spot(), std::string("9,4"));
    y->setValue(y->minimum());
    QCOMPARE(spot(), std::string("none"));
    QVERIFY(!view().layers().place().has_value());
    find<QToolButton>("spot_pick")->click();
    QCOMPARE(window().views().settings().tool(), Tool::Place);
  }

  void the_curve_follows_the_pointer_and_leaves_nothing_behind() {
    take_probe();
    const std::size_t runs = fixture_.runs().history().runs().size();
    const int steps = window().workbench().steps().undo_stack().index();
    for (const auto& [x, y] : {std::pair(9, 3), {20, 11}}) {
      move(x, y);
      QTRY_COMPARE_WITH_TIMEOUT(first_y(), static_cast<double>(x), kLimitMs);
      const Plot& plot = chart().plot();
      QCOMPARE(plot.curves[1].y[3], y + 3.0);
      QCOMPARE(plot.curves[1].name, QStringLiteral("At %1, %2, Axis 2").arg(x).arg(y));
      // The run's own curves next to them.
      QCOMPARE(plot.curves.size(), std::size_t{4});
      QCOMPARE(plot.curves[2].y[0], 0.0);
      // Curves of one kind have one colour.
      QCOMPARE(plot.color_of(2), plot.color_of(0));
      QVERIFY(plot.color_of(1) != plot.color_of(0));
    }
    QCOMPARE(find<QLabel>("plot_title")->text(), QStringLiteral("At 20, 11: Probe"));
    QCOMPARE(fixture_.runs().history().runs().size(), runs);
    QCOMPARE(window().workbench().steps().undo_stack().index(), steps);
    leave();
    QCOMPARE(chart().plot().curves.size(), std::size_t{2});
    QCOMPARE(chart().plot().curves[0].run, fixture_.runs().displayed().result().run);
  }

  void one_quantity_is_seen_of_all_that_is_drawn() {
    take_probe();
    auto* quantity = find<QComboBox>("plot_quantity");
    QCOMPARE(quantity->currentText(), QStringLiteral("All"));
    emit quantity->activated(1);
    move(9, 3);
    QTRY_COMPARE_WITH_TIMEOUT(first_y(), 3.0, kLimitMs);
    QCOMPARE(chart().plot().curves.size(), std::size_t{2});
    QCOMPARE(chart().plot().y.title, QStringLiteral("Index"));
    QCOMPARE(chart().plot().curves[0].name, QStringLiteral("At 9, 3"));
    QVERIFY(chart().plot().color_of(1) != chart().plot().color_of(0));
  }

  void curves_of_painted_labels_stand_beside_it() {
    take_probe();
    fixture_.paint(view(), {4, 4, 0}, {9, 4, 0});
    leave();
    // One kind is selected, and the label has its name.
    QTRY_COMPARE_WITH_TIMEOUT(find<QComboBox>("plot_quantity")->currentText(),
                              QStringLiteral("Axis 1"), kLimitMs);
    QCOMPARE(chart().plot().curves.size(), std::size_t{2});
    QCOMPARE(chart().plot().curves[1].name, QStringLiteral("Run 2, object"));
    QCOMPARE(chart().plot().curves[1].color, fixture_.workbench().label_color(1));
    QCOMPARE(chart().plot().curves[0].color, QString());
    move(20, 11);
    QTRY_COMPARE_WITH_TIMEOUT(first_y(), 20.0, kLimitMs);
    // The label's curves do not depend on the pointer: they are drawn once.
    QCOMPARE(chart().plot().curves.size(), std::size_t{3});
    QCOMPARE(chart().plot().curves[2].y[0], 100.0);
  }

  void pinned_curves_stay_beside_it() {
    take_probe();
    action("plot_pin")->trigger();
    fixture_.workbench().steps().set_value("spot", std::string("2,2"), QStringLiteral("Spot"));
    QTRY_VERIFY_WITH_TIMEOUT(has_run_at("2,2"), kLimitMs);
    move(9, 3);
    QTRY_COMPARE_WITH_TIMEOUT(first_y(), 9.0, kLimitMs);
    QCOMPARE(chart().plot().curves.size(), std::size_t{6});
    QCOMPARE(chart().plot().curves[2].y[0], 2.0);
    QCOMPARE(chart().plot().curves[4].y[0], 0.0);
  }

  void it_follows_only_where_that_is_wanted() {
    take_probe();
    auto* follow = find<QCheckBox>("follow_pointer");
    QVERIFY(follow->isChecked());
    move(9, 3);
    QTRY_COMPARE_WITH_TIMEOUT(first_y(), 9.0, kLimitMs);
    follow->click();
    QVERIFY(!action("follow_pointer")->isChecked());
    QCOMPARE(first_y(), 0.0);
    const int started = probes;
    move(12, 3);
    QCoreApplication::processEvents();
    QCOMPARE(probes.load(), started);
    QCOMPARE(first_y(), 0.0);
    action("follow_pointer")->trigger();
    QVERIFY(follow->isChecked());
    move(13, 3);
    QTRY_COMPARE_WITH_TIMEOUT(first_y(), 13.0, kLimitMs);
    // Another operation has none.
    choose("threshold");
    QVERIFY(chart().plot().curves.empty() || chart().plot().curves.front().run != 0);
  }

  void the_window_waits_for_no_curve_and_the_newest_place_wins() {
    take_probe();
    fixture_.workbench().steps().set_value("ms", 150.0, QStringLiteral("Takes"));
    QTRY_VERIFY_WITH_TIMEOUT(
        has_run_at("none") && fixture_.runs().displayed().run()->recipe.values.has("ms"), kLimitMs);
    QElapsedTimer timer;
    timer.start();
    constexpr int kMoves = 60;
    for (int i = 0; i < kMoves; ++i)
      move(1 + i % 30, 3);
    const auto elapsed = [&timer] { return static_cast<double>(timer.elapsed()); };
    const double each = elapsed() / kMoves;
    move(17, 8);
    // Only the first, which was under way, and the last: none in between.
    QTRY_COMPARE_WITH_TIMEOUT(first_y(), 17.0, kLimitMs);
    QVERIFY2(elapsed() < 5 * 150 + kMoves * each, qPrintable(QString::number(elapsed())));
    QVERIFY2(each < 16.0, qPrintable(QString::number(each)));
  }

 private:
  MainWindow& window() { return fixture_.window(); }
  SliceView& view() { return fixture_.axial(); }
  ChartView& chart() { return window().findChild<PlotPanel*>()->chart(); }
  QAction* action(const char* id) { return window().actions().at(id); }
  template <typename Widget>
  Widget* find(const char* name) {
    return window().findChild<Widget*>(QString::fromLatin1(name));
  }
  void choose(const char* operation) {
    fixture_.workbench().steps().set_operation(operation, QString::fromLatin1(operation));
  }
  std::string spot() {
    const Values values = fixture_.workbench().document().current_values();
    return values.has("spot") ? values.word("spot") : std::string();
  }
  bool has_run_at(const std::string& place) {
    const DisplayedResult::Result& shown = fixture_.runs().displayed().result();
    return shown.run != 0 && !shown.stale && !fixture_.runs().busy() &&
           fixture_.runs().displayed().run()->recipe.operation == "probe" &&
           fixture_.runs().displayed().run()->facts.values.word("spot") == place;
  }
  double first_y() {
    const Plot& plot = chart().plot();
    return plot.curves.empty() ? -1.0 : plot.curves[0].y[0];
  }
  /// Makes a run of the whole image, with curves that begin at 0.
  void take_probe() {
    fixture_.show_window();
    fixture_.open_page();
    choose("probe");
    QTRY_VERIFY_WITH_TIMEOUT(has_run_at("none"), kLimitMs);
  }
  void send(QEvent::Type type, const QPointF& place) {
    const bool moves = type == QEvent::MouseMove;
    const bool held = type == QEvent::MouseButtonPress;
    QMouseEvent event(type, place, view().mapToGlobal(place), moves ? Qt::NoButton : Qt::LeftButton,
                      held ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&view(), &event);
  }
  QPointF at(double x, double y) { return view().position_of({x, y, 0}); }
  void move(double x, double y) { send(QEvent::MouseMove, at(x, y)); }
  void click(double x, double y) {
    send(QEvent::MouseButtonPress, at(x, y));
    send(QEvent::MouseButtonRelease, at(x, y));
  }
  void leave() {
    QEvent event(QEvent::Leave);
    QApplication::sendEvent(&view(), &event);
  }

  test::WindowFixture fixture_{test::table_with({probe_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestPlaces)
#include "test_places.moc"
