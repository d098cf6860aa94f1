// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <type_traits>

/// Transfer and join of connectedness, each written once, for CPU and CUDA, and for whole vectors
/// of cells. They obey the laws of rule.h; no WavefrontRule, because what they take is the affinity
/// of an edge and not the Edge: kernels have it at hand, and a vector's cells have one each.
///
/// Templates only, for what is no template must not be compiled for one processor's instructions
/// (see kernel_avx2.cpp). The rules that know labels are in label_rules.h.
namespace seedwave {

/// Strength of connectedness, pass 1: a cell's best path so far is as strong as its weakest link.
/// `State` is a number, or a vector of numbers with min() and max() of its own.
template <typename State>
struct StrengthRule {
  /// What `from` offers across an edge of that affinity.
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

/// Reachability along optimal edges, pass 2, one bit per cell and label: LabelRule's edges as
/// masks. `State` is a word or a vector of words.
template <typename State>
struct ReachRule {
  /// `edges`: the cells that may take from there.
  static SEEDWAVE_HD State transfer(const State& from, const State& edges) { return from & edges; }
  static SEEDWAVE_HD State join(const State& a, const State& b) { return a | b; }
};

}  // namespace seedwave
