// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/object_intensity.h"

#include "core/base/error.h"
#include "core/image/channel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

namespace seedwave {
namespace {

/// Sums of bytes, in integers.
struct ByteSums {
  std::int64_t sum = 0;
  std::int64_t squares = 0;
  int minimum = 255;
  int maximum = 0;

  void add(int value) noexcept {
    sum += value;
    squares += std::int64_t{value} * value;
    minimum = std::min(minimum, value);
    maximum = std::max(maximum, value);
  }
  [[nodiscard]] IntensitySums in_floating_point() const noexcept {
    return {.sum = static_cast<double>(sum),
            .squares = static_cast<double>(squares),
            .minimum = static_cast<double>(minimum),
            .maximum = static_cast<double>(maximum)};
  }
};

}  // namespace

void IntensitySums::add(double value) noexcept {
  sum += value;
  squares += value * value;
  minimum = std::min(minimum, value);
  maximum = std::max(maximum, value);
}

void IntensitySums::add(const IntensitySums& other) noexcept {
  sum += other.sum;
  squares += other.squares;
  minimum = std::min(minimum, other.minimum);
  maximum = std::max(maximum, other.maximum);
}

IntensityStatistics IntensitySums::statistics(std::int64_t voxels) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(sum)) return {kNone, kNone, kNone, kNone};
  const auto count = static_cast<double>(voxels);
  const double mean = sum / count;
  // Equal values have none, whatever the rounding of their sum.
  const double variance = minimum == maximum ? 0.0 : squares / count - mean * mean;
  return {.mean = mean,
          .standard_deviation = std::sqrt(std::max(0.0, variance)),
          .minimum = minimum,
          .maximum = maximum};
}

class MeasuredChannels::Values {
 public:
  Values() = default;
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  virtual ~Values() = default;
  virtual void add(std::int64_t begin, std::int64_t end, std::span<IntensitySums> sums) const = 0;
};

template <typename T>
class MeasuredChannels::ScalarValues : public Values {
 public:
  explicit ScalarValues(const Volume& image) : image_(image), values_(image.voxels<T>()) {}

  void add(std::int64_t begin, std::int64_t end, std::span<IntensitySums> sums) const override {
    const auto run =
        values_.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    for (const T value : run)
      sums[0].add(static_cast<double>(value));
  }

 private:
  Volume image_;  // owns the values
  std::span<const T> values_;
};

class MeasuredChannels::ColourValues : public Values {
 public:
  /// `ids`: channels() and more stains.
  ColourValues(const Volume& image, const std::vector<std::string>& ids)
      : image_(image), rgb_(image.voxels<std::uint8_t>()) {
    for (std::size_t i = kBytes; i < ids.size(); ++i)
      stains_.push_back(sum_of_channel(ids[i]).parts);
  }

  void add(std::int64_t begin, std::int64_t end, std::span<IntensitySums> sums) const override {
    const auto run = rgb_.subspan(static_cast<std::size_t>(3 * begin),
                                  static_cast<std::size_t>(3 * (end - begin)));
    add_bytes(run, sums);
    for (std::size_t stain = 0; stain < stains_.size(); ++stain) {
      const auto& [red, green, blue] = stains_[stain];
      IntensitySums& own = sums[kBytes + stain];
      // Rounded as by channel_of().
      for (std::size_t i = 0; i < run.size(); i += 3)
        own.add(static_cast<float>(red[run[i]] + green[run[i + 1]] + blue[run[i + 2]]));
    }
  }

 private:
  static constexpr std::size_t kBytes = 4;  // grey, red, green, blue

  static void add_bytes(std::span<const std::uint8_t> run, std::span<IntensitySums> sums) {
    std::array<ByteSums, kBytes> own{};
    for (std::size_t i = 0; i < run.size(); i += 3) {
      // Rounded as by channel_of().
      own[0].add((299 * run[i] + 587 * run[i + 1] + 114 * run[i + 2] + 500) / 1000);
      for (std::size_t c = 0; c < 3; ++c)
        own[1 + c].add(run[i + c]);
    }
    for (std::size_t c = 0; c < kBytes; ++c)
      sums[c].add(own[c].in_floating_point());
  }

  Volume image_;  // owns the values
  std::span<const std::uint8_t> rgb_;
  std::vector<std::array<std::array<double, 256>, 3>> stains_;
};

MeasuredChannels::MeasuredChannels() = default;

MeasuredChannels::MeasuredChannels(const Volume& image,
                                   const std::vector<std::string>& own_stains) {
  if (image.empty()) return;
  if (image.components() == 3 && image.type() == VoxelType::U8) {
    for (const Channel& channel : channels())
      ids_.push_back(channel.id);
    ids_.insert(ids_.end(), own_stains.begin(), own_stains.end());
    values_ = std::make_unique<const ColourValues>(image, ids_);
    return;
  }
  if (image.components() != 1)
    throw InputError("objects are measured in images of one value or of RGB with 8 bits");
  ids_ = {""};
  values_ = visit_voxels(image, [&]<typename T>(std::span<const T>) {
    return std::unique_ptr<const Values>(std::make_unique<const ScalarValues<T>>(image));
  });
}

MeasuredChannels::~MeasuredChannels() = default;
MeasuredChannels::MeasuredChannels(MeasuredChannels&&) noexcept = default;
MeasuredChannels& MeasuredChannels::operator=(MeasuredChannels&&) noexcept = default;

void MeasuredChannels::add(std::int64_t begin, std::int64_t end,
                           std::span<IntensitySums> sums) const {
  values_->add(begin, end, sums);
}

}  // namespace seedwave
