// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/line_cells.h"
#include "core/morphology/linear/linear_opening.h"
#include "gpu/device/buffer.h"
#include "gpu/morphology/linear/line_task.cuh"
#include "gpu/morphology/linear/line_tiles.cuh"
#include "gpu/morphology/linear/plane_transpose.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The host's side of lines on a device: images as their kernels read them, and tasks from families
/// of lines.
namespace seedwave::gpu::linear {

/// How an image lies on the device: rows begin with whole words. Turned: x and y have changed
/// places.
struct ImageLayout {
  enum class Axes { AsIs, Turned };

  Index3 size;         // in this order of axes
  std::int64_t row;    // bytes
  std::int64_t plane;  // bytes
  Axes axes;

  [[nodiscard]] static ImageLayout of(const Index3& size, std::int64_t voxel_bytes, Axes axes) {
    constexpr std::int64_t kRowStep = 16;
    ImageLayout layout{size, 0, 0, axes};
    if (axes == Axes::Turned) std::swap(layout.size[0], layout.size[1]);
    layout.row = (layout.size[0] * voxel_bytes + kRowStep - 1) / kRowStep * kRowStep;
    layout.plane = layout.row * layout.size[1];
    return layout;
  }
  /// Where voxels lie anywhere in a word, the word behind the last may be read.
  [[nodiscard]] std::int64_t bytes() const { return plane * size[2] + 16; }
};

/// An image on the device.
struct DeviceImage {
  DeviceImage(const Index3& size, std::int64_t voxel_bytes, ImageLayout::Axes axes,
              const Stream& stream)
      : layout(ImageLayout::of(size, voxel_bytes, axes)), cells(layout.bytes(), stream) {}
  DeviceImage() : layout{} {}
  ImageLayout layout;
  DeviceBuffer<std::byte> cells;
};

/// The same image with x and y in each other's place.
template <typename Cell>
void turn(const DeviceImage& from, DeviceImage& to, const Stream& stream) {
  const auto words = [](std::int64_t bytes) { return bytes / 4; };
  const TransposedPlanes planes{static_cast<int>(from.layout.size[0]),
                                static_cast<int>(from.layout.size[1]),
                                words(from.layout.row),
                                words(from.layout.plane),
                                words(to.layout.row),
                                words(to.layout.plane)};
  transpose<Cell>(reinterpret_cast<const std::uint32_t*>(from.cells.data()), planes,
                  static_cast<int>(from.layout.size[2]),
                  reinterpret_cast<std::uint32_t*>(to.cells.data()), stream);
}

/// Cells of neighbouring lines must lie side by side.
[[nodiscard]] inline ImageLayout::Axes axes_for(const LineFamily& lines) {
  return lines.major() == 0 ? ImageLayout::Axes::Turned : ImageLayout::Axes::AsIs;
}

/// The length to look for on lines of `places` cells.
[[nodiscard]] inline int length_for(LineBorder border, std::int64_t length, std::int64_t places) {
  return static_cast<int>(seedwave::linear::least_length(border, length, places));
}

template <typename Voxel>
[[nodiscard]] LineRule rule_for(LineBorder border, LineFilter filter, int length) {
  using Cell = CellOf<Voxel>;
  const std::uint32_t highest = kNeutralWord<Cell, Extreme::Lowest>;
  const std::uint32_t lowest = kNeutralWord<Cell, Extreme::Highest>;
  return {length,
          border == LineBorder::Anchor ? static_cast<int>(margins(border, length).front) : -1,
          border == LineBorder::Inside ? lowest : highest,
          filter == LineFilter::Opening ? 0U : 0xFFFFFFFFU};
}

/// Tasks with their tables of shifts, first on the host, then on the device.
class LineTasks {
 public:
  /// For windows of at most this length.
  explicit LineTasks(int length)
      : front_(length + 2 * kBlockRows), behind_(length + 2 * kMostRows) {}

  /// `image` is laid out as axes_for(lines) says.
  void add(const LineFamily& lines, const std::byte* image, const ImageLayout& layout) {
    const int across = layout.axes == ImageLayout::Axes::Turned ? 1 : 0;
    const int major = lines.major();
    const int third = 3 - major - across;
    const bool flat = lines.size()[third] == 1 && lines.shifts(third).back() == 0;
    // In this layout rows follow each other along its second axis.
    const bool along_rows = major < 2;
    LineTask task{};
    task.from = image;
    task.width = static_cast<int>(lines.size()[across]);
    task.places = static_cast<int>(lines.size()[major]);
    task.others = static_cast<int>(lines.size()[third]);
    task.row = along_rows ? layout.row : layout.plane;
    task.plane = along_rows ? layout.plane : layout.row;
    task.first_base = static_cast<int>(lines.first_base(across));
    task.lines = static_cast<int>(lines.last_base(across) - lines.first_base(across) + 1);
    task.first_other = static_cast<int>(lines.first_base(third));
    task.other_lines = static_cast<int>(lines.last_base(third) - lines.first_base(third) + 1);
    starts_.push_back(
        {add_table(lines.shifts(across), kNowhere), flat ? -1 : add_table(lines.shifts(third), 0)});
    tasks_.push_back(task);
  }

  /// A task's lines begin there in what is written side by side.
  void write_at(std::size_t number, std::int64_t opened, std::int64_t pitch) {
    tasks_[number].opened = opened;
    tasks_[number].pitch = pitch;
  }

  void upload(const Stream& stream) {
    tables_on_device_ = DeviceBuffer<int>(std::ssize(tables_), stream);
    tables_on_device_.copy_from(tables_, stream);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto [across, beside] = starts_[i];
      tasks_[i].across = tables_on_device_.data() + across;
      tasks_[i].beside = beside < 0 ? nullptr : tables_on_device_.data() + beside;
    }
    on_device_ = DeviceBuffer<LineTask>(std::ssize(tasks_), stream);
    on_device_.copy_from(tasks_, stream);
  }

  [[nodiscard]] const DeviceBuffer<LineTask>& on_device() const { return on_device_; }
  [[nodiscard]] const std::vector<LineTask>& tasks() const { return tasks_; }

  /// Entries of a table.
  [[nodiscard]] static std::int64_t table_size(std::int64_t places, std::int64_t length) {
    return places + 2 * length + 2 * kBlockRows + 2 * kMostRows;
  }

 private:
  struct Starts {
    std::int64_t across;
    std::int64_t beside;
  };

  /// Where the shift at place 0 is.
  std::int64_t add_table(const std::vector<std::int32_t>& shifts, int beyond) {
    tables_.insert(tables_.end(), static_cast<std::size_t>(front_), beyond);
    const std::int64_t start = std::ssize(tables_);
    tables_.insert(tables_.end(), shifts.begin(), shifts.end());
    tables_.insert(tables_.end(), static_cast<std::size_t>(behind_), beyond);
    return start;
  }

  int front_;
  int behind_;
  std::vector<LineTask> tasks_;
  std::vector<Starts> starts_;
  std::vector<int> tables_;
  DeviceBuffer<LineTask> on_device_;
  DeviceBuffer<int> tables_on_device_;
};

}  // namespace seedwave::gpu::linear
