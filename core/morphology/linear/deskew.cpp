// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/deskew.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <type_traits>

namespace seedwave {
namespace {

/// Number of profile steps per pixel.
constexpr std::int64_t kPhases = 16;
constexpr double kSigma = 1.5;
constexpr std::int64_t kKernelReach = 8 * kPhases;  // 5.3 sigma
constexpr std::int64_t kSampleStep = kPhases / 2;
/// Largest sides of a reduced page: to fit angles, and to survey all angles.
constexpr std::int64_t kSideToFit = 4096;
constexpr std::int64_t kSideToLookOver = 512;
constexpr double kDegree = std::numbers::pi / 180.0;

/// Values minus ground, column after column of each slice, because a column is shifted as a whole.
struct PageColumns {
  std::int64_t width;
  std::int64_t height;
  std::int64_t slices;
  std::vector<float> values;

  [[nodiscard]] const float* column(std::int64_t x, std::int64_t z) const {
    return values.data() + (z * width + x) * height;
  }
};

/// Averages over squares of pixels if a side is longer than `largest`.
PageColumns columns_of(const Volume& image, double ground, std::int64_t largest, Context& context) {
  const auto& [width, height, slices] = image.geometry().size;
  const std::int64_t side = (std::max(width, height) + largest - 1) / largest;
  PageColumns columns{.width = std::max<std::int64_t>(1, width / side),
                      .height = std::max<std::int64_t>(1, height / side),
                      .slices = slices,
                      .values = {}};
  columns.values.resize(static_cast<std::size_t>(columns.width * columns.height * slices));
  const double share = 1.0 / static_cast<double>(side * side);
  visit_voxels(image, [&, width = width, height = height](auto voxels) {
    parallel_for(
        context, columns.slices * columns.height, 16, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t z = i / columns.height;
            const std::int64_t y = i % columns.height;
            for (std::int64_t x = 0; x < columns.width; ++x) {
              double sum = 0.0;
              for (std::int64_t dy = 0; dy < std::min(side, height); ++dy) {
                const auto* row = voxels.data() + (z * height + y * side + dy) * width + x * side;
                for (std::int64_t dx = 0; dx < std::min(side, width); ++dx) {
                  const auto value = static_cast<double>(row[dx]);
                  if (std::isfinite(value)) sum += value - ground;
                }
              }
              columns.values[(z * columns.width + x) * columns.height + y] =
                  static_cast<float>(sum * share);
            }
          }
        });
  });
  return columns;
}

/// Returns the second derivative of a Gaussian, with its mean subtracted.
std::vector<double> kernel() {
  std::vector<double> weights;
  double sum = 0.0;
  for (std::int64_t i = -kKernelReach; i <= kKernelReach; ++i) {
    const double t = static_cast<double>(i) / (static_cast<double>(kPhases) * kSigma);
    weights.push_back((t * t - 1.0) * std::exp(-0.5 * t * t));
    sum += weights.back();
  }
  for (double& weight : weights)
    weight -= sum / static_cast<double>(weights.size());
  return weights;
}

/// Projects one slice along one angle.
double sharpness_of(const PageColumns& columns, std::int64_t z, double degrees,
                    const std::vector<double>& weights, Context& context) {
  const double slope = std::tan(degrees * kDegree) * static_cast<double>(kPhases);
  const auto shift_of = [&](std::int64_t x) {
    const double from_middle =
        static_cast<double>(x) - static_cast<double>(columns.width - 1) / 2.0;
    return static_cast<std::int64_t>(std::floor(from_middle * slope + 0.5));
  };
  const std::int64_t most = std::max(std::abs(shift_of(0)), std::abs(shift_of(columns.width - 1)));
  // Margin on either side for the shifts and for the kernel, in whole pixels.
  const std::int64_t before = most / kPhases + 1 + kKernelReach / kPhases + 1;
  const std::int64_t pixels = columns.height + 2 * before;
  // Ordered by phase, so a column is added to contiguous numbers.
  std::vector<double> by_phase(static_cast<std::size_t>(kPhases * pixels));
  for (std::int64_t x = 0; x < columns.width; ++x) {
    if (x % 256 == 0) context.checkpoint(0.0);
    const std::int64_t place = shift_of(x) + before * kPhases;  // positive
    double* to = by_phase.data() + place % kPhases * pixels + place / kPhases;
    const float* from = columns.column(x, z);
    for (std::int64_t y = 0; y < columns.height; ++y)
      to[y] += static_cast<double>(from[y]);
  }
  std::vector<double> profile(by_phase.size());
  for (std::int64_t i = 0; i < std::ssize(profile); ++i)
    profile[i] = by_phase[i % kPhases * pixels + i / kPhases];
  double energy = 0.0;
  for (std::int64_t at = kKernelReach; at + kKernelReach < std::ssize(profile); at += kSampleStep) {
    const double* around = profile.data() + at - kKernelReach;
    std::array<double, 4> sums{};  // several at a time, in a fixed order
    for (std::size_t i = 0; i + 4 <= weights.size(); i += 4) {
      for (std::size_t k = 0; k < 4; ++k)
        sums[k] += weights[i + k] * around[i + k];
    }
    double sum = weights.back() * around[weights.size() - 1];  // one more than 4n
    sum += (sums[0] + sums[1]) + (sums[2] + sums[3]);
    energy += sum * sum;
  }
  return energy;
}

std::vector<double> sharpness_at(const PageColumns& columns, const std::vector<double>& angles,
                                 Context& context) {
  const std::vector<double> weights = kernel();
  std::vector<double> result(angles.size());
  parallel_for(context, std::ssize(angles), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t z = 0; z < columns.slices; ++z)
        result[i] += sharpness_of(columns, z, angles[i], weights, context);
    }
  });
  return result;
}

std::vector<double> angles_around(double middle, double step, std::int64_t each_way) {
  std::vector<double> angles;
  for (std::int64_t i = -each_way; i <= each_way; ++i)
    angles.push_back(middle + static_cast<double>(i) * step);
  return angles;
}

std::size_t place_of_largest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

struct Peak {
  double angle;
  double sharpness;
};

/// Returns the sharpest angle within `reach` of `coarse`, or `coarse` if several are equal.
Peak peak_near(const PageColumns& columns, double coarse, double reach, Context& context) {
  constexpr double kLargestStep = 0.25;
  const double step = std::min(kLargestStep, 1.0 / (kDegree * static_cast<double>(columns.width)));
  const auto each_way = static_cast<std::int64_t>(std::ceil(reach / step));
  const std::vector<double> tried = angles_around(coarse, step, each_way);
  const std::vector<double> sharpness = sharpness_at(columns, tried, context);
  const std::size_t best = place_of_largest(sharpness);
  const double of_coarse = sharpness[static_cast<std::size_t>(each_way)];
  if (!(sharpness[best] > of_coarse) && of_coarse == 0.0) return {coarse, 0.0};

  const double middle = sharpness[best] > of_coarse ? tried[best] : coarse;
  const double fine_step = step / 4.0;
  const std::vector<double> fine = angles_around(middle, fine_step, 5);
  const std::vector<double> around = sharpness_at(columns, fine, context);
  const std::size_t peak = std::clamp<std::size_t>(place_of_largest(around), 1, fine.size() - 2);
  const double rise = around[peak] - around[peak - 1];
  const double fall = around[peak] - around[peak + 1];
  const double off = rise + fall > 0.0 ? 0.5 * (rise - fall) / (rise + fall) : 0.0;
  return {fine[peak] + fine_step * std::clamp(off, -1.0, 1.0), around[peak]};
}

double to_a_thousandth(double number) {
  return std::round(number * 1000.0) / 1000.0;
}

/// The sums of all lines of one family in one slice. A nearly horizontal line runs along a row for
/// many cells before it steps to the next. With the row's running sums each such run costs two
/// reads.
class Profile {
 public:
  explicit Profile(const LineFamily& lines) : lowest_base_(lines.first_base(1)) {
    assert(lines.major() == 0 && lines.shifts(2).back() == 0);
    const auto& shifts = lines.shifts(1);
    for (std::size_t x = 0; x < shifts.size(); ++x) {
      if (x == 0 || shifts[x] != shifts[x - 1]) runs_.push_back({x, shifts[x]});
    }
    columns_ = shifts.size();
    // One line without cells before the first and after the last, because print may touch the
    // border.
    sums_.resize(static_cast<std::size_t>(lines.last_base(1) - lowest_base_ + 3));
  }

  void clear() { std::fill(sums_.begin(), sums_.end(), 0.0); }

  /// running[x] is the sum of the first x cells of row y.
  void add_row(std::int64_t y, const std::vector<double>& running) {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t end = i + 1 < runs_.size() ? runs_[i + 1].begin : columns_;
      sums_[y - runs_[i].shift - lowest_base_ + 1] += running[end] - running[runs_[i].begin];
    }
  }

  [[nodiscard]] double contrast() const {
    double sum = 0.0;
    for (std::size_t i = 1; i < sums_.size(); ++i) {
      const double step = sums_[i] - sums_[i - 1];
      sum += step * step;
    }
    return sum;
  }

 private:
  struct Run {
    std::size_t begin;
    std::int32_t shift;
  };

  std::int64_t lowest_base_;
  std::size_t columns_ = 0;
  std::vector<Run> runs_;
  std::vector<double> sums_;
};

/// Number of directions that share a row's running sums.
constexpr std::int64_t kTogether = 8;

template <typename Voxel>
void add_up(const Voxel* row, double ground, std::vector<double>& running) {
  for (std::size_t x = 0; x + 1 < running.size(); ++x) {
    const auto value = static_cast<double>(row[x]);
    running[x + 1] = running[x] + (std::isfinite(value) ? value - ground : 0.0);
  }
}

/// One slice, sampled between pixels.
template <typename Voxel>
class Slice {
 public:
  Slice(const Voxel* pixels, std::int64_t width, std::int64_t height, double around)
      : pixels_(pixels), width_(width), height_(height), around_(around) {}

  [[nodiscard]] double at(double x, double y) const {
    const double left = std::floor(x);
    const double top = std::floor(y);
    const auto column = static_cast<std::int64_t>(left);
    const auto row = static_cast<std::int64_t>(top);
    const double right_share = x - left;
    const double low_share = y - top;
    const double above = between(column, row, right_share);
    // A neighbour with weight 0 is not read: it may be infinite or outside.
    if (low_share == 0.0) return above;
    return (1.0 - low_share) * above + low_share * between(column, row + 1, right_share);
  }

 private:
  [[nodiscard]] double between(std::int64_t column, std::int64_t row, double right_share) const {
    const double left = pixel(column, row);
    if (right_share == 0.0) return left;
    return (1.0 - right_share) * left + right_share * pixel(column + 1, row);
  }
  [[nodiscard]] double pixel(std::int64_t column, std::int64_t row) const {
    if (column < 0 || row < 0 || column >= width_ || row >= height_) return around_;
    return static_cast<double>(pixels_[column + row * width_]);
  }

  const Voxel* pixels_;
  std::int64_t width_;
  std::int64_t height_;
  double around_;
};

template <typename Voxel>
Voxel as_voxel(double value) {
  if constexpr (std::is_floating_point_v<Voxel>) return static_cast<Voxel>(value);
  return static_cast<Voxel>(std::llround(value));  // between the image's own values, so it fits
}

}  // namespace

std::vector<double> row_sharpness(const Volume& image, double ground,
                                  const std::vector<double>& angles, Context& context) {
  return sharpness_at(columns_of(image, ground, kSideToFit, context), angles, context);
}

SkewFit fit_skew(const Volume& image, double ground, double coarse,
                 const std::vector<double>& angles, double reach, Context& context) {
  const PageColumns reduced = columns_of(image, ground, kSideToLookOver, context);
  const std::vector<double> over_all = sharpness_at(reduced, angles, context);
  const double sharpest = angles[place_of_largest(over_all)];

  const PageColumns columns = columns_of(image, ground, kSideToFit, context);
  Peak peak = peak_near(columns, coarse, reach, context);
  if (peak.sharpness == 0.0) return {coarse, 0.0};
  if (std::abs(sharpest - coarse) > 0.5 * reach) {
    const Peak other = peak_near(columns, sharpest, reach, context);
    if (other.sharpness > peak.sharpness) peak = other;
  }
  std::vector<double> compared{peak.angle};
  for (const double away : {1.0, 2.0, 4.0}) {
    compared.push_back(peak.angle - away);
    compared.push_back(peak.angle + away);
  }
  const std::vector<double> others = sharpness_at(columns, compared, context);
  const double highest = *std::max_element(others.begin() + 1, others.end());
  const double confidence = others[0] > 0.0 ? std::max(0.0, 1.0 - highest / others[0]) : 0.0;
  return {to_a_thousandth(peak.angle), to_a_thousandth(confidence)};
}

std::vector<double> row_contrast(const Volume& image, double ground,
                                 const std::vector<LineFamily>& directions, Context& context) {
  const auto& [columns, rows, slices] = image.geometry().size;
  const std::int64_t count = std::ssize(directions);
  std::vector<double> contrasts(directions.size());
  const auto find = [&, columns = columns, rows = rows, slices = slices](auto voxels) {
    const auto find_together = [&](std::int64_t begin, std::int64_t end) {
      std::vector<Profile> profiles(directions.begin() + begin, directions.begin() + end);
      std::vector<double> running(static_cast<std::size_t>(columns + 1));
      for (std::int64_t z = 0; z < slices; ++z) {
        for (Profile& profile : profiles)
          profile.clear();
        for (std::int64_t y = 0; y < rows; ++y) {
          if (y % 64 == 0) context.checkpoint(0.0);
          add_up(voxels.data() + (z * rows + y) * columns, ground, running);
          for (Profile& profile : profiles)
            profile.add_row(y, running);
        }
        for (std::int64_t i = begin; i < end; ++i)
          contrasts[i] += profiles[i - begin].contrast();
      }
    };
    const std::int64_t groups = (count + kTogether - 1) / kTogether;
    parallel_for(context, groups, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t group = begin; group < end; ++group)
        find_together(group * kTogether, std::min(count, (group + 1) * kTogether));
    });
  };
  visit_voxels(image, find);
  return contrasts;
}

std::size_t strongest_angle(const std::vector<double>& angles, const std::vector<double>& sums,
                            LineFilter filter) {
  require(!angles.empty() && angles.size() == sums.size());
  const auto is_stronger = [&](std::size_t a, std::size_t b) {
    if (sums[a] != sums[b])
      return filter == LineFilter::Opening ? sums[a] > sums[b] : sums[a] < sums[b];
    return std::abs(angles[a]) < std::abs(angles[b]);
  };
  std::size_t strongest = 0;
  for (std::size_t i = 1; i < angles.size(); ++i) {
    if (is_stronger(i, strongest)) strongest = i;
  }
  return strongest;
}

Volume turned_clockwise(const Volume& image, double degrees, double around, Context& context) {
  const Geometry& geometry = image.geometry();
  const double radians = degrees * std::numbers::pi / 180.0;
  const double cosine = std::cos(radians);
  const double sine = std::sin(radians);
  const std::int64_t columns = geometry.size[0];
  const std::int64_t rows = geometry.size[1];
  const double middle_x = static_cast<double>(columns - 1) / 2.0;
  const double middle_y = static_cast<double>(rows - 1) / 2.0;
  const auto turn = [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    auto result = large_array<Voxel>(voxels.size());
    parallel_for(context, rows * geometry.size[2], 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const Slice<Voxel> slice(voxels.data() + i / rows * columns * rows, columns, rows, around);
        const double down = static_cast<double>(i % rows) - middle_y;
        for (std::int64_t x = 0; x < columns; ++x) {
          const double right = static_cast<double>(x) - middle_x;
          result[i * columns + x] = as_voxel<Voxel>(slice.at(
              middle_x + right * cosine + down * sine, middle_y - right * sine + down * cosine));
        }
      }
    });
    return Volume(geometry, std::move(result));
  };
  return visit_voxels(image, turn);
}

double middle_value(const Volume& image) {
  return visit_voxels(image, [](auto voxels) {
    std::vector values(voxels.begin(), voxels.end());
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return static_cast<double>(*middle);
  });
}

}  // namespace seedwave
