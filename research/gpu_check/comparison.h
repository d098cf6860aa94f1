// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "core/parallel/context.h"
#include "core/parallel/scratch_cache.h"
#include "research/gpu_check/check_case.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// An operation's exact CUDA implementation and the CPU implementation that it must equal.
struct Pair {
  const Operation* operation = nullptr;
  const Implementation* reference = nullptr;
  const Implementation* cuda = nullptr;
};
/// Returns the CPU implementation that others must equal; null if the operation has none.
[[nodiscard]] const Implementation* find_reference(const Operation& operation);
/// Returns all pairs of the table.
[[nodiscard]] std::vector<Pair> exact_pairs(const OperationTable& table);
/// Returns one of the pairs. Throws UsageError if there is none.
[[nodiscard]] Pair exact_pair(const OperationTable& table, const std::string& operation,
                              const std::string& algorithm);

/// The outcome of a run: a result, or the message of a refused input.
struct Outcome {
  Result result;
  std::string refusal;
  std::vector<StageTime> stages;
  std::vector<WorkDone> work;
  double wall_ms = 0.0;
};

struct Where {
  int device = 0;
  /// Cache kept between runs; null: a new one for each run.
  std::shared_ptr<ScratchCache> cache{};
  /// Number of CPU threads; 0: all.
  int threads = 0;
  /// Memory limit, thickness of slabs and workers that share them, as in Context.
  std::int64_t memory = 0;
  std::int64_t layers = 0;
  std::vector<Worker> workers{};
};
/// Returns an operation's values for a case. The values of a case serve all operations; each takes
/// those it has.
[[nodiscard]] Values values_for(const Operation& operation, const CheckCase& c);
/// Returns whether an operation reads or makes labels with estimates, and has cases of its own.
[[nodiscard]] bool finishes_labels(const Operation& operation);
/// Returns whether the CUDA implementation can compute the case and is meant to.
[[nodiscard]] bool applies(const Pair& pair, const CheckCase& c);
[[nodiscard]] Outcome run(const Operation& operation, const Implementation& implementation,
                          const CheckCase& c, const Where& where);

/// The outputs "labels" and "strength" of a result.
[[nodiscard]] LabelSpan labels_of(const Outcome& outcome);
[[nodiscard]] std::span<const std::byte> strength_of(const Outcome& outcome);
/// Returns the output "image" of a result that contains distances.
[[nodiscard]] std::span<const float> lengths_of(const Outcome& outcome);

/// Describes in one line how `got` differs from `expected`; nothing if all bits are equal.
[[nodiscard]] std::optional<std::string> difference(const Outcome& expected, const Outcome& got);

/// Returns the XXH64 of every output, by name.
[[nodiscard]] std::string digest_of(const Outcome& outcome);

}  // namespace seedwave::gpu_check
