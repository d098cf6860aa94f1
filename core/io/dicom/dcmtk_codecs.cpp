// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/codecs.h"
#include "core/io/dicom/dcmtk_environment.h"
#include "core/io/dicom/tags.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcdatset.h>
#include <dcmtk/dcmdata/dcdeftag.h>
#include <dcmtk/dcmdata/dcpixel.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmdata/dcxfer.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace seedwave::io::dicom {
namespace {

const char* name_of(Photometric photometric) {
  switch (photometric) {
    case Photometric::Monochrome1:
      return "MONOCHROME1";
    case Photometric::Monochrome2:
      return "MONOCHROME2";
    case Photometric::Palette:
      return "PALETTE COLOR";
    case Photometric::Rgb:
      return "RGB";
    case Photometric::YbrFull:
      return "YBR_FULL";
    case Photometric::YbrFull422:
      return "YBR_FULL_422";
    case Photometric::YbrReversible:
      break;
  }
  return "YBR_RCT";
}

/// Sets the attributes by which DCMTK's codecs size their buffers, from the checked layout and not
/// from the file.
void describe(DcmItem& dataset, const PixelLayout& layout) {
  const auto must = [](const OFCondition& done) {
    // Only memory can be lacking, whatever DCMTK reports: the layout was checked.
    if (done.bad()) throw std::bad_alloc();
  };
  const auto put = [&](const DcmTagKey& tag, int value) {
    must(dataset.putAndInsertUint16(tag, static_cast<Uint16>(value)));
  };
  put(DCM_SamplesPerPixel, layout.samples);
  must(dataset.putAndInsertString(DCM_PhotometricInterpretation, name_of(layout.photometric)));
  if (layout.samples > 1) put(DCM_PlanarConfiguration, 0);
  must(dataset.putAndInsertString(DCM_NumberOfFrames, "1"));
  put(DCM_Rows, layout.rows);
  put(DCM_Columns, layout.columns);
  put(DCM_BitsAllocated, layout.bits_allocated);
  put(DCM_BitsStored, layout.bits_stored);
  put(DCM_HighBit, layout.high_bit);
  put(DCM_PixelRepresentation, layout.is_signed ? 1 : 0);
}

void check_stream(std::span<const std::uint8_t> stream, const PixelLayout& layout) {
  const JpegFrame frame = check_jpeg(stream);
  if (frame.rows != layout.rows || frame.columns != layout.columns ||
      frame.components != layout.samples) {
    throw InputError("the compressed image is " + std::to_string(frame.columns) + " x " +
                     std::to_string(frame.rows) + " with " + std::to_string(frame.components) +
                     " components, but its header says " + std::to_string(layout.columns) + " x " +
                     std::to_string(layout.rows) + " with " + std::to_string(layout.samples));
  }
  if (frame.precision < 2 || frame.precision > layout.bits_allocated ||
      (frame.precision <= 8 && layout.bits_allocated > 8 && layout.bits_stored > 8)) {
    throw InputError("the compressed image has " + std::to_string(frame.precision) +
                     " bits, which does not match its header");
  }
}

std::unique_ptr<DcmPixelSequence> sequence_of(std::span<const std::uint8_t> stream) {
  auto sequence = std::make_unique<DcmPixelSequence>(DCM_PixelSequenceTag);
  auto table = std::make_unique<DcmPixelItem>(DCM_PixelItemTag);
  auto item = std::make_unique<DcmPixelItem>(DCM_PixelItemTag);
  if (!is_good(item->putUint8Array(stream.data(), static_cast<unsigned long>(stream.size())))) {
    throw InputError("the compressed image is damaged");
  }
  const auto put = [&sequence](std::unique_ptr<DcmPixelItem> each) {
    sequence->insert(each.get());
    static_cast<void>(each.release());  // after insertion, which allocates memory
  };
  put(std::move(table));
  put(std::move(item));
  return sequence;
}

}  // namespace

std::vector<std::int32_t> decode_with_dcmtk(std::span<const std::uint8_t> stream,
                                            const PixelLayout& layout,
                                            const std::string& transfer_syntax,
                                            Photometric& photometric) {
  DcmtkComplaints complaints;
  check_stream(stream, layout);
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(layout.values()) * (layout.bits_allocated / 8);
  if (bytes >= std::numeric_limits<Sint32>::max() ||
      stream.size() >= std::numeric_limits<Sint32>::max()) {
    throw InputError("the compressed image is too large");
  }
  // DCMTK requires even lengths.
  std::vector<std::uint8_t> padded(stream.begin(), stream.end());
  if (padded.size() % 2 != 0) padded.push_back(0);

  DcmDataset dataset;
  describe(dataset, layout);
  DcmPixelData pixels(DCM_PixelData);
  pixels.putOriginalRepresentation(DcmXfer(transfer_syntax.c_str()).getXfer(), nullptr,
                                   sequence_of(padded).release());
  std::vector<std::uint16_t> buffer((bytes + 1) / 2);
  Uint32 fragment = 1;
  OFString model;
  const OFCondition result = pixels.getUncompressedFrame(
      &dataset, 0, fragment, buffer.data(), static_cast<Uint32>(2 * buffer.size()), model, nullptr);
  if (!is_good(result)) {
    throw InputError(std::string("the compressed image cannot be decoded: ") + result.text());
  }
  if (!complaints.first().empty()) {
    throw InputError("the compressed image is damaged: " + complaints.first());
  }
  if (model == "RGB") photometric = Photometric::Rgb;
  if (model == "YBR_FULL" || model == "YBR_FULL_422") photometric = Photometric::YbrFull;
  if (layout.bits_allocated == 16) {
    buffer.resize(static_cast<std::size_t>(layout.values()));
    return {buffer.begin(), buffer.end()};
  }
  const auto* first = reinterpret_cast<const std::uint8_t*>(buffer.data());
  return {first, first + layout.values()};
}

}  // namespace seedwave::io::dicom
