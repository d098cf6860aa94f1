// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/morphology/watershed.h"
#include "core/morphology/watershed_plane.h"
#include "core/morphology/watershed_scene.h"
#include "core/morphology/watershed_slabs_on_tiles.h"
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

constexpr std::int64_t kCellsPerTask = 1 << 16;
constexpr std::int64_t kRowsPerTask = 32;

// The loops over cells stand in functions of their own: inside larger ones they do not run on
// vectors.

/// The markers inside the mask, and which cells take offers.
[[gnu::noinline]] void set_markers(const std::uint16_t* given, const std::uint16_t* mask,
                                   std::int64_t count, std::uint16_t* __restrict markers,
                                   std::uint8_t* __restrict takes) {
  if (mask == nullptr) {
    for (std::int64_t i = 0; i < count; ++i) {
      markers[i] = given[i];
      takes[i] = given[i] == 0 ? 1 : 0;
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    markers[i] = mask[i] != 0 ? given[i] : std::uint16_t{0};
    takes[i] =
        static_cast<std::uint8_t>(static_cast<int>(mask[i] != 0) & static_cast<int>(given[i] == 0));
  }
}

/// Of the altitudes upside down: markers start at their own height, the others at nothing, under
/// their own height where they take anything.
template <typename Cell>
[[gnu::noinline]] void set_start(const Cell* f, const std::uint16_t* markers,
                                 const std::uint8_t* takes, std::int64_t count,
                                 Cell* __restrict cells, Cell* __restrict limits) {
  constexpr int kNotReached = std::numeric_limits<Cell>::lowest();
  // In whole numbers all through: with conditions it would not run on vectors.
  for (std::int64_t i = 0; i < count; ++i) {
    const int height = ~static_cast<int>(f[i]);
    const int marker = static_cast<int>(markers[i] != 0);
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

/// lower[i] = 1 where the cell that lies `shift` away is lower.
template <typename Cell>
[[gnu::noinline]] void note_lower(const Cell* altitudes, std::int64_t shift, std::int64_t count,
                                  std::uint8_t* __restrict lower) {
  const Cell* others = altitudes + shift;
  for (std::int64_t i = 0; i < count; ++i)
    lower[i] = static_cast<std::uint8_t>(lower[i] | static_cast<int>(others[i] < altitudes[i]));
}
template <typename Hops, typename Cell>
[[gnu::noinline]] void set_first_hops(const Cell* f, const Cell* altitudes,
                                      const std::uint8_t* takes, const std::uint16_t* markers,
                                      const std::uint8_t* lower, std::int64_t count,
                                      Hops* __restrict hops) {
  for (std::int64_t i = 0; i < count; ++i) {
    const int in = static_cast<int>(comes_in(f[i], altitudes[i], true, true)) & takes[i] & lower[i];
    hops[i] = (in | static_cast<int>(markers[i] != 0)) != 0 ? Hops{0} : HopsRule<Cell, Hops>::kFar;
  }
}
template <typename Hops>
bool holds(const std::vector<Hops>& hops, Hops value) {
  int found = 0;
  for (const Hops hop : hops)
    found |= static_cast<int>(hop == value);
  return found != 0;
}

/// The three passes over one image with plain loops, for any neighbourhood and any number of hops.
/// Cell: its voxels as ordered cells.
template <typename Cell>
class Passes {
 public:
  template <typename Voxel>
  Passes(const WatershedProblem& problem, std::span<const Voxel> voxels, Context& context)
      : problem_(problem), context_(context), size_(problem.image.geometry().size) {
    const auto count = static_cast<std::size_t>(size_[0] * size_[1] * size_[2]);
    f_ = large_vector<Cell>(count);
    takes_ = large_vector<std::uint8_t>(count);
    markers_ = large_vector<std::uint16_t>(count);
    const std::uint16_t* markers = problem.markers.labels().data();
    const std::uint16_t* mask = problem.mask.empty() ? nullptr : problem.mask.labels().data();
    parallel_for(context, std::ssize(f_), kCellsPerTask, [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t length = end - begin;
      to_cells(voxels.data() + begin, length, false, f_.data() + begin);
      set_markers(markers + begin, mask == nullptr ? nullptr : mask + begin, length,
                  markers_.data() + begin, takes_.data() + begin);
    });
    find_altitudes();
  }

  /// Hops and labels. Nothing: there are more hops than the type holds.
  template <typename Hops>
  std::optional<WatershedLabels> find_labels() {
    using Far = HopsRule<Cell, Hops>;
    using Near = BasinRule<Cell, Hops>;
    auto hops = first_hops<Hops>();
    run_rule(Far{altitudes_.data(), takes_.data()}, size_, problem_.connectivity, std::span(hops),
             context_);
    if (sizeof(Hops) == 2 && holds(hops, static_cast<Hops>(Far::kFar - 1))) return {};
    WatershedLabels labels = markers_;
    watershed::add_to_each(0xFFFF, labels, context_);
    run_rule(Near{altitudes_.data(), hops.data(), takes_.data()}, size_, problem_.connectivity,
             std::span(labels), context_);
    watershed::add_to_each(1, labels, context_);
    return labels;
  }

 private:
  /// Reconstruction by erosion of f from the markers, upside down. A cell that takes nothing has
  /// its limit where it starts.
  void find_altitudes() {
    GeodesicTiles<Cell> tiles(size_, problem_.connectivity, context_.threads());
    tiles.run(context_, [&](std::int64_t offset, int count, Cell* cells, Cell* limits) {
      set_start(f_.data() + offset, markers_.data() + offset, takes_.data() + offset, count, cells,
                limits);
    });
    altitudes_ = large_vector<Cell>(f_.size());
    tiles.read(context_, [&](std::int64_t offset, int count, const Cell* cells) {
      turn_over(cells, count, altitudes_.data() + offset);
    });
  }

  /// 0 at markers and where the water comes in: most cells of a natural image need no more.
  template <typename Hops>
  std::vector<Hops> first_hops() {
    const std::vector<Step> steps = neighbour_steps(problem_.connectivity);
    auto hops = large_vector<Hops>(f_.size());
    parallel_for(
        context_, size_[1] * size_[2], kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
          std::vector<std::uint8_t> lower(static_cast<std::size_t>(size_[0]));
          for (std::int64_t row = begin; row < end; ++row) {
            const std::int64_t y = row % size_[1];
            const std::int64_t z = row / size_[1];
            const std::int64_t first = row * size_[0];
            std::fill(lower.begin(), lower.end(), std::uint8_t{0});
            for (const Step& step : steps) {
              if (y + step.dy < 0 || y + step.dy >= size_[1]) continue;
              if (z + step.dz < 0 || z + step.dz >= size_[2]) continue;
              const std::int64_t left = std::max(0, -step.dx);
              note_lower(altitudes_.data() + first + left,
                         step.dx + size_[0] * (step.dy + size_[1] * step.dz),
                         size_[0] - std::abs(step.dx), lower.data() + left);
            }
            set_first_hops(f_.data() + first, altitudes_.data() + first, takes_.data() + first,
                           markers_.data() + first, lower.data(), size_[0], hops.data() + first);
          }
        });
    return hops;
  }

  const WatershedProblem& problem_;
  Context& context_;
  Index3 size_;
  std::vector<Cell> f_;
  std::vector<std::uint8_t> takes_;
  WatershedLabels markers_;
  std::vector<Cell> altitudes_;
};

}  // namespace

WatershedLabels watershed_by_tiles(const WatershedProblem& problem, Context& context) {
  watershed::check(problem);
  if (context.memory() > 0) return watershed::labels_in_slabs(problem, context);
  const bool in_planes =
      problem.connectivity == Connectivity::C4 || problem.connectivity == Connectivity::C8;
  if (in_planes) {
    if (auto labels = watershed::labels_in_planes(problem, context)) return std::move(*labels);
  }
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    Passes<CellOf<Voxel>> passes(problem, voxels, context);
    if (!in_planes) {
      if (auto labels = passes.template find_labels<std::uint16_t>()) return std::move(*labels);
    }
    return std::move(*passes.template find_labels<std::uint32_t>());
  });
}

}  // namespace seedwave
