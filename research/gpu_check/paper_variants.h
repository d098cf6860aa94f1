// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "gpu/morphology/papers/reconstruction.h"
#include "research/gpu_check/checks.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// Returns fh-gpu with other settings as an implementation of `reconstruct`; seen(run) is called
/// after each run.
[[nodiscard]] Implementation waves_implementation(std::string algorithm,
                                                  const gpu::WaveSettings& settings,
                                                  std::function<void(const gpu::WaveRun&)> seen);

/// Variants of fh-gpu for its checks: every design of the queue, no scans before the waves, a
/// single thread block, and much too small queues. Each is an algorithm of `reconstruct`.
class PaperVariants {
 public:
  void add_to(OperationTable& table);
  /// Adds the number of drops to a report of the comparison; it is a failure if cells were never
  /// dropped.
  void add_to(Report& report) const;

 private:
  struct Count {
    std::string algorithm;
    std::int64_t runs = 0;
    std::int64_t too_small = 0;
  };
  std::vector<std::shared_ptr<Count>> small_queues_;
};

/// Returns hard cases for 2-D reconstruction, of every type: snakes, spirals and mazes one pixel
/// wide, constant images, images one pixel wide. One image is large enough for a block to fill its
/// queue in shared memory many times.
[[nodiscard]] std::vector<CheckCase> picture_cases();

}  // namespace seedwave::gpu_check
