// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/ops/operation.h"

namespace seedwave::ui {

/// Range and scale of the slider of a parameter: positions 0..kSliderSteps.
///
/// A parameter in image units has a range of billions; its slider spans the range of the image. A
/// typed value may lie outside the range of the slider, but not of the parameter.
///
/// A range of more steps than the slider has positions, of which most users need the small numbers
/// (a radius of 0 to 1000), has a slider by ratios, with 0 at its end.
class ParameterScale {
 public:
  static constexpr int kSliderSteps = 1000;

  /// `values`: range of the image; if empty, the range of the parameter is used.
  ParameterScale(const Parameter& parameter, const ValueRange& values);

  [[nodiscard]] double low() const noexcept { return low_; }
  [[nodiscard]] double high() const noexcept { return high_; }
  /// Returns false for integers with too many values for a slider. On a logarithmic scale, small
  /// values still have their own positions.
  [[nodiscard]] bool fits_a_slider() const noexcept {
    return !whole_ || logarithmic_ || high_ - low_ <= kSliderSteps;
  }
  /// Returns the position of a value on the slider, clamped.
  [[nodiscard]] int position(double value) const;
  /// Returns the value at a position, rounded to the step of the parameter, or to three digits on a
  /// logarithmic scale.
  [[nodiscard]] double value(int position) const;
  /// Returns the step of the spin box at a value.
  [[nodiscard]] double step_at(double value) const;
  /// Returns the number of decimals in the spin box.
  [[nodiscard]] int decimals() const noexcept { return decimals_; }

 private:
  double low_;
  double high_;
  double step_;
  /// The smallest number beside 0 on a slider by ratios.
  double least_;
  /// Its position.
  int first_;
  bool by_ratio_;
  bool logarithmic_;
  bool whole_;
  int decimals_;
};

}  // namespace seedwave::ui
