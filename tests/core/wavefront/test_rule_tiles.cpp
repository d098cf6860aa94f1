// SPDX-License-Identifier: Apache-2.0
// Rules of this test on the generic tiles, which show what a new rule needs.
#include "core/base/error.h"
#include "core/wavefront/label_rules.h"
#include "core/wavefront/rule_tiles.h"
#include "core/wavefront/tile_shell.h"
#include "tests/support/random_numbers.h"

#include <QTest>
#include <queue>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

// ---- A new rule, complete, as shown in docs/wavefront.md.
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// The arrival time of a front that starts at the sources, if a step takes the sum of both cells'
/// delays.
struct ArrivalRule {
  using State = std::uint32_t;
  static constexpr int kStrongest = 255;
  static constexpr bool kOnlyLoses = true;  // nobody arrives before his neighbour started

  const std::uint16_t* delays;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    if (from == kNever) return kNever;
    const State step = State{delays[edge.from]} + delays[edge.to];
    return step < kNever - from ? from + step : kNever;
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? a : b; }
  static SEEDWAVE_HD int priority(State state) {  // early fronts first
    return kStrongest - static_cast<int>(state >> 24);
  }
};

std::vector<std::uint32_t> arrival_times(const std::vector<std::uint16_t>& delays,
                                         const std::vector<std::int64_t>& sources,
                                         const TileGrid& grid, Connectivity connectivity,
                                         Context& context) {
  std::vector<std::uint32_t> times(delays.size(), kNever);
  for (const std::int64_t source : sources)
    times[source] = 0;
  run_rule(ArrivalRule{delays.data()}, grid, connectivity, std::span(times), context);
  return times;
}
// ---- The end of the rule.

/// Calls body(to, step) for each neighbour of a cell.
void for_each_neighbour(const Index3& size, const std::vector<NeighbourStep>& steps,
                        std::int64_t from,
                        const std::function<void(std::int64_t to, int step)>& body) {
  const Index3 at{from % size[0], from / size[0] % size[1], from / (size[0] * size[1])};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Index3 to{at[0] + steps[i].dx, at[1] + steps[i].dy, at[2] + steps[i].dz};
    bool inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis)
      inside = inside && to[axis] >= 0 && to[axis] < size[axis];
    if (inside) body(to[0] + size[0] * (to[1] + size[1] * to[2]), static_cast<int>(i));
  }
}

std::vector<std::uint32_t> times_by_dijkstra(const std::vector<std::uint16_t>& delays,
                                             const std::vector<std::int64_t>& sources,
                                             const Index3& size, Connectivity connectivity) {
  const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
  std::vector<std::uint32_t> times(delays.size(), kNever);
  using Entry = std::pair<std::uint32_t, std::int64_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const std::int64_t source : sources) {
    times[source] = 0;
    queue.emplace(0, source);
  }
  while (!queue.empty()) {
    const std::uint32_t time = queue.top().first;
    const std::int64_t cell = queue.top().second;
    queue.pop();
    if (time > times[cell]) continue;
    for_each_neighbour(size, steps, cell, [&](std::int64_t to, int) {
      const std::uint32_t later = time + delays[cell] + delays[to];
      if (later >= times[to]) return;
      times[to] = later;
      queue.emplace(later, to);
    });
  }
  return times;
}

/// Relative connectedness: a state of six bytes, limits by edge, no priority.
struct RelativeEdgeRule {
  using State = RelativeRule::State;

  const std::uint16_t* affinities;  // [cell][step]
  std::int64_t steps;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    return RelativeRule::transfer(from, affinities[edge.from * steps + edge.step]);
  }
  static SEEDWAVE_HD State join(State a, State b) { return RelativeRule::join(a, b); }
};

/// Exchanges states between all neighbours until nothing changes.
std::vector<RelativeRule::State> by_rounds(const RelativeEdgeRule& rule,
                                           std::vector<RelativeRule::State> states,
                                           const Index3& size, Connectivity connectivity) {
  const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
  for (std::vector<RelativeRule::State> before; before != states;) {
    before = states;
    for (std::int64_t from = 0; from < std::ssize(before); ++from) {
      for_each_neighbour(size, steps, from, [&](std::int64_t to, int step) {
        states[to] = rule.join(states[to], rule.transfer(before[from], {from, to, step}));
      });
    }
  }
  return states;
}

Index3 random_size(test::RandomNumbers& random, Connectivity connectivity) {
  const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
  const std::int64_t longest = planar ? 21 : 9;
  return {1 + random.below(longest), 1 + random.below(longest),
          random.below(3) == 0 ? 1 : 1 + random.below(planar ? 3 : longest)};
}

/// Returns tiles of the default size, or so small that small grids have many.
TileGrid random_tiles(test::RandomNumbers& random, const Index3& size, Connectivity connectivity) {
  const TileGrid usual = rule_grid(size, connectivity);
  if (random.below(4) == 0) return usual;
  const int side = 1 + static_cast<int>(random.below(6));
  return {size, side, usual.depth() == 1 ? 1 : 1 + static_cast<int>(random.below(5))};
}

Context with_threads(std::uint64_t number) {
  return Context(Context::Settings{.threads = 1 + static_cast<int>(number % 8)});
}

constexpr std::uint64_t kProblems = 1000;

}  // namespace

class TestRuleTiles : public QObject {
  Q_OBJECT
 private slots:
  // A rim above and below a plane would triple its memory.
  void the_shell_of_a_plane_has_no_rim_along_z() {
    const TileGrid grid({100, 80, 1}, 16, 1);
    for (const Connectivity connectivity : {Connectivity::C4, Connectivity::C8})
      QCOMPARE(TileShell(grid, connectivity).cell_count(), 18 * 18);
    QCOMPARE(TileShell(TileGrid({100, 80, 60}, 16, 16), Connectivity::C6).cell_count(),
             18 * 18 * 18);
  }
  void arrival_times_equal_dijkstra_data();
  void arrival_times_equal_dijkstra();
  void states_of_six_bytes_come_to_rest_data() { arrival_times_equal_dijkstra_data(); }
  void states_of_six_bytes_come_to_rest();
  void threads_do_not_show();
  void stops_when_asked();
};

void TestRuleTiles::arrival_times_equal_dijkstra_data() {
  QTest::addColumn<int>("connectivity");
  for (const int connectivity : {4, 8, 6, 18, 26})
    QTest::addRow("%d neighbours", connectivity) << connectivity;
}

void TestRuleTiles::arrival_times_equal_dijkstra() {
  QFETCH(int, connectivity);
  const auto neighbours = static_cast<Connectivity>(connectivity);
  for (std::uint64_t number = 0; number < kProblems; ++number) {
    test::RandomNumbers random(number);
    const Index3 size = random_size(random, neighbours);
    std::vector<std::uint16_t> delays(static_cast<std::size_t>(size[0] * size[1] * size[2]));
    const std::int64_t most = random.of(std::array<std::int64_t, 3>{2, 40, 65536});
    for (std::uint16_t& delay : delays)
      delay = static_cast<std::uint16_t>(random.below(most));
    std::vector<std::int64_t> sources(static_cast<std::size_t>(random.below(4)));
    for (std::int64_t& source : sources)
      source = random.below(std::ssize(delays));
    Context context = with_threads(number);
    const TileGrid grid = random_tiles(random, size, neighbours);
    QVERIFY2(arrival_times(delays, sources, grid, neighbours, context) ==
                 times_by_dijkstra(delays, sources, size, neighbours),
             qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

void TestRuleTiles::states_of_six_bytes_come_to_rest() {
  QFETCH(int, connectivity);
  const auto neighbours = static_cast<Connectivity>(connectivity);
  const auto steps = static_cast<std::int64_t>(neighbour_steps(neighbours).size());
  for (std::uint64_t number = 0; number < kProblems; ++number) {
    test::RandomNumbers random(number);
    const Index3 size = random_size(random, neighbours);
    const std::int64_t count = size[0] * size[1] * size[2];
    const std::int64_t levels = random.of(std::array<std::int64_t, 2>{4, 4097});
    std::vector<std::uint16_t> affinities(static_cast<std::size_t>(count * steps));
    for (std::uint16_t& affinity : affinities)
      affinity = static_cast<std::uint16_t>(random.below(levels));
    std::vector<RelativeRule::State> states(static_cast<std::size_t>(count));
    for (std::uint16_t label = 1; label < 4; ++label)
      states[random.below(count)] = {4096, label, 0};
    const RelativeEdgeRule rule{affinities.data(), steps};
    const auto expected = by_rounds(rule, states, size, neighbours);
    Context context = with_threads(number);
    run_rule(rule, random_tiles(random, size, neighbours), neighbours, std::span(states), context);
    QVERIFY2(states == expected, qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

/// A grid large enough for eight threads to work at the same time, several times.
void TestRuleTiles::threads_do_not_show() {
  const Index3 size{301, 257, 1};
  test::RandomNumbers random(7);
  std::vector<std::uint16_t> delays(static_cast<std::size_t>(size[0] * size[1]));
  for (std::uint16_t& delay : delays)
    delay = static_cast<std::uint16_t>(random.below(1000));
  const std::vector<std::int64_t> sources{0, 40000, 77000};
  const auto expected = times_by_dijkstra(delays, sources, size, Connectivity::C8);
  for (int run = 0; run < 20; ++run) {
    Context context = with_threads(static_cast<std::uint64_t>(run));
    const TileGrid grid(size, run % 2 == 0 ? 16 : 64, 1);
    QVERIFY(arrival_times(delays, sources, grid, Connectivity::C8, context) == expected);
  }
}

void TestRuleTiles::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  const TileGrid grid({200, 200, 1}, 16, 1);
  const std::vector<std::uint16_t> delays(200 * 200);
  QVERIFY_EXCEPTION_THROWN((void)arrival_times(delays, {0}, grid, Connectivity::C4, context),
                           Cancelled);
}

QTEST_GUILESS_MAIN(TestRuleTiles)
#include "test_rule_tiles.moc"
