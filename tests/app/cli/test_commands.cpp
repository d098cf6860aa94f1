// SPDX-License-Identifier: Apache-2.0
// The program as seen by a user or script: exit codes, one-line errors, JSON, files.
#include "core/base/digest.h"
#include "core/image/crop.h"
#include "core/image/label_counts.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"
#include "tests/core/metrics/metric_pairs.h"
#include "tests/support/test_data.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <vector>

using namespace seedwave;
using test::CliOutcome;
using test::run_cli;

namespace {

/// Returns the value at a place such as "items/0/size"; undefined if there is none.
QJsonValue at(const QJsonValue& json, const QString& place) {
  QJsonValue value = json;
  for (const QString& key : place.split('/')) {
    bool is_number = false;
    const int number = key.toInt(&is_number);
    value = is_number && value.isArray() ? value.toArray().at(number) : value.toObject().value(key);
  }
  return value;
}

std::filesystem::path path_of(const QString& file) {
  return file.toStdString();
}

Volume load(const QString& file) {
  Context context;
  return io::load_path(path_of(file), "", context).volume;
}

/// Returns two blobs on noise, i16, with a spacing and position of their own.
Volume scene() {
  Geometry geometry;
  geometry.size = {20, 16, 6};
  geometry.spacing = {0.8, 0.9, 2.0};
  geometry.origin = {-12.5, 30.0, 7.0};
  std::mt19937 random(11);
  std::vector<std::int16_t> voxels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const bool left = at[0] < 10;
    voxels.push_back(
        static_cast<std::int16_t>((left ? 300 : -100) + static_cast<int>(random() % 80)));
  }
  return {geometry, std::move(voxels)};
}

LabelMap seed_labels(const Geometry& geometry) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  labels[static_cast<std::size_t>(geometry.offset({3, 8, 3}))] = 1;
  labels[static_cast<std::size_t>(geometry.offset({16, 8, 3}))] = 2;
  return {geometry, std::move(labels)};
}

}  // namespace

class TestCommands : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void every_command_has_help_data();
  void every_command_has_help();
  void help_stands_in_columns_data();
  void help_stands_in_columns();
  void fails_with_one_line_and_the_right_code_data();
  void fails_with_one_line_and_the_right_code();
  void fails_without_leaving_half_a_file();
  void a_full_standard_output_is_a_failure_data();
  void a_full_standard_output_is_a_failure();
  void run_prints_the_contract_and_nothing_else();
  void run_writes_its_outputs();
  void run_takes_flags_in_every_form_data();
  void run_takes_flags_in_every_form();
  void seeds_may_be_labels_or_strokes();
  void a_label_map_may_be_named_as_labels();
  void edits_lie_above_the_result();
  void edits_that_do_not_fit_are_refused();
  void labels_lie_inside_regions();
  void labels_are_corrected_where_strokes_reach();
  void threads_and_repeats_change_no_bit();
  void region_is_the_same_part_of_everything();
  void colour_needs_a_channel();
  void reference_on_flipped_axes_gives_dice();
  void picture_shows_three_planes();
  void info_says_what_is_there();
  void info_reads_headers_alone();
  void info_tells_infinite_and_large_values();
  void info_of_nothing_usable_fails_with_its_object();
  void a_damaged_picture_is_read_only_when_allowed();
  void compare_prints_every_figure();
  void compare_has_null_where_undefined();
  void a_label_that_the_reference_lacks_is_not_scored();
  void compare_warns_of_numbered_objects();
  void compare_matches_labels_that_nobody_named();
  void convert_keeps_every_bit();
  void ops_lists_what_run_takes();
  void devices_says_what_there_is();
  void interrupt_ends_with_130();
  void segments_a_dicom_study();
  void reference_page_is_up_to_date();

 private:
  [[nodiscard]] QString file(const char* name) const { return folder_->filePath(name); }
  [[nodiscard]] QStringList run_irfc(const QStringList& more = {}) const {
    return QStringList{"run",     "irfc",           "--image", file("scene.nii.gz"),
                       "--seeds", file("seeds.nii")} +
           more;
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

void TestCommands::initTestCase() {
  // Spaces and non-ASCII letters are common in names.
  folder_ = std::make_unique<QTemporaryDir>(QDir::tempPath() + "/Röntgen Bilder 放射 XXXXXX");
  QVERIFY(folder_->isValid());
  const Volume image = scene();
  const Geometry& geometry = image.geometry();
  io::save_volume(path_of(file("scene.nii.gz")), image);
  io::save_labels(path_of(file("seeds.nii")), seed_labels(geometry));
  io::save_labels(path_of(file("all.nii")),
                  test::shape(geometry, [](auto, auto, auto) { return true; }));
  Geometry other = geometry;
  other.origin[0] += 5;
  io::save_labels(path_of(file("elsewhere.nii")), seed_labels(other));
  Geometry plane;
  plane.size = {6, 4, 1};
  std::vector<std::uint8_t> rgb(72);
  for (std::size_t i = 0; i < rgb.size(); ++i)
    rgb[i] = static_cast<std::uint8_t>(i * 3);
  io::save_volume(path_of(file("colour.nii")), Volume(plane, std::move(rgb), 3));
  QFile text(file("notes.txt"));
  QVERIFY(text.open(QIODevice::WriteOnly));
  text.write("no image");
}

void TestCommands::every_command_has_help_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<QByteArray>("part");
  QTest::newRow("program") << QStringList{"--help"} << QByteArray("convert");
  QTest::newRow("run") << QStringList{"run", "--help"} << QByteArray("threshold");
  QTest::newRow("run irfc") << QStringList{"run", "irfc", "--help"} << QByteArray("--sigma-o");
  for (const char* command : {"bench", "sweep", "info", "compare", "convert", "ops", "devices"})
    QTest::newRow(command) << QStringList{command, "--help"} << QByteArray("--json");
}

void TestCommands::every_command_has_help() {
  QFETCH(QStringList, words);
  QFETCH(QByteArray, part);
  const CliOutcome outcome = run_cli(words);
  QCOMPARE(outcome.code, 0);
  QVERIFY(outcome.out.startsWith("usage: seedwave-cli "));
  QVERIFY(outcome.out.contains(part));
  QVERIFY(outcome.err.isEmpty());
}

void TestCommands::help_stands_in_columns_data() {
  QTest::addColumn<QStringList>("words");
  QTest::newRow("program") << QStringList{"--help"};
  QTest::newRow("operations") << QStringList{"run", "--help"};
  QTest::newRow("flags") << QStringList{"run", "close-by-reconstruction", "--help"};
}

void TestCommands::help_stands_in_columns() {
  QFETCH(QStringList, words);
  // The start of the second column of each line of a list: after two spaces or more.
  std::set<qsizetype> columns;
  for (const QByteArray& line : run_cli(words).out.split('\n')) {
    const bool in_list = line.startsWith("  ") && line.size() > 2 && line[2] != ' ';
    const qsizetype gap = in_list ? line.indexOf("  ", 2) : -1;
    if (gap < 0) continue;
    qsizetype column = gap;
    while (column < line.size() && line[column] == ' ')
      ++column;
    columns.insert(column);
  }
  QCOMPARE(columns.size(), std::size_t{1});
}

void TestCommands::fails_with_one_line_and_the_right_code_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const QStringList& words, int code, const QString& part) {
    QTest::newRow(name) << words << code << part;
  };
  const QString image = file("scene.nii.gz");
  const QStringList threshold{"run", "threshold", "--image", image};
  row("no command", {}, 2, "--help");
  row("unknown command", {"segment"}, 2, "'segment'");
  row("unknown operation", {"run", "grow", "--image", image}, 2, "'grow'");
  row("no operation", {"run", "--image", image}, 2, "operation first");
  row("unknown flag", threshold + QStringList{"--hihg", "3"}, 2, "did you mean --high?");
  row("one dash", threshold + QStringList{"-high", "3"}, 2, "-high");
  row("flag of another operation", threshold + QStringList{"--theta", "1"}, 2, "--theta");
  row("flag twice", threshold + QStringList{"--low", "1", "--low", "2"}, 2, "--low");
  row("no value", threshold + QStringList{"--low"}, 2, "--low");
  row("no number", threshold + QStringList{"--low", "1,5"}, 2, "--low must be");
  row("out of range", run_irfc({"--smooth", "11"}), 2, "--smooth must be a number from 0 to 10");
  row("2-D choice on a volume", run_irfc({"--connectivity", "8"}), 2,
      "--connectivity must be 6, 18 or 26 on a volume");
  row("empty value", threshold + QStringList{"--out", ""}, 2, "--out needs a value");
  row("empty value behind =", threshold + QStringList{"--out="}, 2, "--out needs a value");
  row("two outputs, one file",
      run_irfc({"--out", file("same.nii"), "--out-strength", file("./same.nii")}), 2, "same file");
  row("picture over an output", run_irfc({"--out", file("a.png"), "--picture", file("a.png")}), 2,
      "same file");
  row("low above high", threshold + QStringList{"--low", "3", "--high", "2"}, 2, "low");
  row("unknown algorithm", run_irfc({"--algorithm", "magic"}), 2, "'magic'");
  row("unknown backend", run_irfc({"--backend", "gpu"}), 2, "--backend");
  row("no threads", run_irfc({"--threads", "0"}), 2, "--threads");
  row("region outside", threshold + QStringList{"--region", "0,0,0,21,1,1"}, 2, "--region");
  row("region overflows", threshold + QStringList{"--region", "1,0,0,9223372036854775807,1,1"}, 2,
      "--region");
  row("region of an image", threshold + QStringList{"--region", "0,0,2,2"}, 2, "X,Y,Z,W,H,D");
  row("word without flag", threshold + QStringList{"out.nii"}, 2, "'out.nii'");
  row("no image", {"run", "threshold"}, 2, "--image");
  row("missing image", {"run", "threshold", "--image", file("no.nii")}, 3, file("no.nii"));
  row("text as image", {"run", "threshold", "--image", file("notes.txt")}, 3, "notes.txt");
  row("no seeds", {"run", "irfc", "--image", image}, 3, "--seeds PATH is missing");
  row("seeds on another grid", {"run", "irfc", "--image", image, "--seeds", file("elsewhere.nii")},
      3, "elsewhere.nii");
  row("one label alone", {"run", "irfc", "--image", image, "--seeds", file("all.nii")}, 3, "label");
  row("image as labels", {"compare", image, image}, 3, "scene.nii.gz");
  row("no such series", threshold + QStringList{"--series", "7"}, 3, "7");
  row("channel of grey", threshold + QStringList{"--channel", "red"}, 3, "one channel");
  row("unknown channel", threshold + QStringList{"--channel", "cyan"}, 2, "--channel");
  row("unknown suffix", threshold + QStringList{"--out", file("out.docx")}, 4, "out.docx");
  row("no such folder", threshold + QStringList{"--out", file("no/out.nii")}, 4, "no/out.nii");
  row("volume as PNG", run_irfc({"--out", file("ok.nii"), "--out-strength", file("s.png")}), 4,
      "a PNG holds one slice");
  row("a folder", threshold + QStringList{"--out", file("")}, 4, "folder");
  row("cannot be written", threshold + QStringList{"--out", "/proc/out.nii"}, 4, "/proc/out.nii");
  row("compare with one", {"compare", image}, 2, "compare");
  row("convert to nowhere", {"convert", image, file("no/out.nii")}, 4, "no/out.nii");
  row("info of nothing", {"info"}, 2, "info");
  row("info of a missing path", {"info", file("no")}, 3, file("no"));
}

void TestCommands::fails_with_one_line_and_the_right_code() {
  QFETCH(QStringList, words);
  QFETCH(int, code);
  QFETCH(QString, part);
  const CliOutcome plain = run_cli(words);
  QCOMPARE(plain.code, code);
  QVERIFY2(plain.err.contains(part.toUtf8()), plain.err.constData());
  QCOMPARE(plain.err.count('\n'), 1);
  QVERIFY(plain.err.startsWith("seedwave-cli: "));
  const CliOutcome json = run_cli(words + QStringList{"--json"});
  QCOMPARE(json.code, code);
  QCOMPARE(json.err, plain.err);
  const QJsonObject error = at(json.json(), "error").toObject();
  QCOMPARE(at(error, "code").toInt(), code);
  QCOMPARE("seedwave-cli: " + at(error, "message").toString().toUtf8() + "\n", json.err);
}

void TestCommands::fails_without_leaving_half_a_file() {
  const QDir before(folder_->path());
  const QStringList files = before.entryList(QDir::Files);
  QCOMPARE(run_cli({"run", "threshold", "--image", file("scene.nii.gz"), "--low", "9", "--high",
                    "1", "--out", file("half.nii")})
               .code,
           2);
  QCOMPARE(run_cli({"convert", file("notes.txt"), file("half.nii")}).code, 3);
  // An output that cannot hold the result is rejected before the other is written.
  QCOMPARE(run_cli(run_irfc({"--out", file("half.nii"), "--out-strength", file("half.png")})).code,
           4);
  QCOMPARE(QDir(folder_->path()).entryList(QDir::Files), files);
}

void TestCommands::a_full_standard_output_is_a_failure_data() {
  QTest::addColumn<QStringList>("words");
  QTest::newRow("short") << QStringList{"devices", "--json"};
  // Longer than the stream's buffer, so it fails while printing, not when flushed.
  QTest::newRow("long") << QStringList{"ops", "--json"};
}

void TestCommands::a_full_standard_output_is_a_failure() {
  QFETCH(QStringList, words);
  QProcess process;
  process.setStandardOutputFile("/dev/full");
  process.start(SEEDWAVE_CLI, words);
  QVERIFY(process.waitForFinished(test::kCliTimeoutMs));
  QCOMPARE(process.exitCode(), 4);
}

void TestCommands::run_prints_the_contract_and_nothing_else() {
  const QString out = file("labels.npy");
  const CliOutcome outcome = run_cli(run_irfc(
      {"--out", out, "--reference", file("all.nii"), "--m", "339", "--sigma_h", "80", "--json"}));
  QCOMPARE(outcome.code, 0);
  QVERIFY2(outcome.err.isEmpty(), outcome.err.constData());
  QCOMPARE(outcome.out.count('\n'), 1);
  const QJsonObject json = outcome.json();
  for (const char* key : {"operation", "algorithm", "backend", "device", "why", "values", "image",
                          "ms", "outputs", "dice", "warnings"})
    QVERIFY2(json.contains(key), key);
  QCOMPARE(at(json, "operation").toString(), "irfc");
  QCOMPARE(at(json, "backend").toString(), "cpu");
  QCOMPARE(at(json, "values/m").toDouble(), 339.0);
  QVERIFY(at(json, "values/sigma_o").isDouble());  // auto, replaced by its number
  QCOMPARE(at(json, "image/size").toArray(), (QJsonArray{20, 16, 6}));
  QCOMPARE(at(json, "image/type").toString(), "i16");
  QVERIFY(at(json, "ms/load").toDouble() > 0);
  QVERIFY(at(json, "ms/total").toDouble() > 0);

  // The digest and counts are of the labels as u16, whatever type the file has.
  Context context;
  const LabelMap labels = io::load_labels(path_of(out), load(out).geometry(), context);
  QCOMPARE(load(out).type(), VoxelType::U8);
  const QJsonObject told = at(json, "outputs/labels").toObject();
  QCOMPARE(at(told, "digest").toString().toStdString(), digest_of(labels.labels()));
  for (const auto& [label, count] : count_labels(labels))
    QCOMPARE(at(told, QString("counts/%1").arg(label)).toInteger(), count);
  const double ones = at(told, "counts/1").toDouble();
  QCOMPARE(at(json, "dice/1").toDouble(), 2 * ones / (ones + 20 * 16 * 6));
  QVERIFY(at(json, "dice/2").isNull());
}

void TestCommands::run_writes_its_outputs() {
  const QString labels = file("out labels.nii.gz");
  const QString strength = file("stärke.nii");
  const CliOutcome outcome = run_cli(
      run_irfc({"--out-labels", labels, "--out-strength", strength, "--out", file("main.npy")}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const Volume written = load(labels);
  QVERIFY(same_grid(written.geometry(), scene().geometry()));
  const Volume main = load(file("main.npy"));
  QVERIFY(std::ranges::equal(main.bytes(), written.bytes()));
  const Volume full = load(strength);
  QCOMPARE(full.type(), VoxelType::U16);
  QCOMPARE(full.value_at({3, 8, 3}), 4096.0);  // a seed
}

void TestCommands::run_takes_flags_in_every_form_data() {
  QTest::addColumn<QStringList>("flags");
  QTest::newRow("dash") << QStringList{"--sigma-o", "50", "--m", "-100"};
  QTest::newRow("underscore") << QStringList{"--sigma_o", "50", "--m", "-100"};
  QTest::newRow("equals sign") << QStringList{"--sigma-o=50", "--m=-100"};
  QTest::newRow("other order") << QStringList{"--m", "-1e2", "--sigma_o=5e1"};
}

void TestCommands::run_takes_flags_in_every_form() {
  QFETCH(QStringList, flags);
  const QJsonObject values =
      at(run_cli(run_irfc(flags + QStringList{"--json"})).json(), "values").toObject();
  QCOMPARE(at(values, "sigma_o").toDouble(), 50.0);
  QCOMPARE(at(values, "m").toDouble(), -100.0);
}

void TestCommands::seeds_may_be_labels_or_strokes() {
  const Geometry geometry = scene().geometry();
  io::SeedFile strokes;
  strokes.seeds.strokes = {
      {.label = 1, .radius_mm = 0.01, .points = {geometry.to_world(Index3{3, 8, 3})}, .plane = {}},
      {.label = 2,
       .radius_mm = 0.01,
       .points = {geometry.to_world(Index3{16, 8, 3})},
       .plane = {}}};
  io::save_seeds(path_of(file("seeds.json")), strokes);
  const QJsonObject labels = run_cli(run_irfc({"--json"})).json();
  const QJsonObject json = run_cli({"run", "irfc", "--image", file("scene.nii.gz"), "--seeds",
                                    file("seeds.json"), "--json"})
                               .json();
  QVERIFY(!at(labels, "outputs/labels/digest").toString().isEmpty());
  QCOMPARE(at(json, "outputs"), at(labels, "outputs"));
}

void TestCommands::a_label_map_may_be_named_as_labels() {
  const QString map = file("named.nii.gz");
  QCOMPARE(run_cli(run_irfc({"--out", map, "--quiet"})).code, 0);
  const auto cleaned = [&](const QStringList& image) {
    return run_cli(QStringList{"run", "clean-labels", "--json"} + image);
  };
  const CliOutcome as_labels = cleaned({"--labels", map});
  QCOMPARE(as_labels.code, 0);
  QVERIFY(!at(as_labels.json(), "outputs/labels/digest").toString().isEmpty());
  QCOMPARE(at(as_labels.json(), "outputs/labels/digest"),
           at(cleaned({"--image", map}).json(), "outputs/labels/digest"));
  QCOMPARE(cleaned({"--labels", map, "--image", map}).code, 2);
  QCOMPARE(cleaned({}).code, 2);
  QCOMPARE(cleaned({"--labels", map, "--out", map}).code, 2);
}

void TestCommands::edits_lie_above_the_result() {
  const Geometry geometry = scene().geometry();
  const CliOutcome plain = run_cli(run_irfc({"--out", file("plain.nii.gz"), "--json"}));
  QCOMPARE(plain.code, 0);
  std::vector<std::uint32_t> drawn(static_cast<std::size_t>(geometry.voxel_count()));
  std::mt19937 random(3);
  for (auto& label : drawn) {
    const auto kind = random() % 8;
    label = kind == 0 ? 7U : kind == 1 ? 4294967295U : kind == 2 ? 1U : 0U;
  }
  io::save_labels(path_of(file("edits.nrrd")), LabelMap(geometry, drawn));
  Context context;
  const LabelMap before = io::read_labels(path_of(file("plain.nii.gz")), context);
  for (const bool locked : {false, true}) {
    QStringList more{"--edits", file("edits.nrrd"), "--out", file("edited.nii.gz"), "--json"};
    if (locked) more += {"--locked", "1"};
    const CliOutcome edited = run_cli(run_irfc(more));
    QVERIFY2(edited.code == 0, edited.err);
    const LabelMap after = io::read_labels(path_of(file("edited.nii.gz")), context);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      Label expected = before.labels()[i];
      if (locked && expected == 1) expected = 0;  // only the voxels of the file have it
      if (drawn[i] != 0) expected = drawn[i] == 4294967295U ? 0 : drawn[i];
      QCOMPARE(after.labels()[i], expected);
    }
    const auto digest = [](const CliOutcome& outcome) {
      return at(outcome.json(), "outputs/labels/digest").toString();
    };
    QVERIFY(!digest(plain).isEmpty() && digest(edited) != digest(plain));
  }
  // Edits need no strokes where the operation says so.
  const CliOutcome alone = run_cli({"run", "segment", "--image", file("scene.nii.gz"), "--edits",
                                    file("edits.nrrd"), "--out", file("edited.nii.gz"), "--json"});
  QVERIFY2(alone.code == 0, alone.err);
  const LabelMap after = io::read_labels(path_of(file("edited.nii.gz")), context);
  for (std::size_t i = 0; i < drawn.size(); ++i)
    QCOMPARE(after.labels()[i], drawn[i] == 4294967295U ? 0 : drawn[i]);
}

void TestCommands::edits_that_do_not_fit_are_refused() {
  const Geometry geometry = scene().geometry();
  Geometry other = geometry;
  other.origin[0] += 5;
  std::vector<std::uint32_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  io::save_labels(path_of(file("elsewhere.nrrd")), LabelMap(other, labels));
  labels[5] = 70000;
  io::save_labels(path_of(file("too_large.nrrd")), LabelMap(geometry, labels));
  const auto refused = [&](const QStringList& more, int code, const char* says) {
    const CliOutcome outcome = run_cli(run_irfc(more));
    return outcome.code == code && outcome.err.count('\n') == 1 && outcome.err.contains(says);
  };
  QVERIFY(refused({"--edits", file("elsewhere.nrrd")}, 3, "on a different grid"));
  QVERIFY(refused({"--edits", file("too_large.nrrd")}, 3, "holds label 70000"));
  QVERIFY(refused({"--edits", file("missing.nrrd")}, 3, "missing.nrrd"));
  QVERIFY(refused({"--locked", "0"}, 2, "--locked must be labels from 1 to 65534"));
  QVERIFY(refused({"--locked", "one"}, 2, "--locked"));
}

void TestCommands::labels_lie_inside_regions() {
  Geometry grid;
  grid.size = {40, 30, 1};
  grid.unit = LengthUnit::Pixel;
  io::save_volume(path_of(file("page.png")), Volume(grid, std::vector<std::uint8_t>(40 * 30, 200)));
  std::ofstream(path_of(file("areas.geojson"))) << R"({"type":"FeatureCollection","features":[
    {"type":"Feature","geometry":{"type":"Polygon",
     "coordinates":[[[2,2],[12,2],[12,8],[2,8],[2,2]]]},
     "properties":{"objectType":"annotation","classification":{"name":"Tumor"}}},
    {"type":"Feature","geometry":{"type":"Polygon",
     "coordinates":[[[20,20],[25,20],[25,24],[20,24],[20,20]]]},
     "properties":{"objectType":"annotation","classification":{"name":"Stroma"}}}]})";
  const auto labelled = [&](const QString& inside) {
    QStringList call{"run", "threshold", "--image", file("page.png"),  "--low",
                     "100", "--json",    "--out",   file("page.nrrd"), "--overwrite"};
    if (!inside.isEmpty()) call += {"--inside", inside};
    const CliOutcome outcome = run_cli(call);
    if (outcome.code != 0) return std::int64_t{-outcome.code};
    Context context;
    const LabelMap labels = io::read_labels(path_of(file("page.nrrd")), context);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < 40 * 30; ++i)
      count += labels.labels()[i] != 0 ? 1 : 0;
    return count;
  };
  QCOMPARE(labelled({}), std::int64_t{40 * 30});
  QCOMPARE(labelled(file("areas.geojson")), std::int64_t{60 + 20});
  QCOMPARE(labelled(file("areas.geojson") + "#Tumor"), std::int64_t{60});
  QCOMPARE(labelled(file("areas.geojson") + "#Stroma"), std::int64_t{20});
  QCOMPARE(labelled(file("missing.geojson")), std::int64_t{-3});
  const CliOutcome none = run_cli({"run", "threshold", "--image", file("page.png"), "--low", "100",
                                   "--inside", file("areas.geojson") + "#Nerve"});
  QCOMPARE(none.code, 3);
  QVERIFY2(none.err.contains("no regions of the class 'Nerve': it has Tumor, Stroma"), none.err);
  QCOMPARE(none.err.count('\n'), 1);
}

void TestCommands::labels_are_corrected_where_strokes_reach() {
  const QStringList correct{"run",     "segment",       "--image", file("scene.nii.gz"),
                            "--start", file("all.nii"), "--out",   file("edited.nii.gz"),
                            "--json"};
  Context context;
  const LabelMap start = io::read_labels(path_of(file("all.nii")), context);
  CliOutcome outcome = run_cli(correct);
  QVERIFY2(outcome.code == 0, outcome.err);
  QVERIFY(io::read_labels(path_of(file("edited.nii.gz")), context).labels() == start.labels());
  outcome = run_cli(correct + QStringList{"--seeds", file("seeds.nii"), "--reach", "3"});
  QVERIFY2(outcome.code == 0, outcome.err);
  const LabelMap after = io::read_labels(path_of(file("edited.nii.gz")), context);
  QCOMPARE(after.at({16, 8, 3}), Label{2});
  QCOMPARE(after.at({10, 8, 3}), Label{1});  // out of reach
}

void TestCommands::threads_and_repeats_change_no_bit() {
  const QJsonObject one = run_cli(run_irfc({"--threads", "1", "--json"})).json();
  const QJsonObject many = run_cli(run_irfc({"--threads", "3", "--repeat", "5", "--json"})).json();
  QVERIFY(!one.contains("ms_runs"));
  QCOMPARE(at(many, "outputs"), at(one, "outputs"));
  std::vector<double> runs;
  for (const auto& ms : at(many, "ms_runs").toArray())
    runs.push_back(ms.toDouble());
  QCOMPARE(runs.size(), std::size_t{5});
  std::sort(runs.begin(), runs.end());
  QCOMPARE(at(many, "ms/total").toDouble(), runs[2]);
}

void TestCommands::region_is_the_same_part_of_everything() {
  const Box box{{2, 3, 1}, {18, 13, 5}};
  const QString cut = file("cut.nii");
  const CliOutcome outcome = run_cli(
      run_irfc({"--region", "2,3,1,16,10,4", "--mask", file("all.nii"), "--out", cut, "--json"}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  QVERIFY(same_grid(load(cut).geometry(), crop(scene().geometry(), box)));
  // The same as cropping all files first.
  io::save_volume(path_of(file("part.nii")), crop(scene(), box));
  io::save_labels(path_of(file("part seeds.nii")), crop(seed_labels(scene().geometry()), box));
  const QJsonObject first = run_cli({"run", "irfc", "--image", file("part.nii"), "--seeds",
                                     file("part seeds.nii"), "--json"})
                                .json();
  QCOMPARE(at(outcome.json(), "outputs"), at(first, "outputs"));
}

void TestCommands::colour_needs_a_channel() {
  const QStringList run{"run", "threshold", "--image", file("colour.nii"), "--low", "30"};
  const CliOutcome refused = run_cli(run);
  QCOMPARE(refused.code, 3);
  for (const char* channel : {"gray", "red", "green", "blue", "hematoxylin", "eosin", "dab"})
    QVERIFY2(refused.err.contains(channel), channel);
  const QJsonObject red = run_cli(run + QStringList{"--channel", "red", "--json"}).json();
  // Red is 0, 9, 18, ... over 24 pixels; those of at least 30 are all but the first four.
  QCOMPARE(at(red, "outputs/labels/counts/1").toInt(), 20);
}

void TestCommands::reference_on_flipped_axes_gives_dice() {
  const LabelMap object =
      test::shape(scene().geometry(), [](auto x, auto, auto) { return x < 10; });
  // The same voxels, stored from the other end of the first axis.
  Geometry flipped = object.geometry();
  flipped.origin = object.geometry().to_world(Index3{19, 0, 0});
  flipped.direction[0] = -1;
  std::vector<Label> labels;
  for (std::int64_t i = 0; i < flipped.voxel_count(); ++i) {
    const Index3 at = flipped.index_of(i);
    labels.push_back(object.at({19 - at[0], at[1], at[2]}));
  }
  io::save_labels(path_of(file("flipped.nii")), LabelMap(flipped, std::move(labels)));
  const QJsonObject json = run_cli({"run", "threshold", "--image", file("scene.nii.gz"), "--low",
                                    "200", "--reference", file("flipped.nii"), "--json"})
                               .json();
  QCOMPARE(at(json, "dice/1").toDouble(), 1.0);
}

void TestCommands::picture_shows_three_planes() {
  const QString picture = file("picture.png");
  const CliOutcome outcome = run_cli(run_irfc({"--picture", picture, "--quiet"}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  QVERIFY(outcome.out.isEmpty());
  const Volume shown = load(picture);
  QCOMPARE(shown.components(), 3);
  QVERIFY(shown.geometry().size[0] > shown.geometry().size[1]);
}

void TestCommands::info_says_what_is_there() {
  const CliOutcome plain = run_cli({"info", file("scene.nii.gz"), "--json"});
  QCOMPARE(plain.code, 0);
  QCOMPARE(at(plain.json(), "path").toString(), file("scene.nii.gz"));
  const QJsonObject item = at(plain.json(), "items/0").toObject();
  QCOMPARE(at(item, "kind").toString(), "volume");
  QCOMPARE(at(item, "format").toString(), "nifti");
  QCOMPARE(at(item, "size").toArray(), (QJsonArray{20, 16, 6}));
  QVERIFY(std::abs(at(item, "spacing/1").toDouble() - 0.9) < 1e-6);
  QVERIFY(std::abs(at(item, "origin/0").toDouble() + 12.5) < 1e-6);
  QCOMPARE(at(item, "direction").toArray().size(), 9);
  QCOMPARE(at(item, "type").toString(), "i16");
  QCOMPARE(at(item, "components").toInt(), 1);
  QVERIFY(item.contains("range") && at(item, "range").isNull());
  QCOMPARE(at(item, "regular").toBool(), true);
  QVERIFY(!item.contains("digest"));
  QVERIFY(at(plain.json(), "skipped").isArray());

  const CliOutcome digest = run_cli({"info", file("scene.nii.gz"), "--digest", "--json"});
  QCOMPARE(at(digest.json(), "items/0/digest").toString().toStdString(),
           xxh64_digest(scene().bytes()));
  QVERIFY(at(digest.json(), "items/0/range").isNull());

  const ValueRange range = value_range(scene());
  const CliOutcome ranged = run_cli({"info", file("scene.nii.gz"), "--range", "--json"});
  QCOMPARE(at(ranged.json(), "items/0/range").toArray(), (QJsonArray{range.low, range.high}));
  QVERIFY(!at(ranged.json(), "items/0").toObject().contains("digest"));
  QVERIFY(run_cli({"info", file("scene.nii.gz")}).out.contains("--range"));
  QVERIFY(run_cli({"info", file("scene.nii.gz"), "--range"}).out.contains("values -100 to"));
}

void TestCommands::info_reads_headers_alone() {
  // A truncated compressed file: the header is complete, and only further reading finds the end.
  QFile whole(file("scene.nii.gz"));
  QVERIFY(whole.open(QIODevice::ReadOnly));
  const QByteArray bytes = whole.readAll();
  QFile cut(file("cut.nii.gz"));
  QVERIFY(cut.open(QIODevice::WriteOnly));
  cut.write(bytes.first(bytes.size() * 3 / 4));
  cut.close();
  const CliOutcome headers = run_cli({"info", file("cut.nii.gz"), "--json"});
  QCOMPARE(headers.code, 0);
  QCOMPARE(at(headers.json(), "items/0/usable").toBool(), true);
  const CliOutcome voxels = run_cli({"info", file("cut.nii.gz"), "--range", "--json"});
  QCOMPARE(voxels.code, 3);
  QCOMPARE(at(voxels.json(), "items/0/usable").toBool(true), false);
  QVERIFY2(voxels.err.contains("truncated"), voxels.err.constData());
}

void TestCommands::info_tells_infinite_and_large_values() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto range_of = [&](const std::vector<float>& voxels) {
    Geometry geometry;
    geometry.size = {3, 1, 1};
    io::save_volume(path_of(file("values.nrrd")), Volume(geometry, voxels));
    return at(run_cli({"info", file("values.nrrd"), "--range", "--json"}).json(), "items/0/range")
        .toArray();
  };
  QCOMPARE(range_of({-kInfinity, 0, kInfinity}), (QJsonArray{"-inf", "inf"}));
  QCOMPARE(range_of({-0x1p100F, 0, 0x1p63F}), (QJsonArray{-0x1p100, 0x1p63}));
}

void TestCommands::info_of_nothing_usable_fails_with_its_object() {
  const CliOutcome outcome = run_cli({"info", file("notes.txt"), "--json"});
  QCOMPARE(outcome.code, 3);
  QCOMPARE(at(outcome.json(), "items").toArray().size(), 0);
  QCOMPARE(at(outcome.json(), "skipped").toArray().size(), 1);
  QCOMPARE(at(outcome.json(), "error/code").toInt(), 3);
}

void TestCommands::a_damaged_picture_is_read_only_when_allowed() {
  QFile whole(file("cut.png"));
  Geometry plane;
  plane.size = {64, 64, 1};
  plane.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> pixels(64 * 64);
  std::mt19937 random(3);
  for (std::uint8_t& pixel : pixels)
    pixel = static_cast<std::uint8_t>(random());
  io::save_volume(path_of(file("cut.png")), Volume(plane, std::move(pixels)));
  QVERIFY(whole.resize(whole.size() / 2));
  const QString out = file("read.nii");
  for (const QStringList& words :
       {QStringList{"run", "threshold", "--image", file("cut.png"), "--low", "9", "--out", out},
        QStringList{"convert", file("cut.png"), out},
        QStringList{"info", file("cut.png"), "--range"},
        QStringList{"sweep", "threshold", "--image", file("cut.png"), "--vary", "low=9,10", "--out",
                    file("t.csv")}}) {
    const CliOutcome refused = run_cli(words);
    QCOMPARE(refused.code, 3);
    QVERIFY2(refused.err.contains("cut.png is damaged or truncated"), refused.err.constData());
    QVERIFY2(refused.err.contains("--allow-damaged"), refused.err.constData());
    QCOMPARE(refused.err.count('\n'), 1);
    QVERIFY(!QFile::exists(out));
    const CliOutcome read = run_cli(words + QStringList{"--allow-damaged"});
    QVERIFY2(read.code == 0, read.err.constData());
    QVERIFY((read.err + read.out).contains("is damaged or truncated"));
    QFile::remove(out);
  }
}

void TestCommands::compare_prints_every_figure() {
  const test::MetricPair pair = test::metric_pairs().front();
  io::save_labels(path_of(file("a.nii")), pair.result);
  io::save_labels(path_of(file("b.nii")), pair.reference);
  const CliOutcome outcome = run_cli({"compare", file("a.nii"), file("b.nii"), "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject figures = at(outcome.json(), "labels/1").toObject();
  const auto near = [&](const char* id, double expected) {
    return std::abs(at(figures, id).toDouble() - expected) < 1e-5;  // NIfTI keeps spacing in f32
  };
  QVERIFY(near("dice", pair.dice));
  QVERIFY(near("jaccard", pair.jaccard));
  QVERIFY(near("sensitivity", pair.sensitivity));
  QVERIFY(near("precision", pair.precision));
  QVERIFY(near("hd", pair.hd));
  QVERIFY(near("hd95", pair.hd95));
  QVERIFY(near("hd95_pooled", pair.hd95_pooled));
  QVERIFY(near("assd", pair.assd));
  QVERIFY(near("masd", pair.masd));
  QVERIFY(near("volume_result_ml", 671 * 0.9 * 0.9 * 2.5 / 1000));
  QVERIFY(near("volume_reference_ml", 521 * 0.9 * 0.9 * 2.5 / 1000));
  QCOMPARE(at(outcome.json(), "macro/dice").toDouble(), at(figures, "dice").toDouble());
  const CliOutcome text = run_cli({"compare", file("a.nii"), file("b.nii")});
  QVERIFY(text.out.contains("0.6393"));
}

void TestCommands::compare_has_null_where_undefined() {
  const CliOutcome outcome = run_cli({"compare", file("seeds.nii"), file("all.nii"), "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject two = at(outcome.json(), "labels/2").toObject();
  for (const char* id : {"dice", "jaccard", "sensitivity", "hd", "hd95", "assd"})
    QVERIFY2(at(two, id).isNull(), id);
  // The mean is over the labels of the reference.
  QCOMPARE(at(outcome.json(), "macro/dice"), at(outcome.json(), "labels/1/dice"));
  QVERIFY(at(outcome.json(), "warnings").toArray().isEmpty());
  // In the opposite order, label 2 is one that the result missed.
  const QJsonObject missed =
      run_cli({"compare", file("all.nii"), file("seeds.nii"), "--json"}).json();
  QCOMPARE(at(missed, "labels/2/dice").toDouble(-1), 0.0);
  QCOMPARE(at(missed, "macro/dice").toDouble(-1), at(missed, "labels/1/dice").toDouble() / 2);
}

void TestCommands::a_label_that_the_reference_lacks_is_not_scored() {
  const QStringList run = run_irfc({"--reference", file("all.nii")});
  const QJsonObject json = run_cli(run + QStringList{"--json"}).json();
  QVERIFY(at(json, "dice/1").isDouble());
  QVERIFY(at(json, "dice").toObject().contains("2"));
  QVERIFY(at(json, "dice/2").isNull());
  const CliOutcome text = run_cli(run);
  QVERIFY2(text.out.contains(", Dice -\n"), text.out.constData());
}

void TestCommands::compare_warns_of_numbered_objects() {
  // Twelve objects of four pixels, numbered from the left and from the right.
  Geometry picture;
  picture.size = {60, 1, 1};
  picture.unit = LengthUnit::Pixel;
  std::vector<std::uint16_t> left(60);
  std::vector<std::uint16_t> right(60);
  for (std::size_t x = 0; x < 60; ++x) {
    if (x % 5 == 4) continue;
    left[x] = static_cast<std::uint16_t>(1 + x / 5);
    right[x] = static_cast<std::uint16_t>(12 - x / 5);
  }
  io::save_labels(path_of(file("left.png")), {picture, left});
  io::save_labels(path_of(file("right.png")), {picture, right});
  const QStringList both{"compare", file("left.png"), file("right.png")};
  const CliOutcome text = run_cli(both);
  QCOMPARE(text.code, 0);
  QVERIFY2(text.err.contains("numbered objects"), text.err.constData());
  QVERIFY2(text.err.contains("--objects"), text.err.constData());
  QVERIFY2(text.err.contains("--match"), text.err.constData());
  const CliOutcome json = run_cli(both + QStringList{"--json"});
  QCOMPARE(at(json.json(), "warnings").toArray().size(), 1);
  QVERIFY(json.err.isEmpty());
  for (const QStringList& quiet : {both + QStringList{"--match"}, both + QStringList{"--objects"},
                                   QStringList{"compare", file("left.png"), file("left.png")}}) {
    const CliOutcome outcome = run_cli(quiet);
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.err.isEmpty(), outcome.err.constData());
  }
}

void TestCommands::compare_matches_labels_that_nobody_named() {
  Geometry picture;
  picture.size = {6, 1, 1};
  picture.unit = LengthUnit::Pixel;
  io::save_labels(path_of(file("found.png")),
                  LabelMap(picture, std::vector<std::uint8_t>{3, 3, 3, 1, 1, 2}));
  io::save_labels(path_of(file("parts.png")),
                  LabelMap(picture, std::vector<std::uint8_t>{1, 1, 0, 2, 2, 0}));
  const QStringList both{"compare", file("found.png"), file("parts.png"), "--match"};
  const CliOutcome whole = run_cli(both + QStringList{"--json"});
  QVERIFY2(whole.code == 0, whole.err.constData());
  QCOMPARE(at(whole.json(), "matched/3").toInt(), 1);
  QCOMPARE(at(whole.json(), "matched/1").toInt(), 2);
  QCOMPARE(at(whole.json(), "labels/1/dice").toDouble(), 0.8);
  const CliOutcome parts = run_cli(both + QStringList{"--where-labelled", "--json"});
  QCOMPARE(at(parts.json(), "macro/dice").toDouble(), 1.0);
  QCOMPARE(at(parts.json(), "macro/hd").toDouble(-1), 0.0);
  const CliOutcome text = run_cli(both);
  QVERIFY(text.out.contains("label 3 of the result counts as 1"));
  QVERIFY(text.out.contains("ASSD px"));
  QVERIFY(!text.out.contains("ml"));
}

void TestCommands::convert_keeps_every_bit() {
  QCOMPARE(run_cli({"convert", file("scene.nii.gz"), file("a.npy")}).code, 0);
  QCOMPARE(run_cli({"convert", file("a.npy"), file("b.nii")}).code, 0);
  const CliOutcome last = run_cli({"convert", file("b.nii"), file("c.npy"), "--json"});
  QCOMPARE(last.code, 0);
  QCOMPARE(at(last.json(), "digest").toString().toStdString(), xxh64_digest(scene().bytes()));
  QVERIFY(std::ranges::equal(load(file("c.npy")).bytes(), scene().bytes()));
}

void TestCommands::ops_lists_what_run_takes() {
  const QJsonArray operations = at(run_cli({"ops", "--json"}).json(), "operations").toArray();
  QVERIFY(operations.size() >= 5);
  for (const auto& operation : operations) {
    const CliOutcome help = run_cli({"run", at(operation, "id").toString(), "--help"});
    QCOMPARE(help.code, 0);
    for (const auto& parameter : at(operation, "parameters").toArray()) {
      const QByteArray flag =
          "--" + at(parameter, "id").toString().replace('_', '-').toUtf8() + " ";
      QVERIFY2(help.out.contains(flag), flag.constData());
      const QString kind = at(parameter, "kind").toString();
      QVERIFY2(QStringList({"number", "integer", "choice", "direction", "place", "estimate"})
                   .contains(kind),
               flag.constData());
      QVERIFY(QStringList({"always", "images", "volumes"})
                  .contains(at(parameter, "applies").toString()));
      QVERIFY(!at(parameter, "default").isUndefined());
      QCOMPARE(at(parameter, "choices").isArray(), kind == "choice");
      QCOMPARE(at(parameter, "min").isDouble(), kind == "number" || kind == "integer");
    }
    QVERIFY(!at(operation, "outputs").toArray().isEmpty());
    QCOMPARE(at(operation, "implementations/0/default").toBool(), true);
    QVERIFY(at(operation, "implementations/0/exact").isBool());
  }
}

void TestCommands::devices_says_what_there_is() {
  const QJsonObject json = run_cli({"devices", "--json"}).json();
  QVERIFY(at(json, "cpu/threads").toInt() >= 1);
  QVERIFY(at(json, "cuda").isArray());
  // Either a device, or the reason why there is none.
  QCOMPARE(at(json, "why_no_cuda").isNull(), !at(json, "cuda").toArray().isEmpty());
}

void TestCommands::interrupt_ends_with_130() {
  QProcess process;
  process.start(SEEDWAVE_CLI,
                run_irfc({"--repeat", "10000", "--out", file("never.nii"), "--json"}));
  QVERIFY(process.waitForStarted());
  // The program is ready when it catches SIGINT: bit 1 of SigCgt.
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
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 130);
  QCOMPARE(process.readAllStandardError(), QByteArray("seedwave-cli: interrupted\n"));
  QVERIFY(process.readAllStandardOutput().contains("\"code\":130"));
  QVERIFY(!QFile::exists(file("never.nii")));
}

void TestCommands::segments_a_dicom_study() {
  // The reference has the study's grid with its x axis reversed.
  const auto study = test::test_data("R3_ct_dicom");
  SEEDWAVE_NEED_DATA(study);
  const QString dicom = QString::fromStdString((study / "dicom").string());
  QString labels;
  for (const auto& entry : std::filesystem::directory_iterator(study)) {
    if (entry.path().string().ends_with(".nii.gz")) {
      labels = QString::fromStdString(entry.path().string());
    }
  }
  const CliOutcome outcome =
      run_cli({"run", "threshold", "--image", dicom, "--low", "150", "--reference", labels, "--out",
               file("bright.nii.gz"), "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  QVERIFY(at(outcome.json(), "image/size").toArray() == (QJsonArray{512, 512, 12}));
  QVERIFY(!at(outcome.json(), "dice").toObject().isEmpty());
  const CliOutcome compared = run_cli({"compare", file("bright.nii.gz"), labels, "--json"});
  QVERIFY2(compared.code == 0, compared.err.constData());
  QCOMPARE(at(compared.json(), "labels/1/dice").toDouble(),
           at(outcome.json(), "dice/1").toDouble());
}

void TestCommands::reference_page_is_up_to_date() {
  QFile page(SEEDWAVE_OPERATIONS_PAGE);
  QVERIFY(page.open(QIODevice::ReadOnly));
  QVERIFY2(run_cli({"ops", "--markdown"}).out == page.readAll(),
           "docs/operations.md is old: write it anew with seedwave-cli ops --markdown");
}

QTEST_GUILESS_MAIN(TestCommands)
#include "test_commands.moc"
