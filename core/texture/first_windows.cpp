// SPDX-License-Identifier: Apache-2.0
#include "core/texture/first_windows.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace seedwave::texture {
namespace {

constexpr std::int64_t kWordBits = 64;

}  // namespace

BitRows::BitRows(const TpcfProblem& problem, std::int64_t phase, std::int64_t x,
                 std::int64_t first_row, std::int64_t begin, std::int64_t rows)
    : problem_(problem),
      phase_(phase),
      x_(x),
      first_row_(first_row),
      words_((problem.window + kWordBits - 1) / kWordBits),
      rows_(begin, rows),
      bits_(static_cast<std::size_t>(radius_count(problem.window) * rows * words_)) {}

void BitRows::hold(std::int64_t first, std::int64_t last) {
  const auto move = [&](std::int64_t from, std::int64_t to, std::int64_t count) {
    for (std::int64_t shift = 0; shift < radius_count(problem_.window); ++shift) {
      std::uint64_t* rows = &bits_[static_cast<std::size_t>(shift * rows_.most() * words_)];
      std::memmove(rows + to * words_, rows + from * words_,
                   static_cast<std::size_t>(count * words_) * sizeof(std::uint64_t));
    }
  };
  rows_.hold(first, last, move, [&](std::int64_t row, std::int64_t place) { fill(row, place); });
}

WordPair BitRows::pairs(const Lag& lag, std::int64_t row, std::int64_t count) const {
  const auto place = [&](std::int64_t shift, std::int64_t below) {
    return static_cast<std::int32_t>((shift * rows_.most() + below) * words_);
  };
  return {place(std::max(0, -lag.dx), row), place(std::max(0, lag.dx), row + lag.dy),
          static_cast<std::int32_t>(count * words_)};
}

void BitRows::fill(std::int64_t row, std::int64_t place) {
  const Index3& size = problem_.phases.geometry().size;
  const std::int64_t shift_apart = rows_.most() * words_;
  std::uint64_t* words = &bits_[static_cast<std::size_t>(place * words_)];
  std::fill_n(words, words_, 0);
  if (row >= first_row_ && row < size[1]) {
    const std::uint16_t* cells =
        &problem_.phases.labels().as<std::uint16_t>()[static_cast<std::size_t>(x_ + row * size[0])];
    for (std::int64_t i = 0; i < problem_.window; ++i)
      words[i / kWordBits] |= std::uint64_t{cells[i] == phase_} << (i % kWordBits);
  }
  for (std::int64_t shift = 1; shift < radius_count(problem_.window); ++shift) {
    std::uint64_t* shifted = words + shift_apart;
    for (std::int64_t i = 0; i < words_; ++i) {
      const std::uint64_t next = i + 1 < words_ ? words[i + 1] : 0;
      shifted[i] = words[i] >> 1 | next << (kWordBits - 1);
    }
    words = shifted;
  }
}

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
