// SPDX-License-Identifier: Apache-2.0
#include "ui/models/parameter_scale.h"

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

namespace {

constexpr double kLargestSpan = 1e6;

/// Rounds to `digits` significant digits.
double rounded(double value, int digits) {
  if (value == 0.0) return 0.0;
  const double scale = std::pow(10.0, digits - 1 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

}  // namespace

ParameterScale::ParameterScale(const Parameter& parameter, const ValueRange& values)
    : low_(parameter.numbers()->low),
      high_(parameter.numbers()->high),
      step_(parameter.numbers()->step),
      least_(low_ > 0.0 ? low_ : step_ / 10.0),
      first_(low_ > 0.0 ? 0 : 1),
      by_ratio_(false),
      logarithmic_(parameter.is_logarithmic()),
      whole_(parameter.is_whole()),
      decimals_(0) {
  const double span = values.high - values.low;
  if (parameter.unit() == "image units" && span > 0.0) {
    if (logarithmic_) {
      low_ = std::max(low_, rounded(span / 1000.0, 1));
      high_ = std::min(high_, rounded(span, 2));
    } else {
      low_ = std::max(low_, values.low);
      high_ = std::min(high_, values.high);
      step_ = std::min(step_, span / 200.0);
    }
  }
  const bool is_wide = low_ >= 0.0 && (high_ - low_) / step_ >= kSliderSteps;
  by_ratio_ = !whole_ && !logarithmic_ && parameter.unit() != "image units" && is_wide;
  if (whole_) high_ = std::min(high_, low_ + kLargestSpan);
  if (!whole_) {
    const double finest = logarithmic_ ? low_ : by_ratio_ ? least_ : step_;
    decimals_ = std::clamp(static_cast<int>(std::ceil(-std::log10(finest))), 0, 6);
    if (logarithmic_) decimals_ = std::max(decimals_, 2);
  }
}

int ParameterScale::position(double value) const {
  if (high_ <= low_) return 0;
  const double v = std::clamp(value, low_, high_);
  if (by_ratio_) {
    if (v < least_) return 0;
    const double share = std::log(v / least_) / std::log(high_ / least_);
    return first_ + static_cast<int>(std::lround(share * (kSliderSteps - first_)));
  }
  const double share =
      logarithmic_ ? std::log(v / low_) / std::log(high_ / low_) : (v - low_) / (high_ - low_);
  return static_cast<int>(std::lround(share * kSliderSteps));
}

double ParameterScale::value(int position) const {
  const double share = std::clamp(position, 0, kSliderSteps) / static_cast<double>(kSliderSteps);
  if (by_ratio_) {
    if (position <= 0) return low_;
    const double above =
        (std::min(position, kSliderSteps) - first_) / double(kSliderSteps - first_);
    return std::clamp(rounded(least_ * std::pow(high_ / least_, above), 3), low_, high_);
  }
  if (logarithmic_) {
    const double near = rounded(low_ * std::pow(high_ / low_, share), 3);
    return std::clamp(whole_ ? std::round(near) : near, low_, high_);
  }
  const double exact = low_ + share * (high_ - low_);
  const double step = whole_ ? 1.0 : step_;
  return std::clamp(low_ + std::round((exact - low_) / step) * step, low_, high_);
}

double ParameterScale::step_at(double value) const {
  if (by_ratio_) return std::max(rounded(std::abs(value) * 0.05, 1), least_);
  if (!logarithmic_) return whole_ ? std::max(1.0, step_) : step_;
  if (whole_) return std::max(1.0, std::round(std::abs(value) * 0.05));
  // About five per cent, at least one in the last displayed digit.
  return std::max(rounded(std::abs(value) * 0.05, 1), std::pow(10.0, -decimals_));
}

}  // namespace seedwave::ui
