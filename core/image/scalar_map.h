// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <memory>
#include <optional>
#include <string>

namespace seedwave {

/// The range of a scalar map's values that colours distinguish.
struct MapRange {
  /// The 0.1 and 99.9 % percentiles of the numbers, as displayed values; low < high.
  double low = 0.0;
  double high = 1.0;
  /// Set if the smallest value is 0 and a good part of the map has it: 0 then means "nothing".
  bool zero_is_nothing = false;
  friend bool operator==(const MapRange&, const MapRange&) = default;
};

/// A scalar image made by an operation, with the meaning of its numbers.
struct ScalarMap {
  /// The output's id: "strength", "image", "nearest".
  std::string name;
  /// The name for people; "": `name`.
  std::string title{};
  std::string unit{};
  /// The stored value that means 1; 0: stored values are displayed as they are.
  double full = 0.0;
  /// Number of `unit` per stored 1 if `full` is 0: 1000 if mm are displayed in µm.
  double scale = 1.0;
  /// The stored value that means "nothing here".
  std::optional<double> none{};
  /// Period of the displayed values; 0: they are not cyclic.
  double period = 0.0;
  /// The weight of each value, on the same grid; null: all weigh the same.
  std::shared_ptr<const ScalarMap> weight{};
  Volume volume{};
  MapRange range{};

  [[nodiscard]] bool empty() const noexcept { return volume.empty(); }
  /// Returns whether values are degrees: the sign follows the number without a space, and
  /// directions are drawn.
  [[nodiscard]] bool is_in_degrees() const noexcept { return unit == "\u00b0"; }
  /// Returns the displayed value of a stored one; NaN if it means nothing.
  [[nodiscard]] double shown(double stored) const noexcept;
  [[nodiscard]] double shown_at(const Index3& index) const noexcept {
    return shown(volume.value_at(index));
  }
};

/// Returns the range of a map. Infinities, NaN and values that mean nothing are skipped; of very
/// large maps every n-th voxel is sampled, about a million in all. Maps with `full` have the range
/// 0 to 1.
///
/// `high_share`: the share of the values below the upper end of the range.
[[nodiscard]] MapRange map_range(const ScalarMap& map, double high_share = 0.999);

/// Returns the map as the weight of another one. Its range goes from full transparency at 0, where
/// no value is below, to full opacity at the value that only a hundredth of the values exceed.
[[nodiscard]] std::shared_ptr<const ScalarMap> as_weight(ScalarMap map);

}  // namespace seedwave
