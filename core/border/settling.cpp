// SPDX-License-Identifier: Apache-2.0
#include "core/border/settling.h"

#include "core/base/error.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>

namespace seedwave::border {
namespace {

/// Number of voxels that a thread takes at once.
constexpr std::int64_t kGrain = 1 << 14;

/// Steps of intensities. Those of images of 8 and 16 bits are looked up.
template <typename T>
class StepsOf {
 public:
  StepsOf(const IntensityScale& scale, const BorderModel& model) : scale_(scale) {
    if constexpr (kLooksUp) {
      first_ = within(std::floor(model.low));
      last_ = within(std::ceil(model.high));
      for (int value = first_; value <= last_; ++value)
        steps_.push_back(static_cast<std::int16_t>(scale.step_of(value)));
    }
  }

  /// Returns a function of an intensity.
  [[nodiscard]] auto lookup() const {
    if constexpr (kLooksUp) {
      return [first = first_, last = last_, steps = steps_.data()](T value) -> std::int32_t {
        return steps[std::clamp<int>(value, first, last) - first];
      };
    } else {
      return [this](T value) {
        if constexpr (std::is_floating_point_v<T>) {
          if (std::isnan(value)) throw InputError("the image has NaN values near a border");
        }
        return scale_.step_of(static_cast<double>(value));
      };
    }
  }

 private:
  static constexpr bool kLooksUp = sizeof(T) <= 2;

  static int within(double value) {
    using Limits = std::numeric_limits<T>;
    return static_cast<int>(
        std::clamp(value, static_cast<double>(Limits::min()), static_cast<double>(Limits::max())));
  }

  IntensityScale scale_;
  int first_ = 0;
  int last_ = 0;
  std::vector<std::int16_t> steps_;
};

/// Finds the sides that need no cut, and makes the network of the others.
template <typename T, typename SideMapOf>
class Settling {
 public:
  Settling(const CutCosts& costs, std::span<const T> voxels, SideMapOf& map, Context& context)
      : geometry_(costs.image.geometry()),
        voxels_(voxels),
        map_(map),
        context_(context),
        tables_(costs.tables),
        steps_(tables_.intensities, costs.model),
        strides_{1, geometry_.size[0], geometry_.size[0] * geometry_.size[1]},
        map_strides_(map.strides()) {}

  /// Goes over the open voxels forwards and backwards, until few more become known.
  void settle(Band& band) {
    constexpr int kMostSweeps = 8;
    constexpr std::size_t kFew = 16;
    std::vector<std::int32_t>& open = band.open;
    open.resize(band.cells.size());
    std::iota(open.begin(), open.end(), 0);
    band.sides.assign(band.cells.size(), CutSide::Either);
    parallel_for(context_, std::ssize(open), kGrain, [&](std::int64_t begin, std::int64_t end) {
      Places places(geometry_, map_);
      for (std::int64_t i = begin; i < end; ++i)
        map_.set(places.of(band.cells[i].offset), SideMap::Open);
    });
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      const Way way = sweep % 2 == 0 ? Way::Forwards : Way::Backwards;
      parallel_for(context_, std::ssize(open), kGrain,
                   [&](std::int64_t begin, std::int64_t end) { decide(band, begin, end, way); });
      const std::size_t before = open.size();
      std::erase_if(open, [&](std::int32_t i) { return band.sides[i] != CutSide::Either; });
      if (kFew * (before - open.size()) <= before) break;
    }
  }

  std::vector<CutCell> cells(const Band& band) {
    std::vector<CutCell> cells(band.open.size());
    parallel_for(
        context_, std::ssize(band.open), kGrain,
        [&](std::int64_t begin, std::int64_t end) { make_cells(band, begin, end, cells); });
    return cells;
  }

 private:
  enum class Way { Forwards, Backwards };

  /// Decides on some of the voxels whose sides are not known. Does what terminal_of() does, without
  /// branches, and with all that the loop reads at hand.
  void decide(Band& band, std::int64_t begin, std::int64_t end, Way way) {
    // By side: the sign of an edge's share of the terminal, and whether it stays an edge.
    static constexpr std::array<std::int32_t, 4> kSign{-1, 1, 0, 0};
    static constexpr std::array<std::int32_t, 4> kIsEdge{0, 0, 1, 0};
    const std::int32_t* open = band.open.data();
    const BandCell* cells = band.cells.data();
    const T* voxels = voxels_.data();
    const auto steps = steps_.lookup();
    const CapacityTables tables = tables_;
    const std::array<std::int64_t, 3> strides = strides_;
    const std::array<std::int64_t, 3> map_strides = map_strides_;
    Places places(geometry_, map_);
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int32_t i = open[way == Way::Forwards ? k : end - 1 - (k - begin)];
      const std::int64_t offset = cells[i].offset;
      const std::int64_t place = places.of(offset);
      const std::int32_t step = steps(voxels[offset]);
      std::int32_t terminal = tables.terminal(step, cells[i].square);
      std::int32_t edges = 0;
      const auto look = [&](int axis, std::int64_t map_stride, std::int64_t stride) {
        const std::uint8_t side = map_.at(place + map_stride);
        const std::int64_t to = side == SideMap::Nowhere ? offset : offset + stride;
        const std::int32_t capacity = tables.edge(axis, step, steps(voxels[to]));
        terminal += kSign[side] * capacity;
        edges += kIsEdge[side] * capacity;
      };
      look(0, map_strides[0], strides[0]);
      look(0, -map_strides[0], -strides[0]);
      look(1, map_strides[1], strides[1]);
      look(1, -map_strides[1], -strides[1]);
      look(2, map_strides[2], strides[2]);
      look(2, -map_strides[2], -strides[2]);
      if (std::abs(terminal) <= edges) continue;
      band.sides[i] = terminal > 0 ? CutSide::Source : CutSide::Sink;
      map_.set(place, terminal > 0 ? SideMap::Inside : SideMap::Outside);
    }
  }

  /// Returns the terminal capacity of a voxel, with its edges to voxels of known sides. Calls
  /// visitor(direction, offset of the neighbour, capacity) for the other edges.
  template <typename Visitor>
  std::int32_t terminal_of(const BandCell& cell, std::int64_t place, Visitor&& visitor) {
    const auto steps = steps_.lookup();
    const std::int32_t step = steps(voxels_[cell.offset]);
    std::int32_t terminal = tables_.terminal(step, cell.square);
    for (int direction = 0; direction < 6; ++direction) {
      const int axis = direction / 2;
      const bool up = direction % 2 == 0;
      const std::uint8_t side = map_.at(place + (up ? map_strides_[axis] : -map_strides_[axis]));
      if (side == SideMap::Nowhere) continue;
      const std::int64_t to = cell.offset + (up ? strides_[axis] : -strides_[axis]);
      const std::int32_t capacity = tables_.edge(axis, step, steps(voxels_[to]));
      if (side == SideMap::Open) {
        visitor(direction, to, capacity);
      } else {
        terminal += side == SideMap::Inside ? capacity : -capacity;
      }
    }
    return terminal;
  }

  void make_cells(const Band& band, std::int64_t begin, std::int64_t end,
                  std::vector<CutCell>& cells) {
    const std::vector<std::int32_t>& open = band.open;
    const auto offset_of = [&](std::int32_t i) { return band.cells[i].offset; };
    // Neighbours by direction: both lists are sorted, so each search goes on from the last.
    std::array<std::size_t, 6> near{};
    for (int direction = 0; direction < 6; ++direction) {
      const std::int64_t stride = strides_[direction / 2];
      const std::int64_t first = offset_of(open[begin]) + (direction % 2 == 0 ? stride : -stride);
      near[direction] = static_cast<std::size_t>(
          std::ranges::lower_bound(open, first, {}, offset_of) - open.begin());
    }
    Places places(geometry_, map_);
    for (std::int64_t i = begin; i < end; ++i) {
      CutCell& cell = cells[i];
      const BandCell& voxel = band.cells[open[i]];
      cell.terminal = terminal_of(voxel, places.of(voxel.offset),
                                  [&](int direction, std::int64_t to, std::int32_t capacity) {
                                    while (offset_of(open[near[direction]]) < to)
                                      ++near[direction];
                                    cell.neighbours[direction] =
                                        static_cast<std::int32_t>(near[direction]);
                                    cell.capacities[direction] = capacity;
                                  });
    }
  }

  const Geometry& geometry_;
  std::span<const T> voxels_;
  SideMapOf& map_;
  Context& context_;
  CapacityTables tables_;
  StepsOf<T> steps_;
  std::array<std::int64_t, 3> strides_;
  std::array<std::int64_t, 3> map_strides_;
};

}  // namespace

void settle(const CutCosts& costs, SideMap& map, Band& band, Context& context) {
  visit_voxels(costs.image, [&]<typename T>(std::span<const T> voxels) {
    Settling<T, SideMap>(costs, voxels, map, context).settle(band);
  });
}

std::vector<CutCell> network_of(const CutCosts& costs, const SideMap& map, const Band& band,
                                Context& context) {
  return visit_voxels(costs.image, [&]<typename T>(std::span<const T> voxels) {
    return Settling<T, const SideMap>(costs, voxels, map, context).cells(band);
  });
}

}  // namespace seedwave::border
