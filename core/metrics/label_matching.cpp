// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/label_matching.h"

#include "core/image/label_counts.h"
#include "core/image/same_size.h"
#include "core/metrics/label_pairs.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace seedwave {
namespace {

/// A square matrix of the value of each pair.
class Worth {
 public:
  explicit Worth(std::size_t side) : side_(side), values_(side * side) {}
  [[nodiscard]] double& at(std::size_t row, std::size_t column) {
    return values_[row * side_ + column];
  }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return values_[row * side_ + column];
  }
  [[nodiscard]] std::size_t side() const { return side_; }

 private:
  std::size_t side_;
  std::vector<double> values_;
};

/// Assigns one column to each row so that the sum of the pairs' values is largest: the Hungarian
/// method, row by row along shortest augmenting paths.
std::vector<std::size_t> assign(const Worth& worth) {
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

/// Returns the number of voxels of each label. Throws InputError if there are too many labels.
LabelCounts sizes_of(const std::vector<LabelPair>& pairs, Label LabelPair::*side,
                     const std::string& whose) {
  LabelCounts sizes = voxels_by_label(pairs, side);
  if (std::ssize(sizes) > kMostMatched)
    throw InputError(whose + " has " + std::to_string(sizes.size()) + " labels: at most " +
                     std::to_string(kMostMatched) + " can be matched");
  return sizes;
}

}  // namespace

std::map<Label, Label> match_labels(const LabelMap& result, const LabelMap& reference,
                                    Context& context) {
  check_same_size(result.geometry(), reference.geometry(), "the result and the reference");
  const std::vector<LabelPair> pairs = count_label_pairs(result, reference, context);
  const LabelCounts ours = sizes_of(pairs, &LabelPair::result, "the result");
  const LabelCounts theirs = sizes_of(pairs, &LabelPair::reference, "the reference");
  Worth worth(std::max(ours.size(), theirs.size()));
  for (const LabelPair& pair : pairs) {
    if (pair.result == 0 || pair.reference == 0) continue;
    const auto* const a = ours.find(pair.result);
    const auto* const b = theirs.find(pair.reference);
    worth.at(a - ours.begin(), b - theirs.begin()) =
        2.0 * static_cast<double>(pair.voxels) / static_cast<double>(a->second + b->second);
  }
  const std::vector<std::size_t> partner = assign(worth);
  std::map<Label, Label> matches;
  for (std::size_t a = 0; a < ours.size(); ++a) {
    const std::size_t b = partner[a];
    if (b < theirs.size() && worth.at(a, b) > 0.0)
      matches[ours.begin()[a].first] = theirs.begin()[b].first;
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
