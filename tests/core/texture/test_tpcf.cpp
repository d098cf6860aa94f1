// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/kernel.h"
#include "core/texture/tpcf.h"
#include "tests/reference/tpcf.h"
#include "tests/support/random_numbers.h"
#include "tests/support/random_phases.h"
#include "tests/support/random_tpcf.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

using namespace seedwave;
using test::Features;
using test::random_tpcf;

namespace {

struct NamedSolver {
  std::string name;
  TpcfSolver solve;
};

TpcfSolver by(TpcfAlgorithm algorithm) {
  return [=](const TpcfProblem& problem, const FeatureSink& sink, Context& context) {
    tpcf_by(algorithm, problem, sink, context);
  };
}

std::vector<NamedSolver> solvers() {
  std::vector<NamedSolver> all{
      {"box", tpcf},
      {"box, plain", [](const TpcfProblem& problem, const FeatureSink& sink, Context& context) {
         tpcf_by_box(problem, texture::plain_kernel(), sink, context);
       }}};
  for (const TpcfAlgorithm algorithm :
       {TpcfAlgorithm::Naive, TpcfAlgorithm::Update, TpcfAlgorithm::Fft})
    all.push_back({name_of(algorithm), by(algorithm)});
  return all;
}

Features features(const TpcfSolver& solve, const TpcfProblem& problem, int threads) {
  Context context(Context::Settings{.threads = threads});
  return test::all_features(solve, problem, context);
}

QString describe_problem(const TpcfProblem& problem) {
  return QStringLiteral("%1, window %2, %3 directions, %4 phases, strips of %5")
      .arg(QString::fromStdString(describe(problem.phases.geometry())))
      .arg(problem.window)
      .arg(problem.directions)
      .arg(problem.count)
      .arg(problem.strip_rows);
}

/// Returns the message of an exception of the given type.
template <typename Exception>
QString message_of(const TpcfProblem& problem) {
  for (const NamedSolver& solver : solvers()) {
    Context context;
    try {
      solver.solve(
          problem, [](const FeatureStrip&) {}, context);
      return "nothing thrown by " + QString::fromStdString(solver.name);
    } catch (const Exception& exception) {
      if (solver.name != solvers().back().name) continue;
      return exception.what();
    }
  }
  return {};
}

}  // namespace

class TestTpcf : public QObject {
  Q_OBJECT
 private slots:
  void a_window_by_hand();
  void equals_the_definition();
  void all_algorithms_give_the_same_bits();
  void every_window_and_step_gives_the_same_bits();
  void empty_phases_change_nobody_elses_bits();
  void large_windows_give_the_same_bits();
  void threads_and_strips_change_no_bit();
  void wide_pictures_have_several_bands();
  void glass_changes_no_bit();
  void one_window_has_the_curves_of_the_run();
  void curves_of_one_window_come_at_once();
  void refuses_what_it_cannot_answer();
  void reports_progress();
  void stops_when_asked();
};

void TestTpcf::a_window_by_hand() {
  // Along x only: 4 of 9 pixels, 1 of 6 adjacent pairs.
  const TpcfProblem problem{.phases = test::picture(3, 3, {1, 1, 0, 0, 2, 1, 1, 0, 2}),
                            .count = 2,
                            .window = 3,
                            .directions = 1};
  for (const NamedSolver& solver : solvers()) {
    const Features result = features(solver.solve, problem, 1);
    const std::vector<float> expected{4.0F / 9.0F, 1.0F / 6.0F, 2.0F / 9.0F, 0.0F};
    for (std::size_t i = 0; i < expected.size(); ++i)
      QVERIFY2(std::abs(result.values[i] - expected[i]) < 1e-7F, solver.name.c_str());
  }
}

void TestTpcf::equals_the_definition() {
  test::RandomNumbers random(1);
  for (int round = 0; round < 60; ++round) {
    const TpcfProblem problem = random_tpcf(random, 12);
    const Features result = features(by(TpcfAlgorithm::Naive), problem, 1);
    const Index3& size = problem.phases.geometry().size;
    const std::int64_t columns = size[0] - problem.window + 1;
    const std::int64_t rows = size[1] - problem.window + 1;
    const std::int64_t x = random.below(columns);
    const std::int64_t y = random.below(rows);
    for (std::int64_t plane = 0; plane < plane_count(problem); ++plane) {
      const std::int64_t radius = plane % radius_count(problem.window);
      const std::int64_t phase = plane / radius_count(problem.window) + 1;
      const double expected =
          reference::tpcf(problem.phases, phase, problem.window, problem.directions, x,
                          y)[static_cast<std::size_t>(radius)];
      const double value =
          result.values[static_cast<std::size_t>((plane * rows + y) * columns + x)];
      // Weights and features are rounded.
      QVERIFY2(std::abs(value - expected) < 1e-7, qPrintable(describe_problem(problem)));
    }
  }
}

void TestTpcf::all_algorithms_give_the_same_bits() {
  test::RandomNumbers random(2);
  for (int round = 0; round < 300; ++round) {
    const TpcfProblem problem = random_tpcf(random, round % 4 == 0 ? 2 : 16);
    const Features expected = features(by(TpcfAlgorithm::Naive), problem, 1);
    for (const NamedSolver& solver : solvers()) {
      const Features result = features(solver.solve, problem, 1 + round % 3);
      QVERIFY2(result == expected,
               qPrintable(describe_problem(problem) + ": " + QString::fromStdString(solver.name)));
    }
  }
}

/// Steps of pi / 4, pi / 8 and pi / 16; images as large as the window, and slightly larger.
void TestTpcf::every_window_and_step_gives_the_same_bits() {
  test::RandomNumbers random(10);
  for (std::int64_t window = 1; window <= 34; ++window) {
    for (const std::int64_t directions : {4, 8, 16}) {
      for (const std::int64_t more : {0, 3}) {
        TpcfProblem problem{.count = 3, .window = window, .directions = directions};
        problem.phases = test::random_phases(random, window + more, window + more / 2, 3);
        const Features expected = features(by(TpcfAlgorithm::Naive), problem, 1);
        for (const NamedSolver& solver : solvers())
          QVERIFY2(
              features(solver.solve, problem, 1) == expected,
              qPrintable(describe_problem(problem) + ": " + QString::fromStdString(solver.name)));
      }
    }
  }
}

/// Every second one of 1 to 16 phases has no pixel.
void TestTpcf::empty_phases_change_nobody_elses_bits() {
  test::RandomNumbers random(11);
  for (std::int64_t count = 1; count <= kMostPhases; ++count) {
    TpcfProblem full{.count = (count + 1) / 2, .window = 9};
    full.phases = test::random_phases(random, 14, 12, full.count);
    std::vector<std::uint16_t> apart;
    for (const Label phase : full.phases.labels())
      apart.push_back(static_cast<std::uint16_t>(phase == 0 ? 0 : 2 * phase - 1));
    const TpcfProblem problem{
        .phases = LabelMap(full.phases.geometry(), apart), .count = count, .window = full.window};
    const Features expected = features(by(TpcfAlgorithm::Naive), full, 1);
    const std::size_t of_phase = expected.values.size() / static_cast<std::size_t>(full.count);
    for (const NamedSolver& solver : solvers()) {
      const Features result = features(solver.solve, problem, 1);
      for (std::size_t phase = 0; phase < static_cast<std::size_t>(count); ++phase) {
        const auto here = std::span(result.values).subspan(phase * of_phase, of_phase);
        if (phase % 2 == 1) {
          QVERIFY2(std::ranges::all_of(here, [](float value) { return value == 0.0F; }),
                   solver.name.c_str());
        } else {
          QVERIFY2(std::ranges::equal(
                       here, std::span(expected.values).subspan(phase / 2 * of_phase, of_phase)),
                   solver.name.c_str());
        }
      }
    }
  }
}

void TestTpcf::large_windows_give_the_same_bits() {
  test::RandomNumbers random(3);
  for (const std::int64_t window : {22, 23, 64, 65, 130, 256}) {
    TpcfProblem problem{.count = 3, .window = window, .directions = window > 60 ? 4 : 16};
    problem.phases = test::random_phases(random, window + 2, window + 1, problem.count);
    const Features expected = features(by(TpcfAlgorithm::Update), problem, 1);
    for (const NamedSolver& solver : solvers()) {
      if (solver.name == "naive" && window > 23) continue;
      QVERIFY2(features(solver.solve, problem, 2) == expected,
               qPrintable(describe_problem(problem) + ": " + QString::fromStdString(solver.name)));
    }
  }
}

void TestTpcf::threads_and_strips_change_no_bit() {
  test::RandomNumbers random(4);
  for (const std::int64_t window : {1, 7, 32}) {
    TpcfProblem problem{.count = 5, .window = window};
    problem.phases = test::random_phases(random, 100, 130, problem.count);
    const Features expected = features(tpcf, problem, 1);
    for (const std::int64_t rows : {0, 1, 3, 64, 1000}) {
      problem.strip_rows = rows;
      std::int64_t strips = 0;
      for (const int threads : {1, 2, 3, 16}) {
        const Features result = features(tpcf, problem, threads);
        QVERIFY2(result == expected, qPrintable(describe_problem(problem)));
        // Sums over strips require the same strips.
        if (strips > 0) QCOMPARE(result.strips, strips);
        strips = result.strips;
      }
    }
  }
}

void TestTpcf::wide_pictures_have_several_bands() {
  test::RandomNumbers random(5);
  TpcfProblem problem{.count = 2, .window = 9, .directions = 4};
  for (const std::int64_t width : {1032, 1033, 2500}) {
    problem.phases = test::random_phases(random, width, 14, problem.count);
    const Features expected = features(by(TpcfAlgorithm::Update), problem, 1);
    QVERIFY(features(tpcf, problem, 1) == expected);
    QVERIFY(features(tpcf, problem, 3) == expected);
  }
}

/// Windows in a part of one phase are not counted one by one.
void TestTpcf::glass_changes_no_bit() {
  test::RandomNumbers random(21);
  std::int64_t alike = 0;
  for (int round = 0; round < 120; ++round) {
    TpcfProblem problem{.count = 1 + random.below(4),
                        .window = 1 + random.below(round % 3 == 0 ? 80 : 12),
                        .directions = 4,
                        .strip_rows = random.below(4)};
    const std::int64_t nx = problem.window + 60 + random.below(round % 10 == 0 ? 1400 : 260);
    problem.phases =
        test::phases_on_glass(random, nx, problem.window + random.below(50), problem.count);
    const Features expected = features(by(TpcfAlgorithm::Update), problem, 1);
    const Features found = features(tpcf, problem, 1 + round % 3);
    QVERIFY2(found == expected, qPrintable(describe_problem(problem)));
    QVERIFY2(found.is_alike, qPrintable(describe_problem(problem)));
    alike += found.alike;
  }
  QVERIFY(alike > 5000);
}

void TestTpcf::one_window_has_the_curves_of_the_run() {
  test::RandomNumbers random(6);
  for (int round = 0; round < 60; ++round) {
    const TpcfProblem problem = random_tpcf(random, round % 8 == 0 ? 140 : 40);
    const Features all = features(tpcf, problem, 1);
    const Index3& size = problem.phases.geometry().size;
    const std::int64_t columns = size[0] - problem.window + 1;
    const std::int64_t rows = size[1] - problem.window + 1;
    const std::int64_t x = random.below(columns);
    const std::int64_t y = random.below(rows);
    const std::vector<float> curves = features_at(problem, x, y);
    QCOMPARE(std::ssize(curves), plane_count(problem));
    for (std::int64_t plane = 0; plane < std::ssize(curves); ++plane) {
      QVERIFY2(curves[static_cast<std::size_t>(plane)] ==
                   all.values[static_cast<std::size_t>((plane * rows + y) * columns + x)],
               qPrintable(describe_problem(problem)));
    }
  }
}

/// The goal is a millisecond; the limit allows for a busy or slow machine.
void TestTpcf::curves_of_one_window_come_at_once() {
  test::RandomNumbers random(7);
  TpcfProblem problem{.count = 4, .window = 64, .directions = 16};
  problem.phases = test::random_phases(random, 100, 100, problem.count);
  auto best = std::chrono::steady_clock::duration::max();
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    (void)features_at(problem, round, 3);
    best = std::min(best, std::chrono::steady_clock::now() - start);
  }
  QVERIFY(best < std::chrono::milliseconds(20));
}

void TestTpcf::refuses_what_it_cannot_answer() {
  TpcfProblem problem{.phases = test::picture(6, 4, std::vector<std::uint16_t>(24, 1)),
                      .window = 5};
  QCOMPARE(message_of<InputError>(problem),
           "the image has 6 x 4 pixels, too few for a window of 5 x 5: choose a smaller window");
  QVERIFY_EXCEPTION_THROWN((void)features_at(problem, 0, 0), InputError);
  problem.window = 3;
  QVERIFY_EXCEPTION_THROWN((void)features_at(problem, 4, 0), UsageError);
  QVERIFY_EXCEPTION_THROWN((void)features_at(problem, 0, -1), UsageError);
  problem.count = 17;
  QCOMPARE(message_of<UsageError>(problem), "phases are 1 to 16, not 17");
  problem.count = 1;
  problem.window = 257;
  QCOMPARE(message_of<UsageError>(problem), "a window is 1 to 256 pixels wide, not 257");
  problem.window = 3;
  problem.directions = 0;
  QCOMPARE(message_of<UsageError>(problem), "directions are 1 to 256, not 0");
  problem.directions = 8;
  problem.phases = test::picture(3, 3, {0, 1, 2, 0, 7, 1, 1, 0, 0});
  problem.count = 4;
  QCOMPARE(message_of<InputError>(problem),
           "the image has a pixel of phase 7, but there are 4 phases");
  QVERIFY_EXCEPTION_THROWN((void)features_at(problem, 0, 0), InputError);
  Geometry geometry;
  geometry.size = {4, 4, 2};
  problem.phases = LabelMap(geometry, std::vector<std::uint16_t>(32));
  QCOMPARE(message_of<InputError>(problem),
           "two-point correlations need a 2-D image, not a volume");
}

void TestTpcf::reports_progress() {
  test::RandomNumbers random(8);
  TpcfProblem problem{.count = 2, .window = 5, .strip_rows = 4};
  problem.phases = test::random_phases(random, 30, 44, problem.count);
  std::vector<double> fractions;
  Context context(Context::Settings{
      .progress = [&](const std::string&, double fraction) { fractions.push_back(fraction); },
      .threads = 1});
  tpcf(
      problem, [](const FeatureStrip&) {}, context);
  QCOMPARE(fractions.size(), std::size_t{10});
  QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
  QCOMPARE(fractions.back(), 1.0);
}

void TestTpcf::stops_when_asked() {
  test::RandomNumbers random(9);
  TpcfProblem problem{.count = 2, .window = 100, .directions = 16};
  problem.phases = test::random_phases(random, 400, 400, problem.count);
  for (const NamedSolver& solver : solvers()) {
    for (const int threads : {1, 3}) {
      std::stop_source stop;
      Context context(Context::Settings{.stop = stop.get_token(), .threads = threads});
      // From the first strip on, or before there is one; some would take minutes.
      const std::jthread hand([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        stop.request_stop();
      });
      const auto start = std::chrono::steady_clock::now();
      QVERIFY_EXCEPTION_THROWN(
          solver.solve(
              problem, [&](const FeatureStrip&) { stop.request_stop(); }, context),
          Cancelled);
      QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    }
  }
}

QTEST_GUILESS_MAIN(TestTpcf)
#include "test_tpcf.moc"
