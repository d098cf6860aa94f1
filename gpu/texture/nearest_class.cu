// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/fetch_pages.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/launch.h"
#include "gpu/texture/nearest_class.h"
#include "gpu/texture/strips.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace seedwave::gpu {
namespace {

struct ClassesOnDevice {
  const double* axes;     // row by row
  const double* offsets;  // one per row
  const double* centres;  // row by row
  int dimensions;
  int count;
};

/// With fewer windows a pass over the device is not worthwhile.
constexpr std::int64_t kFewestForPass = 16;

/// Number of coordinates that a thread keeps in registers. Further ones are recomputed for each
/// centre.
constexpr int kMostKept = 8;

/// Returns y_k of a window.
__device__ double coordinate(const ClassesOnDevice& classes, int k, const float* features,
                             std::int64_t plane, int planes) {
  double sum = 0.0;
  for (int i = 0; i < planes; ++i) {
    const double feature = features[i * plane];
    sum = __dadd_rn(sum, __dmul_rn(classes.axes[k * planes + i], feature));
  }
  return __dsub_rn(sum, classes.offsets[k]);
}

__global__ void __launch_bounds__(kBlockSize)
    nearest_kernel(const StripOnDevice strip, const ClassesOnDevice classes, std::uint16_t* numbers,
                   float* distances) {
  const std::int64_t window = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (window >= std::int64_t{strip.rows} * strip.columns) return;
  const std::int64_t row = window / strip.columns;
  const std::int64_t plane = std::int64_t{strip.rows} * strip.pitch;
  const float* const features = strip.values + row * strip.pitch + window % strip.columns;
  double kept[kMostKept];
#pragma unroll
  for (int k = 0; k < kMostKept; ++k) {
    if (k < classes.dimensions) kept[k] = coordinate(classes, k, features, plane, strip.planes);
  }
  double least = 0.0;
  int nearest = -1;
  for (int number = 0; number < classes.count; ++number) {
    const double* const centre = classes.centres + std::int64_t{number} * classes.dimensions;
    double sum = 0.0;
    const auto add = [&](double y, int k) {
      const double apart = __dsub_rn(y, centre[k]);
      sum = __dadd_rn(sum, __dmul_rn(apart, apart));
    };
#pragma unroll
    for (int k = 0; k < kMostKept; ++k) {
      if (k < classes.dimensions) add(kept[k], k);
    }
    for (int k = kMostKept; k < classes.dimensions; ++k)
      add(coordinate(classes, k, features, plane, strip.planes), k);
    if (nearest < 0 || sum < least) {
      least = sum;
      nearest = number;
    }
  }
  numbers[window] = static_cast<std::uint16_t>(nearest);
  distances[window] = __double2float_rn(__dsqrt_rn(least));
}

/// Gathers the features of windows at the given places in the strip, row by row.
__global__ void __launch_bounds__(kBlockSize)
    pick_kernel(const StripOnDevice strip, const std::int64_t* places, std::int64_t count,
                float* picked) {
  const std::int64_t value = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (value >= count * strip.planes) return;
  const std::int64_t plane = value % strip.planes;
  picked[value] = strip.values[plane * strip.rows * strip.pitch + places[value / strip.planes]];
}

}  // namespace

NearestClasses nearest_class(const TpcfProblem& windows, const FeatureClasses& classes,
                             Context& context) {
  check(windows);
  const Index3& size = windows.phases.geometry().size;
  NearestClasses result;
  result.columns = size[0] - windows.window + 1;
  result.rows = size[1] - windows.window + 1;
  const auto count = static_cast<std::size_t>(result.columns * result.rows);
  result.classes = large_vector<std::uint16_t>(context, count);
  result.distances = large_vector<float>(context, count);
  const std::vector<double> host_offsets = offsets_of(classes);
  DeviceRun run(context);
  const DeviceBuffer<double> axes = uploaded(classes.axes.values, run.stream);
  const DeviceBuffer<double> offsets = uploaded(host_offsets, run.stream);
  const DeviceBuffer<double> centres = uploaded(classes.centres.values, run.stream);
  const ClassesOnDevice on_device{axes.data(), offsets.data(), centres.data(),
                                  static_cast<int>(classes.axes.count()),
                                  static_cast<int>(classes.centres.count())};
  const auto solver = box_on_device(windows, context, run.stream);
  const UseStrip classify = [&](int first_row, const StripOnDevice& strip) {
    run.clock.begin("nearest");
    const std::int64_t in_strip = std::int64_t{strip.rows} * strip.columns;
    DeviceBuffer<std::uint16_t> numbers(in_strip, run.stream);
    DeviceBuffer<float> distances(in_strip, run.stream);
    nearest_kernel<<<blocks_for(in_strip), kBlockSize, 0, run.stream.get()>>>(
        strip, on_device, numbers.data(), distances.data());
    check_launch(run.stream.get());
    run.clock.begin("download");
    const auto part = [&](auto& all) {
      return std::span(all).subspan(static_cast<std::size_t>(first_row * result.columns),
                                    static_cast<std::size_t>(in_strip));
    };
    download(numbers, part(result.classes), context, run.stream);
    download(distances, part(result.distances), context, run.stream);
  };
  walk_strips(*solver, windows, 1, classify, context, run);
  run.clock.report();
  return result;
}

Points sample_features(const TpcfProblem& windows, const std::vector<WindowPlace>& places,
                       Context& context) {
  check_places(windows, places);
  if (std::ssize(places) < kFewestForPass)
    return sample_features_one_by_one(windows, places, context);
  const std::int64_t planes = plane_count(windows);
  Points points = Points::zeros(std::ssize(places), planes);
  DeviceRun run(context);
  const auto solver = box_on_device(windows, context, run.stream);
  const UseStrip pick = [&](int first_row, const StripOnDevice& strip) {
    std::vector<std::int64_t> at;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::int64_t row = places[i].y - first_row;
      if (row < 0 || row >= strip.rows) continue;
      at.push_back(row * strip.pitch + places[i].x);
      numbers.push_back(i);
    }
    if (at.empty()) return;
    run.clock.begin("sample");
    const DeviceBuffer<std::int64_t> at_on_device = uploaded(at, run.stream);
    DeviceBuffer<float> picked(std::ssize(at) * planes, run.stream);
    pick_kernel<<<blocks_for(picked.size()), kBlockSize, 0, run.stream.get()>>>(
        strip, at_on_device.data(), std::ssize(at), picked.data());
    check_launch(run.stream.get());
    std::vector<float> values(static_cast<std::size_t>(picked.size()));
    download(picked, std::span(values), context, run.stream);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i) * planes, planes,
                  points.values.begin() + static_cast<std::ptrdiff_t>(numbers[i]) * planes);
    }
  };
  walk_strips(*solver, windows, 1, pick, context, run);
  run.clock.report();
  return points;
}

}  // namespace seedwave::gpu
