// SPDX-License-Identifier: Apache-2.0
// Compares phases of stained tissue with individually drawn nuclei and hand-drawn regions.
#include "core/io/image_source.h"
#include "core/ops/run.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

RunReport phases_of(const Volume& image, const std::string& stains, double count) {
  RunRequest request;
  request.operation = "phases";
  request.inputs.image = image;
  request.values.set("stains", stains);
  request.values.set("count", count);
  Context context;
  return run_operation(make_operation_table(), request, context);
}

/// Returns the share of a region's pixels that would have to change phase for both regions to have
/// the same shares of phases.
double apart(const RunReport& report, const Volume& regions, double one, double other) {
  constexpr std::size_t kPhases = 17;
  std::array<double, kPhases> shares_of_one{};
  std::array<double, kPhases> shares_of_other{};
  double ones = 0.0;
  double others = 0.0;
  const auto labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
    const double region = regions.value_at(regions.geometry().index_of(i));
    if (region == one) {
      ++shares_of_one[labels[i]];
      ++ones;
    }
    if (region == other) {
      ++shares_of_other[labels[i]];
      ++others;
    }
  }
  double sum = 0.0;
  for (std::size_t phase = 0; phase < kPhases; ++phase)
    sum += std::abs(shares_of_one[phase] / ones - shares_of_other[phase] / others);
  return sum / 2.0;
}

}  // namespace

class TestPhasesOperation : public QObject {
  Q_OBJECT
 private slots:
  void nuclei_are_the_dark_phases_data();
  void nuclei_are_the_dark_phases();
  void tissues_have_other_shares_of_phases();
  void says_when_there_are_fewer();
};

void TestPhasesOperation::nuclei_are_the_dark_phases_data() {
  QTest::addColumn<QString>("set");
  QTest::addColumn<QString>("stains");
  QTest::addColumn<int>("dark");
  QTest::addColumn<double>("dice");
  const auto row = [](const char* set, const char* stains, int dark, double dice) {
    QTest::addRow("%s, %s", set, stains) << set << stains << dark << dice;
  };
  row("P1_nuclei_glands", "colour", 2, 0.86);
  row("P1_nuclei_glands", "h-e", 3, 0.83);
  row("P2_nuclei_dense", "colour", 2, 0.88);
  row("P2_nuclei_dense", "h-e", 3, 0.82);
  row("P4_nuclei_aligned", "colour", 3, 0.85);
  row("P4_nuclei_aligned", "h-e", 2, 0.87);
}

void TestPhasesOperation::nuclei_are_the_dark_phases() {
  QFETCH(QString, set);
  QFETCH(QString, stains);
  QFETCH(int, dark);
  QFETCH(double, dice);
  const auto folder = test::test_data(set.toStdString());
  SEEDWAVE_NEED_DATA(folder);
  Context context;
  const Volume image = io::load_path(folder / "image.png", "", context).volume;
  const Volume drawn = io::load_path(folder / "nuclei_mask.png", "", context).volume;
  const RunReport report = phases_of(image, stains.toStdString(), 4);
  const auto labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  double found = 0.0;
  double nuclei = 0.0;
  double both = 0.0;
  for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
    const bool is_found = static_cast<int>(labels[i]) <= dark;
    const bool is_drawn = drawn.value_at(drawn.geometry().index_of(i)) != 0.0;
    found += is_found ? 1.0 : 0.0;
    nuclei += is_drawn ? 1.0 : 0.0;
    both += is_found && is_drawn ? 1.0 : 0.0;
  }
  const double got = 2.0 * both / (found + nuclei);
  QVERIFY2(got > dice, qPrintable(QString::number(got)));
}

void TestPhasesOperation::tissues_have_other_shares_of_phases() {
  constexpr double kDermis = 1.0;
  constexpr double kEpidermis = 2.0;
  constexpr double kGlass = 3.0;
  const auto folder = test::test_data("T2_skin_regions");
  SEEDWAVE_NEED_DATA(folder);
  Context context;
  const Volume image = io::load_path(folder / "image.jpg", "", context).volume;
  const Volume regions = io::load_path(folder / "regions.png", "", context).volume;
  const RunReport by_colour = phases_of(image, "colour", 4);
  QVERIFY(apart(by_colour, regions, kDermis, kEpidermis) > 0.55);
  QVERIFY(apart(by_colour, regions, kDermis, kGlass) > 0.7);
  QVERIFY(apart(by_colour, regions, kEpidermis, kGlass) > 0.95);
  // Green ink is on the slide.
  const RunReport by_stains = phases_of(image, "h-e", 3);
  QVERIFY(apart(by_stains, regions, kDermis, kGlass) > 0.5);
  QVERIFY(apart(by_stains, regions, kEpidermis, kGlass) > 0.8);
}

void TestPhasesOperation::says_when_there_are_fewer() {
  Geometry geometry;
  geometry.size = {3, 1, 1};
  const RunReport report =
      phases_of(Volume(geometry, std::vector<std::uint8_t>{7, 9, 7}), "colour", 4);
  QCOMPARE(report.facts.warnings,
           (std::vector<std::string>{
               "only 2 phases: the image has no more different colours or values"}));
}

QTEST_GUILESS_MAIN(TestPhasesOperation)
#include "test_phases.moc"
