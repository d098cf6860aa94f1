// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/image/label_map.h"
#include "core/ops/operation.h"

#include <map>
#include <optional>
#include <string>

namespace seedwave {

/// Windows of intensities per label.
using LabelWindows = std::map<Label, fuzzy::ObjectWindows>;

/// Returns "1=72:7.5:9+110:4:4,2=...": label, and for each window m, the deviation below it and
/// that above. Reading it back gives the same bits.
[[nodiscard]] std::string to_text(const LabelWindows& windows);

/// Parses that text; spaces are allowed. Returns nothing if `text` has another form, names a label
/// twice, or has a deviation that is not positive.
[[nodiscard]] std::optional<LabelWindows> parse_label_windows(const std::string& text);

/// The domain of a parameter that holds such windows.
[[nodiscard]] EstimateDomain windows_domain();

}  // namespace seedwave
