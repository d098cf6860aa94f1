// SPDX-License-Identifier: Apache-2.0
//
// Recipes carried out on many cases, and their results verified.
#include "core/image/volume.h"
#include "core/io/formats/output_set.h"
#include "core/io/save.h"
#include "tests/app/cli/cli_process.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_data.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace seedwave;
using test::CliOutcome;
using test::run_cli;

namespace {

constexpr const char* kRecipe = R"({"seedwave_recipe": 1, "name": "Parts", "steps": [
  {"id": "smooth", "operation": "gaussian", "inputs": {"image": "case"}, "values": {"sigma": 2}},
  {"id": "dark", "operation": "threshold", "inputs": {"image": "smooth.image"}, "values": {"high": 125}},
  {"id": "parts", "operation": "split-objects", "inputs": {"image": "dark.labels"}}]})";

/// Returns the lines of standard output, by case.
std::map<QString, QJsonObject> lines_of(const CliOutcome& outcome) {
  std::map<QString, QJsonObject> lines;
  for (const QByteArray& line : outcome.out.split('\n')) {
    if (line.isEmpty()) continue;
    const QJsonObject json = QJsonDocument::fromJson(line).object();
    lines[json["case"].toString()] = json;
  }
  return lines;
}

}  // namespace

class TestApply : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(folder_->path()).mkdir("images"));
    write("recipe.json", kRecipe);
    for (int i = 0; i < kImages; ++i)
      save_image(QString("images/%1.png").arg(i), static_cast<std::uint64_t>(i));
  }

  void each_case_has_what_the_steps_give_one_by_one() {
    const CliOutcome outcome = apply({path("images"), "--jobs", "2", "--table", path("out/t.csv")});
    QCOMPARE(outcome.code, 0);
    const auto lines = lines_of(outcome);
    QCOMPARE(lines.size(), std::size_t{kImages});
    for (const auto& [name, line] : lines) {
      QCOMPARE(line["digests"].toObject()["labels"].toString(), one_by_one(name));
      for (const char* file : {"labels.nrrd", "picture.png", "result.json"})
        QVERIFY(QFile::exists(path("out/" + name + '/' + file)));
    }
    QCOMPARE(read("out/t.csv").count('\n'), kImages + 1);
    QCOMPARE(read("out/index.html").count("<figure>"), kImages);
    QCOMPARE(digests_of(apply({path("images"), "--out", path("again")})), digests_of(outcome));
  }

  void a_limit_of_memory_changes_no_bit() {
    // Arrays of 5 million pixels as f32 are large enough for files, and more than 16 MB.
    const std::int64_t side = 2300;
    save_image("images/large.png", 5, {side, side, 1});
    const auto expected = digests_of(apply({path("images")}));
    QVERIFY(QDir(folder_->path()).mkdir("scratch"));
    const QStringList limit{"--memory", "40M", "--scratch", path("scratch"), "--jobs", "2"};
    QCOMPARE(digests_of(apply(QStringList{path("images")} + limit)), expected);
    QVERIFY(QDir(path("scratch")).isEmpty());
    const CliOutcome same = run_cli(
        {"verify", path("out/large/result.json"), "--memory", "40M", "--scratch", path("scratch")});
    QVERIFY2(same.code == 0 && same.out == "same\n", same.err);
    QVERIFY(QDir(path("scratch")).isEmpty());
    const CliOutcome refused =
        run_cli({"verify", path("out/large/result.json"), "--scratch", path("nowhere")});
    QCOMPARE(refused.code, 5);
    QVERIFY2(refused.err.contains("nowhere") && refused.err.count('\n') == 1, refused.err);
    const CliOutcome unusable =
        apply({path("images/0.png"), "--memory", "40M", "--scratch", path("nowhere")});
    QCOMPARE(unusable.code, 5);
    QVERIFY2(unusable.err.contains("nowhere") && unusable.err.count('\n') == 1, unusable.err);
  }

  void what_cannot_be_used_does_not_stop_the_others() {
    write("images/broken.png", "no picture");
    const CliOutcome outcome =
        apply({path("images/0.png"), path("images/broken.png"), path("nowhere.png"),
               path("images/1.png"), "--table", path("t.csv")});
    QCOMPARE(outcome.code, 3);
    QCOMPARE(
        outcome.err,
        QByteArray("seedwave-cli: 2 of 4 cases could not be carried out: their lines say why\n"));
    const auto lines = lines_of(outcome);
    QCOMPARE(lines.size(), std::size_t{4});
    for (const char* name : {"broken", "nowhere"}) {
      const QJsonObject error = lines.at(name)["error"].toObject();
      QCOMPARE(error["code"].toInt(), 3);
      QVERIFY(error["message"].toString().contains(QString(name) + ".png"));
      QVERIFY(!QFile::exists(path(QString("out/") + name)));
    }
    for (const char* name : {"0", "1"})
      QCOMPARE(lines.at(name)["digests"].toObject()["labels"].toString(), one_by_one(name));
    QVERIFY(read("t.csv").contains("broken,"));
  }

  void only_what_is_missing_is_done_again() {
    const auto first = digests_of(apply({path("images")}));
    QCOMPARE(skipped_in(apply({path("images"), "--resume"})), kImages);
    QVERIFY(QFile::remove(path("out/1/result.json")));
    QVERIFY(QFile::remove(path("out/2/labels.nrrd")));
    write("out/3/result.json", "{\"case\": ");
    save_image("images/4.png", 99);
    const CliOutcome again = apply({path("images"), "--resume"});
    QCOMPARE(again.code, 0);
    QCOMPARE(skipped_in(again), kImages - 4);
    auto digests = digests_of(again);
    QVERIFY(digests["4"] != first.at("4"));
    digests["4"] = first.at("4");
    QCOMPARE(digests, first);
    write("recipe.json", QByteArray(kRecipe).replace("125", "124"));
    QCOMPARE(skipped_in(apply({path("images"), "--resume"})), 0);
  }

  void a_killed_call_loses_nothing_that_was_done() {
    QProcess process;
    process.start(SEEDWAVE_CLI, {"apply", path("recipe.json"), path("images"), "--out", path("out"),
                                 "--threads", "1", "--quiet"});
    QVERIFY(process.waitForReadyRead(test::kCliTimeoutMs));
    // The line of a case is there as it ends, not with those of all.
    QVERIFY(process.readAllStandardOutput().count('\n') < kImages);
    process.kill();
    QVERIFY(process.waitForFinished(test::kCliTimeoutMs));
    const CliOutcome resumed = apply({path("images"), "--resume"});
    QCOMPARE(resumed.code, 0);
    QVERIFY(skipped_in(resumed) >= 1);
    QCOMPARE(digests_of(resumed), digests_of(apply({path("images"), "--out", path("fresh")})));
    // Nothing half-written lies about.
    for (const QString& name : QDir(path("out")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
      const QStringList files = QDir(path("out/" + name)).entryList(QDir::Files | QDir::Hidden);
      QCOMPARE(files, (QStringList{"labels.nrrd", "picture.png", "result.json"}));
    }
  }

  void a_list_names_cases_and_their_inputs() {
    write("seeds.json", R"({"seedwave": 1, "kind": "seeds", "space": "index",
        "strokes": [{"label": 1, "radius": 1, "points": [[5, 5, 0]]},
                    {"label": 2, "radius": 1, "points": [[50, 40, 0]]}]})");
    write("grow.json", R"({"seedwave_recipe": 1, "steps": [
        {"id": "grow", "operation": "irfc", "inputs": {"image": "case", "seeds": "case"}}]})");
    write("cases.csv",
          "name,image,seeds\nfirst,images/0.png,seeds.json\nsecond,images/1.png,\n"
          "third,images/2.png,lost.json\n");
    const CliOutcome outcome = run_cli({"apply", path("grow.json"), "--cases", path("cases.csv"),
                                        "--out", path("out"), "--quiet"});
    QCOMPARE(outcome.code, 3);
    const auto lines = lines_of(outcome);
    QVERIFY(!lines.at("first").contains("error"));
    QCOMPARE(lines.at("second")["error"].toObject()["message"].toString(),
             QString("the step 'grow' (irfc) needs seeds, and the case has none"));
    QVERIFY(lines.at("third")["error"].toObject()["message"].toString().contains("lost.json"));
    // The same seeds, named for the only case, and found beside each image.
    const CliOutcome named = run_cli({"apply", path("grow.json"), path("images/0.png"), "--seeds",
                                      path("seeds.json"), "--out", path("named"), "--quiet"});
    QCOMPARE(lines_of(named).at("0")["digests"], lines.at("first")["digests"]);
    const CliOutcome shared = run_cli({"apply", path("grow.json"), path("images"), "--seeds",
                                       path("seeds.json"), "--out", path("shared")});
    QCOMPARE(shared.code, 2);
    QVERIFY2(shared.err.contains("--seeds is for one case, and these are 6"), shared.err);
    QVERIFY(QFile::copy(path("seeds.json"), path("images/0.seeds.json")));
    const CliOutcome beside =
        run_cli({"apply", path("grow.json"), path("images/0.png"), "--seeds-by", "*.seeds.json",
                 "--out", path("beside"), "--quiet"});
    QCOMPARE(lines_of(beside).at("0")["digests"], lines.at("first")["digests"]);
  }

  void results_among_the_images_are_no_cases() {
    const auto again = [this] {
      return lines_of(apply({path("images"), "--out", path("images/out")}));
    };
    QCOMPARE(again().size(), std::size_t{kImages});
    QCOMPARE(again().size(), std::size_t{kImages});
  }

  void another_program_is_told_which_case_begins() {
    const CliOutcome outcome = apply({path("images/0.png"), path("images/1.png"), "--progress"});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.err, QByteArray("progress 0 0\nprogress 50 1\n"));
  }

  void a_reference_that_numbers_objects_is_scored_by_objects() {
    const QString own = path("out/0/labels.nrrd");
    QCOMPARE(apply({path("images/0.png")}).code, 0);
    QVERIFY(QFile::copy(own, path("images/0-truth.nrrd")));
    const CliOutcome outcome = apply({path("images/0.png"), "--reference-by", "*-truth.nrrd"});
    QCOMPARE(lines_of(outcome).at("0")["dice"].toObject()["1"].toDouble(), 1.0);
  }

  void recipes_that_ship_do_their_job_data() {
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("image");
    QTest::addColumn<QString>("digest");
    QTest::newRow("vessels") << "vessels"
                             << "L2_retina/retina.jpg"
                             << "labels";
    QTest::newRow("nuclei") << "nuclei"
                            << "P4_nuclei_aligned/image.png"
                            << "labels";
    QTest::newRow("cells") << "cells"
                           << "P5_ihc/ihc.png"
                           << "objects";
    QTest::newRow("page") << "page_straightened"
                          << "L4_page/page.jpg"
                          << "image";
  }
  void recipes_that_ship_do_their_job() {
    QFETCH(QString, recipe);
    QFETCH(QString, image);
    QFETCH(QString, digest);
    const std::filesystem::path file = test::test_data(image.toStdString());
    SEEDWAVE_NEED_DATA(file);
    const CliOutcome outcome =
        run_cli({"apply", QString(SEEDWAVE_RECIPES "/") + recipe + ".json",
                 QString::fromStdString(file.string()), "--out", path("out"), "--quiet"});
    QCOMPARE(outcome.code, 0);
    QVERIFY(outcome.json()["digests"].toObject().contains(digest));
  }

  void the_labels_that_a_table_measures_are_saved_with_it() {
    write("measured.json", R"({"seedwave_recipe": 1, "name": "Measured", "steps": [
      {"id": "bright", "operation": "threshold", "inputs": {"image": "case"}, "values": {"low": 30}},
      {"id": "parts", "operation": "measure-objects",
       "inputs": {"image": "case", "labels": "bright.labels"}, "values": {}}]})");
    QCOMPARE(run_cli({"run", "threshold", "--image", path("images/0.png"), "--low", "30", "--out",
                      path("images/0-truth.nrrd")})
                 .code,
             0);
    const CliOutcome outcome =
        run_cli({"apply", path("measured.json"), path("images/0.png"), "--out", path("out"),
                 "--quiet", "--reference-by", "*-truth.nrrd"});
    QCOMPARE(outcome.code, 0);
    QVERIFY(QFile::exists(path("out/0/objects.csv")));
    QCOMPARE(read("out/0/labels.nrrd"), read("images/0-truth.nrrd"));
    QCOMPARE(outcome.json()["dice"].toObject()["1"].toDouble(), 1.0);
    QCOMPARE(run_cli({"verify", path("out/0/result.json")}).out, QByteArray("same\n"));
    // Objects in an image are measured too; an image is no labels to look at.
    write("measured.json", R"({"seedwave_recipe": 1, "name": "Measured", "steps": [
      {"id": "bright", "operation": "threshold", "inputs": {"image": "case"}, "values": {"low": 30}},
      {"id": "full", "operation": "fill-holes", "inputs": {"image": "bright.labels"}, "values": {}},
      {"id": "parts", "operation": "measure-objects",
       "inputs": {"image": "case", "labels": "full.image"}, "values": {}}]})");
    const CliOutcome of_image = run_cli(
        {"apply", path("measured.json"), path("images/0.png"), "--out", path("filled"), "--quiet"});
    QVERIFY2(of_image.code == 0, of_image.err);
    QVERIFY(QFile::exists(path("filled/0/objects.csv")));
    QVERIFY(!QFile::exists(path("filled/0/image.nrrd")));
  }

  void a_result_is_verified() {
    QCOMPARE(apply({path("images/0.png")}).code, 0);
    QVERIFY(!QFile::exists(path("out/index.html")));
    const QString file = path("out/0/result.json");
    const CliOutcome same = run_cli({"verify", file});
    QCOMPARE(same.code, 0);
    QCOMPARE(same.out, QByteArray("same\n"));
    const QByteArray text = read("out/0/result.json");
    const QString digest = one_by_one("0");
    write("out/0/result.json", QByteArray(text).replace(digest.toUtf8(), "xxh64:0000000000000000"));
    const CliOutcome other = run_cli({"verify", file});
    QCOMPARE(other.code, 1);
    QVERIFY(other.out.startsWith("parts.labels: " + digest.toUtf8()));
    write("out/0/result.json", text);
    save_image("images/0.png", 77);
    const CliOutcome changed = run_cli({"verify", file, "--json"});
    QCOMPARE(changed.code, 1);
    QCOMPARE(changed.json()["same"].toBool(), false);
    QVERIFY(changed.json()["differences"].toArray()[0].toString().startsWith("image: "));
  }

  void wrong_calls_are_one_line_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::newRow("no recipe") << QStringList{"apply"} << 2;
    QTest::newRow("no folder") << QStringList{"apply", "RECIPE", "images"} << 2;
    QTest::newRow("no case") << QStringList{"apply", "RECIPE", "--out", "OUT"} << 2;
    QTest::newRow("a table of another kind")
        << QStringList{"apply", "RECIPE", "images", "--out", "OUT", "--table", "OUT.txt"} << 4;
    QTest::newRow("a file in the folder's place")
        << QStringList{"apply", "RECIPE", "images", "--out", "RECIPE"} << 4;
    QTest::newRow("a recipe that is none")
        << QStringList{"apply", "images/0.png", "images", "--out", "OUT"} << 3;
    QTest::newRow("seeds that no step reads")
        << QStringList{"apply", "RECIPE", "images", "--out", "OUT", "--seeds-by", "s.json"} << 2;
    QTest::newRow("no size of memory")
        << QStringList{"apply", "RECIPE", "images", "--out", "OUT", "--memory", "much"} << 2;
    QTest::newRow("seeds that no step reads, of one case")
        << QStringList{"apply", "RECIPE", "images/0.png", "--out", "OUT", "--seeds", "s.json"} << 2;
    QTest::newRow("no list") << QStringList{"apply",    "RECIPE", "--cases",
                                            "none.csv", "--out",  "OUT"}
                             << 3;
    QTest::newRow("no result") << QStringList{"verify", "none.json"} << 3;
  }
  void wrong_calls_are_one_line() {
    QFETCH(QStringList, words);
    QFETCH(int, code);
    for (QString& word : words) {
      if (word == "RECIPE") word = path("recipe.json");
      if (word.startsWith("OUT")) word = path("out" + word.mid(3));
      if (word.startsWith("images") || word.startsWith("none.")) word = path(word);
    }
    const CliOutcome outcome = run_cli(words);
    QCOMPARE(outcome.code, code);
    QCOMPARE(outcome.err.count('\n'), 1);
  }

 private:
  static constexpr int kImages = 6;

  [[nodiscard]] QString path(const QString& name) const { return folder_->filePath(name); }
  void write(const char* name, const QByteArray& text) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  [[nodiscard]] QByteArray read(const char* name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  void save_image(const QString& name, std::uint64_t seed,
                  const Index3& size = {120, 90, 1}) const {
    Geometry grid;
    grid.size = size;
    grid.unit = LengthUnit::Pixel;
    test::RandomNumbers random(seed + 1);
    std::vector<std::uint8_t> values(static_cast<std::size_t>(grid.voxel_count()));
    for (std::uint8_t& value : values)
      value = static_cast<std::uint8_t>(random.below(256));
    io::OutputSet outputs;
    io::save_volume(outputs, path(name).toStdString(), Volume(grid, std::move(values)));
    outputs.commit();
  }
  [[nodiscard]] CliOutcome apply(const QStringList& more) const {
    QStringList words{"apply", path("recipe.json"), "--quiet"};
    if (!more.contains("--out")) words << "--out" << path("out");
    return run_cli(words + more);
  }
  [[nodiscard]] static std::map<QString, QString> digests_of(const CliOutcome& outcome) {
    std::map<QString, QString> digests;
    for (const auto& [name, line] : lines_of(outcome))
      digests[name] = line["digests"].toObject()["labels"].toString();
    return digests;
  }
  [[nodiscard]] static int skipped_in(const CliOutcome& outcome) {
    int count = 0;
    for (const auto& [name, line] : lines_of(outcome))
      count += line["skipped"].toBool() ? 1 : 0;
    return count;
  }
  /// Returns the digest that three calls of `run` give.
  [[nodiscard]] QString one_by_one(const QString& name) const {
    const auto run = [](const QStringList& words) { return run_cli(QStringList{"run"} + words); };
    (void)run({"gaussian", "--image", path("images/" + name + ".png"), "--sigma", "2", "--out",
               path("smooth.nrrd"), "--overwrite", "--quiet"});
    (void)run({"threshold", "--image", path("smooth.nrrd"), "--high", "125", "--out",
               path("dark.nrrd"), "--overwrite", "--quiet"});
    const CliOutcome parts =
        run({"split-objects", "--image", path("dark.nrrd"), "--json", "--quiet"});
    return parts.json()["outputs"].toObject()["labels"].toObject()["digest"].toString();
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestApply)
#include "test_apply.moc"
