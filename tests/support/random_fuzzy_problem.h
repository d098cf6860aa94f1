// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/setup.h"
#include "tests/support/random_segmentation.h"

#include <optional>

namespace seedwave::test {

/// The source of the affinity's mean and standard deviation: given for all labels, or each label's
/// own, from its seeds.
enum class Statistics { Given, OfEachLabel };

/// Returns the random scene as a connectedness problem.
[[nodiscard]] inline fuzzy::Problem fuzzy_problem(const RandomSegmentation& input,
                                                  Connectivity connectivity,
                                                  Statistics statistics) {
  fuzzy::Request request;
  request.connectivity = connectivity;
  request.sigma_h = input.sigma_h;
  if (statistics == Statistics::OfEachLabel) {
    request.object = std::nullopt;
  } else {
    request.m.for_all = input.m;
    request.sigma_o.for_all = input.sigma_o;
  }
  Context context;
  return fuzzy::set_up(input.image, input.seeds, input.mask, request, context).problem;
}

}  // namespace seedwave::test
