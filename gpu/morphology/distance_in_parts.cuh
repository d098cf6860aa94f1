// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/morphology/distance.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/distance_ends.cuh"
#include "gpu/morphology/distance_passes.cuh"

#include <algorithm>
#include <cstdint>
#include <span>

namespace seedwave::gpu {

/// Returns the minimum budget of DistanceInParts: some columns, one row, or the lines along z of
/// one row.
[[nodiscard]] inline std::int64_t least_bytes_in_parts(const Index3& size) {
  constexpr std::int64_t kColumn = 32 * (1 + sizeof(NearKey));  // the columns of a block
  std::int64_t bytes = size[1] * kColumn;
  bytes = std::max(bytes, size[0] * static_cast<std::int64_t>(sizeof(NearKey)));
  if (size[2] > 1) {
    bytes = std::max(bytes, size[0] * size[2] * static_cast<std::int64_t>(sizeof(NearKey)));
  }
  return bytes + kBufferEnds;
}

/// The distance transform in parts, within `budget` bytes. One pass after the other processes the
/// whole image, which lies on the host in the memory of the answer. Columns are processed in strips
/// of columns, or with their rows in slices; lines along z in strips of rows. Narrow keys, no
/// names.
template <typename Out>
class DistanceInParts {
 public:
  /// Throws UnavailableError if the budget is too small.
  DistanceInParts(const DistanceProblem& problem, std::int64_t budget, std::span<Out> answer,
                  Context& context)
      : geometry_(problem.objects.geometry()),
        objects_(problem.objects.voxels<std::uint8_t>().data()),
        answer_(answer.data()),
        budget_(budget - kBufferEnds),
        context_(context),
        run_(context) {
    static_assert(sizeof(Out) == sizeof(NearKey));
    const std::int64_t least = least_bytes_in_parts(geometry_.size);
    if (budget < least) {
      throw UnavailableError(in_bytes(budget) + " of memory are too few for distances on " +
                             describe(geometry_) + ": at least " + in_bytes(least) + " are needed");
    }
  }

  template <typename Measure>
  void run(const Measure& measure) {
    const auto [nx, ny, nz] = geometry_.size;
    const std::int64_t slices = budget_ / (nx * ny * (kObject + kKey));
    if (nz > 1 && slices > 0) {
      in_slices(slices);
    } else {
      in_strips_of_columns();
      nz > 1 ? in_rows(KeepKeys{}) : in_rows(measure);
    }
    if (nz > 1) in_strips_along_z(measure);
    run_.clock.report();
  }

 private:
  static constexpr std::int64_t kObject = 1;  // bytes
  static constexpr std::int64_t kKey = sizeof(NearKey);
  using NearKeys = DeviceBuffer<NearKey>;
  /// Replaces a measure if the pass is not the last.
  struct KeepKeys {};

  [[nodiscard]] std::int64_t plane() const { return geometry_.size[0] * geometry_.size[1]; }
  [[nodiscard]] static DistanceGrid grid_of(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
    return {static_cast<int>(nx), static_cast<int>(ny), static_cast<int>(nz), {1, 1, 1}};
  }
  /// The output of a pass that overwrites the keys, which are equally wide.
  static Keys<NearKey> end_of(const KeepKeys&, NearKeys& keys) { return {keys.data()}; }
  template <typename Measure>
  static Distances<Measure> end_of(const Measure& measure, NearKeys& keys) {
    return {measure, reinterpret_cast<Out*>(keys.data()), nullptr};
  }

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
  void download(const NearKeys& from, const Strip& strip, Out* to) {
    run_.clock.begin("download");
    CUDA_CHECK(cudaMemcpy2DAsync(
        to, static_cast<std::size_t>(strip.pitch), from.data(),
        static_cast<std::size_t>(strip.width), static_cast<std::size_t>(strip.width),
        static_cast<std::size_t>(strip.height), cudaMemcpyDeviceToHost, run_.stream.get()));
    run_.stream.synchronize();
  }
  /// Calls body(begin, count) for parts of `all`, at most `most` at once.
  template <typename Body>
  void for_parts(std::int64_t all, std::int64_t most, Body&& body) {
    for (std::int64_t begin = 0; begin < all; begin += most) {
      context_.checkpoint(static_cast<double>(begin) / static_cast<double>(all));
      run_.clock.begin("upload");
      body(begin, std::min(most, all - begin));
    }
  }

  void in_slices(std::int64_t most) {
    const auto [nx, ny, nz] = geometry_.size;
    most = std::min<std::int64_t>(most, nz);
    DeviceBuffer<std::uint8_t> objects(most * plane(), run_.stream);
    NearKeys keys(most * plane(), run_.stream);
    for_parts(nz, most, [&](std::int64_t z, std::int64_t count) {
      const std::int64_t cells = count * plane();
      upload(objects_ + z * plane(), {cells, 1, cells}, objects.data());
      run_.clock.begin("distance");
      const DistanceGrid part = grid_of(geometry_.size[0], geometry_.size[1], count);
      along_columns(Background{objects.data()}, part, keys, run_.stream);
      along_rows(keys, part, Keys<NearKey>{keys.data()}, run_.stream);
      download(keys, {cells * kKey, 1, cells * kKey}, answer_ + z * plane());
    });
  }

  void in_strips_of_columns() {
    const std::int64_t nx = geometry_.size[0];
    const std::int64_t ny = geometry_.size[1];
    std::int64_t most = budget_ / (ny * (kObject + kKey));
    if (most > 32) most -= most % 32;
    most = std::min<std::int64_t>(most, nx);
    DeviceBuffer<std::uint8_t> objects(most * ny, run_.stream);
    NearKeys keys(most * ny, run_.stream);
    for (std::int64_t z = 0; z < geometry_.size[2]; ++z) {
      for_parts(nx, most, [&](std::int64_t x, std::int64_t count) {
        const std::int64_t first = z * plane() + x;
        upload(objects_ + first, {count, ny, nx}, objects.data());
        run_.clock.begin("distance");
        along_columns(Background{objects.data()}, grid_of(count, ny, 1), keys, run_.stream);
        download(keys, {count * kKey, ny, nx * kKey}, answer_ + first);
      });
    }
  }

  template <typename Measure>
  void in_rows(const Measure& measure) {
    const std::int64_t nx = geometry_.size[0];
    const std::int64_t rows = geometry_.size[1] * geometry_.size[2];
    const std::int64_t most = std::min(rows, budget_ / (nx * kKey));
    NearKeys keys(most * nx, run_.stream);
    for_parts(rows, most, [&](std::int64_t row, std::int64_t count) {
      const std::int64_t bytes = count * nx * kKey;
      upload(answer_ + row * nx, {bytes, 1, bytes}, keys.data());
      run_.clock.begin("distance");
      along_rows(keys, grid_of(nx, count, 1), end_of(measure, keys), run_.stream);
      download(keys, {bytes, 1, bytes}, answer_ + row * nx);
    });
  }

  template <typename Measure>
  void in_strips_along_z(const Measure& measure) {
    const std::int64_t nx = geometry_.size[0];
    const std::int64_t nz = geometry_.size[2];
    const std::int64_t most = std::min(geometry_.size[1], budget_ / (nx * nz * kKey));
    NearKeys keys(most * nx * nz, run_.stream);
    for_parts(geometry_.size[1], most, [&](std::int64_t y, std::int64_t count) {
      const Strip strip{count * nx * kKey, nz, plane() * kKey};
      upload(answer_ + y * nx, strip, keys.data());
      run_.clock.begin("distance");
      along_z(keys, grid_of(nx, count, nz), end_of(measure, keys), run_.stream);
      download(keys, strip, answer_ + y * nx);
    });
  }

  Geometry geometry_;
  const std::uint8_t* objects_;
  Out* answer_;
  std::int64_t budget_;
  Context& context_;
  DeviceRun run_;
};

}  // namespace seedwave::gpu
