// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/label_matching.h"

#include "core/image/label_counts.h"
#include "core/image/same_size.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Number of voxels by (label of the result, label of the reference).
using PairCounts = std::map<std::pair<Label, Label>, std::int64_t>;

PairCounts count_pairs(const LabelMap& result, const LabelMap& reference, Context& context) {
  PairCounts counts;
  std::mutex mutex;  // guards counts
  const std::int64_t voxels = result.geometry().voxel_count();
  parallel_for(context, voxels, 1, [&](std::int64_t begin, std::int64_t end) {
    PairCounts here;
    visit_labels(result.labels(), reference.labels(), [&](auto a, auto b) {
      for (std::int64_t i = begin; i < end;) {
        const std::int64_t first = i;
        while (i < end && a[i] == a[first] && b[i] == b[first])
          ++i;
        here[{a[first], b[first]}] += i - first;
      }
    });
    const std::lock_guard lock(mutex);
    for (const auto& [pair, count] : here)
      counts[pair] += count;
  });
  return counts;
}

/// A square matrix of the value of each pair.
class Worth {
 public:
  explicit Worth(std::size_t side) : side_(side), values_(side * side) {}
  [[nodiscard]] double& at(std::size_t row, std::size_t column) {
    return values_[row * side_ + column];
  }
  [[nodiscard]] std::size_t side() const { return side_; }

 private:
  std::size_t side_;
  std::vector<double> values_;
};

/// Assigns one column to each row so that the sum of the pairs' values is largest: the Hungarian
/// method, row by row along shortest augmenting paths.
std::vector<std::size_t> assign(Worth worth) {
  const std::size_t side = worth.side();
  constexpr double kFar = std::numeric_limits<double>::infinity();
  // Row and column 0 mean "none".
  std::vector<double> of_row(side + 1);
  std::vector<double> of_column(side + 1);
  std::vector<std::size_t> row_of(side + 1);
  std::vector<std::size_t> before(side + 1);
  for (std::size_t row = 1; row <= side; ++row) {
    std::vector<double> slack(side + 1, kFar);
    std::vector<bool> is_reached(side + 1);
    std::size_t column = 0;
    row_of[0] = row;
    while (row_of[column] != 0) {
      is_reached[column] = true;
      const std::size_t from = row_of[column];
      std::size_t next = 0;
      double step = kFar;
      for (std::size_t to = 1; to <= side; ++to) {
        if (is_reached[to]) continue;
        const double cost = -worth.at(from - 1, to - 1) - of_row[from] - of_column[to];
        if (cost < slack[to]) {
          slack[to] = cost;
          before[to] = column;
        }
        if (slack[to] < step) {
          step = slack[to];
          next = to;
        }
      }
      for (std::size_t to = 0; to <= side; ++to) {
        if (is_reached[to]) {
          of_row[row_of[to]] += step;
          of_column[to] -= step;
        } else {
          slack[to] -= step;
        }
      }
      column = next;
    }
    while (column != 0) {
      row_of[column] = row_of[before[column]];
      column = before[column];
    }
  }
  std::vector<std::size_t> columns(side);
  for (std::size_t column = 1; column <= side; ++column)
    columns[row_of[column] - 1] = column - 1;
  return columns;
}

/// Number of voxels by label, without background.
using Sizes = std::vector<std::pair<Label, std::int64_t>>;

Sizes sizes_of(const std::map<Label, std::int64_t>& counts, const std::string& whose) {
  Sizes sizes;
  for (const auto& [label, count] : counts) {
    if (label != 0) sizes.emplace_back(label, count);
  }
  if (std::ssize(sizes) > kMostMatched)
    throw InputError(whose + " has " + std::to_string(sizes.size()) + " labels: at most " +
                     std::to_string(kMostMatched) + " can be matched");
  return sizes;
}

}  // namespace

std::map<Label, Label> match_labels(const LabelMap& result, const LabelMap& reference,
                                    Context& context) {
  check_same_size(result.geometry(), reference.geometry(), "the result and the reference");
  PairCounts both = count_pairs(result, reference, context);
  std::map<Label, std::int64_t> of_result;
  std::map<Label, std::int64_t> of_reference;
  for (const auto& [pair, count] : both) {
    of_result[pair.first] += count;
    of_reference[pair.second] += count;
  }
  const Sizes ours = sizes_of(of_result, "the result");
  const Sizes theirs = sizes_of(of_reference, "the reference");
  const auto dice = [&](std::size_t a, std::size_t b) {
    const auto found = both.find({ours[a].first, theirs[b].first});
    if (found == both.end()) return 0.0;
    return 2.0 * static_cast<double>(found->second) /
           static_cast<double>(ours[a].second + theirs[b].second);
  };
  Worth worth(std::max(ours.size(), theirs.size()));
  for (std::size_t a = 0; a < ours.size(); ++a) {
    for (std::size_t b = 0; b < theirs.size(); ++b)
      worth.at(a, b) = dice(a, b);
  }
  const std::vector<std::size_t> partner = assign(std::move(worth));
  std::map<Label, Label> matches;
  for (std::size_t a = 0; a < ours.size(); ++a) {
    if (partner[a] < theirs.size() && dice(a, partner[a]) > 0.0)
      matches[ours[a].first] = theirs[partner[a]].first;
  }
  return matches;
}

LabelMap renumbered(const LabelMap& result, const LabelMap& reference,
                    const std::map<Label, Label>& matches, Context& context) {
  const auto theirs = count_labels(reference);
  std::map<Label, Label> number{{0, 0}};
  Label free = 1;
  for (const auto& [label, count] : count_labels(result)) {
    if (const auto match = matches.find(label); match != matches.end()) {
      number[label] = match->second;
      continue;
    }
    while (theirs.contains(free))
      ++free;
    number[label] = free++;
  }
  const Label most =
      std::max_element(number.begin(), number.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->second;
  return make_labels(result.geometry(), most, [&]<typename T>(std::vector<T>& labels) {
    visit_labels(result.labels(), [&](auto from) {
      labels = tabulate<T>(std::ssize(labels), context, [&](std::int64_t i) {
        return static_cast<T>(number.find(from[i])->second);
      });
    });
  });
}

bool look_like_objects(const std::map<Label, Overlap>& labels, const Overlap& foreground) {
  constexpr double kFewMatch = 0.25;
  std::size_t in_result = 0;
  std::size_t in_reference = 0;
  double sum = 0.0;
  for (const auto& [label, overlap] : labels) {
    in_result += overlap.result > 0 ? 1 : 0;
    in_reference += overlap.reference > 0 ? 1 : 0;
    sum += overlap.dice().value_or(0.0);
  }
  if (in_result < kFewestObjects || in_reference < kFewestObjects) return false;
  const double mean = sum / static_cast<double>(in_reference);
  return mean < kFewMatch * foreground.dice().value_or(0.0);
}

LabelMap compared_part(const LabelMap& result, const LabelMap& reference, Scored scored,
                       Context& context) {
  check_same_size(result.geometry(), reference.geometry(), "the result and the reference");
  if (scored == Scored::Everywhere) return result;
  return visit_labels(
      result.labels(), reference.labels(), [&]<typename T>(std::span<const T> labels, auto wanted) {
        return LabelMap(result.geometry(),
                        tabulate<T>(std::ssize(labels), context, [&](std::int64_t i) {
                          return wanted[i] == 0 ? T{0} : labels[i];
                        }));
      });
}

}  // namespace seedwave
