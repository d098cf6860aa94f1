// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/comparison.h"

#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// The runs of one implementation on one case.
struct Measured {
  /// The first run. On a device it is a warm-up and does not count.
  Outcome first;
  std::vector<Outcome> runs;  // without their results
  Backend backend = Backend::Cpu;

  /// Returns the median time of the computation, in ms: on a device all stages but upload and
  /// download, on the CPU all stages.
  [[nodiscard]] double median_ms() const;
  /// Returns the range from minimum to maximum, in percent of the median.
  [[nodiscard]] double spread_percent() const;
  /// Returns the median time of one stage.
  [[nodiscard]] double median_ms(const std::string& stage) const;
};

/// Runs the implementation once, and on a device `repeats` times more. Repeats stop early, but not
/// before the second, once they have taken more than a second. If the first run took several
/// seconds, there are none and it counts.
[[nodiscard]] Measured measured(const Operation& operation, const Implementation& implementation,
                                const CheckCase& c, const Where& where, int repeats);

/// Returns an implementation by name. Throws UsageError if there is none.
[[nodiscard]] const Implementation& implementation_of(const Operation& operation,
                                                      const std::string& algorithm,
                                                      Backend backend);

/// Returns the time of all stages on the device except upload and download.
[[nodiscard]] double device_ms(const Outcome& outcome);

/// Rounds to microseconds, for tables.
[[nodiscard]] double rounded_ms(double ms);

}  // namespace seedwave::gpu_check
