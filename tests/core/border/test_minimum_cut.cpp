// SPDX-License-Identifier: Apache-2.0
// Compares minimum cuts with all subsets of small networks, and with Boost.Graph on larger ones.
#include "core/base/error.h"
#include "core/border/kernel.h"
#include "core/border/minimum_cut.h"
#include "tests/core/border/boost_flow.h"
#include "tests/support/random_network.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <utility>
#include <vector>

using namespace seedwave;
using namespace seedwave::border;

namespace {

/// The capacity of the cut whose source side is a set of cells.
std::int64_t capacity_of(const std::vector<CutCell>& cells, const std::vector<bool>& source) {
  std::int64_t capacity = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (source[i]) {
      capacity += std::max(-cells[i].terminal, 0);
      for (int d = 0; d < 6; ++d) {
        const std::int32_t to = cells[i].neighbours[d];
        if (to != CutCell::kNone && !source[to]) capacity += cells[i].capacities[d];
      }
    } else {
      capacity += std::max(cells[i].terminal, 0);
    }
  }
  return capacity;
}

MinimumCut by_all_subsets(const std::vector<CutCell>& cells) {
  MinimumCut best;
  std::vector<bool> always;
  std::vector<bool> ever;
  for (std::uint32_t set = 0; set < (1U << cells.size()); ++set) {
    std::vector<bool> source;
    for (std::size_t i = 0; i < cells.size(); ++i)
      source.push_back(((set >> i) & 1U) != 0);
    const std::int64_t capacity = capacity_of(cells, source);
    if (always.empty() || capacity < best.capacity) {
      best.capacity = capacity;
      always = ever = source;
      if (cells.empty()) break;
    } else if (capacity == best.capacity) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        always[i] = always[i] && source[i];
        ever[i] = ever[i] || source[i];
      }
    }
  }
  for (std::size_t i = 0; i < cells.size(); ++i)
    best.sides.push_back(always[i] ? CutSide::Source : ever[i] ? CutSide::Either : CutSide::Sink);
  return best;
}

MinimumCut by_boost(const std::vector<CutCell>& cells) {
  test::BoostFlow flow(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    flow.add_terminal(i, cells[i].terminal);
    for (int d = 0; d < 6; d += 2) {
      const std::int32_t to = cells[i].neighbours[d];
      if (to != CutCell::kNone)
        flow.add(i, static_cast<std::size_t>(to), cells[i].capacities[d], cells[i].capacities[d]);
    }
  }
  MinimumCut result;
  result.capacity = flow.solve();
  const std::vector<bool> from_source = flow.from_source();
  const std::vector<bool> to_sink = flow.to_sink();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    result.sides.push_back(from_source[i] ? CutSide::Source
                           : to_sink[i]   ? CutSide::Sink
                                          : CutSide::Either);
  }
  return result;
}

/// The sets as CUDA finds them (gpu/border/minimum_cut.cuh): excess is pushed towards the sink
/// alone, until none can reach it, and what remains is not sent back.
class Preflow {
 public:
  explicit Preflow(std::vector<CutCell> cells) : cells_(std::move(cells)) {
    for (const CutCell& cell : cells_) {
      excess_.push_back(std::max(cell.terminal, 0));
      to_sink_.push_back(std::max(-cell.terminal, 0));
    }
  }

  std::vector<CutSide> sides() {
    while (push_to_lower_cells()) {
    }
    std::vector<CutSide> result;
    const std::vector<bool> reached = reached_from_excess();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      result.push_back(reached[i]             ? CutSide::Source
                       : height_[i] != kNever ? CutSide::Sink
                                              : CutSide::Either);
    }
    return result;
  }

 private:
  static constexpr int kNever = std::numeric_limits<int>::max();

  template <typename Visitor>
  void visit_edges(std::size_t from, const Visitor& visitor) {
    for (std::size_t d = 0; d < 6; ++d) {
      if (cells_[from].neighbours[d] != CutCell::kNone && cells_[from].capacities[d] > 0)
        visitor(static_cast<std::size_t>(cells_[from].neighbours[d]), d);
    }
  }

  void find_heights() {
    height_.assign(cells_.size(), kNever);
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        int least = to_sink_[i] > 0 ? 0 : kNever;
        visit_edges(i, [&](std::size_t to, auto) { least = std::min(least, height_[to]); });
        if (least == kNever || least + 1 >= height_[i]) continue;
        height_[i] = least + 1;
        changes = true;
      }
    }
  }

  /// Returns false if no excess can reach the sink.
  bool push_to_lower_cells() {
    find_heights();
    bool pushes = false;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (excess_[i] == 0 || height_[i] == kNever) continue;
      pushes = true;
      const std::int32_t arrives = std::min(excess_[i], to_sink_[i]);
      excess_[i] -= arrives;
      to_sink_[i] -= arrives;
      visit_edges(i, [&](std::size_t to, std::size_t d) {
        if (height_[to] != height_[i] - 1) return;
        const std::int32_t amount = std::min(excess_[i], cells_[i].capacities[d]);
        cells_[i].capacities[d] -= amount;
        cells_[to].capacities[d ^ 1] += amount;
        excess_[i] -= amount;
        excess_[to] += amount;
      });
    }
    return pushes;
  }

  std::vector<bool> reached_from_excess() {
    std::vector<bool> reached(cells_.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      reached[i] = excess_[i] > 0;
      if (reached[i]) open.push_back(i);
    }
    while (!open.empty()) {
      const std::size_t from = open.back();
      open.pop_back();
      visit_edges(from, [&](std::size_t to, auto) {
        if (reached[to]) return;
        reached[to] = true;
        open.push_back(to);
      });
    }
    return reached;
  }

  std::vector<CutCell> cells_;  // with residual capacities
  std::vector<std::int32_t> excess_;
  std::vector<std::int32_t> to_sink_;
  std::vector<int> height_;
};

bool equal(const MinimumCut& a, const MinimumCut& b) {
  return a.capacity == b.capacity && a.sides == b.sides;
}

}  // namespace

class TestMinimumCut : public QObject {
  Q_OBJECT

 private slots:
  void equals_the_best_of_all_subsets() {
    test::RandomNumbers random(1);
    int with_choice = 0;
    for (int k = 0; k < 3000; ++k) {
      const test::RandomNetwork grid = test::random_network(random, {3, 2, 2});
      Context context;
      const MinimumCut expected = by_all_subsets(grid.cells);
      for (const std::size_t block : {std::size_t{1}, std::size_t{3}, kBlockCells}) {
        if (!equal(minimum_cut(grid.cells, context, block), expected))
          QFAIL(qPrintable(QString("case %1, blocks of %2").arg(k).arg(block)));
      }
      if (std::ranges::count(expected.sides, CutSide::Either) > 0) ++with_choice;
    }
    QVERIFY(with_choice > 300);  // cells that minimum cuts have on either side
  }

  void a_preflow_has_the_same_sets() {
    test::RandomNumbers random(4);
    Context context;
    for (int k = 0; k < 4000; ++k) {
      const bool is_small = k % 4 != 0;
      const test::RandomNetwork grid =
          test::random_network(random, is_small ? std::array{3, 2, 2} : std::array{9, 7, 5});
      const MinimumCut expected =
          is_small ? by_all_subsets(grid.cells) : minimum_cut(grid.cells, context);
      if (Preflow(grid.cells).sides() != expected.sides)
        QFAIL(qPrintable(QString("case %1").arg(k)));
    }
  }

  void equals_boost_on_larger_grids() {
    test::RandomNumbers random(2);
    for (int k = 0; k < 1000; ++k) {
      const test::RandomNetwork grid = test::random_network(random, {14, 10, 6});
      Context context(Context::Settings{.threads = 3});
      const MinimumCut expected = by_boost(grid.cells);
      for (const std::size_t block : {std::size_t{20}, std::size_t{100}, kBlockCells}) {
        if (!equal(minimum_cut(grid.cells, context, block), expected))
          QFAIL(qPrintable(QString("case %1, blocks of %2").arg(k).arg(block)));
      }
    }
  }

  void does_not_depend_on_the_order_of_cells() {
    test::RandomNumbers random(3);
    for (int k = 0; k < 300; ++k) {
      const test::RandomNetwork grid = test::random_network(random, {8, 6, 4});
      std::vector<CutCell> turned(grid.cells.rbegin(), grid.cells.rend());
      const auto last = static_cast<std::int32_t>(turned.size()) - 1;
      for (CutCell& cell : turned) {
        for (std::int32_t& to : cell.neighbours) {
          if (to != CutCell::kNone) to = last - to;
        }
      }
      Context context;
      const MinimumCut there = minimum_cut(grid.cells, context);
      MinimumCut back = minimum_cut(turned, context);
      std::ranges::reverse(back.sides);
      QVERIFY(equal(there, back));
    }
  }

  void networks_are_cut_together() {
    test::RandomNumbers random(5);
    for (int k = 0; k < 30; ++k) {
      std::vector<std::vector<CutCell>> networks;
      for (int i = 0; i < 6; ++i)
        networks.push_back(test::random_network(random, {40, 30, i % 2 == 0 ? 20 : 1}).cells);
      Context one;
      Context three(Context::Settings{.threads = 3});
      const std::vector<MinimumCut> cuts = minimum_cuts(networks, three);
      for (std::size_t i = 0; i < networks.size(); ++i)
        QVERIFY(equal(cuts[i], minimum_cut(networks[i], one)));
    }
  }

  void kernels_agree() {
    test::RandomNumbers random(6);
    std::vector<std::uint16_t> from;
    for (int i = 0; i < 1000; ++i)
      from.push_back(static_cast<std::uint16_t>(random.below(32767)));
    const std::uint16_t* const rows[] = {from.data() + 4, from.data() + 3, from.data(),
                                         from.data() + 1, from.data() + 2};
    const std::uint16_t costs[] = {0, 1234, 5000};
    for (const std::int64_t count : {5, 31, 32, 33, 900}) {
      std::vector<std::uint16_t> to(1000);
      for (std::int64_t i = 0; i < count; ++i) {
        to[i] = rows[2][i];
        for (const int step : {-2, -1, 1, 2}) {
          const auto sum = static_cast<std::uint16_t>(rows[2 + step][i] + costs[std::abs(step)]);
          to[i] = std::min(to[i], sum);
        }
      }
      std::vector<std::uint16_t> plain(1000);
      std::vector<std::uint16_t> best(1000);
      plain_kernel().lower_u16(rows + 2, count, costs, 2, plain.data());
      best_kernel().lower_u16(rows + 2, count, costs, 2, best.data());
      QCOMPARE(plain, to);
      QCOMPARE(best, to);
    }
    std::vector<std::uint8_t> marks;
    for (int i = 0; i < 1000; ++i)
      marks.push_back(static_cast<std::uint8_t>(random.below(3)));
    const MarkedRow<std::uint16_t> a{from.data(), marks.data()};
    const MarkedRow<std::uint16_t> b{from.data() + 1, marks.data() + 1};
    const SquaredDifferences plain = plain_kernel().differences_u16(a, b, 998, 5000, 30000);
    const SquaredDifferences best = best_kernel().differences_u16(a, b, 998, 5000, 30000);
    QVERIFY(plain.pairs > 0);
    QCOMPARE(best.pairs, plain.pairs);
    QCOMPARE(best.sum, plain.sum);
  }

  void has_no_cells() {
    Context context;
    QVERIFY(equal(minimum_cut({}, context), {}));
  }

  void stops_when_asked_to() {
    test::RandomNumbers random(4);
    const test::RandomNetwork grid = test::random_network(random, {8, 8, 8});
    std::stop_source stop;
    stop.request_stop();
    Context context(Context::Settings{.stop = stop.get_token()});
    QVERIFY_THROWS_EXCEPTION(Cancelled, (void)minimum_cut(grid.cells, context));
  }
};

QTEST_GUILESS_MAIN(TestMinimumCut)
#include "test_minimum_cut.moc"
