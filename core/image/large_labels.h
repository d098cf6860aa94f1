// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/image/label_map.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace seedwave {

/// Makes a label map of an array of all its voxels, which need not be set to zeros first as those
/// of a vector are.
template <LabelType T>
[[nodiscard]] LabelMap label_map_of(const Geometry& geometry, LargeArray<T> labels) {
  const std::shared_ptr<const T[]> owner = std::move(labels);
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  return {geometry, LabelSpan(std::span<const T>(owner.get(), count)), owner};
}

}  // namespace seedwave
