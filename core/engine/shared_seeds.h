// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace seedwave {

/// The strokes of a run, shared with other runs. A history with one run per stroke then holds each
/// stroke once, while copies would grow quadratically.
///
/// The set is the concatenation of parts of blocks that never change; copying it copies no stroke.
class SharedSeeds {
 public:
  using Block = std::shared_ptr<const std::vector<Stroke>>;
  /// The strokes begin..end - 1 of a block.
  struct Part {
    Block block;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  SharedSeeds() = default;
  /// Not explicit, because it holds the same strokes in another form.
  SharedSeeds(SeedSet seeds);
  /// Takes the parts in their order and leaves out empty ones.
  explicit SharedSeeds(std::vector<Part> parts);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }
  /// All strokes, as a copy.
  [[nodiscard]] SeedSet as_set() const;
  /// Calls `visit` with each stroke in order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Part& part : parts_) {
      for (std::size_t i = part.begin; i < part.end; ++i)
        visit((*part.block)[i]);
    }
  }

  /// Returns the same set, with its first and last strokes shared with `other` as far as they are
  /// equal. O(strokes of both).
  [[nodiscard]] SharedSeeds shared_with(const SharedSeeds& other) const;

  friend bool operator==(const SharedSeeds& a, const SharedSeeds& b);

 private:
  /// Returns the parts that hold the strokes begin..end - 1 of the whole.
  [[nodiscard]] std::vector<Part> parts_of(std::size_t begin, std::size_t end) const;

  std::vector<Part> parts_;
  std::size_t size_ = 0;
};

}  // namespace seedwave
