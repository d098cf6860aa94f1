// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/ops/operation_table.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// What is to be run: command line, window and benchmarks all ask in this form.
struct RunRequest {
  std::string operation;
  /// What the user set; a parameter that is not in it has its initial value.
  Values values;
  ImplementationRequest how;
  Inputs inputs;
};

/// What is told about one output, beside the output itself.
struct OutputSummary {
  /// XXH64 over the voxels, x fastest, labels as u16; over the rows of a table as f64.
  std::string digest;
  /// Labels only: the voxels of each label that has any, background left out.
  std::map<std::uint16_t, std::int64_t> counts;
};

/// What a run did and what came out.
struct RunReport {
  std::string operation;
  std::string algorithm;
  Backend backend = Backend::Cpu;
  std::string device;  // its name; "" on the CPU
  /// Why this backend, for the status bar: "auto: fits on device 0", "built without CUDA".
  std::string why;
  /// All values as used, `auto` replaced by its number.
  Values values;
  /// The image's grid and type.
  Geometry geometry;
  VoxelType type = VoxelType::U8;
  /// All that the context has timed, what came before the run (reading files) included.
  std::vector<StageTime> stages;
  /// The operation alone, without reading and writing files and without the summaries below.
  double total_ms = 0.0;
  std::map<std::string, Output> outputs;
  std::map<std::string, OutputSummary> summaries;
  /// Dice of the main output against the reference, of each label that either has; empty for a
  /// label that the reference lacks.
  std::map<std::uint16_t, std::optional<double>> dice;
  std::vector<std::string> warnings;
};

/// The one door to every operation: checks the values and inputs, chooses the implementation, runs
/// it, and sums up what came out.
///
/// Where the backend was left to us and the device turns out not to have the memory, the CPU takes
/// over and `why` says so. Use one context for each run: its times go into the report.
///
/// Throws UsageError (operation, algorithm, value), InputError (inputs), UnavailableError,
/// Cancelled.
[[nodiscard]] RunReport run_operation(const OperationTable& table, const RunRequest& request,
                                      Context& context);

}  // namespace seedwave
