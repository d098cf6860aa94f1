// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/border/model.h"
#include "core/border/refine_border.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

/// Capacities of one label's cut, in 1/1024 nat, for CPU and CUDA alike. refine_border() has the
/// definition.
namespace seedwave::border {

/// Number of steps between the low and the high intensity of a model.
inline constexpr std::int32_t kSteps = 4095;
/// Number of squares of distances whose priors are tabulated.
inline constexpr std::int32_t kFewSquares = 4096;

/// Converts nats to whole units.
[[nodiscard]] SEEDWAVE_HD inline std::int32_t in_units(double nats) {
  constexpr double kUnitsPerNat = 1024.0;
  constexpr double kMost = 1e8;  // so that seven of them fit 32 bits
  const double units = nats * kUnitsPerNat;
  const double limited = units < -kMost ? -kMost : units > kMost ? kMost : units;
  return static_cast<std::int32_t>(lround(limited));
}

/// Steps of intensities.
struct IntensityScale {
  double low;
  double high;
  double steps_per_unit;
  friend bool operator==(const IntensityScale&, const IntensityScale&) = default;

  [[nodiscard]] SEEDWAVE_HD std::int32_t step_of(double intensity) const {
    const double limited = intensity < low ? low : high < intensity ? high : intensity;
    const double above = (limited - low) * steps_per_unit + 0.5;
    return static_cast<std::int32_t>(above);
  }
};

/// Priors by the distance to the other side of the border.
struct PriorScale {
  double unit;  // length of a square of 1
  double half;  // half of the smallest spacing
  double per_length;

  /// Returns the prior of a voxel inside whose distance has this square.
  [[nodiscard]] SEEDWAVE_HD std::int32_t prior_of(std::int32_t square) const {
    const double length = sqrt(static_cast<double>(square)) * unit - half;
    return in_units(length * per_length);
  }
};

/// The tables, wherever they lie, with the scales that find a place in them.
struct CapacityTables {
  IntensityScale intensities;
  PriorScale priors;
  const std::int32_t* evidence;    // by step
  const std::int32_t* edges[3];    // by axis, and the difference of two steps
  const std::int32_t* few_priors;  // by square

  /// Returns the terminal capacity of a voxel with this step of intensity. square: as in BandCell.
  [[nodiscard]] SEEDWAVE_HD std::int32_t terminal(std::int32_t step, std::int32_t square) const {
    const std::int32_t length = square < 0 ? -square : square;
    std::int32_t prior = 0;
    if (length < kFewSquares) [[likely]] {
      prior = few_priors[length];
    } else {
      const PriorScale scale = priors;  // so that these tables stay in registers
      prior = scale.prior_of(length);
    }
    return evidence[step] + (square > 0 ? prior : -prior);
  }
  /// Returns the capacity of an edge along an axis between voxels of two steps.
  [[nodiscard]] SEEDWAVE_HD std::int32_t edge(int axis, std::int32_t a, std::int32_t b) const {
    return edges[axis][std::abs(a - b)];  // no branch, which would depend on noise
  }
};

/// Owns the tables of a label's cut.
class Capacities {
 public:
  /// Number of entries: evidence, edges along three axes, priors.
  static constexpr std::size_t kEntries = std::size_t{4} * (kSteps + 1) + kFewSquares;

  Capacities(const RefineBorderProblem& problem, const BorderModel& model);

  /// Valid as long as this object.
  [[nodiscard]] CapacityTables tables() const { return tables_at(entries_.data()); }
  /// Returns the tables in a copy of entries().
  [[nodiscard]] CapacityTables tables_at(const std::int32_t* entries) const;
  [[nodiscard]] const std::vector<std::int32_t>& entries() const { return entries_; }

 private:
  IntensityScale intensities_;
  PriorScale priors_;
  std::vector<std::int32_t> entries_;
};

}  // namespace seedwave::border
