// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_counts.h"
#include "core/ops/operation.h"
#include "core/ops/operation_table.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// A request to run an operation, as made by the command line, the window and the benchmarks.
struct RunRequest {
  std::string operation;
  /// Values set by the user. Other parameters have their initial values.
  Values values;
  ImplementationRequest how;
  Inputs inputs;
};

/// Summary of one output.
struct OutputSummary {
  /// XXH64 over the voxels, x fastest, labels as u16; over the rows of a table as f64.
  std::string digest;
  /// Labels only: number of voxels of each label that occurs, without the background.
  LabelCounts counts;
};

/// The facts about a run, apart from its outputs, that reports, sweeps, the history and session
/// files hold.
struct RunFacts {
  /// All values as used, `auto` replaced by its number.
  Values values;
  std::string algorithm;
  /// Its name: a session may name one that this version lacks.
  std::string backend;
  std::string device;  // its name; "" on the CPU
  /// Why this backend, for the status bar: "auto: fits on device 0", "built without CUDA".
  std::string why;
  /// All stages timed by the context, including those before the run (reading files).
  std::vector<StageTime> stages;
  /// The operation alone, without reading and writing files and without digests and counts.
  double total_ms = 0.0;
  /// Digest of the main output, and the voxels of each of its labels.
  std::string digest;
  LabelCounts voxels;
  std::vector<std::string> warnings;
  /// The share of each of several workers, of all processes.
  struct Share {
    std::string name;  // "NVIDIA H200 (cuda:0)", "CPU, 8 threads"
    WorkDone done;
  };
  std::vector<Share> shares;
  /// The processes that shared the run, and the sums of what they sent to each other: layers as
  /// messages, and the states that each gave to the others at the end of a pass.
  struct Processes {
    int count = 1;
    std::int64_t messages = 0;
    std::int64_t message_bytes = 0;
    std::int64_t shared_bytes = 0;
  };
  Processes processes{};
};

/// Returns "NVIDIA H200 (cuda:0): 12 visits to slabs, 4096 voxels, 61.2 ms".
[[nodiscard]] std::string share_text(const RunFacts::Share& share);

/// Returns the workers and the parts of the voxels that they computed: "2 \u00d7 NVIDIA H200 95 %,
/// CPU 5 %"; only the workers if nobody computed any.
[[nodiscard]] std::string shares_in_brief(const std::vector<RunFacts::Share>& shares);

/// The Dice of each label in the result or the reference; empty for a label that the reference
/// lacks.
using DiceByLabel = std::map<Label, std::optional<double>>;

/// The outputs of a run, and how they were computed.
struct RunReport {
  std::string operation;
  RunFacts facts;
  /// The image's grid and type.
  Geometry geometry;
  VoxelType type = VoxelType::U8;
  Reads reads = Reads::Image;
  std::map<std::string, Output> outputs;
  /// The labels without the edits above them; empty if there are no labels.
  LabelMap unedited;
  std::map<std::string, OutputSummary> summaries;
  /// Set by a caller that has a reference.
  DiceByLabel dice;
};

/// Runs an operation; every caller uses this function. Of ranks that share the run only the first
/// one gets outputs. It checks the values and inputs, chooses the
/// implementation, runs it, and summarises the outputs.
///
/// If no backend was requested and the device turns out to lack memory, the CPU takes over and
/// `why` says so. Use one context for each run: its times go into the report.
///
/// Throws UsageError (operation, algorithm, value), InputError (inputs), UnavailableError,
/// Cancelled.
[[nodiscard]] RunReport run_operation(const OperationTable& table, const RunRequest& request,
                                      Context& context);

/// Returns the Dice of the main output against a reference on the image's grid; nothing if that is
/// not labels.
[[nodiscard]] DiceByLabel dice_of(const Operation& operation, const RunReport& report,
                                  const LabelMap& reference, Context& context);

}  // namespace seedwave
