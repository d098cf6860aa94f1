// SPDX-License-Identifier: Apache-2.0
#include "core/texture/first_windows.h"

#include <cstddef>

namespace seedwave::texture {

FirstWindows::FirstWindows(const TpcfProblem& problem, const LagTable& table, const Kernel& kernel,
                           std::int64_t phase, const Rectangle& first)
    : table_(table),
      kernel_(kernel),
      row_(first.y - table.window),
      bits_(problem, phase, first.x, first.y, row_, table.window + 1 + kRowsAhead),
      counts_(table.lags.size()),
      left_(table.lags.size()),
      sums_(static_cast<std::size_t>(radius_count(table.window))) {
  for (const Lag& lag : table.lags) {
    entering_.push_back(bits_.pairs(lag, table.window - lag.dy, 1));
    leaving_.push_back(bits_.pairs(lag, 0, 1));
  }
}

void FirstWindows::go_down() {
  bits_.hold(row_, row_ + table_.window);
  const std::uint64_t* bits = bits_.at(row_);
  kernel_.count_words(entering_.data(), std::ssize(entering_), bits, counts_.data());
  kernel_.count_words(leaving_.data(), std::ssize(leaving_), bits, left_.data());
  for (std::size_t i = 0; i < counts_.size(); ++i)
    counts_[i] -= left_[i];
  table_.add(counts_, sums_);
  ++row_;
}

std::vector<float> features_of_window(const TpcfProblem& problem, const LagTable& table,
                                      std::int64_t x, std::int64_t y) {
  std::vector<float> features;
  std::vector<std::int32_t> counts(table.lags.size());
  for (std::int64_t phase = 1; phase <= problem.count; ++phase) {
    BitRows bits(problem, phase, x, y, y, table.window);
    bits.hold(y, y + table.window - 1);
    std::vector<WordPair> pairs;
    for (const Lag& lag : table.lags)
      pairs.push_back(bits.pairs(lag, 0, table.window - lag.dy));
    best_kernel().count_words(pairs.data(), std::ssize(pairs), bits.at(y), counts.data());
    std::vector<std::int64_t> sums(static_cast<std::size_t>(radius_count(table.window)));
    table.add(counts, sums);
    for (const std::int64_t sum : sums)
      features.push_back(feature_of(sum));
  }
  return features;
}

}  // namespace seedwave::texture
