// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "gpu/device/kept.h"

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace seedwave::gpu {

/// Zero-filled memory for an answer. Providing it takes the system longer than the device's work,
/// so background threads request it in advance.
class AnswerMemory {
 public:
  explicit AnswerMemory(std::size_t cells)
      : cells_(cells), labels_(zeros(cells)), strength_(zeros(cells)) {}

  [[nodiscard]] std::size_t cells() const { return cells_; }
  /// Returns the memory; call it once. Throws std::bad_alloc.
  [[nodiscard]] fuzzy::Answer take() { return {labels_.get(), strength_.get()}; }

 private:
  using Plane = std::vector<std::uint16_t>;

  [[nodiscard]] static std::future<Plane> zeros(std::size_t cells) {
    // Deferred until use if the system provides no thread.
    return std::async(std::launch::async | std::launch::deferred,
                      [cells] { return large_vector<std::uint16_t>(cells); });
  }

  std::size_t cells_;
  std::future<Plane> labels_;
  std::future<Plane> strength_;
};

/// Requests an answer's memory unless the context's cache has some of that size. It stays there for
/// take_answer(), in this run or a later one.
inline void ask_for_answer(std::size_t cells, Context& context) {
  const std::string name = device_cache_name("answer", context);
  const auto asked = context.cache().find<AnswerMemory>(name);
  if (asked && asked->cells() == cells) return;
  const std::size_t bytes = 2 * cells * sizeof(std::uint16_t);
  context.cache().put(name, std::make_shared<AnswerMemory>(cells), bytes);
}

[[nodiscard]] inline fuzzy::Answer take_answer(std::size_t cells, Context& context) {
  const auto asked = context.cache().take<AnswerMemory>(device_cache_name("answer", context));
  if (asked && asked->cells() == cells) return asked->take();
  return AnswerMemory(cells).take();
}

}  // namespace seedwave::gpu
