// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/fuzzy/answer_memory.h"
#include "gpu/fuzzy/grid.h"
#include "gpu/fuzzy/plane_download.h"
#include "gpu/fuzzy/seeds.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave::gpu {

/// What a run brings back: an answer, whose memory is asked for when the run begins, or a plane.
enum class Returns { Answer, Plane };

/// What every solver's run has in common: seeds, planes and the way back.
class Run : public DeviceRun {
 public:
  Run(const fuzzy::Problem& problem, Context& context, Returns returns = Returns::Answer)
      : DeviceRun(context),
        grid(Grid::of(problem.scene.geometry)),
        seeds(uploaded(problem.seeds)),
        context_(context),
        cells_(static_cast<std::size_t>(problem.scene.geometry.voxel_count())) {
    if (returns == Returns::Answer) ask_for_answer(cells_, context);
  }

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
    fuzzy::Answer answer = take_answer(cells_, context_);
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

  /// A plane alone; the rest as above.
  [[nodiscard]] std::vector<std::uint16_t> download(const Download::Fill& plane) {
    clock.begin("download");
    Download way_back(grid, context_, stream);
    auto cells = large_vector<std::uint16_t>(cells_);
    way_back.bring(plane, cells);
    clock.report();
    return cells;
  }

  /// Asks for the next run's memory: whoever paints a second time paints a third time.
  void expect_another() { ask_for_answer(cells_, context_); }

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
  std::size_t cells_;
};

/// Makes ties in a plane of labels background, but a seed keeps what was painted there.
void finish_labels(DeviceBuffer<std::uint16_t>& labels, const Run& run);

}  // namespace seedwave::gpu
