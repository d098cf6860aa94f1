// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/check_case.h"
#include "core/ops/operation_table.h"
#include "core/parallel/context.h"
#include "core/parallel/scratch_cache.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// An operation's exact CUDA implementation and the CPU's that it must equal.
struct Pair {
  const Operation* operation = nullptr;
  const Implementation* reference = nullptr;
  const Implementation* cuda = nullptr;
};
/// The CPU implementation that others must equal; null where the operation has none.
[[nodiscard]] const Implementation* find_reference(const Operation& operation);
/// All of the table's.
[[nodiscard]] std::vector<Pair> exact_pairs(const OperationTable& table);
/// One of them. Throws UsageError when there is none.
[[nodiscard]] Pair exact_pair(const OperationTable& table, const std::string& operation,
                              const std::string& algorithm);

/// What a run gave: a result, or the message of an input that it refused.
struct Outcome {
  Result result;
  std::string refusal;
  std::vector<StageTime> stages;
  double wall_ms = 0.0;
};

struct Where {
  int device = 0;
  /// Kept between runs; a fresh one where null.
  std::shared_ptr<ScratchCache> cache{};
  /// Of the CPU; 0: all.
  int threads = 0;
  /// As in Context.
  std::int64_t memory = 0;
};
/// A case's values serve all operations: an operation takes those that it has.
[[nodiscard]] Values values_for(const Operation& operation, const CheckCase& c);
/// Whether the CUDA implementation can compute the case, and is meant to.
[[nodiscard]] bool applies(const Pair& pair, const CheckCase& c);
[[nodiscard]] Outcome run(const Operation& operation, const Implementation& implementation,
                          const CheckCase& c, const Where& where);

/// The outputs "labels" and "strength" of a result.
[[nodiscard]] std::span<const std::uint16_t> labels_of(const Outcome& outcome);
[[nodiscard]] std::span<const std::byte> strength_of(const Outcome& outcome);
/// The output "image" of a result that holds distances.
[[nodiscard]] std::span<const float> lengths_of(const Outcome& outcome);

/// How `got` differs from `expected`, in one line; nothing when all bits are the same.
[[nodiscard]] std::optional<std::string> difference(const Outcome& expected, const Outcome& got);

/// XXH64 of every output, by name.
[[nodiscard]] std::string digest_of(const Outcome& outcome);

}  // namespace seedwave::gpu_check
