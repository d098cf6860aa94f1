// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/image/geometry.h"

#include <string>

namespace seedwave {

/// For functions that index one grid by another: throws InputError that names `what` ("the result
/// and the reference") when the sizes differ, in every build.
inline void check_same_size(const Geometry& a, const Geometry& b, const char* what) {
  if (a.size == b.size) return;
  throw InputError(std::string(what) + " are on different grids: " + describe(a) + "; " +
                   describe(b));
}

}  // namespace seedwave
