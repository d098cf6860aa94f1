// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/components.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/morphology/disjoint_sets.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

namespace seedwave {
namespace {

/// Finds regional maxima. Index is the type of cell offsets.
template <typename Voxel, typename Index>
class Maxima {
 public:
  Maxima(const Volume& image, const Volume& objects, Connectivity connectivity)
      : size_(image.geometry().size),
        values_(image.voxels<Voxel>()),
        objects_(objects.voxels<std::uint8_t>()),
        steps_(neighbour_steps(connectivity)),
        sets_(static_cast<Index>(image.value_count())),
        lower_(objects_.size()) {
    steps_.resize(steps_.size() / 2);  // each pair of neighbours once: only steps back
  }

  Components find(Context& context) {
    const std::int64_t rows = size_[1] * size_[2];
    const std::int64_t per_strip = rows_per_strip(size_);
    const std::int64_t strips = (rows + per_strip - 1) / per_strip;
    parallel_for(context, strips, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t strip = begin; strip < end; ++strip) {
        context.checkpoint(0.0);
        const std::int64_t first = strip * per_strip;
        join_rows(first, std::min(rows, first + per_strip), first, rows);
      }
    });
    // Neighbours in different strips, joined after all strips. Steps go back by at most a plane and
    // a row.
    const std::int64_t reach = size_[2] > 1 ? size_[1] + 1 : 1;
    for (std::int64_t first = per_strip; first < rows; first += per_strip) {
      context.checkpoint(0.0);
      join_rows(first, std::min({rows, first + per_strip, first + reach}), 0, first);
    }
    return numbered(context);
  }

 private:
  /// Joins the cells of rows first .. last - 1 with the preceding neighbours that lie in rows from
  /// .. to - 1.
  void join_rows(std::int64_t first, std::int64_t last, std::int64_t from, std::int64_t to) {
    for (std::int64_t row = first; row < last; ++row) {
      const bool within = from == first;
      const std::int64_t y = row % size_[1];
      const std::int64_t z = row / size_[1];
      for (std::int64_t x = 0; within && x < size_[0]; ++x)
        sets_.add(static_cast<Index>(row * size_[0] + x));
      for (const NeighbourStep& step : steps_) {
        const std::int64_t other = row + step.dy + size_[1] * step.dz;
        if (y + step.dy < 0 || y + step.dy >= size_[1] || z + step.dz < 0) continue;
        if (other < from || other >= to) continue;
        const std::int64_t begin = std::max<std::int64_t>(0, -step.dx);
        const std::int64_t end = size_[0] - std::max(0, step.dx);
        for (std::int64_t x = begin; x < end; ++x)
          compare(static_cast<Index>(row * size_[0] + x),
                  static_cast<Index>(other * size_[0] + x + step.dx));
      }
    }
  }
  void compare(Index a, Index b) {
    if (objects_[a] == 0 || objects_[b] == 0) return;
    if (values_[a] == values_[b]) {
      sets_.join(a, b);
    } else {
      lower_[values_[a] < values_[b] ? a : b] = 1;
    }
  }

  Components numbered(Context& context) {
    const std::int64_t cells = std::ssize(objects_);
    serial_for(context, cells, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin; cell < end; ++cell) {
        if (lower_[cell] != 0) lower_[sets_.first_of(static_cast<Index>(cell))] = 1;
      }
    });
    Components components{large_vector<std::uint32_t>(objects_.size())};
    serial_for(context, cells, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin; cell < end; ++cell) {
        if (objects_[cell] == 0) continue;
        const Index first = sets_.first_of(static_cast<Index>(cell));
        if (lower_[first] != 0) continue;
        if (first == cell) components.numbers[cell] = next_number(components);
        components.numbers[cell] = components.numbers[first];
      }
    });
    return components;
  }
  static std::uint32_t next_number(Components& components) {
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (components.count == kMost)
      throw InputError("the image has more than " + std::to_string(kMost) + " maxima");
    return ++components.count;
  }

  Index3 size_;
  std::span<const Voxel> values_;
  std::span<const std::uint8_t> objects_;
  std::vector<NeighbourStep> steps_;
  DisjointSets<Index> sets_;
  std::vector<std::uint8_t>
      lower_;  // 1 if it has a higher neighbour, or is the first cell of a set that has one
};

}  // namespace

Components regional_maxima(const Volume& image, const Volume& objects, Connectivity connectivity,
                           Context& context) {
  return visit_voxels(image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    if (image.value_count() > std::numeric_limits<std::int32_t>::max())
      return Maxima<Voxel, std::int64_t>(image, objects, connectivity).find(context);
    return Maxima<Voxel, std::int32_t>(image, objects, connectivity).find(context);
  });
}

}  // namespace seedwave
