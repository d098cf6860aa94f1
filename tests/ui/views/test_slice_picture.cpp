// SPDX-License-Identifier: Apache-2.0
//
// The image of a view: one channel of its colours, and channels whose light adds up.
#include "core/image/channel.h"
#include "ui/views/slice_picture.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace seedwave;
using namespace seedwave::ui;

namespace {

constexpr int kSide = 40;

Geometry square() {
  Geometry grid;
  grid.size = {kSide, kSide, 1};
  grid.planar = true;
  return grid;
}

template <typename Value>
std::vector<Value> noise(unsigned seed, int components, int most) {
  std::mt19937 random(seed);
  std::vector<Value> values(static_cast<std::size_t>(kSide * kSide * components));
  for (Value& value : values)
    value = static_cast<Value>(random() % static_cast<unsigned>(most + 1));
  return values;
}

/// Draws one pixel of the screen for each of the image.
QImage drawn(SlicePicture& picture, const DisplayState& display) {
  const PlaneAxes axes(picture.image().geometry(), PlaneKind::Axial, Convention::Radiological,
                       false);
  const QSize device(kSide, kSide);
  const SliceTransform transform(axes, {}, device);
  QImage frame(device, QImage::Format_RGB32);
  frame.fill(Qt::red);
  picture.draw({.axes = axes, .slice = 0, .transform = transform}, display, false, frame.rect(),
               frame);
  return frame;
}

DisplayState sharp() {
  DisplayState display;
  display.interpolation = Interpolation::Nearest;
  return display;
}

}  // namespace

class TestSlicePicture : public QObject {
  Q_OBJECT
 private slots:
  void a_channel_of_the_colours_is_shown_as_operations_read_it() {
    const Volume colors(square(), noise<std::uint8_t>(1, 3, 255), 3);
    SlicePicture picture;
    picture.set_image(colors, {});
    for (const Channel& channel : channels()) {
      DisplayState display = sharp();
      display.channel = channel.id;
      const QImage frame = drawn(picture, display);
      const Volume expected = channel_of(colors, channel.id);
      const auto stain = sum_of_channel(channel.id).stain;
      for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
          const double value = expected.value_at({x, y, 0});
          const QRgb pixel = frame.pixel(x, y);
          for (int c = 0; c < 3; ++c) {
            const int there = c == 0 ? qRed(pixel) : c == 1 ? qGreen(pixel) : qBlue(pixel);
            const double wanted =
                stain ? 255.0 * std::pow(10.0, -std::max(0.0, value) * (*stain)[c]) : value;
            // A step of the colours of a stain is at most two of 255.
            QVERIFY2(std::abs(there - wanted) <= 2.0, channel.id.c_str());
          }
        }
      }
    }
    // And the colours again.
    const QImage frame = drawn(picture, sharp());
    QCOMPARE(qRed(frame.pixel(3, 5)), static_cast<int>(colors.value_at({3, 5, 0}, 0)));
    QCOMPARE(qBlue(frame.pixel(3, 5)), static_cast<int>(colors.value_at({3, 5, 0}, 2)));
  }

  void light_of_channels_adds_up() {
    const std::vector<Volume> volumes{Volume(square(), noise<std::uint16_t>(2, 1, 1000)),
                                      Volume(square(), noise<std::uint16_t>(3, 1, 200)),
                                      Volume(square(), noise<std::uint16_t>(4, 1, 60000))};
    SlicePicture picture;
    picture.set_image(volumes[1], {});
    picture.set_channel(0, {.image = volumes[0], .levels = {}, .surroundings = {}, .detail = {}});
    picture.set_channel(2, {.image = volumes[2], .levels = {}, .surroundings = {}, .detail = {}});
    DisplayState display = sharp();
    display.window = GreyWindow::between(20, 180);
    display.tints = {{.color = QColor(255, 0, 128), .window = GreyWindow::between(0, 1000)},
                     {.color = QColor(0, 255, 0), .is_image = true, .window = {}},
                     {.color = QColor(40, 80, 255), .window = GreyWindow::between(1e4, 6e4)}};
    for (int hidden = -1; hidden < 3; ++hidden) {
      for (int channel = 0; channel < 3; ++channel)
        display.tints[static_cast<std::size_t>(channel)].shown = channel != hidden;
      const QImage frame = drawn(picture, display);
      for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
          double sum[3] = {0, 0, 0};
          for (std::size_t channel = 0; channel < 3; ++channel) {
            const ChannelTint& tint = display.tints[channel];
            if (!tint.shown) continue;
            const GreyWindow& window = tint.is_image ? display.window : tint.window;
            const double grey = std::clamp(
                255.0 * (volumes[channel].value_at({x, y, 0}) - window.low()) / window.width, 0.0,
                255.0);
            sum[0] += grey * tint.color.red() / 255;
            sum[1] += grey * tint.color.green() / 255;
            sum[2] += grey * tint.color.blue() / 255;
          }
          const QRgb pixel = frame.pixel(x, y);
          QVERIFY(std::abs(qRed(pixel) - std::min(255.0, sum[0])) <= 3.0);
          QVERIFY(std::abs(qGreen(pixel) - std::min(255.0, sum[1])) <= 3.0);
          QVERIFY(std::abs(qBlue(pixel) - std::min(255.0, sum[2])) <= 3.0);
        }
      }
    }
  }

  void a_channel_that_has_not_come_is_not_seen() {
    SlicePicture picture;
    picture.set_image(Volume(square(), std::vector<std::uint8_t>(kSide * kSide, 200)), {});
    DisplayState display = sharp();
    display.window = GreyWindow::between(0, 255);
    display.tints = {{.color = QColor(0, 255, 0), .is_image = true, .window = {}},
                     {.color = QColor(255, 0, 0), .window = GreyWindow::between(0, 255)}};
    QCOMPARE(drawn(picture, display).pixel(7, 7), qRgb(0, 200, 0));
  }
};

QTEST_GUILESS_MAIN(TestSlicePicture)
#include "test_slice_picture.moc"
