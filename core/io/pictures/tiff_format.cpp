// SPDX-License-Identifier: Apache-2.0
#include "core/io/pictures/tiff_format.h"

#include "core/base/error.h"
#include "core/image/visit_type.h"
#include "core/io/formats/byte_source.h"
#include "core/io/pictures/tiff_file.h"

#include <algorithm>
#include <limits>
#include <system_error>
#include <tiffio.h>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// Largest number of pages; a scan of a whole body has some thousand slices.
constexpr std::size_t kMostPages = 20000;

/// The pages of a file that are images of their own, by the number of their directory.
struct Pages {
  std::vector<TiffPage> pages;
  std::vector<std::uint32_t> directories;
  std::size_t copies = 0;

  /// Returns whether all are of one size and kind: the slices of a volume.
  [[nodiscard]] bool is_stack() const {
    return pages.size() > 1 && std::all_of(pages.begin(), pages.end(), [&](const TiffPage& page) {
             return page == pages.front();
           });
  }
};

Pages read_pages(TiffFile& tiff, const fs::path& file) {
  std::error_code error;
  const auto bytes = static_cast<std::int64_t>(fs::file_size(file, error));
  Pages pages;
  std::uint32_t directory = 0;
  do {
    const TiffPage page = read_tiff_page(tiff, bytes, file.string());
    if (page.is_copy && directory > 0) {
      ++pages.copies;
    } else {
      pages.pages.push_back(page);
      pages.directories.push_back(directory);
    }
    if (pages.pages.size() > kMostPages) {
      throw InputError(file.string() + " holds more than " + std::to_string(kMostPages) + " pages");
    }
    ++directory;
  } while (TIFFReadDirectory(tiff.get()) == 1);
  return pages;
}

Geometry grid_of(const TiffPage& page, std::size_t slices, const std::string& file) {
  Geometry grid;
  grid.size = {page.width, page.height, static_cast<std::int64_t>(slices)};
  grid.unit = slices > 1 ? LengthUnit::Millimetre : LengthUnit::Pixel;
  grid.validate(file);
  return grid;
}

Item item_of(const TiffPage& page, std::size_t slices, const fs::path& file) {
  Item item;
  item.kind = slices > 1 ? ItemKind::Volume : ItemKind::Image;
  item.format = "tiff";
  item.files = {file};
  item.geometry = grid_of(page, slices, file.string());
  item.type = page.type;
  item.components = page.components;
  if (slices > 1) item.warnings.emplace_back("a TIFF stack has no voxel size: 1 mm is assumed");
  if (page.samples > page.components && page.photometric == PHOTOMETRIC_RGB) {
    item.warnings.emplace_back("its transparency is ignored");
  }
  if (page.sample_format == SAMPLEFORMAT_IEEEFP && page.bits == 64) {
    item.warnings.emplace_back("is stored in 64-bit floating point: read in 32 bits");
  }
  return item;
}

bool is_tiff(std::span<const std::byte> head) {
  using namespace std::string_view_literals;
  return has_mark(head, "II*\0"sv) || has_mark(head, "MM\0*"sv) || has_mark(head, "II+\0"sv) ||
         has_mark(head, "MM\0+"sv);
}

std::vector<Item> scan_tiff(const fs::path& file) {
  TiffFile tiff(file);
  const Pages pages = read_pages(tiff, file);
  if (pages.pages.size() == 1) {
    Item item = item_of(pages.pages.front(), 1, file);
    if (pages.copies > 0) {
      item.warnings.emplace_back("also holds smaller copies of the image: the largest is read");
    }
    return {item};
  }
  if (pages.is_stack()) return {item_of(pages.pages.front(), pages.pages.size(), file)};
  std::vector<Item> items;
  for (std::size_t i = 0; i < pages.pages.size(); ++i) {
    Item item = item_of(pages.pages[i], 1, file);
    item.part = std::to_string(i);
    item.hints.description =
        "page " + std::to_string(i + 1) + " of " + std::to_string(pages.pages.size());
    items.push_back(std::move(item));
  }
  return items;
}

/// Returns the selected slices of a stack, or the one page that the item represents.
std::vector<std::uint32_t> wanted_directories(const Item& item, const Pages& pages,
                                              const SliceRange& slices) {
  if (!pages.is_stack()) {
    const auto page = number_of_part(item, static_cast<std::int64_t>(pages.pages.size()));
    return {pages.directories[static_cast<std::size_t>(page)]};
  }
  const auto count = static_cast<std::int64_t>(pages.directories.size());
  const auto first = std::clamp<std::int64_t>(slices.first, 0, count - 1);
  const auto last = first + std::clamp<std::int64_t>(slices.count, 1, count - first);
  return {pages.directories.begin() + first, pages.directories.begin() + last};
}

template <typename T>
Volume read_volume(TiffFile& tiff, const TiffPage& page, std::span<const std::uint32_t> directories,
                   const Geometry& grid, const LoadOptions& options, const std::string& file,
                   std::vector<std::string>& warnings, Context& context) {
  std::vector<T> values;
  const bool indices = page.photometric == PHOTOMETRIC_PALETTE && options.as == ReadAs::Labels;
  const int components = indices ? 1 : page.components;
  TiffDamage damage{.reason = {}, .is_all = true};
  values.reserve(static_cast<std::size_t>(grid.voxel_count() * components));
  for (const std::uint32_t directory : directories) {
    if (TIFFSetDirectory(tiff.get(), static_cast<tdir_t>(directory)) != 1) {
      throw InputError(file + " has changed: page " + std::to_string(directory + 1) + " is gone");
    }
    if (page.compression == COMPRESSION_JPEG && page.photometric == PHOTOMETRIC_RGB) {
      TIFFSetField(tiff.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    }
    const TiffDamage found = read_tiff_pixels(tiff, page, options.as, file, values, context);
    if (damage.reason.empty()) damage.reason = found.reason;
    damage.is_all = damage.is_all && found.is_all;
    if (!damage.reason.empty() && options.damaged == Damaged::Refuse) break;
  }
  if (damage.is_all) {
    throw InputError(file + " is damaged or truncated: its TIFF pixels cannot be read (" +
                     damage.reason + ")");
  }
  if (!damage.reason.empty()) report_damage(options.damaged, file, damage.reason, warnings);
  return Volume(grid, std::move(values), components);
}

LoadedImage load_tiff(const Item& item, const LoadOptions& options, Context& context) {
  const fs::path& path = item.files.at(0);
  const std::string file = path.string();
  TiffFile tiff(path);
  const Pages pages = read_pages(tiff, path);
  const auto directories = wanted_directories(item, pages, options.slices);
  const auto at =
      std::find(pages.directories.begin(), pages.directories.end(), directories.front());
  const TiffPage& page = pages.pages[static_cast<std::size_t>(at - pages.directories.begin())];
  Geometry grid = grid_of(page, pages.is_stack() ? pages.pages.size() : 1, file);
  if (pages.is_stack()) grid = cut_slices(grid, options.slices);
  require_memory(CheckedSize(grid.voxel_count()) * page.components *
                     static_cast<std::int64_t>(bytes_of(page.type)) * (page.through_rgba ? 3 : 1),
                 file);
  LoadedImage image;
  const auto read = [&]<typename T>(T) {
    return read_volume<T>(tiff, page, directories, grid, options, file, image.warnings, context);
  };
  image.hints = item.hints;
  image.warnings = item.warnings;
  VoxelType type = page.type;
  if (options.as == ReadAs::Labels) {
    // Indices of a palette may need 16 bits.
    if (type == VoxelType::U8 && page.photometric == PHOTOMETRIC_PALETTE && page.bits == 16)
      type = VoxelType::U16;
    if (type == VoxelType::I32 && page.sample_format == SAMPLEFORMAT_UINT) type = VoxelType::U32;
  }
  image.volume = visit_stored_type(type, read);
  if (is_wrapped(image.volume, page)) throw InputError(file + " " + std::string(kWrapped));
  return image;
}

}  // namespace

Format tiff_format() {
  return {.name = "tiff", .recognises = is_tiff, .scan = scan_tiff, .load = load_tiff};
}

}  // namespace seedwave::io
