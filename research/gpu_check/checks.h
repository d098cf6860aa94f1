// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/ops/operation_table.h"
#include "research/gpu_check/check_case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// The findings of a check: rows of equal fields, for a table or for JSON, and failures in words.
struct Report {
  std::vector<nlohmann::ordered_json> rows;
  std::vector<std::string> failures;
};

/// Maximum number of failures that a check describes. More would add no information.
inline constexpr std::size_t kMostFailures = 10;

/// Returns whether `name` is requested; without names all are.
[[nodiscard]] inline bool is_wanted(const std::string& name,
                                    const std::vector<std::string>& names) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

struct ParityOptions {
  int device = 0;
  int random_cases = 1000;
  std::uint64_t first_case = 0;
  std::vector<CheckCase> cases;     // in addition to the random ones
  std::vector<CheckCase> pictures;  // 2-D images, counted together
  /// Only algorithms with names that begin with this.
  std::string algorithm;
  /// Only these operations; empty: all.
  std::vector<std::string> operations;
};
/// Compares every exact CUDA implementation with the CPU reference, bit for bit. Inputs are the
/// random cases, and each of them again with more seeds and the affinities still on the device.
/// Others are sequences of strokes, in which a run continues from the previous one, and `cases`.
/// Before each run its device memory is filled with 0xA5.
[[nodiscard]] Report check_parity(const OperationTable& table, const ParityOptions& options);

struct PartsOptions {
  int device = 0;
  int random_cases = 60;
  /// Only these operations; empty: all.
  std::vector<std::string> operations;
};
/// Compares every exact CUDA implementation that can work in parts with the CPU, with memory limits
/// from the minimum to nearly that of the whole. The result must be bit-identical, and the memory
/// used must not exceed the limit.
[[nodiscard]] Report check_parts(const OperationTable& table, const PartsOptions& options);

struct SharesOptions {
  int device = 0;
  int random_cases = 200;
  /// Only these operations; empty: all.
  std::vector<std::string> operations;
};
/// Compares every exact CUDA implementation that several workers can share with the CPU: a device
/// and CPU threads, two workers on one device, all devices. Slabs of one layer up; what is shared
/// in parts, in as many as there are. The result must be bit-identical.
[[nodiscard]] Report check_shares(const OperationTable& table, const SharesOptions& options);

struct AccuracyOptions {
  int device = 0;
  int random_cases = 300;
};
/// Compares the approximate distance transforms of CPU and CUDA with the exact one, on the paper's
/// example and on random images with few background pixels. No distance may be too small, or too
/// large by more than is allowed.
[[nodiscard]] Report check_accuracy(const OperationTable& table, const AccuracyOptions& options);

struct DeterminismOptions {
  int device = 0;
  int runs = 20;
  std::vector<CheckCase> cases;
};
/// Repeats every exact CUDA implementation, with the affinities left on the device every second
/// time. All digests must be equal.
[[nodiscard]] Report check_determinism(const OperationTable& table,
                                       const DeterminismOptions& options);

struct BenchOptions {
  int device = 0;
  int repeats = 5;
  Index3 size{512, 512, 192};
  /// Side of the 2-D images; 0: none.
  std::int64_t picture = 4096;
  /// Arrays of bytes with background 0. Distances are timed on these too, for comparison with
  /// another program on the same files.
  std::vector<std::filesystem::path> objects;
  /// Connectivity. 0: 6 for the head, 4 for a 2-D image.
  int connectivity = 0;
  /// The only algorithm to time on the head, without comparing it with the others; "": all.
  std::string algorithm;
  /// Selects the reference: the CPU's irfc as well, or only CUDA against CUDA.
  enum class Agreement { WithCpu, CudaOnly };
  Agreement agreement = Agreement::WithCpu;
};
/// Times the CUDA implementations: fuzzy connectedness on head(size) with many seeds and with two
/// strokes; reconstruction, distance and watershed on 2-D images; distance on files. Reports
/// medians of the stages by device events, medians of the total, and their range. On the head it
/// also reports how many times as long the paper's algorithm took on the same seeds in the same
/// call. First the results must agree: all with the CPU's references, the strengths of all with
/// each other, and rfc's object within porfc's within irfc's.
[[nodiscard]] Report bench(const OperationTable& table, const BenchOptions& options);

struct LineOptions {
  int device = 0;
  int random_cases = 1000;
  std::uint64_t first_case = 0;
};

/// A small random 2-D image or volume, the same for the same number on every machine. It covers
/// every type, border and filter and any direction; sizes around a word, a block of rows and a
/// tile; images one cell wide and images without flat zones; lengths from 1 to beyond the image.
struct LineCase {
  std::string name;
  LinearOpeningProblem problem;
};
[[nodiscard]] LineCase random_line_case(std::uint64_t number);

/// Compares openings and closings by lines with core's, bit for bit, on random cases. Covers every
/// CUDA solver and each of its methods, slabs for too little memory, and many directions at once.
/// Before each run its device memory is filled with 0xA5, and every run is repeated.
[[nodiscard]] Report check_lines(const LineOptions& options);

struct TextureOptions {
  int device = 0;
  int random_cases = 500;
  std::uint64_t first_case = 0;
};

/// Compares two-point correlations of random images, their nearest classes and samples with core's,
/// bit for bit. Strips of any height and too little memory are included. Before each run its device
/// memory is filled with 0xA5, and every run is repeated.
[[nodiscard]] Report check_textures(const TextureOptions& options);

struct StressOptions {
  int device = 0;
  int runs = 1000;
  std::uint64_t first_case = 0;
};
/// Stresses the engine's worklist with tiles of 32 cells, hundreds of workers, and visits with
/// random delays, left and continued. Every run must end at the fixpoint that plain sweeps on the
/// host find.
[[nodiscard]] Report check_stress(const StressOptions& options);

struct CutOptions {
  int device = 0;
  int random_cases = 1000;
  std::uint64_t first_case = 0;
};
/// Cuts random networks and compares the smallest and the largest source sets with those of the
/// CPU's minimum cuts.
[[nodiscard]] Report check_cuts(const CutOptions& options);

/// Adds 2-D images with the neighbourhoods of volumes to a report of check_parity(). A slice then
/// has 4 neighbours (with 6) or 8 (with 18, 26). Operations refuse these; the solvers accept them.
void compare_flat_volumes(int device, int cases, Report& report);

/// Adds connectedness with kept device data to a report of check_parts(). After a run on the whole
/// come a run with a memory limit, and one on a device that turns out to be too full. Both must be
/// bit-identical to the CPU and free the kept data.
void compare_on_full_device(const OperationTable& table, const PartsOptions& options,
                            Report& report);

}  // namespace seedwave::gpu_check
