// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filters/gaussian.h"
#include "core/filters/gaussian_passes.h"
#include "core/image/geometry.h"
#include "gpu/device/buffer.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/launch.h"

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

/// The passes of a Gaussian on a device, one per axis.
namespace seedwave::gpu {

/// An axis of the image, and the weights along it, on the device.
struct AxisOnDevice {
  std::int64_t stride;  // cells from one place to the next
  std::int64_t length;  // places
  const double* weights;
  std::int64_t reach;
};

/// Smooths along an axis. One thread per voxel; no shared memory; no races, because the results are
/// written to another buffer. The sum has the order of core's kernel.
template <typename Mid, typename From, typename To>
__global__ void __launch_bounds__(kBlockSize)
    smooth_kernel(const From* __restrict__ from, const AxisOnDevice axis, std::int64_t count,
                  To* __restrict__ to) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t place = i / axis.stride % axis.length;
  double sum = axis.weights[0] * static_cast<double>(from[i]);
  for (std::int64_t k = 1; k <= axis.reach; ++k) {
    const std::int64_t back = k < place ? k : place;
    const std::int64_t left = axis.length - 1 - place;
    const std::int64_t on = k < left ? k : left;
    sum += axis.weights[k] * (static_cast<double>(from[i - back * axis.stride]) +
                              static_cast<double>(from[i + on * axis.stride]));
  }
  const auto stored = static_cast<Mid>(sum);
  if constexpr (std::is_same_v<To, Mid>) {
    to[i] = stored;
  } else {
    to[i] = filters::rounded<To>(stored);
  }
}

/// A Gaussian on the device: its weights, and the axes that it smooths in turn. If there are none,
/// one pass along x with the weight 1 converts the image.
class GaussianOnDevice {
 public:
  GaussianOnDevice(const filters::AxisWeights& weights, const Index3& size, const Stream& stream)
      : stream_(stream) {
    std::int64_t stride = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      weights_[axis] = uploaded(weights[axis], stream);
      const AxisOnDevice one{stride, size[axis], weights_[axis].data(),
                             std::ssize(weights[axis]) - 1};
      if (one.reach > 0) axes_.push_back(one);
      if (axis == 0) first_ = one;
      stride *= size[axis];
    }
    if (axes_.empty()) axes_.push_back(first_);
  }

  [[nodiscard]] std::size_t passes() const noexcept { return axes_.size(); }

  /// Enqueues a pass.
  template <typename Mid, typename From, typename To>
  void pass(std::size_t number, const From* from, To* to, std::int64_t count) const {
    smooth_kernel<Mid>
        <<<blocks_for(count), kBlockSize, 0, stream_.get()>>>(from, axes_[number], count, to);
    check_launch(stream_.get());
  }

 private:
  Stream stream_;
  std::array<DeviceBuffer<double>, 3> weights_;
  std::vector<AxisOnDevice> axes_;
  AxisOnDevice first_{};
};

/// Returns the bytes that the weights take at most.
[[nodiscard]] inline std::int64_t weights_bytes() {
  constexpr auto kMost = static_cast<std::int64_t>(4 * kLargestSigma) + 1;
  return 3 * kMost * static_cast<std::int64_t>(sizeof(double));
}

}  // namespace seedwave::gpu
