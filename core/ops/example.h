// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

namespace seedwave {

/// Returns small inputs, by a formula, that suit every operation: a 2-D picture of discs on a
/// striped ground, in colour, as objects or as phases if the operation reads those; and seeds
/// of two labels.
///
/// With Operation::example they fix the operation's result to the bit.
[[nodiscard]] Inputs example_inputs(const Operation& operation);

}  // namespace seedwave
