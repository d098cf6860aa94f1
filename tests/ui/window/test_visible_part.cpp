// SPDX-License-Identifier: Apache-2.0
//
// The visible part of an image is computed before the rest, or a draft before the result, for any
// operation that supports it.
#include "core/image/crop.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/result_legend.h"

#include <QElapsedTimer>

#include <chrono>
#include <thread>

namespace seedwave::ui {

using test::kLimitMs;

namespace {

/// Returns label `level` everywhere, and its number as a map: the visible part, or label `draft`
/// everywhere, at once, the whole after `ms` milliseconds.
Operation slow_operation() {
  Operation slow{.id = "slow", .title = "Slow", .help = "One label."};
  slow.inputs = {{.kind = InputKind::Image, .help = "any"}};
  slow.parameters = {{.id = "level",
                      .title = "Level",
                      .initial = 1.0,
                      .domain = NumberDomain{.low = 1.0, .high = 9.0}},
                     {.id = "draft",
                      .title = "Draft",
                      .initial = 0.0,
                      .domain = NumberDomain{.low = 0.0, .high = 9.0}},
                     {.id = "ms",
                      .title = "Takes",
                      .initial = 0.0,
                      .domain = NumberDomain{.low = 0.0, .high = 60'000.0}}};
  slow.outputs = {{.id = "labels", .help = "", .form = LabelsForm{}},
                  {.id = "level", .help = "", .form = ImageForm{}}};
  slow.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context& context) {
    const auto of = [&](const Geometry& grid, const char* level = "level") {
      const auto count = static_cast<std::size_t>(grid.voxel_count());
      std::map<std::string, Output> outputs;
      outputs["labels"] = LabelMap(
          grid,
          std::vector<std::uint16_t>(count, static_cast<std::uint16_t>(values.number(level))));
      outputs["level"] =
          Volume(grid, std::vector<float>(count, static_cast<float>(values.number("level"))));
      return outputs;
    };
    const Geometry& grid = inputs.image.geometry();
    if (values.number("draft") != 0.0) {
      inputs.show_draft(of(grid, "draft"));
    } else if (inputs.focus) {
      inputs.focus->show(of(crop(grid, inputs.focus->box)));
    }
    for (int ms = 0; ms < values.number("ms"); ++ms) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      context.checkpoint(0.5);
    }
    return Result{.outputs = of(grid), .values = values, .warnings = {}};
  };
  slow.implementations = {plain};
  return slow;
}

}  // namespace

class TestVisiblePart : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void what_is_seen_comes_before_the_whole_and_is_no_result() {
    open_and_run(60'000.0);
    QTRY_VERIFY_WITH_TIMEOUT(runs().displayed().part().has_value(), kLimitMs);
    const Box seen = fixture_.window().views().visible_box().value();
    QVERIFY(seen.lo[0] > 0 && seen.hi[0] < 32 && seen.lo[1] > 0 && seen.hi[1] < 24);
    const LabelMap& labels = runs().displayed().on_screen().labels;
    for (std::int64_t y = 0; y < 24; ++y) {
      for (std::int64_t x = 0; x < 32; ++x) {
        const bool inside = x >= seen.lo[0] && x < seen.hi[0] && y >= seen.lo[1] && y < seen.hi[1];
        QCOMPARE(labels.at({x, y, 0}), static_cast<std::uint16_t>(inside ? 1 : 0));
      }
    }
    // Maps of the part too; nothing outside it.
    const ScalarMap& map = runs().displayed().on_screen().maps.front();
    QCOMPARE(map.shown_at({16, 12, 0}), 1.0);
    QVERIFY(std::isnan(map.shown_at({0, 0, 0})));
    // Displayed in the view during the computation only; not in any history, file or score.
    QVERIFY(runs().busy() && runs().history().runs().empty());
    QVERIFY(runs().displayed().result().run == 0 && runs().displayed().result().labels.empty());
    fixture_.workbench().steps().set_value("ms", 0.0, {});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(!runs().displayed().part().has_value());
    QCOMPARE(runs().displayed().on_screen().labels.at({0, 0, 0}), std::uint16_t{1});
    QCOMPARE(runs().history().runs().size(), std::size_t{1});
  }

  void a_draft_is_seen_until_the_result_comes_and_is_none() {
    fixture_.show_window();
    fixture_.open_page();
    fixture_.workbench().steps().set_operation("slow", {});
    fixture_.workbench().steps().set_value("draft", 7.0, {});
    fixture_.workbench().steps().set_value("ms", 60'000.0, {});
    QTRY_COMPARE_WITH_TIMEOUT(label_seen(), 7, kLimitMs);
    QVERIFY(runs().displayed().is_draft());
    QCOMPARE(runs().displayed().on_screen().labels.at({0, 0, 0}), std::uint16_t{7});
    QVERIFY(runs().busy() && runs().history().runs().empty());
    fixture_.workbench().steps().set_value("ms", 0.0, {});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(!runs().displayed().is_draft());
    QCOMPARE(label_seen(), 1);
    QCOMPARE(runs().history().runs().size(), std::size_t{1});
  }

  void a_newer_value_waits_for_no_whole() {
    open_and_run(60'000.0);
    for (const double level : {2.0, 3.0, 4.0}) {
      QElapsedTimer timer;
      timer.start();
      fixture_.workbench().steps().set_value("level", level, {}, Gesture::Continued);
      QTRY_COMPARE_WITH_TIMEOUT(label_seen(), static_cast<int>(level), kLimitMs);
      QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    }
    QVERIFY(runs().history().runs().empty());
  }

  void cancelled_the_last_result_is_seen_again() {
    open_and_run(0.0);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    fixture_.workbench().steps().set_value("ms", 60'000.0, {});
    fixture_.workbench().steps().set_value("level", 2.0, {});
    QTRY_VERIFY_WITH_TIMEOUT(runs().displayed().part().has_value(), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(label_seen(), 2, kLimitMs);
    QElapsedTimer timer;
    timer.start();
    runs().cancel();
    QVERIFY(timer.elapsed() < 100);
    QVERIFY(!runs().displayed().part().has_value() && !runs().busy());
    QCOMPARE(label_seen(), 1);
    QVERIFY(runs().displayed().on_screen().labels.changed() ==
            Box::whole(runs().displayed().on_screen().labels.geometry()));
    QCOMPARE(runs().history().runs().size(), std::size_t{1});
  }

  void the_legend_of_the_last_result_is_not_that_of_a_part() {
    open_and_run(60'000.0);
    fixture_.workbench().steps().set_operation("bands", {});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    const auto* legend = fixture_.window().findChild<ResultLegend*>();
    QVERIFY(legend->isVisible());
    fixture_.workbench().steps().set_operation("slow", {});
    QTRY_VERIFY_WITH_TIMEOUT(runs().displayed().part().has_value(), kLimitMs);
    QVERIFY(!legend->isVisible());
    runs().cancel();
    QVERIFY(legend->isVisible());
  }

 private:
  RunController& runs() { return fixture_.runs(); }
  /// Returns the label in the middle; 0: none.
  int label_seen() {
    const LabelMap& labels = runs().displayed().on_screen().labels;
    return labels.empty() ? 0 : labels.at({16, 12, 0});
  }
  /// Opens a page with the view zoomed into its middle, and starts a run.
  void open_and_run(double ms) {
    fixture_.show_window();
    fixture_.open_page();
    SliceCamera camera = fixture_.axial().camera();
    camera.zoom = 4.0;
    fixture_.axial().set_camera(camera);
    fixture_.workbench().steps().set_operation("slow", {});
    fixture_.workbench().steps().set_value("ms", ms, {});
  }

  test::WindowFixture fixture_{test::table_with({slow_operation(), test::bands_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestVisiblePart)
#include "test_visible_part.moc"
