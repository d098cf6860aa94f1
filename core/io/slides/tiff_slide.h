// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/slides/slide.h"

#include <filesystem>
#include <memory>

namespace seedwave::io {

/// The reader that a TIFF is for.
enum class TiffKind {
  Picture,  // an image or a stack, for the reader of pictures
  Foreign,  // a vendor's own structure or codec, for OpenSlide
  Slide,
};

struct TiffSlide {
  TiffKind kind = TiffKind::Picture;
  std::shared_ptr<const Slide> slide{};  // of TiffKind::Slide
};

/// Opens a TIFF as a slide: Aperio SVS, OME-TIFF and any pyramid of tiled pages, whether its levels
/// are pages of their own or SubIFDs; and a tiled page of more than 64 million pixels.
///
/// Throws InputError that names the file: not a TIFF, or damaged.
[[nodiscard]] TiffSlide open_tiff_slide(const std::filesystem::path& file);

}  // namespace seedwave::io
