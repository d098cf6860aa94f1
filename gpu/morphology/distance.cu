// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/morphology/distance.h"
#include "core/morphology/distance/part_solver.h"
#include "core/parallel/fetch_pages.h"
#include "core/wavefront/partitions/one_device.h"
#include "gpu/device/devices.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/distance.h"
#include "gpu/morphology/distance_ends.cuh"
#include "gpu/morphology/distance_on_device.cuh"
#include "gpu/morphology/distance_passes.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

/// The question that decides how a problem is solved, and in how much memory.
struct Question {
  const Geometry& geometry;
  const DistanceScale& scale;
  NearestCells nearest;
  /// Bytes per voxel of what is read and written.
  std::int64_t site_bytes = 1;
  std::int64_t answer_bytes = 4;
  /// Shared memory of a block on the devices that are to solve it. Nothing: as on the calling
  /// thread's device.
  std::optional<std::int64_t> on_devices{};

  [[nodiscard]] std::int64_t shared_bytes() const {
    return on_devices ? *on_devices : shared_bytes_of_block();
  }
  [[nodiscard]] bool is_named() const { return nearest == NearestCells::Find; }
  /// Returns whether squares fit the narrow keys.
  [[nodiscard]] bool is_narrow() const {
    std::int64_t diagonal = 0;
    for (const std::int64_t n : geometry.size)
      diagonal += (n - 1) * (n - 1);
    return scale.weights == voxel_scale().weights && diagonal < NearKey::kNone &&
           geometry.size[0] <= NearKey::kLongest;
  }
  /// Returns the same for parts: between the passes of a volume keys are cells that the CPU knows.
  [[nodiscard]] bool is_narrow_in_parts() const {
    return is_narrow() &&
           (geometry.is_2d() || is_divided_by_min_plus(geometry, scale, NearestCells::Find));
  }
  /// Calls body(key) with an object of the keys' type.
  template <typename Body>
  auto with_key(bool narrow, Body&& body) const {
    if (is_named()) return narrow ? body(NamedKey{}) : body(WideNamedKey{});
    return narrow ? body(NearKey{}) : body(WideKey{});
  }
  /// Returns the bytes of a voxel.
  [[nodiscard]] std::int64_t bytes_each(bool narrow) const {
    const auto keys = with_key(narrow, [](auto key) { return std::int64_t{sizeof(key)}; });
    return site_bytes + keys + (keys == 4 ? 0 : answer_bytes);
  }
  [[nodiscard]] std::int64_t bytes_of_whole() const {
    return geometry.voxel_count() * bytes_each(is_narrow()) + kBufferEnds;
  }
  /// Returns the least memory of a worker that solves parts.
  [[nodiscard]] std::int64_t bytes_of_part() const {
    const Index3& size = geometry.size;
    const std::int64_t rows = std::max(distance::least_rows_of_piece(size), size[2]);
    return size[0] * rows * bytes_each(is_narrow_in_parts()) + side_bytes(size[0]) + kBufferEnds;
  }
  [[nodiscard]] std::int64_t least_bytes() const {
    if (!can_be_divided()) return bytes_of_whole();
    return whole_fits() ? std::min(bytes_of_whole(), bytes_of_part()) : bytes_of_part();
  }

  /// Returns whether its rows and lines along z fit a multiprocessor.
  [[nodiscard]] bool lines_fit(bool narrow) const {
    using namespace distance_passes;
    const auto [nx, ny, nz] = geometry.size;
    if (nx >= kNoLine || nz >= kNoLine) return false;
    const std::int64_t most = shared_bytes();
    return with_key(narrow, [&, nx = nx, nz = nz]<typename Key>(Key) {
      const bool row_fits = row_bytes<Key>(nx) <= most || (nz == 1 && is_long_row<Key>(nx, most));
      return row_fits && (nz == 1 || line_bytes<Key>(nz) <= most);
    });
  }
  [[nodiscard]] bool whole_fits() const {
    const std::int64_t rows = distance_passes::longest_column(shared_bytes());
    return geometry.size[1] <= std::min(rows, distance_passes::kMostInLaunch) &&
           lines_fit(is_narrow());
  }
  [[nodiscard]] bool can_be_divided() const {
    return is_divided_by_min_plus(geometry, scale, nearest) &&
           geometry.size[1] < distance::kNoRow / 2 && lines_fit(is_narrow_in_parts());
  }
  /// Returns the same question to the context's devices. Throws UnavailableError if they cannot
  /// solve it.
  [[nodiscard]] Question on(const Context& context) const {
    Question there = *this;
    there.on_devices = shared_bytes_for_each(context);
    if (!there.whole_fits() && !there.can_be_divided())
      throw UnavailableError("distances on " + describe(geometry) + " need a larger GPU");
    return there;
  }
  /// Returns whether workers of the context, or its device alone, are to solve it in parts.
  [[nodiscard]] bool is_in_parts(const Context& context) const {
    if (!can_be_divided()) return false;
    return context.is_shared() || !is_held_as_whole(memory_for(context));
  }
  /// Returns whether a device with so much memory solves it without parts.
  [[nodiscard]] bool is_held_as_whole(std::int64_t memory) const {
    return whole_fits() && memory >= bytes_of_whole();
  }
};

/// Returns the room of a worker that solves parts. Throws UnavailableError if it is too small.
[[nodiscard]] DeviceRoom room_for_parts(const Question& question, const Context& context) {
  const std::int64_t memory = memory_for_each(context);
  if (const std::int64_t least = question.bytes_of_part(); memory < least) {
    throw UnavailableError(in_bytes(memory) + " of memory are too few for distances on " +
                           describe(question.geometry) + ": at least " + in_bytes(least) +
                           " are needed");
  }
  return {memory, question.bytes_each(question.is_narrow_in_parts()), question.shared_bytes()};
}

/// Solves with one of the keys, whole or in parts. parts(solver, context): solves in parts and
/// returns the result. whole(solve, context): calls solve(answer), and returns the result. One
/// device among several workers solves alone what it holds.
template <typename Result, typename Ends, typename Parts, typename Whole>
Result solve(const Question& asked, const Ends& ends, Context& context, const Parts& parts,
             const Whole& whole) {
  const Question question = asked.on(context);
  Result alone;
  if (question.is_held_as_whole(memory_for_each(context)) &&
      solved_by_one_device(context, asked.geometry.voxel_count(), [&](Context& device) {
        alone = solve<Result>(asked, ends, device, parts, whole);
      })) {
    return alone;
  }
  const bool in_parts = question.is_in_parts(context);
  const bool narrow = in_parts ? question.is_narrow_in_parts() : question.is_narrow();
  return question.with_key(narrow, [&]<typename Key>(Key) {
    const PassesOf<Key, Ends> passes{question.geometry.size, question.scale, ends};
    if constexpr (!std::is_same_v<Key, WideNamedKey>) {
      if (in_parts) {
        PartsOnDevice<Key, Ends> solver(passes, room_for_parts(question, context));
        return parts(solver, context);
      }
    }
    const auto solve_to = [&](const distance::Answer& to) { solve_whole(passes, to, context); };
    return whole(solve_to, context);
  });
}

[[nodiscard]] Question distance_question(const Geometry& geometry, const DistanceScale& scale,
                                         NearestCells nearest) {
  return {geometry, scale, nearest, 1, nearest == NearestCells::Find ? 8 : 4};
}
[[nodiscard]] Question zones_question(const Geometry& geometry, const DistanceScale& scale,
                                      std::size_t label_bytes) {
  const auto bytes = static_cast<std::int64_t>(label_bytes);
  return {geometry, scale, NearestCells::Find, bytes, bytes};
}

template <typename Measure>
DistanceMap distances(const DistanceProblem& problem, const Measure& measure, Context& context) {
  using Out = typename Measure::Out;
  const Geometry& geometry = problem.objects.geometry();
  const auto objects = problem.objects.voxels<std::uint8_t>();
  return solve<DistanceMap>(
      distance_question(geometry, problem.scale, problem.nearest),
      DistanceEnds<Measure>{objects, measure}, context,
      [&](distance::PartSolver& solver, Context& run) {
        return seedwave::distance_by_min_plus(problem, solver, run);
      },
      [&](const auto& solve_to, Context& run) {
        auto squares = large_array<Out>(run, objects.size());
        distance::Answer answer;
        if constexpr (std::is_same_v<Out, float>) {
          answer.reals = squares.get();
        } else {
          answer.wholes = squares.get();
        }
        LargeArray<std::int32_t> nearest;
        if (problem.nearest == NearestCells::Find) {
          nearest = large_array<std::int32_t>(run, objects.size());
          answer.nearest = nearest.get();
        }
        solve_to(answer);
        DistanceMap map{Volume(geometry, std::move(squares)), {}};
        if (nearest != nullptr) map.nearest = Volume(geometry, std::move(nearest));
        return map;
      });
}

}  // namespace

DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context) {
  const double unit = problem.scale.unit;
  switch (problem.form) {
    case DistanceForm::Length:
      return distances(problem, AsLength{unit}, context);
    case DistanceForm::Square:
      return distances(problem, AsScaledSquare{unit * unit}, context);
    case DistanceForm::SquareInVoxels:
      break;
  }
  return distances(problem, AsVoxelSquare{}, context);
}

LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem, Context& context) {
  const Geometry& geometry = problem.labels.geometry();
  const LabelMap map = at_least_u16(problem.labels);
  const auto zones_of = [&]<typename Label>(std::span<const Label> labels) {
    return solve<LabelMap>(
        zones_question(geometry, problem.scale, sizeof(Label)), ZoneEnds<Label>{labels}, context,
        [&](distance::PartSolver& solver, Context& run) {
          return seedwave::influence_zones_by_min_plus({map, problem.scale}, solver, run);
        },
        [&](const auto& solve_to, const Context& /*run*/) {
          std::vector<Label> zones(labels.size());
          solve_to(distance::Answer{.labels = zones.data()});
          return LabelMap(geometry, std::move(zones));
        });
  };
  return map.labels().bytes_each() == 2 ? zones_of(map.labels().as<std::uint16_t>())
                                        : zones_of(map.labels().as<std::uint32_t>());
}

std::string why_no_distance(const Geometry& geometry, const DistanceScale& scale,
                            NearestCells nearest) {
  const Question question = distance_question(geometry, scale, nearest);
  return question.whole_fits() || question.can_be_divided() ? "" : "knows smaller images only";
}

std::int64_t distance_bytes(const Geometry& geometry, const DistanceScale& scale,
                            NearestCells nearest) {
  return distance_question(geometry, scale, nearest).bytes_of_whole();
}

std::int64_t least_distance_bytes(const Geometry& geometry, const DistanceScale& scale,
                                  NearestCells nearest) {
  return distance_question(geometry, scale, nearest).least_bytes();
}

std::int64_t influence_zones_bytes(const Geometry& geometry, const DistanceScale& scale,
                                   std::size_t label_bytes) {
  return zones_question(geometry, scale, label_bytes).bytes_of_whole();
}

std::int64_t least_influence_zones_bytes(const Geometry& geometry, const DistanceScale& scale,
                                         std::size_t label_bytes) {
  return zones_question(geometry, scale, label_bytes).least_bytes();
}

}  // namespace seedwave::gpu
