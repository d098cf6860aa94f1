// SPDX-License-Identifier: Apache-2.0
//
// Two runs looked at together: the difference, side by side, one in the place of the other.
#include "tests/ui/window/window_fixture.h"

#include <QAction>
#include <QDockWidget>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QTreeView>

#include <initializer_list>
#include <utility>

namespace seedwave::ui {

using test::kLimitMs;

class TestComparing : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    fixture_.segment();
    a_ = fixture_.runs().shown().run;
    // A stroke of background right through the ball: another result.
    fixture_.paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && fixture_.runs().shown().run != a_,
                             kLimitMs);
    b_ = fixture_.runs().shown().run;
  }
  void cleanup() { fixture_.close_window(); }

  void a_key_compares_with_the_pinned_run_and_another_ends_it() {
    QVERIFY(!action("compare_sides")->isEnabled());
    fixture_.runs().pin(a_);
    compare();
    QVERIFY(dock()->isVisible());
    QVERIFY(action("compare_difference")->isChecked());
    QCOMPARE(views().compare_mode(), CompareMode::Difference);
    QTest::keyClick(&fixture_.window(), Qt::Key_0, Qt::ControlModifier);
    QVERIFY(!views().compares());
    QVERIFY(!dock()->isVisible());
    QVERIFY(!action("compare_sides")->isEnabled());
  }

  void without_a_pin_the_run_before_is_a() {
    QVERIFY(fixture_.runs().pinned() == nullptr);
    compare();
    const QImage difference = result_of(fixture_.axial());
    action("compare_blink")->trigger();
    const QImage shows_b = result_of(fixture_.axial());
    QVERIFY(shows_b != difference);
    views().set_other_run_shown(true);
    const QImage shows_a = result_of(fixture_.axial());
    QVERIFY(shows_a != shows_b && shows_a != difference);
  }

  void side_by_side_moves_together() {
    compare();
    fixture_.axial().setFocus();
    QTest::keyClick(&fixture_.window(), Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(views().compare_mode(), CompareMode::SideBySide);
    SliceView& a = fixture_.axial();
    SliceView& b = views().second_view();
    QVERIFY(a.isVisible() && b.isVisible());
    QVERIFY(!views().surface_view().isVisible());
    QVERIFY(!views().slice_view(PlaneKind::Coronal).isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(a.height() == b.height() && std::abs(a.width() - b.width()) <= 1,
                             kLimitMs);
    QVERIFY(a.geometry().right() < b.geometry().left());

    // Camera and slice, from either side.
    SliceCamera camera;
    camera.zoom = 3.0;
    camera.right_mm = 2.0;
    a.set_camera(camera);
    emit a.camera_changed(camera);
    QCOMPARE(b.camera(), camera);
    b.fit();
    QCOMPARE(a.camera(), b.camera());
    b.go_to_slice(3);
    QCOMPARE(a.slice(), std::int64_t{3});

    // Another plane by its key; the layout with four views ends it.
    QTest::keyClick(&fixture_.window(), Qt::Key_F4);
    QCOMPARE(b.plane(), PlaneKind::Sagittal);
    QVERIFY(views().slice_view(PlaneKind::Sagittal).isVisible() && !a.isVisible());
    QTest::keyClick(&fixture_.window(), Qt::Key_F6);
    QVERIFY(!b.isVisible() && a.isVisible() && views().surface_view().isVisible());
    QVERIFY(views().compares());
  }

  void k_held_puts_the_other_run_in_its_place() {
    compare();
    action("compare_sides")->trigger();
    SliceView& a = fixture_.axial();
    QTRY_VERIFY_WITH_TIMEOUT(a.height() == views().second_view().height(), kLimitMs);
    const QImage shown = result_of(a);
    QTest::keyPress(&a, Qt::Key_K);
    QVERIFY(result_of(a) != shown);
    QTest::keyRelease(&a, Qt::Key_K);
    QCOMPARE(result_of(a), shown);
  }

  void a_stroke_ends_the_comparison_and_shows_the_new_result() {
    compare();
    action("compare_sides")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(views().second_view().height() == fixture_.axial().height(), kLimitMs);
    fixture_.paint(views().second_view(), {-12, -12, 0}, {-12, 0, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && fixture_.runs().shown().run != b_,
                             kLimitMs);
    QVERIFY(!views().compares());
    QVERIFY(!views().second_view().isVisible());
    QVERIFY(views().surface_view().isVisible());
  }

  void one_command_compares_what_is_chosen() {
    auto* list = fixture_.window().findChild<QTreeView*>(QStringLiteral("runs"));
    std::pair<std::uint64_t, std::uint64_t> pair;
    const auto compared = [&] {
      QTRY_VERIFY_WITH_TIMEOUT(views().compared(), kLimitMs);
      pair = {views().compared()->a, views().compared()->b};
      action("compare_end")->trigger();
    };
    // A third run, so that the one before is not all there is.
    fixture_.paint(fixture_.axial(), {-6, -3, 0}, {6, -3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && fixture_.runs().shown().run > b_,
                             kLimitMs);
    const std::uint64_t c = fixture_.runs().shown().run;
    const auto* model = qobject_cast<const RunModel*>(list->model());
    const auto choose = [&](std::initializer_list<std::uint64_t> runs) {
      list->clearSelection();
      for (const std::uint64_t run : runs) {
        list->selectionModel()->select(model->index(model->row_of(run), 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
      }
    };
    choose({});
    action("compare")->trigger();
    compared();
    QCOMPARE(pair, std::pair(b_, c));
    choose({a_});
    action("compare")->trigger();
    compared();
    QCOMPARE(pair, std::pair(a_, c));
    choose({b_, a_});
    QTest::mouseClick(fixture_.window().findChild<QPushButton*>(QStringLiteral("compare")),
                      Qt::LeftButton);
    compared();
    QCOMPARE(pair, std::pair(a_, b_));
    choose({a_, b_, c});
    QVERIFY(!action("compare")->isEnabled());
    fixture_.runs().pin(b_);
    choose({a_});
    action("compare")->trigger();
    compared();
    QCOMPARE(pair, std::pair(b_, a_));
  }

 private:
  [[nodiscard]] QAction* action(const char* id) { return fixture_.window().actions().at(id); }
  [[nodiscard]] ViewGrid& views() { return fixture_.window().views(); }
  [[nodiscard]] QDockWidget* dock() {
    return fixture_.window().findChild<QDockWidget*>(QStringLiteral("dock_comparison"));
  }
  /// The picture without strokes, and without the line that names the run.
  QImage result_of(SliceView& view) {
    constexpr int kTextHeight = 40;
    DisplayState display = views().display();
    display.overlay.show_seeds = false;
    display.show_corner_texts = false;
    views().set_display(display);
    return view.grab(view.rect().adjusted(0, kTextHeight, 0, 0)).toImage();
  }

  void compare() {
    action("compare")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(views().compares(), kLimitMs);
  }

  test::WindowFixture fixture_;
  std::uint64_t a_ = 0;
  std::uint64_t b_ = 0;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestComparing)
#include "test_comparing.moc"
