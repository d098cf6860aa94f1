// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/tpcf.h"
#include "gpu/device/stage_clock.h"
#include "gpu/device/stream.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace seedwave::gpu {

/// The features of rows of windows in device memory: of a plane, row and column
/// values[(plane * rows + row) * pitch + column]. Behind the last column lies anything.
struct StripOnDevice {
  const float* values;
  int columns;
  int rows;
  int planes;
  int pitch;
};

/// A problem's features, strip by strip on the context's device, by `box`: as many rows as memory
/// allows and `strip_rows` says. Stages: upload, features. The problem, which check() has seen, and
/// the context must outlive it. Throws UnavailableError (out of memory).
class FeaturesOnDevice {
 public:
  FeaturesOnDevice(const TpcfProblem& problem, Context& context, const Stream& stream);
  ~FeaturesOnDevice();
  FeaturesOnDevice(const FeaturesOnDevice&) = delete;
  FeaturesOnDevice& operator=(const FeaturesOnDevice&) = delete;

  /// Enqueues what reads a strip, whose first row of windows is `first_row`; the next one is
  /// computed behind that.
  using Use = std::function<void(int first_row, const StripOnDevice& strip)>;
  /// From the top down; each strip is computed `runs` times. Throws Cancelled.
  void walk(StageClock& clock, int runs, const Use& use);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
  Context& context_;
};

/// Device memory of a run in strips of one row of windows.
[[nodiscard]] std::int64_t least_tpcf_bytes(const Geometry& picture, std::int64_t window,
                                            std::int64_t phases);

}  // namespace seedwave::gpu
