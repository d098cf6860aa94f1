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
    constexpr std::int64_t kInCache = std::int64_t{1} << 22;
    const std::int64_t cells = std::min(size_[1], piece(1)) * size_[0];
    if (reach(2) == 0) {
      along_slices(result.get());
    } else if (kept_slices() * cells * std::int64_t{sizeof(Mid)} <= kInCache) {
      for_pieces(piece(2), [&](const Range& ys, const Range& zs, Workspace& space) {
        along_piece(ys, zs, space, result.get());
      });
    } else {
      auto stored = large_array<Mid>(voxels_.size());
      along_slices(stored.get());
      along_z(stored.get(), result.get());
    }
    return result;
  }

 private:
  struct Range {
    std::int64_t begin;
    std::int64_t end;
  };
  struct Workspace {
    std::vector<double> row;     // with the places beyond both ends
    std::vector<Mid> rows;       // of a slice, smoothed along x
    std::vector<Mid> slices;     // as many as the kernel reaches, smoothed along x and y
    std::vector<Mid> sums;       // what is written next, before it is rounded
    std::vector<const Mid*> at;  // rows or slices at the places of the kernel
  };

  [[nodiscard]] std::int64_t reach(int axis) const {
    return static_cast<std::int64_t>(weights_[axis].size()) - 1;
  }
  /// Returns how many places along an axis are one piece of work: enough for the places that it
  /// shares with its neighbours to be few.
  [[nodiscard]] std::int64_t piece(int axis) const {
    constexpr std::int64_t kFewest = 48;
    return std::max(kFewest, 6 * reach(axis));
  }
  /// Returns how many slices are kept while the next is smoothed along z.
  [[nodiscard]] std::int64_t kept_slices() const { return std::min(size_[2], 2 * reach(2) + 1); }

  /// Calls body(rows, slices, workspace) for pieces of work, on all threads.
  template <typename Body>
  void for_pieces(std::int64_t slices, const Body& body) {
    const std::int64_t bands = (size_[1] + piece(1) - 1) / piece(1);
    const std::int64_t layers = (size_[2] + slices - 1) / slices;
    parallel_for(context_, bands * layers, 1, [&](std::int64_t begin, std::int64_t end) {
      Workspace space;
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t y = item % bands * piece(1);
        const std::int64_t z = item / bands * slices;
        body(Range{y, std::min(size_[1], y + piece(1))}, Range{z, std::min(size_[2], z + slices)},
             space);
        context_.checkpoint(0.5);
      }
    });
  }

  /// Smooths slices along x and y one after the other, and along z while those that the kernel
  /// reaches are in the thread's cache.
  void along_piece(const Range& ys, const Range& zs, Workspace& space, Out* result) {
    const std::int64_t kept = kept_slices();
    const std::int64_t cells = (ys.end - ys.begin) * size_[0];
    space.slices.resize(static_cast<std::size_t>(kept * cells));
    space.sums.resize(static_cast<std::size_t>(cells));
    const auto slice = [&](std::int64_t z) { return space.slices.data() + z % kept * cells; };
    std::int64_t made = std::max<std::int64_t>(0, zs.begin - reach(2));
    for (std::int64_t z = zs.begin; z < zs.end; ++z) {
      for (; made <= std::min(size_[2] - 1, z + reach(2)); ++made) {
        if (context_.stop_requested()) return;
        along_slice(made, ys, space, slice(made));
      }
      space.at.clear();
      for (std::int64_t k = -reach(2); k <= reach(2); ++k)
        space.at.push_back(slice(std::clamp<std::int64_t>(z + k, 0, size_[2] - 1)));
      Out* const to = result + (z * size_[1] + ys.begin) * size_[0];
      across(space.at.data() + reach(2), cells, 2, space.sums.data(), to);
    }
  }

  /// Smooths all slices along x and y.
  template <typename To>
  void along_slices(To* to) {
    for_pieces(1, [&](const Range& ys, const Range& zs, Workspace& space) {
      space.sums.resize(static_cast<std::size_t>(size_[0]));
      along_slice(zs.begin, ys, space, to + (zs.begin * size_[1] + ys.begin) * size_[0]);
    });
  }

  /// Smooths rows of a slice along x and y: those that the kernel reaches beside them along x
  /// first.
  template <typename To>
  void along_slice(std::int64_t z, const Range& ys, Workspace& space, To* to) {
    const std::int64_t nx = size_[0];
    const std::int64_t top = std::max<std::int64_t>(0, ys.begin - reach(1));
    const std::int64_t bottom = std::min(size_[1], ys.end + reach(1));
    space.rows.resize(static_cast<std::size_t>((bottom - top) * nx));
    space.row.resize(static_cast<std::size_t>(nx + 2 * reach(0)));
    std::vector<double>& padded = space.row;
    for (std::int64_t y = top; y < bottom; ++y) {
      if (context_.stop_requested()) return;
      const T* row = voxels_.data() + (z * size_[1] + y) * nx;
      std::fill_n(padded.begin(), reach(0), static_cast<double>(row[0]));
      std::copy_n(row, nx, padded.begin() + reach(0));
      std::fill_n(padded.end() - reach(0), reach(0), static_cast<double>(row[nx - 1]));
      kernel_.along(padded.data() + reach(0), nx, weights_[0].data(), reach(0),
                    space.rows.data() + (y - top) * nx);
    }
    for (std::int64_t y = ys.begin; y < ys.end; ++y) {
      if (context_.stop_requested()) return;
      space.at.clear();
      for (std::int64_t k = -reach(1); k <= reach(1); ++k) {
        const std::int64_t other = std::clamp<std::int64_t>(y + k, 0, size_[1] - 1);
        space.at.push_back(space.rows.data() + (other - top) * nx);
      }
      across(space.at.data() + reach(1), nx, 1, space.sums.data(), to + (y - ys.begin) * nx);
    }
  }

  /// Smooths along z what does not fit into the cache, in strips of cells.
  void along_z(const Mid* stored, Out* result) {
    constexpr std::int64_t kStrip = 2048;
    const std::int64_t plane = size_[0] * size_[1];
    const std::int64_t strips = (plane + kStrip - 1) / kStrip;
    parallel_for(context_, strips * size_[2], 64, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Mid> sums(static_cast<std::size_t>(std::min(kStrip, plane)));
      std::vector<const Mid*> at;
      for (std::int64_t item = begin; item < end; ++item) {
        context_.checkpoint(0.8);
        const std::int64_t cell = item / size_[2] * kStrip;
        const std::int64_t z = item % size_[2];
        at.clear();
        for (std::int64_t k = -reach(2); k <= reach(2); ++k) {
          const std::int64_t other = std::clamp<std::int64_t>(z + k, 0, size_[2] - 1);
          at.push_back(stored + other * plane + cell);
        }
        across(at.data() + reach(2), std::min(kStrip, plane - cell), 2, sums.data(),
               result + z * plane + cell);
      }
    });
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
