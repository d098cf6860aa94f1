// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/flat_morphology.h"
#include "core/morphology/reconstruction_markers.h"
#include "core/ops/connectivity_parameter.h"
#include "core/ops/each_label.h"
#include "core/ops/morphology.h"
#include "core/ops/timed_solver.h"
#include "core/parallel/shared_items.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr const char* kImage = "image";
constexpr const char* kLabels = "labels";
/// `auto` for h is this share of the image's range.
constexpr double kShareOfRange = 0.1;

/// The texts of an operation.
struct Text {
  const char* title;
  const char* help;
  const char* output;
  const char* digest;  // of the example
};

constexpr std::array<const char*, kReconstructionOperations.size()> kIds{
    "reconstruct",
    "open-by-reconstruction",
    "close-by-reconstruction",
    "h-maxima",
    "h-minima",
    "h-domes",
    "fill-holes",
    "clear-border",
    "regional-maxima",
    "regional-minima",
};

/// Returns the direction of an operation: fixed, or for Reconstruct the user's choice.
ReconstructionDirection direction_of(ReconstructionOperation operation, const Values& values) {
  switch (operation) {
    case ReconstructionOperation::Reconstruct:
      return values.word("direction") == "erosion" ? ReconstructionDirection::Erosion
                                                   : ReconstructionDirection::Dilation;
    case ReconstructionOperation::CloseByReconstruction:
    case ReconstructionOperation::HMinima:
    case ReconstructionOperation::FillHoles:
    case ReconstructionOperation::RegionalMinima:
      return ReconstructionDirection::Erosion;
    default:
      return ReconstructionDirection::Dilation;
  }
}

/// Returns the opening, or closing, of the image by a disc or ball.
Volume opened_along(const Volume& image, double radius, ReconstructionDirection direction,
                    Context& context) {
  const FlatElement ball = FlatElement::ball(radius, image.geometry());
  return direction == ReconstructionDirection::Dilation ? opened(image, ball, context)
                                                        : closed(image, ball, context);
}

/// Returns the erosion, or dilation, of the image. Reconstruction from it equals that from the
/// opening, below which it lies, since a disc is connected.
Volume shrunk_along(const Volume& image, double radius, ReconstructionDirection direction,
                    Context& context) {
  const FlatElement ball = FlatElement::ball(radius, image.geometry());
  return direction == ReconstructionDirection::Dilation ? eroded(image, ball, context)
                                                        : dilated(image, ball, context);
}

Volume given_marker(const Inputs& inputs, Context& context) {
  if (inputs.marker.components() != 1) {
    throw InputError("the marker has " + std::to_string(inputs.marker.components()) +
                     " values per voxel: use one with a single value");
  }
  return converted(inputs.marker, inputs.image.type(), "the marker", context);
}

Volume marker_for_reconstruct(const Inputs& inputs, const Values& values,
                              ReconstructionDirection direction, Context& context) {
  if (!inputs.marker.empty()) return given_marker(inputs, context);
  const std::string& from = values.word("marker_from");
  if (from == "border") return border_of(inputs.image, direction, context);
  if (from == "opening") {
    return opened_along(inputs.image, values.number("radius"), direction, context);
  }
  return moved_by(inputs.image, values.number("h"), direction, context);
}

Volume marker_for(ReconstructionOperation operation, const Inputs& inputs, const Values& values,
                  ReconstructionDirection direction, Context& context) {
  switch (operation) {
    case ReconstructionOperation::Reconstruct:
      return marker_for_reconstruct(inputs, values, direction, context);
    case ReconstructionOperation::OpenByReconstruction:
    case ReconstructionOperation::CloseByReconstruction:
      return shrunk_along(inputs.image, values.number("radius"), direction, context);
    case ReconstructionOperation::HMaxima:
    case ReconstructionOperation::HMinima:
    case ReconstructionOperation::HDomes:
      return moved_by(inputs.image, values.number("h"), direction, context);
    case ReconstructionOperation::FillHoles:
    case ReconstructionOperation::ClearBorder:
      return border_of(inputs.image, direction, context);
    case ReconstructionOperation::RegionalMaxima:
    case ReconstructionOperation::RegionalMinima:
      break;
  }
  return moved_by_least(inputs.image, direction, context);
}

bool reads_h(ReconstructionOperation operation, const Inputs& inputs, const Values& values) {
  switch (operation) {
    case ReconstructionOperation::Reconstruct:
      return inputs.marker.empty() && values.word("marker_from") == "h-dome";
    case ReconstructionOperation::HMaxima:
    case ReconstructionOperation::HMinima:
    case ReconstructionOperation::HDomes:
      return true;
    default:
      return false;
  }
}

/// Returns a tenth of the image's range; for integer images rounded down, at least 1.
double estimated_h(const Volume& image) {
  const ValueRange range = value_range(image);
  const double h = kShareOfRange * (range.high - range.low);
  if (!std::isfinite(h)) {
    throw InputError("the image's range is not finite, so h cannot be estimated from it: set h");
  }
  if (image.type() == VoxelType::F32) return static_cast<double>(static_cast<float>(h));
  return std::max(1.0, std::floor(h));
}

/// Replaces `auto` by a number if h is used.
Values with_h(ReconstructionOperation operation, const Inputs& inputs, const Values& values) {
  Values used = values;
  if (reads_h(operation, inputs, values) && values.is_word("h")) {
    used.set("h", estimated_h(inputs.image));
  }
  return used;
}

std::string cut_warning(std::int64_t voxels, ReconstructionDirection direction) {
  const bool dilation = direction == ReconstructionDirection::Dilation;
  return std::string("the marker lay ") + (dilation ? "above" : "below") + " the image at " +
         std::to_string(voxels) + (voxels == 1 ? " voxel" : " voxels") + " and was clipped to it";
}

/// Returns the operation's output, given the reconstruction.
Volume finished(ReconstructionOperation operation, const Volume& image,
                const Volume& reconstruction, Context& context) {
  switch (operation) {
    case ReconstructionOperation::HDomes:
    case ReconstructionOperation::ClearBorder:
      return difference(image, reconstruction, context);
    case ReconstructionOperation::RegionalMaxima:
    case ReconstructionOperation::RegionalMinima:
      return where_different(image, reconstruction, context);
    default:
      return reconstruction;
  }
}

/// A constant image at the end of its type's range cannot be shifted further; it is still one
/// plateau without higher or lower neighbours.
bool is_one_plateau(const Volume& image) {
  const ValueRange range = value_range(image);
  return range.low == range.high;
}

/// The image of a run, or one of its labels as an image, after which others follow.
enum class RunOn { Image, OneLabel };

Result run_reconstruction(ReconstructionOperation operation, const ReconstructionSolver& solver,
                          const Inputs& inputs, const Values& given, Context& context,
                          RunOn what = RunOn::Image) {
  refuse_nan(inputs.image, "the image");
  Result result;
  result.values = with_h(operation, inputs, given);
  ReconstructionProblem problem;
  {
    const auto stage = context.stage("marker");
    problem = reconstruction_problem(operation, inputs, result.values, context);
  }
  Reconstruction reconstruction = solver(problem, context);
  if (what == RunOn::Image) leave_to_first(context);
  if (reconstruction.clipped > 0) {
    result.warnings.push_back(cut_warning(reconstruction.clipped, problem.direction));
  }
  result.warnings.insert(result.warnings.end(), reconstruction.notes.begin(),
                         reconstruction.notes.end());
  problem.marker = {};
  const auto stage = context.stage("finish");
  const bool plateaus = operation == ReconstructionOperation::RegionalMaxima ||
                        operation == ReconstructionOperation::RegionalMinima;
  if (plateaus && is_one_plateau(inputs.image)) {
    const auto count = static_cast<std::size_t>(inputs.image.value_count());
    result.outputs[kImage] = Volume(inputs.image.geometry(), std::vector<std::uint8_t>(count, 1));
  } else {
    result.outputs[kImage] = finished(operation, inputs.image, reconstruction.image, context);
  }
  return result;
}

/// Returns whether the operation makes sense for the labels of a map, each as an image of 0 and 1.
bool reads_labels(ReconstructionOperation operation) {
  switch (operation) {
    case ReconstructionOperation::OpenByReconstruction:
    case ReconstructionOperation::CloseByReconstruction:
    case ReconstructionOperation::FillHoles:
    case ReconstructionOperation::ClearBorder:
      return true;
    default:
      return false;
  }
}

/// Returns the number of voxels around a label beyond which nothing changes the result.
std::int64_t margin_of(const Values& values, const Geometry& geometry) {
  if (!values.has("radius")) return 1;
  const FlatElement ball = FlatElement::ball(values.number("radius"), geometry);
  return 1 + *std::max_element(ball.reach().begin(), ball.reach().end());
}

Result run_on_labels(ReconstructionOperation operation, const ReconstructionSolver& solver,
                     const Inputs& inputs, const Values& given, Context& context) {
  Result result;
  result.values = given;
  const LabelledObjects objects = labelled_objects(inputs, result.values, context);
  result.outputs[kLabels] = with_each_label(
      objects, connectivity_of(given), margin_of(given, inputs.labels.geometry()),
      [&](const Volume& mask, Context& of_label) {
        Inputs of{.image = mask};
        return std::get<Volume>(
            run_reconstruction(operation, solver, of, given, of_label, RunOn::OneLabel)
                .outputs.at(kImage));
      },
      context);
  return result;
}

Parameter h_parameter(std::string help) {
  return {.id = "h",
          .title = "Height h",
          .help = std::move(help),
          .initial = kAuto,
          .domain = NumberDomain{.unit = "image units", .low = 0.0, .high = 1e9, .word = kAuto}};
}

Parameter radius_parameter(std::string help) {
  return {.id = "radius",
          .title = "Radius",
          .help = std::move(help),
          .initial = 5.0,
          .domain = NumberDomain{.unit = kGridLength, .low = 0.0, .high = 500.0, .step = 0.5}};
}

std::vector<Parameter> parameters_of(ReconstructionOperation operation) {
  constexpr const char* kHOfPeaks =
      "Height; rounded down on integer images; auto: a tenth of the image's range";
  constexpr const char* kBall = "Radius of the disc, or of the ball on volumes";
  switch (operation) {
    case ReconstructionOperation::Reconstruct:
      return {{.id = "direction",
               .title = "Direction",
               .help = "dilation: the marker is dilated under the image; erosion: it is eroded "
                       "above the image",
               .initial = "dilation",
               .domain = ChoiceDomain{{"dilation", "By dilation"}, {"erosion", "By erosion"}}},
              connectivity_parameter(),
              {.id = "marker_from",
               .title = "Marker from",
               .help = "Marker if none is given: the image minus h (erosion: plus h), its opening "
                       "(closing), or its border",
               .initial = "h-dome",
               .domain = ChoiceDomain{{"h-dome", "Image minus h"},
                                      {"opening", "Opening by a disc or ball"},
                                      {"border", "Border of the image"}}},
              h_parameter("Height for marker_from h-dome; rounded down on integer images; auto: a "
                          "tenth of the image's range"),
              radius_parameter(
                  "Radius for marker_from opening, of the disc, or of the ball on volumes")};
    case ReconstructionOperation::OpenByReconstruction:
    case ReconstructionOperation::CloseByReconstruction:
      return {radius_parameter(kBall), connectivity_parameter()};
    case ReconstructionOperation::HMaxima:
    case ReconstructionOperation::HMinima:
    case ReconstructionOperation::HDomes:
      return {h_parameter(kHOfPeaks), connectivity_parameter()};
    default:
      return {connectivity_parameter()};
  }
}

Operation described(ReconstructionOperation operation, const Text& text) {
  const int place = static_cast<int>(operation);
  Operation made{.id = id_of(operation),
                 .title = text.title,
                 .help = text.help,
                 .order = 410 + 10 * place,
                 .inputs = {{InputKind::Image, true, "one channel"}},
                 .parameters = parameters_of(operation),
                 .outputs = {{kImage, text.output, ImageForm{.unit = "image units"}}},
                 .implementations = {},
                 .reference_algorithm = "fh",
                 .example = {.digest = text.digest}};
  if (operation == ReconstructionOperation::Reconstruct) {
    made.inputs = {
        {InputKind::Image, true, "the mask that limits the marker, one channel"},
        {InputKind::Marker, false, "an image on the same grid (default: made by marker_from)"}};
  }
  if (operation == ReconstructionOperation::FillHoles) {
    made.inputs.front().holds = kLabelsHeld;
    made.outputs.front().holds = kHeldByImage;
  }
  if (reads_labels(operation)) {
    made.inputs.push_back(labels_in_place(
        "label map in place of the image: each label is changed by itself, 0 is unlabelled"));
    made.parameters.push_back(background_parameter());
    made.outputs.front().only_for = Reads::Image;
    made.outputs.push_back({.id = kLabels,
                            .help = "the changed labels, with the same numbers",
                            .form = LabelsForm{},
                            .holds = kHeldByImage,
                            .only_for = Reads::Labels});
  }
  if (operation == ReconstructionOperation::RegionalMaxima ||
      operation == ReconstructionOperation::RegionalMinima) {
    made.outputs.front().form = ImageForm{};
  }
  const auto offer = [&](const char* algorithm, ReconstructionSolver solver) {
    made.implementations.push_back(
        reconstruction_implementation(operation, algorithm, Backend::Cpu, std::move(solver)));
  };
  offer("tiles", reconstruct_by_tiles);
  made.implementations.back().least_bytes = [](const Inputs& inputs, const Values& values) {
    return least_reconstruction_bytes(inputs.image.geometry(), inputs.image.type(),
                                      connectivity_of(values));
  };
  made.implementations.back().sharing = Sharing::BySlabs;
  offer("fh", reconstruct_by_hybrid);
  offer("qb", reconstruct_by_queue);
  offer("sr", reconstruct_by_scans);
  offer("tp-bp", reconstruct_by_passes);
  offer("cas", reconstruct_by_shared_waves);
  return made;
}

}  // namespace

std::string id_of(ReconstructionOperation operation) {
  return kIds[static_cast<std::size_t>(operation)];
}

ReconstructionProblem reconstruction_problem(ReconstructionOperation operation,
                                             const Inputs& inputs, const Values& values,
                                             Context& context) {
  ReconstructionProblem problem;
  problem.mask = inputs.image;
  problem.connectivity = connectivity_of(values);
  problem.direction = direction_of(operation, values);
  problem.marker = marker_for(operation, inputs, values, problem.direction, context);
  return problem;
}

Implementation reconstruction_implementation(ReconstructionOperation operation,
                                             std::string algorithm, Backend backend,
                                             ReconstructionSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run =
              [operation, solver = timed_solver(backend, std::move(solver))](
                  const Inputs& inputs, const Values& values, Context& context) {
                return inputs.reads() == Reads::Labels
                           ? run_on_labels(operation, solver, inputs, values, context)
                           : run_reconstruction(operation, solver, inputs, values, context);
              },
          .why_not = labels_on_cpu_alone(backend)};
}

Operation reconstruct_operation() {
  return described(
      ReconstructionOperation::Reconstruct,
      {"Reconstruction",
       "Reconstructs the image from a marker by repeated geodesic dilation or erosion.",
       "the reconstructed image", "xxh64:65eb07c4cddae7e1"});
}

Operation open_by_reconstruction_operation() {
  return described(
      ReconstructionOperation::OpenByReconstruction,
      {"Opening by reconstruction",
       "Removes bright structures, or parts of labels, smaller than a disc or ball, and keeps the "
       "shape of the others.",
       "the opened image", "xxh64:e98c1b697d33c0a0"});
}

Operation close_by_reconstruction_operation() {
  return described(
      ReconstructionOperation::CloseByReconstruction,
      {"Closing by reconstruction",
       "Fills dark structures, or holes of labels, smaller than a disc or ball, and keeps the "
       "shape of the others.",
       "the closed image", "xxh64:dcb2924e1b4f399a"});
}

Operation h_maxima_operation() {
  return described(
      ReconstructionOperation::HMaxima,
      {"H-maxima",
       "Lowers each peak by h; peaks that rise no more than h above their surroundings "
       "disappear.",
       "the image without low peaks", "xxh64:65eb07c4cddae7e1"});
}

Operation h_minima_operation() {
  return described(
      ReconstructionOperation::HMinima,
      {"H-minima",
       "Raises each basin by h; basins that lie no more than h below their surroundings "
       "disappear.",
       "the image without shallow basins", "xxh64:584b0c0670e995e5"});
}

Operation h_domes_operation() {
  return described(ReconstructionOperation::HDomes,
                   {"H-domes", "Extracts the peaks: the image minus its h-maxima, at most h.",
                    "the peaks on a background of 0", "xxh64:cbc94ab824861c58"});
}

Operation fill_holes_operation() {
  return described(
      ReconstructionOperation::FillHoles,
      {"Fill holes",
       "Fills the holes of labels; in an image, dark regions that are not connected to "
       "its border, up to the level of their rim.",
       "the image without holes", "xxh64:7a921c7295f53367"});
}

Operation clear_border_operation() {
  return described(
      ReconstructionOperation::ClearBorder,
      {"Clear border",
       "Removes bright structures, or parts of labels, that are connected with the border.",
       "the image without structures that touch its border", "xxh64:950df55d879db13a"});
}

Operation regional_maxima_operation() {
  return described(ReconstructionOperation::RegionalMaxima,
                   {"Regional maxima", "Marks plateaus that have no higher neighbour.",
                    "1 on the maxima, 0 elsewhere", "xxh64:5d3092bb1847dc80"});
}

Operation regional_minima_operation() {
  return described(ReconstructionOperation::RegionalMinima,
                   {"Regional minima", "Marks plateaus that have no lower neighbour.",
                    "1 on the minima, 0 elsewhere", "xxh64:e16f92e7aad81ad9"});
}

}  // namespace seedwave
