// SPDX-License-Identifier: Apache-2.0
#include "core/io/slides/tiff_slide.h"

#include "core/base/checked_size.h"
#include "core/base/error.h"
#include "core/io/formats/byte_source.h"
#include "core/io/pictures/tiff_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <tiffio.h>
#include <utility>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// Largest number of pages looked at; a slide of 40 channels with 10 levels has 400.
constexpr std::size_t kMostSlidePages = 4096;
/// A single tiled page is a slide from this number of pixels on.
constexpr std::int64_t kFewestPixelsAlone = 64'000'000;
/// Largest strip or tile in pixels: each thread decodes one at a time.
constexpr std::int64_t kLargestChunk = std::int64_t{1} << 25;
/// Tag of Hamamatsu's NDPI, which stores a level as one JPEG.
constexpr std::uint32_t kNdpiTag = 65420;

/// A directory of the file.
struct SlidePage {
  std::uint64_t offset = 0;
  TiffPage page;
  TiffChunks chunks;
  std::string description;
};

/// The parts of a slide that are found in its directories.
struct Found {
  SlideInfo info;
  /// By level, then by channel.
  std::vector<std::vector<SlidePage>> levels;
  std::vector<SlidePage> pictures;  // in the order of info.pictures
  std::vector<std::uint8_t> color_profile;
};

std::string text_in(tiff* tiff, std::uint32_t tag) {
  const char* text = nullptr;
  return TIFFGetField(tiff, tag, &text) == 1 && text != nullptr ? text : "";
}

/// Returns the positive number that a text begins with, or nothing. Not strtod(), which reads
/// decimal commas where that is the custom.
std::optional<double> number_in(std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number) || number <= 0.0) return std::nullopt;
  return number;
}

/// Returns the number after "key = " in a text, or nothing.
std::optional<double> number_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" ="), rest.size()));
  return number_in(rest);
}

/// Returns the value of an attribute of the first element of that name in XML, or "". Enough for
/// the few that are read, which hold numbers and names.
std::string attribute(std::string_view xml, std::string_view element, std::string_view name) {
  const std::size_t begin = xml.find("<" + std::string(element));
  if (begin == std::string_view::npos) return "";
  const std::string_view tag = xml.substr(begin, xml.find('>', begin) - begin);
  const std::size_t at = tag.find(" " + std::string(name) + "=\"");
  if (at == std::string_view::npos) return "";
  const std::size_t value = at + name.size() + 3;
  return std::string(tag.substr(value, tag.find('"', value) - value));
}

/// Micrometres for one unit of an OME length; 0 for units that are no length.
double micrometres_of(const std::string& unit) {
  if (unit.empty() || unit == "\u00b5m" || unit == "\u03bcm" || unit == "um") return 1.0;
  if (unit == "nm") return 1e-3;
  if (unit == "mm") return 1e3;
  if (unit == "cm") return 1e4;
  return 0.0;
}

/// Returns the size of a pixel from a page's resolution, in micrometres.
std::optional<std::array<double, 2>> resolution_of(tiff* tiff) {
  float x = 0.0F;
  float y = 0.0F;
  std::uint16_t unit = RESUNIT_INCH;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  if (TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) != 1 ||
      TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) != 1)
    return std::nullopt;
  const double length = unit == RESUNIT_CENTIMETER ? 10000.0 : unit == RESUNIT_INCH ? 25400.0 : 0.0;
  if (length == 0.0 || !(x > 0.0F) || !(y > 0.0F) || !std::isfinite(x) || !std::isfinite(y))
    return std::nullopt;
  return std::array<double, 2>{length / static_cast<double>(x), length / static_cast<double>(y)};
}

std::vector<std::uint8_t> profile_of(tiff* tiff) {
  std::uint32_t size = 0;
  const void* bytes = nullptr;
  if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &size, &bytes) != 1 || bytes == nullptr) return {};
  const auto* first = static_cast<const std::uint8_t*>(bytes);
  return {first, first + size};
}

bool has_tag(tiff* tiff, std::uint32_t tag) {
  for (int i = 0; i < TIFFGetTagListCount(tiff); ++i) {
    if (TIFFGetTagListEntry(tiff, i) == tag) return true;
  }
  return false;
}

/// Returns whether the current directory is the first of a vendor's file whose structure OpenSlide
/// knows, and this reader does not.
bool is_vendors(tiff* tiff, std::string_view description) {
  return has_tag(tiff, kNdpiTag) || description.find("leica-microsystems") != description.npos ||
         text_in(tiff, TIFFTAG_SOFTWARE).starts_with("Philips") ||
         text_in(tiff, TIFFTAG_SOFTWARE).starts_with("MedScan") ||
         description.starts_with(R"(<?xml version="1.0" encoding="UTF-8"?><DataObject)") ||
         description.find("iScan") != description.npos;
}

class TiffReader final : public Slide {
 public:
  TiffReader(fs::path file, Found found)
      : Slide(std::move(found.info), std::move(found.color_profile)),
        file_(std::move(file)),
        levels_(std::move(found.levels)),
        pictures_(std::move(found.pictures)) {}

 private:
  [[nodiscard]] SlidePicture read_picture(std::size_t at, Context& context) const override {
    TiffFile tiff(file_);
    const TiffPage page = select(tiff, pictures_[at]);
    require_memory(CheckedSize(page.width) * page.height * page.components, file_.string());
    std::vector<std::uint8_t> values;
    const TiffDamage damage =
        read_tiff_pixels(tiff, page, ReadAs::Image, file_.string(), values, context);
    if (damage.is_all) throw InputError(file_.string() + ": " + damage.reason);
    Geometry grid;
    grid.size = {page.width, page.height, 1};
    grid.unit = LengthUnit::Pixel;
    return {Volume(grid, std::move(values), page.components), profile_of(tiff.get())};
  }

  /// libtiff is no thread's friend, and reads a directory anew when it goes to it: so each open
  /// file stays at its page, and each thread takes one of its own.
  struct Handle {
    Handle(const fs::path& file, const SlidePage& of) : tiff(file), page(select(tiff, of)) {}
    TiffFile tiff;
    TiffPage page;
  };

  [[nodiscard]] static TiffPage select(TiffFile& tiff, const SlidePage& of) {
    if (TIFFSetSubDirectory(tiff.get(), of.offset) != 1) throw InputError("the file has changed");
    // Also tells libtiff to decode JPEG to RGB.
    const TiffPage page =
        read_tiff_page(tiff, std::numeric_limits<std::int64_t>::max() / 16, "the slide");
    if (page != of.page) throw InputError("the file has changed");
    return page;
  }

  [[nodiscard]] Volume tile(int level, int channel, std::int64_t column,
                            std::int64_t row) const override {
    const SlidePage& of =
        levels_[static_cast<std::size_t>(level)][static_cast<std::size_t>(channel)];
    std::unique_ptr<Handle> handle = taken(of);
    Volume pixels = read_tiff_chunk(handle->tiff, handle->page, of.chunks, column, row);
    const std::lock_guard lock(mutex_);
    idle_[of.offset].push_back(std::move(handle));
    return pixels;
  }

  [[nodiscard]] std::unique_ptr<Handle> taken(const SlidePage& of) const {
    {
      const std::lock_guard lock(mutex_);
      auto& idle = idle_[of.offset];
      if (!idle.empty()) {
        std::unique_ptr<Handle> handle = std::move(idle.back());
        idle.pop_back();
        return handle;
      }
    }
    return std::make_unique<Handle>(file_, of);
  }

  fs::path file_;
  std::vector<std::vector<SlidePage>> levels_;
  std::vector<SlidePage> pictures_;
  mutable std::mutex mutex_;  // guards idle_
  mutable std::map<std::uint64_t, std::vector<std::unique_ptr<Handle>>> idle_;
};

/// Looks through the directories of a file.
class Finder {
 public:
  explicit Finder(const fs::path& file) : file_(file), tiff_(file) {
    std::error_code error;
    bytes_ = static_cast<std::int64_t>(fs::file_size(file, error));
  }

  /// Returns what the file is, and its parts if it is a slide.
  [[nodiscard]] TiffKind find(Found& found) {
    const std::string description = text_in(tiff_.get(), TIFFTAG_IMAGEDESCRIPTION);
    if (is_vendors(tiff_.get(), description) || !has_codec()) return TiffKind::Foreign;
    if (TIFFIsTiled(tiff_.get()) == 0) return TiffKind::Picture;
    mpp_ = resolution_of(tiff_.get());
    found.color_profile = profile_of(tiff_.get());
    read_directories();
    const bool is_aperio = description.starts_with("Aperio");
    const bool is_ome = description.find("<OME") != std::string::npos;
    if (is_aperio) {
      take_aperio(description, found);
    } else if (is_ome) {
      take_ome(description, found);
    } else {
      take_pyramid(found);
    }
    if (!is_aperio && found.levels.size() < 2 &&
        pages_.front().page.width * pages_.front().page.height < kFewestPixelsAlone)
      return TiffKind::Picture;
    describe(found);
    return TiffKind::Slide;
  }

 private:
  [[nodiscard]] bool has_codec() {
    std::uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_COMPRESSION, &compression);
    return TIFFIsCODECConfigured(compression) != 0;
  }

  void read_directories() {
    std::set<std::uint64_t> seen;
    do {
      const std::uint64_t offset = TIFFCurrentDirOffset(tiff_.get());
      if (!seen.insert(offset).second || pages_.size() >= kMostSlidePages) break;
      pages_.push_back(current_page(offset));
      std::uint16_t count = 0;
      const std::uint64_t* offsets = nullptr;
      if (TIFFGetField(tiff_.get(), TIFFTAG_SUBIFD, &count, &offsets) == 1 && offsets != nullptr)
        smaller_[pages_.size() - 1].assign(offsets, offsets + count);
    } while (TIFFReadDirectory(tiff_.get()) == 1);
  }

  [[nodiscard]] SlidePage current_page(std::uint64_t offset) {
    SlidePage page;
    page.offset = offset;
    page.description = text_in(tiff_.get(), TIFFTAG_IMAGEDESCRIPTION);
    page.page = read_tiff_page(tiff_, bytes_, file_.string());
    page.chunks = tiff_chunks(tiff_, page.page, file_.string());
    if (page.chunks.width * page.chunks.height > kLargestChunk)
      throw InputError(file_.string() + " has strips or tiles that are too large for a slide");
    return page;
  }

  /// Adds a level of one page for each channel.
  void add_level(std::vector<SlidePage> pages, Found& found) const {
    const TiffPage& page = pages.front().page;
    const auto level = std::to_string(found.levels.size());
    if (page.through_rgba)
      throw InputError(file_.string() + " holds an unsupported slide: its colours are not RGB");
    if (page.components == 3 && page.type != VoxelType::U8 && page.type != VoxelType::U16) {
      throw InputError(file_.string() + " holds an unsupported slide: its colours have " +
                       std::to_string(page.bits) + " bits");
    }
    if (!found.levels.empty()) {
      const TiffPage& first = found.levels.front().front().page;
      const TiffPage& last = found.levels.back().front().page;
      if (page.type != first.type || page.components != first.components) {
        found.info.warnings.push_back("level " + level +
                                      " has other values than the first: it is ignored");
        return;
      }
      if (page.width > last.width ||
          !has_shape_of({page.width, page.height}, found.info.levels[0])) {
        found.info.warnings.push_back("level " + level + " (" + std::to_string(page.width) + " x " +
                                      std::to_string(page.height) +
                                      ") does not have the shape of the first: it is ignored");
        return;
      }
    }
    found.info.levels.push_back(
        {page.width, page.height, pages.front().chunks.width, pages.front().chunks.height});
    found.levels.push_back(std::move(pages));
  }

  void take_aperio(const std::string& description, Found& found) {
    found.info.format = "aperio";
    found.info.objective = number_after(description, "|AppMag");
    const auto mpp = number_after(description, "|MPP");
    mpp_.reset();
    if (mpp) mpp_ = std::array<double, 2>{*mpp, *mpp};
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      const SlidePage& page = pages_[i];
      if (page.page.tiled) {
        add_level({page}, found);
        continue;
      }
      // "Aperio Image Library v11.2.1 \r\nlabel 387x463"; the picture after the first level has no
      // name.
      std::string name = i == 1 ? "thumbnail" : "";
      const std::size_t line = page.description.find('\n');
      if (i > 1 && line != std::string::npos) {
        name = page.description.substr(line + 1);
        name = name.substr(0, name.find(' '));
      }
      add_picture(name, page, found);
    }
  }

  static void add_picture(const std::string& name, const SlidePage& page, Found& found) {
    if (name.empty() || page.page.type != VoxelType::U8) return;
    if (std::ranges::find(found.info.pictures, name) != found.info.pictures.end()) return;
    found.info.pictures.push_back(name);
    found.pictures.push_back(page);
  }

  void take_ome(const std::string& xml, Found& found) {
    found.info.format = "ome-tiff";
    const auto size = [&](std::string_view name) {
      return static_cast<int>(
          std::clamp(number_in(attribute(xml, "Pixels", name)).value_or(1.0), 1.0, 1e6));
    };
    const auto length = [&](const std::string& name) {
      const double unit = micrometres_of(attribute(xml, "Pixels", name + "Unit"));
      return number_in(attribute(xml, "Pixels", name)).value_or(0.0) * unit;
    };
    const double x = length("PhysicalSizeX");
    const double y = length("PhysicalSizeY");
    mpp_.reset();
    if (x > 0.0 && y > 0.0) mpp_ = std::array<double, 2>{x, y};
    found.info.objective = number_in(attribute(xml, "Objective", "NominalMagnification"));
    const std::string order = attribute(xml, "Pixels", "DimensionOrder");
    // Pages of the first plane and time: next to each other if C is the third axis.
    const int channels =
        pages_.front().page.components == 3
            ? 1
            : static_cast<int>(std::min<std::int64_t>(size("SizeC"), std::ssize(pages_)));
    const std::size_t step =
        order.starts_with("XYC") || order.empty() ? 1
        : order.starts_with("XYZC")               ? static_cast<std::size_t>(size("SizeZ"))
        : order.starts_with("XYTC")
            ? static_cast<std::size_t>(size("SizeT"))
            : static_cast<std::size_t>(size("SizeZ")) * static_cast<std::size_t>(size("SizeT"));
    if (static_cast<std::size_t>(channels - 1) * step >= pages_.size())
      throw InputError(file_.string() + " has fewer pages than its OME header states");
    std::vector<SlidePage> finest;
    std::size_t smaller = kMostSlidePages;
    for (int channel = 0; channel < channels; ++channel) {
      const std::size_t at = static_cast<std::size_t>(channel) * step;
      finest.push_back(pages_[at]);
      if (finest.back().page != finest.front().page)
        throw InputError(file_.string() + " has channels of several sizes");
      smaller = std::min(smaller, smaller_[at].size());
    }
    if (channels > 1) name_channels(xml, channels, found);
    add_level(std::move(finest), found);
    for (std::size_t i = 0; i < smaller; ++i) {
      std::vector<SlidePage> level;
      level.reserve(static_cast<std::size_t>(channels));
      for (int channel = 0; channel < channels; ++channel)
        level.push_back(page_at(smaller_[static_cast<std::size_t>(channel) * step][i]));
      add_level(std::move(level), found);
    }
    const bool has_planes = size("SizeZ") > 1 || size("SizeT") > 1;
    if (has_planes)
      found.info.warnings.emplace_back("it has several planes or times: the first is shown");
  }

  static void name_channels(std::string_view xml, int channels, Found& found) {
    constexpr std::string_view kElement = "<Channel";
    for (int channel = 0; channel < channels; ++channel) {
      const std::size_t at = xml.find(kElement);
      xml.remove_prefix(std::min(at, xml.size()));
      const std::string name = attribute(xml, "Channel", "Name");
      xml.remove_prefix(std::min(kElement.size(), xml.size()));
      found.info.channels.push_back(name.empty() ? "channel " + std::to_string(channel + 1) : name);
    }
  }

  [[nodiscard]] SlidePage page_at(std::uint64_t offset) {
    if (TIFFSetSubDirectory(tiff_.get(), offset) != 1)
      throw InputError(file_.string() + " is damaged: a level of it cannot be found");
    return current_page(offset);
  }

  /// Levels are the first page, its SubIFDs, and further tiled pages that get smaller.
  void take_pyramid(Found& found) {
    found.info.format = "generic-tiff";
    add_level({pages_.front()}, found);
    for (const std::uint64_t offset : smaller_[0])
      add_level({page_at(offset)}, found);
    for (std::size_t i = 1; i < pages_.size(); ++i) {
      if (pages_[i].page.tiled && pages_[i].page.is_copy) add_level({pages_[i]}, found);
    }
  }

  void describe(Found& found) const {
    const TiffPage& page = found.levels.front().front().page;
    found.info.type = page.type;
    found.info.components = page.components;
    found.info.mpp = mpp_;
    if (page.components == 1) found.info.background = {0, 0, 0};
    if (!mpp_)
      found.info.warnings.emplace_back("the size of a pixel is unknown: lengths are in pixels");
  }

  fs::path file_;
  TiffFile tiff_;
  std::int64_t bytes_ = 0;
  std::vector<SlidePage> pages_;
  /// Offsets of SubIFDs, by the number of their page.
  std::map<std::size_t, std::vector<std::uint64_t>> smaller_;
  std::optional<std::array<double, 2>> mpp_;
};

}  // namespace

TiffSlide open_tiff_slide(const fs::path& file) {
  Found found;
  const TiffKind kind = Finder(file).find(found);
  if (kind != TiffKind::Slide) return {.kind = kind};
  return {.kind = kind, .slide = std::make_shared<TiffReader>(file, std::move(found))};
}

}  // namespace seedwave::io
