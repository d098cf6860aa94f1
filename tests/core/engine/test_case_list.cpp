// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/engine/case_list.h"
#include "core/ops/operation_table.h"

#include <QTest>

#include <string>
#include <vector>

using namespace seedwave;

class TestCaseList : public QObject {
  Q_OBJECT
 private slots:
  void reads_cases();
  void columns_are_those_of_the_operation();
  void refuses_with_the_line_data();
  void refuses_with_the_line();
  void takes_as_many_as_it_says();
  void needs_an_operation_that_gives_labels();

 private:
  OperationTable table_ = make_operation_table();
};

void TestCaseList::reads_cases() {
  const std::vector<ListedCase> cases =
      parse_sweep_cases(table_.at("irfc"),
                        "reference,use,image,seeds,name,mask\r\n"
                        "r1.nii,,\"a, \"\"b\"\".nii\",s1.json,,\r\n"
                        "\r\n"
                        "r2.nii,test,b.nii,s2.json,second,m.nii\r\n"
                        "r3.nii,tune,c.nii,s3.json,,");
  QCOMPARE(cases.size(), std::size_t{3});
  QVERIFY((cases[0] ==
           ListedCase{
               .name = "1",
               .use = ListedCase::Use::Tune,
               .paths = {{"image", "a, \"b\".nii"}, {"seeds", "s1.json"}, {"reference", "r1.nii"}},
               .line = 2}));
  QVERIFY((cases[1] == ListedCase{.name = "second",
                                  .use = ListedCase::Use::Test,
                                  .paths = {{"image", "b.nii"},
                                            {"seeds", "s2.json"},
                                            {"reference", "r2.nii"},
                                            {"mask", "m.nii"}},
                                  .line = 4}));
  QCOMPARE(cases[2].name, std::string("3"));
  QCOMPARE(cases[2].line, 5);
}

void TestCaseList::columns_are_those_of_the_operation() {
  for (const Operation& operation : table_.operations()) {
    if (operation.main_output().labels() == nullptr) continue;
    std::vector<std::string> all{"reference"};
    std::vector<std::string> needed{"reference"};
    for (const InputSpec& input : operation.inputs) {
      all.push_back(name_of(input.kind));
      if (input.required) needed.push_back(name_of(input.kind));
    }
    for (const auto& columns : {all, needed}) {
      const std::vector<ListedCase> cases =
          parse_sweep_cases(operation, csv_line(columns) + csv_line(columns));
      QCOMPARE(cases.size(), std::size_t{1});
      QCOMPARE(cases[0].paths.size(), columns.size());
      for (const std::string& column : columns)
        QCOMPARE(cases[0].paths.at(column), column);
    }
  }
}

void TestCaseList::refuses_with_the_line_data() {
  QTest::addColumn<std::string>("text");
  QTest::addColumn<std::string>("message");
  const auto row = [](const char* name, const std::string& text, const std::string& message) {
    QTest::newRow(name) << text << message;
  };
  const std::string header = "image,seeds,reference,use,name\n";
  row("empty", "", "empty: the first line must name the columns");
  row("empty lines", "\n\n", "empty: the first line must name the columns");
  row("no case", header, "no case below the line that names the columns");
  row("missing column", "\nimage,reference\na,b\n", "line 2: the column 'seeds' is missing");
  row("no header", "a.nii,s.json,r.nii\n",
      "line 1: irfc has no column 'a.nii', only image, seeds, mask, reference, use, "
      "name");
  row("other operation's column", "image,seeds,marker,reference\n",
      "line 1: irfc has no column 'marker', only image, seeds, mask, reference, use, "
      "name");
  row("semicolons", "image;seeds;reference\n",
      "line 1: irfc has no column 'image;seeds;reference', only image, seeds, mask, "
      "reference, use, name");
  row("long column", "image," + std::string(200, 'x') + "\n",
      "line 1: irfc has no column '" + std::string(60, 'x') +
          "...', only image, seeds, mask, reference, use, name");
  row("column twice", "image,image,seeds,reference\n", "line 1: the column 'image' appears twice");
  row("too few fields", header + "a,b,c\n",
      "line 2: the first line names 5 columns, but this one has 3");
  row("too many fields", header + "a,b,c,,d,\n",
      "line 2: the first line names 5 columns, but this one has 6");
  row("no path", header + "a,b,c,,\na,,c,,\n", "line 3: no path in column 'seeds'");
  row("no reference", header + "a,b,,,\n", "line 2: no path in column 'reference'");
  row("use", header + "a,b,c,train,\n", "line 2: the use must be tune or test, not 'train'");
  row("name twice", header + "a,b,c,,x\n\"d\ne\",b,c,,y\nf,b,c,test,x\n",
      "line 5: line 2 already has a case named 'x'");
  row("name of a number", header + "a,b,c,,2\nd,b,c,,\n",
      "line 3: line 2 already has a case named '2'");
  row("name of two lines", header + "a,b,c,,\"x\ny\"\n",
      "line 2: a name must not contain line breaks or tabs");
  row("only for the test", header + "a,b,c,test,\n",
      "no case to tune: the use of all cases is test");
  row("no CSV", header + "a,\"b\n", "line 2: a quote is not closed");
}

void TestCaseList::refuses_with_the_line() {
  QFETCH(std::string, text);
  QFETCH(std::string, message);
  try {
    static_cast<void>(parse_sweep_cases(table_.at("irfc"), text));
    QFAIL("read");
  } catch (const InputError& error) {
    QCOMPARE(std::string(error.what()), message);
  }
}

void TestCaseList::takes_as_many_as_it_says() {
  std::string text = "image,reference\n";
  for (std::size_t i = 0; i < kMostSweepCases; ++i)
    text += "a,b\n";
  const Operation& threshold = table_.at("threshold");
  QCOMPARE(parse_sweep_cases(threshold, text).size(), kMostSweepCases);
  QVERIFY_EXCEPTION_THROWN(static_cast<void>(parse_sweep_cases(threshold, text + "a,b\n")),
                           InputError);
}

void TestCaseList::needs_an_operation_that_gives_labels() {
  QVERIFY_EXCEPTION_THROWN(
      static_cast<void>(parse_sweep_cases(table_.at("h-domes"), "image,reference\na,b\n")),
      UsageError);
}

QTEST_GUILESS_MAIN(TestCaseList)
#include "test_case_list.moc"
