// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Connected components of label maps: sets of connected voxels of equal label, in raster order of
/// their first voxels (L. He et al., Pattern Recognition 70, 2017; here by runs, in strips of rows
/// on all threads, joined by union-find).
namespace seedwave {

/// A connected part of a label, or all of a label's voxels.
struct ConnectedPart {
  Label label = 0;
  std::int64_t voxels = 0;
  Box box;
  /// Its first voxel in raster order.
  Index3 first{0, 0, 0};
  /// Sums of the indices of its voxels, by axis.
  Index3 sums{0, 0, 0};

  /// Returns the mean of its voxels' indices.
  [[nodiscard]] Vec3 centre() const noexcept;
  /// Adds the voxels of another part, which begins later.
  void add(const ConnectedPart& other) noexcept;
};

/// Returns the parts of at least `smallest` voxels. 0 is background.
///
/// Memory: 130 bytes for each part, however large the map is. Moves through the map in order.
/// Throws InputError if there are 2^32 parts or more, Cancelled.
[[nodiscard]] std::vector<ConnectedPart> connected_parts(const LabelMap& labels,
                                                         Connectivity connectivity,
                                                         std::int64_t smallest, Context& context);

/// Returns the parts of objects, whatever their values: u8, 0 is background. Their label is 1.
[[nodiscard]] std::vector<ConnectedPart> connected_parts(const Volume& objects,
                                                         Connectivity connectivity,
                                                         Context& context);

/// Returns the objects without the parts that are not kept, as u8: 1. Moves through them twice.
[[nodiscard]] Volume kept_parts(const Volume& objects, Connectivity connectivity,
                                const std::function<bool(const ConnectedPart&)>& keep,
                                Context& context);

/// Returns the parts of at least `smallest` voxels as labels 1, 2, ...; others get 0. Moves through
/// the map twice. Throws as connected_parts().
[[nodiscard]] LabelMap number_connected_parts(const LabelMap& labels, Connectivity connectivity,
                                              std::int64_t smallest, Context& context);

/// Cells begin .. end - 1 of a row, of one label.
struct PartRun {
  std::int32_t begin = 0;
  std::int32_t end = 0;
  Label label = 0;
  std::uint32_t part = 0;  // index in PartStrip::numbers
};

/// The runs of consecutive rows, lent for the length of a call. Rows are counted through all slices
/// of a volume, whose strips are whole slices.
struct PartStrip {
  std::int64_t first_row = 0;
  std::span<const PartRun> runs;
  /// The first run of each row, and the number of runs.
  std::span<const std::size_t> first_runs;
  /// The numbers of the parts, from 1; 0 for those below the smallest size.
  std::span<const std::uint32_t> numbers;

  [[nodiscard]] std::int64_t rows() const noexcept { return std::ssize(first_runs) - 1; }
  /// Returns the runs of the strip's row, counted from 0.
  [[nodiscard]] std::span<const PartRun> row(std::int64_t row) const;
};

/// Called on any thread with a strip. The function that it returns is called on the caller's thread
/// in the order of the strips.
using VisitPartStrip = std::function<std::function<void()>(const PartStrip&)>;

/// Returns the same as connected_parts(), and shows the map once more, strip by strip, to what
/// begin(parts) returns. Strips do not depend on the number of threads. Throws as
/// connected_parts().
std::vector<ConnectedPart> visit_connected_parts(
    const LabelMap& labels, Connectivity connectivity, std::int64_t smallest,
    const std::function<VisitPartStrip(const std::vector<ConnectedPart>& parts)>& begin,
    Context& context);

/// Returns the voxels of each label together, in increasing order of the labels, of parts in any
/// order.
[[nodiscard]] std::vector<ConnectedPart> joined_by_label(std::vector<ConnectedPart> parts);

}  // namespace seedwave
