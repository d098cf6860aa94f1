// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_numbers.h"
#include "ui/views/profile_colors.h"

#include <QColorSpace>
#include <QImage>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

using namespace seedwave;
using ui::ProfileColors;

namespace {

std::vector<std::uint8_t> bytes_of(const QColorSpace& space) {
  const QByteArray profile = space.iccProfile();
  return {profile.begin(), profile.end()};
}

QImage random_colors(std::uint64_t seed) {
  test::RandomNumbers random(seed);
  QImage image(301, 97, QImage::Format_RGB32);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x)
      image.setPixel(x, y,
                     qRgb(static_cast<int>(random.below(256)), static_cast<int>(random.below(256)),
                          static_cast<int>(random.below(256))));
  }
  return image;
}

}  // namespace

class TestProfileColors : public QObject {
  Q_OBJECT
 private slots:
  /// Qt converts such profiles by code of its own.
  void colors_are_those_that_qt_computes() {
    for (const auto named : {QColorSpace::AdobeRgb, QColorSpace::DisplayP3}) {
      const QColorSpace space(named);
      const auto colors = ProfileColors::from(bytes_of(space));
      QVERIFY(colors != nullptr);
      const QImage before = random_colors(5);
      QImage shown = before;
      const QRect part(7, 3, 280, 90);
      colors->show(part, shown);
      QImage expected = before;
      expected.setColorSpace(space);
      expected.convertToColorSpace(QColorSpace::SRgb);
      for (int y = 0; y < before.height(); ++y) {
        for (int x = 0; x < before.width(); ++x) {
          const QRgb now = shown.pixel(x, y);
          if (!part.contains(x, y)) {
            QCOMPARE(now, before.pixel(x, y));
            continue;
          }
          const QRgb qt = expected.pixel(x, y);
          const int most =
              std::max({std::abs(qRed(now) - qRed(qt)), std::abs(qGreen(now) - qGreen(qt)),
                        std::abs(qBlue(now) - qBlue(qt))});
          QVERIFY2(most <= 2, qPrintable(QStringLiteral("%1, %2: %3").arg(x).arg(y).arg(most)));
        }
      }
    }
  }

  void a_profile_that_changes_nothing_is_none() {
    QVERIFY(ProfileColors::from(bytes_of(QColorSpace(QColorSpace::SRgb))) == nullptr);
    QVERIFY(ProfileColors::from({}) == nullptr);
  }

  void wrong_bytes_do_no_harm() {
    const std::vector<std::uint8_t> good = bytes_of(QColorSpace(QColorSpace::AdobeRgb));
    test::RandomNumbers random(8);
    for (int number = 0; number < 2000; ++number) {
      std::vector<std::uint8_t> bad = good;
      bad.resize(static_cast<std::size_t>(1 + random.below(std::ssize(good))));
      if (number % 2 == 0) bad = good;
      for (int i = 0; i < 4; ++i)
        bad[static_cast<std::size_t>(random.below(std::ssize(bad)))] =
            static_cast<std::uint8_t>(random.below(256));
      if (const auto colors = ProfileColors::from(bad)) {
        QImage image = random_colors(1).copy(0, 0, 20, 20);
        colors->show(image.rect(), image);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestProfileColors)
#include "test_profile_colors.moc"
