// SPDX-License-Identifier: Apache-2.0
#include "core/recipes/saved_recipe.h"

#include "core/base/error.h"
#include "core/base/json_place.h"
#include "core/io/formats/byte_source.h"
#include "core/ops/report_json.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace seedwave {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "seedwave_recipe";
/// Stands for the case where an input names its source.
constexpr const char* kCase = "case";
constexpr double kFinestMpp = 1e-3;
constexpr double kCoarsestMpp = 1e4;
constexpr int kAnyVersion = std::numeric_limits<int>::max();
constexpr double kAnyNumber = std::numeric_limits<double>::max();

bool is_id(const std::string& text) {
  return !text.empty() && text != kCase && std::ranges::all_of(text, [](unsigned char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_' ||
           letter == '-';
  });
}

std::string optional_text(const JsonPlace& in, const char* key) {
  const auto member = in.find(key);
  return member ? member->text() : std::string();
}

const Parameter* find_parameter(const Operation& operation, const std::string& id) {
  const auto found = std::ranges::find(operation.parameters, id, &Parameter::id);
  return found == operation.parameters.end() ? nullptr : &*found;
}

Values values_in(const JsonPlace& in, const Operation& operation) {
  Values values;
  for (const auto& [id, member] : in.members()) {
    if (find_parameter(operation, id) == nullptr) member.fail("is no parameter of " + operation.id);
    if (member.value().is_string()) {
      values.set(id, member.text());
    } else {
      values.set(id, member.number(-kAnyNumber, kAnyNumber));
    }
  }
  return values;
}

/// Reads the steps one after the other, since each may name earlier ones.
class StepReader {
 public:
  explicit StepReader(const OperationTable& table) : table_(table) {}

  RecipeStep read(const JsonPlace& in) {
    RecipeStep step{.id = in.at("id").text(), .operation = in.at("operation").text()};
    if (!is_id(step.id))
      in.at("id").fail("must be a word of small letters, digits, - and _, and not \"case\"");
    if (operations_.contains(step.id)) in.at("id").fail("is the name of an earlier step, too");
    const Operation* operation = table_.find(step.operation);
    if (operation == nullptr)
      in.at("operation").fail("is no operation of this version: '" + step.operation + "'");
    if (const auto values = in.find("values")) step.values = values_in(*values, *operation);
    step.algorithm = optional_text(in, "algorithm");
    step.channel = optional_text(in, "channel");
    if (const auto inputs = in.find("inputs")) {
      for (const auto& [name, member] : inputs->members())
        step.inputs[name] = input_in(member, name, *operation);
    }
    operations_[step.id] = operation;
    return step;
  }

 private:
  [[nodiscard]] RecipeInput input_in(const JsonPlace& in, const std::string& name,
                                     const Operation& operation) const {
    const bool is_read = std::ranges::any_of(
        operation.inputs, [&](const InputSpec& input) { return name_of(input.kind) == name; });
    const bool is_edits = name == name_of(InputKind::Edits) && operation.gives(OutputKind::Labels);
    if (!is_read && !is_edits) in.fail("is no input of " + operation.id);
    const std::string text = in.text();
    if (text == kCase) return {};
    const std::size_t dot = text.find('.');
    if (dot == std::string::npos)
      in.fail(R"(must be "case", or a step and its output as "step.output")");
    RecipeInput input{.step = text.substr(0, dot), .output = text.substr(dot + 1)};
    const auto earlier = operations_.find(input.step);
    if (earlier == operations_.end())
      in.fail("reads the step '" + input.step + "', which is not among those before it");
    check_output(in, *earlier->second, input.output);
    return input;
  }

  static void check_output(const JsonPlace& in, const Operation& operation,
                           const std::string& output) {
    const auto found = std::ranges::find(operation.outputs, output, &OutputSpec::id);
    if (found == operation.outputs.end())
      in.fail("reads '" + output + "', which is no output of " + operation.id);
    if (found->kind() != OutputKind::Labels && found->kind() != OutputKind::Image)
      in.fail("reads '" + output + "', which is neither labels nor an image");
  }

  const OperationTable& table_;
  std::map<std::string, const Operation*> operations_;  // of the steps so far
};

SavedRecipe recipe_in(const OperationTable& table, const JsonPlace& in) {
  if (!in.value().is_object() || !in.value().contains(kFormat))
    in.fail(std::string("is no recipe: it has no member \"") + kFormat + "\"");
  const auto version = in.at(kFormat).integer(1, kAnyVersion);
  if (version > SavedRecipe::kVersion) {
    in.at(kFormat).fail("is " + std::to_string(version) + ": it was saved by a newer version of " +
                        "Seedwave, and this one reads up to " +
                        std::to_string(SavedRecipe::kVersion));
  }
  SavedRecipe recipe{.name = optional_text(in, "name"), .about = optional_text(in, "about")};
  if (const auto mpp = in.find("mpp")) recipe.mpp = mpp->number(kFinestMpp, kCoarsestMpp);
  StepReader reader(table);
  for (const JsonPlace& step : in.at("steps").items())
    recipe.steps.push_back(reader.read(step));
  if (recipe.steps.empty()) in.at("steps").fail("must have a step");
  return recipe;
}

ordered_json to_json(const RecipeStep& step) {
  ordered_json json{{"id", step.id}, {"operation", step.operation}};
  json["inputs"] = ordered_json::object();
  for (const auto& [name, input] : step.inputs)
    json["inputs"][name] = input.is_of_case() ? kCase : input.step + "." + input.output;
  if (!step.channel.empty()) json["channel"] = step.channel;
  json["values"] = values_json(step.values);
  if (!step.algorithm.empty()) json["algorithm"] = step.algorithm;
  return json;
}

}  // namespace

std::set<std::string> SavedRecipe::case_inputs() const {
  std::set<std::string> given;
  for (const RecipeStep& step : steps) {
    for (const auto& [input, source] : step.inputs) {
      if (source.is_of_case() && input != name_of(InputKind::Image)) given.insert(input);
    }
  }
  return given;
}

SavedRecipe parse_recipe(const OperationTable& table, const std::string& text,
                         const std::string& file) {
  return recipe_from_json(table, parse_json(text, file), file);
}

SavedRecipe load_recipe(const OperationTable& table, const std::string& file) {
  constexpr std::int64_t kMostBytes = std::int64_t{16} << 20;
  return parse_recipe(table, io::read_text(file, kMostBytes), file);
}

SavedRecipe recipe_from_json(const OperationTable& table, const nlohmann::json& json,
                             const std::string& file) {
  return recipe_in(table, JsonPlace(json, file));
}

ordered_json to_json(const SavedRecipe& recipe) {
  ordered_json json{{kFormat, SavedRecipe::kVersion}, {"name", recipe.name}};
  if (!recipe.about.empty()) json["about"] = recipe.about;
  if (recipe.mpp) json["mpp"] = *recipe.mpp;
  json["steps"] = ordered_json::array();
  for (const RecipeStep& step : recipe.steps)
    json["steps"].push_back(to_json(step));
  return json;
}

std::string text_of(const SavedRecipe& recipe) {
  return to_json(recipe).dump(2) + "\n";
}

}  // namespace seedwave
