// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/row_contrast.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace seedwave {
namespace {

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

}  // namespace

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

}  // namespace seedwave
