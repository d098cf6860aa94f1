// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/base/number_text.h"
#include "core/morphology/distance.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/devices.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/distance.h"
#include "gpu/morphology/distance_passes.cuh"
#include "gpu/morphology/distance_sides.cuh"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

// The first inputs and the final outputs of the distance transform's passes.

struct Background {
  const std::uint8_t* objects;
  [[nodiscard]] __device__ bool is(std::int64_t cell) const { return objects[cell] == 0; }
  [[nodiscard]] __device__ std::uint32_t name(std::int64_t cell) const {
    return static_cast<std::uint32_t>(cell);
  }
};

template <typename Label>
struct Labelled {
  const Label* labels;
  [[nodiscard]] __device__ bool is(std::int64_t cell) const { return labels[cell] != 0; }
  [[nodiscard]] __device__ std::uint32_t name(std::int64_t cell) const { return labels[cell]; }
};

// Conversions of a square to the answer.
struct AsVoxelSquare {
  using Out = std::int32_t;
  static constexpr Out kNone = -1;
  template <typename Square>
  __device__ Out operator()(Square square) const {
    return static_cast<Out>(square);
  }
};

/// Computed in f64, as on the CPU. For a plain root, f32 gives the same bits if the square is exact
/// in it: f64 has more than twice as many digits plus two (Figueroa 1995).
struct AsLength {
  using Out = float;
  static constexpr Out kNone = std::numeric_limits<float>::infinity();
  double unit;
  template <typename Square>
  __device__ Out operator()(Square square) const {
    constexpr Square kExact = 1 << 24;
    if (unit == 1.0 && square <= kExact) return __fsqrt_rn(static_cast<float>(square));
    return static_cast<float>(unit * sqrt(static_cast<double>(square)));
  }
};

struct AsScaledSquare {
  using Out = float;
  static constexpr Out kNone = std::numeric_limits<float>::infinity();
  double unit_squared;
  template <typename Square>
  __device__ Out operator()(Square square) const {
    return static_cast<float>(unit_squared * static_cast<double>(square));
  }
};

// Outputs of the last pass: from a cell's key, or from the keys of adjacent cells, the first at a
// multiple of kAtOnce.
template <typename Measure>
struct Distances {
  Measure measure;
  typename Measure::Out* distance;
  std::int32_t* nearest;
  template <typename Key>
  __device__ void operator()(std::int64_t cell, Key key) const {
    distance[cell] = length_of(key);
    if constexpr (Key::kNamed) nearest[cell] = name_of(key);
  }
  template <typename Key>
  __device__ void side(std::int64_t first, const Key* keys) const {
    store_side(distance, first, [&](int i) { return length_of(keys[i]); });
    if constexpr (Key::kNamed) store_side(nearest, first, [&](int i) { return name_of(keys[i]); });
  }

 private:
  template <typename Key>
  [[nodiscard]] __device__ typename Measure::Out length_of(Key key) const {
    return key.is_none() ? Measure::kNone : measure(key.square());
  }
  template <typename Key>
  [[nodiscard]] static __device__ std::int32_t name_of(Key key) {
    return key.is_none() ? -1 : static_cast<std::int32_t>(key.name());
  }
};

template <typename Label>
struct Zones {
  Label* labels;
  template <typename Key>
  __device__ void operator()(std::int64_t cell, Key key) const {
    labels[cell] = label_of(key);
  }
  template <typename Key>
  __device__ void side(std::int64_t first, const Key* keys) const {
    store_side(labels, first, [&](int i) { return label_of(keys[i]); });
  }

 private:
  template <typename Key>
  [[nodiscard]] static __device__ Label label_of(Key key) {
    return key.is_none() ? 0 : static_cast<Label>(key.name());
  }
};

/// Output of a pass that is not the last.
template <typename Key>
struct Keys {
  Key* keys;
  __device__ void operator()(std::int64_t cell, Key key) const { keys[cell] = key; }
  __device__ void side(std::int64_t first, const Key* some) const {
    store_side(keys, first, [&](int i) { return some[i]; });
  }
};

/// Returns the minimum budget of DistanceInParts: some columns, one row, or the lines along z of
/// one row.
[[nodiscard]] std::int64_t least_bytes_in_parts(const Index3& size) {
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

[[nodiscard]] DistanceGrid grid_of(const Geometry& geometry, const DistanceScale& scale) {
  DistanceGrid grid{};
  grid.nx = static_cast<int>(geometry.size[0]);
  grid.ny = static_cast<int>(geometry.size[1]);
  grid.nz = static_cast<int>(geometry.size[2]);
  for (std::size_t axis = 0; axis < 3; ++axis)
    grid.weights[axis] = static_cast<std::uint64_t>(scale.weights[axis]);
  return grid;
}

/// Returns whether squares fit the narrow keys.
[[nodiscard]] bool is_narrow(const Geometry& geometry, const DistanceScale& scale) {
  const Index3& size = geometry.size;
  const std::int64_t diagonal = size[0] * size[0] + size[1] * size[1] + size[2] * size[2];
  return scale.weights == Vec3{1.0, 1.0, 1.0} && diagonal < NearKey::kNone;
}

/// Runs all passes, one after the other, on the whole image.
template <typename Key, typename Sites, typename Finish>
void run_passes(const Sites& sites, const DistanceGrid& grid, DeviceBuffer<Key>& keys,
                const Finish& finish, Context& context, const Stream& stream) {
  along_columns(sites, grid, keys, stream);
  if (grid.nz == 1) {
    along_rows(keys, grid, finish, stream);
    return;
  }
  along_rows(keys, grid, Keys<Key>{keys.data()}, stream);
  context.checkpoint(0.5);
  along_z(keys, grid, finish, stream);
}

template <typename Key, typename Measure>
DistanceMap distances_as(const DistanceProblem& problem, const Measure& measure, Context& context) {
  using Out = typename Measure::Out;
  static_assert(sizeof(Out) == sizeof(std::uint32_t));
  const Geometry& geometry = problem.objects.geometry();
  const DistanceGrid grid = grid_of(geometry, problem.scale);
  const auto voxels = problem.objects.voxels<std::uint8_t>();
  const auto count = std::ssize(voxels);
  auto distance = large_array<Out>(voxels.size());
  if constexpr (std::is_same_v<Key, NearKey>) {
    const std::int64_t budget = memory_for(context);
    if (budget < distance_bytes(geometry, problem.scale, false)) {
      DistanceInParts<Out>(problem, budget, {distance.get(), voxels.size()}, context).run(measure);
      return {Volume(geometry, std::move(distance)), {}};
    }
  }
  LargeArray<std::int32_t> nearest;
  if constexpr (Key::kNamed) nearest = large_array<std::int32_t>(voxels.size());
  DeviceRun run(context);
  const Stream& stream = run.stream;
  run.clock.begin("upload");
  DeviceBuffer<std::uint8_t> objects(count, stream);
  objects.copy_from(voxels, stream);
  run.clock.begin("distance");
  DeviceBuffer<Key> keys(count, stream);
  DeviceBuffer<Out> lengths(sizeof(Key) == sizeof(Out) ? 0 : count, stream);
  DeviceBuffer<std::int32_t> names(Key::kNamed ? count : 0, stream);
  Out* const out =
      sizeof(Key) == sizeof(Out) ? reinterpret_cast<Out*>(keys.data()) : lengths.data();
  run_passes(Background{objects.data()}, grid, keys, Distances<Measure>{measure, out, names.data()},
             context, stream);
  run.clock.begin("download");
  const auto bytes = count * static_cast<std::int64_t>(sizeof(Out));
  download_rows({out, bytes, bytes},
                std::as_writable_bytes(std::span(distance.get(), voxels.size())), context, stream);
  if constexpr (Key::kNamed) {
    download(names, std::span(nearest.get(), voxels.size()), context, stream);
  }
  run.clock.report();
  DistanceMap map{Volume(geometry, std::move(distance)), {}};
  if constexpr (Key::kNamed) map.nearest = Volume(geometry, std::move(nearest));
  return map;
}

template <typename Key>
DistanceMap distances(const DistanceProblem& problem, Context& context) {
  const double unit = problem.scale.unit;
  switch (problem.form) {
    case DistanceForm::Length:
      return distances_as<Key>(problem, AsLength{unit}, context);
    case DistanceForm::Square:
      return distances_as<Key>(problem, AsScaledSquare{unit * unit}, context);
    case DistanceForm::SquareInVoxels:
      break;
  }
  return distances_as<Key>(problem, AsVoxelSquare{}, context);
}

template <typename Key, typename Label>
LabelMap zones(const InfluenceZonesProblem& problem, std::span<const Label> labels,
               Context& context) {
  const auto count = std::ssize(labels);
  std::vector<Label> result(labels.size());
  DeviceRun run(context);
  run.clock.begin("upload");
  DeviceBuffer<Label> sites(count, run.stream);
  sites.copy_from(labels, run.stream);
  run.clock.begin("distance");
  DeviceBuffer<Key> keys(count, run.stream);
  DeviceBuffer<Label> nearest(count, run.stream);
  run_passes(Labelled<Label>{sites.data()}, grid_of(problem.labels.geometry(), problem.scale), keys,
             Zones<Label>{nearest.data()}, context, run.stream);
  run.clock.begin("download");
  download(nearest, std::span(result), context, run.stream);
  run.clock.report();
  return LabelMap(problem.labels.geometry(), std::move(result));
}

/// Returns the bytes of keys per voxel.
[[nodiscard]] std::int64_t key_bytes(const Geometry& geometry, const DistanceScale& scale,
                                     bool named) {
  const bool narrow = is_narrow(geometry, scale);
  return named ? (narrow ? sizeof(NamedKey) : sizeof(WideNamedKey))
               : (narrow ? sizeof(NearKey) : sizeof(WideKey));
}

template <typename Key>
[[nodiscard]] bool fits(const Geometry& geometry) {
  using namespace distance_passes;
  const std::int64_t most = shared_bytes_of_block();
  const Index3& size = geometry.size;
  constexpr std::int64_t kLongest = 46000;  // padding: NearKey
  return size[0] <= kLongest && column_bytes(size[1]) <= most && row_bytes<Key>(size[0]) <= most &&
         (size[2] == 1 || line_bytes<Key>(size[2]) <= most);
}

}  // namespace

DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context) {
  const bool narrow = is_narrow(problem.objects.geometry(), problem.scale);
  if (problem.nearest == NearestCells::Find) {
    return narrow ? distances<NamedKey>(problem, context)
                  : distances<WideNamedKey>(problem, context);
  }
  return narrow ? distances<NearKey>(problem, context) : distances<WideKey>(problem, context);
}

LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem, Context& context) {
  const bool narrow = is_narrow(problem.labels.geometry(), problem.scale);
  const LabelMap map = at_least_u16(problem.labels);
  const auto zones_of = [&]<typename Label>(std::span<const Label> labels) {
    return narrow ? zones<NamedKey>(problem, labels, context)
                  : zones<WideNamedKey>(problem, labels, context);
  };
  return map.labels().bytes_each() == 2 ? zones_of(map.labels().as<std::uint16_t>())
                                        : zones_of(map.labels().as<std::uint32_t>());
}

std::string why_no_distance(const Geometry& geometry, const DistanceScale& scale, bool named) {
  const bool narrow = is_narrow(geometry, scale);
  const bool fit = named ? (narrow ? fits<NamedKey>(geometry) : fits<WideNamedKey>(geometry))
                         : (narrow ? fits<NearKey>(geometry) : fits<WideKey>(geometry));
  return fit ? "" : "knows smaller images only";
}

std::int64_t distance_bytes(const Geometry& geometry, const DistanceScale& scale, bool named) {
  const std::int64_t keys = key_bytes(geometry, scale, named);
  const std::int64_t answers = keys == 4 ? 0 : (named ? 8 : 4);
  return geometry.voxel_count() * (1 + keys + answers) + kBufferEnds;
}

std::int64_t least_distance_bytes(const Geometry& geometry, const DistanceScale& scale,
                                  bool named) {
  if (named || !is_narrow(geometry, scale)) return distance_bytes(geometry, scale, named);
  return least_bytes_in_parts(geometry.size);
}

std::int64_t influence_zones_bytes(const Geometry& geometry, const DistanceScale& scale,
                                   std::size_t label_bytes) {
  const auto labels = static_cast<std::int64_t>(2 * label_bytes);
  return geometry.voxel_count() * (labels + key_bytes(geometry, scale, true)) + kBufferEnds;
}

}  // namespace seedwave::gpu
