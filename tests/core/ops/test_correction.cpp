// SPDX-License-Identifier: Apache-2.0
//
// Labels to correct: what strokes may change, on random labels and strokes.
#include "core/ops/correction.h"
#include "core/ops/operation_table.h"
#include "core/ops/run.h"

#include <QTest>

#include <cmath>
#include <random>
#include <set>
#include <vector>

using namespace seedwave;

namespace {

/// Balls of labels 1 and 2 in noise, and a start in which parts of them are wrong.
Inputs random_case(std::mt19937& random) {
  Geometry grid;
  grid.size = {24, 20, 12};
  grid.spacing = {0.8, 0.8, 1.6};
  const auto draw = [&random](int count) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(count));
  };
  std::vector<std::int16_t> image(static_cast<std::size_t>(grid.voxel_count()));
  std::vector<std::uint8_t> start(image.size());
  const Index3 centre[] = {{6 + draw(4), 6 + draw(6), 5}, {16 + draw(4), 8 + draw(6), 6}};
  for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
    const Index3 at = grid.index_of(i);
    int label = 0;
    for (int ball = 0; ball < 2; ++ball) {
      double square = 0;
      for (int axis = 0; axis < 3; ++axis)
        square += std::pow(static_cast<double>(at[axis] - centre[ball][axis]), 2);
      if (square < 25) label = ball + 1;
    }
    image[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(100 * label + draw(30));
    start[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(at[0] > centre[0][0] && label == 1 ? 0 : label);
  }
  Inputs inputs;
  inputs.image = Volume(grid, std::move(image));
  inputs.start = LabelMap(grid, std::move(start));
  std::set<std::int64_t> taken;
  for (std::int64_t stroke = draw(3); stroke >= 0; --stroke) {
    const auto label = static_cast<Label>(1 + draw(3));
    std::int64_t offset = grid.offset({draw(20), draw(20), draw(12)});
    for (int k = 0; k < 4; ++k, ++offset)
      taken.insert(offset * 4 + static_cast<std::int64_t>(label));
  }
  for (const std::int64_t one : taken) {
    auto& seeds = inputs.seeds.seeds;
    if (seeds.empty() || seeds.back().offset != one / 4)
      seeds.push_back({one / 4, static_cast<Label>(one % 4)});
  }
  return inputs;
}

LabelMap run_segment_on(const Inputs& inputs, const Values& values, int threads) {
  static const OperationTable table = make_operation_table();
  Context context(Context::Settings{.threads = threads});
  const RunReport report = run_operation(
      table, {.operation = "segment", .values = values, .how = {}, .inputs = inputs}, context);
  return std::get<LabelMap>(report.outputs.at("labels"));
}

}  // namespace

class TestCorrection : public QObject {
  Q_OBJECT
 private slots:
  void a_stroke_takes_nothing_from_its_own_label_and_nothing_out_of_reach();
  void the_missing_half_comes_back_with_one_stroke();
  void without_strokes_the_start_stands();
};

void TestCorrection::a_stroke_takes_nothing_from_its_own_label_and_nothing_out_of_reach() {
  std::mt19937 random(1);
  int changed = 0;
  for (int round = 0; round < 150; ++round) {
    const Inputs inputs = random_case(random);
    const double reach = 1.0 + static_cast<double>(random() % 12);
    const Values values{{"reach", reach}};
    const LabelMap result = run_segment_on(inputs, values, 1);
    QVERIFY(result.labels() == run_segment_on(inputs, values, 2).labels());
    const Geometry& grid = inputs.image.geometry();
    std::set<Label> stroked;
    for (const Seed& seed : inputs.seeds.seeds)
      stroked.insert(seed.label);
    for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (result.labels()[at] == inputs.start.labels()[at]) continue;
      ++changed;
      QVERIFY(stroked.contains(result.labels()[at]));
      // With one label of strokes, that label only gains.
      if (stroked.size() == 1) QVERIFY(!stroked.contains(inputs.start.labels()[at]));
      double nearest = 1e9;
      for (const Seed& seed : inputs.seeds.seeds) {
        const Vec3 a = grid.to_world(grid.index_of(i));
        const Vec3 b = grid.to_world(grid.index_of(seed.offset));
        nearest = std::min(nearest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
      }
      QVERIFY(nearest <= reach + 1e-4);
    }
    for (const Seed& seed : inputs.seeds.seeds)
      QCOMPARE(result.labels()[static_cast<std::size_t>(seed.offset)], seed.label);
  }
  QVERIFY(changed > 1000);
}

void TestCorrection::the_missing_half_comes_back_with_one_stroke() {
  std::mt19937 random(2);
  Inputs inputs = random_case(random);
  const Geometry& grid = inputs.image.geometry();
  inputs.seeds.seeds.clear();
  std::int64_t missing = 0;
  for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
    const auto value = inputs.image.voxels<std::int16_t>()[static_cast<std::size_t>(i)];
    const bool is_missing =
        value >= 100 && value < 130 && inputs.start.labels()[static_cast<std::size_t>(i)] == 0;
    if (!is_missing) continue;
    ++missing;
    if (missing > 80 && missing <= 86) inputs.seeds.seeds.push_back({i, 1});
  }
  const LabelMap result = run_segment_on(inputs, {}, 1);
  std::int64_t still = 0;
  for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
    const auto value = inputs.image.voxels<std::int16_t>()[static_cast<std::size_t>(i)];
    if (value >= 100 && value < 130 && result.labels()[static_cast<std::size_t>(i)] != 1) ++still;
  }
  QVERIFY2(missing > 150 && still * 5 < missing,
           qPrintable(QStringLiteral("%1 of %2").arg(still).arg(missing)));
}

void TestCorrection::without_strokes_the_start_stands() {
  std::mt19937 random(3);
  Inputs inputs = random_case(random);
  inputs.seeds.seeds.clear();
  QVERIFY(run_segment_on(inputs, {}, 1).labels() == inputs.start.labels());
}

QTEST_APPLESS_MAIN(TestCorrection)
#include "test_correction.moc"
