// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace seedwave {

/// Returns the bytes that this process can still allocate without swapping or being killed: the
/// minimum of the machine's free memory and of what each memory limit of its control groups leaves,
/// from its own group up to the root. Reads cgroup v1 and v2 (memory.max, memory.high). Page cache
/// that the kernel can reclaim (inactive_file) counts as free, as it does in the machine's own
/// figure.
///
/// Returns a very large number if the system states nothing. `root`: the place of /proc and the
/// start of mount points; for tests.
[[nodiscard]] std::int64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace seedwave
