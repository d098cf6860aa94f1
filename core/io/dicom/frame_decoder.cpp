// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/frame_decoder.h"

#include "core/base/error.h"
#include "core/io/dicom/codecs.h"
#include "core/io/dicom/header.h"
#include "core/io/dicom/pixel_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace seedwave::io::dicom {
namespace {

std::int32_t shade(double value) {
  return static_cast<std::int32_t>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

/// Converts RRR...GGG...BBB... to RGBRGB...
std::vector<std::int32_t> interleave(std::span<const std::int32_t> planes) {
  const std::size_t pixels = planes.size() / 3;
  std::vector<std::int32_t> values(planes.size());
  for (std::size_t i = 0; i < pixels; ++i) {
    for (std::size_t c = 0; c < 3; ++c)
      values[3 * i + c] = planes[c * pixels + i];
  }
  return values;
}

/// Converts native YBR_FULL_422, two pixels as Y Y Cb Cr, to one Y Cb Cr per pixel (PS3.3,
/// C.7.6.3.1.2).
std::vector<std::int32_t> unpack_422(std::span<const std::int32_t> values,
                                     const PixelLayout& layout) {
  std::vector<std::int32_t> full;
  full.reserve(static_cast<std::size_t>(layout.values()));
  const int pairs = (layout.columns + 1) / 2;
  for (int y = 0; y < layout.rows; ++y) {
    for (int x = 0; x < layout.columns; ++x) {
      const std::size_t pair = 4 * (static_cast<std::size_t>(y) * pairs + x / 2);
      full.insert(full.end(), {values[pair + x % 2], values[pair + 2], values[pair + 3]});
    }
  }
  return full;
}

/// Converts YBR_FULL of 8 bits to RGB in place, rounded to nearest (PS3.3, C.7.6.3.1.2).
void ybr_to_rgb(std::span<std::int32_t> values) {
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
    const double y = values[i];
    const double blue = values[i + 1] - 128;
    const double red = values[i + 2] - 128;
    values[i] = shade(y + 1.402 * red);
    values[i + 1] = shade(y - 0.344136 * blue - 0.714136 * red);
    values[i + 2] = shade(y + 1.772 * blue);
  }
}

/// Converts palette indices to RGB; indices outside take the nearest entry (PS3.3, C.7.6.3.1.5).
std::vector<std::int32_t> apply_palette(std::span<const std::int32_t> indices,
                                        const Palette& palette) {
  std::vector<std::int32_t> values;
  values.reserve(3 * indices.size());
  const auto last = static_cast<std::int32_t>(palette.entries.size()) - 1;
  for (const std::int32_t index : indices) {
    const auto& entry =
        palette.entries[static_cast<std::size_t>(std::clamp(index - palette.first, 0, last))];
    values.insert(values.end(), {entry[0], entry[1], entry[2]});
  }
  return values;
}

constexpr std::uint32_t kItemWord = 0xE000FFFE;         // read as little-endian words
constexpr std::uint32_t kSequenceEndWord = 0xE0DDFFFE;  // (FFFE,E0DD)

std::uint32_t little_endian(const std::uint8_t* p) {
  return std::uint32_t{p[0]} | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 |
         std::uint32_t{p[3]} << 24;
}

/// Returns the stored values: bytes, or words in either byte order.
std::vector<std::int32_t> words_of(std::span<const std::uint8_t> bytes, int bits_allocated,
                                   bool big_endian) {
  if (bits_allocated == 8) return {bytes.begin(), bytes.end()};
  std::vector<std::int32_t> words(bytes.size() / 2);
  const int low = big_endian ? 1 : 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = bytes[2 * i + low] | bytes[2 * i + 1 - low] << 8;
  }
  return words;
}

/// Extracts the stored bits of each word and extends the sign.
void keep_stored_bits(std::span<std::int32_t> values, const PixelLayout& layout, int shift) {
  const std::int32_t mask = (std::int32_t{1} << layout.bits_stored) - 1;
  const std::int32_t sign = layout.is_signed ? std::int32_t{1} << (layout.bits_stored - 1) : 0;
  for (std::int32_t& value : values) {
    value = value >> shift & mask;
    value = (value ^ sign) - sign;
  }
}

std::vector<std::int32_t> native_frame(const PixelLayout& layout, bool big_endian,
                                       std::span<const std::uint8_t> bytes) {
  std::vector<std::int32_t> values = words_of(bytes, layout.bits_allocated, big_endian);
  keep_stored_bits(values, layout, layout.high_bit + 1 - layout.bits_stored);
  if (layout.photometric == Photometric::YbrFull422) return unpack_422(values, layout);
  if (layout.planar) return interleave(values);
  return values;
}

std::vector<std::int32_t> decompress(std::span<const std::uint8_t> stream,
                                     const PixelLayout& layout, const std::string& transfer_syntax,
                                     Photometric& photometric) {
  if (layout.compression == Compression::Rle) return decode_rle(stream, layout);
  if (layout.compression == Compression::Jpeg2000) return decode_jpeg2000(stream, layout);
  return decode_with_dcmtk(stream, layout, transfer_syntax, photometric);
}

}  // namespace

FrameDecoder::FrameDecoder(const Header& header) : header_(header), file_(header.file) {
  if (header.place.encapsulated) find_pieces();
}

std::vector<std::uint8_t> FrameDecoder::read(std::span<const Piece> pieces) const {
  std::uint64_t total = 0;
  for (const Piece& piece : pieces)
    total += piece.bytes;
  std::vector<std::uint8_t> bytes(total);  // checked before: the pieces lie in the file
  std::uint64_t done = 0;
  for (const Piece& piece : pieces) {
    const std::span target(bytes.data() + done, piece.bytes);
    if (header_.place.inflated) {
      const std::vector<std::uint8_t>& whole = *header_.place.inflated;
      if (piece.begin > whole.size() || piece.bytes > whole.size() - piece.begin) {
        throw InputError("ends too early");
      }
      std::copy_n(whole.data() + piece.begin, piece.bytes, target.data());
    } else {
      file_.read(piece.begin, target);
    }
    done += piece.bytes;
  }
  return bytes;
}

// Encapsulated pixel data: an item with the offset table (which may be empty), items with the
// compressed streams, and a delimiter (PS3.5, A.4). The stream of one frame may be split into
// several items.
void FrameDecoder::find_pieces() {
  std::vector<Piece> pieces;
  std::uint64_t offset = header_.place.begin;
  std::uint8_t head[8];
  for (;;) {
    if (offset > file_.size() || file_.size() - offset < 8) {
      throw InputError("truncated within its compressed pixel data");
    }
    file_.read(offset, head);
    const std::uint32_t tag = little_endian(head);
    const std::uint64_t bytes = little_endian(head + 4);
    if (tag == kSequenceEndWord) break;
    if (tag != kItemWord) throw InputError("the compressed pixel data are damaged");
    if (bytes > file_.size() - offset - 8) {
      throw InputError("truncated: a compressed image should have " + byte_count(bytes) +
                       ", the file contains " + byte_count(file_.size() - offset - 8));
    }
    pieces.push_back({offset + 8, bytes});
    offset += 8 + bytes;
  }
  if (pieces.size() < 2) throw InputError("holds no compressed image");
  const std::vector<std::uint8_t> table = read(std::span(pieces).first(1));
  assign_to_frames(std::span(pieces).subspan(1), table);
}

void FrameDecoder::assign_to_frames(std::span<const Piece> pieces,
                                    std::span<const std::uint8_t> offset_table) {
  const auto count = static_cast<std::size_t>(header_.frame_count);
  frames_.resize(count);
  if (count == 1) {
    frames_[0].assign(pieces.begin(), pieces.end());
    return;
  }
  if (pieces.size() == count) {
    for (std::size_t i = 0; i < count; ++i)
      frames_[i] = {pieces[i]};
    return;
  }
  if (offset_table.size() / 4 != count) {
    throw InputError("the " + std::to_string(pieces.size()) +
                     " compressed parts cannot be assigned to " + std::to_string(count) +
                     " frames");
  }
  // Offsets count from the start of the first item after the table.
  const std::uint64_t base = pieces[0].begin - 8;
  std::size_t piece = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t end = i + 1 < count ? base + little_endian(&offset_table[4 * (i + 1)])
                                            : pieces.back().begin + pieces.back().bytes;
    while (piece < pieces.size() && pieces[piece].begin + pieces[piece].bytes <= end) {
      frames_[i].push_back(pieces[piece++]);
    }
    if (frames_[i].empty()) throw InputError("the table of frames is damaged");
  }
}

std::vector<std::int32_t> FrameDecoder::decode(int frame) const {
  const PixelLayout& layout = header_.layout;
  std::vector<std::int32_t> values;
  Photometric photometric = layout.photometric;
  if (layout.compression == Compression::None) {
    const auto bytes = static_cast<std::uint64_t>(layout.native_bytes());
    const Piece piece{header_.place.begin + bytes * static_cast<std::uint64_t>(frame), bytes};
    values = native_frame(layout, header_.place.big_endian, read(std::span(&piece, 1)));
  } else {
    const std::vector<std::uint8_t> stream = read(frames_[static_cast<std::size_t>(frame)]);
    check_expansion(layout, 1, stream.size());
    values = decompress(stream, layout, header_.place.transfer_syntax, photometric);
    keep_stored_bits(values, layout, 0);
  }
  // Each pixel has three values by now, even if they were stored subsampled.
  if (photometric == Photometric::YbrFull || photometric == Photometric::YbrFull422)
    ybr_to_rgb(values);
  if (header_.palette) return apply_palette(values, *header_.palette);
  return values;
}

}  // namespace seedwave::io::dicom
