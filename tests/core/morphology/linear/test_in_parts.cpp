// SPDX-License-Identifier: Apache-2.0
// Openings along lines and their statistics by several workers, of which one is a device that
// fails. Device solvers are stood in for by the definition on the CPU.
#include "core/base/error.h"
#include "core/morphology/linear/in_parts.h"
#include "tests/support/random_numbers.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

constexpr int kProblems = 150;
constexpr int kDevice = 4;

bool same(const Volume& a, const Volume& b) {
  return a.type() == b.type() && std::ranges::equal(a.bytes(), b.bytes());
}

LineFanProblem random_problem(test::RandomNumbers& random, std::int64_t number) {
  Geometry geometry;
  const bool is_flat = number % 3 != 0;
  geometry.size = {1 + random.below(40), 1 + random.below(40), is_flat ? 1 : 1 + random.below(9)};
  LineFanProblem problem;
  problem.image = test::random_volume(random, geometry, random.of(kVoxelTypes));
  problem.border = random.of(kLineBorders);
  problem.filter = random.of(kLineFilters);
  const std::int64_t directions = 1 + random.below(14);
  for (std::int64_t i = 0; i < directions; ++i)
    problem.directions.push_back(
        {LineFamily::at_angle(15.0 * static_cast<double>(random.below(12)), geometry.size),
         1 + random.below(20)});
  return problem;
}

/// The device and a group of CPU threads, and what the device did before it failed.
class Crew {
 public:
  /// The device fails at the part with this number.
  explicit Crew(std::int64_t last) : last_(last) {}

  [[nodiscard]] static Context context() {
    return Context({.workers = {{.device = kDevice}, {.device = kCpu, .threads = 2}}});
  }
  /// Solves on a worker.
  template <typename Solve>
  auto on(Context& worker, Solve&& solve) {
    if (worker.device() == kDevice && parts_++ == last_) throw DeviceFault("fell off the bus");
    return solve(worker);
  }
  [[nodiscard]] std::int64_t device_parts() const { return std::min(parts_.load(), last_); }

 private:
  std::int64_t last_;
  std::atomic<std::int64_t> parts_ = 0;
};

Volume naive(const LinearOpeningProblem& problem, Context& context) {
  return linear_opening_by(LineAlgorithm::Naive, problem, context);
}

}  // namespace

class TestInParts : public QObject {
  Q_OBJECT
 private slots:
  void workers_open_as_one_does();
  void workers_find_orientations_as_one_does();
  void workers_sum_directions_as_one_does();
  void a_bad_problem_is_refused_before_it_is_divided();
};

void TestInParts::workers_open_as_one_does() {
  std::int64_t by_device = 0;
  std::int64_t failed = 0;
  for (int number = 0; number < kProblems; ++number) {
    test::RandomNumbers random(static_cast<std::uint64_t>(number));
    const LinearOpeningProblem problem = one_direction(random_problem(random, number), 0);
    Context alone({.threads = 1});
    const Volume expected = naive(problem, alone);
    Crew crew(random.below(5));
    Context context = Crew::context();
    const Volume found = linear::opening_in_parts(
        problem,
        [&](const LinearOpeningProblem& part, Context& own) {
          return crew.on(own, [&](Context& worker) { return naive(part, worker); });
        },
        context);
    QVERIFY2(same(found, expected), qPrintable(QString::number(number)));
    by_device += crew.device_parts();
    failed += context.work_done()[0].failure.empty() ? 0 : 1;
  }
  QVERIFY(by_device > 100);
  QVERIFY(failed > 20);
}

void TestInParts::workers_find_orientations_as_one_does() {
  std::int64_t failed = 0;
  for (int number = 0; number < kProblems; ++number) {
    test::RandomNumbers random(static_cast<std::uint64_t>(number));
    const LineFanProblem problem = random_problem(random, number);
    Context alone({.threads = 1});
    const OrientationMap expected = orientation_by(naive, problem, alone);
    Crew crew(random.below(5));
    Context context = Crew::context();
    const OrientationMap found = linear::orientation_in_parts(
        problem,
        [&](const LineFanProblem& part, Context& own) {
          return crew.on(own, [&](Context& worker) { return orientation_by(naive, part, worker); });
        },
        context);
    QVERIFY2(same(found.strongest, expected.strongest), qPrintable(QString::number(number)));
    QVERIFY2(same(found.first, expected.first), qPrintable(QString::number(number)));
    failed += context.work_done()[0].failure.empty() ? 0 : 1;
  }
  QVERIFY(failed > 20);
}

void TestInParts::workers_sum_directions_as_one_does() {
  std::int64_t failed = 0;
  for (int number = 0; number < kProblems; ++number) {
    test::RandomNumbers random(static_cast<std::uint64_t>(number));
    const LineFanProblem problem = random_problem(random, number);
    Context alone({.threads = 1});
    const std::vector<double> expected = angular_spectrum_by(naive, problem, alone);
    Crew crew(random.below(2));
    Context context = Crew::context();
    const std::vector<double> found = linear::angular_spectrum_in_parts(
        problem,
        [&](const LineFanProblem& part, Context& own) {
          return crew.on(own,
                         [&](Context& worker) { return angular_spectrum_by(naive, part, worker); });
        },
        context);
    QVERIFY2(found == expected, qPrintable(QString::number(number)));
    failed += context.work_done()[0].failure.empty() ? 0 : 1;
  }
  QVERIFY(failed > 20);
}

void TestInParts::a_bad_problem_is_refused_before_it_is_divided() {
  test::RandomNumbers random(1);
  LineFanProblem problem = random_problem(random, 1);
  const auto solver = [](const LineFanProblem&, Context&) -> std::vector<double> {
    throw Fault("was called");
  };
  problem.directions.clear();
  Context context = Crew::context();
  QVERIFY_EXCEPTION_THROWN((void)linear::angular_spectrum_in_parts(problem, solver, context),
                           UsageError);
}

QTEST_GUILESS_MAIN(TestInParts)
#include "test_in_parts.moc"
