// SPDX-License-Identifier: Apache-2.0
// Operations that produce an image, as seen by a user or script: markers, files of all kinds,
// images.
#include "core/image/crop.h"
#include "core/image/cyclic_color.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"
#include "tests/support/random_volume.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace seedwave;
using test::CliOutcome;
using test::run_cli;

namespace {

std::filesystem::path path_of(const QString& file) {
  return file.toStdString();
}

Volume load(const QString& file) {
  Context context;
  return io::load_path(path_of(file), "", context).volume;
}

QString digest_of(const CliOutcome& outcome) {
  const QJsonValue outputs = outcome.json().value("outputs");
  return outputs.toObject().value("image").toObject().value("digest").toString();
}

}  // namespace

class TestReconstruct : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void a_marker_is_read_and_grows();
  void region_cuts_image_and_marker_alike();
  void markers_that_do_not_fit_are_refused_data();
  void markers_that_do_not_fit_are_refused();
  void a_colour_marker_takes_the_same_channel();
  void says_what_was_cut();
  void works_in_the_memory_that_was_stated();
  void writes_images_of_every_kind_data();
  void writes_images_of_every_kind();
  void labels_are_images_too();
  void radius_is_in_millimetres();
  void picture_shows_the_image_that_came_out();
  void picture_shows_angles_where_they_count();

 private:
  [[nodiscard]] QString file(const char* name) const { return folder_.filePath(name); }
  [[nodiscard]] QStringList run(const char* image, const QStringList& more) const {
    return QStringList{"run", "reconstruct", "--image", file(image), "--json"} + more;
  }

  QTemporaryDir folder_;
  Volume image_;
};

/// Creates a u8 volume with a position, half of it as a marker, and inputs that do not fit it.
void TestReconstruct::initTestCase() {
  Geometry geometry;
  geometry.size = {19, 13, 5};
  geometry.spacing = {0.5, 0.5, 2.0};
  geometry.origin = {-20.0, 3.5, 8.0};
  test::RandomNumbers random(5);
  image_ = test::random_volume_of<std::uint8_t>(random, geometry, 200);
  io::save_volume(path_of(file("image.nii.gz")), image_);
  std::vector<std::uint8_t> half;
  for (const std::uint8_t value : image_.voxels<std::uint8_t>())
    half.push_back(value / 2);
  io::save_volume(path_of(file("marker.nii")), Volume(geometry, half));
  io::save_volume(path_of(file("marker i16.nii")),
                  Volume(geometry, std::vector<std::int16_t>(half.begin(), half.end())));
  std::vector<float> fractions(half.begin(), half.end());
  fractions[30] += 0.5F;
  io::save_volume(path_of(file("fractions.nii")), Volume(geometry, fractions));
  Geometry elsewhere = geometry;
  elsewhere.origin[1] += 4;
  io::save_volume(path_of(file("elsewhere.nii")), Volume(elsewhere, half));
  Geometry plane;
  plane.size = {6, 4, 1};
  std::vector<std::uint8_t> rgb(72);
  for (std::size_t i = 0; i < rgb.size(); ++i)
    rgb[i] = static_cast<std::uint8_t>(i * 3);
  io::save_volume(path_of(file("colour.png")), Volume(plane, rgb, 3));
  io::save_volume(path_of(file("small.npy")), Volume(plane, std::vector<std::uint8_t>(24)));
}

void TestReconstruct::a_marker_is_read_and_grows() {
  const CliOutcome outcome =
      run_cli(run("image.nii.gz", {"--marker", file("marker.nii"), "--out", file("out.nii")}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const Volume result = load(file("out.nii"));
  QVERIFY(same_grid(result.geometry(), image_.geometry()));
  QCOMPARE(result.type(), VoxelType::U8);
  bool grew = false;
  for (std::int64_t i = 0; i < image_.value_count(); ++i) {
    const std::uint8_t limit = image_.voxels<std::uint8_t>()[i];
    const std::uint8_t value = result.voxels<std::uint8_t>()[i];
    QVERIFY(value >= limit / 2 && value <= limit);
    grew |= value > limit / 2;
  }
  QVERIFY(grew);
  // The values count, not the type that stores them; and the given marker, not a derived one.
  QCOMPARE(digest_of(run_cli(run("image.nii.gz",
                                 {"--marker", file("marker i16.nii"), "--marker-from", "border"}))),
           digest_of(outcome));
  QVERIFY(digest_of(run_cli(run("image.nii.gz", {}))) != digest_of(outcome));
}

void TestReconstruct::region_cuts_image_and_marker_alike() {
  const Box box{{2, 3, 1}, {15, 11, 4}};
  const CliOutcome outcome =
      run_cli(run("image.nii.gz", {"--region", "2,3,1,13,8,3", "--marker", file("marker.nii")}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  io::save_volume(path_of(file("part.nii")), crop(image_, box));
  io::save_volume(path_of(file("part marker.nii")), crop(load(file("marker.nii")), box));
  const CliOutcome first = run_cli(run("part.nii", {"--marker", file("part marker.nii")}));
  QVERIFY2(first.code == 0, first.err.constData());
  QCOMPARE(digest_of(outcome), digest_of(first));
  // A marker on the grid of the region is accepted too.
  const CliOutcome cut = run_cli(
      run("image.nii.gz", {"--region", "2,3,1,13,8,3", "--marker", file("part marker.nii")}));
  QCOMPARE(digest_of(cut), digest_of(first));
}

void TestReconstruct::markers_that_do_not_fit_are_refused_data() {
  QTest::addColumn<QStringList>("more");
  QTest::addColumn<QByteArray>("part");
  const auto row = [&](const char* name, const QStringList& more, const char* part) {
    QTest::newRow(name) << more << QByteArray(part);
  };
  row("missing", {"--marker", file("nowhere.nii")}, "nowhere.nii");
  row("another place", {"--marker", file("elsewhere.nii")},
      "elsewhere.nii is on a different grid from the image: marker 19 x 13 x 5, 0.500 x 0.500 x "
      "2.000 mm, first voxel at (-20.00, 7.50, 8.00)");
  row("another size", {"--marker", file("small.npy")}, "small.npy is on a different grid");
  row("fractions", {"--marker", file("fractions.nii")}, ".5 at (11, 1, 0)");
}

void TestReconstruct::markers_that_do_not_fit_are_refused() {
  QFETCH(QStringList, more);
  QFETCH(QByteArray, part);
  const CliOutcome outcome = run_cli(run("image.nii.gz", more));
  QCOMPARE(outcome.code, 3);
  QVERIFY2(outcome.err.contains(part), outcome.err.constData());
  QCOMPARE(outcome.err.count('\n'), 1);
}

void TestReconstruct::a_colour_marker_takes_the_same_channel() {
  const CliOutcome outcome =
      run_cli(run("colour.png",
                  {"--channel", "red", "--marker", file("colour.png"), "--out", file("red.png")}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const Volume red = load(file("red.png"));
  for (std::int64_t i = 0; i < red.value_count(); ++i)
    QCOMPARE(red.voxels<std::uint8_t>()[i], static_cast<std::uint8_t>(i * 9));
  const CliOutcome refused = run_cli(run("colour.png", {}));
  QCOMPARE(refused.code, 3);
  QVERIFY2(refused.err.contains("--channel"), refused.err.constData());
  const CliOutcome grey = run_cli(run("red.png", {"--marker", file("colour.png")}));
  QCOMPARE(grey.code, 3);
  QVERIFY2(grey.err.contains("a marker has one channel"), grey.err.constData());
}

void TestReconstruct::says_what_was_cut() {
  const CliOutcome outcome = run_cli(run("marker.nii", {"--marker", file("image.nii.gz")}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QString warning = outcome.json().value("warnings").toArray().at(0).toString();
  QVERIFY2(warning.contains("above the image at") && warning.contains("was clipped"),
           qPrintable(warning));
}

void TestReconstruct::works_in_the_memory_that_was_stated() {
  Geometry geometry;
  geometry.size = {300, 700, 1};
  test::RandomNumbers random(3);
  io::save_volume(path_of(file("tall.nii")), test::random_volume(random, geometry, VoxelType::I16));
  const auto run = [&](const char* memory) {
    return run_cli({"run", "h-domes", "--image", file("tall.nii"), "--backend", "cpu", "--h", "30",
                    "--json", "--memory", memory});
  };
  const CliOutcome whole = run("1G");
  QVERIFY2(whole.code == 0, whole.err.constData());
  const CliOutcome parts = run("500k");
  QVERIFY2(parts.code == 0, parts.err.constData());
  QCOMPARE(digest_of(parts), digest_of(whole));
  const CliOutcome too_little = run("10k");
  QCOMPARE(too_little.code, 5);
  QVERIFY(
      too_little.err.contains("10 kB of memory is too little for 300 x 700 x 1 voxels: at least"));
  QCOMPARE(too_little.err.trimmed().count('\n'), 0);
  const CliOutcome no_size = run("much");
  QCOMPARE(no_size.code, 2);
  QVERIFY(no_size.err.contains("--memory"));
  const CliOutcome other = run_cli({"run", "h-domes", "--image", file("tall.nii"), "--backend",
                                    "cpu", "--algorithm", "fh", "--memory", "1G"});
  QCOMPARE(other.code, 2);
  QVERIFY(other.err.contains("h-domes by fh (cpu) does not support a memory limit"));
}

void TestReconstruct::writes_images_of_every_kind_data() {
  QTest::addColumn<QString>("suffix");
  for (const char* suffix : {".nii", ".nii.gz", ".nrrd", ".mha", ".tif", ".npy"})
    QTest::newRow(suffix) << QString(suffix);
}

void TestReconstruct::writes_images_of_every_kind() {
  QFETCH(QString, suffix);
  const QString out = folder_.filePath("of every kind" + suffix);
  const CliOutcome outcome = run_cli(QStringList{"run", "h-domes", "--image", file("image.nii.gz"),
                                                 "--h", "30", "--out-image", out, "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const CliOutcome info = run_cli({"info", out, "--digest", "--json"});
  QCOMPARE(info.json().value("items").toArray().at(0).toObject().value("digest").toString(),
           digest_of(outcome));
}

void TestReconstruct::labels_are_images_too() {
  Geometry geometry;
  geometry.size = {7, 7, 1};
  std::vector<std::uint16_t> ring(49, 0);
  for (const std::size_t i : {16U, 17U, 18U, 23U, 25U, 30U, 31U, 32U})
    ring[i] = 700;
  io::save_labels(path_of(file("ring.png")), LabelMap(geometry, ring));
  const CliOutcome outcome =
      run_cli({"run", "fill-holes", "--image", file("ring.png"), "--out", file("filled.png")});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  ring[24] = 700;
  QVERIFY(std::ranges::equal(load(file("filled.png")).voxels<std::uint16_t>(), ring));
}

/// 1 mm is two voxels of half a millimetre in the plane, and no neighbour in z.
void TestReconstruct::radius_is_in_millimetres() {
  Geometry geometry = image_.geometry();
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  const auto paint = [&](std::int64_t z, std::int64_t size) {
    for (std::int64_t y = 3; y < 3 + size; ++y) {
      for (std::int64_t x = 3; x < 3 + size; ++x)
        voxels[static_cast<std::size_t>(geometry.offset({x, y, z}))] = 9;
    }
  };
  paint(1, 5);
  paint(3, 4);
  io::save_volume(path_of(file("squares.nii")), Volume(geometry, voxels));
  const CliOutcome outcome =
      run_cli({"run", "open-by-reconstruction", "--image", file("squares.nii"), "--radius", "1",
               "--out", file("opened.nii")});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const Volume opened = load(file("opened.nii"));
  QCOMPARE(opened.value_at({3, 3, 1}), 9.0);
  QCOMPARE(opened.value_at({3, 3, 3}), 0.0);
}

void TestReconstruct::picture_shows_the_image_that_came_out() {
  const CliOutcome outcome = run_cli(run("image.nii.gz", {"--picture", file("picture.png")}));
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const Volume shown = load(file("picture.png"));
  QCOMPARE(shown.components(), 3);
  // Grey levels rather than label colours, and from black to white.
  const auto rgb = shown.voxels<std::uint8_t>();
  const auto [low, high] = std::minmax_element(rgb.begin(), rgb.end());
  QCOMPARE(static_cast<int>(*low), 0);
  QCOMPARE(static_cast<int>(*high), 255);
  for (std::size_t i = 0; i < rgb.size(); i += 3)
    QVERIFY(rgb[i] == rgb[i + 1] && rgb[i] == rgb[i + 2]);
}

void TestReconstruct::picture_shows_angles_where_they_count() {
  Geometry geometry;
  geometry.size = {64, 48, 1};
  geometry.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count()), 40);
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    if (at[1] == 10 || at[0] == 50) voxels[i] = 220;
  }
  io::save_volume(path_of(file("cross.png")), Volume(geometry, voxels));
  const CliOutcome outcome =
      run_cli({"run", "orientation", "--image", file("cross.png"), "--angles", "4", "--length",
               "15", "--picture", file("angles.png")});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const Volume shown = load(file("angles.png"));
  const auto color = [&](std::int64_t x, std::int64_t y) {
    const auto byte = [&](int i) {
      return static_cast<std::uint8_t>(shown.value_at({x, y, 0}, i));
    };
    return Rgb{byte(0), byte(1), byte(2)};
  };
  QCOMPARE(color(20, 10), cyclic_color(0.0));
  QCOMPARE(color(50, 30), cyclic_color(0.5));
  const Rgb ground = color(20, 30);
  QVERIFY(ground[0] == ground[1] && ground[1] == ground[2]);
}

QTEST_GUILESS_MAIN(TestReconstruct)
#include "test_reconstruct.moc"
