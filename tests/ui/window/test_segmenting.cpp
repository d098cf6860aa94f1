// SPDX-License-Identifier: Apache-2.0
//
// The real window, controlled by mouse and keys as by a user: paint, result, strength, undo,
// cancel.
#include "tests/ui/window/window_fixture.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTreeView>

namespace seedwave::ui {

using test::kLimitMs;
using test::kSide;

class TestSegmenting : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void two_strokes_segment_the_ball_and_the_reference_says_how_well() {
    fixture_.segment();
    const LabelMap& labels = fixture_.runs().displayed().result().labels;
    QCOMPARE(labels.at({kSide / 2, kSide / 2, kSide / 2}), 1);
    QVERIFY(labels.at({1, 1, 1}) != 1);

    // A reference that is loaded after the result scores it without another run.
    const std::uint64_t run = fixture_.runs().displayed().result().run;
    fixture_.window().opener().import_reference(fixture_.reference());
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.window().labels().dice(1).has_value(), kLimitMs);
    QCOMPARE(fixture_.runs().displayed().result().run, run);
    QVERIFY(*fixture_.window().labels().dice(1) > 0.99);
    QVERIFY(!fixture_.window().labels().dice(2).has_value());
    const auto* dice = fixture_.window().findChild<QLabel*>(QStringLiteral("dice"));
    QVERIFY(dice->isVisible() && dice->text().toDouble() > 0.99);
  }

  void says_what_is_missing_until_two_labels_are_painted() {
    fixture_.open_ball();
    const auto* message = fixture_.window().findChild<QLabel*>(QStringLiteral("missing"));
    QVERIFY(message != nullptr);
    QVERIFY(message->text().contains(QStringLiteral("object")));
    fixture_.paint(fixture_.axial(), {0, 0, 0}, {3, 0, 0});
    QVERIFY(message->text().contains(QStringLiteral("background")));
    QTest::keyClick(&fixture_.window(), Qt::Key_2);
    fixture_.paint(fixture_.axial(), {-13, -13, 0}, {-13, 0, 0});
    QVERIFY(!message->text().contains(QStringLiteral("Paint")));
  }

  void undo_takes_the_stroke_and_its_result_back_and_redo_brings_them() {
    fixture_.segment();
    const std::string digest = fixture_.runs().displayed().run()->facts.digest;
    QCOMPARE(fixture_.workbench().steps().undo_stack().undoText(),
             QStringLiteral("stroke of background"));
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{1});
    QCOMPARE(fixture_.runs().displayed().result().run, std::uint64_t{0});
    fixture_.window().actions().at("redo")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(fixture_.runs().displayed().run()->facts.digest, digest);
  }

  void a_result_to_correct_is_kept_but_where_a_stroke_reaches() {
    fixture_.open_ball();
    fixture_.workbench().steps().set_operation("segment", QStringLiteral("segment"));
    QAction* correct = fixture_.window().actions().at("correct_result");
    QVERIFY(!correct->isEnabled());
    fixture_.paint_ball_and_background();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    const std::string digest = fixture_.runs().displayed().run()->facts.digest;
    const Values fixed = fixture_.runs().next().fixed_values();
    QVERIFY(!fixed.empty());

    // The result stays without its strokes.
    QVERIFY(correct->isEnabled());
    correct->trigger();
    const Document& document = fixture_.workbench().document();
    QVERIFY(document.seeds.strokes.empty());
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(fixture_.runs().displayed().run()->facts.digest, digest);
    QVERIFY(!fixture_.runs().displayed().has_objects());  // they are the painted labels
    QVERIFY(!correct->isEnabled());

    // A stroke of the background in the middle takes what it reaches, and no more.
    fixture_.paint(fixture_.axial(), {-2, 0, 0}, {2, 0, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    const LabelMap& labels = fixture_.runs().displayed().result().labels;
    QCOMPARE(labels.at({kSide / 2, kSide / 2, kSide / 2}), 2);
    QVERIFY(fixture_.runs().displayed().run()->facts.digest != digest);
    QVERIFY(correct->isEnabled());

    // Undo brings strokes, values and result back.
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(fixture_.workbench().steps().undo_stack().undoText(),
             QStringLiteral("correction of run 1"));
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(document.seeds.strokes.size(), std::size_t{2});
    QVERIFY(document.current_inputs().empty());
    QCOMPARE(fixture_.runs().next().fixed_values(), fixed);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(fixture_.runs().displayed().run()->facts.digest, digest);
  }

  void a_withdrawn_stroke_leaves_the_result_as_if_it_had_never_been() {
    fixture_.segment();
    const std::string digest = fixture_.runs().displayed().run()->facts.digest;
    const Values fixed = fixture_.runs().next().fixed_values();
    // A background stroke through the ball, the last in the list.
    fixture_.paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(fixture_.runs().displayed().run()->facts.digest != digest);
    auto* list = fixture_.window().findChild<QTreeView*>(QStringLiteral("strokes"));
    list->setCurrentIndex(list->model()->index(2, 0));
    QTest::mouseClick(fixture_.window().findChild<QPushButton*>(QStringLiteral("withdraw")),
                      Qt::LeftButton);
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(fixture_.runs().displayed().run()->facts.digest, digest);
    QCOMPARE(fixture_.runs().next().fixed_values(), fixed);
  }

  void what_a_stroke_changed_is_marked_for_a_moment() {
    fixture_.segment();
    SliceView& view = fixture_.axial();
    const auto colour_at = [&view](const Vec3& world) {
      const QImage picture = view.grab().toImage();
      return picture.pixelColor(view.position_of(world).toPoint() * picture.devicePixelRatio());
    };
    fixture_.window().actions().at("show_seeds")->trigger();
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    fixture_.paint(view, {-6, 13, 0}, {6, 13, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    const QColor marked = colour_at({0, 13, 0});
    QTest::qWait(1200);
    const QColor usual = colour_at({0, 13, 0});
    QVERIFY2(marked.lightness() > usual.lightness() + 20,
             qPrintable(QStringLiteral("%1 and %2").arg(marked.name(), usual.name())));
    // A changed value marks nothing.
    fixture_.workbench().steps().set_value("sigma_o", 200.0, QStringLiteral("sigma"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    const QColor changed = colour_at({0, 13, 0});
    QTest::qWait(1200);
    QCOMPARE(colour_at({0, 13, 0}), changed);
  }

  void menus_hold_what_the_panels_buttons_do() {
    fixture_.segment();
    Actions& actions = fixture_.window().actions();
    for (const char* id : {"withdraw_chosen", "run_restore", "run_pin", "compare"}) {
      QVERIFY2(!actions.at(id)->isEnabled(), id);
    }
    auto* runs = fixture_.window().findChild<QTreeView*>(QStringLiteral("runs"));
    runs->setCurrentIndex(runs->model()->index(0, 0));
    QVERIFY(actions.at("run_restore")->isEnabled());
    actions.at("run_pin")->trigger();
    QVERIFY(fixture_.runs().history().pinned() != nullptr);
    auto* strokes = fixture_.window().findChild<QTreeView*>(QStringLiteral("strokes"));
    strokes->setCurrentIndex(strokes->model()->index(1, 0));
    actions.at("withdraw_chosen")->trigger();
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{1});
    runs->setCurrentIndex(runs->model()->index(0, 0));
    actions.at("run_restore")->trigger();
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
    actions.at("label_remove")->trigger();
    QCOMPARE(fixture_.workbench().document().labels.size(), std::size_t{1});
    QVERIFY(!actions.at("label_remove")->isEnabled());
  }

  void theta_answers_without_a_run() {
    fixture_.segment();
    fixture_.window().actions().at("show_map")->trigger();
    QCOMPARE(fixture_.window().views().settings().display().overlay.kind, OverlayKind::Map);
    auto* theta = fixture_.window().findChild<QSlider*>(QStringLiteral("theta"));
    QTRY_VERIFY_WITH_TIMEOUT(theta->isVisible(), kLimitMs);
    // The number is beside its slider, however wide the bar is.
    const auto* number = fixture_.window().findChild<QLabel*>(QStringLiteral("theta_value"));
    QTRY_VERIFY_WITH_TIMEOUT(number->x() > 0 && number->x() - theta->geometry().right() < 20,
                             kLimitMs);
    const std::uint64_t run = fixture_.runs().displayed().result().run;
    const QImage before = fixture_.axial().grab().toImage();
    theta->setValue(950);
    QVERIFY(!fixture_.runs().busy());
    QCOMPARE(fixture_.runs().displayed().result().run, run);
    QCOMPARE(fixture_.window().views().maps().style().threshold, 0.95);
    QVERIFY(fixture_.axial().grab().toImage() != before);
  }

  void cancel_frees_the_window_at_once_and_keeps_the_last_result() {
    fixture_.segment();
    const std::uint64_t run = fixture_.runs().displayed().result().run;
    fixture_.runs().run();
    QVERIFY(fixture_.runs().busy());
    fixture_.window().actions().at("cancel")->trigger();
    QVERIFY(!fixture_.runs().busy());
    QCOMPARE(fixture_.runs().displayed().result().run, run);
    // The end of the cancelled job, whenever it comes, changes nothing; a new run does.
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != run, kLimitMs);
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{2});
  }

  void without_live_a_result_becomes_old_and_says_so() {
    fixture_.segment();
    fixture_.window().actions().at("live")->trigger();
    fixture_.paint(fixture_.axial(), {-12, -12, 0}, {-12, 0, 0});
    QVERIFY(!fixture_.runs().busy());
    QVERIFY(fixture_.runs().displayed().result().stale);
    const auto* message = fixture_.window().findChild<QLabel*>(QStringLiteral("missing"));
    QVERIFY(message->isVisible() && message->text().contains(QStringLiteral("out of date")));
    fixture_.window().actions().at("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
  }

  void strokes_can_be_painted_in_any_plane() {
    fixture_.open_ball();
    const Vec3 a{0, 0, 0};
    ViewGrid& views = fixture_.window().views();
    fixture_.paint(fixture_.axial(), a, {3, 0, 0});
    fixture_.paint(views.slice_view(PlaneKind::Coronal), a, {0, 0, 3});
    fixture_.paint(views.slice_view(PlaneKind::Sagittal), a, {0, 3, 0});
    const auto& strokes = fixture_.workbench().document().seeds.strokes;
    QCOMPARE(strokes.size(), std::size_t{3});
    const Vec3 ends[] = {{3, 0, 0}, {0, 0, 3}, {0, 3, 0}};
    for (std::size_t i = 0; i < strokes.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        // A logical pixel of these views is much less than a millimetre.
        QVERIFY(std::abs(strokes[i].points.back()[axis] - ends[i][axis]) < 0.6);
      }
    }
  }

  void a_dragged_slider_is_one_step_and_one_run() {
    fixture_.segment();
    const int steps = fixture_.workbench().steps().undo_stack().count();
    const std::uint64_t first = fixture_.runs().displayed().result().run;
    auto* slider = fixture_.window().findChild<QSlider*>(QStringLiteral("smooth_slider"));
    slider->setSliderDown(true);
    for (const int position : {100, 150, 200}) {
      const std::uint64_t before = fixture_.runs().displayed().result().run;
      slider->setValue(position);
      QTRY_VERIFY_WITH_TIMEOUT(
          fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != before,
          kLimitMs);
    }
    slider->setSliderDown(false);
    QCOMPARE(fixture_.workbench().steps().undo_stack().count(), steps + 1);
    const auto& runs = fixture_.runs().history().runs();
    QCOMPARE(runs.size(), std::size_t{2});
    QCOMPARE(runs.front().id, first);
    QCOMPARE(runs.back().recipe.values.number("smooth"),
             fixture_.workbench().document().current_values().number("smooth"));
    // The next drag is another step, and its run another entry.
    slider->setSliderDown(true);
    const std::uint64_t dragged = fixture_.runs().displayed().result().run;
    slider->setValue(50);
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != dragged,
        kLimitMs);
    slider->setSliderDown(false);
    QCOMPARE(fixture_.workbench().steps().undo_stack().count(), steps + 2);
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{3});
  }

  void a_pinned_run_outlives_the_drag_that_made_it() {
    fixture_.segment();
    auto* slider = fixture_.window().findChild<QSlider*>(QStringLiteral("smooth_slider"));
    slider->setSliderDown(true);
    slider->setValue(100);
    const std::uint64_t first = fixture_.runs().displayed().result().run;
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != first, kLimitMs);
    const std::uint64_t pinned = fixture_.runs().displayed().result().run;
    fixture_.runs().history().pin(pinned);
    slider->setValue(200);
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != pinned,
        kLimitMs);
    slider->setSliderDown(false);
    QVERIFY(fixture_.runs().history().find(pinned) != nullptr);
  }

  void another_object_has_its_own_automatic_values() {
    fixture_.segment();
    const double bright = fixture_.runs().next().fixed_values().number("m");
    QVERIFY(std::abs(bright - 1000.0) < 30.0);
    auto* object = fixture_.window().findChild<QComboBox*>(QStringLiteral("object_label"));
    object->setCurrentIndex(object->findText(QStringLiteral("background")));
    emit object->activated(object->currentIndex());
    QVERIFY(fixture_.runs().next().fixed_values().empty());
    const std::uint64_t first = fixture_.runs().displayed().result().run;
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != first, kLimitMs);
    const Values dark = fixture_.runs().displayed().run()->facts.values;
    QVERIFY(std::abs(dark.number("m") - 200.0) < 30.0);
    // They stay for this object, as did those of the first.
    QCOMPARE(fixture_.runs().next().fixed_values().number("sigma_o"), dark.number("sigma_o"));
    fixture_.paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    const std::uint64_t second = fixture_.runs().displayed().result().run;
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != second,
        kLimitMs);
    QCOMPARE(fixture_.runs().displayed().run()->facts.values.number("m"), dark.number("m"));
  }

  void values_are_estimated_anew_while_a_run_with_the_old_ones_is_on_its_way() {
    fixture_.segment();
    const Values fixed = fixture_.runs().next().fixed_values();
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    fixture_.paint(fixture_.axial(), {10, -13, 0}, {13, 13, 0});  // in the dark
    fixture_.runs().run();
    QVERIFY(fixture_.runs().busy());
    fixture_.window().actions().at("re_estimate")->trigger();
    QTest::qSleep(300);  // it ends before the window can start the next one
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && !fixture_.runs().is_coming(), kLimitMs);
    QVERIFY(fixture_.runs().next().fixed_values() != fixed);
  }

  void the_search_for_sigma_says_what_it_found_and_can_be_stopped() {
    fixture_.segment();
    RunController& runs = fixture_.runs();
    QAction* search = fixture_.window().actions().at("search_sigma");
    QVERIFY(!search->isEnabled());  // nothing to score against
    fixture_.window().opener().import_reference(fixture_.reference());
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.window().labels().dice(1).has_value(), kLimitMs);
    QVERIFY(search->isEnabled());

    search->trigger();
    QVERIFY(runs.busy());
    fixture_.window().actions().at("cancel")->trigger();
    QVERIFY(!runs.busy());
    QVERIFY(!fixture_.workbench().document().current_values().has("sigma_o"));

    QSignalSpy progress(&runs, &RunController::progressed);
    QSignalSpy said(&runs, &RunController::said);
    search->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(said.count(), 1, kLimitMs);
    QVERIFY(progress.count() > 0);
    QVERIFY(said.front().front().toString().contains(QStringLiteral("Dice")));
    QVERIFY(!said.front().front().toString().contains(
        QStringLiteral("where the reference has a label")));
    QVERIFY(fixture_.workbench().document().current_values().has("sigma_o"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(runs.displayed().run()->facts.values.number("sigma_o"),
             fixture_.workbench().document().current_values().number("sigma_o"));

    // Next to a Dice of another kind it states its own kind.
    fixture_.workbench().set_scored(Scored::WhereLabelled);
    search->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(said.count(), 2, kLimitMs);
    QVERIFY2(
        said.back().front().toString().contains(QStringLiteral("where the reference has a label")),
        qPrintable(said.back().front().toString()));
  }

  void keys_alone_choose_paint_and_run() {
    fixture_.open_ball();
    fixture_.axial().setFocus();
    QTest::keyClick(&fixture_.axial(), Qt::Key_Return);
    for (int i = 0; i < 13; ++i) {
      QTest::keyClick(&fixture_.axial(), Qt::Key_Left, Qt::ControlModifier);
    }
    QTest::keyClick(&fixture_.window(), Qt::Key_2);
    QTest::keyClick(&fixture_.axial(), Qt::Key_Return);
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
    QTest::keyClick(&fixture_.window(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
  }

 private:
  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestSegmenting)
#include "test_segmenting.moc"
