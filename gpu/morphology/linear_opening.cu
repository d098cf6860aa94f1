// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/linear/line_tasks.cuh"
#include "gpu/morphology/linear/line_tiles.cuh"
#include "gpu/morphology/linear/long_lines.cuh"
#include "gpu/morphology/linear_opening.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

namespace seedwave::gpu {
namespace {

using linear::DeviceImage;
using linear::ImageLayout;

/// Whether a window of this length goes through device memory.
[[nodiscard]] bool is_long(int length, LineWay way) {
  return way == LineWay::Long || (way == LineWay::Best && length > linear::kLongestInTiles);
}

[[nodiscard]] int length_of(const LinearOpeningProblem& problem) {
  return linear::length_for(problem.border, problem.length, problem.lines);
}

void upload(std::span<const std::byte> voxels, std::int64_t row, DeviceImage& image,
            const Stream& stream) {
  if (row == image.layout.row) {
    image.cells.copy_from(voxels, stream);
  } else {
    image.cells.copy_rows_from(voxels, row, image.layout.row, stream);
  }
}

/// An image, its opening, and where lines are nearer to rows both turned, on the device.
template <typename Voxel>
class DeviceOpening {
 public:
  DeviceOpening(const LinearOpeningProblem& problem, LineWay way, const Stream& stream)
      : problem_(problem),
        way_(way),
        stream_(stream),
        length_(length_of(problem)),
        tasks_(length_, problem.border) {
    const Index3& size = problem.image.geometry().size;
    const ImageLayout::Axes axes = linear::LineWalk::of(problem.lines).axes;
    image_ = DeviceImage(size, sizeof(Voxel), ImageLayout::Axes::AsIs, stream);
    opened_ = DeviceImage(size, sizeof(Voxel), ImageLayout::Axes::AsIs, stream);
    if (axes == ImageLayout::Axes::Turned) {
      turned_ = DeviceImage(size, sizeof(Voxel), axes, stream);
      turned_opened_ = DeviceImage(size, sizeof(Voxel), axes, stream);
      tasks_.add(problem.lines, turned_.cells.data(), turned_.layout);
    } else {
      tasks_.add(problem.lines, image_.cells.data(), image_.layout);
    }
    tasks_.upload(stream);
    upload(problem.image.bytes(), row_bytes(), image_, stream);
  }

  void open() {
    if (turned_.cells.size() == 0) {
      open_lines(opened_);
      return;
    }
    linear::turn<CellOf<Voxel>>(image_, turned_, stream_);
    open_lines(turned_opened_);
    linear::turn<CellOf<Voxel>>(turned_opened_, opened_, stream_);
  }

  void download_to(std::span<std::byte> voxels, Context& context) const {
    download(opened_.cells, row_bytes(), opened_.layout.row, voxels, context, stream_);
  }

 private:
  [[nodiscard]] std::int64_t row_bytes() const {
    return problem_.image.geometry().size[0] * static_cast<std::int64_t>(sizeof(Voxel));
  }

  void open_lines(DeviceImage& to) {
    const linear::LineRule rule =
        linear::rule_for<Voxel>(problem_.border, problem_.filter, length_);
    const linear::ToImage<Voxel> sink{to.cells.data()};
    const linear::LineTask& task = tasks_.tasks().front();
    if (is_long(length_, way_)) {
      linear::open_long<Voxel>(task, rule, sink, stream_);
      return;
    }
    constexpr int kCells = linear::kCellsOfWord<CellOf<Voxel>>;
    const linear::TileExtent extent{task.places, (task.lines + kCells - 1) / kCells,
                                    task.other_lines};
    linear::open_in_tiles<Voxel>(linear::OneTask{task}, 1, rule, extent, sink, stream_);
  }

  const LinearOpeningProblem& problem_;
  LineWay way_;
  Stream stream_;
  int length_;
  linear::LineTasks tasks_;
  DeviceImage image_;
  DeviceImage opened_;
  DeviceImage turned_;
  DeviceImage turned_opened_;
};

}  // namespace

Volume linear_opening_by_tiles(const LinearOpeningProblem& problem, Context& context) {
  return linear_opening_by_tiles(problem, LineRepeats{}, context);
}

Volume linear_opening_by_tiles(const LinearOpeningProblem& problem, const LineRepeats& repeats,
                               Context& context) {
  check(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    auto opened = large_array<Voxel>(voxels.size());
    DeviceRun run(context);
    run.clock.begin("upload");
    DeviceOpening<Voxel> opening(problem, repeats.way, run.stream);
    run.clock.begin(problem.filter == LineFilter::Opening ? "opening" : "closing");
    for (int i = 0; i < repeats.runs; ++i)
      opening.open();
    run.clock.begin("download");
    opening.download_to(std::as_writable_bytes(std::span(opened.get(), voxels.size())), context);
    run.clock.report();
    return Volume(problem.image.geometry(), std::move(opened));
  });
}

std::string why_no_linear_opening(const Geometry& geometry) {
  constexpr std::int64_t kLongest = 1 << 27;
  const Index3& size = geometry.size;
  return std::max({size[0], size[1], size[2]}) <= kLongest ? "" : "knows smaller images only";
}

std::int64_t linear_opening_bytes(const LinearOpeningProblem& problem) {
  const Index3& size = problem.image.geometry().size;
  const auto voxel = static_cast<std::int64_t>(bytes_of(problem.image.type()));
  const linear::LineWalk walk = linear::LineWalk::of(problem.lines);
  std::int64_t bytes = 2 * ImageLayout::of(size, voxel, ImageLayout::Axes::AsIs).bytes();
  if (walk.axes == ImageLayout::Axes::Turned)
    bytes += 2 * ImageLayout::of(size, voxel, walk.axes).bytes();
  const int length = length_of(problem);
  const int places = walk.places(problem.lines);
  bytes += 2 * 4 * linear::LineTasks::table_size(places, length);
  if (is_long(length, LineWay::Best)) {
    const linear::LongLines long_lines{
        places,
        static_cast<int>(size[walk.across]),
        linear::LineShifts::of(problem.lines, walk, walk.across).bases,
        length,
        problem.border == LineBorder::Anchor,
        static_cast<int>(4 / voxel),
        linear::ToImage<std::uint8_t>::kCommonWords};
    const int others = linear::LineShifts::of(problem.lines, walk, walk.third).bases;
    const int together = linear::others_together(long_lines, others);
    bytes +=
        4 * linear::LongMemory::kWords * linear::LongShape::of(long_lines, together).table_words();
  }
  return bytes + kBufferEnds;
}

}  // namespace seedwave::gpu
