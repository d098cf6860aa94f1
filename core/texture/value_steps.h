// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace seedwave {

/// The range of an image's values in steps: one per integer if these are at most kMost, else kMost
/// of equal width.
struct ValueSteps {
  static constexpr std::int64_t kMost = 1 << 16;

  double low = 0.0;
  double width = 1.0;
  std::int64_t count = 1;

  /// Returns the step of `value`, which must be in the range.
  [[nodiscard]] std::int64_t step_of(double value) const noexcept {
    return std::min(count - 1, static_cast<std::int64_t>((value - low) / width));
  }
};

/// Returns the steps of an image. Throws InputError for NaN and infinities.
[[nodiscard]] ValueSteps steps_of(const Volume& image);

/// Returns the number of values in each step.
[[nodiscard]] std::vector<std::int64_t> count_steps(const Volume& image, const ValueSteps& steps,
                                                    Context& context);

}  // namespace seedwave
