// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/vary.h"

#include <cstddef>
#include <vector>

namespace seedwave {

/// The runs of a sweep: every combination of its parameters' values, numbered from 0. The last
/// parameter changes fastest, as in loops written one inside the other in that order.
class SweepGrid {
 public:
  /// No parameter, no run.
  SweepGrid() = default;
  /// Throws UsageError: no parameter, one twice, more than kMostSweepRuns runs.
  explicit SweepGrid(std::vector<SweepAxis> axes);

  [[nodiscard]] const std::vector<SweepAxis>& axes() const noexcept { return axes_; }
  /// How many runs.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Which of each parameter's values a run has.
  [[nodiscard]] std::vector<std::size_t> place_of(std::size_t run) const;
  [[nodiscard]] std::size_t run_at(const std::vector<std::size_t>& place) const;
  /// The values of one run, of the varied parameters alone.
  [[nodiscard]] Values values_of(std::size_t run) const;
  /// The runs that differ from this one by one step of one parameter, in order of their numbers.
  [[nodiscard]] std::vector<std::size_t> neighbours_of(std::size_t run) const;
  friend bool operator==(const SweepGrid&, const SweepGrid&) = default;

 private:
  std::vector<SweepAxis> axes_;
  std::size_t size_ = 0;
};

}  // namespace seedwave
