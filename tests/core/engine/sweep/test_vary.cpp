// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/engine/sweep/vary.h"
#include "core/ops/operation_table.h"

#include <QTest>

#include <string>
#include <vector>

using namespace seedwave;

namespace {

/// One parameter of each kind.
Operation operation() {
  return {.id = "op",
          .title = "",
          .help = "",
          .inputs = {},
          .parameters = {{.id = "share", .domain = NumberDomain{.low = 0.0, .high = 1.0}},
                         {.id = "wide",
                          .initial = "auto",
                          .domain = NumberDomain{.low = -1e9, .high = 1e9, .word = "auto"}},
                         {.id = "many",
                          .initial = 1.0,
                          .domain = NumberDomain{.low = 1.0, .high = 1000.0, .whole = true}},
                         {.id = "per_label",
                          .domain = NumberDomain{.low = 0.0, .high = 1e6, .per_label = true}},
                         {.id = "near",
                          .initial = "6",
                          .domain = ChoiceDomain{{"4", "", Applies::Images},
                                                 {"6", "", Applies::Volumes},
                                                 {"26", "", Applies::Volumes}}},
                         {.id = "toward", .initial = "1,0,0", .domain = DirectionDomain{}},
                         {.id = "at",
                          .initial = "none",
                          .domain = PlaceDomain{.word = "none"},
                          .applies = Applies::Images}},
          .outputs = {{"labels", "", LabelsForm{}}},
          .implementations = {},
          .reference_algorithm = ""};
}

std::vector<Value> numbers(std::initializer_list<double> list) {
  return {list.begin(), list.end()};
}

std::string text_of_all(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values)
    text += (text.empty() ? "" : " ") + text_of(value);
  return text;
}

}  // namespace

class TestVary : public QObject {
  Q_OBJECT
 private slots:
  void gives_exactly_these_values_data();
  void gives_exactly_these_values();
  void refuses_in_one_line_data();
  void refuses_in_one_line();
  void reads_what_it_writes_data();
  void reads_what_it_writes();
  void reaches_both_ends_in_so_many_values();
  void says_how_values_are_spaced();
};

void TestVary::gives_exactly_these_values_data() {
  QTest::addColumn<std::string>("text");
  QTest::addColumn<std::vector<Value>>("expected");
  const auto row = [](const char* text, std::vector<Value> expected) {
    QTest::newRow(text) << std::string(text) << std::move(expected);
  };
  row("wide=5:30:5", numbers({5, 10, 15, 20, 25, 30}));
  row("wide=5:12:5", numbers({5, 10}));
  row("wide=5:4.9:-5", numbers({5}));
  row("wide=7:7:1", numbers({7}));
  row("wide=30:5:-12.5", numbers({30, 17.5, 5}));
  // A falling range needs no sign: the bounds determine the direction.
  row("wide=600:300:50", numbers({600, 550, 500, 450, 400, 350, 300}));
  row("wide=600:300:-50", numbers({600, 550, 500, 450, 400, 350, 300}));
  row("wide=300:-300:200", numbers({300, 100, -100, -300}));
  row("wide=30:10:15", numbers({30, 15}));
  row("share=0.5:0.1:0.1", numbers({0.5, 0.4, 0.3, 0.2, 0.1}));
  row("many=10:1:3", numbers({10, 7, 4, 1}));
  // Neither accumulated nor left with binary rounding: 3 * 0.1 is 0.30000000000000004.
  row("share=0.1:0.5:0.1", numbers({0.1, 0.2, 0.3, 0.4, 0.5}));
  row("wide=-0.3:0.3:0.1", numbers({-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}));
  // The end is reached within rounding, and then has the given value; a third does not fit.
  row("share=0:1:0.3333333333333333", numbers({0, 0.33333333333333, 0.66666666666667, 1}));
  row("wide=1e9:1e9:1", numbers({1e9}));
  row("wide=999999999:1e9:0.5", numbers({999999999, 999999999.5, 1e9}));
  row("wide=5:80:*2", numbers({5, 10, 20, 40, 80}));
  row("wide=80:5:*0.5", numbers({80, 40, 20, 10, 5}));
  row("wide=80:5:*2", numbers({80, 40, 20, 10, 5}));
  row("wide=1000:1:*10", numbers({1000, 100, 10, 1}));
  row("wide=90:1:*3", numbers({90, 30, 10, 3.33333333333333, 1.11111111111111}));
  row("wide=1:1000:*10", numbers({1, 10, 100, 1000}));
  row("wide=0.001:10:*10", numbers({0.001, 0.01, 0.1, 1, 10}));
  row("wide=5:79:*2", numbers({5, 10, 20, 40}));
  row("wide=3:3:*2", numbers({3}));
  row("many=1:10:3", numbers({1, 4, 7, 10}));
  // 1, 1.5, 2.25, 3.375, 5.0625, 7.59: rounded to integers, without duplicates.
  row("many=1:10:*1.5", numbers({1, 2, 3, 5, 8}));
  row("many=1:4:*1.1", numbers({1, 2, 3, 4}));
  row("near=26,6", {"26", "6"});
  row("near=6", {"6"});
  row("wide=1,auto,-2.5", {1.0, "auto", -2.5});
  row("per-label=3,1", numbers({3, 1}));
}

void TestVary::gives_exactly_these_values() {
  QFETCH(std::string, text);
  QFETCH(std::vector<Value>, expected);
  const SweepAxis axis = axis_of(operation(), parse_vary(operation(), text), false);
  QVERIFY2(axis.values == expected, text_of_all(axis.values).c_str());
}

void TestVary::refuses_in_one_line_data() {
  QTest::addColumn<std::string>("text");
  QTest::addColumn<std::string>("part");
  const auto row = [](const char* text, const char* part) {
    QTest::newRow(text) << std::string(text) << std::string(part);
  };
  row("", "no parameter ''");
  row("sigma=1:2:1",
      "op has no parameter 'sigma', only share, wide, many, per_label, near, toward or at");
  row("share", "share=FROM:TO:STEP");
  row("share=", "FROM:TO:STEP");
  row("share=0:1", "FROM:TO:*FACTOR");
  row("share=0:1:0.5:2", "a range is");
  row("share=::", "'' is not a number");
  row("share=0:1:x", "'x' is not a number");
  row("share=0:1:*", "'' is not a number");
  row("share=0:1:**2", "'*2' is not a number");
  row("share=0:nan:0.1", "'nan' is not a number");
  row("share=0:inf:0.1", "'inf' is not a number");
  row("share=0,5:1:0.1", "'0,5' is not a number");
  row("share=0:2:0.1", "share must be a number from 0 to 1, not 2");
  row("share=-0.1:1:0.1", "from 0 to 1, not -0.1");
  row("share=0:1:0", "the step must not be 0");
  row("share=0:1:-0.1", "a step of -0.1 leads away from 1");
  row("wide=300:600:-50", "a step of -50 leads away from 600");
  row("wide=600:300:0", "the step must not be 0");
  row("wide=600:300:-0", "the step must not be 0");
  row("wide=600:300:1e-300", "more than the 10000 runs");
  row("wide=600:300:-1e-300", "more than the 10000 runs");
  row("wide=8:1:*0", "the factor must be above 0");
  row("wide=8:1:*-2", "the factor must be above 0");
  row("wide=8:1:*1.0000000000000002", "more than the 10000 runs");
  row("share=0:1:*2", "above 0");
  row("wide=-1:-8:*2", "above 0");
  row("wide=1:8:*0", "the factor must be above 0");
  row("wide=1:8:*-2", "the factor must be above 0");
  row("wide=1:8:*1", "the factor must not be 1");
  row("wide=1:8:*0.5", "leads away from 8");
  row("share=0:1:1e-300", "more than the 10000 runs");
  row("share=0:1:1e-4", "more than the 10000 runs");  // 10001: both ends count
  row("wide=1:1e9:*1.0000000000000002", "more than the 10000 runs");
  row("many=1:10:1.5", "many takes whole numbers, not 1.5");
  row("many=1.5:10:1", "many takes whole numbers, not 1.5");
  row("many=0:10:1", "many must be a whole number from 1 to 1000, not 0");
  row("near=6:26:1", "near is a choice: give its values");
  row("near=7", "near must be 4, 6 or 26, not '7'");
  row("near=6,", "not ''");
  row("near=4,6", "near must be 6 or 26 on a volume, not '4'");
  row("near=6,6", "6 appears twice");
  row("wide=1,2,1.0", "1 appears twice");
  row("per_label=1=900,2=600", "one number per value");
  row("toward=1,0,0", "a direction cannot be varied");
  row("at=none", "a place cannot be varied");
}

void TestVary::refuses_in_one_line() {
  QFETCH(std::string, text);
  QFETCH(std::string, part);
  try {
    const SweepAxis axis = axis_of(operation(), parse_vary(operation(), text), false);
    QFAIL(text_of_all(axis.values).c_str());
  } catch (const UsageError& error) {
    const std::string what = error.what();
    QVERIFY2(what.find(part) != std::string::npos, error.what());
    QVERIFY(what.find('\n') == std::string::npos);
  }
}

void TestVary::reads_what_it_writes_data() {
  QTest::addColumn<Vary>("vary");
  QTest::newRow("step") << Vary{.parameter = "wide", .from = 0.1, .to = 1e9, .step = 1.0 / 3};
  QTest::newRow("factor") << Vary{
      .parameter = "wide", .by = Vary::By::Factor, .from = 1e-6, .to = 2.0 / 3, .step = 1.1};
  QTest::newRow("list") << Vary{
      .parameter = "wide", .by = Vary::By::List, .list = {0.1, "auto", -1e-9}};
}

void TestVary::reads_what_it_writes() {
  QFETCH(Vary, vary);
  QCOMPARE(parse_vary(operation(), to_text(vary)), vary);
}

void TestVary::reaches_both_ends_in_so_many_values() {
  const Operation op = operation();
  for (const char* id : {"wide", "share", "many"}) {
    const Parameter& parameter = op.parameter(id);
    for (const auto scale : {Scale::Linear, Scale::Logarithmic}) {
      for (int count = 2; count <= 40; ++count) {
        for (const auto& [low, high] : {std::pair{0.07, 0.93}, {1e-3, 1.0}, {0.5, 0.7}}) {
          const bool whole = parameter.is_whole();
          const double from = whole ? 1.0 : low;
          const double to = whole ? 1.0 + (count - 1) * 7.0 : high;
          for (const auto& [a, b] : {std::pair{from, to}, {to, from}}) {
            const Vary vary = vary_evenly(parameter, a, b, count, scale);
            // The axis after a round trip through text, which a command line repeats.
            const SweepAxis axis = axis_of(op, parse_vary(op, to_text(vary)), false);
            QCOMPARE(axis, axis_of(op, vary, false));
            QCOMPARE(axis.values.front(), Value(a));
            QCOMPARE(axis.values.back(), Value(b));
            if (!whole || scale == Scale::Linear) {
              QCOMPARE(axis.values.size(), static_cast<std::size_t>(count));
            }
          }
        }
      }
    }
  }
}

void TestVary::says_how_values_are_spaced() {
  const auto scale = [](const std::string& text) {
    return axis_of(operation(), parse_vary(operation(), text), false).scale;
  };
  QCOMPARE(scale("wide=1:8:1"), Scale::Linear);
  QCOMPARE(scale("wide=1:8:*2"), Scale::Logarithmic);
  // The scale of a list is that of the parameter.
  QCOMPARE(scale("wide=1,8"), Scale::Linear);
  const Operation irfc = make_operation_table().at("irfc");
  QCOMPARE(axis_of(irfc, parse_vary(irfc, "sigma_o=1,8"), false).scale, Scale::Logarithmic);
}

QTEST_GUILESS_MAIN(TestVary)
#include "test_vary.moc"
