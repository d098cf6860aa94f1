// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/morphology/linear/line_slabs.h"
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
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

using linear::DeviceImage;
using linear::ImageLayout;

/// Returns whether a window of this length is processed in device memory.
[[nodiscard]] bool is_long(int length, LineWay way) {
  return way == LineWay::Long || (way == LineWay::Best && length > linear::kLongestInTiles);
}

[[nodiscard]] int length_of(const LinearOpeningProblem& problem) {
  return linear::length_for(problem.border, problem.length, problem.lines);
}

/// A whole image, or layers of it that are contiguous in memory.
struct ImagePart {
  std::span<const std::byte> voxels;
  LineFamily lines;
};

void upload(std::span<const std::byte> voxels, std::int64_t row, DeviceImage& image,
            const Stream& stream) {
  if (row == image.layout.row) {
    image.cells.copy_from(voxels, stream);
  } else {
    image.cells.copy_rows_from(voxels, row, image.layout.row, stream);
  }
}

/// An image and its opening on the device; for lines nearer to rows, also both with x and y
/// swapped.
template <typename Voxel>
class DeviceOpening {
 public:
  DeviceOpening(const LinearOpeningProblem& problem, const ImagePart& part, LineWay way,
                const Stream& stream)
      : problem_(problem),
        way_(way),
        stream_(stream),
        length_(linear::length_for(problem.border, problem.length, part.lines)),
        tasks_(length_, problem.border) {
    const Index3& size = part.lines.size();
    const ImageLayout::Axes axes = linear::LineWalk::of(part.lines).axes;
    image_ = DeviceImage(size, sizeof(Voxel), ImageLayout::Axes::AsIs, stream);
    opened_ = DeviceImage(size, sizeof(Voxel), ImageLayout::Axes::AsIs, stream);
    if (axes == ImageLayout::Axes::Turned) {
      turned_ = DeviceImage(size, sizeof(Voxel), axes, stream);
      turned_opened_ = DeviceImage(size, sizeof(Voxel), axes, stream);
      tasks_.add(part.lines, turned_.cells.data(), turned_.layout);
    } else {
      tasks_.add(part.lines, image_.cells.data(), image_.layout);
    }
    tasks_.upload(stream);
    upload(part.voxels, row_bytes(), image_, stream);
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

  /// Downloads from row `first` on, as many rows as `voxels` holds.
  void download_to(std::span<std::byte> voxels, std::int64_t first, Context& context) const {
    const std::int64_t row = opened_.layout.row;
    download_rows({opened_.cells.data() + first * row, row_bytes(), row}, voxels, context, stream_);
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

/// Returns the device memory of a part of the image's layers, at any position.
std::int64_t bytes_of_part(const LinearOpeningProblem& problem, const LineFamily& lines) {
  const Index3& size = lines.size();
  const auto voxel = static_cast<std::int64_t>(bytes_of(problem.image.type()));
  const linear::LineWalk walk = linear::LineWalk::of(lines);
  std::int64_t bytes = 2 * ImageLayout::of(size, voxel, ImageLayout::Axes::AsIs).bytes();
  if (walk.axes == ImageLayout::Axes::Turned)
    bytes += 2 * ImageLayout::of(size, voxel, walk.axes).bytes();
  const int length = linear::length_for(problem.border, problem.length, lines);
  const int places = walk.places(lines);
  bytes += 2 * 4 * linear::LineTasks::table_size(places, length);
  if (is_long(length, LineWay::Best)) {
    // At another position a line may be shifted by one cell more, by rounding.
    const auto bases_along = [&](int axis) {
      return linear::LineShifts::of(lines, walk, axis).bases + 1;
    };
    const linear::LongLines long_lines{places,
                                       static_cast<int>(size[walk.across]),
                                       bases_along(walk.across),
                                       length,
                                       problem.border == LineBorder::Anchor,
                                       static_cast<int>(4 / voxel),
                                       linear::ToImage<std::uint8_t>::kCommonWords};
    const int together = linear::others_together(long_lines, bases_along(walk.third));
    bytes +=
        4 * linear::LongMemory::kWords * linear::LongShape::of(long_lines, together).table_words();
  }
  return bytes + kBufferEnds;
}

/// Divides an image for a device with this much memory.
class OpeningInSlabs {
 public:
  explicit OpeningInSlabs(const LinearOpeningProblem& problem)
      : problem_(problem),
        axis_(seedwave::linear::slab_axis(problem.lines.size())),
        layers_(problem.lines.size()[axis_]),
        reach_(seedwave::linear::reach_of(problem.lines, length_of(problem))) {}

  [[nodiscard]] std::int64_t least_bytes() const {
    return bytes_of_layers(seedwave::linear::least_layers(layers_, reach_));
  }
  /// Throws UnavailableError if the memory is too small for one layer and the layers it reaches.
  [[nodiscard]] std::vector<seedwave::linear::LineSlab> slabs(std::int64_t memory) const {
    return seedwave::linear::slabs_within(
        memory, layers_, reach_, [&](std::int64_t layers) { return bytes_of_layers(layers); },
        "lines of " + std::to_string(problem_.length) + " cells on " +
            describe(problem_.image.geometry()));
  }
  [[nodiscard]] ImagePart part(const seedwave::linear::LineSlab& slab) const {
    const std::int64_t layer = rows_of_layer() * row_bytes();
    return {problem_.image.bytes().subspan(static_cast<std::size_t>(slab.from * layer),
                                           static_cast<std::size_t>(slab.layers * layer)),
            problem_.lines.part(axis_, slab.from, slab.layers)};
  }
  /// Returns the first row of a part that belongs to the slab.
  [[nodiscard]] std::int64_t first_row(const seedwave::linear::LineSlab& slab) const {
    return (slab.first - slab.from) * rows_of_layer();
  }
  /// Returns the range of the whole answer that a slab fills.
  [[nodiscard]] std::span<std::byte> answer(std::span<std::byte> whole,
                                            const seedwave::linear::LineSlab& slab) const {
    const std::int64_t layer = rows_of_layer() * row_bytes();
    return whole.subspan(static_cast<std::size_t>(slab.first * layer),
                         static_cast<std::size_t>(slab.count * layer));
  }

 private:
  [[nodiscard]] std::int64_t rows_of_layer() const {
    return axis_ == 2 ? problem_.lines.size()[1] : 1;
  }
  [[nodiscard]] std::int64_t row_bytes() const {
    return problem_.lines.size()[0] * static_cast<std::int64_t>(bytes_of(problem_.image.type()));
  }
  [[nodiscard]] std::int64_t bytes_of_layers(std::int64_t layers) const {
    return bytes_of_part(problem_, problem_.lines.part(axis_, 0, layers));
  }

  const LinearOpeningProblem& problem_;
  int axis_;
  std::int64_t layers_;
  std::int64_t reach_;
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
    const auto whole = std::as_writable_bytes(std::span(opened.get(), voxels.size()));
    const OpeningInSlabs parts(problem);
    DeviceRun run(context);
    for (const seedwave::linear::LineSlab& slab : parts.slabs(memory_for(context))) {
      run.clock.begin("upload");
      DeviceOpening<Voxel> opening(problem, parts.part(slab), repeats.way, run.stream);
      run.clock.begin(problem.filter == LineFilter::Opening ? "opening" : "closing");
      for (int i = 0; i < repeats.runs; ++i)
        opening.open();
      run.clock.begin("download");
      opening.download_to(parts.answer(whole, slab), parts.first_row(slab), context);
    }
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
  return bytes_of_part(problem, problem.lines);
}

std::int64_t least_linear_opening_bytes(const LinearOpeningProblem& problem) {
  return OpeningInSlabs(problem).least_bytes();
}

}  // namespace seedwave::gpu
