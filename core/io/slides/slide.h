// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/io/slides/tile_cache.h"
#include "core/parallel/context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave::io {

inline constexpr double kMicrometresPerMillimetre = 1000.0;

/// One resolution of a slide.
struct SlideLevel {
  /// Size in pixels of this level.
  std::int64_t width = 0;
  std::int64_t height = 0;
  /// Size of the parts that are stored and decoded as one, in pixels of this level.
  std::int64_t tile_width = 0;
  std::int64_t tile_height = 0;
  friend bool operator==(const SlideLevel&, const SlideLevel&) = default;
};

/// Returns whether a level may be a smaller copy of the finest: some factor gives both of its
/// sides, to a pixel.
[[nodiscard]] bool has_shape_of(const SlideLevel& level, const SlideLevel& finest);

/// The properties that a slide states.
struct SlideInfo {
  /// "aperio", "dicom", "ome-tiff", "generic-tiff", or the vendor as OpenSlide names it.
  std::string format;
  /// The finest first; never empty. The first is level 0.
  std::vector<SlideLevel> levels;
  /// Size of a pixel of level 0 in micrometres, along x and y. Never derived from the objective.
  std::optional<std::array<double, 2>> mpp;
  /// Magnification of the objective, as 20 or 40.
  std::optional<double> objective;
  VoxelType type = VoxelType::U8;
  /// 3 for colours. Otherwise 1: a channel at a time.
  int components = 3;
  /// Names of the channels; empty for colours, and for a single one without a name.
  std::vector<std::string> channels;
  /// The value of each component where nothing was scanned.
  std::array<std::uint8_t, 3> background{255, 255, 255};
  /// Names of the pictures beside the levels, such as "label" and "macro".
  std::vector<std::string> pictures;
  /// In plain words: properties that are missing or assumed.
  std::vector<std::string> warnings;

  [[nodiscard]] int channel_count() const noexcept {
    return channels.empty() ? 1 : static_cast<int>(channels.size());
  }
  /// Returns how many pixels of level 0 a pixel of `level` spans, along x and y.
  [[nodiscard]] std::array<double, 2> downsample(int level) const;
  /// Returns the coarsest level that has at least `per_pixel` pixels of level 0 to a pixel of its
  /// own at most: the one to read for a view of that scale. Level 0 if none has.
  [[nodiscard]] int level_for(double per_pixel) const;
  /// Returns the grid of a level: two axes, in micrometres if the size of a pixel is known. A point
  /// of the slide has the same position in all levels; the corner of the slide is at 0.
  [[nodiscard]] Geometry grid(int level) const;
};

/// Some pixels of a slide.
struct SlidePart {
  /// On the part's own grid (SlideInfo::grid() cut to the box).
  Volume pixels;
  /// Number of tiles that cannot be decoded; their pixels are the background.
  std::int64_t damaged = 0;
  /// The decoder's message of the first of these.
  std::string reason{};
};

/// A picture beside the levels.
struct SlidePicture {
  /// 8-bit colours without a scale.
  Volume pixels;
  /// Its own colour profile (ICC); empty if it has none.
  std::vector<std::uint8_t> color_profile{};
};

/// An open slide. Any thread may read. The tiles that were read last are kept, up to 128 MB.
class Slide {
 public:
  virtual ~Slide() = default;
  Slide(const Slide&) = delete;
  Slide& operator=(const Slide&) = delete;

  /// Largest colour profile that is kept, in bytes; no scanner's comes near.
  static constexpr std::size_t kLargestProfile = std::size_t{16} << 20;

  [[nodiscard]] const SlideInfo& info() const noexcept { return info_; }
  /// Returns the colour profile (ICC) of the scanner, which tells how the stored colours looked;
  /// empty if the slide has none. Pixels are as they are stored.
  [[nodiscard]] std::span<const std::uint8_t> color_profile() const noexcept {
    return color_profile_;
  }
  /// Reads the pixels of a box of a level, in pixels of that level; planes 0 to 1 along z. What
  /// lies outside the level is background. channel: from 0; of colours there is one.
  ///
  /// Throws InputError (a box without pixels, a level or channel that does not exist, a file that
  /// went away), UnavailableError (not enough memory), Cancelled.
  [[nodiscard]] SlidePart read(int level, const Box& box, int channel, Context& context) const;
  /// Returns a picture beside the levels, by its name in info(). Throws InputError, Cancelled.
  [[nodiscard]] SlidePicture picture(const std::string& name, Context& context) const;

 protected:
  explicit Slide(SlideInfo info, std::vector<std::uint8_t> color_profile = {});

 private:
  /// Returns the pixels of one tile, of the level's tile size or cut at the level's end, in the
  /// type and with the components of info(); an empty volume if nothing was scanned there. Any
  /// thread may call it. Throws InputError, without the file's name, if it cannot be decoded.
  [[nodiscard]] virtual Volume tile(int level, int channel, std::int64_t column,
                                    std::int64_t row) const = 0;
  /// `at`: place of its name in info().
  [[nodiscard]] virtual SlidePicture read_picture(std::size_t at, Context& context) const = 0;
  [[nodiscard]] Volume cached(int level, int channel, std::int64_t column, std::int64_t row) const;
  template <typename T>
  [[nodiscard]] SlidePart read_as(int level, const Box& box, int channel, Context& context) const;

  SlideInfo info_;
  std::vector<std::uint8_t> color_profile_;
  /// So that a view that moves on decodes what is new.
  mutable TileCache cache_;
};

/// Opens a slide: a TIFF pyramid, a file that OpenSlide reads, or a file of a DICOM slide with the
/// others beside it. Returns null for a file that is no slide. Throws InputError that names the
/// file: a slide, but damaged or of a kind that cannot be read here.
[[nodiscard]] std::shared_ptr<const Slide> open_slide(const std::filesystem::path& file);

}  // namespace seedwave::io
