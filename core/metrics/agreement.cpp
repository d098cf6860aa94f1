// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/agreement.h"

#include "core/image/same_size.h"
#include "core/metrics/overlapping_objects.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace seedwave {

Agreement agreement(const LabelMap& a, const LabelMap& b) {
  check_same_size(a.geometry(), b.geometry(), "the compared labels");
  Agreement result;
  std::vector<std::uint8_t> map(a.labels().size());
  visit_labels(a.labels(), b.labels(), [&](auto in_a, auto in_b) {
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (in_a[i] == 0 && in_b[i] == 0) continue;
      if (in_a[i] == in_b[i]) {
        map[i] = Agreement::Same;
        ++result.same;
      } else if (in_b[i] == 0) {
        map[i] = Agreement::OnlyA;
        ++result.only_a;
      } else if (in_a[i] == 0) {
        map[i] = Agreement::OnlyB;
        ++result.only_b;
      } else {
        map[i] = Agreement::Other;
        ++result.other;
      }
    }
  });
  result.map = LabelMap(a.geometry(), std::move(map));
  return result;
}

namespace {

using Kinds = std::vector<std::uint8_t>;

/// The kind of each object of two maps, by its place among the objects.
struct ObjectKinds {
  Kinds a;
  Kinds b;
};

ObjectKinds kinds_of(const OverlappingObjects& objects) {
  constexpr Fraction kHalf{1, 2};
  ObjectKinds kinds{Kinds(objects.found.size(), Agreement::OnlyA),
                    Kinds(objects.reference.size(), Agreement::OnlyB)};
  for (const SharedVoxels& pair : objects.shared) {
    if (exceeds(pair.iou, kHalf)) kinds.a[pair.result] = kinds.b[pair.reference] = Agreement::Same;
  }
  for (const SharedVoxels& pair : objects.shared) {
    std::uint8_t& a = kinds.a[pair.result];
    std::uint8_t& b = kinds.b[pair.reference];
    if (a != Agreement::Same && b != Agreement::Same) a = b = Agreement::Other;
  }
  return kinds;
}

/// Returns the kind of the object with a label.
std::uint8_t kind_of(const LabelCounts& objects, const Kinds& kinds, Label label) {
  return kinds[static_cast<std::size_t>(objects.find(label) - objects.begin())];
}

}  // namespace

Agreement object_agreement(const LabelMap& a, const LabelMap& b, Context& context) {
  const OverlappingObjects objects = overlapping_objects(a, b, context);
  const ObjectKinds kinds = kinds_of(objects);
  Agreement result;
  result.same = std::ranges::count(kinds.a, Agreement::Same);
  result.only_a = std::ranges::count(kinds.a, Agreement::OnlyA);
  result.other = std::ranges::count(kinds.a, Agreement::Other);
  result.only_b = std::ranges::count(kinds.b, Agreement::OnlyB);
  visit_labels(a.labels(), b.labels(), [&](auto in_a, auto in_b) {
    const auto kind_at = [&](std::int64_t i) -> std::uint8_t {
      const std::uint8_t of_a = in_a[i] == 0 ? 0 : kind_of(objects.found, kinds.a, in_a[i]);
      const std::uint8_t of_b = in_b[i] == 0 ? 0 : kind_of(objects.reference, kinds.b, in_b[i]);
      if (of_a == Agreement::Same || of_b == Agreement::Same) return Agreement::Same;
      return of_a != 0 ? of_a : of_b;
    };
    result.map = LabelMap(a.geometry(),
                          tabulate<std::uint8_t>(a.geometry().voxel_count(), context, kind_at));
  });
  return result;
}

}  // namespace seedwave
