// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "core/ops/run.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

/// Times the ways to compute an operation beside each other, after seeing that they agree.
/// Neither window nor files: the command line and a bare GPU machine measure with the same code.
namespace seedwave::bench {

/// One thing to compute: an operation on an input that a formula gives.
struct TimedCase {
  std::string name;  // "head 256x256x124, two strokes"
  RunRequest request;
  /// Of the image's voxels, so that two machines can see that they measured the same.
  std::string digest;
  /// Not empty: the request runs first, untimed, on an empty cache; then, timed, these seeds one
  /// after the other on what the runs before left there. How fast a stroke is answered.
  std::vector<SeedVoxels> further_seeds{};
  /// Algorithms that would take minutes: left out where others are asked for too.
  std::vector<std::string> left_out{};
  /// What the others are compared with where the operation's reference algorithm was not asked for
  /// or is left out; empty: the first of them.
  std::string baseline{};
};

/// "256x256x124", "4096x4096".
[[nodiscard]] std::string text_of_size(const Index3& size);

/// The inputs that an operation is measured on: the phantom of head(), where it wants seeds once
/// with many and once with two strokes; values as they go with it, else the initial ones. Where the
/// work depends on how far a front comes, the strokes also with two other sigma_o: "front only"
/// leaves most of the head alone, "every voxel" reaches nearly all; "added stroke" times each of
/// several strokes that are added to the two, one by one; and "snake" is the worst case.
/// Reconstruction and its family, distances, watersheds, lines, windows of pictures: see
/// reconstruction_cases(), distance_cases(), watershed_cases(), line_cases(), texture_cases().
/// Throws Cancelled.
[[nodiscard]] std::vector<TimedCase> cases_of(const Operation& operation, const Index3& size,
                                              Context& context);

/// One way to compute it.
struct Contender {
  std::string algorithm;
  Backend backend = Backend::Cpu;
  int threads = 1;
  int device = 0;
};

/// Cold: every run starts with an empty cache, as the first on an image. Warm: with what the run
/// before it left, as after another stroke.
enum class CacheState { Cold, Warm };

struct TimingSettings {
  int repeats = 5;
  CacheState cache = CacheState::Cold;
  std::stop_token stop{};
  Context::Progress progress{};
};

/// What one contender did on one case.
struct Timing {
  Contender contender;
  std::string device;  // its name; "" on the CPU
  /// All runs, in the order of time; of each the operation alone, from image to result.
  std::vector<double> ms;
  double median_ms = 0.0;
  double low_ms = 0.0;
  double high_ms = 0.0;
  /// The medians by stage.
  std::vector<StageTime> stages;
  /// The baseline's median over this one's.
  double times_faster = 1.0;
  std::string digest;  // of the main output
  /// Same digest as the baseline. An exact contender that does not is a fault.
  bool agrees = true;
  bool exact = true;
};

struct CaseTimings {
  std::string name;
  std::string operation;
  std::string input_digest;
  std::int64_t voxels = 0;
  /// What the others are compared with: the first contender that runs the operation's reference
  /// algorithm on the CPU, else the case's own baseline, else the first.
  std::size_t baseline = 0;
  std::vector<Timing> timings;

  /// True when every exact contender has the baseline's digest.
  [[nodiscard]] bool all_agree() const;
};

/// Runs each contender once (which also warms it up) and compares the results, then times them in
/// turns, so that what else the machine does falls on all alike.
/// Throws what run_operation() throws.
[[nodiscard]] CaseTimings time_case(const OperationTable& table, const TimedCase& timed,
                                    std::span<const Contender> asked_for,
                                    const TimingSettings& settings);

/// A case as a table for people: medians, spread, ratio to the baseline, stages.
[[nodiscard]] std::string describe(const CaseTimings& timings);
[[nodiscard]] nlohmann::ordered_json to_json(const CaseTimings& timings);

}  // namespace seedwave::bench
