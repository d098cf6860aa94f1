// SPDX-License-Identifier: Apache-2.0
// Compares reconstruction and derived operations, as a user runs them, with their definitions.
#include "core/base/error.h"
#include "core/image/connectivity.h"
#include "core/ops/morphology.h"
#include "core/ops/run.h"
#include "tests/reference/flat_morphology.h"
#include "tests/reference/reconstruction.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace seedwave;
using test::line_of;
using test::random_volume;
using test::values_of;

namespace {

using Numbers = std::vector<double>;

struct Case {
  Volume image;
  double h = 0.0;
  double radius = 0.0;
  int connectivity = 4;
};

Volume run(const std::string& operation, const Case& c, Values values = {},
           const Volume& marker = {}) {
  static const OperationTable table = make_operation_table();
  RunRequest request;
  request.operation = operation;
  request.inputs.image = c.image;
  request.inputs.marker = marker;
  request.values = std::move(values);
  const Operation& op = table.at(operation);
  const auto set = [&](const char* id, const Value& value) {
    if (op.find_parameter(id) != nullptr && !request.values.has(id)) request.values.set(id, value);
  };
  set("h", c.h);
  set("radius", c.radius);
  set("connectivity", std::to_string(c.connectivity));
  Context context;
  const RunReport report = run_operation(table, request, context);
  return std::get<Volume>(report.outputs.at("image"));
}

/// Returns the same numbers as f32 on the same grid, the input of the reference of reconstruction.
Volume as_f32(const Numbers& values, const Geometry& geometry) {
  return Volume(geometry, std::vector<float>(values.begin(), values.end()));
}

Numbers reconstructed(const Numbers& marker, const Case& c, bool by_erosion) {
  return reference::reconstruction(as_f32(marker, c.image.geometry()),
                                   as_f32(values_of(c.image), c.image.geometry()), c.connectivity,
                                   by_erosion);
}

Numbers each(const Numbers& a, const Numbers& b, const std::function<double(double, double)>& f) {
  Numbers result;
  for (std::size_t i = 0; i < a.size(); ++i)
    result.push_back(f(a[i], b[i]));
  return result;
}

bool is_border(const Geometry& geometry, const Index3& at) {
  for (int axis = 0; axis < (geometry.is_2d() ? 2 : 3); ++axis) {
    if (at[axis] == 0 || at[axis] == geometry.size[axis] - 1) return true;
  }
  return false;
}

constexpr double kFar = 1e7;  // beyond all values here, and exact in f32

Numbers from_border(const Case& c, bool by_erosion) {
  Numbers marker = values_of(c.image);
  for (std::size_t i = 0; i < marker.size(); ++i) {
    const Index3 at = c.image.geometry().index_of(static_cast<std::int64_t>(i));
    if (!is_border(c.image.geometry(), at)) marker[i] = by_erosion ? kFar : -kFar;
  }
  return reconstructed(marker, c, by_erosion);
}

/// Returns the image shifted by h; for integer types h loses its fraction.
Numbers moved(const Case& c, double sign) {
  const double h = c.image.type() == VoxelType::F32 ? c.h : std::floor(c.h);
  Numbers marker = values_of(c.image);
  for (double& value : marker)
    value += sign * h;
  return marker;
}

/// Finds plateaus by flooding and compares each with its surroundings.
Numbers extremes(const Case& c, double sign) {
  const Geometry& geometry = c.image.geometry();
  const Numbers values = values_of(c.image);
  const auto steps = neighbour_steps(static_cast<Connectivity>(c.connectivity));
  Numbers result(values.size(), 1.0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      if (result[i] == 0.0) continue;
      for (const NeighbourStep& step : steps) {
        const Index3 at = geometry.index_of(i);
        const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
        if (!geometry.contains(to)) continue;
        const std::int64_t j = geometry.offset(to);
        const bool higher = sign * values[j] > sign * values[i];
        if (!higher && (values[j] != values[i] || result[j] != 0.0)) continue;
        result[i] = 0.0;
        changed = true;
        break;
      }
    }
  }
  return result;
}

double minus(double a, double b) {
  return a - b;
}

const std::map<std::string, std::function<Numbers(const Case&)>>& definitions() {
  static const std::map<std::string, std::function<Numbers(const Case&)>> all{
      {"open-by-reconstruction",
       [](const Case& c) {
         return reconstructed(reference::ball_extreme(c.image, c.radius, true), c, false);
       }},
      {"close-by-reconstruction",
       [](const Case& c) {
         return reconstructed(reference::ball_extreme(c.image, c.radius, false), c, true);
       }},
      {"h-maxima", [](const Case& c) { return reconstructed(moved(c, -1.0), c, false); }},
      {"h-minima", [](const Case& c) { return reconstructed(moved(c, 1.0), c, true); }},
      {"h-domes",
       [](const Case& c) {
         return each(values_of(c.image), reconstructed(moved(c, -1.0), c, false), minus);
       }},
      {"fill-holes", [](const Case& c) { return from_border(c, true); }},
      {"clear-border",
       [](const Case& c) { return each(values_of(c.image), from_border(c, false), minus); }},
      {"regional-maxima", [](const Case& c) { return extremes(c, 1.0); }},
      {"regional-minima", [](const Case& c) { return extremes(c, -1.0); }}};
  return all;
}

/// Returns values that f32 can represent, away from the limits of the types.
Case random_case(std::uint64_t number, VoxelType type, int connectivity) {
  test::RandomNumbers random(number);
  const bool planar = connectivity == 4 || connectivity == 8;
  Case c;
  c.connectivity = connectivity;
  Geometry geometry;
  geometry.size = {1 + random.below(planar ? 12 : 6), 1 + random.below(planar ? 12 : 6),
                   planar ? 1 : 2 + random.below(4)};
  geometry.spacing = {1.0, random.of(std::array{1.0, 1.5}), random.of(std::array{1.0, 2.5})};
  c.image = test::random_volume_of<std::int32_t>(random, geometry, 60);
  Numbers values = values_of(c.image);
  for (double& value : values)
    value += 100.0;
  c.h = random.of(std::array{0.0, 0.5, 1.0, 7.75, 30.0});
  c.radius = random.of(std::array{0.0, 1.0, 1.5, 2.0, 4.0});
  const auto make = [&]<typename T>(T) {
    return Volume(geometry, std::vector<T>(values.begin(), values.end()));
  };
  switch (type) {
    case VoxelType::U8:
      c.image = make(std::uint8_t{});
      break;
    case VoxelType::I16:
      c.image = make(std::int16_t{});
      break;
    case VoxelType::U16:
      c.image = make(std::uint16_t{});
      break;
    case VoxelType::I32:
      c.image = make(std::int32_t{});
      break;
    default:
      for (double& value : values)
        value = value / 4.0 - 20.0;
      c.image = make(float{});
      break;
  }
  return c;
}

}  // namespace

class TestReconstructionOperations : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void derives_its_marker_as_it_says();
  void a_given_marker_goes_first();
  void converts_a_marker_that_fits();
  void says_what_was_cut();
  void passes_on_what_a_solver_notes();
  void stops_at_the_ends_of_a_type();
  void takes_a_tenth_of_the_range_where_h_is_left_to_it();
  void regional_extremes_of_hard_images();
  void extremes_have_no_unit();
  void fills_labels();
  void refuses_what_it_cannot_read();
};

void TestReconstructionOperations::equals_the_definition_data() {
  QTest::addColumn<QString>("operation");
  QTest::addColumn<int>("type");
  for (const auto& [operation, definition] : definitions()) {
    for (const VoxelType type : kVoxelTypes) {
      QTest::addRow("%s, %s", operation.c_str(), std::string(name_of(type)).c_str())
          << QString::fromStdString(operation) << static_cast<int>(type);
    }
  }
}

void TestReconstructionOperations::equals_the_definition() {
  QFETCH(QString, operation);
  QFETCH(int, type);
  const std::string name = operation.toStdString();
  for (std::uint64_t number = 0; number < 40; ++number) {
    const int connectivity = std::array{4, 8, 6, 18, 26}[number % 5];
    const Case c = random_case(number, static_cast<VoxelType>(type), connectivity);
    QVERIFY2(values_of(run(name, c)) == definitions().at(name)(c),
             qPrintable(QStringLiteral("image %1").arg(number)));
  }
}

void TestReconstructionOperations::derives_its_marker_as_it_says() {
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Case c = random_case(number, VoxelType::U8, number % 2 == 0 ? 4 : 26);
    const auto with = [&](const char* direction, const char* from) {
      Values values;
      values.set("direction", direction);
      values.set("marker_from", from);
      return values_of(run("reconstruct", c, values));
    };
    QVERIFY(with("dilation", "h-dome") == definitions().at("h-maxima")(c));
    QVERIFY(with("erosion", "h-dome") == definitions().at("h-minima")(c));
    QVERIFY(with("erosion", "border") == definitions().at("fill-holes")(c));
    // Both from the opening and from the erosion below it.
    QVERIFY(with("dilation", "opening") == definitions().at("open-by-reconstruction")(c));
    QVERIFY(with("erosion", "opening") == definitions().at("close-by-reconstruction")(c));
  }
}

void TestReconstructionOperations::a_given_marker_goes_first() {
  Case c;
  c.image = line_of<std::uint8_t>({9, 7, 8, 2, 6, 0, 5});
  const Volume marker = line_of<std::uint8_t>({0, 0, 8, 0, 0, 0, 1});
  QCOMPARE(values_of(run("reconstruct", c, {}, marker)), (Numbers{7, 7, 8, 2, 2, 0, 1}));
}

void TestReconstructionOperations::converts_a_marker_that_fits() {
  Case c;
  c.image = line_of<std::int16_t>({9, -7, 8});
  QCOMPARE(values_of(run("reconstruct", c, {}, line_of<float>({4.0F, -9.0F, 8.0F}))),
           (Numbers{4, -7, 8}));
  const auto refused = [&](const Volume& marker) -> std::string {
    try {
      (void)run("reconstruct", c, {}, marker);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  QCOMPARE(refused(line_of<float>({4.0F, 0.5F, 8.0F})),
           std::string("the marker is f32, the image i16, which does not hold its value 0.5 at "
                       "(1, 0, 0)"));
  QCOMPARE(refused(line_of<std::int32_t>({4, 1, 40000})),
           std::string("the marker is i32, the image i16, which does not hold its value 40000 at "
                       "(2, 0, 0)"));
  Geometry one;
  one.size = {3, 1, 1};
  QVERIFY(refused(Volume(one, std::vector<std::uint8_t>(9), 3)).find("3 values per voxel") !=
          std::string::npos);
}

void TestReconstructionOperations::says_what_was_cut() {
  const OperationTable table = make_operation_table();
  RunRequest request;
  request.operation = "reconstruct";
  request.inputs.image = line_of<std::uint8_t>({3, 2, 3, 3});
  request.inputs.marker = line_of<std::uint8_t>({5, 2, 0, 4});
  Context context;
  RunReport report = run_operation(table, request, context);
  QCOMPARE(report.facts.warnings,
           (std::vector<std::string>{
               "the marker lay above the image at 2 voxels and was clipped to it"}));
  request.values.set("direction", "erosion");
  Context another;
  report = run_operation(table, request, another);
  QCOMPARE(report.facts.warnings,
           (std::vector<std::string>{
               "the marker lay below the image at 1 voxel and was clipped to it"}));
}

void TestReconstructionOperations::passes_on_what_a_solver_notes() {
  OperationTable table = make_operation_table();
  table.add("reconstruct", reconstruction_implementation(
                               ReconstructionOperation::Reconstruct, "noting", Backend::Cpu,
                               [](const ReconstructionProblem& problem, Context&) {
                                 return Reconstruction{.image = problem.mask,
                                                       .notes = {"it was a long way"}};
                               }));
  RunRequest request;
  request.operation = "reconstruct";
  request.how.algorithm = "noting";
  request.inputs.image = line_of<std::uint8_t>({3, 2});
  Context context;
  QCOMPARE(run_operation(table, request, context).facts.warnings,
           (std::vector<std::string>{"it was a long way"}));
}

void TestReconstructionOperations::stops_at_the_ends_of_a_type() {
  Case c;
  c.h = 1e9;
  const auto check = [&]<typename T>(T) {
    using Limits = std::numeric_limits<T>;
    c.image = line_of<T>({Limits::max(), T{3}, Limits::lowest(), T{5}});
    const Volume maxima = run("h-maxima", c);
    const Volume minima = run("h-minima", c);
    const Volume domes = run("h-domes", c);
    const bool wide = sizeof(T) == 4;
    // The maximum reduction of the highest value: down to the type's lowest, or by h.
    QCOMPARE(maxima.voxels<T>()[0], wide ? static_cast<T>(Limits::max() - 1000000000) : T{3});
    QCOMPARE(maxima.voxels<T>()[2], Limits::lowest());
    QCOMPARE(minima.voxels<T>()[2], wide ? static_cast<T>(Limits::lowest() + 1000000000) : T{5});
    QCOMPARE(domes.voxels<T>()[0], wide ? T{1000000000} : static_cast<T>(Limits::max() - 3));
  };
  c.h = 1e9;
  check(std::int32_t{});
  // The full range of a narrow type: the plain peak falls to the adjacent level.
  c.image = line_of<std::int16_t>({32767, -32768});
  QCOMPARE(values_of(run("h-maxima", c)), (Numbers{-32768, -32768}));
  QCOMPARE(values_of(run("h-minima", c)), (Numbers{32767, 32767}));
  QCOMPARE(values_of(run("h-domes", c)), (Numbers{32767, 0}));  // 65535, at most the highest
  c.image = line_of<std::uint8_t>({255, 0});
  QCOMPARE(values_of(run("h-domes", c)), (Numbers{255, 0}));
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  c.image = line_of<float>({kInfinity, 1.0F, -kInfinity});
  QCOMPARE(values_of(run("h-domes", c)), (Numbers{0, 0, 0}));
}

void TestReconstructionOperations::takes_a_tenth_of_the_range_where_h_is_left_to_it() {
  const OperationTable table = make_operation_table();
  const auto used = [&](const Volume& image) {
    RunRequest request;
    request.operation = "h-maxima";
    request.inputs.image = image;
    Context context;
    return run_operation(table, request, context).facts.values.number("h");
  };
  QCOMPARE(used(line_of<std::uint8_t>({10, 200, 5})), 19.0);
  QCOMPARE(used(line_of<std::uint8_t>({10, 10, 12})), 1.0);
  QCOMPARE(used(line_of<float>({-1.0F, 1.5F})), 0.25);
}

// Their image is 1 at an extreme and 0 elsewhere; the others keep the image's units.
void TestReconstructionOperations::extremes_have_no_unit() {
  const OperationTable table = make_operation_table();
  for (const char* id : {"regional-maxima", "regional-minima"})
    QCOMPARE(table.at(id).main_output().image()->unit, std::string());
  for (const char* id : {"reconstruct", "fill-holes", "h-maxima"})
    QCOMPARE(table.at(id).main_output().image()->unit, std::string("image units"));
}

void TestReconstructionOperations::regional_extremes_of_hard_images() {
  const auto check = [](const Volume& image, const Numbers& maxima, const Numbers& minima) {
    Case c;
    c.image = image;
    QCOMPARE(values_of(run("regional-maxima", c)), maxima);
    QCOMPARE(values_of(run("regional-minima", c)), minima);
  };
  check(line_of<std::uint8_t>({0, 0, 0}), {1, 1, 1}, {1, 1, 1});
  check(line_of<std::uint8_t>({255, 255}), {1, 1}, {1, 1});
  check(line_of<std::uint8_t>({0, 255, 255, 3, 4}), {0, 1, 1, 0, 1}, {1, 0, 0, 1, 0});
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  check(line_of<float>({-kInfinity, kInfinity, 0.0F, -0.0F, kInfinity}), {0, 1, 0, 0, 1},
        {1, 0, 1, 1, 0});
  // Adjacent f32 values, one step apart.
  check(line_of<float>({1.0F, std::nextafter(1.0F, 2.0F), 1.0F}), {0, 1, 0}, {1, 0, 1});
}

void TestReconstructionOperations::fills_labels() {
  Geometry geometry;
  geometry.size = {5, 5, 1};
  std::vector<std::uint16_t> labels(25, 0);
  for (const std::size_t i : {6U, 7U, 8U, 11U, 13U, 16U, 17U, 18U})
    labels[i] = 300;
  Case c;
  c.image = Volume(geometry, labels);
  const Volume filled = run("fill-holes", c);
  QCOMPARE(filled.type(), VoxelType::U16);
  labels[12] = 300;
  QVERIFY(std::ranges::equal(filled.voxels<std::uint16_t>(), labels));
  c.image = filled;
  QVERIFY(std::ranges::equal(run("clear-border", c).voxels<std::uint16_t>(), labels));
}

void TestReconstructionOperations::refuses_what_it_cannot_read() {
  Case c;
  c.image = line_of<float>({1.0F, std::numeric_limits<float>::quiet_NaN()});
  for (const auto& [operation, definition] : definitions())
    QVERIFY_EXCEPTION_THROWN((void)run(operation, c), InputError);
  Geometry geometry;
  geometry.size = {2, 2, 1};
  c.image = Volume(geometry, std::vector<std::uint8_t>(12), 3);
  QVERIFY_EXCEPTION_THROWN((void)run("fill-holes", c), InputError);
}

QTEST_GUILESS_MAIN(TestReconstructionOperations)
#include "test_reconstruction_operations.moc"
