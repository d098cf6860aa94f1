// SPDX-License-Identifier: Apache-2.0
#include "core/border/network.h"

#include "core/base/error.h"
#include "core/border/linked_cells.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
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

/// Moves the voxels of a part that lie in a map to the other side.
void move(SideMap& map, const SettledPart& part, const Geometry& geometry) {
  Places places(geometry, map);
  for (const std::int64_t offset : part.moved) {
    if (!places.holds(offset)) continue;
    const std::int64_t place = places.of(offset);
    map.set(place, map.at(place) == SideMap::Inside ? SideMap::Outside : SideMap::Inside);
  }
}

bool holds(const Box& box, const Index3& at) {
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] < box.lo[axis] || at[axis] >= box.hi[axis]) return false;
  }
  return true;
}

Box box_around(const std::vector<BandCell>& cells, const Geometry& geometry) {
  Box box;
  for (const BandCell& cell : cells)
    box.include(geometry.index_of(cell.offset));
  return box;
}

}  // namespace

void Network::set_sides(const std::vector<CutSide>& of_cells) {
  for (std::size_t i = 0; i < band.open.size(); ++i)
    band.sides[band.open[i]] = of_cells[i];
  for (std::size_t i = 0; i < wanted.size(); ++i)
    sides[wanted[i]] = band.sides[i];
}

/// The network of a label, and what else it was made from.
struct Networks::KeptLabel {
  IntensityScale intensities;
  std::vector<std::int32_t> capacities;
  SettledParts parts;
  std::vector<BandCell> open;
  std::vector<CutSide> sides;

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = open.size() * (sizeof(BandCell) + sizeof(CutSide));
    for (const auto& part : parts) {
      if (part)
        sum += part->moved.size() * sizeof(std::int64_t) + part->open.size() * sizeof(BandCell);
    }
    return sum;
  }
};

struct Networks::Kept {
  Volume image;
  LabelMap mask;
  LabelsAndSeeds from;
  double band = 0.0;
  PartGrid parts;
  std::map<Label, KeptLabel> of_labels;

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = from.labels.labels().size_bytes() + from.seeds.size() * sizeof(Seed);
    for (const auto& [label, of_label] : of_labels)
      sum += of_label.bytes();
    return sum;
  }
  /// Returns whether they can serve the other in part.
  [[nodiscard]] bool resembles(const Kept& other) const {
    const Geometry& grid = from.labels.geometry();
    const Geometry& other_grid = other.from.labels.geometry();
    return image.bytes().data() == other.image.bytes().data() &&
           image.type() == other.image.type() && mask.owner() == other.mask.owner() &&
           grid.size == other_grid.size && grid.spacing == other_grid.spacing &&
           from.labels.labels().bytes_each() == other.from.labels.labels().bytes_each() &&
           band == other.band && parts == other.parts;
  }
};

Networks::Networks(const RefineBorderProblem& problem, const LabelMap& labels, Context& context)
    : problem_(problem),
      labels_(labels),
      context_(context),
      parts_(labels.geometry(), problem.band, context),
      before_(context.cache().find<const Kept>(kCacheKey)),
      now_(std::make_shared<Kept>(Kept{.image = problem.image,
                                       .mask = problem.mask,
                                       .from = {labels, problem.seeds},
                                       .band = problem.band,
                                       .parts = parts_,
                                       .of_labels = {}})) {
  if (before_ && !before_->resembles(*now_)) before_ = nullptr;
  if (before_) changes_ = changes_between(before_->from, now_->from, parts_, context);
}

Network Networks::make(Label label, const Box& box) {
  const Geometry& geometry = labels_.geometry();
  const BorderModel& model = problem_.models.at(label);
  const Capacities capacities(problem_, model);
  const CutCosts costs{problem_.image, model, capacities.tables()};
  now_->of_labels[label] = {.intensities = costs.tables.intensities,
                            .capacities = capacities.entries(),
                            .parts = {},
                            .open = {},
                            .sides = {}};
  Network network;
  network.label = label;
  network.parts = parts_of(label, box, costs);
  for (const auto& part : network.parts) {
    if (part) network.open.insert(network.open.end(), part->open.begin(), part->open.end());
  }
  check_size(network.open.size());
  std::ranges::sort(network.open, {}, &BandCell::offset);
  choose_wanted(network);
  Band& band = network.band;
  for (const std::int32_t i : network.wanted)
    band.cells.push_back(network.open[i]);
  if (band.cells.empty()) return network;
  SideMap map(labels_, label, box_around(band.cells, geometry), context_);
  parallel_for(context_, std::ssize(network.parts), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      if (network.parts[k]) move(map, *network.parts[k], geometry);
    }
  });
  settle(costs, map, band, context_);
  network.cells = network_of(costs, map, band, context_);
  return network;
}

/// Returns what was kept of the label, if its cut costs the same.
const Networks::KeptLabel* Networks::kept_of(Label label) const {
  if (!before_) return nullptr;
  const auto found = before_->of_labels.find(label);
  if (found == before_->of_labels.end()) return nullptr;
  const KeptLabel& now = now_->of_labels.at(label);
  const bool is_same =
      found->second.intensities == now.intensities && found->second.capacities == now.capacities;
  return is_same ? &found->second : nullptr;
}

/// Returns whether a label or a seed differs in reach of a part.
bool Networks::is_changed(const Box& part) const {
  const Geometry& geometry = labels_.geometry();
  const Box reach = band_box(geometry, part, problem_.band);
  bool changed = false;
  parts_.visit(reach, [&](std::int64_t other) {
    const Box& change = changes_[other];
    bool shared = !change.empty();
    for (int axis = 0; axis < 3; ++axis)
      shared = shared && change.lo[axis] < reach.hi[axis] && reach.lo[axis] < change.hi[axis];
    changed = changed || shared;
  });
  return changed;
}

SettledParts Networks::parts_of(Label label, const Box& box, const CutCosts& costs) const {
  const KeptLabel* old = kept_of(label);
  const Box whole = band_box(labels_.geometry(), box, problem_.band);
  SettledParts parts(static_cast<std::size_t>(parts_.count()));
  parallel_for(context_, parts_.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      context_.checkpoint(0.0);
      Box part = parts_.box(k);
      if (old != nullptr && !is_changed(part)) {
        parts[k] = old->parts[k];
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

std::shared_ptr<const SettledPart> Networks::make_part(Label label, const Box& box, const Box& part,
                                                       const CutCosts& costs) const {
  Band band;
  band.cells = band_in(part, labels_, label, box, problem_.band);
  remove_fixed(problem_, band.cells);
  if (band.cells.empty()) return nullptr;
  check_size(band.cells.size());
  SideMap map(labels_, label, part, context_);
  for (int axis = 0; axis < 3; ++axis) {
    if (parts_.is_divided(axis)) map.open_margin(axis);
  }
  settle(costs, map, band, context_);
  return std::make_shared<const SettledPart>(settled(band));
}

/// Returns the offsets, sorted, of the open voxels in parts that are new, or beside them: a
/// neighbour there may have another side than before.
std::vector<std::int64_t> Networks::voxels_near(const SettledParts& parts,
                                                const SettledParts& old) const {
  const Geometry& geometry = labels_.geometry();
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = 0; k < std::ssize(parts); ++k) {
    if (!parts[k]) continue;
    const bool is_new = parts[k] != old[k];
    const Box box = parts_.box(k);
    Box inside = box;  // the voxels that touch no new part
    parts_.visit_neighbours(k, [&](std::int64_t other, int axis) {
      if (parts[other] == old[other]) return;
      if (other < k) inside.lo[axis] = box.lo[axis] + 1;
      if (other > k) inside.hi[axis] = box.hi[axis] - 1;
    });
    if (!is_new && inside == box) continue;
    for (const BandCell& cell : parts[k]->open) {
      if (is_new || !holds(inside, geometry.index_of(cell.offset))) offsets.push_back(cell.offset);
    }
  }
  std::ranges::sort(offsets);
  return offsets;
}

/// Takes over the sides of voxels that no edge connects with a change.
void Networks::choose_wanted(Network& network) const {
  network.sides.resize(network.open.size(), CutSide::Either);
  const KeptLabel* old = kept_of(network.label);
  if (old == nullptr) {
    network.wanted.resize(network.open.size());
    std::iota(network.wanted.begin(), network.wanted.end(), 0);
    return;
  }
  const std::vector<std::uint8_t> is_wanted =
      linked_with(network.open, labels_.geometry(), voxels_near(network.parts, old->parts));
  auto kept = old->open.begin();
  for (std::size_t i = 0; i < network.open.size(); ++i) {
    if (is_wanted[i] != 0) {
      network.wanted.push_back(static_cast<std::int32_t>(i));
      continue;
    }
    while (kept->offset < network.open[i].offset)
      ++kept;
    network.sides[i] = old->sides[kept - old->open.begin()];
  }
}

void Networks::keep(std::vector<Network> networks) {
  for (Network& network : networks) {
    KeptLabel& kept = now_->of_labels.at(network.label);
    kept.parts = std::move(network.parts);
    kept.open = std::move(network.open);
    kept.sides = std::move(network.sides);
  }
  context_.cache().put(kCacheKey, now_, now_->bytes());
}

}  // namespace seedwave::border
