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

/// The kind of a run's result: an answer, whose memory is requested when the run begins, or a
/// plane.
enum class Returns { Answer, Plane };

/// The common part of every solver's run: seeds, planes and downloads.
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

  /// Returns a plane of zeros.
  [[nodiscard]] DeviceBuffer<std::uint16_t> zeros() const {
    DeviceBuffer<std::uint16_t> plane(grid.cells(), stream);
    plane.fill_bytes(0, stream);
    return plane;
  }

  /// Downloads the answer and reports the stage times. The stream is then idle.
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
  /// Does the same for planes that the device stores in row layout.
  [[nodiscard]] fuzzy::Answer download(const DeviceBuffer<std::uint16_t>& labels,
                                       const DeviceBuffer<std::uint16_t>& strength) {
    return download(rows_of_plane(labels, grid, stream), rows_of_plane(strength, grid, stream));
  }

  /// Downloads a single plane, otherwise as above.
  [[nodiscard]] std::vector<std::uint16_t> download(const Download::Fill& plane) {
    clock.begin("download");
    Download way_back(grid, context_, stream);
    auto cells = large_vector<std::uint16_t>(cells_);
    way_back.bring(plane, cells);
    clock.report();
    return cells;
  }

  /// Requests the next run's memory: a user who paints a second time usually paints a third time.
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

/// Turns ties in a plane of labels into background. Seeds keep their painted label.
void finish_labels(DeviceBuffer<std::uint16_t>& labels, const Run& run);

}  // namespace seedwave::gpu
