// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"
#include "core/texture/lag_table.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Two-point correlation features of the phases of an image (Cooper, Saltz, Catalyurek, Huang
/// 2012). For each window, phase and radius r: the fraction of the pairs of pixels at distance r,
/// both inside the window, that both belong to the phase. It is the mean over several directions,
/// bilinear between pixels.
namespace seedwave {
namespace texture {
struct Kernel;
}

inline constexpr std::int64_t kMostPhases = 16;

/// Returns the first cell, along one axis, of the window around a cell, whose index in the window
/// is window / 2. Near an end of `cells`, returns that of the nearest window that lies wholly
/// within.
[[nodiscard]] constexpr std::int64_t first_cell_around(std::int64_t cell, std::int64_t window,
                                                       std::int64_t cells) {
  return std::clamp<std::int64_t>(cell - window / 2, 0, cells - window);
}

struct TpcfProblem {
  /// A 2-D image of phases 1 .. count; 0 belongs to none.
  LabelMap phases;
  /// 1 .. kMostPhases.
  std::int64_t count = 1;
  /// Side of the windows in pixels, 1 .. kLargestWindow.
  std::int64_t window = 32;
  /// Number of directions, evenly spaced over half a turn from 0 on, 1 .. kMostLagDirections. The
  /// paper's step of pi / 8 gives 8 directions.
  std::int64_t directions = 8;
  /// Largest number of rows of windows in a strip; 0 for as many as fit into a few megabytes.
  std::int64_t strip_rows = 0;
};

/// The features of the windows in a rectangle. A window is identified by its first cell. Planar:
/// phase i (1 .. count) and radius r are in plane (i - 1) (window / 2 + 1) + r. A window is at
/// values[(plane * rows + row) * columns + column], with its position in the rectangle.
struct FeatureStrip {
  std::int64_t first_column;
  std::int64_t first_row;
  std::int64_t columns;
  std::int64_t rows;
  std::int64_t planes;
  const float* values;
  /// Row by row, for each kAlikeColumns columns from the strip's first on (the last may be fewer):
  /// 1 if they were found to have the same features, as on glass. Two such blocks in succession
  /// have the same features. 0 says nothing.
  const std::uint8_t* alike;
};
inline constexpr std::int64_t kAlikeColumns = 64;
[[nodiscard]] constexpr std::int64_t alike_blocks(std::int64_t columns) {
  return (columns + kAlikeColumns - 1) / kAlikeColumns;
}

/// Receives each strip once, and may use it until it returns. Called on any thread of the run, on
/// several at once, in any order. The division into strips depends only on the problem, so that
/// results per strip can be combined in one order.
using FeatureSink = std::function<void(const FeatureStrip&)>;

/// Computes the features of every window that lies wholly in the image, bitwise equal for each
/// algorithm and number of threads. A thread needs the memory of the features of a thousand
/// adjacent windows, and less than 64 MB, for any image size. Throws whatever check() throws, and
/// Cancelled.
using TpcfSolver = std::function<void(const TpcfProblem&, const FeatureSink&, Context&)>;

/// The default, `box`: constant work per window and lag, for any window size. The mixed difference
/// of the features in x and y depends only on the pairs at the four corners of the window. These
/// are counted for many windows and two phases at once, and summed twice.
void tpcf(const TpcfProblem& problem, const FeatureSink& sink, Context& context);
/// Computes tpcf() with the loops of one instruction set (kernel.h).
void tpcf_by_box(const TpcfProblem& problem, const texture::Kernel& kernel, const FeatureSink& sink,
                 Context& context);

/// Algorithms that work window by window. Naive: the definition. Update: from one window to the
/// next, adds the pairs of the column that enters and subtracts those of the one that leaves (the
/// paper, III.B). Fft: the correlation as a product of spectra, two phases at a time, in f64,
/// rounded to integers; the error is below 1e-6 (the paper, III).
enum class TpcfAlgorithm { Naive, Update, Fft };
[[nodiscard]] std::string name_of(TpcfAlgorithm algorithm);
void tpcf_by(TpcfAlgorithm algorithm, const TpcfProblem& problem, const FeatureSink& sink,
             Context& context);

/// Returns the curves of the window with the first cell (x, y), plane by plane. The window must lie
/// wholly in the image. For inspecting a place without a run. Throws whatever check() throws, but
/// reads only that window.
[[nodiscard]] std::vector<float> features_at(const TpcfProblem& problem, std::int64_t x,
                                             std::int64_t y);

/// Returns the number of planes of a window: curves of window / 2 + 1 values, one per phase.
[[nodiscard]] std::int64_t plane_count(const TpcfProblem& problem);

/// Checks the problem, as every solver does first. Throws UsageError for a window, directions or a
/// count out of range. Throws InputError if the phases are not 2-D, if the image is smaller than
/// the window, or if a pixel's phase exceeds `count`.
void check(const TpcfProblem& problem);

}  // namespace seedwave
