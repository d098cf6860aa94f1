// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/slab_cells.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace seedwave {

SlabCells::SlabCells(const SlabGrid& slabs, std::span<std::byte> cells, PassStart first,
                     bool shared)
    : slabs_(slabs),
      cells_(cells),
      first_(std::move(first)),
      inputs_(slabs, first_.inputs, shared),
      sides_(static_cast<std::size_t>(slabs.count() + 1)),
      inner_started_(static_cast<std::size_t>(slabs.count())) {}

std::span<std::byte> SlabCells::layers(const LayerRange& range) const {
  const std::size_t layer = cells_.size() / static_cast<std::size_t>(slabs_.layers());
  return cells_.subspan(static_cast<std::size_t>(range.begin) * layer,
                        static_cast<std::size_t>(range.layers()) * layer);
}

std::int64_t SlabCells::offset(std::int64_t layer) const {
  return std::ssize(layers({0, layer}));
}

void SlabCells::go_on_from(const Checkpoint& checkpoint, int pass) {
  checkpoint_ = &checkpoint;
  pass_ = pass;
}

bool SlabCells::start_all(Context& context) {
  for (std::int64_t slab = 0; slab < slabs_.count(); ++slab)
    start({.slab = slab, .layers = slabs_.slab(slab)}, context);
  return all_restored_;
}

void SlabCells::put(std::int64_t layer, std::span<const std::byte> states) {
  const std::span<std::byte> own = layers({layer, layer + 1});
  assert(!slabs_.own().holds(layer) && states.size() == own.size());
  const std::lock_guard lock(start_mutex_);
  arrived_[layer].assign(states.begin(), states.end());
}

void SlabCells::start(const SlabPart& part, Context& context) {
  inputs_.enter(part.slab);
  if (first_.states || checkpoint_ != nullptr) make_first_states(part, context);
  take_arrived(part.layers.halo_begin);
  take_arrived(part.layers.halo_end - 1);
}

void SlabCells::make_first_states(const SlabPart& part, Context& context) {
  const Slab slab = slabs_.slab(part.slab);
  if (char& started = inner_started_[static_cast<std::size_t>(part.slab)]; started == 0) {
    constexpr std::int64_t kCellsAtOnce = std::int64_t{1} << 18;
    const std::int64_t layers_at_once =
        std::max<std::int64_t>(1, kCellsAtOnce / slabs_.layer_cells());
    parallel_for(context, std::max<std::int64_t>(0, slab.layers() - 2), layers_at_once,
                 [&](std::int64_t begin, std::int64_t end) {
                   context.checkpoint(0.0);
                   start_layers({slab.begin + 1 + begin, slab.begin + 1 + end});
                 });
    started = 1;
  }
  start_edge(slab.begin);
  start_edge(slab.end - 1);
  if (part.layers.halo_begin < slab.begin) start_edge(slab.begin - 1);
  if (part.layers.halo_end > slab.end) start_edge(slab.end);
}

void SlabCells::take_arrived(std::int64_t layer) {
  const std::lock_guard lock(start_mutex_);
  const auto arrived = arrived_.find(layer);
  if (arrived == arrived_.end()) return;
  std::ranges::copy(arrived->second, layers({layer, layer + 1}).begin());
  arrived_.erase(arrived);
}

void SlabCells::start_layers(const LayerRange& range) {
  if (first_.states)
    first_.states(range.begin * slabs_.layer_cells(), range.end * slabs_.layer_cells());
  if (checkpoint_ == nullptr) return;
  if (!checkpoint_->restore(pass_, offset(range.begin), layers(range))) all_restored_ = false;
}

void SlabCells::start_edge(std::int64_t layer) {
  const std::lock_guard lock(start_mutex_);
  if (started_.contains(layer)) return;
  start_layers({layer, layer + 1});
  started_.insert(layer);
}

}  // namespace seedwave
