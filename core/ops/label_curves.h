// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/ops/operation.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// Values at equally spaced places from `low` to `high`; at least two.
struct LabelCurve {
  double low = 0.0;
  double high = 1.0;
  std::vector<double> values;
  friend bool operator==(const LabelCurve&, const LabelCurve&) = default;
};

/// One curve per label.
using LabelCurves = std::map<Label, LabelCurve>;

/// Returns "1=-50:120:-4,0.5,4;2=...": label, low, high, values. Reading it back gives the same
/// bits.
[[nodiscard]] std::string to_text(const LabelCurves& curves);

/// Parses that text; spaces are allowed. Returns nothing if `text` has another form, names a label
/// twice, or has a curve of fewer than two or more than 1,000 values.
[[nodiscard]] std::optional<LabelCurves> parse_label_curves(const std::string& text);

/// The domain of a parameter that holds such curves.
[[nodiscard]] EstimateDomain curves_domain();

}  // namespace seedwave
