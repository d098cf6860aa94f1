// SPDX-License-Identifier: Apache-2.0
#include "core/texture/majority.h"

#include "core/base/error.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

namespace seedwave {
namespace {

/// Returns the labels in ascending order.
std::vector<std::uint16_t> labels_in(std::span<const std::uint16_t> picture, Context& context) {
  constexpr std::int64_t kGrain = 1 << 20;
  constexpr std::size_t kLabels = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;
  std::vector<std::uint8_t> is_there(kLabels);
  std::mutex mutex;
  parallel_for(context, std::ssize(picture), kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint8_t> is_here(kLabels);
    for (std::int64_t i = begin; i < end; ++i)
      is_here[picture[i]] = 1;
    const std::lock_guard lock(mutex);
    for (std::size_t label = 0; label < kLabels; ++label)
      is_there[label] |= is_here[label];
  });
  std::vector<std::uint16_t> labels;
  for (std::size_t label = 0; label < kLabels; ++label) {
    if (is_there[label] != 0) labels.push_back(static_cast<std::uint16_t>(label));
  }
  return labels;
}

/// Moves down the rows of an image, label by label, with the counts of each column's pixels within
/// the radius. Uses plain loops over rows, which compilers vectorise.
class ColumnCounts {
 public:
  ColumnCounts(const LabelMap& picture, const std::vector<std::uint16_t>& labels,
               std::int64_t radius, std::int64_t first_row)
      : pixels_(picture.labels().as<std::uint16_t>().data()),
        columns_(picture.geometry().size[0]),
        rows_(picture.geometry().size[1]),
        labels_(labels),
        radius_(radius),
        row_(first_row),
        pitch_(columns_ + 2 * radius + 1),
        counts_(static_cast<std::size_t>(pitch_ * std::ssize(labels))),
        around_(static_cast<std::size_t>(columns_)),
        most_(around_.size()),
        which_(around_.size()),
        own_(around_.size()) {
    const std::int64_t end = std::min(rows_, first_row + radius_ + 1);
    for (std::int64_t y = std::max<std::int64_t>(0, first_row - radius_); y < end; ++y)
      add(y, 1);
  }

  /// Finds the majority in each square around the row.
  void find(std::uint16_t* result) {
    const std::uint16_t* const pixels = pixels_ + row_ * columns_;
    std::fill(most_.begin(), most_.end(), 0);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      sum_around(counts_.data() + static_cast<std::int64_t>(i) * pitch_);
      keep_most(labels_[i], pixels);
    }
    for (std::int64_t x = 0; x < columns_; ++x)
      result[x] = own_[x] == most_[x] ? pixels[x] : static_cast<std::uint16_t>(which_[x]);
  }

  void go_down() {
    if (row_ - radius_ >= 0) add(row_ - radius_, kOneLess);
    ++row_;
    if (row_ + radius_ < rows_) add(row_ + radius_, 1);
  }

 private:
  static constexpr std::uint32_t kOneLess = ~0U;

  void add(std::int64_t y, std::uint32_t step) {
    const std::uint16_t* const pixels = pixels_ + y * columns_;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      std::uint32_t* const counts =
          counts_.data() + static_cast<std::int64_t>(i) * pitch_ + radius_ + 1;
      const std::uint16_t label = labels_[i];
      for (std::int64_t x = 0; x < columns_; ++x)
        counts[x] += pixels[x] == label ? step : 0U;
    }
  }
  /// Sums a label's pixels in each square from its columns. These are padded with zeros: radius + 1
  /// before the first and radius after the last.
  void sum_around(const std::uint32_t* columns) {
    std::uint32_t sum = 0;
    for (std::int64_t x = 0; x < 2 * radius_ + 1; ++x)
      sum += columns[x];
    std::uint32_t* const around = around_.data();
    for (std::int64_t x = 0; x < columns_; ++x) {
      sum += columns[x + 2 * radius_ + 1] - columns[x];
      around[x] = sum;
    }
  }
  /// Labels come in ascending order, so among equally frequent ones the smallest stays.
  void keep_most(std::uint32_t label, const std::uint16_t* pixels) {
    const std::uint32_t* const around = around_.data();
    std::uint32_t* const most = most_.data();
    std::uint32_t* const which = which_.data();
    std::uint32_t* const own = own_.data();
    for (std::int64_t x = 0; x < columns_; ++x) {
      const std::uint32_t count = around[x];
      which[x] = count > most[x] ? label : which[x];
      most[x] = count > most[x] ? count : most[x];
      own[x] = pixels[x] == label ? count : own[x];
    }
  }

  const std::uint16_t* pixels_;
  std::int64_t columns_;
  std::int64_t rows_;
  const std::vector<std::uint16_t>& labels_;
  std::int64_t radius_;
  std::int64_t row_;
  std::int64_t pitch_;
  std::vector<std::uint32_t> counts_;  // by label
  // Counts for the current row, in the square around each pixel: of one label, of the most frequent
  // label so far with that label, and of the pixel's own label.
  std::vector<std::uint32_t> around_;
  std::vector<std::uint32_t> most_;
  std::vector<std::uint32_t> which_;
  std::vector<std::uint32_t> own_;
};

}  // namespace

LabelMap majority(const LabelMap& labels, std::int64_t radius, Context& context) {
  const Geometry& geometry = labels.geometry();
  if (radius < 0)
    throw UsageError("the radius of a majority filter must be 0 or more, not " +
                     std::to_string(radius));
  if (!geometry.is_2d()) throw InputError("a majority filter needs a 2-D image, not a volume");
  if (radius == 0) return labels;
  const std::int64_t columns = geometry.size[0];
  const std::int64_t rows = geometry.size[1];
  // There is nothing to count far outside.
  const std::int64_t reach = std::min(radius, std::max(columns, rows));
  // Long compared with the rows that are counted before the first one.
  const std::int64_t part = std::max<std::int64_t>(64, 4 * reach);
  const std::vector<std::uint16_t> present =
      labels_in(labels.labels().as<std::uint16_t>(), context);
  auto result = large_vector<std::uint16_t>(context, labels.labels().size());
  parallel_for(context, (rows + part - 1) / part, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t last = std::min(rows, (i + 1) * part);
      ColumnCounts counts(labels, present, reach, i * part);
      for (std::int64_t y = i * part; y < last; ++y) {
        if (context.stop_requested()) throw Cancelled();
        counts.find(result.data() + y * columns);
        counts.go_down();
      }
    }
  });
  return LabelMap(geometry, std::move(result));
}

}  // namespace seedwave
