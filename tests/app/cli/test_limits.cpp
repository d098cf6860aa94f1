// SPDX-License-Identifier: Apache-2.0
//
// Refusals by the system: threads, memory, a working folder, a pipe's reader. Each gives one line
// and the right exit code.
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace seedwave;
using test::CliOutcome;
using test::run_pasted;

class TestLimits : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    // Any user that the program runs as below may read and write here.
    QFile::setPermissions(folder_.path(), QFile::Permissions(0x7777));
    Geometry grid;
    grid.size = {96, 96, 64};
    std::vector<std::int16_t> voxels(static_cast<std::size_t>(grid.voxel_count()));
    for (std::size_t i = 0; i < voxels.size(); ++i)
      voxels[i] = static_cast<std::int16_t>(i % 977);
    io::save_volume(folder_.filePath("a.nii").toStdString(), Volume(grid, std::move(voxels)));
  }

  void little_memory_is_one_line_data() {
    QTest::addColumn<int>("kilobytes");
    for (const int kilobytes : {0, 1'000, 5'000, 20'000, 60'000})
      QTest::addRow("%d kB beside the program", kilobytes) << kilobytes;
  }
  void little_memory_is_one_line();
  void no_thread_is_no_crash();
  void a_deleted_working_folder_is_one_line_data();
  void a_deleted_working_folder_is_one_line();
  void an_interrupt_ends_waiting_for_a_pipes_reader();

 private:
  [[nodiscard]] QString quoted(const QString& name) const {
    return '\'' + folder_.filePath(name) + '\'';
  }
  /// Returns the address space [kB] with which the program starts. With less, the loader or the
  /// libraries fail before any of its code has run.
  [[nodiscard]] static int space_to_start() {
    constexpr int kMost = 400'000;
    for (int kilobytes = 20'000; kilobytes < kMost; kilobytes += 1'000) {
      const auto tried =
          QString("ulimit -c 0; ulimit -v %1; exec seedwave-cli --version").arg(kilobytes);
      if (run_pasted(tried).code == 0) return kilobytes;
    }
    return kMost;
  }
  QTemporaryDir folder_;
};

void TestLimits::little_memory_is_one_line() {
  QFETCH(int, kilobytes);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  QSKIP("a sanitizer needs more address space than that");
#endif
  const CliOutcome outcome =
      run_pasted(QString("ulimit -v %1; exec seedwave-cli run threshold --image %2 --low 3")
                     .arg(space_to_start() + kilobytes)
                     .arg(quoted("a.nii")));
  if (outcome.code == 0) return;
  QVERIFY2(outcome.code == 5, outcome.err.constData());
  QCOMPARE(outcome.err.count('\n'), 1);
}

void TestLimits::no_thread_is_no_crash() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  QSKIP("a sanitizer has a thread of its own");
#endif
  // The limit does not apply to root.
  const QString as_nobody =
      ::getuid() == 0 ? "setpriv --reuid 65533 --regid 65533 --clear-groups " : "";
  const QString ulimit = "ulimit -u %1; exec seedwave-cli run distance --image %2 --threads 4";
  for (const int most : {0, 1, 2}) {
    const CliOutcome outcome =
        run_pasted(as_nobody + "bash -c \"" + ulimit.arg(most).arg(quoted("a.nii")) + '"');
    // The main thread alone is enough.
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(!outcome.err.contains("seedwave"), outcome.err.constData());
  }
}

void TestLimits::a_deleted_working_folder_is_one_line_data() {
  QTest::addColumn<QString>("words");
  QTest::addColumn<int>("code");
  QTest::newRow("output") << "run threshold --image %1 --low 3 --out b.nii" << 4;
  QTest::newRow("image") << "run threshold --image a.nii --low 3" << 3;
  QTest::newRow("convert") << "convert %1 b.nii" << 4;
  QTest::newRow("table") << "sweep threshold --image %1 --vary low=1,2 --out b.csv" << 4;
  QTest::newRow("all paths in full") << "run threshold --image %1 --low 3 --out %2 --quiet" << 0;
}

void TestLimits::a_deleted_working_folder_is_one_line() {
  QFETCH(QString, words);
  QFETCH(int, code);
  words.replace("%1", quoted("a.nii")).replace("%2", quoted("b.nii"));
  const CliOutcome outcome =
      run_pasted("mkdir " + quoted("gone") + "; cd " + quoted("gone") + "; rmdir " +
                 quoted("gone") + "; exec seedwave-cli " + words);
  QVERIFY2(outcome.code == code, outcome.err.constData());
  QCOMPARE(outcome.err.count('\n'), code == 0 ? 0 : 1);
}

void TestLimits::an_interrupt_ends_waiting_for_a_pipes_reader() {
  const QString pipe = folder_.filePath("pipe.nii");
  QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0666), 0);
  QProcess process;
  process.start(SEEDWAVE_CLI, {"run", "threshold", "--image", folder_.filePath("a.nii"), "--low",
                               "3", "--out", pipe, "--json"});
  QVERIFY(process.waitForStarted());
  // It is waiting in open() if its main thread sleeps there.
  const auto waits = [&] {
    QFile where(QString("/proc/%1/syscall").arg(process.processId()));
    const bool can_tell = where.open(QIODevice::ReadOnly);
    // openat(AT_FDCWD, ...) of x86-64.
    return can_tell && where.readAll().startsWith("257 ");
  };
  QElapsedTimer clock;
  clock.start();
  while (!waits() && clock.elapsed() < 5'000)
    QTest::qWait(20);
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY2(process.waitForFinished(10'000), "the first interrupt was swallowed");
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 130);
  QCOMPARE(process.readAllStandardError(), QByteArray("seedwave-cli: interrupted\n"));
}

QTEST_GUILESS_MAIN(TestLimits)
#include "test_limits.moc"
