// SPDX-License-Identifier: Apache-2.0
#include "core/recipes/recipe_subject.h"

#include "core/base/error.h"
#include "core/engine/resolve.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace seedwave {
namespace {

/// A parameter of a step: "split.h".
struct StepParameter {
  std::string step;
  std::string parameter;
};

std::string name_of(const StepParameter& parameter) {
  return parameter.step + "." + parameter.parameter;
}

StepParameter parsed(const std::string& name) {
  const std::size_t point = name.rfind('.');
  if (point == std::string::npos) return {.step = {}, .parameter = name};
  return {.step = name.substr(0, point), .parameter = name.substr(point + 1)};
}

const RecipeStep* find_step(const SavedRecipe& recipe, const std::string& id) {
  const auto found = std::ranges::find(recipe.steps, id, &RecipeStep::id);
  return found == recipe.steps.end() ? nullptr : &*found;
}

/// Throws UsageError that lists the steps.
const Operation& operation_of(const OperationTable& table, const SavedRecipe& recipe,
                              const StepParameter& parameter) {
  if (const RecipeStep* step = find_step(recipe, parameter.step)) return table.at(step->operation);
  std::string steps;
  for (const RecipeStep& step : recipe.steps)
    steps += (steps.empty() ? "" : ", ") + step.id;
  const std::string why = parameter.step.empty()
                              ? "'" + parameter.parameter + "' needs the name of a step before it"
                              : "there is no step '" + parameter.step + "'";
  throw UsageError(why + ": STEP.PARAM; the steps are " + steps);
}

/// Returns the step that assigned the numbers of the result's labels.
const RecipeStep& origin_of_labels(const OperationTable& table, const SavedRecipe& recipe) {
  const RecipeStep* step = &recipe.result();
  while (true) {
    const OutputSpec* labels = table.at(step->operation).find_output(OutputKind::Labels);
    if (labels == nullptr || labels->holds != kHeldByImage) return *step;
    auto read = step->inputs.find(name_of(InputKind::Labels));
    if (read == step->inputs.end()) read = step->inputs.find(name_of(InputKind::Image));
    if (read == step->inputs.end() || read->second.is_of_case()) return *step;
    step = find_step(recipe, read->second.step);
  }
}

/// Returns the labels of the seeds that the result's labels grow from; none if there are none.
std::set<Label> labels_of_seeds(const OperationTable& table, const SavedRecipe& recipe,
                                const RecipeCase& to, Context& context) {
  const RecipeStep& origin = origin_of_labels(table, recipe);
  const auto file = to.files.find(name_of(InputKind::Seeds));
  std::set<Label> labels;
  if (!origin.inputs.contains(name_of(InputKind::Seeds)) || file == to.files.end()) return labels;
  for (const Seed& seed : read_seeds(file->second, to.of, context).seeds)
    labels.insert(seed.label);
  return labels;
}

/// Returns whether the step that failed, the first one that is not kept, reads results of others,
/// which depend on their values.
bool is_result_of_a_step(const SavedRecipe& recipe, const KeptSteps& kept) {
  const auto failed = std::ranges::find_if(
      recipe.steps, [&](const RecipeStep& step) { return !kept.contains(step.id); });
  return failed != recipe.steps.end() && std::ranges::any_of(failed->inputs, [](const auto& input) {
           return !input.second.is_of_case();
         });
}

/// Returns the facts of all steps together; algorithm and digest are those of the last.
RunFacts facts_of(const std::vector<StepReport>& reports) {
  RunFacts facts = reports.back().run.facts;
  facts.values = {};
  facts.total_ms = 0.0;
  facts.warnings.clear();
  for (const auto& [id, was_kept, run] : reports) {
    for (const auto& [parameter, value] : run.facts.values)
      facts.values.set(name_of({id, parameter}), value);
    facts.total_ms += was_kept ? 0.0 : run.facts.total_ms;
    facts.warnings.insert(facts.warnings.end(), run.facts.warnings.begin(),
                          run.facts.warnings.end());
  }
  return facts;
}

}  // namespace

Vary parse_vary(const OperationTable& table, const SavedRecipe& recipe, const std::string& text) {
  // A point behind the sign belongs to a number.
  const std::size_t point = text.substr(0, text.find('=')).rfind('.');
  StepParameter varied{.step = point == std::string::npos ? "" : text.substr(0, point),
                       .parameter = text.substr(0, text.find('='))};
  const Operation& operation = operation_of(table, recipe, varied);
  Vary vary = parse_vary(operation, text.substr(point + 1));
  varied.parameter = vary.parameter;
  vary.parameter = name_of(varied);
  return vary;
}

SweepAxis axis_of(const OperationTable& table, const SavedRecipe& recipe, const Vary& vary,
                  bool image_is_2d) {
  const StepParameter varied = parsed(vary.parameter);
  Vary of_step = vary;
  of_step.parameter = varied.parameter;
  SweepAxis axis = axis_of(operation_of(table, recipe, varied), of_step, image_is_2d);
  axis.parameter = vary.parameter;
  return axis;
}

Values values_of(const SavedRecipe& recipe) {
  Values values;
  for (const RecipeStep& step : recipe.steps) {
    for (const auto& [id, value] : step.values)
      values.set(name_of({step.id, id}), value);
  }
  return values;
}

SavedRecipe with_values(SavedRecipe recipe, const Values& values) {
  for (RecipeStep& step : recipe.steps)
    step.values = {};
  for (const auto& [name, value] : values) {
    const StepParameter parameter = parsed(name);
    std::ranges::find(recipe.steps, parameter.step, &RecipeStep::id)
        ->values.set(parameter.parameter, value);
  }
  return recipe;
}

RecipeSubject::RecipeSubject(const OperationTable& table, SavedRecipe recipe, RecipeCase to,
                             Context& context)
    : table_(table), recipe_(std::move(recipe)), case_(std::move(to)) {
  check_case(table_, recipe_, case_.files);
  seeded_ = labels_of_seeds(table_, recipe_, case_, context);
}

bool RecipeSubject::gives_labels() const {
  const RecipeStep& last = recipe_.result();
  const bool reads_labels = last.inputs.contains(seedwave::name_of(InputKind::Labels));
  const Reads reads = reads_labels ? Reads::Labels : Reads::Image;
  return table_.at(last.operation).main_output(reads).labels() != nullptr;
}

KeptSteps RecipeSubject::take_steps() const {
  const std::lock_guard lock(mutex_);
  return std::exchange(steps_, {});
}

void RecipeSubject::give_back(KeptSteps steps) const {
  const std::lock_guard lock(mutex_);
  steps_ = std::move(steps);
}

SweepSubject::Result RecipeSubject::run(const Values& varied, Context& context) const {
  Values values = this->values();
  for (const auto& [name, value] : varied)
    values.set(name, value);
  const SavedRecipe recipe = with_values(recipe_, values);
  KeptSteps steps = take_steps();  // if another run has them now, this one begins anew
  std::vector<StepReport> reports;
  try {
    reports = apply_recipe(table_, recipe, case_, context.for_part(0.0, 1.0), steps);
  } catch (const InputError& error) {
    const bool by_values = is_result_of_a_step(recipe, steps);
    give_back(std::move(steps));
    if (by_values) throw UsageError(error.what());
    throw;
  } catch (...) {
    give_back(std::move(steps));
    throw;
  }
  give_back(std::move(steps));
  RunReport& last = reports.back().run;
  Result result{.facts = facts_of(reports), .labels = {}};
  auto& output = last.outputs.at(table_.at(last.operation).main_output(last.reads).id);
  if (auto* labels = std::get_if<LabelMap>(&output)) result.labels = std::move(*labels);
  return result;
}

}  // namespace seedwave
