// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <type_traits>

/// Transfer and join of connectedness, written once for CPU, CUDA and vectors of cells. They obey
/// the laws of rule.h. They are not a WavefrontRule, because they take the affinity of an edge
/// instead of the Edge. Kernels have it at hand, and the cells of a vector have one each.
///
/// There are only templates here: other functions must not be compiled for one processor's
/// instructions (see kernel_avx2.cpp). Rules with labels are in label_rules.h.
namespace seedwave {

/// Strength of connectedness, pass 1: a path is as strong as its weakest link, and a cell keeps the
/// strength of its best path so far. `State` is a number, or a vector of numbers with its own min()
/// and max().
template <typename State>
struct StrengthRule {
  /// Returns the offer of `from` across an edge of that affinity.
  static SEEDWAVE_HD State transfer(const State& from, const State& affinity) {
    if constexpr (std::is_integral_v<State>) {
      return from < affinity ? from : affinity;
    } else {
      return min(from, affinity);
    }
  }
  static SEEDWAVE_HD State join(const State& a, const State& b) {
    if constexpr (std::is_integral_v<State>) {
      return a < b ? b : a;
    } else {
      return max(a, b);
    }
  }
};

/// Reachability along optimal edges, pass 2, one bit per cell and label, with LabelRule's edges as
/// masks. `State` is a word or a vector of words.
template <typename State>
struct ReachRule {
  /// `edges` marks the cells that may take from there.
  static SEEDWAVE_HD State transfer(const State& from, const State& edges) { return from & edges; }
  static SEEDWAVE_HD State join(const State& a, const State& b) { return a | b; }
};

}  // namespace seedwave
