// SPDX-License-Identifier: Apache-2.0
#include "core/texture/tpcf.h"
#include "tests/support/counted_memory.h"

#include <QTest>

#include <vector>

using namespace seedwave;

class TestTpcfMemory : public QObject {
  Q_OBJECT
 private slots:
  void a_wider_picture_takes_no_more();
  void the_most_phases_in_the_widest_windows_take_what_is_said();
};

namespace {

/// Measures an image of one phase; the sink keeps nothing.
std::int64_t most_bytes(std::int64_t width, std::int64_t height, TpcfProblem problem) {
  Geometry geometry;
  geometry.size = {width, height, 1};
  problem.phases =
      LabelMap(geometry, std::vector<std::uint16_t>(static_cast<std::size_t>(width * height), 1));
  Context context(Context::Settings{.threads = 1});
  const test::CountedMemory memory;
  tpcf(
      problem, [](const FeatureStrip&) {}, context);
  return memory.most();
}

}  // namespace

void TestTpcfMemory::a_wider_picture_takes_no_more() {
  const TpcfProblem problem{.count = 2, .window = 64, .directions = 2};
  const std::int64_t narrow = most_bytes(2000, 130, problem);
  const std::int64_t wide = most_bytes(16000, 130, problem);
  QVERIFY2(narrow < 3'000'000, qPrintable(QString::number(narrow)));
  QVERIFY2(wide < 3'000'000, qPrintable(QString::number(wide)));
}

void TestTpcfMemory::the_most_phases_in_the_widest_windows_take_what_is_said() {
  const std::int64_t most =
      most_bytes(1400, 258, {.count = kMostPhases, .window = kLargestWindow, .directions = 2});
  QVERIFY2(most < 64'000'000, qPrintable(QString::number(most)));
}

QTEST_GUILESS_MAIN(TestTpcfMemory)
#include "test_tpcf_memory.moc"
