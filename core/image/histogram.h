// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The intensities displayed between black and white: centre - width / 2 to centre + width / 2.
struct GreyWindow {
  double centre = 0.0;
  double width = 1.0;

  [[nodiscard]] double low() const noexcept { return centre - width / 2; }
  [[nodiscard]] double high() const noexcept { return centre + width / 2; }
  /// Returns the window from `low` to `high`; a width of 0 becomes the smallest that can be
  /// displayed.
  [[nodiscard]] static GreyWindow between(double low, double high) noexcept;
  friend bool operator==(const GreyWindow&, const GreyWindow&) = default;
};

/// A histogram: `counts[i]` is the number of values in [low + i * bin_width, low + (i + 1) *
/// bin_width); the last bin includes its upper end.
struct Histogram {
  double low = 0.0;
  double bin_width = 1.0;
  std::vector<std::int64_t> counts;
  std::int64_t total = 0;

  /// Returns the value below which `share` (0..1) of the voxels lie, linear within a bin.
  [[nodiscard]] double percentile(double share) const;
  /// Returns the value that separates the counts into two classes of minimum within-class variance
  /// (Otsu, IEEE Trans. Syst. Man Cybern. 9(1):62-66, 1979): background and foreground of an MR
  /// image.
  [[nodiscard]] double otsu_threshold() const;
};

/// Returns the histogram of a part of a scalar volume over the range of its finite values. NaN and
/// infinities are skipped. Integer types of up to `most_bins` different values get one bin per
/// value. Of very large volumes every n-th voxel is counted, about four million in all.
[[nodiscard]] Histogram histogram(const Volume& volume, const Box& box, int most_bins = 4096);
[[nodiscard]] Histogram histogram(const Volume& volume, int most_bins = 4096);

/// The rule of the automatic window.
enum class WindowRule {
  /// The 0.1 and 99.9 % percentiles.
  Percentiles,
  /// MR: the dark peak of the air around the body is left out, so that tissue fills the gray scale
  /// and the few brightest voxels (vessels, fat) do not darken the rest.
  MagneticResonance,
};

/// Returns a window that displays the volume, or a box of it, well. One component.
[[nodiscard]] GreyWindow automatic_window(const Volume& volume, WindowRule rule);
[[nodiscard]] GreyWindow automatic_window(const Volume& volume, const Box& box, WindowRule rule);

}  // namespace seedwave
