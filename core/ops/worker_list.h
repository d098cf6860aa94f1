// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "core/parallel/context.h"

#include <string>
#include <vector>

namespace seedwave {

/// The list of every CUDA device and the CPU.
inline constexpr const char* kAllDevices = "all";

/// Returns the parts of the machine in a list such as "cpu,cuda:0,cuda:1", or all for "all": every
/// CUDA device and the CPU. One that is named twice is two workers on it. Each gets at least one of
/// `threads`. Beside groups on the CPU a device has a quarter, for copies, and all devices at most
/// half; the rest is divided among the groups. Throws UsageError, and UnavailableError if there is
/// no such device.
[[nodiscard]] std::vector<Worker> workers_of(const std::string& list, const OperationTable& table,
                                             int threads);

/// Lets the parts of the machine in such a list share a run: sets its workers if there are several,
/// and its backend and device to the first device, or to the CPU if the list has none. Throws as
/// workers_of().
void share_among(const std::string& list, const OperationTable& table, ImplementationRequest& how,
                 Context::Settings& settings);

/// Returns whether this machine has a device, and all devices and the CPU can share runs of the
/// operation. Some inputs may still exclude it.
[[nodiscard]] bool can_share_among_all(const Operation& operation, const OperationTable& table);
/// Returns whether they can share a run of it with these inputs, and values from checked_values().
[[nodiscard]] bool can_share_among_all(const Operation& operation, const OperationTable& table,
                                       const Inputs& inputs, const Values& values);

/// Returns "NVIDIA H200 (cuda:0)" or "CPU, 8 threads".
[[nodiscard]] std::string name_of(const Worker& worker, const OperationTable& table);

}  // namespace seedwave
