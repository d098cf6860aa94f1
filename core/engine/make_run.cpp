// SPDX-License-Identifier: Apache-2.0
#include "core/engine/make_run.h"

#include "core/base/error.h"
#include "core/engine/run_again.h"
#include "core/engine/shown_unit.h"
#include "core/image/crop.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/volume.h"
#include "core/metrics/overlap.h"
#include "core/ops/worker_list.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace seedwave {

namespace {

// A result for a part of an image is extended to the whole grid, because views expect whole grids.

/// Labels are 0 outside the box.
LabelMap spread(const LabelMap& part, const Box& box, const Geometry& grid) {
  if (box == Box::whole(grid)) return part;
  return visit_labels(part.labels(), [&]<typename T>(std::span<const T> labels) {
    return LabelMap(grid, laid<T>(labels, box, grid, 0));
  });
}

/// Values outside the box are undefined: NaN if possible, otherwise `none`, otherwise 0.
Volume spread(const ScalarMap& part, const Box& box, const Geometry& grid) {
  if (box == Box::whole(grid)) return part.volume;
  return visit_voxels(part.volume, [&](auto voxels) {
    using Voxel = std::remove_const_t<typename decltype(voxels)::element_type>;
    auto outside = static_cast<Voxel>(part.none.value_or(0.0));
    if constexpr (std::is_floating_point_v<Voxel>)
      outside = std::numeric_limits<Voxel>::quiet_NaN();
    return Volume(grid, laid<Voxel>(voxels, box, grid, outside));
  });
}

/// ISO 8601: "2026-11-23T22:05:09Z".
std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

using Outputs = std::map<std::string, Output>;

/// The first label output; empty if there is none.
LabelMap labels_of(const Operation& operation, const Outputs& outputs) {
  const OutputSpec* output = operation.find_output(OutputKind::Labels);
  const auto found = output == nullptr ? outputs.end() : outputs.find(output->id);
  return found == outputs.end() ? LabelMap() : std::get<LabelMap>(found->second);
}

/// Image outputs that can be shown: those on the image's grid, with one value per voxel.
std::map<std::string, Volume> images_of(const Operation& operation, const Outputs& outputs,
                                        const Geometry& grid) {
  std::map<std::string, Volume> images;
  for (const OutputSpec& output : operation.outputs) {
    const auto found = outputs.find(output.id);
    if (output.image() == nullptr || found == outputs.end()) continue;
    const auto& volume = std::get<Volume>(found->second);
    if (volume.components() != 1 || !same_grid(volume.geometry(), grid)) continue;
    images.emplace(output.id, volume);
  }
  return images;
}

std::map<std::string, Table> curves_of(const Operation& operation, const RunReport& report) {
  std::map<std::string, Table> curves;
  for (const OutputSpec& output : operation.outputs) {
    const auto found = report.outputs.find(output.id);
    if (output.curve() != nullptr && found != report.outputs.end())
      curves.emplace(output.id, std::get<Table>(found->second));
  }
  return curves;
}

std::string unit_of(const ImageForm& image, const Values& values, const Geometry& geometry,
                    const Recipe& recipe, const LoadedCase& of) {
  std::string unit = image.unit_of(values, geometry);
  if (unit != "image units") return unit;
  // The unit of an image from an earlier run is not known.
  return recipe.inputs.contains(name_of(InputKind::Image)) ? std::string() : of.unit;
}

void add_weights(const Operation& operation, std::vector<ScalarMap>& maps) {
  const auto named = [&maps](const std::string& id) {
    return std::find_if(maps.begin(), maps.end(),
                        [&id](const ScalarMap& map) { return map.name == id; });
  };
  for (const OutputSpec& output : operation.outputs) {
    const ImageForm* image = output.image();
    if (image == nullptr || image->weight.empty()) continue;
    const auto map = named(output.id);
    const auto weight = named(image->weight);
    if (map != maps.end() && weight != maps.end()) map->weight = as_weight(*weight);
  }
}

/// Returns the maps without weights. Takes one pass over each map, for its range.
std::vector<ScalarMap> plain_maps_of(const Operation& operation,
                                     const std::map<std::string, Volume>& images,
                                     const Values& values, const Recipe& recipe,
                                     const LoadedCase& of) {
  std::vector<ScalarMap> maps;
  for (const OutputSpec& output : operation.outputs) {
    const auto found = images.find(output.id);
    if (found == images.end()) continue;
    const ImageForm& image = *output.image();
    const bool main = output.id == operation.main_output().id;
    ScalarMap map{.name = output.id,
                  .title = main ? operation.title : output.id,
                  .unit = unit_of(image, values, found->second.geometry(), recipe, of),
                  .full = image.full,
                  .none = image.none,
                  .volume = found->second};
    const ShownUnit shown = shown_unit(map.unit, map.volume.geometry());
    map.unit = shown.symbol;
    map.scale = shown.scale;
    map.period = image.period * shown.scale;
    map.range = map_range(map);
    maps.push_back(std::move(map));
  }
  return maps;
}

std::vector<ScalarMap> maps_of(const Operation& operation,
                               const std::map<std::string, Volume>& images, const Values& values,
                               const Recipe& recipe, const LoadedCase& of) {
  std::vector<ScalarMap> maps = plain_maps_of(operation, images, values, recipe, of);
  add_weights(operation, maps);
  return maps;
}

/// Returns a part of the result, in a box of the image, extended to the whole grid.
MadeRun made_of_part(const Operation& operation, const Recipe& recipe, const LoadedCase& of,
                     const Geometry& grid, const Box& box, const Outputs& part) {
  MadeRun made;
  made.run.recipe = recipe;
  RunPicture& picture = made.picture;
  if (const LabelMap labels = labels_of(operation, part); !labels.empty()) {
    made.run.facts.voxels = count_labels(labels);
    picture.labels = spread(labels, box, grid);
  }
  // The range is that of the visible part.
  const Values values = checked_values(operation, effective_values(recipe), grid.is_2d());
  picture.maps =
      plain_maps_of(operation, images_of(operation, part, crop(grid, box)), values, recipe, of);
  for (ScalarMap& map : picture.maps)
    map.volume = spread(map, box, grid);
  add_weights(operation, picture.maps);
  return made;
}

/// Runs a request on the parts of the machine in a list (workers_of()). If that is every device,
/// the operation table chooses where they cannot share these inputs (labels, say), and with a
/// warning where there is no device.
RunReport shared_report(const OperationTable& table, const std::string& devices, RunRequest request,
                        Context& context) {
  if (devices == kAllDevices && table.devices().empty()) {
    RunReport report = run_operation(table, request, context);
    report.facts.warnings.push_back("there is no GPU to share the run with (" +
                                    table.why_no_device() + "): the CPU did all of it");
    return report;
  }
  const Operation& operation = table.at(request.operation);
  const Values values =
      checked_values(operation, request.values, request.inputs.image.geometry().is_2d());
  if (devices == kAllDevices && !can_share_among_all(operation, table, request.inputs, values))
    return run_operation(table, request, context);
  Context::Settings settings = context.for_part(0.0, 1.0);
  share_among(devices, table, request.how, settings);
  Context shared(std::move(settings));
  for (const StageTime& time : context.stage_times())
    shared.add_stage_time(time.stage, time.ms);
  return run_operation(table, request, shared);
}

RunReport report_of(const OperationTable& table, const Recipe& recipe, const LoadedCase& of,
                    Context& context, const std::optional<Previews>& previews = {}) {
  Inputs inputs = [&] {
    if (recipe.inputs.empty()) return resolve(table, recipe, of, context);
    const Context::Stage stage = context.stage("read inputs");
    return resolve(table, recipe, of, context);
  }();
  const Geometry grid = inputs.image.geometry();
  const Operation& operation = table.at(recipe.operation);
  const auto show = [&](Preview preview, const Box& box, const Outputs& outputs) {
    previews->take(preview, made_of_part(operation, recipe, of, grid, box, outputs));
  };
  if (previews && previews->visible) {
    const Box box = *previews->visible;
    inputs.focus = Focus{.box = box,
                         .show = [&, box](const Outputs& part) { show(Preview::Part, box, part); }};
  }
  if (previews) {
    inputs.show_draft = [&](const Outputs& draft) {
      show(Preview::Draft, Box::whole(grid), draft);
    };
  }
  RunRequest request = request_of(recipe, std::move(inputs));
  return recipe.devices.empty() ? run_operation(table, request, context)
                                : shared_report(table, recipe.devices, std::move(request), context);
}

RunPicture picture_from(const Operation& operation, const RunReport& report, const Recipe& recipe,
                        const LoadedCase& of) {
  RunPicture picture{.labels = labels_of(operation, report.outputs),
                     .maps = {},
                     .images = images_of(operation, report.outputs, report.geometry),
                     .unedited = report.unedited};
  picture.maps = maps_of(operation, picture.images, report.facts.values, recipe, of);
  return picture;
}

Run run_from(const Operation& operation, const RunReport& report, const Recipe& recipe) {
  Run run;
  run.time = now_utc();
  run.recipe = recipe;
  run.facts = report.facts;
  run.curves = curves_of(operation, report);
  return run;
}

}  // namespace

MadeRun make_run(const OperationTable& table, const Recipe& recipe, const LoadedCase& of,
                 Context& context, const std::optional<Previews>& previews) {
  const Operation& operation = table.at(recipe.operation);
  const RunReport report = report_of(table, recipe, of, context, previews);
  MadeRun made{.run = run_from(operation, report, recipe),
               .picture = picture_from(operation, report, recipe, of)};
  made.run.images = made.picture.images;
  if (!made.picture.labels.empty()) made.run.labels = PackedLabels(made.picture.labels);
  return made;
}

MadeRun with_other_edits(const OperationTable& table, const Run& run, const Edits& edits,
                         const LabelMap& edited) {
  MadeRun made{.run = run, .picture = {.labels = edited}};
  made.run.id = 0;
  made.run.time = now_utc();
  made.run.recipe.edits = edits;
  made.run.score = {};
  made.run.note.clear();
  made.run.pinned = made.run.curve_pinned = false;
  made.run.labels = PackedLabels(made.picture.labels);
  const Operation& operation = table.at(run.recipe.operation);
  if (operation.main_output(reads_of(run.recipe)).labels() != nullptr) {
    made.run.facts.digest = made.run.labels.digest();
    made.run.facts.voxels = made.run.labels.counts();
  }
  return made;
}

bool keeps_picture(const OperationTable& table, const Run& run) {
  const Operation& operation = table.at(run.recipe.operation);
  const Reads reads = reads_of(run.recipe);
  return (!run.labels.empty() || !operation.gives(OutputKind::Labels, reads)) &&
         (!run.images.empty() || !has_maps(operation, reads));
}

RunPicture kept_maps(const OperationTable& table, const Run& run, const LoadedCase& of) {
  const Operation& operation = table.at(run.recipe.operation);
  return {.labels = {},
          .maps = maps_of(operation, run.images, run.facts.values, run.recipe, of),
          .images = run.images};
}

RunPicture picture_of(const OperationTable& table, const Run& run, const LoadedCase& of,
                      Context& context) {
  if (keeps_picture(table, run)) {
    RunPicture picture = kept_maps(table, run, of);
    picture.labels = run.labels.unpack();
    return picture;
  }
  const Operation& operation = table.at(run.recipe.operation);
  const Recipe again = recipe_again(operation, run);
  const RunReport report = report_of(table, again, of, context);
  if (report.facts.digest != run.facts.digest) {
    throw InputError("the result of run " + std::to_string(run.id) +
                     " cannot be shown: " + why_another_result(operation, run));
  }
  return picture_from(operation, report, again, of);
}

bool has_maps(const Operation& operation, Reads reads) {
  return std::any_of(
      operation.outputs.begin(), operation.outputs.end(), [reads](const OutputSpec& output) {
        return output.image() != nullptr && !output.image()->own_grid && output.is_given(reads);
      });
}

}  // namespace seedwave
