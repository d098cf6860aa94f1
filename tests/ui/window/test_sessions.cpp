// SPDX-License-Identifier: Apache-2.0
//
// Saved work: sessions, exports, history, autosave.
#include "core/image/label_counts.h"
#include "core/io/image_source.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/comparison.h"
#include "ui/models/session_picture.h"
#include "ui/panels/recovery_dialog.h"
#include "ui/window/file_commands.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

namespace seedwave::ui {

using test::kLimitMs;
using test::kSide;

namespace {

/// Answers the dialogs of recovery: recovers, and locates a missing image at `image`.
void answer_recovery(const QString& image) {
  QWidget* dialog = QApplication::activeModalWidget();
  if (auto* recovery = qobject_cast<RecoveryDialog*>(dialog)) recovery->accept();
  if (auto* question = qobject_cast<QMessageBox*>(dialog)) {
    for (QAbstractButton* button : question->buttons()) {
      if (button->text().contains(QStringLiteral("file"))) button->click();
    }
  }
  if (auto* files = qobject_cast<QFileDialog*>(dialog)) {
    files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(image);
    static_cast<QDialog*>(files)->accept();
  }
}

}  // namespace

class TestSessions : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void a_run_whose_labels_were_given_up_is_computed_again_in_its_place() {
    fixture_.segment();
    const std::uint64_t first = fixture_.runs().displayed().result().run;
    const std::string digest = fixture_.runs().displayed().run()->facts.digest;
    fixture_.workbench().steps().set_value("smooth", 0.5, "smoothing");
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != first, kLimitMs);
    give_up(first, digest);
    const LabelMap reference = test::ball_labels(kSide);
    fixture_.workbench().set_reference(reference, Source{}, count_labels(reference));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.runs().displayed().run()->score.mean().has_value(), kLimitMs);
    QVERIFY(!fixture_.runs().history().find(first)->score.mean());

    fixture_.runs().restore(first);
    QVERIFY(fixture_.runs().displayed().result().stale);  // still the other one's
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.runs().displayed().result().run == first && fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{2});
    const Run& run = *fixture_.runs().history().find(first);
    QCOMPARE(run.labels.digest(), digest);
    QCOMPARE(PackedLabels(fixture_.runs().displayed().result().labels).digest(), digest);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.runs().history().find(first)->score.mean().has_value(),
                             kLimitMs);
  }

  void a_run_that_gives_something_else_by_now_says_so() {
    fixture_.segment();
    const std::uint64_t first = fixture_.runs().displayed().result().run;
    fixture_.workbench().steps().set_value("smooth", 0.5, "smoothing");
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != first, kLimitMs);
    give_up(first, "xxh64:0000000000000000");
    QSignalSpy ended(&fixture_.runs(), &RunController::ended);
    fixture_.runs().restore(first);
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs);
    QVERIFY2(ended[0][0].toString().contains("now give a different result"),
             qPrintable(ended[0][0].toString()));
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{2});
    QVERIFY(fixture_.runs().history().find(first)->labels.empty());
    QVERIFY(fixture_.runs().displayed().result().run != first &&
            fixture_.runs().displayed().result().stale);
  }

  void a_session_brings_strokes_values_runs_and_picture_back() {
    fixture_.segment();
    fixture_.workbench().steps().set_value("smooth", 0.5, "smoothing");
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().history().runs().size() == 2, kLimitMs);
    const Document saved = fixture_.workbench().document();
    const std::string digest = fixture_.runs().displayed().run()->facts.digest;
    QVERIFY(fixture_.window().isWindowModified());
    QSignalSpy done(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(fixture_.path("work.json"));
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kLimitMs);
    QVERIFY(!fixture_.window().isWindowModified());

    fixture_.show_window();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::session_opened);
    fixture_.window().opener().open({fixture_.path("work.json")});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    const Document& document = fixture_.workbench().document();
    QCOMPARE(document.seeds, saved.seeds);
    QCOMPARE(document.labels, saved.labels);
    QCOMPARE(document.values, saved.values);
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{2});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(fixture_.runs().displayed().run()->facts.digest, digest);
    QVERIFY(!fixture_.window().isWindowModified());
  }

  void a_run_after_the_save_is_unsaved_and_closing_asks() {
    fixture_.segment();
    QSignalSpy done(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(fixture_.path("work.json"));
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kLimitMs);
    QVERIFY(!fixture_.window().isWindowModified());
    fixture_.window().close();  // asks nothing
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.window().isVisible(), kLimitMs);

    fixture_.segment();
    fixture_.window().saver().save_session(fixture_.path("work.json"));
    QSignalSpy again(&fixture_.window().saver(), &FileSaver::session_saved);
    QTRY_COMPARE_WITH_TIMEOUT(again.count(), 1, kLimitMs);
    const std::uint64_t saved = fixture_.runs().displayed().result().run;
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != saved, kLimitMs);
    QVERIFY(fixture_.workbench().steps().undo_stack().isClean());
    QVERIFY(fixture_.window().isWindowModified());
    QString asked;
    // Runs inside the question that the close below opens.
    QTimer::singleShot(0, &fixture_.window(), [&asked] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      asked = box->objectName() + QLatin1Char(' ') + box->text();
      box->button(QMessageBox::Cancel)->click();
    });
    fixture_.window().close();
    QVERIFY2(
        asked.startsWith(QStringLiteral("unsaved ")) && asked.contains(QStringLiteral("results")),
        qPrintable(asked));
    QVERIFY(fixture_.window().isVisible());
  }

  void a_reference_that_no_file_names_is_unsaved() {
    fixture_.segment();
    QSignalSpy done(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(fixture_.path("work.json"));
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kLimitMs);
    QSignalSpy reference(&fixture_.workbench(), &Workbench::reference_changed);
    fixture_.window().opener().import_reference(fixture_.reference());
    QTRY_COMPARE_WITH_TIMEOUT(reference.count(), 1, kLimitMs);
    QVERIFY(fixture_.window().isWindowModified());
  }

  void exported_labels_lie_on_the_image() {
    fixture_.segment();
    QSignalSpy done(&fixture_.window().saver(), &FileSaver::exported);
    fixture_.window().saver().export_labels(fixture_.path("out.nrrd"));
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kLimitMs);
    Context context;
    const LabelMap read = io::load_labels(fixture_.path("out.nrrd").toStdString(),
                                          fixture_.workbench().image().geometry(), context);
    const auto shown = fixture_.runs().displayed().result().labels.labels();
    QVERIFY(std::equal(shown.begin(), shown.end(), read.labels().begin(), read.labels().end()));
  }

  void save_dialogs_name_the_study_and_begin_beside_it_then_where_the_last_one_ended() {
    const QTemporaryDir of_another_study;
    QSettings().setValue(QStringLiteral("files/folder"), of_another_study.path());
    fixture_.segment();
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    const QTemporaryDir other;
    QSignalSpy exported(&fixture_.window().saver(), &FileSaver::exported);
    QStringList offered;
    // Called from the dialog's own event loop.
    const auto answer = [&offered](const QString& path) {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      offered << dialog->selectedFiles().front();
      if (!path.isEmpty()) {
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
      }
      if (path.isEmpty()) {
        dialog->reject();
      } else {
        static_cast<QDialog*>(dialog)->accept();
      }
    };
    const QString chosen = other.filePath(QStringLiteral("mine.nii.gz"));
    QTimer::singleShot(0, this, [&] { answer(chosen); });
    fixture_.window().actions().at("export_labels")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kLimitMs);
    QCOMPARE(exported.front().front().toString(), chosen);
    QTimer::singleShot(0, this, [&] { answer({}); });
    fixture_.window().actions().at("save_session_as")->trigger();
    QCOMPARE(offered.size(), 2);
    QCOMPARE(QFileInfo(offered[0]).fileName(), QStringLiteral("ball-labels.seg.nrrd"));
    QCOMPARE(QFileInfo(offered[0]).absolutePath(), QFileInfo(fixture_.path("x")).absolutePath());
    QCOMPARE(offered[1], other.filePath(QStringLiteral("ball-session.json")));
  }

  /// A file among slices would be read as one of them.
  void save_dialogs_begin_beside_a_folder_not_in_it() {
    fixture_.open_ball();
    QVERIFY(QDir(fixture_.path(".")).mkpath(QStringLiteral("slices")));
    QVERIFY(QFile::copy(fixture_.image(), fixture_.path("slices/ball.nii.gz")));
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    fixture_.window().opener().open({fixture_.path("slices/")});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QString offered;
    QTimer::singleShot(0, this, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      offered = dialog->selectedFiles().front();
      dialog->reject();
    });
    fixture_.window().actions().at("save_session_as")->trigger();
    QCOMPARE(QFileInfo(offered).absolutePath(), QFileInfo(fixture_.path("x")).absolutePath());
  }

  void a_save_that_fails_says_so_and_leaves_the_work_unsaved() {
    fixture_.segment();
    QSignalSpy failed(&fixture_.window().saver(), &FileSaver::failed);
    fixture_.window().saver().save_session(fixture_.path("no/such/folder/work.json"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kLimitMs);
    QVERIFY(failed.front().at(1).toString().contains(QStringLiteral("no/such/folder")));
    QVERIFY(fixture_.window().isWindowModified());
  }

  void a_broken_file_says_so_and_leaves_what_is_open() {
    fixture_.segment();
    QFile broken(fixture_.path("broken.nii.gz"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("no image");
    broken.close();
    QSignalSpy failed(&fixture_.window().opener().task(), &NamedTask::failed);
    fixture_.window().opener().open({broken.fileName()});
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kLimitMs);
    QVERIFY(failed.front().at(1).toString().contains(QStringLiteral("broken.nii.gz")));
    QVERIFY(fixture_.workbench().has_image());
    QVERIFY(fixture_.runs().displayed().result().run != 0);
  }

  void a_run_is_restored_with_its_strokes_and_the_same_voxels() {
    fixture_.segment();
    const Run first = *fixture_.runs().displayed().run();
    fixture_.paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != first.id,
        kLimitMs);
    fixture_.runs().restore(first.id);
    QVERIFY(first.recipe.seeds == fixture_.workbench().document().seeds);
    QTRY_COMPARE_WITH_TIMEOUT(fixture_.runs().displayed().result().run, first.id, kLimitMs);
    QVERIFY(!fixture_.runs().displayed().result().stale);
    const auto shown = fixture_.runs().displayed().result().labels.labels();
    const LabelMap expected = first.labels.unpack();
    QVERIFY(std::equal(shown.begin(), shown.end(), expected.labels().begin()));
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{3});
  }

  void a_restored_run_that_was_stopped_leaves_an_old_picture() {
    fixture_.segment();
    RunController& runs = fixture_.runs();
    const std::uint64_t first = runs.displayed().result().run;
    fixture_.paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && runs.displayed().result().run != first,
                             kLimitMs);
    const std::uint64_t second = runs.displayed().result().run;
    runs.restore(first);
    runs.cancel();
    QCOMPARE(runs.displayed().result().run, second);
    QVERIFY(runs.displayed().result().stale);
    const auto* message = fixture_.window().findChild<QLabel*>(QStringLiteral("missing"));
    QVERIFY2(message->text().contains(QStringLiteral("out of date")), qPrintable(message->text()));
    // The strokes are those of the first run, and so is what they give.
    runs.restore(first);
    QTRY_COMPARE_WITH_TIMEOUT(runs.displayed().result().run, first, kLimitMs);
    QVERIFY(!runs.displayed().result().stale);
    QVERIFY(message->text().isEmpty());
    runs.restore(first);
    runs.cancel();
    QVERIFY(!runs.displayed().result().stale);
    // So does another job that replaced it and was cancelled.
    runs.restore(second);
    runs.run();
    runs.cancel();
    QCOMPARE(runs.displayed().result().run, first);
    QVERIFY(runs.displayed().result().stale);
  }

  void a_restored_run_gets_its_strength_back_and_says_what_it_waits_for() {
    fixture_.segment();
    const std::uint64_t first = fixture_.runs().displayed().result().run;
    QCOMPARE(fixture_.runs().displayed().result().maps.size(), std::size_t{1});
    const Volume strength = fixture_.runs().displayed().result().maps.front().volume;
    QVERIFY(fixture_.runs().map_note().isEmpty());
    fixture_.paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != first, kLimitMs);
    QStringList notes;
    connect(&fixture_.runs().displayed(), &DisplayedResult::changed, this,
            [&] { notes << fixture_.runs().map_note(); });
    QSignalSpy came(&fixture_.runs().displayed(), &DisplayedResult::maps_changed);
    fixture_.runs().restore(first);
    QTRY_COMPARE_WITH_TIMEOUT(came.count(), 1, kLimitMs);
    QCOMPARE(notes.size(), 1);
    QVERIFY(notes.front().contains(QStringLiteral("being computed")));
    QVERIFY(fixture_.runs().map_note().isEmpty());
    const auto bytes = fixture_.runs().displayed().result().maps.front().volume.bytes();
    QVERIFY(
        std::equal(bytes.begin(), bytes.end(), strength.bytes().begin(), strength.bytes().end()));
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{2});
  }

  void comparing_two_runs_counts_every_voxel_once() {
    fixture_.segment();
    const std::uint64_t a = fixture_.runs().displayed().result().run;
    fixture_.paint(fixture_.axial(), {-6, 3, 0}, {6, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != a, kLimitMs);
    const std::uint64_t b = fixture_.runs().displayed().result().run;
    Comparison comparison(fixture_.runs());
    std::optional<Compared> got;
    connect(&comparison, &Comparison::ready, this, [&](const Compared& each) { got = each; });
    comparison.start(a, b);
    QTRY_VERIFY_WITH_TIMEOUT(got.has_value(), kLimitMs);
    const Agreement& agreement = got->agreement;
    std::int64_t labelled = 0;
    for (const Label value : agreement.map.labels())
      labelled += value != 0 ? 1 : 0;
    QCOMPARE(agreement.same + agreement.only_a + agreement.only_b + agreement.other, labelled);
    QVERIFY(agreement.only_a + agreement.only_b + agreement.other > 0);
  }

  void what_a_crash_leaves_is_offered_and_brings_the_strokes_back() {
    const QString folder = fixture_.path("autosave");
    leave_behind(folder);
    const Autosave next(folder.toStdString());
    const auto left = next.recoverable();
    QCOMPARE(left.size(), std::size_t{1});
    QCOMPARE(left.front().strokes, std::size_t{1});
    fixture_.show_window();
    fixture_.window().opener().open_session(left.front().file, {}, SessionUse::Recovered);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.workbench().has_image(), kLimitMs);
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{1});
    QVERIFY(fixture_.window().saver().session_path().isEmpty());
    // It is in no file of the user's, so closing must ask.
    QVERIFY(fixture_.window().isWindowModified());
  }

  void work_whose_image_has_moved_is_recovered_as_the_users_unsaved_own() {
    const QString folder = fixture_.path("autosave_moved");
    leave_behind(folder);
    const QString moved = fixture_.path("moved.nii.gz");
    QVERIFY(QFile::rename(fixture_.image(), moved));
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    const auto next = std::make_shared<Autosave>(folder.toStdString());
    fixture_.show_window(next);
    QTimer answers;  // the dialogs open one after the other, each with its own event loop
    connect(&answers, &QTimer::timeout, this, [&] { answer_recovery(moved); });
    answers.start(10);
    fixture_.window().files().offer_recovery(*next);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.workbench().has_image(), kLimitMs);
    answers.stop();
    QVERIFY(QFile::rename(moved, fixture_.image()));
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{1});
    QVERIFY(fixture_.window().saver().session_path().isEmpty());
    QVERIFY(fixture_.window().isWindowModified());
    // The old autosave is removed once this program saves the same state itself.
    QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(folder + QStringLiteral("/left.json")), kLimitMs);
    QCOMPARE(load_session(next->file()).document.seeds, fixture_.workbench().document().seeds);
  }

  void work_that_was_not_recovered_stays_whatever_is_opened_next() {
    const QString folder = fixture_.path("autosave_later");
    leave_behind(folder);
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(fixture_.path("other.json"));
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
    const auto next = std::make_shared<Autosave>(folder.toStdString());
    fixture_.show_window(next);
    QTimer answers;
    connect(&answers, &QTimer::timeout, this, [] { answer_recovery({}); });
    answers.start(10);
    fixture_.window().files().offer_recovery(*next);
    answers.stop();
    fixture_.window().opener().task().cancel();
    fixture_.window().opener().open({fixture_.path("other.json")});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.workbench().has_image(), kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.window().saver().busy(), kLimitMs);
    QVERIFY(QFile::exists(folder + QStringLiteral("/left.json")));
  }

  void the_autosave_is_written_when_something_changed_and_goes_on_a_clean_end() {
    const QString folder = fixture_.path("autosave2");
    auto autosave = std::make_shared<Autosave>(folder.toStdString());
    fixture_.show_window(autosave);
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    fixture_.window().opener().open({fixture_.image()});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    fixture_.paint(fixture_.axial(), {0, 0, 0}, {3, 0, 0});
    fixture_.window().saver().autosave();
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.window().saver().busy(), kLimitMs);
    const QStringList filter{QStringLiteral("*.json")};
    QCOMPARE(QDir(folder).entryList(filter).size(), 1);
    // Its thumbnail is stored beside it, is shown by the recovery dialog, and is removed with it.
    const QStringList pictures{QStringLiteral("*-picture.png")};
    QTRY_COMPARE_WITH_TIMEOUT(QDir(folder).entryList(pictures).size(), 1, kLimitMs);
    const QImage picture = kept_picture(autosave->file());
    QCOMPARE(std::max(picture.width(), picture.height()), kSessionPictureSide);
    // A crash does not lose what is in the user's own file, so no old state is offered beside it.
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(fixture_.path("kept.json"));
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
    QCOMPARE(QDir(folder).entryList(filter + pictures), QStringList());
    fixture_.paint(fixture_.axial(), {0, 1, 0}, {3, 1, 0});
    fixture_.window().saver().autosave();
    QTRY_COMPARE_WITH_TIMEOUT(QDir(folder).entryList(pictures).size(), 1, kLimitMs);
    fixture_.window().saver().discard_autosave();
    QCOMPARE(QDir(folder).entryList(filter).size(), 0);
    QCOMPARE(QDir(folder).entryList(pictures).size(), 0);
  }

 private:
  /// Leaves the autosave of a program that crashed with a stroke on the ball: "left.json" in
  /// `folder`.
  void leave_behind(const QString& folder) {
    {
      Autosave crashed(folder.toStdString());
      fixture_.open_ball();
      fixture_.paint(fixture_.axial(), {0, 0, 0}, {3, 0, 0});
      crashed.save({.document = fixture_.workbench().document(), .runs = {}, .warnings = {}});
      // The destructor releases the lock but discards nothing, as in a crash.
    }
    // Names contain process and second; here both programs are the same process.
    QDir dir(folder);
    const QStringList left = dir.entryList({QStringLiteral("*.json")});
    QVERIFY(dir.rename(left.front(), QStringLiteral("left.json")));
  }

  /// Simulates evicted labels, of a run that had this digest.
  void give_up(std::uint64_t id, const std::string& digest) {
    std::vector<Run> runs = fixture_.runs().history().runs();
    for (Run& run : runs) {
      if (run.id != id) continue;
      run.labels = {};
      run.facts.digest = digest;
    }
    fixture_.runs().restore_history(runs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
  }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestSessions)
#include "test_sessions.moc"
