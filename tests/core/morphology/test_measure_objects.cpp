// SPDX-License-Identifier: Apache-2.0
// Compares the measures of objects with their definitions, voxel by voxel, and with scikit-image.
#include "core/base/error.h"
#include "core/image/channel.h"
#include "core/morphology/measure_objects.h"
#include "core/morphology/nearest_points.h"
#include "core/morphology/strips.h"
#include "core/morphology/surface_weights.h"
#include "tests/support/random_numbers.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

constexpr double kRounding = 1e-9;

bool is_close(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::abs(a - b) <= kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

std::int64_t between(test::RandomNumbers& random, std::int64_t low, std::int64_t high) {
  return low + random.below(high - low + 1);
}

LabelMap random_map(test::RandomNumbers& random, const Index3& size, const Vec3& spacing) {
  Geometry geometry;
  geometry.size = size;
  geometry.spacing = spacing;
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  const std::int64_t kinds = between(random, 2, 4);
  for (std::uint8_t& label : labels)
    label = static_cast<std::uint8_t>(random.below(kinds));
  return {geometry, std::move(labels)};
}

/// The objects as a map of numbers, from 1, in the order of measure_objects().
std::vector<Label> objects_of(const LabelMap& labels, const ObjectRules& rules) {
  Context context;
  const LabelMap parts =
      number_connected_parts(labels, rules.connectivity, rules.smallest, context);
  std::vector<Label> numbers(parts.labels().begin(), parts.labels().end());
  if (rules.are == ObjectsAre::Parts) return numbers;
  std::set<Label> found;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != 0) found.insert(labels.labels()[i]);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != 0)
      numbers[i] =
          static_cast<Label>(1 + std::distance(found.begin(), found.find(labels.labels()[i])));
  }
  return numbers;
}

/// One object by its definition.
class Definition {
 public:
  Definition(const Geometry& geometry, const std::vector<Label>& numbers, Label number)
      : geometry_(geometry), numbers_(numbers), number_(number) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] == number) voxels_.push_back(geometry.index_of(static_cast<std::int64_t>(i)));
    }
  }

  [[nodiscard]] const std::vector<Index3>& voxels() const { return voxels_; }

  /// The formula of Crofton: the lines through all pixels in four directions, each entering and
  /// leaving the object.
  [[nodiscard]] double perimeter() const {
    const double width = geometry_.spacing[0];
    const double height = geometry_.spacing[1];
    const double diagonal = std::hypot(width, height);
    const double slope = std::atan(height / width) / std::numbers::pi;
    double sum = 0.0;
    sum += crossings({1, 0, 0}) * height * slope;
    sum += crossings({0, 1, 0}) * width * (0.5 - slope);
    sum += (crossings({1, 1, 0}) + crossings({-1, 1, 0})) * width * height / diagonal / 4.0;
    return std::numbers::pi / 2.0 * sum;
  }
  /// The same in space, with lines in 13 directions.
  [[nodiscard]] double surface_area() const {
    const SurfaceWeights weights = surface_weights(geometry_.spacing);
    double sum = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      sum += weights[i] * crossings(line_directions()[i]) / 2.0;
    return sum;
  }
  /// The area of a hull by gift wrapping around all corners of all pixels.
  [[nodiscard]] double hull_area() const {
    const std::vector<std::pair<std::int64_t, std::int64_t>> corners = all_corners();
    auto at = *std::ranges::min_element(corners);
    const auto start = at;
    double area = 0.0;
    do {
      auto next = corners.front() == at ? corners.back() : corners.front();
      for (const auto& other : corners) {
        const std::int64_t turn = (next.first - at.first) * (other.second - at.second) -
                                  (next.second - at.second) * (other.first - at.first);
        const auto reach = [&](const auto& to) {
          return std::abs(to.first - at.first) + std::abs(to.second - at.second);
        };
        if (turn > 0 || (turn == 0 && reach(other) > reach(next))) next = other;
      }
      area += static_cast<double>(next.first * at.second - at.first * next.second) / 2.0;
      at = next;
    } while (at != start);
    return std::abs(area);
  }
  [[nodiscard]] double largest_diameter() const {
    double largest = 0.0;
    const auto corners = all_corners();
    for (const auto& a : corners) {
      for (const auto& b : corners)
        largest = std::max(
            largest, std::hypot(static_cast<double>(a.first - b.first) * geometry_.spacing[0],
                                static_cast<double>(a.second - b.second) * geometry_.spacing[1]));
    }
    return largest;
  }
  /// The smallest width in the directions across two corners.
  [[nodiscard]] double smallest_diameter() const {
    double smallest = std::numeric_limits<double>::infinity();
    const auto corners = all_corners();
    for (const auto& a : corners) {
      for (const auto& b : corners) {
        if (a == b) continue;
        const double x = static_cast<double>(b.first - a.first) * geometry_.spacing[0];
        const double y = static_cast<double>(b.second - a.second) * geometry_.spacing[1];
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (const auto& c : corners) {
          const double across = (static_cast<double>(c.second) * geometry_.spacing[1] * x -
                                 static_cast<double>(c.first) * geometry_.spacing[0] * y) /
                                std::hypot(x, y);
          low = std::min(low, across);
          high = std::max(high, across);
        }
        smallest = std::min(smallest, high - low);
      }
    }
    return smallest;
  }
  [[nodiscard]] std::int32_t neighbours() const {
    std::set<Label> others;
    const auto steps = neighbour_steps(geometry_.is_2d() ? Connectivity::C4 : Connectivity::C6);
    for (const Index3& at : voxels_) {
      for (const NeighbourStep& step : steps)
        others.insert(number_at({at[0] + step.dx, at[1] + step.dy, at[2] + step.dz}));
    }
    others.erase(0);
    others.erase(number_);
    return static_cast<std::int32_t>(others.size());
  }
  /// Traces of the covariance and of its square, which any eigenvalues must give.
  [[nodiscard]] std::pair<double, double> traces() const {
    Vec3 mean{0, 0, 0};
    for (const Index3& at : voxels_) {
      for (std::size_t i = 0; i < 3; ++i)
        mean[i] +=
            static_cast<double>(at[i]) * geometry_.spacing[i] / static_cast<double>(voxels_.size());
    }
    std::array<Vec3, 3> covariance{};
    const std::size_t axes = geometry_.is_2d() ? 2 : 3;
    for (std::size_t i = 0; i < axes; ++i) {
      for (std::size_t k = 0; k < axes; ++k) {
        for (const Index3& at : voxels_)
          covariance[i][k] += (static_cast<double>(at[i]) * geometry_.spacing[i] - mean[i]) *
                              (static_cast<double>(at[k]) * geometry_.spacing[k] - mean[k]) /
                              static_cast<double>(voxels_.size());
        if (i == k) covariance[i][k] += geometry_.spacing[i] * geometry_.spacing[i] / 12.0;
      }
    }
    std::pair<double, double> traces{0.0, 0.0};
    for (std::size_t i = 0; i < 3; ++i) {
      traces.first += covariance[i][i];
      for (std::size_t k = 0; k < 3; ++k)
        traces.second += covariance[i][k] * covariance[k][i];
    }
    return traces;
  }

 private:
  [[nodiscard]] Label number_at(const Index3& at) const {
    return geometry_.contains(at) ? numbers_[static_cast<std::size_t>(geometry_.offset(at))] : 0;
  }
  /// Number of changes between the object and others along lines.
  [[nodiscard]] double crossings(const Index3& step) const {
    int count = 0;
    for (const Index3& at : voxels_) {
      for (const std::int64_t way : {-1, 1})
        count += static_cast<int>(number_at({at[0] + way * step[0], at[1] + way * step[1],
                                             at[2] + way * step[2]}) != number_);
    }
    return count;
  }
  [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> all_corners() const {
    std::set<std::pair<std::int64_t, std::int64_t>> corners;
    for (const Index3& at : voxels_) {
      for (const std::int64_t x : {0, 1}) {
        for (const std::int64_t y : {0, 1})
          corners.emplace(at[0] + x, at[1] + y);
      }
    }
    return {corners.begin(), corners.end()};
  }

  const Geometry& geometry_;
  const std::vector<Label>& numbers_;
  Label number_;
  std::vector<Index3> voxels_;
};

void compare_shape(const MeasuredObjects& found, std::size_t object, const Definition& expected,
                   const Geometry& geometry) {
  const ObjectShape& shape = found.shapes[object];
  QCOMPARE(found.objects[object].voxels, std::ssize(expected.voxels()));
  QCOMPARE(found.neighbours[object], expected.neighbours());
  const auto [sum, squares] = expected.traces();
  double axes = 0.0;
  double axes_squared = 0.0;
  const double factor = geometry.is_2d() ? 16.0 : 20.0;
  for (const double axis : shape.axes) {
    if (std::isnan(axis)) continue;
    axes += axis * axis / factor;
    axes_squared += std::pow(axis * axis / factor, 2);
  }
  QVERIFY(is_close(axes, sum));
  QVERIFY(is_close(axes_squared, squares));
  QVERIFY(shape.axes[0] >= shape.axes[2]);
  if (!geometry.is_2d()) {
    QVERIFY(std::isnan(shape.perimeter) && std::isnan(shape.hull.solidity));
    QVERIFY(is_close(shape.surface_area, expected.surface_area()));
    return;
  }
  QVERIFY(is_close(shape.perimeter, expected.perimeter()));
  QVERIFY(is_close(shape.hull.solidity,
                   static_cast<double>(std::ssize(expected.voxels())) / expected.hull_area()));
  QVERIFY(is_close(shape.hull.largest_diameter, expected.largest_diameter()));
  QVERIFY(is_close(shape.hull.smallest_diameter, expected.smallest_diameter()));
}

/// Returns the bits of all measures.
std::vector<std::uint64_t> bits_of(const MeasuredObjects& objects) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](double value) { bits.push_back(std::bit_cast<std::uint64_t>(value)); };
  for (std::size_t i = 0; i < objects.objects.size(); ++i) {
    const ObjectShape& shape = objects.shapes[i];
    for (const double value :
         {shape.perimeter, shape.circularity, shape.surface_area, shape.sphericity,
          shape.hull.solidity, shape.hull.largest_diameter, shape.hull.smallest_diameter,
          shape.axes[0], shape.axes[1], shape.axes[2], shape.eccentricity, shape.orientation,
          objects.nearest[i]})
      add(value);
    bits.push_back(static_cast<std::uint64_t>(objects.neighbours[i]));
  }
  for (const IntensityStatistics& each : objects.intensities) {
    for (const double value : {each.mean, each.standard_deviation, each.minimum, each.maximum})
      add(value);
  }
  return bits;
}

LabelMap disc(double radius, double x, double y) {
  Geometry geometry;
  const auto side = static_cast<std::int64_t>(2 * radius + 6);
  geometry.size = {side, side, 1};
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(side * side));
  for (std::int64_t row = 0; row < side; ++row) {
    for (std::int64_t column = 0; column < side; ++column)
      labels[static_cast<std::size_t>(row * side + column)] =
          std::hypot(static_cast<double>(column) - radius - 3 - x,
                     static_cast<double>(row) - radius - 3 - y) <= radius;
  }
  return {geometry, std::move(labels)};
}

MeasuredObjects measured(const LabelMap& labels, const Volume& image = {},
                         const std::vector<std::string>& own_stains = {}) {
  Context context;
  return measure_objects(labels, {}, MeasuredChannels(image, own_stains), context);
}

}  // namespace

class TestMeasureObjects : public QObject {
  Q_OBJECT
 private slots:
  void are_as_defined_in_the_plane();
  void are_as_defined_in_volumes();
  void are_the_same_for_any_number_of_threads();
  void are_those_of_scikit_image();
  void discs_have_their_perimeter();
  void a_pixel_is_a_square();
  void lines_have_their_orientation();
  void intensities_are_those_of_each_channel();
  void nothing_is_measured_of_nan();
  void other_colours_are_refused();
  void nearest_points_are_found();
};

void TestMeasureObjects::are_as_defined_in_the_plane() {
  test::RandomNumbers random(7);
  Context context;
  for (int i = 0; i < 1500; ++i) {
    // Some are taller than a strip of 64 rows.
    const Index3 size{between(random, 1, 9), i % 50 == 0 ? 150 : between(random, 1, 9), 1};
    const LabelMap labels =
        random_map(random, size, i % 2 == 0 ? Vec3{1, 1, 1} : Vec3{0.5, 0.75, 1});
    const ObjectRules rules{.are = i % 3 == 0 ? ObjectsAre::Labels : ObjectsAre::Parts,
                            .connectivity = i % 4 < 2 ? Connectivity::C4 : Connectivity::C8,
                            .smallest = i % 5 == 0 ? 3 : 0};
    const MeasuredObjects found = measure_objects(labels, rules, {}, context);
    const std::vector<Label> numbers = objects_of(labels, rules);
    QCOMPARE(found.objects.size(), static_cast<std::size_t>(std::ranges::max(numbers)));
    if (size[1] == 150 && rules.are == ObjectsAre::Labels) continue;  // the definition is slow
    for (std::size_t object = 0; object < found.objects.size(); ++object) {
      const Definition expected(labels.geometry(), numbers, static_cast<Label>(object + 1));
      compare_shape(found, object, expected, labels.geometry());
      if (QTest::currentTestFailed()) return;
    }
  }
}

void TestMeasureObjects::are_as_defined_in_volumes() {
  test::RandomNumbers random(8);
  Context context;
  for (int i = 0; i < 800; ++i) {
    const Index3 size{between(random, 1, 5), between(random, 1, 5), between(random, 2, 20)};
    const LabelMap labels = random_map(random, size, {1.0, 0.5, 2.0});
    const ObjectRules rules{.are = i % 3 == 0 ? ObjectsAre::Labels : ObjectsAre::Parts,
                            .connectivity = i % 2 == 0 ? Connectivity::C6 : Connectivity::C26};
    const MeasuredObjects found = measure_objects(labels, rules, {}, context);
    const std::vector<Label> numbers = objects_of(labels, rules);
    for (std::size_t object = 0; object < found.objects.size(); ++object) {
      const Definition expected(labels.geometry(), numbers, static_cast<Label>(object + 1));
      compare_shape(found, object, expected, labels.geometry());
      if (QTest::currentTestFailed()) return;
    }
  }
}

void TestMeasureObjects::are_the_same_for_any_number_of_threads() {
  test::RandomNumbers random(9);
  for (const Index3& size : {Index3{70, 900, 1}, Index3{20, 15, 60}}) {
    const LabelMap labels = random_map(random, size, {0.3, 0.7, 1.1});
    std::vector<float> values(static_cast<std::size_t>(labels.geometry().voxel_count()));
    for (float& value : values)
      value = static_cast<float>(between(random, 0, 1000000)) / 3.0F;
    const Volume image(labels.geometry(), std::move(values));
    for (const ObjectsAre are : {ObjectsAre::Parts, ObjectsAre::Labels}) {
      std::vector<std::uint64_t> expected;
      for (const int threads : {1, 2, 5}) {
        Context context(Context::Settings{.threads = threads});
        const auto bits =
            bits_of(measure_objects(labels, {.are = are}, MeasuredChannels(image), context));
        if (threads == 1) expected = bits;
        QCOMPARE(bits, expected);
      }
    }
  }
}

/// Reads what tests/oracles/make_object_shapes.py wrote.
void TestMeasureObjects::are_those_of_scikit_image() {
  QFile file(QStringLiteral(SEEDWAVE_ORACLES) + "/object_shapes.json");
  QVERIFY(file.open(QIODevice::ReadOnly));
  const auto cases = nlohmann::json::parse(file.readAll().toStdString());
  QVERIFY(cases.size() >= 10);
  for (const nlohmann::json& each : cases) {
    Geometry geometry;
    geometry.size = {each["columns"], each["rows"], 1};
    const LabelMap labels(geometry, each["labels"].get<std::vector<std::uint8_t>>());
    const Volume image(geometry, each["image"].get<std::vector<std::uint8_t>>());
    Context context;
    const MeasuredObjects found =
        measure_objects(labels, {.are = ObjectsAre::Labels}, MeasuredChannels(image), context);
    QCOMPARE(found.objects.size(), each["objects"].size());
    for (std::size_t i = 0; i < found.objects.size(); ++i) {
      const nlohmann::json& expected = each["objects"][i];
      const ObjectShape& shape = found.shapes[i];
      const IntensityStatistics& intensity = found.intensities[i];
      const std::map<std::string, double> measures{
          {"perimeter", shape.perimeter},
          {"solidity", shape.hull.solidity},
          {"major_axis", shape.axes[0]},
          {"minor_axis", shape.axes[2]},
          {"orientation", shape.orientation},
          {"mean", intensity.mean},
          {"standard_deviation", intensity.standard_deviation},
          {"minimum", intensity.minimum},
          {"maximum", intensity.maximum}};
      QCOMPARE(expected.size(), measures.size() + 1);  // and the label
      QCOMPARE(found.objects[i].label, expected["label"].get<Label>());
      for (const auto& [name, value] : measures)
        QVERIFY2(is_close(value, expected[name].get<double>()), name.c_str());
    }
  }
}

void TestMeasureObjects::discs_have_their_perimeter() {
  test::RandomNumbers random(3);
  constexpr int kDiscs = 200;
  double sum = 0.0;
  for (int i = 0; i < kDiscs; ++i) {
    const double radius = 5.0 + static_cast<double>(between(random, 0, 300)) / 10.0;
    const MeasuredObjects found =
        measured(disc(radius, static_cast<double>(between(random, 0, 99)) / 100.0,
                      static_cast<double>(between(random, 0, 99)) / 100.0));
    const double error = found.shapes[0].perimeter / (2.0 * std::numbers::pi * radius) - 1.0;
    QVERIFY2(std::abs(error) < (radius < 10.0 ? 0.05 : 0.03), qPrintable(QString::number(error)));
    sum += error;
  }
  QVERIFY(std::abs(sum / kDiscs) < 0.003);
}

void TestMeasureObjects::a_pixel_is_a_square() {
  Geometry geometry;
  geometry.size = {3, 3, 1};
  geometry.spacing = {2.0, 2.0, 1.0};
  const MeasuredObjects found =
      measured(LabelMap(geometry, std::vector<std::uint8_t>{0, 0, 0, 0, 1, 0, 0, 0, 0}));
  const ObjectShape& shape = found.shapes.front();
  QCOMPARE(shape.circularity, 1.0);
  QCOMPARE(shape.hull.solidity, 1.0);
  QCOMPARE(shape.hull.largest_diameter, std::sqrt(8.0));
  QCOMPARE(shape.hull.smallest_diameter, 2.0);
  QCOMPARE(shape.axes[0], 8.0 / std::sqrt(12.0));
  QCOMPARE(shape.axes[2], shape.axes[0]);
  QCOMPARE(shape.eccentricity, 0.0);
  QCOMPARE(shape.orientation, 0.0);
  QVERIFY(std::isnan(found.nearest.front()));
}

void TestMeasureObjects::lines_have_their_orientation() {
  constexpr int kSide = 9;
  Geometry geometry;
  geometry.size = {kSide, kSide, 1};
  const auto orientation = [&](int right, int up) {
    std::vector<std::uint8_t> labels(kSide * kSide);
    for (int i = -4; i <= 4; ++i)
      labels[static_cast<std::size_t>((4 - i * up) * kSide + 4 + i * right)] = 1;
    Context context;
    return measure_objects(LabelMap(geometry, std::move(labels)), {.are = ObjectsAre::Labels}, {},
                           context)
        .shapes.front()
        .orientation;
  };
  QCOMPARE(orientation(1, 0), 0.0);
  QCOMPARE(orientation(1, 1), 45.0);
  QCOMPARE(orientation(0, 1), 90.0);
  QCOMPARE(orientation(-1, 1), 135.0);
}

void TestMeasureObjects::intensities_are_those_of_each_channel() {
  test::RandomNumbers random(4);
  const LabelMap labels = random_map(random, {40, 90, 1}, {1, 1, 1});
  std::vector<std::uint8_t> rgb(static_cast<std::size_t>(3 * labels.geometry().voxel_count()));
  for (std::uint8_t& value : rgb)
    value = static_cast<std::uint8_t>(between(random, 0, 255));
  const Volume image(labels.geometry(), std::move(rgb), 3);
  const std::vector<std::string> own{"stain:0.6,0.7,0.3:0.2,0.5,0.8",
                                     "stain:0.2,0.5,0.8:0.6,0.7,0.3"};
  std::vector<std::string> expected;
  for (const Channel& channel : channels())
    expected.push_back(channel.id);
  expected.insert(expected.end(), own.begin(), own.end());
  const MeasuredObjects found = measured(labels, image, own);
  QCOMPARE(found.channels, expected);
  for (std::size_t c = 0; c < expected.size(); ++c) {
    const MeasuredObjects alone = measured(labels, channel_of(image, expected[c]), own);
    QCOMPARE(alone.channels, std::vector<std::string>{""});
    for (std::size_t i = 0; i < found.objects.size(); ++i) {
      const IntensityStatistics& a = found.intensities[i * expected.size() + c];
      const IntensityStatistics& b = alone.intensities[i];
      QCOMPARE(a.mean, b.mean);
      QCOMPARE(a.standard_deviation, b.standard_deviation);
      QCOMPARE(a.minimum, b.minimum);
      QCOMPARE(a.maximum, b.maximum);
    }
  }
}

void TestMeasureObjects::nothing_is_measured_of_nan() {
  Geometry geometry;
  geometry.size = {4, 1, 1};
  const LabelMap labels(geometry, std::vector<std::uint8_t>{1, 1, 0, 1});
  const Volume image(geometry, std::vector<float>{1.0F, std::nanf(""), 0.0F, 3.0F});
  const MeasuredObjects found = measured(labels, image);
  QVERIFY(std::isnan(found.intensities[0].mean));
  QVERIFY(std::isnan(found.intensities[0].minimum));
  QCOMPARE(found.intensities[1].mean, 3.0);
  QCOMPARE(found.intensities[1].standard_deviation, 0.0);
  QVERIFY(measured(labels).intensities.empty());
}

void TestMeasureObjects::other_colours_are_refused() {
  Geometry geometry;
  geometry.size = {2, 1, 1};
  const LabelMap labels(geometry, std::vector<std::uint8_t>{1, 1});
  QVERIFY_EXCEPTION_THROWN(
      static_cast<void>(measured(labels, Volume(geometry, std::vector<std::uint8_t>(8), 4))),
      InputError);
  QVERIFY_EXCEPTION_THROWN(
      static_cast<void>(measured(labels, Volume(geometry, std::vector<std::uint8_t>(6), 3),
                                 {"stain:1,2,3:1,2,3"})),
      InputError);
}

void TestMeasureObjects::nearest_points_are_found() {
  test::RandomNumbers random(5);
  Context context;
  for (int i = 0; i < 300; ++i) {
    std::vector<Vec3> points(static_cast<std::size_t>(between(random, 0, 60)));
    const std::int64_t reach = i % 3 == 0 ? 3 : 1000;  // also equal points
    for (Vec3& point : points)
      point = {static_cast<double>(between(random, 0, reach)),
               static_cast<double>(between(random, 0, reach)),
               i % 2 == 0 ? 0.0 : static_cast<double>(between(random, 0, reach))};
    const std::vector<double> found = distances_to_nearest(points, context);
    for (std::size_t a = 0; a < points.size(); ++a) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t b = 0; b < points.size(); ++b) {
        if (a != b)
          nearest =
              std::min(nearest, std::hypot(points[a][0] - points[b][0], points[a][1] - points[b][1],
                                           points[a][2] - points[b][2]));
      }
      QVERIFY(points.size() == 1 ? std::isnan(found[a]) : is_close(found[a], nearest));
    }
  }
}

QTEST_APPLESS_MAIN(TestMeasureObjects)
#include "test_measure_objects.moc"
