// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/image/geometry.h"

#include <string>

namespace seedwave {

/// Checks the sizes of two grids in every build, for functions that index one by the other. Throws
/// InputError that names `what` ("the result and the reference") if they differ.
inline void check_same_size(const Geometry& a, const Geometry& b, const char* what) {
  if (a.size == b.size) return;
  throw InputError(std::string(what) + " are on different grids: " + describe(a) + "; " +
                   describe(b));
}

}  // namespace seedwave
