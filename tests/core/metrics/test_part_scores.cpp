// SPDX-License-Identifier: Apache-2.0
// Scores of connected parts by label against their definitions, written as sets of voxels.
#include "core/base/error.h"
#include "core/metrics/part_scores.h"
#include "tests/core/metrics/object_definitions.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <stop_token>
#include <vector>

using namespace seedwave;

namespace {

PartScores scores_of(const LabelMap& result, const LabelMap& reference,
                     const Fraction& limit = {1, 2}, Connectivity connectivity = Connectivity::C4,
                     int threads = 1) {
  Context context(Context::Settings{.threads = threads});
  return part_scores(result, reference, limit, connectivity, context);
}

LabelMap row(std::vector<std::uint8_t> labels) {
  Geometry geometry;
  geometry.size = {std::ssize(labels), 1, 1};
  return {geometry, std::move(labels)};
}

/// Returns whether two voxels are neighbours: how far apart they may be along all axes together
/// follows from the connectivity.
bool are_neighbours(const Index3& a, const Index3& b, Connectivity connectivity) {
  std::int64_t sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t apart = std::abs(a[axis] - b[axis]);
    if (apart > 1) return false;
    sum += apart;
  }
  switch (connectivity) {
    case Connectivity::C4:
    case Connectivity::C6:
      return sum <= 1;
    case Connectivity::C8:
    case Connectivity::C18:
      return sum <= 2;
    case Connectivity::C26:
      return true;
  }
  return false;
}

/// Returns the connected parts of a label in raster order of their first voxels: sets that grow by
/// one voxel after the other.
test::ObjectSets parts_of(const LabelMap& map, Label label, Connectivity connectivity) {
  test::ObjectSets parts;
  test::Voxels left;
  for (std::size_t i = 0; i < map.labels().size(); ++i) {
    if (map.labels()[i] == label) left.insert(i);
  }
  const auto at = [&](std::size_t voxel) {
    return map.geometry().index_of(static_cast<std::int64_t>(voxel));
  };
  while (!left.empty()) {
    std::vector<std::size_t> part{*left.begin()};
    left.erase(left.begin());
    for (std::size_t k = 0; k < part.size(); ++k) {
      std::erase_if(left, [&](std::size_t voxel) {
        const bool joins = are_neighbours(at(part[k]), at(voxel), connectivity);
        if (joins) part.push_back(voxel);
        return joins;
      });
    }
    parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

/// Returns up to eight boxes of labels 1 to 3, each hiding what it covers.
LabelMap random_boxes(test::RandomNumbers& random, const Geometry& geometry) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t count = random.below(9); count > 0; --count) {
    const auto label = static_cast<std::uint8_t>(random.below(4));
    Index3 begin;
    Index3 end;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      begin[axis] = random.below(geometry.size[axis]);
      end[axis] = std::min(geometry.size[axis], begin[axis] + 1 + random.below(4));
    }
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      const Index3 at = geometry.index_of(i);
      bool is_inside = true;
      for (std::size_t axis = 0; axis < 3; ++axis)
        is_inside &= at[axis] >= begin[axis] && at[axis] < end[axis];
      if (is_inside) labels[static_cast<std::size_t>(i)] = label;
    }
  }
  return {geometry, std::move(labels)};
}

/// Returns the map with a few voxels changed.
LabelMap disturbed(test::RandomNumbers& random, const LabelMap& map) {
  std::vector<std::uint8_t> labels(map.labels().size());
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<std::uint8_t>(map.labels()[i]);
  for (std::int64_t count = random.below(9); count > 0; --count)
    labels[static_cast<std::size_t>(random.below(std::ssize(labels)))] =
        static_cast<std::uint8_t>(random.below(4));
  return {map.geometry(), std::move(labels)};
}

}  // namespace

class TestPartScores : public QObject {
  Q_OBJECT
 private slots:
  void are_as_defined_data();
  void are_as_defined();
  void objects_are_scored_by_label();
  void threads_change_nothing();
  void parts_of_other_labels_do_not_match();
  void corners_connect_or_not();
  void pooled_scores_are_sums();
  void the_mean_is_over_labels_of_the_reference();
  void empty_maps_have_no_label();
  void refuses_maps_of_other_sizes();
  void ends_when_stopped();
};

void TestPartScores::are_as_defined_data() {
  QTest::addColumn<int>("width");
  QTest::addColumn<int>("height");
  QTest::addColumn<int>("depth");
  QTest::addColumn<int>("neighbours");
  QTest::newRow("9 x 7, 4") << 9 << 7 << 1 << 4;
  QTest::newRow("9 x 7, 8") << 9 << 7 << 1 << 8;
  QTest::newRow("5 x 4 x 4, 6") << 5 << 4 << 4 << 6;
  QTest::newRow("5 x 4 x 4, 18") << 5 << 4 << 4 << 18;
  QTest::newRow("5 x 4 x 4, 26") << 5 << 4 << 4 << 26;
}

void TestPartScores::are_as_defined() {
  QFETCH(int, width);
  QFETCH(int, height);
  QFETCH(int, depth);
  QFETCH(int, neighbours);
  constexpr std::array<Fraction, 4> kLimits{{{1, 2}, {1, 10}, {1, 3}, {3, 4}}};
  const auto connectivity = static_cast<Connectivity>(neighbours);
  Geometry geometry;
  geometry.size = {width, height, depth};
  test::RandomNumbers random(static_cast<std::uint64_t>(neighbours));
  std::int64_t matched = 0;
  for (int round = 0; round < 400; ++round) {
    const LabelMap reference = random_boxes(random, geometry);
    const LabelMap result =
        round % 2 == 0 ? random_boxes(random, geometry) : disturbed(random, reference);
    const Fraction limit = random.of(kLimits);
    const PartScores scores = scores_of(result, reference, limit, connectivity);
    for (Label label = 1; label < 4; ++label) {
      const test::ObjectSets found = parts_of(result, label, connectivity);
      const test::ObjectSets expected = parts_of(reference, label, connectivity);
      const auto one = scores.find(label);
      QCOMPARE(one != scores.end(), !found.empty() || !expected.empty());
      if (one == scores.end()) continue;
      QVERIFY2(test::are_as_defined(one->second, found, expected, limit),
               qPrintable(QString::number(round)));
      matched += one->second.matched;
    }
  }
  QVERIFY(matched > 200);
}

/// Objects that touch, with labels of their own.
void TestPartScores::objects_are_scored_by_label() {
  constexpr std::array<Fraction, 4> kLimits{{{1, 2}, {1, 10}, {1, 3}, {3, 4}}};
  Geometry geometry;
  geometry.size = {8, 6, 1};
  test::RandomNumbers random(21);
  Context context;
  std::int64_t matched = 0;
  for (int round = 0; round < 1000; ++round) {
    const auto objects = [&](const LabelMap& numbers) {
      LabelledObjects all{.numbers = numbers};
      for (int i = 0; i < 3; ++i)  // also of labels without objects, and objects without voxels
        all.labels.push_back(static_cast<Label>(1 + random.below(3)));
      return all;
    };
    const LabelledObjects reference = objects(random_boxes(random, geometry));
    const LabelledObjects result =
        round % 2 == 0 ? objects(random_boxes(random, geometry))
                       : LabelledObjects{.numbers = disturbed(random, reference.numbers),
                                         .labels = reference.labels};
    const Fraction limit = random.of(kLimits);
    const PartScores scores = scores_by_label(result, reference, limit, context);
    for (Label label = 1; label < 4; ++label) {
      const auto of_label = [&](const LabelledObjects& all) {
        test::ObjectSets sets(all.labels.size());
        for (std::size_t i = 0; i < all.numbers.labels().size(); ++i) {
          const Label number = all.numbers.labels()[i];
          if (number != 0 && all.labels[number - 1] == label) sets[number - 1].insert(i);
        }
        std::erase_if(sets, [](const test::Voxels& voxels) { return voxels.empty(); });
        return sets;
      };
      const test::ObjectSets found = of_label(result);
      const test::ObjectSets expected = of_label(reference);
      const auto one = scores.find(label);
      QCOMPARE(one != scores.end(), !found.empty() || !expected.empty());
      if (one == scores.end()) continue;
      QVERIFY2(test::are_as_defined(one->second, found, expected, limit),
               qPrintable(QString::number(round)));
      matched += one->second.matched;
    }
  }
  QVERIFY(matched > 200);
}

void TestPartScores::threads_change_nothing() {
  Geometry geometry;
  geometry.size = {61, 53, 40};
  test::RandomNumbers random(3);
  const auto noise = [&] {
    std::vector<std::uint8_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = static_cast<std::uint8_t>(i % 7 < 3 ? 1 : random.below(4));
    return LabelMap(geometry, std::move(labels));
  };
  const LabelMap result = noise();
  const LabelMap reference = noise();
  const PartScores one = scores_of(result, reference, {1, 5}, Connectivity::C6, 1);
  QCOMPARE(one.size(), std::size_t{3});
  for (const int threads : {2, 5}) {
    const PartScores many = scores_of(result, reference, {1, 5}, Connectivity::C6, threads);
    for (const auto& [label, scores] : one) {
      QCOMPARE(many.at(label).matched_by_iou, scores.matched_by_iou);
      QCOMPARE(many.at(label).matched, scores.matched);
      QVERIFY(many.at(label).iou_sum == scores.iou_sum);
      QCOMPARE(many.at(label).aji_either, scores.aji_either);
    }
  }
}

void TestPartScores::parts_of_other_labels_do_not_match() {
  // The second lesion has the right outline and the wrong kind.
  const PartScores scores =
      scores_of(row({1, 1, 0, 2, 2, 0, 0}), row({1, 1, 0, 1, 1, 0, 2}), {1, 2});
  QCOMPARE(scores.at(1).matched, std::int64_t{1});
  QCOMPARE(scores.at(1).missed(), std::int64_t{1});
  QCOMPARE(scores.at(1).spurious(), std::int64_t{0});
  QCOMPARE(scores.at(2).matched, std::int64_t{0});
  QCOMPARE(scores.at(2).spurious(), std::int64_t{1});
}

void TestPartScores::corners_connect_or_not() {
  Geometry geometry;
  geometry.size = {2, 2, 2};
  const LabelMap map(geometry, std::vector<std::uint8_t>{1, 0, 0, 1, 0, 0, 0, 0});
  QCOMPARE(scores_of(map, map, {1, 2}, Connectivity::C6).at(1).reference, std::int64_t{2});
  QCOMPARE(scores_of(map, map, {1, 2}, Connectivity::C18).at(1).reference, std::int64_t{1});
}

void TestPartScores::pooled_scores_are_sums() {
  const LabelMap result = row({1, 1, 0, 1, 0, 2, 2, 2, 0, 3});
  const LabelMap reference = row({1, 1, 0, 0, 0, 2, 2, 0, 0, 0});
  const ObjectScores all = pooled(scores_of(result, reference));
  QCOMPARE(all.reference, std::int64_t{2});
  QCOMPARE(all.found, std::int64_t{4});
  QCOMPARE(all.matched, std::int64_t{2});
  QCOMPARE(all.f1().value(), 4.0 / 6.0);
  QVERIFY(std::abs(all.pq().value() - (1.0 + 2.0 / 3.0) / 3.0) < 1e-15);
  QCOMPARE(all.aji().value(), (2.0 + 2.0) / (2.0 + 1.0 + 3.0 + 1.0));
  QCOMPARE(all.foreground.result, std::int64_t{7});
  QCOMPARE(all.foreground.both, std::int64_t{4});
  QCOMPARE(all.foreground.total, std::int64_t{10});
  QVERIFY(!pooled({}).f1());
}

void TestPartScores::the_mean_is_over_labels_of_the_reference() {
  // PQ: 1 of label 1, 0 of label 2, which the result lacks; label 3, which the reference lacks,
  // does not count.
  const PartScores scores = scores_of(row({1, 1, 0, 0, 0, 3}), row({1, 1, 0, 2, 0, 0}));
  QCOMPARE(mean_over_labels(scores, &ObjectScores::pq).value(), 0.5);
  QCOMPARE(mean_over_labels(scores, &ObjectScores::recall).value(), 0.5);
  QCOMPARE(mean_over_labels(scores, &ObjectScores::precision).value(), 1.0);
  const PartScores spurious = scores_of(row({0, 3}), row({0, 0}));
  QVERIFY(!mean_over_labels(spurious, &ObjectScores::pq));
}

void TestPartScores::empty_maps_have_no_label() {
  QVERIFY(scores_of(row({0, 0}), row({0, 0})).empty());
}

void TestPartScores::refuses_maps_of_other_sizes() {
  QVERIFY_EXCEPTION_THROWN((void)scores_of(row({1, 0}), row({1, 0, 0})), InputError);
}

void TestPartScores::ends_when_stopped() {
  std::stop_source source;
  source.request_stop();
  Context context(Context::Settings{.stop = source.get_token()});
  QVERIFY_EXCEPTION_THROWN(
      (void)part_scores(row({1, 0}), row({1, 0}), {1, 2}, Connectivity::C4, context), Cancelled);
}

QTEST_APPLESS_MAIN(TestPartScores)
#include "test_part_scores.moc"
