// SPDX-License-Identifier: Apache-2.0
// Compares the threads' work of P-ORFC's rounds, run on the host, with the CPU's version.
#include "core/fuzzy/porfc.h"
#include "gpu/fuzzy/lock_step.h"
#include "tests/gpu/fuzzy/host_planes.h"

#include <QTest>

#include <cstdint>
#include <utility>
#include <vector>

using namespace seedwave;
using namespace seedwave::gpu;
using test::HostAffinity;
using test::HostPlane;
using test::KernelCase;

namespace {

constexpr int kTrials = 20;
constexpr std::uint16_t kPoison = 0xA5A5;

enum class Kernel { Vectors, Cells };

/// Returns the words at the fixpoint. The second buffer starts poisoned: a round must write all of
/// it.
HostPlane words_by(Kernel kernel, const fuzzy::Problem& problem, const HostAffinity& affinity) {
  const Grid& grid = affinity.grid;
  HostPlane before(grid.cells(), 0);
  HostPlane after(grid.cells(), kPoison);
  for (const Seed& seed : problem.seeds) {
    before.data()[grid.padded(seed.offset)] = static_cast<std::uint16_t>(
        2 * fuzzy::kFullStrength + (seed.label == problem.object ? 0 : 1));
  }
  const auto vectors = static_cast<std::uint32_t>(grid.cells() / kVector);
  for (bool changed = true; changed; std::swap(before, after)) {
    changed = false;
    const LockStepVector by_vectors{before.data(), after.data(), affinity.plane(0), grid};
    const LockStepCells by_cells{before.data(), after.data(), affinity.plane(0), grid,
                                 affinity.steps};
    for (std::uint32_t v = 0; v < vectors; ++v) {
      const bool here =
          kernel == Kernel::Vectors ? by_vectors(v, affinity.steps.count) : by_cells(v);
      changed = changed || here;
    }
  }
  return before;
}

}  // namespace

Q_DECLARE_METATYPE(KernelCase)

class TestLockStep : public QObject {
  Q_OBJECT

 private slots:
  void an_offer_keeps_its_lambda();
  void words_equal_the_cpus_data();
  void words_equal_the_cpus();
};

/// Compares the rule and its version for two cells with the definition, over the whole range of
/// strengths and affinities.
void TestLockStep::an_offer_keeps_its_lambda() {
  for (std::uint32_t h = 0; h <= fuzzy::kFullStrength; h += h < 20 ? 1 : 127) {
    for (std::uint32_t kappa = 0; kappa <= fuzzy::kFullStrength; kappa += kappa < 20 ? 1 : 113) {
      for (const std::uint32_t lambda : {0U, 1U}) {
        if (h == 0 && lambda == 1) continue;  // no path has arrived, so there is no label
        const std::uint32_t least = std::min(h, kappa);
        const std::uint32_t expected = least == 0 ? 0 : 2 * least + lambda;
        const std::uint32_t word = 2 * h + lambda;
        QCOMPARE(std::uint32_t{TwoClassRule::transfer(static_cast<std::uint16_t>(word),
                                                      static_cast<std::uint16_t>(kappa))},
                 expected);
        // In one half of the register, then in the other, with another value beside it.
        QCOMPARE(offered(word | 0xFFFF0000U, kappa | 77U << 16) & 0xFFFFU, expected);
        QCOMPARE(offered(word << 16 | 3U, kappa << 16 | 4096U) >> 16, expected);
      }
    }
  }
}

void TestLockStep::words_equal_the_cpus_data() {
  QTest::addColumn<KernelCase>("c");
  for (const KernelCase& c : KernelCase::all())
    QTest::newRow(c.name().c_str()) << c;
}

void TestLockStep::words_equal_the_cpus() {
  QFETCH(KernelCase, c);
  const bool axes = c.connectivity == Connectivity::C4 || c.connectivity == Connectivity::C6;
  for (int number = 0; number < kTrials; ++number) {
    fuzzy::Problem problem = test::random_problem(c.size, c.connectivity, c.labels, c.mask, number);
    problem.object = static_cast<std::uint16_t>(1 + number % 2);
    const HostAffinity affinity(problem);
    Context context;
    const fuzzy::Answer expected = fuzzy::porfc_by_rounds(problem, context);
    for (const Kernel kernel : {Kernel::Cells, Kernel::Vectors}) {
      if (kernel == Kernel::Vectors && !axes) continue;
      const auto words = test::unpadded(words_by(kernel, problem, affinity), affinity.grid);
      std::vector<std::uint16_t> labels(words.size(), 0);
      std::vector<std::uint16_t> strength(words.size(), 0);
      for (std::size_t i = 0; i < words.size(); ++i) {
        strength[i] = words[i] >> 1;
        if (words[i] != 0 && (words[i] & 1) == 0)
          labels[i] = static_cast<std::uint16_t>(problem.object);
      }
      for (const Seed& seed : problem.seeds)
        labels[seed.offset] = static_cast<std::uint16_t>(seed.label);
      QCOMPARE(strength, expected.strength);
      QCOMPARE(labels, expected.labels);
    }
  }
}

QTEST_GUILESS_MAIN(TestLockStep)
#include "test_lock_step.moc"
