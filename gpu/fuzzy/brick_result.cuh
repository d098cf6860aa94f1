// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/added_seeds.h"
#include "gpu/device/kept.h"
#include "gpu/fuzzy/brick_run.cuh"
#include "gpu/fuzzy/kept_names.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu {

/// What a run leaves on the device, so that the next one, with more seeds, goes on from it.
struct BrickResult {
  enum class Kind { Relative, Iterative };
  Kind kind = Kind::Relative;
  fuzzy::GrownFrom from;
  /// Relative: to the seeds of each of these labels. Iterative: to all seeds, with no label.
  std::vector<std::uint16_t> labels;
  std::vector<BrickRun::Strength> strength;
  /// Iterative: the optimal edges, and what the labels of each group reach along them.
  BrickRun::Bits inwards;
  std::vector<LabelGroup> groups;
  std::vector<BrickRun::Bits> reached;
};

[[nodiscard]] inline std::string result_name(const Context& context) {
  return device_cache_name(kept::kBrickResult, context);
}

/// For a run that leaves none.
inline void drop_result(Context& context) {
  static_cast<void>(context.cache().take<BrickResult>(result_name(context)));
}

/// A run's result while it is made: the former one, where the run may go on from that, else a new
/// one. It is out of the cache meanwhile, so that a run that was stopped leaves nothing half done.
class Continuation {
 public:
  Continuation(BrickResult::Kind kind, const fuzzy::Problem& problem, Context& context)
      : context_(context), problem_(problem) {
    result_ = context.cache().take<BrickResult>(result_name(context));
    is_first_ = result_ == nullptr;
    if (result_ && result_->kind == kind) {
      difference_ = fuzzy::seed_difference(result_->from, problem);
    }
    if (difference_.change != fuzzy::SeedChange::Other) return;
    result_ = std::make_shared<BrickResult>();
    result_->kind = kind;
  }

  [[nodiscard]] BrickResult& result() { return *result_; }
  /// No run before this one has left any result.
  [[nodiscard]] bool is_first() const { return is_first_; }
  [[nodiscard]] fuzzy::SeedChange change() const { return difference_.change; }
  /// With SeedChange::Added.
  [[nodiscard]] const std::vector<Seed>& added() const { return difference_.added; }

  /// Leaves the result, finished, for the next run.
  void keep() {
    result_->from = fuzzy::grown_from(problem_);
    context_.cache().put(result_name(context_), std::move(result_), kOnDevice);
  }

 private:
  Context& context_;
  const fuzzy::Problem& problem_;
  std::shared_ptr<BrickResult> result_;
  bool is_first_ = true;
  fuzzy::SeedDifference difference_;
};

}  // namespace seedwave::gpu
