// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

#include <vector>

namespace seedwave::fuzzy {

/// Keeps of an answer what is held more strongly than theta, in [0, 1]: h > 4096 theta. Seeds stay.
void cut_below(double theta, const std::vector<Seed>& seeds, Answer& answer);

}  // namespace seedwave::fuzzy
