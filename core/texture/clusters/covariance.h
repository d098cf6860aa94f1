// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

/// The mean of each group; point i belongs to group_of[i], 0 .. groups - 1. Of a group without
/// points zeros.
[[nodiscard]] Points means_of_groups(const Points& points, std::span<const std::int32_t> group_of,
                                     std::int64_t groups, Context& context);

/// Each point less the mean of its group.
[[nodiscard]] Points offsets(const Points& points, std::span<const std::int32_t> group_of,
                             const Points& means, Context& context);

/// The mean of y y^T over the points y: of offsets from a mean their covariance, divided by their
/// number. Each entry is added up in the order of points.
[[nodiscard]] Points mean_product(const Points& offsets, Context& context);

}  // namespace seedwave
