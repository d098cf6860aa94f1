// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/large_memory.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/morphology/distance.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace seedwave::gpu {
namespace {

/// More than any square: no background on the cell's line, or plane, yet.
constexpr std::uint32_t kNone = 0x7FFFFFFF;
constexpr int kWarp = 32;
constexpr unsigned kAll = 0xFFFFFFFFU;

// Along y: a block is 32 columns in as many bands.
constexpr int kBands = 32;
// Along x and z: warps of a block.
constexpr int kWarps = 8;
/// Cells along z of which one least square is kept.
constexpr int kBlockOfPlanes = 16;
/// Longest lines: what the passes keep of one, or of 32 along z, in shared memory; and on a row's
/// padding kNone and a squared step must still fit into 32 bits.
constexpr std::int64_t kLongestRow = 46000;
constexpr std::int64_t kLongestAlongZ = 1536;

struct Size {
  int nx;
  int ny;
  int nz;
};

/// Squared distance to the nearest background cell of the column. Threads (x, band); shared memory:
/// the first and last background row of each band, so that no band is read from outside. No races:
/// a thread owns its column's band.
__global__ void __launch_bounds__(kWarp* kBands)
    columns_kernel(const std::uint8_t* __restrict__ objects, const Size size,
                   std::uint32_t* __restrict__ squares) {
  constexpr int kBelow = std::numeric_limits<int>::max();  // no row
  __shared__ int first[kBands][kWarp];
  __shared__ int last[kBands][kWarp];
  const int x = static_cast<int>(blockIdx.x * kWarp + threadIdx.x);
  const int band = static_cast<int>(threadIdx.y);
  const int rows = (size.ny + kBands - 1) / kBands;
  const int begin = min(band * rows, size.ny);
  const int end = min(begin + rows, size.ny);
  const bool inside = x < size.nx;
  const std::int64_t plane = std::int64_t{blockIdx.y} * size.nx * size.ny;
  const auto at = [&](int y) { return plane + x + std::int64_t{size.nx} * y; };
  int own_first = kBelow;
  int own_last = -1;
  for (int y = begin; inside && y < end; ++y) {
    if (objects[at(y)] != 0) continue;
    own_first = min(own_first, y);
    own_last = y;
  }
  first[band][threadIdx.x] = own_first;
  last[band][threadIdx.x] = own_last;
  __syncthreads();
  if (!inside) return;
  int above = -1;
  int after = kBelow;
  for (int other = 0; other < kBands; ++other) {
    if (other < band) above = max(above, last[other][threadIdx.x]);
    if (other > band) after = min(after, first[other][threadIdx.x]);
  }
  int below = own_first != kBelow ? own_first : after;
  for (int y = begin; y < end; ++y) {
    if (y > below) {
      // The next background row: in this band, or the first of the bands behind.
      below = y;
      while (below < end && objects[at(below)] != 0)
        ++below;
      if (below == end) below = after;
    }
    if (y == below) above = y;
    int step = kBelow;
    if (above >= 0) step = y - above;
    if (below != kBelow) step = min(step, below - y);
    squares[at(y)] = step == kBelow ? kNone : static_cast<std::uint32_t>(step) * step;
  }
}

/// What a square becomes in the answer.
struct AsSquares {
  using Out = std::uint32_t;
  __device__ Out operator()(std::uint32_t square) const { return square; }
};
struct AsVoxelSquares {
  using Out = std::int32_t;
  __device__ Out operator()(std::uint32_t square) const {
    return square >= kNone ? -1 : static_cast<std::int32_t>(square);
  }
};
/// In f64, as on the CPU.
struct AsLength {
  using Out = float;
  double unit;
  __device__ Out operator()(std::uint32_t square) const {
    if (square >= kNone) return std::numeric_limits<float>::infinity();
    return static_cast<float>(unit * sqrt(static_cast<double>(square)));
  }
};
struct AsScaledSquare {
  using Out = float;
  double unit_squared;
  __device__ Out operator()(std::uint32_t square) const {
    if (square >= kNone) return std::numeric_limits<float>::infinity();
    return static_cast<float>(unit_squared * square);
  }
};

[[nodiscard]] __device__ std::uint32_t squared(int step) {
  return static_cast<std::uint32_t>(step) * static_cast<std::uint32_t>(step);
}
[[nodiscard]] __device__ std::uint32_t highest_in_warp(std::uint32_t value) {
  return __reduce_max_sync(kAll, value);
}

/// The least of square and squared step along a row. One block a row; a warp has 32 neighbouring
/// cells, so all its lanes look at the same candidate. Shared memory: the row, and the least square
/// of every 32 cells. In place: a block owns its row and has read all of it before it writes.
template <typename Finish>
__global__ void __launch_bounds__(kWarp* kWarps)
    rows_kernel(const std::uint32_t* squares, const Size size, const Finish finish,
                typename Finish::Out* result) {
  extern __shared__ std::uint32_t shared[];
  const int blocks = (size.nx + kWarp - 1) / kWarp;
  std::uint32_t* const row = shared;
  std::uint32_t* const least = shared + blocks * kWarp;
  const std::int64_t start = std::int64_t{blockIdx.x} * size.nx;
  const int lane = static_cast<int>(threadIdx.x % kWarp);
  const int warp = static_cast<int>(threadIdx.x / kWarp);
  for (int block = warp; block < blocks; block += kWarps) {
    const int x = block * kWarp + lane;
    const std::uint32_t square = x < size.nx ? squares[start + x] : kNone;
    row[x] = square;
    const std::uint32_t low = __reduce_min_sync(kAll, square);
    if (lane == 0) least[block] = low;
  }
  __syncthreads();
  for (int block = warp; block < blocks; block += kWarps) {
    const int x = block * kWarp + lane;
    std::uint32_t best = row[x];
    const auto look_at = [&](int other) {
      const int first = other * kWarp;
#pragma unroll 8
      for (int k = 0; k < kWarp; ++k)
        best = min(best, row[first + k] + squared(x - first - k));
    };
    look_at(block);
    std::uint32_t worst = highest_in_warp(best);
    for (int away = 1; away < blocks; ++away) {
      // The nearest that a cell here and a cell of that block can lie to each other.
      const std::uint32_t step = squared((away - 1) * kWarp + 1);
      if (step >= worst) break;
      for (int sign = -1; sign <= 1; sign += 2) {
        const int other = block + sign * away;
        if (other < 0 || other >= blocks || least[other] + step >= worst) continue;
        look_at(other);
        worst = highest_in_warp(best);
      }
    }
    if (x < size.nx) result[start + x] = finish(best);
  }
}

/// The same along z: a block has 32 neighbouring columns along x of one row, a lane a column each.
template <typename Finish>
__global__ void __launch_bounds__(kWarp* kWarps)
    along_z_kernel(const std::uint32_t* squares, const Size size, const Finish finish,
                   typename Finish::Out* result) {
  extern __shared__ std::uint32_t shared[];
  const int blocks = (size.nz + kBlockOfPlanes - 1) / kBlockOfPlanes;
  std::uint32_t(*const line)[kWarp] = reinterpret_cast<std::uint32_t(*)[kWarp]>(shared);
  std::uint32_t(*const least)[kWarp] = line + blocks * kBlockOfPlanes;
  const int lane = static_cast<int>(threadIdx.x % kWarp);
  const int warp = static_cast<int>(threadIdx.x / kWarp);
  const int x = static_cast<int>(blockIdx.x) * kWarp + lane;
  const std::int64_t start = x + std::int64_t{size.nx} * blockIdx.y;
  const std::int64_t plane = std::int64_t{size.nx} * size.ny;
  for (int block = warp; block < blocks; block += kWarps) {
    std::uint32_t low = kNone;
    for (int k = 0; k < kBlockOfPlanes; ++k) {
      const int z = block * kBlockOfPlanes + k;
      const std::uint32_t square = x < size.nx && z < size.nz ? squares[start + plane * z] : kNone;
      line[z][lane] = square;
      low = min(low, square);
    }
    least[block][lane] = low;
  }
  __syncthreads();
  for (int z = warp; z < size.nz; z += kWarps) {
    const int block = z / kBlockOfPlanes;
    std::uint32_t best = line[z][lane];
    const auto look_at = [&](int other) {
      const int first = other * kBlockOfPlanes;
#pragma unroll
      for (int k = 0; k < kBlockOfPlanes; ++k)
        best = min(best, line[first + k][lane] + squared(z - first - k));
    };
    look_at(block);
    for (int away = 1; away < blocks; ++away) {
      bool open = false;
      for (int sign = -1; sign <= 1; sign += 2) {
        const int other = block + sign * away;
        if (other < 0 || other >= blocks) continue;
        const int edge = other * kBlockOfPlanes;
        const std::uint32_t step = squared(sign < 0 ? z - edge - kBlockOfPlanes + 1 : edge - z);
        open |= step < best;
        if (__any_sync(kAll, least[other][lane] + step < best)) look_at(other);
      }
      if (!__any_sync(kAll, open)) break;
    }
    if (x < size.nx) result[start + plane * z] = finish(best);
  }
}

/// The passes on the device, and the way back.
class Passes {
 public:
  Passes(const DistanceProblem& problem, Context& context)
      : problem_(problem), context_(context), run_(context) {
    const Index3& size = problem.objects.geometry().size;
    size_ = {static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2])};
    run_.clock.begin("upload");
    const auto voxels = problem.objects.voxels<std::uint8_t>();
    objects_ = DeviceBuffer<std::uint8_t>(std::ssize(voxels), run_.stream);
    squares_ = DeviceBuffer<std::uint32_t>(std::ssize(voxels), run_.stream);
    objects_.copy_from(voxels, run_.stream);
  }

  template <typename Finish>
  Volume run(const Finish& finish) {
    run_.clock.begin("distance");
    const dim3 columns(static_cast<unsigned>((size_.nx + kWarp - 1) / kWarp),
                       static_cast<unsigned>(size_.nz));
    columns_kernel<<<columns, dim3(kWarp, kBands), 0, run_.stream.get()>>>(objects_.data(), size_,
                                                                           squares_.data());
    check_launch(run_.stream.get());
    if (size_.nz == 1) {
      along_rows(finish);
    } else {
      along_rows(AsSquares{});
      context_.checkpoint(0.5);
      along_z(finish);
    }
    return download<typename Finish::Out>();
  }

 private:
  /// In place: all answers are as wide as a square.
  template <typename Finish>
  void along_rows(const Finish& finish) {
    const int blocks = (size_.nx + kWarp - 1) / kWarp;
    const int bytes = blocks * (kWarp + 1) * static_cast<int>(sizeof(std::uint32_t));
    allow(rows_kernel<Finish>, bytes);
    rows_kernel<<<static_cast<unsigned>(size_.ny) * static_cast<unsigned>(size_.nz), kWarp * kWarps,
                  bytes, run_.stream.get()>>>(squares_.data(), size_, finish,
                                              answer<typename Finish::Out>());
    check_launch(run_.stream.get());
  }
  template <typename Finish>
  void along_z(const Finish& finish) {
    const int blocks = (size_.nz + kBlockOfPlanes - 1) / kBlockOfPlanes;
    const int bytes =
        blocks * (kBlockOfPlanes + 1) * kWarp * static_cast<int>(sizeof(std::uint32_t));
    allow(along_z_kernel<Finish>, bytes);
    const dim3 lines(static_cast<unsigned>((size_.nx + kWarp - 1) / kWarp),
                     static_cast<unsigned>(size_.ny));
    along_z_kernel<<<lines, kWarp * kWarps, bytes, run_.stream.get()>>>(
        squares_.data(), size_, finish, answer<typename Finish::Out>());
    check_launch(run_.stream.get());
  }
  template <typename Kernel>
  static void allow(Kernel* kernel, int shared_bytes) {
    CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  }
  template <typename Out>
  [[nodiscard]] Out* answer() {
    static_assert(sizeof(Out) == sizeof(std::uint32_t));
    return reinterpret_cast<Out*>(squares_.data());
  }
  template <typename Out>
  [[nodiscard]] Volume download() {
    run_.clock.begin("download");
    const auto count = static_cast<std::size_t>(squares_.size());
    auto voxels = large_array<Out>(count);
    squares_.copy_to({reinterpret_cast<std::uint32_t*>(voxels.get()), count}, run_.stream);
    run_.clock.report();
    return Volume(problem_.objects.geometry(), std::move(voxels));
  }

  const DistanceProblem& problem_;
  Context& context_;
  DeviceRun run_;
  Size size_{};
  DeviceBuffer<std::uint8_t> objects_;
  DeviceBuffer<std::uint32_t> squares_;
};

}  // namespace

DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context) {
  Passes passes(problem, context);
  const double unit = problem.scale.unit;
  switch (problem.form) {
    case DistanceForm::Length:
      return {passes.run(AsLength{unit}), {}};
    case DistanceForm::Square:
      return {passes.run(AsScaledSquare{unit * unit}), {}};
    case DistanceForm::SquareInVoxels:
      break;
  }
  return {passes.run(AsVoxelSquares{}), {}};
}

std::string why_no_distance(const DistanceProblem& problem) {
  const Index3& size = problem.objects.geometry().size;
  if (problem.nearest == NearestCells::Find) return "does not find the nearest cells";
  if (problem.scale.weights != Vec3{1.0, 1.0, 1.0}) return "knows equal spacings only";
  const std::int64_t diagonal = size[0] * size[0] + size[1] * size[1] + size[2] * size[2];
  if (diagonal >= kNone || size[0] > kLongestRow || size[2] > kLongestAlongZ) {
    return "knows smaller images only";
  }
  return "";
}

std::int64_t distance_bytes(const Geometry& geometry) {
  return geometry.voxel_count() * 5;
}

}  // namespace seedwave::gpu
