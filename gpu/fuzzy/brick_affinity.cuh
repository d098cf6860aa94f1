// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/stage_clock.h"
#include "gpu/device/stream.h"
#include "gpu/wavefront/bricks.cuh"

#include <cstdint>
#include <memory>
#include <string>

namespace seedwave::gpu {

/// A scene's affinities to 4 or 6 neighbours in device memory, in brick layout (BrickEdges).
struct BrickAffinity {
  /// The Problem::affinity_key that they were computed from.
  std::string key;
  DeviceBuffer<uint4> along[3];
};

[[nodiscard]] Bricks bricks_of(const Geometry& geometry);
[[nodiscard]] BrickEdges edges_of(const BrickAffinity& affinity);

/// Returns the affinities of a problem and keeps them for the next run (kept_affinities). Enqueued
/// on `stream`; begins the stages `upload` and `affinity` if they are needed.
[[nodiscard]] std::shared_ptr<const BrickAffinity> brick_affinity_on_device(
    const fuzzy::Problem& problem, Context& context, const Stream& stream, StageClock& clock);

}  // namespace seedwave::gpu
