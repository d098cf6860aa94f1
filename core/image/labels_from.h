// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"

#include <functional>
#include <string_view>

namespace seedwave {

/// Returns a volume's values as labels: whole numbers from 0 to 4294967295, stored in any type. The
/// map shares the voxels of an u8 or u16 volume; otherwise it has the smallest type that holds
/// them, and shares those of an i32 or u32 volume that needs four bytes.
///
/// volume: one component. `what` names it in messages: "the marker", a file. `checkpoint` is called
/// every million voxels and may throw to stop.
/// Throws InputError that names the first value that is not a label, and its index.
[[nodiscard]] LabelMap labels_from(const Volume& volume, std::string_view what,
                                   const std::function<void()>& checkpoint);

}  // namespace seedwave
