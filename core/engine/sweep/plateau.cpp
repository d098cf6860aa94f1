// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/plateau.h"

#include "core/base/error.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

namespace seedwave {
namespace {

/// Bound on the rounding differences between orders of summation.
constexpr double kRounding = 1e-12;

std::optional<std::size_t> first_best(const SweepScores& scores) {
  std::optional<std::size_t> best;
  for (std::size_t run = 0; run < scores.size(); ++run) {
    if (scores[run] && (!best || *scores[run] > *scores[*best])) best = run;
  }
  return best;
}

std::vector<std::size_t> connected_from(const SweepGrid& grid, const SweepScores& scores,
                                        std::size_t best, double least) {
  std::vector<std::size_t> runs{best};
  std::vector<bool> taken(grid.size());
  taken[best] = true;
  for (std::size_t next = 0; next < runs.size(); ++next) {
    for (const std::size_t neighbour : grid.neighbours_of(runs[next])) {
      if (taken[neighbour] || !scores[neighbour] || *scores[neighbour] < least) continue;
      taken[neighbour] = true;
      runs.push_back(neighbour);
    }
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

/// Returns the squared distance of each run from the mean place of all runs. It is multiplied by
/// the square of the number of runs, which makes it an integer.
std::vector<std::int64_t> distances_from_middle(const SweepGrid& grid,
                                                const std::vector<std::size_t>& runs) {
  const auto count = std::ssize(runs);
  std::vector<std::int64_t> sum(grid.axes().size());
  for (const std::size_t run : runs) {
    const std::vector<std::size_t> place = grid.place_of(run);
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += static_cast<std::int64_t>(place[i]);
  }
  std::vector<std::int64_t> distances;
  for (const std::size_t run : runs) {
    const std::vector<std::size_t> place = grid.place_of(run);
    std::int64_t distance = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const std::int64_t off = static_cast<std::int64_t>(place[i]) * count - sum[i];
      distance += off * off;
    }
    distances.push_back(distance);
  }
  return distances;
}

std::size_t centre_of(const SweepGrid& grid, const SweepScores& scores,
                      const std::vector<std::size_t>& runs) {
  std::vector<double> means;
  means.reserve(runs.size());
  for (const std::size_t run : runs)
    means.push_back(neighbour_mean(grid, scores, run).value());
  const double highest = *std::max_element(means.begin(), means.end());
  const std::vector<std::int64_t> distances = distances_from_middle(grid, runs);
  std::optional<std::size_t> centre;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (means[i] < highest - kRounding) continue;
    if (!centre || distances[i] < distances[*centre]) centre = i;
  }
  return runs[centre.value()];
}

std::vector<std::string> ends_reached(const SweepGrid& grid, const std::vector<std::size_t>& runs) {
  std::vector<std::string> ends;
  for (std::size_t i = 0; i < grid.axes().size(); ++i) {
    const std::vector<Value>& values = grid.axes()[i].values;
    const std::size_t count = values.size();
    const bool has_end = count > 1 && std::holds_alternative<double>(values.front());
    const bool reached = has_end && std::any_of(runs.begin(), runs.end(), [&](std::size_t run) {
                           const std::size_t at = grid.place_of(run)[i];
                           return at == 0 || at + 1 == count;
                         });
    if (reached) ends.push_back(grid.axes()[i].parameter);
  }
  return ends;
}

}  // namespace

std::optional<double> neighbour_mean(const SweepGrid& grid, const SweepScores& scores,
                                     std::size_t run) {
  require(scores.size() == grid.size());
  if (!scores[run]) return {};
  double sum = *scores[run];
  int count = 1;
  for (const std::size_t neighbour : grid.neighbours_of(run)) {
    if (!scores[neighbour]) continue;
    sum += *scores[neighbour];
    ++count;
  }
  return sum / count;
}

std::optional<Plateau> find_plateau(const SweepGrid& grid, const SweepScores& scores,
                                    double tolerance) {
  require(scores.size() == grid.size());
  const std::optional<std::size_t> best = first_best(scores);
  if (!best) return {};
  Plateau plateau;
  plateau.best = *best;
  // A score that is lower by exactly the tolerance, in decimals, belongs to the plateau.
  plateau.runs = connected_from(grid, scores, *best, *scores[*best] - tolerance - kRounding);
  plateau.centre = centre_of(grid, scores, plateau.runs);
  plateau.at_ends = ends_reached(grid, plateau.runs);
  return plateau;
}

std::vector<std::string> could_go_on(const SweepGrid& grid, const Plateau& plateau) {
  std::vector<std::string> ids;
  for (const std::string& id : plateau.at_ends) {
    const auto axis = std::ranges::find(grid.axes(), id, &SweepAxis::parameter);
    if (!axis->bounds) continue;
    const auto place = static_cast<std::size_t>(axis - grid.axes().begin());
    const bool goes_on = std::ranges::any_of(plateau.runs, [&](std::size_t run) {
      const std::size_t at = grid.place_of(run)[place];
      if (at != 0 && at + 1 != axis->values.size()) return false;
      const auto* number = std::get_if<double>(&axis->values[at]);
      return number != nullptr && *number > axis->bounds->first && *number < axis->bounds->second;
    });
    if (goes_on) ids.push_back(id);
  }
  return ids;
}

std::pair<double, double> extended_range(const SweepGrid& grid, const Plateau& plateau,
                                         const std::string& parameter) {
  const auto axis = std::ranges::find(grid.axes(), parameter, &SweepAxis::parameter);
  const auto place = static_cast<std::size_t>(axis - grid.axes().begin());
  const double first = std::get<double>(axis->values.front());
  const double last = std::get<double>(axis->values.back());
  const auto reaches = [&](std::size_t end) {
    return std::ranges::any_of(plateau.runs,
                               [&](std::size_t run) { return grid.place_of(run)[place] == end; });
  };
  const bool by_ratio = axis->scale == Scale::Logarithmic && first > 0.0 && last > 0.0;
  const auto beyond = [&](double end, double other) {
    const double value = by_ratio ? end * (end / other) : end + (end - other);
    return std::clamp(value, axis->bounds->first, axis->bounds->second);
  };
  return {reaches(0) ? beyond(first, last) : first,
          reaches(axis->values.size() - 1) ? beyond(last, first) : last};
}

bool SweepFindings::on_plateau(std::size_t run) const {
  return plateau && std::binary_search(plateau->runs.begin(), plateau->runs.end(), run);
}

bool SweepFindings::is_flat() const {
  const auto scored = static_cast<std::size_t>(
      std::ranges::count_if(scores, [](const auto& score) { return score.has_value(); }));
  return plateau && scored > 1 && plateau->runs.size() == scored;
}

SweepFindings findings_of(const SweepGrid& grid, SweepScores scores, double tolerance) {
  SweepFindings findings{.scores = std::move(scores), .plateau = {}};
  findings.plateau = find_plateau(grid, findings.scores, tolerance);
  return findings;
}

}  // namespace seedwave
