// SPDX-License-Identifier: Apache-2.0
//
// The files of a run appear together, even if system calls fail or the program is killed.
#include "core/image/volume.h"
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdlib>
#include <map>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

using namespace seedwave;
using test::CliOutcome;

namespace {

using Contents = std::map<QString, QByteArray>;

Contents contents_of(const QString& folder) {
  Contents contents;
  for (const QString& name : QDir(folder).entryList(QDir::Files | QDir::Hidden)) {
    QFile file(folder + '/' + name);
    if (file.open(QIODevice::ReadOnly)) contents[name] = file.readAll();
  }
  return contents;
}

/// Returns a plate with a few objects as an image.
Volume objects(std::int64_t side, std::int64_t step) {
  Geometry grid;
  grid.size = {side, side, 1};
  grid.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(side * side));
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const auto x = static_cast<std::int64_t>(i) % side;
    const auto y = static_cast<std::int64_t>(i) / side;
    voxels[i] = x % step > 3 && y % step > 3 ? 200 : 0;
  }
  return {grid, std::move(voxels)};
}

/// Returns whether a process has a handler for a signal: a bit of SigCgt.
bool catches(qint64 process, int signal) {
  QFile status(QStringLiteral("/proc/%1/status").arg(process));
  if (!status.open(QIODevice::ReadOnly)) return false;
  for (const QByteArray& line : status.readAll().split('\n')) {
    if (line.startsWith("SigCgt:"))
      return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1U) != 0;
  }
  return false;
}

}  // namespace

class TestOutputFiles : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void one_failing_call_changes_no_output();
  void kills_leave_no_file_in_parts();
  void a_full_file_is_an_error_and_no_signal();
  void a_closed_pipe_is_an_error_and_no_signal();
  void a_hangup_ends_like_a_termination();
  void a_sweep_keeps_its_table();

 private:
  [[nodiscard]] QString path(const QString& name) const { return folder_->filePath(name); }
  /// Returns the arguments of a run with three outputs in the folder "out".
  [[nodiscard]] QStringList run(const QString& image) const {
    return {"run",       "distance",           "--image",       path(image),
            "--out",     path("out/a.nii.gz"), "--out-nearest", path("out/b.nrrd"),
            "--picture", path("out/c.png"),    "--quiet"};
  }
  /// Runs with the library of failing calls between the program and the system.
  static CliOutcome run_failing(const QStringList& arguments, const QString& call, int at,
                                bool unnamed);

  std::unique_ptr<QTemporaryDir> folder_;
};

void TestOutputFiles::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  QVERIFY(QDir().mkpath(path("out")));
  io::save_volume(path("old.png").toStdString(), objects(24, 8));
  io::save_volume(path("new.png").toStdString(), objects(24, 12));
}

CliOutcome TestOutputFiles::run_failing(const QStringList& arguments, const QString& call, int at,
                                        bool unnamed) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("LD_PRELOAD", SEEDWAVE_FAILING_CALLS);
  environment.insert("SEEDWAVE_FAILING_CALL", call);
  environment.insert("SEEDWAVE_FAILING_AT", QString::number(at));
  if (!unnamed) environment.insert("SEEDWAVE_NO_UNNAMED_FILES", "1");
  process.setProcessEnvironment(environment);
  process.start(SEEDWAVE_CLI, arguments);
  if (!process.waitForFinished(test::kCliTimeoutMs)) return {};
  const int code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
  return {code, process.readAllStandardOutput(), process.readAllStandardError()};
}

void TestOutputFiles::one_failing_call_changes_no_output() {
  QCOMPARE(test::run_cli(run("old.png")).code, 0);
  QVERIFY(QFile::remove(path("out/b.nrrd")));  // one new, two replaced
  const Contents before = contents_of(path("out"));
  QCOMPARE(before.size(), std::size_t{2});
  int failures = 0;
  for (const char* call : {"write", "fsync", "rename", "link"}) {
    for (int n = 1;; ++n) {
      const CliOutcome outcome = run_failing(run("new.png"), call, n, n % 2 == 1);
      if (outcome.code == 0) break;
      QVERIFY2(outcome.code == 4, outcome.err.constData());
      QVERIFY2(outcome.err.contains("cannot write") && outcome.err.contains("/out/"),
               outcome.err.constData());
      QCOMPARE(outcome.err.count('\n'), 1);
      QVERIFY2(contents_of(path("out")) == before, call);
      ++failures;
    }
    QCOMPARE(test::run_cli(run("old.png")).code, 0);
    QVERIFY(QFile::remove(path("out/b.nrrd")));
  }
  QVERIFY2(failures >= 8, qPrintable(QString::number(failures)));
}

void TestOutputFiles::kills_leave_no_file_in_parts() {
  QCOMPARE(test::run_cli(run("new.png")).code, 0);
  const Contents new_files = contents_of(path("out"));
  QCOMPARE(test::run_cli(run("old.png")).code, 0);
  const Contents old_files = contents_of(path("out"));
  QElapsedTimer clock;
  clock.start();
  QCOMPARE(test::run_cli(run("old.png")).code, 0);
  const auto whole_ms = static_cast<int>(clock.elapsed());
  std::srand(21);
  constexpr int kKills = 30;
  for (int i = 0; i < kKills; ++i) {
    QProcess process;
    process.start(SEEDWAVE_CLI, run(i % 2 == 0 ? "new.png" : "old.png"));
    QVERIFY(process.waitForStarted());
    QTest::qSleep(std::rand() % (whole_ms + 1));
    process.kill();
    QVERIFY(process.waitForFinished());
    for (const auto& [name, bytes] : contents_of(path("out"))) {
      if (name.startsWith(".seedwave-")) continue;  // between two calls; collected later
      QVERIFY2(bytes == old_files.at(name) || bytes == new_files.at(name), qPrintable(name));
    }
  }
}

void TestOutputFiles::a_full_file_is_an_error_and_no_signal() {
  io::save_volume(path("large.png").toStdString(), objects(300, 7));
  QString command = QStringLiteral("ulimit -f 8; exec '%1'").arg(SEEDWAVE_CLI);
  for (const QString& word : run("large.png"))
    command += " '" + word + "'";
  const CliOutcome outcome = test::run_pasted(command);
  QCOMPARE(outcome.code, 4);
  QVERIFY2(outcome.err.contains("File too large"), outcome.err.constData());
  QVERIFY(contents_of(path("out")).empty());
}

void TestOutputFiles::a_closed_pipe_is_an_error_and_no_signal() {
  // The shell reports how the program ended, not how its reader did.
  const QString closed = path("closed");
  const CliOutcome outcome = test::run_pasted(
      QStringLiteral("{ until [ -e '%2' ]; do sleep 0.01; done; '%1' ops --json; echo $? >&2; } | "
                     "{ exec 0<&-; touch '%2'; sleep 0.1; }; sleep 0.1")
          .arg(SEEDWAVE_CLI, closed));
  QVERIFY2(outcome.err.contains("standard output") && outcome.err.trimmed().endsWith("4"),
           outcome.err.constData());
}

void TestOutputFiles::a_hangup_ends_like_a_termination() {
  io::save_volume(path("large.png").toStdString(), objects(800, 90));
  for (const int signal : {SIGTERM, SIGHUP}) {
    QProcess process;
    // Repeats until it is stopped.
    process.start(SEEDWAVE_CLI, run("large.png") + QStringList{"--repeat", "10000"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(catches(process.processId(), signal), test::kCliTimeoutMs);
    ::kill(static_cast<pid_t>(process.processId()), signal);
    QVERIFY(process.waitForFinished(test::kCliTimeoutMs));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(contents_of(path("out")).empty());
  }
}

void TestOutputFiles::a_sweep_keeps_its_table() {
  const QStringList sweep{"sweep",        "threshold", "--image",         path("old.png"), "--vary",
                          "low=1,50,100", "--out",     path("out/t.csv"), "--quiet"};
  QCOMPARE(test::run_cli(sweep).code, 0);
  const Contents before = contents_of(path("out"));
  for (const char* call : {"write", "fsync", "rename", "link"}) {
    const CliOutcome outcome = run_failing(sweep, call, 1, call[0] != 'r');
    QCOMPARE(outcome.code, 4);
    QVERIFY2(contents_of(path("out")) == before, call);
  }
}

QTEST_GUILESS_MAIN(TestOutputFiles)
#include "test_output_files.moc"
