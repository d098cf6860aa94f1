// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reference_page.h"

#include "app/cli/arguments.h"
#include "core/base/number_text.h"

namespace seedwave::cli {
namespace {

/// A cell of a table: a bar would end it.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

/// "4 on images, 6 on volumes" where they differ.
std::string initial_text(const Parameter& parameter) {
  const std::string image = text_of(initial_value(parameter, true));
  const std::string volume = text_of(initial_value(parameter, false));
  return image == volume ? image : image + " on images, " + volume + " on volumes";
}

std::string parameters_of(const Operation& operation) {
  if (operation.parameters.empty()) return "";
  std::string text =
      "| parameter | what it is | unit | values | initial |\n|---|---|---|---|---|\n";
  for (const Parameter& parameter : operation.parameters) {
    const std::string only = only_on(parameter.applies);
    text += "| `--" + flag_name(parameter.id) + "` | " + cell(parameter.help) +
            (only.empty() ? "" : "; " + only) + " | " + cell(parameter.unit) + " | " +
            cell(domain_text(parameter)) + " | " + cell(initial_text(parameter)) + " |\n";
  }
  return text + "\n";
}

/// "; columns `angle` (Angle, \u00b0), `response` (Mean response, by values or grid)".
std::string columns_of(const OutputSpec& output) {
  std::string text;
  for (const ColumnSpec& column : output.columns) {
    const std::string unit = column.unit_for ? "unit by values or grid" : column.unit;
    text += (text.empty() ? "; columns `" : ", `") + column.id +
            (column.repeats ? "_1`, ..." : "`") + " (" + column.title +
            (unit.empty() ? "" : ", " + unit) + ")";
  }
  if (output.period > 0) text += "; begins again after " + number_text(output.period);
  if (!output.weight.empty()) text += "; counts as `" + output.weight + "` says";
  if (!output.x_parameter.empty())
    text += "; the first is a value of `--" + flag_name(output.x_parameter) + "`";
  return text;
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
            (output.on_request ? ", only where asked for" : "") +
            (output.applies == Applies::Always ? "" : ", " + only_on(output.applies)) +
            "): " + output.help + columns_of(output);
  text += "\n\nAlgorithms on the CPU:";
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.backend != Backend::Cpu) continue;
    text += " `" + implementation.algorithm + "`";
    if (implementation.exactness == Exactness::Approximate) text += " (approximate)";
  }
  return text + ". The first is the default; `" + operation.reference_algorithm +
         "` is what the tests compare the others with.\n";
}

}  // namespace

std::string reference_page(const OperationTable& table) {
  std::string page =
      "# Operations\n\nWritten by `seedwave-cli ops --markdown` from the operation table; a test "
      "compares the two.\nOn a machine with a GPU `seedwave-cli ops` also lists the CUDA "
      "algorithms.\n";
  for (const Operation& operation : table.operations())
    page += "\n" + section_of(operation);
  return page;
}

}  // namespace seedwave::cli
