// SPDX-License-Identifier: Apache-2.0
// Compares the plan of `box` on a device, multiplied out on the host, with the table of lags.
#include "core/texture/lag_table.h"
#include "gpu/texture/box_plan.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

using namespace seedwave;
using namespace seedwave::gpu::texture;

namespace {

constexpr int kWordBytes = 4;

/// Returns a row with room for the columns of two adjacent windows, and some more, so that nothing
/// fits by chance.
CellRow row_for(std::int64_t window) {
  return {static_cast<int>(window / 2) + 5};
}

/// Returns the weights of a group at the radii of its range, assembled from its bytes.
std::vector<std::int64_t> weights_of(const BoxPlan& plan, int piece, int place) {
  std::vector<std::int64_t> weights(kRadii, 0);
  for (int radius = 0; radius < kRadii; ++radius) {
    for (int limb = plan.limbs - 1; limb >= 0; --limb) {
      const int word = ((piece * plan.limbs + limb) * kQuads + place / 4) * kRadii + radius;
      const std::uint32_t four = plan.weights[static_cast<std::size_t>(word)];
      const auto byte = static_cast<std::int8_t>(four >> (8 * (place % 4)) & 0xff);
      weights[static_cast<std::size_t>(radius)] =
          weights[static_cast<std::size_t>(radius)] * 256 + byte;
    }
  }
  return weights;
}

/// Calls body(group, first radius, weights) for each place of each piece.
template <typename Body>
void for_each_group(const BoxPlan& plan, const Body& body) {
  for (int range = 0; range < static_cast<int>(plan.ranges.size()); ++range) {
    const RadiusRange pieces = plan.ranges[static_cast<std::size_t>(range)];
    for (int number = pieces.first; number < pieces.end; ++number) {
      const Piece& piece = plan.pieces[static_cast<std::size_t>(number)];
      for (int place = 0; place < 4 * piece.quads; ++place) {
        body(plan.groups[static_cast<std::size_t>(piece.first_group + place)], range * kRadii,
             weights_of(plan, number, place));
      }
    }
  }
}

/// The lags, as (a, b), by the location of their near corner in memory.
class Places {
 public:
  Places(std::int64_t window, const CellRow& row) : row_(row) {
    for (int a = 0; a <= window; ++a)
      of_place_[row.place(a) * kWordBytes] = a;
  }
  [[nodiscard]] int column(int place) const { return of_place_.at(place); }
  [[nodiscard]] int line(int place) const { return place / (row_.pitch() * kWordBytes); }
  [[nodiscard]] bool is_line(int place) const { return place % (row_.pitch() * kWordBytes) == 0; }

 private:
  CellRow row_;
  std::map<int, int> of_place_;
};

/// For each lag and radius, the total weight of a pair and the number of groups that contain it.
struct Share {
  std::int64_t weight = 0;
  int times = 0;
  bool operator==(const Share&) const = default;
};
using Shares = std::map<std::pair<std::pair<int, int>, int>, Share>;

Shares shares_of(const LagTable& table) {
  Shares shares;
  for (const Lag& lag : table.lags) {
    for (const LagWeight& weight : table.weights_of(lag))
      shares[{{lag.dx, lag.dy}, weight.radius}] = {weight.weight * kWeightScale, 1};
  }
  return shares;
}

/// (a, b) and (-a, b), once each; on an axis these are the same pairs, which are counted twice.
void add_lags(const CornerLags& lags, const Places& places, int radius, std::int64_t weight,
              Shares& shares) {
  const int a = places.column(lags.x);
  const int b = places.line(lags.y);
  const bool on_axis = a == 0 || b == 0;
  const auto add = [&](int dx, std::int64_t counted) {
    Share& share = shares[{{dx, b}, radius}];
    share.weight += counted;
    ++share.times;
  };
  add(a, on_axis ? 2 * weight : weight);
  if (!on_axis) add(-a, weight);
}

/// An image of 0 and 1, in the layout of a device's rows.
class Cells {
 public:
  Cells(std::int64_t columns, std::int64_t rows, const CellRow& row, std::uint64_t number)
      : row_(row), cells_(static_cast<std::size_t>(rows * row.pitch()), 0) {
    test::RandomNumbers random(number);
    for (std::int64_t y = 0; y < rows; ++y) {
      for (std::int64_t x = 0; x < columns; ++x)
        cells_[index(x, y)] = static_cast<int>(random.below(2));
    }
  }
  [[nodiscard]] int at(std::int64_t x, std::int64_t y) const { return cells_[index(x, y)]; }
  [[nodiscard]] int at_place(int bytes) const {
    return cells_[static_cast<std::size_t>(bytes / kWordBytes)];
  }

 private:
  [[nodiscard]] std::size_t index(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>(y * row_.pitch() + row_.place(static_cast<int>(x)));
  }
  CellRow row_;
  std::vector<int> cells_;
};

/// Returns the change in the pairs of the lags, as defined by CornerLags: from the window whose
/// first cell lies at `first` to its right neighbour, and from there one row down.
int change(const Cells& cells, const CornerLags& lags, int first, std::int64_t window,
           const CellRow& row) {
  const int right = first + row.place(static_cast<int>(window)) * kWordBytes;
  const int down = static_cast<int>(window) * row.pitch() * kWordBytes;
  const auto at_corner = [&](int corner, int across, int below, int both) {
    return cells.at_place(corner) * cells.at_place(both) +
           cells.at_place(across) * cells.at_place(below);
  };
  const int x = first + lags.x;
  const int far_x = first + lags.far_x;
  return at_corner(first, x, first + lags.y, x + lags.y) +
         at_corner(right + down, far_x + down, right + lags.far_y, far_x + lags.far_y) -
         at_corner(right, far_x, right + lags.y, far_x + lags.y) -
         at_corner(first + down, x + down, first + lags.far_y, x + lags.far_y);
}

/// Returns, for each radius, the sum of a window's pairs times their weights, from the table.
std::vector<std::int64_t> sums_of(const LagTable& table, const Cells& cells, std::int64_t left,
                                  std::int64_t top) {
  std::vector<std::int64_t> sums(static_cast<std::size_t>(radius_count(table.window)), 0);
  std::vector<std::int32_t> counts;
  for (const Lag& lag : table.lags) {
    std::int32_t count = 0;
    const std::int64_t begin = left + (lag.dx < 0 ? -lag.dx : 0);
    const std::int64_t end = left + table.window - (lag.dx > 0 ? lag.dx : 0);
    for (std::int64_t y = top; y + lag.dy < top + table.window; ++y) {
      for (std::int64_t x = begin; x < end; ++x)
        count += cells.at(x, y) * cells.at(x + lag.dx, y + lag.dy);
    }
    counts.push_back(count);
  }
  table.add(counts, sums);
  return sums;
}

}  // namespace

class TestBoxPlan : public QObject {
  Q_OBJECT

 private slots:
  void every_lag_counts_once_for_what_the_table_says_data() { rows(kLargestWindow); }
  void every_lag_counts_once_for_what_the_table_says();
  void pieces_lie_one_after_the_other_data() { rows(kLargestWindow); }
  void pieces_lie_one_after_the_other();
  void changes_at_the_corners_make_the_sums_data() { rows(128); }
  void changes_at_the_corners_make_the_sums();
  void lists_by_radius_hold_the_table_data() { rows(kLargestWindow); }
  void lists_by_radius_hold_the_table();

 private:
  /// Pairs of large windows take long to count.
  static void rows(std::int64_t largest) {
    QTest::addColumn<int>("window");
    QTest::addColumn<int>("directions");
    const auto add = [&](int window, int directions) {
      if (window <= largest)
        QTest::addRow("window %d, %d directions", window, directions) << window << directions;
    };
    for (const int window : {1, 2, 3, 4, 5, 8, 31, 32, 33, 45, 46, 47, 64, 65, 128, 256}) {
      for (const int directions : {1, 2, 3, 4, 7, 8, 16})
        add(window, directions);
    }
    add(255, 64);
    add(256, 256);
  }
};

void TestBoxPlan::every_lag_counts_once_for_what_the_table_says() {
  QFETCH(int, window);
  QFETCH(int, directions);
  const LagTable table = lag_table(window, directions);
  const CellRow row = row_for(window);
  const Places places(window, row);
  const BoxPlan plan = box_plan(table, row);
  Shares shares;
  for_each_group(plan, [&](const LagGroup& group, int first_radius, const auto& weights) {
    for (const CornerLags& lags : {group.first, group.second}) {
      if (lags.x == kNoLags.x) continue;
      QVERIFY(places.is_line(lags.y) && places.is_line(lags.far_y));
      QCOMPARE(places.column(lags.x) + places.column(lags.far_x), window);
      QCOMPARE(places.line(lags.y) + places.line(lags.far_y), window);
      for (int radius = 0; radius < kRadii; ++radius) {
        const std::int64_t weight = weights[static_cast<std::size_t>(radius)];
        if (weight != 0) add_lags(lags, places, first_radius + radius, weight, shares);
      }
    }
  });
  QVERIFY(shares == shares_of(table));
}

void TestBoxPlan::pieces_lie_one_after_the_other() {
  QFETCH(int, window);
  QFETCH(int, directions);
  const BoxPlan plan = box_plan(lag_table(window, directions), row_for(window));
  const auto pieces = static_cast<int>(plan.pieces.size());
  QVERIFY(plan.limbs == 4 || plan.limbs == 6);  // bytes are weighed in pairs
  QCOMPARE(std::ssize(plan.weights), std::ptrdiff_t{pieces * plan.limbs * kQuads * kRadii});
  QCOMPARE(std::ssize(plan.bias), std::ptrdiff_t{pieces * plan.limbs * kRadii});
  QCOMPARE(std::ssize(plan.ranges), std::ptrdiff_t{(window / 2 + kRadii) / kRadii});
  int next_piece = 0;
  int next_group = 0;
  for (const RadiusRange& range : plan.ranges) {
    QCOMPARE(range.first, next_piece);
    next_piece = range.end;
    bool was_single = false;
    for (int number = range.first; number < range.end; ++number) {
      const Piece& piece = plan.pieces[static_cast<std::size_t>(number)];
      QCOMPARE(piece.first_group, next_group);
      QVERIFY(piece.quads >= 1 && piece.quads <= kQuads);
      for (; next_group < piece.first_group + 4 * piece.quads; ++next_group) {
        const LagGroup& group = plan.groups[static_cast<std::size_t>(next_group)];
        const bool is_single = group.second.x == kNoLags.x;
        QVERIFY(is_single || !was_single);  // after a missing second lag there are no more second
                                            // lags
        was_single = is_single;
      }
    }
  }
  QCOMPARE(next_piece, pieces);
  QCOMPARE(next_group, static_cast<int>(plan.groups.size()));
  // 128 times the sum of a column's bytes is the excess from counts with 128 added.
  for (int column = 0; column < pieces * plan.limbs; ++column) {
    for (int radius = 0; radius < kRadii; ++radius) {
      int bytes = 0;
      for (int quad = 0; quad < kQuads; ++quad) {
        const int word = (column * kQuads + quad) * kRadii + radius;
        for (int byte = 0; byte < 4; ++byte) {
          bytes += static_cast<std::int8_t>(
              plan.weights[static_cast<std::size_t>(word)] >> (8 * byte) & 0xff);
        }
      }
      QCOMPARE(plan.bias[static_cast<std::size_t>(column * kRadii + radius)], -128 * bytes);
    }
  }
}

void TestBoxPlan::changes_at_the_corners_make_the_sums() {
  QFETCH(int, window);
  QFETCH(int, directions);
  const LagTable table = lag_table(window, directions);
  const CellRow row = row_for(window);
  const BoxPlan plan = box_plan(table, row);
  // Pairs of windows begin at even columns, one word apart.
  constexpr int kPair = 1;
  const Cells cells(window + 2 * kPair + 1, window + 1, row, 10 * window + directions);
  std::vector<std::int64_t> changes(static_cast<std::size_t>(radius_count(window)), 0);
  for_each_group(plan, [&](const LagGroup& group, int first_radius, const auto& weights) {
    int count = change(cells, group.first, kPair * kWordBytes, window, row);
    if (group.second.x != kNoLags.x)
      count += change(cells, group.second, kPair * kWordBytes, window, row);
    for (int radius = 0; radius < kRadii && first_radius + radius <= window / 2; ++radius) {
      changes[static_cast<std::size_t>(first_radius + radius)] +=
          weights[static_cast<std::size_t>(radius)] * count;
    }
  });
  const auto here = sums_of(table, cells, 2 * kPair, 0);
  const auto right = sums_of(table, cells, 2 * kPair + 1, 0);
  const auto below = sums_of(table, cells, 2 * kPair, 1);
  const auto both = sums_of(table, cells, 2 * kPair + 1, 1);
  for (std::size_t radius = 0; radius < changes.size(); ++radius) {
    QCOMPARE(changes[radius],
             kWeightScale * (both[radius] - below[radius] - right[radius] + here[radius]));
  }
}

void TestBoxPlan::lists_by_radius_hold_the_table() {
  QFETCH(int, window);
  QFETCH(int, directions);
  const LagTable table = lag_table(window, directions);
  const LagsByRadius lists = lags_by_radius(table);
  QCOMPARE(std::ssize(lists.first), std::ptrdiff_t{radius_count(window) + 1});
  QCOMPARE(std::ssize(lists.lags), std::ssize(table.weights));
  Shares shares;
  for (int radius = 0; radius <= window / 2; ++radius) {
    const auto place = static_cast<std::size_t>(radius);
    for (std::int32_t i = lists.first[place]; i < lists.first[place + 1]; ++i) {
      const WeighedLag& lag = lists.lags[static_cast<std::size_t>(i)];
      shares[{{lag.dx, lag.dy}, radius}] = {lag.weight, 1};
    }
  }
  QVERIFY(shares == shares_of(table));
}

QTEST_GUILESS_MAIN(TestBoxPlan)
#include "test_box_plan.moc"
