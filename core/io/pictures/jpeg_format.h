// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"

namespace seedwave::io {

/// JPEG through libjpeg: grayscale or colour of 8 bits. A truncated file loads as far as it goes,
/// with a warning. JPEG is not written: its loss cannot be undone.
[[nodiscard]] Format jpeg_format();

}  // namespace seedwave::io
