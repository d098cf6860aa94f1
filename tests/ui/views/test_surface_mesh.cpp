// SPDX-License-Identifier: Apache-2.0
#include "core/mesh/label_surface.h"
#include "ui/views/surface_builder.h"
#include "ui/views/surface_mesh.h"

#include <QTest>
#include <vtkCellArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>

using namespace seedwave;
using namespace seedwave::ui;

class TestSurfaceMesh : public QObject {
  Q_OBJECT
 private slots:
  void a_balls_surface_is_closed_and_of_its_volume();
  void touching_the_edge_it_still_closes();
  void it_stays_within_a_voxel_of_the_label();
  void one_voxel_and_thin_sheets_are_kept();
  void a_stop_ends_it();
  void the_newest_labels_win();
  void untouched_labels_keep_their_surface();
};

namespace {

Geometry grid(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  Geometry geometry;
  geometry.size = {nx, ny, nz};
  geometry.spacing = {0.8, 1.0, 1.4};
  return geometry;
}

template <typename Inside>
LabelMap labels_where(const Geometry& geometry, Inside&& label_at) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i)
    labels[static_cast<std::size_t>(i)] = label_at(geometry.index_of(i));
  return {geometry, std::move(labels)};
}

LabelMap ball(const Geometry& geometry, const Vec3& centre_mm, double radius_mm,
              std::uint16_t label = 1) {
  return labels_where(geometry, [&](const Index3& index) {
    const Vec3 at = geometry.to_world(index);
    return std::hypot(at[0] - centre_mm[0], at[1] - centre_mm[1], at[2] - centre_mm[2]) <= radius_mm
               ? label
               : std::uint16_t{0};
  });
}

struct Measured {
  double volume = 0;
  int open_edges = 0;
};

/// Returns the enclosed volume (divergence theorem), and the number of edges without exactly two
/// triangles.
Measured measure(vtkPolyData* mesh) {
  Measured result;
  std::map<std::pair<vtkIdType, vtkIdType>, int> edges;
  vtkNew<vtkIdList> corners;
  mesh->BuildCells();
  for (vtkIdType cell = 0; cell < mesh->GetNumberOfCells(); ++cell) {
    mesh->GetCellPoints(cell, corners);
    double p[3][3];
    for (int i = 0; i < 3; ++i) {
      mesh->GetPoint(corners->GetId(i), p[i]);
      const vtkIdType a = corners->GetId(i);
      const vtkIdType b = corners->GetId((i + 1) % 3);
      ++edges[{std::min(a, b), std::max(a, b)}];
    }
    result.volume += (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
                      p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
                      p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
                     6;
  }
  result.volume = std::abs(result.volume);
  for (const auto& [edge, count] : edges)
    result.open_edges += count != 2;
  return result;
}

vtkSmartPointer<vtkPolyData> surface(const LabelMap& map, std::uint16_t label) {
  return make_surface(map, label, box_of(map, label), {});
}

}  // namespace

void TestSurfaceMesh::a_balls_surface_is_closed_and_of_its_volume() {
  const Geometry geometry = grid(50, 40, 30);
  const LabelMap map = ball(geometry, {20, 20, 20}, 14);
  const Measured measured = measure(surface(map, 1));
  const double expected = 4.0 / 3 * 3.14159265 * 14 * 14 * 14;
  QCOMPARE(measured.open_edges, 0);
  QVERIFY2(std::abs(measured.volume / expected - 1) < 0.005,
           qPrintable(QString("%1 of %2").arg(measured.volume).arg(expected)));
}

void TestSurfaceMesh::touching_the_edge_it_still_closes() {
  const LabelMap map =
      labels_where(grid(12, 10, 8), [](const Index3&) { return std::uint16_t{3}; });
  QCOMPARE(measure(surface(map, 3)).open_edges, 0);
}

void TestSurfaceMesh::it_stays_within_a_voxel_of_the_label() {
  const Geometry geometry = grid(30, 28, 20);
  const LabelMap map = labels_where(geometry, [](const Index3& i) {
    const bool block = i[0] > 4 && i[0] < 22 && i[1] > 6 && i[1] < 20 && i[2] > 5 && i[2] < 14;
    const bool spike = i[1] == 12 && i[2] == 9;
    return static_cast<std::uint16_t>(block || spike ? 1 : 0);
  });
  const auto mesh = surface(map, 1);
  for (vtkIdType point = 0; point < mesh->GetNumberOfPoints(); ++point) {
    double at[3];
    mesh->GetPoint(point, at);
    const Index3 near = geometry.nearest_index({at[0], at[1], at[2]});
    bool inside = false;
    bool outside = false;
    for (std::int64_t i = 0; i < 27; ++i) {
      const Index3 index{near[0] + i % 3 - 1, near[1] + i / 3 % 3 - 1, near[2] + i / 9 - 1};
      const bool labelled = geometry.contains(index) && map.at(index) == 1;
      inside = inside || labelled;
      outside = outside || !labelled;
    }
    QVERIFY(inside && outside);
  }
}

void TestSurfaceMesh::one_voxel_and_thin_sheets_are_kept() {
  const LabelMap voxel = labels_where(grid(9, 9, 9), [](const Index3& i) {
    return static_cast<std::uint16_t>(i == Index3{4, 4, 4} ? 1 : 0);
  });
  QVERIFY(surface(voxel, 1)->GetNumberOfPolys() >= 8);
  const LabelMap sheet = labels_where(grid(30, 30, 9), [](const Index3& i) {
    return static_cast<std::uint16_t>(i[2] == 4 ? 1 : 0);
  });
  const Measured measured = measure(surface(sheet, 1));
  QCOMPARE(measured.open_edges, 0);
  // Two sides of 30 x 30 voxels, not a few fragments.
  QVERIFY(surface(sheet, 1)->GetNumberOfPolys() > 2 * 30 * 30);
}

void TestSurfaceMesh::a_stop_ends_it() {
  const LabelMap map = ball(grid(40, 40, 40), {15, 20, 25}, 12);
  std::stop_source stop;
  stop.request_stop();
  QVERIFY(make_surface(map, 1, box_of(map, 1), stop.get_token()) == nullptr);
}

namespace {

/// Collects the builder's results.
class Inbox {
 public:
  void put(Surfaces surfaces) {
    const std::lock_guard lock(mutex_);
    got_.push_back(std::move(surfaces));
    arrived_.notify_all();
  }
  /// Waits until surfaces of `map` have arrived. Returns all results so far.
  std::vector<Surfaces> wait_for(const LabelMap& map) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, std::chrono::seconds(60),
                      [&] { return !got_.empty() && got_.back().map.owner() == map.owner(); });
    return got_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Surfaces> got_;
};

}  // namespace

void TestSurfaceMesh::the_newest_labels_win() {
  Inbox inbox;
  SurfaceBuilder builder([&](Surfaces surfaces) { inbox.put(std::move(surfaces)); });
  const Geometry geometry = grid(60, 60, 60);
  LabelMap last;
  for (int i = 0; i < 30; ++i) {
    last = ball(geometry, {24, 30, 40}, 10.0 + i / 4.0);
    builder.request(last);
  }
  const auto got = inbox.wait_for(last);
  QVERIFY(!got.empty());
  QCOMPARE(got.back().map.owner(), last.owner());
  QCOMPARE(got.back().of_label.size(), std::size_t{1});
}

void TestSurfaceMesh::untouched_labels_keep_their_surface() {
  Inbox inbox;
  SurfaceBuilder builder([&](Surfaces surfaces) { inbox.put(std::move(surfaces)); });
  const Geometry geometry = grid(40, 20, 20);
  const auto two_boxes = [&](std::int64_t end, const Box& changed) {
    std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      const Index3 at = geometry.index_of(i);
      if (at[0] >= 3 && at[0] < 12) labels[static_cast<std::size_t>(i)] = 1;
      if (at[0] >= 20 && at[0] < end) labels[static_cast<std::size_t>(i)] = 2;
    }
    return LabelMap(geometry, std::move(labels), changed);
  };
  const LabelMap first = two_boxes(30, Box::whole(geometry));
  builder.request(first);
  const Surfaces before = inbox.wait_for(first).back();
  const LabelMap second = two_boxes(35, {{30, 0, 0}, {35, 20, 20}});
  builder.request(second);
  const Surfaces after = inbox.wait_for(second).back();
  QCOMPARE(after.of_label.at(1).Get(), before.of_label.at(1).Get());
  QVERIFY(after.of_label.at(2).Get() != before.of_label.at(2).Get());
  // Label 2 recedes from the change: its old box touched it, its new one does not.
  const LabelMap third = two_boxes(24, {{24, 0, 0}, {35, 20, 20}});
  builder.request(third);
  const Surfaces last = inbox.wait_for(third).back();
  QVERIFY(last.of_label.at(2).Get() != after.of_label.at(2).Get());
  QVERIFY(last.of_label.at(2)->GetBounds()[1] < 25 * 0.8);
}

QTEST_GUILESS_MAIN(TestSurfaceMesh)
#include "test_surface_mesh.moc"
