// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::io {

/// No text header of a real image comes near; what is longer is not read.
inline constexpr std::size_t kMostTextHeader = std::size_t{1} << 20;

[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;
[[nodiscard]] std::string lower_case(std::string_view text);
/// The words between blanks.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);
/// Takes the first line off `text`, without its end of line.
[[nodiscard]] std::string_view take_line(std::string_view& text) noexcept;

/// A text out of a file as it may be shown: valid UTF-8 without control characters, at most `most`
/// bytes; what is neither becomes '?'.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = 80);

/// The whole text as a number, in the C locale; "nan" and "inf" are numbers too.
[[nodiscard]] std::optional<double> number_of(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> integer_of(std::string_view text);

/// The file that a header names for its voxels, which must lie in the header's folder or below.
/// Throws InputError: a header from elsewhere has no business to open other files.
[[nodiscard]] std::filesystem::path companion_of(const std::filesystem::path& header,
                                                 std::string_view name);

}  // namespace seedwave::io
