// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/label_boxes.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <span>

namespace seedwave {
namespace {

/// Boxes of the labels of some rows.
template <LabelType T>
class BoxesOfRows {
 public:
  void add_row(std::span<const T> row, const Index3& at) {
    Box* box = nullptr;  // of the label `of`, with this row
    T of = 0;
    const auto length = std::ssize(row);
    for (std::int64_t x = 0; x < length;) {
      const T label = row[x];
      const std::int64_t begin = x;
      x = end_of_run(row, x);
      if (label == 0) continue;
      if (box == nullptr || label != of) {
        of = label;
        box = &boxes_[label];
        box->include({begin, at[1], at[2]});
      }
      box->lo[0] = std::min(box->lo[0], begin);
      box->hi[0] = std::max(box->hi[0], x);
    }
  }
  [[nodiscard]] const std::map<Label, Box>& boxes() const { return boxes_; }

 private:
  /// Returns the end of the run of equal labels that begins at x. Compares a word at a time.
  static std::int64_t end_of_run(std::span<const T> row, std::int64_t x) {
    constexpr auto kAtOnce = static_cast<std::int64_t>(sizeof(std::uint64_t) / sizeof(T));
    constexpr std::uint64_t kInEach = ~std::uint64_t{0} / std::numeric_limits<T>::max();
    const T label = row[x];
    const std::uint64_t labels = kInEach * label;
    for (; x + kAtOnce <= std::ssize(row); x += kAtOnce) {
      std::uint64_t word = 0;
      std::memcpy(&word, row.data() + x, sizeof word);
      if (word != labels)
        return x + std::countr_zero(word ^ labels) / std::numeric_limits<T>::digits;
    }
    while (x < std::ssize(row) && row[x] == label)
      ++x;
    return x;
  }

  std::map<Label, Box> boxes_;
};

}  // namespace

std::map<Label, Box> label_boxes(const LabelMap& map, Context& context) {
  constexpr std::int64_t kRows = 256;
  const Index3& size = map.geometry().size;
  std::map<Label, Box> all;
  std::mutex mutex;  // guards all
  visit_labels(map.labels(), [&]<LabelType T>(std::span<const T> labels) {
    parallel_for(context, size[1] * size[2], kRows, [&](std::int64_t begin, std::int64_t end) {
      BoxesOfRows<T> rows;
      for (std::int64_t row = begin; row < end; ++row)
        rows.add_row(labels.subspan(row * size[0], size[0]), {0, row % size[1], row / size[1]});
      const std::lock_guard lock(mutex);
      for (const auto& [label, box] : rows.boxes()) {
        Box& whole = all[label];
        whole.include(box.lo);
        whole.include({box.hi[0] - 1, box.hi[1] - 1, box.hi[2] - 1});
      }
    });
  });
  return all;
}

}  // namespace seedwave
