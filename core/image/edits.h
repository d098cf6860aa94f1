// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/fixed_voxels.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace seedwave {

/// The edits of a person, which lie above the results of all runs: voxels drawn as a label or as
/// none, and labels that are locked.
///
/// A label that is locked keeps the voxels that it had then: they stay its own, and no other voxel
/// gets it. An immutable value in effect: copies share their voxels.
struct Edits {
  /// Size of the grid that the offsets refer to; zeros if there are no edits.
  Index3 size{0, 0, 0};
  FixedVoxels drawn;
  /// The voxels of each locked label.
  std::map<Label, FixedVoxels> locked;

  [[nodiscard]] bool empty() const noexcept { return drawn.empty() && locked.empty(); }
  [[nodiscard]] bool is_locked(Label label) const { return locked.contains(label); }
  friend bool operator==(const Edits&, const Edits&) = default;
};

/// Returns labels on the grid of the edits with the edits above them. The map itself if they change
/// nothing. `changed()` of the map is that of `labels`.
[[nodiscard]] LabelMap with_edits(const LabelMap& labels, const Edits& edits);

/// Labels that lie over those of a map in some of its voxels.
struct LabelPatch {
  /// In order of their offsets, not overlapping. Label 0 is background.
  std::vector<LabelRun> runs;
  /// Holds all runs; empty if there are none.
  Box box;

  /// Returns the label that lies over a voxel, or nothing.
  [[nodiscard]] std::optional<Label> at(std::int64_t offset) const;
};

/// Returns what changes if `edits` replace the edits `before` above labels: those voxels, with
/// their labels then. Nothing if the locks differ, which change voxels anywhere, or for more than
/// `most` voxels. Cost: the blocks of the edits that differ.
[[nodiscard]] std::optional<LabelPatch> patch_between(
    const LabelMap& labels, const Edits& before, const Edits& edits,
    std::int64_t most = std::numeric_limits<std::int64_t>::max());
/// Returns a copy of a map with a patch over it. `changed()` is the box of the patch.
[[nodiscard]] LabelMap with_patch(const LabelMap& map, const LabelPatch& patch);
/// The same as with_edits() above, made from `shown`, the labels with the edits `before`: a copy of
/// it, changed where the edits differ. `changed()` is the box of those places.
[[nodiscard]] LabelMap with_edits(const LabelMap& labels, const Edits& edits, const LabelMap& shown,
                                  const Edits& before);

/// Returns the voxels of a label in a map.
[[nodiscard]] FixedVoxels voxels_of(const LabelMap& labels, Label label);

/// Returns the edits as a label image: 0 where nothing is fixed, kFixedAsNone where none is.
[[nodiscard]] LabelMap as_labels(const Edits& edits, const Geometry& geometry);
/// Returns the edits that a label image of that form states; voxels of labels in `locked` are those
/// of locked labels. Throws InputError, which names the label and `what`, for one between
/// kLargestLabel and kFixedAsNone.
[[nodiscard]] Edits edits_from(const LabelMap& labels, const std::set<Label>& locked,
                               const std::string& what);

/// Returns the part of the edits inside a box of their grid, on the grid of the box.
[[nodiscard]] Edits cropped(const Edits& edits, const Box& box);

}  // namespace seedwave
