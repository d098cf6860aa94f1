// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/large_memory.h"
#include "gpu/device/buffer.h"
#include "gpu/device/devices.h"
#include "gpu/device/kept.h"
#include "gpu/device/stage_clock.h"
#include "gpu/device/stream.h"
#include "gpu/fuzzy/device_scene.h"
#include "gpu/fuzzy/grid.h"
#include "gpu/fuzzy/seeds.h"

#include <cstdint>

namespace seedwave::gpu {

/// What every solver's run has in common: device, stream, clock, seeds, planes and the
/// way back. Leaves the stream idle, also when an exception ends the run or its construction,
/// because host memory of the problem may still be read by copies.
class Run {
 public:
  Run(const fuzzy::Problem& problem, Context& context)
      : context_(context),
        device_(context.device()),
        stream(stream_of(context)),
        drain_{stream},
        clock(context, stream),
        grid(Grid::of(problem.scene.geometry)),
        problem_(problem),
        seeds(upload_seeds()) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// A plane of zeros.
  [[nodiscard]] DeviceBuffer<std::uint16_t> zeros() const {
    DeviceBuffer<std::uint16_t> plane(grid.cells(), stream);
    plane.fill_bytes(0, stream);
    return plane;
  }

  /// The answer's planes on the host; reports the stage times and leaves the stream idle.
  [[nodiscard]] fuzzy::Answer download(const DeviceBuffer<std::uint16_t>& labels,
                                       const DeviceBuffer<std::uint16_t>& strength) {
    clock.begin("download");
    const auto cells = static_cast<std::size_t>(problem_.scene.geometry.voxel_count());
    fuzzy::Answer answer;
    // Fresh memory takes longer than the copy: both planes at once.
    parallel_for(context_, 2, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t plane = begin; plane < end; ++plane)
        (plane == 0 ? answer.labels : answer.strength) = large_vector<std::uint16_t>(cells);
    });
    labels.copy_rows_to(answer.labels, grid.nx, grid.pitch, stream);
    strength.copy_rows_to(answer.strength, grid.nx, grid.pitch, stream);
    clock.report();
    return answer;
  }

 private:
  /// Makes the device current before anything below asks for memory on it.
  struct CurrentDevice {
    explicit CurrentDevice(int number) { use_device(number); }
  };
  /// Waits when it goes: after everything that was made later has given its memory back, and also
  /// when the constructor throws.
  struct Drain {
    const Stream& stream;
    ~Drain() { stream.drain(); }
  };
  [[nodiscard]] DeviceSeeds upload_seeds() {
    clock.begin("upload");
    DeviceSeeds uploaded(problem_.seeds, stream);
    clock.end();
    return uploaded;
  }

  Context& context_;
  CurrentDevice device_;

 public:
  Stream stream;

 private:
  Drain drain_;

 public:
  StageClock clock;
  Grid grid;

 private:
  const fuzzy::Problem& problem_;

 public:
  DeviceSeeds seeds;
};

/// Makes ties in a plane of labels background, but a seed keeps what was painted there.
void finish_labels(DeviceBuffer<std::uint16_t>& labels, const Run& run);

}  // namespace seedwave::gpu
