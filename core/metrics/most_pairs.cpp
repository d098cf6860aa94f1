// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/most_pairs.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace seedwave {
namespace {

constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

/// A matching that grows by one pair with each augmenting path.
class GrowingMatching {
 public:
  GrowingMatching(std::span<const PossiblePair> pairs, std::size_t lefts, std::size_t rights,
                  Context& context)
      : context_(context),
        pairs_(pairs),
        first_pair_(lefts + 1),
        left_of_(rights, kNobody),
        before_(rights, kNobody),
        right_of_(lefts, kNobody) {
    for (const PossiblePair& pair : pairs)
      ++first_pair_[pair.left + 1];
    for (std::size_t left = 0; left < lefts; ++left)
      first_pair_[left + 1] += first_pair_[left];
  }

  /// Finds a partner for a left item that has none, by the shortest path on which pairs can be
  /// exchanged. Returns false if there is no path; then no later path leads through the items
  /// reached here, and they stay marked.
  bool add(std::size_t left) {
    reached_.clear();
    queue_.assign(1, left);
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      if (++steps_ % kCellsPerCheck == 0)
        context_.checkpoint(static_cast<double>(left) / static_cast<double>(right_of_.size()));
      const std::size_t here = queue_[at];
      for (std::size_t i = first_pair_[here]; i < first_pair_[here + 1]; ++i) {
        const std::size_t right = pairs_[i].right;
        if (before_[right] != kNobody) continue;
        before_[right] = here;
        reached_.push_back(right);
        if (left_of_[right] == kNobody) {
          exchange(right);
          return true;
        }
        queue_.push_back(left_of_[right]);
      }
    }
    return false;
  }

 private:
  /// Pairs the items of the path that ends at `right`, and removes the marks of the search.
  void exchange(std::size_t right) {
    while (right != kNobody) {
      const std::size_t left = before_[right];
      left_of_[right] = left;
      std::swap(right, right_of_[left]);
    }
    for (const std::size_t marked : reached_)
      before_[marked] = kNobody;
  }

  Context& context_;
  std::span<const PossiblePair> pairs_;
  std::vector<std::size_t> first_pair_;  // by left item
  std::vector<std::size_t> left_of_;     // the partner, by right item
  /// The left item from which a right item was reached, which marks it.
  std::vector<std::size_t> before_;
  std::vector<std::size_t> right_of_;  // the partner, by left item
  std::vector<std::size_t> reached_;
  std::vector<std::size_t> queue_;
  std::size_t steps_ = 0;
};

}  // namespace

std::int64_t most_pairs(std::span<const PossiblePair> pairs, Context& context) {
  std::size_t lefts = 0;
  std::size_t rights = 0;
  for (const PossiblePair& pair : pairs) {
    lefts = std::max(lefts, pair.left + 1);
    rights = std::max(rights, pair.right + 1);
  }
  GrowingMatching matching(pairs, lefts, rights, context);
  std::int64_t count = 0;
  for (std::size_t left = 0; left < lefts; ++left)
    count += matching.add(left) ? 1 : 0;
  return count;
}

}  // namespace seedwave
