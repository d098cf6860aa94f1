// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/vec3.h"
#include "core/parallel/context.h"

#include <array>
#include <cstdint>
#include <vector>

namespace seedwave::border {

/// Integer measure of short distances: the square of a step is dx^2 weights[0] + dy^2 weights[1] +
/// dz^2 weights[2], and its length unit * sqrt(square).
struct BandScale {
  std::array<std::uint32_t, 3> weights{};
  double unit = 1.0;
};

/// Largest width of a band to either side of a border, in voxels along an axis.
inline constexpr std::int64_t kLargestReach = 64;

/// Returns the scale of a grid: with 1/16 of the smallest spacing as the unit, squared spacings are
/// rounded to whole units. Lengths are right to 0.1 %.
[[nodiscard]] BandScale band_scale(const Geometry& geometry);

/// Returns the smallest spacing of the axes of more than one voxel; 1 if there are none.
[[nodiscard]] double smallest_spacing(const Geometry& geometry);
/// Returns the edge of a cube, or the side of a square, of a voxel's size in these axes; 1 if there
/// are none.
[[nodiscard]] double cube_edge(const Geometry& geometry);
/// Returns the largest reach of a band on a grid.
[[nodiscard]] double widest_band(const Geometry& geometry);

/// Limits of a band around a border.
struct BandReach {
  BandScale scale;
  /// Largest square of a distance within the band.
  std::uint32_t limit = 0;
  /// Largest steps along each axis; at least 1, but 0 along an axis of one voxel.
  Index3 steps{};

  /// The largest square of a cell of the band: that of a face neighbour may exceed the limit.
  [[nodiscard]] std::uint32_t largest_square() const;
};

/// Returns the limits of a band of a width, in units of the spacing.
[[nodiscard]] BandReach band_reach(const Geometry& geometry, double width);

/// A voxel near the border of a label.
struct BandCell {
  std::int64_t offset = 0;
  /// Square of the distance to the nearest voxel on the other side of the border, among those
  /// within the steps of the reach along each axis: positive inside the label, negative outside.
  std::int32_t square = 0;
};

/// Returns a box that holds the band around a label with all its voxels in `box`.
[[nodiscard]] Box band_box(const Geometry& geometry, const Box& box, double reach);

/// Returns the last axis of more than one voxel: a band is searched in parts of some layers along
/// it.
[[nodiscard]] int layer_axis(const Geometry& geometry);
/// Returns the number of layers of a part: Context::layers() if given, or else so many that its
/// margins, which are searched twice, cost little.
[[nodiscard]] std::int64_t layers_of_part(const Geometry& geometry, double reach,
                                          const Context& context);

/// Returns the voxels of a part of band_box() within `reach` of the other side of the border of
/// `label`, sorted by offset: those of the label with another voxel in reach, and the others with
/// one of the label. Voxels with a face neighbour on the other side count whatever the reach. They
/// depend on the labels of the part and the layers in reach alone.
///
/// box: holds all voxels of the label. reach: in units of the spacing; at most kLargestReach voxels
/// along each axis. Memory: about 9 bytes per voxel of the part, and the result.
[[nodiscard]] std::vector<BandCell> band_in(const Box& part, const LabelMap& labels, Label label,
                                            const Box& box, double reach);

/// Marks voxels near the border of a label, for estimates.
enum class RingMark : std::uint8_t {
  Away,
  Outside,  // of the label
  Near,     // inside, but within the band of a cut
  Sure      // inside whatever a cut says
};

/// The voxels of a box, x fastest, marked by where they lie near the border of a label.
struct Ring {
  Box box;
  std::vector<RingMark> marks;
};

/// Marks the voxels that band_in() returns for all parts; those in `band` are near.
[[nodiscard]] Ring ring_around(const LabelMap& labels, Label label, const Box& box, double reach,
                               double band, Context& context);

}  // namespace seedwave::border
