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
/// Bartovsky et al. 2015, equation 2), exact, in pictures and volumes.
///
/// opening(p) = the highest, over all windows of `length` consecutive cells of p's line that hold
/// p, of the lowest value in the window. Closing: the lowest of the highest. Which windows there
/// are where a line leaves the image is said by LineBorder.
namespace seedwave {

enum class LineFilter { Opening, Closing };
inline constexpr std::array kLineFilters{LineFilter::Opening, LineFilter::Closing};

/// Each line is continued by cells that never stop a window (highest values for an opening, lowest
/// for a closing), so many in front of it, in order of the major axis, and behind it; a window must
/// lie wholly on the continued line.
enum class LineBorder {
  /// length / 2 in front, length - 1 - length / 2 behind: the window's middle lies in the image.
  Anchor,
  /// None: windows lie wholly in the image.
  Inside,
  /// length - 1 on either side: whatever of a window lies in the image counts.
  Ignore,
};
inline constexpr std::array kLineBorders{LineBorder::Anchor, LineBorder::Inside,
                                         LineBorder::Ignore};

/// Cells before and behind a line.
struct LineMargins {
  std::int64_t front;
  std::int64_t behind;
};
[[nodiscard]] LineMargins margins(LineBorder border, std::int64_t length) noexcept;

struct LinearOpeningProblem {
  /// One value per voxel, no NaN.
  Volume image;
  /// Of the image's size.
  LineFamily lines;
  /// Of a window, in cells along the lines, at least 1.
  std::int64_t length = 1;
  LineBorder border = LineBorder::Anchor;
  LineFilter filter = LineFilter::Opening;
};

/// The result has the image's grid and type. A cell in no window: the type's lowest value (f32: the
/// lowest finite one), after a closing its highest; -0.0 has become +0.0. Throws InputError where
/// the image has a NaN or several values per voxel, UsageError for a length below 1, Cancelled.
using LinearOpeningSolver = std::function<Volume(const LinearOpeningProblem&, Context&)>;

/// Many lines side by side on vectors, twice the running extremes of van Herk and of Gil and
/// Werman: about nine accesses a vector, whatever the length. The default.
[[nodiscard]] Volume linear_opening(const LinearOpeningProblem& problem, Context& context);

/// Line by line. Naive: the definition, O(length) a cell. Hgw: an erosion and a dilation in
/// constant time a cell (van Herk 1992; Gil, Werman 1993). Morard: one scan with a stack of flat
/// zones (Morard, Dokladal, Decenciere 2011; Karas et al., algorithm 1). Bartovsky: one scan with a
/// queue of them, answers `length` cells behind it (Bartovsky et al. 2011; algorithm 2).
enum class LineAlgorithm { Naive, Hgw, Morard, Bartovsky };
[[nodiscard]] std::string name_of(LineAlgorithm algorithm);
[[nodiscard]] Volume linear_opening_by(LineAlgorithm algorithm, const LinearOpeningProblem& problem,
                                       Context& context);

/// What every solver checks first.
void check(const LinearOpeningProblem& problem);

}  // namespace seedwave
