// SPDX-License-Identifier: Apache-2.0
//
// Runs on the channels of a colour image: each keeps the channel it was made on.
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/fitting_input.h"

namespace seedwave::ui {

using test::kLimitMs;

namespace {

/// Returns red plus a thousand times blue.
Operation colours_operation() {
  Operation colours{.id = "colours", .title = "Colours", .help = "Red and blue."};
  colours.inputs = {{.kind = InputKind::Image, .help = "any", .components = 0}};
  colours.outputs = {{.id = "image", .help = "", .form = ImageForm{}}};
  colours.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    const Geometry& grid = inputs.image.geometry();
    const int last = inputs.image.components() - 1;
    std::vector<float> sums;
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
      const Index3 at = grid.index_of(i);
      sums.push_back(static_cast<float>(inputs.image.value_at(at, 0) +
                                        1000.0 * inputs.image.value_at(at, last)));
    }
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["image"] = Volume(grid, std::move(sums));
    return result;
  };
  colours.implementations = {plain};
  return colours;
}

}  // namespace

class TestChannels : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    fixture_.show_window();
    io::save_volume(fixture_.path("stained.png").toStdString(), test::stained_picture());
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    fixture_.window().opener().open({fixture_.path("stained.png")});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    runs().set_live(false);
  }
  void cleanup() { fixture_.close_window(); }

  void a_restored_run_brings_its_channel_back_and_starts_no_other() {
    // The nuclei have more of the stain; red covers the whole image.
    fixture_.workbench().steps().set_operation("threshold", {});
    fixture_.workbench().steps().set_value("low", 0.3, {});
    run_on("threshold", "hematoxylin");
    const std::string digest = runs().displayed().run()->facts.digest;
    QCOMPARE(runs().displayed().run()->recipe.channel, std::string("hematoxylin"));
    run_on("threshold", "red");
    QCOMPARE(runs().displayed().run()->recipe.channel, std::string("red"));
    QVERIFY(runs().displayed().run()->facts.digest != digest);

    runs().set_live(true);
    QSignalSpy scenes(&fixture_.workbench(), &Workbench::scene_changed);
    runs().restore(1);
    QCOMPARE(fixture_.workbench().document().channel, std::string("hematoxylin"));
    QTRY_COMPARE_WITH_TIMEOUT(scenes.count(), 1, kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(runs().displayed().result().run, std::uint64_t{1}, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().busy(), kLimitMs);
    QCOMPARE(runs().displayed().result().run, std::uint64_t{1});
    QCOMPARE(runs().history().runs().size(), std::size_t{2});
    QVERIFY(!runs().displayed().result().stale);
    // Undo restores the other channel and, with it, its result.
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(fixture_.workbench().document().channel, std::string("red"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && runs().displayed().result().run > 2,
                             kLimitMs);
    QCOMPARE(runs().displayed().run()->recipe.channel, std::string("red"));
  }

  void a_restored_map_is_computed_again_on_its_channel() {
    run_on("h-domes", "hematoxylin");
    const double expected = runs().displayed().result().maps.front().shown_at({22, 20, 0});
    run_on("h-domes", "red");
    runs().set_live(true);
    runs().restore(1);
    QTRY_VERIFY_WITH_TIMEOUT(
        runs().displayed().result().run == 1 && !runs().displayed().result().maps.empty(),
        kLimitMs);
    QCOMPARE(runs().displayed().result().maps.front().shown_at({22, 20, 0}), expected);
    QCOMPARE(runs().history().runs().size(), std::size_t{2});
  }

  void of_two_restored_runs_the_second_is_shown() {
    run_thrice();
    QSignalSpy scenes(&fixture_.workbench(), &Workbench::scene_changed);
    runs().restore(1);  // waits for its channel, to be recomputed
    runs().restore(2);  // on the same channel
    QTRY_COMPARE_WITH_TIMEOUT(scenes.count(), 1, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().busy(), kLimitMs);
    QCOMPARE(runs().displayed().result().run, std::uint64_t{2});
    QCOMPARE(fixture_.workbench().document().current_values().number("low"), 0.5);
    QVERIFY(!runs().displayed().result().stale);
  }

  void a_change_after_a_restored_run_is_not_lost() {
    run_thrice();
    runs().set_live(true);
    runs().restore(1);
    fixture_.workbench().steps().set_value("low", 0.4, {});
    QTRY_COMPARE_WITH_TIMEOUT(runs().history().runs().size(), std::size_t{4}, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(runs().displayed().run()->recipe.values.number("low"), 0.4);
    QCOMPARE(runs().displayed().run()->recipe.channel, std::string("hematoxylin"));
  }

  void a_run_after_a_restored_one_takes_its_place() {
    run_thrice();
    runs().restore(1);
    runs().run();
    QTRY_COMPARE_WITH_TIMEOUT(runs().history().runs().size(), std::size_t{4}, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(runs().history().find(1)->labels.empty());
    // It was the only one: another channel restores no second.
    QSignalSpy scenes(&fixture_.workbench(), &Workbench::scene_changed);
    fixture_.workbench().steps().set_channel("red");
    QTRY_COMPARE_WITH_TIMEOUT(scenes.count(), 1, kLimitMs);
    QVERIFY(!runs().busy());
  }

  void what_was_stopped_does_not_begin_when_its_channel_is_there() {
    run_thrice();
    QSignalSpy scenes(&fixture_.workbench(), &Workbench::scene_changed);
    QSignalSpy started(&runs(), &RunController::started);
    runs().restore(1);
    runs().cancel();
    QTRY_COMPARE_WITH_TIMEOUT(scenes.count(), 1, kLimitMs);
    fixture_.workbench().steps().set_channel("red");
    runs().run();
    runs().cancel();
    QTRY_COMPARE_WITH_TIMEOUT(scenes.count(), 2, kLimitMs);
    QCOMPARE(started.count(), 0);
  }

  void a_threshold_of_otsu_follows_the_channel() {
    Workbench& workbench = fixture_.workbench();
    choose_operation(workbench, runs(), "threshold", "Threshold");
    const auto low = [&] {
      return std::get<double>(workbench.document().current_values().at("low"));
    };
    QCOMPARE(low(), workbench.opened().scene.threshold);
    choose_channel(workbench, runs(), "hematoxylin");
    QTRY_VERIFY_WITH_TIMEOUT(!workbench.opened().scene.volume.empty(), kLimitMs);
    QCOMPARE(low(), workbench.opened().scene.threshold);
    // One that the user chose stays.
    workbench.steps().set_value("low", 0.3, {});
    choose_channel(workbench, runs(), "red");
    QTRY_VERIFY_WITH_TIMEOUT(!workbench.opened().scene.volume.empty(), kLimitMs);
    QCOMPARE(low(), 0.3);
  }

  void what_reads_colours_has_no_channel() {
    QWidget* row = fixture_.window().findChild<QWidget*>(QStringLiteral("channel"));
    fixture_.workbench().steps().set_operation("colours", {});
    QTRY_VERIFY_WITH_TIMEOUT(!row->isVisible(), kLimitMs);
    run_on("colours", "hematoxylin");
    const double expected = runs().displayed().result().maps.front().shown_at({22, 20, 0});
    const Volume& picture = fixture_.workbench().image();
    QCOMPARE(expected,
             picture.value_at({22, 20, 0}, 0) + 1000.0 * picture.value_at({22, 20, 0}, 2));
    QCOMPARE(runs().displayed().run()->recipe.channel, std::string());
    // Read again by another run, and restored next to one of a channel.
    run_on("h-domes", "red");
    QTRY_VERIFY_WITH_TIMEOUT(row->isVisible(), kLimitMs);
    runs().restore(1);
    QTRY_VERIFY_WITH_TIMEOUT(
        runs().displayed().result().run == 1 && !runs().displayed().result().maps.empty(),
        kLimitMs);
    QCOMPARE(runs().displayed().result().maps.front().shown_at({22, 20, 0}), expected);
    QVERIFY(runs().failure().isEmpty());
  }

  void a_session_keeps_the_channels_of_its_runs() {
    run_on("h-domes", "hematoxylin");
    run_on("h-domes", "red");
    const QString path = fixture_.path("channels.json");
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(path);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
    fixture_.show_window();
    fixture_.window().opener().open({path});
    QTRY_VERIFY_WITH_TIMEOUT(
        runs().displayed().result().run == 2 && !runs().displayed().result().maps.empty(),
        kLimitMs);
    QVERIFY(!runs().history().find(2)->images.empty());  // computed once, for whoever reads it
    QCOMPARE(runs().history().find(1)->recipe.channel, std::string("hematoxylin"));
    // Maps are not stored in sessions: the chain below needs run 1 again, on its own channel.
    runs().set_live(false);
    fixture_.workbench().steps().set_operation("distance", {});
    fixture_.workbench().steps().set_input("image", output_of(*runs().history().find(1), "image"));
    QSignalSpy ended(&runs(), &RunController::ended);
    runs().run();
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    QVERIFY2(runs().failure().isEmpty(), qPrintable(runs().failure()));
    QCOMPARE(runs().displayed().run()->recipe.operation, std::string("distance"));
    QCOMPARE(runs().displayed().run()->recipe.channel, std::string());
  }

 private:
  RunController& runs() { return fixture_.runs(); }
  void run_on(const char* operation, const char* channel) {
    fixture_.workbench().steps().set_operation(operation, QString::fromLatin1(operation));
    fixture_.workbench().steps().set_channel(channel);
    const std::size_t before = runs().history().runs().size();
    runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(runs().history().runs().size() == before + 1 && !runs().busy(),
                             kLimitMs);
  }

  /// Makes two runs on a stain and one on red, which is displayed. The labels of the first are
  /// evicted.
  void run_thrice() {
    fixture_.workbench().steps().set_operation("threshold", {});
    fixture_.workbench().steps().set_value("low", 0.3, {});
    run_on("threshold", "hematoxylin");
    fixture_.workbench().steps().set_value("low", 0.5, {});
    run_on("threshold", "hematoxylin");
    run_on("threshold", "red");
    std::vector<Run> runs_made = runs().history().runs();
    runs_made.front().labels = {};
    runs().restore_history(runs_made);
    QTRY_VERIFY_WITH_TIMEOUT(runs().displayed().result().run == 3 && fixture_.has_fresh_result(),
                             kLimitMs);
  }

  test::WindowFixture fixture_{test::table_with({colours_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestChannels)
#include "test_channels.moc"
