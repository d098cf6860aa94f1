// SPDX-License-Identifier: Apache-2.0
//
// Numbered objects against a reference in the window: their scores, and where they differ.
#include "core/image/label_counts.h"
#include "core/io/save.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/fitting_input.h"
#include "ui/models/sweep_model.h"
#include "ui/panels/sweep_dialog.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <cstdint>
#include <vector>

namespace seedwave::ui {

using test::kLimitMs;

namespace {

constexpr int kWidth = 200;
constexpr int kHeight = 120;
/// Squares of the picture, in rows of eight.
constexpr int kSquares = 16;
constexpr int kSide = 12;

using Pixels = std::vector<std::uint16_t>;

Geometry grid() {
  Geometry geometry;
  geometry.size = {kWidth, kHeight, 1};
  geometry.unit = LengthUnit::Pixel;
  return geometry;
}

void draw(Pixels& pixels, int left, int top, int width, std::uint16_t value) {
  for (int y = top; y < top + kSide; ++y) {
    for (int x = left; x < left + width; ++x)
      pixels[static_cast<std::size_t>(y * kWidth + x)] = value;
  }
}

int left_of(int square) {
  return 10 + 22 * (square % 8);
}
int top_of(int square) {
  return 20 + 40 * (square / 8);
}

/// Returns the squares with other numbers than a result has: one missing, one cut in two, and one
/// where the picture has none.
LabelMap reference() {
  Pixels pixels(static_cast<std::size_t>(kWidth * kHeight), 0);
  for (int i = 2; i < kSquares; ++i)
    draw(pixels, left_of(i), top_of(i), kSide, static_cast<std::uint16_t>(60 - i));
  draw(pixels, left_of(1), top_of(1), kSide / 2, 70);
  draw(pixels, left_of(1) + kSide / 2, top_of(1), kSide / 2, 71);
  draw(pixels, 10, 100, kSide, 80);
  return {grid(), std::move(pixels)};
}

}  // namespace

class TestObjectScores : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    Pixels squares(static_cast<std::size_t>(kWidth * kHeight), 60);
    for (int i = 0; i < kSquares; ++i)
      draw(squares, left_of(i), top_of(i), kSide, 200);
    const std::vector<std::uint8_t> pixels(squares.begin(), squares.end());
    io::save_volume(picture().toStdString(), Volume(grid(), pixels));
  }
  void init() {
    fixture_.show_window();
    fixture_.open(picture());
    fixture_.workbench().steps().set_operation("threshold", "threshold");
    fixture_.workbench().steps().set_value("low", 128.0, "low");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    // It reads the displayed labels.
    choose_operation(fixture_.workbench(), fixture_.runs(), "components", "components");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && voxels().size() == kSquares, kLimitMs);
    fixture_.workbench().set_reference(reference(), Source{}, count_labels(reference()));
  }
  void cleanup() { fixture_.close_window(); }

  void the_score_is_the_f1_of_objects() {
    QTRY_VERIFY_WITH_TIMEOUT(objects().has_value(), kLimitMs);
    // 14 of the 16 squares have a partner among the 17 of the reference.
    QCOMPARE(objects()->matched, std::int64_t{14});
    QCOMPARE(objects()->f1(), 28.0 / 33.0);
    QCOMPARE(label("dice")->text(), QLocale().toString(28.0 / 33.0, 'f', 3));
    QVERIFY2(label("score_detail")->text().startsWith("F1 of objects: 14 of 17 found, 16 in the"),
             qPrintable(label("score_detail")->text()));
    QVERIFY(!list().isColumnHidden(RunModel::F1));
    const QModelIndex cell = list().model()->index(0, RunModel::F1);
    QCOMPARE(cell.data().toString(), QLocale().toString(28.0 / 33.0, 'f', 3));
    QVERIFY(list().model()->index(0, RunModel::Dice).data().toString() != cell.data().toString());
  }

  void the_errors_are_shown_as_whole_objects() {
    QTRY_VERIFY_WITH_TIMEOUT(objects().has_value(), kLimitMs);
    auto* show = fixture_.window().findChild<QToolButton*>("show_errors");
    QVERIFY(show->isVisible());
    show->click();
    QTRY_VERIFY_WITH_TIMEOUT(compared(), kLimitMs);
    const Agreement& agreement = compared()->agreement;
    QVERIFY(compared()->is_with_reference() && compared()->is_of_objects);
    QCOMPARE(agreement.same, std::int64_t{14});
    QCOMPARE(agreement.only_a, std::int64_t{1});  // 80
    QCOMPARE(agreement.other, std::int64_t{2});   // 70 and 71, which are one square
    QCOMPARE(agreement.only_b, std::int64_t{1});  // the first square
    QCOMPARE(kind_at(left_of(0), top_of(0)), Agreement::OnlyB);
    QCOMPARE(kind_at(left_of(1), top_of(1)), Agreement::Other);
    QCOMPARE(kind_at(left_of(2), top_of(2)), Agreement::Same);
    QCOMPARE(kind_at(10, 100), Agreement::OnlyA);
    const auto* legend = fixture_.window().findChild<QTreeWidget*>("agreement");
    QCOMPARE(legend->headerItem()->text(1), QString("Objects"));
    QCOMPARE(legend->topLevelItem(0)->text(0), QString("found"));
    QCOMPARE(legend->topLevelItem(1)->text(1), QString("1"));
    for (const char* of_runs : {"compare_swap", "compare_keep_a"})
      QVERIFY(!fixture_.window().actions().at(of_runs)->isEnabled());
    // The other ways to look at a comparison work as well.
    for (const char* mode : {"compare_wipe", "compare_sides", "compare_blink"})
      fixture_.window().actions().at(mode)->trigger();
    QVERIFY(!fixture_.window().actions().at("compare_swap")->isEnabled());
    fixture_.window().actions().at("compare_end")->trigger();
    QVERIFY(!compared());
  }

  void labels_that_are_named_are_compared_by_number() {
    fixture_.runs().restore(fixture_.runs().history().runs().front().id);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && voxels().size() == 1, kLimitMs);
    std::vector<std::uint8_t> right(static_cast<std::size_t>(kWidth * kHeight), 0);
    right[static_cast<std::size_t>(top_of(0) * kWidth + left_of(0))] = 1;
    right[0] = 1;
    const LabelMap labels(grid(), std::move(right));
    fixture_.workbench().set_reference(labels, Source{}, count_labels(labels));
    fixture_.window().actions().at("compare_reference")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(compared(), kLimitMs);
    QVERIFY(!compared()->is_of_objects);
    QCOMPARE(compared()->agreement.same, std::int64_t{1});
    QCOMPARE(compared()->agreement.only_a, std::int64_t{1});
    QCOMPARE(compared()->agreement.only_b, std::int64_t{kSquares * kSide * kSide - 1});
    QVERIFY(list().isColumnHidden(RunModel::F1));
  }

  void a_sweep_is_ranked_by_f1() {
    QTRY_VERIFY_WITH_TIMEOUT(objects().has_value(), kLimitMs);
    SweepController& sweep = fixture_.window().sweep();
    const Operation& components = fixture_.runs().next().table().at("components");
    sweep.start(
        SweepGrid({axis_of(components, parse_vary(components, "smallest=0,1,1000"), true)}));
    QTRY_COMPARE_WITH_TIMEOUT(sweep.state(), SweepController::State::Ended, kLimitMs);
    QCOMPARE(sweep.ranked_by(), ScoreKind::F1);
    QCOMPARE(sweep.rows()[0].score(ScoreKind::F1), std::optional(28.0 / 33.0));
    QCOMPARE(sweep.rows()[2].label_count, std::int64_t{0});
    QCOMPARE(sweep.plateau()->runs, (std::vector<std::size_t>{0, 1}));
  }

 private:
  [[nodiscard]] QString picture() const { return fixture_.path("squares.png"); }
  [[nodiscard]] QLabel* label(const char* name) {
    return fixture_.window().findChild<QLabel*>(name);
  }
  QTreeView& list() { return *fixture_.window().findChild<QTreeView*>("runs"); }
  const LabelCounts& voxels() { return fixture_.runs().displayed().run()->facts.voxels; }
  const std::optional<ObjectFigures>& objects() {
    return fixture_.runs().displayed().run()->score.objects;
  }
  const std::optional<Compared>& compared() {
    return fixture_.window().views().comparison().compared();
  }
  Agreement::Kind kind_at(int x, int y) {
    return static_cast<Agreement::Kind>(compared()->agreement.map.at({x, y, 0}));
  }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestObjectScores)
#include "test_object_scores.moc"
