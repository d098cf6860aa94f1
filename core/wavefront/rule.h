// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace seedwave {

/// A step along which a cell passes something to a neighbour. Cells are offsets, x fastest.
struct Edge {
  std::int64_t from = 0;
  std::int64_t to = 0;
  /// Which of neighbour_steps(connectivity) leads there: offsets alone would not tell (1, 0) from
  /// (-1, 1) on a grid two cells wide. neighbour_steps().size() - 1 - step leads back.
  int step = 0;
};

/// A wavefront's rule, the one form for CPU (rule_tiles.h) and CUDA: a small value, copied to each
/// worker or into a kernel's arguments, that may hold plain pointers to what cells or edges have
/// (image, costs, an earlier pass's result), in the memory of whoever runs it. Its functions are
/// const or static, and SEEDWAVE_HD where they are to run on a device too:
///
///   using State = ...;                               at most 8 bytes, no pointers; on CUDA 1, 2,
///                                                    4 or 8, and a priority counts for nothing
///   State transfer(State from, const Edge&) const;   what a cell in that state offers
///   State join(State a, State b) const;              the two as one
///   bool operator==(State, State)
///
/// What must hold for a unique fixpoint, and so for the same bits whatever the order, threads or
/// device:
///   join is commutative, associative and idempotent: a <= b, that is join(a, b) = b, orders
///   states; transfer is monotone: a <= b makes transfer(a, e) <= transfer(b, e); no chain of
///   growing states is endless.
/// A cell that takes nothing (a marker, a cell outside the mask) is one to which transfer passes
/// the least state. Do not pack a label beside a cost that is limited on the way: see
/// label_rules.h, RelativeRule, for what such a state must hold in place of one label, or make it
/// two passes.
template <typename Rule>
concept WavefrontRule = std::copyable<Rule> && std::is_trivially_copyable_v<typename Rule::State> &&
                            sizeof(typename Rule::State) <= 8 &&
                        requires(const Rule rule, typename Rule::State state, const Edge edge) {
  { rule.transfer(state, edge) } -> std::same_as<typename Rule::State>;
  { rule.join(state, state) } -> std::same_as<typename Rule::State>;
  { state == state } -> std::convertible_to<bool>;
};

/// A rule that also says how urgent what is offered is, 0..kStrongest (below 65536): tiles to which
/// the strongest is offered go first. Order only, the result is the same for any; worth it where
/// late better states undo much work, as with sums along paths.
template <typename Rule>
concept RuleWithPriority = WavefrontRule<Rule> &&
    requires(const Rule rule, typename Rule::State state) {
  { rule.priority(state) } -> std::same_as<int>;
  { Rule::kStrongest } -> std::convertible_to<int>;
};

/// A rule of which nothing grows on the way, join(a, transfer(a, e)) = a, says so by
/// `static constexpr bool kOnlyLoses = true`: where a neighbour has as much already, nobody need
/// ask what transfer would make of it. True of what is limited, added to or let through along a
/// path; not of a rule that offers something new.
template <typename Rule>
concept RuleThatOnlyLoses = WavefrontRule<Rule> && requires {
  requires bool{Rule::kOnlyLoses};
};

/// What cell edge.to is when its neighbour's offer has been taken.
template <WavefrontRule Rule>
SEEDWAVE_HD typename Rule::State taken(const Rule& rule, typename Rule::State to,
                                       typename Rule::State from, const Edge& edge) {
  if constexpr (RuleThatOnlyLoses<Rule>) {
    if (rule.join(to, from) == to) return to;
  }
  return rule.join(to, rule.transfer(from, edge));
}

}  // namespace seedwave
