// SPDX-License-Identifier: Apache-2.0
#include "core/ops/texture.h"
#include "core/texture/lag_table.h"

#include <QTest>

using namespace seedwave;

namespace {

Values with_step(double step) {
  Values values;
  values.set("angle_step", step);
  values.set("window", 32.0);
  return values;
}

}  // namespace

class TestTexture : public QObject {
  Q_OBJECT
 private slots:
  void a_step_is_a_number_of_directions_data();
  void a_step_is_a_number_of_directions();
  void every_step_gives_directions_that_there_are();
};

void TestTexture::a_step_is_a_number_of_directions_data() {
  QTest::addColumn<double>("step");
  QTest::addColumn<int>("directions");
  QTest::addColumn<double>("used");
  QTest::newRow("the paper's") << 0.125 << 8 << 0.125;
  QTest::newRow("one") << 1.0 << 1 << 1.0;
  QTest::newRow("all") << 1.0 / 256 << 256 << 1.0 / 256;
  QTest::newRow("rounded up") << 0.3 << 3 << 1.0 / 3;
  QTest::newRow("rounded down") << 0.7 << 1 << 1.0;
}

void TestTexture::a_step_is_a_number_of_directions() {
  QFETCH(double, step);
  QFETCH(int, directions);
  QFETCH(double, used);
  QCOMPARE(directions_of(with_step(step)), directions);
  const Values values = with_step_used(with_step(step));
  QCOMPARE(values.number("angle_step"), used);
  QCOMPARE(window_of(values), 32);
}

void TestTexture::every_step_gives_directions_that_there_are() {
  const NumberDomain steps = *angle_step_parameter().numbers();
  for (std::int64_t n = 1; n <= kMostLagDirections; ++n) {
    const double step = 1.0 / static_cast<double>(n);
    QVERIFY(step >= steps.low && step <= steps.high);
    QCOMPARE(directions_of(with_step(step)), n);
  }
}

QTEST_GUILESS_MAIN(TestTexture)
#include "test_texture.moc"
