// SPDX-License-Identifier: Apache-2.0
#include "ui/views/plane_axes.h"
#include "ui/views/slice_transform.h"

#include <QTest>

#include <cmath>

using namespace seedwave;
using namespace seedwave::ui;

class TestPlaneAxes : public QObject {
  Q_OBJECT
 private slots:
  void a_turn_moves_what_is_right_down_and_a_mirror_what_is_right_left() {
    Geometry grid;
    grid.size = {7, 4, 1};
    const PlaneAxes axes(grid, PlaneKind::Axial, Convention::Radiological, false);
    const PlaneAxes right = axes.turned({.quarters = 1});
    QCOMPARE(right.width(), 4);
    QCOMPARE(right.height(), 7);
    // The lower left corner is now at the top left, the upper left one at the top right.
    QCOMPARE(right.index_at(0, 0, 0), (Index3{0, 3, 0}));
    QCOMPARE(right.index_at(3, 0, 0), (Index3{0, 0, 0}));
    QCOMPARE(right.index_at(3, 6, 0), (Index3{6, 0, 0}));
    const PlaneAxes around = axes.turned({.quarters = 2});
    QCOMPARE(around.index_at(0, 0, 0), (Index3{6, 3, 0}));
    QCOMPARE(axes.turned({.mirrored = true}).index_at(0, 1, 0), (Index3{6, 1, 0}));
    // Four quarters, and two mirrors, change nothing.
    for (const bool mirrored : {false, true}) {
      for (int quarters = 0; quarters < 4; ++quarters) {
        const PlaneAxes once = axes.turned({.quarters = quarters, .mirrored = mirrored});
        const PlaneAxes back =
            once.turned({.quarters = 4 - quarters}).turned({.mirrored = mirrored});
        for (std::int64_t v = 0; v < 4; ++v) {
          for (std::int64_t u = 0; u < 7; ++u)
            QCOMPARE(back.index_at(u, v, 0), (Index3{u, v, 0}));
        }
        const Vec3 at = once.slice_coordinates(once.world_at(1.25, 2.5, 0));
        QVERIFY(std::abs(at[0] - 1.25) < 1e-12 && std::abs(at[1] - 2.5) < 1e-12);
      }
    }
  }

  void letters_of_directions_data();
  void letters_of_directions();
  void every_axis_order_is_shown_alike_data();
  void every_axis_order_is_shown_alike();
  void oblique_planes_have_compound_letters();
  void neurological_swaps_left_and_right_only();
  void pictures_are_shown_as_stored();
  void pictures_with_a_scale_but_no_place_have_no_sides();
  void one_sagittal_slice_is_shown_as_sagittal();
  void coordinates_go_there_and_back();
  void strides_lead_to_the_same_voxels();
  void zooming_keeps_what_is_under_the_pointer();
  void pixels_have_the_voxels_proportions();
};

namespace {

/// Returns a grid whose axes are the patient's axes in `order`, with `signs`.
Geometry grid(const std::array<int, 3>& order, const std::array<int, 3>& signs) {
  Geometry geometry;
  geometry.size = {4, 5, 6};
  geometry.spacing = {1.0, 1.5, 2.0};
  geometry.origin = {7, -8, 9};
  geometry.direction = {};
  for (int axis = 0; axis < 3; ++axis)
    geometry.direction[3 * order[axis] + axis] = signs[axis];
  return geometry;
}

}  // namespace

void TestPlaneAxes::letters_of_directions_data() {
  QTest::addColumn<double>("x");
  QTest::addColumn<double>("y");
  QTest::addColumn<double>("z");
  QTest::addColumn<QString>("letters");
  QTest::newRow("left") << 1.0 << 0.0 << 0.0 << "L";
  QTest::newRow("below cos 0.1") << 0.995 << 0.09 << -0.05 << "L";
  QTest::newRow("above cos 0.1") << 0.99 << -0.11 << 0.0 << "LA";
  QTest::newRow("largest first") << -0.6 << 0.79 << 0.12 << "PRS";
  QTest::newRow("down") << 0.0 << 0.0 << -1.0 << "I";
}

void TestPlaneAxes::letters_of_directions() {
  QFETCH(double, x);
  QFETCH(double, y);
  QFETCH(double, z);
  QTEST(side_letters({x, y, z}, HeadFootLetters::SuperiorInferior), "letters");
}

void TestPlaneAxes::every_axis_order_is_shown_alike_data() {
  QTest::addColumn<int>("order");
  QTest::addColumn<int>("signs");
  for (int order = 0; order < 6; ++order) {
    for (int signs = 0; signs < 8; ++signs)
      QTest::addRow("order %d, signs %d", order, signs) << order << signs;
  }
}

void TestPlaneAxes::every_axis_order_is_shown_alike() {
  QFETCH(int, order);
  QFETCH(int, signs);
  std::array<int, 3> axes{0, 1, 2};
  for (int i = 0; i < order; ++i)
    std::next_permutation(axes.begin(), axes.end());
  const Geometry geometry =
      grid(axes, {signs & 1 ? -1 : 1, signs & 2 ? -1 : 1, signs & 4 ? -1 : 1});
  const auto sides = [&](PlaneKind plane) {
    const PlaneAxes::Sides s = PlaneAxes(geometry, plane, Convention::Radiological)
                                   .sides(HeadFootLetters::SuperiorInferior);
    return s.left + s.right + s.top + s.bottom;
  };
  // Patient's right at screen left; seen from the feet, from the front, with anterior at left.
  QCOMPARE(sides(PlaneKind::Axial), QString("RLAP"));
  QCOMPARE(sides(PlaneKind::Coronal), QString("RLSI"));
  QCOMPARE(sides(PlaneKind::Sagittal), QString("APSI"));
}

void TestPlaneAxes::oblique_planes_have_compound_letters() {
  Geometry geometry = grid({0, 1, 2}, {1, 1, 1});
  const double c = std::cos(0.3);
  const double s = std::sin(0.3);
  geometry.direction = {1, 0, 0, 0, c, -s, 0, s, c};
  const PlaneAxes axes(geometry, PlaneKind::Axial, Convention::Radiological);
  const PlaneAxes::Sides sides = axes.sides(HeadFootLetters::HeadFoot);
  QCOMPARE(sides.left, QString("R"));
  QCOMPARE(sides.top, QString("AF"));
  QCOMPARE(sides.bottom, QString("PH"));
}

void TestPlaneAxes::neurological_swaps_left_and_right_only() {
  const Geometry geometry = grid({0, 1, 2}, {1, 1, 1});
  const auto sides = [&](PlaneKind plane) {
    const PlaneAxes::Sides s = PlaneAxes(geometry, plane, Convention::Neurological)
                                   .sides(HeadFootLetters::SuperiorInferior);
    return s.left + s.right + s.top + s.bottom;
  };
  QCOMPARE(sides(PlaneKind::Axial), QString("LRAP"));
  QCOMPARE(sides(PlaneKind::Coronal), QString("LRSI"));
  QCOMPARE(sides(PlaneKind::Sagittal), QString("APSI"));
}

void TestPlaneAxes::pictures_are_shown_as_stored() {
  Geometry geometry = grid({0, 1, 2}, {-1, -1, 1});
  geometry.size[2] = 1;
  geometry.unit = LengthUnit::Pixel;
  const PlaneAxes axes(geometry, PlaneKind::Coronal, Convention::Radiological);
  QVERIFY(!axes.has_sides());
  QVERIFY(axes.sides(HeadFootLetters::SuperiorInferior).left.isEmpty());
  QCOMPARE(axes.index_at(1, 2, 0), (Index3{1, 2, 0}));
}

void TestPlaneAxes::pictures_with_a_scale_but_no_place_have_no_sides() {
  Geometry radiograph;
  radiograph.size = {5, 4, 1};
  radiograph.spacing = {0.2, 0.2, 1.0};
  const PlaneAxes axes(radiograph, PlaneKind::Coronal, Convention::Neurological, false);
  QVERIFY(!axes.has_sides());
  QCOMPARE(axes.plane(), PlaneKind::Axial);
  QCOMPARE(axes.index_at(0, 0, 0), (Index3{0, 0, 0}));
  QCOMPARE(axes.index_at(4, 3, 0), (Index3{4, 3, 0}));
}

void TestPlaneAxes::one_sagittal_slice_is_shown_as_sagittal() {
  Geometry geometry = grid({1, 2, 0}, {1, -1, 1});
  geometry.size[2] = 1;
  const PlaneAxes axes(geometry, PlaneKind::Axial, Convention::Radiological);
  QCOMPARE(axes.plane(), PlaneKind::Sagittal);
  QCOMPARE(axes.slice_count(), std::int64_t{1});
  QCOMPARE(axes.sides(HeadFootLetters::SuperiorInferior).top, QString("S"));
}

void TestPlaneAxes::coordinates_go_there_and_back() {
  const Geometry geometry = grid({2, 0, 1}, {-1, 1, -1});
  for (const PlaneKind plane : {PlaneKind::Axial, PlaneKind::Coronal, PlaneKind::Sagittal}) {
    const PlaneAxes axes(geometry, plane, Convention::Radiological);
    for (std::int64_t k = 0; k < axes.slice_count(); ++k) {
      const Vec3 world = axes.world_at(1.25, 0.5, static_cast<double>(k));
      const Vec3 back = axes.slice_coordinates(world);
      QVERIFY(std::abs(back[0] - 1.25) < 1e-9 && std::abs(back[1] - 0.5) < 1e-9);
      QCOMPARE(axes.slice_of(world), k);
      QCOMPARE(geometry.nearest_index(axes.world_at(2, 1, static_cast<double>(k))),
               axes.index_at(2, 1, k));
    }
  }
}

void TestPlaneAxes::strides_lead_to_the_same_voxels() {
  const Geometry geometry = grid({1, 2, 0}, {-1, 1, -1});
  for (const PlaneKind plane : {PlaneKind::Axial, PlaneKind::Coronal, PlaneKind::Sagittal}) {
    const PlaneAxes axes(geometry, plane, Convention::Radiological);
    for (std::int64_t v = 0; v < axes.height(); ++v) {
      for (std::int64_t u = 0; u < axes.width(); ++u) {
        QCOMPARE(axes.start(2) + u * axes.right_stride() + v * axes.down_stride(),
                 geometry.offset(axes.index_at(u, v, 2)));
      }
    }
  }
}

void TestPlaneAxes::zooming_keeps_what_is_under_the_pointer() {
  const PlaneAxes axes(grid({0, 1, 2}, {1, 1, 1}), PlaneKind::Coronal, Convention::Radiological);
  const QSize device(401, 300);
  const QPointF pointer(120.5, 77);
  SliceCamera camera{1.3, 0.4, -0.2};
  const QPointF before = SliceTransform(axes, camera, device).to_slice(pointer);
  for (const double factor : {1.2, 0.5, 3.0}) {
    camera = zoomed_about(axes, camera, device, factor, pointer);
    const QPointF now = SliceTransform(axes, camera, device).to_slice(pointer);
    QVERIFY(std::abs(now.x() - before.x()) < 1e-9 && std::abs(now.y() - before.y()) < 1e-9);
  }
}

void TestPlaneAxes::pixels_have_the_voxels_proportions() {
  const PlaneAxes axes(grid({0, 1, 2}, {1, 1, 1}), PlaneKind::Sagittal, Convention::Radiological);
  const SliceTransform transform(axes, {}, {500, 300});
  // y spacing 1.5 runs right, z spacing 2 down: 7.5 mm by 12 mm, so the height limits the scale.
  QVERIFY(std::abs(transform.v_pixels / transform.u_pixels - 2.0 / 1.5) < 1e-12);
  QVERIFY(std::abs(6 * transform.v_pixels - 300) < 1e-9);
}

QTEST_GUILESS_MAIN(TestPlaneAxes)
#include "test_plane_axes.moc"
