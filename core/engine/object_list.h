// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/morphology/connected_parts.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// The objects of a label map: labels that an operation numbered, or the connected parts of each
/// label. Neighbours share an edge, of voxels a face.
class ObjectList {
 public:
  ObjectList() = default;
  /// Finds the objects. Memory: that of connected_parts(). Throws Cancelled.
  ObjectList(const LabelMap& labels, bool are_numbered, Context& context);

  [[nodiscard]] const LabelMap& labels() const noexcept { return labels_; }
  [[nodiscard]] const Geometry& grid() const noexcept { return labels_.geometry(); }
  /// Returns whether each label is an object.
  [[nodiscard]] bool are_numbered() const noexcept { return are_numbered_; }
  /// Numbered ones in the order of their labels, others in that of their first voxels.
  [[nodiscard]] const std::vector<ConnectedPart>& objects() const noexcept { return objects_; }

  /// Returns the sorted offsets of the voxels of an object. This and the next two take the time of
  /// looking at its voxels, and throw Cancelled.
  [[nodiscard]] std::vector<std::int64_t> voxels_of(std::size_t object, Context& context) const;
  /// Returns the voxel of an object that is nearest to its centre, of several the first.
  [[nodiscard]] Index3 middle_of(std::size_t object, Context& context) const;
  /// Returns the object that holds a voxel; none on the background or outside.
  [[nodiscard]] std::optional<std::size_t> object_at(const Index3& voxel, Context& context) const;
  /// Returns the median of their numbers of voxels, of an even number of objects the larger of the
  /// two in the middle; 0 if there are none.
  [[nodiscard]] std::int64_t median_voxels() const;
  /// Returns these objects as CSV, in the columns of `measure-objects`.
  [[nodiscard]] std::string csv(std::span<const std::int32_t> objects) const;

 private:
  LabelMap labels_;
  bool are_numbered_ = false;
  std::vector<ConnectedPart> objects_;
};

}  // namespace seedwave
