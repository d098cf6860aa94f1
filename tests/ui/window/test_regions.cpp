// SPDX-License-Identifier: Apache-2.0
//
// Regions of a 2-D image in the window: drawn, kept of a result, in files and sessions.
#include "core/io/save.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/region_model.h"
#include "ui/panels/region_panel.h"
#include "ui/window/region_commands.h"

#include <QTreeView>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <numbers>
#include <vector>

namespace seedwave::ui {

using test::kLimitMs;

class TestRegions : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    Geometry grid;
    grid.size = {200, 150, 1};
    grid.unit = LengthUnit::Pixel;
    std::vector<std::uint8_t> voxels(200 * 150, 60);
    for (int y = 40; y < 80; ++y) {
      for (int x = 50; x < 110; ++x)
        voxels[static_cast<std::size_t>(y * 200 + x)] = 200;
    }
    io::save_volume(picture().toStdString(), Volume(grid, std::move(voxels)));
  }
  void init() {
    fixture_.show_window();
    fixture_.open(picture());
  }
  void cleanup() { fixture_.close_window(); }

  void a_region_is_drawn_around_an_area() {
    draw_triangle();
    QCOMPARE(regions().size(), std::size_t{1});
    QCOMPARE(regions()[0]->label, workbench().document().current_label);
    const double area = area_of(*regions()[0]);
    QVERIFY2(std::abs(area - 30.0 * 40.0 / 2.0) < 30.0, qPrintable(QString::number(area)));
    QCOMPARE(list()->model()->rowCount(), 1);
    // It is chosen, so that its corners can be moved.
    QCOMPARE(list()->currentIndex().row(), 0);
    // It is no input of a run.
    QVERIFY(!fixture_.runs().is_coming());
    fixture_.window().actions().at("undo")->trigger();
    QVERIFY(regions().empty());
    fixture_.window().actions().at("redo")->trigger();
    QCOMPARE(regions().size(), std::size_t{1});
  }

  void a_result_is_kept_as_regions() {
    segment();
    fixture_.window().actions().at("regions_keep")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(regions().size(), std::size_t{1}, kLimitMs);
    QCOMPARE(area_of(*regions()[0]), 60.0 * 40.0);
    // It stays when the result goes.
    fixture_.window().workbench().steps().set_operation("gaussian", "gaussian");
    QCOMPARE(regions().size(), std::size_t{1});
  }

  void chosen_ones_are_removed() {
    draw_triangle();
    draw_triangle();
    QCOMPARE(regions().size(), std::size_t{2});
    list()->clearSelection();
    QVERIFY(!fixture_.window().actions().at("regions_remove")->isEnabled());
    const auto second = regions()[1];
    list()->setCurrentIndex(list()->model()->index(0, 0));
    fixture_.window().actions().at("regions_remove")->trigger();
    QCOMPARE(regions().size(), std::size_t{1});
    QVERIFY(regions()[0] == second);
    QVERIFY(!fixture_.window().actions().at("regions_remove")->isEnabled());
  }

  void files_bring_them_back() {
    draw_triangle();
    segment();
    fixture_.window().actions().at("regions_keep")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(regions().size(), std::size_t{2}, kLimitMs);
    const Regions before = regions();
    const QString file = fixture_.path("regions.geojson");
    QSignalSpy exported(&fixture_.window().saver(), &FileSaver::exported);
    fixture_.window().saver().export_regions(file);
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kLimitMs);
    workbench().steps().set_regions({}, "none");
    fixture_.window().opener().import_regions(file);
    QTRY_COMPARE_WITH_TIMEOUT(regions().size(), std::size_t{2}, kLimitMs);
    QVERIFY(nearly_same(regions(), before));
  }

  void classes_of_a_file_become_labels() {
    const QString file = fixture_.path("classes.geojson");
    std::ofstream(file.toStdString()) << R"({"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[1,1],[9,1],[9,9],[1,1]]]},
       "properties":{"objectType":"annotation","name":"third biopsy",
                     "classification":{"name":"Tumor","color":[200,0,0]}}},
      {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[1,1],[9,1],[9,9],[1,1]]]},
       "properties":{"objectType":"annotation"}},
      {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[1,1],[9,1],[9,9],[1,1]]]},
       "properties":{"objectType":"detection","classification":{"name":"object"}}}]})";
    fixture_.window().opener().import_regions(file);
    QTRY_COMPARE_WITH_TIMEOUT(regions().size(), std::size_t{3}, kLimitMs);
    QCOMPARE(workbench().label_name(regions()[0]->label), QString("Tumor"));
    QCOMPARE(workbench().label_color(regions()[0]->label), QString("#c80000"));
    QCOMPARE(QString::fromStdString(regions()[0]->name), QString("third biopsy"));
    QCOMPARE(regions()[0]->polygons[0][0].size(), std::size_t{3});
    QCOMPARE(regions()[1]->label, Label{0});
    QCOMPARE(regions()[2]->label, Label{1});
    QVERIFY(regions()[2]->is_object);
    // One step.
    fixture_.window().actions().at("undo")->trigger();
    QVERIFY(regions().empty());
    QCOMPARE(workbench().document().labels.size(), std::size_t{2});
  }

  void regions_edit_the_result() {
    segment();
    const auto labelled = [this](Label label) {
      return fixture_.runs().displayed().run()->facts.voxels.of(label);
    };
    QCOMPARE(labelled(1), std::int64_t{60 * 40});
    // Half of the bright rectangle.
    Region half{.label = 1, .polygons = {{{{-0.5, -0.5}, {79.5, -0.5}, {79.5, 150}, {-0.5, 150}}}}};
    workbench().steps().set_regions({std::make_shared<const Region>(half)}, "half");
    list()->setCurrentIndex(list()->model()->index(0, 0));
    fixture_.window().actions().at("regions_outside")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(labelled(1), std::int64_t{30 * 40}, kLimitMs);
    fixture_.window().actions().at("undo")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(labelled(1), std::int64_t{60 * 40}, kLimitMs);
    fixture_.window().actions().at("regions_fill")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(labelled(1), std::int64_t{80 * 150 + 30 * 40}, kLimitMs);
  }

  void a_region_gets_another_class_and_a_name() {
    draw_triangle();
    list()->setCurrentIndex(list()->model()->index(0, 0));
    workbench().set_current_label(2);
    fixture_.window().actions().at("regions_classify")->trigger();
    QCOMPARE(regions()[0]->label, Label{2});
    QVERIFY(list()->model()->setData(list()->model()->index(0, 0), " biopsy ", Qt::EditRole));
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(regions()[0]->name), QString("biopsy"),
                              kLimitMs);
    fixture_.window().actions().at("undo")->trigger();
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(regions()[0]->label, Label{1});
    QVERIFY(regions()[0]->name.empty());
  }

  void a_double_click_selects_the_region_there() {
    draw_triangle();
    fixture_.window().actions().at("tool_navigate")->trigger();
    emit fixture_.window().views().picked({25, 25, 0});
    QCOMPARE(list()->currentIndex().row(), 0);
    QVERIFY(fixture_.window().actions().at("regions_remove")->isEnabled());
  }

  void a_corner_of_the_chosen_region_moves() {
    draw_square();
    fixture_.window().actions().at("tool_navigate")->trigger();
    const RegionPolygon before = regions()[0]->polygons[0];
    drag({120, 120, 0}, {140, 130, 0});  // no region is chosen
    QCOMPARE(regions()[0]->polygons[0], before);
    fixture_.axial().fit();
    list()->setCurrentIndex(list()->model()->index(0, 0));
    drag({120, 120, 0}, {140, 130, 0});
    const RegionRing moved = ring();
    QCOMPARE(moved.size(), std::size_t{4});
    QVERIFY(is_near(moved[2], {140, 130}));
    QCOMPARE(moved[0], before[0][0]);
    // It stays chosen, and an edge gets a corner.
    drag({80, 40, 0}, {80, 10, 0});
    QCOMPARE(ring().size(), std::size_t{5});
    QVERIFY(is_near(ring()[1], {80, 10}));
    // Drawn onto its neighbour, it goes.
    drag({80, 10, 0}, {40, 40, 0});
    QCOMPARE(ring(), moved);
    for (int step = 0; step < 3; ++step)
      fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(regions()[0]->polygons[0], before);
  }

  void other_drags_leave_corners_alone() {
    draw_square();
    list()->setCurrentIndex(list()->model()->index(0, 0));
    const RegionPolygon before = regions()[0]->polygons[0];
    fixture_.window().actions().at("tool_navigate")->trigger();
    SliceView& view = fixture_.axial();
    const auto at = [&view](double x, double y) { return view.position_of({x, y, 0}).toPoint(); };
    // Escape gives the corner back.
    QTest::mousePress(&view, Qt::LeftButton, {}, at(120, 120));
    QTest::mouseMove(&view, at(130, 125));
    QTest::keyClick(&view, Qt::Key_Escape);
    QTest::mouseRelease(&view, Qt::LeftButton, {}, at(130, 125));
    QCOMPARE(regions()[0]->polygons[0], before);
    // A region that undo took away meanwhile does not come back.
    QTest::mousePress(&view, Qt::LeftButton, {}, at(120, 120));
    QTest::mouseMove(&view, at(130, 125));
    fixture_.window().actions().at("undo")->trigger();
    QTest::mouseRelease(&view, Qt::LeftButton, {}, at(130, 125));
    QVERIFY(regions().empty());
    fixture_.window().actions().at("redo")->trigger();
    QCOMPARE(regions()[0]->polygons[0], before);
    list()->setCurrentIndex(list()->model()->index(0, 0));
    // A click without a drag changes nothing, and is no step.
    QTest::mouseClick(&view, Qt::LeftButton, {}, at(120, 120));
    QCOMPARE(regions()[0]->polygons[0], before);
    fixture_.window().actions().at("show_regions")->trigger();
    drag({120, 120, 0}, {125, 125, 0});
    QCOMPARE(regions()[0]->polygons[0], before);
    fixture_.window().actions().at("undo")->trigger();
    QVERIFY(regions().empty());
  }

  void an_outline_of_nothing_is_no_region() {
    emit fixture_.window().views().region_outlined(
        1, {.slice_axis = 2, .slice = 0, .axes = {0, 1}, .corners = {{1, 1}, {5, 5}, {9, 9}}});
    QVERIFY(regions().empty());
  }

  void a_label_that_goes_leaves_its_regions() {
    draw_triangle();
    workbench().steps().remove_label(regions()[0]->label);
    QCOMPARE(regions().size(), std::size_t{1});
    QCOMPARE(regions()[0]->label, Label{0});
    fixture_.window().actions().at("undo")->trigger();
    QVERIFY(regions()[0]->label != 0);
  }

  void a_session_keeps_them() {
    draw_triangle();
    const Regions before = regions();
    const QString session = fixture_.path("regions.json");
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(session);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
    fixture_.show_window();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::session_opened);
    fixture_.window().opener().open({session});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QVERIFY(same_regions(regions(), before));
    QCOMPARE(list()->model()->rowCount(), 1);
  }

  void a_view_shows_them() {
    SliceView& view = fixture_.axial();
    const auto picture = [&view] {
      return view.picture({.annotations = false, .crosshair = false});
    };
    const QImage without = picture();
    draw_triangle();
    QVERIFY(picture() != without);
    fixture_.window().actions().at("show_regions")->trigger();
    QCOMPARE(picture(), without);
  }

  void a_drag_spans_a_rectangle_or_an_ellipse() {
    fixture_.window().actions().at("tool_rectangle")->trigger();
    drag({20, 20, 0}, {60, 45, 0});
    QCOMPARE(regions().size(), std::size_t{1});
    const double box = area_of(*regions()[0]);
    // The pixels of the screen round its corners.
    QVERIFY(std::abs(box - 40.0 * 25.0) < 40.0);
    fixture_.window().actions().at("tool_ellipse")->trigger();
    drag({60, 45, 0}, {20, 20, 0});  // from any corner
    QCOMPARE(regions().size(), std::size_t{2});
    const double share = area_of(*regions()[1]) / box;
    QVERIFY(std::abs(share - std::numbers::pi / 4.0) < 0.01);
    // A click without a drag makes nothing.
    QTest::mouseClick(&fixture_.axial(), Qt::LeftButton, {},
                      fixture_.axial().position_of({50, 50, 0}).toPoint());
    QCOMPARE(regions().size(), std::size_t{2});
  }

  void an_outline_beside_the_image_is_no_region() {
    fixture_.window().actions().at("tool_rectangle")->trigger();
    QSignalSpy said(fixture_.window().findChild<RegionCommands*>(), &RegionCommands::said);
    drag({-12, -12, 0}, {-4, -3, 0});
    QVERIFY(regions().empty());
    QCOMPARE(said.count(), 1);
    drag({-12, -12, 0}, {4, 3, 0});
    QCOMPARE(regions().size(), std::size_t{1});
  }

  void volumes_have_none() {
    fixture_.open(fixture_.image());
    for (const char* id : {"tool_region", "regions_keep", "import_regions", "work_on_region"})
      QVERIFY2(!fixture_.window().actions().at(id)->isEnabled(), id);
    QVERIFY(regions().empty());
  }

 private:
  [[nodiscard]] QString picture() const { return fixture_.path("picture.png"); }
  [[nodiscard]] Workbench& workbench() { return fixture_.window().workbench(); }
  [[nodiscard]] const Regions& regions() { return workbench().document().regions; }
  [[nodiscard]] QTreeView* list() { return fixture_.window().findChild<QTreeView*>("regions"); }

  void drag(const Vec3& from, const Vec3& to) {
    SliceView& view = fixture_.axial();
    const QPointF begin = view.position_of(from);
    const QPointF end = view.position_of(to);
    QTest::mousePress(&view, Qt::LeftButton, {}, begin.toPoint());
    for (int i = 1; i <= 5; ++i)
      QTest::mouseMove(&view, (begin + (end - begin) * i / 5.0).toPoint());
    QTest::mouseRelease(&view, Qt::LeftButton, {}, end.toPoint());
  }
  /// Draws one of 30 x 40 pixels, corner by corner.
  void draw_triangle() {
    fixture_.window().actions().at("tool_region")->trigger();
    SliceView& view = fixture_.axial();
    const auto at = [&view](double x, double y) { return view.position_of({x, y, 0}).toPoint(); };
    QTest::mousePress(&view, Qt::LeftButton, {}, at(20, 20));
    for (int i = 1; i <= 10; ++i)
      QTest::mouseMove(&view, at(20 + 3 * i, 20));
    for (int i = 1; i <= 10; ++i)
      QTest::mouseMove(&view, at(50 - 3 * i, 20 + 4 * i));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, at(20, 60));
  }
  void draw_square() {
    const Region square{.label = 1, .polygons = {{{{40, 40}, {120, 40}, {120, 120}, {40, 120}}}}};
    workbench().steps().set_regions({std::make_shared<const Region>(square)}, "square");
  }
  [[nodiscard]] const RegionRing& ring() { return regions()[0]->polygons[0][0]; }
  /// Positions on the screen are whole.
  [[nodiscard]] static bool is_near(const RegionPoint& a, const RegionPoint& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1]) < 1.0;
  }
  /// Makes the bright rectangle label 1, and the rest the background.
  void segment() {
    Stroke stroke{.label = 1, .radius_mm = 2.0, .points = {{60, 60, 0}, {100, 60, 0}}};
    workbench().steps().add_stroke(stroke);
    stroke.label = 2;
    stroke.points = {{20, 120, 0}, {180, 120, 0}};
    workbench().steps().add_stroke(stroke);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
  }
  /// Coordinates in files are rounded.
  static bool nearly_same(const Regions& a, const Regions& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const RegionBounds one = bounds_of(*a[i]);
      const RegionBounds other = bounds_of(*b[i]);
      if (a[i]->label != b[i]->label || std::abs(area_of(*a[i]) - area_of(*b[i])) > 1e-6 ||
          std::abs(one.low[0] - other.low[0]) > 1e-6 ||
          std::abs(one.high[1] - other.high[1]) > 1e-6)
        return false;
    }
    return true;
  }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestRegions)
#include "test_regions.moc"
