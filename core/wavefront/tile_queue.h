// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace seedwave {

/// The worklist protocol of a tiled wavefront: holds which tiles wait and which are being
/// processed.
///
/// A tile is idle, queued, running, or running and dirty (its surroundings changed meanwhile). It
/// has at most one owner, and no change of a border is lost:
///   take   queued -> running; only then does the owner read the tile and its halo;
///   wake   idle -> queued; running -> dirty; otherwise nothing;
///   close  after the owner's stores: running -> idle; dirty -> queued.
/// A mere "queued" flag that is cleared before reading is not enough. The tile could be queued
/// again and run by two workers at once, and the slower plain store would overwrite the better
/// value.
///
/// The strongest priority goes first, with first in first out among equals. A queued tile that is
/// woken with a stronger priority moves up. Only the order depends on priorities, not the result.
///
/// Not thread-safe (run_tiles() locks it). Copyable and ordered, so a test can enumerate every
/// interleaving and recognise visited states.
class TileQueue {
 public:
  /// Priorities are 0..strongest.
  TileQueue(std::int64_t tiles, int strongest);

  void wake(std::int64_t tile, int priority);
  /// Returns the next tile, now running, or nothing if none is queued.
  [[nodiscard]] std::optional<std::int64_t> take();
  void close(std::int64_t tile);

  /// Returns the number of tiles that are not idle. At zero the wavefront has reached its fixpoint.
  [[nodiscard]] std::int64_t outstanding() const noexcept { return outstanding_; }
  /// Returns whether tiles can differ in priority.
  [[nodiscard]] bool has_priorities() const noexcept { return buckets_.size() > 1; }
  /// Returns the priority of the tile taken last.
  [[nodiscard]] int level() const noexcept { return level_; }
  [[nodiscard]] std::int64_t tile_count() const noexcept {
    return static_cast<std::int64_t>(tiles_.size());
  }
  friend auto operator<=>(const TileQueue&, const TileQueue&) = default;

 private:
  enum class State : std::uint8_t { Idle, Queued, Running, Dirty };
  struct Tile {
    State state = State::Idle;
    /// If queued, the priority of its valid entry. If dirty, the priority with which it will be
    /// queued.
    std::uint16_t priority = 0;
    friend auto operator<=>(const Tile&, const Tile&) = default;
  };
  /// The entries of one priority. Those before `first` have been taken.
  struct Bucket {
    std::vector<std::int64_t> entries;
    std::size_t first = 0;
    friend auto operator<=>(const Bucket&, const Bucket&) = default;
  };

  void push(std::int64_t tile, int priority);

  std::vector<Tile> tiles_;
  std::vector<Bucket> buckets_;
  int top_ = -1;  // no bucket above it has an entry
  int level_ = 0;
  std::int64_t outstanding_ = 0;
};

}  // namespace seedwave
