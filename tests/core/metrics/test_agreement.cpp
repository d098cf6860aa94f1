// SPDX-License-Identifier: Apache-2.0
// Agreement of labels and of objects against their definitions, written as sets of voxels.
#include "core/base/error.h"
#include "core/metrics/agreement.h"
#include "core/metrics/object_scores.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using Labels = std::vector<Label>;
using Voxels = std::set<std::size_t>;

LabelMap map_of(Labels labels) {
  Geometry geometry;
  geometry.size = {std::ssize(labels), 1, 1};
  return {geometry, std::move(labels)};
}

/// Returns runs of random labels, so that objects overlap in many ways.
Labels random_runs(test::RandomNumbers& random, std::int64_t size, std::int64_t labels) {
  Labels made;
  while (std::ssize(made) < size) {
    const auto label = static_cast<Label>(random.below(labels + 1));
    for (std::int64_t i = random.below(6); i >= 0 && std::ssize(made) < size; --i)
      made.push_back(label);
  }
  return made;
}

/// Returns two maps of the same objects with other numbers, some of which each map lacks, and with
/// other borders.
std::pair<Labels, Labels> random_objects(test::RandomNumbers& random) {
  constexpr std::int64_t kObjects = 8;
  const Labels all = random_runs(random, 50, kObjects);
  std::set<Label> not_in_a;
  std::set<Label> not_in_b;
  for (Label label = 1; label <= kObjects; ++label) {
    if (random.below(4) == 0) not_in_a.insert(label);
    if (random.below(4) == 0) not_in_b.insert(label);
  }
  const std::int64_t noise = 3 + random.below(20);
  Labels a = all;
  Labels b = all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    a[i] = not_in_a.contains(all[i]) ? 0 : all[i];
    b[i] = not_in_b.contains(all[i]) || all[i] == 0 ? 0 : 20 - all[i];
    if (random.below(noise) == 0) b[i] = static_cast<Label>(random.below(20));
  }
  return {a, b};
}

std::map<Label, Voxels> objects_of(const Labels& labels) {
  std::map<Label, Voxels> objects;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != 0) objects[labels[i]].insert(i);
  }
  return objects;
}

std::size_t shared(const Voxels& a, const Voxels& b) {
  std::size_t count = 0;
  for (const std::size_t voxel : a)
    count += b.contains(voxel) ? 1 : 0;
  return count;
}

bool match(const Voxels& a, const Voxels& b) {
  const std::size_t both = shared(a, b);
  return 2 * both > a.size() + b.size() - both;
}

bool has_match(const Voxels& object, const std::map<Label, Voxels>& others) {
  return std::ranges::any_of(others,
                             [&](const auto& other) { return match(object, other.second); });
}

/// Returns whether an object shares voxels with one of the others that has no match either.
bool touches_unmatched(const Voxels& object, const std::map<Label, Voxels>& others,
                       const std::map<Label, Voxels>& own) {
  return std::ranges::any_of(others, [&](const auto& other) {
    return shared(object, other.second) > 0 && !has_match(other.second, own);
  });
}

Agreement::Kind kind_of(const Voxels& object, const std::map<Label, Voxels>& others,
                        const std::map<Label, Voxels>& own, Agreement::Kind alone) {
  if (has_match(object, others)) return Agreement::Same;
  return touches_unmatched(object, others, own) ? Agreement::Other : alone;
}

}  // namespace

class TestAgreement : public QObject {
  Q_OBJECT
 private slots:
  void labels_are_counted_by_voxels() {
    test::RandomNumbers random(5);
    for (int round = 0; round < 1000; ++round) {
      const Labels a = random_runs(random, 60, 3);
      const Labels b = random_runs(random, 60, 3);
      const Agreement result = agreement(map_of(a), map_of(b));
      std::map<int, std::int64_t> counts;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const int kind = a[i] == b[i] ? (a[i] == 0 ? 0 : 1) : b[i] == 0 ? 2 : a[i] == 0 ? 3 : 4;
        QCOMPARE(int(result.map.labels()[i]), kind);
        ++counts[kind];
      }
      QCOMPARE(result.same, counts[Agreement::Same]);
      QCOMPARE(result.only_a, counts[Agreement::OnlyA]);
      QCOMPARE(result.only_b, counts[Agreement::OnlyB]);
      QCOMPARE(result.other, counts[Agreement::Other]);
    }
  }

  void objects_have_the_kinds_of_their_definition() {
    test::RandomNumbers random(7);
    std::map<int, int> seen;
    for (int round = 0; round < 2000; ++round) {
      const auto [a, b] = random_objects(random);
      const auto objects_a = objects_of(a);
      const auto objects_b = objects_of(b);
      Context context(Context::Settings{.threads = 1 + round % 3});
      const Agreement result = object_agreement(map_of(a), map_of(b), context);
      std::map<Label, Agreement::Kind> kinds_a;
      std::map<Label, Agreement::Kind> kinds_b;
      std::map<int, std::int64_t> counts;
      for (const auto& [label, object] : objects_a)
        ++counts[kinds_a[label] = kind_of(object, objects_b, objects_a, Agreement::OnlyA)];
      for (const auto& [label, object] : objects_b) {
        kinds_b[label] = kind_of(object, objects_a, objects_b, Agreement::OnlyB);
        if (kinds_b[label] == Agreement::OnlyB) ++counts[Agreement::OnlyB];
      }
      QCOMPARE(result.same, counts[Agreement::Same]);
      QCOMPARE(result.only_a, counts[Agreement::OnlyA]);
      QCOMPARE(result.only_b, counts[Agreement::OnlyB]);
      QCOMPARE(result.other, counts[Agreement::Other]);
      QCOMPARE(result.same, object_scores(map_of(a), map_of(b), {1, 2}, context).matched);
      for (std::size_t i = 0; i < a.size(); ++i) {
        const int of_a = a[i] == 0 ? 0 : kinds_a[a[i]];
        const int of_b = b[i] == 0 ? 0 : kinds_b[b[i]];
        const bool is_matched = of_a == Agreement::Same || of_b == Agreement::Same;
        const int kind = is_matched ? int{Agreement::Same} : of_a != 0 ? of_a : of_b;
        QCOMPARE(int(result.map.labels()[i]), kind);
        ++seen[kind];
      }
    }
    for (int kind = 0; kind <= Agreement::Other; ++kind)
      QVERIFY(seen[kind] > 100);
  }

  void other_sizes_are_refused() {
    Context context;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(agreement(map_of({1, 2}), map_of({1}))), InputError);
    QVERIFY_EXCEPTION_THROWN(
        static_cast<void>(object_agreement(map_of({1, 2}), map_of({1}), context)), InputError);
  }
};

QTEST_GUILESS_MAIN(TestAgreement)
#include "test_agreement.moc"
