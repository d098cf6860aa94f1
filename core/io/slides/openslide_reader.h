// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/slides/slide.h"

#include <filesystem>
#include <memory>
#include <string>

namespace seedwave::io {

/// Returns "OpenSlide 4.0.0", or "" if the library is not installed.
[[nodiscard]] std::string openslide_version();

/// Returns the vendor's name if OpenSlide recognises a file, otherwise "".
[[nodiscard]] std::string openslide_vendor(const std::filesystem::path& file);

/// Opens a slide through OpenSlide, which is loaded at the first call. Throws InputError that names
/// the file: not recognised, damaged; or OpenSlide is not installed.
[[nodiscard]] std::shared_ptr<const Slide> open_with_openslide(const std::filesystem::path& file);

}  // namespace seedwave::io
