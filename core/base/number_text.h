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

/// Returns the shortest text that reads back as the same number, with '.' in every locale.
[[nodiscard]] std::string number_text(double number);

/// Returns a number with so many decimals; "-" if it is undefined.
[[nodiscard]] std::string fixed_text(double number, int digits);

/// Returns "3.1 GB": bytes in units of 1e9, for people.
[[nodiscard]] std::string in_gigabytes(std::int64_t bytes);

/// Returns "97 kB", "13.4 MB", "3.1 GB": rounded up, so that this much is enough.
[[nodiscard]] std::string in_bytes(std::int64_t bytes);

/// Returns "40 ms", "2.5 s", "12 s", "3 min", "2.5 h": a time for people, to about two digits.
[[nodiscard]] std::string in_time(double ms);

/// Parses a number of bytes such as "500M", "1.5 GB", "64k" or "1000", with k, M or G in units of a
/// thousand. Returns nothing if it is malformed or less than 1.
[[nodiscard]] std::optional<std::int64_t> parse_bytes(std::string_view text);

/// Parses a finite number that spans the whole text. Returns nothing otherwise.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
/// The same, but also accepts "nan" and "inf".
[[nodiscard]] std::optional<double> parse_any_number(std::string_view text);
/// The same for integers.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// Takes the number at the beginning of `text`, without blanks or a plus sign, off it. Returns
/// nothing, and takes nothing, if there is none that Number can hold. Doubles may be "nan" and
/// "inf".
template <typename Number>
[[nodiscard]] std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace seedwave
