// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/slab_order.h"

#include <algorithm>
#include <iterator>

namespace seedwave {
namespace {

/// A worker's share of the slabs, and its way through them.
class Way {
 public:
  Way(std::int64_t begin, std::int64_t end) : begin_(begin), end_(end), at_(begin - 1) {}

  std::int64_t next(const std::vector<char>& waiting) {
    for (const std::int64_t near : {at_ - step_, at_, at_ + step_}) {
      if (is_own(near) && waits(waiting, near)) return go_to(near);
    }
    for (int turns = 0; turns < 2; ++turns) {
      for (std::int64_t slab = at_ + step_; is_own(slab); slab += step_) {
        if (waits(waiting, slab)) return go_to(slab);
      }
      step_ = -step_;
      // The share's end, if it helped elsewhere.
      at_ = std::clamp(at_, begin_ - 1, end_);
    }
    return help(waiting);
  }

 private:
  [[nodiscard]] bool is_own(std::int64_t slab) const { return slab >= begin_ && slab < end_; }
  [[nodiscard]] static bool waits(const std::vector<char>& waiting, std::int64_t slab) {
    return waiting[static_cast<std::size_t>(slab)] != 0;
  }
  std::int64_t go_to(std::int64_t slab) {
    if (slab != at_) step_ = slab > at_ ? 1 : -1;
    return at_ = slab;
  }
  std::int64_t help(const std::vector<char>& waiting) {
    const auto count = std::ssize(waiting);
    for (std::int64_t away = 0;; ++away) {
      for (const std::int64_t slab : {at_ - away, at_ + away}) {
        if (slab >= 0 && slab < count && waits(waiting, slab)) return go_to(slab);
      }
    }
  }

  std::int64_t begin_;
  std::int64_t end_;
  std::int64_t at_;
  std::int64_t step_ = 1;  // 1 or -1
};

}  // namespace

NextSlab near_first(std::int64_t slabs, std::size_t workers) {
  std::vector<Way> ways;
  const auto count = static_cast<std::int64_t>(workers);
  for (std::int64_t i = 0; i < count; ++i)
    ways.emplace_back(slabs * i / count, slabs * (i + 1) / count);
  return [ways = std::move(ways)](std::size_t worker, const std::vector<char>& waiting) mutable {
    return ways[worker].next(waiting);
  };
}

}  // namespace seedwave
