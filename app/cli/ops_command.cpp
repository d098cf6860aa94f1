// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/make_table.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/ops/operation_table.h"
#include "core/ops/report_json.h"

#include <nlohmann/json.hpp>
#include <string>

namespace seedwave::cli {

namespace {

/// Returns the text as a table cell: bars are escaped, since they would end it.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

/// Returns "4 on images, 6 on volumes" if the two differ.
std::string initial_text(const Parameter& parameter) {
  const std::string image = text_of(initial_value(parameter, true));
  const std::string volume = text_of(initial_value(parameter, false));
  return image == volume ? image : image + " on images, " + volume + " on volumes";
}

std::string parameters_of(const Operation& operation) {
  if (operation.parameters.empty()) return "";
  std::string text =
      "| parameter | description | unit | values | default |\n|---|---|---|---|---|\n";
  for (const Parameter& parameter : operation.parameters) {
    const std::string only = only_on(parameter.applies);
    text += "| `--" + flag_name(parameter.id) + "` | " + cell(parameter.help) +
            (only.empty() ? "" : "; " + only) + " | " + cell(parameter.unit()) + " | " +
            cell(domain_text(parameter)) + " | " + cell(initial_text(parameter)) + " |\n";
  }
  return text + "\n";
}

/// Returns "; columns `angle` (Angle, \u00b0), `response` (Mean response, depends on values or
/// grid)".
std::string columns_of(const OutputSpec& output) {
  std::string text;
  for (const ColumnSpec& column : output.columns()) {
    const std::string unit = column.unit_for ? "unit depends on values or grid" : column.unit;
    text += (text.empty() ? "; columns `" : ", `") + column.id +
            (column.repeats ? "_1`, ..." : "`") + " (" + column.title +
            (unit.empty() ? "" : ", " + unit) + ")";
  }
  const ImageForm* image = output.image();
  if (image != nullptr && image->period > 0)
    text += "; cyclic with period " + number_text(image->period);
  if (image != nullptr && !image->weight.empty()) text += "; weighted by `" + image->weight + "`";
  const CurveForm* curve = output.curve();
  if (curve != nullptr && !curve->x_parameter.empty())
    text += "; the first column holds values of `--" + flag_name(curve->x_parameter) + "`";
  return text;
}

/// Returns on which input an output depends, or "".
std::string given_with(const OutputSpec& output) {
  if (!output.only_for) return "";
  return *output.only_for == Reads::Labels ? ", with `--labels`" : ", without `--labels`";
}

std::string section_of(const Operation& operation) {
  std::string text =
      "## " + operation.id + "\n\n" + operation.title + ". " + operation.help + "\n\n";
  text += "Inputs:";
  for (const InputSpec& input : operation.inputs) {
    text += "\n- `--" + name_of(input.kind) + "`" + (input.required ? "" : " (optional)") + ": " +
            input.help;
  }
  text += "\n\n" + parameters_of(operation) + "Outputs:";
  for (const OutputSpec& output : operation.outputs)
    text += "\n- `" + output.id + "` (`--out-" + flag_name(output.id) + "`" +
            (output.on_request ? ", only on request" : "") +
            (output.applies == Applies::Always ? "" : ", " + only_on(output.applies)) +
            given_with(output) + "): " + output.help + columns_of(output);
  text += "\n\nAlgorithms on the CPU:";
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.backend != Backend::Cpu) continue;
    text += " `" + implementation.algorithm + "`";
    if (implementation.exactness == Exactness::Approximate) text += " (approximate)";
  }
  return text + ". The first is the default; `" + operation.reference_algorithm +
         "` is the reference that the tests compare the others with.\n";
}

/// Returns docs/operations.md: every operation of the table with inputs, parameters, outputs and
/// algorithms.
std::string reference_page(const OperationTable& table) {
  std::string page =
      "# Operations\n\n"
      "Generated from the operation table by `seedwave-cli ops --markdown`; a test compares the "
      "two.\n"
      "On a machine with a GPU `seedwave-cli ops` also lists the CUDA "
      "algorithms.\n";
  for (const Operation& operation : table.operations())
    page += "\n" + section_of(operation);
  return page;
}

std::string list_of(const OperationTable& table) {
  std::string text;
  for (const Operation& operation : table.operations()) {
    text += operation.id + "  " + operation.title + ". " + operation.help + "\n";
    text += "  inputs:";
    for (const InputSpec& input : operation.inputs)
      text += " --" + name_of(input.kind) + (input.required ? "" : " (optional)");
    text += "\n";
    for (const Parameter& parameter : operation.parameters) {
      text += "  --" + flag_name(parameter.id) + ": " + domain_text(parameter);
      text += parameter.unit().empty() ? "\n" : " [" + parameter.unit() + "]\n";
    }
    text += "  outputs:";
    for (const OutputSpec& output : operation.outputs)
      text += " " + output.id;
    text += "\n  algorithms:";
    for (const Implementation& implementation : operation.implementations)
      text += " " + implementation.algorithm + "/" + name_of(implementation.backend);
    text += "\n";
  }
  return text;
}

}  // namespace

int ops_command(const Call& call) {
  const std::vector<FlagGroup> groups{
      {"flags",
       {{"json", "", "one JSON object: {\"operations\": [...]}"},
        {"markdown", "", "print the reference page, docs/operations.md"},
        {"help", "", "this page"}}}};
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(help_page("ops [--json]",
                    "Lists every operation: inputs, parameters with range and unit, outputs, "
                    "algorithms.",
                    groups));
    return 0;
  }
  if (!arguments.positionals().empty()) {
    throw UsageError("ops takes no argument '" + arguments.positionals().front() + "'");
  }
  // The reference page must not depend on the machine that generates it.
  if (arguments.has("markdown")) {
    print(reference_page(make_operation_table()));
    return 0;
  }
  const OperationTable table = make_table();
  if (arguments.has("json")) {
    print_json(to_json(table));
  } else {
    print(list_of(table));
  }
  return 0;
}

}  // namespace seedwave::cli
