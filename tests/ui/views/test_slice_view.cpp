// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_hand.h"
#include "ui/views/slice_layers.h"
#include "ui/views/slice_view.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

using namespace seedwave;
using namespace seedwave::ui;

/// Tests the real widget with a user's input.
class TestSliceView : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void cleanup();
  void the_wheel_towards_the_user_shows_the_next_slice();
  void a_click_puts_the_cursor_there();
  void shift_and_move_lets_the_cursor_follow();
  void ctrl_and_wheel_zoom_about_the_pointer();
  void middle_drag_and_space_drag_pan();
  void a_dock_that_opens_leaves_what_was_zoomed_in_place();
  void right_drag_zooms_and_a_click_asks_for_the_menu();
  void a_double_click_asks_to_maximise_but_not_while_painting();
  void the_window_tool_widens_and_brightens();
  void a_box_sets_the_window();
  void a_stroke_is_on_screen_before_it_ends();
  void a_stroke_lies_in_the_slice_it_was_painted_on_data();
  void a_stroke_lies_in_the_slice_it_was_painted_on();
  void right_drag_with_the_brush_erases();
  void escape_forgets_the_stroke();
  void shift_and_wheel_resize_the_brush();
  void the_keyboard_alone_paints();
  void hovering_tells_the_voxel();
  void what_is_set_is_not_told_back();
  void an_empty_view_takes_every_event();

 private:
  void wheel(int delta, Qt::KeyboardModifiers modifiers, const QPoint& at);
  void drag(Qt::MouseButton button, const QPoint& from, const QPoint& to,
            Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  [[nodiscard]] QRgb shown(const QPoint& at);

  std::unique_ptr<SliceView> view_;
  Geometry geometry_;
};

void TestSliceView::init() {
  geometry_ = {};
  geometry_.size = {40, 50, 30};
  geometry_.spacing = {1.0, 1.0, 2.0};
  geometry_.origin = {-20, -25, -30};
  std::vector<std::int16_t> voxels(static_cast<std::size_t>(geometry_.voxel_count()));
  for (std::int64_t i = 0; i < geometry_.voxel_count(); ++i) {
    const Index3 at = geometry_.index_of(i);
    voxels[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(at[0] + 10 * at[2]);
  }
  view_ = std::make_unique<SliceView>(PlaneKind::Axial);
  view_->resize(400, 500);
  view_->set_image(Volume(geometry_, std::move(voxels)));
  DisplayState display;
  display.cursor = geometry_.to_world(Index3{20, 25, 15});
  display.window = {150, 300};
  display.show_crosshair = false;
  view_->set_display(display);
  view_->show();
  QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
}

void TestSliceView::cleanup() {
  view_.reset();
}

void TestSliceView::wheel(int delta, Qt::KeyboardModifiers modifiers, const QPoint& at) {
  QWheelEvent event(at, view_->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton, modifiers,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(view_.get(), &event);
}

void TestSliceView::drag(Qt::MouseButton button, const QPoint& from, const QPoint& to,
                         Qt::KeyboardModifiers modifiers) {
  const auto send = [&](QEvent::Type type, const QPoint& at, Qt::MouseButton changed,
                        Qt::MouseButtons held) {
    QMouseEvent event(type, at, view_->mapToGlobal(at), changed, held, modifiers);
    QApplication::sendEvent(view_.get(), &event);
  };
  send(QEvent::MouseButtonPress, from, button, button);
  for (int i = 1; i <= 10; ++i)
    send(QEvent::MouseMove, from + (to - from) * i / 10, Qt::NoButton, button);
  send(QEvent::MouseButtonRelease, to, button, Qt::NoButton);
}

QRgb TestSliceView::shown(const QPoint& at) {
  return view_->grab().toImage().pixel(at);
}

void TestSliceView::the_wheel_towards_the_user_shows_the_next_slice() {
  QSignalSpy moved(view_.get(), &SliceView::cursor_moved);
  QSignalSpy painted(view_.get(), &SliceView::painted);
  const QRgb before = shown({200, 250});
  wheel(-120, Qt::NoModifier, {200, 250});
  QCOMPARE(view_->slice(), std::int64_t{16});
  QCOMPARE(moved.count(), 1);
  QCOMPARE(geometry_.nearest_index(moved[0][0].value<Vec3>()), (Index3{20, 25, 16}));
  painted.clear();
  QVERIFY(painted.wait(1000));
  QVERIFY(qRed(shown({200, 250})) > qRed(before));
  wheel(120 * 40, Qt::NoModifier, {200, 250});
  QCOMPARE(view_->slice(), std::int64_t{0});
  moved.clear();
  wheel(120, Qt::NoModifier, {200, 250});
  QCOMPARE(moved.count(), 0);  // there is no slice before the first
}

void TestSliceView::a_click_puts_the_cursor_there() {
  QSignalSpy moved(view_.get(), &SliceView::cursor_moved);
  const Vec3 target = geometry_.to_world(Index3{7, 31, 15});
  QTest::mouseClick(view_.get(), Qt::LeftButton, {}, view_->position_of(target).toPoint());
  QCOMPARE(moved.count(), 1);
  QCOMPARE(geometry_.nearest_index(moved[0][0].value<Vec3>()), (Index3{7, 31, 15}));
  QCOMPARE(geometry_.nearest_index(view_->display().cursor), (Index3{7, 31, 15}));
}

void TestSliceView::shift_and_move_lets_the_cursor_follow() {
  QSignalSpy moved(view_.get(), &SliceView::cursor_moved);
  QMouseEvent event(QEvent::MouseMove, QPointF(55, 55), view_->mapToGlobal(QPointF(55, 55)),
                    Qt::NoButton, Qt::NoButton, Qt::ShiftModifier);
  QApplication::sendEvent(view_.get(), &event);
  QCOMPARE(moved.count(), 1);
  QCOMPARE(geometry_.nearest_index(moved[0][0].value<Vec3>()), (Index3{5, 5, 15}));
}

void TestSliceView::ctrl_and_wheel_zoom_about_the_pointer() {
  QSignalSpy changed(view_.get(), &SliceView::camera_changed);
  const QPoint pointer(123, 77);
  const Hover before = view_->hover_at(pointer);
  wheel(240, Qt::ControlModifier, pointer);
  QCOMPARE(changed.count(), 1);
  QVERIFY(std::abs(view_->camera().zoom - 1.44) < 1e-9);
  const Hover after = view_->hover_at(pointer);
  for (int axis = 0; axis < 3; ++axis)
    QVERIFY(std::abs(before.world[axis] - after.world[axis]) < 1e-6);
  view_->fit();
  QCOMPARE(view_->camera(), SliceCamera{});
}

void TestSliceView::middle_drag_and_space_drag_pan() {
  const QPointF before = view_->position_of(view_->display().cursor);
  drag(Qt::MiddleButton, {100, 100}, {130, 90});
  QPointF moved = view_->position_of(view_->display().cursor) - before;
  QVERIFY(std::abs(moved.x() - 30) < 1e-6 && std::abs(moved.y() + 10) < 1e-6);
  QSignalSpy strokes(&view_->hand(), &SliceHand::stroke_started);
  view_->hand().set_tool(Tool::Brush);
  view_->setFocus();
  QTest::keyPress(view_.get(), Qt::Key_Space);
  drag(Qt::LeftButton, {100, 100}, {70, 110});
  QTest::keyRelease(view_.get(), Qt::Key_Space);
  moved = view_->position_of(view_->display().cursor) - before;
  QVERIFY(std::abs(moved.x()) < 1e-6 && std::abs(moved.y()) < 1e-6);
  QCOMPARE(strokes.count(), 0);
}

void TestSliceView::a_dock_that_opens_leaves_what_was_zoomed_in_place() {
  QWidget window;
  window.resize(400, 500);
  view_->setParent(&window);
  view_->resize(400, 500);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  const Vec3 place = geometry_.to_world(Index3{7, 31, 15});
  const Vec3 other = geometry_.to_world(Index3{9, 31, 15});
  const auto spot = [&] { return view_->position_of(place); };
  const auto scale = [&] { return view_->position_of(other).x() - spot().x(); };
  const auto is_near = [](const QPointF& a, const QPointF& b) {
    return std::abs(a.x() - b.x()) < 1e-6 && std::abs(a.y() - b.y()) < 1e-6;
  };
  // If fitted, it stays fitted.
  view_->resize(400, 350);
  QCOMPARE(view_->camera(), SliceCamera{});
  QCOMPARE(scale(), 2 * 350.0 / 50);
  view_->resize(400, 500);

  wheel(240, Qt::ControlModifier, {123, 77});
  drag(Qt::MiddleButton, {100, 100}, {130, 90});
  const QPointF before = spot();
  const double scale_before = scale();
  for (const QSize& size : {QSize(400, 350), QSize(280, 350), QSize(280, 500), QSize(400, 500)}) {
    view_->resize(size);
    QVERIFY(is_near(spot(), before));
    QVERIFY(std::abs(scale() - scale_before) < 1e-9);
  }
  // In another layout or window size it scales with the view.
  view_->resize(200, 250);
  QVERIFY(std::abs(scale() - scale_before / 2) < 1e-9);
  view_->setParent(nullptr);
}

void TestSliceView::right_drag_zooms_and_a_click_asks_for_the_menu() {
  QSignalSpy menu(&view_->hand(), &SliceHand::context_menu_requested);
  drag(Qt::RightButton, {200, 250}, {200, 150});
  QVERIFY(view_->camera().zoom > 1.5);
  QCOMPARE(menu.count(), 0);
  QTest::mouseClick(view_.get(), Qt::RightButton, {}, QPoint(200, 250));
  QCOMPARE(menu.count(), 1);
  QCOMPARE(menu[0][0].toPoint(), view_->mapToGlobal(QPoint(200, 250)));
}

void TestSliceView::a_double_click_asks_to_maximise_but_not_while_painting() {
  QSignalSpy maximise(&view_->hand(), &SliceHand::maximise_requested);
  // As a window system sends it: press, release, double-click, release.
  const auto double_click = [&] {
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, QPoint(200, 250));
    QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, QPoint(200, 250));
    QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, QPoint(200, 250));
  };
  double_click();
  QCOMPARE(maximise.count(), 1);
  view_->hand().set_tool(Tool::Brush);
  QSignalSpy strokes(&view_->hand(), &SliceHand::stroke_finished);
  double_click();
  QCOMPARE(maximise.count(), 1);
  QCOMPARE(strokes.count(), 2);
}

void TestSliceView::the_window_tool_widens_and_brightens() {
  QSignalSpy changed(&view_->hand(), &SliceHand::window_changed);
  view_->hand().set_tool(Tool::WindowLevel);
  drag(Qt::LeftButton, {100, 100}, {110, 100});
  QVERIFY(view_->display().window.width > 300);
  const double centre = view_->display().window.centre;
  const int before = qRed(shown({200, 250}));
  drag(Qt::LeftButton, {100, 100}, {100, 60});
  QVERIFY(view_->display().window.centre < centre);
  QVERIFY(qRed(shown({200, 250})) > before);
  QVERIFY(changed.count() > 10);
}

void TestSliceView::a_box_sets_the_window() {
  QSignalSpy changed(&view_->hand(), &SliceHand::window_changed);
  view_->hand().set_tool(Tool::WindowLevel);
  const QPoint from = view_->position_of(geometry_.to_world(Index3{10, 10, 15})).toPoint();
  const QPoint to = view_->position_of(geometry_.to_world(Index3{20, 20, 15})).toPoint();
  drag(Qt::LeftButton, from, to, Qt::ControlModifier);
  QCOMPARE(changed.count(), 1);
  // Values are 150 + x: those of columns 10 to 20.
  QVERIFY(std::abs(view_->display().window.low() - 160) < 1.5);
  QVERIFY(std::abs(view_->display().window.high() - 170.5) < 1.5);
}

void TestSliceView::a_stroke_is_on_screen_before_it_ends() {
  view_->hand().set_tool(Tool::Brush);
  view_->layers().set_labels({{1, "a", QColor(255, 0, 0), 1.0, true}});
  view_->hand().set_brush({.label = 1, .radius_mm = 3});
  QSignalSpy finished(&view_->hand(), &SliceHand::stroke_finished);
  const QPoint at = view_->position_of(geometry_.to_world(Index3{12, 12, 15})).toPoint();
  QTest::mousePress(view_.get(), Qt::LeftButton, {}, at);
  QCOMPARE(shown(at), qRgb(255, 0, 0));
  QCOMPARE(finished.count(), 0);
  QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, at);
  QCOMPARE(finished.count(), 1);
  // It stays until the seeds are updated, with or without it.
  QCOMPARE(shown(at), qRgb(255, 0, 0));
  view_->layers().set_seeds(std::make_shared<SeedVoxels>());
  QVERIFY(shown(at) != qRgb(255, 0, 0));
}

void TestSliceView::a_stroke_lies_in_the_slice_it_was_painted_on_data() {
  QTest::addColumn<int>("plane");
  QTest::newRow("axial") << static_cast<int>(PlaneKind::Axial);
  QTest::newRow("coronal") << static_cast<int>(PlaneKind::Coronal);
  QTest::newRow("sagittal") << static_cast<int>(PlaneKind::Sagittal);
}

void TestSliceView::a_stroke_lies_in_the_slice_it_was_painted_on() {
  QFETCH(int, plane);
  // Rotated about two axes, like a head in a scanner.
  Geometry geometry = geometry_;
  const double c = std::cos(0.2);
  const double s = std::sin(0.2);
  geometry.direction = {c, -s, 0, s * c, c * c, -s, s * s, c * s, c};
  view_ = std::make_unique<SliceView>(static_cast<PlaneKind>(plane));
  view_->resize(400, 400);
  view_->set_image(Volume(
      geometry, std::vector<std::uint8_t>(static_cast<std::size_t>(geometry.voxel_count()), 9)));
  DisplayState display;
  display.cursor = geometry.to_world(Index3{11, 22, 13});
  view_->set_display(display);
  view_->show();
  QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
  view_->hand().set_tool(Tool::Brush);
  view_->hand().set_brush({.label = 2, .radius_mm = 4});
  QSignalSpy finished(&view_->hand(), &SliceHand::stroke_finished);
  const QPoint at = view_->position_of(display.cursor).toPoint();
  drag(Qt::LeftButton, at - QPoint(40, 20), at + QPoint(30, 50));
  QCOMPARE(finished.count(), 1);
  const auto stroke = finished[0][0].value<Stroke>();
  QCOMPARE(stroke.label, std::uint16_t{2});
  const int axis = plane == 0 ? 2 : plane == 1 ? 1 : 0;
  const auto offsets = rasterise(stroke, geometry);
  QVERIFY(offsets.size() > 50);
  for (const std::int64_t offset : offsets)
    QCOMPARE(geometry.index_of(offset)[axis], (Index3{11, 22, 13})[axis]);
}

void TestSliceView::right_drag_with_the_brush_erases() {
  view_->hand().set_tool(Tool::Brush);
  QSignalSpy finished(&view_->hand(), &SliceHand::stroke_finished);
  drag(Qt::RightButton, {200, 200}, {260, 240});
  QCOMPARE(finished.count(), 1);
  const auto stroke = finished[0][0].value<Stroke>();
  QCOMPARE(stroke.label, std::uint16_t{0});
  // From where the button was pressed, not from where the drag was recognised.
  const Hover start = view_->hover_at({200, 200});
  QVERIFY(std::abs(stroke.points[0][0] - start.world[0]) < 1e-9);
}

void TestSliceView::escape_forgets_the_stroke() {
  view_->hand().set_tool(Tool::Brush);
  view_->layers().set_labels({{1, "a", QColor(255, 0, 0), 1.0, true}});
  QSignalSpy finished(&view_->hand(), &SliceHand::stroke_finished);
  view_->setFocus();
  QTest::mousePress(view_.get(), Qt::LeftButton, {}, QPoint(200, 250));
  QCOMPARE(shown({200, 250}), qRgb(255, 0, 0));
  QTest::keyClick(view_.get(), Qt::Key_Escape);
  QVERIFY(shown({200, 250}) != qRgb(255, 0, 0));
  QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, QPoint(200, 250));
  QCOMPARE(finished.count(), 0);
}

void TestSliceView::shift_and_wheel_resize_the_brush() {
  QSignalSpy changed(&view_->hand(), &SliceHand::brush_changed);
  view_->hand().set_brush({.label = 1, .radius_mm = 5});
  wheel(120, Qt::ShiftModifier, {200, 250});
  QCOMPARE(changed.count(), 1);
  QCOMPARE(changed[0][0].value<Brush>().radius_mm, 6.0);
}

void TestSliceView::the_keyboard_alone_paints() {
  view_->hand().set_tool(Tool::Brush);
  QSignalSpy finished(&view_->hand(), &SliceHand::stroke_finished);
  view_->setFocus();
  QTest::keyClick(view_.get(), Qt::Key_PageDown);
  QTest::keyClick(view_.get(), Qt::Key_Down, Qt::ShiftModifier);
  QCOMPARE(view_->slice(), std::int64_t{21});
  QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ControlModifier);
  QTest::keyClick(view_.get(), Qt::Key_Up, Qt::ControlModifier);
  QTest::keyClick(view_.get(), Qt::Key_Return);
  QCOMPARE(finished.count(), 1);
  const auto stroke = finished[0][0].value<Stroke>();
  QCOMPARE(geometry_.nearest_index(stroke.points.at(0)), (Index3{21, 24, 21}));
  QTest::keyClick(view_.get(), Qt::Key_End);
  QCOMPARE(view_->slice(), std::int64_t{29});
  QTest::keyClick(view_.get(), Qt::Key_Home);
  QCOMPARE(view_->slice(), std::int64_t{0});
}

void TestSliceView::hovering_tells_the_voxel() {
  QSignalSpy hovered(&view_->hand(), &SliceHand::hovered);
  QSignalSpy ended(&view_->hand(), &SliceHand::hover_ended);
  const QPoint at = view_->position_of(geometry_.to_world(Index3{3, 44, 15})).toPoint();
  QMouseEvent over(QEvent::MouseMove, at, view_->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                   Qt::NoModifier);
  QApplication::sendEvent(view_.get(), &over);
  QCOMPARE(hovered.count(), 1);
  QCOMPARE(hovered[0][0].value<Hover>().index, (Index3{3, 44, 15}));
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(view_.get(), &leave);
  QCOMPARE(ended.count(), 1);
}

void TestSliceView::what_is_set_is_not_told_back() {
  QSignalSpy moved(view_.get(), &SliceView::cursor_moved);
  QSignalSpy window(&view_->hand(), &SliceHand::window_changed);
  QSignalSpy camera(view_.get(), &SliceView::camera_changed);
  DisplayState display = view_->display();
  display.cursor = geometry_.to_world(Index3{1, 2, 3});
  display.window = {10, 20};
  view_->set_display(display);
  view_->set_camera({2.0, 1.0, 1.0});
  QCOMPARE(view_->slice(), std::int64_t{3});
  QCOMPARE(moved.count() + window.count() + camera.count(), 0);
}

void TestSliceView::an_empty_view_takes_every_event() {
  view_ = std::make_unique<SliceView>(PlaneKind::Coronal);
  view_->resize(300, 300);
  view_->show();
  QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
  for (const Tool tool : {Tool::Navigate, Tool::Brush, Tool::Eraser, Tool::WindowLevel}) {
    view_->hand().set_tool(tool);
    for (const auto button : {Qt::LeftButton, Qt::RightButton, Qt::MiddleButton})
      drag(button, {50, 50}, {200, 220});
    wheel(-120, Qt::NoModifier, {100, 100});
    wheel(-120, Qt::ControlModifier, {100, 100});
    QTest::keyClick(view_.get(), Qt::Key_Return);
    QTest::keyClick(view_.get(), Qt::Key_Down);
  }
  QCOMPARE(view_->slice_count(), std::int64_t{0});
  QCOMPARE(shown({150, 150}), qRgb(0, 0, 0));
}

QTEST_MAIN(TestSliceView)
#include "test_slice_view.moc"
