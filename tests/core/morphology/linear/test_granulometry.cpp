// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/linear/granulometry.h"
#include "tests/reference/line_fan.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <array>
#include <limits>
#include <stop_token>
#include <vector>

using namespace seedwave;
using test::line_of;
using test::random_volume;

namespace {

std::vector<double> by_lengths(const GranulometryProblem& problem, Context& context) {
  return granulometry_by(linear_opening, problem, context);
}

std::vector<double> expected(const GranulometryProblem& problem, const reference::Lines& lines) {
  std::vector<reference::Segments> fan;
  for (std::int64_t length = 1; length <= problem.longest + 1; ++length) {
    const auto [front, behind] = margins(problem.border, length);
    fan.push_back({lines, length, front, behind});
  }
  return reference::sums(problem.image, fan, problem.filter == LineFilter::Closing);
}

}  // namespace

class TestGranulometry : public QObject {
  Q_OBJECT
 private slots:
  void a_line_by_hand();
  void equals_the_definition();
  void equals_openings_of_every_length();
  void sums_only_fall();
  void refuses_and_stops();
};

void TestGranulometry::a_line_by_hand() {
  // Peaks of one, two and three pixels on a ground of 1.
  const Volume image = line_of<std::uint8_t>({1, 5, 1, 4, 4, 1, 3, 3, 3, 1});
  GranulometryProblem problem{.image = image,
                              .lines = LineFamily::at_angle(0, image.geometry().size),
                              .longest = 4,
                              .border = LineBorder::Inside};
  Context context;
  QCOMPARE(granulometry(problem, context), (std::vector<double>{26, 22, 16, 10, 10}));
}

void TestGranulometry::equals_the_definition() {
  test::RandomNumbers random(9);
  for (int round = 0; round < 300; ++round) {
    Geometry geometry;
    const bool flat = round % 3 != 0;
    geometry.size = {1 + random.below(16), 1 + random.below(14), flat ? 1 : 1 + random.below(6)};
    const double angle = 7.5 * static_cast<double>(random.below(24));
    const Vec3 direction{static_cast<double>(random.below(7)) - 3.0,
                         static_cast<double>(random.below(7)) - 3.0, 1.0};
    const VoxelType type = random.of(kVoxelTypes);
    const GranulometryProblem problem{
        .image = random_volume(random, geometry, type),
        .lines = flat ? LineFamily::at_angle(angle, geometry.size)
                      : LineFamily::along(direction, geometry.size),
        .longest = 1 + random.below(40),
        // f64 cannot represent sums with f32's lowest value; they are compared below.
        .border =
            type == VoxelType::F32 ? kLineBorders[2 * random.below(2)] : random.of(kLineBorders),
        .filter = random.of(kLineFilters)};
    const std::vector<double> wanted =
        expected(problem, flat ? reference::lines_at_angle(angle, geometry.size)
                               : reference::lines_along(direction, geometry.size));
    for (const int threads : {1, 3}) {
      Context context(Context::Settings{.threads = threads});
      QVERIFY2(granulometry(problem, context) == wanted, qPrintable(QString::number(round)));
    }
  }
}

void TestGranulometry::equals_openings_of_every_length() {
  test::RandomNumbers random(10);
  for (int round = 0; round < 60; ++round) {
    Geometry geometry;
    geometry.size = {1 + random.below(60), 1 + random.below(60), 1};
    const GranulometryProblem problem{
        .image = random_volume(random, geometry, random.of(kVoxelTypes)),
        .lines = LineFamily::at_angle(static_cast<double>(random.below(180)), geometry.size),
        .longest = 1 + random.below(150),
        .border = random.of(kLineBorders),
        .filter = random.of(kLineFilters)};
    Context context(Context::Settings{.threads = 2});
    QVERIFY(granulometry(problem, context) == by_lengths(problem, context));
  }
}

void TestGranulometry::sums_only_fall() {
  test::RandomNumbers random(11);
  Geometry geometry;
  geometry.size = {200, 150, 1};
  for (const LineFilter filter : kLineFilters) {
    const GranulometryProblem problem{.image = random_volume(random, geometry, VoxelType::U16),
                                      .lines = LineFamily::at_angle(33, geometry.size),
                                      .longest = 500,
                                      .border = LineBorder::Inside,
                                      .filter = filter};
    Context context;
    const std::vector<double> sums = granulometry(problem, context);
    QCOMPARE(sums.size(), std::size_t{501});
    for (std::size_t i = 1; i < sums.size(); ++i)
      QVERIFY(filter == LineFilter::Opening ? sums[i] <= sums[i - 1] : sums[i] >= sums[i - 1]);
    // Nothing remains if no window fits.
    QCOMPARE(sums.back(), filter == LineFilter::Opening ? 0.0 : 65535.0 * 200 * 150);
  }
}

void TestGranulometry::refuses_and_stops() {
  const Volume image = line_of<float>({1.0F, std::numeric_limits<float>::quiet_NaN()});
  GranulometryProblem problem{.image = image,
                              .lines = LineFamily::at_angle(0, image.geometry().size)};
  Context context;
  QVERIFY_EXCEPTION_THROWN((void)granulometry(problem, context), InputError);
  problem.image = line_of<float>({1.0F, 2.0F});
  problem.longest = 0;
  QVERIFY_EXCEPTION_THROWN((void)granulometry(problem, context), UsageError);
  problem.longest = 5;
  std::stop_source stop;
  stop.request_stop();
  Context stopped(Context::Settings{.stop = stop.get_token()});
  QVERIFY_EXCEPTION_THROWN((void)granulometry(problem, stopped), Cancelled);
  QVERIFY_EXCEPTION_THROWN((void)by_lengths(problem, stopped), Cancelled);
}

QTEST_GUILESS_MAIN(TestGranulometry)
#include "test_granulometry.moc"
