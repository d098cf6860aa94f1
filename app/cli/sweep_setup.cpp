// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_setup.h"

#include "app/cli/case_flags.h"
#include "app/cli/overwriting.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"
#include "app/cli/save_outputs.h"
#include "core/base/command_line.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/label_map.h"
#include "core/io/labels.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace seedwave::cli {
namespace {

/// Longest time between two writes of the table: a crash loses no more.
constexpr auto kBetweenWrites = std::chrono::seconds(5);

/// Returns the path of the table; empty if none is written.
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

std::vector<Vary> varied_of(const Arguments& arguments, const Operation& operation) {
  if (!arguments.has("vary")) {
    throw UsageError("--vary PARAM=FROM:TO:STEP is missing: name a parameter to vary");
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
    throw UsageError("--" + flag_name(vary.parameter) + " is set, but --vary changes it: leave " +
                     "one of them out");
  }
  return varied;
}

std::vector<Label> labels_of(const Arguments& arguments, const std::string& flag) {
  std::vector<Label> labels;
  const auto text = arguments.text(flag);
  if (!text) return labels;
  constexpr std::int64_t kMost = std::numeric_limits<Label>::max();
  for (const std::int64_t label : integers_of(flag, *text, 0)) {
    if (label < 1 || label > kMost) {
      throw UsageError("--" + flag + " must be whole numbers from 1 to 4294967295, not '" + *text +
                       "'");
    }
    labels.push_back(static_cast<Label>(label));
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

}  // namespace

std::string labels_flag(const Operation& operation) {
  return operation.wants(InputKind::Labels) ? "score-labels" : "labels";
}

FlagGroup sweep_flags(const std::string& labels_flag) {
  return {"sweep",
          {{"vary", "PARAM=VALUES", "a parameter and its values; once for each parameter",
            Flag::Times::Often},
           {"cases", "LIST.csv", "several images instead of one, see above"},
           {labels_flag, "L,M,...", "score by these labels of the reference"},
           {"where-labelled", "",
            "score only where the reference has a label, for one that marks only parts"},
           {"tolerance", "DICE",
            "largest drop from the best Dice on the plateau (default: " +
                number_text(kPlateauTolerance) + ")"}}};
}

SweepSetup setup_of(const OperationTable& table, const Operation& operation,
                    const Arguments& arguments, const Call& call) {
  SweepSetup setup{.table = table,
                   .operation = operation,
                   .arguments = arguments,
                   .varied = varied_of(arguments, operation),
                   .labels = labels_of(arguments, labels_flag(operation)),
                   .tolerance = tolerance_of(arguments),
                   .settings = settings_of(arguments),
                   .quiet = arguments.has("quiet")};
  setup.settings.stop = call.stop;
  return setup;
}

SweepGrid grid_of(const SweepSetup& setup, bool image_is_2d) {
  try {
    std::vector<SweepAxis> axes;
    axes.reserve(setup.varied.size());
    for (const Vary& vary : setup.varied)
      axes.push_back(axis_of(setup.operation, vary, image_is_2d));
    return SweepGrid(std::move(axes));
  } catch (const UsageError& error) {
    throw UsageError(std::string("--vary ") + error.what());
  }
}

void refuse_overwriting_inputs(const SweepSetup& setup, const Arguments& inputs) {
  if (setup.arguments.has("overwrite")) return;
  const auto table = setup.arguments.text("out");
  if (!table) return;
  std::vector<NamedPath> read = paths_of(inputs, input_flags(setup.operation).flags);
  if (const auto list = setup.arguments.text("cases")) read.push_back({"--cases", *list});
  const NamedPath output{"--out", *table};
  refuse_overwriting({&output, 1}, read);
}

LoadedSweep load_sweep(const SweepSetup& setup, const Arguments& inputs) {
  refuse_overwriting_inputs(setup, inputs);
  SweepRequest request;
  request.labels = setup.labels;
  request.scored = scored_of(setup.arguments);
  request.base.operation = setup.operation.id;
  request.base.values = values_of(setup.arguments, setup.operation);
  request.base.how = how_of(setup.arguments);
  std::vector<std::string> warnings;
  {
    ProgressBar bar(setup.quiet);
    Context::Settings settings = setup.settings;
    settings.progress = bar.callback();
    Context loading(settings);
    const auto stage = loading.stage("load");
    const std::string path = image_path(inputs);
    check_inputs_given(setup.operation, inputs);
    ReadInputs read = read_inputs(setup.table, setup.operation, find_case(path, inputs, loading),
                                  inputs, loading);
    request.base.inputs = std::move(read.inputs);
    request.reference = std::move(read.reference);
    warnings = std::move(read.warnings);
  }
  const Geometry geometry = request.base.inputs.image.geometry();
  check_flag_values(setup.operation, request.base.values, geometry);
  request.grid = grid_of(setup, geometry.is_2d());
  return {.sweep = Sweep(setup.table, std::move(request)), .warnings = std::move(warnings)};
}

std::string single_run_of(const SweepSetup& setup, const Arguments& inputs, const Values& varied) {
  CommandLine command("seedwave-cli run " + setup.operation.id);
  const auto add = [&](const FlagGroup& group, const Arguments& arguments) {
    for (const Flag& flag : group.flags) {
      const auto value = arguments.text(flag.name);
      if (!value) continue;
      if (flag.value.empty()) {
        command.add(flag.name);
      } else {
        command.add(flag.name, *value);
      }
    }
  };
  add(input_flags(setup.operation), inputs);
  add(parameter_flags(setup.operation), setup.arguments);
  add(how_flags(setup.operation), setup.arguments);
  for (const auto& [id, value] : varied)
    command.add(flag_name(id), text_of(value));
  return command.text();
}

TableFile::TableFile(const Arguments& arguments) : path_(table_path(arguments)) {}

void TableFile::write_if_due(const std::function<std::string()>& table) {
  if (path_.empty() || std::chrono::steady_clock::now() - written_ < kBetweenWrites) return;
  write(table);
}

void TableFile::write(const std::function<std::string()>& table) {
  if (path_.empty()) return;
  io::write_atomically(path_, table());
  written_ = std::chrono::steady_clock::now();
}

std::string TableFile::how_many(std::size_t done, std::size_t total) const {
  const std::string count = std::to_string(done) + " of " + std::to_string(total) + " runs ";
  return count + (path_.empty() || done == 0 ? "were done" : "are in " + path_.string());
}

void check_any_ran(std::span<const SweepRow> rows) {
  const bool none = !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const SweepRow& row) {
    return !row.failure.empty();
  });
  if (none) throw UsageError("no combination of values is valid: " + rows.front().failure);
}

}  // namespace seedwave::cli
