// SPDX-License-Identifier: Apache-2.0
//
// The table of objects in the window: what it lists, and how it is linked with the picture.
#include "core/io/save.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/object_panel.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

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
    QCOMPARE(column(ObjectModel::Size), (QStringList{"100", "800", "16"}));
    QCOMPARE(column(ObjectModel::X), (QStringList{"25", "120", "152"}));
    QVERIFY(table()->isColumnHidden(ObjectModel::Z));
    const QString summary = fixture_.window().findChild<QLabel*>("objects_summary")->text();
    QVERIFY2(summary.startsWith("3 object") && summary.endsWith("median 100 px"),
             qPrintable(summary));
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
    click_title(ObjectModel::Size);
    QCOMPARE(column(ObjectModel::Size), (QStringList{"16", "100", "800"}));
    QCOMPARE(panel()->selected_rows(), (std::vector<int>{2}));  // the same object
    click_title(ObjectModel::Size);
    QCOMPARE(column(ObjectModel::Size), (QStringList{"800", "100", "16"}));
    // The order stays for further results.
    workbench().steps().set_value("low", 150.0, "low");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(column(ObjectModel::Size), (QStringList{"800", "100", "16"}),
                              kLimitMs);
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
    click_title(ObjectModel::Size);
    const QString file = fixture_.path("objects.csv");
    QSignalSpy exported(&fixture_.window().saver(), &FileSaver::exported);
    fixture_.window().saver().export_content(
        "table", file, [this] { return model().list()->csv(model().order()); });
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kLimitMs);
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(saved.readLine().trimmed(),
             QByteArray("number,label,voxels,size,x,y,z,left,top,front,columns,rows,slices"));
    QCOMPARE(saved.readLine().trimmed(), QByteArray("1,1,16,16,151.5,101.5,0,150,100,0,4,4,1"));
  }

  void the_list_of_operations_leaves_out_tables() {
    const auto* operations = fixture_.window().findChild<QComboBox*>("operation");
    QVERIFY(operations != nullptr);
    QVERIFY(operations->findData("components") >= 0);
    QCOMPARE(operations->findData("measure-objects"), -1);
  }

 private:
  [[nodiscard]] QString picture() const { return fixture_.path("rectangles.png"); }
  Workbench& workbench() { return fixture_.workbench(); }
  ViewGrid& views() { return fixture_.window().views(); }
  ObjectPanel* panel() { return fixture_.window().findChild<ObjectPanel*>(); }
  QTableView* table() { return fixture_.window().findChild<QTableView*>("objects"); }
  ObjectModel& model() { return *qobject_cast<ObjectModel*>(table()->model()); }
  int rows() { return table()->model()->rowCount(); }
  QStringList column(int column) {
    QStringList texts;
    for (int row = 0; row < rows(); ++row)
      texts << table()->model()->index(row, column).data().toString();
    return texts;
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
