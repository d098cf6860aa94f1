// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/io/dicom/frame_decoder.h"
#include "core/io/image_source.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// Returns the voxels of an item as load_dicom specifies. Damage that is accepted is added to
/// `warnings`.
[[nodiscard]] Volume load_volume(const Item& item, Damaged damaged,
                                 std::vector<std::string>& warnings, Context& context);

/// Returns the voxels of one slice as load_dicom_slice specifies.
[[nodiscard]] Volume load_slice(const Item& item, std::int64_t slice, Damaged damaged,
                                std::vector<std::string>& warnings, Context& context);

}  // namespace seedwave::io::dicom
