// SPDX-License-Identifier: Apache-2.0
// Openings by lines on a device. `seedwave-gpu-check lines` does the same at length on machines
// without Qt.
#include "core/base/error.h"
#include "core/image/volume.h"
#include "gpu/device/devices.h"
#include "gpu/morphology/line_fan.h"
#include "gpu/morphology/linear_opening.h"
#include "gpu/morphology/papers/linear_opening.h"
#include "tests/reference/linear_opening.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <array>
#include <cstdint>
#include <vector>

using namespace seedwave;
using test::values_of;

namespace {

Volume random_picture(const Index3& size, VoxelType type) {
  test::RandomNumbers random(static_cast<std::uint64_t>(size[0] + 1000 * size[1]));
  return test::random_volume(random, Geometry{.size = size}, type);
}

std::vector<double> definition_of(const LinearOpeningProblem& problem, double degrees) {
  const LineMargins beyond = margins(problem.border, problem.length);
  return reference::linear_opening(
      problem.image, reference::lines_at_angle(degrees, problem.image.geometry().size),
      problem.length, beyond.front, beyond.behind, problem.filter == LineFilter::Closing);
}

}  // namespace

class TestLinesOnDevice : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void equals_the_definition_data();
  void equals_the_definition();
  void slabs_change_no_bit();
  void refuses_volumes_where_the_paper_has_none();
};

void TestLinesOnDevice::initTestCase() {
  const gpu::DeviceList list = gpu::list_devices();
  if (list.devices.empty()) QSKIP(("no CUDA device: " + list.why_none).c_str());
}

void TestLinesOnDevice::equals_the_definition_data() {
  QTest::addColumn<int>("nx");
  QTest::addColumn<int>("ny");
  QTest::addColumn<double>("degrees");
  QTest::addColumn<int>("length");
  for (const double degrees : {0.0, 17.0, 45.0, 90.0, 118.5}) {
    for (const int length : {1, 7, 8, 23, 90})
      QTest::addRow("67x35, %g degrees, length %d", degrees, length)
          << 67 << 35 << degrees << length;
  }
  QTest::addRow("1x1") << 1 << 1 << 30.0 << 3;
  QTest::addRow("1x70") << 1 << 70 << 60.0 << 5;
}

void TestLinesOnDevice::equals_the_definition() {
  QFETCH(int, nx);
  QFETCH(int, ny);
  QFETCH(double, degrees);
  QFETCH(int, length);
  const Index3 size{nx, ny, 1};
  Context context;
  for (const VoxelType type : kVoxelTypes) {
    LinearOpeningProblem problem{random_picture(size, type), LineFamily::at_angle(degrees, size),
                                 length};
    for (const LineBorder border : kLineBorders) {
      for (const LineFilter filter : {LineFilter::Opening, LineFilter::Closing}) {
        problem.border = border;
        problem.filter = filter;
        const std::vector<double> expected = definition_of(problem, degrees);
        for (const gpu::LineWay way : {gpu::LineWay::Tiles, gpu::LineWay::Long}) {
          QCOMPARE(values_of(gpu::linear_opening_by_tiles(problem, {.way = way}, context)),
                   expected);
        }
        QCOMPARE(values_of(gpu::linear_opening_by_queues(problem, context)), expected);
        QCOMPARE(values_of(gpu::linear_opening_by_stacks(problem, context)), expected);
      }
    }
  }
}

void TestLinesOnDevice::slabs_change_no_bit() {
  const Index3 size{40, 90, 1};
  LineFanProblem fan{random_picture(size, VoxelType::U8)};
  for (const double degrees : {0.0, 30.0, 45.0, 80.0, 135.0, 160.0})
    fan.directions.push_back({LineFamily::at_angle(degrees, size), 12});
  Context context;
  for (std::int64_t k = 0; k < std::ssize(fan.directions); ++k) {
    const LinearOpeningProblem problem = one_direction(fan, k);
    Context small({.memory = gpu::least_linear_opening_bytes(problem)});
    QCOMPARE(values_of(gpu::linear_opening_by_tiles(problem, small)),
             values_of(gpu::linear_opening_by_tiles(problem, context)));
    Context too_small({.memory = gpu::least_linear_opening_bytes(problem) / 2});
    QVERIFY_EXCEPTION_THROWN((void)gpu::linear_opening_by_tiles(problem, too_small),
                             UnavailableError);
  }
  Context small({.memory = gpu::least_line_fan_bytes(fan)});
  const OrientationMap whole = gpu::orientation_by_tiles(fan, context);
  const OrientationMap in_slabs = gpu::orientation_by_tiles(fan, small);
  QCOMPARE(values_of(in_slabs.strongest), values_of(whole.strongest));
  QCOMPARE(values_of(in_slabs.first), values_of(whole.first));
  QCOMPARE(gpu::angular_spectrum_by_tiles(fan, small), angular_spectrum(fan, context));
  QCOMPARE(gpu::angular_spectrum_by_queues(fan, {}, context), angular_spectrum(fan, context));
}

void TestLinesOnDevice::refuses_volumes_where_the_paper_has_none() {
  const Index3 size{3, 3, 3};
  const LinearOpeningProblem problem{random_picture(size, VoxelType::U8),
                                     LineFamily::along({1.0, 0.0, 0.0}, size), 2};
  QCOMPARE(gpu::why_no_line_scans(problem), "knows pictures only");
}

QTEST_GUILESS_MAIN(TestLinesOnDevice)
#include "test_lines_on_device.moc"
