// SPDX-License-Identifier: Apache-2.0
#include "core/session/autosave.h"
#include "tests/core/session/small_session.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

using namespace seedwave;
namespace fs = std::filesystem;

namespace {

SessionFile session_with_strokes(int count) {
  SessionFile session;
  session.document.image.path = "/somewhere/study";
  for (int i = 0; i < count; ++i) {
    session.document.seeds.strokes.push_back(Stroke{1, 1.0, {{1.0 * i, 0, 0}}, {}});
  }
  return session;
}

Run run_numbered(std::uint64_t id) {
  Run run;
  run.id = id;
  run.recipe.operation = "threshold";
  run.facts.digest = "xxh64:00";
  return run;
}

/// Saves in a separate process, which is then killed without any clean-up.
void crash_after_saving(const fs::path& folder, int strokes) {
  const pid_t child = ::fork();
  if (child == 0) {
    Autosave autosave(folder);
    autosave.save(session_with_strokes(strokes));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
}

/// Returns the number of sessions that a newly started program would offer; -1: it died.
int offered_to_another_process(const fs::path& folder) {
  const pid_t child = ::fork();
  if (child == 0) {
    const Autosave other(folder);
    ::_exit(static_cast<int>(other.recoverable().size()));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

class TestAutosave : public QObject {
  Q_OBJECT
 private slots:
  void offers_what_a_crash_left();
  void what_was_only_looked_at_is_neither_kept_nor_offered();
  void a_run_without_strokes_is_work();
  void does_not_offer_what_lives();
  void writes_only_when_something_changed();
  void keeps_one_version();
  void what_the_user_saved_is_not_kept_twice();
  void a_session_that_was_only_reopened_is_not_kept();
  void labels_follow_a_save_without_them();
  void a_clean_end_leaves_nothing();
};

void TestAutosave::offers_what_a_crash_left() {
  const QTemporaryDir dir;
  const fs::path folder = fs::path(dir.path().toStdString()) / "made" / "on demand";
  crash_after_saving(folder, 3);
  const Autosave autosave(folder);
  const auto left = autosave.recoverable();
  QCOMPARE(left.size(), std::size_t{1});
  QCOMPARE(left[0].strokes, std::size_t{3});
  QCOMPARE(left[0].image, fs::path("/somewhere/study"));
  QVERIFY(load_session(left[0].file).document == session_with_strokes(3).document);
  autosave.forget(left[0]);
  QVERIFY(autosave.recoverable().empty());
}

void TestAutosave::what_was_only_looked_at_is_neither_kept_nor_offered() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  SessionFile looked_at = session_with_strokes(0);
  looked_at.document.labels = default_labels();
  looked_at.document.labels.back().opacity = 0.3;
  looked_at.document.view.zoom = 3.0;
  {
    Autosave autosave(folder);
    QVERIFY(!autosave.save(looked_at));
    QVERIFY(!fs::exists(autosave.file()));
    SessionFile slide = looked_at;
    slide.document.labels = default_labels_of_slide();
    QVERIFY(!autosave.save(slide));
    // An autosave that was discarded must not come back.
    QVERIFY(autosave.save(session_with_strokes(1)));
    QVERIFY(!autosave.save(looked_at));
    QVERIFY(!fs::exists(autosave.file()));
  }
  // The program ended without a trace; an older one left such a file too.
  save_session(folder / "session1t1.json", looked_at);
  QCOMPARE(Autosave(folder).recoverable().size(), std::size_t{0});
  QVERIFY(!fs::exists(folder / "session1t1.json"));
  QVERIFY(!fs::exists(folder / "session1t1.lock"));
}

void TestAutosave::a_run_without_strokes_is_work() {
  SessionFile session = session_with_strokes(0);
  QVERIFY(!holds_work(session));
  SessionFile ran = session;
  ran.runs.push_back(run_numbered(1));
  QVERIFY(holds_work(ran));
  SessionFile valued = session;
  valued.document.values["threshold"].set("low", 4.0);
  QVERIFY(holds_work(valued));
  SessionFile renamed = session;
  renamed.document.labels = default_labels();
  renamed.document.labels.front().name = "liver";
  QVERIFY(holds_work(renamed));

  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  save_session(folder / "session1t1.json", ran);
  const auto left = Autosave(folder).recoverable();
  QCOMPARE(left.size(), std::size_t{1});
  QCOMPARE(left[0].strokes, std::size_t{0});
  QCOMPARE(left[0].runs, std::size_t{1});
}

void TestAutosave::does_not_offer_what_lives() {
  const QTemporaryDir dir;
  Autosave one(dir.path().toStdString());
  one.save(session_with_strokes(2));
  QCOMPARE(offered_to_another_process(dir.path().toStdString()), 0);
}

void TestAutosave::writes_only_when_something_changed() {
  const QTemporaryDir dir;
  Autosave autosave(dir.path().toStdString());
  QVERIFY(autosave.save(session_with_strokes(1)));
  QVERIFY(!autosave.save(session_with_strokes(1)));
  SessionFile session = session_with_strokes(2);
  QVERIFY(autosave.save(session));
  // Changes of runs count too: one more, another in its place, its note, its pin.
  session.runs.push_back(run_numbered(1));
  QVERIFY(autosave.save(session));
  session.runs = {run_numbered(2)};
  QVERIFY(autosave.save(session));
  session.runs.front().note = "the best so far";
  QVERIFY(autosave.save(session));
  session.runs.front().pinned = true;
  QVERIFY(autosave.save(session));
  // Its Dice may come later.
  session.runs.front().score.labels = {{1, 0.9}};
  QVERIFY(autosave.save(session));
  session.runs.front().score.foreground = 0.8;
  QVERIFY(autosave.save(session));
  QVERIFY(!autosave.save(session));
}

void TestAutosave::keeps_one_version() {
  const QTemporaryDir dir;
  Autosave autosave(dir.path().toStdString());
  for (int strokes = 1; strokes <= 3; ++strokes)
    QVERIFY(autosave.save(session_with_strokes(strokes)));
  QCOMPARE(QDir(dir.path()).entryList({"*.json*"}, QDir::Files).size(), 1);
}

void TestAutosave::what_the_user_saved_is_not_kept_twice() {
  const QTemporaryDir dir;
  Autosave autosave(dir.path().toStdString());
  autosave.save(session_with_strokes(1));
  autosave.kept_elsewhere(session_with_strokes(2));
  QVERIFY(!fs::exists(autosave.file()));
  QVERIFY(!autosave.save(session_with_strokes(2)));
  QVERIFY(!fs::exists(autosave.file()));
  // The program is still alive and holds its lock.
  QVERIFY(autosave.save(session_with_strokes(3)));
  QCOMPARE(offered_to_another_process(dir.path().toStdString()), 0);
}

void TestAutosave::a_session_that_was_only_reopened_is_not_kept() {
  const QTemporaryDir dir;
  Autosave autosave(dir.path().toStdString());
  SessionFile opened = test::small_session(1);
  autosave.kept_elsewhere(opened);
  QVERIFY(!autosave.save(opened));
  // Another view, another selected label, another score: no work.
  opened.document.view.zoom = 3.0;
  opened.document.view.cursor = {1, 2, 3};
  opened.document.current_label = 2;
  opened.runs[0].score.labels = {{1, 0.5}};
  QVERIFY(!autosave.save(opened));
  QVERIFY(!fs::exists(autosave.file()));
  SessionFile changed = opened;
  changed.document.seeds.strokes.push_back(Stroke{2, 1.0, {{0, 0, 0}}, {}});
  QVERIFY(autosave.save(changed));
  QVERIFY(fs::exists(autosave.file()));
  // Discarded again: the user's own file contains everything.
  QVERIFY(!autosave.save(opened));
  QVERIFY(!fs::exists(autosave.file()));
}

void TestAutosave::labels_follow_a_save_without_them() {
  const QTemporaryDir dir;
  Autosave autosave(dir.path().toStdString());
  const SessionFile session = test::small_session(1);
  QVERIFY(autosave.save(session, NewLabels::LeftOut));
  QVERIFY(!autosave.save(session, NewLabels::LeftOut));
  SessionFile kept = load_session(autosave.file());
  QVERIFY(kept.warnings.empty() && kept.runs.size() == 2 && kept.runs[0].labels.empty());
  QVERIFY(autosave.save(session));
  kept = load_session(autosave.file());
  QCOMPARE(kept.runs[0].labels.digest(), session.runs[0].labels.digest());
  // An existing file is named, whoever saves.
  SessionFile next = session;
  next.document.seeds.strokes.push_back(Stroke{2, 1.0, {{0, 0, 0}}, {}});
  QVERIFY(autosave.save(next, NewLabels::LeftOut));
  kept = load_session(autosave.file());
  QCOMPARE(kept.runs[1].labels.digest(), session.runs[1].labels.digest());
}

void TestAutosave::a_clean_end_leaves_nothing() {
  const QTemporaryDir dir;
  {
    Autosave autosave(dir.path().toStdString());
    autosave.save(session_with_strokes(1));
    autosave.save(session_with_strokes(2));
    autosave.discard();
  }
  QVERIFY(fs::is_empty(dir.path().toStdString()));
}

QTEST_GUILESS_MAIN(TestAutosave)
#include "test_autosave.moc"
