// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/load_inputs.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"
#include "app/cli/save_outputs.h"
#include "app/cli/sweep_text.h"
#include "app/make_table.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/labels.h"
#include "core/ops/sweep/sweep.h"
#include "core/ops/sweep/sweep_report.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

namespace seedwave::cli {
namespace {

/// What a crash may cost of a table: rows are written at least this often.
constexpr auto kBetweenWrites = std::chrono::seconds(5);

constexpr const char* kForms =
    "Runs an operation with every combination of some parameters' values, the last --vary "
    "changing\n"
    "fastest, and tells what each gave.\n\n"
    "  --vary PARAM=FROM:TO:STEP     from, from + step, ... up to and with TO: sigma_o=5:30:2.5\n"
    "  --vary PARAM=FROM:TO:*FACTOR  from, from * factor, ...: sigma_o=5:80:*2\n"
    "  --vary PARAM=A,B,C            these: connectivity=6,18,26\n\n"
    "With --reference every run is scored: Dice, the mean over the labels that have seeds and "
    "that\n"
    "the reference has (or --labels); without seeds that of all that is labelled. The plateau is\n"
    "what is reached from the best run, value by value, without falling behind by more than the\n"
    "tolerance. Its centre has the highest mean of a run and its neighbours: take it rather than\n"
    "the best, which is chosen with the reference and partly by chance.\n\n"
    "Each row is what run gives with the same values: the same digest. Values that do not go\n"
    "together are a row that says so. Ctrl+C leaves the rows that are done in the table.";

FlagGroup sweep_flags() {
  return {
      "sweep",
      {{"vary", "PARAM=VALUES", "a parameter and its values; once for each", Flag::Times::Often},
       {"labels", "L,M,...", "score by these labels of the reference"},
       {"tolerance", "DICE",
        "how far below the best the plateau goes (" + number_text(kPlateauTolerance) + ")"}}};
}

FlagGroup output_flags() {
  return {
      "outputs",
      {{"out", "TABLE.csv",
        "run, parameters, dice, jaccard, neighbours, plateau, dice_L, jaccard_L, labels, voxels, "
        "voxels_L, ms, digest, failure; without it a table is printed"},
       {"json", "",
        "{\"operation\", ..., \"set\", \"varied\": [...], \"runs\", \"done\", \"scored\", "
        "\"rows\": "
        "[{\"run\", \"varied\", \"values\", \"dice\", \"jaccard\", \"neighbours\", \"plateau\", "
        "\"labels\", \"ms\", \"digest\"}], \"best\", \"plateau\": {\"tolerance\", \"runs\", "
        "\"centre\", \"ends\"}, \"warnings\"}; best and centre have the command that repeats them"},
       {"quiet", "", "no progress and no summary"},
       {"help", "", "this page"}}};
}

std::vector<FlagGroup> flags_of(const Operation& operation) {
  return {sweep_flags(), input_flags(operation), parameter_flags(operation), output_flags(),
          how_flags(operation)};
}

/// The call that gives what a run of the sweep gave.
std::string command_of(const Sweep& sweep, const Arguments& arguments, std::size_t run) {
  const Operation& operation = sweep.operation();
  CommandLine command("seedwave-cli run " + operation.id);
  for (const FlagGroup& group :
       {input_flags(operation), parameter_flags(operation), how_flags(operation)}) {
    for (const Flag& flag : group.flags) {
      if (const auto value = arguments.text(flag.name)) command.add(flag.name, *value);
    }
  }
  for (const auto& [id, value] : sweep.grid().values_of(run))
    command.add(flag_name(id), text_of(value));
  return command.text();
}

SweepGrid grid_of(const std::vector<Vary>& varied, const Operation& operation,
                  const Geometry& geometry) {
  try {
    std::vector<SweepAxis> axes;
    axes.reserve(varied.size());
    for (const Vary& vary : varied)
      axes.push_back(axis_of(operation, vary, geometry.is_2d()));
    return SweepGrid(std::move(axes));
  } catch (const UsageError& error) {
    throw UsageError(std::string("--vary ") + error.what());
  }
}

std::vector<Vary> varied_of(const Arguments& arguments, const Operation& operation) {
  if (!arguments.has("vary")) {
    throw UsageError("--vary PARAM=FROM:TO:STEP is missing: what is to change from run to run");
  }
  std::vector<Vary> varied;
  try {
    for (const std::string& text : arguments.texts("vary"))
      varied.push_back(parse_vary(operation, text));
  } catch (const UsageError& error) {
    throw UsageError(std::string("--vary ") + error.what());
  }
  for (const Vary& vary : varied) {
    if (!arguments.has(flag_name(vary.parameter))) continue;
    throw UsageError("--" + flag_name(vary.parameter) + " is set, and --vary changes it: leave " +
                     "one of them out");
  }
  return varied;
}

std::vector<std::uint16_t> labels_of(const Arguments& arguments) {
  std::vector<std::uint16_t> labels;
  const auto text = arguments.text("labels");
  if (!text) return labels;
  if (!arguments.has("reference")) {
    throw UsageError("--labels are scored against a reference: --reference PATH is missing");
  }
  constexpr std::int64_t kMost = 65535;
  for (const std::int64_t label : integers_of("labels", *text, 0)) {
    if (label < 1 || label > kMost) {
      throw UsageError("--labels must be whole numbers from 1 to 65535, not '" + *text + "'");
    }
    labels.push_back(static_cast<std::uint16_t>(label));
  }
  return labels;
}

double tolerance_of(const Arguments& arguments) {
  const auto text = arguments.text("tolerance");
  if (!text) return kPlateauTolerance;
  const std::optional<double> number = parse_number(*text);
  if (!number || *number < 0.0 || *number > 1.0) {
    throw UsageError("--tolerance must be a number from 0 to 1, not '" + *text + "'");
  }
  return *number;
}

/// Where the table goes; empty: nowhere. Throws OutputError before anything is read.
std::filesystem::path table_path(const Arguments& arguments) {
  const auto text = arguments.text("out");
  if (!text) return {};
  std::filesystem::path path = *text;
  check_writable(path);
  if (path.extension() != ".csv") {
    throw OutputError("cannot write " + *text + ": a table needs the suffix .csv");
  }
  return path;
}

/// The rows so far, and the file that holds them.
class Rows {
 public:
  Rows(const Sweep& sweep, std::filesystem::path path, double tolerance)
      : sweep_(sweep), path_(std::move(path)), tolerance_(tolerance) {}

  void add(SweepRow row) {
    rows_.push_back(std::move(row));
    if (std::chrono::steady_clock::now() - written_ >= kBetweenWrites) write();
  }
  void write() {
    if (path_.empty() || rows_.empty()) return;
    io::write_atomically(path_, to_csv(sweep_, rows_, tolerance_));
    written_ = std::chrono::steady_clock::now();
  }
  [[nodiscard]] const std::vector<SweepRow>& all() const noexcept { return rows_; }
  /// "17 of 63 runs are in t.csv".
  [[nodiscard]] std::string how_many() const {
    const std::string count =
        std::to_string(rows_.size()) + " of " + std::to_string(sweep_.grid().size()) + " runs ";
    return count + (path_.empty() || rows_.empty() ? "were done" : "are in " + path_.string());
  }

 private:
  const Sweep& sweep_;
  std::filesystem::path path_;
  double tolerance_;
  std::vector<SweepRow> rows_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

/// "run 3 of 63, 12 s left" as the bar's stage.
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

nlohmann::ordered_json json_with_commands(const Sweep& sweep, const Rows& rows, double tolerance,
                                          const Arguments& arguments) {
  nlohmann::ordered_json json = to_json(sweep, rows.all(), tolerance);
  if (json["plateau"].is_null()) return json;
  for (nlohmann::ordered_json* place : {&json["best"], &json["plateau"]["centre"]})
    (*place)["command"] = command_of(sweep, arguments, place->at("run").get<std::size_t>() - 1);
  return json;
}

void check_any_ran(const std::vector<SweepRow>& rows) {
  const bool none = !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const SweepRow& row) {
    return !row.failure.empty();
  });
  if (none) throw UsageError("no values go together: " + rows.front().failure);
}

int sweep_with(const OperationTable& table, const Operation& operation, const Arguments& arguments,
               const Call& call) {
  const std::filesystem::path path = table_path(arguments);
  const double tolerance = tolerance_of(arguments);
  const std::vector<Vary> varied = varied_of(arguments, operation);
  SweepRequest request;
  request.base.operation = operation.id;
  request.base.values = values_of(arguments, operation);
  request.base.how = how_of(arguments);
  request.labels = labels_of(arguments);
  const bool quiet = arguments.has("quiet");
  Context::Settings settings = settings_of(arguments);
  settings.stop = call.stop;

  std::vector<std::string> warnings;
  {
    ProgressBar bar(quiet);
    Context::Settings of_loading = settings;
    of_loading.progress = bar.callback();
    Context loading(of_loading);
    const auto stage = loading.stage("load");
    LoadedInputs loaded = load_inputs(arguments, operation, loading);
    request.base.inputs = std::move(loaded.inputs);
    warnings = std::move(loaded.warnings);
  }
  const Geometry geometry = request.base.inputs.image.geometry();
  check_flag_values(operation, request.base.values, geometry);
  request.grid = grid_of(varied, operation, geometry);
  const Sweep sweep(table, std::move(request));
  Rows rows(sweep, path, tolerance);
  bool interrupted = false;
  try {
    ProgressBar bar(quiet);
    run_sweep(sweep, settings,
              {.row = [&](SweepRow row) { rows.add(std::move(row)); }, .progress = shown_by(bar)});
  } catch (const Cancelled&) {
    interrupted = true;
  } catch (...) {
    rows.write();
    throw;
  }
  rows.write();
  check_any_ran(rows.all());
  const std::vector<std::string> of_runs = warnings_of(rows.all());
  warnings.insert(warnings.end(), of_runs.begin(), of_runs.end());
  const std::string interruption = "interrupted: " + rows.how_many();
  if (interrupted) print_failure(interruption);
  if (arguments.has("json")) {
    nlohmann::ordered_json json = json_with_commands(sweep, rows, tolerance, arguments);
    json["warnings"] = warnings;
    if (interrupted) json["error"] = {{"code", kExitInterrupted}, {"message", interruption}};
    print_json(json);
    return interrupted ? kExitInterrupted : 0;
  }
  print_warnings(warnings);
  if (path.empty()) print(sweep_table(sweep, rows.all(), tolerance));
  if (!quiet) {
    const auto plateau = find_plateau(sweep.grid(), scores_of(sweep.grid(), rows.all()), tolerance);
    print(sweep_summary(sweep, rows.all(), tolerance,
                        plateau ? command_of(sweep, arguments, plateau->centre) : ""));
  }
  return interrupted ? kExitInterrupted : 0;
}

}  // namespace

int sweep_command(const Call& call) {
  constexpr const char* kUsage =
      "sweep OP --image PATH --vary PARAM=FROM:TO:STEP [--vary ...] --reference PATH "
      "--out TABLE.csv [flags]";
  const OperationTable table = make_table();
  if (call.words.empty() || call.words[0].starts_with('-')) {
    if (!call.words.empty() && call.words[0] == "--help") {
      print(help_page(kUsage,
                      std::string(kForms) +
                          "\n\nsweep OP --help lists the inputs and parameters of an operation.",
                      {sweep_flags(), output_flags()}));
      return 0;
    }
    throw UsageError("sweep needs an operation first: sweep OP --image PATH --vary PARAM=...");
  }
  const Operation& operation = table.at(call.words[0]);
  const std::vector<FlagGroup> groups = flags_of(operation);
  const Arguments arguments(call.words.subspan(1), groups);
  if (arguments.has("help")) {
    print(help_page(kUsage, operation.title + ". " + operation.help + "\n\n" + kForms, groups));
    return 0;
  }
  if (!arguments.positionals().empty()) {
    throw UsageError("'" + arguments.positionals().front() +
                     "' belongs to no flag: the image is given with --image");
  }
  return sweep_with(table, operation, arguments, call);
}

}  // namespace seedwave::cli
