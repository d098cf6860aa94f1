// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/engine/sweep/sweep_grid.h"

#include <QTest>

#include <cstdlib>
#include <string>

using namespace seedwave;

namespace {

SweepAxis axis(const std::string& id, int count) {
  SweepAxis made{.parameter = id, .values = {}};
  for (int i = 0; i < count; ++i)
    made.values.emplace_back(10.0 * i);
  return made;
}

}  // namespace

class TestSweepGrid : public QObject {
  Q_OBJECT
 private slots:
  void the_last_parameter_changes_fastest();
  void neighbours_are_one_step_of_one_parameter_away();
  void refuses_no_parameter_the_same_twice_and_too_many_runs();
};

void TestSweepGrid::the_last_parameter_changes_fastest() {
  const SweepGrid grid({axis("a", 2), axis("b", 3)});
  QCOMPARE(grid.size(), std::size_t{6});
  std::string order;
  for (std::size_t run = 0; run < grid.size(); ++run) {
    const Values values = grid.values_of(run);
    order += text_of(values.at("a")) + "," + text_of(values.at("b")) + " ";
    QCOMPARE(grid.run_at(grid.place_of(run)), run);
  }
  QCOMPARE(order, std::string("0,0 0,10 0,20 10,0 10,10 10,20 "));
}

void TestSweepGrid::neighbours_are_one_step_of_one_parameter_away() {
  for (const SweepGrid& grid : {SweepGrid({axis("a", 1)}), SweepGrid({axis("a", 7)}),
                                SweepGrid({axis("a", 4), axis("b", 3)}),
                                SweepGrid({axis("a", 3), axis("b", 1), axis("c", 4)})}) {
    for (std::size_t run = 0; run < grid.size(); ++run) {
      std::vector<std::size_t> expected;
      for (std::size_t other = 0; other < grid.size(); ++other) {
        int apart = 0;
        for (std::size_t i = 0; i < grid.axes().size(); ++i) {
          apart += std::abs(static_cast<int>(grid.place_of(run)[i]) -
                            static_cast<int>(grid.place_of(other)[i]));
        }
        if (apart == 1) expected.push_back(other);
      }
      QCOMPARE(grid.neighbours_of(run), expected);
    }
  }
}

void TestSweepGrid::refuses_no_parameter_the_same_twice_and_too_many_runs() {
  QVERIFY_EXCEPTION_THROWN(SweepGrid(std::vector<SweepAxis>{}), UsageError);
  QVERIFY_EXCEPTION_THROWN(SweepGrid({axis("a", 2), axis("b", 2), axis("a", 3)}), UsageError);
  QCOMPARE(SweepGrid({axis("a", 100), axis("b", 100)}).size(), kMostSweepRuns);
  QVERIFY_EXCEPTION_THROWN(SweepGrid({axis("a", 100), axis("b", 101)}), UsageError);
  std::vector<SweepAxis> overflow;
  for (int i = 0; i < 40; ++i)
    overflow.push_back(axis(std::to_string(i), 10));
  QVERIFY_EXCEPTION_THROWN(SweepGrid(std::move(overflow)), UsageError);
}

QTEST_GUILESS_MAIN(TestSweepGrid)
#include "test_sweep_grid.moc"
