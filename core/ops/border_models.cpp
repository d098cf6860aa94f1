// SPDX-License-Identifier: Apache-2.0
#include "core/ops/border_models.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/ops/fuzzy_connectedness.h"
#include "core/ops/label_curves.h"
#include "core/ops/label_numbers.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace seedwave {
namespace {

using border::BorderModel;

/// Width of the band for `auto`, in edges of a cube of a voxel's size.
constexpr double kAutoBand = 3.0;

LabelCurves given_curves(const Values& values) {
  const std::string& text = values.word("evidence");
  return text == kAuto ? LabelCurves{} : parse_label_curves(text).value_or(LabelCurves{});
}

/// Returns the number, or sets it to `initial` if it is `auto`.
double number_or(Values& values, const std::string& id, double initial) {
  if (values.is_word(id)) values.set(id, initial);
  return values.number(id);
}

void check_band(double band, const Geometry& geometry) {
  const double widest = border::widest_band(geometry);
  if (band <= widest) return;
  throw UsageError("band must be at most " + std::to_string(border::kLargestReach) +
                   " voxels wide, here " + number_text(widest) + ", not " + number_text(band));
}

/// Sets a value of each label, as one number if they are equal.
void set_numbers(Values& values, const std::string& id, const std::map<Label, BorderModel>& models,
                 double BorderModel::*field) {
  LabelNumbers numbers;
  for (const auto& [label, model] : models)
    numbers[label] = model.*field;
  if (!numbers.empty()) values.set(id, to_text(numbers));
}

/// The parts of models that are given.
struct GivenBorder {
  fuzzy::GivenNumber weights;
  fuzzy::GivenNumber contrasts;
  std::map<Label, BorderModel> curves;
  /// Models of labels of which all is given, with the curves alone.
  std::map<Label, BorderModel> complete{};

  void put_into(Label label, BorderModel& model) const {
    if (const auto found = curves.find(label); found != curves.end()) {
      model.low = found->second.low;
      model.high = found->second.high;
      model.evidence = found->second.evidence;
    }
    model.evidence_weight = weights.of(label).value_or(model.evidence_weight);
    model.contrast = contrasts.of(label).value_or(model.contrast);
  }
};

/// Reads the numbers of a problem, replacing `auto` in the values, and what is given of the models.
GivenBorder read_border(Values& values, border::RefineBorderProblem& problem) {
  const Geometry& geometry = problem.image.geometry();
  problem.band = number_or(values, "band", kAutoBand * border::cube_edge(geometry));
  check_band(problem.band, geometry);
  problem.smoothness = number_or(values, "smoothness", 1.0);
  problem.prior = number_or(values, "prior", 1.0);
  GivenBorder given{.weights = given_number(values, "evidence_weight"),
                    .contrasts = given_number(values, "contrast"),
                    .curves = {}};
  for (const auto& [label, curve] : given_curves(values)) {
    const BorderModel model{.low = curve.low, .high = curve.high, .evidence = curve.values};
    given.curves[label] = model;
    if (given.weights.of(label) && given.contrasts.of(label)) given.complete[label] = model;
  }
  return given;
}

/// Puts the models used into the values.
void note_models(const std::map<Label, BorderModel>& models, Values& values) {
  LabelCurves curves;
  for (const auto& [label, model] : models)
    curves[label] = {model.low, model.high, model.evidence};
  if (!curves.empty()) values.set("evidence", to_text(curves));
  set_numbers(values, "evidence_weight", models, &BorderModel::evidence_weight);
  set_numbers(values, "contrast", models, &BorderModel::contrast);
}

}  // namespace

std::vector<Parameter> border_parameters() {
  return {
      {.id = "band",
       .title = "Band",
       .help =
           "Greatest distance by which a border moves; auto: three times the edge of a cube of a "
           "voxel's size",
       .initial = kAuto,
       .domain =
           NumberDomain{
               .unit = kGridLength, .low = 0.01, .high = 1000.0, .step = 0.5, .word = kAuto}},
      {.id = "smoothness",
       .title = "Smoothness",
       .help = "Factor of the cost of a border: larger values give smoother borders; auto: 1",
       .initial = kAuto,
       .domain = NumberDomain{.low = 0.01,
                              .high = 100.0,
                              .step = 0.1,
                              .scale = Scale::Logarithmic,
                              .word = kAuto}},
      {.id = "prior",
       .title = "Hold on to the labels",
       .help = "Weight of the distance to the given border: larger values keep it; auto: 1",
       .initial = kAuto,
       .domain = NumberDomain{.low = 0.0, .high = 100.0, .step = 0.1, .word = kAuto},
       .advanced = true},
      {.id = "evidence",
       .title = "Evidence of intensities",
       .help = "For each label the logarithm of how much more likely an intensity is inside than "
               "outside; auto: from the histograms near its border",
       .initial = kAuto,
       .domain = curves_domain(),
       .advanced = true},
      {.id = "evidence_weight",
       .title = "Weight of the evidence",
       .help = "Factor of the evidence; auto: by how far the histograms lie apart",
       .initial = kAuto,
       .domain =
           NumberDomain{.low = 0.0, .high = 100.0, .step = 0.1, .word = kAuto, .per_label = true},
       .advanced = true},
      {.id = "contrast",
       .title = "Contrast",
       .help = "Difference of neighbours across a border; auto: estimated near it",
       .initial = kAuto,
       .domain = NumberDomain{.unit = "image units",
                              .low = 1e-6,
                              .high = 1e9,
                              .scale = Scale::Logarithmic,
                              .word = kAuto,
                              .per_label = true},
       .advanced = true},
  };
}

void set_up_border(Values& values, border::RefineBorderProblem& problem,
                   std::span<const Seed> telling, Label giving_way, Context& context) {
  const GivenBorder given = read_border(values, problem);
  problem.models =
      border::estimate_models(problem.image, border::with_seeds(problem.labels, problem.seeds),
                              telling, problem.band, given.complete, giving_way, context);
  for (auto& [label, model] : problem.models)
    given.put_into(label, model);
  note_models(problem.models, values);
}

bool set_up_given_border(Values& values, border::RefineBorderProblem& problem,
                         const std::set<Label>& labels, Label giving_way) {
  Values used = values;
  const GivenBorder given = read_border(used, problem);
  for (const Label label : labels) {
    if (label != giving_way && !given.complete.contains(label)) return false;
  }
  problem.models = given.complete;
  for (auto& [label, model] : problem.models)
    given.put_into(label, model);
  note_models(problem.models, used);
  values = std::move(used);
  return true;
}

}  // namespace seedwave
