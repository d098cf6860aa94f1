// SPDX-License-Identifier: Apache-2.0
#include "ui/views/overview.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

using namespace seedwave;
using namespace seedwave::ui;

namespace {

/// Left half dark, right half bright.
Volume halves() {
  Geometry grid;
  grid.size = {400, 200, 1};
  grid.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> pixels(400 * 200);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = i % 400 < 200 ? 20 : 230;
  return Volume(grid, std::move(pixels));
}

}  // namespace

class TestOverview : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    view_ = std::make_unique<SliceView>(PlaneKind::Axial);
    view_->resize(600, 600);
    overview_ = new Overview(*view_);
    DisplayState display;
    display.window = {.centre = 128.0, .width = 256.0};
    display.in_patient = false;
    view_->set_display(display);
    overview_->set_display(display);
    view_->set_image(halves());
    overview_->set_image(halves(), {});
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
  }
  void cleanup() { view_.reset(); }

  void is_seen_while_the_view_shows_a_part() {
    QVERIFY(!overview_->isVisible());
    view_->move_camera({.zoom = 4.0});
    QTRY_VERIFY(overview_->isVisible());
    QVERIFY(view_->rect().contains(overview_->geometry()));
    // The proportions of the image.
    QVERIFY(std::abs(overview_->width() - 2 * overview_->height()) <= 2);
    view_->fit();
    QTRY_VERIFY(!overview_->isVisible());
  }

  void the_frame_is_the_visible_part() {
    view_->move_camera({.zoom = 4.0, .right_mm = 100.0, .down_mm = -50.0});
    // 600 of 2400 pixels, around three quarters of the width; a square of a picture of 2 to 1.
    const QRectF frame = overview_->frame();
    QVERIFY(std::abs(frame.center().x() - 0.75) < 1e-9);
    QVERIFY(std::abs(frame.center().y() - 0.25) < 1e-9);
    QVERIFY(std::abs(frame.width() - 0.25) < 1e-9);
    QVERIFY(std::abs(frame.height() - 0.5) < 1e-9);
  }

  void a_press_and_a_drag_move_the_view() {
    view_->move_camera({.zoom = 8.0});
    QTRY_VERIFY(overview_->isVisible());
    const QPoint at(overview_->width() / 4, overview_->height() / 2);
    QTest::mousePress(overview_, Qt::LeftButton, {}, at);
    QVERIFY(std::abs(view_->camera().right_mm + 100.0) < 3.0);
    QCOMPARE(view_->camera().zoom, 8.0);
    QTest::mouseMove(overview_, QPoint(overview_->width() - 1, 0));
    QMouseEvent move(QEvent::MouseMove, QPointF(overview_->width() * 2.0, 0.0),
                     overview_->mapToGlobal(QPointF(0, 0)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(overview_, &move);
    // Beyond the end of the overview is the end of the image.
    QCOMPARE(view_->camera().right_mm, 200.0);
    QCOMPARE(view_->camera().down_mm, -100.0);
  }

  /// It lies in the view, whose painting it follows: the two must not paint each other for ever.
  void an_idle_view_is_not_painted_again() {
    view_->move_camera({.zoom = 4.0, .right_mm = 20.0});
    QTRY_VERIFY(overview_->isVisible());
    QTest::qWait(100);
    QSignalSpy painted(view_.get(), &SliceView::painted);
    QTest::qWait(200);
    QCOMPARE(painted.count(), 0);
  }

  void it_shows_the_image_through_its_window() {
    view_->move_camera({.zoom = 50.0});
    QTRY_VERIFY(overview_->isVisible());
    const QImage picture = overview_->grab().toImage();
    const int y = picture.height() - 6;
    const int dark = qGray(picture.pixel(picture.width() / 8, y));
    const int bright = qGray(picture.pixel(picture.width() * 7 / 8, y));
    QVERIFY2(dark < 40 && bright > 200, qPrintable(QString("%1 %2").arg(dark).arg(bright)));
  }

  void a_volume_has_none() {
    Geometry grid;
    grid.size = {40, 30, 20};
    const Volume volume(grid, std::vector<std::uint8_t>(24000));
    view_->set_image(volume);
    overview_->set_image(volume, {});
    view_->move_camera({.zoom = 5.0});
    QTest::qWait(20);
    QVERIFY(!overview_->isVisible());
  }

 private:
  std::unique_ptr<SliceView> view_;
  Overview* overview_ = nullptr;
};

QTEST_MAIN(TestOverview)
#include "test_overview.moc"
