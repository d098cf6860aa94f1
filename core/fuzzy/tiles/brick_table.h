// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave::fuzzy {

/// Bricks that are made when they are first touched, by the worker that owns them then, while
/// others look for them.
template <typename Brick>
class BrickTable {
 public:
  explicit BrickTable(std::int64_t count)
      : shown_(static_cast<std::size_t>(count)), owned_(static_cast<std::size_t>(count)) {}

  [[nodiscard]] std::size_t size() const noexcept { return owned_.size(); }
  /// For the brick's owner. make(brick), where it is touched first, ends before others find it.
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
  /// For any worker: null where nobody has touched it yet, and for -1, outside the grid.
  [[nodiscard]] const Brick* find(std::int64_t index) const {
    return index < 0 ? nullptr : shown_[index].load(std::memory_order_acquire);
  }
  /// One slot a brick, null where none was touched: for its owner, and when nobody works.
  [[nodiscard]] const std::vector<std::unique_ptr<Brick>>& owned() const noexcept { return owned_; }
  /// Memory held, but for the bricks themselves.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return size() * (sizeof(shown_[0]) + sizeof(owned_[0]));
  }

 private:
  std::vector<std::atomic<Brick*>> shown_;
  std::vector<std::unique_ptr<Brick>> owned_;
};

}  // namespace seedwave::fuzzy
