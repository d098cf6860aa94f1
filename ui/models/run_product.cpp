// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_product.h"

#include "core/base/error.h"
#include "core/metrics/overlap.h"

#include <QDateTime>

#include <algorithm>
#include <utility>
#include <variant>

namespace seedwave::ui {

namespace {

std::string now_utc() {
  return QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
}

/// The first label output of a report; empty where it has none.
LabelMap labels_of(const Operation& operation, const RunReport& report) {
  for (const OutputSpec& output : operation.outputs) {
    if (output.kind == OutputKind::Labels) return std::get<LabelMap>(report.outputs.at(output.id));
  }
  return {};
}

/// Takes a pass over each map, for its range.
std::vector<ScalarMap> maps_of(const Operation& operation, const RunReport& report) {
  std::vector<ScalarMap> maps;
  for (const OutputSpec& output : operation.outputs) {
    const auto found = report.outputs.find(output.id);
    if (output.kind != OutputKind::Image || found == report.outputs.end()) continue;
    ScalarMap map{.name = output.id,
                  .unit = output.unit,
                  .full = output.full,
                  .none = output.none,
                  .volume = std::get<Volume>(found->second)};
    // Only what lies on the image can be shown over it, and only one value a voxel as a colour.
    if (map.volume.components() != 1 || !same_grid(map.volume.geometry(), report.geometry))
      continue;
    map.range = map_range(map);
    maps.push_back(std::move(map));
  }
  return maps;
}

const OutputSummary& main_summary(const Operation& operation, const RunReport& report) {
  return report.summaries.at(operation.main_output().id);
}

/// More labels than this, and that two maps have the same ones says nothing.
constexpr std::size_t kMostNamedLabels = 32;

Run run_from(const Operation& operation, const RunReport& report, const Values& asked,
             const SeedSet& seeds) {
  Run run;
  run.time = now_utc();
  run.operation = report.operation;
  run.values = asked;
  run.values_used = report.values;
  run.algorithm = report.algorithm;
  run.backend = name_of(report.backend);
  run.device = report.device;
  run.why = report.why;
  run.stages = report.stages;
  run.total_ms = report.total_ms;
  run.digest = main_summary(operation, report).digest;
  run.voxels = main_summary(operation, report).counts;
  run.dice = report.dice;
  run.warnings = report.warnings;
  run.seeds = seeds;
  return run;
}

}  // namespace

RunProduct make_run(const OperationTable& table, RunRequest request, const Values& asked,
                    const SeedSet& seeds, const LabelMap& before, Context& context) {
  request.inputs.seeds = seeds.rasterise(request.inputs.image.geometry());
  const Operation& operation = table.at(request.operation);
  const RunReport report = run_operation(table, request, context);
  RunProduct product{.before = before,
                     .labels = labels_of(operation, report),
                     .maps = maps_of(operation, report),
                     .run = run_from(operation, report, asked, seeds)};
  if (product.labels.empty()) return product;
  if (!request.inputs.reference.empty()) {
    product.run.foreground_dice =
        foreground_overlap(product.labels, request.inputs.reference).dice();
  }
  product.run.labels = PackedLabels(product.labels);
  if (!before.empty() && same_grid(before.geometry(), product.labels.geometry())) {
    product.labels = product.labels.with_changed(changed_box(before, product.labels));
  }
  return product;
}

std::vector<ScalarMap> maps_again(const OperationTable& table, const Volume& scene, const Run& run,
                                  Context& context) {
  RunRequest request;
  request.operation = run.operation;
  request.values = run.values_used;
  request.inputs.image = scene;
  request.inputs.seeds = run.seeds.rasterise(scene.geometry());
  const Operation& operation = table.at(run.operation);
  const RunReport report = run_operation(table, request, context);
  if (main_summary(operation, report).digest != run.digest) {
    throw InputError("the maps of run " + std::to_string(run.id) +
                     " cannot be shown: the same strokes and values now give another result, so "
                     "the image or its channel is not the one of then");
  }
  return maps_of(operation, report);
}

bool has_maps(const Operation& operation) {
  return std::any_of(operation.outputs.begin(), operation.outputs.end(),
                     [](const OutputSpec& output) { return output.kind == OutputKind::Image; });
}

Score scored(const Operation& operation, const Run& run,
             const std::map<std::uint16_t, double>& dice, std::optional<double> foreground,
             const std::set<std::uint16_t>& reference_ids) {
  Score score;
  if (operation.wants(InputKind::Seeds)) {
    for (const Stroke& stroke : run.seeds.strokes) {
      const auto found = dice.find(stroke.label);
      if (found != dice.end() && reference_ids.contains(stroke.label)) score.labels.insert(*found);
    }
    return score;
  }
  const bool same_few =
      reference_ids.size() <= kMostNamedLabels && run.voxels.size() == reference_ids.size() &&
      std::all_of(run.voxels.begin(), run.voxels.end(),
                  [&](const auto& label) { return reference_ids.contains(label.first); });
  if (same_few) {
    score.labels = dice;
  } else {
    score.foreground = foreground;
  }
  return score;
}

bool holds_objects(const Operation& operation, const Run& run) {
  return !operation.wants(InputKind::Seeds) && run.voxels.size() > 1;
}

std::optional<Backend> backend_named(const std::string& name) {
  if (name == "cpu") return Backend::Cpu;
  if (name == "cuda") return Backend::Cuda;
  return std::nullopt;
}

}  // namespace seedwave::ui
