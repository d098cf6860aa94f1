// SPDX-License-Identifier: Apache-2.0
// Tests clean-labels as a user runs it: units, automatic values, strokes.
#include "core/base/error.h"
#include "core/ops/operation_table.h"
#include "core/ops/run.h"

#include <QTest>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

/// A block of 4 x 4 voxels per slice, and a speck of 3 voxels in a row.
Volume block_and_speck(Geometry geometry) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t z = 0; z < geometry.size[2]; ++z) {
    for (std::int64_t y = 1; y < 5; ++y) {
      for (std::int64_t x = 1; x < 5; ++x)
        labels[geometry.offset({x, y, z})] = 1;
    }
  }
  for (std::int64_t x = 8; x < 11; ++x)
    labels[geometry.offset({x, 2, 0})] = 1;
  return {geometry, std::move(labels)};
}

Geometry grid(std::int64_t slices, LengthUnit unit) {
  Geometry geometry;
  geometry.size = {12, 8, slices};
  geometry.spacing = {0.5, 0.5, 2.0};
  geometry.unit = unit;
  return geometry;
}

RunReport run(const Volume& image, Values values, std::vector<Seed> seeds = {}) {
  static const OperationTable table = make_operation_table();
  RunRequest request;
  request.operation = "clean-labels";
  request.values = std::move(values);
  request.inputs.image = image;
  request.inputs.seeds.seeds = std::move(seeds);
  Context context;
  return run_operation(table, request, context);
}

std::int64_t voxels_left(const Volume& image, double smallest) {
  const RunReport report = run(image, {{"smallest", smallest}, {"outline_smooth", 0.0}});
  return report.facts.voxels.of(1);
}

}  // namespace

class TestCleanLabels : public QObject {
  Q_OBJECT

 private slots:
  void sizes_of_a_volume_are_in_ml() {
    // A voxel has 0.5 mm3: the speck 0.0015 ml.
    const Volume image = block_and_speck(grid(3, LengthUnit::Millimetre));
    QCOMPARE(voxels_left(image, 0.0015), 48 + 3);
    QCOMPARE(voxels_left(image, 0.0016), 48);
  }

  void sizes_of_a_scaled_image_are_in_mm2() {
    const Volume image = block_and_speck(grid(1, LengthUnit::Millimetre));
    QCOMPARE(voxels_left(image, 0.75), 16 + 3);
    QCOMPARE(voxels_left(image, 0.76), 16);
  }

  void sizes_of_other_images_are_in_pixels() {
    Geometry geometry = grid(1, LengthUnit::Pixel);
    geometry.spacing = {1.0, 1.0, 1.0};
    const Volume image = block_and_speck(geometry);
    QCOMPARE(voxels_left(image, 3.0), 16 + 3);
    QCOMPARE(voxels_left(image, 4.0), 16);
  }

  void smooths_by_the_shortest_edge_unless_told() {
    const Volume image = block_and_speck(grid(3, LengthUnit::Millimetre));
    QCOMPARE(run(image, {}).facts.values.number("outline_smooth"), 0.35);
    QCOMPARE(run(image, {{"outline_smooth", 0.9}}).facts.values.number("outline_smooth"), 0.9);
  }

  void a_stroke_keeps_its_part() {
    const Volume image = block_and_speck(grid(3, LengthUnit::Millimetre));
    const Seed in_speck{image.geometry().offset({9, 2, 0}), 1};
    const RunReport report = run(image, {{"outline_smooth", 0.0}}, {in_speck});
    QCOMPARE(report.facts.voxels.of(1), 3);
  }

  void refuses_what_is_no_label() {
    const Volume image(grid(1, LengthUnit::Pixel), std::vector<float>(96, 0.5F));
    QVERIFY_EXCEPTION_THROWN((void)run(image, {}), InputError);
  }
};

QTEST_GUILESS_MAIN(TestCleanLabels)
#include "test_clean_labels.moc"
