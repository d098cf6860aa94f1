// SPDX-License-Identifier: Apache-2.0
#include "ui/models/label_size.h"

#include <QLocale>
#include <QTest>

namespace seedwave::ui {

class TestLabelSize : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QLocale::setDefault(QLocale::c()); }

  void the_unit_is_what_the_image_allows_data() {
    QTest::addColumn<int>("slices");
    QTest::addColumn<bool>("has_scale");
    QTest::addColumn<QString>("text");
    QTest::newRow("volume in mm") << 30 << true << QStringLiteral("2.5 ml");
    QTest::newRow("volume without a scale") << 30 << false << QStringLiteral("5000 voxels");
    // 0.25 mm² per pixel; the third spacing does not count.
    QTest::newRow("picture in mm") << 1 << true << QStringLiteral("1250.00 mm²");
    QTest::newRow("slide, 0.5 µm a pixel") << 1 << true << QStringLiteral("1250.00 µm²");
    QTest::newRow("picture without a scale") << 1 << false << QStringLiteral("5000 px");
  }

  void the_unit_is_what_the_image_allows() {
    QFETCH(int, slices);
    QFETCH(bool, has_scale);
    Geometry geometry;
    geometry.size = {100, 100, slices};
    geometry.spacing = {0.5, 0.5, 2.0};
    if (QByteArray(QTest::currentDataTag()).startsWith("slide")) geometry.spacing = {5e-4, 5e-4, 1};
    geometry.unit = has_scale ? LengthUnit::Millimetre : LengthUnit::Pixel;
    QTEST(size_text(geometry, 5000), "text");
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestLabelSize)
#include "test_label_size.moc"
