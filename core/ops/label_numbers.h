// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace seedwave {

/// One number per label.
using LabelNumbers = std::map<std::uint16_t, double>;

/// "1=900,2=612.5": what stands in the place of one number where each label has its own
/// (Parameter::per_label). Reading it back gives the same bits.
[[nodiscard]] std::string to_text(const LabelNumbers& numbers);

/// Reads that form, spaces allowed; nothing when `text` is not of it or names a label twice.
[[nodiscard]] std::optional<LabelNumbers> parse_label_numbers(const std::string& text);

}  // namespace seedwave
