// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seedwave {

/// The largest label that can be painted, named and saved in a session. 65535 stands for a tie
/// while labels are computed (kTie), although a label map may contain it.
inline constexpr std::uint16_t kLargestLabel = 65534;

}  // namespace seedwave
