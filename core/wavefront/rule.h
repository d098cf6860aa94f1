// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace seedwave {

/// A step along which a cell makes an offer to a neighbour. Cells are offsets, x fastest.
struct Edge {
  std::int64_t from = 0;
  std::int64_t to = 0;
  /// Index of the step in neighbour_steps(connectivity). Offsets alone would not distinguish (1, 0)
  /// from (-1, 1) on a grid two cells wide. neighbour_steps().size() - 1 - step leads back.
  int step = 0;
};

/// The rule of a wavefront, in one form for CPU (rule_tiles.h) and CUDA. It is a small value,
/// copied to each worker or into a kernel's arguments. It may hold plain pointers to data of cells
/// or edges (image, costs, an earlier pass's result), in the memory of the processor that runs it.
/// Its functions are const or static, and SEEDWAVE_HD if they also run on a device:
///
///   using State = ...;                               at most 8 bytes, no pointers; on CUDA 1, 2,
///                                                    4 or 8, and priorities are ignored
///   State transfer(State from, const Edge&) const;   the offer of a cell in that state
///   State join(State a, State b) const;              the combination of the two
///   bool operator==(State, State)
///
/// Requirements for a unique fixpoint, and so for bitwise equal results in any order, on any number
/// of threads, and on any device:
///   join is commutative, associative and idempotent: a <= b, that is join(a, b) = b, orders
///   states; transfer is monotone: a <= b implies transfer(a, e) <= transfer(b, e); no chain of
///   rising states is infinite.
/// A cell that takes nothing (a marker, a cell outside the mask) is one to which transfer passes
/// the smallest state. Do not pack a label beside a cost that is limited along the way. See
/// RelativeRule in label_rules.h for the state that is needed instead, or use two passes.
template <typename Rule>
concept WavefrontRule = std::copyable<Rule> && std::is_trivially_copyable_v<typename Rule::State> &&
                            sizeof(typename Rule::State) <= 8 &&
                        requires(const Rule rule, typename Rule::State state, const Edge edge) {
  { rule.transfer(state, edge) } -> std::same_as<typename Rule::State>;
  { rule.join(state, state) } -> std::same_as<typename Rule::State>;
  { state == state } -> std::convertible_to<bool>;
};

/// A rule that also gives the priority of an offer, 0..kStrongest (below 65536). Tiles with the
/// strongest offer go first. Only the order depends on it, not the result. It pays if better states
/// that arrive late undo much work, as with sums along paths.
template <typename Rule>
concept RuleWithPriority = WavefrontRule<Rule> &&
    requires(const Rule rule, typename Rule::State state) {
  { rule.priority(state) } -> std::same_as<int>;
  { Rule::kStrongest } -> std::convertible_to<int>;
};

/// A rule whose offers never exceed the state they come from: join(a, transfer(a, e)) = a. Declares
/// it by `static constexpr bool kOnlyLoses = true`. Then transfer is skipped if a neighbour already
/// has at least the state itself. This holds for states that are limited, added to or passed on
/// along a path, but not for a rule that offers something new.
template <typename Rule>
concept RuleThatOnlyLoses = WavefrontRule<Rule> && requires {
  requires bool{Rule::kOnlyLoses};
};

/// Returns the state of cell edge.to after it has taken its neighbour's offer.
template <WavefrontRule Rule>
SEEDWAVE_HD typename Rule::State taken(const Rule& rule, typename Rule::State to,
                                       typename Rule::State from, const Edge& edge) {
  if constexpr (RuleThatOnlyLoses<Rule>) {
    if (rule.join(to, from) == to) return to;
  }
  return rule.join(to, rule.transfer(from, edge));
}

}  // namespace seedwave
