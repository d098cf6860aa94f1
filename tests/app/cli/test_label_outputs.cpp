// SPDX-License-Identifier: Apache-2.0
//
// Labels that leave the command line with names, colours and surfaces.
#include "core/io/label_table.h"
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <filesystem>

using namespace seedwave;
using test::CliOutcome;
using test::run_cli;

namespace fs = std::filesystem;

class TestLabelOutputs : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void convert_writes_surfaces();
  void convert_writes_a_segmentation_with_names();
  void regions_have_outlines_of_both_kinds();
  void run_names_its_labels_by_the_strokes();
  void what_cannot_be_written_is_one_line();
  void what_cannot_be_written_is_one_line_data();

 private:
  [[nodiscard]] fs::path path(const char* name) const {
    return fs::path(folder_->path().toStdString()) / name;
  }
  [[nodiscard]] QString file(const char* name) const { return folder_->filePath(name); }
  [[nodiscard]] QByteArray bytes(const char* name) const {
    QFile of(file(name));
    return of.open(QIODevice::ReadOnly) ? of.readAll() : QByteArray();
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

/// A grid of 8 x 6 x 4 with 8 voxels of label 1 and 8 of label 2, flat.nii of one slice, and
/// strokes with names.
void TestLabelOutputs::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  Geometry grid;
  grid.size = {8, 6, 4};
  grid.spacing = {1, 2, 3};
  std::vector<std::int16_t> voxels(static_cast<std::size_t>(grid.voxel_count()));
  std::vector<std::uint16_t> labels(voxels.size());
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    labels[i] = i < 8 ? 1 : i + 8 > voxels.size() - 1 ? 2 : 0;
    voxels[i] = static_cast<std::int16_t>(labels[i] == 0 ? 50 : 100);
  }
  io::save_volume(path("a.nii"), Volume(grid, voxels));
  io::save_labels(path("labels.nii"), LabelMap(grid, labels));
  io::save_labels(path("none.nii"),
                  LabelMap(grid, std::vector<std::uint8_t>(voxels.size(), std::uint8_t{0})));
  Geometry flat = grid;
  flat.size[2] = 1;
  io::save_labels(path("flat.nii"), LabelMap(flat, std::vector<std::uint8_t>(48, std::uint8_t{1})));
  io::save_label_table(path("labels.label"), {{1, "liver", "#112233"}, {2, "spleen", "#445566"}});
  io::SeedFile strokes;
  strokes.labels = {{1, "left kidney", "#a0b0c0"}, {2, "else", ""}};
  Stroke stroke;
  stroke.label = 1;
  stroke.radius_mm = 0.4;
  stroke.points = {{0, 0, 0}};
  strokes.seeds.strokes = {stroke};
  stroke.label = 2;
  stroke.points = {{4, 6, 6}};
  strokes.seeds.strokes.push_back(stroke);
  io::save_seeds(path("strokes.json"), strokes);
}

void TestLabelOutputs::convert_writes_surfaces() {
  const CliOutcome one =
      run_cli({"convert", file("labels.nii"), file("a.stl"), "--surface", "voxels"});
  QVERIFY2(one.code == 0, one.err.constData());
  const QByteArray stl = bytes("a.stl");
  std::uint32_t triangles = 0;
  std::memcpy(&triangles, stl.constData() + 80, sizeof(triangles));
  // Two rows of 8 voxels.
  QCOMPARE(triangles, 2U * 2 * (2 * 8 + 2 * 8 + 2 * 1));
  QCOMPARE(stl.size(), qsizetype{84} + 50 * triangles);

  QCOMPARE(run_cli({"convert", file("labels.nii"), file("a.ply"), "--labels", "2"}).code, 0);
  const QByteArray ply = bytes("a.ply");
  QVERIFY(ply.contains("\ncomment label 2 #445566 spleen\n"));
  QVERIFY(!ply.contains("liver"));

  const CliOutcome each = run_cli(
      {"convert", file("labels.nii"), file("b.stl"), "--file-per-label", "--json", "--quiet"});
  QCOMPARE(each.json()["files"].toArray().size(), 2);
  QVERIFY(fs::exists(path("b-1-liver.stl")) && fs::exists(path("b-2-spleen.stl")));
  QVERIFY(!fs::exists(path("b.stl")));
}

void TestLabelOutputs::convert_writes_a_segmentation_with_names() {
  QCOMPARE(run_cli({"convert", file("labels.nii"), file("a.seg.nrrd")}).code, 0);
  QVERIFY(bytes("a.seg.nrrd").contains("\nSegment1_Name:=spleen\n"));
  // The names go on from there.
  QCOMPARE(run_cli({"convert", file("a.seg.nrrd"), file("b.seg.nrrd")}).code, 0);
  QVERIFY((io::stored_names(path("b.seg.nrrd")).names ==
           std::vector<io::LabelName>{{1, "liver", "#112233"}, {2, "spleen", "#445566"}}));
  QCOMPARE(run_cli({"convert", file("labels.nii"), file("c.nrrd"), "--names", file("strokes.json")})
               .code,
           0);
  QCOMPARE(io::stored_names(path("c.nrrd")).names.front().name, std::string("left kidney"));
  Context context;
  QVERIFY(digest_of(io::read_labels(path("c.nrrd"), context).labels()) ==
          digest_of(io::read_labels(path("labels.nii"), context).labels()));
}

void TestLabelOutputs::regions_have_outlines_of_both_kinds() {
  Geometry grid;
  grid.size = {5, 4, 1};
  grid.unit = LengthUnit::Pixel;
  const LabelMap drawn(grid, std::vector<std::uint8_t>{1, 0, 0, 2, 2, 1, 1, 0, 0, 2,  //
                                                       1, 1, 1, 2, 2, 0, 0, 0, 2, 0});
  io::save_labels(path("drawn.png"), drawn);
  io::save_label_table(path("drawn.label"), {{1, "gland", "#112233"}});
  Context context;
  QByteArrayList texts;
  for (const QStringList& flags :
       {QStringList{}, QStringList{"--outline", "pixels"}, QStringList{"--outline", "midpoints"}}) {
    const QStringList out{file("drawn.geojson"), "--overwrite", "--quiet"};
    const CliOutcome converted = run_cli(QStringList{"convert", file("drawn.png")} + out + flags);
    QVERIFY2(converted.code == 0, converted.err.constData());
    texts << bytes("drawn.geojson");
    QVERIFY(texts.back().contains(R"("classification":{"name":"gland","color":[17,34,51]})"));
    QVERIFY(io::load_labels(path("drawn.geojson"), grid, context).labels() == drawn.labels());
    const CliOutcome run =
        run_cli(QStringList{"run", "threshold", "--image", file("drawn.png"), "--low", "1", "--out",
                            file("run.geojson"), "--overwrite", "--quiet"} +
                flags);
    QVERIFY2(run.code == 0, run.err.constData());
    QCOMPARE(bytes("run.geojson").contains("0.5"), flags.contains("midpoints"));
  }
  QCOMPARE(texts[0], texts[1]);
  QVERIFY(!texts[0].contains("0.5") && texts[2].contains("0.5"));
}

void TestLabelOutputs::run_names_its_labels_by_the_strokes() {
  const QStringList run{"run", "irfc", "--image", file("a.nii"), "--seeds", file("strokes.json")};
  const CliOutcome named = run_cli(run + QStringList{"--out", file("a.seg.nrrd")});
  QVERIFY2(named.code == 0, named.err.constData());
  const auto names = io::stored_names(path("a.seg.nrrd")).names;
  QVERIFY(!names.empty());
  QVERIFY((names.front() == io::LabelName{1, "left kidney", "#a0b0c0"}));
  const CliOutcome surface =
      run_cli(run + QStringList{"--out", file("r.ply"), "--names", file("labels.label"),
                                "--out-strength", file("strength.nii")});
  QVERIFY2(surface.code == 0, surface.err.constData());
  QVERIFY(bytes("r.ply").contains("\ncomment label 1 #112233 liver\n"));
}

void TestLabelOutputs::what_cannot_be_written_is_one_line_data() {
  QTest::addColumn<QString>("words");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const char* words, int code, const char* part) {
    QTest::newRow(name) << words << code << part;
  };
  row("no label", "convert %1/none.nii %1/x.stl", 3, "no label has voxels");
  row("a label that is not there", "convert %1/labels.nii %1/x.stl --labels 1,9", 3,
      "label 9 has no voxels");
  row("no number of a label", "convert %1/labels.nii %1/x.stl --labels -1", 2, "--labels");
  row("one slice", "convert %1/flat.nii %1/x.ply", 4, "a surface needs a volume");
  row("no folder", "convert %1/labels.nii %1/no/x.ply", 4, "there is no folder");
  row("a device that is full", "convert %1/labels.nii /dev/full --overwrite", 4, "suffix");
  row("an unknown shape", "convert %1/labels.nii %1/x.stl --surface round", 2, "smooth or voxels");
  row("a surface flag alone", "convert %1/labels.nii %1/x.nii --surface smooth", 2, "--surface");
  row("names that are lost", "convert %1/labels.nii %1/x.nii --names %1/labels.label", 2,
      "--names needs");
  row("an unknown outline", "convert %1/flat.nii %1/x.geojson --outline round", 2,
      "pixels or midpoints");
  row("an outline alone", "convert %1/flat.nii %1/x.nii --outline pixels", 2, "--outline needs");
  row("an outline of a run alone",
      "run threshold --image %1/flat.nii --low 1 --out %1/x.nii --outline midpoints", 2,
      "--outline needs");
  row("regions of a volume", "convert %1/labels.nii %1/x.geojson", 4,
      "regions are of images, not of volumes");
  row("no table", "convert %1/labels.nii %1/x.ply --names %1/a.nii", 3, "a.nii");
  row("a table over itself", "convert %1/labels.nii %1/labels.label --names %1/labels.label", 4,
      "suffix");
  row("an image has no surface",
      "run irfc --image %1/a.nii --seeds %1/strokes.json --out-strength %1/x.stl", 4,
      "only labels have surfaces");
  row("run on one slice", "run threshold --image %1/flat.nii --low 1 --out %1/x.stl", 4,
      "a surface needs a volume");
  row("run finds nothing", "run threshold --image %1/a.nii --low 5000 --out %1/x.stl", 3,
      "no label has voxels");
}

void TestLabelOutputs::what_cannot_be_written_is_one_line() {
  QFETCH(QString, words);
  QFETCH(int, code);
  QFETCH(QString, part);
  const CliOutcome outcome = run_cli(words.replace("%1", folder_->path()).split(' '));
  QVERIFY2(outcome.err.contains(part.toUtf8()), outcome.err.constData());
  QCOMPARE(outcome.err.trimmed().count('\n'), 0);
  QCOMPARE(outcome.code, code);
  for (const auto& entry : fs::directory_iterator(folder_->path().toStdString()))
    QVERIFY(entry.path().stem() != "x");
}

QTEST_GUILESS_MAIN(TestLabelOutputs)
#include "test_label_outputs.moc"
