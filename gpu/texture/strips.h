// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/tpcf.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/stream.h"

#include <cstdint>
#include <functional>

/// Features on a device: strip by strip, a strip being some rows of windows, so that pictures of
/// any size fit.
namespace seedwave::gpu {

/// The features of rows of windows in device memory: of a plane, row and column
/// values[(plane * rows + row) * pitch + column]. Behind the last column lies anything.
struct StripOnDevice {
  const float* values;
  int columns;
  int rows;
  int planes;
  int pitch;
};

/// An algorithm with its tables and its memory, for one problem.
class StripSolver {
 public:
  StripSolver() = default;
  virtual ~StripSolver() = default;
  StripSolver(const StripSolver&) = delete;
  StripSolver& operator=(const StripSolver&) = delete;

  /// Rows of windows in a strip, but for the last.
  [[nodiscard]] virtual int rows() const = 0;
  /// Enqueues the copy of a strip's pixels.
  virtual void upload(int first_row, int rows) = 0;
  /// Enqueues all features of the strip that was uploaded.
  virtual void compute(int rows) = 0;
  /// Where they are.
  [[nodiscard]] virtual StripOnDevice strip(int rows) const = 0;
};

/// Rows of windows of a picture that is not smaller than one.
[[nodiscard]] int window_rows(const TpcfProblem& problem);

/// Enqueues what reads a strip, whose first row of windows is `first_row`; the next one is computed
/// behind that.
using UseStrip = std::function<void(int first_row, const StripOnDevice& strip)>;

/// From the top down; each strip is computed `runs` times. Stages: upload, features. Throws
/// Cancelled.
void walk_strips(StripSolver& solver, const TpcfProblem& problem, int runs, const UseStrip& use,
                 Context& context, DeviceRun& run);

/// Rows of a strip that takes bytes(rows): as many as `strip_rows` of the problem and `most` say,
/// and half of that and so on until it fits into `memory`, at least one.
[[nodiscard]] int rows_within(std::int64_t memory, std::int64_t most, const TpcfProblem& problem,
                              const std::function<std::int64_t(std::int64_t rows)>& bytes);

/// The pixels of a strip of so many rows of windows, and of fewer.
class StripLabels {
 public:
  StripLabels(const TpcfProblem& problem, int window_rows, const Stream& stream);
  /// Pixels of so many rows of windows.
  [[nodiscard]] static std::int64_t count(std::int64_t columns, std::int64_t window,
                                          std::int64_t window_rows) {
    return (window_rows + window - 1) * columns;
  }

  /// Enqueues the copy of those that windows from `first_row` on have.
  void upload(int first_row, int window_rows);
  [[nodiscard]] const std::uint16_t* data() const { return labels_.data(); }

 private:
  [[nodiscard]] static std::int64_t count(const TpcfProblem& problem, std::int64_t window_rows) {
    return count(problem.phases.geometry().size[0], problem.window, window_rows);
  }

  const TpcfProblem& problem_;
  Stream stream_;
  DeviceBuffer<std::uint16_t> labels_;
};

}  // namespace seedwave::gpu
