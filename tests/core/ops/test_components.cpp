// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/ops/run.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

RunReport run(const std::string& operation, const Volume& image, const Values& values) {
  RunRequest request;
  request.operation = operation;
  request.values = values;
  request.inputs.image = image;
  Context context(Context::Settings{.threads = 2});
  return run_operation(make_operation_table(), request, context);
}

/// Two parts of label 7 and one of label 3, in pixels of 2 x 3 µm.
Volume three_parts() {
  Geometry geometry;
  geometry.size = {5, 3, 1};
  geometry.spacing = {2.0, 3.0, 1.0};
  geometry.unit = LengthUnit::Micrometre;
  geometry.planar = true;
  return {geometry, std::vector<std::uint8_t>{7, 7, 0, 3, 0,  //
                                              0, 7, 0, 3, 0,  //
                                              0, 0, 0, 3, 7}};
}

Volume box_in_volume() {
  Geometry geometry;
  geometry.size = {4, 4, 4};
  geometry.spacing = {10.0, 10.0, 5.0};
  geometry.origin = {-100.0, 20.0, 7.0};
  std::vector<float> labels(64);
  for (const Index3 at : {Index3{1, 1, 1}, Index3{2, 1, 1}, Index3{2, 1, 2}})
    labels[static_cast<std::size_t>(geometry.offset(at))] = 2.0F;
  return {geometry, std::move(labels)};
}

const Table& objects(const RunReport& report) {
  return std::get<Table>(report.outputs.at("objects"));
}

/// Returns the columns of size, centre and box, which come first.
std::vector<std::vector<double>> sizes(const Table& table) {
  constexpr std::size_t kColumns = 13;
  std::vector<std::vector<double>> rows = table.rows;
  for (std::vector<double>& row : rows)
    row.resize(kColumns);
  return rows;
}

/// Returns a column, by the object.
std::vector<double> column(const Table& table, const std::string& id) {
  const auto found = std::ranges::find(table.columns, id);
  std::vector<double> numbers;
  for (const std::vector<double>& row : table.rows)
    numbers.push_back(row.at(static_cast<std::size_t>(found - table.columns.begin())));
  return numbers;
}

}  // namespace

class TestComponents : public QObject {
  Q_OBJECT
 private slots:
  void numbers_parts_of_each_label();
  void lists_parts_in_the_unit_of_the_grid();
  void lists_labels();
  void lists_volumes_in_ml();
  void leaves_out_small_parts();
  void lists_shape_and_neighbours();
  void lists_the_intensity_of_an_image();
  void lists_sizes_alone();
  void refuses_what_is_no_label();
};

void TestComponents::numbers_parts_of_each_label() {
  const RunReport report = run("components", three_parts(), {});
  const auto labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  QCOMPARE(std::vector<Label>(labels.begin(), labels.end()),
           (std::vector<Label>{1, 1, 0, 2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 2, 3}));
}

void TestComponents::lists_parts_in_the_unit_of_the_grid() {
  const RunReport report = run("measure-objects", three_parts(), {});
  const Table& table = objects(report);
  const std::vector<std::vector<double>> expected{{1, 7, 3, 18, 4.0 / 3, 1, 0, 0, 0, 0, 2, 2, 1},
                                                  {2, 3, 3, 18, 6, 3, 0, 3, 0, 0, 1, 3, 1},
                                                  {3, 7, 1, 6, 8, 6, 0, 4, 2, 0, 1, 1, 1}};
  QCOMPARE(sizes(table), expected);
  const OperationTable table_of_all = make_operation_table();
  const OutputSpec& output = table_of_all.at("measure-objects").main_output();
  const auto unit = [&](std::size_t column) {
    return output.columns()[column].unit_of({}, three_parts().geometry());
  };
  QCOMPARE(unit(3), std::string("\u00b5m\u00b2"));
  QCOMPARE(unit(4), std::string("\u00b5m"));
}

void TestComponents::lists_labels() {
  Values values;
  values.set("each", "label");
  const Table table = objects(run("measure-objects", three_parts(), values));
  QCOMPARE(sizes(table),
           (std::vector<std::vector<double>>{{1, 3, 3, 18, 6, 3, 0, 3, 0, 0, 1, 3, 1},
                                             {2, 7, 4, 24, 3, 2.25, 0, 0, 0, 0, 5, 3, 1}}));
}

void TestComponents::lists_volumes_in_ml() {
  const Table table = objects(run("measure-objects", box_in_volume(), {}));
  QCOMPARE(table.rows.size(), std::size_t{1});
  const std::vector<double>& row = table.rows.front();
  QCOMPARE(row[2], 3.0);
  QCOMPARE(row[3], 1.5);  // 3 x 500 mm3
  QCOMPARE(row[4], -100.0 + 50.0 / 3);
  QCOMPARE(row[5], 30.0);
  QCOMPARE(row[6], 7.0 + 20.0 / 3);
  QCOMPARE(std::vector<double>(row.begin() + 7, row.begin() + 13),
           (std::vector<double>{1, 1, 1, 2, 1, 2}));
}

void TestComponents::leaves_out_small_parts() {
  Values values;
  values.set("smallest", 7.0);  // µm2: one pixel has 6
  QCOMPARE(objects(run("measure-objects", three_parts(), values)).rows.size(), std::size_t{2});
  const RunReport numbered = run("components", three_parts(), values);
  QCOMPARE(numbered.facts.voxels.size(), std::size_t{2});
  values.set("smallest", 19.0);
  QCOMPARE(objects(run("measure-objects", three_parts(), values)).rows.size(), std::size_t{0});
}

void TestComponents::lists_shape_and_neighbours() {
  const Table table = objects(run("measure-objects", three_parts(), {}));
  QCOMPARE(column(table, "neighbours"), (std::vector<double>{0, 1, 1}));
  QCOMPARE(column(table, "nearest")[2], std::hypot(2.0, 3.0));
  // The second is 1 x 3 pixels of 2 x 3 µm.
  QCOMPARE(column(table, "solidity")[1], 1.0);
  QCOMPARE(column(table, "max_diameter")[1], std::hypot(2.0, 9.0));
  QCOMPARE(column(table, "min_diameter")[1], 2.0);
  QCOMPARE(column(table, "orientation")[1], 90.0);
  QVERIFY(std::ranges::find(table.columns, "middle_axis") == table.columns.end());
  QCOMPARE(table.columns.back(), std::string("nearest"));  // no image
  const Table solid = objects(run("measure-objects", box_in_volume(), {}));
  QVERIFY(column(solid, "major_axis")[0] > column(solid, "middle_axis")[0]);
  QVERIFY(std::ranges::find(solid.columns, "perimeter") == solid.columns.end());
  QVERIFY(column(solid, "surface_area")[0] > 0.0);
  QVERIFY(column(solid, "sphericity")[0] > 0.0);
  QVERIFY(std::ranges::find(table.columns, "surface_area") == table.columns.end());
}

void TestComponents::lists_the_intensity_of_an_image() {
  const Volume labels = three_parts();
  RunRequest request;
  request.operation = "measure-objects";
  request.inputs.labels =
      LabelMap(labels.geometry(), std::vector<std::uint8_t>(labels.voxels<std::uint8_t>().begin(),
                                                            labels.voxels<std::uint8_t>().end()));
  std::vector<std::int16_t> values(15);
  std::iota(values.begin(), values.end(), std::int16_t{-3});
  request.inputs.image = Volume(labels.geometry(), values);
  Context context;
  const Table table = objects(run_operation(make_operation_table(), request, context));
  QCOMPARE(column(table, "mean"), (std::vector<double>{-2.0 / 3, 5, 11}));
  QCOMPARE(column(table, "minimum"), (std::vector<double>{-3, 0, 11}));
  QCOMPARE(column(table, "maximum"), (std::vector<double>{3, 10, 11}));
  QCOMPARE(column(table, "standard_deviation")[2], 0.0);

  request.inputs.image = Volume(labels.geometry(), std::vector<std::uint8_t>(45, 100), 3);
  const Table colour = objects(run_operation(make_operation_table(), request, context));
  QCOMPARE(column(colour, "gray_mean"), (std::vector<double>{100, 100, 100}));
  QVERIFY(column(colour, "hematoxylin_mean")[0] > 0.0);
  // Every column is described.
  const OperationTable all = make_operation_table();
  const std::vector<ColumnSpec>& specs = all.at("measure-objects").main_output().columns();
  for (const std::string& id : colour.columns)
    QVERIFY(std::ranges::find(specs, id, &ColumnSpec::id) != specs.end());
  // A colour image holds no labels.
  request.inputs.labels = {};
  QVERIFY_EXCEPTION_THROWN(
      static_cast<void>(run_operation(make_operation_table(), request, context)), InputError);
}

void TestComponents::lists_sizes_alone() {
  Values values;
  const Table all = objects(run("measure-objects", three_parts(), values));
  values.set("measures", "size");
  const Table table = objects(run("measure-objects", three_parts(), values));
  QCOMPARE(table.columns.size(), std::size_t{13});
  QCOMPARE(table.rows, sizes(all));
  QVERIFY(std::equal(table.columns.begin(), table.columns.end(), all.columns.begin()));
}

void TestComponents::refuses_what_is_no_label() {
  Geometry geometry;
  geometry.size = {2, 1, 1};
  const Volume image(geometry, std::vector<float>{1.0F, 2.5F});
  for (const char* operation : {"components", "measure-objects"}) {
    try {
      static_cast<void>(run(operation, image, {}));
      QFAIL("not refused");
    } catch (const InputError& error) {
      QCOMPARE(std::string(error.what()),
               std::string("the image holds 2.5 at index 1, 0, 0, which is not a label: labels are "
                           "whole numbers from 0 to 4294967295"));
    }
  }
}

QTEST_APPLESS_MAIN(TestComponents)
#include "test_components.moc"
