// SPDX-License-Identifier: Apache-2.0
// The figures of docs/algorithms/tissue.md: three textures of equal histograms, and skin.
#include "core/image/seed_set.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "core/metrics/label_matching.h"
#include "core/metrics/overlap.h"
#include "core/ops/run.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <cmath>
#include <string>

using namespace seedwave;

namespace {

constexpr int kClasses = 3;

SeedVoxels strokes_of(const std::string& file, const Geometry& grid) {
  return io::load_seeds(std::string(SEEDWAVE_STROKES) + file, grid).seeds.rasterise(grid);
}

/// Returns the mean Dice over the classes, among the pixels that have one.
double mean_dice(const LabelMap& labels, const LabelMap& truth, Context& context) {
  double sum = 0.0;
  for (const auto& [label, dice] :
       OverlapCounts(compared_part(labels, truth, Scored::WhereLabelled, context), truth, context)
           .dice())
    sum += dice;
  return sum / static_cast<double>(kClasses);
}

/// Does the same for labels with arbitrary numbers.
double matched_dice(const LabelMap& labels, const LabelMap& truth, Context& context) {
  const LabelMap seen = compared_part(labels, truth, Scored::WhereLabelled, context);
  return mean_dice(renumbered(seen, truth, match_labels(seen, truth, context), context), truth,
                   context);
}

}  // namespace

class TestTissueFigures : public QObject {
  Q_OBJECT
 private slots:
  void tells_tissues_apart_data();
  void tells_tissues_apart();
};

void TestTissueFigures::tells_tissues_apart_data() {
  QTest::addColumn<QString>("image");
  QTest::addColumn<QString>("truth");
  QTest::addColumn<QString>("strokes");
  QTest::addColumn<int>("window");
  QTest::addColumn<double>("alone");
  QTest::addColumn<double>("with_strokes");
  const char* mosaic = "T1_texture_mosaic/mosaic.png";
  const char* textures = "T1_texture_mosaic/labels.png";
  const char* lines = "mosaic_strokes.json";
  const char* skin = "T2_skin_regions/image.jpg";
  const char* regions = "T2_skin_regions/regions.png";
  QTest::newRow("mosaic, 32") << mosaic << textures << lines << 32 << 0.938 << 0.940;
  QTest::newRow("mosaic, 48") << mosaic << textures << lines << 48 << 0.953 << 0.962;
  QTest::newRow("skin, 32") << skin << regions << "skin_strokes.json" << 32 << 0.991 << 0.997;
}

void TestTissueFigures::tells_tissues_apart() {
  QFETCH(QString, image);
  QFETCH(QString, truth);
  QFETCH(QString, strokes);
  QFETCH(int, window);
  QFETCH(double, alone);
  QFETCH(double, with_strokes);
  const auto path = test::test_data(image.toStdString());
  SEEDWAVE_NEED_DATA(path);
  Context context;
  RunRequest request;
  request.operation = "tissue";
  request.inputs.image = io::load_path(path, "", context).volume;
  request.values.set("window", static_cast<double>(window));
  const LabelMap expected = io::read_labels(test::test_data(truth.toStdString()), context);
  const auto labels = [&] {
    return std::get<LabelMap>(
        run_operation(make_operation_table(), request, context).outputs.at("labels"));
  };
  constexpr double kRounded = 0.001;
  QVERIFY(std::abs(matched_dice(labels(), expected, context) - alone) < kRounded);
  request.inputs.seeds = strokes_of(strokes.toStdString(), request.inputs.image.geometry());
  QVERIFY(std::abs(mean_dice(labels(), expected, context) - with_strokes) < kRounded);
}

QTEST_GUILESS_MAIN(TestTissueFigures)
#include "test_tissue_figures.moc"
