// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"

#include <span>

namespace seedwave::io {

/// All formats beside DICOM, which is made of many files and has its own door.
[[nodiscard]] std::span<const Format> format_table();

}  // namespace seedwave::io
