// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/image/label_seeds.h"
#include "gpu/border/border_run.cuh"
#include "gpu/border/refine_border.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/label_seeds.cuh"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

template <LabelType L>
LabelMap refined(const border::RefineBorderProblem& problem, std::span<const L> before,
                 Context& context) {
  const Geometry& geometry = problem.image.geometry();
  auto result = large_vector<L>(before.size());
  DeviceRun run(context);
  const Stream& stream = run.stream;
  run.clock.begin("upload");
  DeviceBuffer<L> labels(geometry.voxel_count(), stream);
  labels.copy_from(before, stream);
  const DeviceBuffer<Seed> seeds = uploaded(problem.seeds, stream);
  BorderRun border(problem, seeds, context, stream);
  run.clock.begin("border");
  put_seeds(seeds, labels, stream);
  border.refine(labels);
  run.clock.begin("download");
  download(labels, std::span(result), context, stream);
  run.clock.report();
  return {geometry, std::move(result)};
}

}  // namespace

LabelMap refine_border(const border::RefineBorderProblem& problem, Context& context) {
  if (const std::string why = why_no_refine_border(problem.image.geometry()); !why.empty())
    throw UnavailableError(why);
  const LabelMap labels = wide_enough_for(problem.seeds, problem.labels);
  return visit_labels(labels.labels(), [&]<LabelType L>(std::span<const L> before) {
    return refined<L>(problem, before, context);
  });
}

std::string why_no_refine_border(const Geometry& geometry) {
  if (CellWords::can_hold(geometry.size)) return "";
  return "borders on cuda need images of less than 2^31 voxels";
}

std::int64_t refine_border_bytes(const Geometry& geometry, VoxelType image,
                                 std::size_t label_bytes) {
  // Labels, claims and what is given up; words of bits; lists of the band; its network.
  constexpr std::int64_t kBandShare = 8;
  constexpr std::int64_t kOfBand = 20 + 16 * 4 / 4;
  const std::int64_t voxels = geometry.voxel_count();
  const std::int64_t words = CellWords::of(geometry.size).count();
  return voxels * static_cast<std::int64_t>(bytes_of(image) + 2 * label_bytes + 2) + words * 48 +
         voxels / kBandShare * kOfBand + kBufferEnds;
}

}  // namespace seedwave::gpu
