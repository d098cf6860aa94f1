// SPDX-License-Identifier: Apache-2.0
#include "core/ops/label_numbers.h"

#include <charconv>
#include <cmath>

namespace seedwave {
namespace {

/// Takes a number off the front of `text`, with the spaces around it; false when there is none.
template <typename T>
bool take_number(std::string_view& text, T& number) {
  const auto skip_spaces = [&] {
    while (!text.empty() && text.front() == ' ')
      text.remove_prefix(1);
  };
  skip_spaces();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(end - text.data());
  skip_spaces();
  return true;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string to_text(const LabelNumbers& numbers) {
  std::string text;
  for (const auto& [label, number] : numbers) {
    char digits[40];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    if (!text.empty()) text += ',';
    text += std::to_string(label) + '=' + std::string(digits, end);
  }
  return text;
}

std::optional<LabelNumbers> parse_label_numbers(const std::string& text) {
  LabelNumbers numbers;
  std::string_view rest = text;
  do {
    std::uint16_t label = 0;
    double number = 0.0;
    if (!take_number(rest, label) || !take(rest, '=') || !take_number(rest, number)) return {};
    if (label == 0 || !std::isfinite(number) || !numbers.emplace(label, number).second) return {};
  } while (take(rest, ','));
  if (!rest.empty()) return {};
  return numbers;
}

}  // namespace seedwave
