// SPDX-License-Identifier: Apache-2.0
//
// Operations that read other results or files: chosen in the panel, kept in history and session.
#include "core/image/label_counts.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/fitting_input.h"
#include "ui/window/file_commands.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

using test::kLimitMs;
using test::kSide;

class TestInputs : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void a_result_is_the_image_of_the_next_operation() {
    threshold_the_ball();
    const std::uint64_t ball = runs().displayed().result().run;
    choose_operation("distance");
    wait_for("distance");
    // All of the open image is above 0, so there is no background nearby.
    QVERIFY(std::isinf(value_at_centre()));
    choose("input_image", QStringLiteral("Run 1: "));
    QTRY_VERIFY_WITH_TIMEOUT(
        runs().displayed().run()->recipe.inputs.contains("image") && !runs().busy(), kLimitMs);
    QCOMPARE(runs().displayed().run()->recipe.inputs.at("image").step->id, ball);
    // A ball with a radius of a quarter of the side, 1 mm voxels: its centre is that far from the
    // outside.
    QVERIFY(std::abs(value_at_centre() - kSide / 4.0) <= 1.0);
    QCOMPARE(runs().displayed().result().maps.front().unit, std::string("mm"));
    QVERIFY(fixture_.window().views().maps().chosen()->range.zero_is_nothing);

    // The map's own values are an image again, read from the history.
    const std::uint64_t distance = runs().displayed().result().run;
    choose_operation("threshold");
    wait_for("threshold");
    choose("input_image", QStringLiteral("Run %1, image: ").arg(distance));
    fixture_.workbench().steps().set_value("low", 4.0, {});
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && runs().displayed().run()->recipe.inputs.contains("image"),
        kLimitMs);
    const std::int64_t core = runs().displayed().run()->facts.voxels.of(1);
    QVERIFY(core > 0 && core < runs().history().find(ball)->facts.voxels.of(1));
    const auto list = differences(*runs().history().find(ball), *runs().displayed().run());
    QVERIFY(std::any_of(list.begin(), list.end(), [](const auto& row) {
      return row.what == "image" && row.a.empty() && row.b.starts_with("run ");
    }));
  }

  void what_reads_labels_starts_with_those_that_are_shown() {
    fixture_.open_ball();
    const auto read_by = [this](const char* operation) {
      begin(operation);
      wait_for(operation);
      const auto& inputs = runs().displayed().run()->recipe.inputs;
      const auto labels = inputs.find("labels");
      return labels == inputs.end() ? std::uint64_t{0} : labels->second.step->id;
    };
    QCOMPARE(read_by("threshold"), std::uint64_t{0});
    const std::uint64_t ball = runs().displayed().result().run;
    QCOMPARE(read_by("fill-holes"), ball);
    const std::uint64_t filled = runs().displayed().result().run;
    // Filled labels are labels; a distance is not, but was computed from some.
    QCOMPARE(read_by("distance"), filled);
    QCOMPARE(read_by("split-objects"), filled);
    QCOMPARE(runs().displayed().run()->facts.voxels.size(), std::size_t{1});
    // Other operations still read the image.
    QCOMPARE(read_by("h-domes"), std::uint64_t{0});
  }

  void what_reads_an_image_goes_on_from_the_one_that_is_shown() {
    fixture_.open_ball();
    begin("gaussian");
    wait_for("gaussian");
    const Run smooth = *runs().displayed().run();
    QVERIFY(!smooth.recipe.inputs.contains("image"));
    begin("threshold");
    wait_for("threshold");
    const Run& run = *runs().displayed().run();
    QCOMPARE(run.recipe.inputs.at("image").step->id, smooth.id);
    // Its threshold is that of the smoothed image, whose range the slider has too.
    const Scene expected = make_scene(smooth.images.at("image"), {});
    QTRY_COMPARE_WITH_TIMEOUT(fixture_.workbench().document().current_values().number("low"),
                              expected.threshold, kLimitMs);
    QVERIFY(expected.threshold != fixture_.workbench().opened().scene.threshold);
    QCOMPARE(runs().next().scene().range.high, expected.range.high);
    QTRY_COMPARE_WITH_TIMEOUT(runs().displayed().run()->facts.values.number("low"),
                              expected.threshold, kLimitMs);
    // Back to the open image by hand: the threshold follows.
    choose("input_image", QStringLiteral("the open image"));
    QTRY_COMPARE_WITH_TIMEOUT(fixture_.workbench().document().current_values().number("low"),
                              fixture_.workbench().opened().scene.threshold, kLimitMs);
    // One that was set by hand stays.
    fixture_.workbench().steps().set_value("low", 3.5, {});
    choose("input_image", QStringLiteral("Run 1"));
    QTRY_COMPARE_WITH_TIMEOUT(runs().next().scene().range.high, expected.range.high, kLimitMs);
    QCOMPARE(fixture_.workbench().document().current_values().number("low"), 3.5);
    // Labels are no image to go on from.
    wait_for("threshold");
    begin("gaussian");
    wait_for("gaussian");
    QVERIFY(!runs().displayed().run()->recipe.inputs.contains("image"));
    // Undo takes back the choice of the operation and of its image.
    begin("median");
    QVERIFY(fixture_.workbench().document().current_inputs().contains("image"));
    fixture_.workbench().steps().undo_stack().undo();
    QCOMPARE(fixture_.workbench().document().operation, std::string("gaussian"));
  }

  void labels_keep_names_and_sizes_through_a_chain() {
    fixture_.segment();  // "object" in "background", which fills the rest
    const Run first = *runs().displayed().run();
    const auto only_the_ball = first.facts.voxels.of(1);
    begin("fill-holes");
    QVERIFY(!list("input_image")->isVisibleTo(&fixture_.window()));
    wait_for("fill-holes");
    const DisplayedResult& shown = runs().displayed();
    QCOMPARE(shown.run()->recipe.inputs.at("labels").step->id, first.id);
    QCOMPARE(shown.run()->facts.values.number("background"), 2.0);
    QVERIFY(shown.has_labels() && !shown.has_objects() && !shown.has_only_maps());
    QVERIFY(shown.result().maps.empty());
    QCOMPARE(shown.label_text(1), QStringLiteral("object"));
    QCOMPARE(shown.label_text(2), QStringLiteral("background"));
    QCOMPARE(shown.run()->facts.voxels, first.facts.voxels);
    // One entry for one choice.
    QCOMPARE(runs().history().runs().size(), std::size_t{2});
    // The background is none of the objects, and the parts of the others name their label.
    begin("split-objects");
    wait_for("split-objects");
    QCOMPARE(shown.run()->facts.voxels.of(1), only_the_ball);
    QCOMPARE(shown.run()->facts.voxels.size(), std::size_t{1});
    // Without labels, the image is read.
    fixture_.workbench().steps().set_operation("fill-holes", {});
    fixture_.workbench().steps().set_input("labels", std::nullopt);
    wait_for("fill-holes");
    QTRY_VERIFY_WITH_TIMEOUT(!shown.has_labels() && shown.has_only_maps(), kLimitMs);
    QVERIFY(list("input_image")->isVisibleTo(&fixture_.window()));
  }

  void parts_are_named_by_their_label() {
    fixture_.open_ball();
    fixture_.paint(fixture_.axial(), {-3, 0, 0}, {3, 0, 0});
    QTest::keyClick(&fixture_.window(), Qt::Key_2);
    fixture_.paint(fixture_.axial(), {-13, -13, 0}, {-13, 13, 0});
    fixture_.workbench().steps().set_operation("irfc", {});
    wait_for("irfc");
    begin("split-objects");
    fixture_.workbench().steps().set_value("background", 0.0, {});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() &&
                                 runs().displayed().run()->recipe.operation == "split-objects" &&
                                 runs().displayed().run()->facts.values.number("background") == 0.0,
                             kLimitMs);
    QVERIFY(runs().displayed().has_objects());
    const double step = runs().displayed().run()->facts.values.number("label_step");
    QVERIFY(step >= 10.0);
    const auto number = static_cast<Label>(step);
    QCOMPARE(runs().displayed().label_text(number + 1), QStringLiteral("object, part 1"));
    QCOMPARE(runs().displayed().label_text(2 * number + 1), QStringLiteral("background, part 1"));
    // Names stay where numbers do.
    begin("clean-labels");
    wait_for("clean-labels");
    QVERIFY(!runs().displayed().run()->facts.voxels.contains(1));
    QCOMPARE(runs().displayed().label_text(number + 1), QStringLiteral("object, part 1"));
  }

  void a_threshold_starts_between_dark_and_bright() {
    fixture_.open_ball();  // 1000 in 200, both with noise up to 20
    begin("threshold");
    wait_for("threshold");
    const double low = runs().displayed().run()->facts.values.number("low");
    QVERIFY2(low > 220.0 && low <= 980.0, qPrintable(QString::number(low)));
    const auto& voxels = runs().displayed().run()->facts.voxels;
    const LabelMap ball = test::ball_labels(kSide);
    QCOMPARE(voxels.of(1), count_labels(ball).of(1));
    // One step, and the values set by the user stay.
    fixture_.window().actions().at("undo")->trigger();
    QVERIFY(!fixture_.workbench().document().values.contains("threshold"));
    begin("threshold");
    fixture_.workbench().steps().set_value("low", 700.0, {});
    begin("distance");
    begin("threshold");
    QCOMPARE(fixture_.workbench().document().current_values().number("low"), 700.0);
  }

  void a_chain_is_computed_again_after_its_session_was_opened() {
    threshold_the_ball();
    choose_operation("distance");
    wait_for("distance");
    choose("input_image", QStringLiteral("Run 1: "));
    QTRY_VERIFY_WITH_TIMEOUT(
        runs().displayed().run()->recipe.inputs.contains("image") && !runs().busy(), kLimitMs);
    const double expected = value_at_centre();
    const std::size_t count = runs().history().runs().size();
    const QString path = fixture_.path("chain.json");
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(path);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);

    fixture_.show_window();
    fixture_.window().opener().open({path});
    QTRY_VERIFY_WITH_TIMEOUT(
        runs().displayed().result().run != 0 && !runs().displayed().result().maps.empty(),
        kLimitMs);
    QCOMPARE(fixture_.workbench().document().current_inputs().at("image").step->id,
             std::uint64_t{1});
    QCOMPARE(value_at_centre(), expected);
    QCOMPARE(runs().history().runs().size(), count);
    QVERIFY(list("input_image")->currentText().startsWith(QStringLiteral("Run 1: ")));
  }

  void what_is_missing_names_the_input() {
    threshold_the_ball();
    choose_operation("marked");
    const auto* message = fixture_.window().findChild<QLabel*>(QStringLiteral("missing"));
    QVERIFY2(message->text().startsWith(QStringLiteral("Choose a marker")),
             qPrintable(message->text()));
    choose("input_marker", QStringLiteral("Run 1: "));
    wait_for("marked");
    QVERIFY(runs().next().missing().isEmpty());
    QCOMPARE(runs().displayed().run()->facts.voxels, runs().history().find(1)->facts.voxels);
    const auto voxels = runs().displayed().run()->facts.voxels;
    runs().history().remove(1);
    QVERIFY(runs().next().missing().isEmpty());
    QVERIFY(
        list("input_marker")->currentText().endsWith(QStringLiteral("(removed from the list)")));
    // Nothing is kept of the removed run, so it is recomputed.
    fixture_.window().actions().at("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!runs().busy() && runs().history().runs().size() == 2, kLimitMs);
    QCOMPARE(runs().displayed().run()->facts.voxels, voxels);
    fixture_.window().actions().at("undo")->trigger();
    QVERIFY(runs().next().missing().startsWith(QStringLiteral("Choose a marker")));
  }

  void a_file_is_read_when_it_is_chosen_and_refused_on_another_grid() {
    threshold_the_ball();
    choose_operation("watershed");
    QSignalSpy failed(&fixture_.window().opener().task(), &NamedTask::failed);
    // The dialog about it would wait for the user.
    QVERIFY(fixture_.window().opener().task().disconnect(&fixture_.window().files()));
    io::save_labels(fixture_.path("small.nii.gz").toStdString(), test::ball_labels(8));
    fixture_.window().opener().import_input(QStringLiteral("marker"),
                                            fixture_.path("small.nii.gz"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kLimitMs);
    QVERIFY(failed.front().at(1).toString().contains(QStringLiteral("grid")));
    QVERIFY(fixture_.workbench().document().current_inputs().empty());

    fixture_.window().opener().import_input(QStringLiteral("marker"), fixture_.reference());
    wait_for("watershed");
    QCOMPARE(list("input_marker")->currentText(), QStringLiteral("reference.nii.gz"));
    QCOMPARE(runs().displayed().run()->recipe.inputs.at("marker").file.path.filename().string(),
             std::string("reference.nii.gz"));
  }

  void an_output_on_request_comes_when_it_is_asked_for() {
    threshold_the_ball();
    choose_operation("distance");
    wait_for("distance");
    QCOMPARE(runs().displayed().result().maps.size(), std::size_t{1});
    auto* box = fixture_.window().findChild<QCheckBox*>(QStringLiteral("request_nearest"));
    QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
    QVERIFY(box->isChecked());
    QTRY_COMPARE_WITH_TIMEOUT(runs().displayed().result().maps.size(), std::size_t{2}, kLimitMs);
    fixture_.window().actions().at("undo")->trigger();
    QVERIFY(!box->isChecked());
    QTRY_COMPARE_WITH_TIMEOUT(runs().displayed().result().maps.size(), std::size_t{1}, kLimitMs);
  }

  void a_run_that_is_read_stays_while_a_slider_is_dragged() {
    threshold_the_ball();
    Workbench& workbench = fixture_.workbench();
    workbench.steps().set_value("low", 650.0, {}, Gesture::New);
    wait_for("threshold");
    const std::uint64_t read = runs().displayed().result().run;
    // Another operation reads it, and the drag continues.
    choose_operation("distance");
    workbench.steps().set_input("image", output_of(*runs().history().find(read), "labels"));
    choose_operation("threshold");
    wait_for("threshold");
    workbench.steps().set_value("low", 660.0, {}, Gesture::Continued);
    wait_for("threshold");
    workbench.steps().set_value("low", 670.0, {}, Gesture::Continued);
    wait_for("threshold");
    QVERIFY(runs().history().find(read) != nullptr);
  }

 private:
  RunController& runs() { return fixture_.runs(); }
  void threshold_the_ball() {
    fixture_.open_ball();
    runs().set_live(false);  // one run, with the value
    choose_operation("threshold");
    fixture_.workbench().steps().set_value("low", 600.0, {});
    runs().set_live(true);
    runs().run();
    wait_for("threshold");
    QCOMPARE(runs().displayed().result().run, std::uint64_t{1});
  }
  /// Chooses it as the user does.
  void begin(const char* id) {
    ui::choose_operation(fixture_.workbench(), runs(), id, QString::fromLatin1(id));
  }
  void choose_operation(const char* id) {
    fixture_.workbench().steps().set_operation(id, QString::fromLatin1(id));
  }
  void wait_for(const char* operation) {
    QTRY_VERIFY_WITH_TIMEOUT(
        runs().displayed().run() != nullptr && !runs().displayed().result().stale &&
            runs().displayed().run()->recipe.operation == operation && !runs().busy(),
        kLimitMs);
  }
  QComboBox* list(const char* name) {
    return fixture_.window().findChild<QComboBox*>(QString::fromLatin1(name));
  }
  void choose(const char* name, const QString& start) {
    QComboBox* box = list(name);
    QVERIFY(box != nullptr);
    const int row = box->findText(start, Qt::MatchStartsWith);
    QVERIFY2(row >= 0, qPrintable(start));
    box->setCurrentIndex(row);
    emit box->activated(row);
  }
  double value_at_centre() {
    return runs().displayed().result().maps.front().shown_at({kSide / 2, kSide / 2, kSide / 2});
  }

  test::WindowFixture fixture_{test::table_with({test::marked_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestInputs)
#include "test_inputs.moc"
