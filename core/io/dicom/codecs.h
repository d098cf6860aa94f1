// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// Throws the InputError of a stream that is damaged: `what` says how.
[[noreturn]] void damaged_picture(const char* what);

/// Decodes one frame of JPEG or JPEG-LS through DCMTK. The stream's own size, components and
/// depth must fit `layout`: checked before DCMTK sees it. `photometric` becomes what came out.
/// Throws InputError without the file's name, also for streams that DCMTK only warns about.
[[nodiscard]] std::vector<std::int32_t> decode_with_dcmtk(std::span<const std::uint8_t> stream,
                                                          const PixelLayout& layout,
                                                          const std::string& transfer_syntax,
                                                          Photometric& photometric);

/// Decodes one frame of run-length coding (RLE). Throws InputError without the file's name.
[[nodiscard]] std::vector<std::int32_t> decode_rle(std::span<const std::uint8_t> stream,
                                                   const PixelLayout& layout);

/// Decodes one frame of JPEG 2000 through OpenJPEG; the same checks and errors.
[[nodiscard]] std::vector<std::int32_t> decode_jpeg2000(std::span<const std::uint8_t> stream,
                                                        const PixelLayout& layout);

/// What a JPEG or JPEG-LS stream says about itself.
struct JpegFrame {
  int precision = 0;
  int rows = 0;
  int columns = 0;
  int components = 0;
};

/// Walks the markers of a JPEG or JPEG-LS stream; throws InputError when it is damaged: no frame
/// header, a segment past the end, a marker that may not stand in the coded data.
[[nodiscard]] JpegFrame check_jpeg(std::span<const std::uint8_t> stream);

}  // namespace seedwave::io::dicom
