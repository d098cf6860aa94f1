// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave::texture {

/// The side of a window padded so that nothing wraps around: the next size from 2 window - 1 on
/// whose factors are 2, 3 and 5.
[[nodiscard]] std::int64_t padded_side(std::int64_t window);

/// The autocorrelations of two masks of a window at once, by the discrete Fourier transform (Cooper
/// et al. 2012, equations 4 to 6): one mask is the real part, the other the imaginary.
///
/// f64, so that what should be whole numbers up to 256^2 is off by less than kMostError.
class CorrelationBySpectrum {
 public:
  static constexpr double kMostError = 1e-6;

  explicit CorrelationBySpectrum(std::int64_t window);
  ~CorrelationBySpectrum();
  CorrelationBySpectrum(const CorrelationBySpectrum&) = delete;
  CorrelationBySpectrum& operator=(const CorrelationBySpectrum&) = delete;

  /// Cells of one row of the window, 0 or 1, of both masks.
  void set_row(std::int64_t y, const std::uint8_t* first, const std::uint8_t* second);
  /// All rows were set since the last time.
  void correlate();
  /// Pairs of cells at a lag, of both masks: the nearest whole numbers. |dx|, |dy| up to window
  /// / 2.
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> counts(std::int64_t dx,
                                                             std::int64_t dy) const;
  /// As computed, before rounding.
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
