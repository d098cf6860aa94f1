// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/stream.h"

#include <array>
#include <cstdint>

namespace seedwave::gpu {

/// Number of rounds enqueued before the host checks for convergence and cancellation. A round after
/// the last one ends at its first instruction. 16 rounds of a large volume take about 10 ms: short
/// enough to cancel quickly, and long enough to make the check's cost negligible.
inline constexpr int kRoundsPerCheck = 16;

/// Repeats a round until one changes nothing, with convergence decided on the device.
class Rounds {
 public:
  /// The flags passed to the kernels of a round. A round must return at once if its predecessor
  /// changed nothing. A round that changes something sets its own flag to 1; all threads write the
  /// same value.
  struct Flags {
    const std::int32_t* previous;
    std::int32_t* own;
  };

  Rounds(Context& context, const Stream& stream)
      : context_(context), stream_(stream), flags_(kRoundsPerCheck + 1, stream) {}

  /// Calls launch(round, flags) for round 0, 1, ... until a round changed nothing. Returns the
  /// number of rounds that changed something. Throws Cancelled.
  template <typename Launch>
  std::int64_t run(Launch&& launch) {
    for (std::int64_t done = 0;; done += kRoundsPerCheck) {
      context_.checkpoint(progress(done));
      flags_.fill_bytes(0, stream_);
      // Any nonzero value lets the first round of a batch run.
      CUDA_CHECK(cudaMemsetAsync(flags_.data(), 1, sizeof(std::int32_t), stream_.get()));
      for (int k = 0; k < kRoundsPerCheck; ++k) {
        launch(done + k, Flags{flags_.data() + k, flags_.data() + k + 1});
      }
      flags_.copy_to(seen_, stream_);
      stream_.synchronize();
      for (int k = 0; k < kRoundsPerCheck; ++k) {
        if (seen_[k + 1] == 0) return done + k;
      }
    }
  }

 private:
  /// The number of remaining rounds is unknown, so the progress approaches 1 but never reaches it.
  static double progress(std::int64_t done) {
    return static_cast<double>(done) / static_cast<double>(done + 4 * kRoundsPerCheck);
  }

  Context& context_;
  Stream stream_;
  DeviceBuffer<std::int32_t> flags_;
  // Not page-locked: locking a page takes longer than the whole run on a small image.
  std::array<std::int32_t, kRoundsPerCheck + 1> seen_{};
};

}  // namespace seedwave::gpu
