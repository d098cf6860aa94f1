// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/linear_opening.h"
#include "tests/reference/linear_opening.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;
using test::line_of;
using test::random_volume;
using test::values_of;

namespace {

struct NamedSolver {
  std::string name;
  LinearOpeningSolver solve;
};

/// Returns all solvers, the default on every instruction set.
std::vector<NamedSolver> solvers() {
  std::vector<NamedSolver> all;
  for (const LineAlgorithm algorithm : {LineAlgorithm::Naive, LineAlgorithm::Hgw,
                                        LineAlgorithm::Morard, LineAlgorithm::Bartovsky}) {
    all.push_back(
        {name_of(algorithm), [algorithm](const LinearOpeningProblem& problem, Context& context) {
           return linear_opening_by(algorithm, problem, context);
         }});
  }
  all.push_back({"strips, plain", [](const LinearOpeningProblem& problem, Context& context) {
                   return linear_opening_in_strips(problem, linear::plain_kernels(), context);
                 }});
  if (linear::avx2_kernels() != nullptr) {
    all.push_back({"strips, AVX2", [](const LinearOpeningProblem& problem, Context& context) {
                     return linear_opening_in_strips(problem, *linear::avx2_kernels(), context);
                   }});
  }
  return all;
}

std::vector<double> expected(const LinearOpeningProblem& problem, const reference::Lines& lines) {
  const auto [front, behind] = margins(problem.border, problem.length);
  return reference::linear_opening(problem.image, lines, problem.length, front, behind,
                                   problem.filter == LineFilter::Closing);
}

QString name_of(const LinearOpeningProblem& problem, const std::string& solver,
                const QString& direction) {
  const Index3& size = problem.image.geometry().size;
  return QStringLiteral("%1: %2x%3x%4 %5, %6, length %7, border %8, %9")
      .arg(QString::fromStdString(solver))
      .arg(size[0])
      .arg(size[1])
      .arg(size[2])
      .arg(QString::fromUtf8(seedwave::name_of(problem.image.type()).data()), direction)
      .arg(problem.length)
      .arg(static_cast<int>(problem.border))
      .arg(problem.filter == LineFilter::Opening ? "opening" : "closing");
}

}  // namespace

class TestLinearOpening : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_at_every_angle_data();
  void equals_the_definition_at_every_angle();
  void equals_the_definition_in_volumes();
  void wide_images_have_whole_strips();
  void high_images_have_many_bands();
  void threads_change_no_bit();
  void is_idempotent_and_anti_extensive();
  void keeps_a_line_that_is_long_enough();
  void cells_in_no_window_are_the_lowest();
  void margins_are_as_said();
  void parts_have_the_lines_of_the_whole();
  void refuses_what_it_cannot_open();
  void stops_when_asked();

 private:
  static void compare(const LinearOpeningProblem& problem, const reference::Lines& lines,
                      const QString& direction);
};

void TestLinearOpening::compare(const LinearOpeningProblem& problem, const reference::Lines& lines,
                                const QString& direction) {
  static const std::vector<NamedSolver> all = solvers();
  const std::vector<double> wanted = expected(problem, lines);
  for (const NamedSolver& solver : all) {
    for (const std::int64_t layers : {0, 1, 5}) {  // in one piece, and in slabs
      Context context(Context::Settings{.threads = 1, .layers = layers});
      QVERIFY2(values_of(solver.solve(problem, context)) == wanted,
               qPrintable(name_of(problem, solver.name, direction)));
    }
  }
}

void TestLinearOpening::equals_the_definition_at_every_angle_data() {
  QTest::addColumn<int>("type");
  for (const VoxelType type : kVoxelTypes)
    QTest::addRow("%s", std::string(seedwave::name_of(type)).c_str()) << static_cast<int>(type);
}

/// Every degree, and every quarter of a degree within two of the angles at which lines change their
/// kind.
void TestLinearOpening::equals_the_definition_at_every_angle() {
  QFETCH(int, type);
  std::vector<double> angles;
  for (int angle = 0; angle < 180; ++angle)
    angles.push_back(angle);
  for (const int middle : {0, 45, 90, 135, 180}) {
    for (int quarter = -8; quarter <= 8; ++quarter)
      angles.push_back(middle + 0.25 * quarter);
  }
  test::RandomNumbers random(static_cast<std::uint64_t>(type));
  for (std::size_t i = 0; i < 3 * angles.size(); ++i) {
    const double angle = angles[i % angles.size()];
    Geometry geometry;
    geometry.size = {random.of(std::array<std::int64_t, 5>{1, 2, 7, 19, 40}),
                     random.of(std::array<std::int64_t, 5>{1, 3, 8, 21, 36}), 1};
    const Volume image = random_volume(random, geometry, static_cast<VoxelType>(type));
    const LinearOpeningProblem problem{
        .image = image,
        .lines = LineFamily::at_angle(angle, geometry.size),
        .length = random.of(std::array<std::int64_t, 10>{1, 2, 3, 4, 5, 8, 11, 16, 41, 100}),
        .border = random.of(kLineBorders),
        .filter = random.of(kLineFilters)};
    compare(problem, reference::lines_at_angle(angle, geometry.size),
            QStringLiteral("%1 degrees").arg(angle));
    if (QTest::currentTestFailed()) return;
  }
}

void TestLinearOpening::equals_the_definition_in_volumes() {
  // The 13 directions between neighbours, and ten others.
  std::vector<Vec3> directions{{1, 0, 0},         {0, 1, 0},    {0, 0, 1},         {1, 1, 0},
                               {1, -1, 0},        {1, 0, 1},    {1, 0, -1},        {0, 1, 1},
                               {0, 1, -1},        {1, 1, 1},    {1, 1, -1},        {1, -1, 1},
                               {-1, 1, 1},        {3, 1, 2},    {1, -3, 0.4},      {0.2, 1, 3},
                               {-2, 0.1, 1.9},    {5, 4, -4.5}, {0.7, -0.71, 0.1}, {1e-3, 1, -1e-3},
                               {-0.3, -0.2, 0.9}, {10, 9, 1},   {1, 2, -2.5}};
  test::RandomNumbers random(5);
  for (std::size_t i = 0; i < 12 * directions.size(); ++i) {
    const Vec3& direction = directions[i % directions.size()];
    Geometry geometry;
    geometry.size = {random.of(std::array<std::int64_t, 4>{1, 4, 9, 17}),
                     random.of(std::array<std::int64_t, 4>{1, 3, 8, 13}),
                     random.of(std::array<std::int64_t, 4>{1, 2, 7, 11})};
    const Volume image = random_volume(random, geometry, random.of(kVoxelTypes));
    const LinearOpeningProblem problem{
        .image = image,
        .lines = LineFamily::along(direction, geometry.size),
        .length = random.of(std::array<std::int64_t, 7>{1, 2, 3, 4, 7, 12, 50}),
        .border = random.of(kLineBorders),
        .filter = random.of(kLineFilters)};
    compare(problem, reference::lines_along(direction, geometry.size),
            QStringLiteral("along %1 %2 %3").arg(direction[0]).arg(direction[1]).arg(direction[2]));
    if (QTest::currentTestFailed()) return;
  }
}

/// Large enough for strips with neighbours on both sides, and for rows and columns transposed by
/// blocks.
void TestLinearOpening::wide_images_have_whole_strips() {
  test::RandomNumbers random(11);
  for (const double angle : {0.0, 0.25, 17.0, 30.0, 45.0, 60.0, 89.5, 90.0, 91.0, 135.0, 151.0}) {
    for (const VoxelType type : kVoxelTypes) {
      Geometry geometry;
      geometry.size = {150 + random.below(200), 70 + random.below(250), 1};
      const Volume image = random_volume(random, geometry, type);
      for (const std::int64_t length : {11, 41, 65, 400}) {
        LinearOpeningProblem problem{.image = image,
                                     .lines = LineFamily::at_angle(angle, geometry.size),
                                     .length = length,
                                     .border = random.of(kLineBorders),
                                     .filter = random.of(kLineFilters)};
        Context context(Context::Settings{.threads = 1});
        const Volume wanted = linear_opening_by(LineAlgorithm::Hgw, problem, context);
        for (const NamedSolver& solver : solvers()) {
          if (solver.name == "naive") continue;
          const Volume result = solver.solve(problem, context);
          QVERIFY2(std::ranges::equal(result.bytes(), wanted.bytes()),
                   qPrintable(name_of(problem, solver.name, QString::number(angle))));
        }
      }
    }
  }
}

/// High enough for the rows of a band to meet those of others, with one thread and with several.
void TestLinearOpening::high_images_have_many_bands() {
  test::RandomNumbers random(31);
  Geometry geometry;
  geometry.size = {301, 1403, 1};
  const Volume image = random_volume(random, geometry, VoxelType::U8);
  for (const double angle : {0.5, 30.0, 44.0, 150.0, 179.0}) {
    for (const LineBorder border : kLineBorders) {
      const LinearOpeningProblem problem{.image = image,
                                         .lines = LineFamily::at_angle(angle, geometry.size),
                                         .length = 23,
                                         .border = border};
      Context context(Context::Settings{.threads = 1});
      const Volume wanted = linear_opening_by(LineAlgorithm::Hgw, problem, context);
      for (const int threads : {1, 3}) {
        Context several(Context::Settings{.threads = threads});
        QVERIFY2(std::ranges::equal(linear_opening(problem, several).bytes(), wanted.bytes()),
                 qPrintable(name_of(problem, "strips", QString::number(angle))));
      }
    }
  }
}

void TestLinearOpening::threads_change_no_bit() {
  test::RandomNumbers random(3);
  Geometry geometry;
  geometry.size = {333, 217, 3};
  const Volume image = random_volume(random, geometry, VoxelType::F32);
  for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{1, 0.3, 0}, Vec3{1, -0.7, 0}, Vec3{1, 0.3, 0.2},
                                Vec3{0.1, 1, 0}, Vec3{0, 0.2, 1}}) {
    const LinearOpeningProblem problem{
        .image = image, .lines = LineFamily::along(direction, geometry.size), .length = 9};
    Context one(Context::Settings{.threads = 1});
    const Volume wanted = linear_opening(problem, one);
    for (const NamedSolver& solver : solvers()) {
      for (const int threads : {2, 5}) {
        Context several(Context::Settings{.threads = threads});
        QVERIFY2(std::ranges::equal(solver.solve(problem, several).bytes(), wanted.bytes()),
                 solver.name.c_str());
      }
    }
  }
}

void TestLinearOpening::is_idempotent_and_anti_extensive() {
  test::RandomNumbers random(23);
  for (int i = 0; i < 200; ++i) {
    Geometry geometry;
    geometry.size = {1 + random.below(60), 1 + random.below(60), 1};
    LinearOpeningProblem problem{
        .image = random_volume(random, geometry, random.of(kVoxelTypes)),
        .lines = LineFamily::at_angle(0.25 * static_cast<double>(random.below(720)), geometry.size),
        .length = 1 + random.below(40),
        .border = random.of(kLineBorders),
        .filter = random.of(kLineFilters)};
    Context context;
    const std::vector<double> before = values_of(problem.image);
    problem.image = linear_opening(problem, context);
    const std::vector<double> after = values_of(problem.image);
    for (std::size_t j = 0; j < before.size(); ++j)
      QVERIFY(problem.filter == LineFilter::Opening ? after[j] <= before[j]
                                                    : after[j] >= before[j]);
    QVERIFY(values_of(linear_opening(problem, context)) == after);
  }
}

void TestLinearOpening::keeps_a_line_that_is_long_enough() {
  const Volume image = line_of<std::uint8_t>({0, 7, 7, 7, 0, 9, 9, 0, 5, 8, 5, 0});
  Context context;
  const LinearOpeningProblem problem{
      .image = image, .lines = LineFamily::at_angle(0, image.geometry().size), .length = 3};
  for (const NamedSolver& solver : solvers())
    QCOMPARE(values_of(solver.solve(problem, context)),
             (std::vector<double>{0, 7, 7, 7, 0, 0, 0, 0, 5, 5, 5, 0}));
}

void TestLinearOpening::cells_in_no_window_are_the_lowest() {
  const Volume image = line_of<float>({1.0F, -std::numeric_limits<float>::infinity(), -0.0F});
  Context context;
  LinearOpeningProblem problem{.image = image,
                               .lines = LineFamily::at_angle(0, image.geometry().size),
                               .length = 4,
                               .border = LineBorder::Inside};
  for (const NamedSolver& solver : solvers()) {
    problem.length = 4;
    problem.filter = LineFilter::Opening;
    const double lowest = std::numeric_limits<float>::lowest();
    QCOMPARE(values_of(solver.solve(problem, context)), std::vector<double>(3, lowest));
    problem.filter = LineFilter::Closing;
    QCOMPARE(values_of(solver.solve(problem, context)), std::vector<double>(3, -lowest));
    // Values in a window are unchanged, and -0.0 becomes +0.0.
    problem.length = 1;
    const Volume same = solver.solve(problem, context);
    QVERIFY(std::isinf(same.voxels<float>()[1]));
    QVERIFY(!std::signbit(same.voxels<float>()[2]));
  }
}

void TestLinearOpening::margins_are_as_said() {
  const auto of = [](LineBorder border, std::int64_t length) {
    const LineMargins found = margins(border, length);
    return std::pair{found.front, found.behind};
  };
  QCOMPARE(of(LineBorder::Anchor, 5), (std::pair<std::int64_t, std::int64_t>{2, 2}));
  QCOMPARE(of(LineBorder::Anchor, 4), (std::pair<std::int64_t, std::int64_t>{2, 1}));
  QCOMPARE(of(LineBorder::Inside, 4), (std::pair<std::int64_t, std::int64_t>{0, 0}));
  QCOMPARE(of(LineBorder::Ignore, 4), (std::pair<std::int64_t, std::int64_t>{3, 3}));
}

void TestLinearOpening::parts_have_the_lines_of_the_whole() {
  const Index3 size{13, 11, 9};
  // Returns the next cell on a cell's line.
  const auto behind = [](const LineFamily& lines, const Index3& cell) {
    const auto place = static_cast<std::size_t>(cell[lines.major()]);
    Index3 next = cell;
    for (int axis = 0; axis < 3; ++axis)
      next[axis] += lines.shifts(axis)[place + 1] - lines.shifts(axis)[place];
    return next;
  };
  for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{3, 5, -2}, Vec3{-4, 1, 7}, Vec3{1, -1, 0}}) {
    const LineFamily whole = LineFamily::along(direction, size);
    for (int axis = 0; axis < 3; ++axis) {
      constexpr std::int64_t kFirst = 3;
      constexpr std::int64_t kCount = 5;
      const LineFamily part = whole.part(axis, kFirst, kCount);
      QCOMPARE(part.size()[axis], kCount);
      for (std::int64_t place = 0; place + 1 < part.size()[whole.major()]; ++place) {
        Index3 cell{};
        cell[whole.major()] = place;
        Index3 in_whole = cell;
        in_whole[axis] += kFirst;
        Index3 wanted = behind(whole, in_whole);
        wanted[axis] -= kFirst;
        QCOMPARE(behind(part, cell), wanted);
      }
    }
  }
}

void TestLinearOpening::refuses_what_it_cannot_open() {
  Context context;
  const Volume image = line_of<float>({0.0F, std::numeric_limits<float>::quiet_NaN()});
  const LineFamily lines = LineFamily::at_angle(0, image.geometry().size);
  for (const NamedSolver& solver : solvers()) {
    QVERIFY_EXCEPTION_THROWN((void)solver.solve({.image = image, .lines = lines}, context),
                             InputError);
    const Volume fine = line_of<std::uint8_t>({1, 2});
    QVERIFY_EXCEPTION_THROWN(
        (void)solver.solve({.image = fine, .lines = lines, .length = 0}, context), UsageError);
    const LineFamily others = LineFamily::at_angle(0, {3, 1, 1});
    QVERIFY_EXCEPTION_THROWN((void)solver.solve({.image = fine, .lines = others}, context),
                             UsageError);
    Geometry one;
    one.size = {1, 1, 1};
    const Volume colours(one, std::vector<std::uint8_t>{1, 2, 3}, 3);
    QVERIFY_EXCEPTION_THROWN(
        (void)solver.solve({.image = colours, .lines = LineFamily::at_angle(0, one.size)}, context),
        InputError);
  }
  QVERIFY_EXCEPTION_THROWN((void)LineFamily::along({0, 0, 0}, {2, 2, 2}), UsageError);
  QVERIFY_EXCEPTION_THROWN((void)LineFamily::along({0, std::nan(""), 1}, {2, 2, 2}), UsageError);
}

void TestLinearOpening::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  const Volume image = line_of<std::uint8_t>({1, 2, 3});
  for (const NamedSolver& solver : solvers())
    QVERIFY_EXCEPTION_THROWN(
        (void)solver.solve(
            {.image = image, .lines = LineFamily::at_angle(0, image.geometry().size), .length = 2},
            context),
        Cancelled);
}

QTEST_GUILESS_MAIN(TestLinearOpening)
#include "test_linear_opening.moc"
