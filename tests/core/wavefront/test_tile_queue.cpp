// SPDX-License-Identifier: Apache-2.0
// A model test: three tiles, two workers, every interleaving of their steps.
#ifndef Q_MOC_RUN  // Qt 6.4's moc cannot read <compare>
#include "core/wavefront/tile_queue.h"
#endif

#include <QTest>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

/// Tiles in a row have one number each, and all should end with the largest. This is the smallest
/// wavefront in which borders change more than once.
constexpr int kTiles = 3;
constexpr int kWorkers = 2;
using Numbers = std::array<int, kTiles>;

/// The protocol that the documentation of TileQueue warns of: one flag per tile, cleared before
/// reading.
class FlagQueue {
 public:
  FlagQueue(std::int64_t, int) {}
  void wake(std::int64_t tile, int) {
    if (queued_[tile]) return;
    queued_[tile] = true;
    list_.push_back(tile);
    ++outstanding_;
  }
  std::optional<std::int64_t> take() {
    if (list_.empty()) return std::nullopt;
    const std::int64_t tile = list_.front();
    list_.erase(list_.begin());
    queued_[tile] = false;
    return tile;
  }
  void close(std::int64_t) { --outstanding_; }
  [[nodiscard]] std::int64_t outstanding() const { return outstanding_; }
  friend auto operator<=>(const FlagQueue&, const FlagQueue&) = default;

 private:
  std::array<bool, kTiles> queued_{};
  std::vector<std::int64_t> list_;
  std::int64_t outstanding_ = 0;
};

/// A protocol that loses a wake of a running tile.
class ForgetfulQueue : public TileQueue {
 public:
  using TileQueue::TileQueue;
  void wake(std::int64_t tile, int priority) {
    if (!running_.contains(tile)) TileQueue::wake(tile, priority);
  }
  std::optional<std::int64_t> take() {
    const auto tile = TileQueue::take();
    if (tile) running_.insert(*tile);
    return tile;
  }
  void close(std::int64_t tile) {
    running_.erase(tile);
    TileQueue::close(tile);
  }
  friend auto operator<=>(const ForgetfulQueue&, const ForgetfulQueue&) = default;

 private:
  std::set<std::int64_t> running_;
};

/// The next step of a worker.
enum class NeighbourStep { Take, ReadLeft, ReadRight, Store, WakeLeft, WakeRight, Close };

struct Worker {
  NeighbourStep next = NeighbourStep::Take;
  std::int64_t tile = 0;
  int read = 0;  // the largest number seen, not yet stored
  friend auto operator<=>(const Worker&, const Worker&) = default;
};

template <typename Queue>
struct Model {
  Queue queue{kTiles, 9};
  Numbers numbers{};
  std::array<Worker, kWorkers> workers{};
  friend auto operator<=>(const Model&, const Model&) = default;
};

struct Findings {
  long states = 0;
  long ends = 0;
  bool two_owners = false;
  bool number_fell = false;
  bool wrong_end = false;
};

/// Advances worker `w` by one step. Returns false if it has none now.
template <typename Queue>
bool advance(Model<Queue>& model, int w, Findings& findings) {
  Worker& worker = model.workers[w];
  const std::int64_t tile = worker.tile;
  switch (worker.next) {
    case NeighbourStep::Take: {
      const auto taken = model.queue.take();
      if (!taken) return false;
      const Worker& other = model.workers[1 - w];
      if (other.next != NeighbourStep::Take && other.tile == *taken) findings.two_owners = true;
      worker = {NeighbourStep::ReadLeft, *taken, model.numbers[*taken]};
      return true;
    }
    case NeighbourStep::ReadLeft:
      if (tile > 0) worker.read = std::max(worker.read, model.numbers[tile - 1]);
      worker.next = NeighbourStep::ReadRight;
      return true;
    case NeighbourStep::ReadRight:
      if (tile + 1 < kTiles) worker.read = std::max(worker.read, model.numbers[tile + 1]);
      worker.next = NeighbourStep::Store;
      return true;
    case NeighbourStep::Store:
      if (worker.read < model.numbers[tile]) findings.number_fell = true;
      model.numbers[tile] = worker.read;
      worker.next = NeighbourStep::WakeLeft;
      return true;
    case NeighbourStep::WakeLeft:
      if (tile > 0 && model.numbers[tile - 1] < worker.read) {
        model.queue.wake(tile - 1, worker.read);
      }
      worker.next = NeighbourStep::WakeRight;
      return true;
    case NeighbourStep::WakeRight:
      if (tile + 1 < kTiles && model.numbers[tile + 1] < worker.read) {
        model.queue.wake(tile + 1, worker.read);
      }
      worker.next = NeighbourStep::Close;
      return true;
    case NeighbourStep::Close:
      model.queue.close(tile);
      worker.next = NeighbourStep::Take;
      return true;
  }
  return false;
}

/// Walks all interleavings from `start`, each state once.
template <typename Queue>
void explore(const Model<Queue>& start, Findings& findings) {
  std::set<Model<Queue>> seen{start};
  std::vector<Model<Queue>> open{start};
  while (!open.empty()) {
    const Model<Queue> model = open.back();
    open.pop_back();
    bool moved = false;
    for (int w = 0; w < kWorkers; ++w) {
      Model<Queue> next = model;
      if (!advance(next, w, findings)) continue;
      moved = true;
      if (seen.insert(next).second) open.push_back(std::move(next));
    }
    if (moved) continue;
    ++findings.ends;
    const int largest = *std::max_element(model.numbers.begin(), model.numbers.end());
    for (const int number : model.numbers)
      findings.wrong_end |= number != largest;
    findings.wrong_end |= model.queue.outstanding() != 0;
  }
  findings.states = static_cast<long>(seen.size());
}

template <typename Queue>
Findings explore_from(const Numbers& numbers, const std::vector<int>& queued) {
  Model<Queue> model;
  model.numbers = numbers;
  for (const int tile : queued)
    model.queue.wake(tile, numbers[tile]);
  Findings findings;
  explore(model, findings);
  return findings;
}

}  // namespace

class TestTileQueue : public QObject {
  Q_OBJECT
 private slots:
  void every_interleaving_ends_at_the_fixpoint_with_one_owner_a_tile_data() {
    QTest::addColumn<Numbers>("numbers");
    QTest::addColumn<std::vector<int>>("queued");
    QTest::newRow("a front from the left") << Numbers{5, 0, 0} << std::vector<int>{0};
    QTest::newRow("fronts from both ends") << Numbers{5, 0, 7} << std::vector<int>{0, 2};
    QTest::newRow("a front from the middle") << Numbers{0, 3, 0} << std::vector<int>{1};
    QTest::newRow("two in a row") << Numbers{9, 4, 0} << std::vector<int>{0, 1};
  }
  void every_interleaving_ends_at_the_fixpoint_with_one_owner_a_tile() {
    QFETCH(Numbers, numbers);
    QFETCH(std::vector<int>, queued);
    const Findings findings = explore_from<TileQueue>(numbers, queued);
    QVERIFY(findings.states > 100);
    QVERIFY(findings.ends > 0);
    QVERIFY(!findings.two_owners);
    QVERIFY(!findings.number_fell);
    QVERIFY(!findings.wrong_end);
  }

  void the_model_sees_two_owners_where_the_flag_is_cleared_before_reading() {
    const Findings findings = explore_from<FlagQueue>({5, 0, 7}, {0, 2});
    QVERIFY(findings.two_owners);
    QVERIFY(findings.number_fell);
  }

  void the_model_sees_a_lost_wake() {
    QVERIFY(explore_from<ForgetfulQueue>({5, 0, 7}, {0, 2}).wrong_end);
  }

  void strongest_first_then_first_in_first_out() {
    TileQueue queue(5, 9);
    queue.wake(0, 3);
    queue.wake(1, 9);
    queue.wake(2, 3);
    queue.wake(3, 0);
    queue.wake(4, 2);
    queue.wake(4, 3);  // moves up, behind those already there
    queue.wake(0, 1);  // does not move down
    std::vector<std::int64_t> order;
    while (const auto tile = queue.take())
      order.push_back(*tile);
    QCOMPARE(order, (std::vector<std::int64_t>{1, 0, 2, 4, 3}));
    QCOMPARE(queue.outstanding(), 5);
    for (const std::int64_t tile : order)
      queue.close(tile);
    QCOMPARE(queue.outstanding(), 0);
  }

  void a_running_tile_that_is_woken_runs_again_at_the_strongest_call() {
    TileQueue queue(2, 9);
    queue.wake(0, 5);
    QCOMPARE(*queue.take(), 0);
    queue.wake(0, 2);
    queue.wake(0, 7);
    queue.wake(1, 6);
    queue.close(0);
    QCOMPARE(*queue.take(), 0);
    QCOMPARE(queue.level(), 7);
    QCOMPARE(*queue.take(), 1);
  }
};

QTEST_GUILESS_MAIN(TestTileQueue)
#include "test_tile_queue.moc"
