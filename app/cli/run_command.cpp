// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/case_flags.h"
#include "app/cli/checkpoint_flags.h"
#include "app/cli/commands.h"
#include "app/cli/label_flags.h"
#include "app/cli/memory_plan.h"
#include "app/cli/overwriting.h"
#include "app/cli/picture.h"
#include "app/cli/preview.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_text.h"
#include "app/cli/run_flags.h"
#include "app/cli/save_outputs.h"
#include "app/cli/shared_run.h"
#include "app/make_table.h"
#include "core/base/error.h"
#include "core/base/mapped_input.h"
#include "core/base/number_text.h"
#include "core/base/scratch_files.h"
#include "core/io/label_table.h"
#include "core/ops/report_json.h"
#include "core/ops/run.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace seedwave::cli {
namespace {

constexpr std::int64_t kMostRepeats = 10'000;

FlagGroup output_flags(const Operation& operation) {
  FlagGroup group{"outputs", {}};
  const OutputSpec& main = operation.main_output();
  const OutputSpec& of_labels = operation.main_output(Reads::Labels);
  std::string help = "the main output, " + main.id + ": " + main.help;
  if (&of_labels != &main) help += "; with --labels, " + of_labels.id + ": " + of_labels.help;
  group.flags.push_back({"out", "PATH", std::move(help)});
  for (const OutputSpec& output : operation.outputs)
    group.flags.push_back(
        {"out-" + flag_name(output.id), "PATH",
         output.help + (output.applies == Applies::Always ? "" : ", " + only_on(output.applies))});
  if (operation.gives(OutputKind::Labels)) {
    for (const Flag& flag : surface_flags())
      group.flags.push_back(flag);
    group.flags.push_back(outline_flag());
  }
  group.flags.push_back(
      {"picture", "PATH.png", "rendered image of the result over the input image"});
  if (operation.gives(OutputKind::Labels)) {
    group.flags.push_back({"preview", "PATH.png",
                           "2-D: the labels as far as they are known, at most " +
                               std::to_string(Preview::kLongest) +
                               " pixels a side, written anew as the run goes on"});
  }
  group.flags.push_back(overwrite_flag());
  group.flags.push_back({"json", "", "one JSON object on standard output and nothing else"});
  return group;
}

/// The flags for the inputs of `run`: an image that is a label map may be named by --labels. In a
/// sweep this flag lists the labels to score.
FlagGroup run_input_flags(const Operation& operation) {
  FlagGroup group = input_flags(operation);
  const InputSpec* image = operation.find_input(InputKind::Image);
  const bool is_labels = image != nullptr && image->holds == kLabelsHeld;
  if (is_labels && !operation.wants(InputKind::Labels)) {
    group.flags.insert(group.flags.begin() + 1,
                       {"labels", "PATH", "another name of --image, which is a label map here"});
  }
  if (operation.gives(OutputKind::Labels)) group.flags.push_back(names_flag());
  return group;
}

/// Returns the path of the image: labels that stand for it, or are read in its place, are the image
/// if no other is given.
std::string path_of_image(const Operation& operation, const Arguments& arguments) {
  const auto labels = arguments.text("labels");
  const bool is_needed = operation.wants(InputKind::Labels) && !operation.labels_replace_image();
  if (!labels || is_needed) return image_path(arguments);
  if (!arguments.has("image")) return *labels;
  if (operation.labels_replace_image()) return image_path(arguments);
  throw UsageError("--labels and --image name the same input: give only one of them");
}

/// Returns the names of the labels: those of --names, else those that the strokes or the labels of
/// the input bring along.
std::vector<io::LabelName> names_for(const Operation& operation, const Arguments& arguments,
                                     const Geometry& grid, std::vector<std::string>& warnings) {
  if (!operation.gives(OutputKind::Labels)) return {};
  if (const auto path = arguments.text("names")) return io::load_label_names(*path, grid);
  const auto seeds = arguments.text("seeds");
  if (seeds && io::is_seed_file(*seeds)) return io::load_label_names(*seeds, grid);
  const auto labels = arguments.text("labels");
  if (!seeds && !labels) return {};
  io::StoredNames stored = io::stored_names(seeds ? *seeds : *labels);
  warnings.insert(warnings.end(), stored.warnings.begin(), stored.warnings.end());
  return stored.names;
}

std::vector<FlagGroup> run_flag_groups(const Operation& operation) {
  FlagGroup how = how_flags(operation);
  how.flags.push_back(devices_flag());
  how.flags.push_back(scratch_flag());
  how.flags.push_back(tile_flag());
  for (const Flag& flag : checkpoint_flags())
    how.flags.push_back(flag);
  how.flags.push_back(
      {"repeat", "N",
       "run N times; report the times of the median run and the result of the last"});
  how.flags.push_back({"quiet", "", "no progress and no summary"});
  how.flags.push_back(
      {"progress", "", "for another program: lines \"progress 42 STAGE\" on standard error"});
  how.flags.push_back({"help", "", "this page"});
  return {run_input_flags(operation), parameter_flags(operation), output_flags(operation), how};
}

/// Returns the preview that the run is to keep, and has the run show it what is known; null without
/// --preview.
std::unique_ptr<Preview> preview_of(const OutputPaths& paths, const Operation& operation,
                                    Inputs& inputs) {
  if (paths.preview.empty()) return nullptr;
  auto preview = std::make_unique<Preview>(paths.preview, inputs.image.geometry());
  inputs.show_band = [to = preview.get(), id = operation.find_output(OutputKind::Labels)->id](
                         const Box& band, const std::map<std::string, Output>& part) {
    if (const auto labels = part.find(id); labels != part.end())
      to->add(band, std::get<LabelMap>(labels->second));
  };
  return preview;
}

/// Report of the last run with the stages and total of the median run, and the totals of all runs.
struct Repeated {
  RunReport report;
  std::vector<double> totals;
};

Repeated run_repeatedly(const OperationTable& table, const RunRequest& request,
                        const Context::Settings& settings, std::int64_t repeats) {
  Repeated repeated;
  std::vector<std::vector<StageTime>> stages;
  for (std::int64_t i = 0; i < repeats; ++i) {
    repeated.report = {};  // two results at once may not fit in memory
    // A new context with an empty cache each time: every run does all of the work.
    Context context(settings);
    repeated.report = run_operation(table, request, context);
    repeated.totals.push_back(repeated.report.facts.total_ms);
    stages.push_back(repeated.report.facts.stages);
  }
  std::vector<std::size_t> order(repeated.totals.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>((order.size() - 1) / 2);
  std::nth_element(order.begin(), middle, order.end(), [&](std::size_t a, std::size_t b) {
    return repeated.totals[a] < repeated.totals[b];
  });
  repeated.report.facts.stages = stages[*middle];
  repeated.report.facts.total_ms = repeated.totals[*middle];
  return repeated;
}

void run_with(const OperationTable& table, const Operation& operation, const Arguments& arguments,
              const Call& call) {
  const OutputPaths paths = output_paths(arguments, operation);
  if (!arguments.has("overwrite")) {
    refuse_overwriting(paths_of(arguments, output_flags(operation).flags),
                       paths_of(arguments, run_input_flags(operation).flags));
  }
  RunRequest request;
  request.operation = operation.id;
  request.values = values_of(arguments, operation);
  request.how = how_of(arguments);
  const std::int64_t repeats = arguments.integer("repeat", 1, kMostRepeats).value_or(1);
  const ProcessGroup& group = process_group();
  const bool quiet = arguments.has("quiet") || group.follows();
  constexpr std::int64_t kMostRows = std::int64_t{1} << 40;

  Context::Settings settings = settings_of(arguments);
  share_with(group, arguments, table, settings);
  choose_devices(arguments, table, request.how, settings);
  settings.stop = call.stop;
  settings.layers = arguments.integer("tile", 1, kMostRows).value_or(0);
  MemoryPlan memory;
  ReadInputs read;
  std::vector<io::LabelName> names;
  Context::Settings of_loading = settings;
  of_loading.threads *= group.sharing;  // the others wait
  Context loading(of_loading);
  std::shared_ptr<io::CheckpointFolder> checkpoint;
  std::unique_ptr<Preview> preview;
  Repeated repeated;
  {
    ProgressBar bar(quiet,
                    arguments.has("progress") ? ProgressBar::Look::Lines : ProgressBar::Look::Bar);
    settings.progress = bar.callback();
    check_inputs_given(operation, arguments);
    for (const auto& [id, files] : paths.files)
      request.inputs.requested.insert(id);
    if (group.ranks)
      refuse_another_run(*group.ranks, request, arguments, run_input_flags(operation).flags);
    {
      const auto stage = loading.stage("load");
      std::optional<FoundCase> found;
      ImageSize size;
      if (!group.follows()) {
        found = find_case(path_of_image(operation, arguments), arguments, loading);
        size = size_of(found->item);
      }
      if (group.ranks) share_size(*group.ranks, size);
      memory = plan_memory(arguments, operation, request.how, size);
      settings.memory = memory.solver;
      settings.in_files = memory.files != nullptr;
      if (found) read = read_inputs(table, operation, *found, arguments, loading);
    }
    read.inputs.requested = std::move(request.inputs.requested);
    request.inputs = std::move(read.inputs);
    if (group.ranks) {
      const auto stage = loading.stage("share inputs");
      share_inputs(*group.ranks, request.inputs);
    }
    if (!group.follows()) names = names_for(operation, arguments, read.of.whole, read.warnings);
    const Geometry& geometry = request.inputs.image.geometry();
    check_flag_values(operation, request.values, geometry);
    check_outputs_fit(paths, operation, geometry, request.inputs.reads());
    checkpoint = checkpoint_of(arguments, request);
    settings.saved = checkpoint;
    if (!group.follows()) preview = preview_of(paths, operation, request.inputs);
    repeated = run_repeatedly(table, request, settings, repeats);
  }
  if (group.follows()) return mapped::refuse_changed_inputs();
  RunReport& report = repeated.report;
  if (!read.reference.empty()) report.dice = dice_of(operation, report, read.reference, loading);
  report.facts.warnings.insert(report.facts.warnings.begin(), read.warnings.begin(),
                               read.warnings.end());
  if (checkpoint && !checkpoint->warning().empty())
    report.facts.warnings.push_back("checkpoint: " + checkpoint->warning());
  if (preview) {
    request.inputs.show_band(Box::whole(report.geometry), report.outputs);
    preview->finish();
    if (!preview->failure().empty()) report.facts.warnings.push_back(preview->failure());
  }
  const std::vector<StageTime> load_times = loading.stage_times();
  report.facts.stages.insert(report.facts.stages.begin(), load_times.begin(), load_times.end());

  io::OutputSet outputs;
  save_outputs(outputs, report, paths, names, read.of.level0, loading);
  if (!paths.picture.empty())
    save_picture(outputs, paths.picture, read.of.image, operation, report);
  outputs.commit();
  if (checkpoint) checkpoint->remove();
  if (arguments.has("json")) {
    nlohmann::ordered_json json = to_json(report);
    if (checkpoint) json["restored_bytes"] = checkpoint->found();
    if (memory.files) json["scratch_bytes"] = scratch::use().most;
    if (repeats > 1) json["ms_runs"] = repeated.totals;
    return print_json(json);
  }
  print_warnings(report.facts.warnings);
  if (checkpoint && checkpoint->found() > 0 && !quiet)
    print("went on from " + in_bytes(checkpoint->found()) + " of states in the checkpoint\n");
  if (!quiet) print(report_text(report, repeated.totals));
}

std::string operations_page(const OperationTable& table) {
  const std::string page =
      "usage: seedwave-cli run OP --image PATH [inputs] [--PARAMETER VALUE ...] [outputs] "
      "[execution]\n\n"
      "operations (run OP --help lists the flags of one):\n";
  std::vector<ListLine> lines;
  for (const Operation& operation : table.operations())
    lines.push_back({operation.id, operation.title + ": " + operation.help});
  return page + in_columns(lines);
}

}  // namespace

int run_command(const Call& call) {
  const OperationTable table = make_table();
  if (call.words.empty() || call.words[0].starts_with('-')) {
    if (!call.words.empty() && call.words[0] == "--help") {
      print(operations_page(table));
      return 0;
    }
    throw UsageError("run needs an operation first: run OP --image PATH; see run --help");
  }
  const Operation& operation = table.at(call.words[0]);
  const std::vector<FlagGroup> groups = run_flag_groups(operation);
  const Arguments arguments(call.words.subspan(1), groups);
  if (arguments.has("help")) {
    print(help_page("run " + operation.id + " --image PATH [flags]",
                    operation.title + ". " + operation.help, groups));
    return 0;
  }
  if (!arguments.positionals().empty()) {
    throw UsageError("'" + arguments.positionals().front() +
                     "' is not the value of a flag: name the image with --image");
  }
  try {
    run_with(table, operation, arguments, call);
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception&) {
    mapped::refuse_changed_inputs();  // if there are any, the other error only follows from them
    throw;
  }
  return 0;
}

}  // namespace seedwave::cli
