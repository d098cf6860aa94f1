// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/device/stream.h"
#include "gpu/wavefront/tile_queue.cuh"

#include <cstdint>

namespace seedwave::gpu {

/// The device memory of a tile queue, and its state as known to the host.
class DeviceQueue {
 public:
  /// Starts with all tiles idle. Throws UnavailableError for more tiles than the ring can number
  /// (2^30).
  DeviceQueue(std::int64_t tiles, const Stream& stream);

  /// Enqueues: every tile is queued.
  void queue_all(const Stream& stream);
  /// Enqueues: tiles with a nonzero flag are queued.
  void queue_flagged(const DeviceBuffer<std::uint8_t>& flags, const Stream& stream);
  /// Enqueues the preparation of a run's first launch: a ring with a place for each worker, and
  /// reset patience. A run continues with tiles that an earlier run of as many workers left queued.
  /// Returns how many of `resident` blocks, of `warps` warps each, have work.
  [[nodiscard]] int start(int resident, int warps, const Stream& stream);

  [[nodiscard]] TileQueueView view() noexcept;
  /// Synchronises the stream. Returns whether tiles are left for another launch.
  [[nodiscard]] bool has_more(const Stream& stream);
  /// Returns whether a worker had run out of patience at the last has_more().
  [[nodiscard]] bool is_crawling() const noexcept { return crawling_; }
  /// Returns the fraction of tiles, 0 to 1, that were idle at the last has_more().
  [[nodiscard]] double progress() const noexcept;
  /// Number of visits of all launches until the last has_more().
  [[nodiscard]] std::int64_t visits() const noexcept { return visits_; }

  /// Returns the device memory of a queue for this number of tiles.
  [[nodiscard]] static std::int64_t bytes(std::int64_t tiles);

 private:
  void begin(std::int64_t queued, const Stream& stream);

  std::int64_t tiles_;
  std::uint32_t places_;
  DeviceBuffer<std::int32_t> ring_;
  DeviceBuffer<std::uint32_t> states_;
  DeviceBuffer<QueueCounters> counters_;
  DeviceBuffer<std::int64_t> tickets_;
  std::int64_t pending_ = 0;
  std::int64_t visits_ = 0;
  bool crawling_ = false;
};

}  // namespace seedwave::gpu
