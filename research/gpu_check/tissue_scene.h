// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "research/gpu_check/check_case.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/measured.h"

#include <cstdint>
#include <future>
#include <nlohmann/json.hpp>
#include <string>

namespace seedwave::gpu_check {

/// A tissue(side) of which a share is kept, with the inputs of the wavefront papers' experiments.
struct TissueScene {
  Volume image;
  Volume marker;  // its erosion by a square of 31 x 31
  std::string digest;

  static TissueScene make(std::int64_t side, double share);
  [[nodiscard]] std::string size() const;
  /// connectivity: "4", "8".
  [[nodiscard]] CheckCase reconstruction(const std::string& connectivity) const;
  /// Returns the distance inside the nuclei, i.e. pixels above 110, in pixels.
  [[nodiscard]] CheckCase distance() const;
};

/// Times in ms of reconstruction on one case by the papers' algorithms and ours, and the largest
/// range.
struct ReconstructionTimes {
  double fh_cpu = 0.0;
  double sr_gpu = 0.0;
  double fh_gpu = 0.0;
  double tiles = 0.0;
  double spread_percent = 0.0;
};
/// Starts the CPU's `fh` on one thread, concurrently with what follows. The table and the case must
/// outlive it.
[[nodiscard]] std::future<Measured> begin_fh_on_cpu(const OperationTable& table,
                                                    const CheckCase& c);
/// Adds results that differ from the CPU's to `report`.
[[nodiscard]] ReconstructionTimes time_reconstruction(const OperationTable& table,
                                                      const CheckCase& c, int device, int repeats,
                                                      std::future<Measured> on_cpu, Report& report);

/// Times of distances on one case: by the paper's approximate algorithm and by ours.
struct DistanceTimes {
  double min_plus_cpu = 0.0;
  double iwpp = 0.0;
  double min_plus = 0.0;
  double spread_percent = 0.0;
  std::int64_t too_large = 0;  // pixels of the paper's result
  double largest_error = 0.0;
};
/// Adds results that differ from the CPU's exact distances, or are smaller, to `report`.
[[nodiscard]] DistanceTimes time_distance(const OperationTable& table, const CheckCase& c,
                                          int device, int repeats, Report& report);

/// Adds the columns of a table; ms for `count` such cases.
void add_to(nlohmann::ordered_json& row, const ReconstructionTimes& times, double count = 1.0);
void add_to(nlohmann::ordered_json& row, const DistanceTimes& times, double count = 1.0);

}  // namespace seedwave::gpu_check
