// SPDX-License-Identifier: Apache-2.0
//
// Two runs viewed together: the difference, side by side, and swapped in place.
#include "core/image/label_counts.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"

#include <QAction>
#include <QDockWidget>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeView>
#include <QTreeWidget>

#include <initializer_list>
#include <utility>

namespace seedwave::ui {

using test::kLimitMs;

class TestComparing : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    fixture_.segment();
    a_ = fixture_.runs().displayed().result().run;
    // A background stroke through the ball gives another result.
    fixture_.paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != a_, kLimitMs);
    b_ = fixture_.runs().displayed().result().run;
  }
  void cleanup() { fixture_.close_window(); }

  void a_key_compares_with_the_pinned_run_and_another_ends_it() {
    QVERIFY(!action("compare_sides")->isEnabled());
    fixture_.runs().history().pin(a_);
    compare();
    QVERIFY(dock()->isVisible());
    QVERIFY(action("compare_difference")->isChecked());
    QCOMPARE(views().comparison().mode(), CompareMode::Difference);
    QTest::keyClick(&fixture_.window(), Qt::Key_0, Qt::ControlModifier);
    QVERIFY(!views().comparison().compared());
    QVERIFY(!dock()->isVisible());
    QVERIFY(!action("compare_sides")->isEnabled());
  }

  void without_a_pin_the_run_before_is_a() {
    QVERIFY(fixture_.runs().history().pinned() == nullptr);
    compare();
    const QImage difference = result_of(fixture_.axial());
    action("compare_blink")->trigger();
    const QImage shows_b = result_of(fixture_.axial());
    QVERIFY(shows_b != difference);
    views().comparison().set_other_run_shown(true);
    const QImage shows_a = result_of(fixture_.axial());
    QVERIFY(shows_a != shows_b && shows_a != difference);
  }

  void side_by_side_moves_together() {
    compare();
    fixture_.axial().setFocus();
    QTest::keyClick(&fixture_.window(), Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(views().comparison().mode(), CompareMode::SideBySide);
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

    // Another plane by its key; the layout with four views ends the comparison.
    QTest::keyClick(&fixture_.window(), Qt::Key_F4);
    QCOMPARE(b.plane(), PlaneKind::Sagittal);
    QVERIFY(views().slice_view(PlaneKind::Sagittal).isVisible() && !a.isVisible());
    QTest::keyClick(&fixture_.window(), Qt::Key_F6);
    QVERIFY(!b.isVisible() && a.isVisible() && views().surface_view().isVisible());
    QVERIFY(views().comparison().compared());
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

  void a_wipe_shows_a_left_and_b_right_of_its_divider() {
    compare();
    action("tool_navigate")->trigger();  // no brush where the pointer was
    action("compare_blink")->trigger();
    const QImage b = result_of(fixture_.axial());
    views().comparison().set_other_run_shown(true);
    const QImage a = result_of(fixture_.axial());
    views().comparison().set_other_run_shown(false);
    QVERIFY(a != b);

    fixture_.axial().setFocus();
    QTest::keyClick(&fixture_.window(), Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(views().comparison().mode(), CompareMode::Wipe);
    Wipe& wipe = views().wipe(PlaneKind::Axial);
    QVERIFY(wipe.is_shown());
    const auto is_wiped = [&](double share, const QImage& left, const QImage& right) {
      const QImage seen = result_of(fixture_.axial());
      const int x = qRound(share * fixture_.axial().width());
      constexpr int kHandle = 14;
      const QRect before(0, 0, std::max(x - kHandle, 0), seen.height());
      const QRect behind(x + kHandle, 0, seen.width() - x - kHandle, seen.height());
      return seen.copy(before) == left.copy(before) &&
             (behind.width() <= 0 || seen.copy(behind) == right.copy(behind));
    };
    QVERIFY(is_wiped(0.5, a, b));

    // By dragging, in all planes at once.
    QWidget& divider = wipe.divider();
    const QPoint middle = divider.rect().center();
    QTest::mousePress(&divider, Qt::LeftButton, {}, middle);
    QTest::mouseMove(&divider, middle - QPoint(fixture_.axial().width() / 4, 0));
    QTest::mouseRelease(&divider, Qt::LeftButton, {}, middle);
    QVERIFY(std::abs(wipe.share() - 0.25) < 0.01);
    QCOMPARE(views().wipe(PlaneKind::Coronal).share(), wipe.share());
    QVERIFY(is_wiped(wipe.share(), a, b));
    // By keys, up to both ends.
    QTest::keyClick(&divider, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(std::abs(wipe.share() - 0.35) < 0.01);
    QVERIFY(divider.accessibleDescription().contains("35 %"));
    QTest::keyClick(&divider, Qt::Key_Home);
    QVERIFY(is_wiped(0.0, a, b));
    QTest::keyClick(&divider, Qt::Key_End);
    QVERIFY(is_wiped(1.0, a, b));
    QTest::mouseDClick(&divider, Qt::LeftButton);
    QCOMPARE(wipe.share(), 0.5);

    // K swaps the two; both sides move together.
    QTest::keyPress(&fixture_.axial(), Qt::Key_K);
    QVERIFY(is_wiped(0.5, b, a));
    QTest::keyRelease(&fixture_.axial(), Qt::Key_K);
    QVERIFY(is_wiped(0.5, a, b));
    wipe.over().go_to_slice(3);
    QCOMPARE(fixture_.axial().slice(), std::int64_t{3});
    SliceCamera camera;
    camera.zoom = 2.0;
    fixture_.axial().set_camera(camera);
    emit fixture_.axial().camera_changed(camera);
    QCOMPARE(wipe.over().camera(), camera);

    action("compare_end")->trigger();
    QVERIFY(!wipe.is_shown() && !divider.isVisible() && !wipe.over().isVisible());
  }

  void moving_the_divider_draws_nothing_anew() {
    compare();
    action("compare_wipe")->trigger();
    Wipe& wipe = views().wipe(PlaneKind::Axial);
    static_cast<void>(result_of(fixture_.axial()));
    double longest = 0.0;
    for (const SliceView* view : {&fixture_.axial(), &wipe.over()}) {
      connect(view, &SliceView::painted, &wipe,
              [&](double ms) { longest = std::max(longest, ms); });
    }
    for (int step = 0; step < 40; ++step) {
      QTest::keyClick(&wipe.divider(), step < 20 ? Qt::Key_Left : Qt::Key_Right);
      QCoreApplication::processEvents();
    }
    qInfo("longest painting of 40 steps: %.2f ms", longest);
    QVERIFY(longest > 0.0);
    QVERIFY(longest < 100.0);  // on a busy machine; still imperceptible
  }

  void swapping_and_keeping_a() {
    compare();
    action("compare_wipe")->trigger();
    const std::uint64_t a = views().comparison().compared()->a.id;
    action("compare_swap")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(views().comparison().compared()->a.id, b_, kLimitMs);
    QCOMPARE(views().comparison().compared()->b.id, a);
    QCOMPARE(views().comparison().mode(), CompareMode::Wipe);
    action("compare_swap")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(views().comparison().compared()->a.id, a, kLimitMs);
    action("compare_keep_a")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run == a_, kLimitMs);
    QVERIFY(!views().comparison().compared());
  }

  void maps_are_wiped_and_what_was_given_up_is_computed_again() {
    fixture_.runs().set_live(false);
    const auto run = [&](double scale) {
      fixture_.workbench().steps().set_operation("ramp", "Ramp");
      fixture_.workbench().steps().set_value("scale", scale, "Scale");
      const std::uint64_t before = fixture_.runs().displayed().result().run;
      fixture_.runs().run();
      QTRY_VERIFY_WITH_TIMEOUT(
          fixture_.runs().displayed().result().run != before && !fixture_.runs().busy(), kLimitMs);
    };
    run(1.0);
    fixture_.workbench().steps().set_value("counted", std::string("length"), "Counted in");
    run(3.0);
    compare();
    // Without labels there is no difference; the chosen mode returns with labels.
    QVERIFY(!action("compare_difference")->isEnabled());
    QVERIFY(action("compare_wipe")->isChecked());
    QVERIFY(views().wipe(PlaneKind::Axial).is_shown());
    const SliceView& over = views().wipe(PlaneKind::Axial).over();
    QCOMPARE(fixture_.axial().display().overlay.kind, OverlayKind::Map);
    // One range for both: equal colours are equal values.
    QCOMPARE(fixture_.axial().display().overlay.map, over.display().overlay.map);
    QVERIFY(over.display().overlay.map.high > 60.0);

    // As after opening a session: no image is kept of either.
    std::vector<Run> bare = fixture_.runs().history().runs();
    for (Run& each : bare)
      each.images.clear();
    fixture_.runs().restore_history(bare);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.runs().busy(), kLimitMs);
    action("compare_end")->trigger();
    Comparison comparison(fixture_.runs());
    QSignalSpy waits(&comparison, &Comparison::waits);
    QSignalSpy ready(&comparison, &Comparison::ready);
    comparison.start(bare[bare.size() - 2].id, bare.back().id);
    QCOMPARE(waits.count(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, kLimitMs);
    const auto compared = ready.front().front().value<Compared>();
    QVERIFY(!compared.a.picture.maps.empty() && !compared.b.picture.maps.empty());
    QCOMPARE(compared.b.picture.maps.front().range.high,
             3.0 * compared.a.picture.maps.front().range.high);
    // As the panel names them on this grid, not by their ids.
    QStringList told;
    for (const RunDifference& each : compared.differences)
      told << QString::fromStdString(each.what + ": " + each.a + ", " + each.b);
    QVERIFY2(told.contains("Scale: 1, 3"), qPrintable(told.join("; ")));
    QVERIFY2(told.contains("Counted in: Voxels, Lengths"), qPrintable(told.join("; ")));
  }

  void a_dice_that_comes_late_is_among_the_differences_and_goes_with_its_reference() {
    compare();
    const auto* list = fixture_.window().findChild<QTreeWidget*>(QStringLiteral("differences"));
    const auto tells_dice = [&] {
      return !list->findItems(QStringLiteral("Dice (mean)"), Qt::MatchExactly).isEmpty();
    };
    QVERIFY(list->topLevelItemCount() > 0 && !tells_dice());
    const LabelMap reference = test::ball_labels(test::kSide);
    fixture_.workbench().set_reference(reference, Source{}, count_labels(reference));
    QTRY_VERIFY_WITH_TIMEOUT(tells_dice(), kLimitMs);
    fixture_.workbench().clear_reference();
    QVERIFY(!tells_dice());
    QVERIFY(views().comparison().compared());
  }

  void a_stroke_ends_the_comparison_and_shows_the_new_result() {
    compare();
    action("compare_sides")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(views().second_view().height() == fixture_.axial().height(), kLimitMs);
    fixture_.paint(views().second_view(), {-12, -12, 0}, {-12, 0, 0});
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != b_, kLimitMs);
    QVERIFY(!views().comparison().compared());
    QVERIFY(!views().second_view().isVisible());
    QVERIFY(views().surface_view().isVisible());
  }

  void one_command_compares_what_is_chosen() {
    auto* list = fixture_.window().findChild<QTreeView*>(QStringLiteral("runs"));
    std::pair<std::uint64_t, std::uint64_t> pair;
    const auto compared = [&] {
      QTRY_VERIFY_WITH_TIMEOUT(views().comparison().compared(), kLimitMs);
      pair = {views().comparison().compared()->a.id, views().comparison().compared()->b.id};
      action("compare_end")->trigger();
    };
    // A third run, so that the previous one is not the only choice.
    fixture_.paint(fixture_.axial(), {-6, -3, 0}, {6, -3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run > b_, kLimitMs);
    const std::uint64_t c = fixture_.runs().displayed().result().run;
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
    fixture_.runs().history().pin(b_);
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
  /// Returns the image without strokes, the focus frame, and the lines that name the runs.
  QImage result_of(SliceView& view) {
    constexpr int kTextHeight = 60;
    fixture_.window().setFocus();
    DisplayState display = views().settings().display();
    display.overlay.show_seeds = false;
    display.show_corner_texts = false;
    views().settings().set_display(display);
    return view.grab(view.rect().adjusted(0, kTextHeight, 0, 0)).toImage();
  }

  void compare() {
    action("compare")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(views().comparison().compared(), kLimitMs);
  }

  test::WindowFixture fixture_{test::table_with({test::ramp_operation()})};
  std::uint64_t a_ = 0;
  std::uint64_t b_ = 0;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestComparing)
#include "test_comparing.moc"
