// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/threshold.h"

namespace seedwave::fuzzy {

void cut_below(double theta, const std::vector<Seed>& seeds, Answer& answer) {
  const double level = kFullStrength * theta;
  for (std::size_t i = 0; i < answer.labels.size(); ++i) {
    if (answer.strength[i] <= level) answer.labels[i] = 0;
  }
  for (const Seed& seed : seeds)
    answer.labels[seed.offset] = seed.label;
}

}  // namespace seedwave::fuzzy
