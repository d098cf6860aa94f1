// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/ops/operation.h"
#include "core/session/document.h"

#include <cstdint>
#include <optional>

namespace seedwave {

/// Returns the values with a label for each label parameter that the user has not set. It is the
/// initial label if that has strokes, otherwise the label painted first, objects before background.
/// A run that works with the initial label never changes. The label of everything else
/// (kBackground), if a run would choose it by itself, is the painted one that is named so; where
/// labels are corrected (InputKind::Start), every label with strokes is an object.
[[nodiscard]] Values with_labels_chosen(const Operation& operation, const Values& asked,
                                        const Document& document);

/// Returns the first label that a parameter names, whose seeds `operation` would read, and that has
/// no strokes. `values` as returned by with_labels_chosen().
[[nodiscard]] std::optional<Label> label_without_strokes(const Operation& operation,
                                                         const Values& values,
                                                         const SeedSet& seeds);

}  // namespace seedwave
