// SPDX-License-Identifier: Apache-2.0
#include "core/texture/spectrum.h"

#include <algorithm>
#include <cmath>
#include <kissfft/kissfft.hh>

namespace seedwave::texture {
std::int64_t padded_side(std::int64_t window) {
  for (std::int64_t size = 2 * window - 1;; ++size) {
    std::int64_t rest = size;
    for (const std::int64_t factor : {2, 3, 5}) {
      while (rest % factor == 0)
        rest /= factor;
    }
    if (rest == 1) return size;
  }
}

class CorrelationBySpectrum::Transforms {
 public:
  explicit Transforms(std::size_t side) : forward_(side, false), inverse_(side, true) {}
  void run(Direction direction, const std::complex<double>* from, std::complex<double>* to) const {
    (direction == Direction::Forward ? forward_ : inverse_).transform(from, to);
  }

 private:
  kissfft<double> forward_;
  kissfft<double> inverse_;
};

CorrelationBySpectrum::CorrelationBySpectrum(std::int64_t window)
    : window_(window),
      side_(padded_side(window)),
      cells_(static_cast<std::size_t>(side_ * side_)),
      turned_(cells_.size()),
      transforms_(std::make_unique<Transforms>(static_cast<std::size_t>(side_))) {}
CorrelationBySpectrum::~CorrelationBySpectrum() = default;

void CorrelationBySpectrum::set_row(std::int64_t y, const std::uint8_t* first,
                                    const std::uint8_t* second) {
  for (std::int64_t x = 0; x < window_; ++x)
    cells_[static_cast<std::size_t>(x + y * side_)] = {static_cast<double>(first[x]),
                                                       static_cast<double>(second[x])};
}

/// Transforms rows first .. last - 1, and exchanges x and y.
void CorrelationBySpectrum::transform_rows(Direction direction, std::int64_t first,
                                           std::int64_t last) {
  std::vector<std::complex<double>> line(static_cast<std::size_t>(side_));
  for (std::int64_t y = first; y < last; ++y) {
    transforms_->run(direction, &cells_[static_cast<std::size_t>(y * side_)], line.data());
    for (std::int64_t x = 0; x < side_; ++x)
      turned_[static_cast<std::size_t>(x * side_ + y)] = line[static_cast<std::size_t>(x)];
  }
}

void CorrelationBySpectrum::correlate() {
  // Clears the last correlation from the padding; the rows of the padding stay empty.
  for (std::int64_t y = 0; y < window_; ++y)
    std::fill_n(cells_.begin() + y * side_ + window_, side_ - window_, 0.0);
  for (std::int64_t x = 0; x < side_; ++x)
    std::fill_n(turned_.begin() + x * side_ + window_, side_ - window_, 0.0);
  transform_rows(Direction::Forward, 0, window_);
  std::swap(cells_, turned_);
  transform_rows(Direction::Forward, 0, side_);
  // With Z the transform of a + ib, those of a and b are half of Z(k) + Z*(-k) and Z(k) - Z*(-k).
  const double scale = 1.0 / (4.0 * static_cast<double>(side_ * side_));
  for (std::int64_t y = 0; y < side_; ++y) {
    const std::int64_t opposite_y = (side_ - y) % side_;
    for (std::int64_t x = 0; x < side_; ++x) {
      const std::complex<double> here = turned_[static_cast<std::size_t>(x + y * side_)];
      const std::complex<double> there =
          std::conj(turned_[static_cast<std::size_t>((side_ - x) % side_ + opposite_y * side_)]);
      cells_[static_cast<std::size_t>(x + y * side_)] = {scale * std::norm(here + there),
                                                         scale * std::norm(here - there)};
    }
  }
  transform_rows(Direction::Inverse, 0, side_);
  std::swap(cells_, turned_);
  // Only the columns that are read.
  const std::int64_t reach = window_ / 2;
  transform_rows(Direction::Inverse, 0, std::min(reach + 1, side_ - reach));
  transform_rows(Direction::Inverse, side_ - reach, side_);
  std::swap(cells_, turned_);
}

std::complex<double> CorrelationBySpectrum::value(std::int64_t dx, std::int64_t dy) const {
  return cells_[static_cast<std::size_t>((dx + side_) % side_ + (dy + side_) % side_ * side_)];
}

std::pair<std::int32_t, std::int32_t> CorrelationBySpectrum::counts(std::int64_t dx,
                                                                    std::int64_t dy) const {
  const std::complex<double> both = value(dx, dy);
  return {static_cast<std::int32_t>(std::lround(both.real())),
          static_cast<std::int32_t>(std::lround(both.imag()))};
}

}  // namespace seedwave::texture
