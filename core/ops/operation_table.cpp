// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operation_table.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace seedwave {
namespace {

/// Returns "dijkstra, tiles (cpu and cuda)": the names that a user may choose from.
std::string algorithms_of(const Operation& operation) {
  std::vector<std::pair<std::string, std::string>> algorithms;  // name, backends
  for (const Implementation& implementation : operation.implementations) {
    const auto same = std::find_if(algorithms.begin(), algorithms.end(), [&](const auto& entry) {
      return entry.first == implementation.algorithm;
    });
    if (same == algorithms.end()) {
      algorithms.emplace_back(implementation.algorithm, name_of(implementation.backend));
    } else {
      same->second += " and " + name_of(implementation.backend);
    }
  }
  std::string text;
  for (const auto& [name, backends] : algorithms)
    text += (text.empty() ? "" : ", ") + name + " (" + backends + ")";
  return text;
}

/// Returns the first implementation of a backend, which is its default, or the one of that name;
/// null if there is none.
const Implementation* find(const Operation& operation, Backend backend,
                           const std::string& algorithm) {
  const auto found =
      std::find_if(operation.implementations.begin(), operation.implementations.end(),
                   [&](const Implementation& implementation) {
                     return implementation.backend == backend &&
                            (algorithm.empty() || implementation.algorithm == algorithm);
                   });
  return found == operation.implementations.end() ? nullptr : &*found;
}

std::string no_such_device(const OperationTable& table, int number) {
  if (table.devices().empty() && number == 0) return table.why_no_device();
  std::string text = "there is no CUDA device " + std::to_string(number);
  if (table.devices().empty()) return text + ": " + table.why_no_device();
  text += ", only";
  for (const DeviceInfo& device : table.devices())
    text.append(" ").append(std::to_string(device.number)).append(" (" + device.name + ")");
  return text;
}

std::string no_such_algorithm(const Operation& operation, const std::string& algorithm,
                              const std::string& backend) {
  return operation.id + " has no algorithm" + (algorithm.empty() ? "" : " '" + algorithm + "'") +
         backend + ": choose one of " + algorithms_of(operation);
}

/// Returns why it cannot compute this, or "" if it can.
std::string why_not(const Implementation& implementation, const Inputs& inputs,
                    const Values& values) {
  return implementation.why_not ? implementation.why_not(inputs, values) : "";
}

/// Returns the first CUDA implementation that can compute this, of that name if one is given; else
/// the first of all, or null. Without a name approximate implementations are skipped, since one
/// would replace an exact implementation that cannot.
const Implementation* find_cuda(const Operation& operation, const std::string& algorithm,
                                const Inputs& inputs, const Values& values) {
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.backend == Backend::Cuda &&
        (algorithm.empty() ? implementation.exactness == Exactness::Exact
                           : implementation.algorithm == algorithm) &&
        why_not(implementation, inputs, values).empty()) {
      return &implementation;
    }
  }
  return find(operation, Backend::Cuda, algorithm);
}

ImplementationChoice choose_cuda(const OperationTable& table, const Operation& operation,
                                 const ImplementationRequest& request, const Inputs& inputs,
                                 const Values& values) {
  const DeviceInfo* device = table.find_device(request.device);
  if (device == nullptr) {
    throw UnavailableError("CUDA was requested but is not available: " +
                           no_such_device(table, request.device));
  }
  const Implementation* implementation = find_cuda(operation, request.algorithm, inputs, values);
  if (implementation == nullptr) {
    throw UnavailableError(no_such_algorithm(operation, request.algorithm, " for cuda"));
  }
  if (const std::string why = why_not(*implementation, inputs, values); !why.empty()) {
    throw UnavailableError(implementation->algorithm + " on cuda " + why);
  }
  return {implementation, device->number, device->name, "requested"};
}

ImplementationChoice choose_cpu(const Operation& operation, const ImplementationRequest& request,
                                const std::string& why) {
  const Implementation* implementation = find(operation, Backend::Cpu, request.algorithm);
  if (implementation == nullptr) {
    throw UnavailableError(no_such_algorithm(operation, request.algorithm, " for the CPU") + " (" +
                           why + ")");
  }
  return {implementation, 0, "", why};
}

/// Says whether `auto` takes this implementation on this device, and why: "auto: fits on device 0",
/// "auto: in parts, ...", "auto: needs ...".
struct Fit {
  bool fits = true;
  std::string why;
};
Fit fit_of(const Implementation& implementation, const DeviceInfo& device, std::int64_t memory,
           const Inputs& inputs, const Values& values) {
  const std::string on_device = "device " + std::to_string(device.number);
  const auto bytes = [&](const auto& of) { return of ? of(inputs, values) : std::int64_t{0}; };
  const std::int64_t there = memory == 0 ? device.free_bytes : std::min(memory, device.free_bytes);
  const std::int64_t needed = bytes(implementation.device_bytes);
  if (needed <= there) return {true, "auto: fits on " + on_device};
  const bool stated = there < device.free_bytes;
  const std::string lacks = "needs " + in_gigabytes(needed) + ", " +
                            (stated ? in_gigabytes(there) + " are allowed"
                                    : on_device + " has " + in_gigabytes(there) + " free");
  if (implementation.least_bytes && bytes(implementation.least_bytes) <= there) {
    return {true, "auto: in parts on " + on_device +
                      (stated ? ", within the memory limit" : ": " + lacks)};
  }
  return {false, "auto: " + lacks};
}

ImplementationChoice choose_freely(const OperationTable& table, const Operation& operation,
                                   const ImplementationRequest& request, const Inputs& inputs,
                                   const Values& values) {
  const DeviceInfo* device = table.find_device(request.device);
  if (device == nullptr) {
    // Device 0 is the default; any other number is a request that cannot be met.
    if (request.device != 0) throw UnavailableError(no_such_device(table, request.device));
    return choose_cpu(operation, request, "auto: " + no_such_device(table, request.device));
  }
  const Implementation* implementation = find_cuda(operation, request.algorithm, inputs, values);
  if (implementation == nullptr) {
    return choose_cpu(operation, request, "auto: this algorithm has no CUDA implementation");
  }
  if (const std::string why = why_not(*implementation, inputs, values); !why.empty()) {
    return choose_cpu(operation, request, "auto: " + implementation->algorithm + " on cuda " + why);
  }
  const Fit fit = fit_of(*implementation, *device, request.memory, inputs, values);
  if (!fit.fits) return choose_cpu(operation, request, fit.why);
  return {implementation, device->number, device->name, fit.why};
}

}  // namespace

OperationTable::OperationTable(std::vector<Operation> operations)
    : operations_(std::move(operations)) {
  std::stable_sort(operations_.begin(), operations_.end(),
                   [](const Operation& a, const Operation& b) { return a.order < b.order; });
}

const Operation* OperationTable::find(const std::string& id) const {
  const auto found = std::find_if(operations_.begin(), operations_.end(),
                                  [&](const Operation& each) { return each.id == id; });
  return found == operations_.end() ? nullptr : &*found;
}

const Operation& OperationTable::at(const std::string& id) const {
  if (const Operation* found = find(id)) return *found;
  std::string ids;
  for (const Operation& operation : operations_)
    ids += (ids.empty() ? "" : ", ") + operation.id;
  throw UsageError("unknown operation '" + id + "': choose one of " + ids);
}

void OperationTable::add(const std::string& operation, Implementation implementation) {
  const auto found = std::find_if(operations_.begin(), operations_.end(),
                                  [&](const Operation& other) { return other.id == operation; });
  require(found != operations_.end());  // the operation that the implementation is added to
  found->implementations.push_back(std::move(implementation));
}

void OperationTable::set_devices(std::vector<DeviceInfo> devices, std::string why_none) {
  devices_ = std::move(devices);
  why_no_device_ = std::move(why_none);
}

const DeviceInfo* OperationTable::find_device(int number) const {
  const auto found = std::ranges::find(devices_, number, &DeviceInfo::number);
  return found == devices_.end() ? nullptr : &*found;
}

ImplementationChoice choose_implementation(const OperationTable& table, const Operation& operation,
                                           const ImplementationRequest& request,
                                           const Inputs& inputs, const Values& values) {
  if (!request.algorithm.empty() && find(operation, Backend::Cpu, request.algorithm) == nullptr &&
      find(operation, Backend::Cuda, request.algorithm) == nullptr) {
    throw UsageError(no_such_algorithm(operation, request.algorithm, ""));
  }
  if (request.backend == Backend::Cuda)
    return choose_cuda(table, operation, request, inputs, values);
  if (request.backend == Backend::Cpu) return choose_cpu(operation, request, "requested");
  return choose_freely(table, operation, request, inputs, values);
}

}  // namespace seedwave
