// SPDX-License-Identifier: Apache-2.0
#include "core/texture/strips.h"

#include "core/base/large_memory.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace seedwave::texture {
namespace {

constexpr std::int64_t kMostColumns = 1024;
/// Bytes of a strip, which stays in a core's own cache together with the carried sums. With 2 MB a
/// run took half as long again.
constexpr std::int64_t kStripBytes = std::int64_t{1} << 19;
/// The work of a walker is at least this many times its start, if all threads have work.
constexpr std::int64_t kLeads = 16;
/// Number of runs per thread, so that no thread waits long for the last one.
constexpr std::int64_t kRunsAThread = 4;

std::int64_t share(std::int64_t count, std::int64_t parts) {
  return (count + parts - 1) / parts;
}

}  // namespace

StripGrid::StripGrid(const TpcfProblem& problem)
    : columns_(problem.phases.geometry().size[0] - problem.window + 1),
      rows_(problem.phases.geometry().size[1] - problem.window + 1),
      planes_(plane_count(problem)),
      band_(share(columns_, share(columns_, kMostColumns))) {
  const std::int64_t row_bytes = band_ * planes_ * static_cast<std::int64_t>(sizeof(float));
  high_ = std::clamp<std::int64_t>(kStripBytes / row_bytes, 1, rows_);
  if (problem.strip_rows > 0) high_ = std::min(problem.strip_rows, rows_);
}

Rectangle StripGrid::strip(std::int64_t band, std::int64_t number) const {
  const std::int64_t x = band * band_;
  const std::int64_t y = number * high_;
  return {x, y, std::min(band_, columns_ - x), std::min(high_, rows_ - y)};
}

void walk_strips(const TpcfProblem& problem, const FeatureSink& sink, Context& context,
                 std::int64_t lead,
                 const std::function<std::unique_ptr<StripWalker>(const Rectangle& first)>& start) {
  const StripGrid grid(problem);
  const std::int64_t strips = grid.strips_a_band();
  // A single thread processes whole bands. Several threads share a band in runs, none of which is
  // short compared with its start. With arrays in files all runs are short, and those at the same
  // height follow each other, so that the files are crossed from top to bottom.
  std::int64_t run = strips;
  const std::int64_t least = share(kLeads * lead, grid.strip(0, 0).rows);
  if (context.in_files()) {
    run = std::clamp<std::int64_t>(least, 1, strips);
  } else if (context.threads() > 1) {
    const std::int64_t all = strips * grid.bands();
    const std::int64_t even = share(all, context.threads());
    run = std::min({strips, even, std::max(share(even, kRunsAThread), least)});
  }
  const std::int64_t runs = share(strips, run);
  std::atomic<std::int64_t> done = 0;
  parallel_for(context, runs * grid.bands(), 1, [&](std::int64_t begin, std::int64_t end) {
    const auto values = large_array<float>(static_cast<std::size_t>(grid.most_values()));
    std::vector<std::uint8_t> alike;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t band = i % grid.bands();
      const std::int64_t first = i / grid.bands() * run;
      const auto walker = start(grid.strip(band, first));
      for (std::int64_t n = first; n < std::min(first + run, strips); ++n) {
        const Rectangle strip = grid.strip(band, n);
        alike.assign(static_cast<std::size_t>(strip.rows * alike_blocks(strip.columns)), 0);
        walker->fill(strip, values.get(), alike.data());
        sink({.first_column = strip.x,
              .first_row = strip.y,
              .columns = strip.columns,
              .rows = strip.rows,
              .planes = plane_count(problem),
              .values = values.get(),
              .alike = alike.data()});
        context.checkpoint(static_cast<double>(++done) /
                           static_cast<double>(strips * grid.bands()));
      }
    }
  });
}

}  // namespace seedwave::texture
