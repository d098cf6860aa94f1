// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/check_case.h"

#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// Returns a case of a head of research/bench/inputs with its affinity. seeding: for the case's
/// name; connectivity 0: 4 or 6 neighbours.
[[nodiscard]] CheckCase head_case(const Volume& head, const SeedVoxels& seeds,
                                  const std::string& seeding, int connectivity = 0);

/// Returns cases with a stroke of 100 voxels added, at four places: one case for each.
[[nodiscard]] std::vector<CheckCase> added_strokes(const CheckCase& c);

}  // namespace seedwave::gpu_check
