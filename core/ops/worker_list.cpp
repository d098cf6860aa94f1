// SPDX-License-Identifier: Apache-2.0
#include "core/ops/worker_list.h"

#include "core/base/error.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace seedwave {
namespace {

constexpr const char* kCpuName = "cpu";
constexpr const char* kCudaName = "cuda:";
/// More would only wait for each other.
constexpr std::size_t kMostWorkers = 64;
/// With an eighth, distances of 65,536 x 65,536 took 16 threads and a device longer than the device
/// alone.
constexpr int kShareForCopies = 4;

/// Returns the number in "cuda:1"; nothing if it is something else.
std::optional<int> cuda_number(const std::string& name) {
  if (!name.starts_with(kCudaName)) return {};
  const char* const first = name.data() + std::string(kCudaName).size();
  const char* const end = name.data() + name.size();
  int number = 0;
  const auto [last, error] = std::from_chars(first, end, number);
  if (error != std::errc() || last != end || number < 0) return {};
  return number;
}

std::vector<int> devices_in(const std::string& list, const OperationTable& table) {
  std::vector<int> devices;
  if (list == kAllDevices) {
    for (const DeviceInfo& device : table.devices())
      devices.push_back(device.number);
    devices.push_back(kCpu);
    return devices;
  }
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    begin = end + 1;
    const std::optional<int> number = name == kCpuName ? kCpu : cuda_number(name);
    if (!number) {
      throw UsageError("devices must be all, or a list of cpu, cuda:0, cuda:1 ..., not '" + list +
                       "'");
    }
    if (*number != kCpu && table.find_device(*number) == nullptr) {
      throw UnavailableError(
          "there is no device " + name + ": " +
          (table.devices().empty() ? table.why_no_device() : "seedwave-cli devices lists them"));
    }
    devices.push_back(*number);
  }
  return devices;
}

}  // namespace

std::vector<Worker> workers_of(const std::string& list, const OperationTable& table, int threads) {
  const std::vector<int> devices = devices_in(list, table);
  if (devices.size() > kMostWorkers)
    throw UsageError("devices: at most " + std::to_string(kMostWorkers) + " may share a run");
  const auto groups = static_cast<int>(std::ranges::count(devices, kCpu));
  const auto others = static_cast<int>(devices.size()) - groups;
  // Several devices leave half to the groups if there are enough.
  const int for_a_device =
      std::max(1, threads / (groups > 0 ? std::max(kShareForCopies, 2 * others) : others));
  const int left = std::max(threads - others * for_a_device, groups);
  std::vector<Worker> workers;
  int group = 0;
  for (const int device : devices) {
    if (device != kCpu) {
      workers.push_back({.device = device, .threads = for_a_device});
      continue;
    }
    // The remainder is spread over the first groups.
    workers.push_back({.device = kCpu, .threads = left / groups + (group < left % groups ? 1 : 0)});
    ++group;
  }
  return workers;
}

void share_among(const std::string& list, const OperationTable& table, ImplementationRequest& how,
                 Context::Settings& settings) {
  std::vector<Worker> workers =
      workers_of(list, table, Context({.threads = settings.threads}).threads());
  const auto on_device =
      std::ranges::find_if(workers, [](const Worker& worker) { return worker.device != kCpu; });
  how.backend = on_device == workers.end() ? Backend::Cpu : Backend::Cuda;
  if (on_device != workers.end()) settings.device = on_device->device;
  if (workers.size() > 1) settings.workers = std::move(workers);
}

namespace {

/// Returns the implementation that workers on devices share; null if there is none.
const Implementation* shared_on_devices(const Operation& operation) {
  const auto found =
      std::ranges::find_if(operation.implementations, [](const Implementation& each) {
        return each.backend == Backend::Cuda && each.exactness == Exactness::Exact;
      });
  const bool is_shared =
      found != operation.implementations.end() && found->sharing != Sharing::None;
  return is_shared ? &*found : nullptr;
}

}  // namespace

bool can_share_among_all(const Operation& operation, const OperationTable& table) {
  return !table.devices().empty() && shared_on_devices(operation) != nullptr;
}

bool can_share_among_all(const Operation& operation, const OperationTable& table,
                         const Inputs& inputs, const Values& values) {
  if (!can_share_among_all(operation, table)) return false;
  const Implementation& shared = *shared_on_devices(operation);
  const auto has_no_reason = [&](const auto& why_not) {
    return !why_not || why_not(inputs, values).empty();
  };
  return has_no_reason(shared.why_not) && has_no_reason(shared.why_not_shared);
}

std::string name_of(const Worker& worker, const OperationTable& table) {
  if (worker.device == kCpu) {
    return "CPU, " + std::to_string(worker.threads) +
           (worker.threads == 1 ? " thread" : " threads");
  }
  const DeviceInfo* device = table.find_device(worker.device);
  return (device == nullptr ? "device" : device->name) + " (" + kCudaName +
         std::to_string(worker.device) + ")";
}

}  // namespace seedwave
