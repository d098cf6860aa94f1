// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/devices.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/distance.h"
#include "gpu/morphology/distance_ends.cuh"
#include "gpu/morphology/distance_in_parts.cuh"
#include "gpu/morphology/distance_passes.cuh"

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

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

template <typename Key>
LabelMap zones(const InfluenceZonesProblem& problem, Context& context) {
  const auto labels = problem.labels.labels();
  const auto count = std::ssize(labels);
  std::vector<std::uint16_t> result(labels.size());
  DeviceRun run(context);
  run.clock.begin("upload");
  DeviceBuffer<std::uint16_t> sites(count, run.stream);
  sites.copy_from(labels, run.stream);
  run.clock.begin("distance");
  DeviceBuffer<Key> keys(count, run.stream);
  DeviceBuffer<std::uint16_t> nearest(count, run.stream);
  run_passes(Labelled{sites.data()}, grid_of(problem.labels.geometry(), problem.scale), keys,
             Zones{nearest.data()}, context, run.stream);
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
  return is_narrow(problem.labels.geometry(), problem.scale)
             ? zones<NamedKey>(problem, context)
             : zones<WideNamedKey>(problem, context);
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

std::int64_t influence_zones_bytes(const Geometry& geometry, const DistanceScale& scale) {
  return geometry.voxel_count() * (2 + 2 + key_bytes(geometry, scale, true)) + kBufferEnds;
}

}  // namespace seedwave::gpu
