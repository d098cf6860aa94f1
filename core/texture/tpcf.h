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

/// Two-point correlation features of the phases of a picture (Cooper, Saltz, Catalyurek, Huang
/// 2012): for each window, phase and radius r the share of the pairs of pixels r apart, both inside
/// the window, that both belong to the phase; the mean over some directions, bilinear between
/// pixels.
namespace seedwave {

inline constexpr std::int64_t kMostPhases = 16;

/// The first cell, along one axis, of the window around a cell, which it has as its number
/// window / 2; near an end of `cells` of the nearest one that lies wholly within.
[[nodiscard]] constexpr std::int64_t first_cell_around(std::int64_t cell, std::int64_t window,
                                                       std::int64_t cells) {
  return std::clamp<std::int64_t>(cell - window / 2, 0, cells - window);
}

struct TpcfProblem {
  /// A picture of phases 1 .. count; 0 belongs to none.
  LabelMap phases;
  /// 1 .. kMostPhases.
  std::int64_t count = 1;
  /// Side of the windows in pixels, 1 .. kLargestWindow.
  std::int64_t window = 32;
  /// Spread evenly over half a turn from 0 on, 1 .. kMostLagDirections: the paper's step of pi / 8
  /// is 8 of them.
  std::int64_t directions = 8;
  /// At most so many rows of windows in a strip; 0: as many as fit into a few megabytes.
  std::int64_t strip_rows = 0;
};

/// The features of the windows in a rectangle; a window is named after its first cell. Planar: of
/// phase i (1 .. count) and radius r plane (i - 1) (window / 2 + 1) + r, at the window's place in
/// the rectangle values[(plane * rows + row) * columns + column].
struct FeatureStrip {
  std::int64_t first_column;
  std::int64_t first_row;
  std::int64_t columns;
  std::int64_t rows;
  std::int64_t planes;
  const float* values;
};

/// Takes each strip once, and may use it until it returns. Called on any thread of the run, on
/// several at once, in any order; which strips there are depends on the problem alone, so that what
/// is gathered strip by strip can be put together in one order.
using FeatureSink = std::function<void(const FeatureStrip&)>;

/// Features of every window that lies wholly in the picture: the same bits for each algorithm and
/// number of threads. A thread needs as much memory as a thousand windows side by side have
/// features, and less than 64 MB, whatever the picture's size. Throws what check() throws, and
/// Cancelled.
using TpcfSolver = std::function<void(const TpcfProblem&, const FeatureSink&, Context&)>;

/// The default, `box`: constant work a window and lag, whatever the window's size. The difference
/// of the features to the right, of that below, is a matter of the pairs at the four corners of the
/// window; these are counted for many windows and two phases at once, and added up twice.
void tpcf(const TpcfProblem& problem, const FeatureSink& sink, Context& context);

/// Window by window. Naive: the definition. Update: from one window to the next, the pairs of the
/// column that enters are added and those of the one that leaves are taken off (the paper, III.B).
/// Fft: the correlation as a product of spectra, two phases at a time, f64, rounded to whole
/// numbers: these are off by less than 1e-6 (the paper, III).
enum class TpcfAlgorithm { Naive, Update, Fft };
[[nodiscard]] std::string name_of(TpcfAlgorithm algorithm);
void tpcf_by(TpcfAlgorithm algorithm, const TpcfProblem& problem, const FeatureSink& sink,
             Context& context);

/// The curves of the window whose first cell is (x, y), which must be one: plane by plane. For a
/// look at a place, without a run. Throws what check() throws, but looks at that window alone.
[[nodiscard]] std::vector<float> features_at(const TpcfProblem& problem, std::int64_t x,
                                             std::int64_t y);

/// Of a window: curves of window / 2 + 1 values, one a phase.
[[nodiscard]] std::int64_t plane_count(const TpcfProblem& problem);

/// What every solver checks first. Throws UsageError for a window, directions or a count out of
/// their range, InputError where the phases are not a picture, where it is smaller than the window,
/// or where a pixel's phase is above `count`.
void check(const TpcfProblem& problem);

}  // namespace seedwave
