// SPDX-License-Identifier: Apache-2.0
#include "core/texture/bit_rows.h"

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
        &problem_.phases.labels()[static_cast<std::size_t>(x_ + row * size[0])];
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

}  // namespace seedwave::texture
