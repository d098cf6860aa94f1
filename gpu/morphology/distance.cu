// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/wavefront/large_memory.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/distance.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

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

template <typename Kernel>
void allow(Kernel* kernel, int shared_bytes) {
  CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
}

using Squares = DeviceBuffer<std::uint32_t>;

/// Where answers go: over the squares, which are as wide.
template <typename Out>
[[nodiscard]] Out* over(Squares& squares) {
  static_assert(sizeof(Out) == sizeof(std::uint32_t));
  return reinterpret_cast<Out*>(squares.data());
}

// Each pass on a part of an image that has all of the lines that it needs, packed.

void along_columns(const DeviceBuffer<std::uint8_t>& objects, const Size& size, Squares& squares,
                   const Stream& stream) {
  const dim3 blocks(static_cast<unsigned>((size.nx + kWarp - 1) / kWarp),
                    static_cast<unsigned>(size.nz));
  columns_kernel<<<blocks, dim3(kWarp, kBands), 0, stream.get()>>>(objects.data(), size,
                                                                   squares.data());
  check_launch(stream.get());
}

template <typename Finish>
void along_rows(Squares& squares, const Size& size, const Finish& finish, const Stream& stream) {
  const int blocks = (size.nx + kWarp - 1) / kWarp;
  const int bytes = blocks * (kWarp + 1) * static_cast<int>(sizeof(std::uint32_t));
  allow(rows_kernel<Finish>, bytes);
  rows_kernel<<<static_cast<unsigned>(size.ny) * static_cast<unsigned>(size.nz), kWarp * kWarps,
                bytes, stream.get()>>>(squares.data(), size, finish,
                                       over<typename Finish::Out>(squares));
  check_launch(stream.get());
}

template <typename Finish>
void along_z(Squares& squares, const Size& size, const Finish& finish, const Stream& stream) {
  const int blocks = (size.nz + kBlockOfPlanes - 1) / kBlockOfPlanes;
  const int bytes = blocks * (kBlockOfPlanes + 1) * kWarp * static_cast<int>(sizeof(std::uint32_t));
  allow(along_z_kernel<Finish>, bytes);
  const dim3 lines(static_cast<unsigned>((size.nx + kWarp - 1) / kWarp),
                   static_cast<unsigned>(size.ny));
  along_z_kernel<<<lines, kWarp * kWarps, bytes, stream.get()>>>(
      squares.data(), size, finish, over<typename Finish::Out>(squares));
  check_launch(stream.get());
}

constexpr std::int64_t kObject = 1;  // bytes
constexpr std::int64_t kSquare = 4;

Size size_of(const DistanceProblem& problem) {
  const Index3& size = problem.objects.geometry().size;
  return {static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2])};
}

/// All passes, one after the other, on the whole.
template <typename Finish>
void on_the_whole(const DistanceProblem& problem, const Finish& finish,
                  std::span<std::uint32_t> answer, Context& context) {
  DeviceRun run(context);
  const Size size = size_of(problem);
  run.clock.begin("upload");
  const auto voxels = problem.objects.voxels<std::uint8_t>();
  DeviceBuffer<std::uint8_t> objects(std::ssize(voxels), run.stream);
  Squares squares(std::ssize(voxels), run.stream);
  objects.copy_from(voxels, run.stream);
  run.clock.begin("distance");
  along_columns(objects, size, squares, run.stream);
  if (size.nz == 1) {
    along_rows(squares, size, finish, run.stream);
  } else {
    along_rows(squares, size, AsSquares{}, run.stream);
    context.checkpoint(0.5);
    along_z(squares, size, finish, run.stream);
  }
  run.clock.begin("download");
  squares.copy_to(answer, run.stream);
  run.clock.report();
}

/// The same in parts that `budget` bytes are enough for: a pass after the other over all of the
/// image, which lies on the host where the answer will be. Columns come in strips of columns, or
/// with their rows in slices; lines along z in strips of rows.
class InParts {
 public:
  InParts(const DistanceProblem& problem, std::int64_t budget, std::span<std::uint32_t> answer,
          Context& context)
      : size_(size_of(problem)),
        objects_(problem.objects.voxels<std::uint8_t>().data()),
        answer_(answer.data()),
        budget_(budget - kBufferEnds),
        context_(context),
        run_(context) {}

  template <typename Finish>
  void run(const Finish& finish) {
    const std::int64_t slices = budget_ / (plane() * (kObject + kSquare));
    if (size_.nz > 1 && slices > 0) {
      in_slices(slices);
    } else {
      in_strips_of_columns();
      size_.nz > 1 ? in_rows(AsSquares{}) : in_rows(finish);
    }
    if (size_.nz > 1) in_strips_along_z(finish);
    run_.clock.report();
  }

  /// The least budget: some columns, one row, the lines along z of one row.
  [[nodiscard]] static std::int64_t least(const Index3& size) {
    std::int64_t bytes = std::min<std::int64_t>(size[0], kWarp) * size[1] * (kObject + kSquare);
    bytes = std::max(bytes, size[0] * kSquare);
    if (size[2] > 1) bytes = std::max(bytes, size[0] * size[2] * kSquare);
    return bytes + kBufferEnds;
  }

 private:
  [[nodiscard]] std::int64_t plane() const { return std::int64_t{size_.nx} * size_.ny; }

  /// A rectangle of bytes, its rows `pitch` apart on the host and packed on the device.
  struct Strip {
    std::int64_t width;
    std::int64_t height;
    std::int64_t pitch;
  };
  void upload(const void* from, const Strip& strip, void* to) {
    CUDA_CHECK(cudaMemcpy2DAsync(
        to, static_cast<std::size_t>(strip.width), from, static_cast<std::size_t>(strip.pitch),
        static_cast<std::size_t>(strip.width), static_cast<std::size_t>(strip.height),
        cudaMemcpyHostToDevice, run_.stream.get()));
  }
  void download(const Squares& from, const Strip& strip, std::uint32_t* to) {
    run_.clock.begin("download");
    CUDA_CHECK(cudaMemcpy2DAsync(
        to, static_cast<std::size_t>(strip.pitch), from.data(),
        static_cast<std::size_t>(strip.width), static_cast<std::size_t>(strip.width),
        static_cast<std::size_t>(strip.height), cudaMemcpyDeviceToHost, run_.stream.get()));
    run_.stream.synchronize();
  }
  /// Calls body(begin, count) for parts of `all`, `most` at once.
  template <typename Body>
  void for_parts(std::int64_t all, std::int64_t most, Body&& body) {
    for (std::int64_t begin = 0; begin < all; begin += most) {
      context_.checkpoint(static_cast<double>(begin) / static_cast<double>(all));
      run_.clock.begin("upload");
      body(begin, std::min(most, all - begin));
    }
  }

  void in_slices(std::int64_t most) {
    most = std::min<std::int64_t>(most, size_.nz);
    DeviceBuffer<std::uint8_t> objects(most * plane(), run_.stream);
    Squares squares(most * plane(), run_.stream);
    for_parts(size_.nz, most, [&](std::int64_t z, std::int64_t count) {
      const std::int64_t cells = count * plane();
      upload(objects_ + z * plane(), {cells, 1, cells}, objects.data());
      run_.clock.begin("distance");
      const Size part{size_.nx, size_.ny, static_cast<int>(count)};
      along_columns(objects, part, squares, run_.stream);
      along_rows(squares, part, AsSquares{}, run_.stream);
      download(squares, {cells * kSquare, 1, cells * kSquare}, answer_ + z * plane());
    });
  }

  void in_strips_of_columns() {
    std::int64_t most = budget_ / (size_.ny * (kObject + kSquare));
    if (most > kWarp) most -= most % kWarp;
    most = std::min<std::int64_t>(most, size_.nx);
    DeviceBuffer<std::uint8_t> objects(most * size_.ny, run_.stream);
    Squares squares(most * size_.ny, run_.stream);
    for (std::int64_t z = 0; z < size_.nz; ++z) {
      for_parts(size_.nx, most, [&](std::int64_t x, std::int64_t count) {
        const std::int64_t first = z * plane() + x;
        upload(objects_ + first, {count, size_.ny, size_.nx}, objects.data());
        run_.clock.begin("distance");
        along_columns(objects, {static_cast<int>(count), size_.ny, 1}, squares, run_.stream);
        download(squares, {count * kSquare, size_.ny, size_.nx * kSquare}, answer_ + first);
      });
    }
  }

  template <typename Finish>
  void in_rows(const Finish& finish) {
    const std::int64_t rows = std::int64_t{size_.ny} * size_.nz;
    const std::int64_t most = std::min(rows, budget_ / (size_.nx * kSquare));
    Squares squares(most * size_.nx, run_.stream);
    for_parts(rows, most, [&](std::int64_t row, std::int64_t count) {
      const std::int64_t bytes = count * size_.nx * kSquare;
      upload(answer_ + row * size_.nx, {bytes, 1, bytes}, squares.data());
      run_.clock.begin("distance");
      along_rows(squares, {size_.nx, static_cast<int>(count), 1}, finish, run_.stream);
      download(squares, {bytes, 1, bytes}, answer_ + row * size_.nx);
    });
  }

  template <typename Finish>
  void in_strips_along_z(const Finish& finish) {
    const std::int64_t line = std::int64_t{size_.nx} * size_.nz * kSquare;
    const std::int64_t most = std::min<std::int64_t>(size_.ny, budget_ / line);
    Squares squares(most * size_.nx * size_.nz, run_.stream);
    for_parts(size_.ny, most, [&](std::int64_t y, std::int64_t count) {
      const Strip strip{count * size_.nx * kSquare, size_.nz, plane() * kSquare};
      upload(answer_ + y * size_.nx, strip, squares.data());
      run_.clock.begin("distance");
      along_z(squares, {size_.nx, static_cast<int>(count), size_.nz}, finish, run_.stream);
      download(squares, strip, answer_ + y * size_.nx);
    });
  }

  Size size_;
  const std::uint8_t* objects_;
  std::uint32_t* answer_;
  std::int64_t budget_;
  Context& context_;
  DeviceRun run_;
};

template <typename Finish>
DistanceMap distance(const DistanceProblem& problem, const Finish& finish, Context& context) {
  const Geometry& geometry = problem.objects.geometry();
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  auto voxels = large_array<typename Finish::Out>(count);
  const std::span<std::uint32_t> answer{reinterpret_cast<std::uint32_t*>(voxels.get()), count};
  const std::int64_t budget = memory_for(context);
  if (distance_bytes(geometry) <= budget) {
    on_the_whole(problem, finish, answer, context);
  } else if (InParts::least(geometry.size) <= budget) {
    InParts(problem, budget, answer, context).run(finish);
  } else {
    throw UnavailableError(in_bytes(budget) + " of memory are too few for distances on " +
                           describe(geometry) + ": at least " +
                           in_bytes(InParts::least(geometry.size)) + " are needed");
  }
  return {Volume(geometry, std::move(voxels)), {}};
}

}  // namespace

DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context) {
  const double unit = problem.scale.unit;
  switch (problem.form) {
    case DistanceForm::Length:
      return distance(problem, AsLength{unit}, context);
    case DistanceForm::Square:
      return distance(problem, AsScaledSquare{unit * unit}, context);
    case DistanceForm::SquareInVoxels:
      break;
  }
  return distance(problem, AsVoxelSquares{}, context);
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
  return geometry.voxel_count() * (kObject + kSquare) + kBufferEnds;
}

std::int64_t least_distance_bytes(const Geometry& geometry) {
  return InParts::least(geometry.size);
}

}  // namespace seedwave::gpu
