// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/kept.h"
#include "gpu/device/stream.h"
#include "gpu/fuzzy/grid.h"
#include "gpu/fuzzy/row_blocks.h"
#include "gpu/fuzzy/seeds.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu {

/// Labels, in their type, and strengths.
template <typename L>
struct AnswerPlanes {
  std::vector<L> labels;
  std::vector<std::uint16_t> strength;
};

/// Zero-filled memory for an answer. Providing it takes the system longer than the device's work,
/// so background threads request it in advance.
template <typename L>
class AnswerMemory {
 public:
  explicit AnswerMemory(std::size_t cells)
      : cells_(cells), labels_(zeros<L>(cells)), strength_(zeros<std::uint16_t>(cells)) {}

  [[nodiscard]] std::size_t cells() const { return cells_; }
  /// Returns the memory; call it once. Throws std::bad_alloc.
  [[nodiscard]] AnswerPlanes<L> take() { return {labels_.get(), strength_.get()}; }

 private:
  template <typename T>
  [[nodiscard]] static std::future<std::vector<T>> zeros(std::size_t cells) {
    // Deferred until use if the system provides no thread.
    return std::async(std::launch::async | std::launch::deferred,
                      [cells] { return large_vector<T>(cells); });
  }

  std::size_t cells_;
  std::future<std::vector<L>> labels_;
  std::future<std::vector<std::uint16_t>> strength_;
};

template <typename L>
[[nodiscard]] std::string answer_name(const Context& context) {
  return device_cache_name(sizeof(L) == 1 ? "answer_u8" : "answer", context);
}

/// Requests an answer's memory unless the context's cache has some of that size. It stays there for
/// take_answer(), in this run or a later one.
template <typename L>
void ask_for_answer(std::size_t cells, Context& context) {
  const std::string name = answer_name<L>(context);
  const auto asked = context.cache().find<AnswerMemory<L>>(name);
  if (asked && asked->cells() == cells) return;
  const std::size_t bytes = cells * (sizeof(L) + sizeof(std::uint16_t));
  context.cache().put(name, std::make_shared<AnswerMemory<L>>(cells), bytes);
}

template <typename L>
[[nodiscard]] AnswerPlanes<L> take_answer(std::size_t cells, Context& context) {
  const auto asked = context.cache().take<AnswerMemory<L>>(answer_name<L>(context));
  if (asked && asked->cells() == cells) return asked->take();
  return AnswerMemory<L>(cells).take();
}

/// Downloads a plane of cells. The device writes a block's rows, which BlockDownload then brings.
/// The plane's layout on the device therefore does not stall the bus, and no plane of rows is
/// needed.
class Download {
 public:
  Download(const Grid& grid, Context& context, const Stream& stream);

  /// Enqueues writing the cells of a block's rows, `grid.pitch` apart, to device memory.
  using Fill = std::function<void(const RowBlock& block, std::uint16_t* rows)>;
  /// Fills `cells`, without padding. Returns after all have arrived. Throws Cancelled.
  void bring(const Fill& fill, std::span<std::uint16_t> cells);

 private:
  void spread(std::span<const std::uint16_t> rows, const RowBlock& block,
              std::span<std::uint16_t> cells);

  Grid grid_;
  Context& context_;
  Stream stream_;
  DeviceBuffer<std::uint16_t> rows_;
  BlockDownload blocks_;
};

/// Brings the rows of a plane that is stored on the device in grid layout.
[[nodiscard]] Download::Fill rows_of_plane(const DeviceBuffer<std::uint16_t>& plane,
                                           const Grid& grid, const Stream& stream);

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
    if (returns == Returns::Answer) ask_for_answer<std::uint16_t>(cells_, context);
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
    AnswerPlanes<std::uint16_t> answer = take_answer<std::uint16_t>(cells_, context_);
    way_back.bring(labels, answer.labels);
    way_back.bring(strength, answer.strength);
    clock.report();
    return {std::move(answer.labels), std::move(answer.strength)};
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
  void expect_another() { ask_for_answer<std::uint16_t>(cells_, context_); }

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
