// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/partitions/slabs.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace seedwave {

/// The arrays that visits to slabs read, as far as they are mapped inputs (core/base/
/// mapped_input.h). While a slab is visited, its neighbours are read from the disk. Visited slabs
/// further away leave memory, so that there is room for states. Thread-safe.
class SlabInputs {
 public:
  /// `arrays`: each of the whole grid, with as many bytes for every layer. Borrows both. With
  /// several workers (`shared`) slabs stay in memory: another one may be there.
  SlabInputs(const SlabGrid& slabs, std::vector<std::span<const std::byte>> arrays, bool shared);

  /// A worker begins a visit.
  void enter(std::int64_t slab);

 private:
  template <typename Call>
  void for_each_array(std::int64_t slab, Call&& call) const;

  const SlabGrid& slabs_;
  std::vector<std::span<const std::byte>> arrays_;
  bool shared_;
  std::mutex mutex_;         // guards all below
  std::vector<char> used_;   // by slab: in memory since a visit
  std::vector<char> begun_;  // by slab: it was read, or is being read
};

}  // namespace seedwave
