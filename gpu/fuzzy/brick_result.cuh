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

/// The result that a run leaves on the device, so that a run with more seeds can continue from it.
struct BrickResult {
  enum class Kind { Relative, Iterative };
  Kind kind = Kind::Relative;
  fuzzy::GrownFrom from;
  /// For Relative, strengths to the seeds of each of these labels. For Iterative, strengths to all
  /// seeds, with no label.
  std::vector<std::uint16_t> labels;
  std::vector<BrickRun::Strength> strength;
  /// For Iterative, the optimal edges and the cells that the labels of each group reach along them.
  BrickRun::Bits inwards;
  std::vector<LabelGroup> groups;
  std::vector<BrickRun::Bits> reached;
};

[[nodiscard]] inline std::string result_name(const Context& context) {
  return device_cache_name(kept::kBrickResult, context);
}

/// Drops the previous result, for a run that leaves none.
inline void drop_result(Context& context) {
  static_cast<void>(context.cache().take<BrickResult>(result_name(context)));
}

/// The result of a run in progress: the previous result if the run can continue from it, else a new
/// one. It is out of the cache during the run, so that a cancelled run leaves nothing incomplete.
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
  /// Returns whether no earlier run has left a result.
  [[nodiscard]] bool is_first() const { return is_first_; }
  [[nodiscard]] fuzzy::SeedChange change() const { return difference_.change; }
  /// The added seeds, for SeedChange::Added.
  [[nodiscard]] const std::vector<Seed>& added() const { return difference_.added; }

  /// Leaves the finished result for the next run.
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
