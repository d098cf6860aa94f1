// SPDX-License-Identifier: Apache-2.0
#include "core/border/network.h"

#include "core/base/error.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace seedwave::border {
namespace {

const std::string kCacheKey = "border parts";

/// Removes the seeds, and what lies outside the mask.
void remove_fixed(const RefineBorderProblem& problem, std::vector<BandCell>& band) {
  if (band.empty()) return;
  auto seed = std::ranges::lower_bound(problem.seeds, band.front().offset, {}, &Seed::offset);
  std::erase_if(band, [&](const BandCell& cell) {
    while (seed != problem.seeds.end() && seed->offset < cell.offset)
      ++seed;
    if (seed != problem.seeds.end() && seed->offset == cell.offset) return true;
    return !problem.mask.empty() &&
           problem.mask.labels()[static_cast<std::size_t>(cell.offset)] == 0;
  });
}

void check_size(std::size_t voxels) {
  if (voxels > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw UnavailableError("the band holds too many voxels for a cut: make it narrower");
}

/// Moves the voxels of a part to the other side.
void move(SideMap& map, const SettledPart& part, const Geometry& geometry) {
  Places places(geometry, map);
  for (const std::int64_t offset : part.moved) {
    const std::int64_t place = places.of(offset);
    map.set(place, map.at(place) == SideMap::Inside ? SideMap::Outside : SideMap::Inside);
  }
}

SettledPart settled(const Band& band) {
  SettledPart part;
  for (std::size_t i = 0; i < band.cells.size(); ++i) {
    const bool is_inside = band.cells[i].square > 0;
    if (band.sides[i] == (is_inside ? CutSide::Sink : CutSide::Source))
      part.moved.push_back(band.cells[i].offset);
  }
  part.open.reserve(band.open.size());
  for (const std::int32_t i : band.open)
    part.open.push_back(band.cells[i]);
  return part;
}

/// Marks the layers whose labels or seeds differ.
std::vector<bool> changed_layers(const LabelMap& before, const std::vector<Seed>& seeds_before,
                                 const LabelMap& now, const std::vector<Seed>& seeds_now,
                                 Context& context) {
  const Geometry& geometry = now.geometry();
  const std::int64_t layers = geometry.size[layer_axis(geometry)];
  const std::int64_t voxels = geometry.voxel_count() / layers;
  std::vector<std::uint8_t> differs(static_cast<std::size_t>(layers));
  visit_labels(now.labels(), [&]<LabelType T>(std::span<const T> labels) {
    const std::span<const T> old = before.labels().as<T>();
    parallel_for(context, layers, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        differs[k] = std::memcmp(labels.data() + k * voxels, old.data() + k * voxels,
                                 static_cast<std::size_t>(voxels) * sizeof(T)) != 0;
      }
    });
  });
  std::vector<Seed> different;
  std::ranges::set_symmetric_difference(
      seeds_before, seeds_now, std::back_inserter(different), [](const Seed& a, const Seed& b) {
        return std::pair(a.offset, a.label) < std::pair(b.offset, b.label);
      });
  for (const Seed& seed : different)
    differs[seed.offset / voxels] = 1;
  return {differs.begin(), differs.end()};
}

}  // namespace

/// Parts of bands, and all that they were made from.
struct Networks::Kept {
  struct OfLabel {
    IntensityScale intensities;
    std::vector<std::int32_t> capacities;
    Parts parts;  // by number, from the first layer on; null: nothing may change
  };
  Volume image;
  LabelMap mask;
  LabelMap labels;
  std::vector<Seed> seeds;
  double band = 0.0;
  std::int64_t layers = 0;
  std::map<Label, OfLabel> of_labels;

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = labels.labels().size_bytes() + seeds.size() * sizeof(Seed);
    for (const auto& [label, of_label] : of_labels) {
      for (const auto& part : of_label.parts) {
        if (!part) continue;
        sum += part->moved.size() * sizeof(std::int64_t) + part->open.size() * sizeof(BandCell);
      }
    }
    return sum;
  }
  /// Returns whether they can serve the other in part.
  [[nodiscard]] bool resembles(const Kept& other) const {
    const Geometry& grid = labels.geometry();
    return image.bytes().data() == other.image.bytes().data() &&
           image.type() == other.image.type() && mask.owner() == other.mask.owner() &&
           grid.size == other.labels.geometry().size &&
           grid.spacing == other.labels.geometry().spacing &&
           labels.labels().bytes_each() == other.labels.labels().bytes_each() &&
           band == other.band && layers == other.layers;
  }
};

Networks::Networks(const RefineBorderProblem& problem, const LabelMap& labels, Context& context)
    : problem_(problem),
      labels_(labels),
      context_(context),
      axis_(layer_axis(labels.geometry())),
      layers_(layers_of_part(labels.geometry(), problem.band, context)),
      before_(context.cache().find<const Kept>(kCacheKey)),
      now_(std::make_shared<Kept>(Kept{.image = problem.image,
                                       .mask = problem.mask,
                                       .labels = labels,
                                       .seeds = problem.seeds,
                                       .band = problem.band,
                                       .layers = layers_,
                                       .of_labels = {}})) {
  if (before_ && !before_->resembles(*now_)) before_ = nullptr;
  if (before_)
    is_changed_ = changed_layers(before_->labels, before_->seeds, labels_, problem.seeds, context);
}

Network Networks::make(Label label, const Box& box) {
  const BorderModel& model = problem_.models.at(label);
  const Capacities capacities(problem_, model);
  const CutCosts costs{problem_.image, model, capacities.tables()};
  Kept::OfLabel& kept = now_->of_labels[label];
  kept = {costs.tables.intensities, capacities.entries(), {}};
  kept.parts = parts_of(label, box, costs);
  Network network{.label = label, .parts = {}, .rest = {}, .cells = {}};
  std::vector<BandCell>& open = network.rest.cells;
  for (const auto& part : kept.parts) {
    if (!part) continue;
    network.parts.push_back(part);
    open.insert(open.end(), part->open.begin(), part->open.end());
  }
  if (open.empty()) return network;
  check_size(open.size());
  SideMap map(labels_, label, band_box(labels_.geometry(), box, problem_.band), context_);
  parallel_for(context_, std::ssize(network.parts), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k)
      move(map, *network.parts[k], labels_.geometry());
  });
  settle(costs, map, network.rest, context_);
  network.cells = network_of(costs, map, network.rest, context_);
  return network;
}

Networks::Parts Networks::parts_of(Label label, const Box& box, const CutCosts& costs) {
  const Geometry& geometry = labels_.geometry();
  const Parts* old = nullptr;
  if (before_) {
    const auto found = before_->of_labels.find(label);
    const Kept::OfLabel& now = now_->of_labels.at(label);
    if (found != before_->of_labels.end() && found->second.intensities == now.intensities &&
        found->second.capacities == now.capacities)
      old = &found->second.parts;
  }
  const std::int64_t reach = band_reach(geometry, problem_.band).steps[axis_];
  const std::int64_t size = geometry.size[axis_];
  const auto is_changed = [&](const Box& part) {
    const std::int64_t first = std::max<std::int64_t>(0, part.lo[axis_] - reach);
    const std::int64_t last = std::min(size, part.hi[axis_] + reach);
    return std::any_of(is_changed_.begin() + first, is_changed_.begin() + last,
                       [](bool changed) { return changed; });
  };
  const Box whole = band_box(geometry, box, problem_.band);
  Parts parts(static_cast<std::size_t>((size + layers_ - 1) / layers_));
  parallel_for(context_, std::ssize(parts), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      context_.checkpoint(0.0);
      Box part = Box::whole(geometry);
      part.lo[axis_] = k * layers_;
      part.hi[axis_] = std::min(size, part.lo[axis_] + layers_);
      if (old != nullptr && !is_changed(part)) {
        parts[k] = (*old)[k];
        continue;
      }
      for (int axis = 0; axis < 3; ++axis) {
        part.lo[axis] = std::max(part.lo[axis], whole.lo[axis]);
        part.hi[axis] = std::min(part.hi[axis], whole.hi[axis]);
      }
      if (!part.empty()) parts[k] = make_part(label, box, part, costs);
    }
  });
  return parts;
}

std::shared_ptr<const SettledPart> Networks::make_part(Label label, const Box& box,
                                                       const Box& part,
                                                       const CutCosts& costs) const {
  Band band;
  band.cells = band_in(part, labels_, label, box, problem_.band);
  remove_fixed(problem_, band.cells);
  if (band.cells.empty()) return nullptr;
  check_size(band.cells.size());
  SideMap map(labels_, label, part, context_);
  map.open_margin(axis_);
  settle(costs, map, band, context_);
  return std::make_shared<const SettledPart>(settled(band));
}

void Networks::keep() {
  context_.cache().put(kCacheKey, now_, now_->bytes());
}

}  // namespace seedwave::border
