// SPDX-License-Identifier: Apache-2.0
//
// Operations on a whole slide within a memory limit: the same bits as in memory, whatever the
// parts.
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace seedwave;
using test::CliOutcome;
using test::run_pasted;

class TestWholeSlides : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    QVERIFY(QDir(folder_.path()).mkdir("scratch"));
    const CliOutcome made = run_pasted("exec seedwave-cli bench slide " + quoted("slide.ome.tif") +
                                       " --size 4096,4100 --gray --tile 256 --quiet");
    QVERIFY2(made.code == 0, made.err.constData());
  }

  void a_limit_changes_no_bit_data() {
    QTest::addColumn<QString>("words");
    QTest::newRow("in parts") << "fill-holes";
    QTest::newRow("an opening by reconstruction") << "open-by-reconstruction --radius 2";
    QTest::newRow("along lines") << "linear-opening --length 25 --angle 30";
    QTest::newRow("in the order of rows") << "distance";
    QTest::newRow("steps in parts") << "split-objects";
    QTest::newRow("without parts, another type") << "gaussian --sigma 1";
    QTest::newRow("estimates of the whole") << "phases";
    QTest::newRow("in bands of rows") << "tissue --window 8 --majority 4 --phases 3";
  }
  void a_limit_changes_no_bit();
  void parts_of_any_thickness_give_the_same();
  void several_workers_give_the_same_data();
  void several_workers_give_the_same();
  void workers_that_cannot_be_had_are_one_line_data();
  void workers_that_cannot_be_had_are_one_line();
  void a_preview_ends_as_the_labels();
  void a_preview_that_cannot_be_is_refused();
  void lengths_are_micrometres();
  void results_of_a_level_serve_as_inputs_there();
  void a_folder_that_is_not_there_is_one_line();
  void too_little_memory_is_one_line();

 private:
  [[nodiscard]] QString quoted(const QString& name) const {
    return '\'' + folder_.filePath(name) + '\'';
  }
  [[nodiscard]] CliOutcome run(const QString& operation, const QString& how) const {
    return run_pasted("exec seedwave-cli run " + operation + " --image " + quoted("slide.ome.tif") +
                      ' ' + how + " --json");
  }
  [[nodiscard]] QJsonObject result_of(const QString& operation, const QString& how) const {
    const CliOutcome outcome = run(operation, how);
    if (outcome.code != 0) qWarning("%s", outcome.err.constData());
    return outcome.json();
  }
  /// The scratch folder is empty at the end.
  [[nodiscard]] bool is_clean() const {
    return QDir(folder_.filePath("scratch"))
        .isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }
  QTemporaryDir folder_;
};

void TestWholeSlides::a_limit_changes_no_bit() {
  QFETCH(QString, words);
  const QJsonObject whole = result_of(words, "--level 0");
  QVERIFY(!whole["outputs"].toObject().isEmpty());
  QCOMPARE(whole["scratch_bytes"].toDouble(), 0.0);
  const QJsonObject within =
      result_of(words, "--level 0 --memory 30M --scratch " + quoted("scratch"));
  QCOMPARE(within["outputs"], whole["outputs"]);
  QVERIFY(within["scratch_bytes"].toDouble() > 16e6);
  QVERIFY(is_clean());
}

void TestWholeSlides::parts_of_any_thickness_give_the_same() {
  const QString words = "h-domes --h 20";
  const QJsonObject whole = result_of(words, "--level 0");
  for (const char* tile : {"64", "257", "1024", "1000000"}) {
    const QJsonObject parts = result_of(words, "--level 0 --tile " + QString(tile));
    QCOMPARE(parts["outputs"], whole["outputs"]);
  }
}

void TestWholeSlides::several_workers_give_the_same_data() {
  QTest::addColumn<QString>("words");
  QTest::addColumn<QString>("how");
  const QString marker = "watershed --marker " + quoted("slide.ome.tif");
  QTest::newRow("reconstruction") << "h-domes --h 20"
                                  << "--level 0";
  QTest::newRow("within a memory, in files")
      << "h-domes --h 20"
      << "--level 0 --memory 60M --scratch " + quoted("scratch");
  QTest::newRow("a watershed") << marker << "--level 1";
  QTest::newRow("distances") << "distance"
                             << "--level 0";
  QTest::newRow("a granulometry") << "granulometry --longest 30"
                                  << "--level 0";
  QTest::newRow("an opening along lines") << "linear-opening --angle 30 --length 15"
                                          << "--level 0";
  QTest::newRow("the same within a memory, in files")
      << "linear-opening --angle 30 --length 15"
      << "--level 0 --memory 60M --scratch " + quoted("scratch");
  QTest::newRow("tissue in bands") << "tissue --window 8 --majority 4 --phases 3"
                                   << "--level 2 --memory 60M --scratch " + quoted("scratch");
}

void TestWholeSlides::several_workers_give_the_same() {
  QFETCH(QString, words);
  QFETCH(QString, how);
  const QJsonObject one = result_of(words, how);
  QVERIFY(one["devices"].isUndefined());
  for (const char* devices : {"cpu,cpu", "cpu,cpu,cpu"}) {
    const QJsonObject several = result_of(words, how + " --threads 3 --devices " + devices);
    QCOMPARE(several["outputs"], one["outputs"]);
    const QJsonArray shares = several["devices"].toArray();
    QCOMPARE(shares.size(), QString(devices).count("cpu"));
    double visits = 0.0;
    for (const QJsonValue& share : shares)
      visits += share["visits"].toDouble();
    QVERIFY(visits >= 16);
    QVERIFY(shares.at(0)["name"].toString().startsWith("CPU, "));
    QVERIFY(shares.at(0)["busy_ms"].toDouble() > 0.0);
    QVERIFY(shares.at(0)["cells"].toDouble() > 0.0);
  }
}

void TestWholeSlides::workers_that_cannot_be_had_are_one_line_data() {
  QTest::addColumn<QString>("words");
  QTest::addColumn<QString>("how");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("message");
  QTest::newRow("no such device") << "h-domes"
                                  << "--devices cpu,cuda:99" << 5 << "there is no device cuda:99: ";
  QTest::newRow("no such kind") << "h-domes"
                                << "--devices cpu,tpu" << 2
                                << "--devices must be all, or a list of cpu, cuda:0, cuda:1";
  QTest::newRow("an empty name") << "h-domes"
                                 << "--devices cpu," << 2 << "not 'cpu,'";
  QTest::newRow("a backend as well")
      << "h-domes"
      << "--devices cpu,cpu --backend cpu" << 2 << "--devices and --backend exclude each other";
  QTest::newRow("cannot be shared")
      << "median"
      << "--devices cpu,cpu" << 2 << "is not shared among devices: name one";
}

void TestWholeSlides::workers_that_cannot_be_had_are_one_line() {
  QFETCH(QString, words);
  QFETCH(QString, how);
  QFETCH(int, code);
  QFETCH(QString, message);
  const CliOutcome outcome = run(words, "--level 2 " + how);
  QCOMPARE(outcome.code, code);
  QCOMPARE(outcome.err.count('\n'), 1);
  QVERIFY2(outcome.err.contains(message.toUtf8()), outcome.err.constData());
}

void TestWholeSlides::a_preview_ends_as_the_labels() {
  // A row and column of five: 820 x 820 pixels.
  const QJsonObject result = result_of(
      "threshold", "--low 90 --preview " + quoted("so far.png") + " --out " + quoted("whole.npy"));
  QVERIFY(!result.isEmpty());
  Context context;
  const LabelMap preview = io::read_labels(folder_.filePath("so far.png").toStdString(), context);
  const LabelMap whole = io::read_labels(folder_.filePath("whole.npy").toStdString(), context);
  constexpr std::int64_t kStep = 5;
  QCOMPARE(preview.geometry().size, (Index3{820, 820, 1}));
  for (std::int64_t y = 0; y < preview.geometry().size[1]; ++y) {
    for (std::int64_t x = 0; x < preview.geometry().size[0]; ++x)
      QCOMPARE(preview.at({x, y, 0}), whole.at({kStep * x, kStep * y, 0}));
  }
}

void TestWholeSlides::a_preview_that_cannot_be_is_refused() {
  const auto refusal = [&](const QString& operation, const QString& how) {
    const CliOutcome outcome = run(operation, how);
    return QString::number(outcome.code) + ' ' + outcome.err;
  };
  QVERIFY(refusal("threshold", "--preview " + quoted("a.jpg")).startsWith("4 "));
  QVERIFY(refusal("threshold", "--preview " + quoted("no folder/a.png")).startsWith("4 "));
  QVERIFY(refusal("gaussian", "--preview " + quoted("a.png")).startsWith("2 "));
}

void TestWholeSlides::lengths_are_micrometres() {
  const QJsonObject image = result_of("threshold --low 3", "--level 1")["image"].toObject();
  QCOMPARE(image["unit"].toString(), QString("\u00b5m"));
  QCOMPARE(image["spacing"].toArray().at(0).toDouble(), 0.5);
}

/// Such a file opens at another level, and its finest is not always that of the slide.
void TestWholeSlides::results_of_a_level_serve_as_inputs_there() {
  const QString mask = quoted("mask.ome.tif");
  const auto labels_of = [](const QJsonObject& result) -> QJsonValue {
    return result["outputs"].toObject()["labels"].toObject()["digest"];
  };
  for (const QString& level : {QString("--level 1"), QString("--level 0")}) {
    const QJsonValue there = labels_of(result_of("threshold --low 90", level + " --out " + mask));
    QVERIFY(there.isString());
    // Each voxel of the mask is its own marker.
    QCOMPARE(labels_of(result_of("watershed", level + " --marker " + mask + " --mask " + mask)),
             there);
    QVERIFY(level == "--level 0" || QFile::remove(folder_.filePath("mask.ome.tif")));
  }
  // Those of the whole serve a part.
  const QString part = "--level 0 --region 512,1024,3000,3001";
  const QJsonValue there = labels_of(result_of("threshold --low 90", part));
  QVERIFY(there.isString());
  QCOMPARE(labels_of(result_of("watershed", part + " --marker " + mask + " --mask " + mask)),
           there);
}

void TestWholeSlides::a_folder_that_is_not_there_is_one_line() {
  const CliOutcome outcome = run("fill-holes", "--level 0 --scratch " + quoted("none"));
  QCOMPARE(outcome.code, 5);
  QCOMPARE(outcome.err.count('\n'), 1);
  QVERIFY(outcome.err.contains("cannot make a file for large arrays in"));
  // One that nobody asked for is not needed.
  const CliOutcome other =
      run_pasted("TMPDIR=" + quoted("none") + " exec seedwave-cli run fill-holes --image " +
                 quoted("slide.ome.tif") + " --level 2 --json");
  QVERIFY2(other.code == 0, other.err.constData());
}

void TestWholeSlides::too_little_memory_is_one_line() {
  const CliOutcome outcome =
      run("fill-holes", "--level 0 --memory 10k --scratch " + quoted("scratch"));
  QCOMPARE(outcome.code, 5);
  QCOMPARE(outcome.err.count('\n'), 1);
  QVERIFY(is_clean());
}

QTEST_GUILESS_MAIN(TestWholeSlides)
#include "test_whole_slides.moc"
