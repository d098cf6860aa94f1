// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "gpu/border/border_run.cuh"
#include "gpu/device/device_run.h"
#include "gpu/device/devices.h"
#include "gpu/device/download.h"
#include "gpu/fuzzy/irfc_on_device.h"
#include "gpu/morphology/whole_clean.cuh"
#include "gpu/segment/segment.h"

#include <algorithm>
#include <chrono>
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

template <typename L>
Segmented finished(const SegmentSteps& steps, const ResultOnDevice& result, Context& context) {
  Run& run = result.run;
  const Grid& grid = run.grid;
  const Geometry& geometry = steps.border.image.geometry();
  const std::int64_t count = geometry.voxel_count();
  ask_for_answer<L>(static_cast<std::size_t>(count), context);
  run.clock.begin("download");
  DeviceBuffer<L> labels(count, run.stream);
  {
    DeviceBuffer<std::uint16_t> rows(grid.cells(), run.stream);
    for (std::int64_t z = 0; z < grid.nz; z += kBlockSlices) {
      const RowBlock block{
          .y0 = 0, .y1 = grid.ny, .z0 = z, .z1 = std::min(grid.nz, z + kBlockSlices)};
      result.labels(block, rows.data() + grid.offset(0, 0, z));
    }
    pack_rows_kernel<<<blocks_for(count), kBlockSize, 0, run.stream.get()>>>(
        rows.data(), grid.pitch, grid.nx, count, labels.data());
    check_launch(run.stream.get());
  }
  Event ready;
  ready.record(run.stream);
  Finishing<L> finishing(steps, context);
  auto finish = std::async(std::launch::async, [&] { finishing.finish(labels, ready); });
  AnswerPlanes<L> answer = take_answer<L>(static_cast<std::size_t>(count), context);
  Download(grid, context, run.stream).bring(result.strength, answer.strength);
  finish.get();
  download(labels, std::span(answer.labels), context, run.stream);
  run.clock.report();
  if (!result.is_first) ask_for_answer<L>(static_cast<std::size_t>(count), context);
  return {.labels = LabelMap(geometry, std::move(answer.labels)),
          .strength = std::move(answer.strength)};
}

bool is_whole_clean(const CleanLabelsProblem& problem) {
  return problem.parts != KeptParts::Largest && problem.sigma == Vec3{};
}

}  // namespace

std::optional<Segmented> segment_at_once(const SegmentSteps& steps, Context& context) {
  const Connectivity connectivity = steps.connectedness.connectivity;
  const bool is_on_bricks = connectivity == Connectivity::C4 || connectivity == Connectivity::C6;
  const Geometry& geometry = steps.border.image.geometry();
  if (!is_on_bricks || context.memory() != 0 || geometry.voxel_count() == 1 ||
      !CellWords::can_hold(geometry.size) || !is_whole_clean(steps.seeded_parts) ||
      !is_whole_clean(steps.cleaning))
    return std::nullopt;
  Label most = 0;
  for (const Seed& seed : steps.connectedness.seeds)
    most = std::max(most, seed.label);
  std::optional<Segmented> all;
  try {
    irfc_on_device(steps.connectedness, context, Returns::Plane, [&](const ResultOnDevice& result) {
      all = most <= std::numeric_limits<std::uint8_t>::max()
                ? finished<std::uint8_t>(steps, result, context)
                : finished<std::uint16_t>(steps, result, context);
    });
  } catch (const UnavailableError&) {
    return std::nullopt;
  }
  return all;
}

}  // namespace seedwave::gpu
