// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/nifti.h"

#include "core/base/error.h"
#include "core/base/file_name.h"
#include "core/io/formats/nifti_header.h"
#include "core/io/formats/text_fields.h"

#include <algorithm>
#include <cmath>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

struct Datatype {
  int code;
  StoredType stored;
  int components;
};
constexpr std::array<Datatype, 11> kDatatypes{{{2, StoredType::U8, 1},
                                               {4, StoredType::I16, 1},
                                               {8, StoredType::I32, 1},
                                               {16, StoredType::F32, 1},
                                               {64, StoredType::F64, 1},
                                               {128, StoredType::U8, 3},
                                               {256, StoredType::I8, 1},
                                               {512, StoredType::U16, 1},
                                               {768, StoredType::U32, 1},
                                               {1024, StoredType::I64, 1},
                                               {1280, StoredType::U64, 1}}};

/// A file must open quickly, whatever it claims, and the study list cannot show more.

struct Header {
  NiftiHeader nifti;
  RawVoxels raw;  // of the first time point
  std::int64_t parts = 1;
  std::vector<std::string> warnings;
};

bool is_gzip(const fs::path& file) {
  const auto head = read_head(file, 2);
  return has_mark(head, "\x1f\x8b");
}

/// Returns the .img beside a .hdr, compressed or not.
fs::path voxels_of_pair(const fs::path& header) {
  for (const char* suffix : {".img", ".img.gz", ".IMG"}) {
    fs::path file = without_gz(header).replace_extension(suffix);
    std::error_code error;
    if (fs::is_regular_file(file, error)) return file;
  }
  throw InputError(header.string() +
                   " is the header of a NIfTI pair, but the .img file beside it is missing");
}

void set_type(RawVoxels& raw, const NiftiHeader& nifti, const std::string& file) {
  const auto* const found =
      std::find_if(kDatatypes.begin(), kDatatypes.end(),
                   [&](const Datatype& type) { return type.code == nifti.datatype; });
  if (found == kDatatypes.end()) {
    throw InputError(file + " holds voxels of an unsupported NIfTI type (code " +
                     std::to_string(nifti.datatype) +
                     "): save it as integers or 32-bit floating point");
  }
  raw.stored = found->stored;
  raw.components = found->components;
}

void set_rescale(RawVoxels& raw, const NiftiHeader& nifti, std::vector<std::string>& warnings) {
  // By the standard and by custom, 0 and NaN mean "none".
  if (nifti.slope == 0.0 || std::isnan(nifti.slope)) return;
  if (!std::isfinite(nifti.slope) || !std::isfinite(nifti.intercept)) {
    warnings.push_back("has a slope or intercept that is not a number: values are as stored");
    return;
  }
  if (raw.components != 1) return;
  raw.slope = nifti.slope;
  raw.intercept = nifti.intercept;
}

Header read_nifti_header(const fs::path& file) {
  Header header;
  const std::string name = file.string();
  const Packing packing = is_gzip(file) ? Packing::Deflate : Packing::None;
  std::vector<std::byte> head(kNifti2HeaderBytes);
  ByteSource source(file, packing);
  head.resize(source.read_some(head));
  if (!is_nifti_header(head)) throw InputError(name + " does not start with a NIfTI header");
  header.nifti = parse_nifti_header(head, name);

  RawVoxels& raw = header.raw;
  raw.file = header.nifti.is_pair ? voxels_of_pair(file) : file;
  raw.packing = header.nifti.is_pair && is_gzip(raw.file) ? Packing::Deflate
                : header.nifti.is_pair                    ? Packing::None
                                                          : packing;
  raw.order = header.nifti.order;
  set_type(raw, header.nifti, name);
  raw.geometry = geometry_of(header.nifti, name, header.warnings);
  set_rescale(raw, header.nifti, header.warnings);

  const double least = header.nifti.is_pair ? 0.0 : header.nifti.version == 1 ? 348.0 : 540.0;
  double offset = header.nifti.voxel_offset;
  // Some writers omit the offset.
  if (offset == 0.0) offset = header.nifti.is_pair ? 0.0 : least + 4.0;
  if (!(offset >= least && offset < 1e15)) {
    throw InputError(name + " has a damaged NIfTI header: its voxels cannot start at byte " +
                     std::to_string(offset));
  }
  raw.stream_offset = static_cast<std::int64_t>(offset);

  check_raw_size(raw);
  CheckedSize parts = 1;
  for (std::int64_t axis = 4; axis <= header.nifti.dim[0]; ++axis)
    parts = parts * header.nifti.dim[static_cast<std::size_t>(axis)];
  header.parts = checked_parts(parts, name);
  return header;
}

std::vector<Item> scan_nifti(const fs::path& file) {
  const Header header = read_nifti_header(file);
  Item item;
  item.format = "nifti";
  const bool flat = header.raw.geometry.has_two_axes();
  item.kind = flat && !has_position(header.nifti) ? ItemKind::Image : ItemKind::Volume;
  item.files = {file};
  if (header.raw.file != file) item.files.push_back(header.raw.file);
  item.geometry = header.raw.geometry;
  item.type = type_of(header.raw);
  item.components = header.raw.components;
  item.warnings = header.warnings;
  item.hints.description = printable(header.nifti.description);
  const double width = header.nifti.shown_high - header.nifti.shown_low;
  if (std::isfinite(width) && width > 0) {
    item.hints.windows.push_back({"from the file", header.nifti.shown_low + 0.5 * width, width});
  }
  const bool times = header.nifti.dim[0] < 5 || header.parts == header.nifti.dim[4];
  return items_of_parts(item, header.parts, times ? "time" : "part",
                        [&](std::int64_t part) { check_raw_size(part_of(header.raw, part)); });
}

LoadedImage load_nifti(const Item& item, const LoadOptions& options, Context& context) {
  const Header header = read_nifti_header(item.files.at(0));
  return load_part(item, header.raw, header.parts, header.warnings, options, context);
}

}  // namespace

Format nifti_format() {
  return {.name = "nifti",
          .recognises = is_nifti_header,
          .in_gzip = true,
          .scan = scan_nifti,
          .load = load_nifti};
}

}  // namespace seedwave::io
