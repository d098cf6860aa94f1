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

/// The CUDA engine: core/wavefront/engine.h on a device. The workers are warps, which stay on the
/// device. They take tiles from a queue in its memory and wake each other's tiles there, without a
/// round trip to the host.
///
/// A Tiles is a value that can be passed to a kernel:
///   kThreads        threads per block, whole warps;
///   kBlocks         wanted blocks per multiprocessor, which tells the compiler its registers;
///   Scratch         shared memory of a warp;
///   visit(tile, lane, scratch) -> TileVisitEnd: brings one tile nearer to local stability,
///                   called by all lanes. It reads other tiles past the L1 cache (__ldcg);
///                   its stores may be plain. Monotone as on the CPU, so the result does not
///                   depend on the order.
namespace seedwave::gpu {

/// The outcome of a visit, per lane.
struct TileVisitEnd {
  /// A neighbour that gains from the stored cells, or -1.
  std::int32_t wake;
  /// The same in all lanes: the tile has not converged and needs another visit.
  bool again;
};

/// Maximum duration of a launch: too short to trigger a display's watchdog, or to delay a user who
/// pressed Cancel.
inline constexpr std::uint64_t kLaunchBudgetNs = 20'000'000;

/// One warp per worker. Shared memory: one Scratch per warp. Races: a tile has one owner at a time,
/// and only the owner stores to it. Others read its border, old or new.
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

/// Returns the number of blocks of that kernel that the current device holds at once. All must be
/// resident, because they wait for each other.
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

/// The state in which the visits ended.
enum class WaveEnd { AtRest, Crawling };
/// The action on a crawling wave, which the host would finish sooner.
enum class OnCrawl { GoOn, Leave };

/// The time that a worker waits for a tile while others have some.
struct Patience {
  std::uint64_t ns = LaunchLimits::kEndless;
  /// A flag in device memory. While it is 0, `ns_where_zero` applies instead.
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

/// Visits the queued tiles until the wavefront has converged or a worker has run out of patience.
/// In the latter case the front crawls through a few tiles. Another call can continue, or an
/// algorithm whose time does not depend on the length of paths. Synchronises the stream. Throws
/// Cancelled, UnavailableError.
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

/// Visits the queued tiles until the wavefront has converged. Synchronises the stream. Throws
/// Cancelled, UnavailableError.
template <typename Tiles>
void run_tiles(DeviceQueue& queue, const Tiles& tiles, Context& context, const Stream& stream) {
  (void)run_tiles_with_patience(queue, tiles, {}, context, stream);
}

/// Does the same for at most this time. Returns whether the wavefront has converged. If not, the
/// queue must be filled again before use.
template <typename Tiles>
[[nodiscard]] bool run_tiles_within(std::chrono::nanoseconds most, DeviceQueue& queue,
                                    const Tiles& tiles, const Stream& stream) {
  launch_tiles(queue, tiles, {static_cast<std::uint64_t>(most.count()), LaunchLimits::kEndless},
               stream);
  return !queue.has_more(stream);
}

}  // namespace seedwave::gpu
