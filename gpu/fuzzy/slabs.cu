// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/memory.h"
#include "gpu/fuzzy/brick_run.cuh"
#include "gpu/fuzzy/slabs.h"
#include "gpu/fuzzy/tiles.h"

#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

/// Converts sources to seeds, with the strength in place of the label.
std::vector<Seed> as_seeds(const std::vector<fuzzy::Source>& sources) {
  std::vector<Seed> seeds;
  seeds.reserve(sources.size());
  for (const fuzzy::Source& source : sources)
    seeds.push_back({source.offset, source.strength});
  return seeds;
}

/// A slab's strengths on the device.
class Strengths {
 public:
  Strengths(const fuzzy::Problem& problem, const std::vector<fuzzy::Source>& sources,
            Context& context)
      : host_sources_(as_seeds(sources)),
        bricks_(problem, context, Returns::Plane),
        strength_(bricks_.zeros()) {
    Run& run = bricks_.run();
    const DeviceSeeds known(host_sources_, run.stream);
    run.clock.begin("propagate");
    bricks_.spread_strength(run.seeds, 0, strength_, &known);
  }

  [[nodiscard]] BrickRun& bricks() { return bricks_; }
  [[nodiscard]] const BrickRun::Strength& strength() const { return strength_; }
  /// Brings the strengths in row layout.
  [[nodiscard]] Download::Fill rows() const {
    StrengthPlanes planes;
    planes.count = 1;
    planes.plane[0] = reinterpret_cast<const uint4*>(strength_.data());
    return bricks_.greatest(planes);
  }

 private:
  std::vector<Seed> host_sources_;
  BrickRun bricks_;
  BrickRun::Strength strength_;
};

std::vector<std::uint16_t> strengths_of(const fuzzy::Problem& problem,
                                        const std::vector<fuzzy::Source>& sources,
                                        Context& context) {
  Strengths strengths(problem, sources, context);
  return strengths.bricks().run().download(strengths.rows());
}

std::vector<std::uint16_t> labels_of(const fuzzy::Problem& problem,
                                     const std::vector<fuzzy::Source>& sources,
                                     const std::vector<Seed>& known,
                                     const std::vector<std::uint16_t>& labels, Context& context) {
  Strengths strengths(problem, sources, context);
  BrickRun& bricks = strengths.bricks();
  Run& run = bricks.run();
  run.clock.begin("labels");
  const DeviceSeeds known_here(known, run.stream);
  const BrickRun::Bits inwards = bricks.optimal_edges(strengths.strength());
  const std::vector<LabelGroup> groups = groups_of(labels);
  std::vector<BrickRun::Bits> reached;
  for (const LabelGroup& group : groups) {
    reached.push_back(bricks.no_labels(group.count));
    bricks.spread_labels(group, inwards, reached.back(), &known_here);
  }
  return run.download(bricks.reached_labels(groups, reached, BrickRun::Ties::Kept));
}

}  // namespace

fuzzy::SlabSolver slab_solver_on_bricks() {
  return {.strengths = strengths_of, .labels = labels_of};
}

BytesForSize slab_bytes_on_bricks(const SlabDemand& demand) {
  return [demand](const Index3& size) {
    constexpr std::int64_t kTable = 65536 * 4;
    // Bytes per cell of the halo: one source and one label.
    constexpr std::int64_t kKnown = 2 * static_cast<std::int64_t>(sizeof(Seed));
    Geometry part;
    part.size = size;
    const Bricks bricks = bricks_of(part);
    const std::int64_t layers = size[2] > 1 ? size[2] : size[1] > 1 ? size[1] : size[0];
    const std::int64_t labels =
        bricks.count() * Bricks::kCells * static_cast<std::int64_t>(demand.labels) / 8;
    const std::int64_t beside = static_cast<std::int64_t>(demand.objects + 1) * kTable +
                                static_cast<std::int64_t>(demand.seeds * sizeof(Seed));
    return tiles_bytes(part, Connectivity::C6, true) + labels + beside + kBufferEnds +
           2 * (part.voxel_count() / layers) * kKnown;
  };
}

}  // namespace seedwave::gpu
