// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_color.h"
#include "core/image/picture_levels.h"
#include "ui/views/color_map.h"
#include "ui/views/slice_overlay.h"
#include "ui/views/slice_pipeline.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace seedwave;
using namespace seedwave::ui;

class TestSlicePipeline : public QObject {
  Q_OBJECT
 private slots:
  void nearest_pixels_are_the_voxels();
  void interpolation_equals_the_definition_data();
  void interpolation_equals_the_definition();
  void the_window_maps_its_ends_to_black_and_white();
  void inverted_is_the_negative();
  void a_checkerboard_shown_small_is_grey();
  void what_is_not_a_number_is_black();
  void colour_pictures_keep_their_colours();
  void labels_fill_and_outline();
  void outline_only_leaves_the_image();
  void objects_that_touch_have_each_a_line_of_one_pixel_data();
  void objects_that_touch_have_each_a_line_of_one_pixel();
  void lines_on_a_colour_picture_have_a_rim_that_is_seen_data();
  void lines_on_a_colour_picture_have_a_rim_that_is_seen();
  void speckle_has_no_lines();
  void widths_of_regions_are_those_of_stripes();
  void hidden_labels_are_not_drawn();
  void labels_of_32_bits_are_numbered_as_they_are_met();
  void theta_cuts_the_strength();
  void the_reference_is_seen_on_black_and_on_white();
  void seeds_are_opaque_with_a_dark_rim();
  void a_thin_stroke_shown_small_keeps_its_colour();
  void seeds_keep_their_colours_under_a_result_with_its_own();
  void the_eraser_takes_seeds_away_at_once();
  void a_large_picture_looks_the_same_from_its_levels_data();
  void a_large_picture_looks_the_same_from_its_levels();
  void a_change_draws_what_drawing_all_would_data();
  void a_change_draws_what_drawing_all_would();
};

namespace {

Geometry grid() {
  Geometry geometry;
  geometry.size = {13, 11, 7};
  geometry.spacing = {1.0, 1.5, 2.5};
  return geometry;
}

QRgb rgb_of(const Rgb& color) {
  return qRgb(color[0], color[1], color[2]);
}

Volume noise(const Geometry& geometry, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int16_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (auto& voxel : voxels)
    voxel = static_cast<std::int16_t>(random() % 256);
  return {geometry, std::move(voxels)};
}

Volume constant(const Geometry& geometry, std::uint8_t value) {
  return {geometry,
          std::vector<std::uint8_t>(static_cast<std::size_t>(geometry.voxel_count()), value)};
}

LabelMap box_label(const Geometry& geometry, std::uint16_t label, const Box& box) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()), 0);
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis)
      inside = inside && at[axis] >= box.lo[axis] && at[axis] < box.hi[axis];
    if (inside) labels[static_cast<std::size_t>(i)] = label;
  }
  return {geometry, std::move(labels)};
}

const GreyWindow kBytes{127.5, 255};

/// Returns a pipeline that shows slice `slice` of `plane` at `scale` device pixels per millimetre.
SlicePipeline make(const Volume& image, PlaneKind plane, std::int64_t slice, double scale,
                   const DisplayState& display) {
  SlicePipeline pipeline;
  pipeline.set_image(image);
  pipeline.set_axes(PlaneAxes(image.geometry(), plane, Convention::Radiological));
  pipeline.set_slice(slice);
  pipeline.set_display(display);
  const PlaneAxes& axes = pipeline.axes();
  const QSize device(
      static_cast<int>(std::ceil(static_cast<double>(axes.width()) * axes.right_spacing() * scale)),
      static_cast<int>(
          std::ceil(static_cast<double>(axes.height()) * axes.down_spacing() * scale)));
  SliceTransform transform;
  transform.mm_pixels = scale;
  transform.u_pixels = scale * axes.right_spacing();
  transform.v_pixels = scale * axes.down_spacing();
  pipeline.set_transform(transform, device, 1.0);
  return pipeline;
}

DisplayState plain(Interpolation interpolation) {
  DisplayState display;
  display.window = kBytes;
  display.interpolation = interpolation;
  return display;
}

Box random_box(const Geometry& geometry, std::mt19937& random) {
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = static_cast<std::int64_t>(random()) % geometry.size[axis];
    box.hi[axis] = std::min<std::int64_t>(
        box.lo[axis] + 1 + static_cast<std::int64_t>(random() % 4), geometry.size[axis]);
  }
  return box;
}

/// One that covers a box, or all of some slices, where a run holds many rows.
std::shared_ptr<const LabelPatch> random_patch(const Geometry& geometry, std::mt19937& random) {
  Box box = random_box(geometry, random);
  const auto label = [&random] { return static_cast<Label>(random() % 3); };
  LabelPatch patch;
  if (random() % 4 == 0) {
    box = {{0, 0, box.lo[2]}, {geometry.size[0], geometry.size[1], box.hi[2]}};
    patch.runs.push_back({geometry.offset(box.lo), geometry.offset({0, 0, box.hi[2]}), label()});
  } else {
    for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
      for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
        const std::int64_t row = geometry.offset({0, y, z});
        patch.runs.push_back({row + box.lo[0], row + box.hi[0], label()});
      }
    }
  }
  patch.box = box;
  return std::make_shared<const LabelPatch>(std::move(patch));
}

QRgb at(SlicePipeline& pipeline, double u, double v) {
  const QPointF pixel = pipeline.transform().to_device(u, v);
  return pipeline.render().pixel(static_cast<int>(pixel.x()), static_cast<int>(pixel.y()));
}

bool near(int a, int b) {
  return std::abs(a - b) <= 1;
}

}  // namespace

void TestSlicePipeline::nearest_pixels_are_the_voxels() {
  const Volume image = noise(grid(), 1);
  for (const PlaneKind plane : {PlaneKind::Axial, PlaneKind::Coronal, PlaneKind::Sagittal}) {
    SlicePipeline pipeline = make(image, plane, 3, 4.0, plain(Interpolation::Nearest));
    const PlaneAxes& axes = pipeline.axes();
    for (std::int64_t v = 0; v < axes.height(); ++v) {
      for (std::int64_t u = 0; u < axes.width(); ++u) {
        const QRgb pixel = at(pipeline, static_cast<double>(u), static_cast<double>(v));
        QCOMPARE(qRed(pixel), static_cast<int>(image.value_at(axes.index_at(u, v, 3))));
        QCOMPARE(qBlue(pixel), qRed(pixel));
      }
    }
  }
}

void TestSlicePipeline::interpolation_equals_the_definition_data() {
  QTest::addColumn<int>("kind");
  QTest::newRow("linear") << static_cast<int>(Interpolation::Linear);
  QTest::newRow("cubic") << static_cast<int>(Interpolation::Cubic);
}

void TestSlicePipeline::interpolation_equals_the_definition() {
  QFETCH(int, kind);
  const bool cubic = static_cast<Interpolation>(kind) == Interpolation::Cubic;
  const Volume image = noise(grid(), 2);
  SlicePipeline pipeline =
      make(image, PlaneKind::Coronal, 5, 7.0, plain(static_cast<Interpolation>(kind)));
  const QImage frame = pipeline.render();
  const PlaneAxes& axes = pipeline.axes();
  const auto weight = [&](double x) {
    x = std::abs(x);
    if (!cubic) return std::max(0.0, 1 - x);
    // Keys' kernel with a = -1/2.
    if (x <= 1) return 1.5 * x * x * x - 2.5 * x * x + 1;
    return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0.0;
  };
  for (int y = 0; y < frame.height(); y += 3) {
    for (int x = 0; x < frame.width(); x += 3) {
      const QPointF place = pipeline.transform().to_slice({x + 0.5, y + 0.5});
      double sum = 0;
      for (std::int64_t v = -2; v < axes.height() + 2; ++v) {
        for (std::int64_t u = -2; u < axes.width() + 2; ++u) {
          const Index3 voxel = axes.index_at(std::clamp<std::int64_t>(u, 0, axes.width() - 1),
                                             std::clamp<std::int64_t>(v, 0, axes.height() - 1), 5);
          sum += weight(place.x() - static_cast<double>(u)) *
                 weight(place.y() - static_cast<double>(v)) * image.value_at(voxel);
        }
      }
      const int expected = static_cast<int>(std::lround(std::clamp(sum, 0.0, 255.0)));
      QVERIFY2(near(qRed(frame.pixel(x, y)), expected), qPrintable(QString("%1, %2: %3, not %4")
                                                                       .arg(x)
                                                                       .arg(y)
                                                                       .arg(qRed(frame.pixel(x, y)))
                                                                       .arg(expected)));
    }
  }
}

void TestSlicePipeline::the_window_maps_its_ends_to_black_and_white() {
  Geometry geometry;
  geometry.size = {4, 1, 1};
  const Volume image(geometry, std::vector<std::int16_t>{-200, -160, 240, 600});
  DisplayState display = plain(Interpolation::Nearest);
  display.window = {40, 400};
  SlicePipeline pipeline = make(image, PlaneKind::Axial, 0, 10, display);
  QCOMPARE(qRed(at(pipeline, 0, 0)), 0);
  QCOMPARE(qRed(at(pipeline, 1, 0)), 0);
  QCOMPARE(qRed(at(pipeline, 2, 0)), 255);
  QCOMPARE(qRed(at(pipeline, 3, 0)), 255);
}

void TestSlicePipeline::inverted_is_the_negative() {
  const Volume image = noise(grid(), 3);
  DisplayState display = plain(Interpolation::Linear);
  SlicePipeline positive = make(image, PlaneKind::Axial, 2, 5, display);
  display.inverted = true;
  SlicePipeline negative = make(image, PlaneKind::Axial, 2, 5, display);
  const QImage a = positive.render();
  const QImage b = negative.render();
  // The last row lies half outside the slice and is black.
  for (int y = 0; y < a.height() - 1; ++y) {
    for (int x = 0; x < a.width(); ++x)
      QVERIFY(near(qRed(a.pixel(x, y)) + qRed(b.pixel(x, y)), 255));
  }
}

void TestSlicePipeline::a_checkerboard_shown_small_is_grey() {
  Geometry geometry;
  geometry.size = {256, 256, 1};
  std::vector<std::uint8_t> voxels(256 * 256);
  for (std::size_t i = 0; i < voxels.size(); ++i)
    voxels[i] = (i + i / 256) % 2 ? 255 : 0;
  for (const auto kind : {Interpolation::Linear, Interpolation::Cubic, Interpolation::Nearest}) {
    SlicePipeline pipeline = make(Volume(geometry, voxels), PlaneKind::Axial, 0, 0.23, plain(kind));
    const QImage frame = pipeline.render();
    for (int y = 4; y < frame.height() - 4; ++y) {
      for (int x = 4; x < frame.width() - 4; ++x)
        QVERIFY(std::abs(qRed(frame.pixel(x, y)) - 127) < 8);
    }
  }
}

void TestSlicePipeline::what_is_not_a_number_is_black() {
  Geometry geometry;
  geometry.size = {3, 1, 1};
  const Volume image(geometry, std::vector<float>{std::nanf(""), 1.0F, INFINITY});
  DisplayState display = plain(Interpolation::Nearest);
  display.window = {0.5, 1.0};
  SlicePipeline pipeline = make(image, PlaneKind::Axial, 0, 10, display);
  QCOMPARE(qRed(at(pipeline, 0, 0)), 0);
  QCOMPARE(qRed(at(pipeline, 1, 0)), 255);
  QCOMPARE(qRed(at(pipeline, 2, 0)), 255);
}

void TestSlicePipeline::colour_pictures_keep_their_colours() {
  Geometry geometry;
  geometry.size = {2, 1, 1};
  geometry.unit = LengthUnit::Pixel;
  const Volume image(geometry, std::vector<std::uint8_t>{10, 20, 30, 200, 100, 50}, 3);
  SlicePipeline pipeline = make(image, PlaneKind::Axial, 0, 10, plain(Interpolation::Nearest));
  QCOMPARE(at(pipeline, 0, 0), qRgb(10, 20, 30));
  QCOMPARE(at(pipeline, 1, 0), qRgb(200, 100, 50));
}

void TestSlicePipeline::labels_fill_and_outline() {
  SlicePipeline pipeline =
      make(constant(grid(), 100), PlaneKind::Axial, 3, 10, plain(Interpolation::Nearest));
  pipeline.set_labels({{1, "a", QColor(200, 0, 50), 1.0, true}});
  pipeline.set_result(box_label(grid(), 1, {{2, 2, 0}, {8, 8, 7}}));
  // 45 % of the label over 100.
  const QRgb inside = at(pipeline, 4, 4);
  QVERIFY(near(qRed(inside), 145) && near(qGreen(inside), 55));
  QVERIFY(near(qBlue(inside), static_cast<int>(std::lround(100 * 0.55 + 50 * 0.45))));
  QCOMPARE(at(pipeline, 1.7 - 1, 4), qRgb(100, 100, 100));
  // The voxel's left edge is at u = 1.5; the first pixels inside are the line.
  QCOMPARE(at(pipeline, 1.56, 4), qRgb(200, 0, 50));
}

void TestSlicePipeline::outline_only_leaves_the_image() {
  DisplayState display = plain(Interpolation::Nearest);
  display.overlay.outline_only = true;
  SlicePipeline pipeline = make(constant(grid(), 100), PlaneKind::Axial, 3, 10, display);
  pipeline.set_labels({{1, "a", QColor(200, 0, 50), 1.0, true}});
  pipeline.set_result(box_label(grid(), 1, {{2, 2, 0}, {8, 8, 7}}));
  QCOMPARE(at(pipeline, 4, 4), qRgb(100, 100, 100));
  QCOMPARE(at(pipeline, 1.56, 4), qRgb(200, 0, 50));
}

void TestSlicePipeline::objects_that_touch_have_each_a_line_of_one_pixel_data() {
  QTest::addColumn<double>("scale");
  for (const double scale : {0.13, 0.31, 0.5, 1.0, 1.7, 6.3})
    QTest::addRow("scale %g", scale) << scale;
}

void TestSlicePipeline::objects_that_touch_have_each_a_line_of_one_pixel() {
  QFETCH(double, scale);
  // Two adjacent objects with numbers far beyond the labels of any document.
  Geometry geometry;
  geometry.size = {120, 80, 1};
  constexpr std::uint16_t kLeft = 4001;
  constexpr std::uint16_t kRight = 4002;
  std::vector<std::uint16_t> labels(120 * 80, 0);
  for (std::size_t y = 10; y < 70; ++y) {
    for (std::size_t x = 20; x < 100; ++x)
      labels[y * 120 + x] = x < 60 ? kLeft : kRight;
  }
  DisplayState display = plain(Interpolation::Nearest);
  display.overlay.outline_only = true;
  SlicePipeline pipeline = make(constant(geometry, 100), PlaneKind::Axial, 0, scale, display);
  pipeline.set_labels({{1, "a", QColor(200, 0, 50), 1.0, true}});
  pipeline.set_result_styles(ResultStyles());
  pipeline.set_result(LabelMap(geometry, labels));
  const QImage frame = pipeline.render();
  const QRgb left = rgb_of(label_color(kLeft));
  const QRgb right = rgb_of(label_color(kRight));
  QVERIFY(left != right);
  // Across the middle: image, line, image, both lines, image, line, image.
  QList<std::pair<QRgb, int>> stretches;
  for (int x = 0; x < frame.width(); ++x) {
    const QRgb color = frame.pixel(x, frame.height() / 2);
    if (qRed(color) == 0 && qGreen(color) == 0 && qBlue(color) == 0) continue;  // beside the slice
    if (stretches.isEmpty() || stretches.back().first != color) stretches << std::pair(color, 0);
    ++stretches.back().second;
  }
  QList<QRgb> order;
  for (const auto& [color, count] : stretches) {
    order << color;
    if (color == left || color == right) QCOMPARE(count, 1);
  }
  const QRgb grey = qRgb(100, 100, 100);
  QCOMPARE(order, (QList<QRgb>{grey, left, grey, left, right, grey, right, grey}));
}

void TestSlicePipeline::lines_on_a_colour_picture_have_a_rim_that_is_seen_data() {
  QTest::addColumn<QColor>("line");
  QTest::addColumn<int>("rim");
  QTest::newRow("yellow") << QColor(240, 230, 60) << 0x10;
  QTest::newRow("cyan") << QColor(0, 255, 255) << 0x10;
  QTest::newRow("violet, as the picture") << QColor(96, 64, 148) << 0xF4;
}

void TestSlicePipeline::lines_on_a_colour_picture_have_a_rim_that_is_seen() {
  QFETCH(QColor, line);
  QFETCH(int, rim);
  constexpr std::uint16_t kObject = 30;
  Geometry geometry;
  geometry.size = {40, 20, 1};
  std::vector<std::uint8_t> rgb;
  std::vector<std::uint16_t> labels;
  for (int i = 0; i < 40 * 20; ++i) {
    rgb.insert(rgb.end(), {96, 64, 148});
    labels.push_back(i % 40 >= 10 && i % 40 < 30 ? kObject : 0);
  }
  DisplayState display = plain(Interpolation::Nearest);
  display.overlay.outline_only = true;
  SlicePipeline pipeline =
      make(Volume(geometry, std::move(rgb), 3), PlaneKind::Axial, 0, 1, display);
  // The number selects the colour of unlisted labels, in turn: 30 is the third of three.
  const Rgb color{static_cast<std::uint8_t>(line.red()), static_cast<std::uint8_t>(line.green()),
                  static_cast<std::uint8_t>(line.blue())};
  pipeline.set_result_styles(ResultStyles{.labels = {}, .others = {{}, {}, color}});
  pipeline.set_result(LabelMap(geometry, labels));
  const QRgb ground = qRgb(96, 64, 148);
  QCOMPARE(at(pipeline, 9, 10), ground);
  QCOMPARE(at(pipeline, 10, 10), line.rgb());
  QCOMPARE(at(pipeline, 11, 10), qRgb(rim, rim, rim));
  QCOMPARE(at(pipeline, 12, 10), ground);
  QCOMPARE(at(pipeline, 28, 10), qRgb(rim, rim, rim));
  QCOMPARE(at(pipeline, 29, 10), line.rgb());
}

void TestSlicePipeline::speckle_has_no_lines() {
  // A checkerboard of 1 and 2 beside a block of 3.
  Geometry geometry;
  geometry.size = {40, 20, 1};
  std::vector<std::uint16_t> labels(800);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t x = i % 40;
    labels[i] = x >= 20 ? 3 : static_cast<std::uint16_t>(1 + (x + i / 40) % 2);
  }
  const auto drawn = [&](double scale, bool outline_only) {
    DisplayState display = plain(Interpolation::Nearest);
    display.overlay.outline_only = outline_only;
    SlicePipeline pipeline = make(constant(geometry, 100), PlaneKind::Axial, 0, scale, display);
    pipeline.set_labels({{1, "a", QColor(200, 0, 50), 1.0, true},
                         {2, "b", QColor(0, 200, 50), 1.0, true},
                         {3, "c", QColor(0, 0, 200), 1.0, true}});
    pipeline.set_result(LabelMap(geometry, labels));
    return pipeline.render();
  };
  const auto has = [](const QImage& frame, QRgb color) {
    for (int y = 0; y < frame.height(); ++y) {
      for (int x = 0; x < frame.width(); ++x) {
        if (frame.pixel(x, y) == color) return true;
      }
    }
    return false;
  };
  const QImage small = drawn(2.0, false);
  QVERIFY(!has(small, qRgb(200, 0, 50)) && !has(small, qRgb(0, 200, 50)));
  QVERIFY(has(small, qRgb(0, 0, 200)));  // the block keeps its own line
  QVERIFY(has(drawn(10.0, false), qRgb(200, 0, 50)));
  // If only lines were requested, they are shown.
  QVERIFY(has(drawn(2.0, true), qRgb(200, 0, 50)));
}

void TestSlicePipeline::widths_of_regions_are_those_of_stripes() {
  Geometry geometry;
  geometry.size = {60, 48, 1};
  const PlaneAxes axes(geometry, PlaneKind::Axial, Convention::Radiological);
  for (const std::int64_t wide : {1, 3, 6}) {
    for (const int axis : {0, 1}) {
      SliceNumbers numbers;
      for (std::int64_t i = 0; i < geometry.voxel_count(); ++i)
        numbers.push_back(static_cast<std::uint16_t>(1 + geometry.index_of(i)[axis] / wide % 2));
      // One side of the outermost stripes is the image's border, which is not an edge.
      const std::vector<float> widths = region_widths(numbers, axes);
      const auto near_width = static_cast<float>(wide);
      QVERIFY(widths[1] >= near_width && widths[1] < near_width * 1.15F);
      QVERIFY(widths[2] >= near_width && widths[2] < near_width * 1.15F);
    }
  }
}

void TestSlicePipeline::labels_of_32_bits_are_numbered_as_they_are_met() {
  const Geometry small{.size = {3, 2, 1}};
  const PlaneAxes axes(small, PlaneKind::Axial, Convention::Radiological);
  const LabelMap wide(small, std::vector<Label>{0, 70000, 70000, 4294967295, 5, 70000});
  const SliceLabels cut = cut_slice(wide, axes, 0);
  QCOMPARE(cut.numbers, (SliceNumbers{0, 1, 1, 2, 3, 1}));
  QCOMPARE(cut.label_of, (std::vector<Label>{0, 70000, 4294967295, 5}));
  VoxelLayer layer{.numbers = cut.numbers, .label_of = cut.label_of};
  color_labels(layer, LabelPainter(std::vector<LabelStyle>{}), {});
  QCOMPARE(layer.line.at(2), rgb_of(label_color(4294967295)));
  // A patch: a label of the slice, one from elsewhere, and none.
  SliceLabels patched = cut;
  lay_over({.runs = {{0, 1, 70000}, {1, 3, 6}, {4, 5, 0}}, .box = Box::whole(small)}, axes, 0,
           patched);
  QCOMPARE(patched.numbers, (SliceNumbers{1, 4, 4, 2, 0, 1}));
  QCOMPARE(patched.label_of, (std::vector<Label>{0, 70000, 4294967295, 5, 6}));
  // More labels than numbers: they come round.
  const Geometry large{.size = {300, 300, 1}};
  std::vector<Label> labels(90000);
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<Label>(100000 + i);
  const SliceLabels many = cut_slice(
      LabelMap(large, labels), PlaneAxes(large, PlaneKind::Axial, Convention::Radiological), 0);
  for (std::size_t i = 0; i < labels.size(); ++i)
    QCOMPARE(many.numbers[i], static_cast<std::uint16_t>(i % 65535 + 1));
  QCOMPARE(many.label_of.size(), std::size_t{65536});
}

void TestSlicePipeline::hidden_labels_are_not_drawn() {
  SlicePipeline pipeline =
      make(constant(grid(), 100), PlaneKind::Axial, 3, 10, plain(Interpolation::Nearest));
  pipeline.set_result(box_label(grid(), 1, {{2, 2, 0}, {8, 8, 7}}));
  pipeline.set_labels({{1, "a", QColor(200, 0, 50), 1.0, false}});
  QCOMPARE(at(pipeline, 4, 4), qRgb(100, 100, 100));
  QCOMPARE(at(pipeline, 1.56, 4), qRgb(100, 100, 100));
}

void TestSlicePipeline::theta_cuts_the_strength() {
  const Geometry geometry = grid();
  std::vector<std::uint16_t> strength(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    strength[static_cast<std::size_t>(i)] =
        static_cast<std::uint16_t>(geometry.index_of(i)[0] * 256 + 1024);
  }
  DisplayState display = plain(Interpolation::Nearest);
  display.overlay.kind = OverlayKind::Map;
  display.overlay.opacity = 1.0;
  display.overlay.map.threshold = 0.5;
  SlicePipeline pipeline = make(constant(geometry, 100), PlaneKind::Axial, 3, 10, display);
  pipeline.set_map(
      {.name = "strength", .full = 4096.0, .volume = Volume(geometry, std::move(strength))});
  // Column 4 has 2048 = theta * 4096, which is not above it. Column 5 is above it.
  QCOMPARE(at(pipeline, 4, 4), qRgb(100, 100, 100));
  QCOMPARE(at(pipeline, 5, 4) | 0xFF000000U, color_table(ColorScheme::Viridis)[143]);
  QCOMPARE(at(pipeline, 12, 4) | 0xFF000000U, color_table(ColorScheme::Viridis)[255]);
  display.overlay.map.threshold = 0.25;
  pipeline.set_display(display);
  QCOMPARE(at(pipeline, 4, 4) | 0xFF000000U, color_table(ColorScheme::Viridis)[128]);
}

void TestSlicePipeline::the_reference_is_seen_on_black_and_on_white() {
  for (const int grey : {0, 255}) {
    SlicePipeline pipeline = make(constant(grid(), static_cast<std::uint8_t>(grey)),
                                  PlaneKind::Axial, 3, 10, plain(Interpolation::Nearest));
    pipeline.set_reference(box_label(grid(), 1, {{2, 2, 0}, {8, 8, 7}}));
    const QImage frame = pipeline.render();
    int seen = 0;
    for (int y = 0; y < frame.height(); ++y) {
      for (int x = 0; x < frame.width(); ++x)
        seen += qRed(frame.pixel(x, y)) != grey;
    }
    QVERIFY2(seen > 150, qPrintable(QString::number(seen)));
  }
}

void TestSlicePipeline::seeds_are_opaque_with_a_dark_rim() {
  SlicePipeline pipeline =
      make(constant(grid(), 100), PlaneKind::Axial, 3, 10, plain(Interpolation::Nearest));
  pipeline.set_labels({{2, "b", QColor(10, 220, 30), 0.2, true}});
  auto seeds = std::make_shared<SeedVoxels>();
  seeds->seeds = {{grid().offset({5, 5, 2}), 2}, {grid().offset({5, 5, 3}), 2}};
  pipeline.set_seeds(seeds);
  QCOMPARE(at(pipeline, 5, 5), qRgb(10, 220, 30));
  QCOMPARE(at(pipeline, 4.52, 5), qRgb(10, 220, 30));
  QVERIFY(qGreen(at(pipeline, 4.48, 5)) < 40);
  QCOMPARE(at(pipeline, 4, 5), qRgb(100, 100, 100));
}

void TestSlicePipeline::a_thin_stroke_shown_small_keeps_its_colour() {
  // Two screen pixels wide.
  SlicePipeline pipeline =
      make(constant(grid(), 100), PlaneKind::Axial, 3, 1, plain(Interpolation::Nearest));
  pipeline.set_labels({{2, "b", QColor(10, 220, 30), 0.2, true}});
  auto seeds = std::make_shared<SeedVoxels>();
  for (std::int64_t y = 1; y < 7; ++y) {
    for (const std::int64_t x : {4, 5})
      seeds->seeds.push_back({grid().offset({x, y, 3}), 2});
  }
  pipeline.set_seeds(seeds);
  for (const int u : {4, 5})
    QCOMPARE(at(pipeline, u, 4), qRgb(10, 220, 30));
  for (const int u : {3, 6})
    QVERIFY(qGreen(at(pipeline, u, 4)) < 40);
}

void TestSlicePipeline::seeds_keep_their_colours_under_a_result_with_its_own() {
  SlicePipeline pipeline =
      make(constant(grid(), 100), PlaneKind::Axial, 3, 10, plain(Interpolation::Nearest));
  pipeline.set_labels({{1, "a", QColor(200, 0, 50), 1.0, true}});
  auto seeds = std::make_shared<SeedVoxels>();
  seeds->seeds = {{grid().offset({5, 5, 3}), 1}};
  pipeline.set_seeds(seeds);
  pipeline.set_result(box_label(grid(), 1, {{2, 2, 0}, {8, 8, 7}}));
  (void)pipeline.render();
  // A comparison's numbers mean "both", "only A", not the label of that number.
  pipeline.set_result_styles(
      ResultStyles{.labels = {{1, "both", QColor(0, 250, 0), 1.0, true}}, .others = {}});
  QCOMPARE(at(pipeline, 1.56, 4), qRgb(0, 250, 0));
  QCOMPARE(at(pipeline, 5, 5), qRgb(200, 0, 50));
  pipeline.set_labels({{1, "a", QColor(10, 20, 230), 1.0, true}});
  QCOMPARE(at(pipeline, 1.56, 4), qRgb(0, 250, 0));
  QCOMPARE(at(pipeline, 5, 5), qRgb(10, 20, 230));
  pipeline.set_result_styles(std::nullopt);
  QCOMPARE(at(pipeline, 1.56, 4), qRgb(10, 20, 230));
}

void TestSlicePipeline::the_eraser_takes_seeds_away_at_once() {
  SlicePipeline pipeline =
      make(constant(grid(), 100), PlaneKind::Axial, 3, 10, plain(Interpolation::Nearest));
  pipeline.set_labels({{2, "b", QColor(10, 220, 30), 1.0, true}});
  auto seeds = std::make_shared<SeedVoxels>();
  seeds->seeds = {{grid().offset({5, 5, 3}), 2}, {grid().offset({9, 5, 3}), 2}};
  pipeline.set_seeds(seeds);
  (void)pipeline.render();
  Stroke eraser{0, 1.2, {grid().to_world(Index3{5, 5, 3})}, StrokePlane{{0, 0, 1}, 2.5}};
  pipeline.add_to_stroke(eraser);
  QCOMPARE(at(pipeline, 5, 5), qRgb(100, 100, 100));
  QCOMPARE(at(pipeline, 9, 5), qRgb(10, 220, 30));
  pipeline.clear_stroke();
  QCOMPARE(at(pipeline, 5, 5), qRgb(10, 220, 30));
}

void TestSlicePipeline::a_large_picture_looks_the_same_from_its_levels_data() {
  QTest::addColumn<double>("scale");
  QTest::addColumn<bool>("flipped");
  for (const double scale : {0.9, 0.45, 0.2, 0.11}) {
    for (const bool flipped : {false, true})
      QTest::addRow("scale %g%s", scale, flipped ? ", flipped" : "") << scale << flipped;
  }
}

void TestSlicePipeline::a_large_picture_looks_the_same_from_its_levels() {
  QFETCH(double, scale);
  QFETCH(bool, flipped);
  Geometry geometry;
  geometry.size = {2051, 1303, 1};
  // A slice whose columns run to the patient's right and whose rows run up is shown rotated.
  if (flipped) geometry.direction = {-1, 0, 0, 0, -1, 0, 0, 0, 1};
  std::vector<std::uint8_t> voxels;
  for (std::int64_t y = 0; y < geometry.size[1]; ++y) {
    for (std::int64_t x = 0; x < geometry.size[0]; ++x) {
      const double wave =
          std::sin(static_cast<double>(x) / 90) + std::sin(static_cast<double>(y) / 120);
      voxels.push_back(static_cast<std::uint8_t>(128 + 60 * wave));
    }
  }
  const Volume image(geometry, std::move(voxels));
  const std::vector<Volume> levels = picture_levels(image);
  QVERIFY(levels.size() >= 2);
  SlicePipeline whole = make(image, PlaneKind::Axial, 0, scale, plain(Interpolation::Cubic));
  SlicePipeline leveled = make(image, PlaneKind::Axial, 0, scale, plain(Interpolation::Cubic));
  leveled.set_image(image, levels);
  const QImage expected = whole.render();
  const QImage seen = leveled.render();
  QCOMPARE(seen.size(), expected.size());
  for (int y = 0; y < seen.height(); ++y) {
    for (int x = 0; x < seen.width(); ++x) {
      if (std::abs(qRed(seen.pixel(x, y)) - qRed(expected.pixel(x, y))) > 3) {
        QFAIL(qPrintable(QStringLiteral("pixel %1, %2: %3 instead of %4")
                             .arg(x)
                             .arg(y)
                             .arg(qRed(seen.pixel(x, y)))
                             .arg(qRed(expected.pixel(x, y)))));
      }
    }
  }
}

void TestSlicePipeline::a_change_draws_what_drawing_all_would_data() {
  QTest::addColumn<int>("plane");
  QTest::addColumn<unsigned>("seed");
  QTest::addColumn<double>("scale");
  // At the smaller scale a change may remove the lines of all regions of a label.
  for (int plane = 0; plane < 3; ++plane) {
    for (unsigned seed = 1; seed <= 8; ++seed) {
      for (const double scale : {2.5, 6.3})
        QTest::addRow("plane %d, seed %u, scale %g", plane, seed, scale) << plane << seed << scale;
    }
  }
}

void TestSlicePipeline::a_change_draws_what_drawing_all_would() {
  QFETCH(int, plane);
  QFETCH(unsigned, seed);
  QFETCH(double, scale);
  std::mt19937 random(seed);
  const Geometry geometry = grid();
  const Volume image = noise(geometry, seed);
  const auto kind = static_cast<PlaneKind>(plane);
  DisplayState display = plain(Interpolation::Cubic);
  SlicePipeline changing = make(image, kind, 3, scale, display);
  std::vector<Stroke> strokes;
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()), 0);
  LabelMap result(geometry, labels);
  std::shared_ptr<const LabelPatch> patch;
  changing.set_result(result);
  std::int64_t slice = 3;
  for (int step = 0; step < 12; ++step) {
    switch (random() % 6) {
      case 0: {  // new labels in a box
        const Box box = random_box(geometry, random);
        for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
          const Index3 index = geometry.index_of(i);
          bool inside = true;
          for (int axis = 0; axis < 3; ++axis)
            inside = inside && index[axis] >= box.lo[axis] && index[axis] < box.hi[axis];
          if (inside)
            labels[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(random() % 3);
        }
        result = LabelMap(geometry, labels, box);
        patch.reset();
        changing.set_result(result);
        break;
      }
      case 4:  // a patch over the labels, or none
        patch = patch && random() % 2 == 0 ? nullptr : random_patch(geometry, random);
        changing.set_result(result, patch);
        break;
      case 1: {  // a part of a stroke
        const auto point = [&] {
          return geometry.to_world(Vec3{static_cast<double>(random() % 13),
                                        static_cast<double>(random() % 11),
                                        static_cast<double>(random() % 7)});
        };
        strokes.push_back({static_cast<std::uint16_t>(random() % 3), 1.5, {point(), point()}, {}});
        changing.add_to_stroke(strokes.back());
        break;
      }
      case 2:
        slice = static_cast<std::int64_t>(random() % 7);
        changing.set_slice(slice);
        break;
      case 3:
        display.overlay.outline_only = !display.overlay.outline_only;
        changing.set_display(display);
        break;
      default:
        display.window.width = 100.0 + static_cast<double>(random() % 300);
        changing.set_display(display);
        break;
    }
    SlicePipeline fresh = make(image, kind, slice, scale, display);
    fresh.set_result(patch ? with_patch(result, *patch) : result);
    for (const Stroke& stroke : strokes)
      fresh.add_to_stroke(stroke);
    QCOMPARE(changing.render(), fresh.render());
  }
}

QTEST_GUILESS_MAIN(TestSlicePipeline)
#include "test_slice_pipeline.moc"
