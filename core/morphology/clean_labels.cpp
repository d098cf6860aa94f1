// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/clean_labels.h"

#include "core/filters/gaussian.h"
#include "core/image/crop.h"
#include "core/morphology/reconstruction_by_runs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace seedwave {
namespace {

/// Cells of a box, x fastest: 1 inside the set.
using Cells = std::vector<std::uint8_t>;

Connectivity faces(const Geometry& geometry) {
  return geometry.is_2d() ? Connectivity::C4 : Connectivity::C6;
}

/// Calls visitor(offset in the image, first cell of the row in the box, length) for each row.
template <typename Visitor>
void visit_rows(const Geometry& geometry, const Box& box, Visitor&& visitor) {
  const std::int64_t length = box.hi[0] - box.lo[0];
  std::int64_t cell = 0;
  for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
    for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y, cell += length)
      visitor(geometry.offset({box.lo[0], y, z}), cell, length);
  }
}

/// Connected components of some cells of a box.
class Parts {
 public:
  /// `wanted`: cells with this value.
  Parts(const Index3& size, Connectivity connectivity, const Cells& cells, std::uint8_t wanted,
        Context& context)
      : row_length_(size[0]),
        runs_(
            size, connectivity,
            [&, length = size[0]](std::int64_t row, std::uint8_t* inside) {
              const std::uint8_t* from = cells.data() + row * length;
              std::transform(from, from + length, inside,
                             [wanted](std::uint8_t cell) { return cell == wanted ? 1 : 0; });
            },
            context),
        rows_(size[1] * size[2]) {}

  /// Calls visitor(part, first cell, last cell + 1) for each run. A part is named by its first run.
  template <typename Visitor>
  void visit(Visitor&& visitor) {
    for (std::int64_t row = 0; row < rows_; ++row) {
      std::int64_t run = runs_.first_run(row);
      for (const RunComponents::Run& cells : runs_.runs(row)) {
        visitor(static_cast<std::size_t>(runs_.component_of(run++)),
                row * row_length_ + cells.begin, row * row_length_ + cells.end);
      }
    }
  }
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(runs_.run_count()); }

 private:
  std::int64_t row_length_;
  RunComponents runs_;
  std::int64_t rows_;
};

/// Claims of all labels.
template <LabelType T>
class Claims {
 public:
  Claims(const CleanLabelsProblem& problem, std::span<const T> labels)
      : problem_(problem),
        geometry_(problem.labels.geometry()),
        labels_(labels),
        smallest_(labels.size()),
        state_(labels.size()) {
    for (int axis = 0; axis < 3; ++axis) {
      const bool flat = geometry_.size[axis] == 1;
      reach_[axis] = flat ? 0 : static_cast<std::int64_t>(std::ceil(4.0 * problem.sigma[axis]));
      smooths_ = smooths_ || (!flat && problem.sigma[axis] > 0.0);
    }
  }

  void add_all(Context& context) {
    std::map<Label, Box> boxes = boxes_by_label();
    const auto background = boxes.extract(0);
    const auto count = static_cast<double>(boxes.size() + 1);
    double done = 0.0;
    for (const auto& [label, box] : boxes) {
      context.checkpoint(done++ / count);
      add_label(static_cast<T>(label), grown(box, reach_), context);
    }
    if (!background.empty()) add_background(grown(background.mapped(), reach_), context);
  }

  /// Returns the labels of all voxels.
  LabelMap resolved(Context& context) {
    std::vector<T> result(labels_.size());
    std::vector<std::size_t> unclaimed;
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (i % kCellsPerCheck == 0) context.checkpoint(1.0);
      result[i] = state_[i] == kOwn ? labels_[i] : smallest_[i];
      if (state_[i] == kUnclaimed && problem_.unclaimed == Unclaimed::Nearest)
        unclaimed.push_back(i);
    }
    const bool are_few = unclaimed.size() < labels_.size() / kFew;
    const std::vector<Step> steps = are_few ? near_steps() : std::vector<Step>();
    LabelMap zones;  // made when a voxel needs it
    for (std::size_t k = 0; k < unclaimed.size(); ++k) {
      if (k % kVoxelsPerCheck == 0) context.checkpoint(1.0);
      const std::size_t i = unclaimed[k];
      const std::optional<T> near = nearest(static_cast<std::int64_t>(i), steps);
      if (!near && zones.empty()) zones = zones_of_claims(context);
      result[i] = near ? *near : static_cast<T>(std::max<Label>(zones.labels()[i], 1) - 1);
    }
    return {geometry_, std::move(result)};
  }

 private:
  static constexpr std::uint8_t kUnclaimed = 0;
  static constexpr std::uint8_t kByOthers = 1;
  static constexpr std::uint8_t kOwn = 2;  // the label that the voxel has claims it

  /// Few unclaimed voxels search around themselves: less than one of so many.
  static constexpr std::size_t kFew = 64;
  /// Reach of that search along the axis with the smallest spacing: up to 2,100 voxels each.
  static constexpr double kNear = 8.0;
  static constexpr std::size_t kVoxelsPerCheck = 1 << 10;

  struct Step {
    Index3 to;
    double square;
  };

  /// Returns all steps within the reach, by their squared length.
  [[nodiscard]] std::vector<Step> near_steps() const {
    const Vec3& weights = problem_.scale.weights;
    double limit = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      if (geometry_.size[axis] > 1) limit = std::min(limit, kNear * kNear * weights[axis]);
    }
    Index3 most{};
    for (int axis = 0; axis < 3; ++axis) {
      if (geometry_.size[axis] > 1)
        most[axis] = static_cast<std::int64_t>(std::sqrt(limit / weights[axis]));
    }
    std::vector<Step> steps;
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
    std::ranges::stable_sort(steps, {}, &Step::square);
    return steps;
  }

  /// Returns the label of the nearest claimed voxel, the smallest if several are equally near;
  /// nothing if none is within the steps.
  [[nodiscard]] std::optional<T> nearest(std::int64_t from, const std::vector<Step>& steps) const {
    const Index3 at = geometry_.index_of(from);
    std::optional<T> label;
    double square = 0.0;
    for (const Step& step : steps) {
      if (label && step.square > square) break;
      const Index3 to{at[0] + step.to[0], at[1] + step.to[1], at[2] + step.to[2]};
      if (!geometry_.contains(to)) continue;
      const std::int64_t cell = geometry_.offset(to);
      if (state_[cell] == kUnclaimed) continue;
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

  /// The smallest boxes that hold each label's voxels and seeds.
  [[nodiscard]] std::map<Label, Box> boxes_by_label() const {
    std::map<Label, Box> boxes;
    visit_rows(geometry_, Box::whole(geometry_), [&](std::int64_t row, auto, std::int64_t length) {
      Index3 at = geometry_.index_of(row);
      for (std::int64_t x = 0; x < length;) {
        const T label = labels_[row + x];
        const std::int64_t begin = x;
        while (x < length && labels_[row + x] == label)
          ++x;
        Box& box = boxes[label];
        at[0] = begin;
        box.include(at);
        at[0] = x - 1;
        box.include(at);
      }
    });
    for (const Seed& seed : problem_.seeds)
      boxes[seed.label].include(geometry_.index_of(seed.offset));
    return boxes;
  }

  /// Calls visitor(cell of the box, label) for each seed in the box.
  template <typename Visitor>
  void visit_seeds(const Box& box, Visitor&& visitor) const {
    if (problem_.seeds.empty()) return;
    visit_rows(geometry_, box, [&](std::int64_t row, std::int64_t cell, std::int64_t length) {
      auto seed = std::lower_bound(problem_.seeds.begin(), problem_.seeds.end(), row,
                                   [](const Seed& s, std::int64_t at) { return s.offset < at; });
      for (; seed != problem_.seeds.end() && seed->offset < row + length; ++seed)
        visitor(cell + seed->offset - row, seed->label);
    });
  }

  /// Step 1: a label's voxels in a box that holds them and the reach of the Gaussian.
  [[nodiscard]] Cells outlined(T label, const Box& box, Context& context) const {
    const Geometry grid = crop(geometry_, box);
    Cells cells(static_cast<std::size_t>(grid.voxel_count()));
    visit_rows(geometry_, box, [&](std::int64_t row, std::int64_t cell, std::int64_t length) {
      for (std::int64_t x = 0; x < length; ++x)
        cells[cell + x] = labels_[row + x] == label ? 1 : 0;
    });
    if (smooths_) {
      const Volume mask(grid, std::vector<float>(cells.begin(), cells.end()));
      const Volume smoothed = gaussian(mask, problem_.sigma, context);
      const auto values = smoothed.voxels<float>();
      std::transform(values.begin(), values.end(), cells.begin(),
                     [](float value) { return value > 0.5F ? 1 : 0; });
    }
    visit_seeds(box, [&](std::int64_t cell, Label seed) { cells[cell] = seed == label ? 1 : 0; });
    return cells;
  }

  /// Step 2.
  void remove_parts(T label, const Box& box, Cells& cells, Context& context) const {
    if (problem_.parts == KeptParts::All && problem_.fewest_voxels <= 1) return;
    Parts parts(crop(geometry_, box).size, faces(geometry_), cells, 1, context);
    std::vector<std::int64_t> voxels(parts.count());
    std::vector<std::uint8_t> has_seed(parts.count());
    std::set<std::int64_t> seeds;
    visit_seeds(box, [&](std::int64_t cell, Label seed) {
      if (seed == label) seeds.insert(cell);
    });
    parts.visit([&](std::size_t part, std::int64_t begin, std::int64_t end) {
      voxels[part] += end - begin;
      const auto seed = seeds.lower_bound(begin);
      if (seed != seeds.end() && *seed < end) has_seed[part] = 1;
    });
    const auto largest = std::max_element(voxels.begin(), voxels.end()) - voxels.begin();
    parts.visit([&](std::size_t part, std::int64_t begin, std::int64_t end) {
      const bool is_chosen =
          problem_.parts == KeptParts::All ||
          (problem_.parts == KeptParts::WithSeeds && seeds.empty()) ||
          (problem_.parts == KeptParts::Largest && part == static_cast<std::size_t>(largest));
      if (has_seed[part] != 0 || (is_chosen && voxels[part] >= problem_.fewest_voxels)) return;
      std::fill(cells.begin() + begin, cells.begin() + end, std::uint8_t{0});
    });
  }

  /// Step 3. The box has a margin of one voxel around the cells, except at the border of the image.
  void fill_holes(T label, const Box& box, Cells& cells, Context& context) const {
    const Index3 size = crop(geometry_, box).size;
    Cells blocked(cells.size());
    visit_rows(geometry_, box, [&](std::int64_t row, std::int64_t cell, std::int64_t length) {
      for (std::int64_t x = 0; x < length; ++x)
        blocked[cell + x] = labels_[row + x] != 0 && labels_[row + x] != label ? 1 : 0;
    });
    visit_seeds(box, [&](std::int64_t cell, Label seed) {
      if (seed != label) blocked[cell] = 1;
    });
    Parts parts(size, faces(geometry_), cells, 0, context);
    std::vector<std::uint8_t> is_open(parts.count());
    parts.visit([&](std::size_t part, std::int64_t begin, std::int64_t end) {
      const std::int64_t row = begin / size[0];
      const std::int64_t y = row % size[1];
      const std::int64_t z = row / size[1];
      const bool at_border =
          (geometry_.size[0] > 1 && (begin % size[0] == 0 || end % size[0] == 0)) ||
          (geometry_.size[1] > 1 && (y == 0 || y == size[1] - 1)) ||
          (geometry_.size[2] > 1 && (z == 0 || z == size[2] - 1));
      const auto first = blocked.begin() + begin;
      if (at_border || std::find(first, blocked.begin() + end, 1) != blocked.begin() + end)
        is_open[part] = 1;
    });
    parts.visit([&](std::size_t part, std::int64_t begin, std::int64_t end) {
      if (is_open[part] == 0)
        std::fill(cells.begin() + begin, cells.begin() + end, std::uint8_t{1});
    });
  }

  void add_label(T label, Box box, Context& context) {
    if (problem_.holes == EnclosedHoles::Fill) box = grown(box, {1, 1, 1});
    Cells cells = outlined(label, box, context);
    remove_parts(label, box, cells, context);
    if (problem_.holes == EnclosedHoles::Fill) fill_holes(label, box, cells, context);
    visit_rows(geometry_, box, [&](std::int64_t row, std::int64_t cell, std::int64_t length) {
      for (std::int64_t x = 0; x < length; ++x) {
        if (cells[cell + x] == 0) continue;
        if (state_[row + x] == kUnclaimed) smallest_[row + x] = label;  // labels come in order
        if (labels_[row + x] == label) {
          state_[row + x] = kOwn;
        } else if (state_[row + x] == kUnclaimed) {
          state_[row + x] = kByOthers;
        }
      }
    });
  }

  void add_background(const Box& box, Context& context) {
    const Cells cells = outlined(0, box, context);
    visit_rows(geometry_, box, [&](std::int64_t row, std::int64_t cell, std::int64_t length) {
      for (std::int64_t x = 0; x < length; ++x) {
        if (cells[cell + x] != 0 && state_[row + x] == kUnclaimed) state_[row + x] = kByOthers;
      }
    });
  }

  /// The label of the nearest claimed voxel plus 1, everywhere; 0 if nothing is claimed.
  [[nodiscard]] LabelMap zones_of_claims(Context& context) const {
    Label largest = largest_label(problem_.labels.labels());
    for (const Seed& seed : problem_.seeds)
      largest = std::max(largest, seed.label);
    const LabelMap claimed = make_labels(geometry_, largest + 1, [&](auto& numbers) {
      using Number = typename std::decay_t<decltype(numbers)>::value_type;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (state_[i] != kUnclaimed)
          numbers[i] = static_cast<Number>(static_cast<Label>(smallest_[i]) + 1);
      }
    });
    return influence_zones_by_min_plus({.labels = claimed, .scale = problem_.scale}, context);
  }

  const CleanLabelsProblem& problem_;
  const Geometry& geometry_;
  std::span<const T> labels_;
  /// The smallest label that claims a voxel; 0 if none does, or 0.
  std::vector<T> smallest_;
  std::vector<std::uint8_t> state_;
  Index3 reach_{};
  bool smooths_ = false;
};

/// Returns the labels in a type that holds the seeds too.
LabelMap wide_enough(const CleanLabelsProblem& problem) {
  const LabelSpan& labels = problem.labels.labels();
  Label most = 0;
  for (const Seed& seed : problem.seeds)
    most = std::max(most, seed.label);
  if (labels.bytes_each() == 4 || most < (Label{1} << (8 * labels.bytes_each())))
    return problem.labels;
  return make_labels(problem.labels.geometry(), most, [&](auto& wide) {
    using Wide = typename std::decay_t<decltype(wide)>::value_type;
    std::transform(labels.begin(), labels.end(), wide.begin(),
                   [](Label label) { return static_cast<Wide>(label); });
  });
}

}  // namespace

LabelMap clean_labels(const CleanLabelsProblem& problem, Context& context) {
  const LabelMap labels = wide_enough(problem);
  return visit_labels(labels.labels(), [&]<typename T>(std::span<const T> stored) {
    Claims<T> claims(problem, stored);
    claims.add_all(context);
    return claims.resolved(context);
  });
}

}  // namespace seedwave
