// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/image/volume.h"
#include "core/morphology/linear/linear_opening.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Number of columns processed together, so that a step along y or z is vectorised.
constexpr std::int64_t kColumns = 128;

/// The positions of windows along one axis. The first lies `front` cells before the first cell.
struct Windows {
  std::int64_t length;
  std::int64_t front;
  std::int64_t count;  // may be 0
};

/// Returns the windows along an axis. Lengths beyond twice the number of cells (Ignore: once) are
/// reduced, because they give the same result.
Windows windows_along(std::int64_t cells, std::int64_t length, LineBorder border) {
  if (border == LineBorder::Anchor) length = std::min(length, 2 * cells);
  if (border == LineBorder::Ignore) length = std::min(length, cells);
  const LineMargins margin = margins(border, length);
  const std::int64_t count = cells + margin.front + margin.behind - length + 1;
  return {length, margin.front, std::max<std::int64_t>(0, count)};
}

/// Input and output of the pass along an axis: position i of the result has the extreme of the
/// cells i - before .. i - before + length - 1 that exist.
struct AxisPass {
  std::int64_t length;
  std::int64_t before;
  std::int64_t from_count;
  std::int64_t to_count;
};

template <typename Voxel, bool lowest>
class BoxExtremes {
 public:
  BoxExtremes(std::vector<Voxel> cells, const Index3& size, Context& context)
      : cells_(std::move(cells)), size_(size), context_(context) {}

  void run(int axis, const AxisPass& pass) {
    std::int64_t run = 1;  // number of cells between neighbours along the axis
    for (int a = 0; a < axis; ++a)
      run *= size_[a];
    std::int64_t outer = 1;
    for (int a = axis + 1; a < 3; ++a)
      outer *= size_[a];
    const std::int64_t parts = (run + kColumns - 1) / kColumns;
    std::vector<Voxel> result(static_cast<std::size_t>(run * pass.to_count * outer));
    parallel_for(context_, outer * parts, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Voxel> line;
      std::vector<Voxel> next;
      for (std::int64_t i = begin; i < end; ++i) {
        if (context_.stop_requested()) return;
        const std::int64_t first = i % parts * kColumns;
        const std::int64_t columns = std::min(kColumns, run - first);
        const Voxel* from = cells_.data() + i / parts * pass.from_count * run + first;
        Voxel* to = result.data() + i / parts * pass.to_count * run + first;
        const std::int64_t padded = pass.to_count + pass.length - 1;
        line.assign(static_cast<std::size_t>(padded * columns), kNeutral);
        for (std::int64_t k = 0; k < pass.from_count; ++k) {
          const std::int64_t place = k + pass.before;
          if (place >= 0 && place < padded)
            std::copy_n(from + k * run, columns, line.data() + place * columns);
        }
        take_extremes(line, next, pass.length, columns);
        for (std::int64_t k = 0; k < pass.to_count; ++k)
          std::copy_n(line.data() + k * columns, columns, to + k * run);
      }
    });
    context_.checkpoint(0.0);
    cells_ = std::move(result);
    size_[axis] = pass.to_count;
  }

  [[nodiscard]] std::vector<Voxel> take() { return std::move(cells_); }

 private:
  static constexpr Voxel kNeutral =
      lowest ? std::numeric_limits<Voxel>::max() : std::numeric_limits<Voxel>::lowest();

  /// Takes the extreme of `length` positions from each one on, by doubling.
  static void take_extremes(std::vector<Voxel>& line, std::vector<Voxel>& next, std::int64_t length,
                            std::int64_t columns) {
    next.resize(line.size());
    std::int64_t reached = 1;
    while (reached < length) {
      const std::int64_t step = std::min(reached, length - reached);
      const std::int64_t shift = step * columns;
      const std::int64_t count = std::ssize(line) - shift;
      const Voxel* here = line.data();
      const Voxel* there = line.data() + shift;
      Voxel* to = next.data();
      for (std::int64_t i = 0; i < count; ++i)
        to[i] = lowest ? std::min(here[i], there[i]) : std::max(here[i], there[i]);
      std::copy(line.end() - shift, line.end(), next.end() - shift);
      line.swap(next);
      reached += step;
    }
  }

  std::vector<Voxel> cells_;
  Index3 size_;
  Context& context_;
};

template <typename Voxel, bool opens>
std::vector<Voxel> opened(std::vector<Voxel> cells, const Index3& size,
                          const std::array<Windows, 3>& windows, Context& context) {
  Index3 positions = size;
  BoxExtremes<Voxel, opens> under(std::move(cells), size, context);
  for (int axis = 0; axis < 3; ++axis) {
    const Windows& along = windows[axis];
    if (along.length == 1) continue;
    under.run(axis, {along.length, along.front, size[axis], along.count});
    positions[axis] = along.count;
  }
  // The windows that contain a cell begin up to length - 1 before it.
  BoxExtremes<Voxel, !opens> over(under.take(), positions, context);
  for (int axis = 0; axis < 3; ++axis) {
    const Windows& along = windows[axis];
    if (along.length == 1) continue;
    over.run(axis, {along.length, along.length - 1 - along.front, along.count, size[axis]});
  }
  return over.take();
}

}  // namespace

Volume box_opening(const Volume& image, const Index3& length, LineBorder border, LineFilter filter,
                   Context& context) {
  refuse_nan(image, "the image");
  const Geometry& geometry = image.geometry();
  std::array<Windows, 3> windows{};
  bool any = true;
  for (int axis = 0; axis < 3; ++axis) {
    windows[axis] = windows_along(geometry.size[axis], length[axis], border);
    any = any && windows[axis].count > 0;
  }
  const bool opens = filter == LineFilter::Opening;
  return visit_voxels(image, [&]<typename Voxel>(std::span<const Voxel> voxels) {
    std::vector<Voxel> cells(voxels.begin(), voxels.end());
    if constexpr (std::is_floating_point_v<Voxel>) {
      for (Voxel& cell : cells)
        cell += Voxel{0};  // maps -0.0 to +0.0
    }
    if (!any) {
      const auto [low, high] = std::minmax_element(cells.begin(), cells.end());
      const Voxel value = opens ? *low : *high;
      std::fill(cells.begin(), cells.end(), value);
      return Volume(geometry, std::move(cells));
    }
    return Volume(geometry,
                  opens ? opened<Voxel, true>(std::move(cells), geometry.size, windows, context)
                        : opened<Voxel, false>(std::move(cells), geometry.size, windows, context));
  });
}

}  // namespace seedwave
