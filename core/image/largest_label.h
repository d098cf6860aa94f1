// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seedwave {

/// The largest label that can be painted, named and kept in a session: 65535 stands for a tie while
/// labels are computed (kTie). A label image may hold it all the same.
inline constexpr std::uint16_t kLargestLabel = 65534;

}  // namespace seedwave
