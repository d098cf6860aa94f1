// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/stream.h"

namespace seedwave::gpu {

Stream::Stream() {
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  // Destroying a stream does not wait. The driver first lets its enqueued work finish.
  handle_.reset(stream, [](cudaStream_t last) { cudaStreamDestroy(last); });
}

Event::Event() {
  CUDA_CHECK(cudaEventCreate(&handle_));
}

Event::~Event() {
  if (handle_ != nullptr) cudaEventDestroy(handle_);
}

double Event::ms_since(const Event& start) const {
  float ms = 0.0F;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start.handle_, handle_));
  return ms;
}

}  // namespace seedwave::gpu
