// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/wavefront/label_rules.h"
#include "core/wavefront/rule.h"
#include "core/wavefront/rules.h"

#include <cstdint>

/// The rules of fuzzy connectedness over stored affinities, as the engines for any rule read them.
/// Cells are those of a Grid, padding included.
namespace seedwave::gpu {

/// Affinities by edge, of a plane of `cells` for each of the `ahead` steps ahead.
class EdgeAffinities {
 public:
  EdgeAffinities(const std::uint16_t* planes, std::int64_t cells, int ahead)
      : planes_(planes), cells_(cells), ahead_(ahead) {}

  /// Kept at the cell from which the edge leads ahead.
  [[nodiscard]] SEEDWAVE_HD std::uint16_t operator()(const Edge& edge) const {
    return edge.step >= ahead_ ? planes_[(edge.step - ahead_) * cells_ + edge.from]
                               : planes_[(ahead_ - 1 - edge.step) * cells_ + edge.to];
  }

 private:
  const std::uint16_t* planes_;
  std::int64_t cells_;
  int ahead_;
};

/// StrengthRule, over a grid's affinities.
struct StrengthOverEdges {
  using State = std::uint16_t;
  static constexpr bool kOnlyLoses = true;
  EdgeAffinities affinity;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    return StrengthRule<State>::transfer(from, affinity(edge));
  }
  [[nodiscard]] static SEEDWAVE_HD State join(State a, State b) {
    return StrengthRule<State>::join(a, b);
  }
};

/// LabelRule, over finished strengths.
struct LabelOverEdges {
  using State = LabelRule::State;
  static constexpr bool kOnlyLoses = true;
  EdgeAffinities affinity;
  const std::uint16_t* strength;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    const bool passes = LabelRule::passes(strength[edge.from], affinity(edge), strength[edge.to]);
    return passes ? from : 0;
  }
  [[nodiscard]] static SEEDWAVE_HD State join(State a, State b) { return LabelRule::join(a, b); }
};

}  // namespace seedwave::gpu
