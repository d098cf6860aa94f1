// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The rules of wavefronts that CPU and CUDA share. States form a join-semilattice and transfer is
/// monotone, so the fixpoint above the initial state is unique: order, threads and devices do not
/// show in the result.
namespace seedwave {

/// Strength of connectedness, pass 1: a cell's best path so far is as strong as its weakest link.
/// `State` is a number or a vector of numbers with min() and max() of its own.
template <typename State>
struct StrengthRule {
  /// What `from` offers across an edge of that affinity.
  static State transfer(const State& from, const State& affinity) { return min(from, affinity); }
  static State join(const State& a, const State& b) { return max(a, b); }
};

/// Reachability along optimal edges, pass 2, one bit a cell: a label reaches a cell from an optimal
/// predecessor e, that is where h(e) >= h(c) > 0 and affinity(c, e) >= h(c).
/// `State` is a word or a vector of words.
template <typename State>
struct ReachRule {
  /// `edges`: the cells that may take from there.
  static State transfer(const State& from, const State& edges) { return from & edges; }
  static State join(const State& a, const State& b) { return a | b; }
};

}  // namespace seedwave
