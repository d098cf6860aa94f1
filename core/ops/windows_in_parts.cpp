// SPDX-License-Identifier: Apache-2.0
#include "core/ops/windows_in_parts.h"

#include "core/image/crop.h"
#include "core/parallel/shared_items.h"
#include "core/wavefront/partitions/work_in_parts.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Rows of a part, in windows, if there are enough: what two parts read is half of each.
constexpr std::int64_t kWindowsOfPart = 2;

std::int64_t column_count(const TpcfProblem& windows) {
  return windows.phases.geometry().size[0] - windows.window + 1;
}

TpcfProblem rows_of(const TpcfProblem& windows, const LayerRange& rows) {
  if (rows.layers() == row_count(windows)) return windows;
  Box box = Box::whole(windows.phases.geometry());
  box.lo[1] = rows.begin;
  box.hi[1] = rows.end + windows.window - 1;
  TpcfProblem part = windows;
  part.phases = crop(windows.phases, box);
  return part;
}

}  // namespace

std::int64_t row_count(const TpcfProblem& windows) {
  return windows.phases.geometry().size[1] - windows.window + 1;
}

void for_windows_in_parts(const TpcfProblem& windows, const PartOfWindows& body, Context& context) {
  for_each_part(
      {.own = own_items(context, row_count(windows)),
       .cells_each = column_count(windows),
       .fewest = kWindowsOfPart * windows.window},
      [&](const LayerRange& rows, Context& own) { body(rows_of(windows, rows), rows, own); },
      context);
}

NearestClassSolver nearest_in_parts(NearestClassSolver solver) {
  return [solver = std::move(solver)](const TpcfProblem& windows, const FeatureClasses& classes,
                                      Context& context) {
    if (!context.is_shared()) return solver(windows, classes, context);
    const std::int64_t columns = column_count(windows);
    const std::int64_t rows = row_count(windows);
    const auto count = static_cast<std::size_t>(columns * rows);
    NearestClasses all{.columns = columns,
                       .rows = rows,
                       .classes = std::vector<std::uint16_t>(count),
                       .distances = std::vector<float>(count)};
    for_windows_in_parts(
        windows,
        [&](const TpcfProblem& part, const LayerRange& own_rows, Context& own) {
          const NearestClasses nearest = solver(part, classes, own);
          const std::int64_t first = own_rows.begin * columns;
          std::ranges::copy(nearest.classes, all.classes.begin() + first);
          std::ranges::copy(nearest.distances, all.distances.begin() + first);
        },
        context);
    share_items(context, std::span(all.classes), rows);
    share_items(context, std::span(all.distances), rows);
    return all;
  };
}

}  // namespace seedwave
