// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/image/label_counts.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

namespace seedwave {
namespace {

/// Returns the labels in each type that holds them.
std::vector<LabelMap> in_every_type(const Geometry& grid, const std::vector<Label>& labels) {
  const Label most = *std::max_element(labels.begin(), labels.end());
  std::vector<LabelMap> maps{LabelMap(grid, labels)};
  if (most <= 65535)
    maps.push_back(LabelMap(grid, std::vector<std::uint16_t>(labels.begin(), labels.end())));
  if (most <= 255)
    maps.push_back(LabelMap(grid, std::vector<std::uint8_t>(labels.begin(), labels.end())));
  return maps;
}

}  // namespace

class TestLabelMap : public QObject {
  Q_OBJECT

 private slots:
  void changed_box_is_empty_between_equal_maps() {
    const LabelMap map = random_map({7, 5, 3}, 1);
    QVERIFY(changed_box(map, map).empty());
  }

  /// In release builds too: the owner of a label map may index it by its grid.
  void refuses_labels_of_another_number() {
    Geometry geometry;
    geometry.size = {3, 2, 1};
    QVERIFY_EXCEPTION_THROWN(LabelMap(geometry, std::vector<std::uint16_t>(5)), Fault);
    QVERIFY_EXCEPTION_THROWN(Volume(geometry, std::vector<float>(7)), Fault);
    QVERIFY_EXCEPTION_THROWN(Volume(geometry, std::vector<std::uint8_t>(6), 3), Fault);
    const Volume bytes(geometry, std::vector<std::uint8_t>(6));
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(bytes.voxels<float>()), Fault);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(bytes.value_at({3, 0, 0})), Fault);
    const LabelMap six(geometry, std::vector<std::uint16_t>(6));
    geometry.size = {2, 3, 1};
    const LabelMap turned(geometry, std::vector<std::uint16_t>(6));
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(changed_box(six, turned)), InputError);
  }

  void changed_box_is_the_smallest_that_holds_every_difference() {
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
      const Index3 size{1 + static_cast<std::int64_t>(random() % 9),
                        1 + static_cast<std::int64_t>(random() % 9),
                        1 + static_cast<std::int64_t>(random() % 9)};
      const LabelMap before = random_map(size, static_cast<unsigned>(random()));
      std::vector<std::uint16_t> labels(before.labels().begin(), before.labels().end());
      Index3 lo = size;
      Index3 hi{0, 0, 0};
      for (auto n = random() % 4; n > 0; --n) {
        const auto offset = static_cast<std::int64_t>(random() % labels.size());
        labels[static_cast<std::size_t>(offset)] = 9;  // random_map gives 0..2
        const Index3 index = before.geometry().index_of(offset);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          lo[axis] = std::min(lo[axis], index[axis]);
          hi[axis] = std::max(hi[axis], index[axis] + 1);
        }
      }
      const Box box = changed_box(before, LabelMap(before.geometry(), labels));
      if (hi == Index3{0, 0, 0}) {
        QVERIFY(box.empty());
      } else {
        QCOMPARE(box, (Box{lo, hi}));
      }
    }
  }

  void counts_labels_in_runs_of_any_length() {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
      const Index3 size{1 + static_cast<std::int64_t>(random() % 5000), 1, 1};
      const unsigned kinds = 1 + static_cast<unsigned>(random()) % 12;
      const unsigned longest = 1 + static_cast<unsigned>(random()) % 400;
      constexpr std::array<Label, 4> kLargest{255, 65535, 1000000, 4294967295};
      const Label largest = kLargest[static_cast<std::size_t>(round) % kLargest.size()];
      std::vector<Label> labels;
      std::map<Label, std::int64_t> expected;
      while (labels.size() < static_cast<std::size_t>(size[0])) {
        const auto label = random() % 5 == 0 ? largest : static_cast<Label>(random() % kinds);
        for (auto n = 1 + random() % longest; n > 0 && std::ssize(labels) < size[0]; --n) {
          labels.push_back(label);
          if (label != 0) ++expected[label];
        }
      }
      const LabelCounts counts({expected.begin(), expected.end()});
      for (const LabelMap& map : in_every_type(Geometry{.size = size}, labels)) {
        QVERIFY(count_labels(map) == counts);
        QCOMPARE(largest_label(map.labels()), counts.largest());
        for (const auto& [label, count] : expected)
          QCOMPARE(counts.of(label), count);
        QCOMPARE(counts.of(kinds + 7), 0);
      }
    }
  }

  void a_digest_does_not_depend_on_the_stored_type() {
    const Geometry grid{.size = {40000, 1, 1}};
    std::mt19937 random(12);
    for (const Label largest : {Label{255}, Label{65535}, Label{65536}, Label{4294967295}}) {
      std::vector<Label> labels(40000);
      for (Label& label : labels)
        label = static_cast<Label>(random()) % 3;
      labels[31234] = largest;
      const std::vector<std::uint16_t> narrow(labels.begin(), labels.end());
      const std::string expected = largest > 65535 ? xxh64_digest_of(std::span<const Label>(labels))
                                                   : xxh64_digest_of(std::span(narrow));
      for (const LabelMap& map : in_every_type(grid, labels)) {
        QCOMPARE(digest_of(map.labels()), expected);
        QVERIFY(map.labels() == LabelMap(grid, labels).labels());
      }
    }
  }

  void with_changed_shares_the_labels() {
    const LabelMap map = random_map({4, 4, 4}, 3);
    const LabelMap same = map.with_changed({{1, 1, 1}, {2, 2, 2}});
    QCOMPARE(same.owner(), map.owner());
    QCOMPARE(same.changed(), (Box{{1, 1, 1}, {2, 2, 2}}));
    QCOMPARE(map.changed(), Box::whole(map.geometry()));
  }

  void a_mask_has_label_1_inside_and_labels_stay_data() {
    QTest::addColumn<QList<int>>("labels");
    QTest::addColumn<QList<int>>("expected");
    const auto row = [](const char* name, const QList<int>& labels, const QList<int>& expected) {
      QTest::newRow(name) << labels << expected;
    };
    row("mask of 8 bits", {0, 255, 255, 0}, {0, 1, 1, 0});
    row("mask of 16 bits", {65535, 0, 0, 0}, {1, 0, 0, 0});
    row("all inside", {255, 255, 255, 255}, {1, 1, 1, 1});
    row("a label and a mark", {0, 1, 255, 0}, {0, 1, 255, 0});
    row("two marks", {255, 65535, 0, 0}, {255, 65535, 0, 0});
    row("one label of many", {0, 7, 7, 0}, {0, 7, 7, 0});
    row("nothing", {0, 0, 0, 0}, {0, 0, 0, 0});
  }

  void a_mask_has_label_1_inside_and_labels_stay() {
    QFETCH(QList<int>, labels);
    QFETCH(QList<int>, expected);
    Geometry geometry;
    geometry.size = {2, 2, 1};
    const LabelMap map(geometry, std::vector<std::uint16_t>(labels.begin(), labels.end()));
    const LabelMap made = mask_as_label_1(map);
    for (int i = 0; i < 4; ++i)
      QCOMPARE(static_cast<int>(made.labels()[static_cast<std::size_t>(i)]), expected[i]);
    QCOMPARE(made.owner() == map.owner(), labels == expected);
  }

 private:
  static LabelMap random_map(const Index3& size, unsigned seed) {
    Geometry geometry;
    geometry.size = size;
    std::mt19937 random(seed);
    std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
    for (auto& label : labels)
      label = static_cast<std::uint16_t>(random() % 3);
    return {geometry, std::move(labels)};
  }
};

}  // namespace seedwave

QTEST_GUILESS_MAIN(seedwave::TestLabelMap)
#include "test_label_map.moc"
