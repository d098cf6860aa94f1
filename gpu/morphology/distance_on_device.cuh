// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance.h"
#include "core/morphology/distance/kernel.h"
#include "core/morphology/distance/part_solver.h"
#include "core/parallel/parallel_for.h"
#include "gpu/device/buffer.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/landings.h"
#include "gpu/device/launch.h"
#include "gpu/device/memory.h"
#include "gpu/device/upload.h"
#include "gpu/morphology/distance_ends.cuh"
#include "gpu/morphology/distance_passes.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace seedwave::gpu {

/// The cells of Planes that a kind of key is written to, of its own width.
template <typename Key>
using PlaneCellOf =
    std::conditional_t<std::is_same_v<Key, NearKey>, std::int32_t,
                       std::conditional_t<std::is_same_v<Key, NamedKey>, std::int64_t, double>>;

/// Translates keys to cells of Planes in place, or back.
template <typename Key>
struct PlaneCells {
  using Cell = PlaneCellOf<Key>;
  static_assert(sizeof(Cell) == sizeof(Key));
  /// The least square that a cell of whole numbers does not hold.
  static constexpr std::uint32_t kTooLarge = distance::kUnknown<std::int32_t>;

  static __device__ Cell cell_of(Key key) {
    if constexpr (std::is_same_v<Cell, double>) {
      return key.is_none() ? std::numeric_limits<double>::infinity()
                           : static_cast<double>(key.square());
    } else if constexpr (Key::kNamed) {
      return key.square() < kTooLarge ? static_cast<Cell>(key.key)
                                      : static_cast<Cell>(std::uint64_t{kTooLarge} << 32);
    } else {
      return static_cast<Cell>(min(key.square(), kTooLarge));
    }
  }
  static __device__ Key key_of(Cell cell) {
    if constexpr (std::is_same_v<Cell, double>) {
      return cell < std::numeric_limits<double>::infinity()
                 ? Key::of(static_cast<typename Key::Square>(cell), 0)
                 : Key::none();
    } else {
      const Key key{static_cast<decltype(Key::key)>(cell)};
      return key.square() < kTooLarge ? key : Key::none();
    }
  }
};

template <typename Key>
__global__ void __launch_bounds__(kBlockSize) to_plane_cells_kernel(Key* keys, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  using Cell = typename PlaneCells<Key>::Cell;
  if (i < count) reinterpret_cast<Cell*>(keys)[i] = PlaneCells<Key>::cell_of(keys[i]);
}
template <typename Key>
__global__ void __launch_bounds__(kBlockSize) to_keys_kernel(Key* keys, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  using Cell = typename PlaneCells<Key>::Cell;
  if (i < count) keys[i] = PlaneCells<Key>::key_of(reinterpret_cast<const Cell*>(keys)[i]);
}

/// Rows of all slices of a volume: `width` bytes of each, `pitch` bytes apart on the host and
/// packed on the device. They are copied in blocks of the packed bytes, which slices may share.
class Strips {
 public:
  Strips(std::int64_t width, std::int64_t pitch, std::int64_t count)
      : width_(width), pitch_(pitch), bytes_(width * count) {}

  /// Enqueues the last blocks.
  void upload(const std::byte* host, std::byte* device, Context& context,
              const Stream& stream) const {
    BlockUpload(most(), context, stream)
        .send(
            blocks(),
            [&](std::size_t block, std::byte* landing) {
              for_pieces(block, context, [&](std::int64_t at, std::int64_t on_host, auto count) {
                std::copy_n(host + on_host, count, landing + at);
              });
            },
            [&](std::size_t block, const std::byte* landing) {
              CUDA_CHECK(cudaMemcpyAsync(device + begin(block), landing, size(block),
                                         cudaMemcpyHostToDevice, stream.get()));
            });
  }
  /// Returns after all have arrived.
  void download(const std::byte* device, std::byte* host, Context& context,
                const Stream& stream) const {
    BlockDownload(most(), context, stream)
        .bring(
            blocks(),
            [&](std::size_t block, std::byte* landing) {
              CUDA_CHECK(cudaMemcpyAsync(landing, device + begin(block), size(block),
                                         cudaMemcpyDeviceToHost, stream.get()));
            },
            [&](std::size_t block, const std::byte* landing) {
              for_pieces(block, context, [&](std::int64_t at, std::int64_t on_host, auto count) {
                std::copy_n(landing + at, count, host + on_host);
              });
            });
  }

 private:
  [[nodiscard]] std::int64_t most() const { return std::min(kBlockBytes, bytes_); }
  [[nodiscard]] std::size_t blocks() const {
    return static_cast<std::size_t>((bytes_ + kBlockBytes - 1) / kBlockBytes);
  }
  [[nodiscard]] static std::int64_t begin(std::size_t block) {
    return static_cast<std::int64_t>(block) * kBlockBytes;
  }
  [[nodiscard]] std::size_t size(std::size_t block) const {
    return static_cast<std::size_t>(std::min(kBlockBytes, bytes_ - begin(block)));
  }
  /// Calls body(offset in the block, offset on the host, bytes) on all threads for the pieces of a
  /// block that are contiguous on the host.
  template <typename Body>
  void for_pieces(std::size_t block, Context& context, const Body& body) const {
    const std::int64_t first = begin(block);
    parallel_for(context, static_cast<std::int64_t>(size(block)), kBytesAThread,
                 [&](std::int64_t from, std::int64_t to) {
                   while (from < to) {
                     const std::int64_t slice = (first + from) / width_;
                     const std::int64_t in_slice = (first + from) % width_;
                     const std::int64_t count = std::min(to - from, width_ - in_slice);
                     body(from, slice * pitch_ + in_slice, count);
                     from += count;
                   }
                 });
  }

  std::int64_t width_;
  std::int64_t pitch_;
  std::int64_t bytes_;
};

/// A problem as the passes see it. Ends: see distance_ends.cuh.
template <typename Key, typename Ends>
struct PassesOf {
  using Answers = typename Ends::template Answers<Key>;

  Index3 size;
  DistanceScale scale;
  Ends ends;

  /// Returns the grid of some rows of some slices.
  [[nodiscard]] DistanceGrid grid(std::int64_t rows, std::int64_t slices) const {
    DistanceGrid grid{
        static_cast<int>(size[0]), static_cast<int>(rows), static_cast<int>(slices), {}};
    for (std::size_t axis = 0; axis < 3; ++axis)
      grid.weights[axis] = static_cast<std::uint64_t>(scale.weights[axis]);
    return grid;
  }
};

[[nodiscard]] inline std::span<std::byte> bytes_at(void* host, std::int64_t first,
                                                   std::int64_t count) {
  return {static_cast<std::byte*>(host) + first, static_cast<std::size_t>(count)};
}

/// Runs all passes, one after the other, on the whole image.
template <typename Key, typename Ends>
void solve_whole(const PassesOf<Key, Ends>& passes, const distance::Answer& to, Context& context) {
  DeviceRun run(context);
  run.clock.begin("upload");
  DeviceBuffer<typename Ends::Site> sites(std::ssize(passes.ends.sites), run.stream);
  upload(passes.ends.sites, sites, context, run.stream);
  run.clock.begin("distance");
  DeviceBuffer<Key> keys(sites.size(), run.stream);
  typename Ends::template Answers<Key> answers(passes.ends, keys, run.stream);
  const DistanceGrid grid = passes.grid(passes.size[1], passes.size[2]);
  along_columns(Ends::sites_of(sites.data(), 0), {}, grid, keys, run.stream);
  if (grid.nz == 1) {
    along_rows(keys, grid, answers.finish(), run.stream);
  } else {
    along_rows(keys, grid, Keys<Key>{keys.data()}, run.stream);
    context.checkpoint(0.5);
    along_z(keys, grid, answers.finish(), run.stream);
  }
  run.clock.begin("download");
  answers.for_each(to, [&](const void* device, std::size_t cell, void* host) {
    const auto bytes = static_cast<std::int64_t>(cell) * keys.size();
    download_rows({device, bytes, bytes}, bytes_at(host, 0, bytes), context, run.stream);
  });
  run.clock.report();
}

/// Returns the device memory of the sides of a piece.
[[nodiscard]] constexpr std::int64_t side_bytes(std::int64_t columns) {
  return 2 * columns * static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(std::uint32_t));
}

/// The room of a worker on a device.
struct DeviceRoom {
  /// Bytes that it may use, and those of a cell.
  std::int64_t memory;
  std::int64_t bytes_each;
  /// Shared memory of a block.
  std::int64_t shared_bytes;
};

/// Parts of a run that others share, or that the device cannot hold, on the device of whoever
/// calls.
template <typename Key, typename Ends>
class PartsOnDevice final : public distance::PartSolver {
  using Answers = typename Ends::template Answers<Key>;
  using Site = typename Ends::Site;

 public:
  /// `least`: the room that each worker has.
  PartsOnDevice(const PassesOf<Key, Ends>& passes, const DeviceRoom& least)
      : passes_(passes), size_(passes_.size) {
    const std::int64_t memory = least.memory - kBufferEnds;
    const std::int64_t row_bytes = size_[0] * least.bytes_each;
    most_rows_ = std::min((memory - side_bytes(size_[0])) / row_bytes,
                          distance_passes::longest_column(least.shared_bytes));
    most_rows_along_z_ = std::min(memory / (row_bytes * size_[2]), distance_passes::kMostInLaunch);
  }

  [[nodiscard]] std::int64_t most_rows() const override { return most_rows_; }
  [[nodiscard]] std::int64_t most_rows_along_z() const override { return most_rows_along_z_; }
  void solve_rows(const distance::RowsPiece& piece, const distance::Answer& to,
                  Context& context) override {
    DeviceRun run(context);
    DeviceBuffer<Key> keys = columns_of(piece, context, run);
    Answers answers(passes_.ends, keys, run.stream);
    along_rows(keys, passes_.grid(piece.rows, piece.slices), answers.finish(), run.stream);
    run.clock.begin("download");
    answers.for_each(to, [&](const void* device, std::size_t cell, void* host) {
      download_wanted(piece, device, cell, host, context, run.stream);
    });
    run.clock.report();
  }
  void solve_rows(const distance::RowsPiece& piece, const distance::Planes& to,
                  Context& context) override {
    DeviceRun run(context);
    DeviceBuffer<Key> keys = columns_of(piece, context, run);
    along_rows(keys, passes_.grid(piece.rows, piece.slices), Keys<Key>{keys.data()}, run.stream);
    to_plane_cells_kernel<<<blocks_for(keys.size()), kBlockSize, 0, run.stream.get()>>>(
        keys.data(), keys.size());
    check_launch(run.stream.get());
    run.clock.begin("download");
    download_wanted(piece, keys.data(), sizeof(Key), to.first, context, run.stream);
    run.clock.report();
  }
  void solve_along_z(const LayerRange& rows, const distance::Planes& from,
                     const distance::Answer& to, Context& context) override {
    DeviceRun run(context);
    run.clock.begin("upload");
    DeviceBuffer<Key> keys(rows.layers() * size_[0] * size_[2], run.stream);
    const auto strips_of = [&](std::size_t cell) {
      const std::int64_t row = size_[0] * static_cast<std::int64_t>(cell);
      return Strips(rows.layers() * row, size_[1] * row, size_[2]);
    };
    const std::int64_t first = rows.begin * size_[0];
    strips_of(sizeof(Key))
        .upload(from.first + first * static_cast<std::int64_t>(sizeof(Key)),
                reinterpret_cast<std::byte*>(keys.data()), context, run.stream);
    run.clock.begin("distance");
    to_keys_kernel<<<blocks_for(keys.size()), kBlockSize, 0, run.stream.get()>>>(keys.data(),
                                                                                 keys.size());
    check_launch(run.stream.get());
    Answers answers(passes_.ends, keys, run.stream);
    along_z(keys, passes_.grid(rows.layers(), size_[2]), answers.finish(), run.stream);
    run.clock.begin("download");
    answers.for_each(to, [&](const void* device, std::size_t cell, void* host) {
      strips_of(cell).download(
          static_cast<const std::byte*>(device),
          static_cast<std::byte*>(host) + first * static_cast<std::int64_t>(cell), context,
          run.stream);
    });
    run.clock.report();
  }

 private:
  /// Returns the keys of a piece after the pass along its columns.
  DeviceBuffer<Key> columns_of(const distance::RowsPiece& piece, Context& context,
                               DeviceRun& run) const {
    const std::int64_t first = piece.first * size_[0];
    const std::int64_t count = piece.rows * piece.slices * size_[0];
    run.clock.begin("upload");
    DeviceBuffer<Site> sites(count, run.stream);
    const DeviceBuffer<std::int32_t> above = uploaded(piece.above, run.stream);
    const DeviceBuffer<std::int32_t> below = uploaded(piece.below, run.stream);
    const DeviceBuffer<std::uint32_t> names_above = uploaded(piece.names_above, run.stream);
    const DeviceBuffer<std::uint32_t> names_below = uploaded(piece.names_below, run.stream);
    upload(passes_.ends.sites.subspan(static_cast<std::size_t>(first),
                                      static_cast<std::size_t>(count)),
           sites, context, run.stream);
    run.clock.begin("distance");
    DeviceBuffer<Key> keys(count, run.stream);
    along_columns(Ends::sites_of(sites.data(), first),
                  {above.data(), below.data(), names_above.data(), names_below.data()},
                  passes_.grid(piece.rows, piece.slices), keys, run.stream);
    return keys;
  }
  void download_wanted(const distance::RowsPiece& piece, const void* device, std::size_t cell,
                       void* host, Context& context, const Stream& stream) const {
    const std::int64_t row = size_[0] * static_cast<std::int64_t>(cell);
    const std::int64_t bytes = piece.wanted.layers() * row;
    const auto* const first =
        static_cast<const std::byte*>(device) + (piece.wanted.begin - piece.first) * row;
    download_rows({first, bytes, bytes}, bytes_at(host, piece.wanted.begin * row, bytes), context,
                  stream);
  }

  PassesOf<Key, Ends> passes_;
  Index3 size_;
  std::int64_t most_rows_;
  std::int64_t most_rows_along_z_;
};

}  // namespace seedwave::gpu
