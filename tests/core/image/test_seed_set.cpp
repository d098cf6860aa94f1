// SPDX-License-Identifier: Apache-2.0
#include "core/image/seed_set.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <random>

using namespace seedwave;

namespace {

Geometry grid() {
  Geometry g;
  g.size = {17, 13, 9};
  g.spacing = {0.7, 1.1, 2.3};
  g.origin = {-5, 3, 1};
  g.direction = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  return g;
}

double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  // The nearest of many points of the segment: slow, but without algebra that could be wrong.
  double best = 1e300;
  for (int i = 0; i <= 2000; ++i) {
    const double t = i / 2000.0;
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double d = p[axis] - (a[axis] + t * (b[axis] - a[axis]));
      sum += d * d;
    }
    best = std::min(best, sum);
  }
  return std::sqrt(best);
}

}  // namespace

class TestSeedSet : public QObject {
  Q_OBJECT
 private slots:
  void covers_the_voxels_whose_centre_is_in_the_capsules();
  void covers_at_least_the_voxel_under_each_point();
  void a_disc_stays_in_its_plane();
  void later_strokes_win_and_zero_erases();
  void points_outside_are_counted_and_harmless();
  void a_label_whose_strokes_all_lie_outside_is_named();
  void a_long_thin_stroke_costs_its_length();
  void many_strokes_give_what_each_drew_in_turn();
  void strokes_over_each_other_cost_little();
};

void TestSeedSet::covers_the_voxels_whose_centre_is_in_the_capsules() {
  const Geometry g = grid();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-0.2, 1.2);
  for (int round = 0; round < 20; ++round) {
    Stroke stroke{.label = 1, .radius_mm = 1.0 + round * 0.15, .points = {}, .plane = {}};
    for (int i = 0; i < 3; ++i) {
      stroke.points.push_back(g.to_world(Vec3{u(random) * 16, u(random) * 12, u(random) * 8}));
    }
    const auto offsets = rasterise(stroke, g);
    for (std::int64_t offset = 0; offset < g.voxel_count(); ++offset) {
      const Vec3 centre = g.to_world(g.index_of(offset));
      const double d = std::min(distance_to_segment(centre, stroke.points[0], stroke.points[1]),
                                distance_to_segment(centre, stroke.points[1], stroke.points[2]));
      const bool under =
          std::any_of(stroke.points.begin(), stroke.points.end(),
                      [&](const Vec3& p) { return g.nearest_index(p) == g.index_of(offset); });
      const bool covered = std::binary_search(offsets.begin(), offsets.end(), offset);
      if (d < stroke.radius_mm - 1e-3) QVERIFY(covered);
      if (d > stroke.radius_mm + 1e-3 && !under) QVERIFY(!covered);
    }
  }
}

void TestSeedSet::covers_at_least_the_voxel_under_each_point() {
  const Geometry g = grid();
  const Stroke stroke{
      .label = 2, .radius_mm = 1e-6, .points = {g.to_world(Vec3{3.4, 5.4, 2.4})}, .plane = {}};
  QCOMPARE(rasterise(stroke, g), (std::vector<std::int64_t>{g.offset({3, 5, 2})}));
}

void TestSeedSet::a_disc_stays_in_its_plane() {
  const Geometry g = grid();
  const Stroke stroke{.label = 1,
                      .radius_mm = 5.0,
                      .points = {g.to_world(Vec3{8, 6, 4}), g.to_world(Vec3{9, 6, 4})},
                      .plane = StrokePlane{{0, 0, 1}, 2.3}};
  const auto offsets = rasterise(stroke, g);
  QVERIFY(offsets.size() > 10);
  for (const std::int64_t offset : offsets)
    QCOMPARE(g.index_of(offset)[2], std::int64_t{4});
}

void TestSeedSet::later_strokes_win_and_zero_erases() {
  const Geometry g = grid();
  const auto dot = [&](std::uint16_t label, double x) {
    return Stroke{
        .label = label, .radius_mm = 0.1, .points = {g.to_world(Vec3{x, 2, 2})}, .plane = {}};
  };
  const SeedSet set{{dot(1, 2), dot(1, 3), dot(2, 3), dot(1, 4), dot(0, 4)}};
  const SeedVoxels voxels = set.rasterise(g);
  QCOMPARE(voxels.seeds.size(), std::size_t{2});
  QCOMPARE(voxels.seeds[0], (Seed{g.offset({2, 2, 2}), 1}));
  QCOMPARE(voxels.seeds[1], (Seed{g.offset({3, 2, 2}), 2}));
}

void TestSeedSet::points_outside_are_counted_and_harmless() {
  const Geometry g = grid();
  const SeedSet set{{Stroke{.label = 1,
                            .radius_mm = 2.0,
                            .points = {{1e12, -1e12, 0}, {-1e12, 1e12, 5}},
                            .plane = StrokePlane{}}}};
  const SeedVoxels voxels = set.rasterise(g);
  QCOMPARE(voxels.outside, std::int64_t{2});
}

void TestSeedSet::a_label_whose_strokes_all_lie_outside_is_named() {
  const Geometry g = grid();
  const auto dot = [&](std::uint16_t label, double x) {
    return Stroke{
        .label = label, .radius_mm = 0.1, .points = {g.to_world(Vec3{x, 2, 2})}, .plane = {}};
  };
  // 5: outside only. 1: one stroke outside, one inside. 2: erased, 3: painted over, both inside.
  const SeedSet set{{dot(5, 1000), dot(1, -50), dot(1, 2), dot(2, 3), dot(0, 3), dot(3, 4),
                     dot(1, 4), dot(5, -1000), dot(0, 2000)}};
  const SeedVoxels voxels = set.rasterise(g);
  QCOMPARE(voxels.labels_outside, std::vector<Label>{5});
  QCOMPARE(voxels.outside, std::int64_t{4});
}

void TestSeedSet::a_long_thin_stroke_costs_its_length() {
  Geometry g;
  g.size = {400, 400, 400};
  const Stroke stroke{
      .label = 1, .radius_mm = 1.5, .points = {{0, 0, 0}, {399, 399, 399}}, .plane = {}};
  // The box around it has 64 million voxels, the capsule about 5000.
  QVERIFY(rasterise_cost(stroke, g) < 500'000);
  const auto offsets = rasterise(stroke, g);
  // Compared with the definition, on the voxels near the diagonal.
  for (std::int64_t z = 0; z < 400; ++z) {
    for (std::int64_t y = std::max<std::int64_t>(0, z - 4); y < std::min<std::int64_t>(400, z + 5);
         ++y) {
      for (std::int64_t x = std::max<std::int64_t>(0, z - 4);
           x < std::min<std::int64_t>(400, z + 5); ++x) {
        const bool near = distance_to_segment(g.to_world(Index3{x, y, z}), stroke.points[0],
                                              stroke.points[1]) <= 1.5;
        QCOMPARE(std::binary_search(offsets.begin(), offsets.end(), g.offset({x, y, z})), near);
      }
    }
  }
}

void TestSeedSet::many_strokes_give_what_each_drew_in_turn() {
  const Geometry g = grid();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-0.3, 1.3);
  for (int round = 0; round < 30; ++round) {
    SeedSet set;
    for (int i = 0; i < 40; ++i) {
      Stroke stroke{.label = static_cast<std::uint16_t>(random() % 4),
                    .radius_mm = 0.2 + 0.1 * static_cast<double>(random() % 30),
                    .points = {},
                    .plane = {}};
      if (random() % 3 == 0) stroke.plane = StrokePlane{{0, 0, 1}, 2.3};
      for (auto n = 1 + random() % 3; n > 0; --n)
        stroke.points.push_back(g.to_world(Vec3{u(random) * 16, u(random) * 12, u(random) * 8}));
      set.strokes.push_back(stroke);
    }
    // The definition: one stroke after the other, each replacing what was there.
    std::map<std::int64_t, Label> painted;
    for (const Stroke& stroke : set.strokes) {
      for (const std::int64_t offset : rasterise(stroke, g))
        painted[offset] = stroke.label;
    }
    std::vector<Seed> expected;
    for (const auto& [offset, label] : painted) {
      if (label != 0) expected.push_back({offset, label});
    }
    const SeedVoxels voxels = set.rasterise(g);
    QVERIFY(voxels.seeds == expected);
    QVERIFY(voxels.labels_outside.empty());
  }
}

void TestSeedSet::strokes_over_each_other_cost_little() {
  Geometry g;
  g.size = {100, 100, 100};
  const Stroke stroke{
      .label = 1, .radius_mm = 4.0, .points = {{20, 20, 20}, {60, 70, 50}}, .plane = {}};
  const SeedSet set{std::vector<Stroke>(300, stroke)};
  // Processor time, so that the ratio does not depend on the machine's load.
  const auto seconds = [](auto&& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  std::size_t drawn = 0;
  const double alone = seconds([&] {
    for (const Stroke& each : set.strokes)
      drawn = rasterise(each, g).size();
  });
  std::size_t seeds = 0;
  const double together = seconds([&] { seeds = set.rasterise(g).seeds.size(); });
  QCOMPARE(seeds, drawn);
  QVERIFY2(together < alone, qPrintable(QString("%1 s, alone %2 s").arg(together).arg(alone)));
}

QTEST_GUILESS_MAIN(TestSeedSet)
#include "test_seed_set.moc"
