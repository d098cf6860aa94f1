// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/kappa.h"
#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/kept.h"
#include "gpu/device/kept_names.h"
#include "gpu/device/stage_clock.h"
#include "gpu/device/stream.h"
#include "gpu/fuzzy/grid.h"

#include <cstdint>
#include <memory>
#include <string>
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
    return host.grey.owner() == scene.grey.owner() && host.mask == scene.mask &&
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

/// Returns a problem's affinities in any layout: from the context's cache if their `key` is the
/// problem's, else newly computed. New ones replace those cached under `what`. The scene stays on
/// the device too, so that a change of tables, such as a new sigma, uploads only the tables.
///
/// compute(scene, tables, affinities) enqueues; Affinities has a `key`. Begins the stages `upload`
/// and `affinity` if they are needed.
template <typename Affinities, typename Compute>
[[nodiscard]] std::shared_ptr<const Affinities> kept_affinities(
    const char* what, const fuzzy::Problem& problem, Context& context, const Stream& stream,
    StageClock& clock, Compute&& compute) {
  const std::string name = device_cache_name(what, context);
  auto kept = context.cache().find<Affinities>(name);
  if (kept && kept->key == problem.affinity_key) return kept;
  // Freed before the new ones are allocated: two do not always fit.
  if (kept) context.cache().put(name, nullptr, 0);
  kept.reset();

  const auto scene = scene_on_device(problem.scene, context, stream, clock);
  clock.begin("affinity");
  const DeviceTables tables(problem.tables, stream);
  auto fresh = std::make_shared<Affinities>();
  fresh->key = problem.affinity_key;
  compute(*scene, tables.view(), *fresh);
  clock.end();
  stream.synchronize();  // the host copies of the tables go out of scope here
  context.cache().put(name, fresh, kOnDevice);
  return fresh;
}

}  // namespace seedwave::gpu
