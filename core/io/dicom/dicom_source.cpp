// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/dicom_source.h"

#include "core/base/error.h"
#include "core/io/dicom/file_reader.h"
#include "core/io/dicom/file_structure.h"
#include "core/io/dicom/frame_decoder.h"
#include "core/io/dicom/header.h"
#include "core/io/dicom/stacks.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// A file's header, or the reason why it has none.
struct Read {
  std::shared_ptr<const dicom::Header> header;
  std::string reason;
  bool is_slide = false;
};

Read read_one(const fs::path& file) {
  Read read;
  try {
    auto header = std::make_shared<dicom::Header>(dicom::read_header(file));
    // Compressed frames are located now, so that the scan reports a truncated file.
    if (header->place.encapsulated) dicom::FrameDecoder decoder(*header);
    header->place.inflated.reset();  // the loader inflates again; a scan keeps no pixels
    read.header = std::move(header);
  } catch (const dicom::SlideObject&) {
    read.is_slide = true;
  } catch (const InputError& error) {
    read.reason = error.what();
  }
  return read;
}

/// In a data set without preamble, group 0008 comes first, with a small element number.
bool is_bare_data_set(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= 8 && bytes[0] == 8 && bytes[1] == 0 && bytes[3] == 0 &&
         (bytes[2] == 0 || bytes[2] == 1 || bytes[2] == 5 || bytes[2] == 8 || bytes[2] == 0x16) &&
         bytes[7] == 0;
}

}  // namespace

bool looks_like_dicom(const fs::path& file) {
  try {
    const dicom::FileReader reader(file);
    std::array<std::uint8_t, 132> head{};
    const std::span<std::uint8_t> bytes(head.data(), std::min<std::uint64_t>(reader.size(), 132));
    reader.read(0, bytes);
    return (bytes.size() == 132 && std::memcmp(bytes.data() + 128, "DICM", 4) == 0) ||
           is_bare_data_set(bytes);
  } catch (const InputError&) {
    return false;
  }
}

std::vector<fs::path> scan_dicom(std::span<const fs::path> files, Scan& scan, Context& context) {
  const auto stage = context.stage("reading DICOM headers");
  std::vector<Read> reads(files.size());
  std::atomic<std::int64_t> done{0};
  parallel_for(context, static_cast<std::int64_t>(files.size()), 1,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   context.checkpoint(static_cast<double>(done.fetch_add(1)) /
                                      static_cast<double>(files.size()));
                   reads[static_cast<std::size_t>(i)] =
                       read_one(files[static_cast<std::size_t>(i)]);
                 }
               });
  std::vector<std::shared_ptr<const dicom::Header>> headers;
  std::vector<fs::path> slides;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (reads[i].is_slide) {
      slides.push_back(files[i]);
    } else if (reads[i].header) {
      headers.push_back(std::move(reads[i].header));
    } else {
      scan.skipped.push_back({files[i], reads[i].reason});
    }
  }
  const dicom::Grouping grouping = dicom::group_slices(headers);
  for (const dicom::Copy& copy : grouping.copies) {
    scan.skipped.push_back({copy.file, "the same image as " + copy.original.string()});
  }
  for (const dicom::Stack& stack : grouping.stacks) {
    for (Item& item : dicom::items_of(stack))
      scan.items.push_back(std::move(item));
  }
  return slides;
}

}  // namespace seedwave::io
