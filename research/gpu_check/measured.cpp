// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/measured.h"

#include "core/base/error.h"
#include "core/base/median.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace seedwave::gpu_check {
namespace {

constexpr double kLongEnoughMs = 1000.0;
constexpr double kTooLongMs = 2500.0;
constexpr std::size_t kFewestRuns = 2;

double all_ms(const Outcome& outcome) {
  double sum = 0.0;
  for (const StageTime& time : outcome.stages)
    sum += time.ms;
  return sum;
}

std::vector<double> computed_ms(const Measured& measured) {
  std::vector<double> all;
  for (const Outcome& outcome : measured.runs)
    all.push_back(measured.backend == Backend::Cuda ? device_ms(outcome) : all_ms(outcome));
  return all;
}

}  // namespace

double Measured::median_ms() const {
  std::vector<double> all = computed_ms(*this);
  return median(all);
}

double Measured::spread_percent() const {
  const std::vector<double> all = computed_ms(*this);
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return 100.0 * (*high - *low) / median_ms();
}

double Measured::median_ms(const std::string& stage) const {
  std::vector<double> all;
  for (const Outcome& outcome : runs) {
    for (const StageTime& time : outcome.stages) {
      if (time.stage == stage) all.push_back(time.ms);
    }
  }
  return all.empty() ? 0.0 : median(all);
}

Measured measured(const Operation& operation, const Implementation& implementation,
                  const CheckCase& c, const Where& where, int repeats) {
  Measured result{.first = run(operation, implementation, c, where),
                  .runs = {},
                  .backend = implementation.backend};
  if (!result.first.refusal.empty()) throw InputError(c.name + ": " + result.first.refusal);
  if (implementation.backend == Backend::Cpu || result.first.wall_ms > kTooLongMs) {
    result.runs.push_back(result.first);
    result.runs.back().result = {};
    return result;
  }
  double taken = 0.0;
  while (std::ssize(result.runs) < repeats &&
         (result.runs.size() < kFewestRuns || taken < kLongEnoughMs)) {
    result.runs.push_back(run(operation, implementation, c, where));
    result.runs.back().result = {};  // those of all runs together would fill the memory
    taken += result.runs.back().wall_ms;
  }
  return result;
}

const Implementation& implementation_of(const Operation& operation, const std::string& algorithm,
                                        Backend backend) {
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.algorithm == algorithm && implementation.backend == backend) {
      return implementation;
    }
  }
  throw UsageError(operation.id + " has no algorithm '" + algorithm + "' on " + name_of(backend));
}

double device_ms(const Outcome& outcome) {
  constexpr std::array kOnDevice{"affinity",  "scans",       "propagate", "labels",
                                 "altitudes", "hops",        "distance",  "opening",
                                 "closing",   "orientation", "spectrum"};
  double sum = 0.0;
  for (const StageTime& time : outcome.stages) {
    if (std::find(kOnDevice.begin(), kOnDevice.end(), time.stage) != kOnDevice.end())
      sum += time.ms;
  }
  return sum;
}

double rounded_ms(double ms) {
  return std::round(ms * 1000.0) / 1000.0;
}

}  // namespace seedwave::gpu_check
