// SPDX-License-Identifier: Apache-2.0
// Compares operations with stored results of SciPy, scikit-image, ITK and OpenCV:
// tests/data/oracles, made by tests/oracles/make_operations.py. tools/oracles runs the libraries on
// random images.
#include "core/base/number_text.h"
#include "core/ops/run.h"

#include <QByteArray>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace seedwave;
using nlohmann::json;

namespace {

const json& data() {
  static const json all = [] {
    QFile file(SEEDWAVE_ORACLES);
    if (!file.open(QIODevice::ReadOnly)) return json();
    const QByteArray bytes = file.readAll();
    return json::parse(bytes.begin(), bytes.end());
  }();
  return all;
}

template <typename T>
std::vector<T> values_of(const json& packed) {
  const QByteArray bytes =
      QByteArray::fromBase64(QByteArray::fromStdString(packed["data"].get<std::string>()));
  std::vector<T> values(static_cast<std::size_t>(bytes.size()) / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

Geometry grid_of(const json& oracle) {
  Geometry geometry;
  geometry.size = oracle["image"]["size"].get<Index3>();
  geometry.unit = oracle["volume"].get<bool>() ? LengthUnit::Millimetre : LengthUnit::Pixel;
  if (!oracle["spacing"].empty()) geometry.spacing = oracle["spacing"].get<Vec3>();
  return geometry;
}

Volume volume_of(const json& packed, const Geometry& geometry) {
  const auto type = packed["type"].get<std::string>();
  if (type == "u8") return {geometry, values_of<std::uint8_t>(packed)};
  if (type == "u16") return {geometry, values_of<std::uint16_t>(packed)};
  if (type == "i16") return {geometry, values_of<std::int16_t>(packed)};
  if (type == "i32") return {geometry, values_of<std::int32_t>(packed)};
  return {geometry, values_of<float>(packed)};
}

SeedVoxels seeds_of(const json& packed) {
  SeedVoxels seeds;
  const auto labels = values_of<std::uint16_t>(packed);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != 0) seeds.seeds.push_back({static_cast<std::int64_t>(i), labels[i]});
  }
  return seeds;
}

RunRequest request_of(const json& oracle, const Operation& operation) {
  const Geometry geometry = grid_of(oracle);
  RunRequest request;
  request.operation = operation.id;
  request.how.backend = Backend::Cpu;
  request.inputs.image = volume_of(oracle["image"], geometry);
  for (const auto& [name, packed] : oracle["inputs"].items()) {
    if (name == "marker") request.inputs.marker = volume_of(packed, geometry);
    if (name == "seeds") request.inputs.seeds = seeds_of(packed);
  }
  for (const auto& [id, value] : oracle["values"].items()) {
    const auto parameter = std::find_if(operation.parameters.begin(), operation.parameters.end(),
                                        [&](const Parameter& one) { return one.id == id; });
    const bool choice = parameter != operation.parameters.end() && parameter->choices() != nullptr;
    if (value.is_string()) {
      request.values.set(id, value.get<std::string>());
    } else if (choice) {
      request.values.set(id, number_text(value.get<double>()));
    } else {
      request.values.set(id, value.get<double>());
    }
  }
  for (const auto& [name, expected] : oracle["expected"].items()) {
    const auto output = std::find_if(operation.outputs.begin(), operation.outputs.end(),
                                     [&](const OutputSpec& one) { return one.id == name; });
    if (output != operation.outputs.end() && output->on_request)
      request.inputs.requested.insert(name);
  }
  return request;
}

std::vector<double> numbers_of(const Volume& volume) {
  return visit_voxels(
      volume, [](auto voxels) { return std::vector<double>(voxels.begin(), voxels.end()); });
}

std::vector<double> numbers_of(const LabelMap& labels) {
  return {labels.labels().begin(), labels.labels().end()};
}

std::vector<double> column_of(const Table& table, const std::string& name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  std::vector<double> numbers;
  for (const std::vector<double>& row : table.rows)
    numbers.push_back(row[static_cast<std::size_t>(found - table.columns.begin())]);
  return numbers;
}

/// Returns the library's numbers; NaN where it has none.
std::vector<double> expected_column(const json& column) {
  std::vector<double> numbers;
  for (const json& value : column)
    numbers.push_back(value.is_null() ? std::nan("") : value.get<double>());
  return numbers;
}

void compare(const std::vector<double>& found, const std::vector<double>& expected,
             const json& oracle) {
  QCOMPARE(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i])) continue;
    const double allowed =
        std::max(oracle["absolute"].get<double>(),
                 oracle["tolerance"].get<double>() * std::max(1.0, std::abs(expected[i])));
    QVERIFY2(
        std::abs(found[i] - expected[i]) <= allowed,
        qPrintable(
            QStringLiteral("value %1: %2 instead of %3").arg(i).arg(found[i]).arg(expected[i])));
  }
}

}  // namespace

class TestOracles : public QObject {
  Q_OBJECT
 private slots:
  void agrees_with_another_library_data();
  void agrees_with_another_library();
};

void TestOracles::agrees_with_another_library_data() {
  QTest::addColumn<int>("number");
  QVERIFY2(data().is_object(), "the data are missing: " SEEDWAVE_ORACLES);
  int number = 0;
  for (const json& oracle : data()["cases"])
    QTest::newRow(oracle["name"].get<std::string>().c_str()) << number++;
  QVERIFY(number > 60);
}

void TestOracles::agrees_with_another_library() {
  QFETCH(int, number);
  const json& oracle = data()["cases"][static_cast<std::size_t>(number)];
  const OperationTable table = make_operation_table();
  const Operation& operation = table.at(oracle["operation"].get<std::string>());
  for (const int threads : {1, 3}) {
    Context context(Context::Settings{.threads = threads});
    const RunReport report = run_operation(table, request_of(oracle, operation), context);
    for (const auto& [name, expected] : oracle["expected"].items()) {
      const Output& output = report.outputs.at(name);
      if (const auto* rows = std::get_if<Table>(&output)) {
        for (const auto& [column, numbers] : expected.items())
          compare(column_of(*rows, column), expected_column(numbers), oracle);
        continue;
      }
      const auto* image = std::get_if<Volume>(&output);
      const auto found = image ? numbers_of(*image) : numbers_of(std::get<LabelMap>(output));
      compare(found, numbers_of(volume_of(expected, grid_of(oracle))), oracle);
      if (QTest::currentTestFailed()) return;
    }
  }
}

QTEST_GUILESS_MAIN(TestOracles)
#include "test_oracles.moc"
