// SPDX-License-Identifier: Apache-2.0
//
// A walk through a list of cases: what is kept of each without a question, marks, labels, and cases
// that cannot be opened or saved.
#include "core/base/csv.h"
#include "core/image/volume.h"
#include "core/io/labels.h"
#include "core/session/case_walk.h"
#include "tests/support/random_numbers.h"
#include "tests/ui/window/made_up_operations.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/path_text.h"
#include "ui/panels/case_panel.h"
#include "ui/window/case_commands.h"
#include "ui/window/file_commands.h"

#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QThread>
#include <QTreeView>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <sys/resource.h>
#include <utility>
#include <vector>

namespace seedwave::ui {

using test::kLimitMs;
using test::kSide;

namespace {

/// Files of more than a few bytes cannot be written.
class FullDisk {
 public:
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = 16;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

/// Returns the ball with a corner voxel that no other letter has.
Volume phantom_named(char letter) {
  const Volume ball = test::ball_phantom(kSide);
  const auto* first = reinterpret_cast<const std::int16_t*>(ball.bytes().data());
  std::vector<std::int16_t> voxels(first, first + ball.geometry().voxel_count());
  voxels[0] = static_cast<std::int16_t>(200 + letter);
  return {ball.geometry(), std::move(voxels)};
}

std::atomic<bool> is_slow = false;

/// Labels the ball, as soon as is_slow has ended.
Operation slow_operation() {
  Operation slow = test::columns_operation();
  slow.id = "slow";
  Implementation& plain = slow.implementations.front();
  plain.run = [run = plain.run](const Inputs& inputs, const Values& values, Context& context) {
    const Context::Stage stage = context.stage("wait");
    while (is_slow) {
      context.checkpoint(0.0);
      QThread::msleep(2);
    }
    return run(inputs, values, context);
  };
  return slow;
}

}  // namespace

class TestCases : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    QSettings().clear();
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(folder_->path()).mkdir("images"));
    for (const char* name : {"a", "b", "c"}) {
      io::save_volume(path(QString("images/%1.nii.gz").arg(name)).toStdString(),
                      phantom_named(*name));
    }
    io::save_labels(path("truth.nii.gz").toStdString(), test::ball_labels(kSide));
    write("list.csv",
          "name,image,reference\n"
          "a,images/a.nii.gz,truth.nii.gz\n"
          "b,images/b.nii.gz,truth.nii.gz\n"
          "c,images/c.nii.gz,\n");
    fixture_.show_window();
  }
  void cleanup() {
    is_slow = false;
    fixture_.close_window();
  }

  void strokes_values_and_result_are_as_they_were_on_return() {
    open_list();
    QVERIFY(dock()->isVisible());
    QCOMPARE(open_case(), QString("a"));
    QCOMPARE(texts(CaseModel::Strokes), QStringList({"", "", ""}));
    segment_ball();
    const SeedSet seeds = fixture_.workbench().document().seeds;
    const std::string digest = displayed_digest();
    QVERIFY(texts(CaseModel::Score)[0].toDouble() > 0.5);
    QCOMPARE(model().headerData(CaseModel::Score, Qt::Horizontal, Qt::DisplayRole).toString(),
             QString("Dice"));
    fixture_.workbench().steps().set_value("smooth", Value(0.75), "Smooth");
    fixture_.workbench().steps().undo_stack().undo();

    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(fixture_.workbench().document().seeds.strokes.empty());
    QVERIFY(!fixture_.window().isWindowModified());
    QCOMPARE(texts(CaseModel::Strokes), QStringList({"2", "", ""}));
    test::WindowFixture::paint(fixture_.axial(), {-3, 0, 0}, {3, 0, 0});

    press("case_previous");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    QVERIFY(fixture_.workbench().document().seeds == seeds);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(displayed_digest(), digest);
    QCOMPARE(to_text(fixture_.workbench().document().reference.path), path("truth.nii.gz"));
    QCOMPARE(texts(CaseModel::Strokes), QStringList({"2", "1", ""}));
    QVERIFY(!fixture_.window().isWindowModified());
  }

  void operation_values_and_labels_carry_on_to_a_new_case() {
    open_list();
    fixture_.workbench().steps().set_operation("threshold", "Threshold");
    fixture_.workbench().steps().set_value("low", Value(600.0), "Low");
    LabelEntry label = fixture_.workbench().document().labels.front();
    label.name = "tumour";
    fixture_.workbench().steps().change_label(label);
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    const Document& document = fixture_.workbench().document();
    QCOMPARE(document.operation, std::string("threshold"));
    QVERIFY(document.values.at("threshold").at("low") == Value(600.0));
    QCOMPARE(document.labels.front().name, std::string("tumour"));
    // It needs no strokes: the result comes at once.
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
  }

  void a_result_that_was_on_its_way_is_there_on_return() {
    open_list();
    fixture_.paint_ball_and_background();
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    press("case_previous");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
  }

  void a_value_changed_just_before_leaving_is_kept() {
    open_list();
    segment_ball();
    fixture_.workbench().steps().set_value("sigma_o", Value(77.0), "sigma");
    press("case_next");  // before there is a result with it
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    press("case_previous");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    QVERIFY(fixture_.workbench().document().values.at("irfc").at("sigma_o") == Value(77.0));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(fixture_.runs().displayed().run()->recipe.values.at("sigma_o") == Value(77.0));
    QVERIFY(fixture_.workbench().document().values.at("irfc").at("sigma_o") == Value(77.0));
  }

  void a_channel_or_algorithm_chosen_before_leaving_is_kept() {
    write("list.csv", "name,image\na,images/a.png\nb,images/b.png\n");
    for (const char* name : {"images/a.png", "images/b.png"})
      io::save_volume(path(name).toStdString(), test::stained_picture());
    open_list();
    fixture_.workbench().steps().set_operation("threshold", "Threshold");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    fixture_.runs().set_live(false);
    fixture_.workbench().steps().set_channel("hematoxylin");
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    press("case_previous");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    QVERIFY(comes_to_rest());
    QCOMPARE(fixture_.workbench().document().channel, std::string("hematoxylin"));
    QVERIFY(fixture_.runs().displayed().result().stale);
  }

  void a_result_of_older_values_is_shown_as_outdated() {
    open_list();
    segment_ball();
    const std::uint64_t run = fixture_.runs().displayed().result().run;
    fixture_.runs().set_live(false);
    fixture_.workbench().steps().set_value("sigma_o", Value(77.0), "sigma");
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    press("case_previous");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(fixture_.runs().displayed().result().run, run, kLimitMs);
    QVERIFY(fixture_.runs().displayed().result().stale);
    QVERIFY(fixture_.workbench().document().values.at("irfc").at("sigma_o") == Value(77.0));
    press("case_done_and_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(said("The labels of a were not written: they are older"));
    QVERIFY(!QFile::exists(labels_of("a")));
  }

  void done_writes_the_labels_and_goes_on() {
    open_list();
    fixture_.paint_ball_and_background();
    // The result is still on its way: it is waited for.
    press("case_done_and_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QCOMPARE(text("cases_done"), QString("1 of 3 done"));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(labels_of("a")), kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.window().saver().busy(), kLimitMs);
    press("case_previous");
    QTRY_VERIFY_WITH_TIMEOUT(open_case() == "a" && fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(action("case_done")->isChecked());
    Context context;
    const LabelMap written = io::read_labels(labels_of("a").toStdString(), context);
    QCOMPARE(PackedLabels(written).digest(), displayed_digest());
    // A correction after the mark reaches the file, too.
    test::WindowFixture::paint(fixture_.axial(), {-13, 13, 0}, {13, 13, 0});
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.window().saver().busy(), kLimitMs);
    const auto table = parse_csv(read("list-cases/cases.csv"));
    QCOMPARE(table.size(), std::size_t{4});
    QCOMPARE(table[1].fields[2], std::string("yes"));
    QCOMPARE(table[1].fields[3], std::string("3"));
    QVERIFY(QString::fromStdString(table[1].fields[6]).toDouble() > 0.5);
  }

  void the_next_start_finds_marks_scores_and_place() {
    open_list();
    segment_ball();
    press("case_done_and_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    const QString score = texts(CaseModel::Score)[0];
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("c"), kLimitMs);
    fixture_.close_window();
    fixture_.show_window();
    open_list();
    QCOMPARE(open_case(), QString("c"));
    QCOMPARE(text("cases_done"), QString("1 of 3 done"));
    QCOMPARE(texts(CaseModel::Score)[0], score);
    press("case_next_not_done");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("c"), kLimitMs);
    press("case_next");
    QVERIFY(said("This is the last case"));
  }

  void a_mark_is_taken_back_in_the_list() {
    open_list();
    press("case_done");
    QCOMPARE(text("cases_done"), QString("1 of 3 done"));
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    const QModelIndex first = model().index(0, CaseModel::Name);
    QVERIFY(first.flags() & Qt::ItemIsUserCheckable);
    QVERIFY(!(model().index(2, CaseModel::Name).flags() & Qt::ItemIsUserCheckable));
    QVERIFY(model().setData(first, Qt::Unchecked, Qt::CheckStateRole));
    QCOMPARE(text("cases_done"), QString("0 of 3 done"));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.window().saver().busy(), kLimitMs);
    QCOMPARE(read("list-cases/cases.json").find("true"), std::string::npos);
  }

  void done_without_labels_is_said() {
    open_list();
    press("case_done");
    QTRY_VERIFY_WITH_TIMEOUT(said("a is done without labels"), kLimitMs);
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(said("a is done without labels: it has no result with labels; Case 2 of 3: b"));
  }

  void another_format_leaves_one_file_of_labels() {
    open_list();
    segment_ball();
    press("case_done");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(labels_of("a")), kLimitMs);
    QSettings().setValue("files/label_suffix", ".nii.gz");
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QCOMPARE(QDir(path("list-cases/labels")).entryList(QDir::Files), QStringList("a.nii.gz"));
    const auto table = parse_csv(read("list-cases/cases.csv"));
    QCOMPARE(table[1].fields[10], std::string("labels/a.nii.gz"));
    QCOMPARE(table[2].fields[10], std::string());
  }

  void cases_are_called_as_in_the_list() {
    write("list.csv", "name,image\n\"tile 1: left\",images/a.nii.gz\n");
    open_list();
    QCOMPARE(open_case(), QString("tile 1: left"));
    QCOMPARE(texts(CaseModel::Name), QStringList("tile 1: left"));
    segment_ball();
    press("case_done");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(labels_of("tile-1--left")), kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.window().saver().busy(), kLimitMs);
    QCOMPARE(parse_csv(read("list-cases/cases.csv"))[1].fields[0], std::string("tile 1: left"));
  }

  void done_cases_can_be_hidden() {
    open_list();
    press("case_done_and_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QCOMPARE(list()->model()->rowCount(), 3);
    fixture_.window().findChild<QCheckBox*>("hide_done")->setChecked(true);
    QCOMPARE(list()->model()->rowCount(), 2);
    emit list()->activated(list()->model()->index(1, 0));
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("c"), kLimitMs);
  }

  void cases_that_cannot_be_opened_are_passed_with_a_line() {
    write("images/broken.nii.gz", "no image");
    write("list.csv",
          "name,image\na,images/a.nii.gz\nbroken,images/broken.nii.gz\nlost,images/lost.nii.gz\n"
          "c,images/c.nii.gz\n");
    open_list();
    segment_ball();
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("c"), kLimitMs);
    QCOMPARE(model().index(1, CaseModel::Score).data().toString(), QString("failed"));
    for (const int row : {1, 2}) {
      const QString why = model().index(row, 0).data(Qt::ToolTipRole).toString();
      QVERIFY2(why.contains(row == 1 ? "broken.nii.gz" : "lost.nii.gz"), qPrintable(why));
      QCOMPARE(why.count('\n'), 0);
    }
    QVERIFY(said("broken could not be opened: "));
    QVERIFY(QApplication::activeModalWidget() == nullptr);
    // Repaired, it opens.
    QVERIFY(QFile::remove(path("images/broken.nii.gz")));
    QVERIFY(QFile::copy(path("images/a.nii.gz"), path("images/broken.nii.gz")));
    emit list()->activated(list()->model()->index(1, 0));
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("broken"), kLimitMs);
    QVERIFY(!model().has_failed(1));
  }

  void many_missing_images_are_passed_and_tried_again_at_the_end() {
    QByteArray lines = "name,image\na,images/a.nii.gz\n";
    for (int i = 0; i < 300; ++i)
      lines += QString("lost%1,images/lost%1.nii.gz\n").arg(i).toLatin1();
    write("list.csv", lines + "c,images/c.nii.gz\n");
    open_list();
    press("case_next_not_done");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("c"), kLimitMs);
    QVERIFY(said("lost0 could not be opened: "));
    QVERIFY(said(" (and 299 more); Case 302 of 302: c"));
    QVERIFY(model().has_failed(1) && model().has_failed(300));
    QVERIFY(text("cases_failed").endsWith(" (and 299 more)"));
    press("case_done");
    press("case_next_not_done");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    press("case_done");
    QVERIFY(QFile::copy(path("images/a.nii.gz"), path("images/lost7.nii.gz")));
    press("case_next_not_done");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("lost7"), kLimitMs);
    QVERIFY(!model().has_failed(8));
  }

  void a_damaged_image_is_passed_or_asked_about_if_it_was_chosen() {
    write_cut_image("images/cut.png");
    write("list.csv", "name,image\na,images/a.nii.gz\nb,images/cut.png\nc,images/c.nii.gz\n");
    open_list();
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("c"), kLimitMs);
    QVERIFY(said("b could not be opened: "));
    QVERIFY(question("damaged") == nullptr);
    emit list()->activated(list()->model()->index(1, 0));
    QTRY_VERIFY_WITH_TIMEOUT(question("damaged") != nullptr, kLimitMs);
    question("damaged")->reject();
    QCOMPARE(open_case(), QString("c"));
    press("case_previous");  // b again, by a step
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    emit list()->activated(list()->model()->index(1, 0));
    QTRY_VERIFY_WITH_TIMEOUT(question("damaged") != nullptr, kLimitMs);
    question("damaged")->findChild<QPushButton*>("open_anyway")->click();
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
  }

  void an_unreadable_session_stays_as_it_is() {
    open_list();
    write("list-cases/sessions/b.json", "{\"seedwave\": ");
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("c"), kLimitMs);
    QVERIFY(said("b could not be opened: "));
    QCOMPARE(read("list-cases/sessions/b.json"), std::string("{\"seedwave\": "));
  }

  void the_window_stays_on_a_case_that_cannot_be_saved() {
    open_list();
    segment_ball();
    {
      const FullDisk full;
      press("case_next");
      QTRY_VERIFY_WITH_TIMEOUT(failure() != nullptr, kLimitMs);
    }
    QVERIFY2(failure()->text().contains("/a"), qPrintable(failure()->text()));
    QVERIFY(QDir(path("list-cases/sessions")).entryList(QDir::Files).isEmpty());
    failure()->close();
    QTest::qWait(200);
    QCOMPARE(open_case(), QString("a"));
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(QFileInfo(path("list-cases/sessions/a.json")).isFile());
  }

  void the_window_stays_on_a_case_whose_labels_cannot_be_written() {
    open_list();
    segment_ball();
    QVERIFY(QDir(path("list-cases/labels")).removeRecursively());
    write("list-cases/labels", "no folder");
    press("case_done_and_next");
    QTRY_VERIFY_WITH_TIMEOUT(failure() != nullptr, kLimitMs);
    QVERIFY2(failure()->text().contains("labels"), qPrintable(failure()->text()));
    failure()->close();
    QTest::qWait(200);
    QVERIFY(failure() == nullptr || !failure()->isVisible());  // said once
    QVERIFY(comes_to_rest());
    QCOMPARE(open_case(), QString("a"));
    QVERIFY(QFile::remove(path("list-cases/labels")));
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(QFile::exists(labels_of("a")));
  }

  void a_list_opened_again_at_once_has_the_newest_marks() {
    open_list();
    segment_ball();
    press("case_done");
    QCOMPARE(model().done_count(), 1);
    QSignalSpy reset(&model(), &QAbstractItemModel::modelReset);
    fixture_.window().files().open({path("list.csv")});
    QTRY_COMPARE_WITH_TIMEOUT(reset.count(), 1, kLimitMs);
    QCOMPARE(model().done_count(), 1);
  }

  void back_and_forth_while_waiting_ends_where_the_user_is() {
    open_list();
    wait_to_go_on();
    press("case_previous");
    press("case_next");  // its session is locked once only
    emit list()->activated(list()->model()->index(1, 0));
    is_slow = false;
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(model().failures().empty());
  }

  void seeds_imported_while_waiting_come_to_the_case_on_screen() {
    write("seeds.json", R"({"seedwave": 1, "kind": "seeds", "space": "LPS-mm",
        "strokes": [{"label": 1, "radius": 1, "points": [[0, 0, 0]]}]})");
    open_list();
    wait_to_go_on();
    fixture_.window().opener().import_seeds(path("seeds.json"));
    is_slow = false;
    QVERIFY(comes_to_rest());
    QCOMPARE(open_case(), QString("a"));  // given up for the import
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{1});
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(fixture_.workbench().document().seeds.strokes.empty());
  }

  void strokes_painted_while_a_file_or_the_list_is_read_are_kept() {
    open_list();
    fixture_.runs().set_live(false);
    test::WindowFixture::paint(fixture_.axial(), {-3, 0, 0}, {3, 0, 0});
    QSignalSpy reset(&model(), &QAbstractItemModel::modelReset);
    when_reading([this] { press("case_done"); });
    fixture_.window().files().open({path("list.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(reset.count() >= 1, kLimitMs);
    QVERIFY(comes_to_rest());
    QCOMPARE(model().done_count(), 1);
    when_reading([this] { test::WindowFixture::paint(fixture_.axial(), {-3, 5, 0}, {3, 5, 0}); });
    reset.clear();
    fixture_.window().files().open({path("list.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(reset.count() >= 1, kLimitMs);
    QVERIFY(comes_to_rest());
    QCOMPARE(open_case(), QString("a"));
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
    when_reading([this] { test::WindowFixture::paint(fixture_.axial(), {-3, -5, 0}, {3, -5, 0}); });
    fixture_.window().files().open({fixture_.image()});
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString(), kLimitMs);
    QVERIFY(!said("The session is in a file of its own"));
    QVERIFY(!fixture_.window().isWindowModified());
    emit list()->activated(list()->model()->index(0, 0));
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{3});
  }

  void a_stopped_run_ends_the_waiting() {
    open_list();
    wait_to_go_on();
    fixture_.runs().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(said("The result of a did not come: the case stays open"), kLimitMs);
    is_slow = false;
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QTest::qWait(300);
    QCOMPARE(open_case(), QString("a"));  // nothing waits any more
  }

  void done_and_next_pressed_twice_passes_no_case() {
    open_list();
    fixture_.paint_ball_and_background();
    press("case_done_and_next");
    press("case_done_and_next");
    QTRY_VERIFY_WITH_TIMEOUT(open_case() != "a", kLimitMs);
    QVERIFY(comes_to_rest());
    QCOMPARE(open_case(), QString("b"));
    QCOMPARE(model().done_count(), 1);
  }

  void a_session_saved_elsewhere_leaves_the_list() {
    open_list();
    segment_ball();
    press("save_session");
    QVERIFY(comes_to_rest());
    fixture_.runs().set_live(false);
    test::WindowFixture::paint(fixture_.axial(), {-13, 13, 0}, {13, 13, 0});
    fixture_.window().saver().save_session(path("copy.json"));
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString(), kLimitMs);
    QVERIFY(said("The session is in a file of its own now"));
    QVERIFY(comes_to_rest());
    emit list()->activated(list()->model()->index(0, 0));
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
  }

  void a_done_case_that_is_only_looked_at_is_not_written_again() {
    open_list();
    segment_ball();
    press("case_done_and_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(comes_to_rest());
    QVERIFY(QFile::remove(labels_of("a")));
    press("case_previous");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    press("case_next");  // at once: maps of the result are still computed
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(!said("Waiting for the result of a"));
    QVERIFY(!QFile::exists(labels_of("a")));
  }

  void a_cancelled_opening_is_forgotten() {
    open_list();
    press("case_next");
    fixture_.window().opener().task().cancel();
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QVERIFY(!fixture_.window().opener().task().busy());
    QCOMPARE(open_case(), QString("b"));
  }

  void an_export_that_fails_does_not_stop_the_walk() {
    open_list();
    fixture_.window().saver().export_seeds("/nowhere/seeds.json");
    press("case_next");
    QTRY_VERIFY_WITH_TIMEOUT(failure() != nullptr, kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
  }

  void strokes_painted_while_the_next_case_is_read_are_kept() {
    open_list();
    segment_ball();
    press("case_next");
    // Before the next one is there.
    test::WindowFixture::paint(fixture_.axial(), {-13, 13, 0}, {13, 13, 0});
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{3});
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    press("case_previous");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{3});
  }

  void impatient_keys_mix_up_no_cases() {
    open_list();
    std::map<QString, std::size_t> painted;
    for (int round = 0; round < 12; ++round) {
      test::WindowFixture::paint(fixture_.axial(), {-3.0, 0.0, 0}, {3.0, 0.5 * round, 0});
      test::WindowFixture::paint(fixture_.axial(), {-13, -13, 0}, {-13, 13, 0},
                                 Qt::ControlModifier);
      painted[open_case()] = fixture_.workbench().document().seeds.strokes.size();
      press(round % 3 == 2 ? "case_previous" : "case_next");
      QTest::qWait(round % 4 * 15);
      painted[open_case()] = fixture_.workbench().document().seeds.strokes.size();
      press("case_done");
      press(round % 2 == 0 ? "case_next" : "case_previous");
    }
    QVERIFY(comes_to_rest());
    QVERIFY(model().failures().empty());
    for (int row = 0; row < 3; ++row) {
      emit list()->activated(list()->model()->index(row, 0));
      const QString name = QString(QChar('a' + row));
      QTRY_COMPARE_WITH_TIMEOUT(open_case(), name, kLimitMs);
      const Document& document = fixture_.workbench().document();
      QCOMPARE(to_text(document.image.path), path("images/" + name + ".nii.gz"));
      QCOMPARE(*reinterpret_cast<const std::int16_t*>(fixture_.workbench().image().bytes().data()),
               static_cast<std::int16_t>(200 + 'a' + row));
      QCOMPARE(document.seeds.strokes.size(), painted[name]);
      QVERIFY(comes_to_rest());
      const std::string file = model().at(row).labels_file;
      if (!model().at(row).done || file.empty()) continue;
      Context context;
      const LabelMap written =
          io::read_labels(path("list-cases/labels/").toStdString() + file, context);
      QCOMPARE(PackedLabels(written).digest(), displayed_digest());
    }
  }

  void closing_the_window_waits_for_the_labels_of_a_done_case() {
    open_list();
    fixture_.paint_ball_and_background();
    press("case_done");
    fixture_.window().close();
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.window().isVisible(), kLimitMs);
    QVERIFY(QFile::exists(labels_of("a")));
    QVERIFY(QFile::exists(path("list-cases/sessions/a.json")));
  }

  void opening_a_file_waits_for_the_labels_of_a_done_case() {
    open_list();
    fixture_.paint_ball_and_background();
    press("case_done");
    press("case_next");  // given up for the file
    fixture_.window().files().open({fixture_.image()});
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString(), kLimitMs);
    QVERIFY(QFile::exists(labels_of("a")));
    QVERIFY(comes_to_rest());
    QCOMPARE(open_case(), QString());
  }

  void closing_the_window_and_opening_a_file_save_the_case() {
    open_list();
    fixture_.runs().set_live(false);
    test::WindowFixture::paint(fixture_.axial(), {-3, 0, 0}, {3, 0, 0});
    fixture_.window().files().open({fixture_.image()});
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString(), kLimitMs);
    QVERIFY(QFile::exists(path("list-cases/sessions/a.json")));
    press("case_next");
    QTRY_VERIFY_WITH_TIMEOUT(!open_case().isEmpty(), kLimitMs);
    emit list()->activated(list()->model()->index(1, 0));
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    test::WindowFixture::paint(fixture_.axial(), {-3, 0, 0}, {3, 0, 0});
    fixture_.window().close();
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.window().isVisible(), kLimitMs);
    QVERIFY(QFile::exists(path("list-cases/sessions/b.json")));
  }

  void a_list_is_open_in_one_window_only() {
    open_list();
    const OperationTable table = make_operation_table();
    MainWindow other(table, nullptr);
    other.show();
    other.files().open({path("list.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(other.findChild<QMessageBox*>("failure") != nullptr, kLimitMs);
    auto* box = other.findChild<QMessageBox*>("failure");
    QVERIFY2(box->text().startsWith("list.csv is open in another window (process "),
             qPrintable(box->text()));
    box->close();
    press("close_cases");
    QTRY_VERIFY_WITH_TIMEOUT(!dock()->isVisible(), kLimitMs);
    other.files().open({path("list.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(other.findChild<QDockWidget*>("dock_cases")->isVisible(), kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!other.opener().task().busy(), kLimitMs);
  }

  void a_folder_and_several_images_are_cases() {
    cases().open({path("images")});
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("a"), kLimitMs);
    QCOMPARE(model().rowCount(), 3);
    QVERIFY(QFile::exists(path("images-cases/sessions")));
    cases().open({path("images/b.nii.gz"), path("images/c.nii.gz")});
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    QCOMPARE(model().rowCount(), 2);
    QVERIFY(QFile::exists(path("images/cases/sessions")));
  }

  void a_list_that_cannot_be_read_says_why_and_the_open_one_stays() {
    open_list();
    write("bad.csv", "picture\na.png\n");
    fixture_.window().files().open({path("bad.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(failure() != nullptr, kLimitMs);
    QVERIFY2(failure()->text().contains("bad.csv: line 1"), qPrintable(failure()->text()));
    failure()->close();
    QCOMPARE(open_case(), QString("a"));
    QCOMPARE(model().rowCount(), 3);
  }

  void a_small_window_gives_the_picture_three_fifths() {
    write("images/broken.nii.gz", "no image");
    write("list.csv",
          "name,image\na case with a very long name that nobody can read at once,images/a.nii.gz\n"
          "broken,images/broken.nii.gz\n");
    const OperationTable table = make_operation_table();
    MainWindow window(table, nullptr);
    window.restore_arrangement(QSize(1280, 800));
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.files().open({path("list.csv")});
    auto& model = window.findChild<CaseCommands*>()->model();
    QTRY_COMPARE_WITH_TIMEOUT(model.open_row(), 0, kLimitMs);
    window.actions().at("case_next")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(model.has_failed(1), kLimitMs);
    QCoreApplication::processEvents();
    QVERIFY(window.findChild<QLabel*>("cases_failed")->isVisible());
    QVERIFY2(window.views().width() >= 768, qPrintable(QString::number(window.views().width())));
    window.workbench().steps().undo_stack().setClean();
  }

  void lists_and_no_sessions_of_cases_are_recent_files() {
    open_list();
    segment_ball();
    press("case_next");
    QTRY_COMPARE_WITH_TIMEOUT(open_case(), QString("b"), kLimitMs);
    press("save_session");
    QTest::qWait(100);
    const QStringList recent = QSettings().value("files/recent").toStringList();
    QVERIFY(recent.contains(path("list.csv")));
    QVERIFY(recent.filter("sessions").isEmpty());
  }

  void seeds_and_labels_of_the_list_begin_a_case() {
    write("list.csv", "name,image,labels,reference\na,images/a.nii.gz,truth.nii.gz,truth.nii.gz\n");
    open_list();
    QCOMPARE(fixture_.workbench().document().operation, std::string("segment"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(texts(CaseModel::Score)[0], QString("1.000"), kLimitMs);
  }

 private:
  [[nodiscard]] QString path(const QString& name) const { return folder_->filePath(name); }
  void write(const QString& name, const QByteArray& content) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }
  /// Writes the first half of a picture that cannot be packed.
  void write_cut_image(const QString& name) const {
    Geometry grid;
    grid.size = {200, 300, 1};
    grid.unit = LengthUnit::Pixel;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(grid.voxel_count()));
    test::RandomNumbers random(7);
    for (std::uint8_t& pixel : pixels)
      pixel = static_cast<std::uint8_t>(random.below(256));
    io::save_volume(path(name).toStdString(), Volume(grid, std::move(pixels)));
    QVERIFY(QFile::resize(path(name), QFileInfo(path(name)).size() / 2));
  }
  [[nodiscard]] std::string read(const QString& name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
  }
  [[nodiscard]] QString labels_of(const char* name) const {
    return path(QString("list-cases/labels/%1.seg.nrrd").arg(name));
  }

  /// Opens list.csv and waits for a case.
  void open_list() {
    fixture_.window().files().open({path("list.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(!open_case().isEmpty(), kLimitMs);
  }
  void segment_ball() {
    fixture_.paint_ball_and_background();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
  }
  /// Goes on from the open case, which is done and whose result does not come before is_slow ends.
  void wait_to_go_on() {
    is_slow = true;
    fixture_.workbench().steps().set_operation("slow", "Slow");
    press("case_done");
    press("case_next");
    QTRY_VERIFY_WITH_TIMEOUT(said("Waiting for the result of a"), kLimitMs);
    QVERIFY(!fixture_.window().opener().task().busy());
  }
  /// Calls `act` once the opener reads something, before it has ended.
  void when_reading(const std::function<void()>& act) {
    NamedTask& task = fixture_.window().opener().task();
    connect(
        &task, &NamedTask::started, this,
        [&task, act] {
          QVERIFY(task.busy());
          act();
        },
        Qt::SingleShotConnection);
  }
  [[nodiscard]] std::string displayed_digest() {
    return fixture_.runs().displayed().run()->facts.digest;
  }

  [[nodiscard]] CaseCommands& cases() { return *fixture_.window().findChild<CaseCommands*>(); }
  [[nodiscard]] CaseModel& model() { return cases().model(); }
  /// Returns the name of the case that is open, or "".
  [[nodiscard]] QString open_case() {
    const int row = model().open_row();
    return row < 0 ? QString() : QString::fromStdString(model().at(row).name);
  }
  [[nodiscard]] QStringList texts(CaseModel::Column column) {
    QCoreApplication::processEvents();
    QStringList texts;
    for (int row = 0; row < model().rowCount(); ++row)
      texts << model().index(row, column).data().toString();
    return texts;
  }
  [[nodiscard]] QDockWidget* dock() {
    return fixture_.window().findChild<QDockWidget*>("dock_cases");
  }
  [[nodiscard]] QTreeView* list() { return fixture_.window().findChild<QTreeView*>("cases"); }
  [[nodiscard]] QString text(const char* label) {
    return fixture_.window().findChild<QLabel*>(QString::fromLatin1(label))->text();
  }
  [[nodiscard]] QMessageBox* question(const char* name) {
    return fixture_.window().findChild<QMessageBox*>(QString::fromLatin1(name));
  }
  /// Waits until nothing is read, written or run for a moment: the end of one may begin another.
  [[nodiscard]] bool comes_to_rest() {
    int calm = 0;
    return QTest::qWaitFor([&] { return (calm = is_at_rest() ? calm + 1 : 0) > 5; }, kLimitMs);
  }
  [[nodiscard]] bool is_at_rest() {
    QCoreApplication::processEvents();
    return !fixture_.window().opener().task().busy() && !fixture_.window().saver().busy() &&
           !fixture_.runs().is_coming();
  }
  [[nodiscard]] QAction* action(const char* id) { return fixture_.window().actions().at(id); }
  void press(const char* id) { action(id)->trigger(); }
  [[nodiscard]] QMessageBox* failure() {
    return fixture_.window().findChild<QMessageBox*>("failure");
  }
  /// Returns whether the status bar shows a text that begins so.
  [[nodiscard]] bool said(const QString& text) {
    for (const QLabel* label : fixture_.window().statusBar()->findChildren<QLabel*>()) {
      if (label->text().contains(text) || label->toolTip().contains(text)) return true;
    }
    return fixture_.window().statusBar()->currentMessage().contains(text);
  }

  std::unique_ptr<QTemporaryDir> folder_;
  test::WindowFixture fixture_{test::table_with({slow_operation()})};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestCases)
#include "test_cases.moc"
