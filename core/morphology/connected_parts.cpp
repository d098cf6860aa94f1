// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/connected_parts.h"

#include "core/base/disjoint_sets.h"
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/morphology/strips.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace seedwave {
namespace {

constexpr std::uint32_t kMostParts = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void refuse_so_many_parts() {
  throw InputError("there are more than " + std::to_string(kMostParts) + " connected parts");
}

/// Cells of a row that belong together: equal ones, or all that are not 0.
enum class Together { Equal, NotZero };

template <Together kTogether, typename T>
bool is_unlike(T cell, T value) {
  if constexpr (kTogether == Together::Equal) return cell != value;
  return (cell == 0) != (value == 0);
}

/// The same as first_unlike() for long runs, in blocks that are vectorised.
template <Together kTogether, typename T>
[[gnu::noinline]] std::int64_t first_unlike_beyond(const T* cells, std::int64_t begin,
                                                   std::int64_t end, T value) {
  constexpr std::int64_t kBlock = 64;
  for (; begin + kBlock <= end; begin += kBlock) {
    int unlike = 0;
    for (std::int64_t i = 0; i < kBlock; ++i)
      unlike |= static_cast<int>(is_unlike<kTogether>(cells[begin + i], value));
    if (unlike != 0) break;
  }
  while (begin < end && !is_unlike<kTogether>(cells[begin], value))
    ++begin;
  return begin;
}
/// Returns the first of the cells begin .. end - 1 that does not belong to `value`, or end.
template <Together kTogether, typename T>
std::int64_t first_unlike(const T* cells, std::int64_t begin, std::int64_t end, T value) {
  constexpr std::int64_t kShort = 16;
  for (const std::int64_t near = std::min(end, begin + kShort); begin < near; ++begin) {
    if (is_unlike<kTogether>(cells[begin], value)) return begin;
  }
  return first_unlike_beyond<kTogether>(cells, begin, end, value);
}

/// Sums over a part for those who need its size alone.
struct PartSize {
  std::int64_t voxels = 0;
  void add(const PartSize& other) noexcept { voxels += other.voxels; }
};

/// The parts of a strip of rows by themselves: numbered from 0 in raster order.
template <typename Sums>
struct Strip {
  std::vector<PartRun> runs;
  std::vector<std::size_t> first_runs{0};  // of each row, and the total
  std::vector<Sums> parts;

  [[nodiscard]] std::span<const PartRun> row(std::int64_t row) const {
    const auto at = static_cast<std::size_t>(row);
    return std::span(runs).subspan(first_runs[at], first_runs[at + 1] - first_runs[at]);
  }
};

/// Calls join(i, k) for the runs ours[i] and theirs[k] of two rows that touch and have equal
/// labels. `reach`: how far sideways neighbours lie.
template <typename Join>
void join_touching(std::span<const PartRun> ours, std::span<const PartRun> theirs,
                   std::int32_t reach, Join&& join) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    while (first < theirs.size() && theirs[first].end + reach <= ours[i].begin)
      ++first;
    for (std::size_t k = first; k < theirs.size() && theirs[k].begin < ours[i].end + reach; ++k) {
      if (theirs[k].label == ours[i].label) join(i, k);
    }
  }
}

/// Sums: PartSize or ConnectedPart.
template <LabelType T, typename Sums, Together kTogether = Together::Equal>
class PartSearch {
  using PartsOfStrip = Strip<Sums>;

 public:
  PartSearch(const Geometry& geometry, std::span<const T> labels, Connectivity connectivity,
             Context& context)
      : size_(geometry.size),
        rows_(size_[1] * size_[2]),
        labels_(labels.data()),
        before_(preceding_rows(connectivity)),
        strips_((rows_ + per_strip() - 1) / per_strip()),
        context_(context) {
    if (size_[0] > std::numeric_limits<std::int32_t>::max() / 2)
      throw InputError("rows of " + std::to_string(size_[0]) + " voxels are too long");
  }

  /// Finds all parts; those for which keep(Sums) is true get numbers.
  template <typename Keep>
  void find(Keep&& keep) {
    PartsOfStrip last;
    for_batches([&](std::int64_t begin, std::int64_t end) {
      std::vector<PartsOfStrip> batch(static_cast<std::size_t>(end - begin));
      for_strips(begin, end, [&](std::int64_t strip) {
        PartsOfStrip& found = batch[static_cast<std::size_t>(strip - begin)];
        found = parts_of(strip);
        keep_outer_rows(found);
      });
      for (std::int64_t strip = begin; strip < end; ++strip) {
        PartsOfStrip& found = batch[static_cast<std::size_t>(strip - begin)];
        append(strip, found, last);
        last = std::move(found);
      }
    });
    number(keep);
  }

  [[nodiscard]] std::vector<Sums> take_parts() { return std::move(parts_); }
  [[nodiscard]] const std::vector<Sums>& parts() const { return parts_; }

  /// Shows all strips once more.
  void visit(const VisitPartStrip& visitor) const {
    for_batches([&](std::int64_t begin, std::int64_t end) {
      std::vector<std::function<void()>> in_order(static_cast<std::size_t>(end - begin));
      for_strips(begin, end, [&](std::int64_t strip) {
        const PartsOfStrip found = parts_of(strip);
        const auto numbers = std::span(numbers_).subspan(
            static_cast<std::size_t>(offsets_[static_cast<std::size_t>(strip)]),
            found.parts.size());
        in_order[static_cast<std::size_t>(strip - begin)] = visitor({.first_row = first_row(strip),
                                                                     .runs = found.runs,
                                                                     .first_runs = found.first_runs,
                                                                     .numbers = numbers});
      });
      for (const std::function<void()>& next : in_order)
        next();
    });
  }

  [[nodiscard]] LabelMap numbered(const Geometry& geometry) const {
    const auto made = [&]<LabelType N>(N) {
      return LabelMap(geometry, draw<N>([](std::uint32_t number) { return number; }));
    };
    if (count_ <= std::numeric_limits<std::uint8_t>::max()) return made(std::uint8_t{});
    if (count_ <= std::numeric_limits<std::uint16_t>::max()) return made(std::uint16_t{});
    return made(std::uint32_t{});
  }

  /// Returns the numbered parts as 1.
  [[nodiscard]] Volume kept(const Geometry& geometry) const {
    return {geometry,
            draw<std::uint8_t>([](std::uint32_t number) { return number != 0 ? 1U : 0U; })};
  }

 private:
  [[nodiscard]] std::int64_t per_strip() const { return rows_per_strip(size_); }
  [[nodiscard]] std::int64_t first_row(std::int64_t strip) const { return strip * per_strip(); }
  [[nodiscard]] std::int64_t end_row(std::int64_t strip) const {
    return std::min(rows_, first_row(strip) + per_strip());
  }
  /// Number of rows of a strip that have neighbours in the strip before: steps go back by at most a
  /// plane, and strips of a volume are whole planes.
  [[nodiscard]] std::int64_t outer_rows() const { return size_[2] > 1 ? size_[1] : 1; }

  /// Calls body(begin, end) with some strips after the others: as many as keep all threads at work.
  template <typename Body>
  void for_batches(Body&& body) const {
    const std::int64_t at_once = std::max(8, 4 * context_.threads());
    for (std::int64_t begin = 0; begin < strips_; begin += at_once)
      body(begin, std::min(strips_, begin + at_once));
  }
  template <typename Body>
  void for_strips(std::int64_t first, std::int64_t last, Body&& body) const {
    parallel_for(context_, last - first, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t strip = first + begin; strip < first + end; ++strip) {
        context_.checkpoint(static_cast<double>(strip) / static_cast<double>(strips_));
        body(strip);
      }
    });
  }

  [[nodiscard]] PartsOfStrip parts_of(std::int64_t strip) const {
    PartsOfStrip found;
    GrowingSets<std::uint32_t> sets;
    const std::int64_t first = first_row(strip);
    for (std::int64_t row = first; row < end_row(strip); ++row) {
      add_runs(row, found.runs);
      found.first_runs.push_back(found.runs.size());
      link(row, first, found, sets);
    }
    sum_up(first, sets, found);
    return found;
  }

  void add_runs(std::int64_t row, std::vector<PartRun>& runs) const {
    const T* cells = labels_ + row * size_[0];
    for (std::int64_t x = first_unlike<kTogether, T>(cells, 0, size_[0], 0); x < size_[0];) {
      const std::int64_t end = first_unlike<kTogether, T>(cells, x + 1, size_[0], cells[x]);
      runs.push_back({.begin = static_cast<std::int32_t>(x),
                      .end = static_cast<std::int32_t>(end),
                      .label = kTogether == Together::Equal ? cells[x] : Label{1}});
      x = end < size_[0] && cells[end] == 0 ? first_unlike<kTogether, T>(cells, end, size_[0], 0)
                                            : end;
    }
  }

  /// Calls body(other, reach) with the preceding rows that hold neighbours of a row.
  template <typename Body>
  void for_rows_before(std::int64_t row, Body&& body) const {
    for (const NeighbourStep& step : before_) {
      const std::int64_t y = row % size_[1] + step.dy;
      if (y < 0 || y >= size_[1] || row / size_[1] + step.dz < 0) continue;
      body(row + step.dy + size_[1] * step.dz, step.dx);
    }
  }

  /// Puts the runs of a row into the sets of those that they touch in the strip, or into new ones.
  void link(std::int64_t row, std::int64_t first, PartsOfStrip& found,
            GrowingSets<std::uint32_t>& sets) const {
    constexpr std::uint32_t kNew = kMostParts;
    const std::size_t begin = found.first_runs[static_cast<std::size_t>(row - first)];
    const auto ours = std::span(found.runs).subspan(begin);
    for (PartRun& run : ours)
      run.part = kNew;
    for_rows_before(row, [&](std::int64_t other, int reach) {
      if (other < first) return;
      const std::span<const PartRun> theirs = found.row(other - first);
      join_touching(ours, theirs, reach, [&](std::size_t i, std::size_t k) {
        if (ours[i].part != kNew) sets.join(ours[i].part, theirs[k].part);
        ours[i].part = theirs[k].part;
      });
    });
    for (PartRun& run : ours) {
      if (run.part == kNew) run.part = sets.add();
    }
  }

  /// Numbers the sets, and sums up their runs.
  void sum_up(std::int64_t first, GrowingSets<std::uint32_t>& sets, PartsOfStrip& found) const {
    std::vector<std::uint32_t> numbers(sets.count());
    for (std::uint32_t set = 0; set < sets.count(); ++set) {
      const std::uint32_t root = sets.first_of(set);
      numbers[set] = root == set ? static_cast<std::uint32_t>(found.parts.size()) : numbers[root];
      if (root == set) found.parts.emplace_back();
    }
    std::int64_t row = first;
    for (std::size_t i = 0; i < found.runs.size(); ++i) {
      while (found.first_runs[static_cast<std::size_t>(row - first + 1)] <= i)
        ++row;
      PartRun& run = found.runs[i];
      run.part = numbers[run.part];
      found.parts[run.part].add(sums_of(run, row));
    }
  }
  [[nodiscard]] Sums sums_of(const PartRun& run, [[maybe_unused]] std::int64_t row) const {
    const std::int64_t count = run.end - run.begin;
    if constexpr (std::is_same_v<Sums, PartSize>) {
      return {.voxels = count};
    } else {
      const std::int64_t y = row % size_[1];
      const std::int64_t z = row / size_[1];
      return {.label = run.label,
              .voxels = count,
              .box = {{run.begin, y, z}, {run.end, y + 1, z + 1}},
              .first = {run.begin, y, z},
              .sums = {count * (std::int64_t{run.begin} + run.end - 1) / 2, count * y, count * z}};
    }
  }

  /// Forgets the runs that have no neighbours in other strips.
  void keep_outer_rows(PartsOfStrip& strip) const {
    const auto rows = static_cast<std::int64_t>(strip.first_runs.size()) - 1;
    if (rows <= 2 * outer_rows()) return;
    const std::size_t from = strip.first_runs[static_cast<std::size_t>(outer_rows())];
    const std::size_t to = strip.first_runs[static_cast<std::size_t>(rows - outer_rows())];
    std::vector<PartRun> kept(strip.runs.begin(),
                              strip.runs.begin() + static_cast<std::ptrdiff_t>(from));
    kept.insert(kept.end(), strip.runs.begin() + static_cast<std::ptrdiff_t>(to), strip.runs.end());
    strip.runs = std::move(kept);
    for (std::size_t& run : strip.first_runs)
      run = run <= from ? run : std::max(run, to) - (to - from);
  }

  /// Adds the parts of a strip, joined with those of the strip before.
  void append(std::int64_t strip, PartsOfStrip& found, const PartsOfStrip& before) {
    const std::int64_t offset = all_.count();
    for (const Sums& part : found.parts) {
      all_.add();
      parts_.push_back(part);
    }
    found.parts = {};
    const std::int64_t first = first_row(strip);
    const std::int64_t offset_before = offsets_.empty() ? 0 : offsets_.back();
    offsets_.push_back(offset);
    for (std::int64_t row = first; row < std::min(first + outer_rows(), end_row(strip)); ++row) {
      for_rows_before(row, [&](std::int64_t other, int reach) {
        if (other >= first) return;
        const auto ours = found.row(row - first);
        const auto theirs = before.row(other - first_row(strip - 1));
        join_touching(ours, theirs, reach, [&](std::size_t i, std::size_t k) {
          all_.join(offset + ours[i].part, offset_before + theirs[k].part);
        });
      });
    }
  }

  /// Gives numbers to the parts, of which `parts_` then holds the numbered ones.
  template <typename Keep>
  void number(Keep&& keep) {
    serial_for(context_, all_.count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = all_.first_of(i);
        if (first != i)
          parts_[static_cast<std::size_t>(first)].add(parts_[static_cast<std::size_t>(i)]);
      }
    });
    numbers_.resize(parts_.size());
    for (std::int64_t i = 0; i < all_.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int64_t first = all_.first_of(i);
      if (first != i) {
        numbers_[at] = numbers_[static_cast<std::size_t>(first)];
      } else if (keep(parts_[at])) {
        if (count_ == kMostParts) refuse_so_many_parts();
        parts_[count_] = parts_[at];
        numbers_[at] = ++count_;
      }
    }
    parts_.resize(count_);
  }

  /// Returns value_of(number) in the parts, 0 elsewhere.
  template <LabelType N, typename ValueOf>
  [[nodiscard]] std::vector<N> draw(ValueOf&& value_of) const {
    auto drawn = reserved_large<N>(static_cast<std::size_t>(rows_ * size_[0]));
    for_batches([&](std::int64_t begin, std::int64_t end) {
      // Few at a time, so that the numbers are written while their zeros are in the cache.
      drawn.resize(static_cast<std::size_t>(end_row(end - 1) * size_[0]));
      for_strips(begin, end, [&](std::int64_t strip) {
        const PartsOfStrip found = parts_of(strip);
        const std::uint32_t* numbers = numbers_.data() + offsets_[static_cast<std::size_t>(strip)];
        for (std::int64_t row = first_row(strip); row < end_row(strip); ++row) {
          for (const PartRun& run : found.row(row - first_row(strip)))
            std::fill_n(drawn.data() + row * size_[0] + run.begin, run.end - run.begin,
                        static_cast<N>(value_of(numbers[run.part])));
        }
      });
    });
    return drawn;
  }

  Index3 size_;
  std::int64_t rows_;
  const T* labels_;
  std::vector<NeighbourStep> before_;
  std::int64_t strips_;
  Context& context_;
  std::vector<std::int64_t> offsets_;  // by strip: of its parts among all
  GrowingSets<std::int64_t> all_;      // of the strips' parts
  std::vector<Sums> parts_;
  std::vector<std::uint32_t> numbers_;  // of the strips' parts, from 1; 0: too small
  std::uint32_t count_ = 0;
};

using ObjectSearch = PartSearch<std::uint8_t, ConnectedPart, Together::NotZero>;

/// Returns made(search) of a search that has found all parts.
template <typename Sums, typename Made>
auto searched(const LabelMap& labels, Connectivity connectivity, std::int64_t smallest,
              Context& context, Made&& made) {
  return visit_labels(labels.labels(), [&]<typename T>(std::span<const T> cells) {
    PartSearch<T, Sums> search(labels.geometry(), cells, connectivity, context);
    search.find([smallest](const Sums& part) { return part.voxels >= smallest; });
    return made(search);
  });
}

}  // namespace

Vec3 ConnectedPart::centre() const noexcept {
  Vec3 centre;
  for (std::size_t axis = 0; axis < 3; ++axis)
    centre[axis] = static_cast<double>(sums[axis]) / static_cast<double>(voxels);
  return centre;
}

void ConnectedPart::add(const ConnectedPart& other) noexcept {
  if (voxels == 0) {
    *this = other;
    return;
  }
  voxels += other.voxels;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.lo[axis] = std::min(box.lo[axis], other.box.lo[axis]);
    box.hi[axis] = std::max(box.hi[axis], other.box.hi[axis]);
    sums[axis] += other.sums[axis];
  }
}

std::vector<ConnectedPart> connected_parts(const LabelMap& labels, Connectivity connectivity,
                                           std::int64_t smallest, Context& context) {
  return searched<ConnectedPart>(labels, connectivity, smallest, context,
                                 [](auto& search) { return search.take_parts(); });
}

std::vector<ConnectedPart> connected_parts(const Volume& objects, Connectivity connectivity,
                                           Context& context) {
  ObjectSearch search(objects.geometry(), objects.voxels<std::uint8_t>(), connectivity, context);
  search.find([](const ConnectedPart&) { return true; });
  return search.take_parts();
}

Volume kept_parts(const Volume& objects, Connectivity connectivity,
                  const std::function<bool(const ConnectedPart&)>& keep, Context& context) {
  ObjectSearch search(objects.geometry(), objects.voxels<std::uint8_t>(), connectivity, context);
  search.find(keep);
  return search.kept(objects.geometry());
}

LabelMap number_connected_parts(const LabelMap& labels, Connectivity connectivity,
                                std::int64_t smallest, Context& context) {
  return searched<PartSize>(labels, connectivity, smallest, context,
                            [&](const auto& search) { return search.numbered(labels.geometry()); });
}

std::span<const PartRun> PartStrip::row(std::int64_t row) const {
  const auto at = static_cast<std::size_t>(row);
  return runs.subspan(first_runs[at], first_runs[at + 1] - first_runs[at]);
}

std::vector<ConnectedPart> visit_connected_parts(
    const LabelMap& labels, Connectivity connectivity, std::int64_t smallest,
    const std::function<VisitPartStrip(const std::vector<ConnectedPart>& parts)>& begin,
    Context& context) {
  return searched<ConnectedPart>(labels, connectivity, smallest, context, [&](auto& search) {
    search.visit(begin(search.parts()));
    return search.take_parts();
  });
}

std::vector<ConnectedPart> joined_by_label(std::vector<ConnectedPart> parts) {
  std::ranges::stable_sort(parts, {}, &ConnectedPart::label);
  std::size_t count = 0;
  for (const ConnectedPart& part : parts) {
    if (count > 0 && parts[count - 1].label == part.label) {
      parts[count - 1].add(part);
    } else {
      parts[count++] = part;
    }
  }
  parts.resize(count);
  return parts;
}

}  // namespace seedwave
