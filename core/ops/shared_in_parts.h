// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <utility>

namespace seedwave {

/// Returns an implementation whose solver divides its work among the workers and ranks of a
/// context.
[[nodiscard]] inline Implementation shared_in_parts(Implementation implementation) {
  implementation.sharing = Sharing::InParts;
  return implementation;
}

}  // namespace seedwave
