// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/majority.h"
#include "tests/support/random_numbers.h"
#include "tests/support/random_phases.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <stop_token>
#include <vector>

using namespace seedwave;

namespace {

/// Computes the majority by its definition.
std::vector<std::uint16_t> majority_by_counting(const LabelMap& labels, std::int64_t radius) {
  const Index3& size = labels.geometry().size;
  std::vector<std::uint16_t> result;
  for (std::int64_t y = 0; y < size[1]; ++y) {
    for (std::int64_t x = 0; x < size[0]; ++x) {
      std::map<Label, int> counts;
      for (std::int64_t j = std::max<std::int64_t>(0, y - radius);
           j <= std::min(size[1] - 1, y + radius); ++j) {
        for (std::int64_t i = std::max<std::int64_t>(0, x - radius);
             i <= std::min(size[0] - 1, x + radius); ++i)
          ++counts[labels.at({i, j, 0})];
      }
      Label best = labels.at({x, y, 0});
      for (const auto& [label, count] : counts) {
        if (count > counts[best]) best = label;
      }
      result.push_back(static_cast<std::uint16_t>(best));
    }
  }
  return result;
}

LabelMap random_labels(test::RandomNumbers& random) {
  const std::int64_t count = random.of(std::array<std::int64_t, 4>{1, 2, 3, 40});
  LabelMap labels = test::random_phases(random, 1 + random.below(20), 1 + random.below(200), count);
  if (random.below(2) == 0) return labels;
  std::vector<std::uint16_t> spread(labels.labels().begin(), labels.labels().end());
  for (std::uint16_t& label : spread)
    label = static_cast<std::uint16_t>(65535 - 1000 * label);
  return {labels.geometry(), std::move(spread)};
}

}  // namespace

class TestMajority : public QObject {
  Q_OBJECT
 private slots:
  void a_picture_by_hand();
  void equals_counting();
  void threads_change_nothing();
  void a_huge_radius_is_the_whole_picture();
  void refuses_what_it_cannot_answer();
  void stops_when_asked();
};

void TestMajority::a_picture_by_hand() {
  // The 3 in the middle is in the minority; in the corners two labels are equally frequent.
  const LabelMap labels = test::picture(3, 3, {1, 1, 2, 1, 3, 2, 1, 2, 2});
  Context context;
  const LabelMap result = majority(labels, 1, context);
  const std::vector<std::uint16_t> expected{1, 1, 2, 1, 1, 2, 1, 2, 2};
  QVERIFY(std::equal(expected.begin(), expected.end(), result.labels().begin()));
}

void TestMajority::equals_counting() {
  test::RandomNumbers random(1);
  for (int round = 0; round < 400; ++round) {
    const LabelMap labels = random_labels(random);
    const std::int64_t radius = random.of(std::array<std::int64_t, 6>{0, 1, 2, 3, 8, 30});
    Context context(Context::Settings{.threads = 1 + round % 3});
    const LabelMap result = majority(labels, radius, context);
    const std::vector<std::uint16_t> expected = majority_by_counting(labels, radius);
    QVERIFY2(std::equal(expected.begin(), expected.end(), result.labels().begin()),
             qPrintable(QStringLiteral("round %1").arg(round)));
  }
}

void TestMajority::threads_change_nothing() {
  test::RandomNumbers random(2);
  const LabelMap labels = test::random_phases(random, 300, 700, 5);
  Context one(Context::Settings{.threads = 1});
  const LabelMap expected = majority(labels, 4, one);
  for (const int threads : {2, 3, 16}) {
    Context context(Context::Settings{.threads = threads});
    QVERIFY(std::ranges::equal(majority(labels, 4, context).labels(), expected.labels()));
  }
}

void TestMajority::a_huge_radius_is_the_whole_picture() {
  const LabelMap labels = test::picture(4, 2, {7, 7, 7, 0, 0, 0, 0, 7});
  Context context;
  // Both are equally frequent everywhere.
  QVERIFY(
      std::ranges::equal(majority(labels, 1'000'000'000'000, context).labels(), labels.labels()));
}

void TestMajority::refuses_what_it_cannot_answer() {
  Context context;
  QVERIFY_EXCEPTION_THROWN((void)majority(test::picture(1, 1, {1}), -1, context), UsageError);
  Geometry geometry;
  geometry.size = {2, 2, 2};
  const LabelMap volume(geometry, std::vector<std::uint16_t>(8));
  QVERIFY_EXCEPTION_THROWN((void)majority(volume, 1, context), InputError);
}

void TestMajority::stops_when_asked() {
  test::RandomNumbers random(3);
  const LabelMap labels = test::random_phases(random, 50, 50, 3);
  std::stop_source stop;
  stop.request_stop();
  for (const int threads : {1, 2}) {
    Context context(Context::Settings{.stop = stop.get_token(), .threads = threads});
    QVERIFY_EXCEPTION_THROWN((void)majority(labels, 1, context), Cancelled);
  }
}

QTEST_GUILESS_MAIN(TestMajority)
#include "test_majority.moc"
