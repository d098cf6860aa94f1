// SPDX-License-Identifier: Apache-2.0
#include "core/recipes/chain_command.h"

#include "core/base/command_line.h"
#include "core/engine/run_again.h"
#include "core/engine/step_order.h"
#include "core/recipes/recipe_of_step.h"

#include <algorithm>

namespace seedwave {
namespace {

namespace fs = std::filesystem;

bool reads_strokes(const OperationTable& table, const Step& step) {
  return table.at(step.recipe.operation).wants(InputKind::Seeds) && !step.recipe.seeds.empty();
}

/// Returns whether a recipe holds all that a step reads, but for its strokes.
bool is_held_by_recipe(const OperationTable& table, const Step& step, const CommandPlaces& places) {
  const Operation& operation = table.at(step.recipe.operation);
  if (operation.gives(OutputKind::Labels) && places.with_edits && !step.recipe.edits.empty())
    return false;
  if (approximate_one(operation, step) != nullptr || !step.recipe.devices.empty()) return false;
  const InputChoices inputs = inputs_of(table, step.recipe);
  return std::ranges::all_of(inputs, [](const auto& each) { return each.second.step != nullptr; });
}

/// Returns the strokes of all steps that read some; nothing if they differ.
std::optional<SharedSeeds> strokes_of_all(const OperationTable& table,
                                          const std::vector<const Step*>& steps) {
  SharedSeeds strokes;
  for (const Step* step : steps) {
    if (!reads_strokes(table, *step)) continue;
    if (strokes.empty()) strokes = step->recipe.seeds;
    if (strokes != step->recipe.seeds) return std::nullopt;
  }
  return strokes;
}

}  // namespace

std::optional<RepeatCommand> chain_command(const OperationTable& table, const Step& step,
                                           const CommandPlaces& places) {
  const std::vector<const Step*> steps = steps_behind(table, step, "command");
  const bool is_whole_image =
      !places.image.path.empty() && places.image.series.empty() && places.image.view.is_whole();
  const auto is_held = [&](const Step* each) { return is_held_by_recipe(table, *each, places); };
  if (steps.size() < 2 || !is_whole_image || !std::ranges::all_of(steps, is_held))
    return std::nullopt;
  const std::optional<SharedSeeds> strokes = strokes_of_all(table, steps);
  if (!strokes) return std::nullopt;

  const std::string recipe = text_of(
      recipe_repeating(table, step, table.at(step.recipe.operation).title, places.grid.is_2d()));
  const std::string name = "recipe-" + short_digest_of(recipe);
  const fs::path file = places.folder / (name + ".json");
  RepeatCommand made;
  made.recipes.emplace(file, recipe);
  CommandLine call("seedwave-cli apply " + shell_word(file.string()) + " " +
                   shell_word(fs::absolute(places.image.path).string()));
  if (!strokes->empty()) {
    const SeedSet seeds = strokes->as_set();
    const fs::path seeds_file = strokes_file(places.folder, seeds);
    made.seeds.emplace(seeds_file, seeds);
    call.add(name_of(InputKind::Seeds), seeds_file.string());
  }
  call.add("out", (places.folder / name).string());
  made.text = call.text() + places.more;
  return made;
}

RepeatCommand shortest_command(const OperationTable& table, const Step& step,
                               const CommandPlaces& places) {
  std::optional<RepeatCommand> chain = chain_command(table, step, places);
  return chain ? std::move(*chain) : command_repeating(table, step, places);
}

}  // namespace seedwave
