// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/fixed_voxels.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// A point of a 2-D image in world coordinates.
using RegionPoint = std::array<double, 2>;
/// A closed line, its first corner not repeated.
using RegionRing = std::vector<RegionPoint>;
/// An outer ring and those around its holes: a point is inside if a line from it to the outside
/// crosses the rings an odd number of times.
using RegionPolygon = std::vector<RegionRing>;

/// The bounds of a region, in world coordinates.
struct RegionBounds {
  RegionPoint low{0.0, 0.0};
  RegionPoint high{0.0, 0.0};
};

/// An area of a 2-D image that a person drew or kept of a result. It lies in the world, so it keeps
/// its place in every level and part of a slide.
struct Region {
  /// The label that is its class; 0 for none.
  Label label = 0;
  std::string name{};
  /// Set for one of many objects that a run found, such as a nucleus ("detection" in QuPath).
  bool is_object = false;
  std::vector<RegionPolygon> polygons{};
  friend bool operator==(const Region&, const Region&) = default;
};

/// Regions in the order in which they were made; copies share them.
using Regions = std::vector<std::shared_ptr<const Region>>;

/// Returns the bounds of a region; zeros if it has no corners.
[[nodiscard]] RegionBounds bounds_of(const Region& region);
/// Returns the area in square units of the world. Polygons that overlap count twice.
[[nodiscard]] double area_of(const Region& region);
/// Returns the same region with another class.
[[nodiscard]] std::shared_ptr<const Region> relabelled(const Region& region, Label label);
/// Returns whether a point of the world lies in a region, by the even-odd rule.
[[nodiscard]] bool is_inside(const Region& region, const RegionPoint& point);
/// Returns the place in the list of the smallest region that holds a point; nothing if none does.
[[nodiscard]] std::optional<std::size_t> region_at(const Regions& regions,
                                                   const RegionPoint& point);
/// Returns whether both are the same regions in the same order.
[[nodiscard]] bool same_regions(const Regions& a, const Regions& b);

/// Returns what a person outlined: corners in continuous indices of the grid along its first two
/// axes.
[[nodiscard]] Region outlined_region(Label label, const std::vector<std::array<double, 2>>& corners,
                                     const Geometry& grid);

enum class RegionKind {
  /// A region for each part that hangs together, with its label as its class.
  Areas,
  /// The same, but the numbers of the labels are those of objects, which have the class `label`.
  Objects,
};
/// Returns the regions of 2-D labels along the edges of their pixels, in the order of their first
/// pixels. `checkpoint` is called for each row, and may throw.
[[nodiscard]] Regions regions_from(const LabelMap& labels, RegionKind kind, Label label,
                                   const std::function<void()>& checkpoint);

/// Returns the pixels of a 2-D grid inside any of the regions, as runs of a label in order of their
/// offsets. Throws InputError where that would take minutes.
[[nodiscard]] std::vector<LabelRun> runs_inside(const Regions& regions, const Geometry& grid,
                                                Label label);
/// The same of the pixels outside all of them.
[[nodiscard]] std::vector<LabelRun> runs_outside(const Regions& regions, const Geometry& grid,
                                                 Label label);

}  // namespace seedwave
