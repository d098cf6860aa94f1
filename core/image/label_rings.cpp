// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_rings.h"

#include "core/base/disjoint_sets.h"
#include "core/base/error.h"

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

namespace seedwave {
namespace {

using Region = std::uint32_t;  // number of a region, from 1; 0 is background

/// Numbers the regions in the order of their first pixels.
template <typename T>
class RegionNumbers {
 public:
  RegionNumbers(std::span<const T> labels, std::int64_t width, std::int64_t height,
                const std::function<void()>& checkpoint)
      : numbers_(labels.size()) {
    sets_.add();  // the background's number
    for (std::int64_t y = 0; y < height; ++y) {
      checkpoint();
      for (std::int64_t x = 0; x < width; ++x)
        link(labels, y * width + x, x, y, width);
    }
    std::vector<Region> final(sets_.count());
    Region count = 0;
    for (Region i = 1; i < sets_.count(); ++i) {
      const Region first = sets_.first_of(i);
      final[i] = first == i ? ++count : final[first];
    }
    for (Region& number : numbers_)
      number = final[number];
    count_ = count;
  }

  [[nodiscard]] const std::vector<Region>& numbers() const noexcept { return numbers_; }
  [[nodiscard]] Region count() const noexcept { return count_; }

 private:
  void link(std::span<const T> labels, std::int64_t at, std::int64_t x, std::int64_t y,
            std::int64_t width) {
    const auto i = static_cast<std::size_t>(at);
    const T label = labels[i];
    if (label == 0) return;
    const bool left = x > 0 && labels[i - 1] == label;
    const bool above = y > 0 && labels[i - static_cast<std::size_t>(width)] == label;
    if (left) numbers_[i] = numbers_[i - 1];
    if (above) {
      const Region other = numbers_[i - static_cast<std::size_t>(width)];
      if (left) sets_.join(numbers_[i], other);
      numbers_[i] = other;
    }
    if (!left && !above) numbers_[i] = sets_.add();
  }

  std::vector<Region> numbers_;
  GrowingSets<Region> sets_;
  Region count_ = 0;
};

/// Follows the edges of regions, each with its region on the right hand.
class EdgeWalk {
 public:
  EdgeWalk(const std::vector<Region>& numbers, std::int64_t width, std::int64_t height)
      : numbers_(numbers), width_(width), height_(height), seen_(numbers.size()) {}

  /// Returns whether a region begins below the upper edge of a pixel, and no ring has passed it.
  [[nodiscard]] bool is_new(std::int64_t x, std::int64_t y) const {
    const Region region = at(x, y);
    return region != 0 && at(x, y - 1) != region && !seen_[place(x, y)];
  }

  /// Returns the ring that passes the upper edge of a pixel.
  Ring from(std::int64_t x, std::int64_t y) {
    const Region region = at(x, y);
    const std::array<std::int64_t, 2> start{x, y};
    std::array<std::int64_t, 2> corner = start;
    int heading = kRight;
    Ring ring;
    do {
      if (heading == kRight) seen_[place(corner[0], corner[1])] = true;
      corner[0] += kStep[heading][0];
      corner[1] += kStep[heading][1];
      const int turn = turn_at(corner, heading, region);
      if (turn != 0) ring.push_back(corner);
      heading = (heading + turn + 4) % 4;
    } while (corner != start || heading != kRight);
    return ring;
  }

 private:
  static constexpr int kRight = 0;  // then down, left, up
  static constexpr std::array<std::array<int, 2>, 4> kStep{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  /// The pixels before a corner, left and right of the heading, relative to it.
  static constexpr std::array<std::array<int, 2>, 4> kLeft{{{0, -1}, {0, 0}, {-1, 0}, {-1, -1}}};
  static constexpr std::array<std::array<int, 2>, 4> kAhead{{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}};

  [[nodiscard]] std::size_t place(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>(y * width_ + x);
  }
  [[nodiscard]] Region at(std::int64_t x, std::int64_t y) const {
    return x < 0 || y < 0 || x >= width_ || y >= height_ ? 0 : numbers_[place(x, y)];
  }
  /// Returns 1 to turn right, -1 left, 0 to go on. Where two pixels of the region meet in a corner
  /// only, the ring turns away from the pixel that it comes along: the other two then lie on
  /// different rings, since the region encloses one of them.
  [[nodiscard]] int turn_at(const std::array<std::int64_t, 2>& corner, int heading,
                            Region region) const {
    const auto in = [&](const std::array<int, 2>& pixel) {
      return at(corner[0] + pixel[0], corner[1] + pixel[1]) == region;
    };
    if (in(kLeft[heading])) return -1;
    return in(kAhead[heading]) ? 0 : 1;
  }

  const std::vector<Region>& numbers_;
  std::int64_t width_;
  std::int64_t height_;
  std::vector<bool> seen_;  // upper edges of pixels
};

}  // namespace

std::vector<LabelRegion> regions_of(const LabelMap& labels,
                                    const std::function<void()>& checkpoint) {
  const Index3& size = labels.geometry().size;
  require(size[2] == 1);
  return visit_labels(labels.labels(), [&]<typename T>(std::span<const T> values) {
    const RegionNumbers<T> found(values, size[0], size[1], checkpoint);
    std::vector<LabelRegion> regions(found.count());
    EdgeWalk walk(found.numbers(), size[0], size[1]);
    for (std::int64_t y = 0; y < size[1]; ++y) {
      checkpoint();
      for (std::int64_t x = 0; x < size[0]; ++x) {
        if (!walk.is_new(x, y)) continue;
        const auto i = static_cast<std::size_t>(y * size[0] + x);
        LabelRegion& region = regions[found.numbers()[i] - 1];
        // The ring of the first pixel is the outer one.
        if (region.label == 0) {
          region.label = values[i];
          region.outer = walk.from(x, y);
        } else {
          region.holes.push_back(walk.from(x, y));
        }
      }
    }
    return regions;
  });
}

Ring midpoint_ring(const Ring& ring) {
  const auto sign = [](std::int64_t number) { return (number > 0) - (number < 0); };
  // The middles of the first and of the last pixel edge of each side; one if it is a single edge.
  Ring middles;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto& from = ring[i];
    const auto& to = ring[(i + 1) % ring.size()];
    const std::array<std::int64_t, 2> step{sign(to[0] - from[0]), sign(to[1] - from[1])};
    const std::array<std::int64_t, 2> first{2 * from[0] + step[0], 2 * from[1] + step[1]};
    const std::array<std::int64_t, 2> last{2 * to[0] - step[0], 2 * to[1] - step[1]};
    middles.push_back(first);
    if (last != first) middles.push_back(last);
  }
  Ring bends;
  for (std::size_t i = 0; i < middles.size(); ++i) {
    const auto& before = middles[(i + middles.size() - 1) % middles.size()];
    const auto& at = middles[i];
    const auto& after = middles[(i + 1) % middles.size()];
    const std::int64_t turn =
        (at[0] - before[0]) * (after[1] - at[1]) - (at[1] - before[1]) * (after[0] - at[0]);
    if (turn != 0) bends.push_back(at);
  }
  return bends;
}

}  // namespace seedwave
