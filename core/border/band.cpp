// SPDX-License-Identifier: Apache-2.0
#include "core/border/band.h"

#include "core/border/kernel.h"
#include "core/image/crop.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace seedwave::border {
namespace {

/// Number of voxels of a part without its margins, at least.
constexpr std::int64_t kPartVoxels = 1 << 17;
/// Units per smallest spacing.
constexpr double kUnits = 16.0;

/// Cells of a part with margins, x fastest: 1 inside the label.
struct Sides {
  Index3 size{};
  std::vector<std::uint8_t> inside;
};

/// Distances to the nearest cell of one side, as squares; larger ones than the reach's are not
/// exact.
template <typename Square>
class Squares {
 public:
  /// Half of the type's range, so that a sum of two does not overflow.
  static constexpr Square kBeyond = std::numeric_limits<Square>::max() / 2;

  /// wanted: the cells whose squares are needed.
  Squares(const Sides& sides, std::uint8_t side, const BandReach& reach, const Box& wanted)
      : size_(sides.size), wanted_(wanted), squares_(sides.inside.size()) {
    along_rows(sides.inside, side, costs_of(reach, 0));
    if (size_[1] > 1) across_rows(1, costs_of(reach, 1));
    if (size_[2] > 1) across_rows(2, costs_of(reach, 2));
  }

  /// Returns the squares from a cell on.
  [[nodiscard]] const Square* from(std::int64_t cell) const { return squares_.data() + cell; }

 private:
  using Costs = std::vector<Square>;

  /// Returns the squares of 0, 1, ... steps along an axis.
  static Costs costs_of(const BandReach& reach, int axis) {
    Costs costs;
    for (std::int64_t step = 0; step <= reach.steps[axis]; ++step)
      costs.push_back(static_cast<Square>(std::min<std::uint64_t>(
          kBeyond, std::uint64_t{reach.scale.weights[axis]} * (step * step))));
    return costs;
  }

  /// Finds the nearest cells of the side in each row.
  void along_rows(const std::vector<std::uint8_t>& inside, std::uint8_t side, const Costs& costs) {
    const std::int64_t reach = std::ssize(costs) - 1;
    std::vector<Square> row(static_cast<std::size_t>(size_[0] + 2 * reach), kBeyond);
    std::vector<const Square*> shifted;
    for (std::int64_t step = 0; step <= 2 * reach; ++step)
      shifted.push_back(row.data() + step);
    for (std::int64_t first = 0; first < std::ssize(squares_); first += size_[0]) {
      const auto cells = inside.begin() + first;
      std::transform(cells, cells + size_[0], row.begin() + reach,
                     [side](std::uint8_t cell) { return cell == side ? Square{0} : kBeyond; });
      lower_(shifted.data() + reach, size_[0], costs.data(), reach, squares_.data() + first);
    }
  }

  /// Takes the minimum over steps to other rows along an axis.
  void across_rows(int axis, const Costs& costs) {
    const std::int64_t reach = std::ssize(costs) - 1;
    before_.swap(squares_);
    squares_.resize(before_.size());
    const std::vector<Square> beyond(static_cast<std::size_t>(size_[0]), kBeyond);
    std::vector<const Square*> rows(2 * costs.size() - 1);
    const std::int64_t begin = axis == 1 ? 0 : wanted_.lo[2];
    const std::int64_t end = axis == 1 ? size_[2] : wanted_.hi[2];
    for (std::int64_t z = begin; z < end; ++z) {
      for (std::int64_t y = wanted_.lo[1]; y < wanted_.hi[1]; ++y) {
        const std::int64_t first = size_[0] * (y + size_[1] * z);
        const std::int64_t at = axis == 1 ? y : z;
        const std::int64_t stride = axis == 1 ? size_[0] : size_[0] * size_[1];
        for (std::int64_t step = -reach; step <= reach; ++step) {
          const bool exists = at + step >= 0 && at + step < size_[axis];
          rows[reach + step] = exists ? before_.data() + first + step * stride : beyond.data();
        }
        lower_(rows.data() + reach, size_[0], costs.data(), reach, squares_.data() + first);
      }
    }
  }

  Index3 size_;
  Box wanted_;
  Lower<Square> lower_ = best_kernel().lower(Square{});
  std::vector<Square> squares_;
  std::vector<Square> before_;
};

class Search {
 public:
  Search(const LabelMap& labels, Label label, const Box& box, double reach)
      : labels_(labels),
        label_(label),
        reach_(band_reach(labels.geometry(), reach)),
        box_(band_box(labels.geometry(), box, reach)),
        holds_all_faces_(reach_.largest_square() == reach_.limit) {}

  [[nodiscard]] const Box& box() const { return box_; }
  /// Calls visitor(place in the box, cell) for the cells of the band in a part of the box, by their
  /// offsets.
  template <typename Visitor>
  void visit(const Box& part, const Visitor& visitor) const {
    constexpr std::uint32_t kSmall = Squares<std::uint16_t>::kBeyond;
    if (reach_.largest_square() < kSmall) {
      visit_as<std::uint16_t>(part, visitor);
    } else {
      visit_as<std::uint32_t>(part, visitor);
    }
  }

 private:
  /// Number of cells of a row that are passed over at once if all lie beyond the limit.
  static constexpr std::int64_t kAtOnce = 32;

  /// Reads the cells of a box.
  [[nodiscard]] Sides sides_of(const Box& box) const {
    Sides sides;
    for (int axis = 0; axis < 3; ++axis)
      sides.size[axis] = box.hi[axis] - box.lo[axis];
    sides.inside.resize(static_cast<std::size_t>(sides.size[0] * sides.size[1] * sides.size[2]));
    visit_labels(labels_.labels(), [&]<LabelType T>(std::span<const T> labels) {
      const T label = static_cast<T>(label_);
      auto* to = sides.inside.data();
      for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
        for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y, to += sides.size[0]) {
          const T* row = labels.data() + labels_.geometry().offset({box.lo[0], y, z});
          std::transform(row, row + sides.size[0], to,
                         [label](T other) -> std::uint8_t { return other == label ? 1 : 0; });
        }
      }
    });
    return sides;
  }

  template <typename Square, typename Visitor>
  void visit_as(const Box& part, const Visitor& visitor) const {
    Box seen;    // from the part
    Box wanted;  // the part in it
    for (int axis = 0; axis < 3; ++axis) {
      seen.lo[axis] = std::max(box_.lo[axis], part.lo[axis] - reach_.steps[axis]);
      seen.hi[axis] = std::min(box_.hi[axis], part.hi[axis] + reach_.steps[axis]);
      wanted.lo[axis] = part.lo[axis] - seen.lo[axis];
      wanted.hi[axis] = part.hi[axis] - seen.lo[axis];
    }
    const Sides sides = sides_of(seen);
    if (std::ranges::find(sides.inside, 1) == sides.inside.end()) return;
    const Squares<Square> to_outside(sides, 0, reach_, wanted);
    const Squares<Square> to_inside(sides, 1, reach_, wanted);
    const auto place_in = [&](const Box& box, std::int64_t y, std::int64_t z) {
      return part.lo[0] - box.lo[0] +
             (box.hi[0] - box.lo[0]) * (y - box.lo[1] + (box.hi[1] - box.lo[1]) * (z - box.lo[2]));
    };
    const std::int64_t length = part.hi[0] - part.lo[0];
    for (std::int64_t z = part.lo[2]; z < part.hi[2]; ++z) {
      for (std::int64_t y = part.lo[1]; y < part.hi[1]; ++y) {
        const std::int64_t row = labels_.geometry().offset({part.lo[0], y, z});
        const std::int64_t place = place_in(box_, y, z);
        std::int64_t cell = place_in(seen, y, z);
        for (std::int64_t x = 0; x < length;) {
          if (x + kAtOnce <= length && holds_all_faces_ &&
              least_of(to_outside.from(cell), to_inside.from(cell)) > reach_.limit) {
            x += kAtOnce;
            cell += kAtOnce;
            continue;
          }
          const std::int64_t end = std::min(x + kAtOnce, length);
          for (; x < end; ++x, ++cell) {
            const bool inside = sides.inside[cell] != 0;
            const auto square =
                static_cast<std::int32_t>(*(inside ? to_outside : to_inside).from(cell));
            if (static_cast<std::uint32_t>(square) <= reach_.limit ||
                (!holds_all_faces_ && touches_other_side(sides, cell)))
              visitor(place + x, BandCell{row + x, inside ? square : -square});
          }
        }
      }
    }
  }

  /// Returns the least distance of kAtOnce cells to the other side; that to their own is 0.
  template <typename Square>
  [[nodiscard]] static Square least_of(const Square* to_outside, const Square* to_inside) {
    Square least = std::numeric_limits<Square>::max();
    for (std::int64_t i = 0; i < kAtOnce; ++i)
      least = std::min(least, std::max(to_outside[i], to_inside[i]));
    return least;
  }

  /// Returns whether a face neighbour lies on the other side.
  [[nodiscard]] static bool touches_other_side(const Sides& sides, std::int64_t cell) {
    const std::int64_t row = sides.size[0];
    const std::int64_t plane = row * sides.size[1];
    const std::uint8_t side = sides.inside[cell];
    const auto differs = [&](bool exists, std::int64_t to) {
      return exists && sides.inside[to] != side;
    };
    const std::int64_t x = cell % row;
    const std::int64_t y = cell / row % sides.size[1];
    const std::int64_t z = cell / plane;
    return differs(x > 0, cell - 1) || differs(x + 1 < row, cell + 1) ||
           differs(y > 0, cell - row) || differs(y + 1 < sides.size[1], cell + row) ||
           differs(z > 0, cell - plane) || differs(z + 1 < sides.size[2], cell + plane);
  }

  const LabelMap& labels_;
  Label label_;
  BandReach reach_;
  Box box_;
  /// Set if voxels with a face on the other side are within the limit.
  bool holds_all_faces_;
};

}  // namespace

double smallest_spacing(const Geometry& geometry) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] > 1) smallest = std::min(smallest, geometry.spacing[axis]);
  }
  return std::isfinite(smallest) ? smallest : 1.0;
}

double cube_edge(const Geometry& geometry) {
  double size = 1.0;
  int axes = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] == 1) continue;
    size *= geometry.spacing[axis];
    ++axes;
  }
  return axes == 0 ? 1.0 : std::pow(size, 1.0 / axes);
}

double widest_band(const Geometry& geometry) {
  const bool is_one_voxel = geometry.voxel_count() == 1;
  return is_one_voxel ? std::numeric_limits<double>::infinity()
                      : smallest_spacing(geometry) * static_cast<double>(kLargestReach);
}

BandScale band_scale(const Geometry& geometry) {
  const double smallest = smallest_spacing(geometry);
  BandScale scale{.weights = {1, 1, 1}, .unit = smallest / kUnits};
  constexpr double kMost = 1U << 28;
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] == 1) continue;
    const double ratio = kUnits * geometry.spacing[axis] / smallest;
    scale.weights[axis] = static_cast<std::uint32_t>(std::lround(std::min(ratio * ratio, kMost)));
  }
  return scale;
}

std::uint32_t BandReach::largest_square() const {
  std::uint32_t largest = limit;
  for (int axis = 0; axis < 3; ++axis) {
    if (steps[axis] > 0) largest = std::max(largest, scale.weights[axis]);
  }
  return largest;
}

BandReach band_reach(const Geometry& geometry, double width) {
  BandReach reach{.scale = band_scale(geometry)};
  const double in_units = width / reach.scale.unit;
  reach.limit = static_cast<std::uint32_t>(in_units * in_units);
  for (int axis = 0; axis < 3; ++axis) {
    const auto within =
        static_cast<std::int64_t>(std::sqrt(reach.limit / reach.scale.weights[axis]));
    reach.steps[axis] = geometry.size[axis] == 1 ? 0 : std::max<std::int64_t>(1, within);
  }
  return reach;
}

Box band_box(const Geometry& geometry, const Box& box, double reach) {
  const Index3 steps = band_reach(geometry, reach).steps;
  Box grown;
  for (int axis = 0; axis < 3; ++axis) {
    grown.lo[axis] = std::max<std::int64_t>(0, box.lo[axis] - steps[axis]);
    grown.hi[axis] = std::min(geometry.size[axis], box.hi[axis] + steps[axis]);
  }
  return grown;
}

int layer_axis(const Geometry& geometry) {
  return geometry.size[2] > 1 ? 2 : geometry.size[1] > 1 ? 1 : 0;
}

std::int64_t layers_of_part(const Geometry& geometry, double reach, const Context& context) {
  if (context.layers() > 0) return context.layers();
  const int axis = layer_axis(geometry);
  const std::int64_t layer = geometry.voxel_count() / geometry.size[axis];
  return std::max(kPartVoxels / layer, 4 * band_reach(geometry, reach).steps[axis] + 1);
}

std::vector<BandCell> band_in(const Box& part, const LabelMap& labels, Label label, const Box& box,
                              double reach) {
  std::vector<BandCell> band;
  if (box.empty()) return band;
  Search(labels, label, box, reach).visit(part, [&](std::int64_t, const BandCell& cell) {
    band.push_back(cell);
  });
  return band;
}

Ring ring_around(const LabelMap& labels, Label label, const Box& box, double reach, double band,
                 Context& context) {
  if (box.empty()) return {};
  const Geometry& geometry = labels.geometry();
  const double units = band / band_scale(geometry).unit;
  const auto in_band = static_cast<std::int32_t>(std::min(units * units, 2e9));
  const Search search(labels, label, box, reach);
  const Geometry grid = crop(geometry, search.box());
  Ring ring{search.box(),
            large_vector<RingMark>(context, static_cast<std::size_t>(grid.voxel_count()))};
  const int axis = layer_axis(geometry);
  const std::int64_t layers = layers_of_part(geometry, reach, context);
  const Box& whole = search.box();
  const std::int64_t parts = (whole.hi[axis] - whole.lo[axis] + layers - 1) / layers;
  parallel_for(context, parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      context.checkpoint(0.0);
      Box part = whole;
      part.lo[axis] += k * layers;
      part.hi[axis] = std::min(part.lo[axis] + layers, whole.hi[axis]);
      search.visit(part, [&](std::int64_t place, const BandCell& cell) {
        ring.marks[place] = cell.square < 0         ? RingMark::Outside
                            : cell.square > in_band ? RingMark::Sure
                                                    : RingMark::Near;
      });
    }
  });
  return ring;
}

}  // namespace seedwave::border
