// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave {

/// Opens a new file without a name in a folder, for reading and writing by this user alone: it
/// vanishes when the last that holds it ends. Returns its descriptor, or -1 with errno set.
/// Allocates no memory.
[[nodiscard]] int open_unnamed_file(const char* folder);

}  // namespace seedwave
