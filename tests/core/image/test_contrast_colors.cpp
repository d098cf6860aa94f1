// SPDX-License-Identifier: Apache-2.0
#include "core/image/contrast_colors.h"

#include <QColor>
#include <QTest>

#include <array>
#include <random>
#include <set>

namespace seedwave {
namespace {

using Color = std::array<int, 3>;

/// Returns two colours with a little noise, half the image each.
Volume picture_of(const Color& one, const Color& two, std::int64_t side) {
  Geometry geometry;
  geometry.size = {side, side, 1};
  geometry.unit = LengthUnit::Pixel;
  std::mt19937 random(5);
  std::vector<std::uint8_t> rgb;
  for (std::int64_t i = 0; i < side * side; ++i) {
    const Color& color = random() % 2 == 0 ? one : two;
    for (const int value : color) {
      const int noisy = value + static_cast<int>(random() % 17) - 8;
      rgb.push_back(static_cast<std::uint8_t>(std::clamp(noisy, 0, 255)));
    }
  }
  return {geometry, std::move(rgb), 3};
}

/// Returns the angle between two hues, in degrees.
int between(int a, int b) {
  const int turn = std::abs(a - b) % 360;
  return std::min(turn, 360 - turn);
}

}  // namespace

class TestContrastColors : public QObject {
  Q_OBJECT

 private slots:
  void colours_lie_away_from_those_of_the_picture_data() {
    QTest::addColumn<QColor>("one");
    QTest::addColumn<QColor>("two");
    QTest::newRow("haematoxylin and eosin") << QColor(96, 64, 148) << QColor(226, 150, 200);
    QTest::newRow("brown stain") << QColor(120, 72, 30) << QColor(190, 150, 110);
    QTest::newRow("leaves") << QColor(40, 120, 40) << QColor(120, 190, 90);
  }

  void colours_lie_away_from_those_of_the_picture() {
    QFETCH(QColor, one);
    QFETCH(QColor, two);
    const Volume picture =
        picture_of({one.red(), one.green(), one.blue()}, {two.red(), two.green(), two.blue()}, 64);
    const std::vector<Rgb> colors = contrast_colors(picture, 12);
    QCOMPARE(colors.size(), std::size_t{12});
    for (const Rgb& rgb : colors) {
      const QColor color(rgb[0], rgb[1], rgb[2]);
      // Another hue, or much lighter than the colours of that hue.
      for (const QColor& there : {one, two}) {
        const bool other_hue = between(color.hsvHue(), there.hsvHue()) >= 30;
        QVERIFY2(other_hue || color.lightness() - there.lightness() >= 50 ||
                     color.hsvSaturation() - there.hsvSaturation() >= 90,
                 qPrintable(color.name()));
      }
    }
    QCOMPARE(std::set<Rgb>(colors.begin(), colors.end()).size(), colors.size());
    QCOMPARE(contrast_colors(picture, 12), colors);
    // The first colours are the same for any number of them.
    const std::vector<Rgb> few = contrast_colors(picture, 4);
    QVERIFY(std::equal(few.begin(), few.end(), colors.begin()));
  }

  void none_of_a_tissues_outlines_is_violet() {
    const std::vector<Rgb> colors =
        contrast_colors(picture_of({96, 64, 148}, {226, 150, 200}, 64), 12);
    for (const Rgb& rgb : colors) {
      const int hue = QColor(rgb[0], rgb[1], rgb[2]).hsvHue();
      QVERIFY2(hue < 230 || hue > 345, qPrintable(QColor(rgb[0], rgb[1], rgb[2]).name()));
    }
  }

  void a_picture_of_one_pixel_has_colours_too() {
    Geometry geometry;
    geometry.size = {1, 1, 1};
    const Volume pixel(geometry, std::vector<std::uint8_t>{96, 64, 148}, 3);
    QCOMPARE(contrast_colors(pixel, 3).size(), std::size_t{3});
  }
};

}  // namespace seedwave

QTEST_APPLESS_MAIN(seedwave::TestContrastColors)
#include "test_contrast_colors.moc"
