// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/tpcf.h"
#include "tests/support/random_numbers.h"
#include "tests/support/random_phases.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

/// Small problems of two-point correlations, and all features of one.
namespace seedwave::test {

/// Features of all windows, plane by plane.
struct Features {
  std::vector<float> values;
  std::int64_t strips = 0;
  bool is_whole = false;  // each window was delivered once
  /// Blocks that are said to be alike (FeatureStrip::alike), and whether they are.
  std::int64_t alike = 0;
  bool is_alike = true;

  bool operator==(const Features& other) const {
    return is_whole && other.is_whole && values.size() == other.values.size() &&
           std::memcmp(values.data(), other.values.data(), values.size() * sizeof(float)) == 0;
  }
};

/// Counts the blocks of a strip that are said to be alike, and looks at their features, and at
/// those of the block before them.
inline void see_alike(const FeatureStrip& strip, Features& all) {
  const std::int64_t blocks = alike_blocks(strip.columns);
  for (std::int64_t row = 0; row < strip.rows; ++row) {
    const std::uint8_t* const alike = strip.alike + row * blocks;
    for (std::int64_t block = 0; block < blocks; ++block) {
      if (alike[block] == 0) continue;
      ++all.alike;
      const std::int64_t first = block * kAlikeColumns;
      const std::int64_t end = std::min(first + kAlikeColumns, strip.columns);
      const std::int64_t from = block > 0 && alike[block - 1] != 0 ? first - 1 : first;
      for (std::int64_t plane = 0; plane < strip.planes; ++plane) {
        const float* const of = strip.values + (plane * strip.rows + row) * strip.columns;
        all.is_alike &= std::all_of(of + from, of + end, [&](float a) { return a == of[from]; });
      }
    }
  }
}

inline Features all_features(const TpcfSolver& solve, const TpcfProblem& problem,
                             Context& context) {
  const Index3& size = problem.phases.geometry().size;
  const std::int64_t columns = size[0] - problem.window + 1;
  const std::int64_t rows = size[1] - problem.window + 1;
  Features all;
  all.values.resize(static_cast<std::size_t>(plane_count(problem) * columns * rows));
  std::vector<int> times(all.values.size());
  std::mutex mutex;
  solve(
      problem,
      [&](const FeatureStrip& strip) {
        const std::lock_guard lock(mutex);
        ++all.strips;
        see_alike(strip, all);
        for (std::int64_t plane = 0; plane < strip.planes; ++plane) {
          for (std::int64_t row = 0; row < strip.rows; ++row) {
            for (std::int64_t x = 0; x < strip.columns; ++x) {
              const auto to = static_cast<std::size_t>(
                  (plane * rows + strip.first_row + row) * columns + strip.first_column + x);
              all.values[to] = strip.values[(plane * strip.rows + row) * strip.columns + x];
              ++times[to];
            }
          }
        }
      },
      context);
  all.is_whole = std::all_of(times.begin(), times.end(), [](int n) { return n == 1; });
  return all;
}

/// Returns a problem with strips of any height; windows are occasionally as large as the image.
inline TpcfProblem random_tpcf(RandomNumbers& random, std::int64_t largest_window) {
  TpcfProblem problem;
  problem.window = 1 + random.below(largest_window);
  problem.directions = random.of(std::array<std::int64_t, 6>{1, 2, 4, 8, 16, 3});
  problem.count = 1 + random.below(random.below(4) == 0 ? kMostPhases : 4);
  const bool is_window_all = random.below(8) == 0;
  const std::int64_t nx = problem.window + (is_window_all ? 0 : random.below(12));
  const std::int64_t ny = problem.window + (is_window_all ? 0 : random.below(12));
  problem.strip_rows = random.below(4);
  problem.phases = random_phases(random, nx, ny, problem.count);
  return problem;
}

}  // namespace seedwave::test
