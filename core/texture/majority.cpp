// SPDX-License-Identifier: Apache-2.0
#include "core/texture/majority.h"

#include "core/base/error.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace seedwave {
namespace {

/// A picture's labels as numbers 0 .. count - 1 that rise with them.
struct NumberedLabels {
  explicit NumberedLabels(std::span<const std::uint16_t> picture)
      : number_of(std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1) {
    for (const std::uint16_t label : picture)
      number_of[label] = 1;
    for (std::size_t label = 0; label < number_of.size(); ++label) {
      if (number_of[label] == 0) continue;
      number_of[label] = static_cast<std::uint16_t>(labels.size());
      labels.push_back(static_cast<std::uint16_t>(label));
    }
  }
  std::vector<std::uint16_t> number_of;
  std::vector<std::uint16_t> labels;
};

/// Goes down the rows of a picture with the counts of each column's pixels within the radius.
class ColumnCounts {
 public:
  ColumnCounts(const LabelMap& picture, const NumberedLabels& numbered, std::int64_t radius,
               std::int64_t first_row)
      : pixels_(picture.labels().data()),
        columns_(picture.geometry().size[0]),
        rows_(picture.geometry().size[1]),
        numbered_(numbered),
        count_(std::ssize(numbered.labels)),
        radius_(radius),
        row_(first_row),
        counts_(static_cast<std::size_t>(columns_ * count_)),
        around_(static_cast<std::size_t>(count_)) {
    const std::int64_t end = std::min(rows_, first_row + radius_ + 1);
    for (std::int64_t y = std::max<std::int64_t>(0, first_row - radius_); y < end; ++y)
      add(y, 1);
  }

  /// The majority in each square around the row.
  void find(std::uint16_t* result) {
    std::fill(around_.begin(), around_.end(), 0);
    for (std::int64_t x = 0; x < std::min(columns_, radius_); ++x)
      add_column(x, 1);
    for (std::int64_t x = 0; x < columns_; ++x) {
      if (x + radius_ < columns_) add_column(x + radius_, 1);
      if (x - radius_ > 0) add_column(x - radius_ - 1, -1);
      result[x] = most_frequent(numbered_.number_of[pixels_[row_ * columns_ + x]]);
    }
  }

  void go_down() {
    if (row_ - radius_ >= 0) add(row_ - radius_, -1);
    ++row_;
    if (row_ + radius_ < rows_) add(row_ + radius_, 1);
  }

 private:
  void add(std::int64_t y, std::int32_t sign) {
    const std::uint16_t* pixels = pixels_ + y * columns_;
    for (std::int64_t x = 0; x < columns_; ++x)
      counts_[x * count_ + numbered_.number_of[pixels[x]]] += sign;
  }
  void add_column(std::int64_t x, std::int32_t sign) {
    const std::int32_t* column = counts_.data() + x * count_;
    for (std::int64_t label = 0; label < count_; ++label)
      around_[label] += sign * column[label];
  }
  [[nodiscard]] std::uint16_t most_frequent(std::uint16_t own) const {
    // The first of the largest counts is the smallest label.
    const auto most = std::max_element(around_.begin(), around_.end());
    return numbered_.labels[around_[own] == *most ? own : most - around_.begin()];
  }

  const std::uint16_t* pixels_;
  std::int64_t columns_;
  std::int64_t rows_;
  const NumberedLabels& numbered_;
  std::int64_t count_;  // of labels
  std::int64_t radius_;
  std::int64_t row_;
  std::vector<std::int32_t> counts_;  // column by column
  std::vector<std::int64_t> around_;  // in the square around a pixel
};

}  // namespace

LabelMap majority(const LabelMap& labels, std::int64_t radius, Context& context) {
  const Geometry& geometry = labels.geometry();
  if (radius < 0)
    throw UsageError("the radius of a majority is 0 or more, not " + std::to_string(radius));
  if (!geometry.is_2d()) throw InputError("a majority needs a picture, not a volume");
  if (radius == 0) return labels;
  const std::int64_t columns = geometry.size[0];
  const std::int64_t rows = geometry.size[1];
  // Far outside there is nothing to count.
  const std::int64_t reach = std::min(radius, std::max(columns, rows));
  // Long beside the rows that are counted before the first one.
  const std::int64_t part = std::max<std::int64_t>(64, 4 * reach);
  const NumberedLabels numbered(labels.labels());
  std::vector<std::uint16_t> result(labels.labels().size());
  parallel_for(context, (rows + part - 1) / part, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t last = std::min(rows, (i + 1) * part);
      ColumnCounts counts(labels, numbered, reach, i * part);
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
