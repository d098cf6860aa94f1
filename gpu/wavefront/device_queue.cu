// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/launch.h"
#include "gpu/wavefront/device_queue.h"

#include <algorithm>
#include <bit>

namespace seedwave::gpu {
namespace {

constexpr std::int64_t kMostTiles = std::int64_t{1} << 30;
/// Minimum number of places in the ring, for workers. It exceeds the number that any device holds.
constexpr std::int64_t kFewestPlaces = 1 << 15;

std::uint32_t places_for(std::int64_t tiles) {
  if (tiles > kMostTiles) {
    throw UnavailableError("the image is too large for the GPU: choose a region or the CPU");
  }
  return std::bit_ceil(static_cast<std::uint32_t>(std::max(2 * tiles, kFewestPlaces)));
}

/// Queues the first `queued` tiles in order and sets the others idle. One thread per place; no
/// races.
__global__ void begin_kernel(TileQueueView queue, std::uint32_t places, std::uint32_t tiles,
                             std::uint32_t queued) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= places) return;
  queue.ring[i] = i < queued ? static_cast<std::int32_t>(i) : TileQueueView::kEmpty;
  if (i < tiles) queue.states[i] = i < queued ? 1 : 0;
  if (i == 0) {
    queue.counters->pending_and_tail = static_cast<unsigned long long>(queued) << 32 | queued;
    queue.counters->head = 0;
    queue.counters->visits = 0;
    queue.counters->crawling = 0;
  }
}

/// Queues idle tiles with a nonzero flag. One thread per tile; an atomic counter assigns the places
/// in the ring.
__global__ void queue_flagged_kernel(TileQueueView queue, const std::uint8_t* flags,
                                     std::uint32_t tiles) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tiles || flags[i] == 0) return;
  queue.states[i] = 1;
  const unsigned long long before = atomicAdd(&queue.counters->pending_and_tail, (1ULL << 32) + 1);
  queue.ring[static_cast<std::uint32_t>(before >> 32) & queue.ring_mask] =
      static_cast<std::int32_t>(i);
}

}  // namespace

DeviceQueue::DeviceQueue(std::int64_t tiles, const Stream& stream)
    : tiles_(tiles),
      places_(places_for(tiles)),
      ring_(places_, stream),
      states_(tiles, stream),
      counters_(1, stream) {}

void DeviceQueue::queue_all(const Stream& stream) {
  begin(tiles_, stream);
}

void DeviceQueue::queue_flagged(const DeviceBuffer<std::uint8_t>& flags, const Stream& stream) {
  begin(0, stream);
  queue_flagged_kernel<<<blocks_for(tiles_), kBlockSize, 0, stream.get()>>>(
      view(), flags.data(), static_cast<std::uint32_t>(tiles_));
  check_launch(stream.get());
}

void DeviceQueue::begin(std::int64_t queued, const Stream& stream) {
  begin_kernel<<<blocks_for(places_), kBlockSize, 0, stream.get()>>>(
      view(), places_, static_cast<std::uint32_t>(tiles_), static_cast<std::uint32_t>(queued));
  check_launch(stream.get());
  tickets_ = {};
  pending_ = tiles_;
}

int DeviceQueue::start(int resident, int warps, const Stream& stream) {
  const auto wanted =
      static_cast<int>(std::min<std::int64_t>(resident, (tiles_ + warps - 1) / warps));
  if (tickets_.size() == 0) {
    tickets_ = DeviceBuffer<std::int64_t>(std::int64_t{wanted} * warps, stream);
    tickets_.fill_bytes(0xFF, stream);  // kNoTicket
  }
  if (crawling_) {
    CUDA_CHECK(cudaMemsetAsync(&counters_.data()->crawling, 0, sizeof(QueueCounters::crawling),
                               stream.get()));
    crawling_ = false;
  }
  return wanted;
}

TileQueueView DeviceQueue::view() noexcept {
  return {ring_.data(), places_ - 1, states_.data(), counters_.data(), tickets_.data()};
}

bool DeviceQueue::has_more(const Stream& stream) {
  QueueCounters counters{};
  CUDA_CHECK(cudaMemcpyAsync(&counters, counters_.data(), sizeof counters, cudaMemcpyDeviceToHost,
                             stream.get()));
  stream.synchronize();
  pending_ = static_cast<std::int64_t>(counters.pending_and_tail & 0xFFFFFFFFU);
  visits_ = static_cast<std::int64_t>(counters.visits);
  crawling_ = counters.crawling != 0;
  return pending_ != 0;
}

double DeviceQueue::progress() const noexcept {
  return 1.0 - static_cast<double>(pending_) / static_cast<double>(tiles_);
}

std::int64_t DeviceQueue::bytes(std::int64_t tiles) {
  constexpr std::int64_t kMostWarps = 32;  // per block
  return std::int64_t{places_for(tiles)} * 4 + tiles * 4 +
         static_cast<std::int64_t>(sizeof(QueueCounters)) + (tiles + kMostWarps) * 8;
}

}  // namespace seedwave::gpu
