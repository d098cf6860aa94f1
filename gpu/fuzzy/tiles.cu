// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/fuzzy/added_seeds.h"
#include "core/fuzzy/answer.h"
#include "core/fuzzy/slabs.h"
#include "core/fuzzy/tiles/slabs_on_bricks.h"
#include "core/wavefront/partitions/one_device.h"
#include "gpu/device/devices.h"
#include "gpu/device/kept.h"
#include "gpu/device/kept_names.h"
#include "gpu/device/memory.h"
#include "gpu/fuzzy/brick_affinity.cuh"
#include "gpu/fuzzy/brick_run.cuh"
#include "gpu/fuzzy/irfc_on_device.h"
#include "gpu/fuzzy/relative.cuh"
#include "gpu/fuzzy/run.h"
#include "gpu/fuzzy/tiles.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

/// The result that a run leaves on the device, so that a run with more seeds can continue from it.
struct BrickResult {
  enum class Kind { Relative, Iterative };
  Kind kind = Kind::Relative;
  fuzzy::GrownFrom from;
  /// For Relative, strengths to the seeds of each of these labels. For Iterative, strengths to all
  /// seeds, with no label.
  std::vector<std::uint16_t> labels;
  std::vector<BrickRun::Strength> strength;
  /// For Iterative, the optimal edges and the cells that the labels of each group reach along them.
  BrickRun::Bits inwards;
  std::vector<LabelGroup> groups;
  std::vector<BrickRun::Bits> reached;
};

[[nodiscard]] std::string result_name(const Context& context) {
  return device_cache_name(kept::kBrickResult, context);
}

/// Drops the previous result, for a run that leaves none.
void drop_result(Context& context) {
  static_cast<void>(context.cache().take<BrickResult>(result_name(context)));
}

/// The result of a run in progress: the previous result if the run can continue from it, else a new
/// one. It is out of the cache during the run, so that a cancelled run leaves nothing incomplete.
class Continuation {
 public:
  Continuation(BrickResult::Kind kind, const fuzzy::Problem& problem, Context& context)
      : context_(context), problem_(problem) {
    result_ = context.cache().take<BrickResult>(result_name(context));
    is_first_ = result_ == nullptr;
    if (result_ && result_->kind == kind) {
      difference_ = fuzzy::seed_difference(result_->from, problem);
    }
    if (difference_.change != fuzzy::SeedChange::Other) return;
    result_ = std::make_shared<BrickResult>();
    result_->kind = kind;
  }

  [[nodiscard]] BrickResult& result() { return *result_; }
  /// Returns whether no earlier run has left a result.
  [[nodiscard]] bool is_first() const { return is_first_; }
  [[nodiscard]] fuzzy::SeedChange change() const { return difference_.change; }
  /// The added seeds, for SeedChange::Added.
  [[nodiscard]] const std::vector<Seed>& added() const { return difference_.added; }

  /// Leaves the finished result for the next run.
  void keep() {
    result_->from = fuzzy::grown_from(problem_);
    context_.cache().put(result_name(context_), std::move(result_), kOnDevice);
  }

 private:
  Context& context_;
  const fuzzy::Problem& problem_;
  std::shared_ptr<BrickResult> result_;
  bool is_first_ = true;
  fuzzy::SeedDifference difference_;
};

using fuzzy::SeedChange;

/// The seeds that a run starts from: the added ones, or all seeds of a new run.
class Starts {
 public:
  Starts(const Continuation& result, const Run& run) {
    if (result.change() == SeedChange::Added) added_.emplace(result.added(), run.stream);
    starts_ = added_ ? &*added_ : &run.seeds;
  }
  [[nodiscard]] const DeviceSeeds& seeds() const { return *starts_; }

 private:
  std::optional<DeviceSeeds> added_;
  const DeviceSeeds* starts_;
};

StrengthPlanes planes_of(const BrickResult& result) {
  StrengthPlanes planes;
  for (std::size_t k = 0; k < result.strength.size(); ++k) {
    planes.plane[planes.count] = reinterpret_cast<const uint4*>(result.strength[k].data());
    planes.label[planes.count++] = k < result.labels.size() ? result.labels[k] : 0;
  }
  return planes;
}

StrengthPlanes plane_of(const BrickRun::Strength& plane) {
  return {.count = 1, .plane = {reinterpret_cast<const uint4*>(plane.data())}};
}

/// Returns the index of a label's strengths in a result. Adds them if they are missing.
std::size_t place_of(std::uint16_t label, BrickResult& result, const BrickRun& bricks) {
  const auto found = std::find(result.labels.begin(), result.labels.end(), label);
  if (found != result.labels.end()) return static_cast<std::size_t>(found - result.labels.begin());
  result.labels.push_back(label);
  result.strength.push_back(bricks.zeros());
  return result.labels.size() - 1;
}

/// Solves with a plane for each label; the planes are kept for the next run.
fuzzy::Answer rfc_of_few(const fuzzy::Problem& problem, const std::vector<Label>& labels,
                         Context& context) {
  Continuation kept(BrickResult::Kind::Relative, problem, context);
  BrickResult& result = kept.result();
  BrickRun bricks(problem, context);
  Run& run = bricks.run();
  run.clock.begin("propagate");
  if (kept.change() != SeedChange::None) {
    const Starts starts(kept, run);
    for (const std::uint16_t label : labels) {
      bricks.spread_strength(starts.seeds(), label,
                             result.strength[place_of(label, result, bricks)]);
    }
  }
  const StrengthPlanes planes = planes_of(result);
  fuzzy::Answer answer =
      run.download(bricks.painted(bricks.relative_labels(planes)), bricks.greatest(planes));
  if (!kept.is_first()) run.expect_another();
  kept.keep();
  return answer;
}

/// Solves one label after the other and joins each with the best so far.
fuzzy::Answer rfc_of_many(const fuzzy::Problem& problem, const std::vector<Label>& labels,
                          Context& context) {
  drop_result(context);
  BrickRun bricks(problem, context);
  Run& run = bricks.run();
  run.clock.begin("propagate");
  auto best = bricks.zeros();
  auto owner = bricks.zeros();
  auto strength = bricks.zeros();
  for (const std::uint16_t label : labels) {
    strength.fill_bytes(0, run.stream);
    bricks.spread_strength(run.seeds, label, strength);
    join_relative(strength, label, best, owner, run.stream);
  }
  return run.download(bricks.painted(bricks.greatest(plane_of(owner))),
                      bricks.greatest(plane_of(best)));
}

/// Returns the label that all seeds share, else 0.
std::uint16_t only_label(const std::vector<Seed>& seeds) {
  const std::vector<Label> labels = fuzzy::labels_of(seeds);
  return labels.size() == 1 ? labels.front() : 0;
}

/// Pass 2 of irfc: spreads the labels over strengths that `starts` have raised.
void spread_labels(BrickRun& bricks, const DeviceSeeds& starts, const Continuation& kept,
                   std::vector<LabelGroup> groups, BrickResult& result) {
  const BrickRun::Strength& strength = result.strength.front();
  if (kept.change() == SeedChange::Added && result.groups == groups) {
    const BrickRun::Doubt doubt = bricks.update_edges(strength, only_label(kept.added()), groups,
                                                      result.reached, result.inwards);
    for (std::size_t g = 0; g < groups.size(); ++g)
      bricks.respread_labels(groups[g], starts, doubt, result.inwards, result.reached[g]);
    return;
  }
  result.reached.clear();
  result.inwards = {};
  result.inwards = bricks.optimal_edges(strength);
  result.groups = std::move(groups);
  for (const LabelGroup& group : result.groups) {
    result.reached.push_back(bricks.no_labels(group.count));
    bricks.spread_labels(group, result.inwards, result.reached.back());
  }
}

fuzzy::Answer irfc_on_bricks(const fuzzy::Problem& problem, Context& context) {
  fuzzy::Answer answer;
  irfc_on_device(problem, context, Returns::Answer, [&](const ResultOnDevice& result) {
    answer = result.run.download(result.labels, result.strength);
    if (!result.is_first) result.run.expect_another();
  });
  return answer;
}

// Slabs of connectedness on bricks.

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
  [[nodiscard]] Download::Fill rows() const { return bricks_.greatest(plane_of(strength_)); }

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
                                     const std::vector<Label>& labels, Context& context) {
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

/// Returns a solver of slabs of connectedness (4 and 6 neighbours) on bricks, on the device of the
/// context, or on its CPU threads if it has none.
fuzzy::SlabSolver slab_solver_on_bricks() {
  const fuzzy::SlabSolver on_cpu = fuzzy::slab_solver_on_bricks(fuzzy::best_kernel());
  return {.strengths =
              [on_cpu](const fuzzy::Problem& problem, const std::vector<fuzzy::Source>& sources,
                       Context& context) {
                return context.on_cpu() ? on_cpu.strengths(problem, sources, context)
                                        : strengths_of(problem, sources, context);
              },
          .labels =
              [on_cpu](const fuzzy::Problem& problem, const std::vector<fuzzy::Source>& sources,
                       const std::vector<Seed>& known, const std::vector<Label>& labels,
                       Context& context) {
                return context.on_cpu() ? on_cpu.labels(problem, sources, known, labels, context)
                                        : labels_of(problem, sources, known, labels, context);
              }};
}

/// Returns the device memory of a slab: bricks with affinities, strengths, edges and label bits,
/// its part of the scene, the known cells of its halo, and downloads.
BytesForSize slab_bytes_on_device(const fuzzy::SlabDemand& demand) {
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

using InSlabs = fuzzy::Answer (*)(const fuzzy::Problem&, const fuzzy::SlabSolver&, const SlabGrid&,
                                  Context&, const NextSlab&);

fuzzy::Answer run_in_slabs(const fuzzy::Problem& problem, InSlabs run, std::int64_t memory,
                           Context& context) {
  const SlabGrid slabs = slabs_within(memory, problem.scene.geometry.size,
                                      slab_bytes_on_device(fuzzy::demand_of(problem)));
  return run(problem, slab_solver_on_bricks(), for_sharers(slabs, context), context, {});
}

/// Solves the whole problem at once, or in slabs if a memory limit is set, several workers share
/// them, or the device has too little memory. Free memory alone would not tell: memory that the
/// last run kept there is available to this one.
fuzzy::Answer run_on_bricks(const fuzzy::Problem& problem, fuzzy::Solver whole, InSlabs in_slabs,
                            Context& context) {
  if (context.memory() == 0 && !context.is_shared() && context.saved() == nullptr) {
    try {
      return whole(problem, context);
    } catch (const UnavailableError&) {
      // The memory of the failed run is free by now, except what it kept for the next run.
    }
  }
  fuzzy::Answer answer;
  if (context.memory() == 0 &&
      solved_by_one_device(context, problem.scene.geometry.voxel_count(),
                           [&](Context& alone) { answer = whole(problem, alone); })) {
    return answer;
  }
  use_device(context.device());
  kept::give_back_all(context, stream_of(context));
  const std::int64_t least =
      least_budget(problem.scene.geometry.size, slab_bytes_on_device(fuzzy::demand_of(problem)));
  for (std::int64_t memory = memory_for_each(context);; memory /= 2) {
    try {
      if (context.saved() != nullptr) context.saved()->begin_anew();
      return run_in_slabs(problem, in_slabs, memory, context);
    } catch (const UnavailableError&) {
      // On a full device the free memory may not be available in pieces of the requested size.
      // Other processes do not begin anew.
      if (context.memory() > 0 || context.ranks() != nullptr || memory / 2 < least) throw;
    }
  }
}

/// Refuses a memory limit, and several workers, for neighbourhoods without bricks.
void refuse_parts(Connectivity connectivity, const Context& context) {
  if (context.memory() > 0)
    throw UnavailableError("tiles on cuda keep to a memory with 4 and 6 neighbours only");
  if (context.is_shared() || context.saved() != nullptr)
    throw UnavailableError(why_no_shared_tiles(connectivity));
}

fuzzy::Answer rfc_on_bricks(const fuzzy::Problem& problem, Context& context) {
  const std::vector<Label> labels = fuzzy::labels_of(problem.seeds);
  const bool few = labels.size() <= StrengthPlanes::kMost;
  return few ? rfc_of_few(problem, labels, context) : rfc_of_many(problem, labels, context);
}

}  // namespace

void irfc_on_device(const fuzzy::Problem& problem, Context& context, Returns returns,
                    const std::function<void(const ResultOnDevice&)>& take) {
  Continuation kept(BrickResult::Kind::Iterative, problem, context);
  BrickResult& result = kept.result();
  BrickRun bricks(problem, context, returns);
  Run& run = bricks.run();
  if (kept.change() != SeedChange::None) {
    run.clock.begin("propagate");
    if (result.strength.empty()) result.strength.push_back(bricks.zeros());
    const Starts starts(kept, run);
    bricks.spread_strength(starts.seeds(), 0, result.strength.front());
    run.clock.begin("labels");
    spread_labels(bricks, starts.seeds(), kept, groups_of(fuzzy::labels_of(problem.seeds)), result);
  }
  take({.run = run,
        .labels = bricks.painted(bricks.reached_labels(result.groups, result.reached)),
        .strength = bricks.greatest(planes_of(result)),
        .is_first = kept.is_first()});
  kept.keep();
}

fuzzy::Answer rfc_by_tiles(const fuzzy::Problem& problem, Context& context) {
  if (has_bricks(problem.connectivity)) {
    return run_on_bricks(problem, rfc_on_bricks, fuzzy::rfc_in_slabs, context);
  }
  refuse_parts(problem.connectivity, context);
  return rfc_on_edge_tiles(problem, context);
}

fuzzy::Answer irfc_by_tiles(const fuzzy::Problem& problem, Context& context) {
  if (has_bricks(problem.connectivity)) {
    return run_on_bricks(problem, irfc_on_bricks, fuzzy::irfc_in_slabs, context);
  }
  refuse_parts(problem.connectivity, context);
  return irfc_on_edge_tiles(problem, context);
}

std::string why_no_shared_tiles(Connectivity connectivity) {
  if (has_bricks(connectivity)) return {};
  return "tiles on cuda are shared and saved with 4 and 6 neighbours only; on the CPU with all "
         "(--backend cpu, or --devices cpu,cpu)";
}

std::int64_t least_tiles_bytes(const Geometry& geometry, Connectivity connectivity,
                               std::size_t labels, std::size_t objects, std::size_t seeds) {
  if (!has_bricks(connectivity)) return std::numeric_limits<std::int64_t>::max();
  return least_budget(geometry.size,
                      slab_bytes_on_device({.labels = labels, .objects = objects, .seeds = seeds}));
}

std::int64_t tiles_bytes(const Geometry& geometry, Connectivity connectivity, bool masked) {
  if (!has_bricks(connectivity)) return edge_tiles_bytes(geometry, connectivity, masked);
  // Bricks hold three affinities and at most three states; rows hold the scene and the blocks being
  // downloaded.
  const Grid grid = Grid::of(geometry);
  const std::int64_t cells = bricks_of(geometry).count() * Bricks::kCells;
  return cells * 6 * 2 + grid.cells() * (2 + (masked ? 1 : 0)) + most_block_cells(grid) * 2 +
         DeviceQueue::bytes(cells / Bricks::kCells);
}

}  // namespace seedwave::gpu
