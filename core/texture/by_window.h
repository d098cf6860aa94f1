// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/strips.h"

#include <memory>
#include <vector>

namespace seedwave::texture {

/// What computes features window by window. It borrows its arguments.
[[nodiscard]] std::unique_ptr<StripWalker> window_walker(TpcfAlgorithm algorithm,
                                                         const TpcfProblem& problem,
                                                         const LagTable& table,
                                                         const Context& context);

/// features_at() of a problem and place that were checked: pairs are counted in words of bits.
[[nodiscard]] std::vector<float> features_of_window(const TpcfProblem& problem,
                                                    const LagTable& table, std::int64_t x,
                                                    std::int64_t y);

}  // namespace seedwave::texture
