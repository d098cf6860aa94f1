// SPDX-License-Identifier: Apache-2.0
//
// The table of objects in the window: what it lists, and how it is linked with the picture.
#include "core/io/save.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/editor.h"
#include "ui/models/fitting_input.h"
#include "ui/panels/object_panel.h"
#include "ui/plots/object_plot.h"
#include "ui/views/slice_layers.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave::ui {

using test::kLimitMs;

class TestObjects : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    Geometry grid;
    grid.size = {200, 150, 1};
    grid.unit = LengthUnit::Pixel;
    std::vector<std::uint8_t> voxels(200 * 150, 60);
    const auto draw = [&](int left, int top, int width, int height) {
      for (int y = top; y < top + height; ++y) {
        for (int x = left; x < left + width; ++x)
          voxels[static_cast<std::size_t>(y * 200 + x)] = 200;
      }
    };
    draw(20, 10, 10, 10);
    draw(100, 40, 40, 20);
    draw(150, 100, 4, 4);
    io::save_volume(picture().toStdString(), Volume(grid, std::move(voxels)));
  }
  void init() {
    fixture_.show_window();
    fixture_.open(picture());
  }
  void cleanup() { fixture_.close_window(); }

  void parts_of_the_result_are_listed() {
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    QCOMPARE(column("size"), (QStringList{"100", "800", "16"}));
    QCOMPARE(column("x"), (QStringList{"25", "120", "152"}));
    // The image is grey: its intensity is that of the only channel.
    QCOMPARE(column("mean"), (QStringList{"200.0", "200.0", "200.0"}));
    QCOMPARE(column("max_diameter"), (QStringList{"14.14", "44.72", "5.657"}));
    QVERIFY(table()->isColumnHidden(model().column_of("x")));
    QVERIFY(!table()->isColumnHidden(model().column_of("circularity")));
    QVERIFY2(summary().startsWith("3 object") && summary().endsWith("median 100 px"),
             qPrintable(summary()));
  }

  void objects_of_a_volume_have_a_surface() {
    save_volume();
    fixture_.open(fixture_.path("boxes.nrrd"));
    workbench().steps().set_operation("threshold", "threshold");
    workbench().steps().set_value("low", 128.0, "low");
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, kLimitMs);
    QVERIFY(!table()->isColumnHidden(model().column_of("sphericity")));
    QCOMPARE(model().column_of("circularity"), -1);
    const int surface = model().column_of("surface_area");
    QCOMPARE(model().headerData(surface, Qt::Horizontal, Qt::ToolTipRole).toString(),
             QString::fromUtf8("Surface area in mm\u00b2"));
    set_filter("surface_area > 2000 and sphericity < 0.7");
    QTRY_COMPARE_WITH_TIMEOUT(summary(), QString("1 of 2 object(s)"), kLimitMs);
  }

  // Three objects: what is drawn beside them is a fourth, and none of them grows by it.
  void objects_drawn_by_hand_are_objects() {
    segment();
    choose_operation(workbench(), fixture_.runs(), "components", "components");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.runs().displayed().numbers_objects(), kLimitMs);
    show_table();
    const auto sizes = [&] {
      QStringList all = column("size");
      all.sort();
      return all;
    };
    QTRY_COMPARE_WITH_TIMEOUT(sizes(), (QStringList{"100", "16", "800"}), kLimitMs);
    const Geometry& grid = workbench().image().geometry();
    const auto draw = [&](const Index3& from, const Index3& to) {
      test::WindowFixture::paint(fixture_.axial(), grid.to_world(from), grid.to_world(to));
      QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && !fixture_.runs().is_coming(),
                               kLimitMs);
    };
    const auto number_at = [&](const Index3& index) {
      return fixture_.runs().displayed().result().labels.at(index);
    };
    fixture_.window().actions().at("tool_edit")->trigger();
    draw({40, 100, 0}, {60, 100, 0});
    QCOMPARE(number_at({50, 100, 0}), Editor::kFirstDrawnObject);
    QCOMPARE(workbench().steps().undo_stack().undoText(),
             QString("drawing of object %1").arg(Editor::kFirstDrawnObject));
    draw({60, 100, 0}, {60, 120, 0});  // begins in it
    QCOMPARE(number_at({60, 118, 0}), Editor::kFirstDrawnObject);
    draw({100, 120, 0}, {110, 120, 0});
    QCOMPARE(number_at({105, 120, 0}), Editor::kFirstDrawnObject + 1);
    const Label plate = number_at({120, 50, 0});
    draw({120, 50, 0}, {120, 30, 0});
    QCOMPARE(number_at({120, 31, 0}), plate);
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 5, kLimitMs);
    QVERIFY(sizes().contains("100") && sizes().contains("16"));
  }

  void own_stains_are_columns() {
    save_in_colours();
    fixture_.open(fixture_.path("colours.png"));
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    QCOMPARE(model().column_of("stain_1_mean"), -1);
    const std::vector<std::string> own{"stain:0.6,0.7,0.3:0.2,0.5,0.8",
                                       "stain:0.2,0.5,0.8:0.6,0.7,0.3"};
    workbench().steps().set_own_channels(own);
    QTRY_VERIFY_WITH_TIMEOUT(model().column_of("stain_2_maximum") >= 0, kLimitMs);
    for (int stain = 0; stain < 2; ++stain) {
      const double amount = channel_of(workbench().image(), own[static_cast<std::size_t>(stain)])
                                .value_at({120, 50, 0});
      const QString id = QStringLiteral("stain_%1_mean").arg(stain + 1);
      QCOMPARE(column(qPrintable(id))[1], QLocale().toString(amount, 'f', 3));
    }
    // They are chosen in a menu of their own, and shown.
    auto* button = fixture_.window().findChild<QToolButton*>("object_columns");
    emit button->menu()->aboutToShow();
    const auto menus = button->menu()->findChildren<QMenu*>();
    const auto own_menu = std::ranges::find(menus, QStringLiteral("Stain 1"), &QMenu::title);
    QVERIFY(own_menu != menus.end());
    QVERIFY(table()->isColumnHidden(model().column_of("stain_1_maximum")));
    (*own_menu)->actions().back()->trigger();
    QVERIFY(!table()->isColumnHidden(model().column_of("stain_1_maximum")));
    (*own_menu)->actions().back()->trigger();
    workbench().steps().undo_stack().undo();
    QTRY_COMPARE_WITH_TIMEOUT(model().column_of("stain_1_mean"), -1, kLimitMs);
    QCOMPARE(rows(), 3);
  }

  void nothing_is_found_while_the_table_is_hidden() {
    fixture_.window().findChild<QDockWidget*>("dock_strokes")->raise();
    segment();
    QCOMPARE(rows(), 0);
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
  }

  void a_new_result_replaces_them() {
    show_table();
    QCOMPARE(rows(), 0);
    segment();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    workbench().steps().set_value("low", 0.0, "low");
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, kLimitMs);
    // An operation without labels has none.
    workbench().steps().set_operation("gaussian", "gaussian");
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 0, kLimitMs);
    QVERIFY(!fixture_.window().actions().at("objects_save")->isEnabled());
  }

  void a_click_on_a_title_sorts() {
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    table()->selectRow(1);
    click_title(model().column_of("size"));
    QTRY_COMPARE_WITH_TIMEOUT(column("size"), (QStringList{"16", "100", "800"}), kLimitMs);
    QCOMPARE(panel()->selected_rows(), (std::vector<int>{2}));  // the same object
    click_title(model().column_of("size"));
    QTRY_COMPARE_WITH_TIMEOUT(column("size"), (QStringList{"800", "100", "16"}), kLimitMs);
    // The order stays for further results.
    workbench().steps().set_value("low", 150.0, "low");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(column("size"), (QStringList{"800", "100", "16"}), kLimitMs);
  }

  void a_filter_keeps_what_passes() {
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    set_filter("area > 50 and circularity < 0.8");
    QTRY_COMPARE_WITH_TIMEOUT(column("size"), (QStringList{"800"}), kLimitMs);
    QCOMPARE(summary(), QString("1 of 3 object(s)"));
    QTRY_VERIFY_WITH_TIMEOUT(has_rims(2 * (40 + 20)), kLimitMs);
    // It stays for further results.
    workbench().steps().set_value("low", 150.0, "low");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(column("size"), (QStringList{"800"}), kLimitMs);
    set_filter("");
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(has_rims(0), kLimitMs);
  }

  void a_filter_that_is_not_understood_filters_nothing() {
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    auto* error = fixture_.window().findChild<QLabel*>("object_filter_error");
    set_filter("wibble > 3");
    QTRY_COMPARE_WITH_TIMEOUT(error->text(), QString("there is no column 'wibble'"), kLimitMs);
    QVERIFY(error->isVisible());
    QCOMPARE(rows(), 3);
    set_filter("area > 20");
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, kLimitMs);
    QVERIFY(!error->isVisible());
    set_filter("");
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
  }

  void a_drag_in_the_plot_chooses_objects() {
    segment();
    show_table();
    ObjectPlot* plot = shown_plot();
    QTRY_COMPARE_WITH_TIMEOUT(plot->bins().all.size(), std::size_t{16}, kLimitMs);
    QCOMPARE(plot->bins().x.high, 800.0);
    // The upper half of the areas: the object of 800 pixels, the second in the list.
    const QRectF area = plot->area();
    drag(plot, {area.center().x(), area.center().y()}, {area.right() + 5, area.center().y()});
    QTRY_COMPARE_WITH_TIMEOUT(panel()->selected_rows(), (std::vector<int>{0}), kLimitMs);
    QCOMPARE(column("size"), (QStringList{"800", "100", "16"}));
    QTRY_VERIFY_WITH_TIMEOUT(has_rims(2 * (40 + 20)), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(plot->bins().chosen.back(), 1U, kLimitMs);
    QTest::mouseClick(plot, Qt::LeftButton, {}, area.center().toPoint());
    QTRY_VERIFY_WITH_TIMEOUT(panel()->selected_rows().empty(), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(plot->bins().chosen.back(), 0U, kLimitMs);
  }

  void a_rectangle_in_the_scatter_plot_chooses_objects() {
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    auto* y = fixture_.window().findChild<QComboBox*>("object_plot_y");
    y->setCurrentIndex(y->findData("max_diameter"));
    ObjectPlot* plot = shown_plot();
    QTRY_VERIFY_WITH_TIMEOUT(plot->bins().y.has_value(), kLimitMs);
    // A selected row is marked among the points.
    table()->selectRow(2);
    QTRY_COMPARE_WITH_TIMEOUT(plot->bins().chosen.front(), 1U, kLimitMs);
    const QRectF area = plot->area();
    drag(plot, area.bottomLeft() + QPointF(-5, 5), area.center());
    QTRY_COMPARE_WITH_TIMEOUT(panel()->selected_rows(), (std::vector<int>{0, 1}), kLimitMs);
    QCOMPARE(column("size"), (QStringList{"100", "16", "800"}));
  }

  void columns_are_chosen_in_a_menu() {
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    auto* button = fixture_.window().findChild<QToolButton*>("object_columns");
    emit button->menu()->aboutToShow();
    const auto action = [&](const QString& text) {
      for (QAction* each : button->menu()->actions()) {
        if (each->text() == text) return each;
      }
      return static_cast<QAction*>(nullptr);
    };
    QVERIFY(action("Area in px")->isChecked());
    action("Perimeter in px")->trigger();
    QVERIFY(!table()->isColumnHidden(model().column_of("perimeter")));
    action("Perimeter in px")->trigger();
    QVERIFY(table()->isColumnHidden(model().column_of("perimeter")));
  }

  void a_row_leads_to_its_object() {
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    const double zoom = views().look()->pixels_per_unit;
    table()->selectRow(2);
    QTRY_VERIFY_WITH_TIMEOUT(is_centred_on({151.5, 101.5, 0}), kLimitMs);
    QCOMPARE(views().look()->pixels_per_unit, zoom);
    QTest::keyClick(table(), Qt::Key_Return);
    QVERIFY(is_centred_on({151.5, 101.5, 0}));
    QVERIFY(views().look()->pixels_per_unit > 2.0 * zoom);
  }

  void a_double_click_in_the_picture_leads_to_its_row() {
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    fixture_.window().actions().at("tool_navigate")->trigger();
    const auto look = views().look();
    emit views().picked({120, 50, 0});
    QTRY_COMPARE_WITH_TIMEOUT(panel()->selected_rows(), (std::vector<int>{1}), kLimitMs);
    emit views().picked({25, 15, 0});
    QTRY_COMPARE_WITH_TIMEOUT(panel()->selected_rows(), (std::vector<int>{0}), kLimitMs);
    emit views().picked({60, 60, 0});  // no object
    constexpr int kPickedMs = 100;
    QTest::qWait(kPickedMs);
    QCOMPARE(panel()->selected_rows(), (std::vector<int>{0}));
    QCOMPARE(views().look()->pixels_per_unit, look->pixels_per_unit);
    QVERIFY(is_centred_on(look->centre));
  }

  void the_table_is_saved() {
    segment();
    show_table();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, kLimitMs);
    click_title(model().column_of("size"));
    set_filter("area < 500");
    QTRY_COMPARE_WITH_TIMEOUT(column("size"), (QStringList{"16", "100"}), kLimitMs);
    const QString file = fixture_.path("objects.csv");
    QSignalSpy exported(&fixture_.window().saver(), &FileSaver::exported);
    fixture_.window().saver().export_content(
        "table", file, [this] { return model().list()->csv(model().order()); });
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kLimitMs);
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    const QByteArray columns = saved.readLine();
    QVERIFY(
        columns.startsWith("number,label,voxels,size,x,y,z,left,top,front,columns,rows,slices,"));
    QVERIFY(columns.trimmed().endsWith("mean,standard_deviation,minimum,maximum"));
    const QByteArray first = saved.readLine();
    QVERIFY(first.startsWith("1,1,16,16,151.5,101.5,0,150,100,0,4,4,1,"));
    QVERIFY(first.trimmed().endsWith(",200,0,200,200"));
    QVERIFY(!saved.readLine().isEmpty());
    QVERIFY(saved.readLine().isEmpty());  // the filter left one out
  }

  void the_list_of_operations_leaves_out_tables() {
    const auto* operations = fixture_.window().findChild<QComboBox*>("operation");
    QVERIFY(operations != nullptr);
    QVERIFY(operations->findData("components") >= 0);
    QCOMPARE(operations->findData("measure-objects"), -1);
  }

 private:
  [[nodiscard]] QString picture() const { return fixture_.path("rectangles.png"); }
  /// The same rectangles in colours, as bright to the eye.
  void save_in_colours() {
    QImage colours = QImage(picture()).convertToFormat(QImage::Format_RGB888);
    for (int y = 0; y < colours.height(); ++y) {
      for (int x = 0; x < colours.width(); ++x) {
        if (qRed(colours.pixel(x, y)) == 200) colours.setPixelColor(x, y, QColor(230, 180, 222));
      }
    }
    QVERIFY(colours.save(fixture_.path("colours.png")));
  }
  /// A cube and a plate, of voxels of 1 x 1 x 2 mm.
  void save_volume() {
    Geometry grid;
    grid.size = {60, 50, 20};
    grid.spacing = {1.0, 1.0, 2.0};
    std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()), 60);
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
      const Index3 at = grid.index_of(i);
      const bool in_cube =
          at[0] >= 4 && at[0] < 16 && at[1] >= 4 && at[1] < 16 && at[2] >= 3 && at[2] < 9;
      const bool in_plate =
          at[0] >= 20 && at[0] < 58 && at[1] >= 5 && at[1] < 45 && at[2] >= 12 && at[2] < 14;
      if (in_cube || in_plate) voxels[static_cast<std::size_t>(i)] = 200;
    }
    io::save_volume(fixture_.path("boxes.nrrd").toStdString(), Volume(grid, std::move(voxels)));
  }
  Workbench& workbench() { return fixture_.workbench(); }
  ViewGrid& views() { return fixture_.window().views(); }
  ObjectPanel* panel() { return fixture_.window().findChild<ObjectPanel*>(); }
  QTableView* table() { return fixture_.window().findChild<QTableView*>("objects"); }
  ObjectModel& model() { return *qobject_cast<ObjectModel*>(table()->model()); }
  int rows() { return table()->model()->rowCount(); }
  QStringList column(const char* id) {
    const int column = model().column_of(id);
    QStringList texts;
    for (int row = 0; row < rows(); ++row)
      texts << table()->model()->index(row, column).data().toString();
    return texts;
  }
  QString summary() { return fixture_.window().findChild<QLabel*>("objects_summary")->text(); }
  void set_filter(const char* text) {
    auto* line = fixture_.window().findChild<QLineEdit*>("object_filter");
    line->setText(text);
    QTest::keyClick(line, Qt::Key_Return);
  }
  /// Returns whether the outline of the marked objects has that length in pixels.
  bool has_rims(double length) {
    double sum = 0.0;
    for (const QLineF& line : fixture_.axial().layers().chosen_lines())
      sum += line.length();
    return std::abs(sum - length) < 1e-6;
  }
  static void drag(QWidget* widget, const QPointF& from, const QPointF& to) {
    QTest::mousePress(widget, Qt::LeftButton, {}, from.toPoint());
    QTest::mouseMove(widget, to.toPoint());
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to.toPoint());
  }
  ObjectPlot* shown_plot() {
    fixture_.window().findChild<QToolButton*>("object_plot_button")->setChecked(true);
    return fixture_.window().findChild<ObjectPlot*>("object_plot");
  }
  void show_table() { fixture_.window().findChild<QDockWidget*>("dock_objects")->raise(); }
  void click_title(int section) {
    QHeaderView* header = table()->horizontalHeader();
    const QPoint place(header->sectionViewportPosition(section) + header->sectionSize(section) / 2,
                       header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
  }
  bool is_centred_on(const Vec3& place) {
    const Vec3 centre = views().look()->centre;
    return std::abs(centre[0] - place[0]) < 1.5 && std::abs(centre[1] - place[1]) < 1.5;
  }
  void segment() {
    workbench().steps().set_operation("threshold", "threshold");
    workbench().steps().set_value("low", 128.0, "low");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(fixture_.runs().displayed().run()->facts.voxels.of(1),
                              std::int64_t{916}, kLimitMs);
  }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestObjects)
#include "test_objects.moc"
