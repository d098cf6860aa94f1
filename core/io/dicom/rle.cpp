// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/codecs.h"

#include <algorithm>

namespace seedwave::io::dicom {
namespace {

// PS3.5, Annex G: a header of sixteen 32-bit numbers gives the number of segments and their
// offsets. A segment holds one byte plane, the most significant of each sample first, as runs: n <
// 128: n + 1 bytes follow; n > 128: the next byte, 257 - n times; 128: nothing.
// Decoded here and not by DCMTK 3.6.7, which does not check the offsets.

constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kMostSegments = 15;

std::size_t little_endian(std::span<const std::uint8_t> bytes, std::size_t at) {
  return std::size_t{bytes[at]} | std::size_t{bytes[at + 1]} << 8 |
         std::size_t{bytes[at + 2]} << 16 | std::size_t{bytes[at + 3]} << 24;
}

/// Unpacks one byte plane of `count` bytes. Further bytes are padding.
void unpack(std::span<const std::uint8_t> segment, std::size_t count,
            std::vector<std::uint8_t>& plane) {
  plane.clear();
  std::size_t at = 0;
  while (plane.size() < count) {
    if (segment.size() - at < 2) damaged_picture("a run-length segment is truncated");
    const std::size_t head = segment[at++];
    const std::size_t left = count - plane.size();
    if (head < 128) {
      if (head + 1 > segment.size() - at) damaged_picture("a run-length segment is truncated");
      const auto first = segment.begin() + static_cast<std::ptrdiff_t>(at);
      plane.insert(plane.end(), first,
                   first + static_cast<std::ptrdiff_t>(std::min(head + 1, left)));
      at += head + 1;
    } else if (head > 128) {
      plane.insert(plane.end(), std::min(257 - head, left), segment[at++]);
    }
  }
}

}  // namespace

std::vector<std::int32_t> decode_rle(std::span<const std::uint8_t> stream,
                                     const PixelLayout& layout) {
  if (stream.size() < kHeaderBytes) damaged_picture("its table of segments is truncated");
  const auto samples = static_cast<std::size_t>(layout.samples);
  const auto bytes = static_cast<std::size_t>(layout.bits_allocated / 8);
  const std::size_t segments = little_endian(stream, 0);
  if (segments != samples * bytes || segments > kMostSegments) {
    damaged_picture("it does not have one run-length segment for each byte of a pixel");
  }
  const auto pixels = static_cast<std::size_t>(layout.pixels());
  std::vector<std::int32_t> values(pixels * samples);
  std::vector<std::uint8_t> plane;
  for (std::size_t s = 0; s < segments; ++s) {
    const std::size_t begin = little_endian(stream, 4 * (s + 1));
    const std::size_t end = s + 1 < segments ? little_endian(stream, 4 * (s + 2)) : stream.size();
    if (begin < kHeaderBytes || begin > end || end > stream.size()) {
      damaged_picture("a run-length segment lies outside the data");
    }
    unpack(stream.subspan(begin, end - begin), pixels, plane);
    const std::size_t sample = s / bytes;
    for (std::size_t i = 0; i < pixels; ++i) {
      std::int32_t& value = values[i * samples + sample];
      value = value << 8 | plane[i];
    }
  }
  return values;
}

}  // namespace seedwave::io::dicom
