// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/ops/operation_table.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace seedwave;

namespace {

constexpr std::int64_t kGigabyte = 1'000'000'000;

Implementation implementation(const char* algorithm, Backend backend, std::int64_t bytes = 0) {
  return {.algorithm = algorithm,
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [](const Inputs&, const Values&, Context&) { return Result{}; },
          .device_bytes = [bytes](const Inputs&, const Values&) { return bytes; }};
}

/// Returns plain and fast on the CPU, fast and wide on the device; wide needs 3 GB there.
OperationTable table() {
  Operation operation{.id = "op",
                      .title = "",
                      .help = "",
                      .inputs = {},
                      .parameters = {},
                      .outputs = {},
                      .implementations = {implementation("fast", Backend::Cpu),
                                          implementation("plain", Backend::Cpu)},
                      .reference_algorithm = "plain"};
  OperationTable made({operation});
  made.add("op", implementation("fast", Backend::Cuda, kGigabyte));
  made.add("op", implementation("wide", Backend::Cuda, 3 * kGigabyte));
  return made;
}

OperationTable table_with_device(std::int64_t free_bytes = 2 * kGigabyte) {
  OperationTable made = table();
  made.set_devices({{0, "GPU A", 8 * kGigabyte, free_bytes}, {2, "GPU C", 8 * kGigabyte, 0}}, "");
  return made;
}

ImplementationChoice choose(const OperationTable& from, const ImplementationRequest& request) {
  return choose_implementation(from, from.at("op"), request, Inputs{}, Values{});
}

/// Returns "algorithm/backend/device name/why", or the message of the exception.
std::string chosen(const OperationTable& from, const ImplementationRequest& request) {
  try {
    const ImplementationChoice choice = choose(from, request);
    return choice.implementation->algorithm + "/" + name_of(choice.implementation->backend) + "/" +
           choice.device_name + "/" + choice.why;
  } catch (const Error& error) {
    return std::to_string(error.exit_code()) + ": " + error.what();
  }
}

/// Returns whether an output's weight is an image that is produced whenever the output is.
bool has_its_weight(const Operation& operation, const OutputSpec& output) {
  if (output.image() == nullptr || output.image()->weight.empty()) return true;
  return std::any_of(operation.outputs.begin(), operation.outputs.end(),
                     [&](const OutputSpec& other) {
                       return other.id == output.image()->weight && other.id != output.id &&
                              other.image() != nullptr && other.image()->weight.empty() &&
                              (other.applies == Applies::Always || other.applies == output.applies);
                     });
}

bool can_be_of_a_line(const Parameter& parameter) {
  const bool is_number = parameter.numbers() != nullptr;
  if (parameter.role_as<DrawnAngle>() != nullptr)
    return is_number && parameter.applies == Applies::Images;
  if (parameter.role_as<DrawnDirection>() != nullptr) {
    return std::holds_alternative<DirectionDomain>(parameter.domain) &&
           parameter.applies == Applies::Volumes;
  }
  return parameter.role_as<DrawnLength>() == nullptr || is_number;
}

/// Returns whether the parameter is not a place, or a place of a 2-D image only.
bool is_place_of_a_picture(const Parameter& parameter) {
  return parameter.place() == nullptr || parameter.applies == Applies::Images;
}

}  // namespace

class TestOperationTable : public QObject {
  Q_OBJECT
 private slots:
  void chooses_data();
  void chooses();
  void takes_an_approximate_one_by_name_only();
  void takes_parts_on_the_device();
  void lists_the_operations_when_one_is_unknown();
  void every_operation_is_complete();
};

void TestOperationTable::chooses_data() {
  QTest::addColumn<bool>("device");
  QTest::addColumn<QString>("algorithm");
  QTest::addColumn<QString>("backend");
  QTest::addColumn<int>("number");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* name, bool device, const char* algorithm, const char* backend,
                      int number, const char* expected) {
    QTest::newRow(name) << device << algorithm << backend << number << expected;
  };
  row("nothing asked, no device", false, "", "", 0, "fast/cpu//auto: built without CUDA");
  row("nothing asked, device", true, "", "", 0, "fast/cuda/GPU A/auto: fits on device 0");
  row("too large", true, "wide", "", 0,
      "5: op has no algorithm 'wide' for the CPU: choose one of fast (cpu and cuda), plain (cpu), "
      "wide (cuda) (auto: needs 3.0 GB, device 0 has 2.0 GB free)");
  row("full device", true, "fast", "", 2, "fast/cpu//auto: needs 1.0 GB, device 2 has 0.0 GB free");
  row("CPU form alone", true, "plain", "", 0,
      "plain/cpu//auto: this algorithm has no CUDA implementation");
  row("CPU asked for", true, "", "cpu", 0, "fast/cpu//requested");
  row("CUDA asked for", true, "wide", "cuda", 0, "wide/cuda/GPU A/requested");
  row("CUDA asked for and absent", false, "", "cuda", 0,
      "5: CUDA was requested but is not available: built without CUDA");
  row("no such device", true, "", "cuda", 1,
      "5: CUDA was requested but is not available: there is no CUDA device 1, only 0 (GPU A) 2 "
      "(GPU C)");
  row("another device, left to us", true, "", "", 1,
      "5: there is no CUDA device 1, only 0 (GPU A) 2 (GPU C)");
  row("no CUDA form of what was asked", true, "plain", "cuda", 0,
      "5: op has no algorithm 'plain' for cuda: choose one of fast (cpu and cuda), plain (cpu), "
      "wide (cuda)");
  row("unknown algorithm", false, "quick", "", 0,
      "2: op has no algorithm 'quick': choose one of fast (cpu and cuda), plain (cpu), wide "
      "(cuda)");
}

void TestOperationTable::chooses() {
  QFETCH(bool, device);
  QFETCH(QString, algorithm);
  QFETCH(QString, backend);
  QFETCH(int, number);
  QFETCH(QString, expected);
  ImplementationRequest request;
  request.algorithm = algorithm.toStdString();
  if (!backend.isEmpty()) request.backend = backend == "cpu" ? Backend::Cpu : Backend::Cuda;
  request.device = number;
  const OperationTable from = device ? table_with_device() : table();
  QCOMPARE(QString::fromStdString(chosen(from, request)), expected);
}

void TestOperationTable::takes_an_approximate_one_by_name_only() {
  Implementation exact = implementation("exact", Backend::Cuda);
  exact.why_not = [](const Inputs&, const Values&) { return "is not in the mood"; };
  Implementation rough = implementation("rough", Backend::Cuda);
  rough.exactness = Exactness::Approximate;
  OperationTable made({{.id = "op",
                        .title = "",
                        .help = "",
                        .inputs = {},
                        .parameters = {},
                        .outputs = {},
                        .implementations = {implementation("plain", Backend::Cpu)},
                        .reference_algorithm = "plain"}});
  made.add("op", exact);
  made.add("op", rough);
  made.set_devices({{0, "GPU A", 8 * kGigabyte, kGigabyte}}, "");
  QCOMPARE(chosen(made, {}), "plain/cpu//auto: exact on cuda is not in the mood");
  ImplementationRequest by_name;
  by_name.algorithm = "rough";
  QCOMPARE(chosen(made, by_name), "rough/cuda/GPU A/auto: fits on device 0");
}

void TestOperationTable::takes_parts_on_the_device() {
  OperationTable made({table().at("op")});
  Operation operation = made.at("op");
  operation.implementations[2].least_bytes = [](const Inputs&, const Values&) {
    return kGigabyte / 4;
  };
  const auto why = [&](std::int64_t free_bytes, std::int64_t memory) {
    OperationTable parts({operation});
    parts.set_devices({{0, "GPU A", 8 * kGigabyte, free_bytes}}, "");
    return chosen(parts, {.algorithm = "", .backend = {}, .device = 0, .memory = memory});
  };
  QCOMPARE(why(kGigabyte, 0), std::string("fast/cuda/GPU A/auto: fits on device 0"));
  QCOMPARE(why(kGigabyte / 2, 0),
           std::string("fast/cuda/GPU A/auto: in parts on device 0: needs 1.0 GB, device 0 has "
                       "0.5 GB free"));
  QCOMPARE(why(kGigabyte, kGigabyte / 2),
           std::string("fast/cuda/GPU A/auto: in parts on device 0, within the memory limit"));
  QCOMPARE(why(kGigabyte / 5, 0),
           std::string("fast/cpu//auto: needs 1.0 GB, device 0 has 0.2 GB free"));
  QCOMPARE(why(kGigabyte, 1000), std::string("fast/cpu//auto: needs 1.0 GB, 0.0 GB are allowed"));
}

void TestOperationTable::lists_the_operations_when_one_is_unknown() {
  try {
    const Operation& ignored = table().at("nothing");
    QFAIL(ignored.id.c_str());
  } catch (const UsageError& error) {
    QCOMPARE(error.what(), "unknown operation 'nothing': choose one of op");
  }
}

void TestOperationTable::every_operation_is_complete() {
  const OperationTable made = make_operation_table();
  QVERIFY(!made.operations().empty());
  for (const Operation& operation : made.operations()) {
    const char* id = operation.id.c_str();
    QVERIFY2(!operation.title.empty() && !operation.help.empty(), id);
    QVERIFY2(!operation.outputs.empty(), id);
    QVERIFY2(!operation.implementations.empty(), id);
    ImplementationRequest reference;
    reference.algorithm = operation.reference_algorithm;
    reference.backend = Backend::Cpu;
    const ImplementationChoice choice =
        choose_implementation(made, operation, reference, Inputs{}, Values{});
    QCOMPARE(choice.implementation->exactness, Exactness::Exact);
    // Every initial value lies in its own domain, for 2-D images and for volumes.
    for (const bool image_is_2d : {true, false}) {
      Values initial;
      for (const Parameter& parameter : operation.parameters) {
        if (!applies_to(parameter.applies, image_is_2d)) continue;
        initial.set(parameter.id, initial_value(parameter, image_is_2d));
      }
      QVERIFY2(checked_values(operation, initial, image_is_2d) == initial, id);
    }
    for (const OutputSpec& output : operation.outputs)
      QVERIFY2(has_its_weight(operation, output), id);
    for (const Parameter& parameter : operation.parameters)
      QVERIFY2(can_be_of_a_line(parameter) && is_place_of_a_picture(parameter), id);
  }
}

QTEST_GUILESS_MAIN(TestOperationTable)
#include "test_operation_table.moc"
