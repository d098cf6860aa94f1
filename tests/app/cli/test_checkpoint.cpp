// SPDX-License-Identifier: Apache-2.0
//
// Runs with --checkpoint that are killed, and started again.
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QFile>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace seedwave;
using test::CliOutcome;
using test::run_pasted;

class TestCheckpoint : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void a_run_that_is_killed_goes_on_data();
  void a_run_that_is_killed_goes_on();
  void another_run_is_refused();
  void failures_are_one_line_data();
  void failures_are_one_line();

 private:
  [[nodiscard]] QString quoted(const QString& name) const {
    return '\'' + folder_.filePath(name) + '\'';
  }
  [[nodiscard]] QString command(const QString& operation) const {
    return "seedwave-cli run " + operation + " --image " + quoted("slide.ome.tif") +
           " --level 0 --json";
  }
  [[nodiscard]] QString saved(const QString& operation) const {
    return command(operation) + " --checkpoint " + quoted("checkpoint") + " --every 1ms";
  }
  [[nodiscard]] QStringList files() const {
    return QDir(folder_.filePath("checkpoint")).entryList(QDir::Files);
  }

  QTemporaryDir folder_;
};

void TestCheckpoint::initTestCase() {
  QVERIFY(folder_.isValid());
  QVERIFY(run_pasted("exec seedwave-cli bench slide " + quoted("slide.ome.tif") +
                     " --size 3000,3000 --gray --quiet")
              .code == 0);
}

void TestCheckpoint::a_run_that_is_killed_goes_on_data() {
  QTest::addColumn<QString>("operation");
  QTest::newRow("reconstruction") << "h-domes --h 20";
  QTest::newRow("a watershed, of three passes") << "watershed --marker " + quoted("slide.ome.tif");
}

/// Killed as soon as something is saved, in other parts each time.
void TestCheckpoint::a_run_that_is_killed_goes_on() {
  QFETCH(QString, operation);
  const CliOutcome whole = run_pasted("exec " + command(operation));
  QVERIFY2(whole.code == 0, whole.err.constData());
  double restored = 0.0;
  for (int attempt = 0; attempt < 5 && restored == 0.0; ++attempt) {
    // The shell waits until there are files, at most ten seconds, and kills.
    const CliOutcome killed =
        run_pasted(saved(operation) + " --tile " + QString::number(40 + 30 * attempt) +
                   " > /dev/null & for i in $(seq 1000); do "
                   "ls " +
                   quoted("checkpoint") +
                   "/*.states > /dev/null 2>&1 && break; sleep 0.01; done; "
                   "kill -9 $!; wait $!");
    QVERIFY(killed.code == 137 || killed.code == 0);
    const CliOutcome resumed = run_pasted("exec " + saved(operation));
    QVERIFY2(resumed.code == 0, resumed.err.constData());
    QCOMPARE(resumed.json()["outputs"], whole.json()["outputs"]);
    QVERIFY(!QFile::exists(folder_.filePath("checkpoint")));
    restored = resumed.json()["restored_bytes"].toDouble();
  }
  QVERIFY(restored > 0.0);
}

void TestCheckpoint::another_run_is_refused() {
  QVERIFY(QDir(folder_.path()).mkpath("checkpoint"));
  QFile file(folder_.filePath("checkpoint/states-0-9000000-0-4.states"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("Seedwave checkpoint 1\nanother\nxxh64:0\nabcd");
  file.close();
  const CliOutcome refused = run_pasted("exec " + saved("h-domes --h 20"));
  QCOMPARE(refused.code, 3);
  QVERIFY2(refused.err.contains("holds the checkpoint of another run"), refused.err.constData());
  QCOMPARE(files(), QStringList("states-0-9000000-0-4.states"));
  QVERIFY(file.remove());
}

void TestCheckpoint::failures_are_one_line_data() {
  QTest::addColumn<QString>("words");
  QTest::addColumn<int>("code");
  QTest::addColumn<QByteArray>("message");
  QTest::newRow("an operation without slabs")
      << saved("median") << 2 << QByteArray("cannot be saved on its way");
  QTest::newRow("a time without a place")
      << command("h-domes") + " --every 5s" << 2 << QByteArray("--every belongs to --checkpoint");
  QTest::newRow("no time") << command("h-domes") + " --checkpoint c --every soon" << 2
                           << QByteArray("--every must be a time such as");
  QTest::newRow("too long a time") << command("h-domes") + " --checkpoint c --every 3000000h" << 2
                                   << QByteArray("--every must be a time such as");
  QTest::newRow("repeated") << saved("h-domes") + " --repeat 3" << 2
                            << QByteArray("--checkpoint and --repeat exclude each other");
  QTest::newRow("a file in its place")
      << command("h-domes") + " --checkpoint " + quoted("slide.ome.tif") << 4
      << QByteArray("cannot make the folder");
}

void TestCheckpoint::failures_are_one_line() {
  QFETCH(QString, words);
  QFETCH(int, code);
  QFETCH(QByteArray, message);
  const CliOutcome outcome = run_pasted("exec " + words, folder_.path());
  QCOMPARE(outcome.code, code);
  QVERIFY2(outcome.err.count('\n') == 1 && outcome.err.contains(message), outcome.err.constData());
}

QTEST_GUILESS_MAIN(TestCheckpoint)
#include "test_checkpoint.moc"
