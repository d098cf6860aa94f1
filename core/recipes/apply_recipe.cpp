// SPDX-License-Identifier: Apache-2.0
#include "core/recipes/apply_recipe.h"

#include "core/base/error.h"
#include "core/engine/naming.h"
#include "core/engine/recipe.h"
#include "core/engine/resolve.h"
#include "core/image/channel.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace seedwave {
namespace {

/// Returns whether labels take the place of the image, as in a call of `run` with --labels alone.
bool takes_labels(const Operation& operation, const RecipeStep& step) {
  return operation.labels_replace_image() && step.inputs.contains(name_of(InputKind::Labels)) &&
         !step.inputs.contains(name_of(InputKind::Image));
}

/// The steps so far and the outputs that later ones read.
class Steps {
 public:
  /// All must outlive this.
  Steps(const OperationTable& table, const SavedRecipe& recipe, const RecipeCase& to,
        KeptSteps& kept)
      : table_(table), recipe_(recipe), case_(to), kept_(kept) {}

  /// Carries out a step, or takes its report from those kept.
  void take(const RecipeStep& step, const Context::Settings& settings) {
    if (is_as_kept(step)) {
      reports_.push_back(kept_.at(step.id).report);
      reports_.back().was_kept = true;
    } else {
      forget(step.id);
      run(step, settings);
    }
  }

  [[nodiscard]] std::vector<StepReport> reports() && { return std::move(reports_); }

 private:
  [[nodiscard]] bool is_as_kept(const RecipeStep& step) const {
    const auto kept = kept_.find(step.id);
    if (kept == kept_.end() || kept->second.step != step) return false;
    return std::ranges::all_of(read_of(step.id), [&](const std::string& output) {
      return kept->second.outputs.contains(output);
    });
  }

  /// Drops a kept step and all that read it.
  void forget(const std::string& id) {
    kept_.erase(id);
    for (const RecipeStep& step : recipe_.steps) {
      const bool reads_it = std::ranges::any_of(
          step.inputs, [&](const auto& input) { return input.second.step == id; });
      if (reads_it) forget(step.id);
    }
  }

  void run(const RecipeStep& step, const Context::Settings& settings) {
    Context context(settings);
    const Recipe recipe = recipe_of(step);
    Inputs inputs = resolve(table_, recipe, case_.of, context);
    for (const auto& [name, input] : step.inputs) {
      if (!input.is_of_case())
        put_input(name, kept_.at(input.step).outputs.at(input.output), inputs, context);
    }
    if (takes_labels(table_.at(step.operation), step)) inputs.image = as_image(inputs.labels);
    check_colours(step, inputs.image);
    for (const std::string& output : read_of(step.id))
      inputs.requested.insert(output);
    StepReport report{.id = step.id,
                      .run = run_operation(table_, request_of(recipe, std::move(inputs)), context)};
    if (step.id != recipe_.result().id) keep(step, report);
    reports_.push_back(std::move(report));
  }

  /// Returns the computation with what the case gives; outputs of steps are put in later.
  [[nodiscard]] Recipe recipe_of(const RecipeStep& step) const {
    Recipe recipe{.operation = step.operation, .values = step.values, .algorithm = step.algorithm};
    // An image of a step has no colours to choose from.
    const auto image = step.inputs.find(name_of(InputKind::Image));
    const bool has_colours = case_.of.image.components() == 3;
    if (has_colours && (image == step.inputs.end() || image->second.is_of_case()))
      recipe.channel = step.channel;
    for (const auto& [name, input] : step.inputs) {
      const auto file = case_.files.find(name);
      if (input.is_of_case() && file != case_.files.end())
        recipe.inputs[name] = {.file = file->second, .step = {}, .output = {}};
    }
    return recipe;
  }

  void check_colours(const RecipeStep& step, const Volume& image) const {
    // The first one, gray, is what an image without colours has.
    const bool is_gray = step.channel.empty() || step.channel == channels().front().id;
    if (!is_gray && case_.of.image.components() == 1) {
      throw InputError("the channel '" + step.channel +
                       "' is of colour images, and this image has one channel");
    }
    const InputSpec* wanted = table_.at(step.operation).find_input(InputKind::Image);
    if (image.components() == 3 && wanted != nullptr && wanted->components == 1) {
      throw InputError(
          "the image has colours, and this step reads one channel: name it in the "
          "recipe as \"channel\"");
    }
  }

  /// Returns the outputs of a step that others read.
  [[nodiscard]] std::set<std::string> read_of(const std::string& id) const {
    std::set<std::string> outputs;
    for (const RecipeStep& step : recipe_.steps) {
      for (const auto& [name, input] : step.inputs) {
        if (input.step == id) outputs.insert(input.output);
      }
    }
    return outputs;
  }

  /// Keeps a step with the outputs that others read; its report loses all outputs.
  void keep(const RecipeStep& step, StepReport& report) {
    KeptStep kept{.step = step, .report = {}};
    for (const std::string& output : read_of(step.id)) {
      const auto found = report.run.outputs.find(output);
      if (found == report.run.outputs.end())
        throw InputError("the step '" + step.id + "' gives no '" + output + "' of this image");
      kept.outputs[output] = as_image(found->second);
    }
    report.run.outputs.clear();
    report.run.unedited = {};
    kept.report = report;
    kept_[step.id] = std::move(kept);
  }

  const OperationTable& table_;
  const SavedRecipe& recipe_;
  const RecipeCase& case_;
  KeptSteps& kept_;
  std::vector<StepReport> reports_;
};

}  // namespace

void check_case(const OperationTable& table, const SavedRecipe& recipe,
                const std::map<std::string, Source>& files) {
  for (const RecipeStep& step : recipe.steps) {
    const bool without_image = takes_labels(table.at(step.operation), step);
    const auto is_given = [&](InputKind kind) {
      if (kind == InputKind::Image && without_image) return true;
      const auto input = step.inputs.find(name_of(kind));
      if (input == step.inputs.end()) return false;
      return !input->second.is_of_case() || kind == InputKind::Image ||
             files.contains(name_of(kind));
    };
    for (const InputSpec& input : table.at(step.operation).inputs) {
      if (!input.is_needed(is_given) || is_given(input.kind)) continue;
      throw InputError("the step '" + step.id + "' (" + step.operation + ") needs " +
                       name_of(input.kind) + ", and the case has none");
    }
  }
}

std::vector<StepReport> apply_recipe(const OperationTable& table, const SavedRecipe& recipe,
                                     const RecipeCase& to, Context::Settings settings) {
  KeptSteps kept;
  return apply_recipe(table, recipe, to, std::move(settings), kept);
}

std::vector<StepReport> apply_recipe(const OperationTable& table, const SavedRecipe& recipe,
                                     const RecipeCase& to, Context::Settings settings,
                                     KeptSteps& kept) {
  check_case(table, recipe, to.files);
  if (!settings.cache) settings.cache = std::make_shared<ScratchCache>();
  const Context::Progress progress = settings.progress;
  Steps steps(table, recipe, to, kept);
  const auto count = static_cast<double>(recipe.steps.size());
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    const RecipeStep& step = recipe.steps[i];
    if (progress) {
      settings.progress = [&progress, i, count](const std::string& stage, double fraction) {
        progress(stage, (static_cast<double>(i) + fraction) / count);
      };
    }
    naming("step '" + step.id + "' (" + step.operation + ")", [&] { steps.take(step, settings); });
  }
  return std::move(steps).reports();
}

}  // namespace seedwave
