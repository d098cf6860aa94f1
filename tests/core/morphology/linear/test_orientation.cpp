// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/linear/orientation.h"
#include "tests/reference/line_fan.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <stop_token>
#include <vector>

using namespace seedwave;
using test::random_volume;
using test::values_of;

namespace {

/// A problem, and the same for the definition.
struct Fan {
  LineFanProblem problem;
  std::vector<reference::Segments> expected;
};

void add(Fan& fan, const LineFamily& lines, const reference::Lines& expected, std::int64_t length) {
  const auto [front, behind] = margins(fan.problem.border, length);
  fan.problem.directions.push_back({lines, length});
  fan.expected.push_back({expected, length, front, behind});
}

Fan random_fan(std::uint64_t number) {
  test::RandomNumbers random(number);
  Geometry geometry;
  const bool flat = number % 2 == 0;
  geometry.size = {1 + random.below(flat ? 30 : 9), 1 + random.below(flat ? 25 : 8),
                   flat ? 1 : 1 + random.below(7)};
  Fan fan{{.image = random_volume(random, geometry, kVoxelTypes[number % kVoxelTypes.size()]),
           .border = random.of(kLineBorders),
           .filter = random.of(kLineFilters)},
          {}};
  const std::int64_t count = 1 + random.below(12);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t length = random.of(std::array<std::int64_t, 6>{1, 2, 3, 7, 12, 60});
    if (flat) {
      const double angle = 180.0 * static_cast<double>(i) / static_cast<double>(count);
      add(fan, LineFamily::at_angle(angle, geometry.size),
          reference::lines_at_angle(angle, geometry.size), length);
    } else {
      const Vec3 direction = half_sphere(count)[static_cast<std::size_t>(i)];
      add(fan, LineFamily::along(direction, geometry.size),
          reference::lines_along(direction, geometry.size), length);
    }
  }
  return fan;
}

OrientationMap by_hgw(const LineFanProblem& problem, Context& context) {
  return orientation_by(
      [](const LinearOpeningProblem& one, Context& inner) {
        return linear_opening_by(LineAlgorithm::Hgw, one, inner);
      },
      problem, context);
}

Geometry square(std::int64_t side) {
  Geometry geometry;
  geometry.size = {side, side, 1};
  return geometry;
}

LineFanProblem fan_of_degrees(const Volume& image, std::int64_t length) {
  LineFanProblem problem{.image = image};
  for (int angle = 0; angle < 180; ++angle)
    problem.directions.push_back({LineFamily::at_angle(angle, image.geometry().size), length});
  return problem;
}

}  // namespace

class TestOrientation : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition();
  void sums_equal_the_definition();
  void threads_change_no_bit();
  void finds_the_angle_of_a_line();
  void finds_the_axis_of_a_tube();
  void directions_cover_the_half_sphere();
  void refuses_what_it_cannot_answer();
  void stops_when_asked();
};

void TestOrientation::equals_the_definition() {
  for (std::uint64_t number = 0; number < 120; ++number) {
    const Fan fan = random_fan(number);
    const reference::Orientation expected = reference::orientation(
        fan.problem.image, fan.expected, fan.problem.filter == LineFilter::Closing);
    for (const int threads : {1, 3}) {
      Context context(Context::Settings{.threads = threads});
      for (const auto& solve : {OrientationSolver(orientation), OrientationSolver(by_hgw)}) {
        const OrientationMap map = solve(fan.problem, context);
        QVERIFY2(values_of(map.strongest) == expected.strongest,
                 qPrintable(QString::number(number)));
        QVERIFY2(values_of(map.first) == expected.first, qPrintable(QString::number(number)));
      }
    }
  }
}

void TestOrientation::sums_equal_the_definition() {
  for (std::uint64_t number = 0; number < 120; ++number) {
    Fan fan = random_fan(number);
    // f64 cannot represent sums with f32's lowest value.
    if (fan.problem.border == LineBorder::Inside && fan.problem.image.type() == VoxelType::F32)
      continue;
    const std::vector<double> expected =
        reference::sums(fan.problem.image, fan.expected, fan.problem.filter == LineFilter::Closing);
    for (const int threads : {1, 3}) {
      Context context(Context::Settings{.threads = threads});
      QVERIFY2(angular_spectrum(fan.problem, context) == expected,
               qPrintable(QString::number(number)));
    }
  }
}

/// Sizes at which directions are distributed over threads, and at which they are not.
void TestOrientation::threads_change_no_bit() {
  test::RandomNumbers random(5);
  for (const std::int64_t side : {90, 300}) {
    for (const VoxelType type : kVoxelTypes) {
      const Volume image = random_volume(random, square(side), type);
      for (const LineFilter filter : kLineFilters) {
        LineFanProblem problem = fan_of_degrees(image, 9);
        problem.filter = filter;
        problem.directions.erase(problem.directions.begin() + 7, problem.directions.end());
        Context one(Context::Settings{.threads = 1});
        const OrientationMap expected = orientation(problem, one);
        const std::vector<double> sums = angular_spectrum(problem, one);
        for (const int threads : {2, 3, 16}) {
          Context several(Context::Settings{.threads = threads});
          const OrientationMap map = orientation(problem, several);
          QVERIFY(std::ranges::equal(map.strongest.bytes(), expected.strongest.bytes()));
          QVERIFY(std::ranges::equal(map.first.bytes(), expected.first.bytes()));
          QVERIFY(angular_spectrum(problem, several) == sums);
        }
      }
    }
  }
}

void TestOrientation::finds_the_angle_of_a_line() {
  constexpr std::int64_t kSide = 101;
  constexpr double kCentre = 50.0;
  for (const double angle : {0.0, 17.0, 45.0, 63.0, 90.0, 118.0, 135.0, 171.0}) {
    const double radians = angle * M_PI / 180.0;
    std::vector<std::uint8_t> pixels;
    for (std::int64_t y = 0; y < kSide; ++y) {
      for (std::int64_t x = 0; x < kSide; ++x) {
        const double off = (static_cast<double>(x) - kCentre) * std::sin(radians) +
                           (static_cast<double>(y) - kCentre) * std::cos(radians);
        pixels.push_back(std::abs(off) < 1.0 ? 200 : 30);
      }
    }
    const Volume image(square(kSide), std::move(pixels));
    Context context;
    const OrientationMap map = orientation(fan_of_degrees(image, 61), context);
    QCOMPARE(map.strongest.value_at({50, 50, 0}), 200.0);
    QCOMPARE(map.strongest.value_at({5, 50, 0}) == 30.0, angle != 0.0);
    const double found = map.first.value_at({50, 50, 0});
    const double apart = std::abs(std::remainder(found - angle, 180.0));
    QVERIFY2(apart <= 2.0, qPrintable(QStringLiteral("%1 for %2").arg(found).arg(angle)));
    const std::vector<double> sums = angular_spectrum(fan_of_degrees(image, 61), context);
    const auto peak = std::max_element(sums.begin(), sums.end()) - sums.begin();
    QVERIFY(std::abs(std::remainder(static_cast<double>(peak) - angle, 180.0)) <= 2.0);
  }
}

void TestOrientation::finds_the_axis_of_a_tube() {
  constexpr std::int64_t kSide = 41;
  Geometry geometry;
  geometry.size = {kSide, kSide, kSide};
  const std::vector<Vec3> directions = half_sphere(300);
  LineFanProblem problem;
  for (const Vec3& direction : directions)
    problem.directions.push_back({LineFamily::along(direction, geometry.size), 21});
  for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{0.6, 0.64, 0.48}, Vec3{-0.48, 0.6, 0.64}}) {
    std::vector<float> voxels;
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      const Index3 at = geometry.index_of(i);
      Vec3 from{};
      double along = 0.0;
      for (int a = 0; a < 3; ++a) {
        from[a] = static_cast<double>(at[a]) - 20.0;
        along += from[a] * axis[a];
      }
      double squared = 0.0;
      for (int a = 0; a < 3; ++a)
        squared += (from[a] - along * axis[a]) * (from[a] - along * axis[a]);
      // Brightest on the axis, so that the nearest line loses least.
      voxels.push_back(static_cast<float>(100.0 * std::exp(-squared / 4.0)));
    }
    problem.image = Volume(geometry, std::move(voxels));
    Context context;
    const OrientationMap map = orientation(problem, context);
    // Adjacent directions are 0.16 radians apart.
    const Vec3& found = directions[static_cast<std::size_t>(map.first.value_at({20, 20, 20}))];
    const double cosine = std::abs(found[0] * axis[0] + found[1] * axis[1] + found[2] * axis[2]);
    QVERIFY2(cosine > std::cos(0.16), qPrintable(QString::number(cosine)));
  }
}

void TestOrientation::directions_cover_the_half_sphere() {
  for (const std::int64_t count : {1, 13, 200}) {
    const std::vector<Vec3> directions = half_sphere(count);
    QCOMPARE(std::ssize(directions), count);
    for (const Vec3& direction : directions) {
      QVERIFY(std::abs(std::hypot(direction[0], direction[1], direction[2]) - 1.0) < 1e-12);
      QVERIFY(direction[2] > 0.0);
    }
  }
  // Among 200 directions, none is farther from its nearest neighbour than twice the mean distance,
  // and any other line is near one.
  const std::vector<Vec3> directions = half_sphere(200);
  test::RandomNumbers random(1);
  for (int round = 0; round < 1000; ++round) {
    Vec3 line{};
    for (double& along : line)
      along = static_cast<double>(random.below(2001)) - 1000.0;
    const double length = std::hypot(line[0], line[1], line[2]);
    if (length == 0.0) continue;
    double nearest = 0.0;
    for (const Vec3& other : directions) {
      const double cosine =
          std::abs(line[0] * other[0] + line[1] * other[1] + line[2] * other[2]) / length;
      nearest = std::max(nearest, cosine);
    }
    QVERIFY(nearest > std::cos(0.18));
  }
}

void TestOrientation::refuses_what_it_cannot_answer() {
  Context context;
  const Volume image = test::line_of<std::uint8_t>({1, 2, 3});
  LineFanProblem problem{.image = image};
  QVERIFY_EXCEPTION_THROWN((void)orientation(problem, context), UsageError);
  problem.directions.push_back({LineFamily::at_angle(0, image.geometry().size), 0});
  QVERIFY_EXCEPTION_THROWN((void)angular_spectrum(problem, context), UsageError);
  problem.directions.front() = {LineFamily::at_angle(0, {9, 9, 1}), 3};
  QVERIFY_EXCEPTION_THROWN((void)orientation(problem, context), UsageError);
}

void TestOrientation::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  const LineFanProblem problem =
      fan_of_degrees(Volume(square(20), std::vector<std::uint8_t>(400)), 5);
  for (const int threads : {1, 4}) {
    Context context(Context::Settings{.stop = stop.get_token(), .threads = threads});
    QVERIFY_EXCEPTION_THROWN((void)orientation(problem, context), Cancelled);
    QVERIFY_EXCEPTION_THROWN((void)angular_spectrum(problem, context), Cancelled);
  }
}

QTEST_GUILESS_MAIN(TestOrientation)
#include "test_orientation.moc"
