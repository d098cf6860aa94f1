// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/check_case.h"
#include "core/ops/operation_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// What a check found: rows of equal fields, for a table or for JSON, and what is wrong, in words.
struct Report {
  std::vector<nlohmann::ordered_json> rows;
  std::vector<std::string> failures;
};

/// Of one check so many are told in words: with more it is clear that something is wrong.
inline constexpr std::size_t kMostFailures = 10;

/// Whether something is asked for by name: without names all is.
[[nodiscard]] inline bool is_wanted(const std::string& name,
                                    const std::vector<std::string>& names) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

struct ParityOptions {
  int device = 0;
  int random_cases = 1000;
  std::uint64_t first_case = 0;
  std::vector<CheckCase> cases;     // beside the random ones
  std::vector<CheckCase> pictures;  // the same, counted together
  /// Only algorithms whose names begin so.
  std::string algorithm;
  /// Only these operations; empty: all.
  std::vector<std::string> operations;
};
/// Every exact CUDA implementation against the CPU reference, bit for bit: on the random cases, on
/// each of them again with more seeds and the affinities left on the device, on sequences of
/// strokes where a run goes on from the one before, and on `cases`.
/// The device memory that a run is given is filled with 0xA5 first.
[[nodiscard]] Report check_parity(const OperationTable& table, const ParityOptions& options);

struct PartsOptions {
  int device = 0;
  int random_cases = 60;
  /// Only these operations; empty: all.
  std::vector<std::string> operations;
};
/// Every exact CUDA implementation that works in parts where memory is too little, with memories
/// from the least to nearly enough for the whole: the CPU's bits, and no more taken than stated.
[[nodiscard]] Report check_parts(const OperationTable& table, const PartsOptions& options);

struct AccuracyOptions {
  int device = 0;
  int random_cases = 300;
};
/// The approximate distance transforms, of CPU and CUDA, against the exact one: on the paper's
/// example and on random images with few background pixels. None may be too small, or too large by
/// more than is allowed.
[[nodiscard]] Report check_accuracy(const OperationTable& table, const AccuracyOptions& options);

struct DeterminismOptions {
  int device = 0;
  int runs = 20;
  std::vector<CheckCase> cases;
};
/// Every exact CUDA implementation again and again, every second time with the affinities left on
/// the device: one digest.
[[nodiscard]] Report check_determinism(const OperationTable& table,
                                       const DeterminismOptions& options);

struct BenchOptions {
  int device = 0;
  int repeats = 5;
  Index3 size{512, 512, 192};
  /// Side of the pictures; 0: none.
  std::int64_t picture = 4096;
  /// Arrays of bytes, 0 background: distances are timed on these too, beside another program that
  /// was given the same files.
  std::vector<std::filesystem::path> objects;
  /// Of the head; 0: 6, of a picture 4.
  int connectivity = 0;
  /// The only algorithm to time on the head, without comparing it with the others; "": all.
  std::string algorithm;
  /// Whether the CPU's irfc is computed to compare with; without it only CUDA against CUDA.
  enum class Agreement { WithCpu, CudaOnly };
  Agreement agreement = Agreement::WithCpu;
};
/// Times the CUDA implementations: fuzzy connectedness on head(size) with many seeds and with two
/// strokes; reconstruction, distance and watershed on pictures; distance on files. Medians of the
/// stages by device events, of the whole, and their spread; on the head, how many times as long the
/// paper's algorithm took on the same seeds in the same call. Before that the results must agree:
/// all with the CPU's references, the strengths of all, and rfc's object within porfc's within
/// irfc's.
[[nodiscard]] Report bench(const OperationTable& table, const BenchOptions& options);

}  // namespace seedwave::gpu_check
