// SPDX-License-Identifier: Apache-2.0
// `seedwave-cli sweep --cases` as seen by a user or script: the table over several images, held-out
// cases, invalid lists, an interruption.
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
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace seedwave;
using test::CliOutcome;
using test::path_of;
using test::rows_in;
using test::run_cli;
using test::What;

namespace {

using Rows = QList<QMap<QString, QString>>;

Rows with(const Rows& rows, const QString& name, const QString& use) {
  Rows found;
  for (const auto& row : rows) {
    if (row["case"] == name && row["use"] == use) found.append(row);
  }
  return found;
}

}  // namespace

class TestSweepCases : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void each_case_has_the_rows_of_a_sweep_of_its_own();
  void means_are_those_of_the_rows_and_the_centre_is_tested();
  void json_has_commands_that_give_the_same();
  void prints_a_table_without_out();
  void a_part_of_each_image_is_taken();
  void a_held_out_image_that_is_tuned_by_is_told();
  void values_that_do_not_go_together_are_told();
  void fails_with_one_line_and_the_right_code_data();
  void fails_with_one_line_and_the_right_code();
  void a_wrong_list_is_told_by_line_before_anything_runs_data();
  void a_wrong_list_is_told_by_line_before_anything_runs();
  void an_interruption_leaves_the_rows_that_are_done();
  void tunes_on_two_data_sets();

 private:
  [[nodiscard]] QString file(const QString& name) const { return folder_->filePath(name); }
  /// Returns a list in the folder of the images, so that paths are names.
  [[nodiscard]] QString list(const QByteArray& text, const char* name = "cases.csv") const {
    QFile csv(file(name));
    if (!csv.open(QIODevice::WriteOnly) || csv.write(text) != text.size()) return {};
    return csv.fileName();
  }
  /// Returns two cases to tune by and one held out.
  [[nodiscard]] QString good_list() const {
    return list(
        "name,image,seeds,reference,use\n"
        "first,\"scene 1, cut.nii.gz\",seeds.nii,truth.nii,\n"
        "\"held, out\",scene 3.nii,seeds.nii,truth.nii,test\n"
        "second," +
        file("scene 2.nii").toUtf8() + ",seeds.nii,truth.nii,tune\n");
  }
  [[nodiscard]] static QStringList irfc(const QString& cases, const QStringList& more) {
    return QStringList{"sweep", "irfc", "--cases", cases} + more;
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

void TestSweepCases::initTestCase() {
  folder_ = std::make_unique<QTemporaryDir>(QDir::tempPath() + "/Größe wählen's XXXXXX");
  QVERIFY(folder_->isValid());
  const Volume image = test::sweep_scene(3);
  io::save_volume(path_of(file("scene 1, cut.nii.gz")), image);
  io::save_volume(path_of(file("scene 2.nii")), test::sweep_scene(4));
  io::save_volume(path_of(file("scene 3.nii")), test::sweep_scene(5));
  io::save_labels(path_of(file("seeds.nii")), test::sweep_labels(image.geometry(), What::Seeds));
  io::save_labels(path_of(file("truth.nii")), test::sweep_labels(image.geometry(), What::Truth));
  Geometry elsewhere = image.geometry();
  elsewhere.size = {24, 16, 4};
  io::save_labels(path_of(file("smaller.nii")), test::sweep_labels(elsewhere, What::Truth));
  io::save_labels(
      path_of(file("empty.nii")),
      LabelMap(image.geometry(), std::vector<std::uint16_t>(
                                     static_cast<std::size_t>(image.geometry().voxel_count()), 0)));
  std::filesystem::create_hard_link(path_of(file("truth.nii")), path_of(file("linked.csv")));
}

void TestSweepCases::each_case_has_the_rows_of_a_sweep_of_its_own() {
  const QStringList vary{"--vary", "sigma-o=10:40:*2", "--vary", "connectivity=6,26", "--smooth",
                         "0.5"};
  const CliOutcome outcome = run_cli(irfc(good_list(), vary + QStringList{"--out", file("t.csv")}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  QVERIFY2(outcome.err.isEmpty(), outcome.err.constData());
  const Rows rows = rows_in(file("t.csv"));
  const auto check = [&](const char* name, const char* image) {
    const CliOutcome alone =
        run_cli(QStringList{"sweep", "irfc", "--image", file(image), "--seeds", file("seeds.nii"),
                            "--reference", file("truth.nii"), "--out", file("one.csv")} +
                vary);
    QCOMPARE(alone.code, 0);
    const Rows expected = rows_in(file("one.csv"));
    const Rows found = with(rows, name, "tune");
    QCOMPARE(found.size(), 6);
    for (int i = 0; i < 6; ++i) {
      for (const QString& column : expected[i].keys()) {
        if (column != "ms") QCOMPARE(found[i][column], expected[i][column]);
      }
    }
  };
  check("first", "scene 1, cut.nii.gz");
  check("second", "scene 2.nii");
}

void TestSweepCases::means_are_those_of_the_rows_and_the_centre_is_tested() {
  const CliOutcome outcome =
      run_cli(irfc(good_list(), {"--vary", "sigma-o=5:80:*2", "--out", file("t.csv")}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const Rows rows = rows_in(file("t.csv"));
  const Rows first = with(rows, "first", "tune");
  const Rows second = with(rows, "second", "tune");
  const Rows means = with(rows, "", "tune");
  QCOMPARE(means.size(), 5);
  for (int i = 0; i < 5; ++i) {
    const double a = first[i]["dice"].toDouble();
    const double b = second[i]["dice"].toDouble();
    QCOMPARE(means[i]["dice"].toDouble(), (a + b) / 2);
    QCOMPARE(means[i]["dice_min"].toDouble(), std::min(a, b));
    QVERIFY(std::abs(means[i]["dice_spread"].toDouble() - std::abs(a - b) / std::sqrt(2.0)) <
            1e-12);
    QVERIFY(means[i]["digest"].isEmpty());
  }
  // A held-out case is run once, with the centre's values, as `run` runs it.
  const Rows tested = with(rows, "held, out", "test");
  QCOMPARE(tested.size(), 1);
  QVERIFY(outcome.out.contains("o centre of the plateau: run " + tested[0]["run"].toUtf8() + ","));
  const CliOutcome run = run_cli({"run", "irfc", "--image", file("scene 3.nii"), "--seeds",
                                  file("seeds.nii"), "--sigma-o", tested[0]["sigma_o"], "--json"});
  QCOMPARE(run.json()["outputs"].toObject()["labels"].toObject()["digest"].toString(),
           tested[0]["digest"]);
  const Rows together = with(rows, "", "test");
  QCOMPARE(together.size(), 1);
  QCOMPARE(together[0]["dice"], tested[0]["dice"]);
  QCOMPARE(together[0]["dice_min"], tested[0]["dice"]);
  QVERIFY(together[0]["dice_spread"].isEmpty());
  QVERIFY(rows.last() == together[0]);
}

void TestSweepCases::json_has_commands_that_give_the_same() {
  const CliOutcome outcome =
      run_cli(irfc(good_list(), {"--vary", "sigma_o=5:45:*3", "--object", "all", "--json"}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  QCOMPARE(outcome.out.count('\n'), 1);
  const QJsonObject json = outcome.json();
  QCOMPARE(json["runs"].toInt(), 3);
  QCOMPARE(json["rows"].toArray().size(), 6);
  QCOMPARE(json["combinations"].toArray().size(), 3);
  const QJsonObject test = json["test"].toObject();
  const int centre = json["plateau"].toObject()["centre"].toObject()["run"].toInt();
  QCOMPARE(test["run"].toInt(), centre);
  for (const QJsonValue& value : json["cases"].toArray()) {
    const QJsonObject one = value.toObject();
    const QString command = one["command"].toString();
    QVERIFY(command.startsWith("seedwave-cli run irfc "));
    const CliOutcome again = test::run_pasted(command + " --json");
    QVERIFY2(again.code == 0, again.err.constData());
    QString digest;
    const bool held_out = one["use"] == "test";
    for (const QJsonValue& row : (held_out ? test : json)["rows"].toArray()) {
      if (row["case"] == one["case"] && row["run"].toInt() == centre)
        digest = row["digest"].toString();
    }
    QCOMPARE(again.json()["outputs"].toObject()["labels"].toObject()["digest"].toString(), digest);
  }
}

void TestSweepCases::prints_a_table_without_out() {
  const CliOutcome outcome = run_cli(irfc(good_list(), {"--vary", "sigma_o=5:45:*3"}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QList<QByteArray> lines = outcome.out.split('\n');
  QVERIFY(lines[0].contains("mean") && lines[0].contains("std. dev.") &&
          lines[0].contains("second"));
  QVERIFY(lines[3].contains("45"));
  QVERIFY(outcome.out.contains("7 runs on 3 cases"));
  QVERIFY(outcome.out.contains("held, out: Dice 0."));
  QVERIFY(outcome.out.contains("seedwave-cli run irfc"));
  QCOMPARE(run_cli(irfc(good_list(), {"--vary", "m=1,2", "--quiet"})).out.count('\n'), 3);
}

void TestSweepCases::a_part_of_each_image_is_taken() {
  const CliOutcome outcome = run_cli(
      irfc(good_list(), {"--vary", "sigma_o=5:45:*3", "--region", "0,0,0,16,16,5", "--json"}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  for (const QJsonValue& one : outcome.json()["cases"].toArray())
    QCOMPARE(one["image"]["size"].toArray(), (QJsonArray{16, 16, 5}));
  const CliOutcome outside =
      run_cli(irfc(good_list(), {"--vary", "m=1,2", "--region", "0,0,0,25,16,5"}));
  QCOMPARE(outside.code, 2);
  QVERIFY(outside.err.contains("cases.csv: line 2: --region"));
}

void TestSweepCases::a_held_out_image_that_is_tuned_by_is_told() {
  const QString cases = list(
      "image,seeds,reference,use\n"
      "scene 2.nii,seeds.nii,truth.nii,\n"
      "./scene 2.nii,seeds.nii,truth.nii,test\n");
  const CliOutcome outcome = run_cli(irfc(cases, {"--vary", "m=1,2"}));
  QCOMPARE(outcome.code, 0);
  QCOMPARE(outcome.err, "warning: 2: held out, but the values are tuned on the same image (1)\n");
}

void TestSweepCases::values_that_do_not_go_together_are_told() {
  const QString cases = list(
      "image,reference,use\n"
      "scene 2.nii,truth.nii,\n"
      "scene 3.nii,truth.nii,test\n");
  const QStringList threshold{"sweep", "threshold", "--cases", cases};
  const CliOutcome some =
      run_cli(threshold + QStringList{"--vary", "low=50,150", "--vary", "high=100,200"});
  QVERIFY2(some.code == 0, some.err.constData());
  QVERIFY(some.out.contains("1: low must not be above high: 150 > 100"));
  const CliOutcome none = run_cli(
      threshold + QStringList{"--vary", "low=50,60", "--high", "10", "--out", file("none.csv")});
  QCOMPARE(none.code, 2);
  QVERIFY(none.err.contains("no combination of values is valid"));
  QVERIFY(!QFile::exists(file("none.csv")));
}

void TestSweepCases::fails_with_one_line_and_the_right_code_data() {
  QTest::addColumn<QStringList>("more");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const QStringList& more, int code, const QString& part) {
    QTest::newRow(name) << more << code << part;
  };
  const QStringList vary{"--vary", "m=1,2"};
  row("nothing varied", {}, 2, "--vary PARAM=FROM:TO:STEP is missing");
  row("an image, too", vary + QStringList{"--image", file("scene 2.nii")}, 2,
      "--image and --cases both name an input");
  row("a reference, too", vary + QStringList{"--reference", file("truth.nii")}, 2,
      "--reference and --cases both name an input");
  row("over the list", vary + QStringList{"--out", file("cases.csv")}, 2, "which --cases names");
  row("over a case's reference", vary + QStringList{"--out", file("linked.csv")}, 2,
      "which --reference names");
  row("no image's fault", {"--vary", "m=1:2:0"}, 2, "seedwave-cli: --vary m=1:2:0: the step");
  row("2-D choice on a volume", {"--vary", "connectivity=4,8"}, 2, "cases.csv: line 2: --vary");
  row("label not there", vary + QStringList{"--labels", "3"}, 3,
      "cases.csv: line 2: the reference has no label 3");
  row("too many on all", {"--vary", "m=1:100:0.01", "--vary", "sigma_o=1:1001:10"}, 2,
      "10000 runs");
  row("no table", vary + QStringList{"--out", file("t.txt")}, 4, "suffix .csv");
}

void TestSweepCases::fails_with_one_line_and_the_right_code() {
  QFETCH(QStringList, more);
  QFETCH(int, code);
  QFETCH(QString, part);
  const QString cases = good_list();
  QFile before(cases);
  QVERIFY(before.open(QIODevice::ReadOnly));
  const CliOutcome plain = run_cli(irfc(cases, more));
  QVERIFY2(plain.code == code, plain.err.constData());
  QVERIFY2(plain.err.contains(part.toUtf8()), plain.err.constData());
  QCOMPARE(plain.err.count('\n'), 1);
  const CliOutcome json = run_cli(irfc(cases, more + QStringList{"--json"}));
  QCOMPARE(json.code, code);
  QCOMPARE(json.json()["error"].toObject()["code"].toInt(), code);
  QFile after(cases);
  QVERIFY(after.open(QIODevice::ReadOnly));
  QCOMPARE(after.readAll(), before.readAll());
}

void TestSweepCases::a_wrong_list_is_told_by_line_before_anything_runs_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const QByteArray& text, const QString& part) {
    QTest::newRow(name) << text << part;
  };
  const QByteArray good = "image,seeds,reference,use,name\nscene 2.nii,seeds.nii,truth.nii,,x\n";
  row("empty", "", ": empty: the first line must name the columns");
  row("missing column", "image,reference\n", ": line 1: the column 'seeds' is missing");
  row("unknown column", "image,seeds,marker,reference\n", ": line 1: irfc has no column 'marker'");
  row("no file", good + "scene 3.nii,seeds.nii,no.nii,,\n", "no.nii (reference)");
  row("no image", good + "no.nii,seeds.nii,truth.nii,test,\n", "no.nii (image)");
  row("name twice", good + "scene 3.nii,seeds.nii,truth.nii,,x\n",
      ": line 3: line 2 already has a case named 'x'");
  row("other grid", good + "scene 3.nii,seeds.nii,smaller.nii,,\n", "is on a different grid");
  row("other grid, held out", good + "scene 3.nii,seeds.nii,smaller.nii,test,\n",
      "is on a different grid");
  row("no seeds", good + "scene 3.nii,empty.nii,truth.nii,,\n", "has no seeds");
  row("empty reference", good + "scene 3.nii,seeds.nii,empty.nii,,\n",
      ": line 3: the reference has no label");
  row("no image file", good + "cases.csv,seeds.nii,truth.nii,,\n", ": line 3: ");
  row("quote", good + "\"scene 3.nii,seeds.nii,truth.nii,,\n", ": line 3: a quote is not closed");
}

void TestSweepCases::a_wrong_list_is_told_by_line_before_anything_runs() {
  QFETCH(QByteArray, text);
  QFETCH(QString, part);
  const QString cases = list(text);
  const QString table = file("wrong.csv");
  const CliOutcome outcome = run_cli(irfc(cases, {"--vary", "m=1,2", "--out", table}));
  QVERIFY2(outcome.code == 3, outcome.err.constData());
  QCOMPARE(outcome.err.count('\n'), 1);
  QVERIFY2(outcome.err.startsWith("seedwave-cli: " + cases.toUtf8()), outcome.err.constData());
  QVERIFY2(outcome.err.contains(part.toUtf8()), outcome.err.constData());
  if (text.count('\n') == 3) QVERIFY(outcome.err.contains("cases.csv: line 3: "));
  QVERIFY(outcome.out.isEmpty());
  QVERIFY(!QFile::exists(table));
}

void TestSweepCases::an_interruption_leaves_the_rows_that_are_done() {
  const QString table = file("interrupted.csv");
  QProcess process;
  process.start(SEEDWAVE_CLI,
                irfc(good_list(), {"--vary", "sigma_o=1:100:1", "--vary", "sigma_h=1:100:1",
                                   "--out", table, "--threads", "1", "--json"}));
  QVERIFY(process.waitForStarted());
  // The first rows are written after some seconds; the sweep is then under way.
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(table), 30'000);
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(test::kCliTimeoutMs));
  QCOMPARE(process.exitCode(), 130);
  const Rows rows = rows_in(table);
  const Rows first = with(rows, "first", "tune");
  QVERIFY(first.size() > 1);
  for (int i = 0; i < first.size(); ++i)
    QCOMPARE(first[i]["run"].toInt(), i + 1);
  QVERIFY(with(rows, "held, out", "test").isEmpty());
  const auto means = with(rows, "", "tune").size();
  QCOMPARE(process.readAllStandardError(),
           QString("seedwave-cli: interrupted: %1 of 20001 runs are in %2\n")
               .arg(rows.size() - means)
               .arg(table)
               .toUtf8());
  const CliOutcome outcome{130, process.readAllStandardOutput(), {}};
  QCOMPARE(outcome.json()["error"].toObject()["code"].toInt(), 130);
  QCOMPARE(outcome.json()["rows"].toArray().size(), rows.size() - means);
}

void TestSweepCases::tunes_on_two_data_sets() {
  const auto brain = test::test_data("B1_itksnap_brain");
  SEEDWAVE_NEED_DATA(brain);
  const auto phantom = test::test_data("F1_simulated_brain");
  SEEDWAVE_NEED_DATA(phantom);
  const auto path = [](const std::filesystem::path& p) {
    return QByteArray::fromStdString(p.string());
  };
  const QString cases =
      list("image,reference,name\n" + path(brain / "MRIcrop-orig.nii.gz") + "," +
           path(brain / "MRIcrop-seg.nii.gz") + ",brain\n" + path(phantom / "pd_noiseless.nii.gz") +
           "," + path(phantom / "phantom_labels.nii.gz") + ",phantom\n");
  const CliOutcome outcome =
      run_cli({"sweep", "threshold", "--cases", cases, "--vary", "low=10:90:40", "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject json = outcome.json();
  QCOMPARE(json["rows"].toArray().size(), 6);
  QCOMPARE(json["combinations"].toArray().size(), 3);
  QVERIFY(json["test"].isNull());
}

QTEST_GUILESS_MAIN(TestSweepCases)
#include "test_sweep_cases.moc"
