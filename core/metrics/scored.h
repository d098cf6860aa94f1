// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave {

/// The voxels at which a result is compared with a reference. WhereLabelled: the reference marks
/// only parts, and voxels of a result beyond them do not count (see compared_part()).
enum class Scored { Everywhere, WhereLabelled };

}  // namespace seedwave
