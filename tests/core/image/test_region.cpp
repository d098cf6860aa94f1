// SPDX-License-Identifier: Apache-2.0
#include "core/image/region.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

using namespace seedwave;

namespace {

/// A level of a slide, away from its corner.
Geometry part(std::int64_t width, std::int64_t height) {
  Geometry grid;
  grid.size = {width, height, 1};
  grid.spacing = {0.5, 0.25, 1.0};
  grid.origin = {100.25, -40.125, 0.0};
  grid.unit = LengthUnit::Micrometre;
  grid.planar = true;
  return grid;
}

Regions kept(const LabelMap& labels, RegionKind kind, Label label = 0) {
  return regions_from(labels, kind, label, [] {});
}

std::vector<std::uint8_t> filled(const std::vector<LabelRun>& runs, const Geometry& grid) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(grid.voxel_count()));
  for (const LabelRun& run : runs)
    std::fill(labels.begin() + run.begin, labels.begin() + run.end,
              static_cast<std::uint8_t>(run.label));
  return labels;
}

}  // namespace

class TestRegion : public QObject {
  Q_OBJECT
 private slots:
  void areas_are_those_of_the_pixels() {
    test::RandomNumbers random(11);
    for (int number = 0; number < 500; ++number) {
      const Geometry grid = part(1 + random.below(20), 1 + random.below(20));
      std::vector<std::uint8_t> labels(static_cast<std::size_t>(grid.voxel_count()));
      for (std::uint8_t& label : labels)
        label = static_cast<std::uint8_t>(random.below(3));
      std::map<Label, double> expected;
      for (const std::uint8_t label : labels) {
        if (label != 0) expected[label] += 0.5 * 0.25;
      }
      std::map<Label, double> areas;
      for (const auto& region : kept(LabelMap(grid, labels), RegionKind::Areas)) {
        QVERIFY(!region->is_object);
        areas[region->label] += area_of(*region);
      }
      QCOMPARE(areas.size(), expected.size());
      for (const auto& [label, area] : expected)
        QVERIFY(std::abs(areas[label] - area) < 1e-9);
    }
  }

  void they_lie_where_the_pixels_do() {
    const LabelMap labels(part(3, 2), std::vector<std::uint8_t>{0, 0, 0, 0, 7, 0});
    const Regions regions = kept(labels, RegionKind::Areas);
    QCOMPARE(regions.size(), std::size_t{1});
    QCOMPARE(regions[0]->label, Label{7});
    const RegionBounds bounds = bounds_of(*regions[0]);
    QCOMPARE(bounds.low, (RegionPoint{100.5, -40.0}));
    QCOMPARE(bounds.high, (RegionPoint{101.0, -39.75}));
  }

  void objects_have_the_class_of_a_label() {
    const LabelMap labels(part(3, 1), std::vector<std::uint16_t>{300, 0, 301});
    const Regions regions = kept(labels, RegionKind::Objects, 4);
    QCOMPARE(regions.size(), std::size_t{2});
    for (const auto& region : regions) {
      QVERIFY(region->is_object);
      QCOMPARE(region->label, Label{4});
    }
  }

  void a_hole_is_no_area() {
    std::vector<std::uint8_t> ring(9, 1);
    ring[4] = 0;
    const Regions regions = kept(LabelMap(part(3, 3), ring), RegionKind::Areas);
    QCOMPARE(regions.size(), std::size_t{1});
    QCOMPARE(regions[0]->polygons.front().size(), std::size_t{2});
    QVERIFY(std::abs(area_of(*regions[0]) - 8 * 0.125) < 1e-12);
  }

  void an_outline_is_one_by_its_grid() {
    const Region region = outlined_region(2, {{0, 0}, {10, 0}, {10, 4}}, part(20, 20));
    QCOMPARE(region.label, Label{2});
    QVERIFY(std::abs(area_of(region) - 5.0 * 1.0 / 2.0) < 1e-12);
    QCOMPARE(bounds_of(region).low, (RegionPoint{100.25, -40.125}));
  }

  void the_smallest_at_a_point_is_found() {
    const Geometry grid = part(20, 20);
    const auto square = [&](double low, double high) {
      return std::make_shared<const Region>(
          outlined_region(1, {{low, low}, {high, low}, {high, high}, {low, high}}, grid));
    };
    const Regions regions{square(0, 18), square(4, 8), square(2, 12)};
    const auto at = [&](double index) {
      const Vec3 world = grid.to_world(Vec3{index, index, 0.0});
      return region_at(regions, {world[0], world[1]});
    };
    QCOMPARE(at(5), std::optional<std::size_t>(1));
    QCOMPARE(at(10), std::optional<std::size_t>(2));
    QCOMPARE(at(15), std::optional<std::size_t>(0));
    QVERIFY(!at(19));
    // A hole is outside.
    Region ring{.polygons = {{{{0, 0}, {9, 0}, {9, 9}, {0, 9}}, {{3, 3}, {6, 3}, {6, 6}, {3, 6}}}}};
    QVERIFY(is_inside(ring, {1, 1}) && !is_inside(ring, {4, 4}) && !is_inside(ring, {10, 4}));
  }

  void they_are_drawn_where_they_were_kept_from() {
    test::RandomNumbers random(12);
    for (int number = 0; number < 300; ++number) {
      const Geometry grid = part(1 + random.below(20), 1 + random.below(20));
      std::vector<std::uint8_t> labels(static_cast<std::size_t>(grid.voxel_count()));
      for (std::uint8_t& label : labels)
        label = static_cast<std::uint8_t>(random.below(3) == 0);
      const Regions regions = kept(LabelMap(grid, labels), RegionKind::Areas);
      QCOMPARE(filled(runs_inside(regions, grid, 1), grid), labels);
      for (std::uint8_t& label : labels)
        label = static_cast<std::uint8_t>(1 - label);
      QCOMPARE(filled(runs_outside(regions, grid, 1), grid), labels);
    }
  }

  void those_that_overlap_are_drawn_as_one() {
    const Geometry grid = part(20, 20);
    const auto square = [&](double low, double high) {
      return std::make_shared<const Region>(
          outlined_region(1, {{low, low}, {high, low}, {high, high}, {low, high}}, grid));
    };
    const std::vector<LabelRun> runs = runs_inside({square(2, 10), square(5, 30)}, grid, 1);
    QVERIFY(std::ranges::is_sorted(runs, {}, &LabelRun::begin));
    std::int64_t pixels = 0;
    for (const LabelRun& run : runs)
      pixels += run.end - run.begin;
    QCOMPARE(pixels, std::int64_t{8 * 8 + 15 * 15 - 5 * 5});
  }

  void those_without_corners_have_no_area() {
    QCOMPARE(area_of(Region()), 0.0);
    QCOMPARE(bounds_of(Region()).high, (RegionPoint{0.0, 0.0}));
  }
};

QTEST_GUILESS_MAIN(TestRegion)
#include "test_region.moc"
