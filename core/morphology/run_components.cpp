// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/run_components.h"

#include "core/base/error.h"
#include "core/morphology/strips.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace seedwave {
namespace {

constexpr std::int64_t kWord = 64;

/// Packs 64 bytes of value 0 or 1 into bits: bit i is byte i.
std::uint64_t packed(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes + 8 * i, sizeof(eight));
    // Each byte's bit moves to its own position in the highest byte, and no sum carries.
    word |= (eight * 0x0102040810204080U >> 56) << (8 * i);
  }
  return word;
}

/// Returns the preceding rows that the runs of a row may touch.
std::vector<Step> rows_before(Connectivity connectivity) {
  std::vector<Step> rows;
  std::vector<Step> steps = neighbour_steps(connectivity);
  steps.resize(steps.size() / 2);  // each pair of neighbours once
  for (const Step& step : steps) {
    if (step.dy == 0 && step.dz == 0) continue;
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Step& row) {
      return row.dy == step.dy && row.dz == step.dz;
    });
    const int reach = std::abs(step.dx);
    if (same == rows.end()) {
      rows.push_back({reach, step.dy, step.dz});
    } else {
      same->dx = std::max(same->dx, reach);
    }
  }
  return rows;
}

}  // namespace

RunComponents::RunComponents(const Index3& size, Connectivity connectivity, const Object& object,
                             Context& context)
    : size_(size),
      before_(rows_before(connectivity)),
      rows_per_strip_(rows_per_strip(size)),
      words_per_row_(size[0] / kWord + 1),
      bits_(
          large_array<std::uint64_t>(static_cast<std::size_t>(size[1] * size[2] * words_per_row_))),
      first_runs_(static_cast<std::size_t>(size[1] * size[2] + 1)) {
  static_assert(std::endian::native == std::endian::little, "packed() takes byte 0 as the lowest");
  require(size[0] * size[1] * size[2] <= kMostCells);
  const std::int64_t rows = size[1] * size[2];
  const auto for_each_strip = [&](auto&& body) {
    parallel_for(context, strip_count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t strip = begin; strip < end; ++strip) {
        context.checkpoint(0.0);
        body(strip);
      }
    });
  };
  for_each_strip([&](std::int64_t strip) { find_bits(strip, object); });
  for (std::int64_t row = 0; row < rows; ++row)
    first_runs_[static_cast<std::size_t>(row + 1)] += first_run(row);
  runs_ = large_array<Run>(static_cast<std::size_t>(run_count()), LastPage::Whole);
  sets_ = DisjointSets<std::uint32_t>(static_cast<std::uint32_t>(run_count()));
  for_each_strip([&](std::int64_t strip) { find_runs(strip); });
  bits_.reset();
  for_each_strip([&](std::int64_t strip) { join_with_rows_before(strip, true); });
  for (std::int64_t strip = 1; strip < strip_count(); ++strip)
    join_with_rows_before(strip, false);
}

std::int64_t RunComponents::last_row(std::int64_t strip) const noexcept {
  return std::min(size_[1] * size_[2], first_row(strip) + rows_per_strip_);
}

/// Computes the bits of a strip's rows, and the number of runs in each row.
void RunComponents::find_bits(std::int64_t strip, const Object& object) {
  // Cells beyond the row are outside, so the last run ends.
  std::vector<std::uint8_t> inside(static_cast<std::size_t>(words_per_row_ * kWord));
  for (std::int64_t row = first_row(strip); row < last_row(strip); ++row) {
    object(row, inside.data());
    std::uint64_t* bits = bits_.get() + row * words_per_row_;
    std::uint64_t before = 0;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < words_per_row_; ++i) {
      const std::uint64_t word = packed(inside.data() + i * kWord);
      bits[i] = word;
      count += std::popcount(word & ~(word << 1 | before));
      before = word >> (kWord - 1);
    }
    first_runs_[static_cast<std::size_t>(row + 1)] = count;
  }
}

/// Writes into memory of the right size: vectors that grow took a third of the time.
void RunComponents::find_runs(std::int64_t strip) {
  for (std::int64_t row = first_row(strip); row < last_row(strip); ++row) {
    const std::uint64_t* bits = bits_.get() + row * words_per_row_;
    Run* run = runs_.get() + first_run(row);
    std::uint64_t before = 0;
    bool is_inside = false;
    for (std::int64_t i = 0; i < words_per_row_; ++i) {
      std::uint64_t changes = bits[i] ^ (bits[i] << 1 | before);
      before = bits[i] >> (kWord - 1);
      for (; changes != 0; changes &= changes - 1) {
        const auto at = static_cast<std::int32_t>(i * kWord + std::countr_zero(changes));
        (is_inside ? run->end : run->begin) = at;
        run += is_inside ? 1 : 0;
        is_inside = !is_inside;
      }
    }
  }
}

/// Joins the runs of row a with the runs of row b that they touch.
void RunComponents::join_rows(std::int64_t a, std::int64_t b, int reach) {
  const std::span<const Run> ours = runs(a);
  const std::span<const Run> theirs = runs(b);
  const auto our_first = static_cast<std::uint32_t>(first_run(a));
  const auto their_first = static_cast<std::uint32_t>(first_run(b));
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < ours.size() && j < theirs.size()) {
    if (ours[i].end + reach <= theirs[j].begin) {
      ++i;
    } else if (theirs[j].end + reach <= ours[i].begin) {
      ++j;
    } else {
      sets_.join(our_first + i, their_first + j);
      // The run that ends first touches no other: runs of one row do not touch each other.
      if (ours[i].end < theirs[j].end) {
        ++i;
      } else {
        ++j;
      }
    }
  }
}

/// Joins the runs of a strip's rows with those of preceding rows, of the same strip or of others.
void RunComponents::join_with_rows_before(std::int64_t strip, bool within) {
  const std::int64_t first = first_row(strip);
  for (std::int64_t row = first; row < last_row(strip); ++row) {
    if (within) {
      const auto begin = static_cast<std::uint32_t>(first_run(row));
      const auto end = static_cast<std::uint32_t>(begin + runs(row).size());
      for (std::uint32_t run = begin; run < end; ++run)
        sets_.add(run);
    }
    const std::int64_t y = row % size_[1];
    const std::int64_t z = row / size_[1];
    for (const Step& step : before_) {
      if (y + step.dy < 0 || y + step.dy >= size_[1] || z + step.dz < 0) continue;
      const std::int64_t other = row + step.dy + size_[1] * step.dz;
      if ((other >= first) == within) join_rows(row, other, step.dx);
    }
  }
}

}  // namespace seedwave
