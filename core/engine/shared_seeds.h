// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace seedwave {

/// The strokes of a run, shared with other runs: a history of a run for each stroke then holds each
/// stroke once, where copies would grow with its square.
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
  /// Not explicit: a set of seeds is one, kept in another way.
  SharedSeeds(SeedSet seeds);
  /// The parts, in their order; empty ones are left out.
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

  /// The same set with the strokes that it begins and ends with, as far as they equal those of
  /// `other`, taken from there. O(strokes of both).
  [[nodiscard]] SharedSeeds shared_with(const SharedSeeds& other) const;

  friend bool operator==(const SharedSeeds& a, const SharedSeeds& b);

 private:
  /// The parts of the strokes begin..end - 1 of the whole.
  [[nodiscard]] std::vector<Part> parts_of(std::size_t begin, std::size_t end) const;

  std::vector<Part> parts_;
  std::size_t size_ = 0;
};

}  // namespace seedwave
