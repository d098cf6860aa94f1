// SPDX-License-Identifier: Apache-2.0
//
// A slide in the window: what it starts with, its units, its magnification.
#include "tests/support/small_slide.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/tools/brush.h"
#include "ui/views/overview.h"
#include "ui/views/slice_transform.h"
#include "ui/views/slice_view.h"
#include "ui/window/file_commands.h"

#include <QMenu>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace seedwave::ui {

class TestSlides : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    std::mt19937 random(3);
    std::vector<std::uint8_t> pixels(900 * 700 * 3);
    for (std::uint8_t& value : pixels)
      value = static_cast<std::uint8_t>(random());
    test::write_small_slide(file().toStdString(), std::move(pixels), 3);
  }
  void cleanup() { fixture_.close_window(); }

  void starts_with_a_map_of_tissues_in_micrometres() {
    open();
    QCOMPARE(QString::fromStdString(workbench().document().operation), QString("tissue"));
    const Geometry& grid = workbench().image().geometry();
    QVERIFY(grid.unit == LengthUnit::Micrometre);
    QCOMPARE(grid.spacing[0], 0.5);
    QCOMPARE(fixture_.window().views().settings().brush().sizes.usual_mm,
             brush_sizes(grid).usual_mm);
  }

  void its_labels_are_tissues() {
    open();
    const std::vector<LabelEntry>& labels = fixture_.window().workbench().document().labels;
    QCOMPARE(labels.size(), std::size_t{3});
    QCOMPARE(labels.front().name, std::string("tissue 1"));
    // None is taken for the background, which is left out of much.
    for (const LabelEntry& label : labels)
      QVERIFY(!is_background_name(label.name));
  }

  void a_magnification_is_chosen_in_a_menu() {
    open();
    SliceView& view = fixture_.window().views().slice_view(PlaneKind::Axial);
    const double least = kLeastZoom * view.pixels_per_voxel();
    for (QAction* action : magnifications()->actions()) {
      const double times = action->text().section(' ', 1).chopped(1).toDouble();
      QVERIFY2(times >= 1.0, qPrintable(action->text()));
      action->trigger();
      // A pixel of 0.5 micrometres is one of the screen at 20 times.
      QVERIFY(std::abs(view.pixels_per_voxel() - std::max(least, times / 20.0)) < 1e-9);
    }
    auto* overview = view.findChild<Overview*>("overview");
    QVERIFY(overview != nullptr);
    QTRY_VERIFY(overview->isVisible());
  }

  void what_is_in_view_is_worked_on() {
    open();
    test::WindowFixture::paint(fixture_.axial(), {200, 170, 0}, {240, 170, 0});
    QCOMPARE(workbench().document().seeds.strokes.size(), std::size_t{1});
    zoom_in();
    const auto seen = fixture_.window().views().seen_of_slide();
    QVERIFY(seen);
    work_on("work_on_view");
    QCOMPARE(workbench().document().image.view.region, std::optional<Box>(seen->box));
    Context context;
    const io::SlidePart there = workbench().opened().loaded.slide->read(0, seen->box, 0, context);
    QCOMPARE(workbench().image().bytes().size(), there.pixels.bytes().size());
    QVERIFY(std::ranges::equal(workbench().image().bytes(), there.pixels.bytes()));
    QVERIFY(same_grid(workbench().image().geometry(), there.pixels.geometry()));
    QCOMPARE(workbench().opened().surroundings.geometry().size, (Index3{900, 700, 1}));
    // Strokes lie on the slide, and files in pixels of its finest level.
    QCOMPARE(workbench().document().seeds.strokes.size(), std::size_t{1});
    QCOMPARE(workbench().opened().loaded.level0().size, (Index3{900, 700, 1}));
    work_on("work_on_slide");
    QCOMPARE(workbench().image().geometry().size, (Index3{900, 700, 1}));
    QVERIFY(workbench().opened().surroundings.empty());
    QVERIFY(!fixture_.window().actions().at("work_on_slide")->isEnabled());
  }

  void a_turned_slide_shows_the_same_pixels_at_the_same_places() {
    open();
    SliceView& view = fixture_.axial();
    DisplayState display = fixture_.window().views().settings().display();
    display.interpolation = Interpolation::Nearest;
    fixture_.window().views().settings().set_display(display);
    view.move_camera({.zoom = 20.0, .right_mm = 31.0, .down_mm = -18.0});
    const auto middle = [&view] { return view.hover_at(QRectF(view.rect()).center()).world; };
    const Vec3 before = middle();
    const double scale = view.pixels_per_voxel();
    for (int step = 1; step <= 8; ++step) {
      fixture_.window().actions().at(step == 4 ? "mirror" : "turn")->trigger();
      QVERIFY(std::abs(middle()[0] - before[0]) < 1e-9 && std::abs(middle()[1] - before[1]) < 1e-9);
      QVERIFY(std::abs(view.pixels_per_voxel() - scale) < 1e-9);
      const QImage shot = view.picture({.annotations = false, .crosshair = false});
      const Geometry& grid = workbench().image().geometry();
      const Index3 centre = grid.nearest_index(before);
      for (int x = -3; x <= 3; ++x) {
        for (int y = -3; y <= 3; ++y) {
          const Index3 index{centre[0] + x, centre[1] + y, 0};
          const QPointF at = view.position_of(grid.to_world(index)) * shot.devicePixelRatio();
          const QColor there(shot.pixel(at.toPoint()));
          QCOMPARE(there.red(), static_cast<int>(workbench().image().value_at(index, 0)));
          QCOMPARE(there.blue(), static_cast<int>(workbench().image().value_at(index, 2)));
          QCOMPARE(view.hover_at(view.position_of(grid.to_world(index))).index, index);
        }
      }
    }
    // The overview lies in the slide as it is seen: a click in its middle goes to the middle.
    auto* overview = view.findChild<Overview*>("overview");
    QTRY_VERIFY(overview->isVisible() && overview->width() < overview->height());
    QTest::mouseClick(overview, Qt::LeftButton, {}, overview->rect().center());
    const Vec3 whole = workbench().image().geometry().centre();
    QVERIFY(std::abs(middle()[0] - whole[0]) < 5.0 && std::abs(middle()[1] - whole[1]) < 5.0);
    // Strokes are painted where they are seen.
    test::WindowFixture::paint(view, whole, {whole[0] + 8.0, whole[1], 0});
    const Stroke& stroke = workbench().document().seeds.strokes.back();
    QVERIFY(std::abs(stroke.points.back()[0] - whole[0] - 8.0) < 0.5);
    QVERIFY(std::abs(stroke.points.back()[1] - whole[1]) < 0.5);
  }

  void runs_and_undo_come_back_with_a_part() {
    open();
    fixture_.runs().set_live(false);
    run("gaussian");
    const std::string digest = fixture_.runs().displayed().run()->facts.digest;
    test::WindowFixture::paint(fixture_.axial(), {200, 170, 0}, {240, 170, 0});
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.runs().is_coming(), 30'000);
    const std::size_t runs = fixture_.runs().history().runs().size();
    zoom_in();
    work_on("work_on_view");
    QVERIFY(fixture_.runs().history().runs().empty());
    // Strokes lie on the slide: they can be undone from here.
    fixture_.window().actions().at("undo")->trigger();
    QVERIFY(workbench().document().seeds.strokes.empty());
    fixture_.window().actions().at("redo")->trigger();
    QCOMPARE(workbench().document().seeds.strokes.size(), std::size_t{1});
    run("median");
    work_on("work_on_slide");
    QCOMPARE(fixture_.runs().history().runs().size(), runs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.runs().displayed().run() != nullptr, 30'000);
    QCOMPARE(fixture_.runs().displayed().run()->facts.digest, digest);
  }

  void live_runs_begin_in_a_part() {
    open();
    run("gaussian");
    zoom_in();
    work_on("work_on_view");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.runs().displayed().run() != nullptr, 30'000);
    QCOMPARE(fixture_.runs().displayed().run()->recipe.operation, std::string("gaussian"));
    // A part that is open already is not opened again.
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::part_opened);
    fixture_.window().actions().at("work_on_view")->trigger();
    QTest::qWait(200);
    QCOMPARE(opened.count(), 0);
  }

  void the_view_stays_where_it_is() {
    open();
    zoom_in();
    const auto before = fixture_.window().views().look();
    work_on("work_on_view");
    const auto in_part = fixture_.window().views().look();
    work_on("work_on_slide");
    const auto after = fixture_.window().views().look();
    for (const auto& look : {in_part, after}) {
      QVERIFY(std::abs(look->pixels_per_unit / before->pixels_per_unit - 1.0) < 1e-6);
      QVERIFY(std::abs(look->centre[0] - before->centre[0]) < 1.0);
      QVERIFY(std::abs(look->centre[1] - before->centre[1]) < 1.0);
    }
  }

  void around_a_part_the_slide_is_seen() {
    open();
    zoom_in();
    work_on("work_on_view");
    SliceView& view = fixture_.axial();
    view.set_camera({.zoom = 0.5});
    const QImage picture = view.picture({.annotations = false, .crosshair = false});
    const Geometry& part = workbench().image().geometry();
    const Vec3 left = part.to_world(Vec3{-30.0, 0.5 * static_cast<double>(part.size[1]), 0.0});
    const QPoint outside = view.position_of(left).toPoint();
    QVERIFY(view.rect().contains(outside));
    QVERIFY(picture.pixel(outside) != qRgb(0, 0, 0));
    auto* overview = view.findChild<Overview*>("overview");
    QTRY_VERIFY(overview->isVisible());
    QVERIFY(overview->frame().width() < 1.0);
  }

  void a_session_keeps_the_part() {
    open();
    zoom_in();
    work_on("work_on_view");
    const Geometry grid = workbench().image().geometry();
    const QString session = folder_.filePath("part.json");
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(session);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30'000);
    fixture_.show_window();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::session_opened);
    fixture_.window().opener().open({session});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30'000);
    QVERIFY(same_grid(workbench().image().geometry(), grid));
    QVERIFY(!workbench().opened().surroundings.empty());
    work_on("work_on_slide");
    QCOMPARE(workbench().image().geometry().size, (Index3{900, 700, 1}));
  }

  // A session holds the open part alone.
  void saving_tells_of_edits_of_other_parts() {
    open();
    fixture_.window().actions().at("tool_edit")->trigger();
    test::WindowFixture::paint(fixture_.axial(), {200, 170, 0}, {240, 170, 0});
    QTRY_VERIFY_WITH_TIMEOUT(!workbench().document().edits.empty(), 30'000);
    FileCommands& files = fixture_.window().files();
    QSignalSpy said(&files, &FileCommands::said);
    zoom_in();
    work_on("work_on_view");
    QCOMPARE(fixture_.window().opener().other_edited_parts(), 1);
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(folder_.filePath("other_part.json"));
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), 30'000);
    QVERIFY2(said.last().front().toString().contains("1 other part"),
             qPrintable(said.last().front().toString()));
    work_on("work_on_slide");
    QVERIFY(!workbench().document().edits.empty());
    QCOMPARE(fixture_.window().opener().other_edited_parts(), 0);
  }

  void other_images_have_no_magnification() {
    open();
    QVERIFY(magnifications()->menuAction()->isVisible());
    fixture_.open(fixture_.image());
    QVERIFY(!magnifications()->menuAction()->isVisible());
    QCOMPARE(QString::fromStdString(workbench().document().operation), QString("segment"));
  }

 private:
  [[nodiscard]] QString file() const { return folder_.filePath("slide.ome.tif"); }
  [[nodiscard]] Workbench& workbench() { return fixture_.window().workbench(); }
  void open() {
    fixture_.show_window();
    workbench().steps().set_operation("segment", "segment");  // what a window starts with
    fixture_.open(file());
    QVERIFY(workbench().opened().loaded.slide != nullptr);
    QVERIFY(fixture_.window().actions().at("tool_navigate")->isChecked());
    fixture_.window().actions().at("tool_brush")->trigger();
  }
  /// Shows a third of the slide.
  void zoom_in() {
    SliceView& view = fixture_.axial();
    view.move_camera({.zoom = 3.0, .right_mm = 20.0, .down_mm = -15.0});
  }
  void run(const char* operation) {
    workbench().steps().set_operation(operation, operation);
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.runs().is_coming(), 30'000);
  }
  void work_on(const char* action) {
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::part_opened);
    fixture_.window().actions().at(action)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30'000);
  }
  [[nodiscard]] QMenu* magnifications() {
    for (QMenu* menu : fixture_.window().findChildren<QMenu*>()) {
      if (menu->title() == "Magnification") return menu;
    }
    return nullptr;
  }

  QTemporaryDir folder_;
  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestSlides)
#include "test_slides.moc"
