// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_product.h"

#include "core/base/error.h"

#include <QDateTime>

#include <utility>
#include <variant>

namespace seedwave::ui {

namespace {

std::string now_utc() {
  return QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
}

/// The labels of a report: its main output where that is one.
LabelMap labels_of(const RunReport& report) {
  for (const auto& [id, output] : report.outputs) {
    if (const auto* labels = std::get_if<LabelMap>(&output)) return *labels;
  }
  return {};
}

Volume strength_of(const RunReport& report) {
  const auto found = report.outputs.find("strength");
  if (found == report.outputs.end()) return {};
  const auto* strength = std::get_if<Volume>(&found->second);
  return strength == nullptr ? Volume() : *strength;
}

std::string digest_of(const RunReport& report) {
  const auto found = report.summaries.find("labels");
  if (found != report.summaries.end()) return found->second.digest;
  return report.summaries.empty() ? std::string() : report.summaries.begin()->second.digest;
}

Run run_from(const RunReport& report, const Values& asked, const SeedSet& seeds) {
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
  run.digest = digest_of(report);
  run.dice = report.dice;
  run.warnings = report.warnings;
  run.seeds = seeds;
  if (const auto found = report.summaries.find("labels"); found != report.summaries.end()) {
    run.voxels = found->second.counts;
  }
  return run;
}

}  // namespace

RunProduct make_run(const OperationTable& table, RunRequest request, const Values& asked,
                    const SeedSet& seeds, const LabelMap& before, Context& context) {
  request.inputs.seeds = seeds.rasterise(request.inputs.image.geometry());
  const RunReport report = run_operation(table, request, context);
  RunProduct product{.before = before,
                     .labels = labels_of(report),
                     .strength = strength_of(report),
                     .run = run_from(report, asked, seeds)};
  if (product.labels.empty()) return product;
  product.run.labels = PackedLabels(product.labels);
  if (!before.empty() && same_grid(before.geometry(), product.labels.geometry())) {
    product.labels = product.labels.with_changed(changed_box(before, product.labels));
  }
  return product;
}

Volume strength_again(const OperationTable& table, const Volume& scene, const Run& run,
                      Context& context) {
  RunRequest request;
  request.operation = run.operation;
  request.values = run.values_used;
  request.inputs.image = scene;
  request.inputs.seeds = run.seeds.rasterise(scene.geometry());
  const RunReport report = run_operation(table, request, context);
  if (digest_of(report) != run.digest) {
    throw InputError("the strength of run " + std::to_string(run.id) +
                     " cannot be shown: the same strokes and values now give another result, so "
                     "the image or its channel is not the one of then");
  }
  return strength_of(report);
}

std::map<std::uint16_t, double> scored_labels(const std::map<std::uint16_t, double>& dice,
                                              const SeedSet& seeds,
                                              const std::set<std::uint16_t>& reference_ids) {
  std::map<std::uint16_t, double> kept;
  for (const Stroke& stroke : seeds.strokes) {
    const auto found = dice.find(stroke.label);
    if (found != dice.end() && reference_ids.contains(stroke.label)) kept.insert(*found);
  }
  return kept;
}

std::optional<Backend> backend_named(const std::string& name) {
  if (name == "cpu") return Backend::Cpu;
  if (name == "cuda") return Backend::Cuda;
  return std::nullopt;
}

}  // namespace seedwave::ui
