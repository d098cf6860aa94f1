// SPDX-License-Identifier: Apache-2.0
// Error messages about broken files: the file's name, the place, and what was expected there.
#include "core/base/error.h"
#include "core/base/json_place.h"

#include <QTest>

#include <ctime>
#include <functional>
#include <string>

using namespace seedwave;

namespace {

using Read = std::function<void(const JsonPlace&)>;

const std::string kText = R"({
  "name": "cells", "count": 12.5, "whole": -3, "flag": true, "nothing": null,
  "strokes": [{"radius": 2}, {"radius": "wide"}],
  "colors": {"1": "#fff"}
})";

std::string complaint(const Read& read) {
  const nlohmann::json document = parse_json(kText, "seeds.json");
  try {
    read(JsonPlace(document, "seeds.json"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

std::string parse_complaint(const std::string& text) {
  try {
    (void)parse_json(text, "seeds.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace

class TestJsonPlace : public QObject {
  Q_OBJECT
 private slots:
  void reads_what_is_there() {
    const nlohmann::json document = parse_json(kText, "seeds.json");
    const JsonPlace file(document, "seeds.json");
    QCOMPARE(file.at("name").text(), std::string("cells"));
    QCOMPARE(file.at("count").number(0, 100), 12.5);
    QCOMPARE(file.at("whole").integer(-3, 0), std::int64_t{-3});
    QVERIFY(file.at("flag").flag());
    QVERIFY(!file.find("nothing"));
    QVERIFY(!file.find("absent"));
    QCOMPARE(file.at("strokes").items().size(), std::size_t{2});
    QCOMPARE(file.at("colors").members().at(0).first, std::string("1"));
    QCOMPARE(file.at("colors").members().at(0).second.text(), std::string("#fff"));
  }

  void every_complaint_names_file_and_place() {
    const std::pair<Read, std::string> cases[] = {
        {[](const JsonPlace& file) { (void)file.at("absent"); }, "seeds.json: absent is missing"},
        {[](const JsonPlace& file) { (void)file.at("nothing"); }, "seeds.json: nothing is missing"},
        {[](const JsonPlace& file) { (void)file.at("strokes").items()[0].at("points"); },
         "seeds.json: strokes[0].points is missing"},
        {[](const JsonPlace& file) {
           (void)file.at("strokes").items()[1].at("radius").number(0, 1000);
         },
         "seeds.json: strokes[1].radius must be a number from 0 to 1000"},
        {[](const JsonPlace& file) { (void)file.at("count").number(0, 12); },
         "seeds.json: count must be a number from 0 to 12"},
        {[](const JsonPlace& file) { (void)file.at("count").integer(0, 20); },
         "seeds.json: count must be a whole number from 0 to 20"},
        {[](const JsonPlace& file) { (void)file.at("flag").text(); },
         "seeds.json: flag must be a string in quotes"},
        {[](const JsonPlace& file) { (void)file.at("name").flag(); },
         "seeds.json: name must be true or false"},
        {[](const JsonPlace& file) { (void)file.at("name").items(); },
         "seeds.json: name must be a list [ ]"},
        {[](const JsonPlace& file) { (void)file.at("name").find("x"); },
         "seeds.json: name must be an object { }"},
        {[](const JsonPlace& file) { (void)file.at("strokes").members(); },
         "seeds.json: strokes must be an object { }"},
        {[](const JsonPlace& file) { (void)file.items(); },
         "seeds.json: the file must be a list [ ]"},
    };
    for (const auto& [read, expected] : cases)
      QCOMPARE(complaint(read), expected);
  }

  void a_text_that_is_no_json_is_told_with_its_line() {
    QCOMPARE(parse_complaint("{\n\"a\": 1,\n\"b\" 2}"),
             std::string("seeds.json is not valid JSON: syntax error in line 3"));
    QCOMPARE(parse_complaint("{\n\"a\" 1,\n\"b\": 2\n}"),
             std::string("seeds.json is not valid JSON: syntax error in line 2"));
    QCOMPARE(parse_complaint(""),
             std::string("seeds.json is not valid JSON: syntax error in line 1"));
    QCOMPARE(parse_complaint("[1e999]"),
             std::string("seeds.json holds a number that is too large, such as 1e999"));
    QCOMPARE(parse_complaint(std::string(150, '[') + std::string(150, ']')),
             std::string("seeds.json is nested more than 100 levels deep"));
    QCOMPARE(parse_complaint(std::string(100, '[') + std::string(100, ']')),
             std::string("no complaint"));
  }

  void brackets_inside_of_texts_nest_nothing() {
    const std::string many(200, '[');
    QCOMPARE(parse_complaint("{\"a\": \"" + many + "\"}"), std::string("no complaint"));
    QCOMPARE(parse_complaint(R"({"a": "\"" , "b\\": ")" + many + "\"}"),
             std::string("no complaint"));
    QCOMPARE(parse_complaint(R"({"a": "\\", "b": )" + many),
             std::string("seeds.json is nested more than 100 levels deep"));
  }

  void long_lists_cost_their_length() {
    const auto seconds = [](int count) {
      std::string text = "[";
      for (int i = 0; i < count; ++i)
        text += R"({"label": 1, "points": [[1, 2, 3]]},)";
      text.back() = ']';
      const std::clock_t start = std::clock();
      (void)parse_json(text, "seeds.json");
      return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    // Eight times as many entries must not take sixty-four times as long.
    const double few = seconds(5'000);
    const double many = seconds(40'000);
    QVERIFY2(many < 24 * few, qPrintable(QString("%1 s, %2 s").arg(few).arg(many)));
  }
};

QTEST_GUILESS_MAIN(TestJsonPlace)
#include "test_json_place.moc"
