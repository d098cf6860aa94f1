// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/fuzzy/run.h"

#include <functional>

namespace seedwave::gpu {

/// Returns whether irfc_on_device() can work with these neighbours.
[[nodiscard]] inline bool has_bricks(Connectivity connectivity) {
  return connectivity == Connectivity::C4 || connectivity == Connectivity::C6;
}

/// A result on the device: its parts are written one block of rows at a time.
struct ResultOnDevice {
  Run& run;
  const Download::Fill& labels;
  const Download::Fill& strength;
  /// No earlier run has left a result: then the next one may not come soon.
  bool is_first;
};

/// Runs irfc_by_tiles(), if has_bricks(), on the whole image at once, and hands over the
/// result where it is. The memory of an answer is requested with Returns::Answer alone. Throws as
/// irfc_by_tiles() does, and what `take` throws.
void irfc_on_device(const fuzzy::Problem& problem, Context& context, Returns returns,
                    const std::function<void(const ResultOnDevice&)>& take);

}  // namespace seedwave::gpu
