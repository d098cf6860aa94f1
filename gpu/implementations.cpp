// SPDX-License-Identifier: Apache-2.0
#include "gpu/implementations.h"

#include "core/ops/fuzzy_connectedness.h"
#include "gpu/device/devices.h"
#include "gpu/fuzzy/porfc.h"
#include "gpu/fuzzy/sweeps.h"

#include <cstdint>
#include <string>
#include <utility>

namespace seedwave::gpu {
namespace {

using DeviceBytes = std::int64_t (*)(const Geometry&, Connectivity, bool masked);

Implementation fuzzy_on_device(FuzzyOperation operation, std::string algorithm,
                               fuzzy::Solver solver, DeviceBytes bytes) {
  Implementation implementation =
      fuzzy_implementation(operation, std::move(algorithm), Backend::Cuda, solver);
  implementation.device_bytes = [operation, bytes](const Inputs& inputs, const Values& values) {
    return bytes(inputs.image.geometry(), fuzzy_request(operation, values).connectivity,
                 !inputs.mask.empty());
  };
  return implementation;
}

}  // namespace

void add_implementations(OperationTable& table) {
  DeviceList list = list_devices();
  table.set_devices(std::move(list.devices), std::move(list.why_none));
  table.add("afc", fuzzy_on_device(FuzzyOperation::Afc, "sweeps", rfc_by_sweeps, sweeps_bytes));
  table.add("rfc", fuzzy_on_device(FuzzyOperation::Rfc, "sweeps", rfc_by_sweeps, sweeps_bytes));
  table.add("irfc", fuzzy_on_device(FuzzyOperation::Irfc, "sweeps", irfc_by_sweeps, sweeps_bytes));
  table.add("porfc",
            fuzzy_on_device(FuzzyOperation::Porfc, "rounds", porfc_by_rounds, porfc_bytes));
}

}  // namespace seedwave::gpu
