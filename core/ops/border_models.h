// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/refine_border.h"
#include "core/ops/operation.h"

#include <set>
#include <span>
#include <vector>

namespace seedwave {

/// The parameters of a refinement of borders: band, smoothness, prior, and what is estimated for
/// each label.
[[nodiscard]] std::vector<Parameter> border_parameters();

/// Reads these parameters into a problem whose image, labels, seeds and mask are set. Estimates
/// what is `auto` or missing for a label, and puts it into the values. Stops at InputError,
/// UsageError and Cancelled.
///
/// telling: seeds whose intensities describe their label. giving_way: a label that is not cut; 0:
/// none.
void set_up_border(Values& values, border::RefineBorderProblem& problem,
                   std::span<const Seed> telling, Label giving_way, Context& context);

/// Does the same without the labels, of which only `labels` occur. Returns false, and changes
/// nothing, if something has to be estimated.
[[nodiscard]] bool set_up_given_border(Values& values, border::RefineBorderProblem& problem,
                                       const std::set<Label>& labels, Label giving_way);

}  // namespace seedwave
