// SPDX-License-Identifier: Apache-2.0
//
// Labels of any result can be merged by hand, and an operation finds the result that it needs. All
// of this comes from the operation table.
#include "core/engine/label_origin.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/fitting_input.h"
#include "ui/models/label_merge.h"
#include "ui/panels/label_panel.h"
#include "ui/panels/result_legend.h"

#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QImage>
#include <QMenu>
#include <QTimer>
#include <QToolButton>

namespace seedwave::ui {

using test::kLimitMs;

namespace {

/// Returns the image unchanged; the image should contain bands.
Operation reading_operation() {
  Operation reading{.id = "reading", .title = "Reading", .help = "The image."};
  reading.inputs = {{.kind = InputKind::Image, .help = "bands", .holds = "bands"}};
  reading.outputs = {{.id = "image", .help = "", .form = ImageForm{}}};
  reading.reference_algorithm = "plain";
  Implementation plain{.algorithm = "plain"};
  plain.run = [](const Inputs& inputs, const Values& values, Context&) {
    Result result{.outputs = {}, .values = values, .warnings = {}};
    result.outputs["image"] = inputs.image;
    return result;
  };
  reading.implementations = {plain};
  return reading;
}

/// Returns bands whose numbers increase to the right.
Operation ranked_bands() {
  Operation ranked = test::bands_operation();
  ranked.id = "ranked";
  ranked.outputs.front().form = LabelsForm{.ranked = true};
  return ranked;
}

}  // namespace

class TestMerging : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void a_label_under_the_pointer_becomes_another_one() {
    run_bands();
    const std::uint64_t bands = runs().displayed().result().run;
    choose_in_menu("object 1", [this] {
      move(20, 12);
      emit views().context_menu_requested(views().mapToGlobal(QPoint(40, 40)));
    });
    QTRY_VERIFY_WITH_TIMEOUT(has_run("merge-labels"), kLimitMs);
    const Run* run = runs().displayed().run();
    QCOMPARE(run->facts.values.word("into"), std::string("3=1"));
    QCOMPARE(run->recipe.inputs.at("image").step->id, bands);
    QCOMPARE(labels_across(), (std::vector<int>{1, 2, 1, 4}));
    // One step; the merged result is in the history like any run.
    workbench().steps().undo_stack().undo();
    QCOMPARE(workbench().document().operation, std::string("bands"));
  }

  void merging_goes_on_from_the_same_image() {
    run_bands();
    const std::uint64_t bands = runs().displayed().result().run;
    merge_label(workbench(), runs(), 3, 1);
    QTRY_VERIFY_WITH_TIMEOUT(has_run("merge-labels"), kLimitMs);
    // From the list of labels: object and background are 1 and 2.
    choose_in_menu("object 2", [this] {
      auto* panel = fixture_.window().findChild<LabelPanel*>();
      emit panel->context_menu_requested(1, panel->mapToGlobal(QPoint(5, 5)));
    });
    QTRY_COMPARE_WITH_TIMEOUT(labels_across(), (std::vector<int>{2, 2, 2, 4}), kLimitMs);
    QCOMPARE(runs().displayed().run()->facts.values.word("into"), std::string("1=2,3=2"));
    QCOMPARE(runs().displayed().run()->recipe.inputs.at("image").step->id, bands);
    merge_label(workbench(), runs(), 4, 0);
    QTRY_COMPARE_WITH_TIMEOUT(labels_across(), (std::vector<int>{2, 2, 2, 0}), kLimitMs);
    // A label that no longer exists, and background, cannot be merged.
    QVERIFY(labels_to_merge_into(runs(), 4).empty() && labels_to_merge_into(runs(), 0).empty());
  }

  void what_an_operation_wants_is_chosen_and_what_was_merged_after_it() {
    run_bands();
    const std::uint64_t bands = runs().displayed().result().run;
    choose("reading");
    QTRY_VERIFY_WITH_TIMEOUT(has_run("reading"), kLimitMs);
    QCOMPARE(runs().displayed().run()->recipe.inputs.at("image").step->id, bands);
    QVERIFY(fixture_.window()
                .findChild<QComboBox*>(QStringLiteral("input_image"))
                ->currentText()
                .startsWith(QStringLiteral("Run %1").arg(bands)));
    // One step together with the choice.
    workbench().steps().undo_stack().undo();
    QCOMPARE(workbench().document().operation, std::string("bands"));
    QVERIFY(!workbench().document().inputs.contains("reading"));
    QTRY_VERIFY_WITH_TIMEOUT(has_run("bands"), kLimitMs);

    merge_label(workbench(), runs(), 3, 1);
    QTRY_VERIFY_WITH_TIMEOUT(has_run("merge-labels"), kLimitMs);
    const std::uint64_t merged = runs().displayed().result().run;
    choose("reading");
    QTRY_VERIFY_WITH_TIMEOUT(has_run("reading") && input_of_run() == merged, kLimitMs);
    // A later choice stays.
    workbench().steps().set_input("image", output_of(*runs().history().find(bands), "labels"));
    QTRY_VERIFY_WITH_TIMEOUT(has_run("reading") && input_of_run() == bands, kLimitMs);
    choose("bands");
    choose("reading");
    QCOMPARE(workbench().document().current_inputs().at("image").step->id, bands);
  }

  void painted_labels_keep_their_names_and_colours() {
    fixture_.segment();
    workbench().steps().add_label();
    workbench().steps().change_label({.id = 3, .name = "air", .color = "#112233"});
    fixture_.paint(fixture_.axial(), {13, -13, 0}, {13, 13, 0});
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && runs().displayed().run()->facts.voxels.contains(3),
        kLimitMs);
    merge_label(workbench(), runs(), 2, 3);
    QCOMPARE(workbench().steps().undo_stack().undoText(),
             QStringLiteral("merge of background into air"));
    QTRY_VERIFY_WITH_TIMEOUT(has_run("merge-labels"), kLimitMs);
    // 3 is still 3: the labels are those of the list, which counts them.
    QVERIFY(!runs().displayed().has_objects());
    QCOMPARE(runs().displayed().label_text(3), QStringLiteral("air"));
    QCOMPARE(views().color_of_result(3).name(), QStringLiteral("#112233"));
    const std::int64_t voxels = runs().displayed().run()->facts.voxels.of(3);
    QCOMPARE(fixture_.window().labels().voxels(3), std::optional<std::int64_t>(voxels));
    QCOMPARE(fixture_.window().labels().voxels(2), std::optional<std::int64_t>(0));
    // The names still apply when the run that painted them leaves the list.
    runs().history().remove(runs().displayed().run()->recipe.inputs.at("image").step->id);
    QVERIFY(!runs().displayed().has_objects());
  }

  void ranks_go_from_dark_to_bright_and_keep_their_colours() {
    fixture_.show_window();
    fixture_.open_page();
    choose("ranked");
    QTRY_VERIFY_WITH_TIMEOUT(has_run("ranked"), kLimitMs);
    QCOMPARE(ranks_in(runs().next().table(), *runs().displayed().run()), 4);
    QCOMPARE(runs().displayed().label_text(2), QStringLiteral("label 2"));
    std::vector<QColor> colors;
    for (std::uint16_t label = 1; label <= 4; ++label)
      colors.push_back(views().color_of_result(label));
    for (std::size_t i = 1; i < colors.size(); ++i)
      QVERIFY(qGray(colors[i].rgb()) > qGray(colors[i - 1].rgb()) + 20);
    merge_label(workbench(), runs(), 4, 1);
    QTRY_VERIFY_WITH_TIMEOUT(has_run("merge-labels"), kLimitMs);
    QCOMPARE(labels_across(), (std::vector<int>{1, 2, 3, 1}));
    for (std::uint16_t label = 1; label <= 3; ++label)
      QCOMPARE(views().color_of_result(label), colors[label - 1U]);
  }

  void a_legend_tells_labels_that_have_no_name() {
    run_bands();
    auto* legend = fixture_.window().findChild<ResultLegend*>();
    QVERIFY(legend->isVisible());
    QCOMPARE(texts_of(*legend), (QStringList{"1  25.0 %", "2  25.0 %", "3  25.0 %", "4  25.0 %"}));
    QToolButton* third = entries_of(*legend).at(2);
    QVERIFY2(third->toolTip().startsWith(QStringLiteral("object 3: ")),
             qPrintable(third->toolTip()));
    const QImage swatch = third->icon().pixmap(third->iconSize()).toImage();
    QCOMPARE(swatch.pixelColor(swatch.rect().center()), views().color_of_result(3));
    QCOMPARE(third->accessibleName(), third->toolTip());
    // Its entries have the same menu as labels in the image.
    choose_in_menu("object 1", [third] {
      const QPoint place(3, 3);
      QContextMenuEvent click(QContextMenuEvent::Mouse, place, third->mapToGlobal(place));
      QApplication::sendEvent(third, &click);
    });
    QTRY_VERIFY_WITH_TIMEOUT(has_run("merge-labels"), kLimitMs);
    QCOMPARE(texts_of(*legend), (QStringList{"1  50.0 %", "2  25.0 %", "4  25.0 %"}));
    // Nothing is rebuilt, because the entry may have an open menu.
    QCOMPARE(entries_of(*legend).at(2), third);
    runs().history().set_note(runs().displayed().result().run, QStringLiteral("merged"));
    QCOMPARE(entries_of(*legend).at(2), third);
  }

  void a_legend_is_used_without_a_mouse() {
    run_bands();
    const auto entries = entries_of(*fixture_.window().findChild<ResultLegend*>());
    QCOMPARE(entries.size(), std::size_t{4});
    fixture_.window().activateWindow();
    auto* panel = fixture_.window().findChild<LabelPanel*>();
    panel->setFocus();
    // They come after the widgets above them, and before the operation.
    constexpr int kMost = 20;
    for (int i = 0; i < kMost && !entries[0]->hasFocus(); ++i)
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    for (QToolButton* each : entries) {
      QVERIFY(each->hasFocus());
      if (each != entries.back()) QTest::keyClick(each, Qt::Key_Tab);
    }
    choose_in_menu("object 2", [&] { QTest::keyClick(entries[3], Qt::Key_Space); });
    QTRY_VERIFY_WITH_TIMEOUT(has_run("merge-labels"), kLimitMs);
    QCOMPARE(labels_across(), (std::vector<int>{1, 2, 3, 2}));
    QVERIFY(entries[2]->hasFocus());  // the last remaining one
  }

  void a_legend_is_there_for_few_labels_without_names() {
    run_bands();
    auto* legend = fixture_.window().findChild<ResultLegend*>();
    const auto labels = [&](double count) {
      workbench().steps().set_value("count", count, {});
      QTRY_VERIFY_WITH_TIMEOUT(has_run("bands") && runs().displayed().run()->facts.voxels.size() ==
                                                       static_cast<std::size_t>(count),
                               kLimitMs);
    };
    labels(16);
    QVERIFY(legend->isVisible());
    QCOMPARE(texts_of(*legend).size(), 16);
    QCOMPARE(texts_of(*legend).back(), QStringLiteral("16  6.3 %"));
    labels(17);
    QVERIFY(!legend->isVisible());
    labels(2);
    QVERIFY(legend->isVisible());
    labels(1);
    QVERIFY(!legend->isVisible());
    labels(2);
    fixture_.open_page();  // another image, without a result
    QVERIFY(!legend->isVisible());
  }

  void labels_with_names_need_no_legend() {
    fixture_.segment();
    QVERIFY(!fixture_.window().findChild<ResultLegend*>()->isVisible());
  }

  void without_such_a_result_the_open_image_is_read() {
    fixture_.show_window();
    fixture_.open_page();
    choose("reading");
    QTRY_VERIFY_WITH_TIMEOUT(has_run("reading"), kLimitMs);
    QVERIFY(runs().displayed().run()->recipe.inputs.empty());
    // Neither maps nor too many labels can be merged by hand.
    QVERIFY(labels_to_merge_into(runs(), 1).empty());
  }

 private:
  RunController& runs() { return fixture_.runs(); }
  Workbench& workbench() { return fixture_.workbench(); }
  ViewGrid& views() { return fixture_.window().views(); }
  void choose(const std::string& operation) {
    choose_operation(workbench(), runs(), operation, QString::fromStdString(operation));
  }
  void run_bands() {
    fixture_.show_window();
    fixture_.open_page();
    choose("bands");
    QTRY_VERIFY_WITH_TIMEOUT(has_run("bands"), kLimitMs);
  }
  bool has_run(const std::string& operation) {
    const DisplayedResult::Result& shown = runs().displayed().result();
    return shown.run != 0 && !shown.stale && !runs().busy() &&
           runs().displayed().run()->recipe.operation == operation;
  }
  static std::vector<QToolButton*> entries_of(const ResultLegend& legend) {
    std::vector<QToolButton*> entries;
    for (QToolButton* entry : legend.findChildren<QToolButton*>()) {
      if (!entry->isHidden()) entries.push_back(entry);
    }
    return entries;
  }
  static QStringList texts_of(const ResultLegend& legend) {
    QStringList texts;
    for (const QToolButton* entry : entries_of(legend))
      texts << entry->text();
    return texts;
  }
  std::uint64_t input_of_run() {
    const auto found = runs().displayed().run()->recipe.inputs.find("image");
    return found == runs().displayed().run()->recipe.inputs.end() ? 0 : found->second.step->id;
  }
  /// Returns the labels in the middle of each of four bands.
  std::vector<int> labels_across() {
    std::vector<int> labels;
    for (const std::int64_t x : {4, 12, 20, 28})
      labels.push_back(runs().displayed().result().labels.at({x, 12, 0}));
    return labels;
  }
  void move(double x, double y) {
    SliceView& view = fixture_.axial();
    const QPointF place = view.position_of({x, y, 0});
    QMouseEvent event(QEvent::MouseMove, place, view.mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QApplication::sendEvent(&view, &event);
  }
  /// Opens a menu with `ask`, which stays open until something is chosen.
  template <typename Ask>
  void choose_in_menu(const char* label, Ask&& ask) {
    bool chosen = false;
    QTimer looking;
    connect(&looking, &QTimer::timeout, this, [&] {
      QWidget* menu = QApplication::activePopupWidget();
      if (menu == nullptr) return;
      looking.stop();
      if (auto* into = menu->findChild<QMenu*>(QStringLiteral("merge_into"))) {
        for (QAction* each : into->actions()) {
          if (each->text() != QLatin1String(label)) continue;
          each->trigger();
          chosen = true;
        }
      }
      menu->close();
    });
    looking.start(0);
    ask();
    QTRY_VERIFY_WITH_TIMEOUT(chosen, kLimitMs);
  }

  test::WindowFixture fixture_{
      test::table_with({test::bands_operation(), ranked_bands(), reading_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestMerging)
#include "test_merging.moc"
