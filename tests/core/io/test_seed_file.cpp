// SPDX-License-Identifier: Apache-2.0
#include "core/io/labels.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/io/random_images.h"

#include <QTest>

#include <ctime>

using namespace seedwave;
using seedwave::test::input_error_of;

namespace {

Geometry body() {
  Geometry g;
  g.size = {64, 64, 32};
  g.spacing = {1, 1, 2};
  g.origin = {-32, -32, -32};
  return g;
}

/// Returns a seed file around one list of strokes.
std::string file_with(const std::string& strokes, const std::string& space = "LPS-mm") {
  return R"({"seedwave": 1, "kind": "seeds", "space": ")" + space + R"(", "strokes": [)" + strokes +
         "]}";
}

}  // namespace

class TestSeedFile : public QObject {
  Q_OBJECT
 private slots:
  void what_is_saved_is_loaded();
  void pictures_have_points_of_two_numbers();
  void pixels_become_places_on_a_flat_image();
  void strokes_on_a_slide_are_in_micrometres();
  void indices_become_places();
  void unknown_keys_are_passed_over();
  void hostile_files_are_refused_with_the_place_data();
  void hostile_files_are_refused_with_the_place();
  void a_million_points_load();
  void endless_work_is_refused_at_once();
  void seed_files_are_told_from_images();

 private:
  std::filesystem::path put(const std::string& bytes) { return folder_.put("seeds.json", bytes); }
  test::TemporaryFolder folder_;
};

void TestSeedFile::what_is_saved_is_loaded() {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> place(-200, 200);
  io::SeedFile file;
  file.labels = {{1, "Größe \"大\"", "#f0e442"}, {2, "", ""}};
  for (int i = 0; i < 20; ++i) {
    Stroke stroke{.label = static_cast<std::uint16_t>(i % 3), .radius_mm = 0.1 * i, .points = {}};
    for (int k = 0; k <= i; ++k)
      stroke.points.push_back({place(random), place(random), place(random)});
    if (i % 2 == 0) stroke.plane = StrokePlane{{0.6, 0, 0.8}, 1.25};
    file.seeds.strokes.push_back(stroke);
  }
  io::save_seeds(folder_ / "s.json", file);
  const io::SeedFile back = io::load_seeds(folder_ / "s.json", body());
  // Every digit is kept: the strokes rasterise to the same voxels on any grid.
  QVERIFY(back.seeds == file.seeds);
  QVERIFY(back.labels == file.labels);
  QCOMPARE(back.unit, LengthUnit::Millimetre);
}

void TestSeedFile::pictures_have_points_of_two_numbers() {
  const Geometry picture{.size = {100, 80, 1}, .unit = LengthUnit::Pixel};
  const auto path = put(
      file_with(R"({"label": 1, "radius": 3, "points": [[10, 20.5], [11, 20, 0]]})", "level0-px"));
  const io::SeedFile file = io::load_seeds(path, picture);
  QCOMPARE(file.unit, LengthUnit::Pixel);
  QCOMPARE(file.seeds.strokes[0].points[0], (Vec3{10, 20.5, 0}));
  QVERIFY(!file.seeds.rasterise(picture).seeds.empty());
  io::save_seeds(folder_ / "again.json", file);
  QVERIFY(io::load_seeds(folder_ / "again.json", picture).seeds == file.seeds);
  // Pixels of a 2-D image have no meaning in a body.
  QVERIFY(!input_error_of([&] { (void)io::load_seeds(path, body()); }).empty());
}

void TestSeedFile::pixels_become_places_on_a_flat_image() {
  Geometry flat{.size = {100, 80, 1}, .spacing = {0.5, 0.5, 1}, .origin = {10, 20, 0}};
  flat.planar = true;
  const auto path = put(file_with(R"({"label": 1, "radius": 3, "points": [[4, 6]]})", "level0-px"));
  const io::SeedFile file = io::load_seeds(path, flat);
  QCOMPARE(file.unit, LengthUnit::Millimetre);
  QCOMPARE(file.seeds.strokes[0].points[0], (Vec3{12, 23, 0}));
  QCOMPARE(file.seeds.strokes[0].radius_mm, 1.5);
  // As many voxels as on the 2-D image itself.
  const Geometry picture{.size = flat.size, .unit = LengthUnit::Pixel};
  QCOMPARE(file.seeds.rasterise(flat).seeds.size(),
           io::load_seeds(path, picture).seeds.rasterise(picture).seeds.size());
  // A disc of pixels that are not square is no disc in mm.
  flat.spacing[1] = 0.75;
  const std::string message = input_error_of([&] { (void)io::load_seeds(path, flat); });
  QVERIFY2(message.find("not square") != std::string::npos, message.c_str());
}

void TestSeedFile::strokes_on_a_slide_are_in_micrometres() {
  // A level of a fourth of the pixels, 0.5 micrometres at the finest.
  Geometry level0{.size = {4000, 3200, 1}, .spacing = {0.5, 0.5, 1}, .origin = {0.25, 0.25, 0}};
  level0.unit = LengthUnit::Micrometre;
  level0.planar = true;
  Geometry level = level0;
  level.size = {1000, 800, 1};
  level.spacing = {2, 2, 1};
  level.origin = {1, 1, 0};
  const std::string stroke = R"({"label": 1, "radius": 8, "points": [[401, 403]]})";
  const io::SeedFile file = io::load_seeds(put(file_with(stroke, "level0-px")), level, level0);
  QCOMPARE(file.unit, LengthUnit::Micrometre);
  QCOMPARE(file.seeds.strokes[0].points[0], (Vec3{200.75, 201.75, 0}));
  QCOMPARE(file.seeds.strokes[0].radius_mm, 4.0);
  io::save_seeds(folder_ / "slide.json", file);
  const io::SeedFile again = io::load_seeds(folder_ / "slide.json", level, level0);
  QCOMPARE(again.unit, LengthUnit::Micrometre);
  QVERIFY(again.seeds == file.seeds);
  // Neither is a patient's millimetre the other's micrometre, nor the reverse.
  QVERIFY(!input_error_of([&] { (void)io::load_seeds(folder_ / "slide.json", body()); }).empty());
  const auto of_body = put(file_with(stroke, "LPS-mm"));
  QVERIFY(!input_error_of([&] { (void)io::load_seeds(of_body, level, level0); }).empty());
}

void TestSeedFile::indices_become_places() {
  const auto path =
      put(file_with(R"({"label": 1, "radius": 1, "points": [[0, 0, 0], [10.5, 20, 4]]})", "index"));
  const io::SeedFile file = io::load_seeds(path, body());
  QCOMPARE(file.seeds.strokes[0].points[0], (Vec3{-32, -32, -32}));
  QCOMPARE(file.seeds.strokes[0].points[1], (Vec3{-21.5, -12, -24}));
  QVERIFY(!input_error_of([&] { (void)io::load_seeds(path, Geometry{}); }).empty());
}

void TestSeedFile::unknown_keys_are_passed_over() {
  const auto path = put(R"({"seedwave": 1, "kind": "seeds", "space": "LPS-mm", "mood": {"a": [1]},
      "strokes": [{"label": 1, "radius": 2, "points": [[1, 2, 3]], "pen": "soft"}]})");
  QCOMPARE(io::load_seeds(path, body()).seeds.strokes.size(), std::size_t{1});
}

void TestSeedFile::hostile_files_are_refused_with_the_place_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("place");
  const auto row = [](const char* name, const std::string& bytes, const char* place) {
    QTest::newRow(name) << QByteArray::fromStdString(bytes) << place;
  };
  const auto stroke = [&](const char* name, const std::string& text, const char* place) {
    row(name, file_with(R"({"label": 1, "radius": 1, "points": [[0, 0, 0]]}, )" + text), place);
  };
  row("empty", "", "JSON");
  row("not JSON", "{\"seedwave\": 1,\n\"kind\" \"seeds\"}", "line 2");
  row("a list", "[1, 2]", "must be an object");
  row("another version", R"({"seedwave": 2, "kind": "seeds"})", "seedwave");
  row("another kind", R"({"seedwave": 1, "kind": "labels"})", "kind");
  row("a session", R"({"seedwave": 7, "kind": "session"})", "is a session: open it in the window");
  row("no space", R"({"seedwave": 1, "kind": "seeds", "strokes": []})", "space");
  row("unknown space", file_with("", "RAS-mm"), "space");
  row("no strokes", R"({"seedwave": 1, "kind": "seeds", "space": "LPS-mm"})", "strokes");
  row("strokes are a number",
      R"({"seedwave": 1, "kind": "seeds", "space": "LPS-mm", "strokes": 7})", "strokes");
  row("number too large for a double", file_with("1e999"), "1e999");
  row("deep nesting", std::string(1000000, '['), "nested");
  row("deep nesting, closed", std::string(100000, '[') + std::string(100000, ']'), "nested");
  stroke("stroke is a text", R"("hello")", "strokes[1]");
  stroke("label -1", R"({"label": -1, "radius": 1, "points": [[0,0,0]]})", "strokes[1].label");
  stroke("label 65536", R"({"label": 65536, "radius": 1, "points": [[0,0,0]]})",
         "strokes[1].label");
  stroke("label 1.5", R"({"label": 1.5, "radius": 1, "points": [[0,0,0]]})", "strokes[1].label");
  stroke("no radius", R"({"label": 1, "points": [[0,0,0]]})", "radius");
  stroke("radius negative", R"({"label": 1, "radius": -1, "points": [[0,0,0]]})",
         "strokes[1].radius");
  stroke("radius 1e9", R"({"label": 1, "radius": 1e9, "points": [[0,0,0]]})", "strokes[1].radius");
  stroke("radius is a text", R"({"label": 1, "radius": "NaN", "points": [[0,0,0]]})",
         "strokes[1].radius");
  stroke("no points", R"({"label": 1, "radius": 1, "points": []})", "strokes[1].points");
  stroke("point of two", R"({"label": 1, "radius": 1, "points": [[0,0,0], [0,0]]})",
         "strokes[1].points[1]");
  stroke("point of four", R"({"label": 1, "radius": 1, "points": [[0,0,0,0]]})",
         "strokes[1].points[0]");
  stroke("point of texts", R"({"label": 1, "radius": 1, "points": [["a","b","c"]]})",
         "strokes[1].points[0]");
  stroke("point 1e308", R"({"label": 1, "radius": 1, "points": [[1e308,0,0]]})",
         "strokes[1].points[0]");
  stroke("point null", R"({"label": 1, "radius": 1, "points": [[null,0,0]]})",
         "strokes[1].points[0]");
  stroke(
      "plane without direction",
      R"({"label": 1, "radius": 1, "points": [[0,0,0]], "plane": {"normal": [0,0,0], "thickness": 1}})",
      "strokes[1].plane.normal");
  stroke(
      "plane of NaN thickness",
      R"({"label": 1, "radius": 1, "points": [[0,0,0]], "plane": {"normal": [0,0,1], "thickness": null}})",
      "thickness");
  row("colour that is none",
      R"({"seedwave": 1, "kind": "seeds", "space": "LPS-mm", "labels": [{"id": 1, "color": "red"}], "strokes": []})",
      "labels[0].color");
}

void TestSeedFile::hostile_files_are_refused_with_the_place() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, place);
  const auto path = put(bytes.toStdString());
  const std::string message = input_error_of([&] { (void)io::load_seeds(path, body()); });
  QVERIFY2(message.find(place.toStdString()) != std::string::npos, message.c_str());
  QVERIFY2(message.find("seeds.json") != std::string::npos, message.c_str());
  QVERIFY2(message.find('\n') == std::string::npos, message.c_str());
}

void TestSeedFile::a_million_points_load() {
  std::string points;
  for (int i = 0; i < 1000000; ++i)
    points += (i == 0 ? "[" : ",[") + std::to_string(i % 60 - 30) + ".25,-3,4]";
  const auto path = put(file_with(R"({"label": 1, "radius": 0.5, "points": [)" + points + "]}"));
  const io::SeedFile file = io::load_seeds(path, body());
  QCOMPARE(file.seeds.strokes[0].points.size(), std::size_t{1000000});
}

void TestSeedFile::endless_work_is_refused_at_once() {
  std::string points;
  for (int i = 0; i < 100000; ++i)
    points += i == 0 ? "[0,0,0]" : ",[1,1,1]";
  const auto path = put(file_with(R"({"label": 1, "radius": 1000, "points": [)" + points + "]}"));
  const std::clock_t start = std::clock();
  const std::string message = input_error_of([&] { (void)io::load_seeds(path, body()); });
  QVERIFY2(message.find("strokes[0]") != std::string::npos, message.c_str());
  // Processor time rather than elapsed time, because the machine may be busy. Painting the strokes
  // would take hours.
  QVERIFY((std::clock() - start) / CLOCKS_PER_SEC < 20);
}

void TestSeedFile::seed_files_are_told_from_images() {
  QVERIFY(io::is_seed_file(put(" \n\xef\xbb\xbf{\"seedwave\": 1}")));
  Geometry grid;
  grid.size = {2, 2, 1};
  for (const char* name : {"a.nii", "a.nrrd", "a.mha", "a.npy", "a.png", "a.tif"}) {
    io::save_labels(folder_ / name, LabelMap(grid, std::vector<std::uint16_t>{0, 1, 2, 3}));
    QVERIFY(!io::is_seed_file(folder_ / name));
  }
}

QTEST_GUILESS_MAIN(TestSeedFile)
#include "test_seed_file.moc"
