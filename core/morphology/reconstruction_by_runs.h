// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/disjoint_sets.h"
#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "core/morphology/reconstruction.h"
#include "core/morphology/strips.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace seedwave {

/// The connected components of an object, built from runs along rows. The cost of a run does not
/// depend on its length, nor that of a path on its windings. Processes strips of rows on all
/// threads.
class RunComponents {
 public:
  /// Cells begin .. end - 1 of a row.
  struct Run {
    std::int32_t begin;
    std::int32_t end;
  };
  /// Sets inside[x] to 1 for the object's cells of row y + ny * z and to 0 for the others. Called
  /// by several threads at once.
  using Object = std::function<void(std::int64_t row, std::uint8_t* inside)>;

  static constexpr std::int64_t kMostCells = std::int64_t{1} << 31;

  /// `size` must not exceed kMostCells. Throws Cancelled.
  RunComponents(const Index3& size, Connectivity connectivity, const Object& object,
                Context& context);

  /// Returns the number of strips, disjoint ranges of rows for threads to share.
  [[nodiscard]] std::int64_t strip_count() const noexcept {
    return (size_[1] * size_[2] + rows_per_strip_ - 1) / rows_per_strip_;
  }
  [[nodiscard]] std::int64_t first_row(std::int64_t strip) const noexcept {
    return strip * rows_per_strip_;
  }
  [[nodiscard]] std::int64_t last_row(std::int64_t strip) const noexcept;

  [[nodiscard]] std::int64_t run_count() const noexcept { return first_runs_.back(); }
  [[nodiscard]] std::span<const Run> runs(std::int64_t row) const {
    return {runs_.get() + first_run(row), runs_.get() + first_run(row + 1)};
  }
  /// Returns the number of a row's first run. Its others follow.
  [[nodiscard]] std::int64_t first_run(std::int64_t row) const {
    return first_runs_[static_cast<std::size_t>(row)];
  }
  /// Returns the first run of the component that contains a run. Not thread-safe.
  [[nodiscard]] std::int64_t component_of(std::int64_t run) {
    return sets_.first_of(static_cast<std::uint32_t>(run));
  }

 private:
  void find_bits(std::int64_t strip, const Object& object);
  void find_runs(std::int64_t strip);
  void join_rows(std::int64_t a, std::int64_t b, int reach);
  void join_with_rows_before(std::int64_t strip, bool within);

  Index3 size_;
  std::vector<NeighbourStep> before_;  // steps to preceding rows; dx: how far sideways runs touch
  std::int64_t rows_per_strip_;
  std::int64_t words_per_row_;
  LargeArray<std::uint64_t> bits_;        // of the rows, until runs are found
  std::vector<std::int64_t> first_runs_;  // first run of each row, and the total
  LargeArray<Run> runs_;
  DisjointSets<std::uint32_t> sets_{0};
};

/// Returns whether the mask has exactly two values and the marker lies nowhere below both (for
/// erosion, above). The number of voxels must also allow runs to be counted. `problem` must be
/// checked.
[[nodiscard]] bool has_two_values(const ReconstructionProblem& problem);

/// Reconstructs a problem for which has_two_values() holds, by the components of the mask's higher
/// value. Each component gets the highest marker in it. The cost does not depend on how paths wind.
/// Throws Cancelled.
[[nodiscard]] Reconstruction reconstruct_by_runs(const ReconstructionProblem& problem,
                                                 Context& context);

}  // namespace seedwave
