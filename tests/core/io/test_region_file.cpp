// SPDX-License-Identifier: Apache-2.0
#include "core/io/label_table.h"
#include "core/io/region_file.h"
#include "tests/core/io/io_fixture.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

namespace fs = std::filesystem;

Geometry pixels(std::int64_t width, std::int64_t height) {
  Geometry grid;
  grid.size = {width, height, 1};
  grid.unit = LengthUnit::Pixel;
  return grid;
}

/// A level of a slide whose finest has pixels of 0.499 micrometres.
Geometry slide_level(std::int64_t width, std::int64_t height, double downsample) {
  Geometry grid;
  grid.size = {width, height, 1};
  grid.spacing = {0.499 * downsample, 0.499 * downsample, 1.0};
  grid.origin = {0.5 * grid.spacing[0], 0.5 * grid.spacing[1], 0.0};
  grid.unit = LengthUnit::Micrometre;
  grid.planar = true;
  return grid;
}

/// A polygon of a class around a square, with more properties.
std::string square(int left, int top, int side, const std::string& properties) {
  const auto point = [](int x, int y) {
    return "[" + std::to_string(x) + "," + std::to_string(y) + "]";
  };
  return R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[)" + point(left, top) +
         "," + point(left + side, top) + "," + point(left + side, top + side) + "," +
         point(left, top + side) + "," + point(left, top) + R"(]]},"properties":{)" + properties +
         "}}";
}

}  // namespace

class TestRegionFile : public QObject {
  Q_OBJECT
 private slots:
  void labels_come_back_exactly();
  void outlines_pass_midpoints();
  void a_coarser_level_has_the_same_places();
  void names_and_colours_are_those_of_classes();
  void many_numbers_without_names_are_objects();
  void labels_in_one_piece_each_are_objects();
  void kinds_of_older_files_are_known();
  void the_files_of_others_are_read();
  void a_pixel_is_inside_if_its_centre_is();
  void what_is_no_area_is_left_out();
  void bad_files_are_refused_data();
  void bad_files_are_refused();
  void a_million_corners_are_read();
  void regions_come_back();

 private:
  fs::path put(const std::string& text) {
    const fs::path path = folder_ / "regions.geojson";
    std::ofstream(path) << text;
    return path;
  }
  io::DrawnRegions drawn(const std::string& text, const Geometry& grid) {
    Context context;
    return io::load_regions(put(text), grid, {}, context);
  }
  std::string text_of(const fs::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  test::TemporaryFolder folder_;
};

void TestRegionFile::labels_come_back_exactly() {
  test::RandomNumbers random(3);
  Context context;
  for (int number = 0; number < 300; ++number) {
    const std::int64_t width = 1 + random.below(40);
    const std::int64_t height = 1 + random.below(40);
    const bool on_slide = random.below(2) == 0;
    const double downsample = static_cast<double>(1 + random.below(9)) / 1.7;
    const Geometry grid = on_slide ? slide_level(width, height, downsample) : pixels(width, height);
    const Geometry level0 = on_slide ? slide_level(100, 100, 1.0) : Geometry();
    std::vector<std::uint16_t> labels(static_cast<std::size_t>(width * height));
    const std::int64_t most = random.below(3) == 0 ? 400 : 4;
    for (std::uint16_t& label : labels)
      label = static_cast<std::uint16_t>(random.below(most));
    const LabelMap map(grid, labels);
    io::OutputSet outputs;
    const auto outline =
        number % 2 == 0 ? io::RegionOutline::PixelEdges : io::RegionOutline::Midpoints;
    io::save_regions(outputs, folder_ / "random.geojson", map, {}, level0, context, outline);
    outputs.commit();
    const LabelMap read = io::load_labels(folder_ / "random.geojson", grid, context, level0);
    QVERIFY(same_grid(read.geometry(), grid));
    QVERIFY(read.labels() == map.labels());
  }
}

void TestRegionFile::outlines_pass_midpoints() {
  const LabelMap map(pixels(4, 2), std::vector<std::uint8_t>{2, 2, 0, 0, 2, 0, 0, 2});
  Context context;
  io::OutputSet outputs;
  io::save_regions(outputs, folder_ / "midpoints.geojson", map, {}, {}, context,
                   io::RegionOutline::Midpoints);
  outputs.commit();
  const std::string text = text_of(folder_ / "midpoints.geojson");
  QVERIFY2(
      text.find("[[2,0.5],[0.5,2],[0,1.5],[0,0.5],[0.5,0],[1.5,0],[2,0.5]]") != std::string::npos,
      text.c_str());
  QVERIFY(text.find("[[4,1.5],[3.5,2],[3,1.5],[3.5,1],[4,1.5]]") != std::string::npos);
}

void TestRegionFile::a_coarser_level_has_the_same_places() {
  const Geometry level0 = slide_level(40, 24, 1.0);
  std::vector<std::uint8_t> labels(10 * 6);
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<std::uint8_t>(i % 7 % 3);
  const LabelMap coarse(slide_level(10, 6, 4.0), labels);
  io::save_named_labels(folder_ / "coarse.geojson", coarse, {}, level0);
  Context context;
  const LabelMap fine = io::load_labels(folder_ / "coarse.geojson", level0, context, level0);
  for (std::int64_t y = 0; y < 24; ++y) {
    for (std::int64_t x = 0; x < 40; ++x)
      QCOMPARE(fine.at({x, y, 0}), coarse.at({x / 4, y / 4, 0}));
  }
  // Whole numbers, though 4 * 0.499 / 0.499 is not.
  QVERIFY(text_of(folder_ / "coarse.geojson").find('.') == std::string::npos);
}

void TestRegionFile::names_and_colours_are_those_of_classes() {
  const LabelMap map(pixels(4, 1), std::vector<std::uint8_t>{2, 0, 5, 5});
  io::save_named_labels(folder_ / "named.geojson", map,
                        {{.id = 2, .name = "Tumor, left", .color = "#c80010"},
                         {.id = 5, .name = "Stroma", .color = "#00ff01"}});
  QCOMPARE(QString::fromStdString(text_of(folder_ / "named.geojson")),
           QString(R"({"type":"FeatureCollection","features":[
{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[1,0],[1,1],[0,1],[0,0],[1,0]]]},"properties":{"objectType":"annotation","classification":{"name":"Tumor, left","color":[200,0,16]},"isLocked":true,"metadata":{"label":"2"}}},
{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[4,0],[4,1],[2,1],[2,0],[4,0]]]},"properties":{"objectType":"annotation","classification":{"name":"Stroma","color":[0,255,1]},"isLocked":true,"metadata":{"label":"5"}}}
]}
)"));
  const io::StoredNames names = io::stored_names(folder_ / "named.geojson");
  QCOMPARE(names.names.size(), std::size_t{2});
  QCOMPARE(names.names[0].id, Label{2});
  QCOMPARE(names.names[0].name, std::string("Tumor, left"));
  QCOMPARE(names.names[0].color, std::string("#c80010"));
}

void TestRegionFile::many_numbers_without_names_are_objects() {
  std::vector<std::uint16_t> labels(300);
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<std::uint16_t>(i + 1);
  io::save_labels(folder_ / "objects.geojson", LabelMap(pixels(300, 1), labels));
  const std::string text = text_of(folder_ / "objects.geojson");
  QVERIFY(text.find("\"detection\"") != std::string::npos);
  QVERIFY(text.find("\"annotation\"") == std::string::npos);
  QCOMPARE(std::ranges::count(text, '\n'), 302);
}

// A number for each pixel, not beyond 255: objects if all are in one piece.
void TestRegionFile::labels_in_one_piece_each_are_objects() {
  const auto kind_of = [&](const std::vector<std::uint8_t>& labels) {
    io::save_labels(folder_ / "few.geojson", LabelMap(pixels(std::ssize(labels), 1), labels));
    const std::string text = text_of(folder_ / "few.geojson");
    return text.find("\"detection\"") != std::string::npos ? "objects" : "labels";
  };
  std::vector<std::uint8_t> labels(20);
  std::iota(labels.begin(), labels.end(), std::uint8_t{1});
  QCOMPARE(kind_of(labels), "objects");
  labels.push_back(1);
  labels.push_back(2);
  QCOMPARE(kind_of(labels), "objects");
  labels.push_back(4);  // three of twenty in two pieces
  QCOMPARE(kind_of(labels), "labels");
  labels.resize(15);
  QCOMPARE(kind_of(labels), "labels");
}

void TestRegionFile::kinds_of_older_files_are_known() {
  const std::string text =
      R"([{"type":"Feature","id":"cell-1","geometry":{"type":"Polygon","coordinates":)"
      R"([[[0,3],[1,3],[1,4],[0,4],[0,3]]]},"properties":{}},)"
      R"({"type":"Feature","id":"PathCellObject","geometry":{"type":"Polygon",)"
      R"("coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]},"properties":{}},)"
      R"({"type":"Feature","id":"PathAnnotationObject","geometry":{"type":)"
      R"("Polygon","coordinates":[[[4,0],[6,0],[6,2],[4,2],[4,0]]]},)"
      R"("properties":{"classification":{"name":"Glass\u001b[2J"}}}])";
  { std::ofstream(folder_ / "older.geojson") << text; }
  Context context;
  const io::ReadRegions read = io::read_regions(folder_ / "older.geojson", pixels(8, 4), context);
  QVERIFY(!read.regions[0]->is_object);
  QVERIFY(read.regions[1]->is_object);
  QVERIFY(!read.regions[2]->is_object);
  QCOMPARE(read.classes[2], std::string("Glass [2J"));
}

void TestRegionFile::the_files_of_others_are_read() {
  // A bare list, an older key for the type, a packed colour, an object without a class.
  const std::string text =
      "[" +
      square(
          0, 0, 2,
          R"("object_type":"annotation","classification":{"name":"Stroma","colorRGB":-3670016})") +
      "," +
      square(4, 0, 2,
             R"("objectType":"annotation","classification":{"name":"Tumor","color":[1,2,3]})") +
      "," + square(8, 0, 2, R"("objectType":"annotation","classification":{"name":"Stroma"})") +
      "," + square(0, 4, 2, R"("objectType":"detection")") + "," +
      square(4, 4, 2, R"("objectType":"cell","measurements":{"x":"NaN"})") + "," +
      square(8, 4, 2, R"("objectType":"annotation","name":"Region 7","color":[9,8,7])") + "]";
  const io::DrawnRegions regions = drawn(text, pixels(12, 8));
  const auto at = [&](std::int64_t x, std::int64_t y) { return regions.labels.at({x, y, 0}); };
  QCOMPARE(at(0, 0), Label{1});
  QCOMPARE(at(5, 1), Label{2});
  QCOMPARE(at(9, 0), Label{1});
  QCOMPARE(at(0, 4), Label{3});
  QCOMPARE(at(4, 5), Label{4});
  QCOMPARE(at(8, 4), Label{5});
  QCOMPARE(at(3, 0), Label{0});
  QCOMPARE(regions.names.size(), std::size_t{3});
  QCOMPARE(regions.names[0].color, std::string("#c80000"));
  QCOMPARE(regions.names[1].name, std::string("Tumor"));
  QCOMPARE(regions.names[2].name, std::string("Region 7"));
  QVERIFY(regions.warnings.empty());
}

void TestRegionFile::a_pixel_is_inside_if_its_centre_is() {
  // A triangle with a hole, slanted; against the definition, by winding.
  const std::string text =
      R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[
      [[0.2,0.3],[19.1,4.4],[6.3,18.8],[0.2,0.3]],[[6,6],[9.5,6.2],[7.1,9.9],[6,6]]]},"properties":null})";
  const std::vector<std::vector<std::array<double, 2>>> rings{
      {{0.2, 0.3}, {19.1, 4.4}, {6.3, 18.8}}, {{6, 6}, {9.5, 6.2}, {7.1, 9.9}}};
  const io::DrawnRegions regions = drawn(text, pixels(20, 20));
  for (std::int64_t y = 0; y < 20; ++y) {
    for (std::int64_t x = 0; x < 20; ++x) {
      bool inside = false;
      for (const auto& ring : rings) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
          const auto& a = ring[i];
          const auto& b = ring[(i + 1) % ring.size()];
          const double cy = static_cast<double>(y) + 0.5;
          if ((a[1] <= cy) == (b[1] <= cy)) continue;
          const double cx = a[0] + (cy - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
          if (cx <= static_cast<double>(x) + 0.5) inside = !inside;
        }
      }
      QCOMPARE(regions.labels.at({x, y, 0}) != 0, inside);
    }
  }
}

void TestRegionFile::what_is_no_area_is_left_out() {
  const io::DrawnRegions regions = drawn(R"({"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}},
      {"type":"Feature","geometry":null,"properties":{}},
      {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[
        {"type":"LineString","coordinates":[[0,0],[3,3]]},
        {"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,1]]],[[[3,3],[4,3],[4,4],[3,4]]]]}]}}]})",
                                         pixels(5, 5));
  QCOMPARE(regions.labels.at({0, 0, 0}), Label{1});
  QCOMPARE(regions.labels.at({3, 3, 0}), Label{1});
  QCOMPARE(regions.labels.at({2, 2, 0}), Label{0});
  QCOMPARE(regions.warnings.size(), std::size_t{1});
  QVERIFY(regions.warnings[0].starts_with("2 points or lines"));
  QCOMPARE(io::stored_names(folder_ / "regions.geojson").warnings, regions.warnings);
}

void TestRegionFile::bad_files_are_refused_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("place");
  const auto row = [](const char* name, const std::string& text, const char* place) {
    QTest::newRow(name) << QString::fromStdString(text) << QString(place);
  };
  const auto polygon = [](const std::string& coordinates) {
    return R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":)" + coordinates + "}}";
  };
  row("no JSON", "{", "regions.geojson");
  row("another type", R"({"type":"Topology"})", "type must be FeatureCollection or Feature");
  row("no features", R"({"type":"FeatureCollection"})", "features");
  row("a number for rings", polygon("7"), "geometry.coordinates");
  row("points of one number", polygon("[[[1],[2],[3]]]"), "must be a list of points [x, y]");
  row("points of texts", polygon(R"([[["1","2"]]])"), "must be a list of points [x, y]");
  row("far away", polygon("[[[0,0],[1e12,0],[1,1]]]"), "has a point beyond 1e9");
  std::string deep = R"({"type":"Polygon","coordinates":[]})";
  for (int i = 0; i < 20; ++i)
    deep = R"({"type":"GeometryCollection","geometries":[)" + deep + "]}";
  row("nested", R"({"type":"Feature","geometry":)" + deep + "}", "is nested too deep");
}

void TestRegionFile::bad_files_are_refused() {
  QFETCH(QString, text);
  QFETCH(QString, place);
  try {
    (void)drawn(text.toStdString(), pixels(4, 4));
    QFAIL("no error");
  } catch (const InputError& error) {
    const QString message = error.what();
    QVERIFY2(message.contains("regions.geojson") && message.contains(place), error.what());
  }
}

/// Many programs overflow their stack on such polygons.
void TestRegionFile::a_million_corners_are_read() {
  std::string text = R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0])";
  for (int i = 0; i < 1'000'000; ++i)
    text += ",[" + std::to_string(i % 100) + "," + std::to_string(i / 10'000) + "]";
  text += "]]}}";
  const io::DrawnRegions regions = drawn(text, pixels(100, 100));
  QVERIFY(!regions.labels.empty());
}

void TestRegionFile::regions_come_back() {
  test::RandomNumbers random(5);
  Context context;
  const Geometry level0 = slide_level(4000, 3000, 1.0);
  const std::vector<io::LabelName> classes{{.id = 1, .name = "Stroma", .color = "#00ff01"},
                                           {.id = 2, .name = "Tumor", .color = "#c80010"}};
  for (int number = 0; number < 200; ++number) {
    Regions regions;
    for (std::int64_t i = random.below(5); i >= 0; --i) {
      Region region{.label = static_cast<Label>(1 + random.below(2)),
                    .is_object = random.below(2) == 0};
      if (random.below(2) == 0) region.name = "number " + std::to_string(i);
      for (std::int64_t polygons = random.below(3); polygons >= 0; --polygons) {
        RegionPolygon& polygon = region.polygons.emplace_back();
        for (std::int64_t rings = random.below(3); rings >= 0; --rings) {
          RegionRing& ring = polygon.emplace_back();
          for (std::int64_t corners = 3 + random.below(9); corners > 0; --corners) {
            // Whole pixels of the finest level, as a result has them, and places between.
            const double step = random.below(2) == 0 ? 0.499 : 0.1234567;
            ring.push_back({step * static_cast<double>(random.below(3000)),
                            step * static_cast<double>(random.below(3000))});
          }
          if (ring.front() == ring.back()) ring.pop_back();
        }
      }
      regions.push_back(std::make_shared<const Region>(std::move(region)));
    }
    const fs::path file = folder_ / "regions.geojson";
    io::OutputSet outputs;
    io::save_regions(outputs, file, regions, classes, level0, context);
    outputs.commit();
    const io::ReadRegions read = io::read_regions(file, level0, context);
    QCOMPARE(read.regions.size(), regions.size());
    QVERIFY(read.warnings.empty());
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const Region& before = *regions[i];
      const Region& after = *read.regions[i];
      const auto name_of = [&](Label label) {
        return std::ranges::find(read.names, label, &io::LabelName::id)->name;
      };
      QCOMPARE(name_of(after.label), classes[before.label - 1].name);
      QCOMPARE(after.name, before.name);
      QCOMPARE(after.is_object, before.is_object);
      QCOMPARE(after.polygons.size(), before.polygons.size());
      for (std::size_t p = 0; p < before.polygons.size(); ++p) {
        QCOMPARE(after.polygons[p].size(), before.polygons[p].size());
        for (std::size_t r = 0; r < before.polygons[p].size(); ++r) {
          const RegionRing& one = before.polygons[p][r];
          const RegionRing& other = after.polygons[p][r];
          QCOMPARE(other.size(), one.size());
          for (std::size_t c = 0; c < one.size(); ++c) {
            QVERIFY(std::abs(one[c][0] - other[c][0]) < 1e-6);
            QVERIFY(std::abs(one[c][1] - other[c][1]) < 1e-6);
          }
        }
      }
    }
  }
}

QTEST_GUILESS_MAIN(TestRegionFile)
#include "test_region_file.moc"
