// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// A CUDA device that implementations can run on.
struct DeviceInfo {
  int number = 0;
  std::string name;
  std::int64_t total_bytes = 0;
  std::int64_t free_bytes = 0;
};

/// All operations that the user can run, in reading order, and the devices that they can run on.
class OperationTable {
 public:
  /// Takes the operations in any order; lists them by Operation::order.
  explicit OperationTable(std::vector<Operation> operations);

  [[nodiscard]] const std::vector<Operation>& operations() const noexcept { return operations_; }
  /// Returns the operation of that id, or null.
  [[nodiscard]] const Operation* find(const std::string& id) const;
  /// Returns the operation. Throws UsageError that lists the ids if there is none of that name.
  [[nodiscard]] const Operation& at(const std::string& id) const;

  /// Adds another implementation of an operation in the table, after those it has: the first of a
  /// backend is its default.
  void add(const std::string& operation, Implementation implementation);

  /// Sets the devices, or the reason why there are none: "built without CUDA", "no NVIDIA driver".
  void set_devices(std::vector<DeviceInfo> devices, std::string why_none);
  [[nodiscard]] const std::vector<DeviceInfo>& devices() const noexcept { return devices_; }
  /// Returns the device of that number, or null.
  [[nodiscard]] const DeviceInfo* find_device(int number) const;
  [[nodiscard]] const std::string& why_no_device() const noexcept { return why_no_device_; }

 private:
  std::vector<Operation> operations_;
  std::vector<DeviceInfo> devices_;
  std::string why_no_device_ = "built without CUDA";
};

/// Returns the table of the operations in this folder, all on the CPU, which the build finds.
/// gpu::add_implementations() adds to it.
[[nodiscard]] OperationTable make_operation_table();

/// The user's choices; empty fields are chosen automatically.
struct ImplementationRequest {
  std::string algorithm;
  std::optional<Backend> backend;
  int device = 0;
  /// As in Context.
  std::int64_t memory = 0;
};

struct ImplementationChoice {
  const Implementation* implementation = nullptr;  // points into the table
  int device = 0;
  std::string device_name;  // "" on the CPU
  /// Shown in the status bar and the report: "auto: fits on device 0", "no NVIDIA driver".
  std::string why;
};

/// Chooses CUDA if there is a device and the data fit, else the CPU, and says why.
/// Throws UsageError (unknown algorithm: lists them), UnavailableError (CUDA requested but absent).
[[nodiscard]] ImplementationChoice choose_implementation(const OperationTable& table,
                                                         const Operation& operation,
                                                         const ImplementationRequest& request,
                                                         const Inputs& inputs,
                                                         const Values& values);

}  // namespace seedwave
