// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/linear/line_family.h"
#include "core/parallel/context.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>

/// Openings and closings by segments of a line, at any angle and of any length (Karas, Morard,
/// Bartovsky et al. 2015, equation 2), exact, in 2-D and 3-D.
///
/// opening(p) = the maximum, over all windows of `length` consecutive cells of p's line that
/// contain p, of the minimum in the window. closing(p) is the minimum of the maximum. LineBorder
/// determines the windows where a line leaves the image.
namespace seedwave {
namespace linear {
struct KernelSet;
}

enum class LineFilter { Opening, Closing };
inline constexpr std::array kLineFilters{LineFilter::Opening, LineFilter::Closing};

/// Number of cells by which each line is extended before and after it, in the order of the major
/// axis. These cells never stop a window (highest values for an opening, lowest for a closing). A
/// window must lie wholly on the extended line.
enum class LineBorder {
  /// length / 2 before and length - 1 - length / 2 after: the window's centre lies in the image.
  Anchor,
  /// None: windows lie wholly in the image.
  Inside,
  /// length - 1 at either end: the part of a window in the image counts.
  Ignore,
};
inline constexpr std::array kLineBorders{LineBorder::Anchor, LineBorder::Inside,
                                         LineBorder::Ignore};

/// Numbers of cells before and after a line.
struct LineMargins {
  std::int64_t front;
  std::int64_t behind;
};
[[nodiscard]] LineMargins margins(LineBorder border, std::int64_t length) noexcept;

struct LinearOpeningProblem {
  /// One value per voxel, without NaN.
  Volume image;
  /// Lines for the image's size.
  LineFamily lines;
  /// Length of a window, in cells along the lines, at least 1.
  std::int64_t length = 1;
  LineBorder border = LineBorder::Anchor;
  LineFilter filter = LineFilter::Opening;
};

/// Returns an image of the same grid and type. A cell in no window gets the type's lowest value
/// (f32: the lowest finite one), after a closing its highest; -0.0 becomes +0.0. Throws InputError
/// if the image has a NaN or several values per voxel, UsageError for a length below 1, and
/// Cancelled.
using LinearOpeningSolver = std::function<Volume(const LinearOpeningProblem&, Context&)>;

/// Processes many adjacent lines with vectors, by applying the running extremes of van Herk and of
/// Gil and Werman twice: about nine accesses per vector for any length. The default.
[[nodiscard]] Volume linear_opening(const LinearOpeningProblem& problem, Context& context);
/// Computes linear_opening() with the loops of one instruction set (kernel.h).
[[nodiscard]] Volume linear_opening_in_strips(const LinearOpeningProblem& problem,
                                              const linear::KernelSet& kernels, Context& context);

/// Algorithms that work line by line. Naive: the definition, O(length) per cell. Hgw: an erosion
/// and a dilation in constant time per cell (van Herk 1992; Gil, Werman 1993). Morard: one scan
/// with a stack of flat zones (Morard, Dokladal, Decenciere 2011; Karas et al., algorithm 1).
/// Bartovsky: one scan with a queue of flat zones, whose answers follow `length` cells later
/// (Bartovsky et al. 2011; algorithm 2).
enum class LineAlgorithm { Naive, Hgw, Morard, Bartovsky };
[[nodiscard]] std::string name_of(LineAlgorithm algorithm);
[[nodiscard]] Volume linear_opening_by(LineAlgorithm algorithm, const LinearOpeningProblem& problem,
                                       Context& context);

/// Opening (closing) by a box of `length` cells along each axis, at least 1. Even lengths are used
/// as they are.
///
/// opening(p) = the maximum, over all positions of the box that contain p, of the minimum in the
/// box. `border` determines where boxes may lie, along each axis as for lines of that length. So
/// the opening by the box never exceeds the opening by a line along an axis with the box's length.
///
/// The result has the image's grid and type; -0.0 becomes +0.0. A cell in no box has the lowest
/// (highest) value of the image. Exact, and bitwise equal for any number of threads. Cost per
/// voxel: about log2(length) comparisons for each axis, twice. Throws InputError if the image has a
/// NaN. Throws Cancelled.
[[nodiscard]] Volume box_opening(const Volume& image, const Index3& length, LineBorder border,
                                 LineFilter filter, Context& context);

/// Checks the problem, as every solver does first.
void check(const LinearOpeningProblem& problem);

}  // namespace seedwave
