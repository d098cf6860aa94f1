// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// Throws the InputError for a damaged stream; `what` describes the damage.
[[noreturn]] void damaged_picture(const char* what);

/// Decodes one frame of JPEG or JPEG-LS through DCMTK. The stream's own size, components and depth
/// must match `layout`; this is checked before DCMTK sees the stream. `photometric` receives the
/// decoded interpretation. Throws InputError without the file's name, also for streams about which
/// DCMTK only warns.
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

/// Properties that a JPEG or JPEG-LS stream states about itself.
struct JpegFrame {
  int precision = 0;
  int rows = 0;
  int columns = 0;
  int components = 0;
};

/// Walks the markers of a JPEG or JPEG-LS stream. Throws InputError if it is damaged: no frame
/// header, a segment past the end, a marker that is not allowed in coded data.
[[nodiscard]] JpegFrame check_jpeg(std::span<const std::uint8_t> stream);

}  // namespace seedwave::io::dicom
