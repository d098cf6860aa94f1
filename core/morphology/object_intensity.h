// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// Statistics of an image's values over the voxels of an object. The standard deviation is that of
/// these voxels (divided by their number). All are NaN if one of the values is.
struct IntensityStatistics {
  double mean = 0.0;
  double standard_deviation = 0.0;
  double minimum = 0.0;
  double maximum = 0.0;
};

/// Sums over values, from which their statistics follow. Added up in the same order, they have the
/// same bits; sums of integers below 2^53 are exact in any order.
struct IntensitySums {
  double sum = 0.0;
  double squares = 0.0;
  double minimum = std::numeric_limits<double>::infinity();
  double maximum = -std::numeric_limits<double>::infinity();

  void add(double value) noexcept;
  void add(const IntensitySums& other) noexcept;
  [[nodiscard]] IntensityStatistics statistics(std::int64_t voxels) const;
};

/// The channels in which objects are measured: the values of a scalar image; of a colour image all
/// of channels(), then the user's own stains. Any thread may read it.
class MeasuredChannels {
 public:
  /// No channels.
  MeasuredChannels();
  /// `image`: one component, RGB of u8, or empty (no channels). `own_stains`: ids of
  /// stain_channel(); images of one component have none of them. Throws InputError for other
  /// images, and as channel_named().
  explicit MeasuredChannels(const Volume& image, const std::vector<std::string>& own_stains = {});
  ~MeasuredChannels();
  MeasuredChannels(MeasuredChannels&&) noexcept;
  MeasuredChannels& operator=(MeasuredChannels&&) noexcept;

  /// Returns the ids of the channels; that of a scalar image's only channel is empty.
  [[nodiscard]] const std::vector<std::string>& ids() const noexcept { return ids_; }
  /// Adds voxels begin .. end - 1, as offsets, to the sums of each channel.
  void add(std::int64_t begin, std::int64_t end, std::span<IntensitySums> sums) const;

 private:
  class Values;
  template <typename T>
  class ScalarValues;
  class ColourValues;

  std::vector<std::string> ids_;
  std::unique_ptr<const Values> values_;
};

}  // namespace seedwave
