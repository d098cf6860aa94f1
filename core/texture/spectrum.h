// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave::texture {

/// Returns the side of a window padded against wraparound: the smallest size of at least 2 window -
/// 1 with only the factors 2, 3 and 5.
[[nodiscard]] std::int64_t padded_side(std::int64_t window);

/// Autocorrelations of two masks of a window at once, by the discrete Fourier transform (Cooper et
/// al. 2012, equations 4 to 6). One mask is the real part, the other the imaginary part.
///
/// In f64, the error of values that should be integers up to 256^2 is below kMostError.
class CorrelationBySpectrum {
 public:
  static constexpr double kMostError = 1e-6;

  explicit CorrelationBySpectrum(std::int64_t window);
  ~CorrelationBySpectrum();
  CorrelationBySpectrum(const CorrelationBySpectrum&) = delete;
  CorrelationBySpectrum& operator=(const CorrelationBySpectrum&) = delete;

  /// Sets the cells, 0 or 1, of one row of the window in both masks.
  void set_row(std::int64_t y, const std::uint8_t* first, const std::uint8_t* second);
  /// Correlates. All rows must have been set since the last call.
  void correlate();
  /// Returns the number of pairs of cells at a lag, for both masks, rounded to integers. |dx| and
  /// |dy| are at most window / 2.
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> counts(std::int64_t dx,
                                                             std::int64_t dy) const;
  /// Returns the value before rounding.
  [[nodiscard]] std::complex<double> value(std::int64_t dx, std::int64_t dy) const;
  [[nodiscard]] std::int64_t side() const { return side_; }

 private:
  class Transforms;
  enum class Direction { Forward, Inverse };
  void transform_rows(Direction direction, std::int64_t first, std::int64_t last);

  std::int64_t window_;
  std::int64_t side_;
  std::vector<std::complex<double>> cells_;   // side x side
  std::vector<std::complex<double>> turned_;  // with x and y exchanged
  std::unique_ptr<Transforms> transforms_;
};

}  // namespace seedwave::texture
