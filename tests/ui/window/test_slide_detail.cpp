// SPDX-License-Identifier: Apache-2.0
//
// Finer pixels of a slide where a view enlarges its image: which are needed, where they lie, and
// that they come.
#include "core/io/slides/pyramid_writer.h"
#include "core/io/slides/slide_item.h"
#include "tests/core/io/io_fixture.h"
#include "ui/views/slice_pipeline.h"
#include "ui/window/slide_detail.h"

#include <QSignalSpy>
#include <QTest>

#include <random>

using namespace seedwave;
using namespace seedwave::ui;

namespace {

constexpr std::int64_t kWidth = 640;
constexpr std::int64_t kHeight = 400;

std::vector<std::uint8_t> noise() {
  std::mt19937 random(1);
  std::vector<std::uint8_t> values(kWidth * kHeight * 3);
  for (std::uint8_t& value : values)
    value = static_cast<std::uint8_t>(random());
  return values;
}

Volume finest() {
  Geometry grid;
  grid.size = {kWidth, kHeight, 1};
  grid.origin = {0.5, 0.5, 0.0};
  grid.unit = LengthUnit::Micrometre;
  grid.planar = true;
  return Volume(grid, noise(), 3);
}

/// The image of a view of the given size, with or without the finer pixels.
QImage rendered(const Volume& image, const Volume& detail, const SliceCamera& camera) {
  SlicePipeline pipeline;
  pipeline.set_image(image);
  if (!detail.empty()) pipeline.set_detail(detail);
  const PlaneAxes axes(image.geometry(), PlaneKind::Axial, Convention::Radiological, false);
  pipeline.set_axes(axes);
  pipeline.set_transform(SliceTransform(axes, camera, {320, 200}), {320, 200}, 1.0);
  return pipeline.render().copy();
}

}  // namespace

class TestSlideDetail : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    io::OutputSet outputs;
    io::PyramidWriter writer(outputs, file(),
                             {.width = kWidth,
                              .height = kHeight,
                              .components = 3,
                              .mpp = std::array{1.0, 1.0},
                              .tile = 64});
    Context context;
    const Volume all = finest();
    std::int64_t row = 0;
    while (const std::int64_t rows = writer.next_rows()) {
      Geometry grid = all.geometry();
      grid.size[1] = rows;
      const auto part = all.voxels<std::uint8_t>().subspan(
          static_cast<std::size_t>(row * kWidth * 3), static_cast<std::size_t>(rows * kWidth * 3));
      writer.write(Volume(grid, std::vector<std::uint8_t>(part.begin(), part.end()), 3), context);
      row += rows;
    }
    writer.finish(context);
    outputs.commit();
    item_ = io::with_view(io::find_item(file(), "", context), {.level = 3});
    loaded_ = io::load(item_, context);
    QCOMPARE(loaded_.volume.geometry().size, (Index3{80, 50, 1}));
    QVERIFY(loaded_.slide != nullptr);
    QCOMPARE(loaded_.slide_level, 3);
  }

  void only_an_enlarged_view_needs_finer_pixels() {
    const io::SlideInfo& info = *item_.slide;
    const Box all{{0, 0, 0}, {80, 50, 1}};
    QVERIFY(!window_for(info, 3, {all, 1.0}));
    QVERIFY(!window_for(info, 0, {{{0, 0, 0}, {640, 400, 1}}, 8.0}));  // there are none
    QCOMPARE(window_for(info, 3, {all, 2.0})->level, 2);
    QCOMPARE(window_for(info, 3, {all, 3.0})->level, 1);
    QCOMPARE(window_for(info, 3, {all, 100.0})->level, 0);
    QCOMPARE(window_for(info, 3, {{{10, 20, 0}, {15, 22, 1}}, 8.0})->box,
             (Box{{80, 160, 0}, {120, 176, 1}}));
  }

  void they_lie_where_they_do_in_the_slide() {
    const io::SlideInfo& info = *item_.slide;
    const SlideWindow window{.level = 0, .box = {{80, 160, 0}, {120, 200, 1}}};
    Context context;
    const Volume part = loaded_.slide->read(0, window.box, 0, context).pixels;
    const Volume detail = placed_in(part, window, info, loaded_.volume.geometry());
    for (int axis = 0; axis < 2; ++axis) {
      QVERIFY(std::abs(detail.geometry().origin[axis] - part.geometry().origin[axis]) < 1e-12);
      QVERIFY(std::abs(detail.geometry().spacing[axis] - part.geometry().spacing[axis]) < 1e-12);
    }
  }

  void an_enlarged_view_shows_them() {
    const io::SlideInfo& info = *item_.slide;
    const SlideWindow window{.level = 0, .box = {{0, 0, 0}, {kWidth, kHeight, 1}}};
    Context context;
    const Volume part = loaded_.slide->read(0, window.box, 0, context).pixels;
    const Volume detail = placed_in(part, window, info, loaded_.volume.geometry());
    for (const double zoom : {1.0, 5.0, 37.0}) {
      const SliceCamera camera{.zoom = zoom, .right_mm = 0.05, .down_mm = -0.02};
      const QImage with = rendered(loaded_.volume, detail, camera);
      QCOMPARE(with, rendered(finest(), {}, camera));
      QVERIFY(with != rendered(loaded_.volume, {}, camera));
    }
    // One that is not enlarged does without.
    const SliceCamera small{.zoom = 0.2};
    QCOMPARE(rendered(loaded_.volume, detail, small), rendered(loaded_.volume, {}, small));
  }

  void they_come_once_and_cover_what_is_seen() {
    Workbench workbench;
    workbench.set_image(prepare(loaded_, io::ItemKind::Slide), {}, {}, {});
    SlideDetail detail(workbench);
    QSignalSpy came(&detail, &SlideDetail::came);
    const Box visible{{30, 20, 0}, {40, 26, 1}};
    detail.look_at({visible, 8.0});
    QVERIFY(came.wait());
    const auto volume = came[0][0].value<Volume>();
    QVERIFY(volume.geometry().size[0] >= 80 && volume.geometry().size[1] >= 48);
    // The same again, and a small movement, need no reading.
    detail.look_at({visible, 8.0});
    detail.look_at({{{31, 20, 0}, {41, 26, 1}}, 8.0});
    QVERIFY(!came.wait(200));
    detail.look_at({{{60, 40, 0}, {70, 46, 1}}, 8.0});
    QVERIFY(came.wait());
    detail.look_at({visible, 2.0});
    QVERIFY(came.wait());
    QCOMPARE(came.size(), 3);
  }

 private:
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "slide.ome.tif"; }
  test::TemporaryFolder folder_;
  io::Item item_;
  io::LoadedImage loaded_;
};

QTEST_GUILESS_MAIN(TestSlideDetail)
#include "test_slide_detail.moc"
