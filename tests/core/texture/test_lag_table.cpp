// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/lag_table.h"

#include <QTest>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::array<std::int64_t, 9> kWindows{1, 2, 3, 5, 8, 31, 32, 64, 256};
constexpr std::array<std::int64_t, 9> kDirections{1, 2, 3, 4, 7, 8, 16, 45, 256};

std::vector<std::pair<int, std::int64_t>> list_of(const LagTable& table, const Lag& lag) {
  std::vector<std::pair<int, std::int64_t>> list;
  for (const LagWeight& weight : table.weights_of(lag))
    list.emplace_back(weight.radius, weight.weight);
  return list;
}

}  // namespace

class TestLagTable : public QObject {
  Q_OBJECT
 private slots:
  void as_many_lags_and_weights_as_were_counted();
  void lags_are_each_others_opposite_never();
  void a_window_of_one_phase_has_features_of_one();
  void axes_are_exact();
  void mirror_images_count_the_same();
  void features_are_rounded_once();
  void refuses_what_it_cannot_make();
};

void TestLagTable::as_many_lags_and_weights_as_were_counted() {
  const LagTable table = lag_table(32, 8);
  QCOMPARE(std::ssize(table.lags), std::int64_t{225});
  QCOMPARE(std::ssize(table.weights), std::int64_t{370});
}

void TestLagTable::lags_are_each_others_opposite_never() {
  for (const std::int64_t window : kWindows) {
    for (const std::int64_t directions : kDirections) {
      const LagTable table = lag_table(window, directions);
      for (std::size_t i = 0; i < table.lags.size(); ++i) {
        const Lag& lag = table.lags[i];
        QVERIFY(lag.dy >= 0 && (lag.dy > 0 || lag.dx >= 0));
        QVERIFY(std::abs(lag.dx) <= window / 2 && lag.dy <= window / 2);
        QVERIFY(lag.first < lag.last);
        if (i == 0) continue;
        const Lag& before = table.lags[i - 1];
        QVERIFY(std::pair(before.dy, before.dx) < std::pair(lag.dy, lag.dx));
      }
    }
  }
}

/// All pairs of all lags then belong to the phase.
void TestLagTable::a_window_of_one_phase_has_features_of_one() {
  for (const std::int64_t window : kWindows) {
    for (const std::int64_t directions : kDirections) {
      const LagTable table = lag_table(window, directions);
      std::vector<std::int64_t> sums(static_cast<std::size_t>(radius_count(window)));
      std::vector<std::int64_t> lags(sums.size());
      for (const Lag& lag : table.lags) {
        for (const LagWeight& weight : table.weights_of(lag)) {
          const auto radius = static_cast<std::size_t>(weight.radius);
          sums[radius] += weight.weight * (window - std::abs(lag.dx)) * (window - lag.dy);
          lags[radius] += (window - std::abs(lag.dx)) * (window - lag.dy);
        }
      }
      for (std::size_t radius = 0; radius < sums.size(); ++radius) {
        // At most half a unit per pair; much less, because roundings go both ways.
        const double off = std::abs(static_cast<double>(sums[radius]) - 0x1p40);
        QVERIFY(off <= 0.5 * static_cast<double>(lags[radius]));
        const bool is_usual = window <= 64 && directions <= 16;
        QVERIFY(off < (is_usual ? 1e-7 : 2e-6) * 0x1p40);
      }
    }
  }
}

void TestLagTable::axes_are_exact() {
  for (const std::int64_t window : kWindows) {
    const LagTable across = lag_table(window, 1);
    const LagTable both = lag_table(window, 2);
    QCOMPARE(std::ssize(across.lags), radius_count(window));
    QCOMPARE(std::ssize(both.lags), 2 * radius_count(window) - 1);
    for (const Lag& lag : both.lags) {
      QVERIFY(lag.dx == 0 || lag.dy == 0);
      QCOMPARE(lag.last - lag.first, 1);
      const LagWeight& weight = both.weights_of(lag).front();
      QCOMPARE(weight.radius, lag.dx + lag.dy);
      const double share = weight.radius == 0 ? 1.0 : 0.5;
      const auto pairs = static_cast<double>(window * (window - weight.radius));
      QCOMPARE(weight.weight, std::llround(share / pairs * 0x1p40));
    }
  }
}

void TestLagTable::mirror_images_count_the_same() {
  for (const std::int64_t window : kWindows) {
    for (const std::int64_t directions : {2, 4, 6, 8, 16, 22, 256}) {
      const LagTable table = lag_table(window, directions);
      std::map<std::pair<int, int>, std::vector<std::pair<int, std::int64_t>>> lists;
      for (const Lag& lag : table.lags)
        lists[{lag.dx, lag.dy}] = list_of(table, lag);
      for (const auto& [lag, list] : lists) {
        const auto& [dx, dy] = lag;
        if (dy > 0) QCOMPARE((lists[{-dx, dy}]), list);
        // Directions that are also the diagonal's mirror images.
        if (directions % 2 == 0 && dx > 0) QCOMPARE((lists[{dy, dx}]), list);
      }
    }
  }
}

void TestLagTable::features_are_rounded_once() {
  QCOMPARE(feature_of(std::int64_t{1} << 40), 1.0F);
  QCOMPARE(feature_of(0), 0.0F);
  // Halfway between two floats it rounds to the even one, above it up.
  const std::int64_t one = std::int64_t{1} << 40;
  const std::int64_t half_step = std::int64_t{1} << 16;
  QCOMPARE(feature_of(one + half_step), 1.0F);
  QCOMPARE(feature_of(one + half_step + 1), std::nextafter(1.0F, 2.0F));
}

void TestLagTable::refuses_what_it_cannot_make() {
  QVERIFY_EXCEPTION_THROWN((void)lag_table(0, 8), UsageError);
  QVERIFY_EXCEPTION_THROWN((void)lag_table(257, 8), UsageError);
  QVERIFY_EXCEPTION_THROWN((void)lag_table(8, 0), UsageError);
  QVERIFY_EXCEPTION_THROWN((void)lag_table(8, 257), UsageError);
}

QTEST_GUILESS_MAIN(TestLagTable)
#include "test_lag_table.moc"
