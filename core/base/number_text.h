// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace seedwave {

/// The shortest text that reads back as the same number, always with '.', whatever the locale.
[[nodiscard]] std::string number_text(double number);

/// "3.1 GB": bytes in units of 1e9, for people.
[[nodiscard]] std::string in_gigabytes(std::int64_t bytes);

/// The finite number that `text` is from its first to its last character; nothing otherwise.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
/// The same for whole numbers.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace seedwave
