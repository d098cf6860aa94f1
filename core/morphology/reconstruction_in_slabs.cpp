// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/reconstruction_in_slabs.h"

#include "core/base/large_memory.h"
#include "core/base/scratch_files.h"
#include "core/image/crop.h"
#include "core/parallel/ranks.h"
#include "core/wavefront/partitions/slab_states.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace seedwave {
namespace {

/// Writes the marker, clipped to the limit. Returns how many cells were clipped. A separate
/// function: inside a larger one its loop is not vectorised.
template <typename Before, typename Voxel>
[[gnu::noinline]] std::int64_t clip(const Voxel* marker, const Voxel* limit, std::int64_t count,
                                    Voxel* __restrict to) {
  std::int64_t clipped = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    clipped += Before()(limit[i], marker[i]) ? 1 : 0;
    to[i] = Before()(limit[i], marker[i]) ? limit[i] : marker[i];
  }
  return clipped;
}

/// A reconstruction in progress: each slab begins as the marker, clipped to the mask, and rises in
/// place.
template <typename Voxel>
class RisingInSlabs {
 public:
  RisingInSlabs(const ReconstructionProblem& problem, const ReconstructionSolver& solver,
                const SlabGrid& slabs, Context& context)
      : problem_(problem),
        solver_(solver),
        slabs_(slabs),
        dilation_(problem.direction == ReconstructionDirection::Dilation),
        mask_(problem.mask.voxels<Voxel>().data()),
        marker_(problem.marker.voxels<Voxel>().data()),
        cells_(large_array<Voxel>(static_cast<std::size_t>(problem.mask.value_count()))),
        clipped_(static_cast<std::size_t>(slabs.layers())),
        states_(slabs, {cells_.get(), static_cast<std::size_t>(problem.mask.value_count())},
                context,
                {.states = [this](std::int64_t first, std::int64_t end) { start(first, end); },
                 .is_last = true,
                 .inputs = {problem.mask.bytes(), problem.marker.bytes()}}) {}

  Reconstruction run(Context& context, const NextSlab& next) {
    settle_slabs(
        states_, [&](const SlabPart& part, Context& own) { return visit(part, own); }, context,
        next);
    collect_states(states_, context);
    Ranks* const ranks = context.ranks();
    return {Volume(problem_.mask.geometry(), std::shared_ptr<const Voxel[]>(cells_)),
            ranks == nullptr ? clipped() : ranks->all_sum(clipped()),
            {notes_.begin(), notes_.end()}};
  }

 private:
  /// The cells are those of whole layers.
  void start(std::int64_t first, std::int64_t end) {
    constexpr std::int64_t kCellsAtOnce = std::int64_t{1} << 16;
    std::vector<Voxel> begun(static_cast<std::size_t>(std::min(kCellsAtOnce, end - first)));
    for (; first < end; first += slabs_.layer_cells()) {
      std::int64_t beyond = 0;
      const std::int64_t next = first + slabs_.layer_cells();
      for (std::int64_t at = first; at < next; at += std::ssize(begun)) {
        const std::int64_t count = std::min(std::ssize(begun), next - at);
        beyond += dilation_ ? clip<std::less<>>(marker_ + at, mask_ + at, count, begun.data())
                            : clip<std::greater<>>(marker_ + at, mask_ + at, count, begun.data());
        scratch::copy(begun.data(), static_cast<std::size_t>(count), cells_.get() + at);
      }
      clipped_[static_cast<std::size_t>(first / slabs_.layer_cells())] = beyond;
    }
  }

  /// Returns the number of this rank's marker voxels beyond the mask.
  [[nodiscard]] std::int64_t clipped() const {
    return std::accumulate(clipped_.begin() + slabs_.own().begin,
                           clipped_.begin() + slabs_.own().end, std::int64_t{0});
  }

  /// A marker that is shared with the solver is written only after it has returned.
  SlabSides visit(const SlabPart& part, Context& own) {
    const auto seen = states_.look(part, own);
    ReconstructionProblem local = problem_;
    local.mask =
        shared_part(problem_.mask, slabs_.box(part.layers.halo_begin, part.layers.halo_end));
    local.marker = Volume(local.mask.geometry(), seen);
    const Reconstruction solved = solver_(local, own);
    add_notes(solved.notes);
    return states_.store(part, solved.image.template voxels<Voxel>(), seen, own);
  }

  void add_notes(const std::vector<std::string>& notes) {
    const std::lock_guard lock(mutex_);
    notes_.insert(notes.begin(), notes.end());
  }

  const ReconstructionProblem& problem_;
  const ReconstructionSolver& solver_;
  const SlabGrid& slabs_;
  bool dilation_;
  const Voxel* mask_;
  const Voxel* marker_;
  std::shared_ptr<Voxel[]> cells_;
  std::vector<std::int64_t> clipped_;  // by layer
  SlabStates<Voxel> states_;
  std::mutex mutex_;
  std::set<std::string> notes_;  // guarded by mutex_
};

}  // namespace

Reconstruction reconstruct_within(const SlabGrid& slabs, const ReconstructionProblem& problem,
                                  const ReconstructionSolver& solver, Context& context) {
  if (slabs.count() == 1 && !context.is_shared() && context.saved() == nullptr)
    return solver(problem, context);
  const Context::Stage named(context, "propagate", Context::Stage::Timed::Elsewhere);
  return reconstruct_in_slabs(problem, solver, slabs, context);
}

Reconstruction reconstruct_in_slabs(const ReconstructionProblem& problem,
                                    const ReconstructionSolver& solver, const SlabGrid& slabs,
                                    Context& context, const NextSlab& next) {
  check_reconstruction(problem);
  return visit_voxels(problem.mask, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return RisingInSlabs<Voxel>(problem, solver, slabs, context).run(context, next);
  });
}

}  // namespace seedwave
