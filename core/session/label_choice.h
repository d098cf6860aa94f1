// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/session/document.h"

#include <cstdint>
#include <optional>

namespace seedwave {

/// The values with a label in the place of each one that was left to us: the parameter's initial
/// label while it has strokes, else the one painted first, objects before background. What runs
/// with the initial label is never changed by this.
[[nodiscard]] Values with_labels_chosen(const Operation& operation, const Values& asked,
                                        const Document& document);

/// The first label that a parameter names, whose seeds `operation` would read, and that has no
/// strokes. `values` as with_labels_chosen() gives them.
[[nodiscard]] std::optional<std::uint16_t> label_without_strokes(const Operation& operation,
                                                                 const Values& values,
                                                                 const SeedSet& seeds);

}  // namespace seedwave
