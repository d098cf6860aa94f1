// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/metrics/overlap.h"
#include "tests/core/metrics/metric_pairs.h"

#include <QTest>

#include <array>
#include <cmath>
#include <random>

using namespace seedwave;

namespace {

bool near(const std::optional<double>& number, double expected) {
  return number && std::abs(*number - expected) < 1e-12;
}

/// Returns labels in pieces, some beyond the range of the small table, on an odd grid. They are
/// stored as u8, u16 or u32.
LabelMap random_labels(const Geometry& geometry, std::uint32_t seed) {
  constexpr std::array<Label, 3> kLargest{255, 65534, 4294967295};
  const Label largest = kLargest[seed % kLargest.size()];
  const std::array<Label, 6> kLabels{0, 1, 2, 31, 32, largest};
  std::mt19937 random(seed);
  return make_labels(geometry, largest, [&]<typename T>(std::vector<T>& labels) {
    for (auto at = labels.begin(); at != labels.end();) {
      const auto length = std::min<std::ptrdiff_t>(labels.end() - at, 1 + random() % 23);
      at = std::fill_n(at, length, static_cast<T>(kLabels[random() % kLabels.size()]));
    }
  });
}

std::map<Label, Overlap> by_definition(const LabelMap& result, const LabelMap& reference) {
  std::map<Label, Overlap> counts;
  for (std::size_t i = 0; i < result.labels().size(); ++i) {
    const Label a = result.labels()[i];
    const Label b = reference.labels()[i];
    if (a != 0) ++counts[a].result;
    if (b != 0) ++counts[b].reference;
    if (a != 0 && a == b) ++counts[a].both;
  }
  return counts;
}

bool equal(const std::map<Label, Overlap>& a, const std::map<Label, Overlap>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.result == y.second.result &&
           x.second.reference == y.second.reference && x.second.both == y.second.both;
  });
}

Geometry grid(const Index3& size) {
  Geometry geometry;
  geometry.size = size;
  return geometry;
}

}  // namespace

class TestOverlap : public QObject {
  Q_OBJECT
 private slots:
  void refuses_maps_of_other_sizes() {
    const LabelMap wide = random_labels(grid({4, 2, 1}), 1);
    const LabelMap high = random_labels(grid({2, 4, 1}), 1);
    Context context;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(foreground_overlap(wide, high)), InputError);
    QVERIFY_EXCEPTION_THROWN(OverlapCounts(wide, high, context), InputError);
    OverlapCounts counts(wide, wide, context);
    QVERIFY_EXCEPTION_THROWN(counts.replace(wide, high, wide, {}), InputError);
    QVERIFY_EXCEPTION_THROWN(counts.replace(wide, wide, high, {}), InputError);
  }

  void the_foreground_is_that_of_the_labels_as_one() {
    const LabelMap a = random_labels(grid({37, 11, 5}), 5);
    const LabelMap b = random_labels(grid({37, 11, 5}), 6);
    const auto as_one = [](const LabelMap& map) {
      std::vector<std::uint16_t> labels;
      for (const Label label : map.labels())
        labels.push_back(label != 0 ? 1 : 0);
      return LabelMap(map.geometry(), std::move(labels));
    };
    const Overlap expected = by_definition(as_one(a), as_one(b)).at(1);
    const Overlap found = foreground_overlap(a, b);
    QCOMPARE(found.result, expected.result);
    QCOMPARE(found.reference, expected.reference);
    QCOMPARE(found.both, expected.both);
    QCOMPARE(found.total, a.geometry().voxel_count());
    QVERIFY(*found.dice() > 0.5 && *found.dice() < 1.0);
    const LabelMap none(grid({3, 1, 1}), std::vector<std::uint8_t>{0, 0, 0});
    QVERIFY(!foreground_overlap(none, none).dice());
  }

  void agrees_with_other_libraries_data();
  void agrees_with_other_libraries();
  void counts_as_defined_data();
  void counts_as_defined();
  void counts_ragged_labels_as_defined();
  void stays_right_while_a_box_changes();
  void is_undefined_where_the_field_says_so();
};

void TestOverlap::agrees_with_other_libraries_data() {
  QTest::addColumn<int>("pair");
  const auto pairs = test::metric_pairs();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    QTest::newRow(pairs[i].name.c_str()) << static_cast<int>(i);
}

void TestOverlap::agrees_with_other_libraries() {
  QFETCH(int, pair);
  const test::MetricPair expected = test::metric_pairs()[pair];
  Context context;
  const Overlap overlap =
      OverlapCounts(expected.result, expected.reference, context).labels().at(1);
  QVERIFY(near(overlap.dice(), expected.dice));
  QVERIFY(near(overlap.jaccard(), expected.jaccard));
  QVERIFY(near(overlap.sensitivity(), expected.sensitivity));
  QVERIFY(near(overlap.precision(), expected.precision));
  QVERIFY(near(overlap.false_positive_rate(), expected.false_positive_rate));
  QVERIFY(near(overlap.volume_difference_signed(), expected.volume_difference_signed));
  QVERIFY(near(overlap.volume_similarity(), 1 - std::abs(expected.volume_difference_signed) / 2));
}

void TestOverlap::counts_as_defined_data() {
  QTest::addColumn<QVector<int>>("size");
  QTest::addColumn<int>("threads");
  for (const int threads : {1, 3}) {
    for (const QVector<int>& size :
         {QVector<int>{1, 1, 1}, {3, 1, 1}, {33, 17, 5}, {257, 129, 31}}) {
      QTest::addRow("%dx%dx%d, %d threads", size[0], size[1], size[2], threads) << size << threads;
    }
  }
}

void TestOverlap::counts_as_defined() {
  QFETCH(QVector<int>, size);
  QFETCH(int, threads);
  const Geometry geometry = grid({size[0], size[1], size[2]});
  const LabelMap result = random_labels(geometry, 1);
  const LabelMap reference = random_labels(geometry, 2);
  Context context(Context::Settings{.threads = threads});
  const OverlapCounts counts(result, reference, context);
  QVERIFY(equal(counts.labels(), by_definition(result, reference)));
  for (const auto& [label, overlap] : counts.labels())
    QCOMPARE(overlap.total, geometry.voxel_count());
}

void TestOverlap::counts_ragged_labels_as_defined() {
  // Stretches in which every voxel is drawn from one to six labels. They cover counting by vector
  // comparison, the scalar loop, and the change between them.
  constexpr std::array<std::uint16_t, 6> kLabels{3, 0, 1, 63, 64, 65535};
  const Geometry geometry = grid({211, 67, 13});
  std::mt19937 random(6);
  const auto ragged = [&] {
    std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
    std::size_t kinds = 1;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (i % 3001 == 0) kinds = 1 + random() % kLabels.size();
      labels[i] = kLabels[random() % kinds];
    }
    return LabelMap(geometry, std::move(labels));
  };
  const LabelMap result = ragged();
  const LabelMap reference = ragged();
  for (const int threads : {1, 3}) {
    Context context(Context::Settings{.threads = threads});
    const OverlapCounts counts(result, reference, context);
    QVERIFY(equal(counts.labels(), by_definition(result, reference)));
  }
}

void TestOverlap::stays_right_while_a_box_changes() {
  const Geometry geometry = grid({33, 17, 5});
  const LabelMap reference = random_labels(geometry, 3);
  LabelMap result = random_labels(geometry, 4);
  Context context;
  OverlapCounts counts(result, reference, context);
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    Box box;
    box.include({static_cast<int>(random() % 33), static_cast<int>(random() % 17),
                 static_cast<int>(random() % 5)});
    box.include({static_cast<int>(random() % 33), static_cast<int>(random() % 17),
                 static_cast<int>(random() % 5)});
    std::vector<std::uint16_t> labels(result.labels().begin(), result.labels().end());
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      const Index3 at = geometry.index_of(i);
      const bool inside = at[0] >= box.lo[0] && at[0] < box.hi[0] && at[1] >= box.lo[1] &&
                          at[1] < box.hi[1] && at[2] >= box.lo[2] && at[2] < box.hi[2];
      // Label 1 finally disappears, and must then no longer be listed.
      if (inside) labels[i] = static_cast<std::uint16_t>(random() % 3 == 0 ? 2 : 0);
    }
    const LabelMap after(geometry, std::move(labels), box);
    counts.replace(result, after, reference, box);
    result = after;
    QVERIFY(equal(counts.labels(), by_definition(result, reference)));
  }
}

void TestOverlap::is_undefined_where_the_field_says_so() {
  const Geometry geometry = grid({4, 1, 1});
  Context context;
  // Neither has a label: undefined. MedPy would give 1, surface-distance NaN.
  const LabelMap empty(geometry, std::vector<std::uint8_t>{0, 0, 0, 0});
  QVERIFY(OverlapCounts(empty, empty, context).labels().empty());
  QVERIFY(!Overlap{}.dice());
  QVERIFY(!Overlap{}.jaccard());
  // The reference lacks the label: it is not scored, and values that need the reference are
  // undefined.
  const LabelMap some(geometry, std::vector<std::uint8_t>{0, 7, 7, 0});
  const Overlap only_result = OverlapCounts(some, empty, context).labels().at(7);
  QVERIFY(!only_result.dice());
  QVERIFY(!only_result.jaccard());
  QCOMPARE(*only_result.precision(), 0.0);
  QVERIFY(!only_result.sensitivity());
  QVERIFY(OverlapCounts(some, empty, context).dice().empty());
  // The result lacks it: all of it was missed.
  const Overlap only_reference = OverlapCounts(empty, some, context).labels().at(7);
  QCOMPARE(*only_reference.dice(), 0.0);
  QCOMPARE(*only_reference.jaccard(), 0.0);
  QVERIFY(!only_reference.precision());
  QCOMPARE(OverlapCounts(empty, some, context).dice().at(7), 0.0);
}

QTEST_GUILESS_MAIN(TestOverlap)
#include "test_overlap.moc"
