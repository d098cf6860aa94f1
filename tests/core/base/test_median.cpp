// SPDX-License-Identifier: Apache-2.0
#include "core/base/median.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <vector>

using namespace seedwave;

namespace {

double median_of(std::vector<double> values) {
  return median(values);
}

}  // namespace

class TestMedian : public QObject {
  Q_OBJECT
 private slots:
  void is_the_middle_or_the_mean_of_the_two_middle_ones() {
    QCOMPARE(median_of({7}), 7.0);
    QCOMPARE(median_of({4, 1}), 2.5);
    QCOMPARE(median_of({9, -1, 5}), 5.0);
    QCOMPARE(median_of({3, 3, 1, 100}), 3.0);
  }

  void agrees_with_sorting() {
    std::mt19937 random(3);
    for (std::size_t count = 1; count < 40; ++count) {
      std::vector<double> values;
      for (std::size_t i = 0; i < count; ++i)
        values.push_back(static_cast<double>(random() % 20));
      std::vector<double> sorted = values;
      std::sort(sorted.begin(), sorted.end());
      QCOMPARE(median_of(values), (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0);
    }
  }
};

QTEST_GUILESS_MAIN(TestMedian)
#include "test_median.moc"
