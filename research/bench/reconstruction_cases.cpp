// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"
#include "core/morphology/flat_morphology.h"
#include "core/morphology/reconstruction_markers.h"
#include "research/bench/inputs.h"
#include "research/bench/mazes.h"
#include "research/bench/timing.h"
#include "research/bench/tissue.h"

#include <algorithm>
#include <string>
#include <utility>

namespace seedwave::bench {
namespace {

constexpr std::int64_t kLongestMaze = 1024;
constexpr double kRadius = 15.0;
constexpr std::int64_t kHalfSide = 15;  // of the square of 31 x 31
constexpr double kHeight = 40.0;
constexpr double kHeadHeight = 200.0;

TimedCase case_of(ReconstructionOperation operation, std::string name, const Volume& image) {
  TimedCase timed;
  timed.name = std::move(name);
  timed.digest = xxh64_digest(image.bytes());
  timed.request.operation = id_of(operation);
  timed.request.inputs.image = image;
  return timed;
}

/// Sets the operation's parameters if it has these.
void set_values(ReconstructionOperation operation, double h, double radius, TimedCase& timed) {
  switch (operation) {
    case ReconstructionOperation::HMaxima:
    case ReconstructionOperation::HMinima:
    case ReconstructionOperation::HDomes:
      timed.request.values.set("h", h);
      break;
    case ReconstructionOperation::OpenByReconstruction:
    case ReconstructionOperation::CloseByReconstruction:
      timed.request.values.set("radius", radius);
      break;
    default:
      break;
  }
}

std::vector<TimedCase> tissue_cases(const Volume& image, Context& context) {
  const Geometry& grid = image.geometry();
  const auto dilation = ReconstructionDirection::Dilation;
  const Volume opening = opened(image, FlatElement::ball(kRadius, grid), context);
  const Volume erosion = eroded(image, FlatElement::box({kHalfSide, kHalfSide, 0}, grid), context);
  const Volume lowered = moved_by(image, kHeight, dilation, context);
  std::vector<TimedCase> cases;
  const auto add = [&](const char* name, const Volume& marker, const char* connectivity) {
    TimedCase timed = case_of(
        ReconstructionOperation::Reconstruct,
        "tissue " + text_of_size(grid.size) + ", " + name + ", " + connectivity + " neighbours",
        image);
    timed.request.inputs.marker = marker;
    timed.request.values.set("connectivity", connectivity);
    cases.push_back(std::move(timed));
  };
  for (const char* connectivity : {"8", "4"}) {
    add("opening by a disc of radius 15", opening, connectivity);
    add("erosion 31x31", erosion, connectivity);
    add("image less 40", lowered, connectivity);
  }
  return cases;
}

/// Adds the mazes, without the algorithms that take minutes. sr and sr-gpu need two scans for each
/// turn of the path; waves on a device need one for each of its pixels.
void add_mazes(std::int64_t side, std::vector<TimedCase>& cases) {
  const auto add = [&](const char* name, const Volume& image) {
    TimedCase timed = case_of(ReconstructionOperation::Reconstruct,
                              std::string(name) + " " + text_of_size(image.geometry().size), image);
    timed.request.inputs.marker = corner_marker(image);
    timed.request.values.set("connectivity", "4");
    timed.left_out = {"sr", "sr-gpu", "fh-gpu"};
    cases.push_back(std::move(timed));
  };
  add("snake", snake(side));
  add("spiral", spiral(side));
  add("maze", maze(side, Corridors::Binary));
  add("grey maze", maze(side, Corridors::Grey));
}

}  // namespace

std::vector<TimedCase> reconstruction_cases(ReconstructionOperation operation, const Index3& size,
                                            Context& context) {
  const bool general = operation == ReconstructionOperation::Reconstruct;
  if (size[2] > 1) {
    TimedCase timed = case_of(operation, "head " + text_of_size(size), head(size, context));
    set_values(operation, kHeadHeight, kRadius / 3, timed);
    if (general) timed.request.values.set("h", kHeadHeight);
    return {timed};
  }
  const Volume image = tissue(size, 1.0, context);
  if (!general) {
    TimedCase timed = case_of(operation, "tissue " + text_of_size(size), image);
    set_values(operation, kHeight, kRadius, timed);
    return {timed};
  }
  std::vector<TimedCase> cases = tissue_cases(image, context);
  add_mazes(std::min({size[0], size[1], kLongestMaze}), cases);
  return cases;
}

}  // namespace seedwave::bench
