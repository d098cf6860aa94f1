// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"

#include <span>

namespace seedwave::io {

/// Returns all formats except DICOM, which consists of many files and has its own functions.
[[nodiscard]] std::span<const Format> format_table();

}  // namespace seedwave::io
