// SPDX-License-Identifier: Apache-2.0
//
// The contents of the panel beside the image, and its messages before and after a run.
#include "core/base/error.h"
#include "core/image/contrast_colors.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/command_palette.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

using test::kLimitMs;

namespace {

/// Returns an operation that labels everything, with a warning.
Operation warning_operation() {
  Operation warning{.id = "warning", .title = "Warning", .help = "Warns."};
  warning.inputs = {{.kind = InputKind::Image, .help = "any"}};
  warning.outputs = {{.id = "labels", .help = "", .form = LabelsForm{}}};
  warning.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    Result result{.outputs = {}, .values = values, .warnings = {"it is foggy: take care"}};
    const Geometry& grid = inputs.image.geometry();
    result.outputs["labels"] =
        LabelMap(grid, std::vector<std::uint8_t>(static_cast<std::size_t>(grid.voxel_count()), 1));
    return result;
  };
  warning.implementations = {plain};
  return warning;
}

/// Returns an operation that refuses every input.
Operation refusing_operation() {
  Operation refusing{.id = "refusing", .title = "Refusing", .help = "Says no."};
  refusing.inputs = {{.kind = InputKind::Image, .help = "any"}};
  refusing.outputs = {{.id = "labels", .help = "", .form = LabelsForm{}}};
  refusing.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs&, const Values&, Context&) -> Result {
    throw InputError("the image is refused: take another");
  };
  refusing.implementations = {plain};
  return refusing;
}

}  // namespace

class TestOperationPanel : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void the_channel_goes_where_the_image_is_an_earlier_run() {
    open_picture();
    const auto* channel = find<QComboBox>("channel");
    choose_operation("threshold");
    QVERIFY(channel->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    choose_operation("distance");
    QVERIFY(channel->isVisible());
    fixture_.workbench().steps().set_input("image",
                                           output_of(*fixture_.runs().history().find(1), "labels"));
    QVERIFY(!channel->isVisible());
    // Another operation may read the image itself.
    choose_operation("threshold");
    QVERIFY(channel->isVisible());
    choose_operation("distance");
    QVERIFY(!channel->isVisible());
    fixture_.workbench().steps().set_input("image", std::nullopt);
    QVERIFY(channel->isVisible());
  }

  void values_are_estimated_anew_only_where_some_are_automatic() {
    fixture_.open_ball();
    const QAction* action = fixture_.window().actions().at("re_estimate");
    const QToolButton* button = nullptr;
    for (const auto* each : fixture_.window().findChildren<QToolButton*>()) {
      if (each->defaultAction() == action) button = each;
    }
    QVERIFY(button != nullptr);
    for (const Operation& operation : fixture_.runs().next().table().operations()) {
      choose_operation(operation.id.c_str());
      const bool automatic = std::any_of(operation.parameters.begin(), operation.parameters.end(),
                                         [](const auto& each) { return each.word() == "auto"; });
      QVERIFY2(button->isVisible() == automatic, operation.id.c_str());
      QVERIFY2(action->isEnabled() == automatic, operation.id.c_str());
    }
  }

  void what_floods_from_markers_says_what_to_do_without_any() {
    fixture_.open_ball();
    choose_operation("watershed");
    const auto* message = find<QLabel>("missing");
    QVERIFY(message->isVisible());
    QVERIFY2(message->text().contains(QStringLiteral("paint a stroke")) &&
                 message->text().contains(QStringLiteral("choose a marker")),
             qPrintable(message->text()));
    // If run nevertheless, it repeats the message and does not fail.
    QSignalSpy ended(&fixture_.runs(), &RunController::ended);
    fixture_.window().actions().at("run")->trigger();
    QVERIFY(message->isVisible() && !fixture_.runs().busy());
    QCOMPARE(ended.count(), 0);
    fixture_.paint(fixture_.axial(), {-3, 0, 0}, {3, 0, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(!message->isVisible());
    // A file works too.
    fixture_.window().actions().at("undo")->trigger();
    QVERIFY(!fixture_.runs().next().missing().isEmpty());
    fixture_.window().opener().import_input(QStringLiteral("marker"), fixture_.reference());
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(fixture_.runs().next().missing().isEmpty());
  }

  void why_a_run_failed_stands_beside_run_until_something_changes() {
    fixture_.open_ball();
    QSignalSpy ended(&fixture_.runs(), &RunController::ended);
    choose_operation("refusing");
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    const auto* message = find<QLabel>("missing");
    QVERIFY(message->isVisible());
    QCOMPARE(message->text(), QStringLiteral("The image is refused: take another"));
    fixture_.runs().set_live(false);
    choose_operation("threshold");
    QVERIFY(!message->text().contains(QStringLiteral("refused")));
  }

  void what_a_run_warned_of_stands_beside_run() {
    fixture_.open_ball();
    QSignalSpy ended(&fixture_.runs(), &RunController::ended);
    choose_operation("warning");
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    const auto* message = find<QLabel>("missing");
    QTRY_COMPARE_WITH_TIMEOUT(message->text(), QStringLiteral("It is foggy: take care"), kLimitMs);
    QVERIFY(message->isVisible());
  }

  void letters_typed_into_a_closed_list_choose_there() {
    fixture_.open_ball();
    fixture_.runs().set_live(false);
    auto* list = find<QComboBox>("operation");
    list->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(list->hasFocus(), kLimitMs);
    const bool outlined = fixture_.window().views().settings().display().overlay.outline_only;
    const Tool tool = fixture_.window().views().settings().tool();
    QVERIFY(tool == Tool::Brush);
    QTest::keyClick(list, Qt::Key_W, Qt::NoModifier);
    QTest::keyClick(list, Qt::Key_A, Qt::NoModifier);
    QCOMPARE(fixture_.workbench().document().operation, std::string("watershed"));
    QVERIFY(fixture_.window().views().settings().tool() == tool);  // W selects a tool of the window
    list->view()->keyboardSearch({});  // as after a pause: the next letter begins another word
    QTest::keyClick(list, Qt::Key_O);
    QVERIFY2(list->currentText().startsWith(QLatin1Char('O')), qPrintable(list->currentText()));
    QCOMPARE(fixture_.window().views().settings().display().overlay.outline_only, outlined);
    QTest::keyClick(list, Qt::Key_H);  // held down, it would hide the overlays
    // Keys that are not letters still go to the window.
    QTest::keyClick(list, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(fixture_.workbench().steps().undo_stack().canRedo());

    // The image has the keys again as soon as the pointer is over it.
    QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
    QApplication::sendEvent(&fixture_.axial(), &enter);
    QTRY_VERIFY_WITH_TIMEOUT(!list->hasFocus(), kLimitMs);
    QTest::keyClick(&fixture_.window(), Qt::Key_O);
    QCOMPARE(fixture_.window().views().settings().display().overlay.outline_only, !outlined);
  }

  void a_typed_radius_leaves_the_keys_to_the_image() {
    fixture_.open_ball();
    auto* radius = find<QDoubleSpinBox>("brush_radius");
    radius->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(radius->hasFocus(), kLimitMs);
    radius->selectAll();
    QTest::keyClick(radius, Qt::Key_5);
    QTest::keyClick(radius, Qt::Key_Return);
    QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
    QApplication::sendEvent(&fixture_.axial(), &enter);
    QTRY_VERIFY_WITH_TIMEOUT(!radius->hasFocus(), kLimitMs);
    QTest::keyClick(&fixture_.window(), Qt::Key_2);
    QCOMPARE(fixture_.workbench().document().current_label, Label{2});
    QCOMPARE(radius->value(), 5.0);
  }

  void objects_on_a_stained_picture_have_colours_that_it_has_not() {
    open_picture();
    choose_operation("threshold");
    fixture_.workbench().steps().set_value("low", 0.3,
                                           {});  // for the stain, of which the nuclei have more
    fixture_.workbench().steps().set_channel("hematoxylin");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    const std::uint64_t nuclei = fixture_.runs().displayed().result().run;
    choose_operation("split-objects");
    fixture_.workbench().steps().set_input(
        "image", output_of(*fixture_.runs().history().find(nuclei), "labels"));
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().has_objects(), kLimitMs);
    DisplayState display = fixture_.window().views().settings().display();
    display.overlay.outline_only = true;
    fixture_.window().views().settings().set_display(display);
    const std::vector<Rgb> colors = contrast_colors(test::stained_picture(), 12);
    const QImage seen = fixture_.axial().grab().toImage();
    const auto has = [&](const Rgb& rgb) {
      for (int y = 0; y < seen.height(); ++y) {
        for (int x = 0; x < seen.width(); ++x) {
          if ((seen.pixel(x, y) & 0xFFFFFFU) == (qRgb(rgb[0], rgb[1], rgb[2]) & 0xFFFFFFU))
            return true;
        }
      }
      return false;
    };
    for (const auto& [object, voxels] : fixture_.runs().displayed().run()->facts.voxels)
      QVERIFY2(has(colors.at(object - 1U)), qPrintable(QString::number(object)));
  }

  void distances_on_a_picture_without_a_pixel_size_are_pixels() {
    open_picture();
    // The colours of the image are no labels.
    choose_operation("distance");
    QVERIFY2(fixture_.runs().next().missing().contains("No labels yet"),
             qPrintable(fixture_.runs().next().missing()));
    choose_operation("threshold");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    const InputChoice labels = output_of(*fixture_.runs().displayed().run(), "labels");
    choose_operation("distance");
    fixture_.workbench().steps().set_input("image", labels);
    QTRY_VERIFY2_WITH_TIMEOUT(!fixture_.runs().displayed().result().maps.empty(),
                              qPrintable(fixture_.runs().next().missing()), kLimitMs);
    QCOMPARE(find<QComboBox>("units_choice")->currentText(), QStringLiteral("Pixels"));
    QCOMPARE(fixture_.runs().displayed().result().maps.front().unit, std::string("px"));
  }

  void distances_on_a_microscopes_grid_are_read_in_micrometres() {
    Volume ball = test::ball_phantom(test::kSide);
    Geometry grid = ball.geometry();
    grid.spacing = {5e-4, 5e-4, 5e-4};
    grid.origin = {0, 0, 0};
    const auto from = ball.voxels<std::int16_t>();
    std::vector<std::uint8_t> object;
    for (const std::int16_t voxel : from)
      object.push_back(voxel > 600 ? 1 : 0);
    io::save_volume(fixture_.path("cells.nii.gz").toStdString(), Volume(grid, std::move(object)));
    fixture_.show_window();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    fixture_.window().opener().open({fixture_.path("cells.nii.gz")});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    choose_operation("distance");
    QTRY_VERIFY2_WITH_TIMEOUT(!fixture_.runs().displayed().result().maps.empty(),
                              qPrintable(fixture_.runs().next().missing()), kLimitMs);
    QCOMPARE(find<QComboBox>("units_choice")->currentText(), QStringLiteral("Micrometres"));
    const ScalarMap& map = fixture_.runs().displayed().result().maps.front();
    QCOMPARE(map.unit, std::string("µm"));
    // A ball with a radius of a quarter of the side, 0.5 µm per voxel.
    const double middle = map.shown_at({test::kSide / 2, test::kSide / 2, test::kSide / 2});
    QVERIFY2(std::abs(middle - test::kSide / 8.0) <= 0.5, qPrintable(QString::number(middle)));
  }

  void operations_and_the_entries_of_menus_are_found_by_name() {
    open_picture();
    fixture_.window().actions().at("palette")->trigger();
    const auto* palette = fixture_.window().findChild<CommandPalette*>();
    QVERIFY(palette != nullptr);
    auto* typed = palette->findChild<QLineEdit*>();
    const auto* list = palette->findChild<QListWidget*>();
    typed->setText(QStringLiteral("dark"));
    QCOMPARE(list->item(0)->text(), QStringLiteral("Appearance: Dark"));
    // A panel of that name comes later.
    typed->setText(QStringLiteral("operation"));
    QVERIFY(list->item(0)->text().startsWith(QStringLiteral("Operation: ")));
    typed->setText(QStringLiteral("refusing"));
    QCOMPARE(list->item(0)->text(), QStringLiteral("Operation: Refusing"));
    QTest::keyClick(typed, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(fixture_.runs().next().operation().id, std::string("refusing"),
                              kLimitMs);
    QCOMPARE(find<QComboBox>("operation")->currentText(), QStringLiteral("Refusing"));
  }

 private:
  void open_picture() {
    fixture_.show_window();
    io::save_volume(fixture_.path("stained.png").toStdString(), test::stained_picture());
    fixture_.open(fixture_.path("stained.png"));
  }
  void choose_operation(const char* id) {
    fixture_.workbench().steps().set_operation(id, QString::fromLatin1(id));
  }
  template <typename T>
  T* find(const char* name) {
    return fixture_.window().findChild<T*>(QString::fromLatin1(name));
  }

  test::WindowFixture fixture_{test::table_with({refusing_operation(), warning_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestOperationPanel)
#include "test_operation_panel.moc"
