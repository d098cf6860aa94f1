// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_setup.h"

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

std::string ids_of_scores() {
  std::string ids;
  for (const ScoreKind kind : score_kinds())
    ids += (ids.empty() ? "" : ", ") + id_of(kind);
  return ids;
}

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

/// Throws OutputError, UsageError.
void check_recipe_file(const SweepTarget& target, const Arguments& arguments) {
  const auto path = arguments.text("out-recipe");
  if (!path) return;
  if (!target.recipe_with({}))
    throw UsageError("--out-recipe: " + target.name().name + " is no recipe");
  check_writable(*path);
  if (!path->ends_with(".json"))
    throw OutputError("cannot write " + *path + ": a recipe needs the suffix .json");
}

std::vector<Vary> varied_of(const Arguments& arguments, const SweepTarget& target) {
  if (!arguments.has("vary"))
    throw UsageError("--vary PARAM=FROM:TO:STEP is missing: name a parameter to vary");
  std::vector<Vary> varied;
  try {
    for (const std::string& text : arguments.texts("vary"))
      varied.push_back(target.parse_vary(text));
  } catch (const UsageError& error) {
    throw UsageError(std::string("--vary ") + error.what());
  }
  for (const Vary& vary : varied) {
    const std::string flag = "--" + flag_name(vary.parameter);
    if (arguments.has(flag_name(vary.parameter)))
      throw UsageError(flag + " is set, but --vary changes it: leave one of them out");
  }
  return varied;
}

std::optional<ScoreKind> ranked_by_of(const Arguments& arguments) {
  const auto text = arguments.text("rank-by");
  if (!text) return {};
  if (const auto kind = score_kind_named(*text)) return kind;
  throw UsageError("--rank-by must be one of " + ids_of_scores() + ", not '" + *text + "'");
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

FlagGroup sweep_flags(const std::string& labels_flag) {
  return {"sweep",
          {{"vary", "PARAM=VALUES", "a parameter and its values; once for each parameter",
            Flag::Times::Often},
           {"cases", "LIST.csv", "several images instead of one, see above"},
           {labels_flag, "L,M,...", "score by these labels of the reference"},
           {"where-labelled", "",
            "score only where the reference has a label, for one that marks only parts"},
           {"rank-by", "SCORE",
            "score by which runs are ranked: " + ids_of_scores() +
                " (default: f1 if result and reference number objects, else dice)"},
           {"tolerance", "SCORE",
            "largest drop from the best score on the plateau (default: " +
                number_text(kPlateauTolerance) + ")"}}};
}

SweepSetup setup_of(const SweepTarget& target, const Arguments& arguments, const Call& call) {
  check_recipe_file(target, arguments);
  SweepSetup setup{.target = target,
                   .arguments = arguments,
                   .varied = varied_of(arguments, target),
                   .labels = labels_of(arguments, target.labels_flag()),
                   .ranked_by = ranked_by_of(arguments),
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
      axes.push_back(setup.target.axis_of(vary, image_is_2d));
    return SweepGrid(std::move(axes));
  } catch (const UsageError& error) {
    throw UsageError(std::string("--vary ") + error.what());
  }
}

void refuse_overwriting_inputs(const SweepSetup& setup, const Arguments& inputs) {
  if (setup.arguments.has("overwrite")) return;
  std::vector<NamedPath> outputs;
  for (const char* flag : {"out", "out-recipe"}) {
    if (const auto path = setup.arguments.text(flag))
      outputs.push_back({"--" + std::string(flag), *path});
  }
  std::vector<NamedPath> read = paths_of(inputs, setup.target.input_flags().flags);
  if (const auto list = setup.arguments.text("cases")) read.push_back({"--cases", *list});
  if (!setup.target.file().empty()) read.push_back({"the recipe", setup.target.file()});
  refuse_overwriting(outputs, read);
}

LoadedSweep load_sweep(const SweepSetup& setup, const Arguments& inputs) {
  refuse_overwriting_inputs(setup, inputs);
  SweepTarget::Loaded loaded;
  {
    ProgressBar bar(setup.quiet);
    Context::Settings settings = setup.settings;
    settings.progress = bar.callback();
    Context loading(settings);
    const auto stage = loading.stage("load");
    loaded = setup.target.load(inputs, setup.arguments, setup.varied, loading);
  }
  SweepRequest request{.subject = std::move(loaded.subject),
                       .grid = {},
                       .reference = std::move(loaded.reference),
                       .labels = setup.labels,
                       .scored = scored_of(setup.arguments),
                       .ranked_by = setup.ranked_by};
  request.grid = grid_of(setup, request.subject->grid().is_2d());
  return {.sweep = Sweep(std::move(request)), .warnings = std::move(loaded.warnings)};
}

std::string single_run_of(const SweepSetup& setup, const Arguments& inputs, const Values& varied) {
  return setup.target.command(inputs, setup.arguments, varied);
}

void write_recipe(const SweepSetup& setup, const SweepGrid& grid,
                  const std::optional<Plateau>& plateau) {
  const auto path = setup.arguments.text("out-recipe");
  if (!path) return;
  if (!plateau) throw InputError("no recipe was written: there is no score to choose values by");
  io::write_atomically(*path, setup.target.recipe_with(grid.values_of(plateau->centre)).value());
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
