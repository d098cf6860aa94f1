// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/strips.h"

#include <memory>

namespace seedwave::texture {

/// Returns a walker that computes features window by window. It borrows its arguments.
[[nodiscard]] std::unique_ptr<StripWalker> window_walker(TpcfAlgorithm algorithm,
                                                         const TpcfProblem& problem,
                                                         const LagTable& table,
                                                         const Context& context);

}  // namespace seedwave::texture
