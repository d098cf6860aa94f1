// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"

#include <QTest>

#include <map>
#include <random>
#include <vector>

namespace seedwave {

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
      std::vector<std::uint16_t> labels;
      std::map<std::uint16_t, std::int64_t> expected;
      while (labels.size() < static_cast<std::size_t>(size[0])) {
        const auto label = static_cast<std::uint16_t>(random() % 5 == 0 ? 65535 : random() % kinds);
        for (auto n = 1 + random() % longest; n > 0 && std::ssize(labels) < size[0]; --n) {
          labels.push_back(label);
          if (label != 0) ++expected[label];
        }
      }
      QCOMPARE(count_labels(LabelMap(Geometry{.size = size}, std::move(labels))), expected);
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
