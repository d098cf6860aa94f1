// SPDX-License-Identifier: Apache-2.0
#include "ui/tools/window_drag.h"

#include <QTest>

using namespace seedwave;
using namespace seedwave::ui;

class TestWindowDrag : public QObject {
  Q_OBJECT
 private slots:
  void right_is_wider_and_up_is_brighter();
  void the_gain_follows_the_width();
  void shift_is_ten_times_finer();
  void the_width_stays_positive();
  void small_numbers_move_by_small_steps();
};

void TestWindowDrag::right_is_wider_and_up_is_brighter() {
  const GreyWindow window{40, 200};
  const GreyWindow after =
      dragged_window(window, 10, -5, DragGain::Coarse, LevelDrag::UpIsBrighter);
  QCOMPARE(after.width, 210.0);
  // Brighter: the same value is higher in the window.
  QCOMPARE(after.centre, 35.0);
  QCOMPARE(dragged_window(window, 0, -5, DragGain::Coarse, LevelDrag::UpIsDarker).centre, 45.0);
}

void TestWindowDrag::the_gain_follows_the_width() {
  // max(1, width / 200) values per pixel.
  QCOMPARE(dragged_window({0, 2000}, 1, 0, DragGain::Coarse, LevelDrag::UpIsBrighter).width,
           2010.0);
  QCOMPARE(dragged_window({0, 100}, 1, 0, DragGain::Coarse, LevelDrag::UpIsBrighter).width, 101.0);
}

void TestWindowDrag::shift_is_ten_times_finer() {
  QCOMPARE(dragged_window({0, 2000}, 1, 0, DragGain::Fine, LevelDrag::UpIsBrighter).width, 2001.0);
}

void TestWindowDrag::the_width_stays_positive() {
  GreyWindow window{0, 100};
  for (int i = 0; i < 100; ++i)
    window = dragged_window(window, -50, 0, DragGain::Coarse, LevelDrag::UpIsBrighter);
  QVERIFY(window.width > 0);
}

void TestWindowDrag::small_numbers_move_by_small_steps() {
  // A map from 0 to 1 must not change by integers.
  const GreyWindow after =
      dragged_window({0.5, 1.0}, 10, 10, DragGain::Coarse, LevelDrag::UpIsBrighter);
  QVERIFY(std::abs(after.width - 1.05) < 1e-9);
  QVERIFY(std::abs(after.centre - 0.55) < 1e-9);
}

QTEST_GUILESS_MAIN(TestWindowDrag)
#include "test_window_drag.moc"
