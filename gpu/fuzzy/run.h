// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/fuzzy/download.h"
#include "gpu/fuzzy/fresh_answer.h"
#include "gpu/fuzzy/grid.h"
#include "gpu/fuzzy/seeds.h"

#include <cstdint>
#include <vector>

namespace seedwave::gpu {

/// What every solver's run has in common: seeds, planes and the way back.
class Run : public DeviceRun {
 public:
  Run(const fuzzy::Problem& problem, Context& context)
      : DeviceRun(context),
        grid(Grid::of(problem.scene.geometry)),
        seeds(uploaded(problem.seeds)),
        context_(context),
        answer_(static_cast<std::size_t>(problem.scene.geometry.voxel_count())) {}

  /// A plane of zeros.
  [[nodiscard]] DeviceBuffer<std::uint16_t> zeros() const {
    DeviceBuffer<std::uint16_t> plane(grid.cells(), stream);
    plane.fill_bytes(0, stream);
    return plane;
  }

  /// The answer on the host; reports the stage times and leaves the stream idle.
  [[nodiscard]] fuzzy::Answer download(const Download::Fill& labels,
                                       const Download::Fill& strength) {
    clock.begin("download");
    Download way_back(grid, context_, stream);
    fuzzy::Answer answer = answer_.take();
    way_back.bring(labels, answer.labels);
    way_back.bring(strength, answer.strength);
    clock.report();
    return answer;
  }
  /// The same of planes that lie on the device as rows.
  [[nodiscard]] fuzzy::Answer download(const DeviceBuffer<std::uint16_t>& labels,
                                       const DeviceBuffer<std::uint16_t>& strength) {
    return download(rows_of_plane(labels, grid, stream), rows_of_plane(strength, grid, stream));
  }

  const Grid grid;
  const DeviceSeeds seeds;

 private:
  [[nodiscard]] DeviceSeeds uploaded(const std::vector<Seed>& host) {
    clock.begin("upload");
    DeviceSeeds device(host, stream);
    clock.end();
    return device;
  }

  Context& context_;
  FreshAnswer answer_;
};

/// Makes ties in a plane of labels background, but a seed keeps what was painted there.
void finish_labels(DeviceBuffer<std::uint16_t>& labels, const Run& run);

}  // namespace seedwave::gpu
