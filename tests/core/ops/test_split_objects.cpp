// SPDX-License-Identifier: Apache-2.0
// Compares nuclei split by their masks with individually drawn nuclei.
#include "core/io/image_source.h"
#include "core/ops/run.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using Labels = std::vector<std::uint16_t>;

Labels split(const Volume& mask, double h) {
  RunRequest request;
  request.operation = "split-objects";
  request.inputs.image = mask;
  request.values.set("h", h);
  request.values.set("connectivity", "8");
  Context context;
  const RunReport report = run_operation(make_operation_table(), request, context);
  const auto labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  return {labels.begin(), labels.end()};
}

struct Score {
  int drawn = 0;
  int found = 0;
  int matched = 0;  // with more than half of their union in common
};

Score score_of(const Volume& drawn, const Labels& found) {
  std::map<Label, std::int64_t> sizes;
  std::map<int, std::int64_t> drawn_sizes;
  std::map<std::pair<int, std::uint16_t>, std::int64_t> common;
  for (std::int64_t i = 0; i < std::ssize(found); ++i) {
    const int name = static_cast<int>(drawn.value_at(drawn.geometry().index_of(i)));
    if (found[i] != 0) ++sizes[found[i]];
    if (name != 0) ++drawn_sizes[name];
    if (name != 0 && found[i] != 0) ++common[{name, found[i]}];
  }
  Score score{static_cast<int>(drawn_sizes.size()), static_cast<int>(sizes.size())};
  for (const auto& [pair, both] : common) {
    const std::int64_t either = drawn_sizes[pair.first] + sizes[pair.second] - both;
    if (2 * both > either) ++score.matched;
  }
  return score;
}

}  // namespace

class TestSplitObjectsOperation : public QObject {
  Q_OBJECT
 private slots:
  void parts_nuclei_data();
  void parts_nuclei();
};

void TestSplitObjectsOperation::parts_nuclei_data() {
  QTest::addColumn<QString>("folder");
  QTest::addColumn<int>("drawn");
  QTest::addColumn<int>("fewest");  // the count when this was written, at h = 1
  QTest::newRow("crowded glands") << "P1_nuclei_glands" << 350 << 268;
  QTest::newRow("dense, round") << "P2_nuclei_dense" << 363 << 340;
  QTest::newRow("pale, large") << "P3_nuclei_he" << 44 << 44;
  QTest::newRow("elongated") << "P4_nuclei_aligned" << 106 << 100;
}

void TestSplitObjectsOperation::parts_nuclei() {
  QFETCH(QString, folder);
  QFETCH(int, drawn);
  QFETCH(int, fewest);
  const auto set = test::test_data(folder.toStdString());
  SEEDWAVE_NEED_DATA(set);
  Context context;
  const Volume mask = io::load_path(set / "nuclei_mask.png", "", context).volume;
  const Volume truth = io::load_path(set / "nuclei_instances.png", "", context).volume;
  const Labels labels = split(mask, 1.0);
  for (std::int64_t i = 0; i < std::ssize(labels); ++i)
    QCOMPARE(labels[i] != 0, mask.value_at(mask.geometry().index_of(i)) != 0.0);
  const Score score = score_of(truth, labels);
  QCOMPARE(score.drawn, drawn);
  QVERIFY2(score.matched >= fewest, qPrintable(QString::number(score.matched)));
  QVERIFY2(score.matched * 10 >= score.found * 9, qPrintable(QString::number(score.found)));
  // Without splitting, fewer are found.
  QVERIFY(score_of(truth, split(mask, 1000.0)).matched < score.matched);
}

QTEST_GUILESS_MAIN(TestSplitObjectsOperation)
#include "test_split_objects.moc"
