// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_target.h"

#include "app/cli/case_flags.h"
#include "app/cli/run_flags.h"
#include "core/base/command_line.h"
#include "core/base/error.h"
#include "core/engine/loaded_case.h"
#include "core/recipes/recipe_subject.h"

#include <algorithm>
#include <utility>

namespace seedwave::cli {
namespace {

class OperationTarget final : public SweepTarget {
 public:
  OperationTarget(const OperationTable& table, const Operation& operation)
      : table_(table), operation_(operation) {}

  [[nodiscard]] SweepSubject::Name name() const override { return {"operation", operation_.id}; }
  [[nodiscard]] std::string file() const override { return ""; }
  [[nodiscard]] std::string about() const override {
    return operation_.title + ". " + operation_.help;
  }
  [[nodiscard]] FlagGroup input_flags() const override { return cli::input_flags(operation_); }
  [[nodiscard]] std::vector<FlagGroup> run_flags() const override {
    return {parameter_flags(operation_), how_flags(operation_)};
  }
  [[nodiscard]] std::string labels_flag() const override {
    return operation_.wants(InputKind::Labels) ? "score-labels" : "labels";
  }
  [[nodiscard]] Vary parse_vary(const std::string& text) const override {
    return seedwave::parse_vary(operation_, text);
  }
  [[nodiscard]] SweepAxis axis_of(const Vary& vary, bool image_is_2d) const override {
    return seedwave::axis_of(operation_, vary, image_is_2d);
  }
  [[nodiscard]] std::vector<ListedCase> parse_cases(const std::string& text) const override {
    return parse_sweep_cases(operation_, text);
  }

  [[nodiscard]] Loaded load(const Arguments& inputs, const Arguments& set,
                            const std::vector<Vary>& /*varied*/, Context& context) const override {
    const std::string path = image_path(inputs);
    check_inputs_given(operation_, inputs);
    ReadInputs read =
        read_inputs(table_, operation_, find_case(path, inputs, context), inputs, context);
    RunRequest request{.operation = operation_.id,
                       .values = values_of(set, operation_),
                       .how = how_of(set),
                       .inputs = std::move(read.inputs)};
    check_flag_values(operation_, request.values, request.inputs.image.geometry());
    return {.subject = std::make_shared<const OperationSubject>(table_, std::move(request)),
            .reference = std::move(read.reference),
            .warnings = std::move(read.warnings)};
  }

  [[nodiscard]] std::string command(const Arguments& inputs, const Arguments& set,
                                    const Values& varied) const override {
    CommandLine command("seedwave-cli run " + operation_.id);
    add(input_flags(), inputs, command);
    for (const FlagGroup& group : run_flags())
      add(group, set, command);
    for (const auto& [id, value] : varied)
      command.add(flag_name(id), text_of(value));
    return command.text();
  }
  [[nodiscard]] std::optional<std::string> recipe_with(const Values&) const override {
    return std::nullopt;
  }

 private:
  static void add(const FlagGroup& group, const Arguments& arguments, CommandLine& command) {
    for (const Flag& flag : group.flags) {
      const auto value = arguments.text(flag.name);
      if (!value) continue;
      if (flag.value.empty()) {
        command.add(flag.name);
      } else {
        command.add(flag.name, *value);
      }
    }
  }

  const OperationTable& table_;
  const Operation& operation_;
};

class RecipeTarget final : public SweepTarget {
 public:
  RecipeTarget(const OperationTable& table, std::string file)
      : table_(table), file_(std::move(file)), recipe_(load_recipe(table, file_)) {}

  [[nodiscard]] SweepSubject::Name name() const override { return {"recipe", recipe_.name}; }
  [[nodiscard]] std::string file() const override { return file_; }
  [[nodiscard]] std::string about() const override {
    std::string text = "The recipe '" + recipe_.name + "'. " + recipe_.about +
                       "\nIts steps, for --vary STEP.PARAM=...:";
    for (const RecipeStep& step : recipe_.steps)
      text += "\n  " + step.id + ": " + table_.at(step.operation).title;
    return text;
  }
  [[nodiscard]] FlagGroup input_flags() const override {
    FlagGroup group{"inputs", {{"image", "PATH", "file, slide, or DICOM file or folder"}}};
    for (const Flag& flag : part_flags()) {
      if (flag.name != "channel") group.flags.push_back(flag);  // each step names its own
    }
    for (const std::string& input : recipe_.case_inputs())
      group.flags.push_back({input, "PATH", input + " of the image, which steps read"});
    group.flags.push_back({kReference, "PATH", "labels to compare the result with"});
    return group;
  }
  [[nodiscard]] std::vector<FlagGroup> run_flags() const override {
    // Each step names its own algorithm.
    FlagGroup how = how_flags(table_.at(recipe_.result().operation));
    std::erase_if(how.flags, [](const Flag& flag) {
      return flag.name == "algorithm" || flag.name == "backend";
    });
    return {how};
  }
  [[nodiscard]] std::string labels_flag() const override {
    return recipe_.case_inputs().contains(name_of(InputKind::Labels)) ? "score-labels" : "labels";
  }
  [[nodiscard]] Vary parse_vary(const std::string& text) const override {
    return seedwave::parse_vary(table_, recipe_, text);
  }
  [[nodiscard]] SweepAxis axis_of(const Vary& vary, bool image_is_2d) const override {
    return seedwave::axis_of(table_, recipe_, vary, image_is_2d);
  }
  [[nodiscard]] std::vector<ListedCase> parse_cases(const std::string& text) const override {
    std::vector<PathColumn> columns{{"image", true}, {kReference, true}};
    for (const std::string& input : recipe_.case_inputs())
      columns.push_back({input, false});
    return parse_sweep_cases("the recipe", columns, text);
  }

  [[nodiscard]] Loaded load(const Arguments& inputs, const Arguments& /*set*/,
                            const std::vector<Vary>& varied, Context& context) const override {
    const FoundCase found = find_case(image_path(inputs), inputs, context, recipe_.mpp);
    ReadCase read = read_case(found, inputs, context);
    RecipeCase of{.of = std::move(read.of)};
    for (const std::string& input : recipe_.case_inputs()) {
      if (const auto path = inputs.text(input)) of.files[input] = {.path = *path};
    }
    LabelMap reference;
    if (const auto path = inputs.text(kReference)) reference = load_labels(*path, of.of, context);
    return {.subject = std::make_shared<const RecipeSubject>(table_, without(varied), std::move(of),
                                                             context),
            .reference = std::move(reference),
            .warnings = std::move(read.warnings)};
  }

  [[nodiscard]] std::string command(const Arguments& /*inputs*/, const Arguments& /*set*/,
                                    const Values& /*varied*/) const override {
    return "";
  }
  [[nodiscard]] std::optional<std::string> recipe_with(const Values& varied) const override {
    Values values = seedwave::values_of(recipe_);
    for (const auto& [name, value] : varied)
      values.set(name, value);
    return text_of(with_values(recipe_, values));
  }

 private:
  static constexpr const char* kReference = "reference";

  /// Returns the recipe without the values that vary.
  [[nodiscard]] SavedRecipe without(const std::vector<Vary>& varied) const {
    Values kept;
    for (const auto& [name, value] : seedwave::values_of(recipe_)) {
      if (std::ranges::find(varied, name, &Vary::parameter) == varied.end()) kept.set(name, value);
    }
    return with_values(recipe_, kept);
  }

  const OperationTable& table_;
  std::string file_;
  SavedRecipe recipe_;
};

}  // namespace

std::unique_ptr<SweepTarget> sweep_target(const OperationTable& table, const std::string& word) {
  constexpr std::string_view kSuffix = ".json";
  if (table.find(word) == nullptr && word.ends_with(kSuffix)) {
    return std::make_unique<RecipeTarget>(table, word);
  }
  return std::make_unique<OperationTarget>(table, table.at(word));
}

}  // namespace seedwave::cli
