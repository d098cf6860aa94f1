// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/linear_opening.h"

#include "core/base/error.h"

#include <string>

namespace seedwave {

LineMargins margins(LineBorder border, std::int64_t length) noexcept {
  switch (border) {
    case LineBorder::Anchor:
      return {length / 2, length - 1 - length / 2};
    case LineBorder::Inside:
      return {0, 0};
    case LineBorder::Ignore:
      break;
  }
  return {length - 1, length - 1};
}

void check(const LinearOpeningProblem& problem) {
  if (problem.length < 1)
    throw UsageError("a line needs a length of at least 1, not " + std::to_string(problem.length));
  if (problem.image.components() != 1)
    throw InputError("linear openings need one value per voxel, the image has " +
                     std::to_string(problem.image.components()));
  if (problem.lines.size() != problem.image.geometry().size)
    throw UsageError("the lines are those of an image of another size");
  refuse_nan(problem.image, "the image");
}

}  // namespace seedwave
