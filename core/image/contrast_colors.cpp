// SPDX-License-Identifier: Apache-2.0
#include "core/image/contrast_colors.h"

#include "core/base/error.h"
#include "core/image/cie_lab.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace seedwave {
namespace {

constexpr std::int64_t kSamples = 4096;
/// Share of the pixels that may be close to a colour: specks are not background.
constexpr double kSpecks = 0.03;
/// A colour qualifies if its distance from the image is at least this share of the largest one.
constexpr double kFarEnough = 0.6;
/// Candidates: the step of a channel, and the minimum lightness and chroma of a bright, full
/// colour.
constexpr int kStep = 51;
constexpr double kLeastLightness = 55.0;
constexpr double kLeastChroma = 55.0;

std::vector<Lab> sampled(const Volume& picture) {
  const auto voxels = picture.voxels<std::uint8_t>();
  const std::int64_t count = picture.geometry().voxel_count();
  // An odd step does not coincide with rows of even length.
  const std::int64_t step = (count / kSamples) | 1;
  std::vector<Lab> samples;
  for (std::int64_t i = 0; i < count; i += step) {
    const auto at = static_cast<std::size_t>(3 * i);
    samples.push_back(to_lab({voxels[at], voxels[at + 1], voxels[at + 2]}));
  }
  return samples;
}

struct Candidate {
  Rgb rgb;
  Lab lab;
  /// Distances from the image and from the colours chosen so far.
  double from_picture = 0.0;
  double from_taken = std::numeric_limits<double>::max();
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> list;
  for (int r = 0; r <= 255; r += kStep) {
    for (int g = 0; g <= 255; g += kStep) {
      for (int b = 0; b <= 255; b += kStep) {
        const Rgb rgb{static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g),
                      static_cast<std::uint8_t>(b)};
        const Lab lab = to_lab(rgb);
        if (lab[0] < kLeastLightness || std::hypot(lab[1], lab[2]) < kLeastChroma) continue;
        list.push_back({.rgb = rgb, .lab = lab});
      }
    }
  }
  return list;
}

double distance_from(const std::vector<Lab>& picture, const Lab& color) {
  std::vector<double> distances;
  distances.reserve(picture.size());
  for (const Lab& pixel : picture)
    distances.push_back(lab_distance(pixel, color));
  const auto place = static_cast<std::ptrdiff_t>(kSpecks * static_cast<double>(distances.size()));
  std::nth_element(distances.begin(), distances.begin() + place, distances.end());
  return distances[static_cast<std::size_t>(place)];
}

}  // namespace

std::vector<Rgb> contrast_colors(const Volume& picture, std::size_t count) {
  require(picture.components() == 3 && picture.type() == VoxelType::U8);
  const std::vector<Lab> pixels = sampled(picture);
  std::vector<Candidate> list = candidates();
  double farthest = 0.0;
  for (Candidate& each : list) {
    each.from_picture = distance_from(pixels, each.lab);
    farthest = std::max(farthest, each.from_picture);
  }
  std::erase_if(list,
                [&](const Candidate& each) { return each.from_picture < kFarEnough * farthest; });
  const auto next = [](const Candidate& a, const Candidate& b) {
    return std::min(a.from_taken, a.from_picture) < std::min(b.from_taken, b.from_picture);
  };
  std::vector<Rgb> colors;
  while (colors.size() < std::min(count, list.size())) {
    const auto taken = std::max_element(list.begin(), list.end(), next);
    colors.push_back(taken->rgb);
    const Lab lab = taken->lab;
    for (Candidate& each : list)
      each.from_taken = std::min(each.from_taken, lab_distance(each.lab, lab));
  }
  return colors;
}

}  // namespace seedwave
