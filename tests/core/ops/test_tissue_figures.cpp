// SPDX-License-Identifier: Apache-2.0
// The figures of docs/algorithms/tissue.md: three textures of equal histograms, and skin.
#include "core/image/seed_set.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "core/ops/run.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

using namespace seedwave;

namespace {

constexpr std::size_t kClasses = 3;

SeedVoxels strokes_of(const std::string& file, const Geometry& grid) {
  return io::load_seeds(std::string(SEEDWAVE_STROKES) + file, grid).seeds.rasterise(grid);
}

/// The mean over the classes, among the pixels that have one; label[i] stands for class i + 1.
double mean_dice(const LabelMap& labels, const LabelMap& truth,
                 const std::array<int, kClasses>& label) {
  double sum = 0.0;
  for (std::size_t i = 0; i < kClasses; ++i) {
    double both = 0.0;
    double either = 0.0;
    for (std::size_t pixel = 0; pixel < truth.labels().size(); ++pixel) {
      if (truth.labels()[pixel] == 0) continue;
      const bool is_found = labels.labels()[pixel] == label[i];
      const bool is_there = truth.labels()[pixel] == i + 1;
      both += is_found && is_there ? 2.0 : 0.0;
      either += (is_found ? 1.0 : 0.0) + (is_there ? 1.0 : 0.0);
    }
    sum += both / either;
  }
  return sum / static_cast<double>(kClasses);
}

double best_dice(const LabelMap& labels, const LabelMap& truth) {
  double best = 0.0;
  std::array<int, kClasses> label{1, 2, 3};
  do {
    best = std::max(best, mean_dice(labels, truth, label));
  } while (std::next_permutation(label.begin(), label.end()));
  return best;
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
  QTest::newRow("mosaic, 32") << mosaic << textures << lines << 32 << 0.938 << 0.887;
  QTest::newRow("mosaic, 48") << mosaic << textures << lines << 48 << 0.953 << 0.934;
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
  QVERIFY(std::abs(best_dice(labels(), expected) - alone) < kRounded);
  request.inputs.seeds = strokes_of(strokes.toStdString(), request.inputs.image.geometry());
  QVERIFY(std::abs(mean_dice(labels(), expected, {1, 2, 3}) - with_strokes) < kRounded);
}

QTEST_GUILESS_MAIN(TestTissueFigures)
#include "test_tissue_figures.moc"
