// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/work_in_parts.h"

#include "core/wavefront/partitions/settle_slabs.h"

#include <algorithm>

namespace seedwave {
namespace {

/// Parts for each of several workers, so that none waits long for the last one.
constexpr std::int64_t kPartsAWorker = 8;

std::int64_t items_of_part(const WorkItems& work, const Context& context) {
  const std::int64_t items = work.own.layers();
  const std::int64_t most = work.most > 0 ? std::min(work.most, items) : items;
  const std::int64_t sharers = context.sharers();
  if (sharers == 1) return most;
  const std::int64_t parts = std::clamp(items / work.fewest, sharers, kPartsAWorker * sharers);
  return std::clamp<std::int64_t>((items + parts - 1) / parts, 1, most);
}

/// Calls the body with a worker's share of the run's memory.
void compute(const LayerRange& part, const PartOfWork& body, const Context& run, Context& worker) {
  Context::Settings settings = worker.for_part(0.0, 1.0);
  settings.memory = run.memory() / run.sharers();
  settings.in_files = run.in_files();
  Context within(settings);
  body(part, within);
  for (const StageTime& time : within.stage_times())
    worker.add_stage_time(time.stage, time.ms);
}

}  // namespace

void for_each_part(const WorkItems& work, const PartOfWork& body, Context& context) {
  const std::int64_t items = work.own.layers();
  if (items <= 0) return;
  const std::int64_t most = items_of_part(work, context);
  if (most == items && !context.is_shared()) return body(work.own, context);
  // Items are the layers of a grid. One more makes y its slowest axis even if there is one item.
  const SlabGrid parts({work.cells_each, work.own.end + 1, 1}, most, work.own);
  settle_slabs(
      parts,
      [&](const SlabPart& part, Context& worker) {
        compute({part.layers.begin, part.layers.end}, body, context, worker);
        return SlabSides{};
      },
      context);
}

}  // namespace seedwave
