// SPDX-License-Identifier: Apache-2.0
#include "ui/tools/wheel_steps.h"

#include <QTest>
#include <QWheelEvent>

using namespace seedwave::ui;

class TestWheelSteps : public QObject {
  Q_OBJECT
 private slots:
  void one_notch_is_one_step();
  void fine_turns_add_up();
  void a_change_of_direction_starts_anew();
  void reads_the_axis_that_turned();
};

namespace {

QWheelEvent turn(int x, int y) {
  return {QPointF(5, 5), QPointF(5, 5),  QPoint(),          QPoint(x, y),
          Qt::NoButton,  Qt::NoModifier, Qt::NoScrollPhase, false};
}

}  // namespace

void TestWheelSteps::one_notch_is_one_step() {
  WheelSteps steps;
  QCOMPARE(steps.add(turn(0, 120)), 1);
  QCOMPARE(steps.add(turn(0, -120)), -1);
  QCOMPARE(steps.add(turn(0, -360)), -3);
}

void TestWheelSteps::fine_turns_add_up() {
  WheelSteps steps;
  int sum = 0;
  for (int i = 0; i < 32; ++i)
    sum += steps.add(turn(0, 15));
  QCOMPARE(sum, 4);
}

void TestWheelSteps::a_change_of_direction_starts_anew() {
  WheelSteps steps;
  QCOMPARE(steps.add(turn(0, 119)), 0);
  QCOMPARE(steps.add(turn(0, -1)), 0);
  QCOMPARE(steps.add(turn(0, -119)), -1);
}

void TestWheelSteps::reads_the_axis_that_turned() {
  // Qt maps Alt+wheel, and macOS Shift+wheel, to the horizontal axis.
  WheelSteps steps;
  QCOMPARE(steps.add(turn(240, 0)), 2);
}

QTEST_GUILESS_MAIN(TestWheelSteps)
#include "test_wheel_steps.moc"
