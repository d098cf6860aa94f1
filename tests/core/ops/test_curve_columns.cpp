// SPDX-License-Identifier: Apache-2.0
#include "core/ops/curve_columns.h"

#include <QTest>

#include <string>

using namespace seedwave;

namespace {

OutputSpec spectrum() {
  return {.id = "curve",
          .help = "",
          .form = CurveForm{
              .columns = {{.id = "angle", .title = "Angle"}, {.id = "sum", .title = "Sum"}}}};
}

OutputSpec features() {
  return {.id = "curve",
          .help = "",
          .form = CurveForm{
              .columns = {{.id = "radius", .title = "Radius"},
                          {.id = "open_phase", .title = "Probability", .repeats = true}}}};
}

/// Returns "title/label, title" of each column.
std::string told(const OutputSpec& output, const std::vector<std::string>& names) {
  std::string text;
  for (const CurveColumn& column : curve_columns(output, {.columns = names, .rows = {}})) {
    text += (text.empty() ? "" : ", ") + column.title;
    if (column.label) text += "/" + std::to_string(*column.label);
  }
  return text;
}

}  // namespace

class TestCurveColumns : public QObject {
  Q_OBJECT
 private slots:
  void a_column_for_each_of_its_spec() {
    QCOMPARE(told(spectrum(), {"angle", "sum"}), std::string("Angle, Sum"));
    QCOMPARE(told(spectrum(), {"angle"}), std::string());
    QCOMPARE(told(spectrum(), {"angle", "sum", "sum"}), std::string());
  }

  void the_last_stands_for_as_many_as_come_out() {
    const std::vector<std::string> names{"radius", column_name("open_phase", 1),
                                         column_name("open_phase", 12),
                                         column_name("open_phase", 1, std::uint16_t{3})};
    QCOMPARE(names[3], std::string("open_phase_1_of_label_3"));
    QCOMPARE(told(features(), names),
             std::string("Radius, Open phase 1, Open phase 12, Open phase 1/3"));
    const OutputSpec output = spectrum();
    const std::vector<CurveColumn> columns =
        curve_columns(output, {.columns = {"angle", "sum"}, .rows = {}});
    QCOMPARE(columns[1].spec->id, std::string("sum"));
  }

  void others_are_not_of_it_data() {
    QTest::addColumn<std::string>("name");
    for (const char* name :
         {"", "open_phase", "open_phase_", "open_phase_x", "phase_1", "open_phase_1_",
          "open_phase_1_of_label_", "open_phase_1_of_label_4294967296", "open_phase_1_of_label_2x"})
      QTest::addRow("'%s'", name) << std::string(name);
  }

  void others_are_not_of_it() {
    QFETCH(std::string, name);
    QCOMPARE(told(features(), {"radius", name}), std::string());
    QCOMPARE(told(features(), {"radius"}), std::string());
  }
};

QTEST_GUILESS_MAIN(TestCurveColumns)
#include "test_curve_columns.moc"
