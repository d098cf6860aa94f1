// SPDX-License-Identifier: Apache-2.0
// Scores of objects against their definitions, written as sets of voxels.
#include "core/base/error.h"
#include "core/metrics/object_scores.h"
#include "tests/core/metrics/object_definitions.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <stop_token>
#include <vector>

using namespace seedwave;

namespace {

using Labels = std::vector<Label>;

LabelMap row(Labels labels) {
  Geometry geometry;
  geometry.size = {std::ssize(labels), 1, 1};
  return {geometry, std::move(labels)};
}

ObjectScores scores_of(const LabelMap& result, const LabelMap& reference,
                       const Fraction& limit = {1, 2}, int threads = 1) {
  Context context(Context::Settings{.threads = threads});
  return object_scores(result, reference, limit, context);
}

test::ObjectSets objects_of(const LabelMap& map) {
  std::map<Label, test::Voxels> voxels;
  for (std::size_t i = 0; i < map.labels().size(); ++i) {
    if (map.labels()[i] != 0) voxels[map.labels()[i]].insert(i);
  }
  test::ObjectSets objects;
  for (const auto& [label, set] : voxels)
    objects.push_back(set);
  return objects;
}

bool as_defined(const ObjectScores& scores, const LabelMap& result, const LabelMap& reference,
                const Fraction& limit) {
  return test::are_as_defined(scores, objects_of(result), objects_of(reference), limit);
}

/// Returns the labels of some objects, each a box that hides what it covers, numbered at random.
LabelMap random_objects(test::RandomNumbers& random, const Geometry& geometry, Label largest) {
  return make_labels(geometry, largest, [&]<typename T>(std::vector<T>& labels) {
    for (std::int64_t count = random.below(7); count > 0; --count) {
      const auto label = static_cast<T>(largest - random.below(9));
      Index3 begin;
      Index3 end;
      for (int axis = 0; axis < 3; ++axis) {
        begin[axis] = random.below(geometry.size[axis]);
        end[axis] = std::min(geometry.size[axis], begin[axis] + 1 + random.below(6));
      }
      for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
        const Index3 at = geometry.index_of(i);
        bool is_inside = true;
        for (int axis = 0; axis < 3; ++axis)
          is_inside &= at[axis] >= begin[axis] && at[axis] < end[axis];
        if (is_inside) labels[i] = label;
      }
    }
  });
}

/// Returns the objects with every voxel changed with a chance of one in `one_in`.
LabelMap disturbed(test::RandomNumbers& random, const LabelMap& map, Label largest, int one_in) {
  return make_labels(map.geometry(), largest, [&]<typename T>(std::vector<T>& labels) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Label kept = map.labels()[i] == 0 ? 0 : largest - map.labels()[i] % 9;
      labels[i] = static_cast<T>(random.below(one_in) == 0 ? random.below(6) : kept);
    }
  });
}

}  // namespace

class TestObjectScores : public QObject {
  Q_OBJECT
 private slots:
  void are_as_defined_data();
  void are_as_defined();
  void threads_change_nothing();
  void a_split_object_has_two_pieces();
  void a_merged_object_covers_two();
  void half_of_an_object_is_not_enough();
  void the_iou_must_exceed_the_limit();
  void one_voxel_decides_among_ten_billion();
  void below_half_as_many_pairs_as_possible();
  void aji_takes_the_smallest_label_of_equals();
  void aji_counts_an_object_as_often_as_it_is_taken();
  void pq_keeps_its_own_limit();
  void without_objects_ratios_are_undefined();
  void the_foreground_is_that_of_all_objects();
  void refuses_maps_of_other_sizes();
  void ends_when_stopped();
};

void TestObjectScores::are_as_defined_data() {
  QTest::addColumn<int>("width");
  QTest::addColumn<int>("height");
  QTest::addColumn<int>("depth");
  QTest::addColumn<quint32>("largest");
  QTest::newRow("9 x 7, u8, seed 1") << 9 << 7 << 1 << 255U;
  QTest::newRow("13 x 1, u16, seed 1") << 13 << 1 << 1 << 65535U;
  QTest::newRow("5 x 4 x 3, u32, seed 1") << 5 << 4 << 3 << 4294967295U;
}

void TestObjectScores::are_as_defined() {
  QFETCH(int, width);
  QFETCH(int, height);
  QFETCH(int, depth);
  QFETCH(quint32, largest);
  constexpr std::array<Fraction, 6> kLimits{{{1, 2}, {1, 10}, {1, 4}, {1, 3}, {3, 4}, {1, 100}}};
  Geometry geometry;
  geometry.size = {width, height, depth};
  test::RandomNumbers random(1);
  for (int round = 0; round < 2000; ++round) {
    const LabelMap reference = random_objects(random, geometry, 255);
    const LabelMap result = round % 2 == 0 ? random_objects(random, geometry, largest)
                                           : disturbed(random, reference, largest, 4 + round % 20);
    const Fraction limit = random.of(kLimits);
    const ObjectScores scores = scores_of(result, reference, limit);
    QVERIFY2(as_defined(scores, result, reference, limit), qPrintable(QString::number(round)));
  }
}

void TestObjectScores::threads_change_nothing() {
  // Larger than the ranges of the threads.
  Geometry geometry;
  geometry.size = {1031, 503, 1};
  const auto cells = [&](std::int64_t side, std::int64_t shift) {
    Labels labels;
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      const Index3 at = geometry.index_of(i);
      const bool is_gap = (at[0] + shift) % side == 0 || at[1] % side == 0;
      const std::int64_t cell = (at[0] + shift) / side + 200 * (at[1] / side);
      labels.push_back(is_gap ? 0 : static_cast<Label>(1 + cell));
    }
    return LabelMap(geometry, std::move(labels));
  };
  const LabelMap result = cells(7, 2);
  const LabelMap reference = cells(8, 0);
  const ObjectScores one = scores_of(result, reference, {1, 5}, 1);
  QVERIFY(one.matched > 1000 && one.matched < one.reference);
  for (const int threads : {2, 3, 16}) {
    const ObjectScores many = scores_of(result, reference, {1, 5}, threads);
    QCOMPARE(many.matched, one.matched);
    QCOMPARE(many.matched_by_iou, one.matched_by_iou);
    QVERIFY(many.iou_sum == one.iou_sum);
    QCOMPARE(many.aji_both, one.aji_both);
    QCOMPARE(many.aji_either, one.aji_either);
    QCOMPARE(many.split, one.split);
    QCOMPARE(many.merged, one.merged);
  }
}

void TestObjectScores::a_split_object_has_two_pieces() {
  // The larger piece has IoU 5 / 8 and matches; the other is spurious.
  const ObjectScores scores = scores_of(row({1, 1, 1, 1, 1, 2, 2, 2}), row(Labels(8, 7)));
  QCOMPARE(scores.split, 1);
  QCOMPARE(scores.merged, 0);
  QCOMPARE(scores.matched, 1);
  QCOMPARE(scores.missed(), 0);
  QCOMPARE(scores.spurious(), 1);
  QCOMPARE(scores.precision(), 0.5);
  QCOMPARE(scores.recall(), 1.0);
  QCOMPARE(scores.f1(), 2.0 / 3.0);
  QCOMPARE(scores.pq(), 2.0 * 5 / 8 / 3);
  QCOMPARE(scores.aji(), 5.0 / 11.0);
}

void TestObjectScores::a_merged_object_covers_two() {
  const ObjectScores scores = scores_of(row(Labels(8, 7)), row({1, 1, 1, 1, 2, 2, 2, 2}));
  QCOMPARE(scores.merged, 1);
  QCOMPARE(scores.split, 0);
  QCOMPARE(scores.matched, 0);
  QCOMPARE(scores.missed(), 2);
  QCOMPARE(scores.spurious(), 1);
  QCOMPARE(scores.f1(), 0.0);
}

void TestObjectScores::half_of_an_object_is_not_enough() {
  const Labels whole{7, 7, 7, 7, 0};
  const Labels half{1, 1, 0, 2, 2};
  QCOMPARE(scores_of(row(half), row(whole)).split, 0);
  QCOMPARE(scores_of(row(whole), row(half)).merged, 0);
  const Labels most{1, 1, 2, 2, 2};
  QCOMPARE(scores_of(row(most), row(whole)).split, 1);
  QCOMPARE(scores_of(row(whole), row(most)).merged, 1);
}

void TestObjectScores::the_iou_must_exceed_the_limit() {
  const LabelMap two_of_four = row({1, 1, 0, 0});
  const LabelMap four = row({1, 1, 1, 1});
  QCOMPARE(scores_of(two_of_four, four, {1, 2}).matched, 0);
  QCOMPARE(scores_of(two_of_four, four, {1, 2}).matched_by_iou[0], 0);
  QCOMPARE(scores_of(two_of_four, four, {49, 100}).matched, 1);
  QCOMPARE(scores_of(two_of_four, four, {499'999'999, 1'000'000'000}).matched, 1);
  // 11 of 20 is 0.55, which is no binary fraction.
  Labels eleven(20, 0);
  std::fill_n(eleven.begin(), 11, 3);
  const ObjectScores scores = scores_of(row(eleven), row(Labels(20, 5)), {55, 100});
  QCOMPARE(scores.matched, 0);
  QCOMPARE(scores.matched_by_iou, (std::array<std::int64_t, 10>{1}));
  QCOMPARE(scores.f1_mean(), 0.1);
  QCOMPARE(scores.f1_by_iou()[0], 1.0);
  QCOMPARE(scores.f1_by_iou()[1], 0.0);
}

void TestObjectScores::one_voxel_decides_among_ten_billion() {
  constexpr std::int64_t kMany = 10'000'000'000;
  QVERIFY(exceeds({kMany - 1, kMany}, {kMany - 2, kMany - 1}));
  QVERIFY(!exceeds({kMany - 2, kMany - 1}, {kMany - 1, kMany}));
  QVERIFY(!exceeds({kMany, 2 * kMany}, {1, 2}));
  QVERIFY(exceeds({kMany + 1, 2 * kMany}, {1, 2}));
  // Products modulo 2^64 have the opposite order.
  QVERIFY(exceeds({kMany, kMany}, {8'200'000'000, kMany}));
}

void TestObjectScores::below_half_as_many_pairs_as_possible() {
  // 1 and 7 have the largest IoU, but without them there are two pairs: 1 and 8, 2 and 7.
  const LabelMap result = row({1, 1, 1, 1, 2, 2, 2});
  const LabelMap reference = row({8, 7, 7, 7, 7, 7, 7});
  QCOMPARE(scores_of(result, reference, {1, 5}).matched, 2);
  // Three in a ring of six exchanges.
  const LabelMap chain = row({1, 1, 2, 2, 3, 3, 4, 4});
  const LabelMap shifted = row({0, 1, 1, 2, 2, 3, 3, 4});
  QCOMPARE(scores_of(chain, shifted, {3, 10}).matched, 4);
  QCOMPARE(scores_of(chain, shifted, {1, 3}).matched, 1);
}

void TestObjectScores::aji_takes_the_smallest_label_of_equals() {
  // Both have IoU 1 / 3 with the reference: 1 of 3 voxels, and 2 of 6.
  const LabelMap reference = row({5, 5, 5, 0, 0, 0});
  const ObjectScores small_first = scores_of(row({1, 2, 2, 2, 2, 2}), reference);
  QCOMPARE(small_first.aji_both, 1);
  QCOMPARE(small_first.aji_either, 3 + 5);
  const ObjectScores large_first = scores_of(row({2, 1, 1, 1, 1, 1}), reference);
  QCOMPARE(large_first.aji_both, 2);
  QCOMPARE(large_first.aji_either, 6 + 1);
}

void TestObjectScores::aji_counts_an_object_as_often_as_it_is_taken() {
  const ObjectScores scores = scores_of(row({1, 1, 1, 1, 0, 0, 3}), row({1, 1, 2, 2, 4, 4, 0}));
  QCOMPARE(scores.aji_both, 2 + 2);
  // Twice the union with 1, the missed 4, the spurious 3.
  QCOMPARE(scores.aji_either, 4 + 4 + 2 + 1);
}

void TestObjectScores::pq_keeps_its_own_limit() {
  const LabelMap result = row({1, 1, 1, 0, 2});
  const LabelMap reference = row({1, 1, 1, 1, 2});
  for (const Fraction& limit : {Fraction{1, 4}, Fraction{1, 2}, Fraction{9, 10}})
    QCOMPARE(scores_of(result, reference, limit).pq(), 2.0 * 1.75 / 4);
  QCOMPARE(scores_of(result, reference, {9, 10}).matched, 1);
}

void TestObjectScores::without_objects_ratios_are_undefined() {
  const LabelMap none = row({0, 0, 0});
  const LabelMap one = row({0, 4, 4});
  const ObjectScores neither = scores_of(none, none);
  for (const auto& ratio :
       {neither.precision(), neither.recall(), neither.f1(), neither.pq(), neither.aji(),
        neither.f1_mean(), neither.f1_by_iou()[9], neither.foreground.dice()})
    QVERIFY(!ratio);
  const ObjectScores missed = scores_of(none, one);
  QVERIFY(!missed.precision());
  QCOMPARE(missed.missed(), 1);
  const ObjectScores spurious = scores_of(one, none);
  QVERIFY(!spurious.recall());
  QCOMPARE(spurious.spurious(), 1);
  for (const auto& ratio :
       {missed.recall(), missed.f1(), missed.pq(), missed.aji(), missed.f1_mean(),
        spurious.precision(), spurious.f1(), spurious.pq(), spurious.aji(), spurious.f1_mean()})
    QCOMPARE(ratio, 0.0);
  const LabelMap empty = row({});
  QCOMPARE(scores_of(empty, empty).found, 0);
}

void TestObjectScores::the_foreground_is_that_of_all_objects() {
  const LabelMap result = row({1, 1, 2, 0, 3});
  const LabelMap reference = row({9, 8, 0, 0, 7});
  const Overlap scored = scores_of(result, reference).foreground;
  const Overlap expected = foreground_overlap(result, reference);
  QCOMPARE(scored.result, expected.result);
  QCOMPARE(scored.reference, expected.reference);
  QCOMPARE(scored.both, expected.both);
  QCOMPARE(scored.total, expected.total);
}

void TestObjectScores::refuses_maps_of_other_sizes() {
  QVERIFY_EXCEPTION_THROWN((void)scores_of(row({1}), row({1, 1})), InputError);
}

void TestObjectScores::ends_when_stopped() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  const LabelMap map = row(Labels(1000, 1));
  QVERIFY_EXCEPTION_THROWN((void)object_scores(map, map, {1, 2}, context), Cancelled);
}

QTEST_GUILESS_MAIN(TestObjectScores)
#include "test_object_scores.moc"
