// SPDX-License-Identifier: Apache-2.0
#include "ui/tools/brush.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace seedwave;
using namespace seedwave::ui;

class TestBrush : public QObject {
  Q_OBJECT
 private slots:
  void a_fast_stroke_has_no_gaps();
  void parts_shown_cover_what_the_stroke_covers();
  void a_slow_hand_makes_few_points_and_ends_where_it_stopped();
  void a_disc_stays_in_its_slice_and_a_sphere_does_not();
  void the_eraser_has_label_0();
  void sizes_change_by_a_fifth_within_bounds();
};

namespace {

Geometry grid() {
  Geometry geometry;
  geometry.size = {60, 50, 9};
  geometry.spacing = {0.7, 0.9, 2.0};
  geometry.origin = {-20, 5, 3};
  return geometry;
}

PaintPlane plane() {
  return {{0, 0, 1}, 2.0};
}

}  // namespace

void TestBrush::a_fast_stroke_has_no_gaps() {
  const Geometry geometry = grid();
  StrokeBuilder builder({.label = 1, .radius_mm = 0.5}, 1, plane(),
                        geometry.to_world(Vec3{3, 3, 4}));
  QVERIFY(builder.add(geometry.to_world(Vec3{55, 40, 4})));
  const auto offsets = rasterise(builder.stroke(), geometry);
  // From one end to the other through 8-neighbours.
  std::set<std::int64_t> left(offsets.begin(), offsets.end());
  std::vector<std::int64_t> open{geometry.offset({3, 3, 4})};
  QVERIFY(left.erase(open.front()) == 1);
  while (!open.empty()) {
    const Index3 at = geometry.index_of(open.back());
    open.pop_back();
    for (std::int64_t dy = -1; dy <= 1; ++dy) {
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        const std::int64_t next = geometry.offset({at[0] + dx, at[1] + dy, at[2]});
        if (left.erase(next) == 1) open.push_back(next);
      }
    }
  }
  QVERIFY2(left.empty(), qPrintable(QString("%1 voxels apart").arg(left.size())));
}

void TestBrush::parts_shown_cover_what_the_stroke_covers() {
  const Geometry geometry = grid();
  StrokeBuilder builder({.label = 2, .radius_mm = 2.0}, 2, plane(),
                        geometry.to_world(Vec3{10, 10, 4}));
  std::set<std::int64_t> shown;
  const auto show = [&](const Stroke& part) {
    for (const std::int64_t offset : rasterise(part, geometry))
      shown.insert(offset);
  };
  show(builder.stroke());
  for (int i = 1; i < 100; ++i) {
    const double angle = i * 0.06;
    const Vec3 point =
        geometry.to_world(Vec3{25 + 15 * std::cos(angle), 25 + 15 * std::sin(angle), 4});
    if (const auto part = builder.add(point)) show(*part);
  }
  const auto offsets = rasterise(builder.stroke(), geometry);
  const std::set<std::int64_t> painted(offsets.begin(), offsets.end());
  QVERIFY(std::includes(painted.begin(), painted.end(), shown.begin(), shown.end()));
  // The last part of the path may be left out until the stroke ends: less than a quarter radius.
  QVERIFY(painted.size() - shown.size() < painted.size() / 50);
}

void TestBrush::a_slow_hand_makes_few_points_and_ends_where_it_stopped() {
  StrokeBuilder builder({.label = 1, .radius_mm = 4.0}, 1, plane(), {0, 0, 0});
  for (int i = 1; i <= 1005; ++i)
    (void)builder.add({i * 0.01, 0, 0});
  const Stroke stroke = builder.stroke();
  QVERIFY(stroke.points.size() <= 13);
  QCOMPARE(stroke.points.back()[0], 10.05);
}

void TestBrush::a_disc_stays_in_its_slice_and_a_sphere_does_not() {
  const Geometry geometry = grid();
  for (const BrushShape shape : {BrushShape::Disc, BrushShape::Sphere}) {
    const StrokeBuilder builder({.label = 1, .radius_mm = 3.0, .shape = shape}, 1, plane(),
                                geometry.to_world(Vec3{20, 20, 4}));
    std::set<std::int64_t> slices;
    for (const std::int64_t offset : rasterise(builder.stroke(), geometry))
      slices.insert(geometry.index_of(offset)[2]);
    QCOMPARE(slices.size(), shape == BrushShape::Disc ? std::size_t{1} : std::size_t{3});
  }
}

void TestBrush::the_eraser_has_label_0() {
  const StrokeBuilder builder({.label = 3}, 0, plane(), {0, 0, 0});
  QCOMPARE(builder.stroke().label, std::uint16_t{0});
}

void TestBrush::sizes_change_by_a_fifth_within_bounds() {
  const Brush brush{.label = 1, .radius_mm = 5.0};
  QCOMPARE(brush.resized(1).radius_mm, 6.0);
  QCOMPARE(brush.resized(1).resized(-1).radius_mm, 5.0);
  QCOMPARE(brush.resized(1000).radius_mm, brush.sizes.largest_mm);
  QCOMPARE(brush.resized(-1000).radius_mm, brush.sizes.smallest_mm);
}

QTEST_GUILESS_MAIN(TestBrush)
#include "test_brush.moc"
