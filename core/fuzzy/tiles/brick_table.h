// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave::fuzzy {

/// Table of bricks. A brick is created by its current owner when first touched, while other workers
/// look for it.
template <typename Brick>
class BrickTable {
 public:
  explicit BrickTable(std::int64_t count)
      : shown_(static_cast<std::size_t>(count)), owned_(static_cast<std::size_t>(count)) {}

  [[nodiscard]] std::size_t size() const noexcept { return owned_.size(); }
  /// Returns a brick for its owner. A new brick becomes visible to others only after make(brick).
  template <typename Make>
  Brick& touch(std::int64_t index, Make&& make) {
    std::unique_ptr<Brick>& own = owned_[index];
    if (!own) {
      own = std::make_unique<Brick>();
      std::forward<Make>(make)(*own);
      shown_[index].store(own.get(), std::memory_order_release);
    }
    return *own;
  }
  /// Returns a brick for any worker. Null if it was not touched yet, and for -1 (outside the grid).
  [[nodiscard]] const Brick* find(std::int64_t index) const {
    return index < 0 ? nullptr : shown_[index].load(std::memory_order_acquire);
  }
  /// Returns one slot per brick, null if untouched. For a brick's owner, or while no worker runs.
  [[nodiscard]] const std::vector<std::unique_ptr<Brick>>& owned() const noexcept { return owned_; }
  /// Returns the memory held, without the bricks themselves.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return size() * (sizeof(shown_[0]) + sizeof(owned_[0]));
  }

 private:
  std::vector<std::atomic<Brick*>> shown_;
  std::vector<std::unique_ptr<Brick>> owned_;
};

}  // namespace seedwave::fuzzy
