// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/stream.h"
#include "gpu/wavefront/device_queue.h"
#include "gpu/wavefront/tile_queue.cuh"

#include <chrono>
#include <cstdint>
#include <type_traits>

/// The CUDA engine: core/wavefront/engine.h on a device. Warps are the workers; they stay on the
/// device, take tiles from a queue in its memory and wake each other's tiles there, so that the
/// host is not asked between rounds.
///
/// A Tiles is a value that a kernel can be given:
///   kThreads        of a block, whole warps;
///   kBlocks         that a multiprocessor should hold, so that the compiler knows its registers;
///   Scratch         what a warp needs in shared memory;
///   visit(tile, lane, scratch) -> TileVisitEnd: brings one tile nearer to local stability, all
///                   lanes together. What it reads of other tiles it reads past the first-level
///                   cache (__ldcg); what it stores may be plain. Monotone as on the CPU, so the
///                   result is the same whatever the order.
namespace seedwave::gpu {

/// What a visit leaves behind, in each lane.
struct TileVisitEnd {
  /// A neighbour that gains by what was stored, or -1.
  std::int32_t wake;
  /// The same in all lanes: the tile is not at rest and wants another visit.
  bool again;
};

/// How long a launch may hold the device: shorter than what a display's watchdog, or a user who
/// pressed Cancel, would notice.
inline constexpr std::uint64_t kLaunchBudgetNs = 20'000'000;

/// One warp a worker. Shared memory: a Scratch a warp. Races: a tile has one owner at a time, who
/// alone stores to it; others read its border, old or new.
template <typename Tiles>
__global__ void __launch_bounds__(Tiles::kThreads, Tiles::kBlocks)
    run_tiles_kernel(const TileQueueView queue, const Tiles tiles, const LaunchLimits limits) {
  __shared__ typename Tiles::Scratch scratch[Tiles::kThreads / 32];
  const std::uint32_t warp = threadIdx.x / 32;
  const int lane = static_cast<int>(threadIdx.x % 32);
  TileWorker worker(queue, blockIdx.x * (Tiles::kThreads / 32) + warp, limits);
  for (std::int32_t tile = worker.take(); tile >= 0; tile = worker.take()) {
    const TileVisitEnd end = tiles.visit(tile, lane, scratch[warp]);
    worker.finish(tile, end.wake, end.again);
  }
  worker.leave();
}

/// How many blocks of that kernel the current device holds at once: all must run, because they
/// wait for each other.
template <typename Tiles>
int resident_blocks() {
  int device = 0;
  int multiprocessors = 0;
  int blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_tiles_kernel<Tiles>,
                                                           Tiles::kThreads, 0));
  return blocks * multiprocessors;
}

/// How visiting ended.
enum class WaveEnd { AtRest, Crawling };
/// What to do with a wave that creeps, where the host would bring it to rest sooner.
enum class OnCrawl { GoOn, Leave };

/// How long a worker waits for a tile while others have some.
struct Patience {
  std::uint64_t ns = LaunchLimits::kEndless;
  /// In device memory: where it is 0, this long instead.
  const std::uint32_t* flag = nullptr;
  std::uint64_t ns_where_zero = LaunchLimits::kEndless;
};

/// Enqueues visits of the queued tiles within these limits.
template <typename Tiles>
void launch_tiles(DeviceQueue& queue, const Tiles& tiles, LaunchLimits limits,
                  const Stream& stream) {
  constexpr int kWarps = Tiles::kThreads / 32;
  const int blocks = queue.start(resident_blocks<Tiles>(), kWarps, stream);
  TileQueueView view = queue.view();
  Tiles copy = tiles;
  void* arguments[] = {&view, &copy, &limits};
  CUDA_CHECK(cudaLaunchCooperativeKernel(run_tiles_kernel<Tiles>, dim3(blocks),
                                         dim3(Tiles::kThreads), arguments, 0, stream.get()));
}

/// Visits the queued tiles until the wavefront has come to rest, or until a worker has run out of
/// patience: then a front creeps through a few, which can be visited
/// further by another call, or left to an algorithm that does not mind how long a path is.
/// Waits for the stream. Throws Cancelled, UnavailableError.
template <typename Tiles>
[[nodiscard]] WaveEnd run_tiles_with_patience(DeviceQueue& queue, const Tiles& tiles,
                                              const Patience& patience, Context& context,
                                              const Stream& stream) {
  const LaunchLimits limits{kLaunchBudgetNs, patience.ns, patience.flag, patience.ns_where_zero};
  do {
    context.checkpoint(queue.progress());
    launch_tiles(queue, tiles, limits, stream);
    if (!queue.has_more(stream)) return WaveEnd::AtRest;
  } while (!queue.is_crawling());
  return WaveEnd::Crawling;
}

/// Visits the queued tiles until the wavefront has come to rest.
/// Waits for the stream. Throws Cancelled, UnavailableError.
template <typename Tiles>
void run_tiles(DeviceQueue& queue, const Tiles& tiles, Context& context, const Stream& stream) {
  (void)run_tiles_with_patience(queue, tiles, {}, context, stream);
}

/// The same for so long at most. Whether it has come to rest; where not, the queue must be filled
/// again before it is used.
template <typename Tiles>
[[nodiscard]] bool run_tiles_within(std::chrono::nanoseconds most, DeviceQueue& queue,
                                    const Tiles& tiles, const Stream& stream) {
  launch_tiles(queue, tiles, {static_cast<std::uint64_t>(most.count()), LaunchLimits::kEndless},
               stream);
  return !queue.has_more(stream);
}

}  // namespace seedwave::gpu
