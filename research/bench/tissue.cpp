// SPDX-License-Identifier: Apache-2.0
#include "research/bench/tissue.h"

#include "core/parallel/parallel_for.h"
#include "research/bench/normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave::bench {
namespace {

constexpr std::int64_t kSquare = 256;  // kept or left out as a whole
constexpr std::int64_t kField = 28;    // at most one nucleus
constexpr double kGlass = 20.0;

std::uint64_t hash_at(std::int64_t x, std::int64_t y, std::uint64_t what) {
  return hash(hash(static_cast<std::uint64_t>(x) * 0x1F123BB5U + what) +
              static_cast<std::uint64_t>(y));
}

/// Returns 0..1 from some bits of a hash.
double share_of(std::uint64_t bits, int from) {
  return static_cast<double>(bits >> from & 0xFFU) / 255.0;
}

/// Returns approximately normal noise with sigma 2: the sum of eight bytes.
double noise(std::int64_t x, std::int64_t y) {
  constexpr double kMean = 8 * 127.5;
  constexpr double kSigma = 209.02;  // sqrt(8 (256^2 - 1) / 12)
  std::uint64_t bits = hash_at(x, y, 1);
  double sum = 0.0;
  for (int i = 0; i < 8; ++i, bits >>= 8)
    sum += static_cast<double>(bits & 0xFFU);
  return 2.0 * (sum - kMean) / kSigma;
}

double stroma(double x, double y) {
  const double open = std::sin(x / 211.0 + 1.1 * std::sin(y / 307.0)) * std::sin(y / 173.0);
  if (open > 0.8) return kGlass;
  return 72.0 + 26.0 * std::sin(x / 37.0 + 1.7 * std::sin(y / 53.0)) * std::sin(y / 41.0) +
         14.0 * std::sin(x / 9.1 + 2.0 * std::sin(y / 13.0)) * std::sin(y / 8.3 + x / 17.0);
}

/// A rotated ellipse with a dark rim and a bright middle.
struct Nucleus {
  double x = 0.0;
  double y = 0.0;
  double cosine = 1.0;
  double sine = 0.0;
  double length = 8.0;
  double width = 6.0;
  double height = 0.0;  // above the stroma; 0: none

  static Nucleus of(std::int64_t field_x, std::int64_t field_y) {
    const std::uint64_t bits = hash_at(field_x, field_y, 2);
    Nucleus nucleus;
    nucleus.x = static_cast<double>(field_x * kField) + 4.0 + 20.0 * share_of(bits, 0);
    nucleus.y = static_cast<double>(field_y * kField) + 4.0 + 20.0 * share_of(bits, 8);
    const double angle = 3.14159 * share_of(bits, 16);
    nucleus.cosine = std::cos(angle);
    nucleus.sine = std::sin(angle);
    nucleus.length = 7.0 + 6.0 * share_of(bits, 24);
    nucleus.width = 5.0 + 4.0 * share_of(bits, 32);
    if (share_of(bits, 40) < 0.6) nucleus.height = 45.0 + 50.0 * share_of(bits, 48);
    return nucleus;
  }
  [[nodiscard]] double at(double px, double py) const {
    if (height == 0.0) return 0.0;
    const double u = ((px - x) * cosine + (py - y) * sine) / length;
    const double v = ((py - y) * cosine - (px - x) * sine) / width;
    const double r2 = u * u + v * v;
    return r2 < 1.0 ? height * (1.0 - 0.5 * r2) : 0.0;
  }
};

/// The nuclei that extend into a square, field by field.
class Nuclei {
 public:
  Nuclei(std::int64_t x0, std::int64_t y0) : first_x_(x0 / kField - 1), first_y_(y0 / kField - 1) {
    for (int y = 0; y < kFields; ++y) {
      for (int x = 0; x < kFields; ++x)
        nuclei_.push_back(Nucleus::of(first_x_ + x, first_y_ + y));
    }
  }
  [[nodiscard]] double at(std::int64_t x, std::int64_t y) const {
    const std::int64_t fx = x / kField - first_x_;
    const std::int64_t fy = y / kField - first_y_;
    double highest = 0.0;
    for (std::int64_t i = fy - 1; i <= fy + 1; ++i) {
      for (std::int64_t j = fx - 1; j <= fx + 1; ++j) {
        const Nucleus& nucleus = nuclei_[static_cast<std::size_t>(j + kFields * i)];
        highest = std::max(highest, nucleus.at(static_cast<double>(x), static_cast<double>(y)));
      }
    }
    return highest;
  }

 private:
  static constexpr int kFields = static_cast<int>(kSquare / kField) + 4;
  std::int64_t first_x_;
  std::int64_t first_y_;
  std::vector<Nucleus> nuclei_;
};

std::uint8_t pixel(const Nuclei& nuclei, std::int64_t x, std::int64_t y) {
  const double grey = stroma(static_cast<double>(x), static_cast<double>(y)) + nuclei.at(x, y);
  return static_cast<std::uint8_t>(std::clamp(std::round(grey + noise(x, y)), 0.0, 255.0));
}

using Colour = std::array<std::uint8_t, 3>;

/// Returns the colours of stained tissue by intensity: glass, stroma in eosin, nuclei in
/// haematoxylin.
std::array<Colour, 256> stained() {
  struct Stop {
    double intensity;
    std::array<double, 3> colour;
  };
  constexpr std::array<Stop, 5> kStops{{{20.0, {244.0, 242.0, 245.0}},
                                        {60.0, {230.0, 170.0, 200.0}},
                                        {110.0, {205.0, 120.0, 170.0}},
                                        {170.0, {120.0, 80.0, 150.0}},
                                        {255.0, {70.0, 45.0, 110.0}}}};
  std::array<Colour, 256> colours{};
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const double intensity = std::max(static_cast<double>(i), kStops.front().intensity);
    std::size_t above = 1;
    while (kStops[above].intensity < intensity)
      ++above;
    const Stop& low = kStops[above - 1];
    const Stop& high = kStops[above];
    const double share = (intensity - low.intensity) / (high.intensity - low.intensity);
    for (std::size_t c = 0; c < 3; ++c) {
      colours[i][c] = static_cast<std::uint8_t>(
          std::lround(low.colour[c] + share * (high.colour[c] - low.colour[c])));
    }
  }
  return colours;
}

/// Selects the squares that are tissue, row by row: the share with the smallest hashes.
std::vector<bool> kept_squares(std::int64_t columns, std::int64_t rows, double share) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::int64_t y = 0; y < rows; ++y) {
    for (std::int64_t x = 0; x < columns; ++x)
      order.emplace_back(hash_at(x, y, 3), order.size());
  }
  std::sort(order.begin(), order.end());
  const auto count =
      static_cast<std::size_t>(std::llround(share * static_cast<double>(order.size())));
  std::vector<bool> kept(order.size(), false);
  for (std::size_t i = 0; i < count; ++i)
    kept[order[i].second] = true;
  return kept;
}

}  // namespace

TissueRows::TissueRows(std::int64_t width, std::int64_t height, double share)
    : width_(width),
      height_(height),
      kept_(
          kept_squares((width + kSquare - 1) / kSquare, (height + kSquare - 1) / kSquare, share)) {}

Volume TissueRows::read(std::int64_t first, std::int64_t end, bool in_colour,
                        Context& context) const {
  Geometry geometry;
  geometry.size = {width_, end - first, 1};
  geometry.unit = LengthUnit::Pixel;
  const std::array<Colour, 256> colours = stained();
  const auto components = in_colour ? std::int64_t{3} : std::int64_t{1};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count() * components));
  const auto put = [&](std::int64_t x, std::int64_t y, std::uint8_t value) {
    std::uint8_t* const to = voxels.data() + ((y - first) * width_ + x) * components;
    if (in_colour) {
      std::ranges::copy(colours[value], to);
    } else {
      *to = value;
    }
  };
  const std::int64_t columns = (width_ + kSquare - 1) / kSquare;
  const std::int64_t top = first / kSquare;
  const std::int64_t rows = (end + kSquare - 1) / kSquare - top;
  parallel_for(context, columns * rows, 1, [&](std::int64_t begin, std::int64_t stop) {
    for (std::int64_t i = begin; i < stop; ++i) {
      context.checkpoint(static_cast<double>(i) / static_cast<double>(columns * rows));
      const std::int64_t square = i + top * columns;
      const std::int64_t x0 = square % columns * kSquare;
      const std::int64_t y0 = square / columns * kSquare;
      const bool is_kept = kept_[static_cast<std::size_t>(square)];
      const Nuclei nuclei(x0, y0);
      for (std::int64_t y = std::max(first, y0); y < std::min({end, height_, y0 + kSquare}); ++y) {
        for (std::int64_t x = x0; x < std::min(width_, x0 + kSquare); ++x)
          put(x, y, is_kept ? pixel(nuclei, x, y) : static_cast<std::uint8_t>(kGlass));
      }
    }
  });
  return Volume(geometry, std::move(voxels), static_cast<int>(components));
}

Volume tissue(const Index3& size, double share, Context& context) {
  return TissueRows(size[0], size[1], share).read(0, size[1], false, context);
}

Volume nuclei_in_tissue(const Index3& size, Context& context) {
  constexpr std::uint8_t kNucleiThreshold = 110;
  const Volume image = tissue(size, 1.0, context);
  std::vector<std::uint8_t> nuclei;
  for (const std::uint8_t value : image.voxels<std::uint8_t>())
    nuclei.push_back(value > kNucleiThreshold ? 1 : 0);
  return {image.geometry(), std::move(nuclei)};
}

}  // namespace seedwave::bench
