// SPDX-License-Identifier: Apache-2.0
#include "core/border/model.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace seedwave::border {
namespace {

constexpr std::size_t kClasses = 64;
/// Sigma of the Gaussian that smooths a histogram, in classes.
constexpr double kSmoothing = 2.0;
/// Share of a density that is spread evenly.
constexpr double kEven = 0.01;
constexpr double kTailShare = 0.005;
constexpr double kMostEvidence = 4.0;
/// Estimated evidence is rounded, so that its text is short.
constexpr double kPerNat = 100.0;

// Weight of the evidence by the share of the densities that lies apart.
constexpr double kLeastWeight = 0.3;
constexpr double kFullWeight = 1.0;
constexpr double kApartForLeast = 0.5;
constexpr double kApartForFull = 0.8;

using Density = std::array<double, kClasses>;

/// Returns the value below which a share of the values lie.
double quantile(std::vector<double>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[at];
}

Density smoothed(const Density& counts) {
  constexpr int kReach = 8;
  std::array<double, 2 * kReach + 1> weights{};
  double sum = 0.0;
  for (int k = -kReach; k <= kReach; ++k) {
    weights[k + kReach] = std::exp(-k * k / (2.0 * kSmoothing * kSmoothing));
    sum += weights[k + kReach];
  }
  Density result{};
  double total = 0.0;
  for (int i = 0; i < static_cast<int>(kClasses); ++i) {
    for (int k = -kReach; k <= kReach; ++k) {
      if (i + k >= 0 && i + k < static_cast<int>(kClasses))
        result[i] += counts[i + k] * weights[k + kReach] / sum;
    }
    total += result[i];
  }
  for (double& share : result)
    share = (total > 0.0 ? share / total * (1.0 - kEven) : 0.0) + kEven / kClasses;
  return result;
}

/// Returns whether a voxel belongs to the label whatever a cut says.
bool is_sure(const BandCell& cell, std::int32_t band, std::span<const Seed> seeds) {
  if (cell.square > band) return true;
  if (cell.square < 0) return false;
  const auto seed = std::ranges::lower_bound(seeds, cell.offset, {}, &Seed::offset);
  return seed != seeds.end() && seed->offset == cell.offset;
}

/// Root mean square of the differences of face neighbours that are both in the ring.
template <typename T>
double contrast_of(const Geometry& geometry, std::span<const T> voxels,
                   const std::vector<BandCell>& ring, double low, double high) {
  const auto value = [&](std::int64_t offset) {
    return std::clamp(static_cast<double>(voxels[offset]), low, high);
  };
  double sum = 0.0;
  double pairs = 0.0;
  std::int64_t stride = 1;
  for (int axis = 0; axis < 3; stride *= geometry.size[axis++]) {
    if (geometry.size[axis] == 1) continue;
    std::size_t other = 0;
    for (const BandCell& cell : ring) {
      if (cell.offset / stride % geometry.size[axis] == geometry.size[axis] - 1) continue;
      while (other < ring.size() && ring[other].offset < cell.offset + stride)
        ++other;
      if (other == ring.size() || ring[other].offset != cell.offset + stride) continue;
      const double difference = value(ring[other].offset) - value(cell.offset);
      sum += difference * difference;
      pairs += 1.0;
    }
  }
  return pairs == 0.0 ? 0.0 : std::sqrt(sum / pairs);
}

}  // namespace

BorderModel estimate_model(const Volume& image, const std::vector<BandCell>& ring,
                           std::int32_t band, std::span<const Seed> seeds, Context& context) {
  BorderModel model{.evidence = std::vector<double>(kEvidenceKnots)};
  if (ring.empty()) return model;
  return visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
    std::vector<double> values;
    values.reserve(ring.size());
    for (const BandCell& cell : ring) {
      if (values.size() % kCellsPerCheck == 0) context.checkpoint(0.0);
      values.push_back(static_cast<double>(voxels[cell.offset]));
      if (!std::isfinite(values.back()))
        throw InputError("the image has NaN or infinite values near a border");
    }
    model.low = quantile(values, kTailShare);
    model.high = quantile(values, 1.0 - kTailShare);
    if (!(model.high > model.low)) model.high = model.low + 1.0;
    Density inside{};
    Density outside{};
    const double per_class = (model.high - model.low) / (kClasses - 1);
    const bool any_is_sure =
        std::ranges::any_of(ring, [&](const BandCell& cell) { return is_sure(cell, band, seeds); });
    for (const BandCell& cell : ring) {
      if (cell.square > 0 && any_is_sure && !is_sure(cell, band, seeds)) continue;
      const double value =
          std::clamp(static_cast<double>(voxels[cell.offset]), model.low, model.high);
      const auto at = static_cast<std::size_t>(std::lround((value - model.low) / per_class));
      (cell.square > 0 ? inside : outside)[at] += 1.0;
    }
    inside = smoothed(inside);
    outside = smoothed(outside);
    double apart = 0.0;
    for (std::size_t i = 0; i < kClasses; ++i)
      apart += 0.5 * std::abs(inside[i] - outside[i]);
    for (std::size_t k = 0; k < kEvidenceKnots; ++k) {
      const double at = static_cast<double>(k) * (kClasses - 1) / (kEvidenceKnots - 1);
      const auto below = std::min(static_cast<std::size_t>(at), kClasses - 2);
      const double share = at - static_cast<double>(below);
      const auto ratio = [&](std::size_t i) { return std::log(inside[i]) - std::log(outside[i]); };
      const double nats = (1.0 - share) * ratio(below) + share * ratio(below + 1);
      model.evidence[k] =
          std::round(std::clamp(nats, -kMostEvidence, kMostEvidence) * kPerNat) / kPerNat;
    }
    model.contrast = contrast_of(image.geometry(), voxels, ring, model.low, model.high);
    if (!(model.contrast > 0.0)) model.contrast = model.high - model.low;
    const double share =
        std::clamp((apart - kApartForLeast) / (kApartForFull - kApartForLeast), 0.0, 1.0);
    model.evidence_weight = kLeastWeight + (kFullWeight - kLeastWeight) * share;
    return model;
  });
}

}  // namespace seedwave::border
