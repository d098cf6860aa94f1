// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/goal_rows.h"

#include "core/base/median.h"
#include "research/gpu_check/measured.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace seedwave::gpu_check {
namespace {

using nlohmann::ordered_json;

std::string text_of(const std::vector<PaperTime>& papers) {
  std::ostringstream text;
  text.precision(3);
  for (const PaperTime& paper : papers)
    text << (text.tellp() == 0 ? "" : ", ") << paper.algorithm << " " << paper.ms;
  return papers.empty() ? "-" : text.str();
}

}  // namespace

Times times_of(std::vector<double> runs) {
  const double middle = median(runs);
  const auto [low, high] = std::minmax_element(runs.begin(), runs.end());
  return {.median = middle, .low = *low, .high = *high};
}

Times times_of(const std::vector<Outcome>& runs) {
  std::vector<double> all;
  for (const Outcome& outcome : runs)
    all.push_back(device_ms(outcome));
  return times_of(std::move(all));
}

ordered_json row_of(const std::string& job, const std::string& input, const Times& times,
                    std::optional<double> goal, const std::vector<PaperTime>& papers,
                    std::optional<double> ratio) {
  std::optional<double> faster;
  for (const PaperTime& paper : papers) {
    const double times_faster = paper.ms / times.median;
    faster = std::min(faster.value_or(times_faster), times_faster);
  }
  const auto one_place = [](double value) { return std::round(value * 10.0) / 10.0; };
  return {{"job", job},
          {"input", input},
          {"ms", rounded_ms(times.median)},
          {"low", rounded_ms(times.low)},
          {"high", rounded_ms(times.high)},
          {"goal", goal ? ordered_json(*goal) : "-"},
          {"reached", goal ? (times.median <= *goal ? "yes" : "NO") : "-"},
          {"papers_ms", text_of(papers)},
          {"times_faster", faster ? ordered_json(one_place(*faster)).dump() : "-"},
          {"goal_times", ratio ? ordered_json(*ratio).dump() : "-"},
          {"reached_times", ratio ? (faster && *faster >= *ratio ? "yes" : "NO") : "-"}};
}

}  // namespace seedwave::gpu_check
