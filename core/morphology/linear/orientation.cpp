// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/orientation.h"

#include "core/base/error.h"
#include "core/base/exact_sum.h"
#include "core/base/large_memory.h"
#include "core/morphology/linear/linear_opening.h"
#include "core/morphology/linear/share_directions.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/workers.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <numbers>
#include <string>
#include <utility>

namespace seedwave {
namespace {

/// Returns whether an answer is stronger than another one: for openings the higher, for closings
/// the lower.
template <LineFilter filter, typename Value>
[[nodiscard]] bool is_stronger(Value a, Value b) {
  return filter == LineFilter::Opening ? a > b : a < b;
}

/// Takes over stronger ones of other answers, and equal ones of an earlier direction. A separate
/// function, because otherwise it would not be vectorised. NaN is not allowed.
template <LineFilter filter, typename Value>
[[gnu::noinline]] void merge_strongest(const Value* __restrict others,
                                       const std::uint16_t* __restrict others_first,
                                       std::int64_t count, Value* __restrict values,
                                       std::uint16_t* __restrict first) {
  for (std::int64_t i = 0; i < count; ++i) {
    const bool stronger = is_stronger<filter>(others[i], values[i]);
    const bool earlier = others[i] == values[i] && others_first[i] < first[i];
    values[i] = stronger ? others[i] : values[i];
    first[i] = stronger || earlier ? others_first[i] : first[i];
  }
}

constexpr std::int64_t kGrain = 1 << 16;

/// The strongest answers of a worker so far.
template <typename Voxel>
struct Strongest {
  LargeArray<Voxel> values{};
  LargeArray<std::uint16_t> first{};
};

template <LineFilter filter, typename Voxel>
void take(std::span<const Voxel> opened, std::int64_t number, Strongest<Voxel>& strongest,
          Context& context) {
  const auto direction = static_cast<std::uint16_t>(number);
  const bool is_new = strongest.values == nullptr;
  if (is_new) {
    strongest.values = large_array<Voxel>(opened.size());
    strongest.first = large_array<std::uint16_t>(opened.size());
  }
  parallel_for(context, std::ssize(opened), kGrain, [&](std::int64_t begin, std::int64_t end) {
    const Voxel* from = opened.data();
    Voxel* values = strongest.values.get();
    std::uint16_t* first = strongest.first.get();
    if (is_new) {
      std::copy(from + begin, from + end, values + begin);
      std::fill(first + begin, first + end, direction);
      return;
    }
    for (std::int64_t i = begin; i < end; ++i) {
      const bool stronger = is_stronger<filter>(from[i], values[i]);
      values[i] = stronger ? from[i] : values[i];
      first[i] = stronger ? direction : first[i];
    }
  });
}

/// Merges two sets of answers. In a tie the smaller number wins.
template <LineFilter filter, typename Voxel>
void merge(const Strongest<Voxel>& other, std::int64_t count, Strongest<Voxel>& strongest,
           Context& context) {
  parallel_for(context, count, kGrain, [&](std::int64_t begin, std::int64_t end) {
    merge_strongest<filter>(other.values.get() + begin, other.first.get() + begin, end - begin,
                            strongest.values.get() + begin, strongest.first.get() + begin);
  });
}

template <LineFilter filter, typename Voxel>
OrientationMap strongest_of(const LinearOpeningSolver& open, const LineFanProblem& problem,
                            Context& context) {
  const std::int64_t count = problem.image.value_count();
  const auto directions = std::ssize(problem.directions);
  // Bytes for an opening, its working memory, and the strongest answers.
  const std::int64_t bytes = count * static_cast<std::int64_t>(3 * sizeof(Voxel) + 2);
  const int workers = linear::workers_for(directions, bytes, context);
  std::vector<Strongest<Voxel>> of_worker(static_cast<std::size_t>(workers));
  linear::for_each_direction(
      directions, workers, context, [&](int worker, std::int64_t number, Context& inner) {
        const Volume opened = open(one_direction(problem, number), inner);
        take<filter>(opened.voxels<Voxel>(), number, of_worker[worker], inner);
      });
  Strongest<Voxel> all;
  for (Strongest<Voxel>& one : of_worker) {
    if (one.values == nullptr) continue;  // this worker took no direction
    if (all.values == nullptr) {
      all = std::move(one);
    } else {
      merge<filter>(one, count, all, context);
    }
  }
  const Geometry& geometry = problem.image.geometry();
  return {Volume(geometry, std::move(all.values)), Volume(geometry, std::move(all.first))};
}

template <typename Voxel>
double sum_of(std::span<const Voxel> voxels, Context& context) {
  ExactSum<Voxel> sum;
  std::mutex mutex;  // guards sum
  parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
    ExactSum<Voxel> part;
    for (std::int64_t i = begin; i < end; ++i)
      part.add(voxels[i]);
    const std::lock_guard lock(mutex);
    sum += part;
  });
  return sum.value();
}

}  // namespace

void check(const LineFanProblem& problem) {
  const auto directions = std::ssize(problem.directions);
  if (directions < 1 || directions > kMostDirections)
    throw UsageError("directions must be from 1 to " + std::to_string(kMostDirections) + ", not " +
                     std::to_string(directions));
  for (const LineSegments& segments : problem.directions) {
    if (segments.length < 1)
      throw UsageError("a line needs a length of at least 1, not " +
                       std::to_string(segments.length));
    if (segments.lines.size() != problem.image.geometry().size)
      throw UsageError("the lines are those of an image of another size");
  }
  check(one_direction(problem, 0));
}

LinearOpeningProblem one_direction(const LineFanProblem& problem, std::int64_t number) {
  const LineSegments& segments = problem.directions[static_cast<std::size_t>(number)];
  return {.image = problem.image,
          .lines = segments.lines,
          .length = segments.length,
          .border = problem.border,
          .filter = problem.filter};
}

OrientationMap orientation_by(const LinearOpeningSolver& open, const LineFanProblem& problem,
                              Context& context) {
  check(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return problem.filter == LineFilter::Opening
               ? strongest_of<LineFilter::Opening, Voxel>(open, problem, context)
               : strongest_of<LineFilter::Closing, Voxel>(open, problem, context);
  });
}

std::vector<double> angular_spectrum_by(const LinearOpeningSolver& open,
                                        const LineFanProblem& problem, Context& context) {
  check(problem);
  const auto directions = std::ssize(problem.directions);
  std::vector<double> sums(problem.directions.size());
  const std::int64_t bytes = 2 * static_cast<std::int64_t>(problem.image.bytes().size());
  const int workers = linear::workers_for(directions, bytes, context);
  linear::for_each_direction(
      directions, workers, context, [&](int /*worker*/, std::int64_t number, Context& inner) {
        const Volume opened = open(one_direction(problem, number), inner);
        sums[static_cast<std::size_t>(number)] =
            visit_voxels(opened, [&](auto voxels) { return sum_of(voxels, inner); });
      });
  return sums;
}

std::vector<Vec3> half_sphere(std::int64_t count) {
  const double golden_angle = std::numbers::pi * (3.0 - std::sqrt(5.0));
  std::vector<Vec3> directions;
  for (std::int64_t i = 0; i < count; ++i) {
    const double z = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double radius = std::sqrt(1.0 - z * z);
    const double turn = static_cast<double>(i) * golden_angle;
    directions.push_back({radius * std::cos(turn), radius * std::sin(turn), z});
  }
  return directions;
}

}  // namespace seedwave
