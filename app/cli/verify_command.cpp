// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/case_run.h"
#include "app/cli/commands.h"
#include "app/cli/memory_plan.h"
#include "app/cli/progress_bar.h"
#include "app/make_table.h"
#include "core/base/error.h"
#include "core/io/formats/byte_source.h"

#include <nlohmann/json.hpp>

namespace seedwave::cli {
namespace {

/// A result that is not what its recipe gives.
constexpr int kExitDiffers = 1;

}  // namespace

int verify_command(const Call& call) {
  const std::vector<FlagGroup> groups{
      {"memory", cases_memory_flags()},
      {"flags",
       {{"threads", "N", "use at most N CPU threads (default: all)"},
        {"json", "", R"({"case", "same", "differences"})"},
        {"quiet", "", "no progress"},
        {"help", "", "this page"}}}};
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(help_page("verify CASE/result.json [--memory SIZE] [--scratch DIR]",
                    "Computes a result of apply again, from the recipe and the inputs that it "
                    "names, and says \"same\"\nor what differs (exit code 1).",
                    groups));
    return 0;
  }
  if (arguments.positionals().size() != 1)
    throw UsageError("verify needs a result of apply: verify CASE/result.json");
  const std::string& file = arguments.positionals().front();
  const OperationTable table = make_table();
  const CaseResult result = parse_case_result(table, io::read_text(file, kMostResultBytes), file);
  std::vector<std::string> differences;
  {
    ProgressBar bar(arguments.has("quiet"));
    const MemoryPlan memory = plan_memory_of_cases(arguments, 1);
    differences = verify_case(
        table, result,
        {.stop = call.stop,
         .progress = bar.callback(),
         .threads = static_cast<int>(arguments.integer("threads", 1, kMostThreads).value_or(0)),
         .memory = memory.solver,
         .in_files = memory.files != nullptr});
  }
  if (arguments.has("json")) {
    print_json(
        {{"case", result.name}, {"same", differences.empty()}, {"differences", differences}});
  } else if (differences.empty()) {
    print("same\n");
  } else {
    for (const std::string& difference : differences)
      print(difference + "\n");
  }
  return differences.empty() ? 0 : kExitDiffers;
}

}  // namespace seedwave::cli
