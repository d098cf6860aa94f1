// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/overlapping_objects.h"

#include "core/metrics/label_pairs.h"
#include "core/parallel/tabulate.h"

namespace seedwave {

OverlappingObjects overlapping_objects(const LabelMap& result, const LabelMap& reference,
                                       Context& context) {
  std::vector<LabelPair> pairs = count_label_pairs(result, reference, context);
  OverlappingObjects objects{.found = voxels_by_label(pairs, &LabelPair::result),
                             .reference = voxels_by_label(pairs, &LabelPair::reference),
                             .shared = {}};
  std::erase_if(pairs,
                [](const LabelPair& pair) { return pair.result == 0 || pair.reference == 0; });
  objects.shared = tabulate<SharedVoxels>(std::ssize(pairs), context, [&](std::int64_t i) {
    const LabelPair& pair = pairs[i];
    const auto* const a = objects.found.find(pair.result);
    const auto* const b = objects.reference.find(pair.reference);
    return SharedVoxels{static_cast<std::size_t>(a - objects.found.begin()),
                        static_cast<std::size_t>(b - objects.reference.begin()),
                        {pair.voxels, a->second + b->second - pair.voxels}};
  });
  return objects;
}

}  // namespace seedwave
