// SPDX-License-Identifier: Apache-2.0
#include "core/ops/sigma_search.h"

#include "core/base/error.h"
#include "core/image/label_map.h"
#include "core/metrics/label_matching.h"
#include "core/metrics/overlap.h"
#include "core/ops/label_numbers.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <variant>

namespace seedwave {
namespace {

/// In octaves relative to the first sigma_o.
constexpr double kLowest = -3.0;
constexpr double kCoarseStep = 0.5;
constexpr int kCoarseRuns = 10;
constexpr double kFineSteps[] = {0.25, 0.125};
constexpr int kRuns = kCoarseRuns + 2 * static_cast<int>(std::size(kFineSteps));

/// Returns sigma_o with every number in it multiplied.
Value scaled(const Value& sigma_o, double factor) {
  if (const double* number = std::get_if<double>(&sigma_o)) return *number * factor;
  LabelNumbers numbers = parse_label_numbers(std::get<std::string>(sigma_o)).value();
  for (auto& [label, number] : numbers)
    number *= factor;
  return to_text(numbers);
}

double number_of(const Value& sigma_o, Label label) {
  if (const double* number = std::get_if<double>(&sigma_o)) return *number;
  const LabelNumbers numbers = parse_label_numbers(std::get<std::string>(sigma_o)).value();
  const auto found = numbers.find(label);
  return found == numbers.end() ? numbers.begin()->second : found->second;
}

/// Runs the operation with one sigma_o after another and counts the runs.
class Search {
 public:
  Search(const Implementation& implementation, const Inputs& inputs, Values values,
         const LabelMap& reference, Label label, Scored scored, Context& context)
      : implementation_(implementation),
        inputs_(inputs),
        values_(std::move(values)),
        reference_(reference),
        label_(label),
        scored_(scored),
        context_(context),
        // Progress is counted in runs: the runs themselves report none, but share the stop token
        // and the cache.
        quiet_({.stop = context.stop_token(),
                .progress = {},
                .threads = context.threads(),
                .device = context.device(),
                .memory = context.memory(),
                .layers = context.layers(),
                .cache = {std::shared_ptr<void>{}, &context.cache()}}) {}

  /// Tries the first sigma_o times 2^octaves. The first attempt, at 0, replaces `auto` by numbers.
  void attempt(double octaves) {
    context_.checkpoint(static_cast<double>(tried_.size()) / kRuns);
    Values values = values_;
    if (!tried_.empty()) {
      values.set("sigma_o", scaled(values.at("sigma_o"), std::exp2(octaves)));
    }
    Result result = implementation_.run(inputs_, values, quiet_);
    const LabelMap labels =
        compared_part(std::get<LabelMap>(result.outputs.at("labels")), reference_, scored_, quiet_);
    const double dice = OverlapCounts(labels, reference_, quiet_).dice().at(label_);
    tried_.push_back({octaves, dice, std::move(result.values)});
    if (tried_.size() == 1) values_ = tried_.front().values;
  }

  struct Attempt {
    double octaves = 0.0;
    double dice = 0.0;
    Values values;
  };
  [[nodiscard]] const Attempt& best() const {
    return *std::max_element(tried_.begin(), tried_.end(), [](const Attempt& a, const Attempt& b) {
      return a.dice != b.dice ? a.dice < b.dice : a.octaves > b.octaves;
    });
  }
  [[nodiscard]] SigmaSearch finish() const {
    SigmaSearch found;
    for (const Attempt& attempt : tried_) {
      found.tried.push_back({number_of(attempt.values.at("sigma_o"), label_), attempt.dice});
    }
    std::sort(found.tried.begin(), found.tried.end(),
              [](const SigmaScore& a, const SigmaScore& b) { return a.sigma_o < b.sigma_o; });
    found.best = {number_of(best().values.at("sigma_o"), label_), best().dice};
    found.values = best().values;
    return found;
  }

 private:
  const Implementation& implementation_;
  const Inputs& inputs_;
  Values values_;
  const LabelMap& reference_;
  Label label_;
  Scored scored_;
  Context& context_;
  Context quiet_;
  std::vector<Attempt> tried_;
};

void check_has_label(const LabelMap& reference, Label label) {
  if (reference.empty()) throw InputError("a search for sigma_o needs a reference: load one");
  const auto labels = reference.labels();
  if (std::find(labels.begin(), labels.end(), label) == labels.end()) {
    throw InputError("the reference has no label " + std::to_string(label));
  }
}

}  // namespace

SigmaSearch search_sigma_o(const Implementation& implementation, const Inputs& inputs,
                           const Values& values, const LabelMap& reference, Label label,
                           Scored scored, Context& context) {
  const auto stage = context.stage("search");
  check_has_label(reference, label);
  Search search(implementation, inputs, values, reference, label, scored, context);
  search.attempt(0.0);
  for (int i = 0; i < kCoarseRuns; ++i) {
    const double octaves = kLowest + i * kCoarseStep;
    if (octaves != 0.0) search.attempt(octaves);
  }
  for (const double step : kFineSteps) {
    const double middle = search.best().octaves;
    search.attempt(middle - step);
    search.attempt(middle + step);
  }
  return search.finish();
}

}  // namespace seedwave
