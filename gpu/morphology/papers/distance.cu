// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/wavefront/nearest_rule.h"
#include "gpu/device/device_run.h"
#include "gpu/morphology/papers/distance.h"
#include "gpu/morphology/papers/neighbours.cuh"
#include "gpu/morphology/papers/waves.cuh"

#include <limits>
#include <utility>

namespace seedwave::gpu {
namespace {

using State = NearestVoxelRule::State;
static_assert(sizeof(State) == sizeof(unsigned long long));

/// Algorithm 6: a pixel's value decreases, by compare-and-swap, as long as an offered value is
/// less.
struct NearestWave {
  static constexpr int kSteps = 8;
  struct From {
    PlanePlace place;
    std::uint32_t cell;
    State state;
  };

  NearestVoxelRule rule;
  unsigned long long* states;
  int nx;
  int ny;

  [[nodiscard]] __device__ From look(std::uint32_t cell) const {
    return {PlanePlace::of(cell, nx), cell, __ldcg(states + cell)};
  }
  [[nodiscard]] __device__ bool would_pass(const From& from, int step) const {
    std::uint32_t to = 0;
    if (from.state == NearestVoxelRule::kNone || !neighbour(from, step, to)) return false;
    return gains(__ldcg(states + to), offer(from, to, step));
  }
  __device__ bool pass(const From& from, int step, std::uint32_t& to) const {
    if (!neighbour(from, step, to)) return false;
    const State offered = offer(from, to, step);
    State seen = __ldcg(states + to);
    while (gains(seen, offered)) {
      const State found = atomicCAS(states + to, static_cast<unsigned long long>(seen),
                                    static_cast<unsigned long long>(offered));
      if (found == seen) return true;
      seen = found;
    }
    return false;
  }

 private:
  [[nodiscard]] __device__ bool neighbour(const From& from, int step, std::uint32_t& to) const {
    return neighbour_of<true>(from.place, nx, ny, step, to);
  }
  [[nodiscard]] __device__ State offer(const From& from, std::uint32_t to, int step) const {
    return rule.transfer(from.state, Edge{from.cell, to, step});
  }
  [[nodiscard]] __device__ static bool gains(State has, State offered) {
    return NearestVoxelRule::join(has, offered) != has;
  }
};

/// Makes each background pixel its own nearest. One thread per pixel; no races.
__global__ void __launch_bounds__(kBlockSize)
    begin_kernel(const std::uint8_t* __restrict__ objects, std::int64_t count,
                 unsigned long long* states) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i < count) states[i] = objects[i] == 0 ? static_cast<State>(i) : NearestVoxelRule::kNone;
}

/// Converts a square to the answer, with the CPU's operations.
struct AsLength {
  using Out = float;
  double unit;
  __device__ Out operator()(double square) const { return static_cast<float>(unit * sqrt(square)); }
};
struct AsSquare {
  using Out = float;
  double unit_squared;
  __device__ Out operator()(double square) const {
    return static_cast<float>(unit_squared * square);
  }
};
struct AsVoxelSquare {
  using Out = std::int32_t;
  __device__ Out operator()(double square) const {
    return isinf(square) ? -1 : static_cast<std::int32_t>(square);
  }
};

/// Computes the answer from the pixels' values. One thread per pixel; no races.
template <typename Finish>
__global__ void __launch_bounds__(kBlockSize)
    finish_kernel(const NearestVoxelRule rule, const unsigned long long* __restrict__ states,
                  std::int64_t count, const Finish finish, typename Finish::Out* distances,
                  std::int32_t* nearest) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i >= count) return;
  const State state = states[i];
  const bool none = state == NearestVoxelRule::kNone;
  const std::uint32_t voxel = NearestVoxelRule::voxel_of(state);
  distances[i] = finish(none ? std::numeric_limits<double>::infinity()
                             : rule.square(static_cast<std::uint32_t>(i), voxel));
  if (nearest != nullptr) nearest[i] = none ? -1 : static_cast<std::int32_t>(voxel);
}

class IwppOnDevice {
 public:
  IwppOnDevice(const DistanceProblem& problem, Context& context)
      : problem_(problem),
        context_(context),
        run_(context),
        rule_(NearestVoxelRule::on(problem.objects.geometry().size, problem.scale.weights)) {
    run_.clock.begin("upload");
    const auto voxels = problem.objects.voxels<std::uint8_t>();
    count_ = std::ssize(voxels);
    objects_ = DeviceBuffer<std::uint8_t>(count_, run_.stream);
    objects_.copy_from(voxels, run_.stream);
    states_ = DeviceBuffer<unsigned long long>(count_, run_.stream);
  }

  template <typename Finish>
  IwppRun run(const QueueSettings& settings, const Finish& finish) {
    using Out = typename Finish::Out;
    run_.clock.begin("distance");
    begin_kernel<<<blocks_for(count_), kBlockSize, 0, run_.stream.get()>>>(objects_.data(), count_,
                                                                           states_.data());
    check_launch(run_.stream.get());
    const Index3& size = problem_.objects.geometry().size;
    const NearestWave wave{rule_, states_.data(), static_cast<int>(size[0]),
                           static_cast<int>(size[1])};
    IwppRun& run = result_;
    run.queue = Waves<NearestWave>(wave, count_, settings, run_.stream).run(context_);
    const bool with_nearest = problem_.nearest == NearestCells::Find;
    DeviceBuffer<Out> distances(count_, run_.stream);
    DeviceBuffer<std::int32_t> nearest(with_nearest ? count_ : 0, run_.stream);
    finish_kernel<<<blocks_for(count_), kBlockSize, 0, run_.stream.get()>>>(
        rule_, states_.data(), count_, finish, distances.data(), nearest.data());
    check_launch(run_.stream.get());
    run_.clock.begin("download");
    run.map.distance = downloaded(distances);
    if (with_nearest) run.map.nearest = downloaded(nearest);
    run_.clock.report();
    return std::move(result_);
  }

 private:
  /// The returned volume is valid after the stream has been synchronised.
  template <typename Out>
  [[nodiscard]] Volume downloaded(const DeviceBuffer<Out>& from) {
    const auto count = static_cast<std::size_t>(count_);
    auto voxels = large_array<Out>(count);
    from.copy_to({voxels.get(), count}, run_.stream);
    return Volume(problem_.objects.geometry(), std::move(voxels));
  }

  const DistanceProblem& problem_;
  Context& context_;
  IwppRun result_;
  DeviceRun run_;
  NearestVoxelRule rule_;
  std::int64_t count_ = 0;
  DeviceBuffer<std::uint8_t> objects_;
  DeviceBuffer<unsigned long long> states_;
};

}  // namespace

IwppRun run_iwpp(const DistanceProblem& problem, const QueueSettings& settings, Context& context) {
  IwppOnDevice device(problem, context);
  const double unit = problem.scale.unit;
  switch (problem.form) {
    case DistanceForm::Length:
      return device.run(settings, AsLength{unit});
    case DistanceForm::Square:
      return device.run(settings, AsSquare{unit * unit});
    case DistanceForm::SquareInVoxels:
      break;
  }
  return device.run(settings, AsVoxelSquare{});
}

DistanceMap distance_by_iwpp(const DistanceProblem& problem, Context& context) {
  return run_iwpp(problem, {}, context).map;
}

std::string why_no_iwpp(const DistanceProblem& problem) {
  const Geometry& geometry = problem.objects.geometry();
  if (!geometry.is_2d()) return "knows images only, no volumes";
  if (geometry.voxel_count() > std::numeric_limits<std::int32_t>::max()) {
    return "knows smaller images only";
  }
  return "";
}

std::int64_t iwpp_bytes(const Geometry& geometry) {
  constexpr std::int64_t kQueuedOutOf = 10;
  const std::int64_t count = geometry.voxel_count();
  return count * std::int64_t{sizeof(std::uint8_t) + sizeof(State) + 2 * sizeof(std::int32_t)} +
         count / kQueuedOutOf * 2 * std::int64_t{sizeof(std::uint32_t)};
}

}  // namespace seedwave::gpu
