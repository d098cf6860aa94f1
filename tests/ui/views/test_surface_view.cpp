// SPDX-License-Identifier: Apache-2.0
#include "ui/views/surface_view.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace seedwave;
using namespace seedwave::ui;

/// The real view on a real screen: grab() of a widget looks right even if the screen is black.
class TestSurfaceView : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void cleanup();
  void a_label_is_seen_in_its_colour();
  void a_hidden_label_is_not_seen();
  void dragging_turns_it();
  void it_survives_a_move_to_another_window();
  void new_labels_replace_the_old();
  void shows_all_of_each_result_until_it_is_turned();
  void a_new_image_takes_the_surfaces_away();
  void a_cursor_that_is_not_seen_draws_nothing();
  void the_volume_is_rendered();
  void a_result_is_seen_through_the_volume();
  void a_double_click_asks_to_maximise();
  void it_can_go_while_it_works();

 private:
  [[nodiscard]] QImage on_screen();
  [[nodiscard]] int count_of(const QImage& image, bool (*wanted)(QRgb)) const;
  [[nodiscard]] LabelMap ball(std::uint16_t label, double radius) const;
  void show_result(const LabelMap& map);

  std::unique_ptr<QWidget> window_;
  SurfaceView* view_ = nullptr;
  Geometry geometry_;
};

namespace {

// The letters of the orientation cube are amber, so they have more green.
bool reddish(QRgb pixel) {
  return qRed(pixel) > 90 && qRed(pixel) > 3 * qGreen(pixel);
}
bool bluish(QRgb pixel) {
  return qBlue(pixel) > 90 && qBlue(pixel) > 2 * qRed(pixel);
}
double from_middle(const Index3& at) {
  return std::hypot(static_cast<double>(at[0]) - 20, static_cast<double>(at[1]) - 20,
                    static_cast<double>(at[2]) - 20);
}
bool bright(QRgb pixel) {
  return qGreen(pixel) > 90;
}

}  // namespace

void TestSurfaceView::init() {
  geometry_ = {};
  geometry_.size = {40, 40, 40};
  window_ = std::make_unique<QWidget>();
  window_->resize(500, 400);
  auto* layout = new QHBoxLayout(window_.get());
  layout->setContentsMargins(0, 0, 0, 0);
  view_ = new SurfaceView(window_.get());
  layout->addWidget(view_);
  std::vector<std::int16_t> voxels(static_cast<std::size_t>(geometry_.voxel_count()), -1000);
  for (std::int64_t i = 0; i < geometry_.voxel_count(); ++i) {
    const Index3 at = geometry_.index_of(i);
    if (from_middle(at) < 15) voxels[static_cast<std::size_t>(i)] = 800;
  }
  view_->set_image(Volume(geometry_, std::move(voxels)));
  view_->set_labels(
      {{1, "a", QColor(230, 20, 10), 1.0, true}, {2, "b", QColor(10, 20, 230), 1.0, true}});
  window_->show();
  QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

void TestSurfaceView::cleanup() {
  window_.reset();
}

LabelMap TestSurfaceView::ball(std::uint16_t label, double radius) const {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry_.voxel_count()), 0);
  for (std::int64_t i = 0; i < geometry_.voxel_count(); ++i) {
    const Index3 at = geometry_.index_of(i);
    if (from_middle(at) < radius) {
      labels[static_cast<std::size_t>(i)] = label;
    }
  }
  return {geometry_, std::move(labels)};
}

void TestSurfaceView::show_result(const LabelMap& map) {
  QSignalSpy shown(view_, &SurfaceView::surfaces_shown);
  view_->set_result(map);
  QTRY_VERIFY_WITH_TIMEOUT(!view_->busy() && shown.count() > 0, 30000);
}

/// Returns what the X server shows after the next frame.
QImage TestSurfaceView::on_screen() {
  QSignalSpy swapped(view_, &VtkWidget::drawn);
  view_->redraw();
  swapped.wait(10000);
  const QPoint corner = view_->mapToGlobal(QPoint(0, 0));
  return QGuiApplication::primaryScreen()
      ->grabWindow(0, corner.x(), corner.y(), view_->width(), view_->height())
      .toImage();
}

int TestSurfaceView::count_of(const QImage& image, bool (*wanted)(QRgb)) const {
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x)
      count += wanted(image.pixel(x, y)) ? 1 : 0;
  }
  return count;
}

void TestSurfaceView::a_label_is_seen_in_its_colour() {
  QCOMPARE(count_of(on_screen(), reddish), 0);
  show_result(ball(1, 15));
  QVERIFY(count_of(on_screen(), reddish) > 10000);
}

void TestSurfaceView::a_hidden_label_is_not_seen() {
  show_result(ball(1, 15));
  view_->set_labels({{1, "a", QColor(230, 20, 10), 1.0, false}});
  QCOMPARE(count_of(on_screen(), reddish), 0);
}

void TestSurfaceView::dragging_turns_it() {
  show_result(ball(1, 15));
  const QImage before = on_screen();
  QTest::mousePress(view_, Qt::LeftButton, {}, QPoint(200, 200));
  for (int x = 200; x <= 300; x += 20)
    QTest::mouseMove(view_, QPoint(x, 200));
  QTest::mouseRelease(view_, Qt::LeftButton, {}, QPoint(300, 200));
  // The orientation cube rotates with it.
  QVERIFY(on_screen() != before);
  view_->reset_view();
  QVERIFY(count_of(on_screen(), reddish) > 10000);
}

void TestSurfaceView::it_survives_a_move_to_another_window() {
  show_result(ball(1, 15));
  QWidget other;
  other.resize(450, 450);
  auto* layout = new QHBoxLayout(&other);
  layout->addWidget(view_);
  other.show();
  QVERIFY(QTest::qWaitForWindowExposed(&other));
  other.raise();
  QVERIFY(count_of(on_screen(), reddish) > 8000);
  window_->layout()->addWidget(view_);
  other.hide();
  window_->raise();
  // A layout shows an added widget through the event loop.
  QTRY_VERIFY(view_->isVisible());
  QTRY_VERIFY(count_of(on_screen(), reddish) > 8000);
}

void TestSurfaceView::new_labels_replace_the_old() {
  show_result(ball(1, 15));
  show_result(ball(2, 12));
  const QImage image = on_screen();
  QVERIFY(count_of(image, bluish) > 5000);
  QCOMPARE(count_of(image, reddish), 0);
}

void TestSurfaceView::shows_all_of_each_result_until_it_is_turned() {
  show_result(ball(1, 15));
  const int alone = count_of(on_screen(), reddish);
  show_result(ball(1, 5));
  const int fitted = count_of(on_screen(), reddish);
  QVERIFY2(4 * fitted > 3 * alone, qPrintable(QStringLiteral("%1 of %2").arg(fitted).arg(alone)));
  show_result(ball(1, 15));
  QTest::mousePress(view_, Qt::LeftButton, {}, QPoint(200, 200));
  QTest::mouseMove(view_, QPoint(240, 200));
  QTest::mouseRelease(view_, Qt::LeftButton, {}, QPoint(240, 200));
  show_result(ball(1, 5));
  QVERIFY(4 * count_of(on_screen(), reddish) < alone);
}

void TestSurfaceView::a_new_image_takes_the_surfaces_away() {
  show_result(ball(1, 15));
  Geometry other;
  other.size = {10, 10, 10};
  view_->set_image(Volume(other, std::vector<std::uint8_t>(1000, 3)));
  QCOMPARE(count_of(on_screen(), reddish), 0);
}

void TestSurfaceView::a_cursor_that_is_not_seen_draws_nothing() {
  (void)on_screen();
  QSignalSpy drawn(view_, &VtkWidget::drawn);
  SurfaceDisplay display = view_->display();
  display.cursor = {20, 20, 20};
  display.window = {300.0, 50.0};
  view_->set_display(display);
  QVERIFY(!drawn.wait(100));
  QCOMPARE(view_->display().cursor, display.cursor);
  display.show_planes = true;
  view_->set_display(display);
  QVERIFY(drawn.wait());
  display.cursor = {10, 20, 20};
  view_->set_display(display);
  QVERIFY(drawn.wait());
}

void TestSurfaceView::the_volume_is_rendered() {
  const int before = count_of(on_screen(), bright);
  SurfaceDisplay display;
  display.volume = VolumeRendering::Ct;
  view_->set_display(display);
  QVERIFY(count_of(on_screen(), bright) > before + 10000);
}

void TestSurfaceView::a_result_is_seen_through_the_volume() {
  SurfaceDisplay display;
  display.volume = VolumeRendering::Ct;
  view_->set_display(display);
  const auto veiled_red = [](QRgb pixel) {
    return qRed(pixel) > 90 && 2 * qRed(pixel) > 3 * qGreen(pixel);
  };
  const QImage alone = on_screen();
  QVERIFY(count_of(alone, bright) > 10000);
  // Deep inside a region as dense as bone.
  show_result(ball(1, 9));
  QVERIFY(count_of(on_screen(), veiled_red) > count_of(alone, veiled_red) + 3000);
  view_->set_labels({{1, "a", QColor(230, 20, 10), 1.0, false}});
  QVERIFY(count_of(on_screen(), bright) > 10000);
}

void TestSurfaceView::a_double_click_asks_to_maximise() {
  QSignalSpy maximise(view_, &SurfaceView::maximise_requested);
  QSignalSpy menu(view_, &SurfaceView::context_menu_requested);
  QTest::mouseDClick(view_, Qt::LeftButton, {}, QPoint(100, 100));
  QCOMPARE(maximise.count(), 1);
  QTest::mouseClick(view_, Qt::RightButton, {}, QPoint(100, 100));
  QCOMPARE(menu.count(), 1);
}

void TestSurfaceView::it_can_go_while_it_works() {
  for (int i = 0; i < 5; ++i)
    view_->set_result(ball(1, 10.0 + i));
  window_.reset();
  QCoreApplication::processEvents();
}

int main(int argc, char** argv) {
  set_default_surface_format();
  QApplication application(argc, argv);
  TestSurfaceView test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_surface_view.moc"
