// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/refine_border.h"
#include "core/ops/operation.h"

#include <vector>

namespace seedwave {

/// The parameters of a refinement of borders: band, smoothness, prior, and what is estimated for
/// each label.
[[nodiscard]] std::vector<Parameter> border_parameters();

/// Reads these parameters into a problem whose image, labels, seeds and mask are set. Estimates
/// what is `auto` or missing for a label, and puts it into the values. Stops at InputError,
/// UsageError and Cancelled.
void set_up_border(Values& values, border::RefineBorderProblem& problem, Context& context);

}  // namespace seedwave
