// SPDX-License-Identifier: Apache-2.0
#include "core/ops/label_numbers.h"

#include "core/base/number_text.h"
#include "core/image/label_map.h"
#include "core/ops/label_text.h"

#include <cmath>
#include <string_view>

namespace seedwave {
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
