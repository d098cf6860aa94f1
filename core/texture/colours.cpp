// SPDX-License-Identifier: Apache-2.0
#include "core/texture/colours.h"

#include "core/base/large_memory.h"
#include "core/image/cie_lab.h"
#include "core/image/stains.h"
#include "core/image/vec3.h"
#include "core/parallel/parallel_for.h"
#include "core/texture/clusters/ordered_sums.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace seedwave {
namespace {

/// Converts to CIE Lab.
void take_to_lab(const ColourCounts& colours, Points& places, Context& context) {
  parallel_for(context, places.count(), 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      std::ranges::copy(to_lab(colour_of(colours.colours[i])), places.row(i).begin());
  });
}

/// Normalises each coordinate to mean 0 and standard deviation 1 over all pixels. A constant
/// coordinate becomes 0.
void normalise(const ColourCounts& colours, Points& places, Context& context) {
  constexpr std::size_t kCoordinates = 3;
  double pixels = 0.0;
  for (const std::int64_t count : colours.counts)
    pixels += static_cast<double>(count);
  const auto mean_of = [&](auto&& of) {
    std::vector<double> means = ordered_sums(
        places.count(), kCoordinates, context, [&](std::int64_t i, std::span<double> sums) {
          const auto count = static_cast<double>(colours.counts[i]);
          for (std::size_t j = 0; j < kCoordinates; ++j)
            sums[j] += count * of(places.row(i)[j], j);
        });
    for (double& mean : means)
      mean /= pixels;
    return means;
  };
  const std::vector<double> mean = mean_of([](double value, std::size_t) { return value; });
  const std::vector<double> variance =
      mean_of([&](double value, std::size_t j) { return (value - mean[j]) * (value - mean[j]); });
  // Below the rounding error for colours that are all the same.
  constexpr double kNoVariance = 1e-20;
  std::array<double, kCoordinates> scale{};
  for (std::size_t j = 0; j < kCoordinates; ++j)
    scale[j] = variance[j] > kNoVariance ? 1.0 / std::sqrt(variance[j]) : 0.0;
  parallel_for(context, places.count(), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::size_t j = 0; j < kCoordinates; ++j)
        places.row(i)[j] = (places.row(i)[j] - mean[j]) * scale[j];
    }
  });
}

/// Returns the 99th percentile of a stain's amounts over all pixels, rounded up to a thousandth.
/// Negative amounts count as 0.
double percentile_99(const ColourCounts& colours, const Points& amounts, std::int64_t stain) {
  constexpr double kStep = 1e-3;
  std::vector<std::int64_t> pixels_up_to;
  for (std::int64_t i = 0; i < amounts.count(); ++i) {
    const double amount = std::max(0.0, amounts.row(i)[stain]);
    const auto step = static_cast<std::size_t>(std::ceil(amount / kStep));
    if (step >= pixels_up_to.size()) pixels_up_to.resize(step + 1);
    pixels_up_to[step] += colours.counts[i];
  }
  std::partial_sum(pixels_up_to.begin(), pixels_up_to.end(), pixels_up_to.begin());
  std::size_t step = 0;
  while (100 * pixels_up_to[step] < 99 * pixels_up_to.back())
    ++step;
  return static_cast<double>(step) * kStep;
}

/// Converts amounts to fractions of their 99th percentile, 0 .. 1.
void normalise_amounts(const ColourCounts& colours, Points& amounts) {
  for (std::int64_t stain = 0; stain < amounts.dimensions; ++stain) {
    const double most = percentile_99(colours, amounts, stain);
    for (std::int64_t i = 0; i < amounts.count(); ++i) {
      double& amount = amounts.row(i)[stain];
      amount = most == 0.0 ? 0.0 : std::clamp(amount / most, 0.0, 1.0);
    }
  }
}

/// Computes the amounts of two stains.
void unmix(const ColourCounts& colours, const Vec3& first, const Vec3& second, Points& places,
           Context& context) {
  const std::array<double, 256> density = optical_densities();
  const std::array<Vec3, 2> rows{unmixing_row(first, second), unmixing_row(second, first)};
  parallel_for(context, places.count(), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Rgb rgb = colour_of(colours.colours[i]);
      const Vec3 densities{density[rgb[0]], density[rgb[1]], density[rgb[2]]};
      for (std::size_t stain = 0; stain < rows.size(); ++stain)
        places.row(i)[stain] = dot(rows[stain], densities);
    }
  });
  normalise_amounts(colours, places);
}

/// Returns the position of a colour in a table of all colours. The table is ordered by cubes of 8 x
/// 8 x 8, since the colours of an image are close together. Cubes without colours are then skipped.
constexpr std::size_t place_in_table(ColourCode code) noexcept {
  const ColourCode cube = (code & 0xf80000) | (code & 0xf800) << 3 | (code & 0xf8) << 6;
  const ColourCode within = (code & 0x070000) >> 10 | (code & 0x0700) >> 5 | (code & 0x07);
  return cube | within;
}

/// Number of occurrences of each colour, counted by any thread. Count must hold the number of
/// pixels.
template <typename Count>
class CountTable {
 public:
  /// A large image has colours all over the table. Mapping it in small pages took longer than
  /// counting.
  explicit CountTable(std::int64_t pixels) {
    constexpr std::int64_t kLarge = 1 << 19;
    if (pixels >= kLarge) prefer_large_pages(counts_.get(), kColourCodes * sizeof(Count));
  }

  void add(ColourCode code, std::int64_t times) {
    const std::size_t place = place_in_table(code);
    std::atomic_ref(counts_[place]).fetch_add(static_cast<Count>(times), std::memory_order_relaxed);
    const std::size_t cube = place / kCube;
    const std::uint32_t bit = std::uint32_t{1} << cube % kSide;
    const std::atomic_ref met(met_[cube / kSide]);
    if ((met.load(std::memory_order_relaxed) & bit) == 0)
      met.fetch_or(bit, std::memory_order_relaxed);
  }

  /// Prefetches the entry of a colour that will be added soon.
  void expect(ColourCode code) const { __builtin_prefetch(&counts_[place_in_table(code)], 1); }

  /// Returns the counts of all threads, after they have ended.
  [[nodiscard]] ColourCounts counts() const {
    ColourCounts result;
    for (ColourCode code = 0; code < kColourCodes; code += kBlues)
      take_blues(code, result);
    return result;
  }

 private:
  static constexpr std::size_t kCube = 512;  // entries per cube
  static constexpr std::size_t kSide = 32;   // cubes per side
  static constexpr ColourCode kLine = 8;     // blues per cube
  static constexpr ColourCode kBlues = 256;

  /// Collects the colours of one red and one green.
  void take_blues(ColourCode first, ColourCounts& into) const {
    std::array<ColourCode, kBlues> colours;
    std::array<std::int64_t, kBlues> counts;
    std::size_t found = 0;
    std::uint32_t met = met_[place_in_table(first) / kCube / kSide];
    for (; met != 0; met &= met - 1) {
      const ColourCode blues = first + kLine * static_cast<ColourCode>(std::countr_zero(met));
      const Count* const line = &counts_[place_in_table(blues)];
      // The occurring colours follow no pattern, so the loop has no branches.
      for (ColourCode i = 0; i < kLine; ++i) {
        colours[found] = blues + i;
        counts[found] = line[i];
        found += line[i] != 0;
      }
    }
    into.colours.insert(into.colours.end(), colours.begin(), colours.begin() + found);
    into.counts.insert(into.counts.end(), counts.begin(), counts.begin() + found);
  }

  SparseZeros<Count> counts_ = sparse_zeros<Count>(kColourCodes);
  /// One bit per cube, along blue.
  std::array<std::uint32_t, kSide * kSide> met_{};
};

/// Concatenates the bits of red, green and blue without the lowest `dropped` ones.
std::size_t cell_of(ColourCode code, int dropped) {
  const Rgb rgb = colour_of(code);
  const int kept = 8 - dropped;
  return static_cast<std::size_t>(rgb[0] >> dropped) << 2 * kept |
         static_cast<std::size_t>(rgb[1] >> dropped) << kept |
         static_cast<std::size_t>(rgb[2] >> dropped);
}

std::int64_t count_cells(const ColourCounts& colours, int dropped) {
  std::vector<std::uint64_t> met((kColourCodes >> 3 * dropped) / 64 + 1);
  for (const ColourCode code : colours.colours) {
    const std::size_t cell = cell_of(code, dropped);
    met[cell / 64] |= std::uint64_t{1} << cell % 64;
  }
  std::int64_t count = 0;
  for (const std::uint64_t cells : met)
    count += std::popcount(cells);
  return count;
}

/// Returns the number of each cell with a colour, in the order of its bits; -1 for the others.
std::vector<std::int32_t> number_cells(const ColourCounts& colours, int dropped) {
  std::vector<std::int32_t> numbers(kColourCodes >> 3 * dropped, -1);
  for (const ColourCode code : colours.colours)
    numbers[cell_of(code, dropped)] = 0;
  std::int32_t count = 0;
  for (std::int32_t& number : numbers) {
    if (number == 0) number = count++;
  }
  return numbers;
}

template <typename Count>
ColourCounts counted(std::span<const std::uint8_t> rgb, Context& context) {
  CountTable<Count> table(std::ssize(rgb) / 3);
  constexpr std::int64_t kGrain = 1 << 16;
  parallel_for(context, std::ssize(rgb) / 3, kGrain, [&](std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t kAhead = 16;
    // Neighbours are often equal, so a run of them takes the cache line from other threads only
    // once.
    std::int64_t i = begin;
    while (i < end) {
      table.expect(code_of(&rgb[3 * std::min(i + kAhead, end - 1)]));
      const ColourCode code = code_of(&rgb[3 * i]);
      const std::int64_t first = i++;
      while (i < end && code_of(&rgb[3 * i]) == code)
        ++i;
      table.add(code, i - first);
    }
  });
  return table.counts();
}

}  // namespace

ColourCounts count_colours(std::span<const std::uint8_t> rgb, Context& context) {
  const bool few = rgb.size() / 3 <= std::numeric_limits<std::uint32_t>::max();
  return few ? counted<std::uint32_t>(rgb, context) : counted<std::uint64_t>(rgb, context);
}

ColourCounts count_colours(std::span<const std::uint8_t> rgb, std::span<const LabelRun> pixels,
                           Context& context) {
  std::vector<std::uint8_t> chosen;
  for (const LabelRun& run : pixels) {
    const auto of_run = rgb.subspan(static_cast<std::size_t>(3 * run.begin),
                                    static_cast<std::size_t>(3 * (run.end - run.begin)));
    chosen.insert(chosen.end(), of_run.begin(), of_run.end());
  }
  return count_colours(chosen, context);
}

Points places_of(const ColourCounts& colours, Stains stains, Context& context) {
  Points places = Points::zeros(std::ssize(colours.colours), stains == Stains::Colour ? 3 : 2);
  switch (stains) {
    case Stains::HematoxylinEosin:
      unmix(colours, kHematoxylin, kEosin, places, context);
      break;
    case Stains::HematoxylinDab:
      unmix(colours, kHematoxylin, kDab, places, context);
      break;
    case Stains::Colour:
      take_to_lab(colours, places, context);
      normalise(colours, places, context);
      break;
  }
  return places;
}

ColourCells cells_of(const ColourCounts& colours, const Points& places, std::int64_t most) {
  if (std::ssize(colours.colours) <= most) return {places, colours.counts};
  int dropped = 1;
  std::int64_t count = count_cells(colours, dropped);
  while (count > most)
    count = count_cells(colours, ++dropped);
  const std::vector<std::int32_t> numbers = number_cells(colours, dropped);
  ColourCells result{.places = Points::zeros(count, places.dimensions),
                     .counts = std::vector<std::int64_t>(static_cast<std::size_t>(count))};
  for (std::int64_t i = 0; i < places.count(); ++i) {
    const std::int32_t cell = numbers[cell_of(colours.colours[i], dropped)];
    result.counts[cell] += colours.counts[i];
    for (std::int64_t j = 0; j < places.dimensions; ++j)
      result.places.row(cell)[j] += static_cast<double>(colours.counts[i]) * places.row(i)[j];
  }
  for (std::int64_t cell = 0; cell < count; ++cell) {
    for (double& value : result.places.row(cell))
      value /= static_cast<double>(result.counts[cell]);
  }
  return result;
}

}  // namespace seedwave
