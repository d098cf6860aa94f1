// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/reference_page.h"
#include "app/make_table.h"
#include "core/base/error.h"
#include "core/ops/report_json.h"

#include <nlohmann/json.hpp>

namespace seedwave::cli {
namespace {

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
