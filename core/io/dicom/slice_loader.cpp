// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/visit_type.h"
#include "core/io/dicom/dicom_source.h"
#include "core/io/dicom/frame_decoder.h"
#include "core/io/dicom/rescale.h"
#include "core/io/dicom/slice_list.h"
#include "core/io/formats/byte_source.h"
#include "core/io/formats/format.h"
#include "core/io/image_source.h"
#include "core/parallel/context.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace seedwave::io {
namespace dicom {
namespace {

/// Interpolates bilinearly in one slice.
template <typename T>
class SliceReader {
 public:
  SliceReader(std::span<const T> voxels, const Geometry& slices, int components, std::size_t slice)
      : columns_(slices.size[0]), rows_(slices.size[1]), components_(components) {
    const auto values = static_cast<std::size_t>(columns_ * rows_ * components);
    voxels_ = voxels.subspan(slice * values, values);
  }

  /// Returns the value, or nothing beyond half a pixel outside the outermost pixel centres. Within
  /// that half pixel the edge is extended.
  [[nodiscard]] std::optional<double> at(double x, double y, int component) const {
    if (x < -0.5 || y < -0.5 || x > static_cast<double>(columns_) - 0.5 ||
        y > static_cast<double>(rows_) - 0.5) {
      return std::nullopt;
    }
    x = std::clamp(x, 0.0, static_cast<double>(columns_ - 1));
    y = std::clamp(y, 0.0, static_cast<double>(rows_ - 1));
    const auto x0 = static_cast<std::int64_t>(x);
    const auto y0 = static_cast<std::int64_t>(y);
    const std::int64_t x1 = std::min(x0 + 1, columns_ - 1);
    const std::int64_t y1 = std::min(y0 + 1, rows_ - 1);
    const double fx = x - static_cast<double>(x0);
    const double fy = y - static_cast<double>(y0);
    const double top = (1 - fx) * value(x0, y0, component) + fx * value(x1, y0, component);
    const double bottom = (1 - fx) * value(x0, y1, component) + fx * value(x1, y1, component);
    return (1 - fy) * top + fy * bottom;
  }

 private:
  [[nodiscard]] double value(std::int64_t x, std::int64_t y, int component) const {
    return static_cast<double>(
        voxels_[static_cast<std::size_t>((x + columns_ * y) * components_ + component)]);
  }

  std::int64_t columns_;
  std::int64_t rows_;
  int components_;
  std::span<const T> voxels_;
};

/// The slices on both sides of a position, and the upper one's share.
struct Between {
  std::size_t below = 0;
  std::size_t above = 0;
  double share = 0;
};

Between neighbours(const std::vector<Vec3>& first_pixels, double z) {
  const auto above = std::lower_bound(first_pixels.begin(), first_pixels.end(), z,
                                      [](const Vec3& p, double place) { return p[2] < place; });
  if (above == first_pixels.begin()) return {0, 0, 0};
  const auto index = static_cast<std::size_t>(above - first_pixels.begin());
  if (above == first_pixels.end()) return {index - 1, index - 1, 0};
  const double low = first_pixels[index - 1][2];
  return {index - 1, index, (z - low) / ((*above)[2] - low)};
}

template <typename T>
T rounded(double value) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(value);
  } else {
    return static_cast<T>(std::floor(value + 0.5));
  }
}

template <typename T>
void fill_slice(const Volume& slices, const std::vector<Vec3>& first_pixels, const Geometry& grid,
                std::int64_t z, T outside, T* target) {
  const int components = slices.components();
  const Between between = neighbours(first_pixels, static_cast<double>(z));
  const SliceReader<T> below(slices.voxels<T>(), slices.geometry(), components, between.below);
  const SliceReader<T> above(slices.voxels<T>(), slices.geometry(), components, between.above);
  const Vec3& a = first_pixels[between.below];
  const Vec3& b = first_pixels[between.above];
  for (std::int64_t y = 0; y < grid.size[1]; ++y) {
    for (std::int64_t x = 0; x < grid.size[0]; ++x) {
      for (int c = 0; c < components; ++c, ++target) {
        const auto low = below.at(static_cast<double>(x) - a[0], static_cast<double>(y) - a[1], c);
        const auto high = above.at(static_cast<double>(x) - b[0], static_cast<double>(y) - b[1], c);
        // If one of the two does not reach this point, there is nothing to interpolate with.
        const std::optional<double> nearer = between.share < 0.5 ? low : high;
        *target = low && high ? rounded<T>((1 - between.share) * *low + between.share * *high)
                  : nearer    ? rounded<T>(*nearer)
                              : outside;
      }
    }
  }
}

template <typename T>
Volume resample(std::span<const T> voxels, const Volume& slices,
                const std::vector<Vec3>& first_pixels, const Geometry& grid, Context& context) {
  const T outside = *std::min_element(voxels.begin(), voxels.end());
  const std::int64_t plane = grid.size[0] * grid.size[1] * slices.components();
  std::vector<T> result(static_cast<std::size_t>(plane * grid.size[2]));
  parallel_for(context, grid.size[2], 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t z = begin; z < end; ++z) {
      context.checkpoint(static_cast<double>(z) / static_cast<double>(grid.size[2]));
      fill_slice<T>(slices, first_pixels, grid, z, outside, result.data() + z * plane);
    }
  });
  return Volume(grid, std::move(result), slices.components());
}

/// Resamples slices at arbitrary positions to an even grid: linearly between the two nearest
/// slices, bilinearly within a slice. Integers are rounded to nearest, halves upwards.
///
/// slices: one component or three; only the size of its Geometry is used, for columns, rows and
/// slices. first_pixels: the position of each slice's first pixel, in continuous indices of `grid`,
/// ascending in z; the axes are those of `grid`. Voxels that no slice reaches get the smallest
/// value.
Volume resample_slices(const Volume& slices, const std::vector<Vec3>& first_pixels,
                       const Geometry& grid, Context& context) {
  return visit_voxels(
      slices, [&](auto voxels) { return resample(voxels, slices, first_pixels, grid, context); });
}

namespace fs = std::filesystem;

/// Thrown within a load if integers do not fit the type that the scan chose.
struct TooNarrow {};

/// A file with its header, open for decoding.
struct OpenFile {
  explicit OpenFile(const fs::path& file) : header(read_header(file)), decoder(header) {}
  Header header;
  FrameDecoder decoder;
};

/// Runs `body` and adds the file's name to its errors.
template <typename Body>
decltype(auto) naming(const fs::path& file, const Body& body) {
  try {
    return body();
  } catch (const DamagedError&) {
    throw;  // names the file already
  } catch (const InputError& error) {
    throw InputError(file.string() + ": " + error.what());
  }
}

/// The files of a load. A file with many frames stays open; a file of one slice does not.
class Sources {
 public:
  Sources(const Item& item, Damaged damaged)
      : item_(item), damaged_(damaged), list_(read_part(item.part)) {
    const std::size_t files = item.files.size();
    count_ = list_.frames.empty() ? files : list_.frames.size();
    if (count_ == 0 || (files != 1 && files != count_)) {
      throw InputError("'" + item.part + "' does not match the files of its DICOM series");
    }
    std::map<fs::path, int> uses;
    for (std::size_t i = 0; i < count_; ++i)
      ++uses[file_of(i)];
    for (const auto& [file, count] : uses) {
      if (count > 1) kept_[file] = open(file);
    }
  }

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] Repair repair() const noexcept { return list_.repair; }

  /// Calls body(header, frame, stored values) for one slice.
  template <typename Body>
  void with_slice(std::size_t slice, const Body& body) const {
    const fs::path& file = file_of(slice);
    const auto kept = kept_.find(file);
    const auto source = kept != kept_.end() ? kept->second : open(file);
    naming(file, [&] {
      const int frame = list_.frames.empty() ? 0 : list_.frames[slice];
      check(source->header, frame);
      body(source->header, source->header.frames[static_cast<std::size_t>(frame)],
           decoded(*source, slice, frame));
    });
  }

  /// Reports damage after the load. Throws InputError if no slice could be decoded.
  void tell_damage(std::vector<std::string>& warnings) const {
    if (failures_.empty()) return;
    const auto& [slice, reason] = *failures_.begin();
    if (failures_.size() == count_) {
      throw InputError(file_of(slice).string() + " is damaged: no slice of it can be read (" +
                       reason + ")");
    }
    std::string numbers;
    std::size_t listed = 0;
    for (const auto& [number, why] : failures_) {
      if (++listed > kMostNamed) break;
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(number + 1);
    }
    if (listed > kMostNamed) numbers += ", ...";
    report_damage(Damaged::Read, {}, "slices that cannot be decoded: " + numbers + "; " + reason,
                  warnings);
  }

 private:
  static constexpr std::size_t kMostNamed = 10;

  /// Returns the stored values of a frame; zeros if they are damaged and that is allowed.
  [[nodiscard]] std::vector<std::int32_t> decoded(const OpenFile& source, std::size_t slice,
                                                  int frame) const {
    try {
      return source.decoder.decode(frame);
    } catch (const InputError& error) {
      std::vector<std::string> told_later;
      report_damage(damaged_, file_of(slice).string(), error.what(), told_later);
      const std::lock_guard lock(mutex_);
      failures_.emplace(slice, error.what());
    }
    return std::vector<std::int32_t>(static_cast<std::size_t>(source.header.layout.values()));
  }

  static std::shared_ptr<const OpenFile> open(const fs::path& file) {
    return naming(file, [&] { return std::make_shared<const OpenFile>(file); });
  }

  [[nodiscard]] const fs::path& file_of(std::size_t slice) const {
    return item_.files.size() == 1 ? item_.files.front() : item_.files[slice];
  }

  void check(const Header& header, int frame) const {
    if (header.series_uid != item_.series || header.layout.components() != item_.components ||
        frame >= static_cast<int>(header.frames.size())) {
      throw InputError("changed since it was listed: open it again");
    }
  }

  const Item& item_;
  Damaged damaged_;
  SliceList list_;
  std::size_t count_ = 0;
  mutable std::mutex mutex_;  // guards failures_
  mutable std::map<std::size_t, std::string> failures_;
  std::map<fs::path, std::shared_ptr<const OpenFile>> kept_;
};

/// The slices as stored, rescaled, one above the other.
struct Decoded {
  Volume slices;
  std::vector<Vec3> positions;  // of each slice's first pixel, in mm
};

Rescale rescale_of(const Header& header, const Frame& frame) {
  return header.layout.components() == 3 ? Rescale{} : frame.rescale;
}

template <typename T>
Decoded decode_all(const Item& item, const Sources& sources, const Geometry& geometry,
                   Context& context) {
  const auto plane =
      static_cast<std::size_t>(geometry.size[0] * geometry.size[1] * item.components);
  std::vector<T> voxels(plane * sources.count());
  std::vector<Vec3> positions(sources.count());
  std::atomic<std::int64_t> done{0};
  const auto count = static_cast<std::int64_t>(sources.count());
  parallel_for(context, count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      context.checkpoint(static_cast<double>(done.fetch_add(1)) / static_cast<double>(count));
      const auto slice = static_cast<std::size_t>(i);
      sources.with_slice(slice, [&](const Header& header, const Frame& frame,
                                    const std::vector<std::int32_t>& stored) {
        if (header.layout.columns != geometry.size[0] || header.layout.rows != geometry.size[1]) {
          throw InputError("changed its size since it was listed: open it again");
        }
        positions[slice] = frame.position.value_or(Vec3{});
        if (!rescale_into(stored, rescale_of(header, frame), voxels.data() + slice * plane)) {
          throw TooNarrow();
        }
      });
    }
  });
  return {Volume(geometry, std::move(voxels), item.components), std::move(positions)};
}

Decoded decode_as(VoxelType type, const Item& item, const Sources& sources,
                  const Geometry& geometry, Context& context) {
  return visit_type(type,
                    [&]<typename T>(T) { return decode_all<T>(item, sources, geometry, context); });
}

Decoded decode(const Item& item, const Sources& sources, const Geometry& geometry,
               Context& context) {
  try {
    return decode_as(item.type, item, sources, geometry, context);
  } catch (const TooNarrow&) {
    return decode_as(VoxelType::I32, item, sources, geometry, context);
  }
}

/// Counts a slice in work and the volume; resampling holds both grids.
void check_memory(const Item& item, std::size_t slices, Repair repair) {
  const std::int64_t most = std::max(item.geometry.size[2], static_cast<std::int64_t>(slices));
  require_memory(CheckedSize(item.geometry.size[0]) * item.geometry.size[1] * most *
                     item.components * static_cast<std::int64_t>(bytes_of(item.type)) *
                     (repair == Repair::Resample ? 2 : 1),
                 item.files.front().string() + " (" + describe(item.geometry) + ")");
}

void refuse_unusable(const Item& item) {
  if (item.usable) return;
  throw InputError(
      (item.files.empty() ? std::string() : item.files.front().parent_path().string() + ": ") +
      (item.warnings.empty() ? "this series cannot be opened" : item.warnings.back()));
}

/// Returns the grid of the stored slices, in their own size, for an item that is resampled.
Geometry stored_grid(const Item& item, const Sources& sources) {
  Geometry geometry = item.geometry;
  sources.with_slice(0, [&](const Header& header, const Frame&, const auto&) {
    geometry.size = {header.layout.columns, header.layout.rows,
                     static_cast<std::int64_t>(sources.count())};
  });
  return geometry;
}

/// Adds damage that is accepted to `warnings`.
Volume load_volume(const Item& item, Damaged damaged, std::vector<std::string>& warnings,
                   Context& context) {
  refuse_unusable(item);
  const Sources sources(item, damaged);
  check_memory(item, sources.count(), sources.repair());
  if (sources.repair() == Repair::None) {
    if (item.geometry.size[2] != static_cast<std::int64_t>(sources.count())) {
      throw InputError("the number of slices does not match the series");
    }
    Decoded decoded = decode(item, sources, item.geometry, context);
    sources.tell_damage(warnings);
    return std::move(decoded.slices);
  }
  const Decoded decoded = decode(item, sources, stored_grid(item, sources), context);
  sources.tell_damage(warnings);
  std::vector<Vec3> first_pixels;
  for (const Vec3& position : decoded.positions) {
    first_pixels.push_back(item.geometry.to_index(position));
  }
  if (!std::is_sorted(first_pixels.begin(), first_pixels.end(),
                      [](const Vec3& a, const Vec3& b) { return a[2] < b[2]; })) {
    throw InputError("the slices have moved since they were listed: open the series again");
  }
  return resample_slices(decoded.slices, first_pixels, item.geometry, context);
}

Volume load_slice(const Item& item, std::int64_t slice, Damaged damaged,
                  std::vector<std::string>& warnings, Context& context) {
  const Sources sources(item, damaged);
  const auto count = static_cast<std::int64_t>(sources.count());
  const double share =
      item.geometry.size[2] > 1
          ? static_cast<double>(slice) / static_cast<double>(item.geometry.size[2] - 1)
          : 0.0;
  const auto index = static_cast<std::size_t>(
      std::clamp<std::int64_t>(std::llround(share * static_cast<double>(count - 1)), 0, count - 1));
  Item one = item;
  one.files = {item.files.size() == 1 ? item.files.front() : item.files[index]};
  SliceList list = read_part(item.part);
  list.repair = Repair::None;
  if (!list.frames.empty()) list.frames = {list.frames[index]};
  one.part = write_part(list);
  const Sources source(one, damaged);
  Geometry geometry = stored_grid(one, source);
  Decoded decoded = decode(one, source, geometry, context);
  source.tell_damage(warnings);
  if (item.kind == ItemKind::Image) return decoded.slices;
  geometry.origin = decoded.positions.front();
  return visit_voxels(decoded.slices, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    return Volume(geometry, std::vector<T>(voxels.begin(), voxels.end()), item.components);
  });
}

}  // namespace
}  // namespace dicom

LoadedImage load_dicom(const Item& item, Context& context, Damaged damaged) {
  const auto stage = context.stage("reading DICOM slices");
  LoadedImage image{.volume = {}, .hints = item.hints, .warnings = item.warnings};
  image.volume = dicom::load_volume(item, damaged, image.warnings, context);
  return image;
}

LoadedImage load_dicom_slice(const Item& item, std::int64_t slice, Context& context,
                             Damaged damaged) {
  LoadedImage image{.volume = {}, .hints = item.hints, .warnings = item.warnings};
  image.volume = dicom::load_slice(item, slice, damaged, image.warnings, context);
  return image;
}

}  // namespace seedwave::io
