// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/wavefront/partitions/settle_slabs.h"
#include "core/wavefront/partitions/slab_states.h"
#include "tests/support/random_numbers.h"
#include "tests/support/ranks_in_process.h"
#include "tests/support/slab_order.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace seedwave;
using std::chrono::milliseconds;

namespace {

SlabGrid chain(std::int64_t count) {
  return {{1, count, 1}, 1};
}

/// Lowers the cells of a chain to the least that they are linked with, as a wavefront on slabs.
class LeastOfChain {
 public:
  LeastOfChain(test::RandomNumbers& random, std::int64_t count, const Context& context,
               std::int64_t thickest = 3)
      : slabs_(grid(count, 1 + random.below(thickest), context.ranks())),
        known_(context.ranks() == nullptr ? LayerRange{0, count}
                                          : own_layers_and(*context.ranks(), kLayersBeside, count)),
        values_(static_cast<std::size_t>(count), -1),
        first_(values_.size()),
        linked_(values_.size()),
        started_(values_.size()),
        states_(slabs_, values_, context,
                {.states = [this](std::int64_t first, std::int64_t end) { start(first, end); }}) {
    const std::int64_t links = 1 + random.below(200);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      first_[i] = static_cast<int>(random.below(100));
      linked_[i] = i > 0 && random.below(links) > 0 ? 1 : 0;
    }
    expected_ = first_;
    lower(0, expected_);
  }

  SlabSides visit(const SlabPart& part) {
    Context context({.threads = 1});
    const auto seen = states_.look(part, context);
    std::vector<int> cells(seen.get(), seen.get() + part.layers.layers_with_halo());
    lower(part.layers.halo_begin, cells);
    return states_.store(part, cells, seen, context);
  }
  [[nodiscard]] const SlabGrid& slabs() const { return slabs_; }
  [[nodiscard]] SlabCells& states() { return states_; }
  /// Returns whether all that this rank knows after a pass is at rest.
  [[nodiscard]] bool rests() const {
    return std::equal(values_.begin() + known_.begin, values_.begin() + known_.end,
                      expected_.begin() + known_.begin);
  }
  [[nodiscard]] bool all_rest() const { return values_ == expected_; }
  /// Returns whether each cell of this rank got its first state once.
  [[nodiscard]] bool began_once() const {
    for (std::int64_t i = slabs_.own().begin; i < slabs_.own().end; ++i)
      if (started_[static_cast<std::size_t>(i)] != 1) return false;
    return true;
  }

 private:
  static SlabGrid grid(std::int64_t count, std::int64_t thickness, const Ranks* ranks) {
    if (ranks == nullptr) return {{1, count, 1}, thickness};
    return {{1, count, 1}, thickness, own_layers(*ranks, count)};
  }

  void start(std::int64_t first, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i) {
      values_[i] = first_[i];
      ++started_[i];
    }
  }

  /// `cells` are the chain's from `first` on.
  void lower(std::int64_t first, std::vector<int>& cells) const {
    const auto linked = [&](std::size_t i) { return linked_[static_cast<std::size_t>(first) + i]; };
    for (std::size_t i = 1; i < cells.size(); ++i)
      if (linked(i) != 0) cells[i] = std::min(cells[i], cells[i - 1]);
    for (std::size_t i = cells.size() - 1; i > 0; --i)
      if (linked(i) != 0) cells[i - 1] = std::min(cells[i - 1], cells[i]);
  }

  SlabGrid slabs_;
  LayerRange known_;
  std::vector<int> values_;
  std::vector<int> first_;
  std::vector<char> linked_;   // with the cell before
  std::vector<char> started_;  // how often
  std::vector<int> expected_;
  SlabStates<int> states_;
};

Context with_workers(std::size_t count) {
  return Context({.threads = 1, .workers = std::vector<Worker>(count)});
}

}  // namespace

class TestSettleSlabs : public QObject {
  Q_OBJECT
 private slots:
  void every_order_gives_the_same();
  void several_workers_give_the_same();
  void ranks_find_the_end_together();
  void hundreds_of_ranks_find_the_end();
  void hundreds_of_ranks_settle_many_waves_data();
  void hundreds_of_ranks_settle_many_waves();
  void a_rank_that_fails_ends_all();
  void a_later_visit_is_as_deep_as_the_change();
  void the_default_order_turns_where_nothing_waits();
  void workers_begin_with_their_own_share();
  void nobody_visits_a_slab_with_another();
  void progress_and_times_are_passed_on();
  void shares_are_reported();
  void a_slow_worker_holds_nobody_up();
  void a_worker_that_fails_leaves_its_slab_to_the_others();
  void a_worker_that_failed_stays_out();
  void the_last_worker_that_fails_ends_the_run();
  void another_error_stops_all();
  void stops_when_asked();
};

/// A visit that forgets to wake is detected.
void TestSettleSlabs::every_order_gives_the_same() {
  bool seen = false;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    test::RandomNumbers random(number);
    const bool is_short = number % 2 == 0;
    LeastOfChain least(random, 1 + random.below(is_short ? 9 : 900), Context(), is_short ? 3 : 150);
    const bool forgets = number % 4 == 0;
    std::set<std::int64_t> visited;
    Context context;
    settle_slabs(
        least.slabs(),
        [&](const SlabPart& part, Context&) {
          visited.insert(part.slab);
          SlabSides raised = least.visit(part);
          if (forgets) raised.before = false;
          return raised;
        },
        context, test::in_random_order(random));
    QCOMPARE(std::ssize(visited), least.slabs().count());
    if (forgets) {
      seen = seen || !least.rests();
    } else {
      QVERIFY(least.rests());
    }
  }
  QVERIFY(seen);
}

/// With delays before the states are read, and between storing and waking.
void TestSettleSlabs::several_workers_give_the_same() {
  for (std::uint64_t number = 0; number < 1000; ++number) {
    test::RandomNumbers random(number);
    const std::size_t workers = 2 + static_cast<std::size_t>(random.below(5));
    Context context = with_workers(workers);
    const bool is_short = number % 3 == 0;
    LeastOfChain least(random, 1 + random.below(is_short ? 30 : 2000), context, is_short ? 3 : 150);
    const NextSlab next = number % 2 == 0 ? test::in_random_order(random) : NextSlab();
    settle_slabs(
        least.slabs(),
        [&](const SlabPart& part, Context&) {
          test::wait_a_moment();
          const SlabSides raised = least.visit(part);
          test::wait_a_moment();
          return raised;
        },
        context, next);
    QVERIFY2(least.rests() && least.began_once(), qPrintable(QString::number(number)));
  }
}

/// Messages take up to 3 ms, so that some arrive where everybody rests. Also ranks without slabs,
/// and ranks with several workers.
void TestSettleSlabs::ranks_find_the_end_together() {
  std::int64_t messages = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    test::RandomNumbers sizes(number);
    const auto count = static_cast<int>(2 + sizes.below(6));
    const std::int64_t length = 1 + sizes.below(number % 3 == 0 ? 30 : 600);
    test::RanksInProcess all(count, milliseconds(number % 4), number);
    std::atomic<int> good = 0;
    all.run([&](const std::shared_ptr<Ranks>& ranks) {
      test::RandomNumbers random(number);
      Context context(
          {.threads = 1, .workers = std::vector<Worker>(number % 5 == 0 ? 2 : 0), .ranks = ranks});
      LeastOfChain least(random, length, context, number % 2 == 0 ? 3 : 60);
      settle_slabs(
          least.states(),
          [&](const SlabPart& part, Context&) {
            test::wait_a_moment();
            return least.visit(part);
          },
          context);
      const bool rests = least.rests() && least.began_once();
      collect_states(least.states(), context);
      good += rests && (ranks->rank() > 0 || least.all_rest()) ? 1 : 0;
    });
    QVERIFY2(good == count, qPrintable(QString::number(number)));
    messages += all.messages();
  }
  QVERIFY(messages > 1000);
}

/// One front through all of them, and most wait all the time.
void TestSettleSlabs::hundreds_of_ranks_find_the_end() {
  constexpr int kRanks = 200;
  constexpr std::int64_t kCells = 3 * kRanks;
  test::RanksInProcess all(kRanks, milliseconds(2), 3);
  std::atomic<int> good = 0;
  all.run([&](const std::shared_ptr<Ranks>& ranks) {
    Context context({.threads = 1, .ranks = ranks});
    const SlabGrid slabs({1, kCells, 1}, 1, own_layers(*ranks, kCells));
    std::vector<int> cells(kCells);
    cells[0] = 1;
    SlabStates<int> states(slabs, cells, context);
    settle_slabs(
        states,
        [&](const SlabPart& part, Context& own) {
          const auto seen = states.look(part, own);
          const auto count = static_cast<std::size_t>(part.layers.layers_with_halo());
          std::vector<int> solved(seen.get(), seen.get() + count);
          std::ranges::fill(solved, *std::ranges::max_element(solved));
          return states.store(part, solved, seen, own);
        },
        context);
    const LayerRange own = own_layers(*ranks, kCells);
    good += std::count(cells.begin() + own.begin, cells.begin() + own.end, 1) == own.layers();
  });
  QCOMPARE(good.load(), kRanks);
  // Each rank but the last tells the next, once.
  QCOMPARE(all.messages(), std::int64_t{kRanks - 1});
}

void TestSettleSlabs::hundreds_of_ranks_settle_many_waves_data() {
  QTest::addColumn<int>("count");
  QTest::addColumn<int>("most_delay_ms");
  for (const int count : {100, 200}) {
    for (const int most_delay_ms : {0, 3})
      QTest::addRow("%d ranks, up to %d ms", count, most_delay_ms) << count << most_delay_ms;
  }
}

/// Waves from everywhere, short and long ones. Reports how much was sent, and how many rounds of
/// counting found the end.
void TestSettleSlabs::hundreds_of_ranks_settle_many_waves() {
  QFETCH(int, count);
  QFETCH(int, most_delay_ms);
  test::RanksInProcess all(count, milliseconds(most_delay_ms), 1);
  std::atomic<int> good = 0;
  all.run([&](const std::shared_ptr<Ranks>& ranks) {
    test::RandomNumbers random(1);
    Context context({.threads = 1, .ranks = ranks});
    LeastOfChain least(random, std::int64_t{4} * count, context);
    settle_slabs(
        least.states(), [&](const SlabPart& part, Context&) { return least.visit(part); }, context);
    good += least.rests() ? 1 : 0;
  });
  QCOMPARE(good.load(), count);
  // Each rank tells its two neighbours, and again where a lower wave arrives from afar.
  QVERIFY(all.messages() >= count && all.messages() < std::int64_t{8} * count);
  qInfo("%lld messages, %lld rounds", static_cast<long long>(all.messages()),
        static_cast<long long>(all.rounds()));
}

void TestSettleSlabs::a_rank_that_fails_ends_all() {
  for (const int failing : {0, 1, 2}) {
    test::RanksInProcess all(3, milliseconds(1), 1);
    std::atomic<int> ended = 0;
    const auto body = [&](const std::shared_ptr<Ranks>& ranks) {
      Context context({.threads = 1, .ranks = ranks});
      test::RandomNumbers random(7);
      LeastOfChain least(random, 90, context);
      const VisitSlab visit = [&](const SlabPart& part, Context&) {
        if (ranks->rank() == failing && part.slab == 1) throw InputError("it cannot be read");
        return least.visit(part);
      };
      try {
        settle_slabs(least.states(), visit, context);
      } catch (const Error&) {
        ++ended;
        throw;
      }
    };
    QVERIFY_EXCEPTION_THROWN(all.run(body), Error);
    QCOMPARE(ended.load(), 3);
  }
}

/// From the side that was woken: a sixteenth of the slab, and four times as much as long as the
/// layer behind is raised.
void TestSettleSlabs::a_later_visit_is_as_deep_as_the_change() {
  using Range = std::pair<std::int64_t, std::int64_t>;
  const SlabGrid slabs({1, 1920, 1}, 640);
  for (const bool from_before : {true, false}) {
    for (const std::int64_t depth : {1, 39, 40, 159, 160, 640}) {
      std::set<std::int64_t> visited;
      std::vector<Range> later;
      Context context;
      settle_slabs(
          slabs,
          [&](const SlabPart& part, Context&) -> SlabSides {
            if (visited.insert(part.slab).second)
              return {.before = part.slab == 2 && !from_before,
                      .after = part.slab == 0 && from_before};
            later.emplace_back(part.layers.begin, part.layers.end);
            const bool deeper = part.layers.layers() <= depth && part.layers.layers() < 640;
            return {.before = !from_before && deeper, .after = from_before && deeper};
          },
          context,
          // The one in the middle first.
          [](std::size_t, const std::vector<char>& waiting) -> std::int64_t {
            return waiting[1] != 0 ? 1 : waiting[0] != 0 ? 0 : 2;
          });
      std::vector<Range> expected;
      for (const std::int64_t layers : {40, 160, 640}) {
        expected.emplace_back(from_before ? Range(640, 640 + layers) : Range(1280 - layers, 1280));
        if (depth < layers) break;
      }
      QVERIFY2(later == expected, qPrintable(QStringLiteral("%1 layers").arg(depth)));
    }
  }
}

void TestSettleSlabs::the_default_order_turns_where_nothing_waits() {
  std::vector<std::int64_t> order;
  Context context;
  int turns = 0;
  settle_slabs(
      chain(4),
      [&](const SlabPart& part, Context&) -> SlabSides {
        const std::int64_t slab = part.slab;
        order.push_back(slab);
        // The last one starts a front downwards, and at the bottom it turns once.
        if (slab == 0) ++turns;
        return {.before = slab > 0 && order.size() > 3, .after = slab == 0 && turns == 2};
      },
      context);
  QVERIFY(order == (std::vector<std::int64_t>{0, 1, 2, 3, 2, 1, 0, 1, 0}));
  // The slab behind is visited again before the rest: it is still at hand.
  order.clear();
  settle_slabs(
      chain(4),
      [&](const SlabPart& part, Context&) -> SlabSides {
        const std::int64_t slab = part.slab;
        order.push_back(slab);
        return {.before = slab == 2 && order.size() == 3, .after = false};
      },
      context);
  QVERIFY(order == (std::vector<std::int64_t>{0, 1, 2, 1, 3}));
}

void TestSettleSlabs::workers_begin_with_their_own_share() {
  const NextSlab next = near_first(10, 2);
  std::vector<char> waiting(10, 1);
  const auto take = [&](std::size_t worker) {
    const std::int64_t slab = next(worker, waiting);
    waiting[static_cast<std::size_t>(slab)] = 0;
    return slab;
  };
  QCOMPARE(take(0), std::int64_t{0});
  QCOMPARE(take(1), std::int64_t{5});
  for (const std::int64_t slab : {1, 2, 3, 4, 6, 7})
    QCOMPARE(take(0), slab);
  waiting[2] = 1;
  QCOMPARE(take(0), std::int64_t{2});
  QCOMPARE(take(1), std::int64_t{8});
}

void TestSettleSlabs::nobody_visits_a_slab_with_another() {
  constexpr std::int64_t kSlabs = 12;
  std::array<std::atomic<int>, kSlabs> inside{};
  std::array<std::atomic<int>, kSlabs> visits{};
  std::atomic<bool> met = false;
  std::atomic<int> at_once = 0;
  std::atomic<int> most_at_once = 0;
  Context context = with_workers(4);
  settle_slabs(
      chain(kSlabs),
      [&](const SlabPart& part, Context&) -> SlabSides {
        const std::int64_t slab = part.slab;
        const auto i = static_cast<std::size_t>(slab);
        if (++inside[i] > 1) met = true;
        most_at_once = std::max(most_at_once.load(), ++at_once);
        std::this_thread::sleep_for(milliseconds(1));
        const bool again = ++visits[i] < 5;
        --at_once;
        --inside[i];
        return {.before = again && slab > 0, .after = again && slab + 1 < kSlabs};
      },
      context);
  QVERIFY(!met);
  QVERIFY(most_at_once > 1);
  int all = 0;
  for (const std::atomic<int>& times : visits) {
    QVERIFY(times >= 1);
    all += times;
  }
  QVERIFY(all > 2 * kSlabs);
}

void TestSettleSlabs::progress_and_times_are_passed_on() {
  for (const std::size_t workers : {0, 3}) {
    std::mutex mutex;
    std::vector<double> fractions;
    Context context({.progress =
                         [&](const std::string& stage, double fraction) {
                           const std::lock_guard lock(mutex);
                           QCOMPARE(stage, std::string("work"));
                           fractions.push_back(fraction);
                         },
                     .threads = 3,
                     .workers = std::vector<Worker>(workers)});
    const auto stage = context.stage("work");
    std::atomic<int> visits = 0;
    std::atomic<int> threads = 0;
    settle_slabs(
        chain(5),
        [&](const SlabPart& layers, Context& part) -> SlabSides {
          const std::int64_t slab = layers.slab;
          threads = part.threads();
          part.add_stage_time("upload", 2.0);
          part.checkpoint(0.0);
          part.checkpoint(1.0);
          return {.before = slab > 0 && ++visits < 20, .after = false};
        },
        context);
    QCOMPARE(threads.load(), workers == 0 ? 3 : 1);
    QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
    QCOMPARE(fractions.front(), 0.0);
    QVERIFY(fractions.back() > 0.8 && fractions.back() <= 1.0);
    QCOMPARE(context.stage_times().front().stage, std::string("upload"));
    QVERIFY(context.stage_times().front().ms >= 10.0);
  }
}

void TestSettleSlabs::shares_are_reported() {
  Context context({.workers = {{.device = 2, .threads = 1}, {.device = kCpu, .threads = 5}}});
  std::mutex mutex;
  std::set<std::pair<int, int>> used;
  settle_slabs(
      SlabGrid({10, 40, 1}, 4),
      [&](const SlabPart&, Context& part) -> SlabSides {
        std::this_thread::sleep_for(milliseconds(2));
        const std::lock_guard lock(mutex);
        used.emplace(part.device(), part.threads());
        return {};
      },
      context);
  QVERIFY(used == (std::set<std::pair<int, int>>{{2, 1}, {kCpu, 5}}));
  const std::vector<WorkDone> work = context.work_done();
  QCOMPARE(work.size(), std::size_t{2});
  QCOMPARE(work[0].visits + work[1].visits, std::int64_t{10});
  QCOMPARE(work[0].cells + work[1].cells, std::int64_t{400});
  for (const WorkDone& done : work)
    QVERIFY(done.visits > 0 && done.busy_ms >= 2.0 && done.failure.empty());
  QVERIFY(Context().work_done().empty());
}

/// A hundred times slower than the other, it gives back the slab that it has begun, and gets none
/// again.
void TestSettleSlabs::a_slow_worker_holds_nobody_up() {
  Context context({.workers = {{.device = 0}, {.device = kCpu}}});
  std::atomic<int> begun = 0;
  std::atomic<int> given_back = 0;
  std::array<std::atomic<int>, 6> visits{};
  const auto start = std::chrono::steady_clock::now();
  settle_slabs(
      chain(6),
      [&](const SlabPart& layers, Context& part) -> SlabSides {
        const std::int64_t slab = layers.slab;
        if (part.on_cpu()) {
          ++begun;
          for (int i = 0; i < 20'000; ++i) {
            std::this_thread::sleep_for(milliseconds(1));
            if (part.stop_requested()) {
              ++given_back;
              throw Cancelled();
            }
          }
        }
        std::this_thread::sleep_for(milliseconds(5));
        ++visits[static_cast<std::size_t>(slab)];
        return {};
      },
      context);
  QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(15));
  QCOMPARE(begun.load(), given_back.load());
  QVERIFY(begun <= 1);
  for (const std::atomic<int>& times : visits)
    QCOMPARE(times.load(), 1);
}

/// Also in the middle of a visit of several parts, of which it has stored some.
void TestSettleSlabs::a_worker_that_fails_leaves_its_slab_to_the_others() {
  for (std::uint64_t number = 0; number < 600; ++number) {
    test::RandomNumbers random(number);
    const bool is_short = number % 3 == 0;
    LeastOfChain least(random, is_short ? 20 : 3000, with_workers(3), is_short ? 3 : 1000);
    Context context({.workers = {{.device = 0}, {.device = 1}, {.device = kCpu}}});
    const std::int64_t first = random.below(12);
    const std::int64_t second = random.below(12);
    std::array<std::atomic<std::int64_t>, 2> parts{};
    settle_slabs(
        least.slabs(),
        [&](const SlabPart& part, Context& own) {
          test::wait_a_moment();
          if (own.device() == 0 && ++parts[0] > first) throw DeviceFault("fell off the bus");
          if (own.device() == 1 && ++parts[1] > second)
            throw UnavailableError("the device is full");
          return least.visit(part);
        },
        context);
    QVERIFY2(least.rests(), qPrintable(QString::number(number)));
    const std::vector<WorkDone> work = context.work_done();
    QVERIFY(work[0].failure.empty() || work[0].failure == "fell off the bus");
    QVERIFY(work[1].failure.empty() || work[1].failure == "the device is full");
    QVERIFY(work[2].failure.empty());
  }
}

/// It takes no part in further passes of the run.
void TestSettleSlabs::a_worker_that_failed_stays_out() {
  Context context({.workers = {{.device = 0}, {.device = kCpu}}});
  std::atomic<int> on_device = 0;
  const auto visit = [&](const SlabPart&, Context& own) -> SlabSides {
    std::this_thread::sleep_for(milliseconds(1));
    if (own.device() == 0 && ++on_device > 0) throw DeviceFault("fell off the bus");
    return {};
  };
  for (int pass = 0; pass < 3; ++pass)
    settle_slabs(chain(8), visit, context);
  QCOMPARE(on_device.load(), 1);
  QCOMPARE(context.work_done()[0].failure, std::string("fell off the bus"));
  QCOMPARE(context.work_done()[1].visits, std::int64_t{24});
}

void TestSettleSlabs::the_last_worker_that_fails_ends_the_run() {
  Context context({.workers = {{.device = 0}, {.device = 1}}});
  std::atomic<int> visits = 0;
  const auto visit = [&](const SlabPart&, Context&) -> SlabSides {
    ++visits;
    throw DeviceFault("fell off the bus");
  };
  QVERIFY_EXCEPTION_THROWN(settle_slabs(chain(9), visit, context), DeviceFault);
  QCOMPARE(visits.load(), 2);
}

void TestSettleSlabs::another_error_stops_all() {
  Context context = with_workers(3);
  std::atomic<int> visits = 0;
  const auto visit = [&](const SlabPart& layers, Context& part) -> SlabSides {
    const std::int64_t slab = layers.slab;
    ++visits;
    if (slab == 0) throw InputError("cut short");
    for (int i = 0; i < 10'000 && !part.stop_requested(); ++i)
      std::this_thread::sleep_for(milliseconds(1));
    part.checkpoint(0.0);
    return {};
  };
  QVERIFY_EXCEPTION_THROWN(settle_slabs(chain(9), visit, context), InputError);
  QVERIFY(visits <= 3);
}

void TestSettleSlabs::stops_when_asked() {
  for (const std::size_t workers : {0, 2, 4}) {
    std::stop_source stop;
    Context context({.stop = stop.get_token(), .workers = std::vector<Worker>(workers)});
    std::atomic<int> visits = 0;
    const auto visit = [&](const SlabPart&, Context& part) -> SlabSides {
      if (++visits == 3) stop.request_stop();
      part.checkpoint(0.5);
      return {};
    };
    QVERIFY_EXCEPTION_THROWN(settle_slabs(chain(90), visit, context), Cancelled);
    QVERIFY(visits >= 3 && visits <= 3 + static_cast<int>(workers));
  }
}

QTEST_GUILESS_MAIN(TestSettleSlabs)
#include "test_settle_slabs.moc"
