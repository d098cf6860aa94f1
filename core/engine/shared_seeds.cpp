// SPDX-License-Identifier: Apache-2.0
#include "core/engine/shared_seeds.h"

#include <algorithm>
#include <utility>

namespace seedwave {
namespace {

std::vector<const Stroke*> strokes_of(const SharedSeeds& seeds) {
  std::vector<const Stroke*> strokes;
  strokes.reserve(seeds.size());
  seeds.for_each([&](const Stroke& stroke) { strokes.push_back(&stroke); });
  return strokes;
}

bool same(const Stroke* a, const Stroke* b) {
  return a == b || *a == *b;
}

}  // namespace

SharedSeeds::SharedSeeds(SeedSet seeds) : size_(seeds.strokes.size()) {
  if (size_ == 0) return;
  parts_.push_back(
      {std::make_shared<const std::vector<Stroke>>(std::move(seeds.strokes)), 0, size_});
}

SharedSeeds::SharedSeeds(std::vector<Part> parts) {
  for (Part& part : parts) {
    if (part.begin == part.end) continue;
    size_ += part.end - part.begin;
    const bool goes_on =
        !parts_.empty() && parts_.back().block == part.block && parts_.back().end == part.begin;
    if (goes_on) {
      parts_.back().end = part.end;
    } else {
      parts_.push_back(std::move(part));
    }
  }
}

SeedSet SharedSeeds::as_set() const {
  SeedSet seeds;
  seeds.strokes.reserve(size_);
  for_each([&](const Stroke& stroke) { seeds.strokes.push_back(stroke); });
  return seeds;
}

std::vector<SharedSeeds::Part> SharedSeeds::parts_of(std::size_t begin, std::size_t end) const {
  std::vector<Part> parts;
  std::size_t first = 0;  // index of the part's first stroke in the whole
  for (const Part& part : parts_) {
    const std::size_t count = part.end - part.begin;
    const std::size_t from = std::max(begin, first);
    const std::size_t to = std::min(end, first + count);
    if (from < to)
      parts.push_back({part.block, part.begin + from - first, part.begin + to - first});
    first += count;
  }
  return parts;
}

SharedSeeds SharedSeeds::shared_with(const SharedSeeds& other) const {
  const std::vector<const Stroke*> mine = strokes_of(*this);
  const std::vector<const Stroke*> theirs = strokes_of(other);
  const std::size_t most = std::min(mine.size(), theirs.size());
  std::size_t front = 0;
  while (front < most && same(mine[front], theirs[front]))
    ++front;
  std::size_t back = 0;
  while (front + back < most &&
         same(mine[mine.size() - 1 - back], theirs[theirs.size() - 1 - back])) {
    ++back;
  }
  // Nothing in common, or already shared, as after opening a session.
  const bool own_front = front > 0 && mine[front - 1] != theirs[front - 1];
  const bool own_back = back > 0 && mine[mine.size() - back] != theirs[theirs.size() - back];
  if (!own_front && !own_back) return *this;
  std::vector<Part> parts = other.parts_of(0, front);
  if (front + back < mine.size()) {
    // A block of their own, so that the block that they came in can be freed.
    std::vector<Stroke> own;
    for (std::size_t i = front; i < mine.size() - back; ++i)
      own.push_back(*mine[i]);
    const std::size_t count = own.size();
    parts.push_back({std::make_shared<const std::vector<Stroke>>(std::move(own)), 0, count});
  }
  for (Part& part : other.parts_of(theirs.size() - back, theirs.size()))
    parts.push_back(std::move(part));
  return SharedSeeds(std::move(parts));
}

bool operator==(const SharedSeeds& a, const SharedSeeds& b) {
  if (a.size() != b.size()) return false;
  const auto same_part = [](const SharedSeeds::Part& one, const SharedSeeds::Part& other) {
    return one.block == other.block && one.begin == other.begin && one.end == other.end;
  };
  if (std::ranges::equal(a.parts_, b.parts_, same_part)) return true;
  const std::vector<const Stroke*> in_a = strokes_of(a);
  const std::vector<const Stroke*> in_b = strokes_of(b);
  return std::equal(in_a.begin(), in_a.end(), in_b.begin(), same);
}

}  // namespace seedwave
