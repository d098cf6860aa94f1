// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/wavefront/large_memory.h"

#include <cstddef>
#include <cstdint>
#include <future>
#include <vector>

namespace seedwave::gpu {

/// An answer's memory, asked for while the device computes: the system takes longer to clear fresh
/// pages than the device to fill them.
class FreshAnswer {
 public:
  explicit FreshAnswer(std::size_t cells) : labels_(zeros(cells)), strength_(zeros(cells)) {}

  /// Once. Throws std::bad_alloc.
  [[nodiscard]] fuzzy::Answer take() { return {labels_.get(), strength_.get()}; }

 private:
  using Plane = std::vector<std::uint16_t>;

  [[nodiscard]] static std::future<Plane> zeros(std::size_t cells) {
    return std::async(std::launch::async, [cells] { return large_vector<std::uint16_t>(cells); });
  }

  // Their destructors wait.
  std::future<Plane> labels_;
  std::future<Plane> strength_;
};

}  // namespace seedwave::gpu
