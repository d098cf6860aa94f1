// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/parallel/apart.h"
#include "core/texture/first_windows.h"
#include "core/texture/held_rows.h"
#include "core/texture/kernel.h"
#include "core/texture/lag_table.h"
#include "core/texture/strips.h"
#include "core/texture/tpcf.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace texture {
namespace {

/// The changes at the corners of a window as it moves (x to x + 1, then y to y + 1), derived from a
/// table of lags. For a lag (a, b), a >= 0, a window at (x, y) has the pairs whose first cell lies
/// in x .. x + window - a - 1, y .. y + window - b - 1. So the mixed difference in x and y of their
/// number has four terms. The pairs at the box's first corner and after its last corner are added;
/// the pairs at the other two are subtracted.
class CornerPlanOfTable {
 public:
  /// Prepares for masks whose rows are `row` bytes apart.
  CornerPlanOfTable(const LagTable& table, std::int64_t row);

  [[nodiscard]] CornerPlan plan() const;

 private:
  std::vector<LagGroup> groups_;
  std::vector<CellPair> pairs_;
  std::vector<CoupleWeight> weights_;
  std::vector<std::int32_t> first_weight_;
  int limbs_ = 2;
};

/// More would not fit into half a byte: for each lag two pairs are added and two removed.
constexpr std::size_t kMostLags = 4;

struct Group {
  std::vector<Lag> lags;
  std::span<const LagWeight> weights;
};

/// Groups lags with the same weights, ordered by their radii, because those of a couple should have
/// the same ones.
std::vector<Group> groups_of(const LagTable& table) {
  using Key = std::pair<std::vector<std::int32_t>, std::vector<std::int64_t>>;
  std::map<Key, std::vector<Lag>> by_weights;
  for (const Lag& lag : table.lags) {
    Key key;
    for (const LagWeight& weight : table.weights_of(lag)) {
      key.first.push_back(weight.radius);
      key.second.push_back(weight.weight);
    }
    by_weights[key].push_back(lag);
  }
  std::vector<Group> groups;
  for (const auto& [key, lags] : by_weights) {
    for (std::size_t first = 0; first < lags.size(); first += kMostLags) {
      const std::size_t last = std::min(first + kMostLags, lags.size());
      groups.push_back(
          {{lags.begin() + first, lags.begin() + last}, table.weights_of(lags.front())});
    }
  }
  return groups;
}

/// Takes the lowest signed limb of 16 bits from a weight, and carries the rest to the next limb.
std::int16_t take_limb(std::int64_t& weight) {
  const auto limb = static_cast<std::int16_t>(weight);  // modulo 2^16
  weight = (weight - limb) >> 16;
  return limb;
}

CornerPlanOfTable::CornerPlanOfTable(const LagTable& table, std::int64_t row) {
  const std::vector<Group> groups = groups_of(table);
  const auto width = static_cast<std::int32_t>(table.window);
  const auto place = [&](std::int32_t x, std::int32_t y) {
    return x + y * static_cast<std::int32_t>(row);
  };
  for (const Group& group : groups) {
    groups_.push_back({static_cast<std::int32_t>(2 * group.lags.size())});
    for (const bool comes_in : {true, false}) {
      for (const Lag& lag : group.lags) {
        // The box of first cells, and the position after its last one.
        const std::int32_t left = std::max(0, -lag.dx);
        const std::int32_t right = width - std::max(0, lag.dx);
        const std::int32_t bottom = width - lag.dy;
        const auto add_pair = [&](std::int32_t x, std::int32_t y) {
          pairs_.push_back({place(x, y), place(x + lag.dx, y + lag.dy)});
        };
        add_pair(left, comes_in ? 0 : bottom);
        add_pair(right, comes_in ? bottom : 0);
      }
    }
  }
  if (groups_.size() % 2 != 0) groups_.push_back({0});

  std::map<std::pair<std::int32_t, std::int32_t>, std::array<std::int64_t, 2>> by_radius;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const LagWeight& weight : groups[i].weights) {
      by_radius[{weight.radius, static_cast<std::int32_t>(i / 2)}][i % 2] = weight.weight;
      most = std::max(most, weight.weight);
    }
  }
  // The highest limb is signed, and the one below may carry into it.
  limbs_ = most < (std::int64_t{1} << 31) - (std::int64_t{1} << 16) ? 2 : kMostLimbs;
  std::int32_t radius = -1;
  for (auto& [at, both] : by_radius) {
    for (; radius < at.first; ++radius)
      first_weight_.push_back(static_cast<std::int32_t>(weights_.size()));
    CoupleWeight weight{.couple = at.second, .limbs = {}};
    for (int limb = 0; limb < limbs_; ++limb)
      weight.limbs[static_cast<std::size_t>(limb)] = {take_limb(both[0]), take_limb(both[1])};
    weights_.push_back(weight);
  }
  first_weight_.push_back(static_cast<std::int32_t>(weights_.size()));
}

CornerPlan CornerPlanOfTable::plan() const {
  return {.groups = groups_.data(),
          .couples = std::ssize(groups_) / 2,
          .pairs = pairs_.data(),
          .weights = weights_.data(),
          .first_weight = first_weight_.data(),
          .radii = std::ssize(first_weight_) - 1,
          .limbs = limbs_};
}

std::int64_t up_to(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

/// Sizes of a walker's data.
struct BandLayout {
  BandLayout(const TpcfProblem& problem, const Rectangle& strip)
      : window(problem.window),
        columns(strip.columns),
        chunks(up_to(columns, kChunk) / kChunk),
        width(chunks * kChunk),
        // An odd number of cache lines, so that a column of cells is spread over the whole cache.
        row(up_to(width + window, kLine) / kLine % 2 == 0 ? up_to(width + window, kLine) + kLine
                                                          : up_to(width + window, kLine)),
        rows(std::max(strip.rows, kMostRows) + window + kRowsAhead),
        couples((problem.count + 1) / 2) {}

  static constexpr std::int64_t kLine = 64;

  std::int64_t window;
  std::int64_t columns;  // columns of windows
  std::int64_t chunks;   // chunks of windows
  std::int64_t width;    // width of all chunks
  std::int64_t row;      // bytes from one row of a mask to the next
  std::int64_t rows;     // rows of a mask
  std::int64_t couples;  // couples of phases
};

/// Remembers where blocks of columns hold one phase only, as glass does. A window there has no
/// pairs that enter or leave at its corners, and the features of the windows beside it.
class PlainBlocks {
 public:
  PlainBlocks(std::int64_t cells, std::int64_t window)
      : blocks_(static_cast<std::size_t>(cells / kChunk)),
        of_a_chunk_(1 + (window + kChunk - 1) / kChunk) {}

  /// Takes the next row of cells, which is the image's row y.
  void see(std::int64_t y, const std::uint16_t* cells) {
    for (Block& block : blocks_) {
      const std::uint16_t* const end = cells + kChunk;
      if (!std::equal(cells + 1, end, cells)) {
        block.since = y + 1;
      } else if (block.phase != *cells) {
        block.since = y;
      }
      block.phase = *cells;
      cells = end;
    }
  }
  /// Returns whether all cells of a chunk's windows and of those to the right of them are of one
  /// phase, from row y to the last one that was seen.
  [[nodiscard]] bool plain(std::int64_t chunk, std::int64_t y) const {
    if (chunk + of_a_chunk_ > std::ssize(blocks_)) return false;
    const Block* const first = &blocks_[static_cast<std::size_t>(chunk)];
    return std::all_of(first, first + of_a_chunk_, [&](const Block& block) {
      return block.since <= y && block.phase == first->phase;
    });
  }

 private:
  struct Block {
    /// The first of the rows that are of `phase` alone, up to the last one seen.
    std::int64_t since = std::numeric_limits<std::int64_t>::max();
    std::uint16_t phase = std::numeric_limits<std::uint16_t>::max();
  };
  std::vector<Block> blocks_;
  std::int64_t of_a_chunk_;
};
static_assert(kChunk == kAlikeColumns);

/// Masks of two phases each, some rows at a time. Rows above the first strip are empty. A window
/// without cells inside has no pairs, and all pairs are accumulated from there on.
class BandMasks {
 public:
  BandMasks(const TpcfProblem& problem, const Rectangle& first, const BandLayout& layout)
      : problem_(problem),
        band_(first),
        layout_(layout),
        rows_(first.y - layout.window, layout.rows),
        plain_(layout.columns + layout.window - 1, layout.window),
        bytes_(static_cast<std::size_t>(layout.couples * layout.rows * layout.row)) {}

  /// Loads the image's rows first .. last. Neither may decrease.
  void hold(std::int64_t first, std::int64_t last) {
    const auto move = [&](std::int64_t from, std::int64_t to, std::int64_t count) {
      for (std::int64_t couple = 0; couple < layout_.couples; ++couple)
        std::memmove(row(couple, to), row(couple, from),
                     static_cast<std::size_t>(count * layout_.row));
    };
    rows_.hold(first, last, move, [&](std::int64_t y, std::int64_t place) {
      if (is_inside(y)) plain_.see(y, cells_of(y));
      for (std::int64_t couple = 0; couple < layout_.couples; ++couple)
        fill(couple, y, row(couple, place));
    });
  }

  /// Returns the mask from the first cell of the first window of the image's row y.
  [[nodiscard]] const std::uint8_t* windows(std::int64_t couple, std::int64_t y) const {
    return &bytes_[index(couple, rows_.place(y))];
  }

  /// Returns whether all cells of a chunk of windows and of the next windows to the right and below
  /// are of one phase. False where it would have to look beyond the rows that are held.
  [[nodiscard]] bool plain(std::int64_t chunk, std::int64_t y) const {
    return plain_.plain(chunk, y);
  }

 private:
  [[nodiscard]] bool is_inside(std::int64_t y) const {
    return y >= band_.y && y < problem_.phases.geometry().size[1];
  }
  [[nodiscard]] const std::uint16_t* cells_of(std::int64_t y) const {
    const auto phases = problem_.phases.labels().as<std::uint16_t>();
    return &phases[static_cast<std::size_t>(y * problem_.phases.geometry().size[0] + band_.x)];
  }
  [[nodiscard]] std::size_t index(std::int64_t couple, std::int64_t i) const {
    return static_cast<std::size_t>((couple * layout_.rows + i) * layout_.row);
  }
  [[nodiscard]] std::uint8_t* row(std::int64_t couple, std::int64_t i) {
    return &bytes_[index(couple, i)];
  }

  void fill(std::int64_t couple, std::int64_t y, std::uint8_t* to) const {
    if (!is_inside(y)) {
      std::fill_n(to, layout_.row, std::uint8_t{0});
      return;
    }
    const std::uint16_t* from = cells_of(y);
    const auto first = static_cast<std::uint16_t>(2 * couple + 1);
    const std::int64_t cells = layout_.columns + layout_.window - 1;
    for (std::int64_t x = 0; x < cells; ++x) {
      const std::uint16_t phase = from[x];
      to[x] = static_cast<std::uint8_t>((phase == first ? kFirstPhase : 0) |
                                        (phase == first + 1 ? kSecondPhase : 0));
    }
  }

  const TpcfProblem& problem_;
  Rectangle band_;
  const BandLayout& layout_;
  HeldRows rows_;
  PlainBlocks plain_;
  ApartVector<std::uint8_t> bytes_;  // zero outside the cells
};

/// Processes a band row by row of windows, with the slopes of the next row.
class alignas(kApart) BoxWalker : public StripWalker {
 public:
  BoxWalker(const TpcfProblem& problem, const LagTable& table, const Kernel& kernel,
            const Rectangle& first, const Context& context)
      : kernel_(kernel),
        context_(context),
        count_(problem.count),
        layout_(problem, first),
        table_plan_(table, layout_.row),
        plan_(table_plan_.plan()),
        masks_(problem, first, layout_),
        slopes_(static_cast<std::size_t>(problem.count * plan_.radii * layout_.width)),
        staged_(static_cast<std::size_t>(plan_.radii * kChunk)) {
    for (int i = 0; i < 2; ++i) {
      counts_[i].resize(static_cast<std::size_t>(count_values(plan_)));
      row_counts_[i].resize(counts_[i].size());
      carried_[i].resize(static_cast<std::size_t>(plan_.radii));
    }
    for (std::int64_t phase = 1; phase <= count_; ++phase)
      first_windows_.emplace_back(problem, table, kernel, phase, first);
    for (FirstWindows& windows : first_windows_) {
      for (; windows.row() < first.y; windows.go_down())
        stop_if_asked();
    }
    for (std::int64_t y = first.y - layout_.window; y < first.y; y += kMostRows)
      add_rows(y, std::min(y + kMostRows, first.y));
  }

  void fill(const Rectangle& strip, float* values, std::uint8_t* alike) override {
    masks_.hold(strip.y, strip.y + strip.rows - 1 + layout_.window);
    const std::int64_t plane = strip.rows * strip.columns;
    for (std::int64_t i = 0; i < strip.rows * layout_.chunks; ++i)
      alike[i] = masks_.plain(i % layout_.chunks, strip.y + i / layout_.chunks) ? 1 : 0;
    for (std::int64_t couple = 0; couple < layout_.couples; ++couple) {
      for (std::int64_t row = 0; row < strip.rows; ++row) {
        stop_if_asked();
        sum_row(couple, strip.y + row, alike + row * layout_.chunks,
                {values + row * strip.columns, plane});
      }
    }
  }

 private:
  /// Destination of a row of features: in the first plane, and the distance between planes.
  struct Planes {
    float* row;
    std::int64_t stride;
  };

  [[nodiscard]] std::int64_t end_of(std::int64_t couple) const {
    return std::min(2 * couple + 2, count_);
  }
  void stop_if_asked() const {
    if (context_.stop_requested()) throw Cancelled();
  }
  [[nodiscard]] double* slopes(std::int64_t phase, std::int64_t chunk) {
    const std::int64_t place = (phase * layout_.chunks + chunk) * plan_.radii * kChunk;
    return &slopes_[static_cast<std::size_t>(place)];
  }
  void count(std::int64_t couple, std::int64_t y, std::int64_t chunk) {
    kernel_.count(plan_, masks_.windows(couple, y) + chunk * kChunk, counts_[0].data(),
                  counts_[1].data());
  }

  /// Adds at most kMostRows rows at once, whose features are not needed.
  void add_rows(std::int64_t first, std::int64_t end) {
    masks_.hold(first, end - 1 + layout_.window);
    for (std::int64_t couple = 0; couple < layout_.couples; ++couple) {
      for (std::int64_t chunk = 0; chunk < layout_.chunks; ++chunk) {
        stop_if_asked();
        for (auto& sums : row_counts_)
          std::fill(sums.begin(), sums.end(), std::int16_t{0});
        for (std::int64_t y = first; y < end; ++y) {
          count(couple, y, chunk);
          for (int i = 0; i < 2; ++i)
            add_to(row_counts_[i], counts_[i]);
        }
        for (std::int64_t phase = 2 * couple; phase < end_of(couple); ++phase)
          kernel_.add(plan_, row_counts_[phase % 2].data(), slopes(phase, chunk));
      }
    }
  }
  static void add_to(ApartVector<std::int16_t>& sums, const ApartVector<std::int16_t>& counts) {
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] = static_cast<std::int16_t>(sums[i] + counts[i]);
  }

  void sum_row(std::int64_t couple, std::int64_t y, const std::uint8_t* alike,
               const Planes& planes) {
    for (std::int64_t phase = 2 * couple; phase < end_of(couple); ++phase) {
      FirstWindows& first = first_windows_[static_cast<std::size_t>(phase)];
      std::transform(first.sums().begin(), first.sums().end(), carried_[phase % 2].begin(),
                     [](std::int64_t sum) { return static_cast<double>(sum) * 0x1p-40; });
      first.go_down();
    }
    for (std::int64_t chunk = 0; chunk < layout_.chunks; ++chunk) {
      if (alike[chunk] != 0) {
        for (std::int64_t phase = 2 * couple; phase < end_of(couple); ++phase)
          repeat(phase, chunk, planes);
        continue;
      }
      count(couple, y, chunk);
      for (std::int64_t phase = 2 * couple; phase < end_of(couple); ++phase)
        sum_chunk(phase, chunk, planes);
    }
  }
  /// Gives all windows of a plain chunk the features of the one before them: all slopes are 0, and
  /// remain so in the next row.
  void repeat(std::int64_t phase, std::int64_t chunk, const Planes& planes) {
    const std::vector<double>& carried = carried_[phase % 2];
    float* row = planes.row + phase * plan_.radii * planes.stride + chunk * kChunk;
    for (std::size_t radius = 0; radius < carried.size(); ++radius, row += planes.stride)
      std::fill_n(row, kChunk, static_cast<float>(carried[radius]));
  }

  void sum_chunk(std::int64_t phase, std::int64_t chunk, const Planes& planes) {
    const std::int64_t first = chunk * kChunk;
    const std::int64_t last = std::min(first + kChunk, layout_.columns);
    const std::int16_t* counts = counts_[phase % 2].data();
    double* carried = carried_[phase % 2].data();
    float* row = planes.row + phase * plan_.radii * planes.stride + first;
    if (last == first + kChunk) {
      kernel_.sum_and_add(plan_, counts, slopes(phase, chunk), {carried, row, planes.stride});
      return;
    }
    kernel_.sum_and_add(plan_, counts, slopes(phase, chunk), {carried, staged_.data(), kChunk});
    for (std::int64_t radius = 0; radius < plan_.radii; ++radius)
      std::copy_n(&staged_[static_cast<std::size_t>(radius * kChunk)], last - first,
                  row + radius * planes.stride);
  }

  const Kernel& kernel_;
  const Context& context_;
  std::int64_t count_;
  BandLayout layout_;
  CornerPlanOfTable table_plan_;
  CornerPlan plan_;
  BandMasks masks_;
  std::vector<FirstWindows> first_windows_;  // by phase
  ApartVector<double> slopes_;
  ApartVector<std::int16_t> counts_[2];      // counts of a couple's phases, in one row
  ApartVector<std::int16_t> row_counts_[2];  // sums over several rows
  std::vector<double> carried_[2];
  std::vector<float> staged_;
};

}  // namespace
}  // namespace texture

void tpcf_by_box(const TpcfProblem& problem, const texture::Kernel& kernel, const FeatureSink& sink,
                 Context& context) {
  check(problem);
  const LagTable table = lag_table(problem.window, problem.directions);
  const std::int64_t lead = problem.window / 2;
  texture::walk_strips(problem, sink, context, lead, [&](const texture::Rectangle& first) {
    return std::make_unique<texture::BoxWalker>(problem, table, kernel, first, context);
  });
}

void tpcf(const TpcfProblem& problem, const FeatureSink& sink, Context& context) {
  tpcf_by_box(problem, texture::best_kernel(), sink, context);
}

}  // namespace seedwave
