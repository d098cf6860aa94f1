// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <cstdint>

/// Rules for wavefronts whose states hold labels, written once for CPU and CUDA. As in
/// strength_rules.h, they take an affinity or a test in place of an edge.
namespace seedwave {

/// Marks a cell that several labels reach equally.
inline constexpr std::uint16_t kTie = 0xFFFF;

/// Labels over final strengths h, pass 2: a label reaches a cell c from its optimal predecessors.
/// Labels join as none (0) < {k} < kTie.
struct LabelRule {
  using State = std::uint16_t;

  /// Returns whether e, adjacent to c, is an optimal predecessor: min(h(e), affinity) = h(c) > 0.
  /// At the fixpoint of the strengths the left side never exceeds h(c).
  static SEEDWAVE_HD bool passes(std::uint16_t h_e, std::uint16_t affinity, std::uint16_t h_c) {
    return h_c > 0 && affinity >= h_c && h_e >= h_c;
  }
  static SEEDWAVE_HD State join(State a, State b) {
    if (a == b || b == 0) return a;
    return a == 0 ? b : kTie;
  }
};

/// Relative connectedness in one pass: the best strength, its label (or kTie), and the best
/// strength of any other label. The state represents the vector of all labels' strengths, with
/// componentwise min and max. So the rule is monotone although a label is part of the state.
struct RelativeRule {
  struct State {
    std::uint16_t best;
    std::uint16_t label;
    std::uint16_t second;
    friend SEEDWAVE_HD bool operator==(const State& a, const State& b) {
      return a.best == b.best && a.label == b.label && a.second == b.second;
    }
  };

  /// Limits both strengths by the affinity. If the limit makes them equal, they tie.
  static SEEDWAVE_HD State transfer(State from, std::uint16_t affinity) {
    if (affinity == 0 || from.best == 0) return {0, 0, 0};
    if (from.best > affinity) from.best = affinity;
    if (from.second > affinity) from.second = affinity;
    if (from.second == from.best) from.label = kTie;
    return from;
  }
  static SEEDWAVE_HD State join(const State& a, const State& b) {
    if (a.best == 0) return b;
    if (b.best == 0) return a;
    State joined = a.best < b.best ? b : a;
    if (a.best == b.best && a.label != b.label) joined.label = kTie;
    const std::uint16_t other_a = a.label == joined.label ? a.second : a.best;
    const std::uint16_t other_b = b.label == joined.label ? b.second : b.best;
    joined.second = other_a < other_b ? other_b : other_a;
    return joined;
  }
};

/// Two classes at once, as in P-ORFC: strength h and class lambda (0 for the object, 1 for all
/// others) in one word, 2 h + lambda. The larger word is the source's preference: greater strength
/// and, at equal strength, the others. 0 means that no path has arrived.
///
/// The rule depends on the order of work: lambda is lost when strengths are limited to the same
/// value. So the rounds must be in lock step. Source: Y. Zhuge, K. C. Ciesielski, J. K. Udupa, R.
/// W. Miller, Med. Phys. 40(1), 2013, Algorithm 3.
struct TwoClassRule {
  using State = std::uint16_t;

  static constexpr SEEDWAVE_HD State pack(std::uint16_t strength, std::uint16_t lambda) {
    return static_cast<State>(2 * strength + lambda);
  }
  static constexpr SEEDWAVE_HD std::uint16_t strength_of(State state) {
    return static_cast<std::uint16_t>(state >> 1);
  }
  static constexpr SEEDWAVE_HD bool object_holds(State state) {
    return state != 0 && (state & 1) == 0;
  }

  /// Limits the strength by the affinity and keeps lambda. Returns 0 for an affinity of 0.
  static SEEDWAVE_HD State transfer(State from, std::uint16_t affinity) {
    // The limit 2 kappa + 1, or 0, never cuts off a lambda that belongs to a smaller strength.
    const auto limit = static_cast<State>(affinity << 1 | (affinity != 0 ? 1 : 0));
    const State limited = from < limit ? from : limit;
    return static_cast<State>(limited & (from | 0xFFFE));
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? b : a; }
};

}  // namespace seedwave
