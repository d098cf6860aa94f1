// SPDX-License-Identifier: Apache-2.0
//
// A drawn line sets the parameters of an operation on lines: `ui` has no code specific to that
// operation.
#include "core/ops/direction_text.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/views/slice_layers.h"

#include <QAction>
#include <QElapsedTimer>
#include <QLabel>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

using test::kLimitMs;
using test::kSide;

class TestLineTool : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void it_is_there_where_an_operation_takes_a_line() {
    fixture_.show_window();
    QVERIFY(!tool()->isEnabled());
    fixture_.open_page();
    choose("threshold");
    QVERIFY(!tool()->isEnabled());
    choose("struck");
    QVERIFY(tool()->isEnabled());
    QTest::keyClick(&window(), Qt::Key_I);
    QCOMPARE(window().views().settings().tool(), Tool::Line);
    QVERIFY(field("message")->text().contains(QStringLiteral("slope and span")));
    QVERIFY(view().layers().line().has_value());
    // With an operation without a line the tool is deactivated.
    choose("threshold");
    QCOMPARE(window().views().settings().tool(), Tool::Navigate);
    QVERIFY(!view().layers().line().has_value());
  }

  void a_drag_sets_the_values_and_runs() {
    take_line_in_picture();
    const int steps = window().workbench().steps().undo_stack().count();
    press(at(4, 20));
    for (int i = 1; i <= 12; ++i)
      move(at(4 + i, 20 - i));
    QCOMPARE(number("slope"), 45.0);
    QCOMPARE(number("span"), 12.0);
    // While it is drawn, not only on release.
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run(12.0), kLimitMs);
    QCOMPARE(view().layers().line()->text, QStringLiteral("45°, 12 px"));
    QVERIFY(view().accessibleDescription().contains(QStringLiteral("line 45°, 12 px")));
    for (int i = 13; i <= 18; ++i)
      move(at(4 + i, 20 - i));
    release(at(22, 2));
    QCOMPARE(number("span"), 18.0);
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run(18.0), kLimitMs);
    // One drag is one step and one entry in the list of runs.
    QCOMPARE(window().workbench().steps().undo_stack().count(), steps + 1);
    QCOMPARE(window().workbench().steps().undo_stack().undoText(),
             QStringLiteral("change of slope and span"));
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{2});
    window().actions().at("undo")->trigger();
    QCOMPARE(number("span"), 8.0);
    QCOMPARE(view().layers().line()->text, QStringLiteral("0°, 8 px"));
  }

  void shift_turns_in_steps() {
    take_line_in_picture();
    drag(at(4, 20), at(24, 9), Qt::ShiftModifier);  // 28.8 degrees
    QCOMPARE(number("slope"), 30.0);
    drag(at(2, 14), at(22, 3));  // not at its end
    QCOMPARE(number("slope"), 29.0);
  }

  void its_ends_and_middle_are_taken_again() {
    take_line_in_picture();
    drag(at(6, 16), at(26, 16));
    QCOMPARE(number("span"), 20.0);
    drag(at(26, 16), at(6, 6));  // to the drawn end, up over the other one
    QCOMPARE(number("slope"), 90.0);
    QCOMPARE(number("span"), 10.0);
    drag(at(6, 6), at(16, 6));
    // The middle of the current line.
    const Vec3 before = middle();
    const double span = number("span");
    const QPoint grip = view().position_of(before).toPoint();
    drag(grip, grip + QPoint(40, 24));
    QCOMPARE(number("span"), span);
    QVERIFY(std::abs(middle()[0] - before[0]) > 1.0);
    // A click elsewhere moves it there, with its values.
    QTest::mouseClick(&view(), Qt::LeftButton, {}, at(16, 22));
    QCOMPARE(number("span"), span);
    QVERIFY(std::abs(middle()[1] - 22.0) < 0.6);
    // And Enter moves it to the crosshair.
    QTest::keyClick(&view(), Qt::Key_Return);
    const Vec3 cursor = window().views().settings().display().cursor;
    QVERIFY(std::abs(middle()[0] - cursor[0]) < 1e-6 && std::abs(middle()[1] - cursor[1]) < 1e-6);
    QVERIFY(window().workbench().document().seeds.strokes.empty());
  }

  void escape_gives_the_values_back() {
    take_line_in_picture();
    const int steps = window().workbench().steps().undo_stack().count();
    const LineMark before = *view().layers().line();
    press(at(4, 20));
    move(at(10, 10));
    move(at(20, 8));
    QVERIFY(number("span") != 8.0);
    QTest::keyClick(&view(), Qt::Key_Escape);
    QCOMPARE(number("span"), 8.0);
    QVERIFY(!window().workbench().document().current_values().has("span"));
    QCOMPARE(window().workbench().steps().undo_stack().count(), steps);
    QVERIFY(*view().layers().line() == before);
    release(at(20, 8));
    QCOMPARE(number("span"), 8.0);
  }

  void it_shows_what_is_typed() {
    take_line_in_picture();
    drag(at(6, 16), at(26, 16));
    const Vec3 before = middle();
    window().workbench().steps().set_value("slope", 90.0, QStringLiteral("Slope"));
    QCOMPARE(view().layers().line()->text, QStringLiteral("90°, 20 px"));
    QVERIFY(std::abs(view().layers().line()->to[0] - view().layers().line()->from[0]) < 1e-6);
    QVERIFY(std::abs(middle()[0] - before[0]) < 1e-6 && std::abs(middle()[1] - before[1]) < 1e-6);
  }

  void a_plane_of_a_volume_gives_a_direction() {
    fixture_.open_ball();
    choose("struck");
    QTest::keyClick(&window(), Qt::Key_I);
    SliceView& axial = fixture_.axial();
    drag(axial.position_of({-8, 0, 0}).toPoint(), axial.position_of({4, 9, 0}).toPoint(), {},
         &axial);
    // 12 to the left and 9 backwards, in voxels of a millimetre.
    const auto way = parse_direction(window().workbench().document().current_values().word("way"));
    QVERIFY(way.has_value());
    QVERIFY(std::abs(std::abs((*way)[0]) - 0.8) < 0.03 && std::abs((*way)[2]) < 1e-9);
    QVERIFY(std::abs(number("span") - 12.0) <= 1.0);
    // The same line is in all planes; its end in another one tilts it.
    SliceView& coronal = window().views().slice_view(PlaneKind::Coronal);
    QVERIFY(coronal.layers().line().has_value() &&
            *coronal.layers().line() == *axial.layers().line());
    const QPoint end = coronal.position_of(coronal.layers().line()->to).toPoint();
    drag(end, end + QPoint(0, -60), {}, &coronal);
    const auto tilted =
        parse_direction(window().workbench().document().current_values().word("way"));
    QVERIFY(std::abs((*tilted)[2]) > 0.2 && std::abs((*tilted)[1]) > 0.2);
  }

  void many_lines_are_as_quick_as_the_hand() {
    take_line_in_picture();
    press(at(4, 20));
    QElapsedTimer timer;
    timer.start();
    constexpr int kMoves = 50;
    for (int i = 1; i <= kMoves; ++i)
      move(at(4, 20) + QPoint(3 * i, -i));
    const double each = static_cast<double>(timer.elapsed()) / kMoves;
    release(at(20, 8));
    // The window's thread has 16 ms per screen frame; runs have their own threads.
    QVERIFY2(each < 16.0, qPrintable(QString::number(each)));
  }

 private:
  MainWindow& window() { return fixture_.window(); }
  SliceView& view() { return fixture_.axial(); }
  QAction* tool() { return window().actions().at("tool_line"); }
  const QLabel* field(const char* name) {
    return window().findChild<QLabel*>(QString::fromLatin1(name));
  }
  void choose(const char* operation) {
    fixture_.workbench().steps().set_operation(operation, QString::fromLatin1(operation));
  }
  void take_line_in_picture() {
    fixture_.show_window();
    fixture_.open_page();
    choose("struck");
    QTest::keyClick(&window(), Qt::Key_I);
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_run(8.0), kLimitMs);
  }
  [[nodiscard]] bool has_fresh_run(double span) {
    const DisplayedResult::Result& shown = fixture_.runs().displayed().result();
    return shown.run != 0 && !shown.stale && !fixture_.runs().busy() &&
           fixture_.runs().displayed().run()->facts.values.number("span") == span;
  }
  double number(const char* id) {
    const Values values = fixture_.workbench().document().current_values();
    if (values.has(id)) return values.number(id);
    return std::get<double>(fixture_.runs().next().operation().parameter(id).initial);
  }
  Vec3 middle() {
    const LineMark line = *view().layers().line();
    return {(line.from[0] + line.to[0]) / 2, (line.from[1] + line.to[1]) / 2, 0.0};
  }
  QPoint at(double x, double y) { return view().position_of({x, y, 0}).toPoint(); }
  void send(QEvent::Type type, SliceView& to, const QPoint& place, Qt::KeyboardModifiers held) {
    const bool moves = type == QEvent::MouseMove;
    QMouseEvent event(type, QPointF(place), to.mapToGlobal(QPointF(place)),
                      moves ? Qt::NoButton : Qt::LeftButton,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, held);
    QApplication::sendEvent(&to, &event);
  }
  void press(const QPoint& place) { send(QEvent::MouseButtonPress, view(), place, {}); }
  void move(const QPoint& place) { send(QEvent::MouseMove, view(), place, {}); }
  void release(const QPoint& place) { send(QEvent::MouseButtonRelease, view(), place, {}); }
  void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers held = {},
            SliceView* in = nullptr) {
    SliceView& where = in == nullptr ? view() : *in;
    send(QEvent::MouseButtonPress, where, from, held);
    for (int i = 1; i <= 5; ++i)
      send(QEvent::MouseMove, where, from + (to - from) * i / 5, held);
    send(QEvent::MouseButtonRelease, where, to, held);
  }

  test::WindowFixture fixture_{test::table_with({test::struck_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestLineTool)
#include "test_line_tool.moc"
