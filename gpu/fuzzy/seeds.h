// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"
#include "gpu/device/buffer.h"
#include "gpu/device/stream.h"
#include "gpu/fuzzy/grid.h"
#include "gpu/fuzzy/row_blocks.h"

#include <cstdint>
#include <vector>

namespace seedwave::gpu {

/// A problem's seeds in device memory, sorted by offset.
class DeviceSeeds {
 public:
  /// Enqueues the upload; `seeds` must outlive this object.
  DeviceSeeds(const std::vector<Seed>& seeds, const Stream& stream)
      : host_(&seeds), seeds_(static_cast<std::int64_t>(seeds.size()), stream) {
    seeds_.copy_from(seeds, stream);
  }

  /// Enqueues: plane = value at every seed.
  void mark(std::uint16_t value, const Grid& grid, DeviceBuffer<std::uint16_t>& plane,
            const Stream& stream) const;
  /// Enqueues: plane = the seed's label at every seed.
  void mark_labels(const Grid& grid, DeviceBuffer<std::uint16_t>& plane,
                   const Stream& stream) const;
  /// Enqueues the same for the rows of a block.
  void mark_labels(const Grid& grid, const RowBlock& block, std::uint16_t* rows,
                   const Stream& stream) const;
  /// Enqueues: plane = `object_value` at seeds of label `object`, `other_value` at all others.
  void mark_classes(std::uint16_t object, std::uint16_t object_value, std::uint16_t other_value,
                    const Grid& grid, DeviceBuffer<std::uint16_t>& plane,
                    const Stream& stream) const;

  [[nodiscard]] const Seed* data() const { return seeds_.data(); }
  [[nodiscard]] std::int64_t size() const { return seeds_.size(); }

 private:
  const std::vector<Seed>* host_;
  DeviceBuffer<Seed> seeds_;
};

}  // namespace seedwave::gpu
