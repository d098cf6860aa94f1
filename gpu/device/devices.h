// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seedwave::gpu {

/// The devices that this build can run on, or why there is none.
struct DeviceList {
  std::vector<DeviceInfo> devices;
  /// Empty exactly when `devices` is not.
  std::string why_none;
};

/// Asks the driver. A machine without a driver or GPU is an ordinary answer, and so is a device
/// that cannot be used: one without memory pools, or whose architecture this build has no code for.
/// Makes the first one the calling thread's. Throws UnavailableError where that fails all the same.
[[nodiscard]] DeviceList list_devices();

/// Why a call that ended with `code` (a cudaError_t) found no usable device, in one clause.
[[nodiscard]] std::string why_no_device(int code);

/// Shared memory that a block may ask for on the calling thread's device.
/// Throws UnavailableError when there is none.
[[nodiscard]] std::int64_t shared_bytes_of_block();

/// Makes `number` the calling thread's device. Throws UnavailableError when there is none.
void use_device(int number);

}  // namespace seedwave::gpu
