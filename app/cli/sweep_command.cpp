// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/case_flags.h"
#include "app/cli/commands.h"
#include "app/cli/overwriting.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"
#include "app/cli/sweep_parts.h"
#include "app/cli/sweep_setup.h"
#include "app/make_table.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/engine/sweep/sweep_report.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

namespace seedwave::cli {
namespace {

constexpr const char* kForms =
    R"(Runs an operation, or a recipe, with every combination of some parameters' values, the last
--vary changing fastest, and reports each result.

  --vary PARAM=FROM:TO:STEP     from, from + step, ... up to and including TO: sigma_o=5:30:2.5
  --vary PARAM=FROM:TO:*FACTOR  from, from * factor, ...: sigma_o=5:80:*2
  --vary PARAM=A,B,C            these values: connectivity=6,18,26
  A range may descend; the step has no sign then: low=600:300:50, sigma_o=80:5:*2.
  The parameters of a recipe are those of its steps, as STEP.PARAM: split.h=0.5:3:0.5.

With --reference every run is scored by Dice: the mean over the labels that have seeds and occur
in the reference (or --labels), or without seeds the Dice of all labelled voxels. If result and
reference number five objects or more, such as nuclei, runs are ranked by the F1 of objects, which match at an
IoU above 0.5, and the table has the other scores of objects too. The plateau is the set of runs
that can be reached from the best one, value by value, without falling below it by more than the
tolerance. Its centre has the highest mean of a run and its neighbours. Prefer it to the best run,
which is chosen with the reference and partly by chance.

Each row equals the result of run (or apply) with the same values, digest included. An invalid
combination has a row that says so. Ctrl+C leaves the finished rows in the table.

With --cases the values are tried on several images, to find those that are good on all. LIST.csv
begins with a line of column names: image, reference and the other inputs, as paths relative to the
list's folder; optionally name, and use: tune (default) or test. Each combination has mean, minimum
and standard deviation of the tune cases' scores; best and plateau go by the mean. A test case is
held out: it is run once, with the values of the centre. All cases are read and checked before the
first run, and then one after the other, so that only one is in memory.)";

FlagGroup sweep_output_flags() {
  return {
      "outputs",
      {{"out", "TABLE.csv",
        "run, parameters, dice, jaccard, neighbours, plateau, of objects f1, f1_mean, precision, "
        "recall, pq, aji, missed, spurious, split, merged, then dice_L, jaccard_L, labels, voxels, "
        "voxels_L, ms, digest, failure; with --cases also case, use, minimum and spread of the "
        "ranking score (dice_min, dice_spread), and "
        "rows without a case for all of them together; without --out a table is printed"},
       {"out-recipe", "RECIPE.json", "the recipe with the values of the plateau's centre"},
       overwrite_flag(),
       {"json", "",
        "{\"operation\" or \"recipe\", ..., \"set\", \"varied\": [...], \"runs\", \"done\", "
        "\"scored\", "
        "\"rows\": "
        "[{\"run\", \"varied\", \"values\", \"dice\", \"jaccard\", \"neighbours\", \"plateau\", "
        "\"labels\", \"ms\", \"digest\"}], \"ranked_by\", \"best\", \"plateau\": {\"tolerance\", "
        "\"runs\", \"centre\", \"ends\"}, \"flat\", \"warnings\"}; best and centre have the "
        "command that repeats them, if not of a recipe; "
        "with --cases "
        "also \"cases\", \"combinations\" and \"test\""},
       {"quiet", "", "no progress and no summary"},
       {"help", "", "this page"}}};
}

std::vector<FlagGroup> sweep_flag_groups(const SweepTarget& target) {
  std::vector<FlagGroup> groups{sweep_flags(target.labels_flag()), target.input_flags(),
                                sweep_output_flags()};
  const std::vector<FlagGroup> run_flags = target.run_flags();
  groups.insert(groups.end(), run_flags.begin(), run_flags.end());
  return groups;
}

/// Returns a callback that shows "run 3 of 63, 12 s left" as the bar's stage.
std::function<void(const SweepProgress&)> shown_by(ProgressBar& bar) {
  const Context::Progress show = bar.callback();
  if (!show) return {};
  return [show](const SweepProgress& progress) {
    std::string stage =
        "run " + std::to_string(progress.done + 1) + " of " + std::to_string(progress.total);
    if (progress.ms_left) stage += ", " + in_time(*progress.ms_left) + " left";
    show(stage, static_cast<double>(progress.done) / static_cast<double>(progress.total));
  };
}

nlohmann::ordered_json json_with_commands(const SweepSetup& setup, const Sweep& sweep,
                                          const std::vector<SweepRow>& rows) {
  nlohmann::ordered_json json = to_json(sweep, rows, setup.tolerance);
  if (json["plateau"].is_null()) return json;
  for (nlohmann::ordered_json* place : {&json["best"], &json["plateau"]["centre"]}) {
    const auto run = place->at("run").get<std::size_t>() - 1;
    const std::string command = single_run_of(setup, setup.arguments, sweep.grid().values_of(run));
    if (!command.empty()) (*place)["command"] = command;
  }
  return json;
}

int sweep_one(const SweepSetup& setup, TableFile& file) {
  const Arguments& arguments = setup.arguments;
  if (!setup.labels.empty() && !arguments.has("reference")) {
    throw UsageError("--" + setup.target.labels_flag() +
                     " needs a reference: --reference PATH is missing");
  }
  for (const char* flag : {"where-labelled", "rank-by", "out-recipe"}) {
    if (!arguments.has(flag) || arguments.has("reference")) continue;
    throw UsageError("--" + std::string(flag) + " needs a reference: --reference PATH is missing");
  }
  LoadedSweep loaded = load_sweep(setup, arguments);
  const Sweep& sweep = loaded.sweep;
  std::vector<SweepRow> rows;
  const auto csv = [&] { return to_csv(sweep, rows, setup.tolerance); };
  const auto write = [&] {
    if (!rows.empty()) file.write(csv);
  };
  bool interrupted = false;
  try {
    ProgressBar bar(setup.quiet);
    const auto add = [&](SweepRow row) {
      rows.push_back(std::move(row));
      file.write_if_due(csv);
    };
    run_sweep(sweep, setup.settings, {.row = add, .progress = shown_by(bar)});
  } catch (const Cancelled&) {
    interrupted = true;
  } catch (...) {
    write();
    throw;
  }
  write();
  check_any_ran(rows);
  const auto plateau = findings_of(sweep, rows, setup.tolerance).plateau;
  if (!interrupted) write_recipe(setup, sweep.grid(), plateau);
  std::vector<std::string> warnings = std::move(loaded.warnings);
  const std::vector<std::string> of_runs = warnings_of(rows);
  warnings.insert(warnings.end(), of_runs.begin(), of_runs.end());
  const std::string interruption =
      "interrupted: " + file.how_many(rows.size(), sweep.grid().size());
  if (interrupted) print_failure(interruption);
  if (arguments.has("json")) {
    nlohmann::ordered_json json = json_with_commands(setup, sweep, rows);
    json["warnings"] = warnings;
    if (interrupted) json["error"] = {{"code", kExitInterrupted}, {"message", interruption}};
    print_json(json);
    return interrupted ? kExitInterrupted : 0;
  }
  print_warnings(warnings);
  if (file.path().empty()) print(sweep_table(sweep, rows, setup.tolerance));
  if (!setup.quiet) {
    print(sweep_summary(
        sweep, rows, setup.tolerance,
        plateau ? single_run_of(setup, arguments, sweep.grid().values_of(plateau->centre)) : ""));
  }
  return interrupted ? kExitInterrupted : 0;
}

}  // namespace

int sweep_command(const Call& call) {
  constexpr const char* kUsage =
      "sweep OP|RECIPE.json (--image PATH --reference PATH | --cases LIST.csv) --vary "
      "PARAM=FROM:TO:STEP "
      "[--vary ...] --out TABLE.csv [flags]";
  const OperationTable table = make_table();
  if (call.words.empty() || call.words[0].starts_with('-')) {
    if (!call.words.empty() && call.words[0] == "--help") {
      print(help_page(kUsage,
                      std::string(kForms) +
                          "\n\nsweep OP --help lists the inputs and parameters of an operation.",
                      {sweep_flags(), sweep_output_flags()}));
      return 0;
    }
    throw UsageError(
        "sweep needs an operation or a recipe first: sweep OP --image PATH --vary PARAM=...");
  }
  const std::unique_ptr<SweepTarget> target = sweep_target(table, call.words[0]);
  const std::vector<FlagGroup> groups = sweep_flag_groups(*target);
  const Arguments arguments(call.words.subspan(1), groups);
  if (arguments.has("help")) {
    print(help_page(kUsage, target->about() + "\n\n" + kForms, groups));
    return 0;
  }
  if (!arguments.positionals().empty()) {
    throw UsageError("'" + arguments.positionals().front() +
                     "' is not the value of a flag: name the image with --image");
  }
  TableFile file(arguments);
  const SweepSetup setup = setup_of(*target, arguments, call);
  return arguments.has("cases") ? sweep_cases(setup, file) : sweep_one(setup, file);
}

}  // namespace seedwave::cli
