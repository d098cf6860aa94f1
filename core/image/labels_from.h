// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace seedwave {

/// Returns a volume's values as labels: whole numbers from 0 to 65535, stored in any type.
///
/// volume: one component. `what` names it in messages: "the marker", a file. `checkpoint` is called
/// every million voxels and may throw to stop.
/// Throws InputError that names the first value that is not a label, and its index.
[[nodiscard]] LabelMap labels_from(const Volume& volume, std::string_view what,
                                   const std::function<void()>& checkpoint);

/// The same as a vector that the caller may modify, x fastest.
[[nodiscard]] std::vector<std::uint16_t> label_values_from(const Volume& volume,
                                                           std::string_view what,
                                                           const std::function<void()>& checkpoint);

}  // namespace seedwave
