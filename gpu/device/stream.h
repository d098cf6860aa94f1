// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda_check.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

namespace seedwave::gpu {

/// A queue of work on the device that was current when it was made. Copies share it; it is
/// destroyed with the last one, so a buffer that holds a copy can always enqueue its release.
class Stream {
 public:
  Stream();
  /// No stream: what a buffer without memory holds.
  struct None {};
  explicit Stream(None) noexcept {}
  [[nodiscard]] cudaStream_t get() const noexcept { return handle_.get(); }
  /// Waits until all work enqueued so far is done.
  void synchronize() const { CUDA_CHECK(cudaStreamSynchronize(get())); }
  /// The same for a destructor: what went wrong will be reported by the next call.
  void drain() const noexcept { cudaStreamSynchronize(get()); }

 private:
  std::shared_ptr<std::remove_pointer_t<cudaStream_t>> handle_;
};

/// A point in a stream's work that carries a time.
class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  Event(Event&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Event& operator=(Event&&) = delete;

  void record(const Stream& stream) { CUDA_CHECK(cudaEventRecord(handle_, stream.get())); }
  void synchronize() const { CUDA_CHECK(cudaEventSynchronize(handle_)); }
  /// What is enqueued on the stream from now on waits until this, which was recorded, is reached.
  void hold_up(const Stream& stream) const {
    CUDA_CHECK(cudaStreamWaitEvent(stream.get(), handle_, 0));
  }
  /// Milliseconds from `start` to this. Both must be recorded and reached.
  [[nodiscard]] double ms_since(const Event& start) const;

 private:
  cudaEvent_t handle_ = nullptr;
};

}  // namespace seedwave::gpu
