// SPDX-License-Identifier: Apache-2.0
// Compares the boxes of labels with those found voxel by voxel.
#include "core/parallel/label_boxes.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <map>
#include <vector>

using namespace seedwave;

class TestLabelBoxes : public QObject {
  Q_OBJECT

 private slots:
  void hold_the_voxels_of_each_label() {
    test::RandomNumbers random(1);
    for (int k = 0; k < 200; ++k) {
      Geometry geometry;
      geometry.size = {1 + random.below(150), 1 + random.below(40), 1 + random.below(20)};
      std::vector<std::uint16_t> labels;
      const std::int64_t longest = 1 + random.below(100);
      while (std::ssize(labels) < geometry.voxel_count())
        labels.insert(labels.end(), static_cast<std::size_t>(1 + random.below(longest)),
                      static_cast<std::uint16_t>(random.below(5) * random.below(100)));
      labels.resize(static_cast<std::size_t>(geometry.voxel_count()));
      std::map<Label, Box> expected;
      for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
        if (labels[i] != 0) expected[labels[i]].include(geometry.index_of(i));
      }
      Context context(Context::Settings{.threads = 1 + k % 3});
      QVERIFY(label_boxes(LabelMap(geometry, labels), context) == expected);
    }
  }
};

QTEST_APPLESS_MAIN(TestLabelBoxes)
#include "test_label_boxes.moc"
