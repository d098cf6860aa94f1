// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_seeds.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace seedwave {

LabelMap wide_enough_for(std::span<const Seed> seeds, const LabelMap& labels) {
  Label most = 0;
  for (const Seed& seed : seeds)
    most = std::max(most, seed.label);
  const std::size_t bytes = labels.labels().bytes_each();
  if (bytes == 4 || most < (Label{1} << (8 * bytes))) return labels;
  return make_labels(labels.geometry(), most, [&](auto& wide) {
    using Wide = typename std::decay_t<decltype(wide)>::value_type;
    visit_labels(labels.labels(), [&](auto from) {
      std::transform(from.begin(), from.end(), wide.begin(),
                     [](auto label) { return static_cast<Wide>(label); });
    });
  });
}

}  // namespace seedwave
