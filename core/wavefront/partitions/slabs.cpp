// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/slabs.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <limits>

namespace seedwave {
namespace {

/// One layer with its halo.
constexpr std::int64_t kFewestLayers = 3;
/// Slabs for each of several workers, and the layers that a slab then has if there are enough: with
/// thinner ones the halos would be a part of the work.
constexpr std::int64_t kSlabsAWorker = 8;
constexpr std::int64_t kLayersToShare = 16;
/// An only worker of a process has nobody to share with. What comes from the process before or
/// after then repeats half of its work, and a wave crosses one border on the way.
constexpr std::int64_t kSlabsOfOnlyWorker = 2;
/// The same of a run that is saved: a slab is saved after a visit.
constexpr std::int64_t kLayersToSave = 4;
/// Bytes of a state at most; approximate distances have 8, so that copies of theirs may exceed a
/// limit. Each of several workers has a copy of a slab's (SlabStates), and so has what saves them
/// (SlabSaver).
constexpr std::int64_t kSeenBytes = 4;

std::size_t slowest_axis(const Index3& size) {
  if (size[2] > 1) return 2;
  return size[1] > 1 ? 1 : 0;
}

Index3 with_layers(const Index3& size, std::int64_t layers) {
  Index3 thinner = size;
  std::int64_t& all = thinner[slowest_axis(size)];
  all = std::min(all, layers);
  return thinner;
}

}  // namespace

SlabGrid::SlabGrid(const Index3& size, std::int64_t most_layers)
    : SlabGrid(size, most_layers, {.begin = 0, .end = size[slowest_axis(size)]}) {}

SlabGrid::SlabGrid(const Index3& size, std::int64_t most_layers, const LayerRange& own)
    : size_(size),
      axis_(static_cast<int>(slowest_axis(size))),
      layer_cells_(size[0] * size[1] * size[2] / size[slowest_axis(size)]),
      own_(own),
      count_((own.layers() + most_layers - 1) / most_layers) {}

Slab SlabGrid::slab(std::int64_t number) const noexcept {
  return part(own_.begin + own_.layers() * number / count_,
              own_.begin + own_.layers() * (number + 1) / count_);
}

Slab SlabGrid::part(std::int64_t begin, std::int64_t end) const noexcept {
  return {.begin = begin,
          .end = end,
          .halo_begin = std::max<std::int64_t>(0, begin - 1),
          .halo_end = std::min(layers(), end + 1)};
}

Box SlabGrid::box(std::int64_t begin, std::int64_t end) const noexcept {
  Box box{{0, 0, 0}, size_};
  box.lo[static_cast<std::size_t>(axis_)] = begin;
  box.hi[static_cast<std::size_t>(axis_)] = end;
  return box;
}

SlabGrid slabs_within(std::int64_t budget, const Index3& size, const BytesForSize& bytes,
                      std::int64_t fixed) {
  const std::int64_t layers = size[slowest_axis(size)];
  const auto fits = [&](std::int64_t thickness) {
    return fixed + bytes(with_layers(size, thickness)) <= budget;
  };
  if (fits(layers)) return {size, layers};
  if (!fits(kFewestLayers)) {
    throw UnavailableError(in_bytes(budget) + " of memory is too little for " +
                           std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " +
                           std::to_string(size[2]) + " voxels: at least " +
                           in_bytes(least_budget(size, bytes, fixed)) + " are needed");
  }
  std::int64_t enough_for = kFewestLayers;
  std::int64_t too_little_for = layers;
  while (too_little_for - enough_for > 1) {
    const std::int64_t between = (enough_for + too_little_for) / 2;
    (fits(between) ? enough_for : too_little_for) = between;
  }
  return {size, enough_for - 2};
}

SlabGrid slabs_for(const Context& context, const Index3& size, const BytesForSize& bytes,
                   std::int64_t fixed) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  const BytesForSize of_all = [&](const Index3& part) {
    const std::int64_t sharers = context.sharers();
    const std::int64_t copy = part[0] * part[1] * part[2] * kSeenBytes;
    return sharers * (bytes(part) + (sharers > 1 ? copy : 0)) +
           (context.saved() != nullptr ? copy : 0);
  };
  const SlabGrid slabs = slabs_within(context.memory() > 0 ? context.memory() : kAny, size, of_all,
                                      context.in_files() ? 0 : fixed);
  return for_sharers(slabs, context);
}

SlabGrid for_sharers(const SlabGrid& slabs, const Context& context) {
  LayerRange own = slabs.own();
  if (const Ranks* ranks = context.ranks()) own = own_layers(*ranks, slabs.layers());
  std::int64_t most = (slabs.own().layers() + slabs.count() - 1) / slabs.count();
  if (context.layers() > 0) {
    most = std::min(most, context.layers());
  } else if (context.is_shared() || context.saved() != nullptr) {
    const std::int64_t layers = context.saved() != nullptr ? kLayersToSave : kLayersToShare;
    const bool is_only = context.sharers() == 1 && context.saved() == nullptr;
    const std::int64_t wanted =
        std::min(is_only ? kSlabsOfOnlyWorker : kSlabsAWorker * context.sharers(),
                 std::max<std::int64_t>(1, own.layers() / layers));
    most = std::clamp<std::int64_t>((own.layers() + wanted - 1) / wanted, 1, most);
  }
  return {slabs.size(), most, own};
}

std::int64_t least_budget(const Index3& size, const BytesForSize& bytes, std::int64_t fixed) {
  return fixed + bytes(with_layers(size, kFewestLayers));
}

}  // namespace seedwave
