// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave {

/// Where a result is compared with a reference. WhereLabelled: the reference marks only parts, and
/// what a result has beyond them counts for nothing (see compared_part()).
enum class Scored { Everywhere, WhereLabelled };

}  // namespace seedwave
