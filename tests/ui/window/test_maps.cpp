// SPDX-License-Identifier: Apache-2.0
//
// Operations that give images or many objects, without seeds: `ui` has no code specific to them.
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLocale>
#include <QSlider>
#include <QToolButton>

#include <array>
#include <cmath>
#include <set>

namespace seedwave::ui {

using test::kLimitMs;
using test::kSide;

class TestMaps : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void an_image_is_shown_as_a_map_at_once_and_read_at_the_pointer() {
    run_ramp();
    const ScalarMap* map = views().maps().shown();
    QVERIFY(map != nullptr && map->name == "image" && map->unit == "mm");
    for (const PlaneKind plane : {PlaneKind::Axial, PlaneKind::Coronal, PlaneKind::Sagittal}) {
      QCOMPARE(views().slice_view(plane).display().overlay.kind, OverlayKind::Map);
    }
    QCOMPARE(views().maps().style().low, 0.0);
    QCOMPARE(views().maps().style().high, kSide - 1.0);
    // The left edge has the first colour, the right edge the last.
    QVERIFY(hue_at(-15) != hue_at(15));
    hover({4.5, 0, 0});
    QTRY_COMPARE_WITH_TIMEOUT(field("readout_map")->text(), QStringLiteral("image 20 mm"),
                              kLimitMs);
    // The source and the time, as for any other result.
    QVERIFY(field("backend")->text().contains(QStringLiteral("plain")));
    QVERIFY(field("backend")->toolTip().contains(QStringLiteral("ramp")));
  }

  void live_follows_a_value_though_nothing_is_painted() {
    run_ramp();
    const std::uint64_t first = fixture_.runs().displayed().result().run;
    fixture_.workbench().steps().set_value("scale", 2.0, QStringLiteral("Scale"));
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_map() && fixture_.runs().displayed().result().run != first,
                             kLimitMs);
    QCOMPARE(views().maps().chosen()->range.high, 2.0 * (kSide - 1));
    // A stroke is not an input: nothing becomes out of date, nothing runs.
    const std::uint64_t second = fixture_.runs().displayed().result().run;
    fixture_.paint(fixture_.axial(), {0, 0, 0}, {3, 0, 0});
    QVERIFY(!fixture_.runs().displayed().result().stale && !fixture_.runs().busy());
    QCOMPARE(fixture_.runs().displayed().result().run, second);
  }

  void what_comes_round_again_has_a_wheel_and_shows_where_it_counts() {
    fixture_.open_ball();
    fixture_.window().resize(1400, 800);  // the whole bar is visible
    fixture_.workbench().steps().set_operation("hours", QStringLiteral("Hours"));
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_map(), kLimitMs);
    // Displayed first, because it contains two maps; without a range, but with its weight.
    const ScalarMap* map = views().maps().shown();
    QVERIFY(map != nullptr && map->name == "hour" && map->period == 24.0);
    QVERIFY(map->weight != nullptr && map->weight->name == "sure");
    QCOMPARE(views().maps().style().colors, ColorScheme::Cyclic);
    QCOMPARE(views().maps().style().full, 50.0);
    QTRY_VERIFY_WITH_TIMEOUT(field("map_weight")->isVisible(), kLimitMs);
    QCOMPARE(field("map_weight")->text(), QStringLiteral("Opacity by sure (votes):"));
    QVERIFY(!find<QComboBox>("map_colors")->isVisible() && !find<QSlider>("theta")->isVisible());
    // Voxels 3 and 27 have an hour of the same name; x runs from -15.5 on. Uses a large view, in
    // which the wheel does not cover them.
    views().set_layout_kind(ViewLayout::Axial);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.axial().height() > 400, kLimitMs);
    set_opacity(1.0);
    const QColor three = color_at(-12.5, -1.5);
    QCOMPARE(color_at(11.5, -1.5), three);
    QVERIFY(three.saturation() > 60);
    QVERIFY(color_at(-0.5, -1.5) != three);
    QCOMPARE(color_at(-12.5, 13).saturation(), 0);
    hover({-12.5, -13, 0});
    QTRY_COMPARE_WITH_TIMEOUT(field("readout_map")->text(),
                              QStringLiteral("hour 3 h, sure 50 votes"), kLimitMs);
    // The wheel is in the corner, in colours that the grey image does not have.
    QVERIFY(has_wheel());
    // Half as opaque; this is saved with the session like a range.
    find<QDoubleSpinBox>("map_high")->setValue(100.0);
    QCOMPARE(views().maps().style().full, 100.0);
    QVERIFY(color_at(-12.5, -1.5).saturation() < three.saturation());
    QCOMPARE(fixture_.workbench().document().view.maps.at("hours/hour").high,
             std::optional<double>(100.0));
    QCOMPARE(fixture_.workbench().document().view.map_colors, std::string("viridis"));
    QTest::mouseClick(find<QToolButton>("map_automatic"), Qt::LeftButton);
    QCOMPARE(views().maps().style().full, 50.0);
    // Another map is drawn as usual.
    views().maps().choose(QStringLiteral("sure"));
    QCOMPARE(views().maps().style().colors, ColorScheme::Viridis);
    QTRY_VERIFY_WITH_TIMEOUT(find<QSlider>("theta")->isVisible(), kLimitMs);
    QVERIFY(!field("map_weight")->isVisible());
  }

  void one_of_several_outputs_is_chosen() {
    run_ramp();
    auto* outputs = find<QComboBox>("output");
    QTRY_VERIFY_WITH_TIMEOUT(outputs->isVisible(), kLimitMs);
    QCOMPARE(outputs->count(), 2);
    QCOMPARE(outputs->itemText(0), QStringLiteral("Ramp (mm)"));
    outputs->setCurrentIndex(1);
    emit outputs->activated(1);
    QCOMPARE(views().maps().shown()->name, std::string("far"));
    hover({15.5, 0, 0});
    QTRY_COMPARE_WITH_TIMEOUT(field("readout_map")->text(), QStringLiteral("far ∞"), kLimitMs);
    hover({-15.5, 0, 0});
    QTRY_COMPARE_WITH_TIMEOUT(field("readout_map")->text(), QStringLiteral("far none"), kLimitMs);
    // The weight is zero: the image shows through, whatever the opacity.
    set_opacity(1.0);
    QCOMPARE(saturation_at(-15), 0);
    QVERIFY(saturation_at(15) > 0);  // infinity has the last colour
    // It is chosen for this operation's next run too, and saved with the session.
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_map(), kLimitMs);
    QCOMPARE(views().maps().shown()->name, std::string("far"));
    QCOMPARE(fixture_.workbench().document().view.map, std::string("far"));
  }

  void range_colours_and_threshold_answer_without_a_run() {
    run_ramp();
    const std::uint64_t run = fixture_.runs().displayed().result().run;
    auto* high = find<QDoubleSpinBox>("map_high");
    QVERIFY(find<QToolButton>("map_automatic")->isChecked());
    high->setValue(16.0);
    QCOMPARE(views().maps().style().high, 16.0);
    QVERIFY(!find<QToolButton>("map_automatic")->isChecked());
    QTest::mouseClick(find<QToolButton>("map_automatic"), Qt::LeftButton);
    QCOMPARE(views().maps().style().high, kSide - 1.0);

    auto* colors = find<QComboBox>("map_colors");
    colors->setCurrentIndex(colors->findText(QStringLiteral("Inferno")));
    emit colors->activated(colors->currentIndex());
    QCOMPARE(views().maps().style().colors, ColorScheme::Inferno);

    auto* threshold = find<QSlider>("theta");
    QCOMPARE(field("theta_value")->text(), QStringLiteral("all"));
    set_opacity(1.0);
    QVERIFY(saturation_at(-10) > 0);
    threshold->setValue(501);
    QVERIFY(std::abs(views().maps().style().threshold - (kSide - 1.0) / 2) < 0.1);
    QCOMPARE(saturation_at(-10), 0);
    QVERIFY(saturation_at(10) > 0);
    threshold->setValue(0);
    QVERIFY(views().maps().style().shows_all());
    QCOMPARE(fixture_.runs().displayed().result().run, run);
    QCOMPARE(fixture_.workbench().document().view.map_colors, std::string("inferno"));
  }

  void a_run_that_is_brought_back_has_its_map_and_no_entry_more() {
    run_ramp();
    const std::uint64_t first = fixture_.runs().displayed().result().run;
    fixture_.workbench().steps().set_value("scale", 2.0, QStringLiteral("Scale"));
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_map() && fixture_.runs().displayed().result().run != first,
                             kLimitMs);
    fixture_.runs().restore(first);
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_map() && fixture_.runs().displayed().result().run == first,
                             kLimitMs);
    QCOMPARE(views().maps().chosen()->range.high, kSide - 1.0);
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{2});
  }

  void maps_are_compared_by_a_wipe_and_not_by_their_difference() {
    run_ramp();
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_map() && fixture_.runs().history().runs().size() == 2,
                             kLimitMs);
    fixture_.window().actions().at("compare")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(views().comparison().compared(), kLimitMs);
    QCOMPARE(views().comparison().mode(), CompareMode::Wipe);
    QVERIFY(!fixture_.window().actions().at("compare_difference")->isEnabled());
  }

  void objects_are_counted_and_scored_by_their_foreground() {
    fixture_.open_ball();
    fixture_.workbench().steps().set_operation("columns", QStringLiteral("Columns"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(fixture_.runs().displayed().has_objects());
    // These are not the user's labels, so neither size nor name applies.
    LabelModel& labels = fixture_.window().labels();
    QVERIFY(!labels.voxels(1) && labels.rowCount() == 2);
    const auto objects = fixture_.runs().displayed().run()->facts.voxels.size();
    QVERIFY(field("score_detail")->text().contains(QStringLiteral("%1 objects").arg(objects)));
    hover({0.5, 0, 0});
    QTRY_COMPARE_WITH_TIMEOUT(field("readout_label")->text(), QStringLiteral("object 9"), kLimitMs);

    // The reference has one label for the whole ball, and is loaded after the result.
    fixture_.window().opener().import_reference(fixture_.reference());
    const auto foreground = [this] { return fixture_.runs().displayed().run()->score.foreground; };
    QTRY_VERIFY_WITH_TIMEOUT(foreground().has_value(), kLimitMs);
    QCOMPARE(*foreground(), 1.0);
    QVERIFY(fixture_.runs().displayed().run()->score.labels.empty());
    QCOMPARE(field("dice")->text(), QLocale().toString(1.0, 'f', 3));
    QVERIFY(field("score_detail")->text().contains(QStringLiteral("foreground")));
    // A reference that was loaded before works too.
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().history().runs().size() == 2, kLimitMs);
    QCOMPARE(foreground(), std::optional<double>(1.0));
    QVERIFY(fixture_.runs().displayed().run()->score.labels.empty());
  }

  void every_operation_without_strokes_runs_on_volumes_and_stains_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("picture");
    const OperationTable all = make_operation_table();
    for (const Operation& operation : all.operations()) {
      // Operations with seeds, even optional ones, have nothing to start from.
      if (operation.wants(InputKind::Seeds) || !can_be_seen(operation)) continue;
      for (const bool picture : {false, true}) {
        QTest::addRow("%s on a %s", operation.id.c_str(), picture ? "picture" : "volume")
            << QString::fromStdString(operation.id) << picture;
      }
    }
  }

  void every_operation_without_strokes_runs_on_volumes_and_stains() {
    QFETCH(QString, id);
    QFETCH(bool, picture);
    if (picture) {
      open_picture();
      fixture_.workbench().steps().set_channel("hematoxylin");
    } else {
      fixture_.open_ball();
    }
    QString refused;
    const auto connection = connect(&fixture_.runs(), &RunController::ended, this,
                                    [&refused](const QString& message) { refused = message; });
    fixture_.workbench().steps().set_operation(id.toStdString(), id);
    for (const Parameter& parameter : fixture_.runs().next().operation().parameters) {
      if (picture && parameter.place() != nullptr && parameter.place()->required)
        fixture_.workbench().steps().set_value(parameter.id, std::string("30,20"), id);
    }
    const InputSpec* image = fixture_.runs().next().operation().find_input(InputKind::Image);
    if (picture && image != nullptr && image->holds == kLabelsHeld && id != "fill-holes") {
      // The colours of a picture are no labels.
      QVERIFY2(fixture_.runs().next().missing().contains("No labels yet"),
               qPrintable(fixture_.runs().next().missing()));
      disconnect(connection);
      return;
    }
    QTRY_VERIFY_WITH_TIMEOUT(
        (fixture_.runs().displayed().result().run != 0 || !refused.isEmpty()) &&
            !fixture_.runs().busy(),
        kLimitMs);
    disconnect(connection);
    if (!refused.isEmpty()) {
      // Those for tissue on slides need a 2-D image, and say so.
      const bool is_flat = id == QStringLiteral("look-alike") || id == QStringLiteral("nuclei");
      QVERIFY2(!picture && is_flat, qPrintable(refused));
      QVERIFY(field("message")->text().contains(refused));
      return;
    }
    QCOMPARE(fixture_.runs().displayed().run()->recipe.operation, id.toStdString());
    const DisplayedResult::Result& shown = fixture_.runs().displayed().result();
    QVERIFY(!shown.labels.empty() || !shown.maps.empty() ||
            !fixture_.runs().displayed().run()->curves.empty());
    QVERIFY(!fixture_.runs().displayed().run()->facts.stages.empty());
    for (const ScalarMap& map : shown.maps)
      QVERIFY(map.range.low < map.range.high && map.unit != "image units");
    QVERIFY(!fixture_.axial().grab().isNull());
  }

  void labels_with_a_map_change_places_by_t_and_by_the_list() {
    fixture_.segment();
    auto* outputs = find<QComboBox>("output");
    QTRY_VERIFY_WITH_TIMEOUT(outputs->isVisible(), kLimitMs);  // the bar is laid out
    QCOMPARE(outputs->currentText(), QStringLiteral("Labels"));
    QVERIFY(views().maps().shown() == nullptr && !find<QSlider>("theta")->isVisible());
    QTest::keyClick(&fixture_.window(), Qt::Key_T);
    QCOMPARE(outputs->currentText(), QStringLiteral("Strength"));
    QVERIFY(views().maps().shown() != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(find<QSlider>("theta")->isVisible(), kLimitMs);
    outputs->setCurrentIndex(0);
    emit outputs->activated(0);
    QVERIFY(views().maps().shown() == nullptr);
    QVERIFY(!fixture_.window().actions().at("show_map")->isChecked());
    // If the map is selected, an operation without one shows its labels.
    QTest::keyClick(&fixture_.window(), Qt::Key_T);
    fixture_.workbench().steps().set_operation("threshold", QStringLiteral("Threshold"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() &&
                                 fixture_.runs().displayed().run()->recipe.operation == "threshold",
                             kLimitMs);
    QCOMPARE(fixture_.axial().display().overlay.kind, OverlayKind::Labels);
  }

 private:
  void open_picture() {
    io::save_volume(fixture_.path("nuclei.png").toStdString(), test::stained_picture());
    fixture_.show_window();
    fixture_.window().opener().open({fixture_.path("nuclei.png")});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.workbench().has_image(), kLimitMs);
  }
  void run_ramp() {
    fixture_.open_ball();
    fixture_.workbench().steps().set_operation("ramp", QStringLiteral("Ramp"));
    QTRY_VERIFY_WITH_TIMEOUT(has_fresh_map(), kLimitMs);
  }
  [[nodiscard]] bool has_fresh_map() {
    const DisplayedResult::Result& shown = fixture_.runs().displayed().result();
    return shown.run != 0 && !shown.stale && !shown.maps.empty() && !fixture_.runs().busy();
  }
  ViewGrid& views() { return fixture_.window().views(); }
  template <typename Widget>
  Widget* find(const char* name) {
    return fixture_.window().findChild<Widget*>(QString::fromLatin1(name));
  }
  const QLabel* field(const char* name) { return find<QLabel>(name); }
  void hover(const Vec3& world) {
    SliceView& view = fixture_.axial();
    QTest::mouseMove(&view, QPoint(1, 1));
    QTest::mouseMove(&view, view.position_of(world).toPoint());
  }
  void set_opacity(double opacity) {
    DisplayState display = views().settings().display();
    display.overlay.opacity = opacity;
    display.show_crosshair = false;
    views().settings().set_display(display);
  }
  QColor color_at(double x, double y = 13) {
    const QPoint place = fixture_.axial().position_of({x, y, 0}).toPoint();
    return fixture_.axial().grab().toImage().pixelColor(place);
  }
  bool has_wheel() {
    const QImage picture = fixture_.axial().grab().toImage();
    std::set<int> hues;
    for (int y = 20; y < 160; ++y) {
      for (int x = picture.width() - 140; x < picture.width() - 8; ++x) {
        const QColor color = picture.pixelColor(x, y);
        if (color.saturation() > 120) hues.insert(color.hue() / 30);
      }
    }
    return hues.size() >= 10;
  }
  int hue_at(double x) { return color_at(x).hue(); }
  int saturation_at(double x) { return color_at(x).saturation(); }

  test::WindowFixture fixture_{test::table_with(
      {test::ramp_operation(), test::hours_operation(), test::columns_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestMaps)
#include "test_maps.moc"
