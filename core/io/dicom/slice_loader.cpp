// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/slice_loader.h"

#include "core/base/error.h"
#include "core/io/dicom/resample.h"
#include "core/io/dicom/rescale.h"
#include "core/io/dicom/slice_list.h"
#include "core/io/formats/byte_source.h"
#include "core/io/formats/format.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

namespace seedwave::io::dicom {
namespace {

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
  switch (type) {
    case VoxelType::U8:
      return decode_all<std::uint8_t>(item, sources, geometry, context);
    case VoxelType::I16:
      return decode_all<std::int16_t>(item, sources, geometry, context);
    case VoxelType::U16:
      return decode_all<std::uint16_t>(item, sources, geometry, context);
    case VoxelType::I32:
      return decode_all<std::int32_t>(item, sources, geometry, context);
    case VoxelType::F32:
      break;
  }
  return decode_all<float>(item, sources, geometry, context);
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

}  // namespace

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

}  // namespace seedwave::io::dicom
