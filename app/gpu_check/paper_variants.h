// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/checks.h"
#include "core/ops/operation_table.h"
#include "gpu/morphology/papers/reconstruction.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// fh-gpu with other settings as an implementation of `reconstruct`; seen(run) is called after
/// each.
[[nodiscard]] Implementation waves_implementation(std::string algorithm,
                                                  const gpu::WaveSettings& settings,
                                                  std::function<void(const gpu::WaveRun&)> seen);

/// fh-gpu as its checks need it: every design of the queue, without scans before the waves, on a
/// single thread block, and with queues much too small, each as an algorithm of `reconstruct`.
class PaperVariants {
 public:
  void add_to(OperationTable& table);
  /// Adds how often cells were dropped to a report of what was compared; a failure where never.
  void add_to(Report& report) const;

 private:
  struct Count {
    std::string algorithm;
    std::int64_t runs = 0;
    std::int64_t too_small = 0;
  };
  std::vector<std::shared_ptr<Count>> small_queues_;
};

/// Hard cases for reconstruction in the plane, of every type: snakes, spirals and mazes one pixel
/// wide, constant images, images one pixel wide; a picture large enough that a block fills its
/// queue in shared memory many times.
[[nodiscard]] std::vector<CheckCase> picture_cases();

}  // namespace seedwave::gpu_check
