// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <utility>

namespace seedwave {

/// Returns an implementation whose solver divides its work among the ranks of a context.
[[nodiscard]] inline Implementation shared_by_ranks(Implementation implementation) {
  implementation.sharing = Sharing::ByRanks;
  return implementation;
}

}  // namespace seedwave
