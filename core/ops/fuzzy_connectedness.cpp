// SPDX-License-Identifier: Apache-2.0
#include "core/ops/fuzzy_connectedness.h"

#include "core/fuzzy/answer.h"
#include "core/fuzzy/dijkstra.h"
#include "core/fuzzy/porfc.h"
#include "core/fuzzy/tiles/slabs_on_bricks.h"
#include "core/fuzzy/tiles/tiles.h"
#include "core/image/label_map.h"
#include "core/ops/connectivity_parameter.h"
#include "core/ops/label_numbers.h"
#include "core/parallel/shared_items.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr const char* kAll = "all";

Value used_number(const fuzzy::Setup& setup, bool several, double fuzzy::ObjectFeature::*field) {
  if (!several) return setup.objects.begin()->second.*field;
  LabelNumbers numbers;
  for (const auto& [label, feature] : setup.objects)
    numbers[label] = feature.*field;
  return to_text(numbers);
}

Result run_solver(FuzzyOperation operation, fuzzy::Solver solver, const Inputs& inputs,
                  const Values& values, Context& context) {
  fuzzy::Setup setup = fuzzy::set_up(inputs.image, inputs.seeds, inputs.mask,
                                     fuzzy_request(operation, values), context);
  fuzzy::Answer answer = solver(setup.problem, context);
  leave_to_first(context);
  if (operation == FuzzyOperation::Afc) {
    fuzzy::cut_below(values.number("theta"), setup.problem.seeds, answer);
  }
  Result result;
  result.values = with_numbers(values, setup);
  result.warnings = std::move(setup.warnings);
  const Geometry& geometry = inputs.image.geometry();
  result.outputs["labels"] = fuzzy::painted_labels(setup, std::move(answer.labels));
  result.outputs["strength"] = Volume(geometry, std::move(answer.strength));
  return result;
}

/// Returns `tiles` on the CPU, which can work within a memory limit.
Implementation on_tiles(FuzzyOperation operation, fuzzy::Passes passes, fuzzy::Solver solver) {
  Implementation made = fuzzy_implementation(operation, "tiles", Backend::Cpu, solver);
  made.least_bytes = [passes](const Inputs& inputs, const Values& values) {
    const std::size_t labels = fuzzy::labels_of(inputs.seeds.seeds).size();
    const fuzzy::SlabDemand demand{.connectivity = connectivity_of(values),
                                   .labels = std::max<std::size_t>(1, labels),
                                   .objects = values.is_word("object") ? labels : 1,
                                   .seeds = inputs.seeds.seeds.size()};
    const Geometry& geometry = inputs.image.geometry();
    return least_budget(geometry.size, fuzzy::slab_bytes_on_bricks(demand),
                        fuzzy::fixed_bytes_on_bricks(passes, geometry.voxel_count(), demand));
  };
  made.sharing = Sharing::BySlabs;
  return made;
}

Parameter affinity_number(std::string id, std::string title, std::string help,
                          NumberDomain numbers) {
  numbers.unit = "image units";
  numbers.word = kAuto;
  return {.id = std::move(id),
          .title = std::move(title),
          .help = std::move(help),
          .initial = kAuto,
          .domain = std::move(numbers)};
}

std::vector<Parameter> affinity_parameters(const NamesLabel& object) {
  const NumberDomain spread{.low = 1e-6, .high = 1e9, .scale = Scale::Logarithmic};
  NumberDomain spread_by_label = spread;
  spread_by_label.per_label = true;
  return {
      affinity_number("m", "Object intensity m",
                      "Expected intensity of the object; auto: median of its seeds",
                      {.low = -1e9, .high = 1e9, .per_label = true}),
      affinity_number("sigma_o", "Object deviation \u03c3o",
                      "Tolerated deviation (sigma) of the object's intensity from m; auto: "
                      "estimated from its seeds",
                      spread_by_label),
      affinity_number("sigma_h", "Homogeneity \u03c3h",
                      "Tolerated difference (sigma) between neighbours; auto: estimated around the "
                      "seeds",
                      spread),
      {.id = "object",
       .title = object.always ? "Object" : "m and \u03c3o apply to",
       .help = "The label that m and sigma_o apply to; all: each label has its own",
       .initial = 1.0,
       .domain = NumberDomain{.low = 1.0, .high = kLargestLabel, .whole = true, .word = kAll},
       .role = object},
      {.id = "smooth",
       .title = "Smoothing",
       .help = "Sigma of a Gaussian filter that smooths the intensities for the affinity; 0: none",
       .initial = 0.0,
       .domain = NumberDomain{.unit = "voxels", .low = 0.0, .high = 10.0, .step = 0.1},
       .advanced = true},
      connectivity_parameter(),
  };
}

/// Builds the common parts of the four operations.
Operation fuzzy_operation(std::string id, std::string title, std::string help, int order,
                          const NamesLabel& object = {}) {
  return {.id = std::move(id),
          .title = std::move(title),
          .help = std::move(help),
          .order = order,
          .inputs = {{InputKind::Image, true, "the image to segment, one channel"},
                     {InputKind::Seeds, true, "strokes or a label map", 2},
                     {InputKind::Mask, false, "voxels outside are ignored"}},
          .parameters = affinity_parameters(object),
          .outputs = {{"labels", "the label of each voxel, 0 if none won", LabelsForm{}},
                      {.id = "strength",
                       .help = "strength of connectedness to the seeds, 0 to 4096",
                       .form = ImageForm{.full = 4096.0}}},
          .implementations = {},
          .reference_algorithm = "dijkstra"};
}

}  // namespace

fuzzy::GivenNumber given_number(const Values& values, const std::string& id) {
  if (!values.is_word(id)) return {.for_all = values.number(id), .by_label = {}};
  if (values.word(id) == kAuto) return {};
  return {.for_all = {}, .by_label = parse_label_numbers(values.word(id)).value_or(LabelNumbers{})};
}

fuzzy::Request fuzzy_request(FuzzyOperation operation, const Values& values) {
  fuzzy::Request request;
  request.object.reset();
  if (!values.is_word("object")) {
    request.object = static_cast<Label>(values.number("object"));
  }
  request.m = given_number(values, "m");
  request.sigma_o = given_number(values, "sigma_o");
  if (!values.is_word("sigma_h")) request.sigma_h = values.number("sigma_h");
  const double smooth = values.number("smooth");
  request.smooth = {smooth, smooth, smooth};
  request.connectivity = connectivity_of(values);
  const bool absolute = operation == FuzzyOperation::Afc;
  request.seeds = absolute ? fuzzy::Request::Seeds::OfTheObject : fuzzy::Request::Seeds::All;
  request.object_needs_seeds = absolute || operation == FuzzyOperation::Porfc;
  request.fewest_labels = absolute ? 1 : 2;
  return request;
}

Values with_numbers(const Values& values, const fuzzy::Setup& setup) {
  Values used = values;
  const bool several = values.is_word("object");
  used.set("m", used_number(setup, several, &fuzzy::ObjectFeature::m));
  used.set("sigma_o", used_number(setup, several, &fuzzy::ObjectFeature::sigma_o));
  used.set("sigma_h", setup.sigma_h);
  return used;
}

Implementation fuzzy_implementation(FuzzyOperation operation, std::string algorithm,
                                    Backend backend, fuzzy::Solver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [operation, solver](const Inputs& inputs, const Values& values, Context& context) {
            return run_solver(operation, solver, inputs, values, context);
          }};
}

Operation afc_operation() {
  Operation operation = fuzzy_operation(
      "afc", "Absolute fuzzy connectedness",
      "Segments one object from its seeds: all voxels connected to them more strongly than theta.",
      110, NamesLabel{.always = true});
  operation.inputs[1].fewest_labels = 1;
  operation.parameters.push_back({.id = "theta",
                                  .title = "Threshold \u03b8",
                                  .help = "Threshold of the strength of connectedness, 0 to 1",
                                  .initial = 0.5,
                                  .domain = NumberDomain{.low = 0.0, .high = 1.0, .step = 0.01}});
  operation.implementations = {
      on_tiles(FuzzyOperation::Afc, fuzzy::Passes::Rfc, fuzzy::rfc_by_tiles),
      fuzzy_implementation(FuzzyOperation::Afc, "dijkstra", Backend::Cpu, fuzzy::rfc_by_dijkstra)};
  operation.example.digest = "xxh64:5b62049bd9bba01b";
  return operation;
}

Operation rfc_operation() {
  Operation operation = fuzzy_operation(
      "rfc", "Relative fuzzy connectedness",
      "Assigns each voxel to the label with the strongest connection; ties stay unlabelled.", 120);
  operation.implementations = {
      on_tiles(FuzzyOperation::Rfc, fuzzy::Passes::Rfc, fuzzy::rfc_by_tiles),
      fuzzy_implementation(FuzzyOperation::Rfc, "dijkstra", Backend::Cpu, fuzzy::rfc_by_dijkstra),
      fuzzy_implementation(FuzzyOperation::Rfc, "p-rfc", Backend::Cpu, fuzzy::prfc_by_rounds)};
  operation.example.digest = "xxh64:32778125687387cc";
  return operation;
}

Operation irfc_operation() {
  Operation operation =
      fuzzy_operation("irfc", "Iterative relative fuzzy connectedness",
                      "Assigns each voxel to the label with the strongest connection. Ties are "
                      "resolved iteratively, by paths that avoid the other objects.",
                      130);
  operation.implementations = {
      on_tiles(FuzzyOperation::Irfc, fuzzy::Passes::Irfc, fuzzy::irfc_by_tiles),
      fuzzy_implementation(FuzzyOperation::Irfc, "dijkstra", Backend::Cpu,
                           fuzzy::irfc_by_dijkstra)};
  operation.example.digest = "xxh64:32778125687387cc";
  return operation;
}

Operation porfc_operation() {
  Operation operation = fuzzy_operation("porfc", "P-ORFC (Zhuge et al. 2013)",
                                        "The paper's parallel algorithm: one object against all "
                                        "other seeds. For comparison; prefer irfc.",
                                        140, NamesLabel{.always = true});
  operation.implementations = {
      fuzzy_implementation(FuzzyOperation::Porfc, "rounds", Backend::Cpu, fuzzy::porfc_by_rounds)};
  operation.reference_algorithm = "rounds";
  operation.example.digest = "xxh64:32778125687387cc";
  return operation;
}

}  // namespace seedwave
