// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operation_table.h"
#include "core/session/label_choice.h"
#include "ui/models/missing.h"
#include "ui/models/run_controller.h"

#include <QSignalSpy>
#include <QTest>

namespace seedwave::ui {

namespace {

constexpr int kLimitMs = 30'000;

/// Returns a row of voxels: 100 on the left, 200 on the right, with a step between neighbours in
/// each.
PreparedImage two_halves() {
  Geometry geometry;
  geometry.size = {16, 4, 2};
  std::vector<std::uint8_t> voxels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    voxels.push_back(static_cast<std::uint8_t>((i % 16 < 8 ? 100 : 200) + i % 3));
  }
  io::LoadedImage image;
  image.volume = Volume(geometry, std::move(voxels));
  return prepare(image, io::ItemKind::Volume);
}

Stroke stroke_of(std::uint16_t label, double x) {
  return {.label = label, .radius_mm = 1.0, .points = {{x, 1, 0}, {x + 3, 1, 0}}, .plane = {}};
}

}  // namespace

class TestLabelChoice : public QObject {
  Q_OBJECT

 private slots:
  void the_background_is_the_painted_label_of_that_name_unless_labels_are_corrected() {
    const OperationTable table = make_operation_table();
    Document document;
    document.operation = "segment";
    document.labels = {{.id = 1, .name = "object"}, {.id = 2, .name = "background"}};
    document.seeds.strokes = {stroke_of(2, 10)};
    const Operation& operation = table.at("segment");
    QCOMPARE(with_labels_chosen(operation, {}, document).number("background"), 2.0);
    document.inputs["segment"]["start"] = {.file = {.path = "labels.nrrd"}};
    QVERIFY(!with_labels_chosen(operation, {}, document).has("background"));
  }

  void two_labels_without_the_first_one_segment() {
    const OperationTable table = make_operation_table();
    Workbench workbench;
    RunController runs(workbench, table);
    runs.set_live(false);
    workbench.set_image(two_halves(), Source{});
    workbench.steps().set_operation("irfc", {});
    workbench.steps().add_label();
    workbench.steps().add_stroke(stroke_of(2, 10));  // named background
    workbench.steps().add_stroke(stroke_of(3, 2));
    QCOMPARE(runs.next().missing(), QString());
    QSignalSpy ended(&runs, &RunController::ended);
    runs.run();
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    QCOMPARE(ended.front().front().toString(), QString());
    QVERIFY(runs.displayed().run() != nullptr);
    QCOMPARE(runs.displayed().run()->facts.values.number("object"), 3.0);
    QVERIFY(!workbench.document().current_values().has(
        "object"));  // a value that the user did not set stays unset
  }

  void a_chosen_object_without_strokes_is_asked_for_by_name() {
    const OperationTable table = make_operation_table();
    Workbench workbench;
    workbench.set_image(two_halves(), Source{});
    workbench.steps().set_operation("irfc", {});
    workbench.steps().add_label();
    workbench.steps().add_stroke(stroke_of(2, 10));
    workbench.steps().add_stroke(stroke_of(3, 2));
    workbench.steps().set_value("object", 1.0, {});
    const Operation& irfc = table.at("irfc");
    QCOMPARE(what_is_missing(irfc, workbench.document(), workbench.image()),
             QStringLiteral("Paint a stroke of “object”, or choose another object."));
    workbench.steps().set_value("m", 100.0, {});
    workbench.steps().set_value("sigma_o", 10.0, {});
    QCOMPARE(what_is_missing(irfc, workbench.document(), workbench.image()), QString());
    workbench.steps().set_value("object", std::string("all"), {});
    workbench.steps().reset_value("m", {});
    QCOMPARE(what_is_missing(irfc, workbench.document(), workbench.image()), QString());
  }

  void an_operation_that_grows_the_object_needs_its_strokes_whatever_the_numbers() {
    const OperationTable table = make_operation_table();
    Workbench workbench;
    workbench.set_image(two_halves(), Source{});
    workbench.steps().set_operation("afc", {});
    workbench.steps().add_stroke(stroke_of(2, 2));
    workbench.steps().set_value("object", 1.0, {});
    workbench.steps().set_value("m", 100.0, {});
    workbench.steps().set_value("sigma_o", 10.0, {});
    QVERIFY(what_is_missing(table.at("afc"), workbench.document(), workbench.image())
                .contains(QStringLiteral("object")));
  }

  void everything_else_is_the_label_of_that_name_whatever_was_painted_last() {
    const OperationTable table = make_operation_table();
    const Operation& segment = table.at("segment");
    Workbench workbench;
    RunController runs(workbench, table);
    runs.set_live(false);
    workbench.set_image(two_halves(), Source{});
    workbench.steps().set_operation("segment", {});
    workbench.steps().add_label();
    workbench.steps().add_stroke(stroke_of(1, 2));
    workbench.steps().add_stroke(stroke_of(3, 5));
    QVERIFY(!with_labels_chosen(segment, {}, workbench.document()).has("background"));
    runs.run();  // label 3 is the last one, which stays fixed until another is known
    QTRY_VERIFY_WITH_TIMEOUT(runs.displayed().run() != nullptr, kLimitMs);
    QCOMPARE(runs.displayed().run()->facts.values.number("background"), 3.0);
    workbench.steps().add_stroke(stroke_of(2, 10));  // named background
    runs.run();
    QTRY_COMPARE_WITH_TIMEOUT(runs.displayed().run()->facts.values.number("background"), 2.0,
                              kLimitMs);
    workbench.steps().set_value("background", 3.0, {});
    const Values chosen = runs.next().asked_values();
    QCOMPARE(chosen.number("background"), 3.0);
  }

  void the_label_painted_first_is_taken_and_background_last() {
    const OperationTable table = make_operation_table();
    const Operation& irfc = table.at("irfc");
    Workbench workbench;
    workbench.set_image(two_halves(), Source{});
    workbench.steps().set_operation("irfc", {});
    workbench.steps().add_label();
    workbench.steps().add_label();
    QVERIFY(!with_labels_chosen(irfc, {}, workbench.document()).has("object"));
    workbench.steps().add_stroke(stroke_of(2, 10));
    QCOMPARE(with_labels_chosen(irfc, {}, workbench.document()).number("object"), 2.0);
    workbench.steps().add_stroke(stroke_of(4, 2));
    workbench.steps().add_stroke(stroke_of(3, 4));
    QCOMPARE(with_labels_chosen(irfc, {}, workbench.document()).number("object"), 4.0);
    workbench.steps().add_stroke(stroke_of(1, 0));  // the initial one is back, as before
    QVERIFY(!with_labels_chosen(irfc, {}, workbench.document()).has("object"));
  }

  void numbers_of_one_object_are_not_used_for_another() {
    const OperationTable table = make_operation_table();
    Workbench workbench;
    RunController runs(workbench, table);
    runs.set_live(false);
    workbench.set_image(two_halves(), Source{});
    workbench.steps().set_operation("irfc", {});
    workbench.steps().add_stroke(stroke_of(1, 2));
    workbench.steps().add_stroke(stroke_of(2, 10));
    QSignalSpy ended(&runs, &RunController::ended);
    runs.run();
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    QVERIFY(std::abs(runs.next().fixed_values().number("m") - 101.0) < 3.0);
    workbench.steps().set_value("object", 2.0, {});
    QVERIFY(runs.next().fixed_values().empty());
    runs.run();
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 2, kLimitMs);
    QVERIFY(std::abs(runs.next().fixed_values().number("m") - 201.0) < 3.0);
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestLabelChoice)
#include "test_label_choice.moc"
