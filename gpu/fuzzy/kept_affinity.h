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

/// A problem's affinities in whichever form: those in the context's cache when their `key` is the
/// problem's, else fresh ones, kept there under `what` in place of the ones before. The scene stays
/// on the device too, so that other tables (a sigma that moved) upload nothing but themselves.
///
/// compute(scene, tables, affinities) enqueues; Affinities has a `key`. Begins the
/// stages `upload` and `affinity` where they are needed.
template <typename Affinities, typename Compute>
[[nodiscard]] std::shared_ptr<const Affinities> kept_affinities(
    const char* what, const fuzzy::Problem& problem, Context& context, const Stream& stream,
    StageClock& clock, Compute&& compute) {
  const std::string name = device_cache_name(what, context);
  auto kept = context.cache().find<Affinities>(name);
  if (kept && kept->key == problem.affinity_key) return kept;
  // Given back before the new one is asked for: two do not always fit.
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
