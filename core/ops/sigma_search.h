// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/metrics/scored.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The result of one sigma_o.
struct SigmaScore {
  double sigma_o = 0.0;
  double dice = 0.0;
};

/// The result of the search for sigma_o.
struct SigmaSearch {
  /// All values tried, by ascending sigma_o.
  std::vector<SigmaScore> tried;
  SigmaScore best;
  /// Values that can be run: `auto` replaced by numbers, sigma_o by the best one. If each label has
  /// its own sigma_o, all were scaled alike and `tried` has that of the reference's label.
  Values values;
};

/// Searches for the sigma_o whose result agrees best (Dice) with label `label` of the reference,
/// compared where `scored` says.
///
/// m, sigma_h and the first sigma_o are those of `values`, estimated once if `auto`. The search
/// tries 10 multiples of that sigma_o, from 1/8 to 2^1.5 in half octaves, because noise calls for
/// less than an object's own deviation, and never for much more. Then it tries both sides of the
/// best twice, at a quarter and an eighth of an octave: 14 runs. Of equal scores the smaller
/// sigma_o is the best.
///
/// implementation: of an operation with `sigma_o` and `object`.
/// Throws InputError if the reference has no such label, the errors of the runs, and Cancelled.
[[nodiscard]] SigmaSearch search_sigma_o(const Implementation& implementation, const Inputs& inputs,
                                         const Values& values, const LabelMap& reference,
                                         Label label, Scored scored, Context& context);

}  // namespace seedwave
