// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/stage_clock.h"
#include "gpu/device/stream.h"
#include "gpu/fuzzy/grid.h"

#include <cstdint>
#include <memory>
#include <string>

namespace seedwave::gpu {

/// A scene's affinities in device memory: one plane for each step ahead.
struct DeviceAffinity {
  /// The Problem::affinity_key that the planes were computed from.
  std::string key;
  Grid grid;
  Steps steps;
  DeviceBuffer<std::uint16_t> planes;

  [[nodiscard]] const std::uint16_t* plane(int step) const {
    return planes.data() + step * grid.cells();
  }
};

/// Returns the affinities of a problem and keeps them for the next run (kept_affinities). Enqueued
/// on `stream`; begins the stages `upload` and `affinity` if they are needed.
[[nodiscard]] std::shared_ptr<const DeviceAffinity> affinity_on_device(
    const fuzzy::Problem& problem, Context& context, const Stream& stream, StageClock& clock);

/// Returns the device memory for the scene and affinities of a grid, in bytes.
[[nodiscard]] std::int64_t affinity_bytes(const Geometry& geometry, Connectivity connectivity,
                                          bool masked);

}  // namespace seedwave::gpu
