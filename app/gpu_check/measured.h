// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/comparison.h"

#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// What one implementation did on one case.
struct Measured {
  /// The first run, which does not count on a device: it wakes it up.
  Outcome first;
  std::vector<Outcome> runs;  // without their results
  Backend backend = Backend::Cpu;

  /// Of what is computed, in ms: on a device all stages but the ways there and back, on the CPU
  /// all.
  [[nodiscard]] double median_ms() const;
  /// From the lowest to the highest, in percent of the median.
  [[nodiscard]] double spread_percent() const;
  /// Of one stage.
  [[nodiscard]] double median_ms(const std::string& stage) const;
};

/// Runs it once, and on a device `repeats` times more: fewer, but at least twice, where that takes
/// more than a second, and where the first run took several only that one.
[[nodiscard]] Measured measured(const Operation& operation, const Implementation& implementation,
                                const CheckCase& c, const Where& where, int repeats);

/// By name. Throws UsageError where there is none.
[[nodiscard]] const Implementation& implementation_of(const Operation& operation,
                                                      const std::string& algorithm,
                                                      Backend backend);

/// All that the device computes, without the ways there and back.
[[nodiscard]] double device_ms(const Outcome& outcome);

/// In microseconds' precision, for tables.
[[nodiscard]] double rounded_ms(double ms);

}  // namespace seedwave::gpu_check
