// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/memory.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/comparison.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace seedwave::gpu_check {
namespace {

/// Bytes overwritten before a run in addition to the planes of cells: tables, seeds, flags.
constexpr std::int64_t kPoisonBytes = 4 << 20;
/// Maximum bytes per cell of a run, with 26 neighbours, padding included.
constexpr std::int64_t kPoisonBytesPerCell = 48;

/// Images of phases come with one case in kPhasesEvery, because the definition is slow.
constexpr int kPhasesEvery = 8;

/// Counts the comparisons, by implementation and kind of case.
class Tally {
 public:
  void add(const Pair& pair, const std::string& kind, const std::string& case_name,
           const std::optional<std::string>& text) {
    Count& count = counts_[{pair.operation->id, pair.cuda->algorithm, kind}];
    ++count.cases;
    if (!text) return;
    ++count.different;
    if (failures_.size() < kMostFailures) {
      failures_.push_back(pair.operation->id + " (" + pair.cuda->algorithm + "), " + case_name +
                          ": " + *text);
    }
  }
  [[nodiscard]] Report report() const {
    Report report;
    for (const auto& [key, count] : counts_) {
      report.rows.push_back({{"operation", key[0]},
                             {"algorithm", key[1]},
                             {"inputs", key[2]},
                             {"cases", count.cases},
                             {"different", count.different}});
    }
    report.failures = failures_;
    return report;
  }

 private:
  struct Count {
    std::int64_t cases = 0;
    std::int64_t different = 0;
  };
  std::map<std::array<std::string, 3>, Count> counts_;
  std::vector<std::string> failures_;
};

/// Returns whether a run may continue from the previous one: connectedness on tiles leaves its
/// result behind.
bool goes_on(const Pair& pair) {
  return pair.operation->find_parameter("sigma_h") != nullptr && pair.cuda->algorithm == "tiles";
}

void compare(const std::vector<Pair>& pairs, const CheckCase& c, const std::string& kind,
             const Where& where, Tally& tally) {
  const std::int64_t cells = c.inputs.image.geometry().voxel_count();
  for (const Pair& pair : pairs) {
    if (!applies(pair, c)) continue;
    const Outcome expected = run(*pair.operation, *pair.reference, c, {});
    gpu::poison_pool(where.device, kPoisonBytes + cells * kPoisonBytesPerCell);
    tally.add(pair, kind, c.name, difference(expected, run(*pair.operation, *pair.cuda, c, where)));
  }
}

}  // namespace

Report check_parity(const OperationTable& table, const ParityOptions& options) {
  std::vector<Pair> pairs = exact_pairs(table);
  std::erase_if(pairs, [&](const Pair& pair) {
    return !pair.cuda->algorithm.starts_with(options.algorithm) ||
           !is_wanted(pair.operation->id, options.operations);
  });
  // One cache for all, as in the window. It would reveal an incomplete key.
  const Where where{options.device, std::make_shared<ScratchCache>()};
  Tally tally;
  for (int k = 0; k < options.random_cases; ++k) {
    const std::uint64_t number = options.first_case + static_cast<std::uint64_t>(k);
    const CheckCase c = random_case(number);
    compare(pairs, c, "random", where, tally);
    compare(pairs, with_more_seeds(c, number), "random, more seeds", where, tally);
    if (k % kPhasesEvery == 0) {
      for (const CheckCase& phases : phase_cases(number))
        compare(pairs, phases, "random, phases", where, tally);
    }
    for (const Pair& pair : pairs) {
      if (!finishes_labels(*pair.operation)) continue;
      const CheckCase labels = label_case(*pair.operation, number);
      compare({pair}, labels, "random, labels", where, tally);
      for (const CheckCase& painted : painted_on(labels, number))
        compare({pair}, painted, "random, labels, strokes", where, tally);
    }
    for (const Pair& pair : pairs) {
      if (!goes_on(pair)) continue;
      for (const CheckCase& painted : painted_on(c, number))
        compare({pair}, painted, "random, strokes", where, tally);
    }
  }
  for (const CheckCase& c : options.cases)
    compare(pairs, c, c.name, where, tally);
  for (const CheckCase& c : options.pictures)
    compare(pairs, c, "pictures", where, tally);
  Report report = tally.report();
  if (pairs.empty())
    report.failures.push_back("there is nothing to compare: no CUDA implementation");
  return report;
}

Report check_determinism(const OperationTable& table, const DeterminismOptions& options) {
  Report report;
  const auto kept = std::make_shared<ScratchCache>();
  for (const CheckCase& c : options.cases) {
    for (const Pair& pair : exact_pairs(table)) {
      if (!applies(pair, c)) continue;
      std::set<std::string> digests;
      for (int k = 0; k < options.runs; ++k) {
        const Where where{options.device, k % 2 == 0 ? nullptr : kept};
        digests.insert(digest_of(run(*pair.operation, *pair.cuda, c, where)));
      }
      report.rows.push_back({{"operation", pair.operation->id},
                             {"algorithm", pair.cuda->algorithm},
                             {"inputs", c.name},
                             {"runs", options.runs},
                             {"digests", digests.size()},
                             {"first", *digests.begin()}});
      if (digests.size() != 1) {
        report.failures.push_back(pair.operation->id + " (" + pair.cuda->algorithm + "), " +
                                  c.name + ": " + std::to_string(digests.size()) +
                                  " different results in " + std::to_string(options.runs) +
                                  " runs");
      }
    }
  }
  return report;
}

}  // namespace seedwave::gpu_check
