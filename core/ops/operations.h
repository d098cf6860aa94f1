// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <vector>

namespace seedwave {

// The operations of make_operation_table(), by the file that describes them.

// threshold.cpp
[[nodiscard]] Operation threshold_operation();

// distance.cpp
[[nodiscard]] Operation distance_operation();

// influence_zones.cpp
[[nodiscard]] Operation influence_zones_operation();

// watershed.cpp
[[nodiscard]] Operation watershed_operation();

// split_objects.cpp
[[nodiscard]] Operation split_objects_operation();

// merge_labels.cpp
[[nodiscard]] Operation merge_labels_operation();

// phases.cpp
[[nodiscard]] Operation phases_operation();

// linear_opening.cpp
[[nodiscard]] Operation linear_opening_operation();
[[nodiscard]] Operation linear_closing_operation();

// orientation.cpp
[[nodiscard]] Operation orientation_operation();

// line_curves.cpp
[[nodiscard]] Operation angular_spectrum_operation();
[[nodiscard]] Operation granulometry_operation();
[[nodiscard]] Operation deskew_operation();

// tpcf.cpp
[[nodiscard]] Operation tpcf_operation();

// tissue.cpp
[[nodiscard]] Operation tissue_operation();
[[nodiscard]] Operation look_alike_operation();

// fuzzy_connectedness.cpp
[[nodiscard]] Operation afc_operation();
[[nodiscard]] Operation rfc_operation();
[[nodiscard]] Operation irfc_operation();
[[nodiscard]] Operation porfc_operation();

// reconstruction.cpp: reconstruction and what is derived from it, in reading order.
[[nodiscard]] std::vector<Operation> reconstruction_operations();

}  // namespace seedwave
