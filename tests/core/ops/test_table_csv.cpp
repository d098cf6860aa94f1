// SPDX-License-Identifier: Apache-2.0
#include "core/ops/table_csv.h"

#include <QTest>

#include <limits>

using namespace seedwave;

class TestTableCsv : public QObject {
  Q_OBJECT
 private slots:
  void writes_numbers_so_that_they_are_read_back_the_same();
  void leaves_empty_what_is_no_number();
  void quotes_names_that_would_end_a_cell();
};

void TestTableCsv::writes_numbers_so_that_they_are_read_back_the_same() {
  const double third = 1.0 / 3.0;
  const QString text = QString::fromStdString(csv_of({{"angle", "value"}, {{0, third}, {90, -2}}}));
  const QStringList lines = text.split('\n');
  QCOMPARE(lines.size(), 4);
  QCOMPARE(lines[0], QStringLiteral("angle,value"));
  QCOMPARE(lines[1].section(',', 1).toDouble(), third);
  QCOMPARE(lines[2], QStringLiteral("90,-2"));
  QVERIFY(lines[3].isEmpty());
}

void TestTableCsv::leaves_empty_what_is_no_number() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  QCOMPARE(csv_of({{"a", "b", "c"}, {{nan, 1, infinity}}}), std::string("a,b,c\n,1,\n"));
}

void TestTableCsv::quotes_names_that_would_end_a_cell() {
  QCOMPARE(csv_of({{"length (px)", "run 2, angle 30", "a \"b\""}, {}}),
           std::string("length (px),\"run 2, angle 30\",\"a \"\"b\"\"\"\n"));
}

QTEST_APPLESS_MAIN(TestTableCsv)
#include "test_table_csv.moc"
