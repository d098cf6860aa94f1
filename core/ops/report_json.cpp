// SPDX-License-Identifier: Apache-2.0
#include "core/ops/report_json.h"

#include "core/image/label_map.h"
#include "core/image/length_scale.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace seedwave {
namespace {

using nlohmann::ordered_json;

std::string kind_of(const Parameter& parameter) {
  if (parameter.choices() != nullptr) return "choice";
  if (parameter.place() != nullptr) return "place";
  if (parameter.estimate() != nullptr) return "estimate";
  if (parameter.numbers() == nullptr) return "direction";
  return parameter.is_whole() ? "integer" : "number";
}

std::string name_of(OutputKind kind) {
  switch (kind) {
    case OutputKind::Labels:
      return "labels";
    case OutputKind::Image:
      return "image";
    case OutputKind::Curve:
      return "curve";
    case OutputKind::Table:
      break;
  }
  return "table";
}

std::string name_of(Applies applies) {
  switch (applies) {
    case Applies::Images:
      return "images";
    case Applies::Volumes:
      return "volumes";
    case Applies::Always:
      break;
  }
  return "always";
}

/// Returns whether the report contains the table; larger tables and curves are written to files.
bool is_small(const Table& table) {
  constexpr std::size_t kMostNumbers = 64;
  return table.rows.size() * table.columns.size() <= kMostNumbers;
}

/// `numbers`: pairs of label and number.
template <typename Numbers>
ordered_json by_label(const Numbers& numbers) {
  ordered_json json = ordered_json::object();
  // Appended: a look for each among those before it takes minutes for a million labels.
  auto& object = json.get_ref<ordered_json::object_t&>();
  for (const auto& [label, number] : numbers)
    object.emplace_back(std::to_string(label), number);
  return json;
}

ordered_json to_json(const Parameter& parameter) {
  ordered_json json{{"id", parameter.id},
                    {"title", parameter.title},
                    {"help", parameter.help},
                    {"kind", kind_of(parameter)},
                    {"default", seedwave::to_json(parameter.initial)}};
  json["applies"] = name_of(parameter.applies);
  if (const NumberDomain* numbers = parameter.numbers()) {
    json["min"] = numbers->low;
    json["max"] = numbers->high;
    json["step"] = numbers->step;
    json["scale"] = numbers->scale == Scale::Linear ? "linear" : "logarithmic";
    json["per_label"] = numbers->per_label;
  }
  if (!parameter.word().empty()) json["word"] = parameter.word();
  json["unit"] = parameter.unit();
  if (const ChoiceDomain* choices = parameter.choices()) {
    json["choices"] = ordered_json::array();
    for (const Choice& choice : *choices) {
      json["choices"].push_back(
          {{"id", choice.id}, {"title", choice.title}, {"applies", name_of(choice.applies)}});
    }
  }
  return json;
}

/// The unit is null if it depends on values or grid.
ordered_json to_json(const ColumnSpec& column) {
  ordered_json json{{"id", column.id}, {"title", column.title}, {"unit", nullptr}};
  if (!column.unit_for) json["unit"] = column.unit;
  if (column.period > 0) json["period"] = column.period;
  if (column.repeats) json["repeats"] = true;
  if (!column.note.empty()) json["note"] = column.note;
  return json;
}

ordered_json to_json(const OutputSpec& output) {
  ordered_json json{{"id", output.id},
                    {"kind", name_of(output.kind())},
                    {"help", output.help},
                    {"applies", name_of(output.applies)},
                    {"on_request", output.on_request}};
  if (output.only_for) json["only_for"] = *output.only_for == Reads::Labels ? "labels" : "image";
  for (const ColumnSpec& column : output.columns())
    json["columns"].push_back(to_json(column));
  if (const CurveForm* curve = output.curve(); curve != nullptr && !curve->x_parameter.empty())
    json["x_parameter"] = curve->x_parameter;
  if (const ImageForm* image = output.image()) {
    if (image->period > 0) json["period"] = image->period;
    if (!image->weight.empty()) json["weight"] = image->weight;
    if (image->own_grid) json["own_grid"] = true;
  }
  return json;
}

ordered_json to_json(const Operation& operation) {
  ordered_json json{{"id", operation.id}, {"title", operation.title}, {"help", operation.help}};
  json["inputs"] = ordered_json::array();
  for (const InputSpec& input : operation.inputs) {
    json["inputs"].push_back({{"id", seedwave::name_of(input.kind)},
                              {"required", input.required},
                              {"help", input.help}});
    for (const InputKind other : input.waived_by)
      json["inputs"].back()["waived_by"].push_back(seedwave::name_of(other));
    if (input.kind == InputKind::Seeds)
      json["inputs"].back()["fewest_labels"] = input.fewest_labels;
  }
  json["parameters"] = ordered_json::array();
  for (const Parameter& parameter : operation.parameters)
    json["parameters"].push_back(to_json(parameter));
  json["outputs"] = ordered_json::array();
  for (const OutputSpec& output : operation.outputs)
    json["outputs"].push_back(to_json(output));
  json["implementations"] = ordered_json::array();
  bool cpu_seen = false;
  bool cuda_seen = false;
  for (const Implementation& implementation : operation.implementations) {
    bool& seen = implementation.backend == Backend::Cpu ? cpu_seen : cuda_seen;
    json["implementations"].push_back({{"algorithm", implementation.algorithm},
                                       {"backend", seedwave::name_of(implementation.backend)},
                                       {"exact", implementation.exactness == Exactness::Exact},
                                       {"default", !seen}});
    seen = true;
  }
  return json;
}

}  // namespace

ordered_json to_json(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::get<std::string>(value);
}

ordered_json values_json(const Values& values) {
  ordered_json json = ordered_json::object();
  for (const auto& [id, value] : values)
    json[id] = to_json(value);
  return json;
}

ordered_json number_or_null(const std::optional<double>& number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json to_json(const RunReport& report) {
  ordered_json json{{"operation", report.operation},
                    {"algorithm", report.facts.algorithm},
                    {"backend", report.facts.backend},
                    {"device", report.facts.device},
                    {"why", report.facts.why}};
  if (!report.facts.shares.empty()) {
    json["devices"] = ordered_json::array();
    for (const auto& [name, done] : report.facts.shares) {
      json["devices"].push_back({{"name", name},
                                 {"busy_ms", done.busy_ms},
                                 {"visits", done.visits},
                                 {"cells", done.cells}});
    }
  }
  if (const RunFacts::Processes& processes = report.facts.processes; processes.count > 1) {
    json["ranks"] = processes.count;
    json["sent"] = {{"messages", processes.messages},
                    {"message_bytes", processes.message_bytes},
                    {"shared_bytes", processes.shared_bytes}};
  }
  json["values"] = values_json(report.facts.values);
  json["image"] = {{"size", report.geometry.size},
                   {"spacing", report.geometry.spacing},
                   {"unit", grid_unit(report.geometry)},
                   {"type", name_of(report.type)}};
  json["ms"] = ordered_json::object();
  for (const StageTime& time : report.facts.stages)
    json["ms"][time.stage] = time.ms;
  json["ms"]["total"] = report.facts.total_ms;
  json["outputs"] = ordered_json::object();
  for (const auto& [id, summary] : report.summaries) {
    json["outputs"][id]["digest"] = summary.digest;
    if (std::holds_alternative<LabelMap>(report.outputs.at(id))) {
      json["outputs"][id]["counts"] = by_label(summary.counts);
    }
    if (const auto* table = std::get_if<Table>(&report.outputs.at(id))) {
      json["outputs"][id]["columns"] = table->columns;
      json["outputs"][id]["rows"] = table->rows.size();
      if (is_small(*table)) json["outputs"][id]["table"] = table->rows;
    }
  }
  json["dice"] = ordered_json::object();
  for (const auto& [label, dice] : report.dice)
    json["dice"][std::to_string(label)] = number_or_null(dice);
  json["warnings"] = report.facts.warnings;
  return json;
}

ordered_json to_json(const OperationTable& table) {
  ordered_json json;
  json["operations"] = ordered_json::array();
  for (const Operation& operation : table.operations())
    json["operations"].push_back(to_json(operation));
  return json;
}

}  // namespace seedwave
