// SPDX-License-Identifier: Apache-2.0
// The meaning on a grid of the parameters of operations on lines, and the form of the results.
// Their numbers are tested in tests/core/morphology/linear, and for every algorithm in test_parity.
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/ops/line_parameters.h"
#include "core/ops/lines.h"
#include "core/ops/report_json.h"
#include "core/ops/run.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

Operation operation_of(const char* id) {
  return make_operation_table().at(id);
}

Volume image(const Index3& size, const Vec3& spacing = {1.0, 1.0, 1.0}) {
  Geometry geometry;
  geometry.size = size;
  geometry.spacing = spacing;
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count()), 100);
  voxels[voxels.size() / 2] = 200;
  return {geometry, std::move(voxels)};
}

Volume noise(const Index3& size) {
  Geometry geometry;
  geometry.size = size;
  std::mt19937 random(7);
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::uint8_t& voxel : voxels)
    voxel = static_cast<std::uint8_t>(random() % 256);
  return {geometry, std::move(voxels)};
}

/// Returns the opening (dark: closing) by a box of `length` cells along each axis of more than one
/// cell, by its definition: the maximum, over all boxes that contain a cell, of the minimum in the
/// box.
std::vector<int> opened_by_boxes(const Volume& image, std::int64_t length, LineBorder border,
                                 bool bright) {
  const auto voxels = image.voxels<std::uint8_t>();
  const Geometry& geometry = image.geometry();
  const auto [low, high] = std::minmax_element(voxels.begin(), voxels.end());
  std::vector<int> result(voxels.size(), bright ? *low : *high);
  Index3 lengths{1, 1, 1};
  Index3 front{0, 0, 0};
  Index3 behind{0, 0, 0};
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] == 1) continue;
    lengths[axis] = length;
    front[axis] = margins(border, length).front;
    behind[axis] = margins(border, length).behind;
  }
  const auto each_cell = [&](const Index3& first, auto&& visit) {
    for (std::int64_t z = first[2]; z < first[2] + lengths[2]; ++z) {
      for (std::int64_t y = first[1]; y < first[1] + lengths[1]; ++y) {
        for (std::int64_t x = first[0]; x < first[0] + lengths[0]; ++x) {
          if (geometry.contains(Index3{x, y, z})) visit(geometry.offset(Index3{x, y, z}));
        }
      }
    }
  };
  for (std::int64_t z = -front[2]; z + lengths[2] <= geometry.size[2] + behind[2]; ++z) {
    for (std::int64_t y = -front[1]; y + lengths[1] <= geometry.size[1] + behind[1]; ++y) {
      for (std::int64_t x = -front[0]; x + lengths[0] <= geometry.size[0] + behind[0]; ++x) {
        int extreme = bright ? 255 : 0;
        each_cell({x, y, z}, [&](std::int64_t i) {
          extreme = bright ? std::min<int>(extreme, voxels[i]) : std::max<int>(extreme, voxels[i]);
        });
        each_cell({x, y, z}, [&](std::int64_t i) {
          result[i] = bright ? std::max(result[i], extreme) : std::min(result[i], extreme);
        });
      }
    }
  }
  return result;
}

Values values_on(const Volume& volume, const std::string& operation,
                 const std::vector<std::pair<std::string, Value>>& set) {
  Values given;
  for (const auto& [id, value] : set)
    given.set(id, value);
  return checked_values(make_operation_table().at(operation), given, volume.geometry().is_2d());
}

RunReport run(const std::string& operation, const Volume& volume,
              const std::vector<std::pair<std::string, Value>>& set) {
  RunRequest request;
  request.operation = operation;
  request.inputs.image = volume;
  for (const auto& [id, value] : set)
    request.values.set(id, value);
  Context context;
  return run_operation(make_operation_table(), request, context);
}

LinearOpeningProblem opening(const Volume& volume,
                             const std::vector<std::pair<std::string, Value>>& set) {
  Inputs inputs;
  inputs.image = volume;
  return linear_opening_problem(LineFilter::Opening, inputs,
                                values_on(volume, "linear-opening", set));
}

}  // namespace

class TestLineOperations : public QObject {
  Q_OBJECT
 private slots:
  void directions_are_in_millimetres();
  void a_length_by_the_ruler_counts_fewer_cells();
  void pictures_have_angles_and_volumes_directions();
  void angles_end_before_to();
  void orientation_gives_angles_or_directions();
  void the_response_is_what_a_square_takes_away_data();
  void the_response_is_what_a_square_takes_away();
  void a_response_is_high_on_lines_alone();
  void a_curve_of_lengths_says_what_each_takes();
  void lengths_are_counted_in_what_the_grid_has();
  void a_blank_page_is_left_alone();
  void tried_angles_are_short_decimals();
  void a_report_holds_small_tables();
  void rows_of_text_are_compared_by_their_contrast();
  void cusps_at_diagonals_are_of_the_grid_and_said_so();
  void refuses_an_empty_range_of_angles();
};

void TestLineOperations::directions_are_in_millimetres() {
  // With cells half as thick along z, one millimetre each way is one column and two slices.
  const Volume volume = image({20, 20, 20}, {1.0, 1.0, 0.5});
  const LinearOpeningProblem problem = opening(volume, {{"direction", "1,0,1"}});
  QCOMPARE(problem.lines.major(), 2);
  QCOMPARE(problem.lines.step(), (Vec3{0.5, 0.0, 1.0}));
  QVERIFY(problem.border == LineBorder::Anchor);
}

void TestLineOperations::a_length_by_the_ruler_counts_fewer_cells() {
  const auto cells = [](const Volume& volume, const char* way, const Value& where) {
    return opening(volume, {{way, where}, {"length", 30.0}, {"length_in", "euclidean"}}).length;
  };
  const Volume picture = image({40, 40, 1}, {0.25, 0.25, 1.0});
  QCOMPARE(cells(picture, "angle", 0.0), 30);  // pixels, whatever their size
  QCOMPARE(cells(picture, "angle", 45.0), 21);
  QCOMPARE(opening(picture, {{"angle", 45.0}, {"length", 30.0}}).length, 30);
  const Volume volume = image({20, 20, 20}, {2.0, 2.0, 3.0});
  QCOMPARE(cells(volume, "direction", "0,0,1"), 10);
  QCOMPARE(cells(volume, "direction", "1,0,0"), 15);
  QCOMPARE(cells(volume, "direction", "1,1,0"), 11);  // 30 / 2.83
  QCOMPARE(opening(volume, {{"length", 1.0}, {"length_in", "euclidean"}}).length, 1);
}

void TestLineOperations::pictures_have_angles_and_volumes_directions() {
  QVERIFY_EXCEPTION_THROWN((void)run("linear-opening", image({9, 9, 9}), {{"angle", 30.0}}),
                           UsageError);
  QVERIFY_EXCEPTION_THROWN((void)run("linear-closing", image({9, 9, 1}), {{"direction", "1,0,0"}}),
                           UsageError);
  const RunReport report = run("linear-opening", image({9, 9, 9}), {{"length", 3.0}});
  QCOMPARE(report.facts.values.word("direction"), std::string("0,0,1"));
  QVERIFY(!report.facts.values.has("angle"));
}

void TestLineOperations::angles_end_before_to() {
  QCOMPARE(angles_between(0.0, 180.0, 4), (std::vector<double>{0.0, 45.0, 90.0, 135.0}));
  const RunReport report =
      run("angular-spectrum", image({9, 7, 1}), {{"from", -10.0}, {"to", 10.0}, {"angles", 8.0}});
  const auto& curve = std::get<Table>(report.outputs.at("curve"));
  QCOMPARE(curve.rows.size(), std::size_t{8});
  QCOMPARE(curve.rows.front()[0], -10.0);
  QCOMPARE(curve.rows.back()[0], 7.5);
}

void TestLineOperations::orientation_gives_angles_or_directions() {
  const RunReport flat = run("orientation", image({9, 7, 1}), {{"angles", 4.0}});
  QCOMPARE(flat.outputs.size(), std::size_t{3});
  QVERIFY(std::get<Volume>(flat.outputs.at("angle")).type() == VoxelType::F32);
  const RunReport solid =
      run("orientation", image({6, 7, 8}), {{"half_sphere", 5.0}, {"length", 3.0}});
  QCOMPARE(solid.outputs.size(), std::size_t{4});
  QVERIFY(std::get<Volume>(solid.outputs.at("direction")).type() == VoxelType::I32);
  const auto& directions = std::get<Table>(solid.outputs.at("directions"));
  QCOMPARE(directions.rows.size(), std::size_t{5});
  QCOMPARE(directions.rows[3][0], 3.0);
}

void TestLineOperations::the_response_is_what_a_square_takes_away_data() {
  QTest::addColumn<Index3>("size");
  QTest::addColumn<QString>("lines");
  QTest::addColumn<double>("length");
  QTest::addColumn<QString>("border");
  for (const char* border : {"anchor", "inside", "ignore"}) {
    const auto row = [&](const char* name, const Index3& size, const char* lines, double length) {
      QTest::addRow("%s, %s", name, border) << size << lines << length << border;
    };
    row("picture, bright", {23, 17, 1}, "bright", 5.0);
    row("picture, dark", {23, 17, 1}, "dark", 5.0);
    row("picture, even length", {19, 21, 1}, "bright", 6.0);
    row("picture, even length, dark", {19, 21, 1}, "dark", 4.0);
    row("picture, of two", {7, 9, 1}, "bright", 2.0);
    row("picture, as long as it", {12, 12, 1}, "bright", 12.0);
    row("picture, longer than it", {9, 7, 1}, "bright", 50.0);
    row("picture, a little longer", {9, 12, 1}, "dark", 14.0);
    row("row", {31, 1, 1}, "bright", 4.0);
    row("volume, dark", {9, 8, 7}, "dark", 3.0);
    row("volume, even length", {9, 8, 7}, "bright", 4.0);
  }
}

void TestLineOperations::the_response_is_what_a_square_takes_away() {
  QFETCH(Index3, size);
  QFETCH(QString, lines);
  QFETCH(double, length);
  QFETCH(QString, border);
  const Volume picture = noise(size);
  const RunReport report =
      run("orientation", picture,
          {{"length", length}, {"lines", lines.toStdString()}, {"border", border.toStdString()}});
  const auto strongest = std::get<Volume>(report.outputs.at("image")).voxels<std::uint8_t>();
  const auto response = std::get<Volume>(report.outputs.at("response")).voxels<float>();
  const bool bright = lines == QStringLiteral("bright");
  const LineBorder rule = border == QStringLiteral("anchor")   ? LineBorder::Anchor
                          : border == QStringLiteral("inside") ? LineBorder::Inside
                                                               : LineBorder::Ignore;
  const auto cells = static_cast<std::int64_t>(length);
  const std::vector<int> ground = opened_by_boxes(picture, cells, rule, bright);
  const bool fits = rule != LineBorder::Inside || cells <= std::min(size[0], size[1]);
  for (std::size_t i = 0; i < response.size(); ++i) {
    const int rise = bright ? strongest[i] - ground[i] : ground[i] - strongest[i];
    // Along the rows the line fits into the square: nothing is removed at 0 in a 2-D image.
    if (size[2] == 1 && fits) QVERIFY(rise >= 0);
    QCOMPARE(response[i], static_cast<float>(std::max(0, rise)));
  }
}

void TestLineOperations::a_response_is_high_on_lines_alone() {
  // A bright field, and a line across a dark one: the field is no line.
  Geometry geometry;
  geometry.size = {64, 48, 1};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count()), 20);
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    if (at[0] >= 32) voxels[i] = 200;
    if (at[0] < 30 && at[1] == 20) voxels[i] = 120;
  }
  const RunReport report = run("orientation", {geometry, std::move(voxels)}, {{"length", 15.0}});
  const auto& response = std::get<Volume>(report.outputs.at("response"));
  QCOMPARE(response.value_at({12, 20, 0}), 100.0);
  QCOMPARE(response.value_at({12, 30, 0}), 0.0);
  QCOMPARE(response.value_at({50, 30, 0}), 0.0);
  const auto& angle = std::get<Volume>(report.outputs.at("angle"));
  QCOMPARE(angle.value_at({12, 20, 0}), 0.0);
}

void TestLineOperations::a_curve_of_lengths_says_what_each_takes() {
  const RunReport report =
      run("granulometry", image({9, 7, 1}), {{"longest", 3.0}, {"border", "ignore"}});
  const auto& curve = std::get<Table>(report.outputs.at("curve"));
  const double level = 100.0 * 63;
  QVERIFY(curve.rows ==
          (std::vector<std::vector<double>>{{1, level + 100, 100}, {2, level, 0}, {3, level, 0}}));
}

void TestLineOperations::lengths_are_counted_in_what_the_grid_has() {
  const Operation operation = operation_of("granulometry");
  const ColumnSpec& length = operation.outputs.front().columns().front();
  QCOMPARE(length.unit_for({}, image({9, 7, 1}).geometry()), std::string("pixels"));
  QCOMPARE(length.unit_for({}, image({9, 7, 3}).geometry()), std::string("voxels"));
}

void TestLineOperations::a_blank_page_is_left_alone() {
  Geometry geometry;
  geometry.size = {60, 50, 1};
  const Volume blank(geometry, std::vector<std::uint8_t>(3000, 240));
  const RunReport report = run("deskew", blank, {});
  QVERIFY(std::get<Table>(report.outputs.at("angle")).rows ==
          (std::vector<std::vector<double>>{{0.0, 0.0}}));
  QVERIFY(report.facts.warnings.front().starts_with("no angle stands out"));
  QVERIFY(std::get<Volume>(report.outputs.at("image")).owner() == blank.owner());
  QCOMPARE(std::get<Table>(report.outputs.at("curve")).rows.size(), std::size_t{81});
}

void TestLineOperations::tried_angles_are_short_decimals() {
  const RunReport report =
      run("deskew", image({60, 50, 1}), {{"range", 2.5}, {"step", 0.05}, {"fit", "none"}});
  const auto& curve = std::get<Table>(report.outputs.at("curve"));
  QCOMPARE(curve.rows.size(), std::size_t{101});
  for (std::size_t i = 0; i < curve.rows.size(); ++i)
    QVERIFY(number_text(curve.rows[i][0]).size() <= 5);  // "-2.35"
  const double found = std::get<Table>(report.outputs.at("angle")).rows.front().front();
  QVERIFY(std::any_of(curve.rows.begin(), curve.rows.end(),
                      [&](const std::vector<double>& row) { return row[0] == found; }));
}

void TestLineOperations::a_report_holds_small_tables() {
  const RunReport report = run("deskew", image({60, 50, 1}), {{"fit", "none"}});
  const auto json = to_json(report);
  const auto& rows = std::get<Table>(report.outputs.at("angle")).rows;
  QVERIFY(json["outputs"]["angle"]["table"] == nlohmann::ordered_json(rows));
  QCOMPARE(json["outputs"]["angle"]["rows"].get<int>(), 1);
  QVERIFY(!json["outputs"]["curve"].contains("table"));  // 81 rows
}

void TestLineOperations::rows_of_text_are_compared_by_their_contrast() {
  Geometry geometry;
  geometry.size = {60, 50, 1};
  std::vector<std::uint8_t> pixels(3000, 240);
  std::fill_n(pixels.begin() + 60 * 20, 60, std::uint8_t{200});
  std::fill_n(pixels.begin() + 60 * 21, 60, std::uint8_t{200});
  const RunReport report = run("deskew", Volume(geometry, std::move(pixels)),
                               {{"lines", "text"}, {"range", 1.0}, {"step", 1.0}});
  QCOMPARE(std::get<Table>(report.outputs.at("angle")).rows.front().front(), 0.0);
  const auto& curve = std::get<Table>(report.outputs.at("curve"));
  QCOMPARE(curve.rows[1][1], 2.0 * (40.0 * 60) * (40.0 * 60));  // towards the row and away from it
  QVERIFY(curve.rows[0][1] < curve.rows[1][1]);
  QVERIFY(curve.rows[2][1] < curve.rows[1][1]);
}

void TestLineOperations::cusps_at_diagonals_are_of_the_grid_and_said_so() {
  // Isotropic noise: nothing in the image has a direction, but the curve still changes at 45
  // degrees.
  Geometry geometry;
  geometry.size = {96, 96, 1};
  std::mt19937 random(3);
  std::vector<double> noise(96 * 96);
  for (double& value : noise)
    value = static_cast<double>(random() % 1000);
  std::vector<std::uint8_t> smooth(noise.size());
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    double sum = 0.0;
    double weights = 0.0;
    for (std::int64_t dy = -4; dy <= 4; ++dy) {
      for (std::int64_t dx = -4; dx <= 4; ++dx) {
        const double w = std::exp(-static_cast<double>(dx * dx + dy * dy) / 8.0);
        sum += w * noise[(at[1] + dy + 96) % 96 * 96 + (at[0] + dx + 96) % 96];
        weights += w;
      }
    }
    smooth[i] = static_cast<std::uint8_t>(sum / weights / 4.0);
  }
  const Volume isotropic(geometry, std::move(smooth));
  const RunReport report =
      run("angular-spectrum", isotropic, {{"length", 15.0}, {"border", "ignore"}});
  const auto& curve = std::get<Table>(report.outputs.at("curve")).rows;
  for (const std::size_t diagonal : {45, 135}) {
    QVERIFY(curve[diagonal][1] < curve[diagonal - 10][1]);
    QVERIFY(curve[diagonal][1] < curve[diagonal + 10][1]);
  }
  const OutputSpec output = operation_of("angular-spectrum").outputs.front();
  QVERIFY(output.help.find("cusps at 45 and 135 degrees") != std::string::npos);
  QVERIFY(output.columns().front().note.find("1.41 times as long") != std::string::npos);
}

void TestLineOperations::refuses_an_empty_range_of_angles() {
  QVERIFY_EXCEPTION_THROWN(
      (void)run("angular-spectrum", image({9, 7, 1}), {{"from", 50.0}, {"to", 50.0}}), UsageError);
}

QTEST_GUILESS_MAIN(TestLineOperations)
#include "test_line_operations.moc"
