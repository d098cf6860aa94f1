// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/shown_unit.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/morphology/measure_objects.h"
#include "core/ops/object_table.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave {

/// The objects of a label map: labels that an operation numbered, or the connected parts of each
/// label. Neighbours share an edge, of voxels a face.
class ObjectList {
 public:
  ObjectList() = default;
  /// A number of each object, as people read it.
  struct Column {
    ObjectColumn column;
    ShownUnit unit;
  };

  /// Finds and measures the objects. Their intensity is measured if the image lies on their grid
  /// and has channels that MeasuredChannels knows; in colour images also that in own stains.
  /// Memory: that of measure_objects(). Throws InputError as channel_named(), Cancelled.
  ObjectList(const LabelMap& labels, bool are_numbered, const Volume& image,
             std::vector<std::string> own_stains, Context& context);

  [[nodiscard]] const LabelMap& labels() const noexcept { return labels_; }
  [[nodiscard]] const Geometry& grid() const noexcept { return labels_.geometry(); }
  /// Returns whether each label is an object.
  [[nodiscard]] bool are_numbered() const noexcept { return are_numbered_; }
  [[nodiscard]] const std::vector<std::string>& own_stains() const noexcept { return own_stains_; }
  /// Numbered ones in the order of their labels, others in that of their first voxels.
  [[nodiscard]] const std::vector<ConnectedPart>& objects() const noexcept {
    return measured_.objects;
  }
  /// Returns what is known of each object, in the columns of `measure-objects`.
  [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }
  /// Returns the column of that id ("circularity"); none if the objects have no such number.
  [[nodiscard]] std::optional<std::size_t> find_column(std::string_view id) const;
  /// Returns the number of an object in the column's shown unit; NaN if it has none.
  [[nodiscard]] double number(std::size_t column, std::size_t object) const {
    const Column& wanted = columns_[column];
    return wanted.column.value(measured_, grid(), object) * wanted.unit.scale;
  }

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
  /// Returns these objects as CSV, in the columns and units of `measure-objects`.
  [[nodiscard]] std::string csv(std::span<const std::int32_t> objects) const;

 private:
  LabelMap labels_;
  bool are_numbered_ = false;
  std::vector<std::string> own_stains_;
  MeasuredObjects measured_;
  std::vector<Column> columns_;
};

}  // namespace seedwave
