// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/morphology.h"
#include "core/ops/operation_table.h"
#include "core/ops/run.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

/// Times the implementations of an operation against each other, after verifying that they agree.
/// Independent of the window and of files: the command line and a bare GPU machine measure with the
/// same code.
namespace seedwave::bench {

/// One computation: an operation on a generated input.
struct TimedCase {
  std::string name;  // "head 256x256x124, two strokes"
  RunRequest request;
  /// Digest of the image's voxels, which shows whether two machines measured the same input.
  std::string digest;
  /// Seeds for timing the response to a stroke. If not empty, the request runs first, untimed, on
  /// an empty cache. Then these seeds are timed one after the other on what the previous runs left
  /// in the cache.
  std::vector<SeedVoxels> further_seeds{};
  /// Algorithms that would take minutes: left out if others are requested too.
  std::vector<std::string> left_out{};
  /// Another operation on the same input, which takes turns with the algorithms; not an answer to
  /// compare. Empty: none.
  RunRequest beside{};
  /// The algorithm to compare with if the operation's reference algorithm is not requested or is
  /// left out; empty: the first requested one.
  std::string baseline{};
};

/// Returns, for example, "256x256x124" or "4096x4096".
[[nodiscard]] std::string text_of_size(const Index3& size);

/// Returns the inputs for an operation's measurements: the phantom of head(), with suitable values
/// for it or else the initial ones. An operation with seeds has one case with many and one with two
/// strokes. If the work depends on the extent of a front, the strokes are also run with two other
/// sigma_o: "front only" leaves most of the head unvisited, "every voxel" reaches nearly all of it.
/// "added stroke" times each of several strokes added to the two, one by one; "snake" is the worst
/// case. `segment` is timed beside `irfc`, with estimates and with given values. For reconstruction
/// and its family, distances, watersheds, lines and windows of images see reconstruction_cases(),
/// distance_cases(), watershed_cases(), line_cases(), texture_cases(). Throws Cancelled.
[[nodiscard]] std::vector<TimedCase> cases_of(const Operation& operation, const Index3& size,
                                              Context& context);

/// One implementation that takes part in a comparison.
struct Contender {
  std::string algorithm;
  Backend backend = Backend::Cpu;
  int threads = 1;
  int device = 0;
  bool is_beside = false;  // runs TimedCase::beside, and is named by that operation
};

/// Cold: every run starts with an empty cache, like the first on an image. Warm: with the cache of
/// the previous run, as after another stroke.
enum class CacheState { Cold, Warm };

struct TimingSettings {
  int repeats = 5;
  CacheState cache = CacheState::Cold;
  std::stop_token stop{};
  Context::Progress progress{};
};

/// The measurements of one contender on one case.
struct Timing {
  Contender contender;
  std::string device;  // its name; "" on the CPU
  /// Times of all runs, in order; for each only the operation, from image to result.
  std::vector<double> ms;
  double median_ms = 0.0;
  double low_ms = 0.0;
  double high_ms = 0.0;
  /// The medians by stage.
  std::vector<StageTime> stages;
  /// Median of the baseline divided by this one's.
  double times_faster = 1.0;
  std::string digest;  // of the main output
  /// Set if the digest equals the baseline's. An exact contender without it is a fault.
  bool agrees = true;
  bool exact = true;
};

struct CaseTimings {
  std::string name;
  std::string operation;
  std::string input_digest;
  std::int64_t voxels = 0;
  /// Index of the baseline: the first contender that runs the operation's reference algorithm on
  /// the CPU, else the case's own baseline, else the first.
  std::size_t baseline = 0;
  std::vector<Timing> timings;

  /// Returns true if every exact contender has the baseline's digest.
  [[nodiscard]] bool all_agree() const;
};

/// Runs each contender once (which also warms it up) and compares the results. Then times them in
/// turns, so that other load on the machine affects all alike. Throws what run_operation() throws.
[[nodiscard]] CaseTimings time_case(const OperationTable& table, const TimedCase& timed,
                                    std::span<const Contender> asked_for,
                                    const TimingSettings& settings);

/// Returns a case as a table for people: medians, range, ratio to the baseline, stages.
[[nodiscard]] std::string describe(const CaseTimings& timings);
[[nodiscard]] nlohmann::ordered_json to_json(const CaseTimings& timings);

/// Returns the benchmark inputs for `distance` and `influence-zones`.
///
/// Images: nuclei (tissue() above a threshold), sparse (1000 background pixels), and images with
/// most pixels far from any background: a disc, everything but nuclei, everything but the diagonal,
/// everything but one pixel. Volumes: the tissue of head(), 500 background voxels, and one. Zones
/// grow from the sparse points, each with a label of its own.
[[nodiscard]] std::vector<TimedCase> distance_cases(const Operation& operation, const Index3& size,
                                                    Context& context);

/// Returns the benchmark inputs for the operations by lines.
///
/// Images: noise, u8, in which every window ends soon and which keeps stacks and queues busy; and
/// tissue(), with long flat zones. Openings of noise are at 0, 30, 45 and 90 degrees, of 11, 41,
/// 101 and 251 pixels; those of tissue() are of 41 pixels. Volumes: head(), along z and along (1,
/// 0.5, 0.25), 21 voxels. Operations over many directions or lengths have their own values, with
/// lines of 41 on noise, otherwise on head().
[[nodiscard]] std::vector<TimedCase> line_cases(const Operation& operation, const Index3& size,
                                                Context& context);

/// Returns the benchmark inputs for reconstruction and its family. Images: tissue() with three
/// markers: opening by a disc of radius 15, erosion by a square of 31 x 31, and the image minus 40.
/// `reconstruct` also has the worst cases, of at most 1024 x 1024. Volumes: head() with h = 200.
[[nodiscard]] std::vector<TimedCase> reconstruction_cases(ReconstructionOperation operation,
                                                          const Index3& size, Context& context);

/// Returns the benchmark inputs for `watershed`, `split-objects` and `clean-labels`.
///
/// Watershed of images: tissue() smoothed by sigma 2, with dark nuclei and 4 and 8 neighbours; its
/// markers are the minima of squares of 15 x 15 below 140. Also pure noise with a marker in one of
/// 961 pixels, and one plateau with the same markers. Watershed of volumes: head() with its many
/// seeds as markers. Objects to split: nuclei, and the tissue of the head.
[[nodiscard]] std::vector<TimedCase> watershed_cases(const Operation& operation, const Index3& size,
                                                     Context& context);

}  // namespace seedwave::bench
