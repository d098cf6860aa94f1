// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/volume.h"
#include "core/io/save.h"
#include "core/ops/operation_table.h"
#include "core/recipes/case_row.h"
#include "core/recipes/cohort.h"
#include "tests/support/dicom_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <utility>

using namespace seedwave;

class TestCohort : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
    for (const char* name : {"a", "b"})
      QVERIFY(QDir(folder_->path()).mkpath(QString("images/") + name));
  }

  void each_image_in_a_folder_is_a_case() {
    save_image("images/a/one.png");
    save_image("images/b/two.nii.gz");
    write("images/notes.txt", "no image");
    const auto cases = found({.paths = {path("images")}});
    QCOMPARE(names_of(cases), (QStringList{"a-one", "b-two"}));
    QCOMPARE(text(cases[0].image()), QString(folder_->filePath("images/a/one.png")));
    QVERIFY(cases[0].item && cases[0].series.empty());
  }

  void equal_names_get_the_folder_before_them_and_then_numbers() {
    save_image("images/a/tile.png");
    save_image("images/b/tile.png");
    const std::filesystem::path a = path("images/a/tile.png");
    const auto cases = found({.paths = {a, path("images/b/tile.png"), a}});
    QCOMPARE(names_of(cases), (QStringList{"a-tile", "b-tile", "a-tile-2"}));
  }

  void no_case_takes_the_name_of_a_file_beside_the_folders() {
    save_image("index.html.png");
    QCOMPARE(names_of(found({.paths = {path("index.html.png")}})), QStringList{"index.html-2"});
  }

  void files_beside_an_image_belong_to_it() {
    save_image("images/a/one.png");
    save_image("images/a/one-truth.png");
    const auto cases = found(
        {.paths = {path("images")}, .beside = {{"seeds", "*.json"}, {"reference", "*-truth.png"}}});
    QCOMPARE(names_of(cases), QStringList{"a-one"});
    QCOMPARE(text(cases[0].files.at("seeds")), QString(folder_->filePath("images/a/one.json")));
    QCOMPARE(text(cases[0].files.at("reference")),
             QString(folder_->filePath("images/a/one-truth.png")));
  }

  void results_are_no_cases() {
    save_image("images/a/one.png");
    save_image("images/b/one.png");
    const CohortSources sources{.paths = {path("images")}, .results = path("images")};
    QCOMPARE(names_of(found(sources)), (QStringList{"a-one", "b-one"}));
    write("images/b/result.json", "{}");
    QCOMPARE(names_of(found(sources)), QStringList{"a-one"});
    // An image elsewhere is one, whatever lies beside it.
    QCOMPARE(found({.paths = {path("images")}, .results = path("out")}).size(), std::size_t{2});
  }

  void a_path_without_an_image_is_a_case_that_fails_later() {
    const auto cases = found({.paths = {path("nowhere/lost.png")}});
    QCOMPARE(names_of(cases), QStringList{"lost"});
    QVERIFY(!cases[0].item);
  }

  void a_list_names_cases_and_their_files() {
    write("list.csv",
          "name,image,seeds,reference\nfirst,images/1.png,s.json,\n,/abs/2.png,,r.nrrd\n");
    const auto cases = found({.lists = {path("list.csv")}});
    QCOMPARE(names_of(cases), (QStringList{"first", "2"}));
    QCOMPARE(text(cases[0].image()), folder_->filePath("images/1.png"));
    QCOMPARE(text(cases[0].files.at("seeds")), folder_->filePath("s.json"));
    QVERIFY(!cases[0].files.contains("reference"));
    QCOMPARE(text(cases[1].image()), QString("/abs/2.png"));
    write("wrong.csv", "image,mask\n1.png,m.nrrd\n");
    try {
      (void)found({.lists = {path("wrong.csv")}});
      QFAIL("the recipe reads no mask");
    } catch (const InputError& error) {
      QVERIFY2(QString(error.what()).contains("wrong.csv: line 1: the recipe has no column 'mask'"),
               error.what());
    }
  }

  void series_of_a_folder_are_found_again_by_a_list() {
    QVERIFY(QDir(folder_->path()).mkpath("study"));
    for (const char* series : {"1.2.3.4", "1.2.3.5"}) {
      for (int slice = 0; slice < 3; ++slice)
        write_slice(series, slice);
    }
    const auto cases = found({.paths = {path("study")}});
    QCOMPARE(cases.size(), std::size_t{2});
    QCOMPARE(QString::fromStdString(cases[1].series), QString("1.2.3.5"));
    write("list.csv", QByteArray::fromStdString(case_list_of(cases)));
    const auto listed = found({.lists = {path("list.csv")}});
    QCOMPARE(names_of(listed), names_of(cases));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      QCOMPARE(text(listed[i].image()), folder_->filePath("study"));
      QCOMPARE(listed[i].series, cases[i].series);
    }
  }

  void a_list_of_cases_reads_as_the_same_cases() {
    save_image("images/a/one, two.png");
    save_image("images/b/one.png");
    write("list.csv", "name,image,seeds\n\"listed\",images/1.png,s.json\n");
    const auto cases =
        found({.lists = {path("list.csv")},
               .paths = {path("images/a/one, two.png"), path("images/b/one.png"), path("lost.png")},
               .beside = {{"reference", "*.nrrd"}}});
    write("again.csv", QByteArray::fromStdString(case_list_of(cases)));
    const auto again = found({.lists = {path("again.csv")}});
    QCOMPARE(names_of(again), names_of(cases));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      QCOMPARE(text(again[i].image()), text(cases[i].image()));
      QCOMPARE(again[i].files, cases[i].files);
    }
  }

  void a_line_tells_how_a_case_ended() {
    const auto result = nlohmann::ordered_json::parse(
        R"({"case": "a", "digests": {"labels": "xxh64:1"}, "ms": 86.5, "dice": {"1": 0.5, "2": 0.75, "3": null}})");
    const CaseRow done{.name = "a",
                       .result = std::make_shared<const nlohmann::ordered_json>(result),
                       .was_there = true,
                       .ms = 91.25};
    const CaseRow read = row_of_line(line_of(done).dump());
    QCOMPARE(read.name, std::string("a"));
    QCOMPARE(read.code, 0);
    QVERIFY(read.was_there);
    QCOMPARE(score_text(result_of(read)), std::string("Dice 0.6250"));
    QCOMPARE(read.ms, 91.25);  // with the writing of the files
    const CaseRow failed =
        row_of_line(line_of({.name = "b", .code = 3, .error = "no \"b\""}).dump());
    QCOMPARE(failed.code, 3);
    QCOMPARE(failed.error, std::string("no \"b\""));
    QVERIFY(score_text(result_of(failed)).empty());
    const auto objects = nlohmann::ordered_json::parse(
        R"({"dice": {}, "objects": {"f1": 0.71, "pq": null, "aji": 0.6}})");
    QCOMPARE(score_text(objects), std::string("F1 0.7100, AJI 0.6000"));
    for (const char* line : {"", "{", "{}", "[1]", R"({"case": "a", "error": 3})"})
      QVERIFY_EXCEPTION_THROWN((void)row_of_line(line), InputError);
  }

  void titles_are_those_of_the_list() {
    save_image("a.png");
    write("list.csv", "name,image\ntile 1,a.png\n\"liver, left\",a.png\n");
    const std::vector<CohortCase> cases = found({.lists = {path("list.csv")}});
    QCOMPARE(names_of(cases), QStringList({"tile-1", "liver--left"}));
    QCOMPARE(cases[0].title, std::string("tile 1"));
    QCOMPARE(cases[1].title, std::string("liver, left"));
    // One name in two lists: only the folders tell them apart.
    write("other.csv", "name,image\ntile 1,a.png\n");
    for (const CohortCase& one : found({.lists = {path("list.csv"), path("other.csv")}}))
      QVERIFY(one.title == (one.name == "liver--left" ? "liver, left" : one.name));
  }

 private:
  [[nodiscard]] std::filesystem::path path(const char* name) const {
    return folder_->filePath(name).toStdString();
  }
  [[nodiscard]] static QString text(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
  }
  void write(const char* name, const QByteArray& content) const {
    QFile file(folder_->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }
  void save_image(const char* name) const {
    Geometry grid;
    grid.size = {8, 6, 1};
    grid.unit = LengthUnit::Pixel;
    io::save_volume(path(name), Volume(grid, std::vector<std::uint8_t>(
                                                 static_cast<std::size_t>(grid.voxel_count()), 7)));
  }
  void write_slice(const char* series, int slice) const {
    test::DicomFile file(4, 3);
    file.text(DCM_SeriesInstanceUID, series).at(0.0, 0.0, slice, slice + 1).filled(5);
    file.save(path(("study/" + std::string(series) + "-" + std::to_string(slice)).c_str()));
  }
  [[nodiscard]] std::vector<CohortCase> found(const CohortSources& sources) const {
    Context context;
    return find_cases(sources, recipe_, context);
  }
  [[nodiscard]] static QStringList names_of(const std::vector<CohortCase>& cases) {
    QStringList names;
    for (const CohortCase& one : cases)
      names << QString::fromStdString(one.name);
    return names;
  }

  OperationTable table_ = make_operation_table();
  /// It reads seeds of the case.
  SavedRecipe recipe_ = parse_recipe(table_, R"({"seedwave_recipe": 1, "steps": [
      {"id": "grow", "operation": "irfc", "inputs": {"image": "case", "seeds": "case"}}]})",
                                     "recipe");
  std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestCohort)
#include "test_cohort.moc"
