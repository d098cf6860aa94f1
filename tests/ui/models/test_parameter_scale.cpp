// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operation_table.h"
#include "ui/models/parameter_scale.h"

#include <QTest>

#include <cmath>

namespace seedwave::ui {

class TestParameterScale : public QObject {
  Q_OBJECT

 private slots:
  void every_number_of_the_table_makes_the_way_to_the_slider_and_back() {
    const OperationTable table = make_operation_table();
    for (const Operation& operation : table.operations()) {
      for (const Parameter& parameter : operation.parameters) {
        const NumberDomain* range = parameter.numbers();
        if (range == nullptr) continue;
        const ParameterScale scale(parameter, {0.0, 1000.0});
        double last = scale.low();
        for (int position = 0; position <= ParameterScale::kSliderSteps; position += 50) {
          const double value = scale.value(position);
          QVERIFY2(value >= range->low && value <= range->high, parameter.id.c_str());
          QVERIFY2(value >= last, parameter.id.c_str());
          last = value;
          // Rounding to a readable value moves the slider by at most one step.
          const double there = scale.value(scale.position(value));
          QVERIFY2(std::abs(there - value) <= scale.step_at(value) * 1.001, parameter.id.c_str());
        }
        QCOMPARE(scale.position(scale.low()), 0);
        QCOMPARE(scale.position(scale.high()), ParameterScale::kSliderSteps);
        QVERIFY(scale.step_at(scale.value(500)) > 0.0);
      }
    }
  }

  void image_units_span_what_the_image_holds() {
    Parameter parameter{.id = "m",
                        .domain = NumberDomain{.unit = "image units", .low = -1e9, .high = 1e9}};
    const ParameterScale scale(parameter, {-1024.0, 3071.0});
    QCOMPARE(scale.low(), -1024.0);
    QCOMPARE(scale.high(), 3071.0);
  }

  void a_logarithmic_slider_spends_equal_ways_on_equal_ratios() {
    Parameter parameter{
        .id = "sigma",
        .domain = NumberDomain{.low = 1.0, .high = 10000.0, .scale = Scale::Logarithmic}};
    const ParameterScale scale(parameter, {});
    QCOMPARE(scale.value(250), 10.0);
    QCOMPARE(scale.value(500), 100.0);
    QCOMPARE(scale.value(750), 1000.0);
  }

  void a_slider_of_a_wide_range_has_room_for_small_numbers() {
    Parameter parameter{.id = "radius", .domain = NumberDomain{.high = 1000.0, .step = 0.1}};
    const ParameterScale scale(parameter, {});
    QCOMPARE(scale.value(0), 0.0);
    QVERIFY(scale.value(1) <= 0.011 && scale.value(500) < 5.0);
    QCOMPARE(scale.value(ParameterScale::kSliderSteps), 1000.0);
    QVERIFY(scale.position(20.0) - scale.position(10.0) > 50);
  }

  void a_label_number_is_typed_not_slid() {
    Parameter parameter{.id = "object",
                        .domain = NumberDomain{.low = 1.0, .high = 65534.0, .whole = true}};
    QVERIFY(!ParameterScale(parameter, {}).fits_a_slider());
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestParameterScale)
#include "test_parameter_scale.moc"
