// SPDX-License-Identifier: Apache-2.0
#include "core/recipes/case_result.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/json_place.h"
#include "core/ops/report_json.h"

#include <fstream>
#include <limits>
#include <span>
#include <utility>

namespace seedwave {
namespace {

using nlohmann::ordered_json;

/// A label map with more labels numbers objects, which are not listed.
constexpr std::size_t kMostListed = 64;

ordered_json to_json(const ObjectScores& scores) {
  return {{"reference", scores.reference},     {"found", scores.found},
          {"matched", scores.matched},         {"f1", number_or_null(scores.f1())},
          {"pq", number_or_null(scores.pq())}, {"aji", number_or_null(scores.aji())}};
}

ordered_json to_json(const StepResult& step) {
  ordered_json json{{"id", step.id}};
  json["values"] = values_json(step.values);
  json["digests"] = step.digests;
  json["ms"] = step.ms;
  return json;
}

StepResult step_in(const JsonPlace& in) {
  StepResult step{.id = in.at("id").text()};
  for (const auto& [output, digest] : in.at("digests").members())
    step.digests[output] = digest.text();
  return step;
}

}  // namespace

std::vector<StepResult> results_of(const std::vector<StepReport>& reports) {
  std::vector<StepResult> results;
  for (const StepReport& report : reports) {
    StepResult result{.id = report.id, .values = report.run.facts.values};
    for (const auto& [output, summary] : report.run.summaries)
      result.digests[output] = summary.digest;
    result.ms = report.run.facts.total_ms;
    results.push_back(std::move(result));
  }
  return results;
}

ordered_json to_json(const CaseResult& result) {
  ordered_json json{{"case", result.name}, {"version", result.version}, {"ms", result.ms}};
  json["inputs"] = ordered_json::object();
  for (const auto& [name, file] : result.inputs) {
    ordered_json& input = json["inputs"][name];
    input = {{"path", file.path.string()}, {"digest", file.digest}};
    if (!file.series.empty()) input["series"] = file.series;
  }
  json["files"] = result.files;
  json["digests"] = result.digests();
  json["labels"] = result.voxels.size();
  json["voxels"] = ordered_json::object();
  if (result.voxels.size() <= kMostListed) {
    for (const auto& [label, voxels] : result.voxels)
      json["voxels"][std::to_string(label)] = voxels;
  }
  json["dice"] = ordered_json::object();
  for (const auto& [label, dice] : result.dice)
    json["dice"][std::to_string(label)] = number_or_null(dice);
  if (result.objects) json["objects"] = to_json(*result.objects);
  json["warnings"] = result.warnings;
  json["steps"] = ordered_json::array();
  for (const StepResult& step : result.steps)
    json["steps"].push_back(to_json(step));
  json["recipe"] = seedwave::to_json(result.recipe);
  return json;
}

CaseResult parse_case_result(const OperationTable& table, const std::string& text,
                             const std::string& file) {
  const nlohmann::json json = parse_json(text, file);
  const JsonPlace in(json, file);
  CaseResult result{.name = in.at("case").text(), .version = in.at("version").text()};
  result.recipe = recipe_from_json(table, in.at("recipe").value(), file + ": recipe");
  for (const auto& [name, input] : in.at("inputs").members()) {
    CaseFile& of = result.inputs[name];
    of = {.path = input.at("path").text(), .digest = input.at("digest").text()};
    if (const auto series = input.find("series")) of.series = series->text();
  }
  for (const auto& [output, path] : in.at("files").members())
    result.files[output] = path.text();
  for (const JsonPlace& step : in.at("steps").items())
    result.steps.push_back(step_in(step));
  if (result.steps.size() != result.recipe.steps.size())
    in.at("steps").fail("must be those of the recipe");
  result.ms = in.at("ms").number(0.0, std::numeric_limits<double>::max());
  return result;
}

std::string why_another(const CaseResult& result, const SavedRecipe& recipe,
                        const std::string& version, const std::map<std::string, CaseFile>& inputs) {
  if (result.version != version) return "another version";
  if (result.recipe != recipe) return "another recipe";
  for (const auto& [name, file] : inputs) {
    const auto before = result.inputs.find(name);
    if (before == result.inputs.end() || before->second.digest != file.digest)
      return "another " + name;
  }
  for (const auto& [name, file] : result.inputs) {
    if (!inputs.contains(name)) return "no " + name;
  }
  return "";
}

std::string digest_of_files(const std::vector<std::filesystem::path>& files, Context& context) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  std::vector<char> bytes(kAtOnce);
  Digest digest;
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    while (file) {
      context.checkpoint(0.0);
      file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      digest.add(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(file.gcount()))));
    }
    if (!file.eof()) throw InputError("cannot read " + path.string());
  }
  return digest.text();
}

}  // namespace seedwave
