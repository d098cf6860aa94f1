// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/slab_inputs.h"

#include "core/base/mapped_input.h"

#include <cstdlib>
#include <utility>

namespace seedwave {
namespace {

/// Slabs that far from the one that is visited are read in advance, or stay in memory.
constexpr std::int64_t kNear = 1;

}  // namespace

SlabInputs::SlabInputs(const SlabGrid& slabs, std::vector<std::span<const std::byte>> arrays,
                       bool shared)
    : slabs_(slabs),
      arrays_(std::move(arrays)),
      shared_(shared),
      used_(static_cast<std::size_t>(slabs.count())),
      begun_(static_cast<std::size_t>(slabs.count())) {}

template <typename Call>
void SlabInputs::for_each_array(std::int64_t slab, Call&& call) const {
  const Slab layers = slabs_.slab(slab);
  for (const std::span<const std::byte> array : arrays_) {
    const std::size_t layer = array.size() / static_cast<std::size_t>(slabs_.layers());
    call(array.subspan(static_cast<std::size_t>(layers.begin) * layer,
                       static_cast<std::size_t>(layers.layers()) * layer));
  }
}

void SlabInputs::enter(std::int64_t slab) {
  if (arrays_.empty()) return;
  const std::lock_guard lock(mutex_);
  used_[static_cast<std::size_t>(slab)] = 1;
  // A worker that turns back soon goes on: what was read in advance stays until it is visited.
  for (std::int64_t other = 0; other < slabs_.count(); ++other) {
    char& used = used_[static_cast<std::size_t>(other)];
    char& begun = begun_[static_cast<std::size_t>(other)];
    const bool is_near = std::abs(other - slab) <= kNear;
    if (is_near && begun == 0) {
      for_each_array(other, mapped::expect);
      begun = 1;
    } else if (!is_near && used != 0 && !shared_) {
      for_each_array(other, mapped::leave);
      used = 0;
    }
  }
}

}  // namespace seedwave
