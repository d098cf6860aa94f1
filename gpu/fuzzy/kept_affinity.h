// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/device/kept.h"
#include "gpu/device/stage_clock.h"
#include "gpu/device/stream.h"
#include "gpu/fuzzy/device_scene.h"
#include "gpu/fuzzy/kept_names.h"

#include <memory>
#include <string>

namespace seedwave::gpu {

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
