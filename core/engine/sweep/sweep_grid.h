// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/vary.h"

#include <cstddef>
#include <vector>

namespace seedwave {

/// The runs of a sweep: every combination of its parameters' values, numbered from 0. The last
/// parameter changes fastest, as in loops nested in that order.
class SweepGrid {
 public:
  /// A grid without parameters and runs.
  SweepGrid() = default;
  /// Throws UsageError: no parameter, a duplicate one, more than kMostSweepRuns runs.
  explicit SweepGrid(std::vector<SweepAxis> axes);

  [[nodiscard]] const std::vector<SweepAxis>& axes() const noexcept { return axes_; }
  /// Number of runs.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Returns the index of a run's value for each parameter.
  [[nodiscard]] std::vector<std::size_t> place_of(std::size_t run) const;
  [[nodiscard]] std::size_t run_at(const std::vector<std::size_t>& place) const;
  /// Returns the values of the varied parameters in one run.
  [[nodiscard]] Values values_of(std::size_t run) const;
  /// Returns the runs that differ from this one by one step of one parameter, in order of number.
  [[nodiscard]] std::vector<std::size_t> neighbours_of(std::size_t run) const;
  friend bool operator==(const SweepGrid&, const SweepGrid&) = default;

 private:
  std::vector<SweepAxis> axes_;
  std::size_t size_ = 0;
};

}  // namespace seedwave
