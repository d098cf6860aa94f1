// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/io/dicom/frame_decoder.h"
#include "core/io/image_source.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::io::dicom {

/// The voxels of an item, as load_dicom promises.
[[nodiscard]] Volume load_volume(const Item& item, Context& context);

/// The voxels of one slice, as load_dicom_slice promises.
[[nodiscard]] Volume load_slice(const Item& item, std::int64_t slice, Context& context);

}  // namespace seedwave::io::dicom
