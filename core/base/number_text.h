// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace seedwave {

/// The shortest text that reads back as the same number, always with '.', whatever the locale.
[[nodiscard]] std::string number_text(double number);

/// "3.1 GB": bytes in units of 1e9, for people.
[[nodiscard]] std::string in_gigabytes(std::int64_t bytes);

/// "97 kB", "13.4 MB", "3.1 GB": rounded up, so that as much is enough.
[[nodiscard]] std::string in_bytes(std::int64_t bytes);

/// "40 ms", "2.5 s", "12 s", "3 min", "2.5 h": a time for people, to two digits or so.
[[nodiscard]] std::string in_time(double ms);

/// "500M", "1.5 GB", "64k", "1000": a number of bytes, with k, M or G in units of a thousand;
/// nothing where it is none, or less than 1.
[[nodiscard]] std::optional<std::int64_t> parse_bytes(std::string_view text);

/// The finite number that `text` is from its first to its last character; nothing otherwise.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
/// The same with "nan" and "inf".
[[nodiscard]] std::optional<double> parse_any_number(std::string_view text);
/// The same for whole numbers.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// The number that `text` begins with, without blanks or a plus sign, taken off it; nothing, and
/// nothing taken, where it begins with none that Number can hold. "nan" and "inf" are doubles.
template <typename Number>
[[nodiscard]] std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace seedwave
