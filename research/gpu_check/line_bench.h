// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/parallel/context.h"
#include "gpu/morphology/linear_opening.h"
#include "gpu/morphology/papers/linear_opening.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/device_context.h"
#include "research/gpu_check/goal_rows.h"

#include <string>

namespace seedwave::gpu_check {

/// Times openings by lines of one problem on a device, after comparing each with core's.
class OpeningBench {
 public:
  struct Settings {
    int device = 0;
    int repeats = 5;
  };
  /// `problem` and `report`, which receives the failures, must outlive it.
  OpeningBench(const LinearOpeningProblem& problem, std::string name, const Settings& settings,
               Report& report);

  [[nodiscard]] Times tiles() const;
  [[nodiscard]] Times queues(const gpu::LineScanSettings& settings = {}) const;
  [[nodiscard]] Times stacks(const gpu::LineScanSettings& settings = {}) const;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  [[nodiscard]] Times time(const char* algorithm, int runs,
                           const LinearOpeningSolver& solver) const;

  const LinearOpeningProblem& problem_;
  std::string name_;
  Settings settings_;
  Report& report_;
  Volume expected_;
};

/// Returns, for example, "640x480, 30 degrees, length 41".
[[nodiscard]] std::string name_of_opening(const Index3& size, double degrees, std::int64_t length);

}  // namespace seedwave::gpu_check
