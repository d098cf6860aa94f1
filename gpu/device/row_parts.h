// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda_check.h"
#include "gpu/device/download.h"
#include "gpu/device/stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace seedwave::gpu {

/// The rows of each block, or the parts of a single contiguous row.
class RowParts {
 public:
  /// `bytes` in rows of `row` bytes, packed on the host and `pitch` bytes apart on the device.
  RowParts(std::int64_t row, std::int64_t pitch, std::int64_t bytes)
      : row_(row), pitch_(pitch), bytes_(bytes) {
    // Rows without gaps are contiguous.
    if (row_ == pitch_) row_ = pitch_ = std::min(bytes, kBlockBytes);
    in_block_ = std::max<std::int64_t>(1, kBlockBytes / row_) * row_;
  }
  /// Size of the largest block in bytes.
  [[nodiscard]] std::int64_t most() const { return std::min(in_block_, bytes_); }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>((bytes_ + in_block_ - 1) / in_block_);
  }
  [[nodiscard]] std::int64_t begin(std::size_t block) const {
    return static_cast<std::int64_t>(block) * in_block_;
  }
  [[nodiscard]] std::int64_t size(std::size_t block) const {
    return std::min(in_block_, bytes_ - begin(block));
  }
  /// Enqueues the copy of a block from rows that begin at `device` to the host, or there from it.
  void bring(std::size_t block, const void* device, std::byte* host, const Stream& stream) const {
    const Shape at = shape(block);
    CUDA_CHECK(cudaMemcpy2DAsync(host, at.row, static_cast<const std::byte*>(device) + at.offset,
                                 at.pitch, at.row, at.rows, cudaMemcpyDeviceToHost, stream.get()));
  }
  void send(std::size_t block, const std::byte* host, void* device, const Stream& stream) const {
    const Shape at = shape(block);
    CUDA_CHECK(cudaMemcpy2DAsync(static_cast<std::byte*>(device) + at.offset, at.pitch, host,
                                 at.row, at.row, at.rows, cudaMemcpyHostToDevice, stream.get()));
  }

 private:
  /// A block on the device. One that is contiguous is a single row.
  struct Shape {
    std::int64_t offset;
    std::size_t row;
    std::size_t pitch;
    std::size_t rows;
  };
  [[nodiscard]] Shape shape(std::size_t block) const {
    const auto bytes = static_cast<std::size_t>(size(block));
    if (row_ == pitch_) return {begin(block), bytes, bytes, 1};
    const auto row = static_cast<std::size_t>(row_);
    return {begin(block) / row_ * pitch_, row, static_cast<std::size_t>(pitch_), bytes / row};
  }

  std::int64_t row_;
  std::int64_t pitch_;
  std::int64_t bytes_;
  std::int64_t in_block_;
};

}  // namespace seedwave::gpu
