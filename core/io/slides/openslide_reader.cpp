// SPDX-License-Identifier: Apache-2.0
#include "core/io/slides/openslide_reader.h"

#include "core/base/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <string_view>
#include <utility>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// Side of the tiles of levels that state none, and the longest that is taken over.
constexpr std::int64_t kTile = 256;
constexpr std::int64_t kLongestTile = 4096;

/// OpenSlide's handle; its structure is its own.
struct Osr;

/// The functions of OpenSlide that are called, as openslide.h of 3.4 and 4.0 declares them.
class Library {
 public:
  static const Library& get() {
    static const Library library;
    return library;
  }
  [[nodiscard]] bool is_there() const noexcept { return close != nullptr; }

  const char* (*version)() = nullptr;
  const char* (*detect_vendor)(const char*) = nullptr;
  Osr* (*open)(const char*) = nullptr;
  std::int32_t (*level_count)(Osr*) = nullptr;
  void (*level_dimensions)(Osr*, std::int32_t, std::int64_t*, std::int64_t*) = nullptr;
  double (*level_downsample)(Osr*, std::int32_t) = nullptr;
  void (*read_region)(Osr*, std::uint32_t*, std::int64_t, std::int64_t, std::int32_t, std::int64_t,
                      std::int64_t) = nullptr;
  const char* (*error)(Osr*) = nullptr;
  const char* (*property)(Osr*, const char*) = nullptr;
  const char* const* (*picture_names)(Osr*) = nullptr;
  void (*picture_size)(Osr*, const char*, std::int64_t*, std::int64_t*) = nullptr;
  void (*read_picture)(Osr*, const char*, std::uint32_t*) = nullptr;
  void (*close)(Osr*) = nullptr;
  /// Null in 3.4, which knows no profiles.
  std::int64_t (*profile_size)(Osr*) = nullptr;
  void (*read_profile)(Osr*, void*) = nullptr;
  std::int64_t (*picture_profile_size)(Osr*, const char*) = nullptr;
  void (*read_picture_profile)(Osr*, const char*, void*) = nullptr;

 private:
  Library() {
    // Never unloaded: its GLib does not support that.
    void* handle = nullptr;
    for (const char* name : {"libopenslide.so.1", "libopenslide.so.0"}) {
      if (handle == nullptr) handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (handle == nullptr) return;
    bool has_all = true;
    const auto find = [&](auto& function, const char* name) {
      void* const symbol = ::dlsym(handle, name);
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
      has_all = has_all && symbol != nullptr;
    };
    find(version, "openslide_get_version");
    find(detect_vendor, "openslide_detect_vendor");
    find(open, "openslide_open");
    find(level_count, "openslide_get_level_count");
    find(level_dimensions, "openslide_get_level_dimensions");
    find(level_downsample, "openslide_get_level_downsample");
    find(read_region, "openslide_read_region");
    find(error, "openslide_get_error");
    find(property, "openslide_get_property_value");
    find(picture_names, "openslide_get_associated_image_names");
    find(picture_size, "openslide_get_associated_image_dimensions");
    find(read_picture, "openslide_read_associated_image");
    find(close, "openslide_close");
    if (!has_all) close = nullptr;
    find(profile_size, "openslide_get_icc_profile_size");
    find(read_profile, "openslide_read_icc_profile");
    find(picture_profile_size, "openslide_get_associated_image_icc_profile_size");
    find(read_picture_profile, "openslide_read_associated_image_icc_profile");
  }
};

/// Returns the library. Throws InputError if it is not installed.
const Library& library_for(const fs::path& file) {
  const Library& library = Library::get();
  if (!library.is_there()) {
    throw InputError(file.string() +
                     " is a slide that only OpenSlide reads, which is not installed (on Debian and "
                     "Ubuntu: the package libopenslide0)");
  }
  return library;
}

/// An open slide of the library. After an error it answers nothing more.
class Handle {
 public:
  explicit Handle(const fs::path& file)
      : library_(library_for(file)), osr_(library_.open(file.c_str())) {
    if (osr_ == nullptr) throw InputError(file.string() + " is not a slide that OpenSlide reads");
    if (const char* message = library_.error(osr_); message != nullptr) {
      const std::string reason = message;
      library_.close(osr_);
      throw InputError(file.string() + " is damaged, or a slide of an unsupported kind: " + reason);
    }
  }
  ~Handle() { library_.close(osr_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] Osr* get() const noexcept { return osr_; }
  /// Throws InputError without the file's name after an error of the last call.
  void check() const {
    if (const char* message = library_.error(osr_); message != nullptr) throw InputError(message);
  }
  [[nodiscard]] std::string text(const std::string& property) const {
    const char* value = library_.property(osr_, property.c_str());
    return value == nullptr ? "" : value;
  }
  [[nodiscard]] std::optional<double> number(const std::string& property) const {
    const std::string value = text(property);
    double number = 0.0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || !std::isfinite(number) || number <= 0.0) return std::nullopt;
    return number;
  }

 private:
  const Library& library_;
  Osr* osr_;
};

/// Returns "ffe0d0" as red, green, blue; white for anything else.
std::array<std::uint8_t, 3> colour_of(const std::string& text) {
  std::array<std::uint8_t, 3> colour{255, 255, 255};
  if (text.size() != 6) return colour;
  std::array<std::uint8_t, 3> read{};
  for (std::size_t i = 0; i < 3; ++i) {
    const char* const at = text.data() + 2 * i;
    const auto [end, error] = std::from_chars(at, at + 2, read[i], 16);
    if (error != std::errc() || end != at + 2) return colour;
  }
  return read;
}

/// Returns pixels as colours on the background: OpenSlide gives ARGB, multiplied by alpha.
std::vector<std::uint8_t> colours_of(std::span<const std::uint32_t> argb,
                                     const std::array<std::uint8_t, 3>& background) {
  std::vector<std::uint8_t> colours;
  colours.reserve(3 * argb.size());
  for (const std::uint32_t pixel : argb) {
    const std::uint32_t clear = 255U - (pixel >> 24U);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t own = pixel >> (16U - 8U * i) & 0xffU;
      const std::uint32_t value = own + (background[i] * clear + 127U) / 255U;
      colours.push_back(static_cast<std::uint8_t>(std::min(value, 255U)));
    }
  }
  return colours;
}

SlideInfo info_of(const Handle& handle, const fs::path& file) {
  const Library& library = Library::get();
  SlideInfo info;
  info.format = handle.text("openslide.vendor");
  const std::int32_t levels = library.level_count(handle.get());
  for (std::int32_t level = 0; level < levels; ++level) {
    SlideLevel of{.tile_width = kTile, .tile_height = kTile};
    library.level_dimensions(handle.get(), level, &of.width, &of.height);
    const std::string name = "openslide.level[" + std::to_string(level) + "].tile-";
    const double width = handle.number(name + "width").value_or(0.0);
    const double height = handle.number(name + "height").value_or(0.0);
    if (width >= 1.0 && height >= 1.0 && width <= kLongestTile && height <= kLongestTile) {
      of.tile_width = static_cast<std::int64_t>(width);
      of.tile_height = static_cast<std::int64_t>(height);
    }
    if (of.width > 0 && of.height > 0) info.levels.push_back(of);
  }
  if (info.levels.empty()) throw InputError(file.string() + " is a slide without levels");
  const auto x = handle.number("openslide.mpp-x");
  const auto y = handle.number("openslide.mpp-y");
  if (x && y) {
    info.mpp = std::array<double, 2>{*x, *y};
  } else {
    info.warnings.emplace_back("the size of a pixel is unknown: lengths are in pixels");
  }
  info.objective = handle.number("openslide.objective-power");
  info.background = colour_of(handle.text("openslide.background-color"));
  for (const char* const* name = library.picture_names(handle.get());
       name != nullptr && *name != nullptr; ++name)
    info.pictures.emplace_back(*name);
  return info;
}

/// Returns what `read(bytes)` fills; nothing for a size that no profile has.
template <typename Read>
std::vector<std::uint8_t> profile_of_size(std::int64_t size, Read&& read) {
  if (size <= 0 || size > static_cast<std::int64_t>(Slide::kLargestProfile)) return {};
  std::vector<std::uint8_t> profile(static_cast<std::size_t>(size));
  read(profile.data());
  return profile;
}

std::vector<std::uint8_t> profile_of(const Handle& handle) {
  const Library& library = Library::get();
  if (library.profile_size == nullptr || library.read_profile == nullptr) return {};
  std::vector<std::uint8_t> profile =
      profile_of_size(library.profile_size(handle.get()),
                      [&](void* bytes) { library.read_profile(handle.get(), bytes); });
  handle.check();
  return profile;
}

/// Returns the profile of a picture beside the levels. The caller checks the handle.
std::vector<std::uint8_t> profile_of(const Handle& handle, const std::string& picture) {
  const Library& library = Library::get();
  if (library.picture_profile_size == nullptr || library.read_picture_profile == nullptr) return {};
  return profile_of_size(
      library.picture_profile_size(handle.get(), picture.c_str()),
      [&](void* bytes) { library.read_picture_profile(handle.get(), picture.c_str(), bytes); });
}

class OpenSlideReader final : public Slide {
 public:
  OpenSlideReader(fs::path file, std::shared_ptr<Handle> handle)
      : Slide(info_of(*handle, file), profile_of(*handle)),
        file_(std::move(file)),
        handle_(std::move(handle)) {}

 private:
  [[nodiscard]] SlidePicture read_picture(std::size_t at, Context& /*context*/) const override {
    const Library& library = Library::get();
    const std::string& name = info().pictures[at];
    const std::shared_ptr<Handle> handle = current();
    Geometry grid;
    grid.unit = LengthUnit::Pixel;
    grid.size[2] = 1;
    library.picture_size(handle->get(), name.c_str(), grid.size.data(), &grid.size[1]);
    constexpr std::int64_t kMostPixels = std::int64_t{1} << 28;
    if (grid.size[0] < 1 || grid.size[1] < 1 || grid.size[0] > kMostPixels / grid.size[1])
      throw InputError(file_.string() + ": its picture '" + name + "' cannot be read");
    std::vector<std::uint32_t> argb(static_cast<std::size_t>(grid.voxel_count()));
    library.read_picture(handle->get(), name.c_str(), argb.data());
    std::vector<std::uint8_t> profile = profile_of(*handle, name);
    check(handle);
    return {Volume(grid, colours_of(argb, {255, 255, 255}), 3), std::move(profile)};
  }

  [[nodiscard]] Volume tile(int level, int /*channel*/, std::int64_t column,
                            std::int64_t row) const override {
    const SlideLevel& of = info().levels[static_cast<std::size_t>(level)];
    const std::int64_t x = column * of.tile_width;
    const std::int64_t y = row * of.tile_height;
    Geometry grid;
    grid.size = {std::min(of.tile_width, of.width - x), std::min(of.tile_height, of.height - y), 1};
    grid.unit = LengthUnit::Pixel;
    std::vector<std::uint32_t> argb(static_cast<std::size_t>(grid.voxel_count()));
    const std::shared_ptr<Handle> handle = current();
    const Library& library = Library::get();
    const double spans = library.level_downsample(handle->get(), level);
    library.read_region(handle->get(), argb.data(), std::llround(static_cast<double>(x) * spans),
                        std::llround(static_cast<double>(y) * spans), level, grid.size[0],
                        grid.size[1]);
    check(handle);
    return Volume(grid, colours_of(argb, info().background), 3);
  }

  [[nodiscard]] std::shared_ptr<Handle> current() const {
    const std::lock_guard lock(mutex_);
    if (handle_ == nullptr) handle_ = std::make_shared<Handle>(file_);
    return handle_;
  }
  /// Throws after an error, and drops the handle, which would answer nothing more.
  void check(const std::shared_ptr<Handle>& handle) const {
    try {
      handle->check();
    } catch (const InputError&) {
      const std::lock_guard lock(mutex_);
      if (handle_ == handle) handle_.reset();
      throw;
    }
  }

  fs::path file_;
  mutable std::mutex mutex_;  // guards handle_
  mutable std::shared_ptr<Handle> handle_;
};

}  // namespace

std::string openslide_version() {
  const Library& library = Library::get();
  return library.is_there() ? std::string("OpenSlide ") + library.version() : "";
}

std::string openslide_vendor(const fs::path& file) {
  const Library& library = Library::get();
  if (!library.is_there()) return "";
  const char* const vendor = library.detect_vendor(file.c_str());
  return vendor == nullptr ? "" : vendor;
}

std::shared_ptr<const Slide> open_with_openslide(const fs::path& file) {
  return std::make_shared<OpenSlideReader>(file, std::make_shared<Handle>(file));
}

}  // namespace seedwave::io
