// SPDX-License-Identifier: Apache-2.0
#include "core/image/length_scale.h"

#include <QTest>

namespace seedwave {

class TestLengthScale : public QObject {
  Q_OBJECT

 private slots:
  void lengths_are_read_in_what_fits_the_grid_data() {
    QTest::addColumn<std::int64_t>("slices");
    QTest::addColumn<double>("spacing");
    QTest::addColumn<bool>("known");
    QTest::addColumn<QString>("symbol");
    QTest::addColumn<double>("per_unit");
    const auto row = [](const char* name, std::int64_t slices, double spacing, bool known,
                        const char* symbol, double per_unit) {
      QTest::newRow(name) << slices << spacing << known << QString::fromUtf8(symbol) << per_unit;
    };
    row("brain, 0.7 mm", 200, 0.7, true, "mm", 1);
    row("mammogram, 50 µm", 1, 0.05, true, "mm", 1);
    row("slide, 0.25 µm", 1, 0.00025, true, "µm", 1000);
    row("confocal stack, 0.1 µm", 30, 0.0001, true, "µm", 1000);
    row("picture", 1, 1, false, "px", 1);
    row("stack of pictures", 30, 1, false, "voxels", 1);
  }

  void lengths_are_read_in_what_fits_the_grid() {
    QFETCH(std::int64_t, slices);
    QFETCH(double, spacing);
    QFETCH(bool, known);
    Geometry geometry;
    geometry.size = {64, 64, slices};
    // Slices are often far apart, and the third spacing of a 2-D image has no meaning.
    geometry.spacing = {spacing, spacing, 1.0};
    geometry.unit = known ? LengthUnit::Millimetre : LengthUnit::Pixel;
    const LengthScale scale = length_scale(geometry);
    QTEST(QString::fromStdString(scale.symbol), "symbol");
    QTEST(scale.per_unit, "per_unit");
  }

  void a_slide_is_in_micrometres_whatever_its_pixels() {
    Geometry geometry;
    geometry.size = {64, 64, 1};
    geometry.spacing = {32.0, 16.0, 1.0};
    geometry.origin = {16.0, 8.0, 0.0};
    geometry.unit = LengthUnit::Micrometre;
    geometry.planar = true;
    const LengthScale scale = length_scale(geometry);
    QCOMPARE(scale.symbol, std::string("\u00b5m"));
    QCOMPARE(scale.per_unit, 1.0);
    QCOMPARE(grid_unit(geometry), std::string("\u00b5m"));
    QCOMPARE(geometry.voxel_volume(), 512.0);
    const Geometry in_mm = in_millimetres(geometry);
    QVERIFY(in_mm.unit == LengthUnit::Millimetre);
    QCOMPARE(in_mm.spacing, (Vec3{0.032, 0.016, 1.0}));
    QCOMPARE(in_mm.origin, (Vec3{0.016, 0.008, 0.0}));
    QVERIFY(in_mm.has_two_axes());
  }
};

}  // namespace seedwave

QTEST_APPLESS_MAIN(seedwave::TestLengthScale)
#include "test_length_scale.moc"
