// SPDX-License-Identifier: Apache-2.0

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/image/shares_voxels.h"
#include "core/ops/phase_picture.h"
#include "core/ops/phases_parameters.h"
#include "core/ops/place_text.h"
#include "core/ops/texture.h"
#include "core/ops/windows_in_parts.h"
#include "core/parallel/run_part.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr const char* kWithin = "within";
/// The stage that computes the visible part before the rest.
constexpr const char* kPart = "visible part";

InputSpec picture_input() {
  return {.kind = InputKind::Image,
          .help = "phases, or a grayscale or colour image that is divided into phases",
          .components = 0,
          .holds = kPhasesHeld};
}

Parameter components_parameter(std::string help) {
  return {.id = "components",
          .title = "Components",
          .help = std::move(help),
          .initial = 3.0,
          .domain = NumberDomain{.low = 1.0, .high = 32.0, .whole = true},
          .advanced = true};
}

std::int64_t whole(const Values& values, const char* id) {
  return static_cast<std::int64_t>(values.number(id));
}

Values without_threshold(const Values& values) {
  Values others = values;
  others.set(kWithin, 0.0);
  return others;
}

/// Returns the windows of the phases that were read.
TpcfProblem windows_of(const PhasesRead& read, const Values& values) {
  return {.phases = read.labels,
          .count = read.count,
          .window = window_of(values),
          .directions = directions_of(values)};
}

/// Rows of a band, in margins: what two bands read is a small share of each.
constexpr std::int64_t kMarginsInBand = 32;

/// Returns the bands of rows in which an image is computed: one of all rows, unless somebody waits
/// for parts or the arrays of all would lie in files. `margin`: rows that a band reads beside it.
std::vector<Box> bands_of(const Inputs& inputs, std::int64_t margin, const Context& context) {
  const Box all = Box::whole(inputs.image.geometry());
  const std::int64_t rows = all.hi[1];
  const bool divided = (inputs.show_band || context.in_files()) && context.ranks() == nullptr;
  std::vector<Box> bands;
  const std::int64_t step = divided ? std::max<std::int64_t>(1, kMarginsInBand * margin) : rows;
  for (std::int64_t first = 0; first < rows; first += step) {
    bands.push_back(all);
    bands.back().lo[1] = first;
    bands.back().hi[1] = std::min(first + step, rows);
  }
  return bands;
}

/// Calls body(band, context of the band), one after the other.
template <typename Body>
void for_each_band(const std::vector<Box>& bands, Context& context, Body&& body) {
  const auto count = static_cast<double>(bands.size());
  for (std::size_t i = 0; i < bands.size(); ++i) {
    run_part(context, static_cast<double>(i) / count, static_cast<double>(i + 1) / count,
             [&](Context& part) { body(bands[i], part); });
  }
}

std::map<std::string, Output> outputs_of(Tissue found) {
  std::map<std::string, Output> outputs;
  outputs["labels"] = std::move(found.labels);
  outputs["distance"] = std::move(found.distance);
  return outputs;
}

using ShowBand = decltype(Inputs::show_band);

/// Computes tissue() band by band.
Tissue tissue_in_bands(const std::vector<Box>& bands, const TissueProblem& problem,
                       const TissueClasses& learnt, const TissueSolvers& solvers,
                       const ShowBand& show, Context& context) {
  const Geometry& grid = problem.windows.phases.geometry();
  auto distances = large_array<float>(static_cast<std::size_t>(grid.voxel_count()));
  // 16 bits at least, as of one band.
  constexpr Label kSixteenBits = std::numeric_limits<std::uint16_t>::max();
  const auto fill = [&](auto& labels) {
    for_each_band(bands, context, [&](const Box& band, Context& part) {
      Tissue found = tissue_in(band, problem, learnt, solvers, part);
      const std::int64_t first = grid.offset(band.lo);
      visit_labels(found.labels.labels(),
                   [&](auto rows) { std::ranges::copy(rows, labels.begin() + first); });
      std::ranges::copy(found.distance.voxels<float>(), distances.get() + first);
      if (show) show(band, outputs_of(std::move(found)));
    });
  };
  LabelMap labels = make_labels(grid, std::max(learnt.labels.back(), kSixteenBits), fill);
  return {.labels = std::move(labels), .distance = Volume(grid, std::move(distances))};
}

Result run_tissue(const TissueSolvers& solvers, const Inputs& inputs, const Values& values,
                  Context& context) {
  const PhasesRead read = read_phases(inputs.image, values, context);
  const TissueProblem problem{.windows = windows_of(read, values),
                              .seeds = inputs.seeds.seeds,
                              .clusters = whole(values, "clusters"),
                              .components = whole(values, "components"),
                              .majority_radius = whole(values, "majority")};
  const TissueClasses learnt = learn_tissue(problem, solvers, context);
  const std::int64_t margin = problem.windows.window + problem.majority_radius;
  if (const Focus* focus = part_before_all(inputs, margin)) {
    const auto stage = context.stage(kPart);
    focus->show(outputs_of(tissue_in(focus->box, problem, learnt, solvers, context)));
  }
  const std::vector<Box> bands = bands_of(inputs, margin, context);
  Tissue found = bands.size() == 1
                     ? tissue_in(bands.front(), problem, learnt, solvers, context)
                     : tissue_in_bands(bands, problem, learnt, solvers, inputs.show_band, context);
  return {.outputs = outputs_of(std::move(found)),
          .values = with_step_used(read.values),
          .warnings = {}};
}

LabelMap within(const Volume& distance, double most, Context& context) {
  const auto distances = distance.voxels<float>();
  return LabelMap(distance.geometry(),
                  tabulate<std::uint8_t>(std::ssize(distances), context, [&](std::int64_t i) {
                    return static_cast<std::uint8_t>(distances[i] <= most ? 1 : 0);
                  }));
}

/// A distance map, and everything that it depends on, for runs with another threshold.
struct KeptDistance {
  Volume image;
  /// The algorithm and backend that computed it.
  std::string by;
  /// All values except the threshold.
  Values asked;
  Volume distance;
  Values used;
};

KeptDistance measured(const TissueSolvers& solvers, const std::string& by, const Inputs& inputs,
                      const Values& values, Context& context) {
  const std::optional<PixelIndex> place =
      values.has("at") ? parse_place(values.word("at")) : std::nullopt;
  if (values.has("at") && !place)
    throw UsageError("at: give a pixel with the texture to find, such as 120,45");
  const PhasesRead read = read_phases(inputs.image, values, context);
  const LookAlikeProblem problem{.windows = windows_of(read, values),
                                 // On a volume, which is refused, there is none.
                                 .x = place ? (*place)[0] : 0,
                                 .y = place ? (*place)[1] : 0,
                                 .components = whole(values, "components")};
  const FeatureClasses learnt = learn_place(problem, solvers, context);
  const auto distance_in = [&](const Box& box, Context& of) {
    return look_alike_in(box, problem, learnt, solvers, of);
  };
  const auto outputs_from = [&](const Volume& distance) -> std::map<std::string, Output> {
    return {{"labels", within(distance, values.number(kWithin), context)}, {"distance", distance}};
  };
  const std::int64_t margin = problem.windows.window;
  if (const Focus* focus = part_before_all(inputs, margin)) {
    const auto stage = context.stage(kPart);
    focus->show(outputs_from(distance_in(focus->box, context)));
  }
  const auto distance_of_all = [&] {
    const std::vector<Box> bands = bands_of(inputs, margin, context);
    if (bands.size() == 1) return distance_in(bands.front(), context);
    const Geometry& grid = inputs.image.geometry();
    auto distances = large_array<float>(static_cast<std::size_t>(grid.voxel_count()));
    for_each_band(bands, context, [&](const Box& band, Context& part) {
      const Volume distance = distance_in(band, part);
      std::ranges::copy(distance.voxels<float>(), distances.get() + grid.offset(band.lo));
      if (inputs.show_band) inputs.show_band(band, outputs_from(distance));
    });
    return Volume(grid, std::move(distances));
  };
  return {.image = inputs.image,
          .by = by,
          .asked = without_threshold(values),
          .distance = distance_of_all(),
          .used = with_step_used(read.values)};
}

Result run_look_alike(const TissueSolvers& solvers, const std::string& by, const Inputs& inputs,
                      const Values& values, Context& context) {
  constexpr const char* kKey = "texture like a place";
  auto kept = context.cache().find<KeptDistance>(kKey);
  if (kept == nullptr || !shares_voxels(kept->image, inputs.image) || kept->by != by ||
      kept->asked != without_threshold(values)) {
    kept = std::make_shared<KeptDistance>(measured(solvers, by, inputs, values, context));
    context.cache().put(kKey, kept, kept->image.bytes().size() + kept->distance.bytes().size());
  }
  Result result;
  result.outputs["labels"] = within(kept->distance, values.number(kWithin), context);
  result.outputs["distance"] = kept->distance;
  result.values = kept->used;
  result.values.set(kWithin, values.number(kWithin));
  return result;
}

Implementation implementation_of(
    std::string algorithm, Backend backend,
    std::function<Result(const Inputs&, const Values&, Context&)> run) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = std::move(run)};
}

}  // namespace

Implementation tissue_implementation(std::string algorithm, Backend backend,
                                     TissueSolvers solvers) {
  solvers.nearest = nearest_in_parts(std::move(solvers.nearest));
  Implementation made = implementation_of(
      std::move(algorithm), backend,
      [solvers = std::move(solvers)](const Inputs& inputs, const Values& values, Context& context) {
        return run_tissue(solvers, inputs, values, context);
      });
  made.sharing = Sharing::InParts;
  return made;
}

Implementation look_alike_implementation(std::string algorithm, Backend backend,
                                         TissueSolvers solvers) {
  const std::string by = algorithm + " " + name_of(backend);
  return implementation_of(std::move(algorithm), backend,
                           [solvers = std::move(solvers), by](
                               const Inputs& inputs, const Values& values, Context& context) {
                             return run_look_alike(solvers, by, inputs, values, context);
                           });
}

Operation tissue_operation() {
  return {
      .id = "tissue",
      .title = "Tissue by texture",
      .help =
          "Divides an image into regions by the arrangement of phases in the window around each "
          "pixel, with or without strokes.",
      .order = 730,
      .inputs =
          {picture_input(),
           {InputKind::Seeds, false,
            "strokes in two or more tissues; without strokes the tissues are found automatically",
            2}},
      .parameters = {window_parameter(),
                     angle_step_parameter(),
                     {.id = "clusters",
                      .title = "Tissues",
                      .help = "Number of tissues without strokes",
                      .initial = 3.0,
                      .domain = NumberDomain{.low = 2.0, .high = 16.0, .whole = true}},
                     components_parameter(
                         "Number of dimensions in which tissues are separated without strokes"),
                     {.id = "majority",
                      .title = "Majority filter",
                      .help = "Half width of the square of the majority filter; 0: no filter",
                      .initial = 8.0,
                      .domain =
                          NumberDomain{.unit = "pixels", .low = 0.0, .high = 256.0, .whole = true}},
                     phases_parameter(),
                     stains_parameter()},
      .outputs = {{"labels", "the strokes' labels; without strokes 1 is the most frequent tissue",
                   LabelsForm{}},
                  {.id = "distance",
                   .help = "f32, distance of a pixel's window from its tissue's mean, in standard "
                           "deviations of the image (with strokes: of a tissue)",
                   .form = ImageForm{}}},
      .implementations = {tissue_implementation("box", Backend::Cpu, {})},
      .reference_algorithm = "box",
      .example = {.values = {{"window", 8.0}}, .digest = "xxh64:942a3ef98b8aadb3"}};
}

Operation look_alike_operation() {
  return {
      .id = "look-alike",
      .title = "Similar texture",
      .help = "Finds the parts of an image whose texture is similar to that around one pixel.",
      .order = 740,
      .inputs = {picture_input()},
      .parameters = {window_parameter(),
                     angle_step_parameter(),
                     {.id = "at",
                      .title = "Place",
                      .help = "A pixel with the texture to find",
                      .initial = kNowhere,
                      .domain = PlaceDomain{.word = kNowhere, .required = true},
                      .applies = Applies::Images},
                     {.id = kWithin,
                      .title = "Within",
                      .help =
                          "Largest distance of similar texture; changing it recomputes no features",
                      .initial = 3.0,
                      .domain =
                          NumberDomain{
                              .low = 0.1, .high = 100.0, .step = 0.1, .scale = Scale::Logarithmic}},
                     components_parameter("Number of dimensions in which textures are compared"),
                     phases_parameter(),
                     stains_parameter()},
      .outputs = {{"labels", "1 where the distance is at most `within`", LabelsForm{}},
                  {.id = "distance",
                   .help = "f32, distance of a pixel's window from the place's window, in standard "
                           "deviations of the differences between adjacent windows",
                   .form = ImageForm{}}},
      .implementations = {look_alike_implementation("box", Backend::Cpu, {})},
      .reference_algorithm = "box",
      .example = {.values = {{"window", 8.0}, {"at", "14,14"}},
                  .digest = "xxh64:c3ce874267f927b5"}};
}

}  // namespace seedwave
