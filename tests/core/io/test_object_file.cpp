// SPDX-License-Identifier: Apache-2.0
#include "core/io/label_table.h"
#include "core/io/object_file.h"
#include "tests/core/io/io_fixture.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

namespace fs = std::filesystem;

/// A rectangle of pixels, left .. right - 1 and top .. bottom - 1.
struct Rectangle {
  std::int64_t left = 0;
  std::int64_t top = 0;
  std::int64_t right = 0;
  std::int64_t bottom = 0;
};

std::string ring_of(const Rectangle& of) {
  const auto point = [](std::int64_t x, std::int64_t y) {
    return "[" + std::to_string(x) + "," + std::to_string(y) + "]";
  };
  return "[" + point(of.left, of.top) + "," + point(of.right, of.top) + "," +
         point(of.right, of.bottom) + "," + point(of.left, of.bottom) + "," +
         point(of.left, of.top) + "]";
}

std::string feature(const Rectangle& of, const std::string& properties) {
  return R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[)" + ring_of(of) +
         R"(]},"properties":{)" + properties + "}}";
}

std::string collection(const std::vector<std::string>& features) {
  std::string text = R"({"type":"FeatureCollection","features":[)";
  for (std::size_t i = 0; i < features.size(); ++i)
    text += (i == 0 ? "" : ",") + features[i];
  return text + "]}";
}

std::string of_class(const std::string& name) {
  return R"("classification":{"name":")" + name + R"("})";
}

constexpr const char* kDetection = R"("objectType":"detection")";

}  // namespace

class TestObjectFile : public QObject {
  Q_OBJECT
 private slots:
  void neighbours_of_a_class_stay_apart() {
    io::ObjectFile file =
        read({feature({0, 0, 3, 2}, of_class("nerve")), feature({3, 0, 5, 2}, of_class("nerve")),
              feature({0, 2, 5, 4}, kDetection)});
    // The third is a detection: the annotations around it are left out.
    QCOMPARE(file.objects.size(), std::size_t{1});
    QCOMPARE(file.warnings.size(), std::size_t{1});
    QVERIFY(file.warnings[0].ends_with(": 2, since its objects are detections"));
    file = read({feature({0, 0, 3, 2}, of_class("nerve")), feature({3, 0, 5, 2}, of_class("nerve")),
                 feature({0, 2, 5, 4}, "")});
    QCOMPARE(file.classes, (std::vector<std::string>{"nerve", "nerve", ""}));
    QVERIFY(file.warnings.empty());
    const LabelMap drawn = draw(file, io::pixel_grid_around(file.objects));
    QCOMPARE(numbers(drawn), (std::vector<Label>{1, 1, 1, 2, 2, 1, 1, 1, 2, 2,  //
                                                 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}));
  }

  void classes_are_those_of_the_features() {
    const auto classified = [](const char* classification) {
      return R"("classification":)" + std::string(classification);
    };
    const io::ObjectFile file = read({
        feature({0, 0, 1, 1}, classified(R"({"names":["Tumor","Positive"]})")),
        feature({1, 0, 2, 1}, classified(R"({"name":"Positive","parentClass":{"name":"Tumor"}})")),
        feature({2, 0, 3, 1}, classified(R"({"name":"A"},"metadata":{"label":"1"})")),
        feature({3, 0, 4, 1}, classified(R"({"name":"B"},"metadata":{"label":"1"})")),
        feature({4, 0, 5, 1}, R"("name":"cell 1")"),
        feature({5, 0, 6, 1}, classified(R"({"names":[3,"C"],"parentClass":7})")),
    });
    QCOMPARE(file.classes,
             (std::vector<std::string>{"Tumor: Positive", "Tumor: Positive", "A", "B", "", "C"}));
  }

  void a_multi_polygon_is_one_object() {
    const io::ObjectFile read_file =
        read({R"({"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[)" +
              ring_of({0, 0, 1, 1}) + "],[" + ring_of({2, 0, 3, 1}) + R"(]]},"properties":{}})"});
    io::ObjectFile file = read_file;
    QCOMPARE(numbers(draw(file, io::pixel_grid_around(file.objects))),
             (std::vector<Label>{1, 0, 1}));
  }

  /// Rectangles anywhere, drawn by their definition.
  void objects_are_drawn_in_their_order() {
    test::RandomNumbers random(8);
    std::int64_t hidden = 0;
    for (int round = 0; round < 500; ++round) {
      std::vector<std::string> features;
      std::vector<Rectangle> all;
      const std::int64_t from = random.below(3) * 40'000 - 40'000;
      for (std::int64_t count = 1 + random.below(300 / (1 + round % 60)); count > 0; --count) {
        const std::int64_t left = from + random.below(20);
        const std::int64_t top = from + random.below(20);
        all.push_back({left, top, left + 1 + random.below(5), top + 1 + random.below(5)});
        features.push_back(feature(all.back(), kDetection));
      }
      io::ObjectFile file = read(features);
      const Geometry grid = io::pixel_grid_around(file.objects);
      Rectangle bounds = all.front();
      for (const Rectangle& each : all) {
        bounds = {std::min(bounds.left, each.left), std::min(bounds.top, each.top),
                  std::max(bounds.right, each.right), std::max(bounds.bottom, each.bottom)};
      }
      QCOMPARE(grid.size, (Index3{bounds.right - bounds.left, bounds.bottom - bounds.top, 1}));
      std::vector<Label> expected(static_cast<std::size_t>(grid.voxel_count()));
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::int64_t y = all[i].top; y < all[i].bottom; ++y) {
          for (std::int64_t x = all[i].left; x < all[i].right; ++x) {
            expected[static_cast<std::size_t>((y - bounds.top) * grid.size[0] + x - bounds.left)] =
                static_cast<Label>(i + 1);
          }
        }
      }
      QCOMPARE(numbers(draw(file, grid)), expected);
      std::set<Label> seen(expected.begin(), expected.end());
      seen.erase(0);
      const std::size_t covered = all.size() - seen.size();
      QCOMPARE(file.warnings.size(), std::size_t{covered > 0 ? 1U : 0U});
      if (covered == 0) continue;
      ++hidden;
      QVERIFY(file.warnings[0].find("without a pixel: " + std::to_string(covered) + ";") !=
              std::string::npos);
    }
    QVERIFY(hidden > 50);
  }

  /// Numbered objects that the program wrote are the same objects when they are read.
  void written_objects_come_back() {
    test::RandomNumbers random(9);
    Geometry grid;
    grid.size = {30, 20, 1};
    grid.unit = LengthUnit::Pixel;
    std::vector<std::uint16_t> labels(600);
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = static_cast<std::uint16_t>(random.below(4) == 0 ? 0 : 300 + i / 2);
    const LabelMap map(grid, labels);
    const fs::path path = folder_ / "written.geojson";
    Context context;
    io::save_named_labels(path, map, {});
    io::ObjectFile file = io::read_objects(path, grid, context);
    const LabelMap drawn = io::draw_objects(file, path, grid, context);
    std::map<Label, Label> numbers_of;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Label number = drawn.labels()[i];
      QCOMPARE(number == 0, labels[i] == 0);
      QCOMPARE(numbers_of.emplace(labels[i], number).first->second, number);
    }
    std::set<Label> distinct;
    for (const auto& [label, number] : numbers_of)
      distinct.insert(number);
    QCOMPARE(distinct.size(), numbers_of.size());
  }

  void no_objects_are_an_empty_map() {
    io::ObjectFile file = read({});
    const Geometry grid = io::pixel_grid_around(file.objects);
    QCOMPARE(numbers(draw(file, grid)), (std::vector<Label>{0}));
  }

  void what_is_too_large_is_refused() {
    io::ObjectFile file = read({feature({0, 0, 1, 1}, ""),
                                feature({900'000'000, 900'000'000, 900'000'001, 900'000'001}, "")});
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(draw(file, io::pixel_grid_around(file.objects))),
                             UnavailableError);
    Geometry volume;
    volume.size = {3, 3, 3};
    Context context;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(io::read_objects(path_, volume, context)),
                             InputError);
  }

 private:
  io::ObjectFile read(const std::vector<std::string>& features) {
    std::ofstream(path_) << collection(features);
    Context context;
    return io::read_objects(path_, io::pixel_grid(), context);
  }
  LabelMap draw(io::ObjectFile& file, const Geometry& grid) {
    Context context;
    return io::draw_objects(file, path_, grid, context);
  }
  static std::vector<Label> numbers(const LabelMap& map) {
    return {map.labels().begin(), map.labels().end()};
  }

  test::TemporaryFolder folder_;
  fs::path path_ = folder_ / "objects.geojson";
};

QTEST_APPLESS_MAIN(TestObjectFile)
#include "test_object_file.moc"
