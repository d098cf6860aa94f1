// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/watershed_rules.h"
#include "gpu/device/counter.h"
#include "gpu/device/device_run.h"
#include "gpu/morphology/plane_reconstruction.cuh"
#include "gpu/morphology/watershed_cells.cuh"
#include "gpu/wavefront/plane_layout.cuh"
#include "gpu/wavefront/plane_tiles.cuh"

#include <algorithm>
#include <cstdint>
#include <utility>

/// The watershed of 2-D images on register tiles. Altitudes are a reconstruction by erosion above
/// the image. Its marker equals the image at markers and the highest value elsewhere. Hops and
/// labels pass through gates, which the rules of core/wavefront/watershed_rules.h open.
namespace seedwave::gpu {

/// A law for PlaneTiles with open and closed edges, and 4 or 8 neighbours. Over an open edge a cell
/// takes its neighbour's value less `loss` (0 or 1). Cells have 16 bits and are at least `loss`,
/// which means nothing.
///
/// Gates are bits, one for each cell and direction, in words that a lane reads as it sweeps. The
/// first cell of a pair has the low half of a word, the second the high half. A shift and a
/// permutation that replicates signs then make the mask for one place.
template <int loss, bool with_diagonals>
class GateLaw {
 public:
  using Cell = std::uint16_t;
  static constexpr bool kDiagonals = with_diagonals;
  using Layout = PlaneLayout<Cell>;
  using Pair = typename Layout::Pair;
  static constexpr int kPairs = Layout::kPairs;
  static constexpr std::uint32_t kNothing = loss;

  /// Number of ways in which a row takes from the row before it. No way crosses the tile's sides;
  /// `side` covers those.
  static constexpr int kColumnWays = with_diagonals ? 3 : 1;  // straight, from left, from right
  struct Gates {
    std::uint32_t down[kColumnWays][2];  // rows 0 to 15, 16 to 31
    std::uint32_t up[kColumnWays][2];
    std::uint32_t inwards[2];  // by rows; places 0 to 15, 16 to 31
    std::uint32_t outwards[2];
    /// By rows: gates from beyond the tile's side into the cells at the side, for dy = -1, 0, 1.
    std::uint32_t side;
  };
  static constexpr int kWords = static_cast<int>(sizeof(Gates) / sizeof(std::uint32_t));
  [[nodiscard]] static std::int64_t words(const PlaneGrid& grid) {
    return std::int64_t{grid.tiles()} * kWords * 32;
  }

  /// The words of each tile in sequence, each for 32 lanes.
  std::uint32_t* gates;

  struct Shared {};
  using Own = Gates;
  struct Beyond {
    std::uint32_t above[kColumnWays];
    std::uint32_t below[kColumnWays];
    std::uint32_t beside;
    std::uint32_t corner;
  };
  struct RowPart {};

  __device__ void store(std::int32_t tile, int lane, const Gates& own) const {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(&own);
#pragma unroll
    for (int w = 0; w < kWords; ++w)
      *word(tile, w, lane) = words[w];
  }
  __device__ void load(std::int32_t tile, int lane, Own& own) const {
    auto* const words = reinterpret_cast<std::uint32_t*>(&own);
#pragma unroll
    for (int w = 0; w < kWords; ++w)
      words[w] = __ldg(word(tile, w, lane));
  }
  [[nodiscard]] __device__ Beyond look(const PlaneNeighbours& next, int lane) const {
    constexpr int kDown = 0;
    constexpr int kUp = 2 * kColumnWays;
    Beyond beyond{};
#pragma unroll
    for (int way = 0; way < kColumnWays; ++way) {
      if (next.above >= 0) beyond.above[way] = __ldg(word(next.above, kUp + 2 * way + 1, lane));
      if (next.below >= 0) beyond.below[way] = __ldg(word(next.below, kDown + 2 * way, lane));
    }
    if (next.beside >= 0) beyond.beside = __ldg(word(next.beside, kWords - 1, lane ^ 16));
    if (next.corner >= 0) beyond.corner = __ldg(word(next.corner, kWords - 1, lane ^ 31));
    return beyond;
  }
  static __device__ void share(const Own&, int, Shared&) {}

  /// Call before each sweep. Otherwise the compiler would compute all masks once and keep them.
  static __device__ void forget(Own& own) {
    auto* const words = reinterpret_cast<std::uint32_t*>(&own);
#pragma unroll
    for (int w = 0; w < kWords; ++w)
      asm volatile("" : "+r"(words[w]));
  }
  /// Returns a pair that passes nothing on.
  [[nodiscard]] static __device__ Pair none() {
    return Pair::of(kNothing, kNothing);
  }

  [[nodiscard]] static __device__ Pair down(const Own& own, int y, Pair cell, Pair from, int lane) {
    return across(own.down, y, cell, from, lane);
  }
  [[nodiscard]] static __device__ Pair up(const Own& own, int y, Pair cell, Pair from, int lane) {
    return across(own.up, y, cell, from, lane);
  }
  [[nodiscard]] static __device__ RowPart row_part(const Shared&, int, int) {
    return {};
  }
  [[nodiscard]] static __device__ Pair inwards(const Own& own, RowPart, int x, Pair cell,
                                               Pair from) {
    return higher(cell, through(own.inwards[x / 16], x % 16, passed_on(from)));
  }
  [[nodiscard]] static __device__ Pair outwards(const Own& own, RowPart, int x, Pair cell,
                                                Pair from) {
    return higher(cell, through(own.outwards[x / 16], x % 16, passed_on(from)));
  }
  [[nodiscard]] static __device__ Pair taken_from_beside(const Own& own, Pair beside, Pair corner,
                                                         int lane) {
    return along_side(own.side, passed_on(beside), passed_on(corner), lane);
  }

  [[nodiscard]] static __device__ Pair taken_above(const Beyond& beyond, Pair first_row, int lane) {
    return along_row(beyond.above, 15, passed_on(first_row), lane);
  }
  [[nodiscard]] static __device__ Pair taken_below(const Beyond& beyond, Pair last_row, int lane) {
    return along_row(beyond.below, 0, passed_on(last_row), lane);
  }
  [[nodiscard]] static __device__ Pair taken_beside(const Beyond& beyond, Pair side, int lane) {
    return along_side(beyond.beside, passed_on(side), Pair::lowest(), lane);
  }
  [[nodiscard]] static __device__ std::uint32_t taken_beyond_corner(const Beyond& beyond, Pair side,
                                                                    int dy) {
    // In that tile the last row's cell takes from below, or the first row's from above.
    const Pair offer = passed_on(side);
    return dy < 0 ? ((beyond.corner >> 18 & 1U) != 0 ? offer.first() : 0)
                  : ((beyond.corner & 1U) != 0 ? offer.second() : 0);
  }

 private:
  [[nodiscard]] __device__ std::uint32_t* word(std::int64_t tile, int number, int lane) const {
    return gates + (tile * kWords + number) * 32 + lane;
  }
  /// Both cells are at least `loss`, so neither borrows from the other.
  [[nodiscard]] static __device__ Pair passed_on(Pair pair) {
    return {pair.cells - static_cast<std::uint32_t>(loss) * 0x00010001U};
  }
  /// Masks an offer by the gates at a place: bits `place` and 16 + `place`, each replicated over a
  /// half.
  [[nodiscard]] static __device__ Pair through(std::uint32_t gates, int place, Pair offer) {
    // Replicated signs of bytes 1, 1, 3, 3; __byte_perm() has no sign mode.
    std::uint32_t mask;
    asm("prmt.b32 %0, %1, 0, 0xBB99;" : "=r"(mask) : "r"(gates << (15 - place)));
    return {offer.cells & mask};
  }
  /// Returns a cell of row y after it takes from the row before it, through the gates `ways`.
  [[nodiscard]] static __device__ Pair across(const std::uint32_t (&ways)[kColumnWays][2], int y,
                                              Pair cell, Pair from, int lane) {
    std::uint32_t gates[kColumnWays];
#pragma unroll
    for (int way = 0; way < kColumnWays; ++way)
      gates[way] = ways[way][y / 16];
    return higher(cell, along_row(gates, y % 16, passed_on(from), lane));
  }
  [[nodiscard]] static __device__ Pair along_row(const std::uint32_t (&gates)[kColumnWays],
                                                 int place, Pair offer, int lane) {
    const Pair straight = through(gates[0], place, offer);
    if constexpr (!kDiagonals) {
      return straight;
    } else {
      return highest(straight, through(gates[1], place, Layout::from_left(offer, lane)),
                     through(gates[2], place, Layout::from_right(offer, lane)));
    }
  }
  [[nodiscard]] static __device__ Pair along_side(std::uint32_t gates, Pair offer, Pair corner,
                                                  int lane) {
    const Pair straight = through(gates, 1, offer);
    if constexpr (!kDiagonals) {
      return straight;
    } else {
      return highest(straight, through(gates, 0, Layout::from_above(offer, corner, lane)),
                     through(gates, 2, Layout::from_below(offer, corner, lane)));
    }
  }
};

/// Fills a law's gates. Edges: bool operator()(cell, dx, dy) const returns whether a cell takes
/// from that neighbour. The cell is an index in the plane's rows; the neighbour lies inside the
/// plane. One warp per tile; no races.
template <typename Law, typename Edges>
__global__ void __launch_bounds__(128) gates_kernel(const Edges edges, PlaneGrid grid, Law law) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = tile_of_warp();
  if (tile >= grid.tiles()) return;
  const int first_x = tile % grid.tiles_x * PlaneTile::kWidth;
  const int first_y = tile / grid.tiles_x * PlaneTile::kHeight;
  // x and y are relative to the tile.
  const auto takes = [&](int x, int y, int dx, int dy) -> std::uint32_t {
    const int cx = first_x + x;
    const int cy = first_y + y;
    if (cx >= grid.nx || cy >= grid.ny) return 0;
    const int ex = cx + dx;
    const int ey = cy + dy;
    if (ex < 0 || ey < 0 || ex >= grid.nx || ey >= grid.ny) return 0;
    return edges(cx + grid.pitch * cy, dx, dy) ? 1 : 0;
  };
  typename Law::Gates own{};
  constexpr int kWays = Law::kColumnWays;
  constexpr int kAside[3] = {0, -1, 1};
  for (int y = 0; y < PlaneTile::kHeight; ++y) {
#pragma unroll
    for (int way = 0; way < kWays; ++way) {
      const int dx = kAside[way];
      const bool first_in = dx >= 0 || lane > 0;
      const bool second_in = dx <= 0 || lane < 31;
      const auto both = [&](int dy) {
        return (first_in ? takes(2 * lane, y, dx, dy) : 0) |
               (second_in ? takes(2 * lane + 1, y, dx, dy) : 0) << 16;
      };
      // Not indexed by y / 16: an index unknown at compile time would put the words into local
      // memory.
      (y < 16 ? own.down[way][0] : own.down[way][1]) |= both(-1) << (y % 16);
      (y < 16 ? own.up[way][0] : own.up[way][1]) |= both(1) << (y % 16);
    }
  }
  // By rows: each lane evaluates its place in all rows, then keeps the bits it needs.
  for (int half = 0; half < 2; ++half) {
    const int x = half == 0 ? lane : PlaneTile::kWidth - 1 - lane;
    const int out = half == 0 ? -1 : 1;
    for (int q = 0; q < PlaneTile::kHeight / 2; ++q) {
      std::uint32_t in[2];
      std::uint32_t back[2];
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        const int y = 2 * q + row;
        in[row] = __ballot_sync(0xFFFFFFFFU, lane > 0 && takes(x, y, out, 0) != 0);
        back[row] = __ballot_sync(0xFFFFFFFFU, takes(x, y, -out, 0) != 0);
      }
      if (lane == half * 16 + q) {
        own.inwards[0] = __byte_perm(in[0], in[1], 0x5410);
        own.inwards[1] = __byte_perm(in[0], in[1], 0x7632);
        own.outwards[0] = __byte_perm(back[0], back[1], 0x5410);
        own.outwards[1] = __byte_perm(back[0], back[1], 0x7632);
      }
    }
  }
  const int side_x = lane < 16 ? 0 : PlaneTile::kWidth - 1;
  for (int row = 0; row < 2; ++row) {
    for (int dy = Law::kDiagonals ? -1 : 0; dy <= (Law::kDiagonals ? 1 : 0); ++dy) {
      own.side |= takes(side_x, 2 * (lane % 16) + row, outwards(lane), dy) << (16 * row + dy + 1);
    }
  }
  law.store(tile, lane, own);
}

using PlaneHops = std::uint16_t;

/// The passes' view of the plane, with indices in its rows.
template <typename Cell, typename Marker>
struct WatershedPlane {
  const Cell* f;
  const Cell* altitudes;
  const std::uint8_t* takes;
  const Marker* markers;
  PlaneHops* hops;
};

template <typename Cell>
struct PlateauEdges {
  using Rule = HopsRule<Cell, PlaneHops>;
  Rule rule;
  std::int64_t pitch;
  __device__ bool operator()(std::int64_t cell, int dx, int dy) const {
    return rule.transfer(0, {cell + dx + pitch * dy, cell, 0}) != Rule::kFar;
  }
};
/// Returns the position of a neighbour's bit among the eight.
[[nodiscard]] __device__ inline int bit_of(int dx, int dy) {
  const int place = 3 * (dy + 1) + dx + 1;
  return place < 4 ? place : place - 1;
}
struct BasinEdges {
  const std::uint8_t* predecessors;
  __device__ bool operator()(std::int64_t cell, int dx, int dy) const {
    return (predecessors[cell] >> bit_of(dx, dy) & 1) != 0;
  }
};

/// Gives each cell that takes the bits of its optimal predecessors; the others have none already.
/// One thread per cell of a row, blocks of rows by blockIdx.y. No races: of other cells only
/// altitudes and hops are read.
template <typename Cell, bool diagonals>
__global__ void __launch_bounds__(kBlockSize)
    plane_predecessors_kernel(const Cell* altitudes, const PlaneHops* hops, PlaneGrid grid,
                              std::uint8_t* takes) {
  const auto x = static_cast<int>(blockIdx.x * kBlockSize + threadIdx.x);
  if (x >= grid.nx) return;
  for (auto y = static_cast<int>(blockIdx.y); y < grid.ny; y += static_cast<int>(gridDim.y)) {
    const std::int64_t cell = x + grid.pitch * y;
    if (takes[cell] == 0) continue;
    Predecessors<Cell, PlaneHops> found(altitudes[cell], hops[cell]);
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy) {
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx) {
        if ((dx == 0 && dy == 0) || (!diagonals && dx != 0 && dy != 0)) continue;
        if (x + dx < 0 || y + dy < 0 || x + dx >= grid.nx || y + dy >= grid.ny) continue;
        const std::int64_t other = cell + dx + grid.pitch * dy;
        found.see(bit_of(dx, dy), altitudes[other], hops[other]);
      }
    }
    takes[cell] = static_cast<std::uint8_t>(found.steps());
  }
}

/// Hops as rising cells: the highest value is 0 hops; 1 means none.
constexpr std::uint32_t kNoHops = 0xFFFF;
/// A cell with this many hops could not pass any on; a wider type is then needed.
constexpr std::uint32_t kMostHops = kNoHops - 2;

template <typename Cell, typename Marker, bool diagonals>
struct HopsStart {
  WatershedPlane<Cell, Marker> plane;
  PlaneGrid grid;
  __device__ std::uint32_t operator()(int x, int y) const {
    const std::int64_t cell = x + grid.pitch * y;
    if (plane.markers[cell] != 0) return kNoHops;
    bool lower = false;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (!diagonals && dx != 0 && dy != 0) continue;
        if (x + dx < 0 || y + dy < 0 || x + dx >= grid.nx || y + dy >= grid.ny) continue;
        lower |= plane.altitudes[cell + dx + grid.pitch * dy] < plane.altitudes[cell];
      }
    }
    return comes_in(plane.f[cell], plane.altitudes[cell], plane.takes[cell] != 0, lower) ? kNoHops
                                                                                         : 1;
  }
};
struct HopsEnd {
  unsigned long long* overflows;
  __device__ std::uint32_t operator()(std::uint32_t cell) const {
    if (kNoHops - cell == kMostHops) atomicAdd(overflows, 1ULL);
    return kNoHops - cell;
  }
};

/// Labels less one as rising cells: the smallest label is the highest value; 0 means none. Of
/// 32-bit labels the upper or lower half, after `shift`.
template <typename Marker>
struct LabelsStart {
  const Marker* markers;
  std::int64_t pitch;
  int shift;
  __device__ std::uint32_t operator()(int x, int y) const {
    const auto less_one = static_cast<Marker>(markers[x + pitch * y] - 1);
    return 0xFFFF - (less_one >> shift & 0xFFFF);
  }
};
/// Adds one back, or leaves the half as it is.
struct LabelsEnd {
  std::uint32_t added;
  __device__ std::uint32_t operator()(std::uint32_t cell) const {
    return (0xFFFF - cell + added) & 0xFFFF;
  }
};

/// Removes predecessors with another upper half of the label. One thread per cell of a row, blocks
/// of rows by blockIdx.y. No races: of other cells only upper halves are read.
template <bool diagonals>
__global__ void __launch_bounds__(kBlockSize)
    same_half_kernel(const std::uint16_t* upper, PlaneGrid grid, std::uint8_t* predecessors) {
  const auto x = static_cast<int>(blockIdx.x * kBlockSize + threadIdx.x);
  if (x >= grid.nx) return;
  for (auto y = static_cast<int>(blockIdx.y); y < grid.ny; y += static_cast<int>(gridDim.y)) {
    const std::int64_t cell = x + grid.pitch * y;
    unsigned bits = predecessors[cell];
    if (bits == 0) continue;
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy) {
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx) {
        if ((dx == 0 && dy == 0) || (!diagonals && dx != 0 && dy != 0)) continue;
        if (x + dx < 0 || y + dy < 0 || x + dx >= grid.nx || y + dy >= grid.ny) continue;
        if (upper[cell + dx + grid.pitch * dy] != upper[cell]) bits &= ~(1U << bit_of(dx, dy));
      }
    }
    predecessors[cell] = static_cast<std::uint8_t>(bits);
  }
}

/// Joins the halves of labels less one. No races: each thread owns its cells.
inline __global__ void __launch_bounds__(kBlockSize)
    join_halves_kernel(const std::uint16_t* upper, const std::uint16_t* lower,
                       std::uint32_t* labels, std::int64_t count) {
  for_cells(count,
            [=](std::int64_t i) { labels[i] = (std::uint32_t{upper[i]} << 16U | lower[i]) + 1U; });
}

/// Brings each tile to its own fixpoint. Start: operator()(x, y), a cell's initial state. One warp
/// per tile; no races: tiles do not read each other.
template <typename Law, typename Start>
__global__ void __launch_bounds__(PlaneTiles<Law>::kThreads)
    begin_gated_kernel(const Start start, PlaneGrid grid, PlaneTiles<Law> tiles) {
  using Tiles = PlaneTiles<Law>;
  __shared__ typename Tiles::Scratch scratch[Tiles::kThreads / 32];
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = tile_of_warp();
  if (tile >= grid.tiles()) return;
  const TileColumns at(grid, tile, lane);
  const auto x = static_cast<int>(at.x);
  const auto y = static_cast<int>(at.y);
  typename Tiles::Pair cells[Tiles::kPairs];
#pragma unroll
  for (int row = 0; row < Tiles::kPairs; ++row) {
    std::uint32_t first = Law::kNothing;
    std::uint32_t second = Law::kNothing;
    if (y + row < grid.ny && x < grid.nx) {
      first = start(x, y + row);
      if (x + 1 < grid.nx) second = start(x + 1, y + row);
    }
    cells[row] = Tiles::Pair::of(first, second);
  }
  typename Tiles::Own own;
  tiles.law().load(tile, lane, own);
  tiles.begin(tile, lane, scratch[threadIdx.x / 32], cells, own);
}

/// Converts cells to the values that they represent, row by row. One warp per tile; no races: tiles
/// do not overlap.
template <typename Finish>
__global__ void __launch_bounds__(kEndThreads)
    end_gated_kernel(const TiledPlane<std::uint16_t> plane, PlaneGrid grid, const Finish finish,
                     std::uint16_t* result) {
  using Layout = PlaneLayout<std::uint16_t>;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = tile_of_warp();
  if (tile >= grid.tiles()) return;
  const TileColumns at(grid, tile, lane);
  typename Layout::Pair cells[Layout::kPairs];
  Layout::load(plane.cells, tile, lane, cells);
#pragma unroll
  for (int y = 0; y < Layout::kPairs; ++y) {
    if (at.y + y < grid.ny && at.x < grid.nx) {
      Layout::Pair::of(finish(cells[y].first()), finish(cells[y].second()))
          .store(result + at.first + y * grid.pitch);
    }
  }
}

/// The passes on a plane that lies entirely on the device. Cells have 16 bits: the upper halves of
/// 32-bit labels are found first, then the lower halves among predecessors with the same upper one.
template <typename Cell, typename Marker>
class WatershedOnPlane {
 public:
  WatershedOnPlane(const Index3& size, const Stream& stream)
      : grid_(PlaneGrid::of(size)),
        altitudes_(size, ReconstructionDirection::Erosion, stream),
        takes_(grid_.cells(), stream),
        labels_(grid_.cells(), stream) {}

  [[nodiscard]] static std::int64_t bytes(const Index3& size) {
    const PlaneGrid grid = PlaneGrid::of(size);
    constexpr std::int64_t kOfACell = sizeof(std::uint8_t) + sizeof(Marker) + sizeof(PlaneHops) +
                                      (sizeof(Marker) == 4 ? sizeof(std::uint16_t) : 0);
    return PlaneOnDevice<Cell>::bytes(size) + grid.cells() * kOfACell +
           GateLaw<1, true>::words(grid) * static_cast<std::int64_t>(sizeof(std::uint32_t)) +
           PlaneMemory<std::uint16_t>::bytes(grid) + DeviceQueue::bytes(grid.tiles());
  }
  [[nodiscard]] const PlaneGrid& grid() const { return grid_; }
  [[nodiscard]] DeviceBuffer<Cell>& f() { return altitudes_.mask(); }
  [[nodiscard]] DeviceBuffer<std::uint8_t>& takes() { return takes_; }
  /// Markers before the run, basins after it.
  [[nodiscard]] DeviceBuffer<Marker>& labels() { return labels_; }

  /// Returns false if plateaus are so wide that hops do not fit into 16 bits; nothing is then
  /// changed. Synchronises the stream. Throws Cancelled.
  template <bool diagonals>
  [[nodiscard]] bool run(DeviceRun& run, Context& context) {
    const Stream& stream = run.stream;
    run.clock.begin("altitudes");
    start_altitudes_kernel<<<blocks_for_cells(grid_.cells()), kBlockSize, 0, stream.get()>>>(
        labels_.data(), takes_.data(), f().data(), altitudes_.marker().data(), grid_.cells());
    check_launch(stream.get());
    DeviceCounter unused(stream);
    (void)altitudes_.run(diagonals ? Connectivity::C8 : Connectivity::C4, OnCrawl::GoOn, unused,
                         context, stream);

    run.clock.begin("hops");
    DeviceBuffer<PlaneHops> hops(grid_.cells(), stream);
    const WatershedPlane<Cell, Marker> plane{f().data(), altitudes_.marker().data(), takes_.data(),
                                             labels_.data(), hops.data()};
    DeviceCounter overflows(stream);
    propagate<GateLaw<1, diagonals>>(
        PlateauEdges<Cell>{{plane.altitudes, plane.takes}, grid_.pitch},
        HopsStart<Cell, Marker, diagonals>{plane, grid_}, HopsEnd{overflows.data()}, hops, context,
        stream);

    run.clock.begin("labels");
    if (overflows.read(stream) != 0) return false;
    const dim3 rows(blocks_for(grid_.nx),
                    static_cast<unsigned>(std::min<std::int64_t>(grid_.ny, 0xFFFF)));
    plane_predecessors_kernel<Cell, diagonals>
        <<<rows, kBlockSize, 0, stream.get()>>>(plane.altitudes, plane.hops, grid_, takes_.data());
    check_launch(stream.get());
    const BasinEdges edges{takes_.data()};
    if constexpr (sizeof(Marker) == 2) {
      propagate<GateLaw<0, diagonals>>(edges, LabelsStart<Marker>{plane.markers, grid_.pitch, 0},
                                       LabelsEnd{1}, labels_, context, stream);
    } else {
      DeviceBuffer<std::uint16_t> upper(grid_.cells(), stream);
      propagate<GateLaw<0, diagonals>>(edges, LabelsStart<Marker>{plane.markers, grid_.pitch, 16},
                                       LabelsEnd{0}, upper, context, stream);
      same_half_kernel<diagonals>
          <<<rows, kBlockSize, 0, stream.get()>>>(upper.data(), grid_, takes_.data());
      check_launch(stream.get());
      DeviceBuffer<std::uint16_t>& lower = hops;  // no longer needed
      propagate<GateLaw<0, diagonals>>(edges, LabelsStart<Marker>{plane.markers, grid_.pitch, 0},
                                       LabelsEnd{0}, lower, context, stream);
      join_halves_kernel<<<blocks_for_cells(grid_.cells()), kBlockSize, 0, stream.get()>>>(
          upper.data(), lower.data(), labels_.data(), grid_.cells());
      check_launch(stream.get());
    }
    return true;
  }

 private:
  template <typename Law, typename Edges, typename Start, typename Finish>
  void propagate(const Edges& edges, const Start& start, const Finish& finish,
                 DeviceBuffer<std::uint16_t>& result, Context& context, const Stream& stream) {
    DeviceBuffer<std::uint32_t> gates(Law::words(grid_), stream);
    PlaneMemory<std::uint16_t> cells(grid_, stream);
    const Law law{gates.data()};
    const PlaneTiles<Law> tiles(cells.view(), law);
    gates_kernel<<<blocks_of_tiles(grid_, 128), 128, 0, stream.get()>>>(edges, grid_, law);
    check_launch(stream.get());
    begin_gated_kernel<<<blocks_of_tiles(grid_, PlaneTiles<Law>::kThreads),
                         PlaneTiles<Law>::kThreads, 0, stream.get()>>>(start, grid_, tiles);
    check_launch(stream.get());
    run_plane(tiles, grid_, context, stream);
    end_gated_kernel<<<blocks_of_tiles(grid_, kEndThreads), kEndThreads, 0, stream.get()>>>(
        cells.view(), grid_, finish, result.data());
    check_launch(stream.get());
  }

  PlaneGrid grid_;
  PlaneOnDevice<Cell> altitudes_;
  DeviceBuffer<std::uint8_t> takes_;
  DeviceBuffer<Marker> labels_;
};

}  // namespace seedwave::gpu
