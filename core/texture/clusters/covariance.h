// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

/// Returns the mean of each group, or zeros for a group without points. Point i belongs to
/// group_of[i], 0 .. groups - 1.
[[nodiscard]] Points means_of_groups(const Points& points, std::span<const std::int32_t> group_of,
                                     std::int64_t groups, Context& context);

/// Returns each point minus the mean of its group.
[[nodiscard]] Points offsets(const Points& points, std::span<const std::int32_t> group_of,
                             const Points& means, Context& context);

/// Returns the mean of y y^T over the points y. For offsets from a mean this is their covariance,
/// divided by their number. Each entry is summed in the order of points.
[[nodiscard]] Points mean_product(const Points& offsets, Context& context);

}  // namespace seedwave
