// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/kappa.h"
#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/stage_clock.h"
#include "gpu/device/stream.h"
#include "gpu/fuzzy/grid.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace seedwave::gpu {

/// The intensities and mask of a scene. It is identified by the host vectors, which it keeps alive
/// so that no other scene can have the same addresses.
struct DeviceScene {
  fuzzy::Scene host;
  Grid grid;
  DeviceBuffer<std::uint16_t> grey;
  DeviceBuffer<std::uint8_t> mask;  // empty: none

  [[nodiscard]] bool is(const fuzzy::Scene& scene) const {
    return host.grey == scene.grey && host.mask == scene.mask &&
           host.geometry.size == scene.geometry.size;
  }
  /// Null: all cells take part.
  [[nodiscard]] const std::uint8_t* mask_or_null() const {
    return host.mask ? mask.data() : nullptr;
  }
};

/// Returns the scene from the context's cache if it is the same; otherwise uploads it and caches
/// it. Enqueued; begins the stage `upload` if it is needed.
[[nodiscard]] std::shared_ptr<const DeviceScene> scene_on_device(const fuzzy::Scene& scene,
                                                                 Context& context,
                                                                 const Stream& stream,
                                                                 StageClock& clock);

/// Affinity tables in device memory: one buffer for all, and the pointers for KappaView. Must stay
/// alive until the stream has reached the upload.
class DeviceTables {
 public:
  DeviceTables(const fuzzy::AffinityTables& tables, const Stream& stream);
  [[nodiscard]] fuzzy::KappaView view() const {
    return {values_.data(), objects_.data(), static_cast<int>(objects_.size())};
  }

 private:
  std::vector<float> host_values_;
  std::vector<const float*> host_objects_;
  DeviceBuffer<float> values_;
  DeviceBuffer<const float*> objects_;
};

}  // namespace seedwave::gpu
