// SPDX-License-Identifier: Apache-2.0
#include "core/border/network.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/border/capacities.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

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

/// The side of each voxel of a box with a margin of one voxel, as far as it is known.
class SideMap {
 public:
  enum Side : std::uint8_t { Outside, Inside, Open, Nowhere };  // Nowhere: beyond the image

  SideMap(const LabelMap& labels, Label label, const Box& box, Context& context)
      : geometry_(labels.geometry()), lo_{box.lo[0] - 1, box.lo[1] - 1, box.lo[2] - 1} {
    for (int axis = 0; axis < 3; ++axis)
      size_[axis] = box.hi[axis] + 1 - lo_[axis];
    const auto places = static_cast<std::size_t>(size_[0] * size_[1] * size_[2]);
    sides_ = large_array<std::uint8_t>(context, places);
    is_woken_ = sparse_zeros<std::uint8_t>(places);
    visit_labels(labels.labels(), [&]<LabelType T>(std::span<const T> of) {
      parallel_for(context, size_[1] * size_[2], 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
          read_row(of, static_cast<T>(label), row);
      });
    });
  }

  /// Steps between neighbours along each axis.
  [[nodiscard]] std::array<std::int64_t, 3> strides() const {
    return {1, size_[0], size_[0] * size_[1]};
  }
  /// Returns what to add to the offsets of a row of the image, given one of its voxels.
  [[nodiscard]] std::int64_t shift_of_row(const Index3& at) const {
    return at[0] - lo_[0] + size_[0] * (at[1] - lo_[1] + size_[1] * (at[2] - lo_[2])) -
           geometry_.offset(at);
  }
  // Threads decide on some voxels while they look at others.
  [[nodiscard]] std::uint8_t at(std::int64_t place) const {
    return std::atomic_ref(sides_[place]).load(std::memory_order_relaxed);
  }
  void set(std::int64_t place, Side side) {
    std::atomic_ref(sides_[place]).store(side, std::memory_order_relaxed);
  }
  /// Notes that a neighbour was decided on.
  void wake(std::int64_t place) {
    std::atomic_ref(is_woken_[place]).store(1, std::memory_order_relaxed);
  }
  /// Returns whether one was since the last call. Threads may miss one of the same moment: then the
  /// voxel stays open, which is never wrong.
  [[nodiscard]] bool take_wake(std::int64_t place) {
    std::atomic_ref woken(is_woken_[place]);
    if (woken.load(std::memory_order_relaxed) == 0) return false;
    woken.store(0, std::memory_order_relaxed);
    return true;
  }

 private:
  template <LabelType T>
  void read_row(std::span<const T> labels, T label, std::int64_t row) {
    std::uint8_t* to = sides_.get() + row * size_[0];
    const std::int64_t y = lo_[1] + row % size_[1];
    const std::int64_t z = lo_[2] + row / size_[1];
    if (y < 0 || y >= geometry_.size[1] || z < 0 || z >= geometry_.size[2]) {
      std::fill_n(to, size_[0], std::uint8_t{Nowhere});
      return;
    }
    const std::int64_t first = std::max<std::int64_t>(lo_[0], 0);
    const std::int64_t last = std::min(lo_[0] + size_[0], geometry_.size[0]);
    if (first > lo_[0]) to[0] = Nowhere;
    if (last < lo_[0] + size_[0]) to[size_[0] - 1] = Nowhere;
    const T* from = labels.data() + geometry_.offset({first, y, z});
    std::transform(from, from + (last - first), to + (first - lo_[0]),
                   [label](T other) -> std::uint8_t { return other == label ? Inside : Outside; });
  }

  const Geometry& geometry_;
  Index3 lo_;
  Index3 size_{};
  LargeArray<std::uint8_t> sides_;
  SparseZeros<std::uint8_t> is_woken_;
};

/// Finds the places of voxels in a map of sides: quickly for those of one row after each other.
class Places {
 public:
  Places(const Geometry& geometry, const SideMap& map) : geometry_(geometry), map_(map) {}

  [[nodiscard]] std::int64_t of(std::int64_t offset) {
    if (offset < row_ || offset >= row_ + geometry_.size[0]) {
      const Index3 at = geometry_.index_of(offset);
      row_ = offset - at[0];
      shift_ = map_.shift_of_row(at);
    }
    return offset + shift_;
  }

 private:
  const Geometry& geometry_;
  const SideMap& map_;
  std::int64_t row_ = std::numeric_limits<std::int64_t>::min() / 2;  // none yet
  std::int64_t shift_ = 0;
};

/// Removes the seeds, and what lies outside the mask.
void remove_fixed(const RefineBorderProblem& problem, std::vector<BandCell>& band) {
  auto seed = problem.seeds.begin();
  std::erase_if(band, [&](const BandCell& cell) {
    while (seed != problem.seeds.end() && seed->offset < cell.offset)
      ++seed;
    if (seed != problem.seeds.end() && seed->offset == cell.offset) return true;
    return !problem.mask.empty() &&
           problem.mask.labels()[static_cast<std::size_t>(cell.offset)] == 0;
  });
}

/// Finds the sides that need no cut, and makes the network of the others.
template <typename T>
class Settling {
 public:
  Settling(const RefineBorderProblem& problem, std::span<const T> voxels, Network& network,
           SideMap& map, Context& context)
      : geometry_(problem.image.geometry()),
        voxels_(voxels),
        network_(network),
        map_(map),
        context_(context),
        capacities_(problem, problem.models.at(network.label)),
        tables_(capacities_.tables()),
        steps_(tables_.intensities, problem.models.at(network.label)),
        strides_{1, geometry_.size[0], geometry_.size[0] * geometry_.size[1]},
        map_strides_(map.strides()) {}

  /// Goes over the voxels forwards and backwards, until few more become known. After the first time
  /// only those are looked at that have a neighbour which became known since.
  void settle() {
    constexpr int kMostSweeps = 8;
    constexpr std::size_t kFew = 16;
    std::vector<std::int32_t>& open = network_.open;
    open.resize(network_.band.size());
    std::iota(open.begin(), open.end(), 0);
    parallel_for(context_, std::ssize(open), kGrain, [&](std::int64_t begin, std::int64_t end) {
      Places places(geometry_, map_);
      for (std::int64_t i = begin; i < end; ++i)
        map_.set(places.of(network_.band[i].offset), SideMap::Open);
    });
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      const Way way = sweep % 2 == 0 ? Way::Forwards : Way::Backwards;
      const Looks looks = sweep == 0 ? Looks::AtAll : Looks::AtWoken;
      parallel_for(context_, std::ssize(open), kGrain,
                   [&](std::int64_t begin, std::int64_t end) { decide(begin, end, way, looks); });
      const std::size_t before = open.size();
      std::erase_if(open, [&](std::int32_t i) { return network_.sides[i] != CutSide::Either; });
      if (before - open.size() < before / kFew) break;
    }
  }

  void make_cells() {
    network_.cells.resize(network_.open.size());
    parallel_for(context_, std::ssize(network_.open), kGrain,
                 [&](std::int64_t begin, std::int64_t end) { make_cells(begin, end); });
  }

 private:
  enum class Way { Forwards, Backwards };
  enum class Looks { AtAll, AtWoken };

  /// Decides on some of the voxels whose sides are not known. Does what terminal_of() does, without
  /// branches, and with all that the loop reads at hand.
  void decide(std::int64_t begin, std::int64_t end, Way way, Looks looks) {
    // By side: the sign of an edge's share of the terminal, and whether it stays an edge.
    static constexpr std::array<std::int32_t, 4> kSign{-1, 1, 0, 0};
    static constexpr std::array<std::int32_t, 4> kIsEdge{0, 0, 1, 0};
    const std::int32_t* open = network_.open.data();
    const BandCell* band = network_.band.data();
    const T* voxels = voxels_.data();
    const auto steps = steps_.lookup();
    const CapacityTables tables = tables_;
    const std::array<std::int64_t, 3> strides = strides_;
    const std::array<std::int64_t, 3> map_strides = map_strides_;
    Places places(geometry_, map_);
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int32_t i = open[way == Way::Forwards ? k : end - 1 - (k - begin)];
      const std::int64_t offset = band[i].offset;
      const std::int64_t place = places.of(offset);
      if (!map_.take_wake(place) && looks == Looks::AtWoken) continue;
      const std::int32_t step = steps(voxels[offset]);
      std::int32_t terminal = tables.terminal(step, band[i].square);
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
      network_.sides[i] = terminal > 0 ? CutSide::Source : CutSide::Sink;
      map_.set(place, terminal > 0 ? SideMap::Inside : SideMap::Outside);
      for (const std::int64_t stride : map_strides) {
        map_.wake(place + stride);
        map_.wake(place - stride);
      }
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

  void make_cells(std::int64_t begin, std::int64_t end) {
    const std::vector<std::int32_t>& open = network_.open;
    const auto offset_of = [&](std::int32_t i) { return network_.band[i].offset; };
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
      CutCell& cell = network_.cells[i];
      const BandCell& voxel = network_.band[open[i]];
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
  Network& network_;
  SideMap& map_;
  Context& context_;
  Capacities capacities_;
  CapacityTables tables_;
  StepsOf<T> steps_;
  std::array<std::int64_t, 3> strides_;
  std::array<std::int64_t, 3> map_strides_;
};

}  // namespace

Network make_network(const RefineBorderProblem& problem, const LabelMap& labels, Label label,
                     const Box& box, Context& context) {
  Network network{.label = label, .band = band_around(labels, label, box, problem.band, context)};
  remove_fixed(problem, network.band);
  if (network.band.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw UnavailableError("the band holds too many voxels for a cut: make it narrower");
  network.sides.assign(network.band.size(), CutSide::Either);
  if (network.band.empty()) return network;
  SideMap map(labels, label, band_box(labels.geometry(), box, problem.band), context);
  visit_voxels(problem.image, [&]<typename T>(std::span<const T> voxels) {
    Settling<T> settling(problem, voxels, network, map, context);
    settling.settle();
    settling.make_cells();
  });
  return network;
}

}  // namespace seedwave::border
