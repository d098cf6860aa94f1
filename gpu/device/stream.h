// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda_check.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

namespace seedwave::gpu {

/// A queue of work on the device that was current at construction. Copies share it, and the last
/// copy destroys it. A buffer that holds a copy can therefore always enqueue its release.
class Stream {
 public:
  Stream();
  /// Tag for no stream, as held by a buffer without memory.
  struct None {};
  explicit Stream(None) noexcept {}
  [[nodiscard]] cudaStream_t get() const noexcept { return handle_.get(); }
  /// Waits until all work enqueued so far is done.
  void synchronize() const { CUDA_CHECK(cudaStreamSynchronize(get())); }
  /// Does the same in a destructor. The next call reports any error.
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
  /// Makes work that is enqueued on `stream` from now on wait for this event, which must have been
  /// recorded.
  void hold_up(const Stream& stream) const {
    CUDA_CHECK(cudaStreamWaitEvent(stream.get(), handle_, 0));
  }
  /// Returns the milliseconds from `start` to this event. Both must have been recorded and reached.
  [[nodiscard]] double ms_since(const Event& start) const;

 private:
  cudaEvent_t handle_ = nullptr;
};

}  // namespace seedwave::gpu
