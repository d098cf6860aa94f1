// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/regional_maxima.h"

#include "core/base/disjoint_sets.h"
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/morphology/strips.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace seedwave {
namespace {

constexpr std::uint32_t kMostMaxima = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void refuse_so_many_maxima() {
  throw InputError("the image has more than " + std::to_string(kMostMaxima) + " maxima");
}

/// Plateaus, or parts of them, numbered in raster order of their first cells: sets are named by
/// their first element, so by that of their first cell.
class Plateaus {
 public:
  [[nodiscard]] std::int64_t count() const { return sets_.count(); }
  void reserve(std::int64_t count) {
    sets_.reserve(count);
    lower_.reserve(static_cast<std::size_t>(count));
  }
  std::int64_t add() {
    lower_.push_back(0);
    return sets_.add();
  }
  /// Adds those of the following cells.
  void append(const Plateaus& others) {
    sets_.append(others.sets_);
    lower_.insert(lower_.end(), others.lower_.begin(), others.lower_.end());
  }
  void join(std::int64_t a, std::int64_t b) { sets_.join(a, b); }
  /// Notes that a cell has a higher neighbour.
  void set_lower(std::int64_t plateau) { lower_[plateau] = 1; }

  /// Returns the number of the maximum that each is part of, from 1, or NumberedMaxima::kNone.
  [[nodiscard]] std::vector<std::uint32_t> numbers(std::uint32_t& most) {
    for (std::int64_t plateau = 0; plateau < count(); ++plateau) {
      if (lower_[plateau] != 0) lower_[sets_.first_of(plateau)] = 1;
    }
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(count()), NumberedMaxima::kNone);
    for (std::int64_t plateau = 0; plateau < count(); ++plateau) {
      const std::int64_t first = sets_.first_of(plateau);
      if (lower_[first] != 0) continue;
      if (first == plateau) {
        if (most == kMostMaxima) refuse_so_many_maxima();
        numbers[plateau] = ++most;
      }
      numbers[plateau] = numbers[first];
    }
    return numbers;
  }

 private:
  GrowingSets<std::int64_t> sets_;
  std::vector<std::uint8_t> lower_;
};

/// Finds regional maxima, in strips of rows. Each strip numbers its plateaus, in the place of the
/// result; then those that meet are joined, and get the numbers of maxima.
template <typename Voxel>
class Maxima {
 public:
  Maxima(const Volume& image, const Volume& objects, Connectivity connectivity)
      : size_(image.geometry().size),
        rows_(size_[1] * size_[2]),
        values_(image.voxels<Voxel>().data()),
        objects_(objects.voxels<std::uint8_t>().data()),
        steps_(neighbour_steps(connectivity)),
        strips_(static_cast<std::size_t>((rows_ + per_strip() - 1) / per_strip())),
        numbers_(reserved_large<std::uint32_t>(static_cast<std::size_t>(image.value_count()))) {}

  NumberedMaxima find(Context& context) {
    // Few at a time, so that the numbers are written while their zeros are in the cache.
    const std::int64_t at_once = std::max(8, 4 * context.threads());
    for (std::int64_t first = 0; first < std::ssize(strips_); first += at_once) {
      const std::int64_t last = std::min(std::ssize(strips_), first + at_once);
      numbers_.resize(static_cast<std::size_t>(std::min(rows_, last * per_strip()) * size_[0]));
      for_strips(first, last, context, [&](std::int64_t strip) { number_strip(strip); });
    }
    std::vector<std::int64_t> offsets;
    Plateaus all;
    all.reserve(std::accumulate(
        strips_.begin(), strips_.end(), std::int64_t{0},
        [](std::int64_t sum, const Plateaus& strip) { return sum + strip.count(); }));
    for (Plateaus& strip : strips_) {
      offsets.push_back(all.count() - 1);  // they are counted from 1
      all.append(std::exchange(strip, {}));
    }
    // Steps go back by at most a plane and a row.
    const std::int64_t reach = size_[2] > 1 ? size_[1] + 1 : 1;
    for (std::int64_t strip = 1; strip < std::ssize(strips_); ++strip) {
      context.checkpoint(0.0);
      const std::int64_t first = strip * per_strip();
      for (std::int64_t row = first; row < std::min({rows_, first + per_strip(), first + reach});
           ++row)
        join_across(row, first, offsets, all);
    }
    NumberedMaxima components;
    const std::vector<std::uint32_t> maxima = all.numbers(components.count);
    for_strips(0, std::ssize(strips_), context, [&](std::int64_t strip) {
      const std::int64_t end = std::min(rows_, (strip + 1) * per_strip()) * size_[0];
      for (std::int64_t cell = strip * per_strip() * size_[0]; cell < end; ++cell) {
        if (numbers_[cell] != 0) numbers_[cell] = maxima[offsets[strip] + numbers_[cell]];
      }
    });
    components.numbers = std::move(numbers_);
    return components;
  }

 private:
  [[nodiscard]] std::int64_t per_strip() const { return rows_per_strip(size_); }

  template <typename Body>
  static void for_strips(std::int64_t first, std::int64_t last, Context& context, Body&& body) {
    parallel_for(context, last - first, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t strip = first + begin; strip < first + end; ++strip) {
        context.checkpoint(0.0);
        body(strip);
      }
    });
  }

  /// Calls body(shift, begin, end) with the neighbours at a step: those of the row's cells begin ..
  /// end - 1 lie `shift` cells away. Not if they are not in the grid.
  template <typename Body>
  void beside(std::int64_t row, const NeighbourStep& step, Body&& body) const {
    const std::int64_t y = row % size_[1] + step.dy;
    const std::int64_t z = row / size_[1] + step.dz;
    if (y < 0 || y >= size_[1] || z < 0 || z >= size_[2]) return;
    body(step.dx + size_[0] * (step.dy + size_[1] * step.dz), std::max<std::int64_t>(0, -step.dx),
         size_[0] - std::max(0, step.dx));
  }
  /// Returns whether both cells are object and of equal value.
  [[nodiscard]] bool is_level(std::int64_t a, std::int64_t b) const {
    return objects_[a] != 0 && objects_[b] != 0 && values_[a] == values_[b];
  }

  void number_strip(std::int64_t strip) {
    const std::int64_t first = strip * per_strip();
    const auto length = static_cast<std::size_t>(size_[0]);
    std::vector<std::uint8_t> higher(length);  // 1: has a higher neighbour
    std::vector<std::uint8_t> equal(length);
    for (std::int64_t row = first; row < std::min(rows_, first + per_strip()); ++row) {
      const std::int64_t start = row * size_[0];
      std::ranges::fill(higher, 0);
      std::ranges::fill(equal, 0);
      for (const NeighbourStep& step : steps_) {
        beside(row, step, [&](std::int64_t shift, std::int64_t begin, std::int64_t end) {
          look(values_ + start, objects_ + start, shift, begin, end, higher.data(), equal.data());
        });
      }
      for (std::int64_t x = 0; x < size_[0]; ++x) {
        // Most cells are alone on a slope, and no part of any maximum.
        if (objects_[start + x] == 0 || (higher[x] != 0 && equal[x] == 0)) continue;
        number_cell(start + x, row, first, higher[x] != 0, equal[x] != 0, strips_[strip]);
      }
    }
  }
  [[gnu::noinline]] static void look(const Voxel* values, const std::uint8_t* objects,
                                     std::int64_t shift, std::int64_t begin, std::int64_t end,
                                     std::uint8_t* __restrict higher,
                                     std::uint8_t* __restrict equal) {
    for (std::int64_t x = begin; x < end; ++x) {
      const bool object = objects[x + shift] != 0;
      higher[x] |= static_cast<std::uint8_t>(object & (values[x] < values[x + shift]));
      equal[x] |= static_cast<std::uint8_t>(object & (values[x] == values[x + shift]));
    }
  }
  /// Gives a cell the plateau of its preceding neighbours in the strip, or a new one.
  void number_cell(std::int64_t cell, std::int64_t row, std::int64_t first_row, bool lower,
                   bool has_equal, Plateaus& plateaus) {
    std::int64_t own = -1;
    for (std::size_t s = 0; has_equal && s < steps_.size() / 2; ++s) {  // steps back
      const NeighbourStep& step = steps_[s];
      if (row + step.dy + size_[1] * step.dz < first_row) continue;
      beside(row, step, [&](std::int64_t shift, std::int64_t begin, std::int64_t end) {
        const std::int64_t x = cell - row * size_[0];
        if (x < begin || x >= end || !is_level(cell, cell + shift)) return;
        const std::int64_t other = std::int64_t{numbers_[cell + shift]} - 1;
        if (own >= 0) plateaus.join(own, other);
        if (own < 0) own = other;
      });
    }
    if (own < 0) {
      if (plateaus.count() == kMostMaxima) refuse_so_many_maxima();
      own = plateaus.add();
    }
    if (lower) plateaus.set_lower(own);
    numbers_[cell] = static_cast<std::uint32_t>(own + 1);
  }

  /// Joins the plateaus of a row with those before the strip's first row.
  void join_across(std::int64_t row, std::int64_t first_row,
                   const std::vector<std::int64_t>& offsets, Plateaus& all) const {
    const std::int64_t own = offsets[row / per_strip()];
    for (std::size_t s = 0; s < steps_.size() / 2; ++s) {
      const std::int64_t other_row = row + steps_[s].dy + size_[1] * steps_[s].dz;
      if (other_row < 0 || other_row >= first_row) continue;
      const std::int64_t other = offsets[other_row / per_strip()];
      beside(row, steps_[s], [&](std::int64_t shift, std::int64_t begin, std::int64_t end) {
        for (std::int64_t cell = row * size_[0] + begin; cell < row * size_[0] + end; ++cell) {
          if (is_level(cell, cell + shift))
            all.join(own + numbers_[cell], other + numbers_[cell + shift]);
        }
      });
    }
  }

  Index3 size_;
  std::int64_t rows_;
  const Voxel* values_;
  const std::uint8_t* objects_;
  std::vector<NeighbourStep> steps_;
  std::vector<Plateaus> strips_;
  std::vector<std::uint32_t> numbers_;  // counted from 1 in each strip, at first
};

}  // namespace

NumberedMaxima regional_maxima(const Volume& image, const Volume& objects,
                               Connectivity connectivity, Context& context) {
  return visit_voxels(image, [&](auto voxels) {
    return Maxima<typename decltype(voxels)::value_type>(image, objects, connectivity)
        .find(context);
  });
}

}  // namespace seedwave
