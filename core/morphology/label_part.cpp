// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/label_part.h"

#include <algorithm>
#include <cstddef>

namespace seedwave {
namespace {

/// Follows a part from run to run: each is a stretch of equal labels in one row.
template <typename T>
class Flood {
 public:
  Flood(std::span<const T> labels, const Geometry& geometry)
      : labels_(labels), geometry_(geometry), seen_(labels.size()) {}

  LabelPart from(const Index3& index, Context& context) {
    const std::int64_t start = geometry_.offset(index);
    part_.label = at(start);
    take_run_around(start);
    while (!open_.empty()) {
      context.checkpoint(0.0);
      const LabelRun run = open_.back();
      open_.pop_back();
      spread(run);
    }
    std::sort(part_.runs.begin(), part_.runs.end(),
              [](const LabelRun& a, const LabelRun& b) { return a.begin < b.begin; });
    return std::move(part_);
  }

 private:
  [[nodiscard]] T at(std::int64_t offset) const {
    return labels_[static_cast<std::size_t>(offset)];
  }
  [[nodiscard]] bool is_new(std::int64_t offset) const {
    return at(offset) == part_.label && !seen_[static_cast<std::size_t>(offset)];
  }

  /// Takes the whole run through a voxel of the part.
  void take_run_around(std::int64_t offset) {
    const Index3 index = geometry_.index_of(offset);
    const std::int64_t row = offset - index[0];
    const std::int64_t row_end = row + geometry_.size[0];
    std::int64_t begin = offset;
    while (begin > row && at(begin - 1) == part_.label)
      --begin;
    std::int64_t end = offset + 1;
    while (end < row_end && at(end) == part_.label)
      ++end;
    std::fill(seen_.begin() + begin, seen_.begin() + end, true);
    bool border = begin == row || end == row_end;
    for (int axis = 1; axis < 3; ++axis) {
      if (geometry_.size[axis] > 1)
        border = border || index[axis] == 0 || index[axis] == geometry_.size[axis] - 1;
    }
    part_.reaches_border = part_.reaches_border || border;
    part_.voxels += end - begin;
    part_.runs.push_back({begin, end, part_.label});
    open_.push_back(part_.runs.back());
  }

  void spread(const LabelRun& run) {
    const Index3 index = geometry_.index_of(run.begin);
    const std::int64_t strides[] = {geometry_.size[0], geometry_.size[0] * geometry_.size[1]};
    for (int axis = 1; axis < 3; ++axis) {
      for (const int side : {-1, 1}) {
        const std::int64_t beside = index[axis] + side;
        if (beside < 0 || beside >= geometry_.size[axis]) continue;
        const std::int64_t shift = side * strides[axis - 1];
        for (std::int64_t offset = run.begin + shift; offset < run.end + shift; ++offset) {
          if (is_new(offset)) take_run_around(offset);
        }
      }
    }
  }

  std::span<const T> labels_;
  const Geometry& geometry_;
  std::vector<bool> seen_;
  std::vector<LabelRun> open_;
  LabelPart part_;
};

}  // namespace

LabelPart part_at(const LabelMap& labels, const Index3& index, Context& context) {
  require(labels.geometry().contains(index));
  return visit_labels(labels.labels(), [&](auto span) {
    return Flood(span, labels.geometry()).from(index, context);
  });
}

}  // namespace seedwave
