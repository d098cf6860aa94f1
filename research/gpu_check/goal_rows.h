// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/comparison.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

/// The table rows that report goals.
namespace seedwave::gpu_check {

/// A job's times on the device.
struct Times {
  double median = 0.0;
  double low = 0.0;
  double high = 0.0;
};
[[nodiscard]] Times times_of(std::vector<double> runs);
[[nodiscard]] Times times_of(const std::vector<Outcome>& runs);

/// The time of a paper's algorithm on the same input.
struct PaperTime {
  std::string algorithm;
  double ms;
};

/// Returns a row of the table. `goal` is in ms; `ratio` is the goal for the time of the papers'
/// fastest algorithm over ours. Both are optional.
[[nodiscard]] nlohmann::ordered_json row_of(const std::string& job, const std::string& input,
                                            const Times& times, std::optional<double> goal,
                                            const std::vector<PaperTime>& papers,
                                            std::optional<double> ratio = {});

}  // namespace seedwave::gpu_check
