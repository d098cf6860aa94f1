// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/ops/operation.h"

namespace seedwave::ui {

/// The range and scale of a parameter's slider: positions 0..kSliderSteps.
///
/// A parameter in image units has a range of billions; its slider spans what the image holds. A
/// typed value may lie outside the slider, not outside the parameter.
class ParameterScale {
 public:
  static constexpr int kSliderSteps = 1000;

  /// `values`: the range of the image; where it is empty, the parameter's own range is used.
  ParameterScale(const Parameter& parameter, const ValueRange& values);

  [[nodiscard]] double low() const noexcept { return low_; }
  [[nodiscard]] double high() const noexcept { return high_; }
  /// False for whole numbers out of so many that a slider cannot choose one; where they are
  /// logarithmic the small ones still have a place each.
  [[nodiscard]] bool fits_a_slider() const noexcept {
    return !whole_ || logarithmic_ || high_ - low_ <= kSliderSteps;
  }
  /// The slider's position for a value, clamped.
  [[nodiscard]] int position(double value) const;
  /// The value at a position, rounded to the parameter's step (or to three digits where it is
  /// logarithmic) so that no one reads 12.49999.
  [[nodiscard]] double value(int position) const;
  /// What one press of the spin box's arrow adds at a value.
  [[nodiscard]] double step_at(double value) const;
  /// Digits after the point that the spin box shows.
  [[nodiscard]] int decimals() const noexcept { return decimals_; }

 private:
  double low_;
  double high_;
  double step_;
  bool logarithmic_;
  bool whole_;
  int decimals_;
};

}  // namespace seedwave::ui
