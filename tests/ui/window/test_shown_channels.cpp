// SPDX-License-Identifier: Apache-2.0
//
// Several channels of a slide at once, and one channel of a colour image in place of its colours.
#include "tests/support/channel_slide.h"
#include "tests/support/small_slide.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/channel_model.h"
#include "ui/views/slice_view.h"

#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QTreeView>

namespace seedwave::ui {

using test::kLimitMs;

class TestShownChannels : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    test::write_channel_slide(slide().toStdString(), {40, 60, 20});
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < 900 * 700; ++i)
      pixels.insert(pixels.end(), {200, 120, 180});
    test::write_small_slide(stained().toStdString(), std::move(pixels), 3);
    // The left half has one stain, the right one another, each from pale to deep.
    QImage two(900, 700, QImage::Format_RGB888);
    for (int y = 0; y < two.height(); ++y) {
      for (int x = 0; x < two.width(); ++x) {
        const std::array<double, 3> density =
            x < 450 ? std::array{0.60, 0.74, 0.30} : std::array{0.32, 0.58, 0.75};
        const double amount = 0.3 + 0.7 * y / two.height();
        const auto byte = [&](int c) {
          return static_cast<int>(std::lround(255.0 * std::pow(10.0, -amount * density[c])));
        };
        two.setPixelColor(x, y, QColor(byte(0), byte(1), byte(2)));
      }
    }
    QVERIFY(two.save(two_stains()));
  }
  void cleanup() { fixture_.close_window(); }

  void all_channels_are_seen_at_once() {
    open(slide());
    QVERIFY(dock()->isVisible());
    const DisplayState& display = fixture_.window().views().settings().display();
    QCOMPARE(display.tints.size(), std::size_t{3});
    QVERIFY(display.tints[0].is_image);
    wait_for_channels();
    // Windows made by hand, so that the sum is known: the left half is full, the right one half.
    for (int channel = 0; channel < 3; ++channel) {
      const double full = std::array{80.0, 120.0, 40.0}[static_cast<std::size_t>(channel)];
      QVERIFY(list()->model()->setData(list()->model()->index(channel, ChannelModel::Full), full,
                                       Qt::EditRole));
      QVERIFY(list()->model()->setData(list()->model()->index(channel, ChannelModel::Black), 0.0,
                                       Qt::EditRole));
    }
    const QRgb left = pixel_at({80, 200, 0});
    const QRgb right = pixel_at({600, 200, 0});
    int sum[3] = {0, 0, 0};
    for (const ChannelTint& tint : display.tints) {
      sum[0] += tint.color.red();
      sum[1] += tint.color.green();
      sum[2] += tint.color.blue();
    }
    QVERIFY(std::abs(qRed(left) - std::min(255, sum[0])) <= 3);
    QVERIFY(std::abs(qGreen(left) - std::min(255, sum[1])) <= 3);
    QVERIFY(std::abs(qBlue(left) - std::min(255, sum[2])) <= 3);
    QVERIFY(std::abs(qRed(right) - sum[0] / 2) <= 3);
    // Alt+2 takes the second channel away, and Alt+0 brings all back.
    press(Qt::Key_2);
    QVERIFY(!display.tints[1].shown);
    QVERIFY(qGreen(pixel_at({600, 200, 0})) < qGreen(right));
    press(Qt::Key_0);
    QCOMPARE(pixel_at({600, 200, 0}), right);
  }

  void operations_read_the_chosen_channel_and_the_look_stays() {
    open(slide());
    wait_for_channels();
    auto* channel = fixture_.window().findChild<QComboBox*>("channel");
    QCOMPARE(channel->count(), 3);
    QCOMPARE(workbench().image().value_at({600, 200, 0}), 40.0);
    press(Qt::Key_3);  // hidden
    channel->setCurrentIndex(1);
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::part_opened);
    emit channel->activated(1);
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QCOMPARE(workbench().image().value_at({600, 200, 0}), 60.0);
    QCOMPARE(workbench().document().image.view.channel, 1);
    const DisplayState& display = fixture_.window().views().settings().display();
    QVERIFY(display.tints[1].is_image && !display.tints[0].is_image);
    QVERIFY(!display.tints[2].shown);
    QVERIFY(display.tints[0].shown);
    // The whole slide is the whole of this channel.
    QVERIFY(!fixture_.window().actions().at("work_on_slide")->isEnabled());
  }

  void a_session_keeps_the_looks() {
    open(slide());
    wait_for_channels();
    press(Qt::Key_2);
    const auto tints = fixture_.window().views().settings().display().tints;
    save_and_reopen(folder_.filePath("channels.seedwave"));
    wait_for_channels();
    QCOMPARE(fixture_.window().views().settings().display().tints, tints);
  }

  void a_stain_is_seen_in_place_of_the_colours() {
    open(stained());
    QVERIFY(!dock()->isVisible());
    const QRgb colors = pixel_at({100, 100, 0});
    QCOMPARE(colors, qRgb(200, 120, 180));
    press(Qt::Key_5);
    QCOMPARE(fixture_.window().views().settings().display().channel, std::string("hematoxylin"));
    const QRgb stain = pixel_at({100, 100, 0});
    QVERIFY(stain != colors && qBlue(stain) > qRed(stain) && qRed(stain) > qGreen(stain) - 30);
    press(Qt::Key_1);
    QVERIFY(qRed(pixel_at({100, 100, 0})) == qBlue(pixel_at({100, 100, 0})));
    press(Qt::Key_1);  // again: back to the colours
    QCOMPARE(pixel_at({100, 100, 0}), colors);
    // It is a look: the channel that operations read stays.
    QCOMPARE(workbench().document().channel, std::string("gray"));
  }

  void own_stains_are_channels_of_the_view_and_of_operations() {
    open(two_stains());
    QDialog* dialog = stains_dialog();
    auto* first = dialog->findChild<QLineEdit*>("stain_densities_1");
    auto* second = dialog->findChild<QLineEdit*>("stain_densities_2");
    auto* use = dialog->findChild<QPushButton*>("use_stains");
    // Both are taken from the picture at once.
    QTRY_VERIFY_WITH_TIMEOUT(!first->text().isEmpty() && !second->text().isEmpty(), kLimitMs);
    QVERIFY(use->isEnabled());
    const std::string shown = view_channel();
    QTest::mouseClick(dialog->findChild<QRadioButton*>("show_stain_1"), Qt::LeftButton);
    QVERIFY(view_channel().starts_with("stain:") && view_channel() != shown);
    QTest::mouseClick(dialog->findChild<QRadioButton*>("show_stain_0"), Qt::LeftButton);
    QCOMPARE(view_channel(), std::string());
    use->click();
    const std::vector<std::string> own = workbench().document().own_channels;
    QCOMPARE(own.size(), std::size_t{2});
    press(Qt::Key_8);
    QCOMPARE(view_channel(), own[0]);
    auto* channel = fixture_.window().findChild<QComboBox*>("channel");
    const int place = channel->findData(QString::fromStdString(own[1]));
    QVERIFY(place >= 0);
    emit channel->activated(place);
    QCOMPARE(workbench().document().channel, own[1]);
    QTRY_VERIFY_WITH_TIMEOUT(!workbench().opened().scene.volume.empty(), kLimitMs);
    QVERIFY(workbench().opened().scene.volume.type() == VoxelType::F32);
    // Other stains take the place of these.
    dialog = stains_dialog();
    dialog->findChild<QLineEdit*>("stain_densities_1")->setText({});
    type_into(*dialog, 0, "0.6, 0.7, 0.3");
    type_into(*dialog, 1, "0.2 0.5 0.8");
    dialog->findChild<QPushButton*>("use_stains")->click();
    QCOMPARE(workbench().document().own_channels,
             (std::vector<std::string>{"stain:0.6,0.7,0.3:0.2,0.5,0.8",
                                       "stain:0.2,0.5,0.8:0.6,0.7,0.3"}));
    QCOMPARE(workbench().document().channel, std::string("stain:0.2,0.5,0.8:0.6,0.7,0.3"));
    workbench().steps().undo_stack().undo();
    QCOMPARE(workbench().document().own_channels, own);
    QCOMPARE(workbench().document().channel, own[1]);
  }

  void own_stains_come_from_regions_and_strokes() {
    open(two_stains());
    const Geometry& grid = workbench().image().geometry();
    workbench().steps().set_regions({std::make_shared<const Region>(outlined_region(
                                        1, {{10, 10}, {200, 10}, {200, 200}, {10, 200}}, grid))},
                                    "region");
    Stroke stroke;
    stroke.label = 2;
    stroke.radius_mm = 3.0;
    stroke.points = {grid.to_world(Index3{600, 100, 0}), grid.to_world(Index3{700, 100, 0})};
    workbench().steps().add_stroke(stroke);
    QDialog* dialog = stains_dialog();
    choose(*dialog, 1, "Region 1");
    choose(*dialog, 2, "Strokes of");
    QTRY_VERIFY_WITH_TIMEOUT(
        densities(*dialog, 1).startsWith("0.60") && densities(*dialog, 2).startsWith("0.3"),
        kLimitMs);
    // The same stain twice cannot be unmixed.
    choose(*dialog, 2, "Region 1");
    QTRY_COMPARE_WITH_TIMEOUT(densities(*dialog, 2), densities(*dialog, 1), kLimitMs);
    QVERIFY(!dialog->findChild<QPushButton*>("use_stains")->isEnabled());
    QVERIFY(dialog->findChild<QLabel*>("stains_message")->text().contains("hardly different"));
    // A source that has no stain leaves no numbers of an earlier search.
    auto* background = dialog->findChild<QLineEdit*>("background_colour");
    background->selectAll();
    QTest::keyClicks(background, "9 9 9");
    QTRY_VERIFY_WITH_TIMEOUT(densities(*dialog, 1).isEmpty() && densities(*dialog, 2).isEmpty(),
                             kLimitMs);
    QVERIFY(dialog->findChild<QLabel*>("stains_message")->text().contains("as bright as glass"));
    QVERIFY(!dialog->findChild<QPushButton*>("use_stains")->isEnabled());
    dialog->reject();
    QVERIFY(workbench().document().own_channels.empty());
    QCOMPARE(view_channel(), std::string());
  }

  void own_stains_have_a_background() {
    open(two_stains());
    QDialog* dialog = stains_dialog();
    auto* use = dialog->findChild<QPushButton*>("use_stains");
    auto* background = dialog->findChild<QLineEdit*>("background_colour");
    QCOMPARE(background->text().simplified(), QString("255 255 255"));
    QVERIFY(!dialog->findChild<QLabel*>("stains_message")->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(use->isEnabled(), kLimitMs);
    const QString on_white = densities(*dialog, 1);
    // Stains that come from a source are found again on the background.
    background->selectAll();
    QTest::keyClicks(background, "240, 216, 228");
    QTRY_VERIFY_WITH_TIMEOUT(densities(*dialog, 1) != on_white, kLimitMs);
    background->selectAll();
    QTest::keyClicks(background, "240 216 256");
    QVERIFY(!use->isEnabled());
    QVERIFY(dialog->findChild<QLabel*>("stains_message")
                ->text()
                .contains("three numbers from 1 to 255"));
    // A source of the background; the stains are given by hand, and stay.
    const Geometry& grid = workbench().image().geometry();
    workbench().steps().set_regions({std::make_shared<const Region>(outlined_region(
                                        1, {{10, 10}, {30, 10}, {30, 20}, {10, 20}}, grid))},
                                    "region");
    type_into(*dialog, 0, "0.6, 0.7, 0.3");
    type_into(*dialog, 1, "0.2 0.5 0.8");
    choose_source(*dialog, "background_source", "Region 1");
    QTRY_VERIFY_WITH_TIMEOUT(use->isEnabled(), kLimitMs);
    const Volume& image = workbench().image();
    const QStringList components = background->text().simplified().split(' ');
    for (int c = 0; c < 3; ++c) {
      const auto value = image.voxels<std::uint8_t>()[static_cast<std::size_t>(
          3 * image.geometry().offset({20, 15, 0}) + c)];
      QVERIFY(std::abs(components[c].toInt() - value) <= 2);
    }
    use->click();
    const std::string suffix = ":" + components.join(',').toStdString();
    QCOMPARE(workbench().document().own_channels,
             (std::vector<std::string>{"stain:0.6,0.7,0.3:0.2,0.5,0.8" + suffix,
                                       "stain:0.2,0.5,0.8:0.6,0.7,0.3" + suffix}));
    // White is left out.
    dialog = stains_dialog();
    type_into(*dialog, 0, "0.6, 0.7, 0.3");
    type_into(*dialog, 1, "0.2 0.5 0.8");
    choose_source(*dialog, "background_source", "The whole picture");
    choose_source(*dialog, "background_source", "White");
    dialog->findChild<QPushButton*>("use_stains")->click();
    QCOMPARE(workbench().document().own_channels.front(),
             std::string("stain:0.6,0.7,0.3:0.2,0.5,0.8"));
  }

  void a_session_keeps_own_stains() {
    open(two_stains());
    const std::vector<std::string> own{"stain:0.6,0.7,0.3:0.2,0.5,0.8",
                                       "stain:0.2,0.5,0.8:0.6,0.7,0.3:243,240,245"};
    workbench().steps().set_own_channels(own);
    save_and_reopen(folder_.filePath("stains.seedwave"));
    QCOMPARE(workbench().document().own_channels, own);
  }

 private:
  [[nodiscard]] QString slide() const { return folder_.filePath("channels.ome.tif"); }
  [[nodiscard]] QString stained() const { return folder_.filePath("stained.ome.tif"); }
  [[nodiscard]] QString two_stains() const { return folder_.filePath("two_stains.png"); }
  [[nodiscard]] std::string view_channel() {
    return fixture_.window().views().settings().display().channel;
  }
  [[nodiscard]] QDialog* stains_dialog() {
    fixture_.window().actions().at("own_stains")->trigger();
    return fixture_.window().findChild<QDialog*>("own_stains");
  }
  [[nodiscard]] static QString densities(const QDialog& dialog, int row) {
    return dialog.findChild<QLineEdit*>(QStringLiteral("stain_densities_%1").arg(row))->text();
  }
  static void type_into(const QDialog& dialog, int stain, const QString& text) {
    auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("stain_densities_%1").arg(stain + 1));
    line->selectAll();
    QTest::keyClicks(line, text);
  }
  static void choose(const QDialog& dialog, int row, const QString& source) {
    choose_source(dialog, QStringLiteral("stain_source_%1").arg(row), source);
  }
  static void choose_source(const QDialog& dialog, const QString& name, const QString& source) {
    auto* list = dialog.findChild<QComboBox*>(name);
    const int place = list->findText(source, Qt::MatchStartsWith);
    QVERIFY(place >= 0);
    list->setCurrentIndex(place);
    emit list->activated(place);
  }
  [[nodiscard]] Workbench& workbench() { return fixture_.workbench(); }
  [[nodiscard]] QDockWidget* dock() {
    return fixture_.window().findChild<QDockWidget*>("dock_channels");
  }
  [[nodiscard]] QTreeView* list() { return fixture_.window().findChild<QTreeView*>("channels"); }

  void open(const QString& path) {
    fixture_.show_window();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    fixture_.window().opener().open({path});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    fixture_.window().runs().set_live(false);
  }

  /// Saves the session to a file, and opens that in a new window.
  void save_and_reopen(const QString& file) {
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(file);
    QTRY_VERIFY_WITH_TIMEOUT(saved.count() > 0, kLimitMs);
    fixture_.close_window();
    fixture_.show_window();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::session_opened);
    fixture_.window().opener().open({file});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
  }

  void wait_for_channels() {
    const auto there = [this] {
      const auto& tints = fixture_.window().views().settings().display().tints;
      return !tints.empty() && std::ranges::all_of(tints, [](const ChannelTint& tint) {
        return !tint.shown || tint.window.width > 0.0;
      });
    };
    QTRY_VERIFY_WITH_TIMEOUT(there(), kLimitMs);
  }

  void press(Qt::Key key) {
    QTest::keyClick(&fixture_.window(), key, Qt::AltModifier);
    QCoreApplication::processEvents();
  }

  /// Returns the colour that the view shows at a pixel of the image, far from the crosshair.
  [[nodiscard]] QRgb pixel_at(const Index3& index) {
    SliceView& view = fixture_.axial();
    const QImage shot = view.picture({.scale = 1, .annotations = false, .crosshair = false});
    const QPointF at = view.position_of(workbench().image().geometry().to_world(index));
    return shot.pixel((at * shot.devicePixelRatio()).toPoint());
  }

  QTemporaryDir folder_;
  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestShownChannels)
#include "test_shown_channels.moc"
