// SPDX-License-Identifier: Apache-2.0
#include "core/ops/correction.h"

#include "core/base/error.h"
#include "core/base/median.h"
#include "core/border/band.h"
#include "core/image/crop.h"
#include "core/morphology/distance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace seedwave {
namespace {

constexpr double kReachOfNewLabel = 30.0;
constexpr double kFewestEdges = 5.0;
constexpr double kTypical = 3.0;

/// A box grown by a length.
Box grown(const Box& box, double length, const Geometry& geometry) {
  Box made = box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double cells = std::min(std::ceil(length / geometry.spacing[axis]) + 1, 1e9);
    made.lo[axis] = std::max<std::int64_t>(box.lo[axis] - static_cast<std::int64_t>(cells), 0);
    made.hi[axis] = std::min(box.hi[axis] + static_cast<std::int64_t>(cells), geometry.size[axis]);
  }
  return made;
}

/// The place of a voxel of the whole grid in a box.
std::size_t place_in(const Box& box, const Index3& index) {
  const std::int64_t width = box.hi[0] - box.lo[0];
  const std::int64_t height = box.hi[1] - box.lo[1];
  return static_cast<std::size_t>(index[0] - box.lo[0] +
                                  width * (index[1] - box.lo[1] + height * (index[2] - box.lo[2])));
}

/// The distances in a box to the voxels for which `is_source` is true.
template <typename IsSource>
Volume distances_in(const Geometry& grid, IsSource&& is_source, Context& context) {
  std::vector<std::uint8_t> objects(static_cast<std::size_t>(grid.voxel_count()));
  for (std::size_t i = 0; i < objects.size(); ++i)
    objects[i] = is_source(i) ? 0 : 1;
  return distance_map({.objects = Volume(grid, std::move(objects)),
                       .scale = spacing_scale(grid.size, grid.spacing)},
                      context)
      .distance;
}

class Finder {
 public:
  Finder(const Inputs& inputs, const std::optional<double>& reach, Context& context)
      : inputs_(inputs), grid_(inputs.start.geometry()), reach_(reach), context_(context) {
    for (const Seed& seed : inputs.seeds.seeds)
      strokes_[seed.label].push_back(grid_.index_of(seed.offset));
  }

  [[nodiscard]] bool has_strokes() const { return !strokes_.empty(); }

  /// Sets the box and marks the voxels within reach.
  void find() {
    std::map<Label, double> reaches;
    for (const auto& [label, places] : strokes_) {
      const double reach = reach_ ? *reach_ : reach_of(label);
      reaches[label] = reach;
      const Box around = grown(box_of(places), reach, grid_);
      box_.include(around.lo);
      box_.include({around.hi[0] - 1, around.hi[1] - 1, around.hi[2] - 1});
    }
    part_.assign(static_cast<std::size_t>(crop(grid_, box_).voxel_count()), 0);
    for (const auto& [label, reach] : reaches)
      mark(label, reach);
  }

  Correction correction(Label rest) {
    Correction made{.box = box_, .inputs = {}, .rest = rest, .stroked = {}};
    for (const auto& [label, places] : strokes_)
      made.stroked.insert(label);
    made.inputs.image = crop(inputs_.image, box_);
    made.inputs.requested = inputs_.requested;
    const LabelMap start = crop(inputs_.start, box_);
    for (std::size_t i = 0; i < part_.size() && !inputs_.mask.empty(); ++i) {
      if (inputs_.mask.labels()[static_cast<std::size_t>(whole_of(i))] == 0) part_[i] = 0;
    }
    describe(made.inputs.image, start);
    std::map<std::int64_t, Label> seeds;
    for (std::size_t i = 0; i < part_.size(); ++i) {
      if (part_[i] == 0 || !is_rim(i)) continue;
      const Label label = start.labels()[i];
      if (label == 0 && looks_like_a_stroke(i, made.inputs.image)) continue;
      seeds[static_cast<std::int64_t>(i)] = label == 0 ? rest : label;
    }
    for (const Seed& seed : inputs_.seeds.seeds) {
      const std::size_t at = place_in(box_, grid_.index_of(seed.offset));
      if (part_[at] != 0) seeds[static_cast<std::int64_t>(at)] = seed.label;
    }
    for (const auto& [offset, label] : seeds)
      made.inputs.seeds.seeds.push_back({offset, label});
    made.inputs.mask = LabelMap(crop(grid_, box_), std::move(part_));
    return made;
  }

 private:
  static Box box_of(const std::vector<Index3>& places) {
    Box box;
    for (const Index3& place : places)
      box.include(place);
    return box;
  }

  /// Twice the farthest distance from a stroke's voxel to the label, searched in boxes of twice the
  /// margin each time.
  [[nodiscard]] double reach_of(Label label) {
    const std::vector<Index3>& places = strokes_.at(label);
    const double least = kFewestEdges * border::smallest_spacing(grid_);
    const Box tight = box_of(places);
    for (double margin = 4 * least;; margin *= 2) {
      const Box box = grown(tight, margin, grid_);
      const LabelMap part = crop(inputs_.start, box);
      const Volume distances = distances_in(
          part.geometry(), [&](std::size_t i) { return part.labels()[i] == label; }, context_);
      const auto lengths = distances.voxels<float>();
      double farthest = 0.0;
      for (const Index3& place : places)
        farthest = std::max<double>(farthest, lengths[place_in(box, place)]);
      if (farthest <= margin) return std::max(least, 2 * farthest);
      if (box == Box::whole(grid_))
        return std::max(least, std::isfinite(farthest) ? 2 * farthest : kReachOfNewLabel);
    }
  }

  void mark(Label label, double reach) {
    const Geometry grid = crop(grid_, box_);
    std::vector<std::uint8_t> sources(part_.size());
    for (const Index3& place : strokes_.at(label))
      sources[place_in(box_, place)] = 1;
    const Volume distances = distances_in(
        grid, [&](std::size_t i) { return sources[i] != 0; }, context_);
    const auto lengths = distances.voxels<float>();
    for (std::size_t i = 0; i < part_.size(); ++i) {
      if (static_cast<double>(lengths[i]) <= reach) part_[i] = 1;
    }
  }

  /// Sets for each label of a stroke the intensities that are typical of it: three deviations
  /// (1.4826 MAD) around the median of its strokes and of the voxels in the box that have it.
  void describe(const Volume& part, const LabelMap& start) {
    for (const auto& [label, places] : strokes_) {
      std::vector<double> values;
      for (const Index3& index : places)
        values.push_back(value_at(part, place_in(box_, index)));
      for (std::size_t i = 0; i < part_.size(); ++i) {
        if (start.labels()[i] == label) values.push_back(value_at(part, i));
      }
      const double middle = median(values);
      const double width = kTypical * deviation_about(middle, values);
      typical_.emplace_back(middle - width, middle + width);
    }
  }

  static double value_at(const Volume& volume, std::size_t at) {
    return visit_voxels(volume,
                        [at](const auto& voxels) { return static_cast<double>(voxels[at]); });
  }

  /// Returns whether the intensity at a place is typical of a label with strokes. There the labels
  /// to correct may lack that label, so their 0 is no evidence.
  [[nodiscard]] bool looks_like_a_stroke(std::size_t place, const Volume& part) const {
    const double at = value_at(part, place);
    return std::any_of(typical_.begin(), typical_.end(),
                       [at](const auto& range) { return at >= range.first && at <= range.second; });
  }

  /// The offset on the whole grid of a place in the box.
  [[nodiscard]] std::int64_t whole_of(std::size_t place) const {
    return offset_in_whole(static_cast<std::int64_t>(place), box_, grid_);
  }

  /// A voxel of the part beside one of the image that is not in it.
  [[nodiscard]] bool is_rim(std::size_t place) const {
    const Index3 index = grid_.index_of(whole_of(place));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const int step : {-1, 1}) {
        Index3 beside = index;
        beside[axis] += step;
        if (!grid_.contains(beside)) continue;
        const bool in_box = beside[axis] >= box_.lo[axis] && beside[axis] < box_.hi[axis];
        if (!in_box || part_[place_in(box_, beside)] == 0) return true;
      }
    }
    return false;
  }

  const Inputs& inputs_;
  const Geometry& grid_;
  const std::optional<double>& reach_;
  Context& context_;
  std::map<Label, std::vector<Index3>> strokes_;
  std::vector<std::pair<double, double>> typical_;  // of each label with strokes
  Box box_;
  std::vector<std::uint8_t> part_;  // 1: within reach
};

/// The smallest label that neither the labels to correct nor the strokes use.
Label free_label(const Inputs& inputs) {
  Label most = largest_label(inputs.start.labels());
  for (const Seed& seed : inputs.seeds.seeds)
    most = std::max(most, seed.label);
  if (most >= kLargestLabel) {
    throw InputError("the labels to correct go up to " + std::to_string(most) + ": labels up to " +
                     std::to_string(kLargestLabel - 1) + " can be corrected");
  }
  return most + 1;
}

}  // namespace

std::optional<Correction> correction_of(const Inputs& inputs, Label rest,
                                        const std::optional<double>& reach, Context& context) {
  Finder finder(inputs, reach, context);
  if (!finder.has_strokes()) return std::nullopt;
  finder.find();
  return finder.correction(rest == 0 ? free_label(inputs) : rest);
}

LabelMap corrected(const LabelMap& start, const Correction& correction, const LabelMap& decided) {
  const Label most = std::max(largest_label(start.labels()), *correction.stroked.rbegin());
  return make_labels(start.geometry(), most, [&](auto& labels) {
    using T = typename std::decay_t<decltype(labels)>::value_type;
    std::transform(start.labels().begin(), start.labels().end(), labels.begin(),
                   [](Label label) { return static_cast<T>(label); });
    const auto put = [&](std::int64_t offset, Label label) {
      if (!correction.stroked.contains(label)) return;
      const std::int64_t whole = offset_in_whole(offset, correction.box, start.geometry());
      labels[static_cast<std::size_t>(whole)] = static_cast<T>(label);
    };
    for (std::int64_t i = 0; i < decided.geometry().voxel_count(); ++i)
      put(i, decided.labels()[static_cast<std::size_t>(i)]);
    // Strokes that nothing competes with do not grow, but stand.
    for (const Seed& seed : correction.inputs.seeds.seeds)
      put(seed.offset, seed.label);
  });
}

}  // namespace seedwave
