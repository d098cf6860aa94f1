// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/device/stream.h"
#include "gpu/wavefront/tile_queue.cuh"

#include <cstdint>

namespace seedwave::gpu {

/// The memory of a tile queue on the device, and what the host knows of it.
class DeviceQueue {
 public:
  /// Every tile idle. Throws UnavailableError for more tiles than the ring can number (2^30).
  DeviceQueue(std::int64_t tiles, const Stream& stream);

  /// Enqueues: every tile is queued.
  void queue_all(const Stream& stream);
  /// Enqueues: those are queued whose flag is not 0.
  void queue_flagged(const DeviceBuffer<std::uint8_t>& flags, const Stream& stream);
  /// Enqueues what a run needs before its first launch: a ring with room for its workers, who are
  /// all patient again. What an earlier run of as many workers left queued is gone on with.
  /// Returns how many of `resident` blocks, of `warps` warps each, there is work for.
  [[nodiscard]] int start(int resident, int warps, const Stream& stream);

  [[nodiscard]] TileQueueView view() noexcept;
  /// Waits for the stream: whether tiles are left for another launch.
  [[nodiscard]] bool has_more(const Stream& stream);
  /// Whether a worker had run out of patience at the last has_more().
  [[nodiscard]] bool is_crawling() const noexcept { return crawling_; }
  /// Between 0 and 1: how many tiles were at rest at the last has_more().
  [[nodiscard]] double progress() const noexcept;
  /// Visits of all launches, as of the last has_more().
  [[nodiscard]] std::int64_t visits() const noexcept { return visits_; }

  /// Device memory of a queue for so many tiles.
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
