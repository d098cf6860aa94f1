// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <memory>
#include <optional>
#include <string>

namespace seedwave {

/// Which values of a scalar map are worth a colour of their own.
struct MapRange {
  /// The 0.1 and 99.9 % percentiles of what is a number, in shown values; low < high.
  double low = 0.0;
  double high = 1.0;
  /// The smallest value is 0 and a good part of the map has it: there, 0 means "nothing".
  bool zero_is_nothing = false;
  friend bool operator==(const MapRange&, const MapRange&) = default;
};

/// A scalar image that an operation made, with what its numbers mean.
struct ScalarMap {
  /// The output's id: "strength", "image", "nearest".
  std::string name;
  /// For people; "": the name.
  std::string title{};
  std::string unit{};
  /// The stored value that stands for 1; 0: values stand for themselves.
  double full = 0.0;
  /// How many of `unit` a stored value of 1 is, where `full` is 0: 1000 where mm are read in µm.
  double scale = 1.0;
  /// The stored value that means "nothing here".
  std::optional<double> none{};
  /// The shown values begin again after so many; 0: they do not.
  double period = 0.0;
  /// How much each value counts, on the same grid; null: all alike.
  std::shared_ptr<const ScalarMap> weight{};
  Volume volume{};
  MapRange range{};

  [[nodiscard]] bool empty() const noexcept { return volume.empty(); }
  /// Degrees stand at their number, without a space, and directions are drawn by them.
  [[nodiscard]] bool is_in_degrees() const noexcept { return unit == "\u00b0"; }
  /// What a stored value means; NaN where it means nothing.
  [[nodiscard]] double shown(double stored) const noexcept;
  [[nodiscard]] double shown_at(const Index3& index) const noexcept {
    return shown(volume.value_at(index));
  }
};

/// Infinities, NaN and what means nothing are passed over; of very large maps every n-th voxel is
/// looked at, about a million in all. Shares have the range 0 to 1.
///
/// `high_share`: the share of the values that lie below the range's end.
[[nodiscard]] MapRange map_range(const ScalarMap& map, double high_share = 0.999);

/// What weighs another map, with the range from where it lets nothing be seen to where it lets all
/// be seen: from 0, where no value is below, to what only a hundredth of the values exceed.
[[nodiscard]] std::shared_ptr<const ScalarMap> as_weight(ScalarMap map);

}  // namespace seedwave
