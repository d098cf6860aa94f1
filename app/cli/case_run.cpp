// SPDX-License-Identifier: Apache-2.0
#include "app/cli/case_run.h"

#include "app/cli/picture.h"
#include "app/cli/save_outputs.h"
#include "core/base/error.h"
#include "core/engine/resolve.h"
#include "core/image/labels_from.h"
#include "core/io/formats/byte_source.h"
#include "core/io/label_table.h"
#include "core/io/slides/slide_item.h"
#include "core/metrics/label_matching.h"
#include "core/metrics/object_scores.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

namespace seedwave::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kImage = "image";
/// An image of more pixels gets no picture.
constexpr std::int64_t kMostPictured = std::int64_t{1} << 25;

io::Item item_of(const CohortCase& one, const SavedRecipe& recipe, Context& context) {
  io::Item item = one.item ? *one.item : io::find_item(one.path, one.series, context);
  if (item.kind == io::ItemKind::Slide) item = io::with_view(item, {.mpp = recipe.mpp});
  return item;
}

/// Returns the files of a case with their digests.
std::map<std::string, CaseFile> files_of(const io::Item& item, const std::string& path,
                                         const std::map<std::string, fs::path>& others,
                                         Context& context) {
  const auto stage = context.stage("digests");
  // A series is found again in its folder; an image by its file.
  const bool is_series = !item.series.empty();
  std::error_code ignored;
  std::map<std::string, CaseFile> files;
  files[kImage] = {.path = fs::absolute(is_series ? fs::path(path) : item.files.front(), ignored),
                   .series = item.series,
                   .digest = digest_of_files(item.files, context)};
  for (const auto& [name, file] : others) {
    files[name] = {.path = fs::absolute(file, ignored),
                   .series = {},
                   .digest = digest_of_files({file}, context)};
  }
  return files;
}

/// An image and the inputs beside it, as a recipe reads them.
struct ReadOfCase {
  RecipeCase of;
  LabelMap reference;  // empty: none
  std::vector<io::LabelName> names;
  std::vector<std::string> warnings;
};

ReadOfCase read(const io::Item& item, const std::map<std::string, CaseFile>& files,
                io::Damaged damaged, Context& context) {
  const auto stage = context.stage("load");
  io::LoadedImage loaded = io::load(item, context, damaged);
  ReadOfCase read{.of = {.of = whole_case(loaded.volume)}, .warnings = std::move(loaded.warnings)};
  read.of.of.damaged = damaged;
  if (item.slide) read.of.of.level0 = item.slide->grid(0);
  for (const auto& [name, file] : files) {
    if (name == kReferenceFile) read.reference = load_labels(file.path, read.of.of, context);
    if (name == kImage || name == kReferenceFile) continue;
    read.of.files[name] = {.path = file.path};
    if (name == name_of(InputKind::Seeds) && io::is_seed_file(file.path))
      read.names = io::load_label_names(file.path, loaded.volume.geometry());
  }
  return read;
}

/// Compares the labels of a result with the reference.
void score(const Operation& operation, const RunReport& report, const LabelMap& reference,
           CaseResult& result, Context& context) {
  result.dice = dice_of(operation, report, reference, context);
  const auto found = report.outputs.find(operation.main_output(report.reads).id);
  const auto* labels =
      found == report.outputs.end() ? nullptr : std::get_if<LabelMap>(&found->second);
  if (labels == nullptr) return;
  const OverlapCounts counts(*labels, reference, context);
  if (!look_like_objects(counts.labels(), foreground_overlap(*labels, reference))) return;
  // The numbers of objects are unrelated, and so are their Dice.
  result.dice.clear();
  result.objects = object_scores(*labels, reference, {1, 2}, context);
}

/// Returns the labels that a table alone measures, as the report of the step that gave them: that
/// is what a person looks at. Nothing if the result has labels or images, or measures a file or an
/// output that is not the main labels of its step.
std::optional<RunReport> measured_labels(const OperationTable& table, const SavedRecipe& recipe,
                                         const RunReport& result, const KeptSteps& kept,
                                         Context& context) {
  const auto input = recipe.result().inputs.find(name_of(InputKind::Labels));
  if (input == recipe.result().inputs.end() || input->second.is_of_case()) return std::nullopt;
  const bool is_table = std::ranges::all_of(result.outputs, [](const auto& output) {
    return std::holds_alternative<Table>(output.second);
  });
  if (!is_table) return std::nullopt;
  const KeptStep& step = kept.at(input->second.step);
  const std::string& output = input->second.output;
  RunReport report = step.report.run;
  const OutputSpec& main = table.at(report.operation).main_output(report.reads);
  if (main.id != output || main.labels() == nullptr) return std::nullopt;
  report.outputs[output] =
      labels_from(step.outputs.at(output), "the labels", [&context] { context.checkpoint(0.0); });
  return report;
}

/// Chooses a file for each output of the result.
OutputPaths paths_of(const RunReport& report, const fs::path& folder, bool is_slide,
                     std::map<std::string, std::string>& names) {
  OutputPaths paths;
  for (const auto& [id, output] : report.outputs) {
    const bool is_table = std::holds_alternative<Table>(output);
    names[id] = id + (is_table ? ".csv" : is_slide ? ".ome.tif" : ".nrrd");
    paths.files[id].push_back(folder / names[id]);
  }
  return paths;
}

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Returns the result that is there of these inputs; null if there is none, or another.
std::shared_ptr<const nlohmann::ordered_json> result_there(
    const CaseRun& run, const fs::path& folder, const std::map<std::string, CaseFile>& files) {
  const fs::path file = folder / kResultFile;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return nullptr;
  try {
    const std::string text = io::read_text(file, kMostResultBytes);
    const CaseResult there = parse_case_result(run.table, text, file.string());
    if (!why_another(there, run.recipe, SEEDWAVE_VERSION, files).empty()) return nullptr;
    for (const auto& [output, name] : there.files) {
      if (!fs::exists(folder / name, ignored)) return nullptr;
    }
    return std::make_shared<const nlohmann::ordered_json>(nlohmann::ordered_json::parse(text));
  } catch (const InputError&) {
    return nullptr;  // damaged: it is made anew
  }
}

/// Text that is not UTF-8 (file names can be anything) has replacement characters.
std::string file_text(const nlohmann::ordered_json& json) {
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// Writes all files of a case together: the outputs of the reports, the last of which is pictured.
void write(CaseResult& result, const std::vector<const RunReport*>& reports, const ReadOfCase& read,
           const OperationTable& table, const fs::path& folder, Context& context) {
  io::OutputSet outputs;
  const bool is_slide = read.of.of.level0.voxel_count() > 0;
  for (const RunReport* report : reports) {
    const OutputPaths paths = paths_of(*report, folder, is_slide, result.files);
    save_outputs(outputs, *report, paths, read.names, read.of.of.level0, context);
  }
  const RunReport& shown = *reports.back();
  const Volume& image = read.of.of.image;
  if (image.geometry().voxel_count() <= kMostPictured)
    save_picture(outputs, folder / "picture.png", image, table.at(shown.operation), shown);
  outputs.add(folder / kResultFile, file_text(to_json(result)));
  outputs.commit();
}

}  // namespace

CaseOutcome run_case(const CaseRun& run, const CohortCase& one) {
  const auto start = std::chrono::steady_clock::now();
  Context context(run.settings);
  const io::Item item = item_of(one, run.recipe, context);
  CaseResult result{.name = one.name, .version = SEEDWAVE_VERSION, .recipe = run.recipe};
  result.inputs = files_of(item, one.path, one.files, context);
  const fs::path folder = run.folder / one.name;
  if (run.resume) {
    if (auto there = result_there(run, folder, result.inputs)) {
      const double ms = there->value("ms", 0.0);
      return {.result = std::move(there), .was_there = true, .ms = ms};
    }
  }
  ReadOfCase case_read = read(item, result.inputs, run.damaged, context);
  KeptSteps kept;
  const std::vector<StepReport> reports =
      apply_recipe(run.table, run.recipe, case_read.of, run.settings, kept);
  std::vector<const RunReport*> saved{&reports.back().run};
  const auto measured = measured_labels(run.table, run.recipe, *saved.front(), kept, context);
  if (measured) saved.push_back(&*measured);
  const RunReport& shown = *saved.back();
  result.steps = results_of(reports);
  for (const auto& [label, voxels] : shown.facts.voxels)
    result.voxels.emplace(label, voxels);
  result.warnings = case_read.warnings;
  for (const StepReport& step : reports)
    result.warnings.insert(result.warnings.end(), step.run.facts.warnings.begin(),
                           step.run.facts.warnings.end());
  if (!case_read.reference.empty())
    score(run.table.at(shown.operation), shown, case_read.reference, result, context);
  std::error_code error;
  if (fs::create_directories(folder, error); error)
    throw OutputError("cannot make the folder " + folder.string() + ": " + error.message());
  result.ms = ms_since(start);
  write(result, saved, case_read, run.table, folder, context);
  return {.result = std::make_shared<const nlohmann::ordered_json>(to_json(result)),
          .ms = ms_since(start)};
}

std::vector<std::string> verify_case(const OperationTable& table, const CaseResult& result,
                                     const Context::Settings& settings) {
  Context context(settings);
  const CaseFile& image = result.inputs.at(kImage);
  CohortCase one{.name = result.name, .path = image.path.string()};
  one.item = io::find_item(image.path, image.series, context);
  for (const auto& [name, file] : result.inputs) {
    if (name != kImage) one.files[name] = file.path;
  }
  const io::Item item = item_of(one, result.recipe, context);
  const std::map<std::string, CaseFile> files = files_of(item, one.path, one.files, context);
  std::vector<std::string> differences;
  for (const auto& [name, file] : result.inputs) {
    if (files.at(name).digest != file.digest)
      differences.push_back(name + ": " + file.path.string() + " holds something else now");
  }
  if (!differences.empty()) return differences;
  const ReadOfCase case_read = read(item, files, io::Damaged::Read, context);
  const std::vector<StepResult> again =
      results_of(apply_recipe(table, result.recipe, case_read.of, settings));
  for (std::size_t i = 0; i < again.size(); ++i) {
    for (const auto& [output, digest] : result.steps[i].digests) {
      const auto now = again[i].digests.find(output);
      const std::string found = now == again[i].digests.end() ? "nothing" : now->second;
      if (found == digest) continue;
      differences.push_back(again[i].id + "." + output + ": " + found + ", not " + digest);
    }
  }
  return differences;
}

}  // namespace seedwave::cli
