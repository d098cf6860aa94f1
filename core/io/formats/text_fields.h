// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::io {

/// Largest size of a text header that is read; no real image comes near.
inline constexpr std::size_t kMostTextHeader = std::size_t{1} << 20;

[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;
[[nodiscard]] std::string lower_case(std::string_view text);
/// Returns the words between blanks.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);
/// Takes the first line off `text` and returns it without its line end.
[[nodiscard]] std::string_view take_line(std::string_view& text) noexcept;

/// Returns a text of a file in a form that can be displayed: valid UTF-8 without control
/// characters, at most `most` bytes; other characters become '?'.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = 80);

/// Parses the whole text as a number, in the C locale; accepts "nan" and "inf".
[[nodiscard]] std::optional<double> number_of(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> integer_of(std::string_view text);

/// Returns the file that a header names for its voxels, which must lie in the header's folder or
/// below. Throws InputError: a header from elsewhere must not open other files.
[[nodiscard]] std::filesystem::path companion_of(const std::filesystem::path& header,
                                                 std::string_view name);

}  // namespace seedwave::io
