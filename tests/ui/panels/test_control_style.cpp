// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/control_style.h"
#include "ui/panels/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

namespace {

/// Returns the relative luminance as defined by the Web Content Accessibility Guidelines 2.1.
double luminance(const QColor& color) {
  const auto linear = [](double part) {
    return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
         0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double one = luminance(a) + 0.05;
  const double two = luminance(b) + 0.05;
  return std::max(one, two) / std::min(one, two);
}

/// Returns the highest contrast with `background` in one row of pixels.
double most_contrast(const QImage& image, int row, const QColor& background) {
  double most = 1.0;
  for (int x = 0; x < image.width(); ++x) {
    most = std::max(most, contrast(image.pixelColor(x, row), background));
  }
  return most;
}

}  // namespace

class TestControlStyle : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QApplication::setStyle(new ControlStyle); }

  void an_empty_box_is_seen_data() { add_themes(); }
  void an_empty_box_is_seen() {
    QFETCH(int, theme);
    apply_theme(static_cast<Theme>(theme));
    QCheckBox box;
    box.resize(40, 24);
    const QColor window = box.palette().color(QPalette::Window);
    QVERIFY(most_contrast(box.grab().toImage(), 12, window) >= 3.0);
  }

  void a_button_that_is_on_differs_and_its_text_can_be_read_data() { add_themes(); }
  void a_button_that_is_on_differs_and_its_text_can_be_read() {
    QFETCH(int, theme);
    apply_theme(static_cast<Theme>(theme));
    QToolButton button;
    button.setCheckable(true);
    button.resize(60, 24);
    const QColor off = button.grab().toImage().pixelColor(8, 12);
    button.setChecked(true);
    const QColor on = button.grab().toImage().pixelColor(8, 12);
    // Another hue, not just another shade of grey.
    QVERIFY(std::abs(on.blue() - on.red()) > 50);
    QVERIFY(std::abs(off.blue() - off.red()) < 20);
    QVERIFY(contrast(on, button.palette().color(QPalette::ButtonText)) >= 4.5);
  }

 private:
  static void add_themes() {
    QTest::addColumn<int>("theme");
    QTest::newRow("light") << static_cast<int>(Theme::Light);
    QTest::newRow("dark") << static_cast<int>(Theme::Dark);
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestControlStyle)
#include "test_control_style.moc"
