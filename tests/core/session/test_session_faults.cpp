// SPDX-License-Identifier: Apache-2.0
//
// Sessions with their label files: every system call fails once, and programs are killed.
#include "core/base/error.h"
#include "core/io/formats/atomic_file.h"
#include "core/session/autosave.h"
#include "core/session/open_session.h"
#include "tests/core/session/small_session.h"
#include "tests/support/failing_calls.h"

#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

using namespace seedwave;
using test::contents_of;
using test::FailingCall;
using test::small_session;
namespace fs = std::filesystem;

namespace {

constexpr std::array kCalls{FailingCall::Write, FailingCall::Flush, FailingCall::Rename,
                            FailingCall::Link};

/// Calls `save` with its n-th call of each kind failing, for all n, and `check` after each; `reset`
/// after a save in which no call failed. Returns the number of failed saves.
int fail_each_call(const std::function<void()>& save,
                   const std::function<void(const std::string& where)>& check,
                   const std::function<void()>& reset) {
  int failures = 0;
  for (const FailingCall call : kCalls) {
    for (int n = 1;; ++n) {
      bool failed = false;
      bool reached = false;
      {
        const test::FailingScope failing(call, n, EIO);
        try {
          save();
        } catch (const OutputError&) {
          failed = true;
        }
        reached = test::calls_counted() >= n;
      }
      if (!reached) {
        reset();
        break;
      }
      failures += failed ? 1 : 0;
      check("call " + std::to_string(static_cast<int>(call)) + ", number " + std::to_string(n) +
            (failed ? ", failed" : ", saved"));
    }
  }
  return failures;
}

/// Runs `action` in a separate process, which is killed after at most `ms`.
void kill_after(int ms, const std::function<void()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    action();
    ::_exit(0);
  }
  QTest::qSleep(ms);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
}

/// Returns whether all runs have their labels and the session equals one of a version.
bool is_whole(const SessionFile& session) {
  const int version = std::stoi(session.document.channel);
  const SessionFile expected = small_session(version);
  if (!session.warnings.empty() || session.runs.size() != expected.runs.size()) return false;
  for (std::size_t i = 0; i < session.runs.size(); ++i) {
    if (session.runs[i].labels.digest() != expected.runs[i].labels.digest()) return false;
  }
  return session.document.seeds == expected.document.seeds;
}

}  // namespace

class TestSessionFaults : public QObject {
  Q_OBJECT
 private slots:
  void cleanup() { test::allow_unnamed_files(true); }
  void one_failing_call_leaves_the_session_and_its_versions_data();
  void one_failing_call_leaves_the_session_and_its_versions();
  void three_failed_saves_change_nothing();
  void a_new_session_that_fails_leaves_no_file();
  void one_failing_call_leaves_the_autosave();
  void a_kill_at_any_moment_leaves_a_whole_session();
};

void TestSessionFaults::one_failing_call_leaves_the_session_and_its_versions_data() {
  QTest::addColumn<bool>("unnamed");
  QTest::newRow("files without a name") << true;
  QTest::newRow("named temporaries") << false;
}

void TestSessionFaults::one_failing_call_leaves_the_session_and_its_versions() {
  QFETCH(bool, unnamed);
  test::allow_unnamed_files(unnamed);
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  const fs::path file = folder / "s.json";
  std::map<std::string, std::string> before;
  const auto start_again = [&] {
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (int version = 1; version <= 4; ++version)
      save_session(file, small_session(version));
    before = contents_of(folder);
  };
  start_again();
  QCOMPARE(before.size(), std::size_t{4 + 4 * 2});  // four versions of a session, two runs each
  const int failures =
      fail_each_call([&] { save_session(file, small_session(5)); },
                     [&](const std::string& where) {
                       if (where.ends_with("failed")) {
                         QVERIFY2(contents_of(folder) == before, where.c_str());
                         return;
                       }
                       // A failure after the new file is durable is in moving an old version: all
                       // files are intact.
                       QVERIFY2(where.starts_with("call 3"), where.c_str());
                       QVERIFY2(is_whole(load_session(file)), where.c_str());
                       QCOMPARE(load_session(file).document.channel, std::string("5"));
                       for (int back = 1; back <= 3; ++back) {
                         const fs::path old = fs::path(file).concat("." + std::to_string(back));
                         if (fs::exists(old)) QVERIFY2(is_whole(load_session(old)), where.c_str());
                       }
                       for (const auto& [name, bytes] : contents_of(folder))
                         QVERIFY2(!name.starts_with("."), name.c_str());
                       start_again();
                     },
                     start_again);
  QVERIFY2(failures >= 9, qPrintable(QString::number(failures)));
}

void TestSessionFaults::three_failed_saves_change_nothing() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  for (int version = 1; version <= 4; ++version)
    save_session(folder / "s.json", small_session(version));
  const auto before = contents_of(folder);
  for (int attempt = 0; attempt < 3; ++attempt) {
    // The fourth rename or link would be that of the session itself.
    const test::FailingScope failing(FailingCall::Flush, 3, ENOSPC);
    QVERIFY_EXCEPTION_THROWN(save_session(folder / "s.json", small_session(5)), OutputError);
  }
  QVERIFY(contents_of(folder) == before);
}

void TestSessionFaults::a_new_session_that_fails_leaves_no_file() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  const int failures = fail_each_call(
      [&] {
        save_session(folder / "s.json", small_session(1));
        for (const auto& entry : fs::directory_iterator(folder))
          fs::remove(entry.path());
      },
      [&](const std::string& where) {
        if (where.ends_with("failed")) QVERIFY2(fs::is_empty(folder), where.c_str());
      },
      [] {});
  QVERIFY(failures >= 6);
}

void TestSessionFaults::one_failing_call_leaves_the_autosave() {
  const QTemporaryDir dir;
  Autosave autosave(dir.path().toStdString());
  const int failures = fail_each_call(
      [&] {
        autosave.kept_elsewhere(small_session(9));  // removes the existing file
        QVERIFY(autosave.save(small_session(1)));
        QVERIFY(autosave.save(small_session(2)));
      },
      [&](const std::string& where) {
        if (!fs::exists(autosave.file())) return;
        QVERIFY2(is_whole(load_session(autosave.file())), where.c_str());
      },
      [] {});
  QVERIFY(failures >= 9);
}

void TestSessionFaults::a_kill_at_any_moment_leaves_a_whole_session() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  const fs::path file = folder / "s.json";
  save_session(file, small_session(1));
  constexpr int kKills = 30;
  std::srand(20);
  for (int i = 0; i < kKills; ++i) {
    kill_after(5 + std::rand() % 40, [&] {
      test::allow_unnamed_files(i % 2 == 0);
      const OpenSession::Read read = OpenSession::open(file, nullptr);
      for (int version = 1;; ++version)
        read.file->save(small_session(1 + version % 250));
    });
    const SessionFile left = load_session(file);
    QVERIFY2(is_whole(left), left.warnings.empty() ? "" : left.warnings.front().c_str());
  }
  // The lock of a killed program is free, and the next save removes what the kills left.
  OpenSession::open(file, nullptr).file->save(small_session(2));
  io::remove_stale_temporaries(folder, std::chrono::seconds(0));
  for (const auto& [name, bytes] : contents_of(folder))
    QVERIFY2(name.starts_with("s.json") || name.starts_with("s-"), name.c_str());
}

QTEST_GUILESS_MAIN(TestSessionFaults)
#include "test_session_faults.moc"
