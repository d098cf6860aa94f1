// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/codecs.h"

namespace seedwave::io::dicom {
namespace {

// ISO/IEC 10918-1, B.1: markers are FF and a byte; most open a segment with a two-byte length. In
// coded data FF is followed by 00, or by a restart marker (JPEG-LS: by a byte below 80).

constexpr int kStartOfImage = 0xD8;
constexpr int kEndOfImage = 0xD9;
constexpr int kStartOfScan = 0xDA;
constexpr int kLsFrame = 0xF7;

bool starts_frame(int marker) {
  return (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) ||
         marker == kLsFrame;
}

bool has_segment(int marker) {
  return starts_frame(marker) || marker == 0xC4 || marker == 0xCC ||
         (marker >= kStartOfScan && marker <= 0xFE && marker != 0xF9 && marker != 0xFD);
}

}  // namespace

void damaged_picture(const char* what) {
  throw InputError(std::string("the compressed image is damaged: ") + what);
}

JpegFrame check_jpeg(std::span<const std::uint8_t> stream) {
  JpegFrame frame;
  const std::size_t size = stream.size();
  if (size < 4 || stream[0] != 0xFF || stream[1] != kStartOfImage)
    damaged_picture("not a JPEG stream");
  std::size_t at = 2;
  bool scanned = false;
  bool is_ls = false;
  const auto skip_coded = [&] {
    while (at < size) {
      if (stream[at] != 0xFF) {
        ++at;
      } else if (at + 1 < size && (stream[at + 1] == 0 || (is_ls && stream[at + 1] < 0x80) ||
                                   (stream[at + 1] >= 0xD0 && stream[at + 1] <= 0xD7))) {
        at += 2;
      } else {
        return;
      }
    }
  };
  while (at + 1 < size) {
    if (stream[at] != 0xFF) damaged_picture("a segment does not begin with a marker");
    const int marker = stream[at + 1];
    if (marker == 0xFF) {  // fill
      ++at;
      continue;
    }
    if (marker == kEndOfImage) break;
    if (!has_segment(marker)) damaged_picture("a misplaced marker");
    if (size - at < 4) damaged_picture("truncated");
    const std::size_t length = std::size_t{stream[at + 2]} << 8 | stream[at + 3];
    if (length < 2 || length > size - at - 2) damaged_picture("a segment runs past the end");
    if (starts_frame(marker)) {
      if (frame.components != 0) damaged_picture("two frames in one");
      if (length < 8) damaged_picture("a frame header is too short");
      is_ls = marker == kLsFrame;
      frame = {stream[at + 4], stream[at + 5] << 8 | stream[at + 6],
               stream[at + 7] << 8 | stream[at + 8], stream[at + 9]};
    }
    at += 2 + length;
    if (marker == kStartOfScan) {
      scanned = true;
      skip_coded();
    }
  }
  if (frame.components == 0 || !scanned) damaged_picture("it has no image");
  return frame;
}

}  // namespace seedwave::io::dicom
