// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/ops/operation.h"

#include <QTest>

#include <string>

using namespace seedwave;

namespace {

Parameter number() {
  return {.id = "sigma",
          .initial = "auto",
          .domain = NumberDomain{.low = 0.5, .high = 10.0, .word = "auto"}};
}

Parameter per_label() {
  return {.id = "m",
          .initial = 1.0,
          .domain = NumberDomain{.low = 0.0, .high = 1000.0, .per_label = true}};
}

Parameter integer() {
  return {.id = "count",
          .initial = 3.0,
          .domain = NumberDomain{.low = 1.0, .high = 9.0, .whole = true}};
}

Parameter choice() {
  return {.id = "connectivity",
          .initial = "4",
          .domain = ChoiceDomain{{"4", "", Applies::Images},
                                 {"8", "", Applies::Images},
                                 {"6", "", Applies::Volumes},
                                 {"any", "", Applies::Always}}};
}

Parameter direction() {
  return {.id = "direction",
          .initial = "0,0,1",
          .domain = DirectionDomain{},
          .applies = Applies::Volumes};
}

Parameter place() {
  return {.id = "at",
          .initial = "none",
          .domain = PlaceDomain{.word = "none"},
          .applies = Applies::Images};
}

Operation operation() {
  return {.id = "op",
          .title = "",
          .help = "",
          .inputs = {{InputKind::Image, true, ""},
                     {InputKind::Seeds, true, ""},
                     {InputKind::Mask, false, ""}},
          .parameters = {number(), per_label(), integer(), choice(), direction(), place()},
          .outputs = {{"curve", "", CurveForm{}}, {"image", "", ImageForm{}}},
          .implementations = {},
          .reference_algorithm = ""};
}

Geometry grid(const Index3& size) {
  Geometry geometry;
  geometry.size = size;
  return geometry;
}

Volume image(const Index3& size, int components = 1) {
  const Geometry geometry = grid(size);
  return {geometry,
          std::vector<std::uint8_t>(static_cast<std::size_t>(geometry.voxel_count() * components)),
          components};
}

LabelMap labels(const Index3& size) {
  const Geometry geometry = grid(size);
  return {geometry, std::vector<std::uint16_t>(static_cast<std::size_t>(geometry.voxel_count()))};
}

Inputs good_inputs() {
  Inputs inputs;
  inputs.image = image({4, 3, 2});
  inputs.seeds.seeds = {{0, 1}};
  return inputs;
}

/// Returns the message of the exception that `call` throws; "" if none.
template <typename Exception, typename Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace

class TestOperation : public QObject {
  Q_OBJECT
 private slots:
  void reads_a_value_data();
  void reads_a_value();
  void refuses_a_value_and_says_what_would_do_data();
  void refuses_a_value_and_says_what_would_do();
  void fills_in_what_was_not_given();
  void starts_with_the_first_choice_that_applies();
  void refuses_a_choice_of_the_other_dimension();
  void a_parameter_has_no_value_where_it_does_not_apply();
  void refuses_a_place_outside_the_image();
  void names_the_parameters_when_one_is_unknown();
  void main_output_is_the_first_image_or_labels();
  void main_output_of_curves_alone_is_the_first();
  void main_output_is_none_that_must_be_asked_for();
  void accepts_good_inputs();
  void refuses_inputs_data();
  void refuses_inputs();
};

void TestOperation::reads_a_value_data() {
  QTest::addColumn<int>("parameter");
  QTest::addColumn<QString>("text");
  QTest::addColumn<double>("number");
  QTest::addColumn<QString>("word");
  QTest::newRow("number") << 0 << "2.5" << 2.5 << "";
  QTest::newRow("lower end") << 0 << "0.5" << 0.5 << "";
  QTest::newRow("upper end, plus sign") << 0 << "+10" << 10.0 << "";
  QTest::newRow("exponent") << 0 << "1e0" << 1.0 << "";
  QTest::newRow("word") << 0 << "auto" << 0.0 << "auto";
  QTest::newRow("one per label") << 1 << "1=900,2=0.5" << 0.0 << "1=900,2=0.5";
  QTest::newRow("whole number") << 2 << "9" << 9.0 << "";
  QTest::newRow("direction") << 4 << "1,-0.5,0" << 0.0 << "1,-0.5,0";
  QTest::newRow("place") << 5 << "120,45" << 0.0 << "120,45";
  QTest::newRow("first pixel") << 5 << "0,0" << 0.0 << "0,0";
  QTest::newRow("no place") << 5 << "none" << 0.0 << "none";
  QTest::newRow("choice that looks like a number") << 3 << "8" << 0.0 << "8";
}

void TestOperation::reads_a_value() {
  QFETCH(int, parameter);
  QFETCH(QString, text);
  QFETCH(double, number);
  QFETCH(QString, word);
  const Value value = parse_value(operation().parameters[parameter], text.toStdString());
  if (word.isEmpty()) {
    QCOMPARE(std::get<double>(value), number);
  } else {
    QCOMPARE(std::get<std::string>(value), word.toStdString());
  }
}

void TestOperation::refuses_a_value_and_says_what_would_do_data() {
  QTest::addColumn<int>("parameter");
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("message");
  const QString sigma = "sigma must be a number from 0.5 to 10, or auto, not '%1'";
  for (const char* text :
       {"0.49", "10.1", "-1", "nan", "inf", "1,5", "12px", "", " ", "--1", "+-1"})
    QTest::newRow(qPrintable(QString("number ") + text)) << 0 << text << sigma.arg(text);
  const QString m = "m must be a number from 0 to 1000, or one per label (1=900,2=600), not '%1'";
  for (const char* text : {"1=", "1=1001", "1=5,1=6", "0=5", "auto"})
    QTest::newRow(qPrintable(QString("per label ") + text)) << 1 << text << m.arg(text);
  QTest::newRow("fraction") << 2 << "2.5"
                            << "count must be a whole number from 1 to 9, not '2.5'";
  const QString toward = "direction must be three numbers X,Y,Z, not all 0, not '%1'";
  for (const char* text : {"", "1", "1,2", "1,2,3,4", "0,0,0", "1,2,x", "1,,2", "1 2 3", "nan,0,1"})
    QTest::newRow(qPrintable(QString("direction ") + text)) << 4 << text << toward.arg(text);
  const QString at = "at must be two whole numbers X,Y, or none, not '%1'";
  for (const char* text : {"", "1", "1,", ",1", "1,2,3", "-1,2", "1,-2", "+1,2", "1.5,2", "1, 2",
                           "1;2", "9223372036854775808,0", "nowhere"})
    QTest::newRow(qPrintable(QString("place ") + text)) << 5 << text << at.arg(text);
  QTest::newRow("choice") << 3 << "26"
                          << "connectivity must be 4, 8, 6 or any, not '26'";
}

void TestOperation::refuses_a_value_and_says_what_would_do() {
  QFETCH(int, parameter);
  QFETCH(QString, text);
  QFETCH(QString, message);
  const std::string thrown = message_of<UsageError>([&] {
    const Value ignored = parse_value(operation().parameters[parameter], text.toStdString());
  });
  QCOMPARE(QString::fromStdString(thrown), message);
}

void TestOperation::fills_in_what_was_not_given() {
  Values given;
  given.set("count", 5.0);
  const Values values = checked_values(operation(), given, false);
  QCOMPARE(values.number("count"), 5.0);
  QCOMPARE(values.word("sigma"), std::string("auto"));
  QCOMPARE(values.number("m"), 1.0);
}

void TestOperation::starts_with_the_first_choice_that_applies() {
  QCOMPARE(std::get<std::string>(initial_value(choice(), true)), std::string("4"));
  QCOMPARE(std::get<std::string>(initial_value(choice(), false)), std::string("6"));
}

void TestOperation::refuses_a_choice_of_the_other_dimension() {
  Values given;
  given.set("connectivity", "8");
  QCOMPARE(checked_values(operation(), given, true).word("connectivity"), std::string("8"));
  QCOMPARE(message_of<UsageError>(
               [&] { const Values ignored = checked_values(operation(), given, false); }),
           std::string("connectivity must be 6 or any on a volume, not '8'"));
}

void TestOperation::a_parameter_has_no_value_where_it_does_not_apply() {
  QCOMPARE(checked_values(operation(), {}, false).word("direction"), std::string("0,0,1"));
  QVERIFY(!checked_values(operation(), {}, true).has("direction"));
  Values given;
  given.set("direction", "1,0,0");
  given.set("count", 5.0);
  QCOMPARE(message_of<UsageError>(
               [&] { const Values ignored = checked_values(operation(), given, true); }),
           std::string("direction is for volumes, but this is a 2-D image"));
  QVERIFY(applicable(operation(), given, false) == given);
  const Values on_images = applicable(operation(), given, true);
  QVERIFY(!on_images.has("direction") && on_images.has("count"));
}

void TestOperation::refuses_a_place_outside_the_image() {
  const auto refused = [](const char* at, const Geometry& geometry) {
    Values values;
    values.set("at", at);
    return message_of<UsageError>([&] { check_places(operation(), values, geometry); });
  };
  for (const char* at : {"none", "0,0", "3,2"})
    QCOMPARE(refused(at, grid({4, 3, 1})), std::string());
  for (const std::string at : {"4,2", "3,3", "9223372036854775807,0"})
    QCOMPARE(refused(at.c_str(), grid({4, 3, 1})),
             "at must lie inside the image, which has 4 x 3 pixels, not at " + at);
  check_places(operation(), {}, grid({4, 3, 2}));  // if it does not apply, there is none
}

void TestOperation::names_the_parameters_when_one_is_unknown() {
  Values given;
  given.set("sigmo", 5.0);
  QCOMPARE(message_of<UsageError>(
               [&] { const Values ignored = checked_values(operation(), given, false); }),
           std::string(
               "op has no parameter 'sigmo', only sigma, m, count, connectivity, direction or at"));
}

void TestOperation::main_output_is_the_first_image_or_labels() {
  QCOMPARE(operation().main_output().id, std::string("image"));
}

void TestOperation::main_output_of_curves_alone_is_the_first() {
  Operation curves = operation();
  curves.outputs = {{.id = "spectrum", .help = "", .form = CurveForm{}},
                    {.id = "objects", .help = "", .form = TableForm{}}};
  QCOMPARE(curves.main_output().id, std::string("spectrum"));
}

void TestOperation::main_output_is_none_that_must_be_asked_for() {
  Operation large = operation();
  large.outputs.back().on_request = true;
  QCOMPARE(large.main_output().id, std::string("curve"));
}

void TestOperation::accepts_good_inputs() {
  Inputs inputs = good_inputs();
  check_inputs(operation(), inputs);
  inputs.mask = labels({4, 3, 2});
  check_inputs(operation(), inputs);
}

void TestOperation::refuses_inputs_data() {
  QTest::addColumn<int>("what");
  QTest::addColumn<QString>("part");
  QTest::newRow("no image") << 0 << "op needs an image";
  QTest::newRow("no seeds") << 1 << "op needs seeds";
  QTest::newRow("mask on another grid") << 2 << "the mask is on a different grid";
  QTest::newRow("marker on another grid") << 4 << "the marker is on a different grid";
  QTest::newRow("seed outside") << 5 << "a seed of label 3 lies outside the image";
  QTest::newRow("colour") << 6 << "choose a channel (gray, ";
}

void TestOperation::refuses_inputs() {
  QFETCH(int, what);
  QFETCH(QString, part);
  Inputs inputs = good_inputs();
  if (what == 0) inputs.image = {};
  if (what == 1) inputs.seeds = {};
  if (what == 2) inputs.mask = labels({4, 3, 3});
  if (what == 4) inputs.marker = image({4, 3, 1});
  if (what == 5) inputs.seeds.seeds.push_back({24, 3});
  if (what == 6) inputs.image = image({4, 3, 2}, 3);
  const std::string thrown = message_of<InputError>([&] { check_inputs(operation(), inputs); });
  QVERIFY2(thrown.find(part.toStdString()) != std::string::npos, thrown.c_str());
}

QTEST_GUILESS_MAIN(TestOperation)
#include "test_operation.moc"
