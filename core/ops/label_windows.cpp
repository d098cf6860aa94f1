// SPDX-License-Identifier: Apache-2.0
#include "core/ops/label_windows.h"

#include "core/base/number_text.h"
#include "core/ops/label_text.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

namespace seedwave {
namespace {

/// Deviations at which phi is a half.
constexpr double kHalfWidth = 1.1774;

std::optional<fuzzy::IntensityWindow> take_window(std::string_view& text) {
  std::array<double, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && !take(text, ':')) return {};
    const auto number = take_spaced<double>(text);
    if (!number || !std::isfinite(*number) || (i > 0 && !(*number > 0.0))) return {};
    numbers[i] = *number;
  }
  return fuzzy::IntensityWindow{numbers[0], numbers[1], numbers[2]};
}

std::string range_text(const fuzzy::IntensityWindow& window) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.4g to %.4g", window.m - kHalfWidth * window.below,
                window.m + kHalfWidth * window.above);
  return text.data();
}

std::string summary(const std::string& text) {
  std::string line;
  for (const auto& [label, windows] : parse_label_windows(text).value_or(LabelWindows{})) {
    line += (line.empty() ? "label " : "; label ") + std::to_string(label) + ": ";
    for (std::size_t i = 0; i < windows.size(); ++i)
      line += (i == 0 ? "" : ", ") + range_text(windows[i]);
  }
  return line;
}

}  // namespace

std::string to_text(const LabelWindows& windows) {
  std::string text;
  for (const auto& [label, of_label] : windows) {
    if (!text.empty()) text += ',';
    char before = '=';
    text += std::to_string(label);
    for (const fuzzy::IntensityWindow& window : of_label) {
      text += before + number_text(window.m) + ':' + number_text(window.below) + ':' +
              number_text(window.above);
      before = '+';
    }
  }
  return text;
}

std::optional<LabelWindows> parse_label_windows(const std::string& text) {
  LabelWindows windows;
  std::string_view rest = text;
  do {
    const auto label = take_spaced<Label>(rest);
    if (!label || *label == 0 || windows.contains(*label) || !take(rest, '=')) return {};
    do {
      const auto window = take_window(rest);
      if (!window) return {};
      windows[*label].push_back(*window);
    } while (take(rest, '+'));
  } while (take(rest, ','));
  if (!rest.empty()) return {};
  return windows;
}

EstimateDomain windows_domain() {
  return {.form = "windows LABEL=M:BELOW:ABOVE+...,LABEL=...",
          .is_valid = [](const std::string& text) { return parse_label_windows(text).has_value(); },
          .summary = summary,
          .word = kAuto};
}

}  // namespace seedwave
