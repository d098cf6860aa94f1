// SPDX-License-Identifier: Apache-2.0
//
// The operations that the window offers for each image, and its display of the choice.
#include "tests/ui/window/window_fixture.h"

#include <QAction>
#include <QLabel>
#include <QSignalSpy>

namespace seedwave::ui {

using test::kLimitMs;

class TestOffers : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void the_kind_of_3d_that_is_on_is_marked_and_only_what_fits_is_offered() {
    fixture_.open_ball();  // values from 180: no Hounsfield units
    QAction* off = action("volume_off");
    QAction* mr = action("volume_mr");
    QVERIFY(off->isChecked() && off->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(mr->isEnabled(), kLimitMs);
    QVERIFY(!action("volume_ct")->isEnabled());
    mr->trigger();
    QVERIFY(mr->isChecked() && !off->isChecked());
    QCOMPARE(fixture_.window().views().surface_view().display().volume, VolumeRendering::Mr);
    off->trigger();
    QVERIFY(off->isChecked() && !mr->isChecked());

    mr->trigger();
    open_ct();
    QTRY_VERIFY_WITH_TIMEOUT(action("volume_ct")->isEnabled(), kLimitMs);
    QVERIFY(!mr->isEnabled());
    QVERIFY(off->isChecked());
    QCOMPARE(fixture_.window().views().surface_view().display().volume, VolumeRendering::Off);
  }

  void a_ct_that_does_not_name_itself_has_windows_and_units_of_ct() {
    fixture_.show_window();
    open_ct();
    const ViewSettings& settings = fixture_.window().views().settings();
    const GreyWindow soft_tissue{.centre = 40.0, .width = 400.0};
    QCOMPARE(settings.display().window, soft_tissue);
    QTest::keyClick(&fixture_.window(), Qt::Key_2, Qt::AltModifier);
    QCOMPARE(settings.display().window, (GreyWindow{.centre = -600.0, .width = 1500.0}));
    action("window_auto")->trigger();
    QCOMPARE(settings.display().window, soft_tissue);
    SliceView& plane = fixture_.axial();
    QTest::mouseMove(&plane, plane.position_of({0, 0, 0}).toPoint());
    const auto* readout = fixture_.window().findChild<QLabel*>(QStringLiteral("readout_value"));
    QTRY_VERIFY2_WITH_TIMEOUT(readout->text().contains(QStringLiteral(" HU")),
                              qPrintable(readout->text()), kLimitMs);
  }

  void what_is_no_ct_opens_by_its_values() {
    fixture_.open_ball();
    const GreyWindow& window = fixture_.window().views().settings().display().window;
    QVERIFY(window.low() < 250.0 && window.high() > 950.0);  // 200 around a ball of 1000
    QTest::keyClick(&fixture_.window(), Qt::Key_2, Qt::AltModifier);
    QCOMPARE(fixture_.window().views().settings().display().window, window);
  }

  void a_picture_is_offered_nothing_of_volumes() {
    fixture_.open_ball();
    const char* const solid[] = {"layout_axial",   "layout_coronal", "layout_sagittal",
                                 "layout_surface", "layout_four",    "volume_off",
                                 "surface_planes", "surface_reset",  "neurological"};
    for (const char* id : solid)
      QVERIFY2(action(id)->isEnabled(), id);
    io::save_volume(fixture_.path("picture.png").toStdString(), picture());
    open("picture.png");
    for (const char* id : solid)
      QVERIFY2(!action(id)->isEnabled(), id);
    QVERIFY(!action("volume_ct")->isEnabled() && !action("volume_mr")->isEnabled());
    const auto* slice = fixture_.window().findChild<QLabel*>(QStringLiteral("slice"));
    QCOMPARE(slice->text(), QString());
    // And everything again for the next volume.
    open("ball.nii.gz");
    for (const char* id : solid)
      QVERIFY2(action(id)->isEnabled(), id);
  }

 private:
  static Volume picture() {
    Geometry geometry;
    geometry.size = {48, 40, 1};
    geometry.unit = LengthUnit::Pixel;
    return {geometry, std::vector<std::uint8_t>(48 * 40, 120)};
  }
  QAction* action(const char* id) { return fixture_.window().actions().at(id); }
  void open(const char* name) {
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    fixture_.window().opener().open({fixture_.path(name)});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
  }
  /// Opens the phantom in Hounsfield units, in a file that cannot state the unit: a ball of tissue
  /// in air.
  void open_ct() {
    const Volume ball = test::ball_phantom(test::kSide);
    const auto from = ball.voxels<std::int16_t>();
    std::vector<std::int16_t> voxels(from.begin(), from.end());
    for (std::int16_t& voxel : voxels)
      voxel = static_cast<std::int16_t>(voxel < 500 ? voxel - 1200 : voxel - 960);
    io::save_volume(fixture_.path("ct.nii.gz").toStdString(), {ball.geometry(), std::move(voxels)});
    open("ct.nii.gz");
  }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestOffers)
#include "test_offers.moc"
