// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/clean_labels.h"

#include "core/filters/gaussian.h"
#include "core/image/crop.h"
#include "core/image/label_seeds.h"
#include "core/image/large_labels.h"
#include "core/morphology/reconstruction_by_runs.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/label_boxes.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace seedwave {
namespace {

Connectivity faces(const Geometry& geometry) {
  return geometry.is_2d() ? Connectivity::C4 : Connectivity::C6;
}

/// The runs of some cells of a box, by rows of the box, and the connected parts that they form.
class BoxRuns {
 public:
  /// cells(offset in the image, inside) sets `length` bytes for a row of the box: 1 inside.
  template <typename Cells>
  BoxRuns(const Geometry& geometry, const Box& box, const Cells& cells, Context& context)
      : geometry_(geometry),
        box_(box),
        size_(crop(geometry, box).size),
        runs_(
            size_, faces(geometry),
            [&](std::int64_t row, std::uint8_t* inside) { cells(offset(row), inside); }, context),
        stays_(static_cast<std::size_t>(runs_.run_count()), 1) {}

  [[nodiscard]] const Box& box() const { return box_; }
  [[nodiscard]] const Index3& size() const { return size_; }
  [[nodiscard]] std::int64_t row_count() const { return size_[1] * size_[2]; }
  [[nodiscard]] std::size_t run_count() const { return stays_.size(); }
  /// Returns the image's offset of a row's first cell.
  [[nodiscard]] std::int64_t offset(std::int64_t row) const {
    return geometry_.offset({box_.lo[0], box_.lo[1] + row % size_[1], box_.lo[2] + row / size_[1]});
  }
  /// Returns the row of a place, or nothing if it is not in the box.
  [[nodiscard]] std::optional<std::int64_t> row_of(const Index3& at) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] < box_.lo[axis] || at[axis] >= box_.hi[axis]) return std::nullopt;
    }
    return at[1] - box_.lo[1] + size_[1] * (at[2] - box_.lo[2]);
  }

  /// Returns the run that holds an image's cell, or nothing.
  [[nodiscard]] std::optional<std::size_t> run_at(std::int64_t cell) const {
    const Index3 at = geometry_.index_of(cell);
    const std::optional<std::int64_t> row = row_of(at);
    if (!row) return std::nullopt;
    const auto runs = runs_.runs(*row);
    const std::int64_t x = at[0] - box_.lo[0];
    const auto run = std::ranges::upper_bound(runs, x, {}, &RunComponents::Run::end);
    if (run == runs.end() || run->begin > x) return std::nullopt;
    return static_cast<std::size_t>(runs_.first_run(*row) + (run - runs.begin()));
  }
  /// Returns the part of a run: the number of its first run.
  [[nodiscard]] std::size_t part_of(std::size_t run) {
    return static_cast<std::size_t>(runs_.component_of(static_cast<std::int64_t>(run)));
  }

  void remove(std::size_t run) { stays_[run] = 0; }
  /// Calls visitor(run, first cell, last cell + 1) for each run of a row that was not removed.
  template <typename Visitor>
  void visit_row(std::int64_t row, Visitor&& visitor) const {
    auto run = static_cast<std::size_t>(runs_.first_run(row));
    for (const RunComponents::Run& cells : runs_.runs(row)) {
      if (stays_[run] != 0) visitor(run, cells.begin, cells.end);
      ++run;
    }
  }
  template <typename Visitor>
  void visit(Visitor&& visitor) const {
    for (std::int64_t row = 0; row < row_count(); ++row) {
      visit_row(row, [&](std::size_t run, std::int64_t begin, std::int64_t end) {
        visitor(run, row, begin, end);
      });
    }
  }
  /// Calls body(row) for each row, on all threads.
  template <typename Body>
  void for_rows(Context& context, Body&& body) const {
    parallel_for(context, runs_.strip_count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = runs_.first_row(begin); row < runs_.last_row(end - 1); ++row)
        body(row);
    });
  }

 private:
  const Geometry& geometry_;
  Box box_;
  Index3 size_;
  RunComponents runs_;
  std::vector<std::uint8_t> stays_;
};

/// Claims of all labels.
template <LabelType T>
class Claims {
 public:
  Claims(const CleanLabelsProblem& problem, std::span<const T> labels, Context& context)
      : problem_(problem),
        geometry_(problem.labels.geometry()),
        labels_(labels),
        result_(large_array<T>(context, labels.size())),
        reach_(outline_reach(geometry_, problem.sigma)) {
    parallel_for(context, std::ssize(labels), kVoxelsAtOnce,
                 [&](std::int64_t begin, std::int64_t end) {
                   std::fill(result_.get() + begin, result_.get() + end, T{0});
                 });
    if (problem.unclaimed == Unclaimed::Nothing) return;
    smallest_.resize(labels.size());
    is_claimed_.resize(labels.size());
  }

  void add_all(Context& context) {
    const std::map<Label, Box> of_voxels = label_boxes(problem_.labels, context);
    // The largest first, so that the smallest that claims a voxel comes last.
    std::map<Label, Box, std::greater<>> boxes(of_voxels.begin(), of_voxels.end());
    for (const Seed& seed : problem_.seeds)
      boxes[seed.label].include(geometry_.index_of(seed.offset));
    const auto count = static_cast<double>(boxes.size() + 1);
    double done = 0.0;
    for (const auto& [label, box] : boxes) {
      context.checkpoint(done++ / count);
      add_label(static_cast<T>(label), grown(box, reach_), context);
    }
    if (problem_.unclaimed == Unclaimed::Nearest) add_background(context);
  }

  /// Returns the labels of all voxels.
  LabelMap resolved(Context& context) {
    if (problem_.unclaimed == Unclaimed::Nearest) label_unclaimed(context);
    return label_map_of(geometry_, std::move(result_));
  }

 private:
  static constexpr std::size_t kVoxelsPerCheck = 1 << 10;
  /// Number of voxels that a thread takes at once.
  static constexpr std::int64_t kVoxelsAtOnce = 1 << 16;

  void label_unclaimed(Context& context) {
    std::vector<std::size_t> unclaimed;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (i % kCellsPerCheck == 0) context.checkpoint(1.0);
      if (is_claimed_[i] == 0) unclaimed.push_back(i);
    }
    const bool are_few = are_few_unclaimed(unclaimed.size(), labels_.size());
    const std::vector<NearStep> steps =
        are_few ? near_steps(geometry_, problem_.scale) : std::vector<NearStep>();
    LabelMap zones;  // made when a voxel needs it
    for (std::size_t k = 0; k < unclaimed.size(); ++k) {
      if (k % kVoxelsPerCheck == 0) context.checkpoint(1.0);
      const std::size_t i = unclaimed[k];
      const std::optional<T> near = nearest(static_cast<std::int64_t>(i), steps);
      if (!near && zones.empty())
        zones =
            zones_of_claims(LabelMap(geometry_, smallest_), is_claimed_, problem_.scale, context);
      result_[i] = near ? *near : static_cast<T>(std::max<Label>(zones.labels()[i], 1) - 1);
    }
  }

  /// Returns the label of the nearest claimed voxel, the smallest if several are equally near;
  /// nothing if none is within the steps.
  [[nodiscard]] std::optional<T> nearest(std::int64_t from,
                                         const std::vector<NearStep>& steps) const {
    const Index3 at = geometry_.index_of(from);
    std::optional<T> label;
    double square = 0.0;
    for (const NearStep& step : steps) {
      if (label && step.square > square) break;
      const Index3 to{at[0] + step.to[0], at[1] + step.to[1], at[2] + step.to[2]};
      if (!geometry_.contains(to)) continue;
      const std::int64_t cell = geometry_.offset(to);
      if (is_claimed_[cell] == 0) continue;
      label = label ? std::min(*label, smallest_[cell]) : smallest_[cell];
      square = step.square;
    }
    return label;
  }

  [[nodiscard]] Box grown(Box box, const Index3& by) const {
    for (int axis = 0; axis < 3; ++axis) {
      box.lo[axis] = std::max<std::int64_t>(0, box.lo[axis] - by[axis]);
      box.hi[axis] = std::min(geometry_.size[axis], box.hi[axis] + by[axis]);
    }
    return box;
  }

  /// Returns the seeds in the cells from `begin` to `end`.
  [[nodiscard]] std::span<const Seed> seeds_from(std::int64_t begin, std::int64_t end) const {
    const auto first = std::ranges::lower_bound(problem_.seeds, begin, {}, &Seed::offset);
    auto last = first;
    while (last != problem_.seeds.end() && last->offset < end)
      ++last;
    return {first, last};
  }

  /// Step 1: a label's voxels in a box that holds them and the reach of the Gaussian.
  [[nodiscard]] BoxRuns outlined(T label, const Box& box, Context& context) const {
    const std::int64_t length = box.hi[0] - box.lo[0];
    const auto put_seeds = [&](std::int64_t row, std::uint8_t* inside) {
      for (const Seed& seed : seeds_from(row, row + length))
        inside[seed.offset - row] = seed.label == label ? 1 : 0;
    };
    if (reach_ == Index3{}) {
      const auto of_label = [&](std::int64_t row, std::uint8_t* inside) {
        note_equal(labels_.data() + row, length, label, inside);
        put_seeds(row, inside);
      };
      return {geometry_, box, of_label, context};
    }
    const Volume smoothed = gaussian(mask_of(label, box, context), problem_.sigma, context);
    const float* values = smoothed.voxels<float>().data();
    const Index3& size = smoothed.geometry().size;
    const auto above_half = [&](std::int64_t row, std::uint8_t* inside) {
      const Index3 at = geometry_.index_of(row);
      const std::int64_t in_box = at[1] - box.lo[1] + size[1] * (at[2] - box.lo[2]);
      std::transform(values + in_box * length, values + (in_box + 1) * length, inside,
                     [](float value) { return value > 0.5F ? 1 : 0; });
      put_seeds(row, inside);
    };
    return {geometry_, box, above_half, context};
  }

  /// Returns 1 where the label is, and 0 elsewhere.
  [[nodiscard]] Volume mask_of(T label, const Box& box, Context& context) const {
    const Geometry grid = crop(geometry_, box);
    auto mask = large_vector<float>(static_cast<std::size_t>(grid.voxel_count()));
    parallel_for(
        context, grid.size[1] * grid.size[2], 64, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t row = begin; row < end; ++row) {
            const T* from =
                labels_.data() + geometry_.offset({box.lo[0], box.lo[1] + row % grid.size[1],
                                                   box.lo[2] + row / grid.size[1]});
            std::transform(from, from + grid.size[0], mask.data() + row * grid.size[0],
                           [label](T other) { return other == label ? 1.0F : 0.0F; });
          }
        });
    return {grid, std::move(mask)};
  }

  /// A function of its own: inside a larger one its loop is not vectorised.
  [[gnu::noinline]] static void note_equal(const T* __restrict labels, std::int64_t count, T label,
                                           std::uint8_t* __restrict equal) {
    for (std::int64_t i = 0; i < count; ++i)
      equal[i] = static_cast<std::uint8_t>(labels[i] == label);
  }

  /// Step 2.
  void remove_parts(T label, BoxRuns& runs) const {
    if (problem_.parts == KeptParts::All && problem_.fewest_voxels <= 1) return;
    bool any_seed = false;
    std::vector<std::uint8_t> has_seed(runs.run_count());
    for (const Seed& seed : problem_.seeds) {
      if (seed.label != label) continue;
      any_seed = true;
      has_seed[runs.part_of(*runs.run_at(seed.offset))] = 1;
    }
    std::vector<std::int64_t> voxels(runs.run_count());
    runs.visit([&](std::size_t run, auto, std::int64_t begin, std::int64_t end) {
      voxels[runs.part_of(run)] += end - begin;
    });
    const auto largest =
        static_cast<std::size_t>(std::ranges::max_element(voxels) - voxels.begin());
    for (std::size_t run = 0; run < runs.run_count(); ++run) {
      const std::size_t part = runs.part_of(run);
      const bool is_chosen = problem_.parts == KeptParts::All ||
                             (problem_.parts == KeptParts::WithSeeds && !any_seed) ||
                             (problem_.parts == KeptParts::Largest && part == largest);
      if (has_seed[part] == 0 && !(is_chosen && voxels[part] >= problem_.fewest_voxels))
        runs.remove(run);
    }
  }

  /// Step 3: the parts of the complement that become the label's.
  [[nodiscard]] std::optional<BoxRuns> holes_of(T label, const BoxRuns& runs,
                                                Context& context) const {
    Box box;
    runs.visit([&](auto, std::int64_t row, std::int64_t begin, std::int64_t end) {
      Index3 at = geometry_.index_of(runs.offset(row) + begin);
      box.include(at);
      at[0] += end - 1 - begin;
      box.include(at);
    });
    if (box.empty()) return std::nullopt;
    // So there is a margin of one voxel around the cells, except at the border of the image.
    box = box.grown(1, geometry_);
    const std::int64_t length = box.hi[0] - box.lo[0];
    const auto complement = [&](std::int64_t from, std::uint8_t* inside) {
      std::fill_n(inside, length, std::uint8_t{1});
      const Index3 at = geometry_.index_of(from);
      const auto row = runs.row_of({runs.box().lo[0], at[1], at[2]});
      if (!row) return;
      const std::int64_t shift = runs.box().lo[0] - box.lo[0];
      runs.visit_row(*row, [&](auto, std::int64_t begin, std::int64_t end) {
        std::fill(inside + begin + shift, inside + end + shift, std::uint8_t{0});
      });
    };
    BoxRuns holes(geometry_, box, complement, context);
    std::vector<std::uint8_t> is_open(holes.run_count());
    const Index3& size = holes.size();
    const auto is_end = [&](int axis, std::int64_t at) {
      return geometry_.size[axis] > 1 && (at == 0 || at == size[axis] - 1);
    };
    holes.visit([&](std::size_t run, std::int64_t row, std::int64_t begin, std::int64_t end) {
      if (is_end(0, begin) || is_end(0, end - 1) || is_end(1, row % size[1]) ||
          is_end(2, row / size[1]))
        is_open[holes.part_of(run)] = 1;
    });
    const auto open = [&](std::size_t run) { is_open[holes.part_of(run)] = 1; };
    for (const Seed& seed : problem_.seeds) {
      if (seed.label == label) continue;
      if (const auto run = holes.run_at(seed.offset)) open(*run);
    }
    const auto is_other = [label](T other) { return other != 0 && other != label; };
    holes.visit([&](std::size_t run, std::int64_t row, std::int64_t begin, std::int64_t end) {
      if (is_open[holes.part_of(run)] != 0) return;
      const T* first = labels_.data() + holes.offset(row);
      if (std::any_of(first + begin, first + end, is_other)) open(run);
    });
    for (std::size_t run = 0; run < holes.run_count(); ++run) {
      if (is_open[holes.part_of(run)] != 0) holes.remove(run);
    }
    return holes;
  }

  void add_label(T label, const Box& box, Context& context) {
    BoxRuns runs = outlined(label, box, context);
    remove_parts(label, runs);
    claim(label, runs, context);
    if (problem_.holes == EnclosedHoles::Keep) return;
    if (const auto holes = holes_of(label, runs, context)) claim(label, *holes, context);
  }

  void claim(T label, const BoxRuns& runs, Context& context) {
    runs.for_rows(context, [&](std::int64_t row) {
      const std::int64_t from = runs.offset(row);
      runs.visit_row(row, [&](auto, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = from + begin; i < from + end; ++i) {
          // One that its own label claims keeps it.
          if (labels_[i] == label || result_[i] == 0 || result_[i] != labels_[i])
            result_[i] = label;
        }
        if (is_claimed_.empty()) return;
        std::fill_n(smallest_.begin() + from + begin, end - begin, label);
        std::fill_n(is_claimed_.begin() + from + begin, end - begin, std::uint8_t{1});
      });
    });
  }

  /// Unlabelled voxels claim by their outline alone, and give way to labels.
  void add_background(Context& context) {
    const BoxRuns runs = outlined(0, Box::whole(geometry_), context);
    runs.for_rows(context, [&](std::int64_t row) {
      std::uint8_t* is_claimed = is_claimed_.data() + runs.offset(row);
      runs.visit_row(row, [&](auto, std::int64_t begin, std::int64_t end) {
        std::fill(is_claimed + begin, is_claimed + end, std::uint8_t{1});
      });
    });
  }

  const CleanLabelsProblem& problem_;
  const Geometry& geometry_;
  std::span<const T> labels_;
  LargeArray<T> result_;
  // For Unclaimed::Nearest alone:
  std::vector<T> smallest_;  // the smallest label that claims a voxel; 0 if none does, or 0
  std::vector<std::uint8_t> is_claimed_;
  Index3 reach_;
};

}  // namespace

Index3 outline_reach(const Geometry& geometry, const Vec3& sigma) {
  Index3 reach{};
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] > 1)
      reach[axis] = static_cast<std::int64_t>(std::ceil(4.0 * sigma[axis]));
  }
  return reach;
}

bool are_few_unclaimed(std::size_t unclaimed, std::size_t voxels) {
  constexpr std::size_t kFew = 64;
  return unclaimed < voxels / kFew;
}

std::vector<NearStep> near_steps(const Geometry& geometry, const DistanceScale& scale) {
  constexpr double kNear = 8.0;
  const Vec3& weights = scale.weights;
  double limit = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] > 1) limit = std::min(limit, kNear * kNear * weights[axis]);
  }
  Index3 most{};
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] > 1)
      most[axis] = static_cast<std::int64_t>(std::sqrt(limit / weights[axis]));
  }
  std::vector<NearStep> steps;
  for (std::int64_t z = -most[2]; z <= most[2]; ++z) {
    for (std::int64_t y = -most[1]; y <= most[1]; ++y) {
      for (std::int64_t x = -most[0]; x <= most[0]; ++x) {
        const auto along = [](std::int64_t step, double weight) {
          return static_cast<double>(step * step) * weight;
        };
        const double square = along(x, weights[0]) + along(y, weights[1]) + along(z, weights[2]);
        if (square <= limit) steps.push_back({{x, y, z}, square});
      }
    }
  }
  std::ranges::stable_sort(steps, {}, &NearStep::square);
  return steps;
}

LabelMap zones_of_claims(const LabelMap& smallest, std::span<const std::uint8_t> is_claimed,
                         const DistanceScale& scale, Context& context) {
  const Label largest = largest_label(smallest.labels());
  const LabelMap claimed = make_labels(smallest.geometry(), largest + 1, [&](auto& numbers) {
    using Number = typename std::decay_t<decltype(numbers)>::value_type;
    visit_labels(smallest.labels(), [&](auto labels) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (is_claimed[i] != 0) numbers[i] = static_cast<Number>(static_cast<Label>(labels[i]) + 1);
      }
    });
  });
  return influence_zones_by_min_plus({.labels = claimed, .scale = scale}, context);
}

LabelMap clean_labels(const CleanLabelsProblem& problem, Context& context) {
  const LabelMap labels = wide_enough_for(problem.seeds, problem.labels);
  return visit_labels(labels.labels(), [&]<typename T>(std::span<const T> stored) {
    Claims<T> claims(problem, stored, context);
    claims.add_all(context);
    return claims.resolved(context);
  });
}

}  // namespace seedwave
