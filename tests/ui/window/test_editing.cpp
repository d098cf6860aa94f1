// SPDX-License-Identifier: Apache-2.0
//
// Edits by hand in the real window: drawn, undone, kept through runs, locked, saved, repeated.
#include "tests/ui/window/window_fixture.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSignalSpy>
#include <QToolBar>

#include <algorithm>
#include <optional>
#include <utility>

namespace seedwave::ui {

using test::kLimitMs;
using test::kSide;

class TestEditing : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void a_stroke_lies_above_the_result_and_further_runs_keep_it() {
    fixture_.segment();
    const std::string before = digest();
    QCOMPARE(shown({-13, 13, 0}), Label{2});
    choose("tool_edit");
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    draw({-13, 10, 0}, {-13, 13, 0});
    QCOMPARE(shown({-13, 13, 0}), Label{1});
    const std::string edited = digest();
    QVERIFY(edited != before);
    QCOMPARE(fixture_.workbench().steps().undo_stack().undoText(),
             QStringLiteral("drawing of object"));

    // Another stroke of seeds: connectedness runs again below the edits.
    choose("tool_brush");
    QTest::keyClick(&fixture_.window(), Qt::Key_2);
    test::WindowFixture::paint(fixture_.axial(), {13, -13, 0}, {13, 13, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(shown({-13, 13, 0}), Label{1});

    trigger("undo");
    trigger("undo");
    QCOMPARE(digest(), before);
    trigger("redo");
    QCOMPARE(digest(), edited);
  }

  void an_edit_repeats_no_run() {
    for (const char* operation : {"irfc", "segment"}) {
      fixture_.segment();
      fixture_.workbench().steps().set_operation(operation, QString());
      wait();
      choose("tool_edit");
      // Its time is that of the run below: measured again, it would differ.
      const double ms = fixture_.runs().displayed().run()->facts.total_ms;
      draw({-13, 10, 0}, {-13, 13, 0});
      QVERIFY(!fixture_.workbench().document().edits.empty());
      const Run* run = fixture_.runs().displayed().run();
      QCOMPARE(run->recipe.operation, std::string(operation));
      QCOMPARE(run->facts.total_ms, ms);
    }
  }

  void without_live_an_edit_is_shown_all_the_same() {
    fixture_.segment();
    fixture_.runs().set_live(false);
    choose("tool_edit");
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    draw({-13, 10, 0}, {-13, 13, 0});
    QCOMPARE(shown({-13, 13, 0}), Label{1});
    trigger("undo");
    QCOMPARE(shown({-13, 13, 0}), Label{2});
    // After a stroke that has not been run, the result stays out of date and as it is.
    choose("tool_brush");
    test::WindowFixture::paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    QVERIFY(fixture_.runs().displayed().result().stale);
    fixture_.runs().set_live(true);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
  }

  void an_edit_is_on_screen_before_its_labels_are_made() {
    fixture_.segment();
    choose("tool_edit");
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    const DisplayedResult& displayed = fixture_.runs().displayed();
    const std::string before = digest();
    const std::size_t runs = fixture_.runs().history().runs().size();
    test::WindowFixture::paint(fixture_.axial(), {-13, 10, 0}, {-13, 13, 0});
    QCOMPARE(on_screen({-13, 13, 0}), Label{1});
    const QImage drawn = fixture_.axial().picture({});
    // Undone before its labels are there: nothing is left of it.
    fixture_.workbench().steps().undo_stack().undo();
    QCOMPARE(on_screen({-13, 13, 0}), Label{2});
    QVERIFY(!fixture_.runs().is_coming() && !displayed.result().stale);
    QCOMPARE(fixture_.runs().history().runs().size(), runs);
    QCOMPARE(digest(), before);
    // Drawn again: the same picture before and after.
    fixture_.workbench().steps().undo_stack().redo();
    QCOMPARE(fixture_.axial().picture({}), drawn);
    wait();
    QVERIFY(!displayed.patch());
    QCOMPARE(shown({-13, 13, 0}), Label{1});
    QCOMPARE(fixture_.axial().picture({}), drawn);
    const std::string edited = digest();
    // Two steps in a row, from one result.
    const Label beside = on_screen({13, 13, 0});
    test::WindowFixture::paint(fixture_.axial(), {13, 10, 0}, {13, 13, 0});
    QVERIFY(on_screen({13, 13, 0}) != beside);
    fixture_.workbench().steps().undo_stack().undo();
    fixture_.workbench().steps().undo_stack().undo();
    QCOMPARE(on_screen({-13, 13, 0}), Label{2});
    QCOMPARE(on_screen({13, 13, 0}), beside);
    wait();
    QCOMPARE(digest(), before);
    fixture_.workbench().steps().undo_stack().redo();
    // Cancelled: the result as it is, which is out of date.
    fixture_.runs().cancel();
    QCOMPARE(on_screen({-13, 13, 0}), Label{2});
    QVERIFY(displayed.result().stale);
    fixture_.runs().run();
    wait();
    QCOMPARE(digest(), edited);
  }

  void edits_that_follow_each_other_are_one_run() {
    fixture_.segment();
    choose("tool_edit");
    const std::size_t runs = fixture_.runs().history().runs().size();
    draw({-13, 10, 0}, {-13, 13, 0});
    draw({-10, 10, 0}, {-10, 13, 0});
    draw({10, 10, 0}, {10, 13, 0});
    QCOMPARE(fixture_.runs().history().runs().size(), runs + 1);
    // The first run, without edits, can be restored, and brings the edits back by undo.
    fixture_.runs().restore(fixture_.runs().history().runs().front().id);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(fixture_.workbench().document().edits.empty());
    trigger("undo");
    QCOMPARE(fixture_.workbench().document().edits.drawn.empty(), false);
    QCOMPARE(shown({10, 13, 0}), fixture_.workbench().document().current_label);
  }

  void removing_and_giving_back() {
    fixture_.segment();
    choose("tool_edit");
    const std::string before = digest();
    QCOMPARE(shown({0, 0, 0}), Label{1});
    draw({-2, 0, 0}, {2, 0, 0}, Qt::ControlModifier);
    QCOMPARE(shown({0, 0, 0}), Label{0});
    draw({-2, 0, 0}, {2, 0, 0}, Qt::AltModifier);
    QCOMPARE(shown({0, 0, 0}), Label{1});
    QCOMPARE(digest(), before);
    QVERIFY(fixture_.workbench().document().edits.empty());
  }

  void an_outline_by_dragging_and_by_corners() {
    fixture_.segment();
    choose("tool_outline");
    const Label beside = shown({-10, 10, 1});
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    // Dragged around a square.
    SliceView& view = fixture_.axial();
    const auto at = [&view](const Vec3& world) { return view.position_of(world).toPoint(); };
    const Vec3 square[] = {{-14, 6, 0}, {-14, 10, 0}, {-14, 14, 0}, {-10, 14, 0},
                           {-6, 14, 0}, {-6, 10, 0},  {-6, 6, 0},   {-10, 6, 0}};
    QTest::mousePress(&view, Qt::LeftButton, {}, at(square[0]));
    for (const Vec3& corner : square)
      QTest::mouseMove(&view, at(corner));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, at(square[7]));
    wait();
    QCOMPARE(shown({-10, 10, 0}), Label{1});
    QCOMPARE(shown({-10, 10, 1}), beside);  // one slice only
    QCOMPARE(fixture_.workbench().steps().undo_stack().undoText(),
             QStringLiteral("outline of object"));

    // Corner by corner, closed by the key; Ctrl means no label.
    for (const Vec3& corner : {Vec3{6, 6, 0}, Vec3{14, 6, 0}, Vec3{14, 14, 0}, Vec3{6, 14, 0}})
      QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier, at(corner));
    QTest::keyClick(&view, Qt::Key_Return);
    wait();
    QCOMPARE(shown({10, 10, 0}), Label{0});

    // Esc removes one that is not closed.
    const std::string before = digest();
    QTest::mouseClick(&view, Qt::LeftButton, {}, at({6, -6, 0}));
    QTest::mouseClick(&view, Qt::LeftButton, {}, at({14, -6, 0}));
    QTest::mouseClick(&view, Qt::LeftButton, {}, at({14, -14, 0}));
    QTest::keyClick(&view, Qt::Key_Escape);
    QTest::keyClick(&view, Qt::Key_Return);
    wait();
    QCOMPARE(digest(), before);
  }

  void a_click_fills_a_hole_and_removes_a_part() {
    fixture_.segment();
    choose("tool_edit");
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    draw({0, 0, 0}, {0, 0, 0}, Qt::ControlModifier);  // a hole in the ball
    QCOMPARE(shown({0, 0, 0}), Label{0});
    choose("tool_part");
    click({0, 0, 0}, {});
    QTRY_COMPARE_WITH_TIMEOUT(shown({0, 0, 0}), Label{1}, kLimitMs);
    QCOMPARE(fixture_.workbench().steps().undo_stack().undoText(),
             QStringLiteral("fill with object"));
    click({0, 0, 0}, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(shown({0, 0, 0}), Label{0}, kLimitMs);
    QCOMPARE(fixture_.workbench().steps().undo_stack().undoText(),
             QStringLiteral("removal of a part"));
    // The outside is no hole.
    const std::string before = digest();
    click({0, 0, 0}, Qt::ControlModifier);
    const auto* status = fixture_.window().findChild<QLabel*>(QStringLiteral("message"));
    if (status != nullptr) {
      QTRY_VERIFY_WITH_TIMEOUT(status->text().contains(QStringLiteral("Nothing to change")),
                               kLimitMs);
    }
    QCOMPARE(digest(), before);
  }

  void the_surface_shows_edits() {
    fixture_.segment();
    SurfaceView& surface = fixture_.window().views().surface_view();
    choose("tool_edit");  // its bar makes the view smaller
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    QImage before;
    const auto rests = [&] {
      return !surface.busy() && std::exchange(before, surface.picture({})) == before;
    };
    QTRY_VERIFY_WITH_TIMEOUT(rests(), kLimitMs);
    draw({8, 0, 0}, {13, 0, 0});
    QTRY_VERIFY_WITH_TIMEOUT(!surface.busy() && surface.picture({}) != before, kLimitMs);
  }

  void a_label_grows_and_shrinks() {
    fixture_.segment();
    choose("tool_edit");
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    // The margin reaches a voxel from the start.
    const auto* margin =
        fixture_.window().findChild<QDoubleSpinBox*>(QStringLiteral("edit_margin"));
    const Vec3 spacing = fixture_.workbench().image().geometry().spacing;
    QVERIFY(margin->value() >= *std::max_element(spacing.begin(), spacing.end()));
    const std::int64_t before = voxels(1);
    trigger("label_shrink");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && voxels(1) < before, kLimitMs);
    const std::int64_t shrunk = voxels(1);
    trigger("label_grow");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && voxels(1) > shrunk, kLimitMs);
    QCOMPARE(fixture_.workbench().steps().undo_stack().undoText(),
             QStringLiteral("growth of object"));
  }

  void only_intensities_in_the_range_are_edited() {
    fixture_.segment();
    choose("tool_edit");
    const auto [lowest, highest] = fixture_.workbench().opened().scene.range;
    const double middle = (lowest + highest) / 2;
    auto* low = fixture_.window().findChild<QDoubleSpinBox*>(QStringLiteral("edit_low"));
    QVERIFY(low->isVisible());
    low->setValue(middle);
    const Label outside = shown({13, 0, 0});
    QVERIFY(fixture_.window().actions().at("edit_range")->isChecked());
    // From inside the bright ball to the dark outside.
    draw({0, 0, 0}, {13, 0, 0}, Qt::ControlModifier);
    QCOMPARE(shown({0, 0, 0}), Label{0});
    QCOMPARE(shown({13, 0, 0}), outside);
    trigger("undo");
    trigger("edit_range_invert");
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    draw({0, 0, 0}, {13, 0, 0}, Qt::ControlModifier);
    QCOMPARE(shown({0, 0, 0}), Label{1});
    draw({11, 0, 0}, {13, 0, 0});
    QCOMPARE(shown({13, 0, 0}), Label{1});
  }

  void the_planes_stay_in_place_when_editing_ends() {
    fixture_.segment();
    const auto* bar = fixture_.window().findChild<QToolBar*>(QStringLiteral("editing"));
    QVERIFY(!bar->isVisible());
    choose("tool_edit");
    QVERIFY(bar->isVisible());
    choose("tool_brush");
    QVERIFY(bar->isVisible());
    fixture_.open(fixture_.image());
    QVERIFY(!bar->isVisible());
  }

  void a_locked_label_keeps_its_voxels() {
    fixture_.segment();
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    const std::int64_t before = voxels(1);
    trigger("label_lock");
    QVERIFY(fixture_.workbench().document().edits.is_locked(1));
    QCOMPARE(voxels(1), before);
    // Neither an edit nor seeds of another label take a voxel from it.
    choose("tool_edit");
    QTest::keyClick(&fixture_.window(), Qt::Key_2);
    draw({-6, 0, 0}, {6, 0, 0});
    choose("tool_brush");
    test::WindowFixture::paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(voxels(1), before);
    // Nor does it get one.
    choose("tool_edit");
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    draw({-13, 10, 0}, {-13, 13, 0});
    QCOMPARE(voxels(1), before);
    trigger("label_lock");
    QVERIFY(!fixture_.workbench().document().edits.is_locked(1));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && voxels(1) < before, kLimitMs);
  }

  void edits_need_no_strokes() {
    fixture_.open_ball();
    choose("tool_edit");
    fixture_.workbench().steps().set_operation("segment", QStringLiteral("Segment"));
    draw({-3, 0, 0}, {3, 0, 0});
    QCOMPARE(shown({0, 0, 0}), Label{1});
    QCOMPARE(shown({0, 10, 0}), Label{0});
    // Without them nothing is left to run.
    fixture_.workbench().steps().undo_stack().undo();
    QCOMPARE(fixture_.runs().displayed().result().run, std::uint64_t{0});
    trigger("redo");
    QCOMPARE(shown({0, 0, 0}), Label{1});
    // The first stroke of seeds does not take them away.
    choose("tool_brush");
    test::WindowFixture::paint(fixture_.axial(), {-3, 3, 0}, {3, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(shown({0, 0, 0}), Label{1});
  }

  void a_session_brings_them_back() {
    lock_the_object_and_draw_none();
    const Edits edits = fixture_.workbench().document().edits;
    const std::string saved = digest();
    const QString file = fixture_.path("edited.json");
    QSignalSpy done(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(file);
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kLimitMs);
    fixture_.close_window();
    fixture_.show_window();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::session_opened);
    fixture_.window().opener().open({file});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(fixture_.workbench().document().edits == edits);
    QCOMPARE(digest(), saved);
    // They can still be changed: the run below is repeated.
    choose("tool_edit");
    draw({13, 10, 0}, {13, 13, 0});
    QVERIFY(digest() != saved);
    trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(digest(), saved);
  }

  void the_copied_command_names_them() {
    lock_the_object_and_draw_none();
    QSignalSpy ready(&fixture_.window().saver(), &FileSaver::command_ready);
    fixture_.window().saver().prepare_command(fixture_.runs().displayed().result().run);
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, kLimitMs);
    const QString command = ready.first()[1].toString();
    QVERIFY2(command.contains(QStringLiteral("--edits ")), qPrintable(command));
    QVERIFY2(command.contains(QStringLiteral("--locked 1")), qPrintable(command));
    for (const QString& file : ready.first()[2].toStringList())
      QVERIFY2(QFile::exists(file), qPrintable(file));
  }

 private:
  void lock_the_object_and_draw_none() {
    fixture_.segment();
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    trigger("label_lock");
    choose("tool_edit");
    QTest::keyClick(&fixture_.window(), Qt::Key_2);
    draw({-13, 10, 0}, {-13, 13, 0}, Qt::ControlModifier);
  }
  void trigger(const char* id) {
    fixture_.window().actions().at(id)->trigger();
    wait();
  }
  void choose(const char* id) { fixture_.window().actions().at(id)->trigger(); }
  /// Until the edit, if there is one, is on screen.
  void wait() {
    QTest::qWait(20);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && !fixture_.runs().is_coming(), kLimitMs);
  }
  void draw(const Vec3& from, const Vec3& to, Qt::KeyboardModifiers modifiers = {}) {
    test::WindowFixture::paint(fixture_.axial(), from, to, modifiers);
    wait();
  }
  void click(const Vec3& world, Qt::KeyboardModifiers modifiers) {
    SliceView& view = fixture_.axial();
    QTest::mouseClick(&view, Qt::LeftButton, modifiers, view.position_of(world).toPoint());
    wait();
  }
  [[nodiscard]] Label shown(const Vec3& world) {
    const LabelMap& labels = fixture_.runs().displayed().result().labels;
    return labels.empty() ? Label{99} : labels.at(labels.geometry().nearest_index(world));
  }
  [[nodiscard]] Label on_screen(const Vec3& world) {
    const DisplayedResult::OnScreen seen = fixture_.runs().displayed().on_screen();
    const Geometry& grid = seen.labels.geometry();
    const Index3 index = grid.nearest_index(world);
    const std::optional<Label> patched =
        seen.patch ? seen.patch->at(grid.offset(index)) : std::nullopt;
    return patched.value_or(seen.labels.at(index));
  }
  [[nodiscard]] std::string digest() { return fixture_.runs().displayed().run()->facts.digest; }
  [[nodiscard]] std::int64_t voxels(Label label) {
    return fixture_.runs().displayed().run()->facts.voxels.of(label);
  }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestEditing)
#include "test_editing.moc"
