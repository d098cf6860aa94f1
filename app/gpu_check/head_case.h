// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/check_case.h"

#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// A head of core/bench/inputs with the affinity that belongs to it. seeding: for the case's name;
/// connectivity 0: 4 or 6 neighbours.
[[nodiscard]] CheckCase head_case(const Volume& head, const SeedVoxels& seeds,
                                  const std::string& seeding, int connectivity = 0);

/// Strokes of 100 voxels that are added to the case, at four places: each a case of its own.
[[nodiscard]] std::vector<CheckCase> added_strokes(const CheckCase& c);

}  // namespace seedwave::gpu_check
