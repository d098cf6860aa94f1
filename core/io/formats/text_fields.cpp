// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/text_fields.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <cctype>

namespace seedwave::io {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

/// Returns the number of bytes of the character at the start of `text`, or 0 if it is not valid
/// UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80    ? 1
                             : first < 0xc2  ? 0  // a continuation, or an overlong form
                             : first < 0xe0  ? 2
                             : first < 0xf0  ? 3
                             : first <= 0xf4 ? 4
                                             : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  }
  // Overlong forms, surrogates, and code points beyond Unicode.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) > 0x9f) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) > 0x8f) return 0;
  return length;
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const auto end = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::string_view take_line(std::string_view& text) noexcept {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (shown.size() + std::max<std::size_t>(length, 1) > most) break;
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || first < 0x20 || first == 0x7f) {
      shown += '?';
    } else {
      shown += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

std::optional<double> number_of(std::string_view text) {
  return parse_any_number(trimmed(text));
}

std::optional<std::int64_t> integer_of(std::string_view text) {
  return parse_integer(trimmed(text));
}

std::filesystem::path companion_of(const std::filesystem::path& header, std::string_view name) {
  const std::filesystem::path file(name);
  const bool leaves =
      std::any_of(file.begin(), file.end(), [](const auto& part) { return part == ".."; });
  if (file.empty() || file.is_absolute() || leaves) {
    throw InputError(header.string() + " says that its voxels are in '" + printable(name) +
                     "': only files in its own folder are opened");
  }
  std::filesystem::path path = header.parent_path() / file;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw InputError(header.string() + " says that its voxels are in '" + printable(name) +
                     "', which is not there");
  }
  return path;
}

}  // namespace seedwave::io
