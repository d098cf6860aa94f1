// SPDX-License-Identifier: Apache-2.0
// Tests refine-border as a user runs it: units, automatic and fixed values, refused inputs.
#include "core/base/error.h"
#include "core/ops/label_curves.h"
#include "core/ops/operation_table.h"
#include "core/ops/run.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::int64_t kSide = 24;

Geometry grid(LengthUnit unit = LengthUnit::Millimetre) {
  Geometry geometry;
  geometry.size = {kSide, kSide, 10};
  geometry.spacing = {0.5, 0.5, 1.25};
  geometry.unit = unit;
  return geometry;
}

double from_axis(const Geometry& geometry, std::int64_t offset, double shift) {
  const Index3 at = geometry.index_of(offset);
  return std::hypot(static_cast<double>(at[0]) - 12 - shift, static_cast<double>(at[1]) - 12);
}

/// Two rods of radius 7 and different brightness, one above the other, with noise.
Volume rods() {
  const Geometry geometry = grid();
  test::RandomNumbers random(9);
  std::vector<std::int16_t> values;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const bool upper = geometry.index_of(i)[2] >= 5;
    const double inside = from_axis(geometry, i, 0) < 7 ? (upper ? 100.0 : 160.0) : 0.0;
    values.push_back(
        static_cast<std::int16_t>(inside + static_cast<double>(random.below(61)) - 30));
  }
  return {geometry, values};
}

/// Labels 1 and 2 of the rods, shifted by some voxels.
LabelMap labels_of_rods(double shift) {
  const Geometry geometry = grid();
  std::vector<std::uint8_t> labels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const bool upper = geometry.index_of(i)[2] >= 5;
    labels.push_back(from_axis(geometry, i, shift) < 7 ? (upper ? 1 : 2) : 0);
  }
  return {geometry, labels};
}

RunReport run(Values values, std::vector<Seed> seeds = {}, const LabelMap& labels = {}) {
  static const OperationTable table = make_operation_table();
  RunRequest request;
  request.operation = "refine-border";
  request.values = std::move(values);
  request.inputs.image = rods();
  request.inputs.labels = labels.empty() ? labels_of_rods(2) : labels;
  request.inputs.seeds.seeds = std::move(seeds);
  Context context;
  return run_operation(table, request, context);
}

double dice(const RunReport& report, Label label) {
  const LabelMap truth = labels_of_rods(0);
  const auto& found = std::get<LabelMap>(report.outputs.at("labels"));
  double both = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < truth.labels().size(); ++i) {
    const bool a = truth.labels()[i] == label;
    const bool b = found.labels()[i] == label;
    both += a && b ? 1.0 : 0.0;
    sum += (a ? 1.0 : 0.0) + (b ? 1.0 : 0.0);
  }
  return 2.0 * both / sum;
}

std::string refusal(Values values) {
  try {
    (void)run(std::move(values));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

class TestRefineBorder : public QObject {
  Q_OBJECT

 private slots:
  void finds_the_borders_of_several_labels() {
    const RunReport report = run({});
    QVERIFY2(dice(report, 1) > 0.97, qPrintable(QString::number(dice(report, 1))));
    QVERIFY2(dice(report, 2) > 0.97, qPrintable(QString::number(dice(report, 2))));
  }

  void reports_its_estimates_by_label() {
    const Values& values = run({}).facts.values;
    // Three times the edge of a cube of 0.5 x 0.5 x 1.25 mm.
    QVERIFY(std::abs(values.number("band") - 3.0 * std::cbrt(0.3125)) < 1e-12);
    const auto curves = parse_label_curves(values.word("evidence"));
    QVERIFY(curves && curves->size() == 2);
    // Bright is inside: the evidence rises along the curve.
    QVERIFY(curves->at(2).values.front() < -1.0);
    QVERIFY(curves->at(2).values.back() > 1.0);
  }

  void fixed_estimates_give_the_same_bits() {
    const RunReport estimated = run({});
    const RunReport fixed = run(estimated.facts.values);
    QCOMPARE(fixed.facts.digest, estimated.facts.digest);
    QVERIFY(fixed.facts.values == estimated.facts.values);
  }

  void estimates_what_is_missing_for_a_label() {
    const Values& values = run({{"contrast", "1=25"}, {"evidence", "1=0:100:-2,2"}}).facts.values;
    QVERIFY(values.word("contrast").starts_with("1=25,2="));
    const auto curves = parse_label_curves(values.word("evidence"));
    QCOMPARE(curves->at(1).values, (std::vector<double>{-2.0, 2.0}));
    QCOMPARE(curves->at(1).high, 100.0);
    QVERIFY(curves->at(2).values.size() > 2);
  }

  void seeds_keep_their_label() {
    const Geometry geometry = grid();
    const std::int64_t on_ground = geometry.offset({1, 1, 7});
    const RunReport report = run({}, {{on_ground, 2}});
    const auto& labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
    QCOMPARE(labels[static_cast<std::size_t>(on_ground)], Label{2});
  }

  void keeps_the_labels_if_held_on_to() {
    const RunReport report = run({{"prior", 100.0}});
    QVERIFY(std::get<LabelMap>(report.outputs.at("labels")).labels() == labels_of_rods(2).labels());
  }

  void refuses_what_it_cannot_use() {
    QCOMPARE(refusal({{"band", 500.0}}),
             std::string("band must be at most 64 voxels wide, here 32, not 500"));
    QCOMPARE(refusal({{"evidence", "1=5:1:0,0"}}),
             std::string("evidence must be curves LABEL=LOW:HIGH:VALUE,VALUE,...;..., or auto, not "
                         "'1=5:1:0,0'"));
  }

  void needs_labels_on_the_grid_of_the_image() {
    static const OperationTable table = make_operation_table();
    RunRequest request{.operation = "refine-border"};
    request.inputs.image = rods();
    Context context;
    try {
      (void)run_operation(table, request, context);
      QFAIL("ran without labels");
    } catch (const InputError& error) {
      QCOMPARE(std::string(error.what()), std::string("refine-border needs a label map"));
    }
    Geometry other = grid();
    other.size = {8, 8, 8};
    request.inputs.labels = LabelMap(other, std::vector<std::uint8_t>(512));
    QVERIFY_THROWS_EXCEPTION(InputError, (void)run_operation(table, request, context));
  }

  void reads_and_writes_curves() {
    const std::string text = "1=-50:120.5:-4,0.5,4;70000=0:1:1,2";
    const auto curves = parse_label_curves(text);
    QVERIFY(curves.has_value());
    QCOMPARE(to_text(*curves), text);
    QCOMPARE(curves->at(70'000).values, (std::vector<double>{1.0, 2.0}));
    QVERIFY(parse_label_curves(" 1 = -50 : 20 : 1 , 2 ; 2=0:1:0,0 ").has_value());
    for (const char* wrong :
         {"", "1", "1=", "1=0:1", "1=0:1:", "1=0:1:5", "1=1:0:5,6", "0=0:1:5,6",
          "1=0:1:5,6;1=0:1:5,6", "1=0:1:5,6;", "1=0:1:5,nan", "1=0:inf:5,6", "1=0:1:5,6 7", "x"}) {
      QVERIFY2(!parse_label_curves(wrong).has_value(), wrong);
    }
  }
};

QTEST_GUILESS_MAIN(TestRefineBorder)
#include "test_refine_border.moc"
