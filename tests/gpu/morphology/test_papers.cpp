// SPDX-License-Identifier: Apache-2.0
// The papers' algorithms on a device: the behaviour of their queues, and the errors of distances.
// seedwave-gpu-check does the same at length on machines without Qt.
#include "core/base/error.h"
#include "gpu/device/devices.h"
#include "gpu/morphology/papers/distance.h"
#include "gpu/morphology/papers/reconstruction.h"
#include "tests/reference/reconstruction.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <array>
#include <cmath>
#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

using namespace seedwave;
using gpu::QueueDesign;
using test::values_of;

namespace {

constexpr std::array kDesigns{QueueDesign::Naive, QueueDesign::PrefixSum, QueueDesign::PerThread};

ReconstructionProblem random_problem(const Index3& size, VoxelType type,
                                     Connectivity connectivity) {
  test::RandomNumbers random(static_cast<std::uint64_t>(size[0] + 1000 * size[1]));
  Geometry geometry;
  geometry.size = size;
  ReconstructionProblem problem;
  problem.mask = random_volume(random, geometry, type);
  problem.marker = random_volume(random, geometry, type);
  problem.connectivity = connectivity;
  return problem;
}

/// Returns noise from 100 on, with every 97th pixel as marker: waves run everywhere.
ReconstructionProblem noise(const Index3& size) {
  test::RandomNumbers random(7);
  Geometry geometry;
  geometry.size = size;
  std::vector<std::uint16_t> mask;
  std::vector<std::uint16_t> marker;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    mask.push_back(static_cast<std::uint16_t>(100 + random.below(1000)));
    marker.push_back(i % 97 == 0 ? mask.back() : std::uint16_t{0});
  }
  ReconstructionProblem problem;
  problem.mask = Volume(geometry, std::move(mask));
  problem.marker = Volume(geometry, std::move(marker));
  problem.connectivity = Connectivity::C8;
  return problem;
}

std::vector<double> definition_of(const ReconstructionProblem& problem) {
  return reference::reconstruction(problem.marker, problem.mask,
                                   static_cast<int>(problem.connectivity),
                                   problem.direction == ReconstructionDirection::Erosion);
}

}  // namespace

class TestPapers : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void equals_the_definition_data();
  void equals_the_definition();
  void finds_again_what_was_dropped();
  void refuses_volumes_by_name();
  void errs_in_distances_as_the_paper_says();
  void a_stopped_run_throws_cancelled();
};

void TestPapers::initTestCase() {
  const gpu::DeviceList list = gpu::list_devices();
  if (list.devices.empty()) QSKIP(("no CUDA device: " + list.why_none).c_str());
}

void TestPapers::equals_the_definition_data() {
  QTest::addColumn<int>("nx");
  QTest::addColumn<int>("ny");
  QTest::addColumn<int>("connectivity");
  for (const auto& [nx, ny] : {std::pair{1, 1}, {1, 70}, {70, 1}, {31, 33}, {64, 65}, {97, 40}}) {
    for (const int connectivity : {4, 8})
      QTest::addRow("%dx%d, %d neighbours", nx, ny, connectivity) << nx << ny << connectivity;
  }
}

void TestPapers::equals_the_definition() {
  QFETCH(int, nx);
  QFETCH(int, ny);
  QFETCH(int, connectivity);
  for (const VoxelType type : kVoxelTypes) {
    ReconstructionProblem problem =
        random_problem({nx, ny, 1}, type, static_cast<Connectivity>(connectivity));
    for (const auto direction :
         {ReconstructionDirection::Dilation, ReconstructionDirection::Erosion}) {
      problem.direction = direction;
      const std::vector<double> expected = definition_of(problem);
      Context context;
      QCOMPARE(values_of(gpu::reconstruct_by_line_scans(problem, context).image), expected);
      for (const QueueDesign design : kDesigns) {
        const auto run =
            gpu::run_reconstruction_waves(problem, {.queue = {.design = design}}, context);
        QCOMPARE(values_of(run.reconstruction.image), expected);
        QVERIFY(run.reconstruction.notes.empty());
      }
    }
  }
}

void TestPapers::finds_again_what_was_dropped() {
  const ReconstructionProblem problem = noise({120, 90, 1});
  const std::vector<double> expected = definition_of(problem);
  for (const QueueDesign design : kDesigns) {
    Context context;
    const auto run = gpu::run_reconstruction_waves(
        problem, {.scans = 0, .queue = {.design = design, .room = 16, .blocks = 2}}, context);
    QCOMPARE(values_of(run.reconstruction.image), expected);
    QVERIFY(run.queue.dropped > 0);
    QVERIFY(run.queue.runs > 1);
    QCOMPARE(run.reconstruction.notes.size(), std::size_t{1});
  }
}

void TestPapers::refuses_volumes_by_name() {
  Geometry geometry;
  geometry.size = {3, 3, 3};
  QCOMPARE(gpu::why_no_paper_reconstruction(geometry), "knows images only, no volumes");
}

void TestPapers::errs_in_distances_as_the_paper_says() {
  // Figure 3: B, at (5, 12), is nearest to (0, 0), but its zone touches no neighbour of that pixel.
  Geometry geometry;
  geometry.size = {20, 20, 1};
  std::vector<std::uint8_t> objects(400, 1);
  for (const auto& [x, y] : {std::pair{1, 13}, {5, 12}, {7, 11}})
    objects[static_cast<std::size_t>(y * 20 + x)] = 0;
  DistanceProblem problem;
  problem.objects = Volume(geometry, std::move(objects));
  problem.nearest = NearestCells::Find;
  Context context;
  const DistanceMap map = gpu::distance_by_iwpp(problem, context);
  QCOMPARE(map.distance.voxels<float>()[0], std::sqrt(170.0F));
  QCOMPARE(map.distance.voxels<float>()[12 * 20 + 5], 0.0F);
  QCOMPARE(map.nearest.voxels<std::int32_t>()[12 * 20 + 5], 12 * 20 + 5);
}

void TestPapers::a_stopped_run_throws_cancelled() {
  const ReconstructionProblem problem = noise({200, 200, 1});
  std::stop_source stop;
  stop.request_stop();
  Context context({.stop = stop.get_token()});
  QVERIFY_EXCEPTION_THROWN(static_cast<void>(gpu::reconstruct_by_line_scans(problem, context)),
                           Cancelled);
  QVERIFY_EXCEPTION_THROWN(
      static_cast<void>(gpu::run_reconstruction_waves(problem, {.scans = 0}, context)), Cancelled);
}

QTEST_GUILESS_MAIN(TestPapers)
#include "test_papers.moc"
