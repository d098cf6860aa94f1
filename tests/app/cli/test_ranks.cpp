// SPDX-License-Identifier: Apache-2.0
//
// Runs that several processes share, started by mpirun: the same bits as by one process, one
// report, and one line where it does not work.
#include "tests/app/cli/cli_process.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <vector>

using namespace seedwave;
using test::CliOutcome;
using test::run_pasted;

class TestRanks : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void give_the_same_data();
  void give_the_same();
  void write_one_file();
  void map_the_files_that_all_see();
  void that_fail_tell_it_once_data();
  void that_fail_tell_it_once();

 private:
  [[nodiscard]] QString quoted(const QString& name) const {
    return '\'' + folder_.filePath(name) + '\'';
  }
  /// Returns the words after "seedwave-cli run".
  [[nodiscard]] QString on_slide(const QString& operation) const {
    return operation + " --image " + quoted("slide.ome.tif") + " --level 0 --json";
  }
  /// Runs the command as these processes: "-n 3 COMMAND", or several of them with ":" between.
  [[nodiscard]] static CliOutcome launch(const QString& processes) {
#ifdef SEEDWAVE_MPIRUN
    // Root is refused otherwise, and more processes than cores. Open MPI keeps memory until the
    // end, for which ASan would end the processes.
    return run_pasted(
        "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0; exec "
        "'" SEEDWAVE_MPIRUN "' --oversubscribe " +
        processes);
#else
    (void)processes;
    return {};
#endif
  }
  [[nodiscard]] static QByteArrayList own_lines(const QByteArray& text) {
    QByteArrayList lines;
    for (const QByteArray& line : text.split('\n'))
      if (line.startsWith("seedwave-cli: ") || line.startsWith("warning: ")) lines.push_back(line);
    return lines;
  }

  QTemporaryDir folder_;
};

void TestRanks::initTestCase() {
#ifndef SEEDWAVE_MPIRUN
  QSKIP("built without MPI");
#endif
  QVERIFY(folder_.isValid());
  QVERIFY(run_pasted("exec seedwave-cli bench slide " + quoted("slide.ome.tif") +
                     " --size 900,1100 --gray --tile 256 --quiet")
              .code == 0);
  QVERIFY(run_pasted("exec seedwave-cli bench slide " + quoted("colours.ome.tif") +
                     " --size 640,700 --tile 256 --quiet")
              .code == 0);
  QVERIFY(run_pasted("exec seedwave-cli run phases --quiet --level 0 --image " +
                     quoted("colours.ome.tif") + " --out " + quoted("phases.nrrd"))
              .code == 0);
  QVERIFY(run_pasted("exec seedwave-cli run threshold --low 120 --quiet --level 0 --image " +
                     quoted("slide.ome.tif") + " --out " + quoted("mask.nrrd"))
              .code == 0);
  QFile strokes(folder_.filePath("strokes.json"));
  QVERIFY(strokes.open(QIODevice::WriteOnly));
  strokes.write(R"({"seedwave": 1, "kind": "seeds", "space": "level0-px", "strokes": [
    {"label": 1, "radius": 5, "points": [[100, 90], [300, 200]]},
    {"label": 2, "radius": 5, "points": [[700, 900], [700, 1000]]},
    {"label": 3, "radius": 9, "points": [[800, 20]]}]})");
}

void TestRanks::give_the_same_data() {
  QTest::addColumn<QString>("operation");
  for (const char* operation :
       {"h-domes --h 20", "fill-holes", "open-by-reconstruction --radius 2", "regional-maxima"})
    QTest::newRow(operation) << operation;
  QTest::newRow("watershed") << "watershed --marker " + quoted("slide.ome.tif");
  QTest::newRow("opening") << "linear-opening --length 25 --angle 30";
  const QString phases = " --image " + quoted("phases.nrrd");
  QTest::newRow("correlations") << "tpcf --window 16 --out-image " + quoted("features.nrrd") +
                                       " --overwrite" + phases;
  const QString slide = " --level 0 --image " + quoted("slide.ome.tif");
  QTest::newRow("orientation") << "orientation --length 25 --angles 30" + slide;
  QTest::newRow("angular spectrum") << "angular-spectrum --length 25 --angles 30" + slide;
  QTest::newRow("granulometry") << "granulometry --longest 50" + slide;
  const QString mask = " --image " + quoted("mask.nrrd");
  QTest::newRow("distances") << "distance --out-nearest " + quoted("nearest.nrrd") +
                                    " --overwrite" + mask;
  QTest::newRow("influence zones") << "influence-zones" + mask;
  QTest::newRow("distances in a volume")
      << QStringLiteral("distance --image '" SEEDWAVE_PHANTOM "'");
  QTest::newRow("tissue") << "tissue --window 16 --clusters 3" + phases;
  for (const char* operation : {"afc", "rfc", "irfc"})
    QTest::newRow(operation) << operation + QString(" --seeds ") + quoted("strokes.json");
}

void TestRanks::give_the_same() {
  QFETCH(QString, operation);
  const QString words = operation.contains("--image") ? operation + " --json" : on_slide(operation);
  const QJsonObject one = run_pasted("exec seedwave-cli run " + words).json();
  QVERIFY(one["outputs"].isObject() && one["ranks"].isUndefined());
  const bool is_one_of_many = operation == "fill-holes" || operation == "regional-maxima" ||
                              operation.startsWith("open-") || operation.startsWith("afc") ||
                              operation.startsWith("rfc");
  for (const int count : is_one_of_many ? std::vector{3} : std::vector{1, 2, 3, 5}) {
    const CliOutcome outcome = launch(QStringLiteral("-n %1 seedwave-cli run ").arg(count) + words);
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject shared = outcome.json();
    QCOMPARE(shared["outputs"], one["outputs"]);
    if (count == 1) continue;
    QCOMPARE(shared["ranks"].toInt(), count);
    const QJsonArray shares = shared["devices"].toArray();
    QCOMPARE(shares.size(), count);
    if (!operation.contains("--image")) {  // in slabs
      for (const QJsonValue& share : shares)
        QVERIFY(share["visits"].toInt() > 0);
    }
    QVERIFY(shared["sent"]["shared_bytes"].toDouble() > 0.0);
  }
}

void TestRanks::write_one_file() {
  const CliOutcome outcome =
      launch("-n 3 seedwave-cli run " + on_slide("h-domes --h 20 --out " + quoted("domes.nrrd")));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  QCOMPARE(own_lines(outcome.err), QByteArrayList());
  QVERIFY(run_pasted("exec seedwave-cli run h-domes --h 20 --quiet --level 0 --image " +
                     quoted("slide.ome.tif") + " --out " + quoted("same.nrrd"))
              .code == 0);
  QCOMPARE(run_pasted("exec cmp " + quoted("domes.nrrd") + ' ' + quoted("same.nrrd")).code, 0);
}

/// 4200 x 4200 bytes, of which arrays do not fit into the memory.
void TestRanks::map_the_files_that_all_see() {
  QVERIFY(run_pasted("exec seedwave-cli bench slide " + quoted("large.ome.tif") +
                     " --size 4200,4200 --gray --quiet")
              .code == 0);
  QVERIFY(run_pasted("exec seedwave-cli convert " + quoted("large.ome.tif") + ' ' +
                     quoted("large.npy") + " --level 0 --channel gray --quiet")
              .code == 0);
  const QString words = "seedwave-cli run h-domes --h 20 --json --image " + quoted("large.npy") +
                        " --memory 64M --scratch " + quoted(".");
  const QJsonObject one = run_pasted("exec " + words).json();
  QVERIFY(one["outputs"].isObject());
  const QJsonObject shared = launch("-n 3 " + words).json();
  QCOMPARE(shared["ranks"].toInt(), 3);
  QCOMPARE(shared["outputs"], one["outputs"]);
}

void TestRanks::that_fail_tell_it_once_data() {
  QTest::addColumn<QString>("processes");
  QTest::addColumn<int>("code");
  QTest::addColumn<QByteArray>("message");
  const QString good = "seedwave-cli run " + on_slide("h-domes --h 20");
  QTest::newRow("wrong flags") << "-n 3 seedwave-cli run h-domes --height 3" << 2
                               << QByteArray("unknown flag --height");
  QTest::newRow("an operation for one process")
      << "-n 3 seedwave-cli run " + on_slide("median") << 2
      << QByteArray("is not shared among processes: start one");
  QTest::newRow("another command")
      << "-n 2 seedwave-cli ops" << 2 << QByteArray("only run is shared by several processes");
  QTest::newRow("another value")
      << "-n 1 " + good + " : -n 1 seedwave-cli run " + on_slide("h-domes --h 30") << 3
      << QByteArray("process 1 has another version, value, input or output than process 0");
  const QString distance = "seedwave-cli run " + on_slide("distance");
  QTest::newRow("an output that one process lacks")
      << "-n 1 " + distance + " --out-nearest " + quoted("nearest.nrrd") + " : -n 1 " + distance
      << 3 << QByteArray("process 1 has another version, value, input or output than process 0");
  QTest::newRow("another image")
      << "-n 2 " + good + " : -n 1 seedwave-cli run h-domes --h 20 --image " +
             quoted("missing.nrrd")
      << 3 << QByteArray("process 2 has another version, value, input or output than process 0");
  QTest::newRow("an image that is not there")
      << "-n 3 seedwave-cli run h-domes --image " + quoted("missing.nrrd") << 3
      << QByteArray("missing.nrrd");
}

void TestRanks::that_fail_tell_it_once() {
  QFETCH(QString, processes);
  QFETCH(int, code);
  QFETCH(QByteArray, message);
  const CliOutcome outcome = launch(processes);
  QCOMPARE(outcome.code, code);
  const QByteArrayList lines = own_lines(outcome.err);
  QVERIFY2(lines.size() == 1 && lines[0].contains(message), outcome.err.constData());
}

QTEST_GUILESS_MAIN(TestRanks)
#include "test_ranks.moc"
