// SPDX-License-Identifier: Apache-2.0
#include "core/ops/label_numbers.h"

#include "core/base/number_text.h"
#include "core/image/label_map.h"

#include <cmath>
#include <string_view>

namespace seedwave {
namespace {

void skip_spaces(std::string_view& text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
}

/// Takes a number, and the spaces around it, off the front of `text`.
template <typename T>
std::optional<T> take_spaced(std::string_view& text) {
  skip_spaces(text);
  const std::optional<T> number = take_number<T>(text);
  if (number) skip_spaces(text);
  return number;
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
    if (!text.empty()) text += ',';
    text += std::to_string(label) + '=' + number_text(number);
  }
  return text;
}

std::optional<LabelNumbers> parse_label_numbers(const std::string& text) {
  LabelNumbers numbers;
  std::string_view rest = text;
  do {
    const auto label = take_spaced<Label>(rest);
    if (!label || *label == 0 || !take(rest, '=')) return {};
    const auto number = take_spaced<double>(rest);
    if (!number || !std::isfinite(*number) || !numbers.emplace(*label, *number).second) return {};
  } while (take(rest, ','));
  if (!rest.empty()) return {};
  return numbers;
}

}  // namespace seedwave
