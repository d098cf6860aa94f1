// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/parallel/context.h"
#include "core/texture/tpcf.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/stream.h"

#include <cstdint>
#include <functional>
#include <memory>

/// Features on a device, strip by strip, so that images of any size fit. A strip is a number of
/// rows of windows.
namespace seedwave::gpu {

/// The features of rows of windows in device memory: plane, row and column at
/// values[(plane * rows + row) * pitch + column]. Values past the last column are undefined.
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

  /// Returns the number of rows of windows in every strip but the last.
  [[nodiscard]] virtual int rows() const = 0;
  /// Enqueues the copy of a strip's pixels.
  virtual void upload(int first_row, int rows) = 0;
  /// Enqueues the computation of all features of the uploaded strip.
  virtual void compute(int rows) = 0;
  /// Returns the location of the features.
  [[nodiscard]] virtual StripOnDevice strip(int rows) const = 0;
};

/// Returns the number of rows of windows of an image, which must not be smaller than one window.
[[nodiscard]] int window_rows(const TpcfProblem& problem);

/// Enqueues work that reads a strip whose first row of windows is `first_row`. The next strip is
/// computed after it in stream order.
using UseStrip = std::function<void(int first_row, const StripOnDevice& strip)>;

/// Processes the strips from top to bottom and computes each `runs` times. Stages: upload,
/// features. Throws Cancelled.
void walk_strips(StripSolver& solver, const TpcfProblem& problem, int runs, const UseStrip& use,
                 Context& context, DeviceRun& run);

/// Returns the number of rows of a strip, which needs bytes(rows). Starts with the smaller of
/// `most` and the problem's `strip_rows`, and halves it until the strip fits into `memory`; at
/// least one.
[[nodiscard]] int rows_within(std::int64_t memory, std::int64_t most, const TpcfProblem& problem,
                              const std::function<std::int64_t(std::int64_t rows)>& bytes);

/// The pixels of a strip of at most `window_rows` rows of windows.
class StripLabels {
 public:
  StripLabels(const TpcfProblem& problem, int window_rows, const Stream& stream);
  /// Returns the number of pixels of these rows of windows.
  [[nodiscard]] static std::int64_t count(std::int64_t columns, std::int64_t window,
                                          std::int64_t window_rows) {
    return (window_rows + window - 1) * columns;
  }

  /// Enqueues the upload of the pixels of windows from `first_row` on.
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

// The solvers, and the device memory of a run of each in strips of one row of windows.

/// Creates a solver for `box`. It counts the changes at the corners of the windows for four phases
/// at once. It weighs them as a product of byte matrices on the tensor cores. The problem, already
/// verified by check(), must outlive it. Throws UnavailableError (out of memory).
[[nodiscard]] std::unique_ptr<StripSolver> box_on_device(const TpcfProblem& problem,
                                                         const Context& context,
                                                         const Stream& stream);
[[nodiscard]] std::int64_t least_box_bytes(const Geometry& picture, std::int64_t window,
                                           std::int64_t phases);

/// Creates a solver for `update`, the paper's device algorithm and the baseline for `box`: L. A. D.
/// Cooper, J. H. Saltz, U. Catalyurek, K. Huang 2012, section V. A block of threads moves along
/// windows from left to right. Each thread adds the pairs of the entering column and subtracts
/// those of the leaving one, for its share of the lags. Then the threads share the radii.
///
/// Differences from the paper: columns are words of bits, and counts lie in shared memory.
/// Sequences of windows have an end, so that no launch triggers a watchdog. Any window, directions
/// and phases are supported. The problem, already verified by check(), must outlive the solver.
/// Throws UnavailableError (out of memory).
[[nodiscard]] std::unique_ptr<StripSolver> update_on_device(const TpcfProblem& problem,
                                                            const Context& context,
                                                            const Stream& stream);
[[nodiscard]] std::int64_t least_update_bytes(const Geometry& picture, std::int64_t window,
                                              std::int64_t phases);

/// Creates a solver for `fft` (Cooper et al. 2012, section III) with cuFFT. The correlation of each
/// window is a product of spectra, with two phases in one complex transform. It is computed in f64
/// and rounded to integers, which equal core's. Many windows are transformed at once. The problem,
/// already verified by check(), must outlive the solver. Throws UnavailableError (out of memory).
[[nodiscard]] std::unique_ptr<StripSolver> fft_on_device(const TpcfProblem& problem,
                                                         const Context& context,
                                                         const Stream& stream);
[[nodiscard]] std::int64_t least_fft_bytes(const Geometry& picture, std::int64_t window,
                                           std::int64_t phases);

}  // namespace seedwave::gpu
