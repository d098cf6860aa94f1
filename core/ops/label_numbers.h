// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace seedwave {

/// One number per label.
using LabelNumbers = std::map<Label, double>;

/// Returns "1=900,2=612.5": the text that replaces a single number if each label has its own
/// (Parameter::per_label). Reading it back gives the same bits.
[[nodiscard]] std::string to_text(const LabelNumbers& numbers);

/// Parses that text; spaces are allowed. Returns nothing if `text` has another form or names a
/// label twice.
[[nodiscard]] std::optional<LabelNumbers> parse_label_numbers(const std::string& text);

}  // namespace seedwave
