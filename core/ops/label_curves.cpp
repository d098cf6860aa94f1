// SPDX-License-Identifier: Apache-2.0
#include "core/ops/label_curves.h"

#include "core/base/number_text.h"
#include "core/ops/label_text.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <utility>

namespace seedwave {
namespace {

constexpr std::size_t kMostValues = 1000;

/// A number with four significant digits.
std::string rounded_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", number);
  return text.data();
}

std::optional<double> take_finite(std::string_view& text) {
  const auto number = take_spaced<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<LabelCurve> take_curve(std::string_view& text) {
  LabelCurve curve;
  const auto low = take_finite(text);
  if (!low || !take(text, ':')) return {};
  const auto high = take_finite(text);
  if (!high || !(*high > *low) || !take(text, ':')) return {};
  curve.low = *low;
  curve.high = *high;
  do {
    const auto value = take_finite(text);
    if (!value || curve.values.size() == kMostValues) return {};
    curve.values.push_back(*value);
  } while (take(text, ','));
  if (curve.values.size() < 2) return {};
  return curve;
}

}  // namespace

std::string to_text(const LabelCurves& curves) {
  std::string text;
  for (const auto& [label, curve] : curves) {
    if (!text.empty()) text += ';';
    text += std::to_string(label) + '=' + number_text(curve.low) + ':' + number_text(curve.high);
    char before = ':';
    for (const double value : curve.values) {
      text += before + number_text(value);
      before = ',';
    }
  }
  return text;
}

std::optional<LabelCurves> parse_label_curves(const std::string& text) {
  LabelCurves curves;
  std::string_view rest = text;
  do {
    const auto label = take_spaced<Label>(rest);
    if (!label || *label == 0 || !take(rest, '=')) return {};
    std::optional<LabelCurve> curve = take_curve(rest);
    if (!curve || !curves.emplace(*label, std::move(*curve)).second) return {};
  } while (take(rest, ';'));
  if (!rest.empty()) return {};
  return curves;
}

EstimateDomain curves_domain() {
  return {
      .form = "curves LABEL=LOW:HIGH:VALUE,VALUE,...;...",
      .is_valid = [](const std::string& text) { return parse_label_curves(text).has_value(); },
      .summary =
          [](const std::string& text) {
            std::string line;
            for (const auto& [label, curve] : parse_label_curves(text).value_or(LabelCurves{})) {
              line += (line.empty() ? "label " : "; label ") + std::to_string(label) + ": from " +
                      rounded_text(curve.low) + " to " + rounded_text(curve.high);
            }
            return line;
          },
      .word = kAuto};
}

}  // namespace seedwave
