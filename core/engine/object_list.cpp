// SPDX-License-Identifier: Apache-2.0
#include "core/engine/object_list.h"

#include "core/morphology/label_part.h"
#include "core/ops/object_table.h"
#include "core/ops/table_csv.h"

#include <algorithm>
#include <utility>

namespace seedwave {

namespace {

bool can_measure(const Volume& image, const Geometry& grid) {
  if (image.empty() || !same_grid(image.geometry(), grid)) return false;
  return image.components() == 1 || (image.components() == 3 && image.type() == VoxelType::U8);
}

}  // namespace

ObjectList::ObjectList(const LabelMap& labels, bool are_numbered, const Volume& image,
                       std::vector<std::string> own_stains, Context& context)
    : labels_(labels), are_numbered_(are_numbered), own_stains_(std::move(own_stains)) {
  const ObjectRules rules{.are = are_numbered ? ObjectsAre::Labels : ObjectsAre::Parts,
                          .connectivity = grid().is_2d() ? Connectivity::C4 : Connectivity::C6};
  const MeasuredChannels channels(can_measure(image, grid()) ? image : Volume(), own_stains_);
  measured_ = measure_objects(labels, rules, channels, context);
  for (ObjectColumn& column : measured_columns(grid(), measured_.channels)) {
    const ShownUnit unit = shown_unit(column.spec.unit_of({}, grid()), grid());
    columns_.push_back({.column = std::move(column), .unit = unit});
  }
}

std::optional<std::size_t> ObjectList::find_column(std::string_view id) const {
  const auto found = std::ranges::find_if(
      columns_, [id](const Column& each) { return each.column.spec.id == id; });
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

std::vector<std::int64_t> ObjectList::voxels_of(std::size_t object, Context& context) const {
  const ConnectedPart& wanted = objects().at(object);
  std::vector<std::int64_t> voxels;
  voxels.reserve(static_cast<std::size_t>(wanted.voxels));
  if (!are_numbered_) {
    for (const LabelRun& run : part_at(labels_, wanted.first, context).runs) {
      for (std::int64_t offset = run.begin; offset < run.end; ++offset)
        voxels.push_back(offset);
    }
    return voxels;
  }
  Index3 at{};
  for (at[2] = wanted.box.lo[2]; at[2] < wanted.box.hi[2]; ++at[2]) {
    for (at[1] = wanted.box.lo[1]; at[1] < wanted.box.hi[1]; ++at[1]) {
      context.checkpoint(0.0);
      for (at[0] = wanted.box.lo[0]; at[0] < wanted.box.hi[0]; ++at[0]) {
        if (labels_.at(at) == wanted.label) voxels.push_back(grid().offset(at));
      }
    }
  }
  return voxels;
}

Index3 ObjectList::middle_of(std::size_t object, Context& context) const {
  const Vec3 centre = objects().at(object).centre();
  const auto distance = [&](std::int64_t offset) {
    const Index3 at = grid().index_of(offset);
    double sum = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double step = (static_cast<double>(at[axis]) - centre[axis]) * grid().spacing[axis];
      sum += step * step;
    }
    return sum;
  };
  const std::vector<std::int64_t> voxels = voxels_of(object, context);
  return grid().index_of(*std::ranges::min_element(voxels, {}, distance));
}

std::optional<std::size_t> ObjectList::object_at(const Index3& voxel, Context& context) const {
  if (labels_.empty() || !grid().contains(voxel) || labels_.at(voxel) == 0) return std::nullopt;
  Index3 first = voxel;
  if (!are_numbered_) {
    first = grid().index_of(part_at(labels_, voxel, context).runs.front().begin);
  }
  const Label label = labels_.at(voxel);
  const auto found = std::ranges::find_if(objects(), [&](const ConnectedPart& object) {
    return are_numbered_ ? object.label == label : object.first == first;
  });
  if (found == objects().end()) return std::nullopt;
  return static_cast<std::size_t>(found - objects().begin());
}

std::int64_t ObjectList::median_voxels() const {
  if (objects().empty()) return 0;
  std::vector<std::int64_t> sizes(objects().size());
  std::ranges::transform(objects(), sizes.begin(), &ConnectedPart::voxels);
  const auto middle = sizes.begin() + std::ssize(sizes) / 2;
  std::ranges::nth_element(sizes, middle);
  return *middle;
}

std::string ObjectList::csv(std::span<const std::int32_t> objects) const {
  std::vector<ObjectColumn> columns;
  for (const Column& each : columns_)
    columns.push_back(each.column);
  return csv_of(object_table(columns, measured_, grid(), objects.size(), [&](std::size_t row) {
    return static_cast<std::size_t>(objects[row]);
  }));
}

}  // namespace seedwave
