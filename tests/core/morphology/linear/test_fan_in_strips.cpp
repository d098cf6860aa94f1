// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/orientation.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

std::vector<const linear::KernelSet*> kernel_sets() {
  std::vector<const linear::KernelSet*> all{&linear::plain_kernels()};
  if (linear::avx2_kernels() != nullptr) all.push_back(linear::avx2_kernels());
  return all;
}

Volume naive(const LinearOpeningProblem& problem, Context& context) {
  return linear_opening_by(LineAlgorithm::Naive, problem, context);
}

bool same(const Volume& a, const Volume& b) {
  return a.type() == b.type() && std::ranges::equal(a.bytes(), b.bytes());
}

QString name_of(const LineFanProblem& problem, int threads) {
  const Index3& size = problem.image.geometry().size;
  return QStringLiteral("%1x%2x%3 %4, %5 directions, border %6, %7, %8 threads")
      .arg(size[0])
      .arg(size[1])
      .arg(size[2])
      .arg(QString::fromUtf8(name_of(problem.image.type()).data()))
      .arg(problem.directions.size())
      .arg(static_cast<int>(problem.border))
      .arg(problem.filter == LineFilter::Opening ? "openings" : "closings")
      .arg(threads);
}

}  // namespace

/// Compares the default with the same result from the definition's openings one by one.
class TestFanInStrips : public QObject {
  Q_OBJECT
 private slots:
  void equals_openings_one_by_one_in_pictures();
  void equals_openings_one_by_one_in_volumes();
  void more_directions_than_a_byte_counts();
  void a_float_in_no_window_is_finite_and_an_infinity_less();
  void stops_when_asked();

 private:
  static void compare(const LineFanProblem& problem);
};

void TestFanInStrips::compare(const LineFanProblem& problem) {
  Context one(Context::Settings{.threads = 1});
  const OrientationMap wanted = orientation_by(naive, problem, one);
  const std::vector<double> sums = angular_spectrum_by(naive, problem, one);
  for (const linear::KernelSet* kernels : kernel_sets()) {
    for (const int threads : {1, 3}) {
      Context context(Context::Settings{.threads = threads});
      const OrientationMap found = orientation_in_strips(problem, *kernels, context);
      QVERIFY2(same(found.strongest, wanted.strongest), qPrintable(name_of(problem, threads)));
      QVERIFY2(same(found.first, wanted.first), qPrintable(name_of(problem, threads)));
      QVERIFY2(angular_spectrum_in_strips(problem, *kernels, context) == sums,
               qPrintable(name_of(problem, threads)));
    }
  }
}

void TestFanInStrips::equals_openings_one_by_one_in_pictures() {
  test::RandomNumbers random(1);
  for (int number = 0; number < 120; ++number) {
    Geometry geometry;
    geometry.size = {1 + random.below(200), 1 + random.below(60), 1};
    LineFanProblem problem;
    problem.image = test::random_volume(random, geometry, random.of(kVoxelTypes));
    problem.border = random.of(kLineBorders);
    problem.filter = random.of(kLineFilters);
    const std::int64_t directions = 1 + random.below(14);
    for (std::int64_t i = 0; i < directions; ++i)
      problem.directions.push_back(
          {LineFamily::at_angle(15.0 * static_cast<double>(random.below(12)), geometry.size),
           1 + random.below(20)});
    compare(problem);
    if (QTest::currentTestFailed()) return;
  }
}

void TestFanInStrips::equals_openings_one_by_one_in_volumes() {
  test::RandomNumbers random(2);
  for (int number = 0; number < 40; ++number) {
    Geometry geometry;
    geometry.size = {1 + random.below(40), 1 + random.below(20), 1 + random.below(12)};
    LineFanProblem problem;
    problem.image = test::random_volume(random, geometry, random.of(kVoxelTypes));
    problem.filter = random.of(kLineFilters);
    for (const Vec3& direction : half_sphere(1 + random.below(12)))
      problem.directions.push_back(
          {LineFamily::along(direction, geometry.size), 1 + random.below(9)});
    compare(problem);
    if (QTest::currentTestFailed()) return;
  }
}

void TestFanInStrips::more_directions_than_a_byte_counts() {
  test::RandomNumbers random(3);
  Geometry geometry;
  geometry.size = {37, 29, 1};
  for (const VoxelType type : {VoxelType::U8, VoxelType::F32}) {
    LineFanProblem problem;
    problem.image = test::random_volume(random, geometry, type);
    for (int i = 0; i < 720; ++i)
      problem.directions.push_back({LineFamily::at_angle(0.25 * i, geometry.size), 9});
    compare(problem);
  }
}

void TestFanInStrips::a_float_in_no_window_is_finite_and_an_infinity_less() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Geometry geometry;
  geometry.size = {5, 1, 1};
  LineFanProblem problem;
  problem.image = Volume(geometry, std::vector<float>{1, -kInfinity, 2, kInfinity, -kInfinity});
  problem.border = LineBorder::Inside;
  for (const std::int64_t length : {2, 6})
    problem.directions.push_back({LineFamily::at_angle(0, geometry.size), length});
  compare(problem);
  problem.filter = LineFilter::Closing;
  compare(problem);
}

void TestFanInStrips::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  LineFanProblem problem;
  problem.image = test::line_of<std::uint8_t>({1, 2, 3});
  problem.directions.push_back({LineFamily::at_angle(0, problem.image.geometry().size), 2});
  QVERIFY_EXCEPTION_THROWN((void)orientation(problem, context), Cancelled);
  QVERIFY_EXCEPTION_THROWN((void)angular_spectrum(problem, context), Cancelled);
}

QTEST_GUILESS_MAIN(TestFanInStrips)
#include "test_fan_in_strips.moc"
