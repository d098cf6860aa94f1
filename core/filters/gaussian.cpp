// SPDX-License-Identifier: Apache-2.0
#include "core/filters/gaussian.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/filters/gaussian_passes.h"
#include "core/filters/kernel.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace seedwave {
namespace filters {
namespace {

/// Returns the weights of offsets 0..reach. The whole symmetric kernel sums to 1.
std::vector<double> half_kernel(double sigma) {
  const auto reach = static_cast<std::int64_t>(std::ceil(4.0 * sigma));
  std::vector<double> weights(reach + 1);
  weights[0] = 1.0;
  double sum = 1.0;
  for (std::int64_t i = 1; i <= reach; ++i) {
    const auto offset = static_cast<double>(i);
    weights[i] = std::exp(-(offset * offset) / (2.0 * sigma * sigma));
    sum += 2.0 * weights[i];
  }
  for (double& weight : weights)
    weight /= sum;
  return weights;
}

const SmoothKernel<float>& smooth_kernel(const Kernel& kernel, float) {
  return kernel.smooth_f32;
}
const SmoothKernel<double>& smooth_kernel(const Kernel& kernel, double) {
  return kernel.smooth_f64;
}

void round(const Kernel& kernel, const float* from, std::int64_t count, std::uint8_t* to) {
  kernel.round_u8.row(from, count, to);
}
void round(const Kernel& kernel, const float* from, std::int64_t count, std::int16_t* to) {
  kernel.round_i16.row(from, count, to);
}
void round(const Kernel& kernel, const float* from, std::int64_t count, std::uint16_t* to) {
  kernel.round_u16.row(from, count, to);
}
void round(const Kernel&, const double* from, std::int64_t count, std::int32_t* to) {
  std::transform(from, from + count, to, [](double value) { return rounded<std::int32_t>(value); });
}

/// Smooths voxels of type T into Out: T, or the stored type.
template <typename T, typename Out>
class Passes {
 public:
  using Mid = Stored<T>;

  Passes(std::span<const T> voxels, const Geometry& geometry, const AxisWeights& weights,
         Context& context)
      : voxels_(voxels),
        size_(geometry.size),
        weights_(weights),
        context_(context),
        kernel_(smooth_kernel(best_kernel(), Mid{})) {}

  LargeArray<Out> run() {
    auto result = large_array<Out>(voxels_.size());
    if (reach(2) == 0) {
      along_planes(result.get());
      return result;
    }
    auto stored = large_array<Mid>(voxels_.size());
    along_planes(stored.get());
    context_.checkpoint(0.6);
    along_z(stored.get(), result.get());
    return result;
  }

 private:
  /// Rows that a thread smooths at once, so that they are still in its cache for the next axis.
  static constexpr std::int64_t kRows = 64;
  /// Cells that a thread smooths at once along z, from as many places as the kernel reaches.
  static constexpr std::int64_t kStrip = 2048;

  [[nodiscard]] std::int64_t reach(int axis) const {
    return static_cast<std::int64_t>(weights_[axis].size()) - 1;
  }
  /// Returns how many places along an axis are one piece of work: enough for the places that it
  /// shares with its neighbours to be few.
  [[nodiscard]] std::int64_t piece(int axis) const { return std::max(kRows, 4 * reach(axis)); }

  /// Smooths along x and y. A piece of work is a band of rows of one slice: its rows, and those
  /// that the kernel reaches beside them, are smoothed along x first.
  template <typename To>
  void along_planes(To* result) {
    const std::int64_t bands = (size_[1] + piece(1) - 1) / piece(1);
    parallel_for(context_, bands * size_[2], 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Mid> band;
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t first = item % bands * piece(1);
        const std::int64_t last = std::min(size_[1], first + piece(1));
        along_band(item / bands, first, last, band, result);
      }
    });
    context_.checkpoint(0.5);
  }

  template <typename To>
  void along_band(std::int64_t z, std::int64_t first, std::int64_t last, std::vector<Mid>& band,
                  To* result) {
    const std::int64_t nx = size_[0];
    const std::int64_t top = std::max<std::int64_t>(0, first - reach(1));
    const std::int64_t bottom = std::min(size_[1], last + reach(1));
    band.resize((bottom - top) * nx);
    std::vector<double> padded(nx + 2 * reach(0));
    for (std::int64_t y = top; y < bottom; ++y) {
      if (context_.stop_requested()) return;
      const T* row = voxels_.data() + (z * size_[1] + y) * nx;
      std::fill_n(padded.begin(), reach(0), static_cast<double>(row[0]));
      std::copy_n(row, nx, padded.begin() + reach(0));
      std::fill_n(padded.end() - reach(0), reach(0), static_cast<double>(row[nx - 1]));
      kernel_.along(padded.data() + reach(0), nx, weights_[0].data(), reach(0),
                    band.data() + (y - top) * nx);
    }
    std::vector<Mid> sums(nx);
    std::vector<const Mid*> rows(2 * reach(1) + 1);
    for (std::int64_t y = first; y < last; ++y) {
      if (context_.stop_requested()) return;
      for (std::int64_t k = -reach(1); k <= reach(1); ++k) {
        const std::int64_t other = std::clamp<std::int64_t>(y + k, 0, size_[1] - 1);
        rows[k + reach(1)] = band.data() + (other - top) * nx;
      }
      To* to = result + (z * size_[1] + y) * nx;
      across(rows.data() + reach(1), nx, 1, sums.data(), to);
    }
  }

  void along_z(const Mid* stored, Out* result) {
    const std::int64_t plane = size_[0] * size_[1];
    const std::int64_t strips = (plane + kStrip - 1) / kStrip;
    const std::int64_t pieces = (size_[2] + piece(2) - 1) / piece(2);
    parallel_for(context_, strips * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Mid> sums(std::min(kStrip, plane));
      std::vector<const Mid*> rows(2 * reach(2) + 1);
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t cell = item % strips * kStrip;
        const std::int64_t count = std::min(kStrip, plane - cell);
        const std::int64_t first = item / strips * piece(2);
        for (std::int64_t z = first; z < std::min(size_[2], first + piece(2)); ++z) {
          if (context_.stop_requested()) return;
          for (std::int64_t k = -reach(2); k <= reach(2); ++k) {
            const std::int64_t other = std::clamp<std::int64_t>(z + k, 0, size_[2] - 1);
            rows[k + reach(2)] = stored + other * plane + cell;
          }
          across(rows.data() + reach(2), count, 2, sums.data(), result + z * plane + cell);
        }
      }
    });
    context_.checkpoint(1.0);
  }

  template <typename To>
  void across(const Mid* const* rows, std::int64_t count, int axis, Mid* sums, To* to) {
    if constexpr (std::is_same_v<To, Mid>) {
      kernel_.across(rows, count, weights_[axis].data(), reach(axis), to);
    } else {
      kernel_.across(rows, count, weights_[axis].data(), reach(axis), sums);
      round(best_kernel(), sums, count, to);
    }
  }

  std::span<const T> voxels_;
  const Index3& size_;
  const AxisWeights& weights_;
  Context& context_;
  const SmoothKernel<Mid>& kernel_;
};

}  // namespace

AxisWeights gaussian_weights(const Vec3& sigma, const Geometry& geometry) {
  AxisWeights weights;
  for (int axis = 0; axis < 3; ++axis) {
    weights[axis] = {1.0};
    if (geometry.size[axis] == 1 || sigma[axis] == 0.0) continue;
    if (!(sigma[axis] > 0.0 && sigma[axis] <= kLargestSigma)) {
      throw InputError("sigma is " + number_text(sigma[axis]) + " voxels along axis " +
                       std::string(1, "xyz"[axis]) + ": it must be from 0 to " +
                       number_text(kLargestSigma));
    }
    weights[axis] = half_kernel(sigma[axis]);
  }
  return weights;
}

void check_smoothable(const Volume& image, const char* filter) {
  if (image.components() != 1) {
    throw InputError(std::string(filter) + " needs one channel: choose one of the colour image");
  }
  refuse_nan(image, "the image");
  refuse_infinite(image, "the image");
}

template <typename T>
LargeArray<Stored<T>> smoothed(const Volume& image, const AxisWeights& weights, Context& context) {
  return Passes<T, Stored<T>>(image.voxels<T>(), image.geometry(), weights, context).run();
}

template LargeArray<float> smoothed<std::uint8_t>(const Volume&, const AxisWeights&, Context&);
template LargeArray<float> smoothed<std::int16_t>(const Volume&, const AxisWeights&, Context&);
template LargeArray<float> smoothed<std::uint16_t>(const Volume&, const AxisWeights&, Context&);
template LargeArray<double> smoothed<std::int32_t>(const Volume&, const AxisWeights&, Context&);
template LargeArray<float> smoothed<float>(const Volume&, const AxisWeights&, Context&);

}  // namespace filters

Volume gaussian(const Volume& image, const Vec3& sigma, Context& context) {
  filters::check_smoothable(image, "a Gaussian");
  const filters::AxisWeights weights = filters::gaussian_weights(sigma, image.geometry());
  return visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
    filters::Passes<T, T> passes(voxels, image.geometry(), weights, context);
    return Volume(image.geometry(), passes.run());
  });
}

Vec3 in_voxels(double length, const Geometry& geometry) {
  return {length / geometry.spacing[0], length / geometry.spacing[1], length / geometry.spacing[2]};
}

}  // namespace seedwave
