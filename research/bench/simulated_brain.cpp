// SPDX-License-Identifier: Apache-2.0
#include "research/bench/accuracy.h"
#include "research/bench/normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace seedwave::bench {
namespace {

constexpr double kBrightest = 200.0;
constexpr double kBlurSigma = 0.6;
constexpr int kBlurReach = 2;

/// Median intensities inside each tissue of real BrainWeb proton-density slices, scaled to
/// CSF = 200.
double intensity(std::uint16_t tissue) {
  switch (tissue) {
    case 1:
      return 200;  // CSF
    case 2:
      return 171;  // grey matter
    case 3:
      return 146;  // white matter
    case 4:
      return 163;  // fat
    case 5:
      return 137;  // muscle
    case 6:
      return 180;  // skin
    case 8:
      return 174;  // glial matter
    case 9:
      return 139;  // connective tissue
    default:
      return 0;  // background, skull
  }
}

/// Applies a Gaussian blur along one axis; the border repeats its last voxel.
void blur_axis(std::vector<double>& values, const Geometry& geometry, int axis) {
  std::array<double, 2 * kBlurReach + 1> kernel{};
  double sum = 0;
  for (int k = -kBlurReach; k <= kBlurReach; ++k) {
    kernel[k + kBlurReach] = std::exp(-0.5 * (k / kBlurSigma) * (k / kBlurSigma));
    sum += kernel[k + kBlurReach];
  }
  const Index3& size = geometry.size;
  const std::int64_t stride = axis == 0 ? 1 : axis == 1 ? size[0] : size[0] * size[1];
  std::vector<double> line(static_cast<std::size_t>(size[axis]));
  for (std::int64_t start = 0; start < geometry.voxel_count(); ++start) {
    if (geometry.index_of(start)[axis] != 0) continue;
    for (std::int64_t i = 0; i < size[axis]; ++i)
      line[i] = values[start + i * stride];
    for (std::int64_t i = 0; i < size[axis]; ++i) {
      double value = 0;
      for (int k = -kBlurReach; k <= kBlurReach; ++k) {
        value += kernel[k + kBlurReach] * line[std::clamp<std::int64_t>(i + k, 0, size[axis] - 1)];
      }
      values[start + i * stride] = value / sum;
    }
  }
}

bool in_brain(Label tissue) {
  return (tissue >= 1 && tissue <= 3) || tissue == 8;
}

}  // namespace

Volume simulate_proton_density(const LabelMap& tissues, double noise_percent, unsigned seed) {
  const auto labels = tissues.labels();
  std::vector<double> clean(labels.size());
  std::transform(labels.begin(), labels.end(), clean.begin(), intensity);
  for (int axis = 0; axis < 3; ++axis)
    blur_axis(clean, tissues.geometry(), axis);

  const std::uint64_t first =
      (seed * 1000ULL + static_cast<std::uint64_t>(std::lround(noise_percent * 100))) << 32;
  const double sigma = noise_percent / 100 * kBrightest;
  std::vector<std::uint8_t> scene(labels.size());
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const double value =
        std::hypot(clean[i] + sigma * normal(first + 2 * i), sigma * normal(first + 2 * i + 1));
    scene[i] = static_cast<std::uint8_t>(std::clamp(std::nearbyint(value), 0.0, 255.0));
  }
  return {tissues.geometry(), std::move(scene)};
}

LabelMap brain_mask(const LabelMap& tissues) {
  std::vector<std::uint16_t> mask(tissues.labels().begin(), tissues.labels().end());
  for (std::uint16_t& voxel : mask)
    voxel = in_brain(voxel) ? 1 : 0;
  return {tissues.geometry(), std::move(mask)};
}

LabelMap paper_seeds(const Volume& scene, const LabelMap& tissues) {
  const auto grey_values = scene.voxels<std::uint8_t>();
  const auto labels = tissues.labels();
  const auto rounded_mean = [&](Tissue tissue) {
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] != static_cast<std::uint16_t>(tissue)) continue;
      sum += grey_values[i];
      ++count;
    }
    return static_cast<int>(std::lround(count > 0 ? sum / count : 0));
  };
  const int white = rounded_mean(Tissue::White);
  const int grey = rounded_mean(Tissue::Grey);
  std::vector<std::uint16_t> seeds(labels.size());
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (!in_brain(labels[i])) continue;
    if (grey_values[i] == grey) seeds[i] = 2;
    if (grey_values[i] == white) seeds[i] = 1;
  }
  return {tissues.geometry(), std::move(seeds)};
}

}  // namespace seedwave::bench
