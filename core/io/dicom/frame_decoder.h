// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/file_reader.h"
#include "core/io/dicom/header.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seedwave::io::dicom {

/// Decodes the frames of one file, which it keeps open. Any thread may decode.
class FrameDecoder {
 public:
  /// Locates each frame's bytes; `header` must outlive this. Throws InputError without the file's
  /// name: pixel items that run past the end, or that cannot be assigned to frames.
  explicit FrameDecoder(const Header& header);

  /// Returns the stored values of one frame, x fastest, components together: unused bits removed,
  /// signs extended, colours as RGB 0..255 (0..65535 for 16 bits). Allocates one frame.
  /// Throws InputError without the file's name: damaged, or different from what the header states.
  [[nodiscard]] std::vector<std::int32_t> decode(int frame) const;

 private:
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] std::vector<std::uint8_t> read(std::span<const Piece> pieces) const;
  void find_pieces();
  void assign_to_frames(std::span<const Piece> pieces, std::span<const std::uint8_t> offset_table);

  const Header& header_;
  FileReader file_;
  std::vector<std::vector<Piece>> frames_;
};

}  // namespace seedwave::io::dicom
