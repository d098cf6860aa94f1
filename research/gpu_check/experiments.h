// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "research/gpu_check/checks.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// The papers' experiments on this machine, in their layout: Teodoro et al. 2012, Table 1, and
/// 2013, Tables 1 and 2, Figures 11, 13, 14 and 15 (b), sections 5.2.4 and 5.3; Zhuge et al. 2013,
/// Tables I and II; Karas et al. 2015, Figures 5 and 8 to 11; Cooper et al. 2012, Tables II, III, V
/// and VI. Inputs are generated. Results are compared before they are timed.
namespace seedwave::gpu_check {

struct ExperimentOptions {
  int device = 0;
  std::vector<std::string> only;  // names; empty: all
  int repeats = 5;
  /// Side of the largest image, for devices with less memory; the paper's is 16384.
  std::int64_t largest = 16384;
  /// Quick: small inputs, to verify that it works.
  enum class Extent { Full, Quick };
  Extent extent = Extent::Full;
};
[[nodiscard]] inline bool is_quick(const ExperimentOptions& options) {
  return options.extent == ExperimentOptions::Extent::Quick;
}

/// One table of results.
struct Experiment {
  std::string title;  // the varied parameter and the reported quantity
  Report report;
};

struct NamedExperiment {
  /// Nothing: without a device only its columns are omitted.
  enum class Needs { Device, Nothing };

  std::string name;
  std::function<std::vector<Experiment>(const OperationTable&, const ExperimentOptions&)> run;
  Needs needs = Needs::Device;
};
/// Returns all experiments, in the order of the papers.
[[nodiscard]] std::vector<NamedExperiment> paper_experiments();

// Experiments by paper.
[[nodiscard]] std::vector<NamedExperiment> wavefront_experiments();
[[nodiscard]] std::vector<NamedExperiment> shared_experiments();
[[nodiscard]] std::vector<NamedExperiment> fuzzy_experiments();
[[nodiscard]] std::vector<NamedExperiment> line_experiments();
[[nodiscard]] std::vector<NamedExperiment> texture_experiments();

}  // namespace seedwave::gpu_check
