// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.h"
#include "core/base/error.h"

#include <QTest>

#include <random>
#include <string>
#include <vector>

using namespace seedwave;

using Records = std::vector<CsvRecord>;
Q_DECLARE_METATYPE(Records)

class TestCsv : public QObject {
  Q_OBJECT
 private slots:
  void reads_records_data();
  void reads_records();
  void refuses_what_is_no_csv_data();
  void refuses_what_is_no_csv();
  void reads_what_it_writes();
};

void TestCsv::reads_records_data() {
  QTest::addColumn<std::string>("text");
  QTest::addColumn<Records>("records");
  const auto row = [](const char* name, const std::string& text, const Records& records) {
    QTest::newRow(name) << text << records;
  };
  row("nothing", "", {});
  row("empty lines", "\n\r\n\r", {});
  row("no line end", "a,b", {{1, {"a", "b"}}});
  row("three line ends", "a\nb\r\nc\rd", {{1, {"a"}}, {2, {"b"}}, {3, {"c"}}, {4, {"d"}}});
  row("empty fields", ",a,\n,", {{1, {"", "a", ""}}, {2, {"", ""}}});
  row("empty line between", "a\n\nb\n", {{1, {"a"}}, {3, {"b"}}});
  row("one empty field in quotes", "\"\"\n", {{1, {""}}});
  row("comma in quotes", "\"a,b\",c", {{1, {"a,b", "c"}}});
  row("quotes in quotes", "\"say \"\"a\"\"\"", {{1, {"say \"a\""}}});
  row("line ends in quotes", "\"a\r\nb\nc\"\nd", {{1, {"a\r\nb\nc"}}, {4, {"d"}}});
  row("blanks stay", " a , b", {{1, {" a ", " b"}}});
  row("byte order mark", "\xEF\xBB\xBFimage\n", {{1, {"image"}}});
}

void TestCsv::reads_records() {
  QFETCH(std::string, text);
  QFETCH(Records, records);
  QVERIFY(parse_csv(text) == records);
}

void TestCsv::refuses_what_is_no_csv_data() {
  QTest::addColumn<std::string>("text");
  QTest::addColumn<std::string>("message");
  const auto row = [](const char* name, const std::string& text, const std::string& message) {
    QTest::newRow(name) << text << message;
  };
  row("quote without end", "a\n\"b\nc\n", "line 2: a quote is not closed");
  row("behind a quote", "a\nb,\"c\"d", "line 2: text after a closing quote");
  row("quote inside", "a \"b\"",
      "line 1: a quote inside an unquoted field: put the whole field in quotes");
  row("NUL", std::string("a\nb\0c", 5), "line 2: a NUL character: this is not a text file");
  row("NUL in quotes", std::string("\"\0\"", 3),
      "line 1: a NUL character: this is not a text file");
}

void TestCsv::refuses_what_is_no_csv() {
  QFETCH(std::string, text);
  QFETCH(std::string, message);
  try {
    static_cast<void>(parse_csv(text));
    QFAIL("read");
  } catch (const InputError& error) {
    QCOMPARE(std::string(error.what()), message);
  }
}

void TestCsv::reads_what_it_writes() {
  constexpr std::string_view kLetters = "ab,\"\n\r x";
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    std::vector<std::vector<std::string>> rows;
    for (std::size_t row = random() % 4; row-- > 0;) {
      rows.emplace_back();
      for (std::size_t column = 2 + random() % 3; column-- > 0;) {
        std::string field;
        for (std::size_t letter = random() % 5; letter-- > 0;)
          field += kLetters[random() % kLetters.size()];
        rows.back().push_back(field);
      }
      text += csv_line(rows.back());
    }
    const Records records = parse_csv(text);
    QCOMPARE(records.size(), rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
      QVERIFY(records[row].fields == rows[row]);
  }
}

QTEST_GUILESS_MAIN(TestCsv)
#include "test_csv.moc"
