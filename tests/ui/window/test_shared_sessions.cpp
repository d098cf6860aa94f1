// SPDX-License-Identifier: Apache-2.0
//
// Sessions shared with others: open in another window, changed by another program, or with labels
// of another image.
#include "core/session/session_lock.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/file_commands.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>

namespace seedwave::ui {

using test::kLimitMs;
using test::kSide;

namespace {

/// Presses a button of the next question: by the button's name, or Cancel if there is none.
class Answer : public QObject {
 public:
  explicit Answer(const QString& button) {
    timer_.setInterval(10);
    connect(&timer_, &QTimer::timeout, this, [this, button] { press(button); });
    timer_.start();
  }
  /// Returns the name of the question and its text.
  [[nodiscard]] const QString& question() const { return question_; }

 private:
  void press(const QString& name) {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    timer_.stop();
    question_ = box->objectName() + QLatin1Char(' ') + box->text();
    auto* button = name.isEmpty() ? static_cast<QAbstractButton*>(box->button(QMessageBox::Cancel))
                                  : box->findChild<QPushButton*>(name);
    QVERIFY2(button != nullptr, qPrintable(question_));
    button->click();
  }

  QTimer timer_;
  QString question_;
};

}  // namespace

class TestSharedSessions : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void a_session_in_use_is_offered_read_only() {
    save_work();
    fixture_.show_window();
    const auto other = SessionLock::take(work());
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::session_opened);
    {
      const Answer cancelled({});
      fixture_.window().opener().open({fixture_.path("work.json")});
      QTRY_VERIFY_WITH_TIMEOUT(!cancelled.question().isEmpty(), kLimitMs);
      QVERIFY2(cancelled.question().contains(QStringLiteral("open in another window (process")),
               qPrintable(cancelled.question()));
      QVERIFY(!fixture_.workbench().has_image());
    }
    const Answer read_only(QStringLiteral("read_only"));
    fixture_.window().opener().open({fixture_.path("work.json")});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
    // Saving asks for another name, and there is nothing to save yet.
    QVERIFY(fixture_.window().saver().session_path().isEmpty());
    QVERIFY(!fixture_.window().isWindowModified());
    // A name in use is not accepted either.
    QSignalSpy failed(&fixture_.window().saver(), &FileSaver::failed);
    fixture_.window().saver().save_session(fixture_.path("work.json"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kLimitMs);
    QVERIFY2(failed[0][1].toString().contains(QStringLiteral("open in another window")),
             qPrintable(failed[0][1].toString()));
  }

  void a_window_holds_its_session_until_it_opens_something_else() {
    save_work();
    QVERIFY(is_locked());  // it was saved there
    fixture_.show_window();
    QVERIFY(!is_locked());
    open_work();
    QVERIFY(is_locked());
    open_work();  // again in the same window: no question
    QVERIFY(is_locked());
    fixture_.open(fixture_.image());
    QTRY_VERIFY_WITH_TIMEOUT(!is_locked(), kLimitMs);
  }

  void a_session_that_another_program_changed_is_asked_about() {
    save_work();
    fixture_.show_window();
    open_work();
    SessionFile theirs = load_session(work());
    theirs.document.seeds.strokes.clear();
    seedwave::save_session(work(), theirs);  // by a program without locks
    fixture_.paint(fixture_.axial(), {0, 3, 0}, {3, 3, 0});
    QSignalSpy changed(&fixture_.window().saver(), &FileSaver::session_changed);
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    {
      const Answer cancelled({});
      fixture_.window().actions().at("save_session")->trigger();
      QTRY_VERIFY_WITH_TIMEOUT(!cancelled.question().isEmpty(), kLimitMs);
      QVERIFY2(cancelled.question().startsWith(QStringLiteral("session_changed ")),
               qPrintable(cancelled.question()));
    }
    QCOMPARE(saved.count(), 0);
    QVERIFY(fixture_.window().isWindowModified());
    QVERIFY(load_session(work()).document.seeds.strokes.empty());
    const Answer overwrite(QStringLiteral("overwrite"));
    fixture_.window().actions().at("save_session")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
    QCOMPARE(load_session(work()).document.seeds.strokes.size(), std::size_t{3});
    // The other program's version is kept.
    QVERIFY(load_session(work().concat(".1")).document.seeds.strokes.empty());
    QVERIFY(!fixture_.window().isWindowModified());
    // The session is ours again: no further question.
    fixture_.paint(fixture_.axial(), {0, 4, 0}, {3, 4, 0});
    fixture_.window().actions().at("save_session")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 2, kLimitMs);
    QCOMPARE(changed.count(), 2);
  }

  void a_session_that_another_program_changed_can_be_saved_elsewhere() {
    save_work();
    fixture_.show_window();
    open_work();
    SessionFile theirs = load_session(work());
    theirs.document.seeds.strokes.clear();
    seedwave::save_session(work(), theirs);
    fixture_.paint(fixture_.axial(), {0, 3, 0}, {3, 3, 0});
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    const QString other = fixture_.path("mine.json");
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    const Answer save_as(QStringLiteral("save_as"));
    QTimer names;  // the file dialog has its own event loop
    connect(&names, &QTimer::timeout, this, [&other] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(other);
      static_cast<QDialog*>(dialog)->accept();
    });
    names.start(10);
    fixture_.window().actions().at("save_session")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
    QCOMPARE(saved[0][0].toString(), other);
    QCOMPARE(load_session(other.toStdString()).document.seeds.strokes.size(), std::size_t{3});
    QVERIFY(load_session(work()).document.seeds.strokes.empty());
    // The window continues with the new file, and releases the old one.
    QCOMPARE(fixture_.window().saver().session_path(), other);
    QTRY_VERIFY_WITH_TIMEOUT(!is_locked(), kLimitMs);
  }

  void a_session_that_was_only_reopened_is_not_kept_automatically() {
    save_work();
    const QTemporaryDir dir;
    const auto autosave = std::make_shared<Autosave>(dir.path().toStdString());
    fixture_.show_window(autosave);
    open_work();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    ViewState view = fixture_.workbench().document().view;
    view.cursor = {1, 1, 1};
    fixture_.workbench().set_view(view);
    save_automatically();
    QVERIFY(!QFile::exists(QString::fromStdString(autosave->file().string())));
    // A stroke is work; after it is withdrawn there is nothing to save.
    fixture_.paint(fixture_.axial(), {0, 3, 0}, {3, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(autosave->file().string())),
                             kLimitMs);
    QCOMPARE(load_session(autosave->file()).document.seeds.strokes.size(), std::size_t{3});
  }

  void labels_of_an_image_that_was_resampled_in_place_are_left_out() {
    save_work();
    QVERIFY(QFile::copy(fixture_.image(), fixture_.path("kept.nii.gz")));
    // The same name, half the voxels, as left by a tool that resamples in place.
    io::save_volume(fixture_.image().toStdString(), test::ball_phantom(kSide / 2));
    fixture_.show_window();
    QSignalSpy warned(&fixture_.window().opener(), &FileOpener::warned);
    open_work();
    QTRY_COMPARE_WITH_TIMEOUT(warned.count(), 1, kLimitMs);
    const QString lines = warned[0][0].toStringList().join(QLatin1Char(' '));
    QVERIFY2(lines.contains(QStringLiteral("different grid")), qPrintable(lines));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.runs().busy(), kLimitMs);
    for (const Run& run : fixture_.runs().history().runs())
      QVERIFY(run.labels.empty());
    // Painting draws the result, so nothing of the old one may be read.
    fixture_.paint(fixture_.axial(), {0, 3, 0}, {3, 3, 0});
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.runs().busy(), kLimitMs);
    const LabelMap& shown = fixture_.runs().displayed().result().labels;
    QVERIFY(shown.empty() || same_grid(shown.geometry(), fixture_.workbench().image().geometry()));
    fixture_.close_window();
    QVERIFY(QFile::remove(fixture_.image()));
    QVERIFY(QFile::rename(fixture_.path("kept.nii.gz"), fixture_.image()));
  }

  void swapped_labels_are_recomputed_and_not_shown() {
    save_work();
    const std::string digest = load_session(work()).runs.back().labels.digest();
    const std::string hash = digest.substr(digest.find(':') + 1);
    const QString file = fixture_.path(("work-" + hash + ".nii.gz").c_str());
    QVERIFY(QFile::exists(file));
    io::save_labels(file.toStdString(), test::ball_labels(kSide));
    fixture_.show_window();
    QSignalSpy warned(&fixture_.window().opener(), &FileOpener::warned);
    open_work();
    QTRY_COMPARE_WITH_TIMEOUT(warned.count(), 1, kLimitMs);
    QVERIFY(warned[0][0]
                .toStringList()
                .join(QLatin1Char(' '))
                .contains(QStringLiteral("its labels differ")));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(PackedLabels(fixture_.runs().displayed().result().labels).digest(), digest);
  }

 private:
  [[nodiscard]] std::filesystem::path work() const {
    return fixture_.path("work.json").toStdString();
  }

  /// Saves a session with two strokes and a run from the displayed window.
  void save_work() {
    fixture_.segment();
    QFile::remove(fixture_.path("work.json"));
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(fixture_.path("work.json"));
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
  }

  void open_work() {
    // Destroyed at the end, because it holds the signal's arguments and thereby the lock.
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::session_opened);
    fixture_.window().opener().open({fixture_.path("work.json")});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
  }

  [[nodiscard]] bool is_locked() const {
    try {
      (void)SessionLock::take(work());
      return false;
    } catch (const SessionInUse&) {
      return true;
    }
  }

  void save_automatically() {
    bool done = false;
    fixture_.window().saver().autosave([&done] { done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(done && !fixture_.window().saver().busy(), kLimitMs);
  }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestSharedSessions)
#include "test_shared_sessions.moc"
