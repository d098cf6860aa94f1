// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/pixel_layout.h"

#include "core/base/checked_size.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/dicom/rescale.h"
#include "core/io/dicom/tags.h"
#include "core/io/dicom/warnings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace seedwave::io::dicom {
namespace {

constexpr int kMostFrames = 250'000;

int required(DcmItem& dataset, const DcmTagKey& tag, const char* name, int least, int most) {
  const std::optional<std::int64_t> value = integer_of(dataset, tag);
  if (!value) throw InputError(std::string("does not state its ") + name);
  if (*value < least || *value > most) {
    throw InputError(std::string(name) + " is " + std::to_string(*value) + "; it must be from " +
                     std::to_string(least) + " to " + std::to_string(most));
  }
  return static_cast<int>(*value);
}

Photometric photometric_of(const std::string& name) {
  if (name == "MONOCHROME1") return Photometric::Monochrome1;
  if (name == "MONOCHROME2") return Photometric::Monochrome2;
  if (name == "PALETTE COLOR") return Photometric::Palette;
  if (name == "RGB") return Photometric::Rgb;
  if (name == "YBR_FULL") return Photometric::YbrFull;
  if (name == "YBR_FULL_422" || name == "YBR_PARTIAL_420") return Photometric::YbrFull422;
  if (name == "YBR_RCT" || name == "YBR_ICT") return Photometric::YbrReversible;
  throw InputError("the colour coding is not supported (PhotometricInterpretation '" + name + "')");
}

void read_bits(DcmItem& dataset, PixelLayout& layout, std::vector<std::string>& warnings) {
  layout.bits_allocated = required(dataset, DCM_BitsAllocated, "BitsAllocated", 1, 64);
  if (layout.bits_allocated != 8 && layout.bits_allocated != 16) {
    throw InputError("BitsAllocated is " + std::to_string(layout.bits_allocated) +
                     "; 8 and 16 are supported");
  }
  layout.bits_stored = required(dataset, DCM_BitsStored, "BitsStored", 1, layout.bits_allocated);
  const std::optional<std::int64_t> stated = integer_of(dataset, DCM_HighBit);
  if (!stated) {
    add_once(warnings, "the file does not state its HighBit: " +
                           std::to_string(layout.bits_stored - 1) + " is assumed");
  }
  const std::int64_t high = stated.value_or(layout.bits_stored - 1);
  layout.high_bit = static_cast<int>(
      std::clamp<std::int64_t>(high, layout.bits_stored - 1, layout.bits_allocated - 1));
  if (layout.high_bit != high) {
    add_once(warnings, "HighBit is " + std::to_string(high) + ", which does not fit BitsStored; " +
                           std::to_string(layout.high_bit) + " is assumed");
  }
  const std::optional<std::int64_t> sign = integer_of(dataset, DCM_PixelRepresentation);
  if (!sign) {
    add_once(warnings,
             "the file does not state whether its values are signed (PixelRepresentation): "
             "unsigned is assumed");
  }
  layout.is_signed = sign.value_or(0) == 1;
}

std::vector<std::uint8_t> palette_channel(DcmItem& dataset, const DcmTagKey& descriptor_tag,
                                          const DcmTagKey& data_tag, int& first) {
  const auto descriptor = numbers_of(dataset, descriptor_tag, 3);
  const Uint16* words = nullptr;
  unsigned long count = 0;
  if (!descriptor || !is_good(dataset.findAndGetUint16Array(data_tag, words, &count)) ||
      words == nullptr) {
    throw InputError("the palette is missing or of an unsupported kind");
  }
  // Checked before the conversion: a number that no integer holds must not be converted.
  const double length = (*descriptor)[0];
  const double start = (*descriptor)[1];
  if (!(length >= 0.0 && length <= 65535.0 && std::abs(start) <= 65535.0)) {
    throw InputError("the palette's descriptor is invalid");
  }
  const auto entries = length == 0.0 ? std::size_t{65536} : static_cast<std::size_t>(length);
  first = static_cast<int>(start);
  const bool packed = (*descriptor)[2] <= 8 && count < entries;  // two 8-bit entries per word
  if ((packed ? 2 * std::size_t{count} : std::size_t{count}) < entries) {
    throw InputError("the palette is shorter than its descriptor states");
  }
  std::vector<std::uint8_t> channel(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    if (packed) {
      channel[i] = static_cast<std::uint8_t>(words[i / 2] >> (8 * (i % 2)));
    } else {
      channel[i] = static_cast<std::uint8_t>((*descriptor)[2] <= 8 ? words[i] : words[i] >> 8);
    }
  }
  return channel;
}

}  // namespace

std::int64_t PixelLayout::native_bytes() const noexcept {
  // YBR_FULL_422 shares two chroma samples between two pixels (PS3.3, C.7.6.3.1.2).
  if (photometric == Photometric::YbrFull422 && compression == Compression::None) {
    return std::int64_t{columns + 1} / 2 * 4 * rows;
  }
  return values() * (bits_allocated / 8);
}

PixelLayout read_layout(DcmItem& dataset, Compression compression,
                        std::vector<std::string>& warnings) {
  PixelLayout layout;
  layout.compression = compression;
  layout.rows = required(dataset, DCM_Rows, "Rows", 1, 65535);
  layout.columns = required(dataset, DCM_Columns, "Columns", 1, 65535);
  layout.samples = static_cast<int>(integer_of(dataset, DCM_SamplesPerPixel).value_or(1));
  std::string name = text_of(dataset, DCM_PhotometricInterpretation);
  if (name.empty()) {
    name = layout.samples == 3 ? "RGB" : "MONOCHROME2";
    add_once(warnings, "the file does not state its colour coding: " + name + " is assumed");
  }
  layout.photometric = photometric_of(name);
  const bool grey = layout.photometric == Photometric::Monochrome1 ||
                    layout.photometric == Photometric::Monochrome2 ||
                    layout.photometric == Photometric::Palette;
  if (layout.samples != (grey ? 1 : 3)) {
    throw InputError("SamplesPerPixel is " + std::to_string(layout.samples) +
                     ", which does not fit " + name);
  }
  layout.planar =
      layout.samples == 3 && integer_of(dataset, DCM_PlanarConfiguration).value_or(0) == 1;
  read_bits(dataset, layout, warnings);
  if (layout.samples == 3 && layout.is_signed) throw InputError("the colours are signed numbers");
  if (layout.samples == 3 && layout.photometric != Photometric::Rgb && layout.bits_allocated != 8) {
    throw InputError("the colours are YBR with more than 8 bits, which is not supported");
  }
  return layout;
}

int read_frame_count(DcmItem& dataset) {
  const std::string text = text_of(dataset, DCM_NumberOfFrames);
  if (text.empty()) return 1;
  const std::optional<std::int64_t> count = integer_of(dataset, DCM_NumberOfFrames);
  if (!count || *count < 1 || *count > kMostFrames) {
    throw InputError("NumberOfFrames is '" + text + "'");
  }
  return static_cast<int>(*count);
}

void check_native_size(const PixelLayout& layout, int frames, std::uint64_t bytes) {
  const auto held = static_cast<std::int64_t>(bytes);
  const CheckedSize needed = CheckedSize(layout.native_bytes()) * frames;
  if (!needed.fits(held)) {
    throw InputError("truncated or its header is wrong: " + std::to_string(layout.columns) + " x " +
                     std::to_string(layout.rows) + " pixels, " + std::to_string(frames) +
                     (frames == 1 ? " frame, need " : " frames, need ") +
                     byte_count(static_cast<std::uint64_t>(needed.value().value_or(0))) +
                     ", the pixel data are " + byte_count(bytes));
  }
  // The colours could then be YBR_FULL as well as RGB, which cannot be decided.
  const CheckedSize full = CheckedSize(layout.values()) * (layout.bits_allocated / 8) * frames;
  if (layout.photometric == Photometric::YbrFull422 && full.fits(held)) {
    throw InputError(
        "PhotometricInterpretation is YBR_FULL_422, but the pixel data are not subsampled: " +
        byte_count(bytes) + " instead of " +
        byte_count(static_cast<std::uint64_t>(*needed.value())) + "; it should be RGB or YBR_FULL");
  }
}

void check_expansion(const PixelLayout& layout, int frames, std::uint64_t bytes) {
  const CheckedSize claimed = CheckedSize(layout.native_bytes()) * frames;
  if (claimed.fits(kAlwaysExpanded) ||
      claimed.fits((CheckedSize(static_cast<std::int64_t>(bytes)) * kMostExpansion)
                       .value()
                       .value_or(std::numeric_limits<std::int64_t>::max()))) {
    return;
  }
  throw InputError("claims images of " +
                   byte_count(static_cast<std::uint64_t>(claimed.value().value_or(0))) +
                   ", compressed to " + byte_count(bytes) + ", which is impossible");
}

void check_rescale(const PixelLayout& layout, const Rescale& rescale) {
  if (layout.components() != 1) return;
  ValueLimits limits;
  limits.include(layout, rescale);
  const std::string what = "RescaleSlope " + number_text(rescale.slope) + " and RescaleIntercept " +
                           number_text(rescale.intercept);
  if (!(std::max(-limits.low, limits.high) <= std::numeric_limits<float>::max())) {
    throw InputError(what + " give values that are too large for 32-bit floating point");
  }
  if (!limits.integers && static_cast<float>(limits.low) == static_cast<float>(limits.high)) {
    throw InputError(what + " make all values the same in 32-bit floating point");
  }
}

Palette read_palette(DcmItem& dataset) {
  Palette palette;
  int ignored = 0;
  const auto red = palette_channel(dataset, DCM_RedPaletteColorLookupTableDescriptor,
                                   DCM_RedPaletteColorLookupTableData, palette.first);
  const auto green = palette_channel(dataset, DCM_GreenPaletteColorLookupTableDescriptor,
                                     DCM_GreenPaletteColorLookupTableData, ignored);
  const auto blue = palette_channel(dataset, DCM_BluePaletteColorLookupTableDescriptor,
                                    DCM_BluePaletteColorLookupTableData, ignored);
  if (green.size() != red.size() || blue.size() != red.size()) {
    throw InputError("the palette's tables differ in length");
  }
  for (std::size_t i = 0; i < red.size(); ++i)
    palette.entries.push_back({red[i], green[i], blue[i]});
  return palette;
}

}  // namespace seedwave::io::dicom
