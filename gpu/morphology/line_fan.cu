// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/morphology/linear/line_slabs.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/line_fan.h"
#include "gpu/morphology/linear/line_tasks.cuh"
#include "gpu/morphology/linear/line_tiles.cuh"
#include "gpu/morphology/linear/long_lines.cuh"
#include "gpu/morphology/linear/strongest.cuh"
#include "gpu/morphology/linear_opening.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

using linear::DeviceImage;
using linear::ImageLayout;
using linear::LineTask;

/// Bytes of openings that wait to be picked from: few enough for the device's L2 cache, many enough
/// for a launch to fill the device.
constexpr std::int64_t kWaitingBytes = std::int64_t{24} << 20;
/// Number of directions that fit a key's lower byte.
constexpr std::size_t kKeyDirections = 256;

/// Directions of one length whose lines are adjacent along the same axis.
struct Group {
  Group(int cells, LineBorder border, ImageLayout::Axes turned)
      : length(cells), axes(turned), tasks(cells, border) {}
  int length;
  ImageLayout::Axes axes;
  linear::LineTasks tasks;
  std::vector<std::uint16_t> numbers;  // indices of the directions, ascending
  DeviceBuffer<std::uint16_t> numbers_on_device;

  [[nodiscard]] bool is_long() const { return length > linear::kLongestInTiles; }
};
/// Some of a group's directions.
struct Batch {
  std::size_t first;
  std::size_t end;
};

/// Returns whether all lines stay in a 2-D image.
[[nodiscard]] bool is_picture(const LineFanProblem& problem) {
  const auto stays = [](const LineSegments& segments) {
    return segments.lines.major() != 2 && segments.lines.shifts(2).back() == 0;
  };
  return problem.image.geometry().size[2] == 1 && std::ranges::all_of(problem.directions, stays);
}

/// The image on the device, and its directions in groups.
template <typename Voxel>
class FanOnDevice {
 public:
  using Cell = CellOf<Voxel>;
  static constexpr int kCells = linear::kCellsOfWord<Cell>;

  /// Sums cover only `own`.
  FanOnDevice(const LineFanProblem& problem, const linear::OwnLayers& own, const Stream& stream)
      : problem_(problem), own_(own), stream_(stream) {
    const Index3& size = problem.image.geometry().size;
    image_ = DeviceImage(size, sizeof(Voxel), ImageLayout::Axes::AsIs, stream);
    if (needs_turned())
      turned_ = DeviceImage(size, sizeof(Voxel), ImageLayout::Axes::Turned, stream);
    sort_directions();
    const std::int64_t row = size[0] * static_cast<std::int64_t>(sizeof(Voxel));
    image_.cells.copy_rows_from(problem.image.bytes(), row, image_.layout.row, stream);
  }

  /// Call first in each run.
  void turn_image() {
    if (turned_.cells.size() > 0) linear::turn<Cell>(image_, turned_, stream_);
  }

  [[nodiscard]] std::list<Group>& groups() { return groups_; }
  [[nodiscard]] const Stream& stream() const { return stream_; }
  [[nodiscard]] const LineFanProblem& problem() const { return problem_; }
  [[nodiscard]] bool is_picture() const { return seedwave::gpu::is_picture(problem_); }

  /// Returns the bytes of each of a task's rows, if lines are written side by side.
  [[nodiscard]] static std::int64_t pitch_of(const LineTask& task) {
    constexpr std::int64_t kTile = linear::kTileWords * kCells;
    return (task.lines + kTile - 1) / kTile * linear::kTileWords * 4;
  }

  /// Enqueues the openings of some directions.
  template <typename Sink>
  void open(const Group& group, const Batch& batch, const Sink& sink) {
    const linear::LineRule rule =
        linear::rule_for<Voxel>(problem_.border, problem_.filter, group.length);
    if (group.is_long()) {
      for (std::size_t i = batch.first; i < batch.end; ++i)
        linear::open_long<Voxel>(group.tasks.tasks()[i], rule, sink_for(sink, i - batch.first),
                                 stream_);
      return;
    }
    linear::TileExtent extent;
    for (std::size_t i = batch.first; i < batch.end; ++i) {
      const LineTask& task = group.tasks.tasks()[i];
      extent.places = std::max(extent.places, task.places);
      extent.words = std::max(extent.words, (task.lines + kCells - 1) / kCells);
      extent.other_lines = std::max(extent.other_lines, task.other_lines);
    }
    linear::open_in_tiles<Voxel>(linear::ManyTasks{group.tasks.on_device().data() + batch.first},
                                 static_cast<int>(batch.end - batch.first), rule, extent, sink,
                                 stream_);
  }

 private:
  template <typename Sink>
  static Sink sink_for(const Sink& sink, std::size_t number) {
    if constexpr (std::is_same_v<Sink, linear::ToSum<Voxel>>) return {sink.sums + number};
    return sink;
  }

  [[nodiscard]] bool needs_turned() const {
    return std::ranges::any_of(problem_.directions, [](const LineSegments& segments) {
      return linear::LineWalk::of(segments.lines).axes == ImageLayout::Axes::Turned;
    });
  }

  void sort_directions() {
    std::map<std::pair<ImageLayout::Axes, int>, Group*> known;
    for (std::size_t i = 0; i < problem_.directions.size(); ++i) {
      const LineFamily& lines = problem_.directions[i].lines;
      const ImageLayout::Axes axes = linear::LineWalk::of(lines).axes;
      const int length = linear::length_for(problem_.border, problem_.directions[i].length, lines);
      Group*& group = known[{axes, length}];
      if (group == nullptr) group = &groups_.emplace_back(length, problem_.border, axes);
      const DeviceImage& image = axes == ImageLayout::Axes::Turned ? turned_ : image_;
      group->tasks.add(lines, image.cells.data(), image.layout, own_);
      group->numbers.push_back(static_cast<std::uint16_t>(i));
    }
  }

  const LineFanProblem& problem_;
  linear::OwnLayers own_;
  Stream stream_;
  DeviceImage image_;
  DeviceImage turned_;
  std::list<Group> groups_;  // a list: groups must not move
};

/// The strongest openings, as keys or as cells with their directions.
template <typename Voxel, bool keyed>
class Strongest {
 public:
  using Cell = CellOf<Voxel>;
  using Picked = std::conditional_t<keyed, linear::PickedKeys, linear::PickedCells<Cell>>;

  Strongest(FanOnDevice<Voxel>& fan) : fan_(fan), stream_(fan.stream()) {
    const Index3& size = fan.problem().image.geometry().size;
    std::int64_t waiting = 0;
    for (Group& group : fan.groups()) {
      Planes& planes = planes_of(group.axes);
      if (planes.values.cells.size() == 0) planes = Planes(size, group.axes, stream_);
      batches_.push_back(batches_of(group, waiting));
      group.tasks.upload(stream_);
      group.numbers_on_device = DeviceBuffer<std::uint16_t>(std::ssize(group.numbers), stream_);
      group.numbers_on_device.copy_from(group.numbers, stream_);
      if (!fan.is_picture() && opened_of(group.axes).cells.size() == 0)
        opened_of(group.axes) = DeviceImage(size, sizeof(Voxel), group.axes, stream_);
    }
    if (turned_.values.cells.size() > 0) back_ = Planes(size, ImageLayout::Axes::AsIs, stream_);
    if (fan.is_picture()) waiting_ = DeviceBuffer<std::byte>(waiting + 16, stream_);
    strongest_ = DeviceImage(size, sizeof(Voxel), ImageLayout::Axes::AsIs, stream_);
    directions_ = DeviceImage(size, sizeof(std::uint16_t), ImageLayout::Axes::AsIs, stream_);
  }

  void find() {
    fan_.turn_image();
    as_is_.empty = turned_.empty = true;
    auto batches = batches_.begin();
    for (Group& group : fan_.groups()) {
      for (const Batch& batch : *batches) {
        if (fan_.is_picture()) {
          fan_.open(group, batch, linear::ToLines<Voxel>{waiting_.data()});
          pick_lines(group, batch);
        } else {
          fan_.open(group, batch, linear::ToImage<Voxel>{opened_of(group.axes).cells.data()});
          pick_voxels(group, batch.first);
        }
        planes_of(group.axes).empty = false;
      }
      ++batches;
    }
    finish();
  }

  [[nodiscard]] const DeviceImage& strongest() const { return strongest_; }
  [[nodiscard]] const DeviceImage& directions() const { return directions_; }

 private:
  struct Planes {
    Planes() = default;
    Planes(const Index3& size, ImageLayout::Axes axes, const Stream& stream)
        : values(size, keyed ? sizeof(std::uint16_t) : sizeof(Cell), axes, stream) {
      if (!keyed) directions = DeviceImage(size, sizeof(std::uint16_t), axes, stream);
    }
    DeviceImage values;
    DeviceImage directions;
    bool empty = true;

    [[nodiscard]] Picked picked() {
      if constexpr (keyed) {
        return {reinterpret_cast<std::uint16_t*>(values.cells.data()), values.layout.row};
      } else {
        return {reinterpret_cast<Cell*>(values.cells.data()), values.layout.row,
                reinterpret_cast<std::uint16_t*>(directions.cells.data()), directions.layout.row};
      }
    }
  };

  Planes& planes_of(ImageLayout::Axes axes) {
    return axes == ImageLayout::Axes::Turned ? turned_ : as_is_;
  }
  DeviceImage& opened_of(ImageLayout::Axes axes) {
    return axes == ImageLayout::Axes::Turned ? turned_opened_ : opened_;
  }

  /// Divides a group into batches; a volume has one direction per batch. Sets the output position
  /// of each task and the maximum bytes of a batch.
  std::vector<Batch> batches_of(Group& group, std::int64_t& most) {
    std::vector<Batch> batches;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < group.numbers.size(); ++i) {
      const LineTask& task = group.tasks.tasks()[i];
      const std::int64_t pitch = FanOnDevice<Voxel>::pitch_of(task);
      const std::int64_t more = pitch * task.places;
      if (batches.empty() || !fan_.is_picture() || bytes + more > kWaitingBytes ||
          i - batches.back().first == linear::kMostPicked) {
        batches.push_back({i, i});
        bytes = 0;
      }
      group.tasks.write_at(i, bytes, pitch);
      bytes += more;
      batches.back().end = i + 1;
      most = std::max(most, bytes);
    }
    return batches;
  }

  void pick_lines(const Group& group, const Batch& batch) {
    Planes& planes = planes_of(group.axes);
    const auto width = static_cast<int>(planes.values.layout.size[0]);
    const auto rows = static_cast<int>(planes.values.layout.size[1]);
    const linear::PickRun run{group.tasks.on_device().data() + batch.first,
                              group.numbers_on_device.data() + batch.first,
                              static_cast<int>(batch.end - batch.first),
                              waiting_.data(),
                              width,
                              rows,
                              planes.empty};
    constexpr int kThreads = linear::kPickWords * linear::kPickRows;
    if constexpr (keyed) {
      linear::pick_keys_kernel<<<linear::pick_grid((width + 3) / 4, rows), kThreads, 0,
                                 stream_.get()>>>(run, planes.picked());
    } else {
      linear::pick_cells_kernel<Cell>
          <<<linear::pick_grid(width, rows), kThreads, 0, stream_.get()>>>(run, planes.picked());
    }
    check_launch(stream_.get());
  }

  void pick_voxels(const Group& group, std::size_t number) {
    if constexpr (!keyed) {
      Planes& planes = planes_of(group.axes);
      const ImageLayout& layout = planes.values.layout;
      const auto width = static_cast<int>(layout.size[0]);
      const std::int64_t rows = layout.size[1] * layout.size[2];
      linear::pick_voxels_kernel<Voxel>
          <<<linear::pick_grid(width, rows), linear::kPickWords * linear::kPickRows, 0,
             stream_.get()>>>(opened_of(group.axes).cells.data(), width, rows,
                              group.numbers[number], fan_.problem().filter == LineFilter::Closing,
                              planes.empty, planes.picked());
      check_launch(stream_.get());
    }
  }

  void finish() {
    if (!turned_.empty) {
      linear::turn<std::conditional_t<keyed, std::uint16_t, Cell>>(turned_.values, back_.values,
                                                                   stream_);
      if (!keyed) linear::turn<std::uint16_t>(turned_.directions, back_.directions, stream_);
    }
    const ImageLayout& layout = strongest_.layout;
    const auto width = static_cast<int>(layout.size[0]);
    const std::int64_t rows = layout.size[1] * layout.size[2];
    const bool turned = fan_.problem().filter == LineFilter::Closing;
    auto* const strongest = reinterpret_cast<Voxel*>(strongest_.cells.data());
    auto* const directions = reinterpret_cast<std::uint16_t*>(directions_.cells.data());
    const std::int64_t row = layout.row / static_cast<std::int64_t>(sizeof(Voxel));
    const std::int64_t direction_row = directions_.layout.row / 2;
    const dim3 grid = linear::pick_grid(width, rows);
    constexpr int kThreads = linear::kPickWords * linear::kPickRows;
    if constexpr (keyed) {
      linear::finish_keys_kernel<<<grid, kThreads, 0, stream_.get()>>>(
          as_is_.picked(), back_.picked(), width, static_cast<int>(rows), turned, strongest, row,
          directions, direction_row);
    } else {
      linear::finish_cells_kernel<Voxel>
          <<<grid, kThreads, 0, stream_.get()>>>(as_is_.picked(), back_.picked(), width, rows,
                                                 turned, strongest, row, directions, direction_row);
    }
    check_launch(stream_.get());
  }

  FanOnDevice<Voxel>& fan_;
  Stream stream_;
  Planes as_is_;
  Planes turned_;
  Planes back_;
  DeviceImage opened_;
  DeviceImage turned_opened_;
  DeviceBuffer<std::byte> waiting_;
  std::vector<std::vector<Batch>> batches_;
  DeviceImage strongest_;
  DeviceImage directions_;
};

template <typename T>
Volume download_image(const DeviceImage& image, const Geometry& geometry, Context& context,
                      const Stream& stream) {
  auto voxels = large_array<T>(static_cast<std::size_t>(geometry.voxel_count()));
  const std::int64_t row = geometry.size[0] * static_cast<std::int64_t>(sizeof(T));
  download(image.cells, row, image.layout.row,
           std::as_writable_bytes(
               std::span(voxels.get(), static_cast<std::size_t>(geometry.voxel_count()))),
           context, stream);
  return Volume(geometry, std::move(voxels));
}

/// Returns the device memory that a run may use.
std::int64_t device_memory(const Context& context) {
  use_device(context.device());
  return memory_for(context);
}

template <typename Voxel, bool keyed>
OrientationMap find_strongest(const LineFanProblem& problem, int runs, Context& context) {
  DeviceRun run(context);
  run.clock.begin("upload");
  FanOnDevice<Voxel> fan(problem, {}, run.stream);
  Strongest<Voxel, keyed> strongest(fan);
  run.clock.begin("orientation");
  for (int i = 0; i < runs; ++i)
    strongest.find();
  run.clock.begin("download");
  const Geometry& geometry = problem.image.geometry();
  OrientationMap found{
      download_image<Voxel>(strongest.strongest(), geometry, context, run.stream),
      download_image<std::uint16_t>(strongest.directions(), geometry, context, run.stream)};
  run.clock.report();
  return found;
}

template <typename Voxel>
std::vector<long long> sum_up(const LineFanProblem& problem, const linear::OwnLayers& own, int runs,
                              Context& context) {
  const auto count = std::ssize(problem.directions);
  std::vector<long long> sums(problem.directions.size());
  DeviceRun run(context);
  run.clock.begin("upload");
  FanOnDevice<Voxel> fan(problem, own, run.stream);
  DeviceBuffer<long long> on_device(count, run.stream);
  for (Group& group : fan.groups())
    group.tasks.upload(run.stream);
  run.clock.begin("spectrum");
  for (int i = 0; i < runs; ++i) {
    fan.turn_image();
    on_device.fill_bytes(0, run.stream);
    long long* of_group = on_device.data();
    for (const Group& group : fan.groups()) {
      fan.open(group, {0, group.numbers.size()}, linear::ToSum<Voxel>{of_group});
      of_group += group.numbers.size();
    }
  }
  run.clock.begin("download");
  on_device.copy_to(sums, run.stream);
  run.clock.report();
  std::vector<long long> spectrum(sums.size());
  auto sum = sums.begin();
  for (const Group& group : fan.groups()) {
    for (const std::uint16_t number : group.numbers)
      spectrum[number] = *sum++;
  }
  return spectrum;
}

/// Divides an image for a device with this much memory: slabs along the slowest axis, with the
/// layers that windows of all directions reach.
class FanInSlabs {
 public:
  explicit FanInSlabs(const LineFanProblem& problem)
      : problem_(problem),
        axis_(seedwave::linear::slab_axis(problem.image.geometry().size)),
        layers_(problem.image.geometry().size[axis_]) {
    for (const auto& [lines, length] : problem.directions) {
      const int least = linear::length_for(problem.border, length, lines);
      reach_ = std::max(reach_, seedwave::linear::reach_of(lines, least));
    }
  }

  [[nodiscard]] std::int64_t bytes() const { return bytes_of_layers(layers_); }
  [[nodiscard]] std::int64_t least_bytes() const {
    return bytes_of_layers(seedwave::linear::least_layers(layers_, reach_));
  }
  /// Throws UnavailableError if the memory is too small for one layer and the layers it reaches.
  [[nodiscard]] std::vector<seedwave::linear::LineSlab> slabs(std::int64_t memory) const {
    return seedwave::linear::slabs_within(
        memory, layers_, reach_, [&](std::int64_t layers) { return bytes_of_layers(layers); },
        "lines in " + std::to_string(problem_.directions.size()) + " directions on " +
            describe(problem_.image.geometry()));
  }
  /// Returns a slab and the layers it reaches as a separate problem; the whole problem unchanged if
  /// one slab is enough.
  [[nodiscard]] LineFanProblem part(const seedwave::linear::LineSlab& slab) const {
    if (slab.layers == layers_) return problem_;
    LineFanProblem part = problem_;
    Geometry geometry = problem_.image.geometry();
    geometry.size[axis_] = slab.layers;
    part.image = visit_voxels(problem_.image, [&](auto voxels) {
      using Voxel = typename decltype(voxels)::value_type;
      const auto first = voxels.begin() + slab.from * cells_of_layer();
      return Volume(geometry, std::vector<Voxel>(first, first + geometry.voxel_count()));
    });
    for (LineSegments& segments : part.directions)
      segments.lines = segments.lines.part(axis_, slab.from, slab.layers);
    return part;
  }
  [[nodiscard]] linear::OwnLayers own(const seedwave::linear::LineSlab& slab) const {
    return {axis_, slab.first - slab.from, slab.count};
  }
  /// Copies the cells of a part's answer that belong to the slab to their place in the whole.
  template <typename T>
  void put(const seedwave::linear::LineSlab& slab, const Volume& of_part,
           std::span<T> whole) const {
    const auto from = of_part.voxels<T>().begin() + (slab.first - slab.from) * cells_of_layer();
    std::copy_n(from, slab.count * cells_of_layer(), whole.begin() + slab.first * cells_of_layer());
  }

 private:
  [[nodiscard]] std::int64_t cells_of_layer() const {
    return problem_.image.geometry().voxel_count() / layers_;
  }
  [[nodiscard]] std::int64_t bytes_of_layers(std::int64_t layers) const;

  const LineFanProblem& problem_;
  int axis_;
  std::int64_t layers_;
  std::int64_t reach_ = 0;
};

std::int64_t FanInSlabs::bytes_of_layers(std::int64_t layers) const {
  Index3 size = problem_.image.geometry().size;
  size[axis_] = layers;
  const auto voxel = static_cast<std::int64_t>(bytes_of(problem_.image.type()));
  const auto both = [&](std::int64_t bytes) {
    return ImageLayout::of(size, bytes, ImageLayout::Axes::AsIs).bytes() +
           ImageLayout::of(size, bytes, ImageLayout::Axes::Turned).bytes();
  };
  std::int64_t most = 0;
  std::int64_t tables = 0;
  for (std::int64_t i = 0; i < std::ssize(problem_.directions); ++i) {
    LinearOpeningProblem one = one_direction(problem_, i);
    one.lines = one.lines.part(axis_, 0, layers);
    most = std::max(most, linear_opening_bytes(one));
    const std::int64_t places = linear::LineWalk::of(one.lines).places(one.lines);
    tables += 2 * 4 * linear::LineTasks::table_size(places, std::min(one.length, 2 * places + 1)) +
              static_cast<std::int64_t>(sizeof(LineTask)) + 2 * kBufferEnds / 32;
  }
  // Images, openings, picked values and answers, each as it is and turned, and lines side by side.
  return 2 * both(voxel) + 2 * (both(voxel) + both(2)) + 4 * both(voxel) + kWaitingBytes + most +
         tables + kBufferEnds;
}

template <typename Voxel, bool keyed>
OrientationMap find_in_slabs(const FanInSlabs& slabs, const LineFanProblem& problem, int runs,
                             Context& context) {
  const std::vector<seedwave::linear::LineSlab> all = slabs.slabs(device_memory(context));
  if (all.size() == 1) return find_strongest<Voxel, keyed>(problem, runs, context);
  const Geometry& geometry = problem.image.geometry();
  const auto cells = static_cast<std::size_t>(geometry.voxel_count());
  auto strongest = large_array<Voxel>(cells);
  auto first = large_array<std::uint16_t>(cells);
  for (const seedwave::linear::LineSlab& slab : all) {
    const OrientationMap found = find_strongest<Voxel, keyed>(slabs.part(slab), runs, context);
    slabs.put(slab, found.strongest, std::span(strongest.get(), cells));
    slabs.put(slab, found.first, std::span(first.get(), cells));
  }
  return {Volume(geometry, std::move(strongest)), Volume(geometry, std::move(first))};
}

}  // namespace

OrientationMap orientation_by_tiles(const LineFanProblem& problem, Context& context, int runs) {
  check(problem);
  const FanInSlabs slabs(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    if constexpr (std::is_same_v<Voxel, std::uint8_t>) {
      if (problem.directions.size() <= kKeyDirections && is_picture(problem))
        return find_in_slabs<Voxel, true>(slabs, problem, runs, context);
    }
    return find_in_slabs<Voxel, false>(slabs, problem, runs, context);
  });
}

std::vector<double> angular_spectrum_by_tiles(const LineFanProblem& problem, Context& context,
                                              int runs) {
  check(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    if constexpr (std::is_same_v<Voxel, float>) {
      return angular_spectrum_by(
          [&](const LinearOpeningProblem& one, Context& inner) {
            Context::Settings settings;
            settings.stop = inner.stop_token();
            settings.threads = inner.threads();
            settings.device = context.device();
            settings.memory = context.memory();
            Context on_device(settings);
            return linear_opening_by_tiles(one, on_device);
          },
          problem, context);
    } else {
      const FanInSlabs slabs(problem);
      std::vector<long long> sums(problem.directions.size());
      for (const seedwave::linear::LineSlab& slab : slabs.slabs(device_memory(context))) {
        const std::vector<long long> of_slab =
            sum_up<Voxel>(slabs.part(slab), slabs.own(slab), runs, context);
        std::ranges::transform(sums, of_slab, sums.begin(), std::plus{});
      }
      return std::vector<double>(sums.begin(), sums.end());
    }
  });
}

std::int64_t line_fan_bytes(const LineFanProblem& problem) {
  return FanInSlabs(problem).bytes();
}

std::int64_t least_line_fan_bytes(const LineFanProblem& problem) {
  return FanInSlabs(problem).least_bytes();
}

}  // namespace seedwave::gpu
