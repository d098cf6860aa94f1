// SPDX-License-Identifier: Apache-2.0
// The operations gaussian, median and gradient-magnitude: lengths in the grid's unit, and units.
#include "core/base/error.h"
#include "core/ops/run.h"

#include <QTest>

#include <cstdint>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

/// Returns a step of height 10 along x on a volume of that spacing along x, or on an image.
RunRequest step_along_x(const std::string& operation, double spacing, bool volume) {
  Geometry geometry;
  geometry.size = {9, 3, volume ? 3 : 1};
  geometry.unit = volume ? LengthUnit::Millimetre : LengthUnit::Pixel;
  geometry.spacing = {spacing, 1.0, 1.0};
  std::vector<std::int16_t> voxels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i)
    voxels.push_back(i % 9 < 4 ? 0 : 10);
  RunRequest request;
  request.operation = operation;
  request.inputs.image = Volume(geometry, std::move(voxels));
  return request;
}

Volume run(const RunRequest& request) {
  Context context;
  return std::get<Volume>(
      run_operation(make_operation_table(), request, context).outputs.at("image"));
}

}  // namespace

class TestFilters : public QObject {
  Q_OBJECT
 private slots:
  void lengths_follow_the_spacing();
  void gradients_have_the_unit_of_the_grid();
  void lengths_that_are_too_large_are_refused();
};

void TestFilters::lengths_follow_the_spacing() {
  RunRequest request = step_along_x("gaussian", 1.0, true);
  request.values.set("sigma", 1.0);
  const Volume wide = run(request);
  QVERIFY(wide.type() == VoxelType::I16);
  QCOMPARE(wide.value_at({3, 1, 1}), 3.0);  // 10 times the weights on the far side: 0.30
  request = step_along_x("gaussian", 4.0, true);
  request.values.set("sigma", 1.0);
  QCOMPARE(run(request).value_at({3, 1, 1}), 0.0);
  request.values.set("sigma", 4.0);
  QCOMPARE(run(request).value_at({3, 1, 1}), 3.0);
  // A ball of 2 mm reaches one voxel along the other axes, and none along x.
  request = step_along_x("median", 4.0, true);
  QCOMPARE(run(request).value_at({3, 1, 1}), 0.0);
}

void TestFilters::gradients_have_the_unit_of_the_grid() {
  RunRequest request = step_along_x("gradient-magnitude", 0.5, true);
  request.values.set("sigma", 0.0);
  const Volume found = run(request);
  QVERIFY(found.type() == VoxelType::F32);
  QCOMPARE(found.value_at({3, 1, 1}), 10.0);  // half of the step in 0.5 mm
  const OperationTable table = make_operation_table();
  const OutputSpec& output = table.at("gradient-magnitude").outputs.front();
  QCOMPARE(output.image()->unit_of({}, request.inputs.image.geometry()),
           std::string("image units/mm"));
  const RunRequest image = step_along_x("gradient-magnitude", 1.0, false);
  QCOMPARE(output.image()->unit_of({}, image.inputs.image.geometry()),
           std::string("image units/px"));
}

void TestFilters::lengths_that_are_too_large_are_refused() {
  RunRequest request = step_along_x("gaussian", 0.01, true);
  request.values.set("sigma", 11.0);
  QVERIFY_EXCEPTION_THROWN((void)run(request), InputError);
  request.operation = "median";
  request.values = {};
  request.values.set("radius", 50.0);
  QVERIFY_EXCEPTION_THROWN((void)run(request), InputError);
}

QTEST_GUILESS_MAIN(TestFilters)
#include "test_filters.moc"
