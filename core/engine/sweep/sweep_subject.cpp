// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/sweep_subject.h"

#include <utility>
#include <variant>

namespace seedwave {

OperationSubject::OperationSubject(const OperationTable& table, RunRequest request)
    : table_(table), request_(std::move(request)) {
  const Operation& operation = table_.at(request_.operation);
  check_inputs(operation, request_.inputs);
  static_cast<void>(checked_values(operation, request_.values, grid().is_2d()));
}

std::set<Label> OperationSubject::seeded_labels() const {
  std::set<Label> labels;
  for (const Seed& seed : request_.inputs.seeds.seeds)
    labels.insert(seed.label);
  return labels;
}

bool OperationSubject::gives_labels() const {
  return table_.at(request_.operation).main_output(request_.inputs.reads()).labels() != nullptr;
}

SweepSubject::Result OperationSubject::run(const Values& varied, Context& context) const {
  RunRequest request = request_;
  for (const auto& [id, value] : varied)
    request.values.set(id, value);
  RunReport report = run_operation(table_, request, context);
  const std::string& main = table_.at(report.operation).main_output(report.reads).id;
  Result result{.facts = std::move(report.facts), .labels = {}};
  if (auto* labels = std::get_if<LabelMap>(&report.outputs.at(main)))
    result.labels = std::move(*labels);
  return result;
}

}  // namespace seedwave
