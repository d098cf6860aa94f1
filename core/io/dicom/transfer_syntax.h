// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <string>

namespace seedwave::io::dicom {

/// Returns the compression of a transfer syntax. Throws InputError that names an unsupported one
/// (video, JPEG XL, high-throughput JPEG 2000).
[[nodiscard]] Compression compression_of(const std::string& transfer_syntax);

}  // namespace seedwave::io::dicom
