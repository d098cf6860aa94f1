// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/metrics/scored.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// What one sigma_o gave.
struct SigmaScore {
  double sigma_o = 0.0;
  double dice = 0.0;
};

/// What the search for sigma_o found.
struct SigmaSearch {
  /// Everything tried, by rising sigma_o.
  std::vector<SigmaScore> tried;
  SigmaScore best;
  /// Ready to run: `auto` replaced by numbers, sigma_o by the best one. Where each label has its
  /// own sigma_o, all were scaled alike and `tried` names that of the reference's label.
  Values values;
};

/// Looks for the sigma_o whose result agrees best (Dice) with label `label` of inputs.reference,
/// compared where `scored` says.
///
/// m, sigma_h and the first sigma_o are those of `values`, estimated once where `auto`. Tried are
/// 10 multiples of that sigma_o, from 1/8 to 2^1.5 in half octaves: noise asks for less than an
/// object's own spread, and never for much more. Then twice both sides of the best, at a quarter
/// and an eighth of an octave: 14 runs. Of equal scores the smaller sigma_o is the best.
///
/// implementation: of an operation with `sigma_o` and `object`.
/// Throws InputError where the reference has no such label, and what the runs throw; Cancelled.
[[nodiscard]] SigmaSearch search_sigma_o(const Implementation& implementation, const Inputs& inputs,
                                         const Values& values, std::uint16_t label, Scored scored,
                                         Context& context);

}  // namespace seedwave
