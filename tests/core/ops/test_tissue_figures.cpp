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
#include <vector>

using namespace seedwave;

namespace {

constexpr std::size_t kClasses = 3;

/// Ends of a stroke, in pixels.
struct Line {
  std::uint16_t label;
  Vec3 from;
  Vec3 to;
};

/// Three short ones in each of brick, grass and gravel.
const std::vector<Line> kMosaicStrokes{
    {1, {30, 400, 0}, {70, 400, 0}},   {1, {150, 450, 0}, {190, 450, 0}},
    {1, {30, 60, 0}, {70, 60, 0}},     {2, {170, 180, 0}, {210, 180, 0}},
    {2, {200, 280, 0}, {240, 280, 0}}, {2, {250, 200, 0}, {290, 200, 0}},
    {3, {430, 100, 0}, {470, 100, 0}}, {3, {420, 300, 0}, {460, 300, 0}},
    {3, {320, 470, 0}, {360, 470, 0}}};
/// And of dermis, epidermis and glass.
const std::vector<Line> kSkinStrokes{
    {1, {40, 200, 0}, {90, 200, 0}},   {1, {40, 900, 0}, {90, 900, 0}},
    {1, {600, 880, 0}, {650, 880, 0}}, {2, {240, 560, 0}, {250, 610, 0}},
    {2, {250, 720, 0}, {300, 740, 0}}, {2, {620, 520, 0}, {660, 480, 0}},
    {3, {870, 400, 0}, {920, 400, 0}}, {3, {880, 560, 0}, {930, 560, 0}},
    {3, {660, 230, 0}, {700, 230, 0}}};

SeedVoxels drawn(const std::vector<Line>& lines, const Geometry& grid) {
  SeedSet strokes;
  for (const Line& line : lines)
    strokes.strokes.push_back(
        {.label = line.label, .radius_mm = 2.0, .points = {line.from, line.to}, .plane = {}});
  return strokes.rasterise(grid);
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
  QTest::addColumn<bool>("is_skin");
  QTest::addColumn<int>("window");
  QTest::addColumn<double>("alone");
  QTest::addColumn<double>("strokes");
  const char* mosaic = "T1_texture_mosaic/mosaic.png";
  const char* textures = "T1_texture_mosaic/labels.png";
  const char* skin = "T2_skin_regions/image.jpg";
  const char* regions = "T2_skin_regions/regions.png";
  QTest::newRow("mosaic, 32") << mosaic << textures << false << 32 << 0.938 << 0.887;
  QTest::newRow("mosaic, 48") << mosaic << textures << false << 48 << 0.953 << 0.934;
  QTest::newRow("skin, 32") << skin << regions << true << 32 << 0.991 << 0.997;
}

void TestTissueFigures::tells_tissues_apart() {
  QFETCH(QString, image);
  QFETCH(QString, truth);
  QFETCH(bool, is_skin);
  QFETCH(int, window);
  QFETCH(double, alone);
  QFETCH(double, strokes);
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
  request.inputs.seeds =
      drawn(is_skin ? kSkinStrokes : kMosaicStrokes, request.inputs.image.geometry());
  QVERIFY(std::abs(mean_dice(labels(), expected, {1, 2, 3}) - strokes) < kRounded);
}

QTEST_GUILESS_MAIN(TestTissueFigures)
#include "test_tissue_figures.moc"
