// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/skew_fit.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace seedwave {
namespace {

/// Number of profile steps per pixel.
constexpr std::int64_t kPhases = 16;
constexpr double kSigma = 1.5;
constexpr std::int64_t kKernelReach = 8 * kPhases;  // 5.3 sigma
constexpr std::int64_t kSampleStep = kPhases / 2;
/// Largest sides of a reduced page: to fit angles, and to survey all angles.
constexpr std::int64_t kSideToFit = 4096;
constexpr std::int64_t kSideToLookOver = 512;
constexpr double kDegree = std::numbers::pi / 180.0;

/// Values minus ground, column after column of each slice, because a column is shifted as a whole.
struct Columns {
  std::int64_t width;
  std::int64_t height;
  std::int64_t slices;
  std::vector<float> values;

  [[nodiscard]] const float* column(std::int64_t x, std::int64_t z) const {
    return values.data() + (z * width + x) * height;
  }
};

/// Averages over squares of pixels if a side is longer than `largest`.
Columns columns_of(const Volume& image, double ground, std::int64_t largest, Context& context) {
  const auto& [width, height, slices] = image.geometry().size;
  const std::int64_t side = (std::max(width, height) + largest - 1) / largest;
  Columns columns{.width = std::max<std::int64_t>(1, width / side),
                  .height = std::max<std::int64_t>(1, height / side),
                  .slices = slices,
                  .values = {}};
  columns.values.resize(static_cast<std::size_t>(columns.width * columns.height * slices));
  const double share = 1.0 / static_cast<double>(side * side);
  visit_voxels(image, [&, width = width, height = height](auto voxels) {
    parallel_for(
        context, columns.slices * columns.height, 16, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t z = i / columns.height;
            const std::int64_t y = i % columns.height;
            for (std::int64_t x = 0; x < columns.width; ++x) {
              double sum = 0.0;
              for (std::int64_t dy = 0; dy < std::min(side, height); ++dy) {
                const auto* row = voxels.data() + (z * height + y * side + dy) * width + x * side;
                for (std::int64_t dx = 0; dx < std::min(side, width); ++dx) {
                  const auto value = static_cast<double>(row[dx]);
                  if (std::isfinite(value)) sum += value - ground;
                }
              }
              columns.values[(z * columns.width + x) * columns.height + y] =
                  static_cast<float>(sum * share);
            }
          }
        });
  });
  return columns;
}

/// Returns the second derivative of a Gaussian, with its mean subtracted.
std::vector<double> kernel() {
  std::vector<double> weights;
  double sum = 0.0;
  for (std::int64_t i = -kKernelReach; i <= kKernelReach; ++i) {
    const double t = static_cast<double>(i) / (static_cast<double>(kPhases) * kSigma);
    weights.push_back((t * t - 1.0) * std::exp(-0.5 * t * t));
    sum += weights.back();
  }
  for (double& weight : weights)
    weight -= sum / static_cast<double>(weights.size());
  return weights;
}

/// Projects one slice along one angle.
double sharpness_of(const Columns& columns, std::int64_t z, double degrees,
                    const std::vector<double>& weights, Context& context) {
  const double slope = std::tan(degrees * kDegree) * static_cast<double>(kPhases);
  const auto shift_of = [&](std::int64_t x) {
    const double from_middle =
        static_cast<double>(x) - static_cast<double>(columns.width - 1) / 2.0;
    return static_cast<std::int64_t>(std::floor(from_middle * slope + 0.5));
  };
  const std::int64_t most = std::max(std::abs(shift_of(0)), std::abs(shift_of(columns.width - 1)));
  // Margin on either side for the shifts and for the kernel, in whole pixels.
  const std::int64_t before = most / kPhases + 1 + kKernelReach / kPhases + 1;
  const std::int64_t pixels = columns.height + 2 * before;
  // Ordered by phase, so a column is added to contiguous numbers.
  std::vector<double> by_phase(static_cast<std::size_t>(kPhases * pixels));
  for (std::int64_t x = 0; x < columns.width; ++x) {
    if (x % 256 == 0) context.checkpoint(0.0);
    const std::int64_t place = shift_of(x) + before * kPhases;  // positive
    double* to = by_phase.data() + place % kPhases * pixels + place / kPhases;
    const float* from = columns.column(x, z);
    for (std::int64_t y = 0; y < columns.height; ++y)
      to[y] += static_cast<double>(from[y]);
  }
  std::vector<double> profile(by_phase.size());
  for (std::int64_t i = 0; i < std::ssize(profile); ++i)
    profile[i] = by_phase[i % kPhases * pixels + i / kPhases];
  double energy = 0.0;
  for (std::int64_t at = kKernelReach; at + kKernelReach < std::ssize(profile); at += kSampleStep) {
    const double* around = profile.data() + at - kKernelReach;
    std::array<double, 4> sums{};  // several at a time, in a fixed order
    for (std::size_t i = 0; i + 4 <= weights.size(); i += 4) {
      for (std::size_t k = 0; k < 4; ++k)
        sums[k] += weights[i + k] * around[i + k];
    }
    double sum = weights.back() * around[weights.size() - 1];  // one more than 4n
    sum += (sums[0] + sums[1]) + (sums[2] + sums[3]);
    energy += sum * sum;
  }
  return energy;
}

std::vector<double> sharpness_at(const Columns& columns, const std::vector<double>& angles,
                                 Context& context) {
  const std::vector<double> weights = kernel();
  std::vector<double> result(angles.size());
  parallel_for(context, std::ssize(angles), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t z = 0; z < columns.slices; ++z)
        result[i] += sharpness_of(columns, z, angles[i], weights, context);
    }
  });
  return result;
}

std::vector<double> angles_around(double middle, double step, std::int64_t each_way) {
  std::vector<double> angles;
  for (std::int64_t i = -each_way; i <= each_way; ++i)
    angles.push_back(middle + static_cast<double>(i) * step);
  return angles;
}

std::size_t place_of_largest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

struct Peak {
  double angle;
  double sharpness;
};

/// Returns the sharpest angle within `reach` of `coarse`, or `coarse` if several are equal.
Peak peak_near(const Columns& columns, double coarse, double reach, Context& context) {
  constexpr double kLargestStep = 0.25;
  const double step = std::min(kLargestStep, 1.0 / (kDegree * static_cast<double>(columns.width)));
  const auto each_way = static_cast<std::int64_t>(std::ceil(reach / step));
  const std::vector<double> tried = angles_around(coarse, step, each_way);
  const std::vector<double> sharpness = sharpness_at(columns, tried, context);
  const std::size_t best = place_of_largest(sharpness);
  const double of_coarse = sharpness[static_cast<std::size_t>(each_way)];
  if (!(sharpness[best] > of_coarse) && of_coarse == 0.0) return {coarse, 0.0};

  const double middle = sharpness[best] > of_coarse ? tried[best] : coarse;
  const double fine_step = step / 4.0;
  const std::vector<double> fine = angles_around(middle, fine_step, 5);
  const std::vector<double> around = sharpness_at(columns, fine, context);
  const std::size_t peak = std::clamp<std::size_t>(place_of_largest(around), 1, fine.size() - 2);
  const double rise = around[peak] - around[peak - 1];
  const double fall = around[peak] - around[peak + 1];
  const double off = rise + fall > 0.0 ? 0.5 * (rise - fall) / (rise + fall) : 0.0;
  return {fine[peak] + fine_step * std::clamp(off, -1.0, 1.0), around[peak]};
}

double to_a_thousandth(double number) {
  return std::round(number * 1000.0) / 1000.0;
}

}  // namespace

std::vector<double> row_sharpness(const Volume& image, double ground,
                                  const std::vector<double>& angles, Context& context) {
  return sharpness_at(columns_of(image, ground, kSideToFit, context), angles, context);
}

SkewFit fit_skew(const Volume& image, double ground, double coarse,
                 const std::vector<double>& angles, double reach, Context& context) {
  const Columns reduced = columns_of(image, ground, kSideToLookOver, context);
  const std::vector<double> over_all = sharpness_at(reduced, angles, context);
  const double sharpest = angles[place_of_largest(over_all)];

  const Columns columns = columns_of(image, ground, kSideToFit, context);
  Peak peak = peak_near(columns, coarse, reach, context);
  if (peak.sharpness == 0.0) return {coarse, 0.0};
  if (std::abs(sharpest - coarse) > 0.5 * reach) {
    const Peak other = peak_near(columns, sharpest, reach, context);
    if (other.sharpness > peak.sharpness) peak = other;
  }
  std::vector<double> compared{peak.angle};
  for (const double away : {1.0, 2.0, 4.0}) {
    compared.push_back(peak.angle - away);
    compared.push_back(peak.angle + away);
  }
  const std::vector<double> others = sharpness_at(columns, compared, context);
  const double highest = *std::max_element(others.begin() + 1, others.end());
  const double confidence = others[0] > 0.0 ? std::max(0.0, 1.0 - highest / others[0]) : 0.0;
  return {to_a_thousandth(peak.angle), to_a_thousandth(confidence)};
}

}  // namespace seedwave
