// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/image/geometry.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {

/// Labels on a grid, 0 is background. Immutable and shared like a Volume.
///
/// `changed()` is a box outside which the map equals the one that it replaced, so that views update
/// only this box. It is the whole grid if nothing is known.
class LabelMap {
 public:
  LabelMap() = default;
  LabelMap(const Geometry& geometry, std::vector<std::uint16_t> labels)
      : LabelMap(geometry, std::move(labels), Box::whole(geometry)) {}
  LabelMap(const Geometry& geometry, std::vector<std::uint16_t> labels, const Box& changed)
      : geometry_(geometry),
        changed_(changed),
        labels_(std::make_shared<const std::vector<std::uint16_t>>(std::move(labels))) {
    require(static_cast<std::int64_t>(labels_->size()) == geometry.voxel_count());
  }

  [[nodiscard]] bool empty() const noexcept { return labels_ == nullptr; }
  [[nodiscard]] const Geometry& geometry() const noexcept { return geometry_; }
  [[nodiscard]] const Box& changed() const noexcept { return changed_; }
  [[nodiscard]] std::span<const std::uint16_t> labels() const noexcept { return *labels_; }
  /// Returns the same labels, shared, declared to differ from those they replace inside `changed`
  /// only.
  [[nodiscard]] LabelMap with_changed(const Box& changed) const {
    LabelMap map = *this;
    map.changed_ = changed;
    return map;
  }
  [[nodiscard]] const std::shared_ptr<const std::vector<std::uint16_t>>& owner() const noexcept {
    return labels_;
  }
  /// Returns the label at an index, which must be inside.
  [[nodiscard]] std::uint16_t at(const Index3& index) const noexcept {
    return (*labels_)[static_cast<std::size_t>(geometry_.offset(index))];
  }

 private:
  Geometry geometry_;
  Box changed_;
  std::shared_ptr<const std::vector<std::uint16_t>> labels_;
};

/// Returns the smallest box that holds every voxel in which two maps on the same grid differ.
[[nodiscard]] Box changed_box(const LabelMap& before, const LabelMap& after);

/// Returns the number of voxels of each label, without the background and labels that do not occur.
[[nodiscard]] std::map<std::uint16_t, std::int64_t> count_labels(const LabelMap& map);

/// Returns a mask as many programs write it, 255 (16 bits: 65535) inside and 0 outside, with label
/// 1 inside; returns every other map unchanged. Cost: a pass, and a copy if it is such a mask.
[[nodiscard]] LabelMap mask_as_label_1(const LabelMap& map);

}  // namespace seedwave
