// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seedwave::gpu {

/// The devices that this build can run on, or the reason why there are none.
struct DeviceList {
  std::vector<DeviceInfo> devices;
  /// Empty if and only if `devices` is not.
  std::string why_none;
};

/// Queries the driver and makes the first usable device current for the calling thread.
///
/// A machine without a driver or GPU is no error. Nor is a device that cannot be used: one without
/// memory pools, or with an architecture that this build has no code for. Throws UnavailableError
/// if making the device current fails.
[[nodiscard]] DeviceList list_devices();

/// Returns, in one clause, why a call that ended with `code` (a cudaError_t) found no usable
/// device.
[[nodiscard]] std::string why_no_device(int code);

/// Returns the maximum shared memory of a block, in bytes, on the calling thread's device. Throws
/// UnavailableError if there is no device.
[[nodiscard]] std::int64_t shared_bytes_of_block();

/// Makes `number` the calling thread's device. Throws UnavailableError if there is no such device.
void use_device(int number);

}  // namespace seedwave::gpu
