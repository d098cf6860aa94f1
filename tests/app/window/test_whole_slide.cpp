// SPDX-License-Identifier: Apache-2.0
//
// A run of the window repeated on the whole slide by the command line, in the background.
#include "core/base/digest.h"
#include "core/engine/repeat_command.h"
#include "tests/support/small_slide.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/fitting_input.h"
#include "ui/models/whole_slide_run.h"

#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cstdint>

namespace seedwave::ui {

using test::kLimitMs;

class TestWholeSlide : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    test::write_small_slide(slide().toStdString());
  }
  void init() {
    fixture_.show_window();
    fixture_.runs().set_live(false);
    fixture_.open(slide());
  }
  void cleanup() { fixture_.close_window(); }

  void the_result_is_that_of_a_run_on_the_level() {
    run_in_window("gaussian");
    const Volume expected = fixture_.runs().displayed().result().maps.front().volume;
    work_on_a_part();
    run_in_window("gaussian");
    WholeSlideRun run(SEEDWAVE_CLI);
    QSignalSpy ended(&run, &WholeSlideRun::ended);
    run.start(order("gaussian.nrrd"));
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    QCOMPARE(ended[0][0].toString(), QString());
    Context context;
    const Volume made = io::load_path(output("gaussian.nrrd").toStdString(), "", context).volume;
    QCOMPARE(made.geometry().size, expected.geometry().size);
    QCOMPARE(xxh64_digest(made.bytes()), xxh64_digest(expected.bytes()));
    nothing_is_left();
  }

  void a_chain_is_repeated_as_one() {
    run_in_window("threshold");
    run_in_window("split-objects");
    const LabelMap expected = fixture_.runs().displayed().result().labels;
    WholeSlideRun run(SEEDWAVE_CLI);
    QSignalSpy ended(&run, &WholeSlideRun::ended);
    QSignalSpy progressed(&run, &WholeSlideRun::progressed);
    run.start(order("objects.nrrd"));
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    QCOMPARE(ended[0][0].toString(), QString());
    QVERIFY(!progressed.isEmpty());
    Context context;
    const LabelMap made = io::read_labels(output("objects.nrrd").toStdString(), context);
    QVERIFY(made.labels() == expected.labels());
    nothing_is_left();
  }

  void labels_are_known_before_the_end() {
    // Bands of 128 rows.
    fixture_.workbench().steps().set_operation("tissue", "tissue");
    fixture_.workbench().steps().set_value("window", 4.0, "window");
    fixture_.workbench().steps().set_value("majority", 0.0, "majority");
    run_in_window("tissue");
    const LabelMap expected = fixture_.runs().displayed().result().labels;
    WholeSlideRun run(SEEDWAVE_CLI);
    QSignalSpy ended(&run, &WholeSlideRun::ended);
    std::vector<QImage> known;
    connect(&run, &WholeSlideRun::labels_known, this,
            [&](const QImage& labels) { known.push_back(labels); });
    run.start(order("tissue.nrrd"));
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    QCOMPARE(ended[0][0].toString(), QString());
    QVERIFY(!known.empty());
    const QImage last = known.back().convertToFormat(QImage::Format_Grayscale8);
    const Index3& size = expected.geometry().size;
    QCOMPARE(last.width(), static_cast<int>(size[0]));
    QCOMPARE(last.height(), static_cast<int>(size[1]));
    for (int y = 0; y < last.height(); ++y) {
      for (int x = 0; x < last.width(); ++x)
        QCOMPARE(Label{last.constScanLine(y)[x]}, expected.at({x, y, 0}));
    }
    nothing_is_left();
  }

  void a_paused_run_goes_on_later() {
    run_in_window("gaussian");
    WholeSlideRun run(SEEDWAVE_CLI);
    QSignalSpy ended(&run, &WholeSlideRun::ended);
    run.start(order("paused.nrrd"));
    QVERIFY(run.busy());
    run.set_paused(true);
    QVERIFY(run.paused());
    constexpr int kLongerThanTheRun = 1500;
    QTest::qWait(kLongerThanTheRun);
    QVERIFY(ended.isEmpty() && !QFileInfo::exists(output("paused.nrrd")));
    run.set_paused(false);
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    QVERIFY(QFileInfo::exists(output("paused.nrrd")));
  }

  void a_cancelled_run_leaves_nothing() {
    // One of some seconds, which has not ended before it is cancelled.
    fixture_.workbench().steps().set_operation("median", "median");
    fixture_.workbench().steps().set_value("radius", 20.0, "radius");
    run_in_window("median");
    for (const bool paused : {false, true}) {
      WholeSlideRun run(SEEDWAVE_CLI);
      QSignalSpy ended(&run, &WholeSlideRun::ended);
      run.start(order("cancelled.nrrd"));
      run.set_paused(paused);
      run.cancel();
      QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
      QVERIFY(!ended[0][0].toString().isEmpty());
      QVERIFY(!QFileInfo::exists(output("cancelled.nrrd")));
    }
    {
      WholeSlideRun run(SEEDWAVE_CLI);  // its window is closed
      run.start(order("closed.nrrd"));
    }
    QVERIFY(!QFileInfo::exists(output("closed.nrrd")));
    nothing_is_left();
  }

  void all_that_cannot_be_done_is_said() {
    run_in_window("gaussian");
    QVERIFY(
        message_of("/nowhere/seedwave-cli", output("a.nrrd")).contains("/nowhere/seedwave-cli"));
    QVERIFY(message_of(SEEDWAVE_CLI, output("result.docx")).contains("result.docx"));
    QVERIFY(message_of(SEEDWAVE_CLI, "/no/such/folder/a.nrrd").contains("/no/such/folder"));
    nothing_is_left();
  }

 private:
  [[nodiscard]] QString slide() const { return folder_.filePath("slide.ome.tif"); }
  [[nodiscard]] QString output(const QString& name) const { return folder_.filePath(name); }

  void run_in_window(const char* operation) {
    choose_operation(fixture_.workbench(), fixture_.runs(), operation, operation);
    const std::uint64_t before = fixture_.runs().displayed().result().run;
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.runs().displayed().result().run != before && !fixture_.runs().busy(), kLimitMs);
  }
  void work_on_a_part() {
    fixture_.axial().move_camera({.zoom = 3.0});
    QSignalSpy part(&fixture_.window().opener(), &FileOpener::part_opened);
    fixture_.window().actions().at("work_on_view")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(part.count(), 1, kLimitMs);
  }
  /// Repeats the displayed run at level 0.
  WholeSlideRun::Order order(const QString& name) {
    Source image = fixture_.workbench().document().image;
    image.view = {.level = 0};
    return {.table = fixture_.runs().next().table(),
            .step = *fixture_.runs().displayed().run(),
            .image = image,
            .grid = fixture_.workbench().image().geometry(),
            .names = {},
            .output = output(name)};
  }
  QString message_of(const QString& program, const QString& file) {
    WholeSlideRun run(program);
    QSignalSpy ended(&run, &WholeSlideRun::ended);
    WholeSlideRun::Order ordered = order({});
    ordered.output = file;
    run.start(ordered);
    [&ended] { QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs); }();
    return ended.isEmpty() ? QString() : ended[0][0].toString();
  }
  void nothing_is_left() {
    for (const QString& entry : QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden))
      QVERIFY2(!entry.startsWith(".seedwave"), qPrintable(entry));
  }

  QTemporaryDir folder_;
  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestWholeSlide)
#include "test_whole_slide.moc"
