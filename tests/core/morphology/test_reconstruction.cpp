// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/reconstruction.h"
#include "tests/reference/reconstruction.h"
#include "tests/support/random_volume.h"
#include "tests/support/type_rows.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace seedwave;
using test::line_of;
using test::random_volume;
using test::values_of;

namespace {

using Solver = Reconstruction (*)(const ReconstructionProblem&, Context&);

const std::map<std::string, Solver>& solvers() {
  static const std::map<std::string, Solver> kAll{
      {"sr", reconstruct_by_scans},     {"qb", reconstruct_by_queue},
      {"fh", reconstruct_by_hybrid},    {"tiles", reconstruct_by_tiles},
      {"tp-bp", reconstruct_by_passes}, {"cas", reconstruct_by_shared_waves}};
  return kAll;
}

ReconstructionProblem random_problem(test::RandomNumbers& random, VoxelType type,
                                     Connectivity connectivity) {
  const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
  Geometry geometry;
  const std::int64_t longest = planar ? 13 : 7;
  geometry.size = {1 + random.below(longest), 1 + random.below(longest),
                   planar ? 1 : 1 + random.below(5)};
  ReconstructionProblem problem;
  problem.connectivity = connectivity;
  problem.direction =
      random.below(2) == 0 ? ReconstructionDirection::Dilation : ReconstructionDirection::Erosion;
  problem.mask = random_volume(random, geometry, type);
  problem.marker = random_volume(random, geometry, type);
  return problem;
}

}  // namespace

class TestReconstruction : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void parallel_forms_equal_fh_data();
  void parallel_forms_equal_fh();
  void twice_is_once();
  void climbs_to_the_mask_and_no_further();
  void counts_what_was_cut();
  void takes_the_ends_of_a_type();
  void has_no_negative_zero();
  void refuses_what_does_not_fit();
  void stops_when_asked();
  void tiles_report_how_far_they_are();
};

void TestReconstruction::tiles_report_how_far_they_are() {
  test::RandomNumbers random(3);
  Geometry geometry;
  geometry.size = {700, 700, 1};
  ReconstructionProblem problem;
  problem.connectivity = Connectivity::C8;
  problem.mask = random_volume(random, geometry, VoxelType::U8);
  problem.marker = random_volume(random, geometry, VoxelType::U8);
  std::vector<double> fractions;
  Context context({.progress = [&](const std::string&, double done) { fractions.push_back(done); },
                   .threads = 1});
  (void)reconstruct_by_tiles(problem, context);
  QVERIFY(!fractions.empty());
  QVERIFY(std::ranges::min(fractions) < 0.5);
  QVERIFY(std::ranges::max(fractions) <= 1.0);
}

void TestReconstruction::equals_the_definition_data() {
  QTest::addColumn<QString>("solver");
  QTest::addColumn<int>("type");
  QTest::addColumn<int>("connectivity");
  for (const auto& [name, solver] : solvers()) {
    for (const VoxelType type : kVoxelTypes) {
      for (const int connectivity : {4, 8, 6, 18, 26}) {
        QTest::addRow("%s, %s, %d neighbours", name.c_str(), std::string(name_of(type)).c_str(),
                      connectivity)
            << QString::fromStdString(name) << static_cast<int>(type) << connectivity;
      }
    }
  }
}

void TestReconstruction::equals_the_definition() {
  QFETCH(QString, solver);
  QFETCH(int, type);
  QFETCH(int, connectivity);
  const Solver solve = solvers().at(solver.toStdString());
  for (std::uint64_t number = 0; number < 100; ++number) {
    test::RandomNumbers random(number);
    const ReconstructionProblem problem = random_problem(random, static_cast<VoxelType>(type),
                                                         static_cast<Connectivity>(connectivity));
    const bool by_erosion = problem.direction == ReconstructionDirection::Erosion;
    Context context(Context::Settings{.threads = 1 + static_cast<int>(number % 8)});
    const Reconstruction solved = solve(problem, context);
    QVERIFY2(values_of(solved.image) ==
                 reference::reconstruction(problem.marker, problem.mask, connectivity, by_erosion),
             qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

void TestReconstruction::parallel_forms_equal_fh_data() {
  test::add_type_rows({VoxelType::U8, VoxelType::U16, VoxelType::F32});
}

/// Several tiles each way, none of them whole at the far ends, on one to eight threads.
void TestReconstruction::parallel_forms_equal_fh() {
  QFETCH(int, type);
  QFETCH(int, connectivity);
  const bool planar = connectivity == 4 || connectivity == 8;
  for (std::uint64_t number = 0; number < 16; ++number) {
    test::RandomNumbers random(number);
    Geometry geometry;
    const std::int64_t longest = planar ? 300 : 80;
    geometry.size = {1 + random.below(longest), 1 + random.below(longest),
                     planar ? 1 : 1 + random.below(20)};
    ReconstructionProblem problem;
    problem.connectivity = static_cast<Connectivity>(connectivity);
    problem.direction =
        number % 2 == 0 ? ReconstructionDirection::Dilation : ReconstructionDirection::Erosion;
    problem.mask = random_volume(random, geometry, static_cast<VoxelType>(type));
    problem.marker = random_volume(random, geometry, static_cast<VoxelType>(type));
    Context one;
    const Reconstruction expected = reconstruct_by_hybrid(problem, one);
    Context several(Context::Settings{.threads = 1 + static_cast<int>(number % 8)});
    for (const char* name : {"tiles", "tp-bp", "cas"}) {
      const Reconstruction solved = solvers().at(name)(problem, several);
      QVERIFY2(std::ranges::equal(solved.image.bytes(), expected.image.bytes()),
               qPrintable(QStringLiteral("%1, problem %2").arg(name).arg(number)));
      QCOMPARE(solved.clipped, expected.clipped);
    }
  }
}

void TestReconstruction::twice_is_once() {
  for (std::uint64_t number = 0; number < 200; ++number) {
    test::RandomNumbers random(number);
    ReconstructionProblem problem = random_problem(random, VoxelType::U16, Connectivity::C26);
    Context context;
    problem.marker = reconstruct_by_hybrid(problem, context).image;
    const Reconstruction again = reconstruct_by_hybrid(problem, context);
    QVERIFY(values_of(again.image) == values_of(problem.marker));
    QCOMPARE(again.clipped, std::int64_t{0});
  }
}

void TestReconstruction::climbs_to_the_mask_and_no_further() {
  ReconstructionProblem problem;
  problem.mask = line_of<std::uint8_t>({9, 7, 8, 2, 6, 0, 5});
  problem.marker = line_of<std::uint8_t>({0, 0, 8, 0, 0, 0, 1});
  for (const auto& [name, solve] : solvers()) {
    Context context;
    QCOMPARE(values_of(solve(problem, context).image), (std::vector<double>{7, 7, 8, 2, 2, 0, 1}));
  }
}

void TestReconstruction::counts_what_was_cut() {
  ReconstructionProblem problem;
  problem.mask = line_of<std::int16_t>({3, -2, 3, 3});
  problem.marker = line_of<std::int16_t>({5, -2, 3, 4});
  Context context;
  QCOMPARE(reconstruct_by_hybrid(problem, context).clipped, std::int64_t{2});
  problem.direction = ReconstructionDirection::Erosion;
  QCOMPARE(reconstruct_by_hybrid(problem, context).clipped, std::int64_t{0});
}

void TestReconstruction::takes_the_ends_of_a_type() {
  constexpr std::int32_t kLow = std::numeric_limits<std::int32_t>::lowest();
  constexpr std::int32_t kHigh = std::numeric_limits<std::int32_t>::max();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr float kFar = std::numeric_limits<float>::infinity();
  for (const auto& [name, solve] : solvers()) {
    Context context;
    ReconstructionProblem problem;
    problem.mask = line_of<std::int32_t>({kHigh, kHigh, kLow, kHigh});
    problem.marker = line_of<std::int32_t>({kLow, kHigh, kHigh, kLow});
    QCOMPARE(values_of(solve(problem, context).image),
             (std::vector<double>{kHigh, kHigh, kLow, kLow}));
    problem.mask = line_of<float>({kFar, -kFar, 1.0F});
    problem.marker = line_of<float>({kFar, kFar, 0.5F});
    QCOMPARE(values_of(solve(problem, context).image),
             (std::vector<double>{kInfinity, -kInfinity, 0.5}));
    problem.direction = ReconstructionDirection::Erosion;
    QCOMPARE(values_of(solve(problem, context).image), (std::vector<double>{kInfinity, 1.0, 1.0}));
  }
}

void TestReconstruction::has_no_negative_zero() {
  for (const auto direction :
       {ReconstructionDirection::Dilation, ReconstructionDirection::Erosion}) {
    for (const auto& [name, solve] : solvers()) {
      ReconstructionProblem problem;
      problem.direction = direction;
      problem.mask = line_of<float>({-0.0F, 0.0F, -0.0F});
      problem.marker = line_of<float>({0.0F, -0.0F, -0.0F});
      Context context;
      const Reconstruction solved = solve(problem, context);
      for (const float value : solved.image.voxels<float>())
        QVERIFY(!std::signbit(value));
    }
  }
}

void TestReconstruction::refuses_what_does_not_fit() {
  Context context;
  ReconstructionProblem problem;
  problem.mask = line_of<std::uint8_t>({1, 2, 3});
  problem.marker = line_of<std::uint16_t>({1, 2, 3});
  QVERIFY_EXCEPTION_THROWN(reconstruct_by_hybrid(problem, context), InputError);
  problem.marker = line_of<std::uint8_t>({1, 2});
  QVERIFY_EXCEPTION_THROWN(reconstruct_by_hybrid(problem, context), InputError);
  problem.mask = line_of<float>({1.0F, std::numeric_limits<float>::quiet_NaN()});
  problem.marker = line_of<float>({1.0F, 1.0F});
  QVERIFY_EXCEPTION_THROWN(reconstruct_by_hybrid(problem, context), InputError);
}

void TestReconstruction::stops_when_asked() {
  Geometry geometry;
  geometry.size = {512, 512, 1};
  ReconstructionProblem problem;
  problem.mask = Volume(geometry, std::vector<std::uint8_t>(512 * 512, 1));
  problem.marker = Volume(geometry, std::vector<std::uint8_t>(512 * 512, 0));
  std::stop_source stop;
  stop.request_stop();
  for (const auto& [name, solve] : solvers()) {
    Context context(Context::Settings{.stop = stop.get_token()});
    QVERIFY_EXCEPTION_THROWN(solve(problem, context), Cancelled);
  }
}

QTEST_GUILESS_MAIN(TestReconstruction)
#include "test_reconstruction.moc"
