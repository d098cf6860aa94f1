// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/morphology/watershed.h"
#include "core/morphology/watershed_scene.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/geodesic/geodesic_tiles.h"
#include "core/wavefront/ordered_cells.h"
#include "core/wavefront/rule_tiles.h"
#include "core/wavefront/watershed_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr std::int64_t kTileCellsPerTask = 1 << 16;
constexpr std::int64_t kRowsPerTask = 32;

// The loops over cells are separate functions: inside larger ones they are not vectorised.

/// Finds the markers inside the mask, and the cells that take offers.
template <typename Marker>
[[gnu::noinline]] void find_markers(const Marker* given, const std::uint8_t* mask,
                                    std::int64_t count, std::uint8_t* __restrict markers,
                                    std::uint8_t* __restrict takes) {
  if (mask == nullptr) {
    for (std::int64_t i = 0; i < count; ++i) {
      markers[i] = given[i] != 0 ? 1 : 0;
      takes[i] = given[i] == 0 ? 1 : 0;
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const auto inside = static_cast<int>(mask[i] != 0);
    markers[i] = static_cast<std::uint8_t>(inside & static_cast<int>(given[i] != 0));
    takes[i] = static_cast<std::uint8_t>(inside & static_cast<int>(given[i] == 0));
  }
}

/// Sets the start of the inverted altitudes. Markers start at their own height, the others at the
/// lowest value, with their own height as limit if they take offers. `cells` initially holds the
/// heights.
template <typename Cell>
[[gnu::noinline]] void set_start(const std::uint8_t* markers, const std::uint8_t* takes,
                                 std::int64_t count, Cell* __restrict cells,
                                 Cell* __restrict limits) {
  constexpr int kNotReached = std::numeric_limits<Cell>::lowest();
  // Uses integer arithmetic only: with conditions it would not be vectorised.
  for (std::int64_t i = 0; i < count; ++i) {
    const int height = ~static_cast<int>(cells[i]);
    const int marker = markers[i];
    const int open = marker | takes[i];
    cells[i] = static_cast<Cell>((height & -marker) | (kNotReached & (marker - 1)));
    limits[i] = static_cast<Cell>((height & -open) | (kNotReached & (open - 1)));
  }
}
template <typename Cell>
[[gnu::noinline]] void turn_over(const Cell* cells, std::int64_t count, Cell* __restrict result) {
  for (std::int64_t i = 0; i < count; ++i)
    result[i] = static_cast<Cell>(~cells[i]);
}

/// Sets lower[i] = 1 if the cell at the offset `shift` is lower.
template <typename Cell>
[[gnu::noinline]] void note_lower(const Cell* altitudes, std::int64_t shift, std::int64_t count,
                                  std::uint8_t* __restrict lower) {
  const Cell* others = altitudes + shift;
  for (std::int64_t i = 0; i < count; ++i)
    lower[i] = static_cast<std::uint8_t>(lower[i] | static_cast<int>(others[i] < altitudes[i]));
}
template <typename Hops, typename Cell>
[[gnu::noinline]] void set_first_hops(const Cell* f, const Cell* altitudes,
                                      const std::uint8_t* takes, const std::uint8_t* markers,
                                      const std::uint8_t* lower, std::int64_t count,
                                      Hops* __restrict hops) {
  for (std::int64_t i = 0; i < count; ++i) {
    const int in = static_cast<int>(comes_in(f[i], altitudes[i], true, true)) & takes[i] & lower[i];
    hops[i] = (in | markers[i]) != 0 ? Hops{0} : HopsRule<Cell, Hops>::kFar;
  }
}

/// Updates the lowest altitude by the neighbours at the offset `shift`.
template <typename Cell>
[[gnu::noinline]] void find_lowest(const Cell* altitudes, std::int64_t shift, std::int64_t count,
                                   Cell* __restrict lowest) {
  const Cell* others = altitudes + shift;
  for (std::int64_t i = 0; i < count; ++i)
    lowest[i] = std::min(lowest[i], others[i]);
}
/// Updates the smallest number of hops by the neighbours of that altitude.
template <typename Cell, typename Hops>
[[gnu::noinline]] void find_least(const Cell* altitudes, const Hops* hops, std::int64_t shift,
                                  std::int64_t count, const Cell* __restrict lowest,
                                  Hops* __restrict least) {
  const Cell* others = altitudes + shift;
  const Hops* other_hops = hops + shift;
  for (std::int64_t i = 0; i < count; ++i) {
    const Hops offered = others[i] == lowest[i] ? other_hops[i] : std::numeric_limits<Hops>::max();
    least[i] = std::min(least[i], offered);
  }
}
template <typename Cell, typename Hops>
[[gnu::noinline]] void add_nearest(const Cell* altitudes, const Hops* hops, std::int64_t shift,
                                   std::int64_t count, const Cell* __restrict lowest,
                                   const Hops* __restrict least, std::uint32_t bit,
                                   std::uint32_t* __restrict steps) {
  const Cell* others = altitudes + shift;
  const Hops* other_hops = hops + shift;
  for (std::int64_t i = 0; i < count; ++i) {
    const bool nearest = (others[i] == lowest[i]) & (other_hops[i] == least[i]);
    steps[i] |= nearest ? bit : 0U;
  }
}
[[gnu::noinline]] void drop_closed(const std::uint8_t* takes, std::int64_t count,
                                   std::uint32_t* __restrict steps) {
  for (std::int64_t i = 0; i < count; ++i)
    steps[i] = takes[i] != 0 ? steps[i] : 0U;
}

template <typename Hops>
bool holds(const std::vector<Hops>& hops, Hops value) {
  int found = 0;
  for (const Hops hop : hops)
    found |= static_cast<int>(hop == value);
  return found != 0;
}

/// The three passes over one image with plain loops, for any neighbourhood and any number of hops.
/// Reads the heights again when needed: memory limits the size of the volumes that can be flooded.
template <typename Voxel>
class Passes {
 public:
  /// The image's voxels as ordered cells.
  using Cell = CellOf<Voxel>;

  Passes(const WatershedProblem& problem, std::span<const Voxel> voxels, Context& context)
      : problem_(problem),
        context_(context),
        size_(problem.image.geometry().size),
        voxels_(voxels),
        takes_(large_vector<std::uint8_t>(voxels.size())),
        markers_(large_vector<std::uint8_t>(voxels.size())) {
    const std::uint8_t* mask =
        problem.mask.empty() ? nullptr : problem.mask.labels().as<std::uint8_t>().data();
    watershed::visit_markers(problem, [&](auto markers) {
      parallel_for(context, std::ssize(voxels), kTileCellsPerTask,
                   [&](std::int64_t begin, std::int64_t end) {
                     find_markers(markers.data() + begin, mask == nullptr ? nullptr : mask + begin,
                                  end - begin, markers_.data() + begin, takes_.data() + begin);
                   });
    });
    find_altitudes();
  }

  /// Finds hops and labels. Returns nothing if there are more hops than the type holds.
  template <typename Hops>
  std::optional<LabelMap> find_labels() {
    using Far = HopsRule<Cell, Hops>;
    auto hops = first_hops<Hops>();
    run_rule(Far{altitudes_.data(), takes_.data()}, size_, problem_.connectivity, std::span(hops),
             context_);
    if (sizeof(Hops) == 2 && holds(hops, static_cast<Hops>(Far::kFar - 1))) return {};
    const std::vector<std::uint32_t> predecessors = find_predecessors(hops);
    return watershed::visit_markers(problem_, [&]<typename T>(std::span<const T>) {
      auto basins = watershed::first_basins<T>(problem_, context_);
      run_rule(BasinRule<T>{predecessors.data()}, size_, problem_.connectivity, std::span(basins),
               context_);
      return watershed::labels_of(problem_, std::move(basins), context_);
    });
  }

 private:
  void read_heights(std::int64_t first, std::int64_t count, Cell* heights) const {
    to_cells(voxels_.data() + first, count, false, heights);
  }
  /// Reconstructs f by erosion from the markers, inverted. A cell that takes nothing starts at its
  /// limit.
  void find_altitudes() {
    GeodesicTiles<Cell> tiles(size_, problem_.connectivity, context_.threads());
    tiles.run(context_, [&](std::int64_t offset, int count, Cell* cells, Cell* limits) {
      read_heights(offset, count, cells);
      set_start(markers_.data() + offset, takes_.data() + offset, count, cells, limits);
    });
    altitudes_ = large_vector<Cell>(voxels_.size());
    tiles.read(context_, [&](std::int64_t offset, int count, const Cell* cells) {
      turn_over(cells, count, altitudes_.data() + offset);
    });
  }

  /// The neighbours of a row's cells at one step.
  struct Beside {
    std::int64_t first;  // the first of the row's cells with this neighbour
    std::int64_t count;
    std::int64_t shift;  // offset from a cell to its neighbour
    int step;            // step from the neighbour to the cell
  };
  /// Calls body(first cell, neighbours) for every row.
  template <typename Body>
  void for_each_row(const Body& body) {
    const std::vector<NeighbourStep> steps = neighbour_steps(problem_.connectivity);
    const auto run = [&](std::int64_t begin, std::int64_t end) {
      std::vector<Beside> all;
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t y = row % size_[1];
        const std::int64_t z = row / size_[1];
        all.clear();
        for (std::size_t s = 0; s < steps.size(); ++s) {
          const NeighbourStep& step = steps[s];
          if (y + step.dy < 0 || y + step.dy >= size_[1]) continue;
          if (z + step.dz < 0 || z + step.dz >= size_[2]) continue;
          all.push_back({std::max(0, -step.dx), size_[0] - std::abs(step.dx),
                         step.dx + size_[0] * (step.dy + size_[1] * step.dz),
                         static_cast<int>(steps.size() - 1 - s)});
        }
        body(row * size_[0], std::span<const Beside>(all));
      }
    };
    parallel_for(context_, size_[1] * size_[2], kRowsPerTask, run);
  }

  /// Returns 0 at markers and where the water comes in. Most cells of a natural image need no more.
  template <typename Hops>
  std::vector<Hops> first_hops() {
    auto hops = large_vector<Hops>(voxels_.size());
    for_each_row([&](std::int64_t first, std::span<const Beside> neighbours) {
      std::vector<std::uint8_t> lower(static_cast<std::size_t>(size_[0]));
      std::vector<Cell> heights(lower.size());
      read_heights(first, size_[0], heights.data());
      for (const Beside& side : neighbours) {
        note_lower(altitudes_.data() + first + side.first, side.shift, side.count,
                   lower.data() + side.first);
      }
      set_first_hops(heights.data(), altitudes_.data() + first, takes_.data() + first,
                     markers_.data() + first, lower.data(), size_[0], hops.data() + first);
    });
    return hops;
  }
  /// Finds the result of Predecessors for all cells of a row at once. Unreached cells take from
  /// each other, which gives nothing.
  template <typename Hops>
  std::vector<std::uint32_t> find_predecessors(const std::vector<Hops>& hops) {
    auto predecessors = large_vector<std::uint32_t>(voxels_.size());
    const auto length = static_cast<std::size_t>(size_[0]);
    for_each_row([&](std::int64_t first, std::span<const Beside> neighbours) {
      std::vector<Cell> lowest(length, std::numeric_limits<Cell>::max());
      std::vector<Hops> least(length, std::numeric_limits<Hops>::max());
      std::uint32_t* steps = predecessors.data() + first;
      std::fill_n(steps, size_[0], 0U);
      for (const Beside& side : neighbours) {
        find_lowest(altitudes_.data() + first + side.first, side.shift, side.count,
                    lowest.data() + side.first);
      }
      for (const Beside& side : neighbours) {
        find_least(altitudes_.data() + first + side.first, hops.data() + first + side.first,
                   side.shift, side.count, lowest.data() + side.first, least.data() + side.first);
      }
      for (const Beside& side : neighbours) {
        add_nearest(altitudes_.data() + first + side.first, hops.data() + first + side.first,
                    side.shift, side.count, lowest.data() + side.first, least.data() + side.first,
                    1U << side.step, steps + side.first);
      }
      drop_closed(takes_.data() + first, size_[0], steps);
    });
    return predecessors;
  }

  const WatershedProblem& problem_;
  Context& context_;
  Index3 size_;
  std::span<const Voxel> voxels_;
  std::vector<std::uint8_t> takes_;
  std::vector<std::uint8_t> markers_;  // 1 or 0
  std::vector<Cell> altitudes_;
};

}  // namespace

LabelMap watershed_by_tiles(const WatershedProblem& given, Context& context) {
  const WatershedProblem problem = watershed::prepared(given);
  if (context.in_parts()) return watershed::labels_in_slabs(problem, context);
  const bool in_planes =
      problem.connectivity == Connectivity::C4 || problem.connectivity == Connectivity::C8;
  if (in_planes) {
    if (auto labels = watershed::labels_in_planes(problem, context)) return std::move(*labels);
  }
  return visit_voxels(problem.image, [&](auto voxels) {
    Passes passes(problem, voxels, context);
    if (!in_planes) {
      if (auto labels = passes.template find_labels<std::uint16_t>()) return std::move(*labels);
    }
    return std::move(*passes.template find_labels<std::uint32_t>());
  });
}

}  // namespace seedwave
