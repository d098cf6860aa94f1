// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "gpu/border/border_run.cuh"
#include "gpu/device/device_run.h"
#include "gpu/device/devices.h"
#include "gpu/device/download.h"
#include "gpu/device/kept.h"
#include "gpu/fuzzy/irfc_on_device.h"
#include "gpu/morphology/label_seeds.cuh"
#include "gpu/morphology/whole_clean.cuh"
#include "gpu/segment/segment.h"

#include <algorithm>
#include <cstdint>
#include <future>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

/// Packs rows of labels into a type that holds them. One thread per cell; no races.
template <typename L>
__global__ void __launch_bounds__(kBlockSize)
    pack_rows_kernel(const std::uint16_t* __restrict__ rows, std::int64_t pitch, std::int64_t nx,
                     std::int64_t count, L* __restrict__ labels) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t line = i / nx;
  labels[i] = static_cast<L>(rows[line * pitch + i - line * nx]);
}
/// Sets labels outside a mask to 0. One thread per cell; no races.
template <typename L>
__global__ void __launch_bounds__(kBlockSize)
    clear_outside_kernel(const std::uint8_t* __restrict__ mask, std::int64_t count,
                         L* __restrict__ labels) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count && mask[i] == 0) labels[i] = 0;
}

/// Adds what a label has won: it gets voxels where it is stronger than those before it, and the
/// background those that others won. Rows lie `pitch` cells apart. One thread per cell; no races.
template <typename L>
__global__ void __launch_bounds__(kBlockSize)
    merge_kernel(const std::uint16_t* __restrict__ won, const std::uint16_t* __restrict__ strength,
                 std::int64_t pitch, std::int64_t nx, std::int64_t count, L label, L background,
                 L* __restrict__ labels, std::uint16_t* __restrict__ best) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t line = i / nx;
  const std::int64_t at = line * pitch + i - line * nx;
  if (won[at] == label && strength[at] > best[at]) {
    labels[i] = label;
    best[at] = strength[at];
  } else if (won[at] != 0 && won[at] != label && labels[i] == 0) {
    labels[i] = background;
  }
}

/// The steps after connectedness, on a stream of their own.
template <typename L>
class Finishing {
 public:
  /// Enqueues uploads; `steps` must outlive this object.
  Finishing(const SegmentSteps& steps, Context& context)
      : steps_(steps),
        context_(context),
        seeds_(uploaded(steps.border.seeds, stream_)),
        seeded_(seeded_labels(steps.border.seeds)),
        seeded_on_device_(uploaded(seeded_, stream_)),
        border_(steps.border, seeds_, context, stream_),
        clean_(CellWords::of(steps.border.image.geometry().size), stream_) {}

  /// Finishes labels, once `ready` has been reached. Returns when they are.
  void finish(DeviceBuffer<L>& labels, const Event& ready) {
    use_device(context_.device());
    ready.hold_up(stream_);
    Event begin;
    begin.record(stream_);
    clean_.clean(steps_.seeded_parts, seeds_, seeded_on_device_, labels.data(), nullptr);
    Event cleaned;
    cleaned.record(stream_);
    border_.refine(labels);
    Event refined;
    refined.record(stream_);
    clean_.clean(steps_.cleaning, seeds_, seeded_on_device_, labels.data(), nullptr);
    if (border_.mask() != nullptr) {
      clear_outside_kernel<<<blocks_for(labels.size()), kBlockSize, 0, stream_.get()>>>(
          border_.mask(), labels.size(), labels.data());
      check_launch(stream_.get());
    }
    Event end;
    end.record(stream_);
    stream_.synchronize();
    context_.add_stage_time("border", refined.ms_since(cleaned));
    context_.add_stage_time("clean", cleaned.ms_since(begin) + end.ms_since(refined));
  }

 private:
  const SegmentSteps& steps_;
  Context& context_;
  Stream stream_;
  DeviceBuffer<Seed> seeds_;
  std::vector<Label> seeded_;
  DeviceBuffer<Label> seeded_on_device_;
  BorderRun border_;
  WholeClean<L> clean_;
};

/// Writes planes of rows in the layout of a grid, block by block.
DeviceBuffer<std::uint16_t> plane_of(const Download::Fill& fill, const Grid& grid,
                                     const Stream& stream) {
  DeviceBuffer<std::uint16_t> rows(grid.cells(), stream);
  for (std::int64_t z = 0; z < grid.nz; z += kBlockSlices) {
    const RowBlock block{
        .y0 = 0, .y1 = grid.ny, .z0 = z, .z1 = std::min(grid.nz, z + kBlockSlices)};
    fill(block, rows.data() + grid.offset(0, 0, z));
  }
  return rows;
}

/// Runs connectedness and all that follows.
template <typename L>
class SegmentRun {
 public:
  SegmentRun(const SegmentSteps& steps, Context& context)
      : steps_(steps),
        context_(context),
        geometry_(steps.border.image.geometry()),
        grid_(Grid::of(geometry_)),
        count_(geometry_.voxel_count()) {
    ask_for_answer<L>(static_cast<std::size_t>(count_), context);
  }

  [[nodiscard]] Segmented run() {
    return steps_.connectedness.size() == 1 ? one_label() : several_labels();
  }

 private:
  Segmented one_label() {
    Segmented all;
    irfc_on_device(steps_.connectedness.front().problem, context_, Returns::Plane,
                   [&](const ResultOnDevice& result) {
                     Run& run = result.run;
                     run.clock.begin("download");
                     DeviceBuffer<L> labels(count_, run.stream);
                     pack_rows_kernel<<<blocks_for(count_), kBlockSize, 0, run.stream.get()>>>(
                         plane_of(result.labels, grid_, run.stream).data(), grid_.pitch, grid_.nx,
                         count_, labels.data());
                     check_launch(run.stream.get());
                     all = finished(labels, result.strength, run, result.is_first);
                   });
    return all;
  }

  Segmented several_labels() {
    use_device(context_.device());
    const Stream stream = stream_of(context_);
    DeviceBuffer<L> labels(count_, stream);
    labels.fill_bytes(0, stream);
    DeviceBuffer<std::uint16_t> best(grid_.cells(), stream);
    best.fill_bytes(0, stream);
    for (const LabelConnectedness& one : steps_.connectedness) {
      irfc_on_device(one.problem, context_, Returns::Plane, [&](const ResultOnDevice& result) {
        result.run.clock.begin("merge");
        const auto won = plane_of(result.labels, grid_, stream);
        const auto strength = plane_of(result.strength, grid_, stream);
        merge_kernel<<<blocks_for(count_), kBlockSize, 0, stream.get()>>>(
            won.data(), strength.data(), grid_.pitch, grid_.nx, count_, static_cast<L>(one.label),
            static_cast<L>(steps_.background), labels.data(), best.data());
        check_launch(stream.get());
        result.run.clock.report();
      });
    }
    DeviceRun run(context_);
    const DeviceBuffer<Seed> seeds = uploaded(steps_.border.seeds, stream);
    put_seeds(seeds, labels, stream);
    run.clock.begin("download");
    return finished(labels, rows_of_plane(best, grid_, stream), run, false);
  }

  /// Finishes the labels while the strengths are downloaded.
  Segmented finished(DeviceBuffer<L>& labels, const Download::Fill& strength, DeviceRun& run,
                     bool is_first) {
    const auto cells = static_cast<std::size_t>(count_);
    Event ready;
    ready.record(run.stream);
    Finishing<L> finishing(steps_, context_);
    auto finish = std::async(std::launch::async, [&] { finishing.finish(labels, ready); });
    AnswerPlanes<L> answer = take_answer<L>(cells, context_);
    Download(grid_, context_, run.stream).bring(strength, answer.strength);
    finish.get();
    download(labels, std::span(answer.labels), context_, run.stream);
    run.clock.report();
    // A user who paints a second time usually paints a third time.
    if (!is_first) ask_for_answer<L>(cells, context_);
    return {.labels = LabelMap(geometry_, std::move(answer.labels)),
            .strength = std::move(answer.strength)};
  }

  const SegmentSteps& steps_;
  Context& context_;
  const Geometry& geometry_;
  Grid grid_;
  std::int64_t count_;
};

bool is_whole_clean(const CleanLabelsProblem& problem) {
  return problem.parts != KeptParts::Largest && problem.sigma == Vec3{};
}

}  // namespace

std::optional<Segmented> segment_at_once(const SegmentSteps& steps, Context& context) {
  const Geometry& geometry = steps.border.image.geometry();
  if (!has_bricks(steps.connectedness.front().problem.connectivity) || context.memory() != 0 ||
      geometry.voxel_count() == 1 || !CellWords::can_hold(geometry.size) ||
      !is_whole_clean(steps.seeded_parts) || !is_whole_clean(steps.cleaning))
    return std::nullopt;
  Label most = steps.background;
  for (const LabelConnectedness& one : steps.connectedness) {
    for (const Seed& seed : one.problem.seeds)
      most = std::max(most, seed.label);
  }
  if (most > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
  try {
    return most <= std::numeric_limits<std::uint8_t>::max()
               ? SegmentRun<std::uint8_t>(steps, context).run()
               : SegmentRun<std::uint16_t>(steps, context).run();
  } catch (const UnavailableError&) {
    return std::nullopt;
  }
}

}  // namespace seedwave::gpu
