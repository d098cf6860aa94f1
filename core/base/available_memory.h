// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace seedwave {

/// Bytes that this process can still take without swapping or being killed: the least of what the
/// machine has free and what each memory limit of its control groups leaves, from its own group up
/// to the top. Reads cgroup v1 and v2 (memory.max, memory.high). Page cache that the kernel gives
/// back by itself (inactive_file) counts as free, as it does in the machine's own figure.
///
/// A very large number if the system says nothing. `root`: where /proc is found and mount points
/// begin; for tests.
[[nodiscard]] std::int64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace seedwave
