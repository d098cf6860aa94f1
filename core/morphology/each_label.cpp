// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/each_label.h"

#include "core/image/crop.h"
#include "core/morphology/regional_maxima.h"
#include "core/parallel/label_boxes.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

Volume mask_in(const LabelMap& labels, Label label, const Box& box, Context& context) {
  const LabelMap part = crop(labels, box);
  return visit_labels(part.labels(), [&](auto numbers) {
    return Volume(part.geometry(),
                  tabulate<std::uint8_t>(std::ssize(numbers), context, [&](std::int64_t i) {
                    return static_cast<std::uint8_t>(numbers[i] == label ? 1 : 0);
                  }));
  });
}

/// Returns the number of voxels of each label, 0 among them, at the border of the image.
std::map<Label, std::int64_t> counts_at_border(const LabelMap& labels) {
  const Geometry& geometry = labels.geometry();
  const Index3& size = geometry.size;
  std::map<Label, std::int64_t> counts;
  visit_labels(labels.labels(), [&](auto numbers) {
    for (std::int64_t z = 0; z < size[2]; ++z) {
      const bool is_face = !geometry.is_2d() && (z == 0 || z == size[2] - 1);
      for (std::int64_t y = 0; y < size[1]; ++y) {
        const std::int64_t row = geometry.offset({0, y, z});
        const bool is_whole = is_face || y == 0 || y == size[1] - 1;
        const std::int64_t step = is_whole ? 1 : std::max<std::int64_t>(1, size[0] - 1);
        for (std::int64_t x = 0; x < size[0]; x += step)
          ++counts[numbers[row + x]];
      }
    }
  });
  return counts;
}

/// The labels of the result, which begins as the map that is changed.
template <LabelType T>
class ChangedLabels {
 public:
  ChangedLabels(const LabelledObjects& objects, Connectivity connectivity, std::vector<T>& labels)
      : objects_(objects), connectivity_(connectivity), labels_(labels) {}

  void take(const LabelMask& of, const Volume& result, Context& context) {
    const auto before = of.mask.template voxels<std::uint8_t>();
    const auto after = result.voxels<std::uint8_t>();
    const Geometry& whole = objects_.labels.geometry();
    Box gained;
    for (std::int64_t i = 0; i < std::ssize(before); ++i) {
      if ((before[i] != 0) == (after[i] != 0)) continue;
      const bool is_lost = before[i] != 0;
      if (is_lost || of.is_only) {
        labels_[offset_in_whole(i, of.box, whole)] =
            static_cast<T>(is_lost ? objects_.background : of.label);
      } else {
        gained.include(of.mask.geometry().index_of(i));
      }
    }
    if (!gained.empty()) take_gained(of, result, gained.grown(1, of.mask.geometry()), context);
  }

 private:
  /// Takes the voxels that a label gains; they lie in a box of its mask.
  void take_gained(const LabelMask& of, const Volume& result, const Box& box, Context& context) {
    const Volume before = crop(of.mask, box);
    const Volume after = crop(result, box);
    const auto was = before.voxels<std::uint8_t>();
    const auto is = after.voxels<std::uint8_t>();
    const Volume gained(before.geometry(),
                        tabulate<std::uint8_t>(std::ssize(was), context, [&](std::int64_t i) {
                          return static_cast<std::uint8_t>(was[i] == 0 && is[i] != 0 ? 1 : 0);
                        }));
    const NumberedMaxima parts = regional_maxima(gained, gained, connectivity_, context);
    std::vector<std::uint32_t> sizes(std::size_t{parts.count} + 1);
    for (const std::uint32_t part : parts.numbers)
      ++sizes[part];
    if (smallest_.empty()) smallest_.assign(labels_.size(), kNone);
    for (std::int64_t i = 0; i < std::ssize(parts.numbers); ++i) {
      if (parts.numbers[i] == NumberedMaxima::kNone) continue;
      const std::int64_t in_mask = offset_in_whole(i, box, of.mask.geometry());
      const auto at =
          static_cast<std::size_t>(offset_in_whole(in_mask, of.box, objects_.labels.geometry()));
      const Label label = objects_.labels.labels()[at];
      if (label != 0 && label != objects_.background) continue;
      const std::uint32_t size = sizes[parts.numbers[i]];
      if (size >= smallest_[at]) continue;
      smallest_[at] = size;
      labels_[at] = static_cast<T>(of.label);
    }
  }

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  const LabelledObjects& objects_;
  Connectivity connectivity_;
  std::vector<T>& labels_;
  /// Size of the part that gave a voxel its label; empty as long as none is gained.
  std::vector<std::uint32_t> smallest_;
};

}  // namespace

Label background_of(const LabelMap& labels, Context& context) {
  if (label_boxes(labels, context).size() < 2) return 0;
  const std::map<Label, std::int64_t> counts = counts_at_border(labels);
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first;
}

void visit_label_masks(const LabelledObjects& objects, std::int64_t margin, Context& context,
                       const std::function<void(const LabelMask&)>& visit) {
  std::map<Label, Box> boxes = label_boxes(objects.labels, context);
  boxes.erase(objects.background);
  double done = 0.0;
  for (const auto& [label, tight] : boxes) {
    context.checkpoint(done++ / static_cast<double>(boxes.size()));
    const Box box = tight.grown(std::max<std::int64_t>(margin, 1), objects.labels.geometry());
    visit({.label = label,
           .box = box,
           .mask = mask_in(objects.labels, label, box, context),
           .is_only = boxes.size() == 1});
  }
}

LabelMap with_each_label(const LabelledObjects& objects, Connectivity connectivity,
                         std::int64_t margin, const MaskOperation& operation, Context& context) {
  const Label most = std::max(largest_label(objects.labels.labels()), objects.background);
  return make_labels(objects.labels.geometry(), most, [&]<typename T>(std::vector<T>& labels) {
    visit_labels(objects.labels.labels(), [&](auto from) {
      labels = tabulate<T>(std::ssize(from), context,
                           [&](std::int64_t i) { return static_cast<T>(from[i]); });
    });
    ChangedLabels<T> changed(objects, connectivity, labels);
    visit_label_masks(objects, margin, context, [&](const LabelMask& each) {
      changed.take(each, operation(each.mask, context), context);
    });
  });
}

}  // namespace seedwave
