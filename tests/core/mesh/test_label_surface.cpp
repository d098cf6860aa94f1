// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/mesh/cube_cases.h"
#include "core/mesh/label_surface.h"
#include "core/parallel/label_boxes.h"
#include "tests/core/mesh/measured_surface.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stop_token>
#include <vector>

using namespace seedwave;

class TestLabelSurface : public QObject {
  Q_OBJECT
 private slots:
  void boxes_are_those_of_a_search();
  void cases_cut_every_changing_edge();
  void voxel_faces_enclose_the_voxels_exactly();
  void voxel_faces_enclose_the_voxels_exactly_data();
  void smooth_surfaces_of_noise_are_closed();
  void smooth_surfaces_of_noise_are_closed_data();
  void a_smooth_ball_has_its_volume_on_every_grid();
  void a_smooth_ball_has_its_volume_on_every_grid_data();
  void a_flipped_grid_gives_the_mirrored_surface();
  void faces_lie_on_the_sides_of_the_voxel();
  void a_limit_reduces_the_surface();
  void a_stop_ends_it();
};

namespace {

Geometry grid(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  Geometry geometry;
  geometry.size = {nx, ny, nz};
  geometry.spacing = {0.8, 1.0, 1.4};
  geometry.origin = {-31.5, 12.25, 7};
  return geometry;
}

/// The axes turned by 30 degrees about z and 20 about x.
Geometry oblique(Geometry geometry) {
  const double a = 0.5235987755982988;
  const double b = 0.3490658503988659;
  geometry.direction = {std::cos(a),
                        -std::sin(a) * std::cos(b),
                        std::sin(a) * std::sin(b),
                        std::sin(a),
                        std::cos(a) * std::cos(b),
                        -std::cos(a) * std::sin(b),
                        0,
                        std::sin(b),
                        std::cos(b)};
  return geometry;
}

/// The first axis the other way round: a left-handed grid.
Geometry flipped(Geometry geometry) {
  for (const int i : {0, 3, 6})
    geometry.direction[static_cast<std::size_t>(i)] *= -1;
  return geometry;
}

void add_grids() {
  QTest::addColumn<Geometry>("geometry");
  const Geometry plain = grid(34, 27, 22);
  QTest::newRow("axial") << plain;
  QTest::newRow("oblique") << oblique(plain);
  QTest::newRow("flipped") << flipped(plain);
  QTest::newRow("oblique and flipped") << flipped(oblique(plain));
}

template <typename LabelAt>
LabelMap labels_where(const Geometry& geometry, LabelAt&& label_at) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i)
    labels[static_cast<std::size_t>(i)] =
        static_cast<std::uint16_t>(label_at(geometry.index_of(i)));
  return {geometry, std::move(labels)};
}

/// Random labels 0 to 2, without any order: every case of a cube occurs.
LabelMap noise(const Geometry& geometry, unsigned seed, int share_in_ten) {
  std::mt19937 random(seed);
  return labels_where(geometry, [&](const Index3&) {
    return static_cast<int>(random() % 10) < share_in_ten ? 1 : static_cast<int>(random() % 2) * 2;
  });
}

double voxels_of(const LabelMap& map, Label label) {
  return static_cast<double>(std::count(map.labels().begin(), map.labels().end(), label));
}

Surface smooth(const LabelMap& map, Label label, const SurfaceLimits& limits = {}) {
  return smooth_surface(map, label, box_of(map, label), limits, {});
}

Surface faces(const LabelMap& map, Label label) {
  return voxel_faces(map, label, box_of(map, label), {});
}

}  // namespace

void TestLabelSurface::boxes_are_those_of_a_search() {
  const Geometry geometry = grid(9, 8, 7);
  const LabelMap map = labels_where(geometry, [](const Index3& i) {
    return (i[0] * 7 + i[1] * 5 + i[2] * 3) % 11 == 0 ? i[1] % 4 : 0;
  });
  std::map<Label, Box> expected;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    if (map.at(at) != 0) expected.try_emplace(map.at(at), Box{at, at}).first->second.include(at);
  }
  QVERIFY(!expected.empty());
  Context context;
  QCOMPARE(label_boxes(map, context), expected);
}

void TestLabelSurface::cases_cut_every_changing_edge() {
  for (unsigned inside = 0; inside < 256; ++inside) {
    std::vector<int> used(12, 0);
    const CubeCase& found = cube_cases()[inside];
    for (const auto& triangle : found.triangles) {
      for (const std::uint8_t corner : triangle) {
        QVERIFY(corner < 12 + found.centred.size());
        if (corner < 12) used[corner] = 1;
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      for (unsigned corner = 0; corner < 8; ++corner) {
        if ((corner >> axis & 1U) != 0) continue;
        const unsigned other = corner | 1U << axis;
        const unsigned u = corner >> (axis + 1) % 3 & 1U;
        const unsigned v = corner >> (axis + 2) % 3 & 1U;
        const bool cut = (inside >> corner & 1U) != (inside >> other & 1U);
        QCOMPARE(used[4 * static_cast<unsigned>(axis) + u + 2 * v], cut ? 1 : 0);
      }
    }
  }
}

void TestLabelSurface::voxel_faces_enclose_the_voxels_exactly_data() {
  add_grids();
}

void TestLabelSurface::voxel_faces_enclose_the_voxels_exactly() {
  QFETCH(Geometry, geometry);
  for (const int share : {1, 5, 9}) {
    const LabelMap map = noise(geometry, 7, share);
    for (const Label label : {1U, 2U}) {
      const MeasuredSurface measured = measure(faces(map, label));
      QCOMPARE(measured.open_edges, 0);
      QCOMPARE(measured.degenerate, 0);
      const double expected = voxels_of(map, label) * geometry.voxel_volume();
      // Points have 24 bits.
      QVERIFY2(std::abs(measured.volume / expected - 1) < 1e-5,
               qPrintable(QString("%1, not %2").arg(measured.volume).arg(expected)));
    }
  }
  const LabelMap whole = labels_where(geometry, [](const Index3&) { return 1; });
  const Surface box = faces(whole, 1);
  QCOMPARE(box.triangles.size(), std::size_t{2} * 2 * (34 * 27 + 34 * 22 + 27 * 22));
  QCOMPARE(measure(box).shared_edges, 0);
}

void TestLabelSurface::smooth_surfaces_of_noise_are_closed_data() {
  add_grids();
}

void TestLabelSurface::smooth_surfaces_of_noise_are_closed() {
  QFETCH(Geometry, geometry);
  for (const int share : {1, 3, 5, 7, 9}) {
    const LabelMap map = noise(geometry, 11, share);
    for (const Label label : {1U, 2U}) {
      const MeasuredSurface measured = measure(smooth(map, label));
      QCOMPARE(measured.open_edges, 0);
      QCOMPARE(measured.shared_edges, 0);
      QCOMPARE(measured.degenerate, 0);
      QVERIFY(measured.volume > 0);
    }
  }
}

void TestLabelSurface::a_smooth_ball_has_its_volume_on_every_grid_data() {
  add_grids();
}

void TestLabelSurface::a_smooth_ball_has_its_volume_on_every_grid() {
  QFETCH(Geometry, geometry);
  const Vec3 centre = geometry.to_world(Index3{17, 13, 11});
  const double radius = 11;
  const LabelMap map = labels_where(geometry, [&](const Index3& index) {
    const Vec3 at = geometry.to_world(index);
    return std::hypot(at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]) <= radius ? 3 : 0;
  });
  const Surface surface = smooth(map, 3);
  const MeasuredSurface measured = measure(surface);
  QCOMPARE(measured.shared_edges, 0);
  const double expected = voxels_of(map, 3) * geometry.voxel_volume();
  QVERIFY2(std::abs(measured.volume / expected - 1) < 0.002,
           qPrintable(QString("%1 of %2").arg(measured.volume).arg(expected)));
  QCOMPARE(surface.normals.size(), surface.points.size());
  for (std::size_t i = 0; i < surface.points.size(); ++i) {
    const Surface::Point& point = surface.points[i];
    const Surface::Point& normal = surface.normals[i];
    const double cosine = ((point[0] - centre[0]) * normal[0] + (point[1] - centre[1]) * normal[1] +
                           (point[2] - centre[2]) * normal[2]) /
                          radius;
    QVERIFY(cosine > 0.8 && cosine < 1.1);
    const double away =
        std::hypot(point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]);
    QVERIFY(std::abs(away - radius) < 0.7);
  }
}

void TestLabelSurface::a_flipped_grid_gives_the_mirrored_surface() {
  Geometry plain = grid(20, 18, 16);
  plain.origin = {0, 0, 0};
  const LabelMap map = noise(plain, 5, 4);
  const LabelMap mirrored = map.on_grid(flipped(plain));
  for (const auto make :
       {faces, +[](const LabelMap&of, Label label) { return smooth(of, label); }}) {
    const Surface a = make(map, 1);
    const Surface b = make(mirrored, 1);
    QCOMPARE(a.points.size(), b.points.size());
    for (std::size_t i = 0; i < a.points.size(); ++i)
      QCOMPARE(b.points[i], (Surface::Point{-a.points[i][0], a.points[i][1], a.points[i][2]}));
    QVERIFY(std::abs(measure(a).volume - measure(b).volume) < 1e-6 * measure(a).volume);
  }
}

void TestLabelSurface::faces_lie_on_the_sides_of_the_voxel() {
  const Geometry geometry = grid(5, 6, 7);
  const LabelMap map = labels_where(geometry, [](const Index3& i) {
    return i == Index3{4, 0, 3} ? 9 : 0;
  });
  const Surface surface = faces(map, 9);
  QCOMPARE(surface.points.size(), std::size_t{8});
  QCOMPARE(surface.triangles.size(), std::size_t{12});
  const Vec3 centre = geometry.to_world(Index3{4, 0, 3});
  for (const Surface::Point& point : surface.points) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      QVERIFY(std::abs(std::abs(point[axis] - centre[axis]) - geometry.spacing[axis] / 2) < 1e-5);
  }
}

void TestLabelSurface::a_limit_reduces_the_surface() {
  const Geometry geometry = grid(60, 60, 60);
  const LabelMap map = labels_where(geometry, [](const Index3& i) {
    return i[0] > 8 && i[0] < 50 && i[1] > 8 && i[1] < 50 && i[2] > 8 && i[2] < 50 ? 1 : 0;
  });
  const Surface full = smooth(map, 1);
  const Surface few = smooth(map, 1, {.triangles = 3000});
  const Surface small = smooth(map, 1, {.cells = 30'000});
  QVERIFY(full.triangles.size() > 20'000);
  QVERIFY(few.triangles.size() <= 3000);
  QVERIFY(small.triangles.size() < full.triangles.size() / 3);
  for (const Surface& each : {full, few, small}) {
    QCOMPARE(measure(each).shared_edges, 0);
    QVERIFY(std::abs(measure(each).volume / measure(full).volume - 1) < 0.1);
  }
}

void TestLabelSurface::a_stop_ends_it() {
  const LabelMap map = noise(grid(20, 20, 20), 1, 5);
  std::stop_source stop;
  stop.request_stop();
  const Box box = box_of(map, 1);
  QVERIFY_EXCEPTION_THROWN((void)smooth_surface(map, 1, box, {}, stop.get_token()), Cancelled);
  QVERIFY_EXCEPTION_THROWN((void)voxel_faces(map, 1, box, stop.get_token()), Cancelled);
}

QTEST_GUILESS_MAIN(TestLabelSurface)
#include "test_label_surface.moc"
