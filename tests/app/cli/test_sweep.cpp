// SPDX-License-Identifier: Apache-2.0
// `seedwave-cli sweep` as seen by a user or script: the table, the JSON, refusals, an interruption,
// and that every row equals the result of `run`.
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/cli/sweep_scene.h"
#include "tests/support/test_data.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace seedwave;
using test::CliOutcome;
using test::path_of;
using test::rows_in;
using test::run_cli;
using test::What;

class TestSweep : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void writes_a_table_whose_rows_run_gives_again();
  void json_has_commands_that_give_the_same();
  void prints_a_table_without_out();
  void what_lies_beyond_the_reference_may_count_for_nothing();
  void values_that_do_not_go_together_are_told();
  void fails_with_one_line_and_the_right_code_data();
  void fails_with_one_line_and_the_right_code();
  void an_interruption_leaves_the_rows_that_are_done_data();
  void an_interruption_leaves_the_rows_that_are_done();
  void an_interruption_before_the_first_row_leaves_no_file();
  void finds_the_plateau_on_a_brain();

 private:
  [[nodiscard]] QString file(const char* name) const { return folder_->filePath(name); }
  [[nodiscard]] QStringList irfc(const char* command) const {
    return {command, "irfc", "--image", file("scene.nii.gz"), "--seeds", file("seeds.nii")};
  }
  [[nodiscard]] QStringList sweep(const QStringList& more) const {
    return irfc("sweep") + QStringList{"--reference", file("truth.nii")} + more;
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

void TestSweep::initTestCase() {
  folder_ = std::make_unique<QTemporaryDir>(QDir::tempPath() + "/Größe wählen's XXXXXX");
  QVERIFY(folder_->isValid());
  const Volume image = test::sweep_scene();
  io::save_volume(path_of(file("scene.nii.gz")), image);
  io::save_labels(path_of(file("seeds.nii")), test::sweep_labels(image.geometry(), What::Seeds));
  io::save_labels(path_of(file("truth.nii")), test::sweep_labels(image.geometry(), What::Truth));
}

void TestSweep::writes_a_table_whose_rows_run_gives_again() {
  const QString table = file("table.csv");
  const CliOutcome outcome =
      run_cli(sweep({"--vary", "sigma-o=10:40:*2", "--vary", "connectivity=6,26", "--smooth", "0.5",
                     "--out", table}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  QVERIFY2(outcome.err.isEmpty(), outcome.err.constData());
  QVERIFY(outcome.out.contains("6 runs"));
  QVERIFY(outcome.out.contains("labels 1 and 2 (mean)"));
  const auto rows = rows_in(table);
  QCOMPARE(rows.size(), 6);
  QSet<QString> digests;
  for (int i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    QCOMPARE(row["run"], QString::number(i + 1));
    QCOMPARE(row["sigma_o"], QStringList({"10", "10", "20", "20", "40", "40"})[i]);
    QCOMPARE(row["connectivity"], QString(i % 2 == 0 ? "6" : "26"));
    const CliOutcome run = run_cli(
        irfc("run") + QStringList{"--reference", file("truth.nii"), "--smooth", "0.5", "--sigma-o",
                                  row["sigma_o"], "--connectivity", row["connectivity"], "--json"});
    QCOMPARE(run.code, 0);
    const QJsonObject labels = run.json()["outputs"].toObject()["labels"].toObject();
    const QJsonObject dice = run.json()["dice"].toObject();
    QCOMPARE(row["digest"], labels["digest"].toString());
    for (const char* label : {"1", "2"}) {
      QCOMPARE(row[QString("dice_") + label].toDouble(), dice[label].toDouble());
      QCOMPARE(row[QString("voxels_") + label].toInt(), labels["counts"].toObject()[label].toInt());
    }
    QCOMPARE(row["dice"].toDouble(), (dice["1"].toDouble() + dice["2"].toDouble()) / 2);
    digests.insert(row["digest"]);
  }
  QVERIFY(digests.size() > 1);
}

void TestSweep::json_has_commands_that_give_the_same() {
  const CliOutcome outcome =
      run_cli(sweep({"--vary", "sigma_o=5:45:*3", "--object", "all", "--json"}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  QCOMPARE(outcome.out.count('\n'), 1);
  const QJsonObject json = outcome.json();
  QCOMPARE(json["operation"].toString(), "irfc");
  QCOMPARE(json["runs"].toInt(), 3);
  QCOMPARE(json["done"].toInt(), 3);
  QCOMPARE(json["set"].toObject()["object"].toString(), "all");
  const QJsonArray rows = json["rows"].toArray();
  QCOMPARE(rows.size(), 3);
  for (const QJsonObject& place :
       {json["best"].toObject(), json["plateau"].toObject()["centre"].toObject()}) {
    const QString command = place["command"].toString();
    QVERIFY(command.startsWith("seedwave-cli run irfc "));
    const CliOutcome again = test::run_pasted(command + " --json");
    QVERIFY2(again.code == 0, again.err.constData());
    const QJsonObject row = rows[place["run"].toInt() - 1].toObject();
    QCOMPARE(again.json()["outputs"].toObject()["labels"].toObject()["digest"].toString(),
             row["digest"].toString());
    QCOMPARE(again.json()["values"], row["values"]);
  }
}

void TestSweep::prints_a_table_without_out() {
  const CliOutcome outcome = run_cli(sweep({"--vary", "sigma_o=5:45:*3"}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QList<QByteArray> lines = outcome.out.split('\n');
  QVERIFY(lines[0].contains("sigma_o") && lines[0].contains("neighbours"));
  QVERIFY(lines[3].contains("45"));
  QVERIFY(outcome.out.contains("seedwave-cli run irfc"));
  QCOMPARE(run_cli(sweep({"--vary", "sigma_o=5:45:*3", "--quiet"})).out.count('\n'), 4);
}

void TestSweep::what_lies_beyond_the_reference_may_count_for_nothing() {
  // The reference has the first two of three regions; the third has seeds too.
  const QStringList varied{"--vary", "sigma_o=5:45:*3", "--json"};
  const QJsonObject whole = run_cli(sweep(varied)).json();
  const CliOutcome outcome = run_cli(sweep(varied + QStringList{"--where-labelled"}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject parts = outcome.json();
  QCOMPARE(parts["scored"].toString(),
           whole["scored"].toString() + ", where the reference is labelled");
  int more = 0;
  for (int i = 0; i < 3; ++i) {
    const QJsonObject one = whole["rows"].toArray()[i].toObject();
    const QJsonObject other = parts["rows"].toArray()[i].toObject();
    QCOMPARE(other["digest"], one["digest"]);
    QVERIFY(other["dice"].toDouble() >= one["dice"].toDouble());
    more += other["dice"].toDouble() > one["dice"].toDouble() ? 1 : 0;
  }
  QVERIFY(more > 0);
}

void TestSweep::values_that_do_not_go_together_are_told() {
  const QStringList threshold{"sweep", "threshold", "--image", file("scene.nii.gz")};
  const CliOutcome some =
      run_cli(threshold + QStringList{"--vary", "low=50,150", "--vary", "high=100,200"});
  QVERIFY2(some.code == 0, some.err.constData());
  QCOMPARE(some.out.count("low"), 2);  // the column, and the reason of the third row
  const CliOutcome none = run_cli(
      threshold + QStringList{"--vary", "low=50,60", "--high", "10", "--out", file("n.csv")});
  QCOMPARE(none.code, 2);
  QVERIFY(none.err.contains("no combination of values is valid"));
}

void TestSweep::fails_with_one_line_and_the_right_code_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const QStringList& words, int code, const QString& part) {
    QTest::newRow(name) << words << code << part;
  };
  const auto varied = [this](const char* text) { return sweep({"--vary", text}); };
  row("no operation", {"sweep"}, 2, "needs an operation or a recipe first");
  row("unknown operation", {"sweep", "grow"}, 2, "'grow'");
  row("nothing varied", sweep({}), 2, "--vary PARAM=FROM:TO:STEP is missing");
  row("no such parameter", varied("sigma=1:2:1"), 2, "no parameter 'sigma', only m,");
  row("no values", varied("sigma_o"), 2, "--vary sigma_o: no values");
  row("step 0", varied("sigma_o=1:2:0"), 2, "step must not be 0");
  row("wrong sign", varied("sigma_o=1:2:-1"), 2, "leads away from 2");
  row("never ends", varied("sigma_o=1:2:*1"), 2, "the factor must not be 1");
  row("out of range", varied("smooth=0:11:1"), 2, "smooth must be a number from 0 to 10, not 11");
  row("2-D choice on a volume", varied("connectivity=4,8"), 2, "6, 18 or 26 on a volume");
  row("too many", varied("sigma_o=1:2:1e-9"), 2, "10000 runs");
  row("too many together", sweep({"--vary", "sigma_o=1:101:1", "--vary", "sigma_h=1:101:1"}), 2,
      "10000 runs");
  row("twice", sweep({"--vary", "sigma_o=1,2", "--vary", "sigma-o=3,4"}), 2, "varied twice");
  row("set and varied", sweep({"--vary", "sigma_o=1,2", "--sigma-o", "3"}), 2,
      "--sigma-o is set, but --vary changes it");
  row("labels without a reference", irfc("sweep") + QStringList{"--vary", "m=1,2", "--labels", "1"},
      2, "--reference PATH is missing");
  row("parts of no reference", irfc("sweep") + QStringList{"--vary", "m=1,2", "--where-labelled"},
      2, "--reference PATH is missing");
  row("no label", sweep({"--vary", "m=1,2", "--labels", "0"}), 2, "from 1 to 4294967295");
  row("label not there", sweep({"--vary", "m=1,2", "--labels", "3"}), 3, "no label 3, only 1, 2");
  row("tolerance", sweep({"--vary", "m=1,2", "--tolerance", "2"}), 2, "--tolerance");
  row("two tables", sweep({"--vary", "m=1,2", "--out", "a.csv", "--out", "b.csv"}), 2, "twice");
  row("flag of run", sweep({"--vary", "m=1,2", "--repeat", "3"}), 2, "--repeat");
  row("no seeds", {"sweep", "irfc", "--image", file("scene.nii.gz"), "--vary", "m=1,2"}, 3,
      "--seeds PATH is missing");
  row("no image file", {"sweep", "threshold", "--image", file("no.nii"), "--vary", "low=1,2"}, 3,
      "no.nii");
  row("no table", sweep({"--vary", "m=1,2", "--out", file("t.txt")}), 4, "suffix .csv");
  row("no folder", sweep({"--vary", "m=1,2", "--out", file("no/t.csv")}), 4, "no folder");
  row("cannot be written", sweep({"--vary", "m=100,110", "--out", "/proc/t.csv"}), 4,
      "/proc/t.csv");
  row("no such score", sweep({"--vary", "m=1,2", "--rank-by", "f2"}), 2,
      "--rank-by must be one of dice, jaccard, f1, f1_mean");
  row("score of objects", sweep({"--vary", "m=1,2", "--rank-by", "f1"}), 2,
      "cannot be ranked by F1 of objects");
  row("no recipe", {"sweep", file("no.json"), "--image", "a", "--vary", "a.b=1,2"}, 3, "no.json");
  row("recipe of an operation", sweep({"--vary", "m=1,2", "--out-recipe", file("r.json")}), 2,
      "irfc is no recipe");
  row("no device", sweep({"--vary", "m=100,110", "--backend", "cuda", "--device", "99"}), 5, "");
}

void TestSweep::fails_with_one_line_and_the_right_code() {
  QFETCH(QStringList, words);
  QFETCH(int, code);
  QFETCH(QString, part);
  const CliOutcome plain = run_cli(words);
  QVERIFY2(plain.code == code, plain.err.constData());
  QVERIFY2(plain.err.contains(part.toUtf8()), plain.err.constData());
  QCOMPARE(plain.err.count('\n'), 1);
  const CliOutcome json = run_cli(words + QStringList{"--json"});
  QCOMPARE(json.code, code);
  QCOMPARE(json.err, plain.err);
  QCOMPARE(json.json()["error"].toObject()["code"].toInt(), code);
}

void TestSweep::an_interruption_leaves_the_rows_that_are_done_data() {
  QTest::addColumn<bool>("json");
  QTest::newRow("text") << false;
  QTest::newRow("json") << true;
}

void TestSweep::an_interruption_leaves_the_rows_that_are_done() {
  QFETCH(bool, json);
  const QString table = file("interrupted.csv");
  QFile::remove(table);
  QProcess process;
  QStringList words = sweep(
      {"--vary", "sigma_o=1:100:1", "--vary", "sigma_h=1:100:1", "--out", table, "--threads", "1"});
  if (json) words.append("--json");
  process.start(SEEDWAVE_CLI, words);
  QVERIFY(process.waitForStarted());
  // The first rows are written after some seconds; the sweep is then under way.
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(table), 30'000);
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(test::kCliTimeoutMs));
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 130);
  const auto rows = rows_in(table);
  QVERIFY(rows.size() > 1 && rows.size() < 10'000);
  for (int i = 0; i < rows.size(); ++i) {
    QCOMPARE(rows[i]["run"].toInt(), i + 1);
    QVERIFY(rows[i]["digest"].startsWith("xxh64:"));
  }
  QCOMPARE(process.readAllStandardError(),
           QString("seedwave-cli: interrupted: %1 of 10000 runs are in %2\n")
               .arg(rows.size())
               .arg(table)
               .toUtf8());
  if (!json) return;
  const CliOutcome outcome{130, process.readAllStandardOutput(), {}};
  QCOMPARE(outcome.json()["error"].toObject()["code"].toInt(), 130);
  QCOMPARE(outcome.json()["done"].toInt(), rows.size());
}

void TestSweep::an_interruption_before_the_first_row_leaves_no_file() {
  const QString table = file("never.csv");
  QProcess process;
  // One run of this takes longer than the test waits.
  process.start(SEEDWAVE_CLI,
                {"bench", "irfc", "--size", "160,160,96", "--repeat", "1", "--keep-inputs",
                 folder_->path(), "--algorithm", "dijkstra", "--quiet"});
  QVERIFY(process.waitForFinished(5 * test::kCliTimeoutMs));  // a sanitizer needs over a minute
  process.start(SEEDWAVE_CLI, {"sweep", "irfc", "--image", file("irfc-1-image.npy"), "--seeds",
                               file("irfc-1-seeds.npy"), "--algorithm", "dijkstra", "--vary",
                               "connectivity=26,18", "--out", table});
  QVERIFY(process.waitForStarted());
  const auto catches_interrupt = [&] {
    QFile status(QString("/proc/%1/status").arg(process.processId()));
    if (!status.open(QIODevice::ReadOnly)) return false;
    for (const QByteArray& line : status.readAll().split('\n')) {
      if (!line.startsWith("SigCgt:")) continue;
      return (line.mid(7).trimmed().toULongLong(nullptr, 16) & (1U << (SIGINT - 1))) != 0;
    }
    return false;
  };
  QTRY_VERIFY(catches_interrupt());
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(test::kCliTimeoutMs));
  QCOMPARE(process.exitCode(), 130);
  QVERIFY(process.readAllStandardError().startsWith("seedwave-cli: interrupted"));
  QVERIFY(!QFile::exists(table));
}

void TestSweep::finds_the_plateau_on_a_brain() {
  const auto brain = test::test_data("B1_itksnap_brain");
  SEEDWAVE_NEED_DATA(brain);
  const auto path = [&](const char* name) {
    return QString::fromStdString((brain / name).string());
  };
  const QStringList inputs{"--image", path("MRIcrop-orig.nii.gz"), "--seeds", SEEDWAVE_STROKES};
  const CliOutcome outcome =
      run_cli(QStringList{"sweep", "irfc"} + inputs +
              QStringList{"--reference", path("MRIcrop-seg.nii.gz"), "--vary", "sigma_o=10:80:*2",
                          "--vary", "sigma_h=10:40:*2", "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject json = outcome.json();
  QCOMPARE(json["rows"].toArray().size(), 12);
  QCOMPARE(json["scored"].toString(), "labels 1 and 7 (mean)");
  const QJsonObject centre = json["plateau"].toObject()["centre"].toObject();
  const QJsonObject row = json["rows"].toArray()[centre["run"].toInt() - 1].toObject();
  const QJsonObject varied = row["varied"].toObject();
  const CliOutcome run =
      run_cli(QStringList{"run", "irfc"} + inputs +
              QStringList{"--sigma-o", varied["sigma_o"].toVariant().toString(), "--sigma-h",
                          varied["sigma_h"].toVariant().toString(), "--json"});
  QCOMPARE(run.json()["outputs"].toObject()["labels"].toObject()["digest"].toString(),
           row["digest"].toString());
}

QTEST_GUILESS_MAIN(TestSweep)
#include "test_sweep.moc"
