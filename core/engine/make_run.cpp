// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run_product.h"

#include "core/base/error.h"
#include "core/engine/run_again.h"
#include "core/engine/shown_unit.h"
#include "core/engine/spread_part.h"
#include "core/image/crop.h"
#include "core/metrics/label_matching.h"
#include "core/metrics/overlap.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>
#include <variant>

namespace seedwave {

namespace {

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

/// The first label output; empty where there is none.
LabelMap labels_of(const Operation& operation, const Outputs& outputs) {
  for (const OutputSpec& output : operation.outputs) {
    const auto found = outputs.find(output.id);
    if (output.kind == OutputKind::Labels && found != outputs.end())
      return std::get<LabelMap>(found->second);
  }
  return {};
}

/// Image outputs that can be shown: those on the image's grid, with one value per voxel.
std::map<std::string, Volume> images_of(const Operation& operation, const Outputs& outputs,
                                        const Geometry& grid) {
  std::map<std::string, Volume> images;
  for (const OutputSpec& output : operation.outputs) {
    const auto found = outputs.find(output.id);
    if (output.kind != OutputKind::Image || found == outputs.end()) continue;
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
    if (output.kind == OutputKind::Curve && found != report.outputs.end())
      curves.emplace(output.id, std::get<Table>(found->second));
  }
  return curves;
}

std::string unit_of(const OutputSpec& output, const Values& values, const Geometry& geometry,
                    const RunOrder& order) {
  const std::string unit = output.unit_for ? output.unit_for(values, geometry) : output.unit;
  if (unit != "image units") return unit;
  // Of an image that a run gave nobody knows.
  return order.inputs.contains(name_of(InputKind::Image)) ? std::string() : order.image_unit;
}

void add_weights(const Operation& operation, std::vector<ScalarMap>& maps) {
  const auto named = [&maps](const std::string& id) {
    return std::find_if(maps.begin(), maps.end(),
                        [&id](const ScalarMap& map) { return map.name == id; });
  };
  for (const OutputSpec& output : operation.outputs) {
    if (output.weight.empty()) continue;
    const auto map = named(output.id);
    const auto weight = named(output.weight);
    if (map != maps.end() && weight != maps.end()) map->weight = as_weight(*weight);
  }
}

/// Without weights. Takes a pass over each map, for its range.
std::vector<ScalarMap> plain_maps_of(const Operation& operation,
                                     const std::map<std::string, Volume>& images,
                                     const Values& values, const RunOrder& order) {
  std::vector<ScalarMap> maps;
  for (const OutputSpec& output : operation.outputs) {
    const auto found = images.find(output.id);
    if (found == images.end()) continue;
    const bool main = output.id == operation.main_output().id;
    ScalarMap map{.name = output.id,
                  .title = main ? operation.title : output.id,
                  .unit = unit_of(output, values, found->second.geometry(), order),
                  .full = output.full,
                  .none = output.none,
                  .volume = found->second};
    const ShownUnit shown = shown_unit(map.unit, map.volume.geometry());
    map.unit = shown.symbol;
    map.scale = shown.scale;
    map.period = output.period * shown.scale;
    map.range = map_range(map);
    maps.push_back(std::move(map));
  }
  return maps;
}

std::vector<ScalarMap> maps_of(const Operation& operation,
                               const std::map<std::string, Volume>& images, const Values& values,
                               const RunOrder& order) {
  std::vector<ScalarMap> maps = plain_maps_of(operation, images, values, order);
  add_weights(operation, maps);
  return maps;
}

const OutputSummary& main_summary(const Operation& operation, const RunReport& report) {
  return report.summaries.at(operation.main_output().id);
}

/// The labels are those that the user painted. Where seeds are one way among others, they may not
/// have been given.
bool has_painted_labels(const Operation& operation, const Run& run) {
  return operation.wants(InputKind::Seeds) && !run.seeds.empty();
}

/// More labels than this, and that two maps have the same ones says nothing.
constexpr std::size_t kMostNamedLabels = 32;

/// What a run gives for a box of the image, for being looked at on all of it.
RunProduct product_of_part(const Operation& operation, const RunOrder& order, const Values& values,
                           const Geometry& grid, const Box& box, const Outputs& part) {
  RunProduct product;
  product.run.operation = operation.id;
  product.run.seeds = order.seeds;
  if (const LabelMap labels = labels_of(operation, part); !labels.empty()) {
    product.run.voxels = count_labels(labels);
    product.labels = spread(labels, box, grid);
  }
  // The range is that of what is seen.
  product.maps =
      plain_maps_of(operation, images_of(operation, part, crop(grid, box)), values, order);
  for (ScalarMap& map : product.maps)
    map.volume = spread(map, box, grid);
  add_weights(operation, product.maps);
  return product;
}

RunReport report_of(const OperationTable& table, const RunOrder& order, Context& context,
                    const std::optional<FirstPart>& first = {}) {
  RunRequest request = order.request;
  take_inputs(table, order.inputs, order.sources, request.inputs, context);
  request.inputs.seeds = order.seeds.rasterise(order.sources.scene.geometry());
  request.inputs.requested = order.requested;
  const Geometry grid = request.inputs.image.geometry();
  const Operation& operation = table.at(request.operation);
  if (first) {
    request.inputs.focus =
        Focus{.box = first->box, .show = [&](const Outputs& part) {
                const Values values = checked_values(operation, request.values, grid.is_2d());
                first->take(product_of_part(operation, order, values, grid, first->box, part));
              }};
  }
  return run_operation(table, request, context);
}

Run run_from(const Operation& operation, const RunReport& report, const RunOrder& order) {
  Run run;
  run.time = now_utc();
  run.operation = report.operation;
  run.values = order.asked;
  run.values_used = report.values;
  run.algorithm = report.algorithm;
  run.backend = name_of(report.backend);
  run.device = report.device;
  run.why = report.why;
  run.stages = report.stages;
  run.total_ms = report.total_ms;
  run.digest = main_summary(operation, report).digest;
  run.voxels = main_summary(operation, report).counts;
  run.warnings = report.warnings;
  run.seeds = order.seeds;
  run.inputs = order.inputs;
  run.channel = order.channel;
  run.requested = order.requested;
  return run;
}

}  // namespace

RunProduct make_run(const OperationTable& table, const RunOrder& order, const LabelMap& before,
                    Context& context, const std::optional<FirstPart>& first) {
  const Operation& operation = table.at(order.request.operation);
  const RunReport report = report_of(table, order, context, first);
  RunProduct product{.before = before,
                     .labels = labels_of(operation, report.outputs),
                     .maps = {},
                     .run = run_from(operation, report, order)};
  product.run.images = images_of(operation, report.outputs, report.geometry);
  product.run.curves = curves_of(operation, report);
  product.maps = maps_of(operation, product.run.images, report.values, order);
  if (product.labels.empty()) return product;
  if (!order.reference.empty()) {
    Score score = score_against(order.reference, order.scored, product.labels, context);
    product.run.dice = std::move(score.labels);
    product.run.foreground_dice = score.foreground;
  }
  product.run.labels = PackedLabels(product.labels);
  if (!before.empty() && same_grid(before.geometry(), product.labels.geometry())) {
    product.labels = product.labels.with_changed(changed_box(before, product.labels));
  }
  return product;
}

RunOrder order_again(const Run& run, const InputSources& sources) {
  RunOrder order;
  order.request.operation = run.operation;
  order.request.values = run.values_used;
  order.seeds = run.seeds.as_set();
  order.inputs = run.inputs;
  order.channel = run.channel;
  order.requested = run.requested;
  order.sources = sources;
  return order;
}

namespace {

RunReport report_again(const OperationTable& table, const RunOrder& order, const Run& run,
                       Context& context) {
  RunOrder of_run = order;
  of_run.sources = sources_of(run, order.sources);
  const Operation& operation = table.at(run.operation);
  of_run.request.how = how_again(operation, run);
  RunReport report = report_of(table, of_run, context);
  if (main_summary(operation, report).digest != run.digest) {
    throw InputError("the result of run " + std::to_string(run.id) +
                     " cannot be shown: " + why_another_result(operation, run));
  }
  return report;
}

RunMaps with_maps(std::map<std::string, Volume> images, const Operation& operation,
                  const Values& values, const RunOrder& order) {
  std::vector<ScalarMap> maps = maps_of(operation, images, values, order);
  return {.maps = std::move(maps), .images = std::move(images)};
}

RunMaps maps_of(const Operation& operation, const RunReport& report, const RunOrder& order) {
  return with_maps(images_of(operation, report.outputs, report.geometry), operation, report.values,
                   order);
}

}  // namespace

RunMaps maps_again(const OperationTable& table, const RunOrder& order, const Run& run,
                   Context& context) {
  const Operation& operation = table.at(run.operation);
  if (!run.images.empty()) return with_maps(run.images, operation, run.values_used, order);
  return maps_of(operation, report_again(table, order, run, context), order);
}

bool keeps_picture(const OperationTable& table, const Run& run) {
  const Operation& operation = table.at(run.operation);
  return (!run.labels.empty() || !has_output(operation, OutputKind::Labels)) &&
         (!run.images.empty() || !has_maps(operation));
}

RunPicture picture_again(const OperationTable& table, const RunOrder& order, const Run& run,
                         Context& context) {
  const Operation& operation = table.at(run.operation);
  if (keeps_picture(table, run)) {
    return {with_maps(run.images, operation, run.values_used, order),
            run.labels.empty() ? LabelMap() : run.labels.unpack()};
  }
  const RunReport report = report_again(table, order, run, context);
  return {maps_of(operation, report, order), labels_of(operation, report.outputs)};
}

bool has_output(const Operation& operation, OutputKind kind) {
  return std::any_of(operation.outputs.begin(), operation.outputs.end(),
                     [kind](const OutputSpec& output) { return output.kind == kind; });
}

bool has_maps(const Operation& operation) {
  return std::any_of(
      operation.outputs.begin(), operation.outputs.end(),
      [](const OutputSpec& each) { return each.kind == OutputKind::Image && !each.own_grid; });
}

Score score_against(const LabelMap& reference, Scored scored, const LabelMap& labels,
                    Context& context) {
  const LabelMap seen = compared_part(labels, reference, scored, context);
  return {.labels = OverlapCounts(seen, reference, context).dice(),
          .foreground = foreground_overlap(seen, reference).dice()};
}

Score scored(const LabelOrigin& origin, const Run& run, const Score& score,
             const std::set<std::uint16_t>& reference_ids) {
  if (has_painted_labels(origin.operation, origin.run)) {
    Score painted;
    origin.run.seeds.for_each([&](const Stroke& stroke) {
      const auto found = score.labels.find(stroke.label);
      if (found != score.labels.end() && reference_ids.contains(stroke.label))
        painted.labels.insert(*found);
    });
    return painted;
  }
  const bool same_few =
      reference_ids.size() <= kMostNamedLabels && run.voxels.size() == reference_ids.size() &&
      std::all_of(run.voxels.begin(), run.voxels.end(),
                  [&](const auto& label) { return reference_ids.contains(label.first); });
  if (same_few) return {.labels = score.labels, .foreground = {}};
  return {.labels = {}, .foreground = score.foreground};
}

bool holds_objects(const Operation& operation, const Run& run) {
  return !has_painted_labels(operation, run) && run.voxels.size() > 1;
}

int ranks_in(const Operation& operation, const Run& run) {
  const auto labels =
      std::find_if(operation.outputs.begin(), operation.outputs.end(),
                   [](const OutputSpec& output) { return output.kind == OutputKind::Labels; });
  const bool ranked = labels != operation.outputs.end() && labels->ranked && !run.voxels.empty();
  return ranked ? run.voxels.rbegin()->first : 0;
}

std::optional<Backend> backend_named(const std::string& name) {
  if (name == "cpu") return Backend::Cpu;
  if (name == "cuda") return Backend::Cuda;
  return std::nullopt;
}

}  // namespace seedwave
