// SPDX-License-Identifier: Apache-2.0
#include "core/texture/value_steps.h"

#include "core/base/error.h"
#include "core/parallel/parallel_for.h"

#include <cmath>
#include <mutex>

namespace seedwave {

ValueSteps steps_of(const Volume& image) {
  refuse_nan(image, "the image");
  const ValueRange range = value_range(image);
  const double span = range.high - range.low;
  if (!std::isfinite(span)) throw InputError("the image holds infinite values");
  ValueSteps steps{.low = range.low};
  const bool whole = image.type() != VoxelType::F32 && span < ValueSteps::kMost;
  if (whole) {
    steps.count = static_cast<std::int64_t>(span) + 1;
  } else if (span > 0.0) {
    steps.count = ValueSteps::kMost;
    steps.width = span / ValueSteps::kMost;
  }
  return steps;
}

std::vector<std::int64_t> count_steps(const Volume& image, const ValueSteps& steps,
                                      Context& context) {
  constexpr std::int64_t kGrain = 1 << 18;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(steps.count));
  std::mutex mutex;  // guards counts
  visit_voxels(image, [&](auto voxels) {
    parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> here(counts.size());
      for (std::int64_t i = begin; i < end; ++i)
        ++here[steps.step_of(static_cast<double>(voxels[i]))];
      const std::lock_guard lock(mutex);
      for (std::size_t step = 0; step < counts.size(); ++step)
        counts[step] += here[step];
    });
  });
  return counts;
}

}  // namespace seedwave
