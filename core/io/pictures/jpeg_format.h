// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"

namespace seedwave::io {

/// JPEG through libjpeg: grey or colour of 8 bits. A file that is cut short loads as far as it
/// goes, with a warning. It is not written: what it loses cannot be had back.
[[nodiscard]] Format jpeg_format();

}  // namespace seedwave::io
