// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/watershed_rules.h"
#include "gpu/device/counter.h"
#include "gpu/device/device_run.h"
#include "gpu/morphology/plane_reconstruction.cuh"
#include "gpu/morphology/watershed_cells.cuh"
#include "gpu/wavefront/gate_law.cuh"

#include <algorithm>
#include <cstdint>
#include <utility>

/// The watershed of 2-D images on register tiles. Altitudes are a reconstruction by erosion above
/// the image. Its marker equals the image at markers and the highest value elsewhere. Hops and
/// labels pass through gates, which the rules of core/wavefront/watershed_rules.h open.
namespace seedwave::gpu {

using PlaneHops = std::uint16_t;

/// The passes' view of the plane, with indices in its rows.
template <typename Cell>
struct WatershedPlane {
  const Cell* f;
  const Cell* altitudes;
  const std::uint8_t* takes;
  const std::uint16_t* markers;
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

template <typename Cell, bool diagonals>
struct HopsStart {
  WatershedPlane<Cell> plane;
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

/// Labels as rising cells: the smallest label is the highest value; 0 means none.
struct LabelsStart {
  const std::uint16_t* markers;
  std::int64_t pitch;
  __device__ std::uint32_t operator()(int x, int y) const {
    const std::uint32_t marker = markers[x + pitch * y];
    return marker == 0 ? 0 : 0x10000 - marker;
  }
};
struct LabelsEnd {
  __device__ std::uint32_t operator()(std::uint32_t cell) const {
    return cell == 0 ? 0 : 0x10000 - cell;
  }
};

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

/// The passes on a plane that lies entirely on the device.
template <typename Cell>
class WatershedOnPlane {
 public:
  WatershedOnPlane(const Index3& size, const Stream& stream)
      : grid_(PlaneGrid::of(size)),
        altitudes_(size, ReconstructionDirection::Erosion, stream),
        takes_(grid_.cells(), stream),
        labels_(grid_.cells(), stream) {}

  [[nodiscard]] static std::int64_t bytes(const Index3& size) {
    const PlaneGrid grid = PlaneGrid::of(size);
    constexpr std::int64_t kOfACell =
        sizeof(std::uint8_t) + sizeof(std::uint16_t) + sizeof(PlaneHops);
    return PlaneOnDevice<Cell>::bytes(size) + grid.cells() * kOfACell +
           GateLaw<1, true>::words(grid) * static_cast<std::int64_t>(sizeof(std::uint32_t)) +
           PlaneMemory<std::uint16_t>::bytes(grid) + DeviceQueue::bytes(grid.tiles());
  }
  [[nodiscard]] const PlaneGrid& grid() const { return grid_; }
  [[nodiscard]] DeviceBuffer<Cell>& f() { return altitudes_.mask(); }
  [[nodiscard]] DeviceBuffer<std::uint8_t>& takes() { return takes_; }
  /// Markers before the run, basins after it.
  [[nodiscard]] DeviceBuffer<std::uint16_t>& labels() { return labels_; }

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
    const WatershedPlane<Cell> plane{f().data(), altitudes_.marker().data(), takes_.data(),
                                     labels_.data(), hops.data()};
    DeviceCounter overflows(stream);
    propagate<GateLaw<1, diagonals>>(
        PlateauEdges<Cell>{{plane.altitudes, plane.takes}, grid_.pitch},
        HopsStart<Cell, diagonals>{plane, grid_}, HopsEnd{overflows.data()}, hops, context, stream);

    run.clock.begin("labels");
    if (overflows.read(stream) != 0) return false;
    const dim3 rows(blocks_for(grid_.nx),
                    static_cast<unsigned>(std::min<std::int64_t>(grid_.ny, 0xFFFF)));
    plane_predecessors_kernel<Cell, diagonals>
        <<<rows, kBlockSize, 0, stream.get()>>>(plane.altitudes, plane.hops, grid_, takes_.data());
    check_launch(stream.get());
    propagate<GateLaw<0, diagonals>>(BasinEdges{takes_.data()},
                                     LabelsStart{plane.markers, grid_.pitch}, LabelsEnd{}, labels_,
                                     context, stream);
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
  DeviceBuffer<std::uint16_t> labels_;
};

}  // namespace seedwave::gpu
