// SPDX-License-Identifier: Apache-2.0
// The watershed as an operation: the sources of its markers, and its refusals.
#include "core/base/error.h"
#include "core/ops/run.h"

#include <QTest>

#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using Labels = std::vector<std::uint16_t>;

Geometry line_of(std::size_t length) {
  Geometry geometry;
  geometry.size = {static_cast<std::int64_t>(length), 1, 1};
  return geometry;
}
template <typename T>
Volume line(std::vector<T> voxels) {
  const Geometry geometry = line_of(voxels.size());
  return Volume(geometry, std::move(voxels));
}

RunRequest request_on(std::vector<std::uint8_t> image) {
  RunRequest request;
  request.operation = "watershed";
  request.inputs.image = line(std::move(image));
  return request;
}

Labels labels_of(const RunReport& report) {
  const auto labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  return {labels.begin(), labels.end()};
}
RunReport run(const RunRequest& request) {
  Context context;
  return run_operation(make_operation_table(), request, context);
}
/// Returns the message of the InputError, or "".
std::string refusal_of(const RunRequest& request) {
  try {
    static_cast<void>(run(request));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

class TestWatershedOperation : public QObject {
  Q_OBJECT
 private slots:
  void takes_markers_from_an_image_and_from_seeds();
  void warns_of_markers_outside_the_mask();
  void draws_lines_when_asked();
  void refuses_what_is_no_label();
};

void TestWatershedOperation::takes_markers_from_an_image_and_from_seeds() {
  RunRequest request = request_on({1, 2, 9, 2, 1, 1});
  request.inputs.marker = line<float>({1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 300.0F});
  QCOMPARE(labels_of(run(request)), (Labels{1, 1, 1, 300, 300, 300}));
  request.inputs.seeds.seeds = {{5, 2}};
  QCOMPARE(labels_of(run(request)), (Labels{1, 1, 1, 2, 2, 2}));
  request.inputs.marker = {};
  QCOMPARE(labels_of(run(request)), (Labels{2, 2, 2, 2, 2, 2}));
}

void TestWatershedOperation::warns_of_markers_outside_the_mask() {
  RunRequest request = request_on({1, 1, 1, 1});
  request.inputs.marker = line<std::uint8_t>({1, 0, 2, 2});
  request.inputs.mask = LabelMap(line_of(4), std::vector<std::uint16_t>{1, 1, 0, 0});
  const RunReport report = run(request);
  QCOMPARE(labels_of(report), (Labels{1, 1, 0, 0}));
  QCOMPARE(report.facts.warnings,
           (std::vector<std::string>{"2 marker voxels lie outside the mask and were left out"}));
}

void TestWatershedOperation::draws_lines_when_asked() {
  RunRequest request = request_on({1, 2, 3, 3, 2, 1});
  request.inputs.marker = line<std::int32_t>({1, 0, 0, 0, 0, 2});
  request.values.set("lines", "yes");
  QCOMPARE(labels_of(run(request)), (Labels{1, 1, 1, 0, 2, 2}));
}

void TestWatershedOperation::refuses_what_is_no_label() {
  RunRequest request = request_on({1, 1, 1});
  QVERIFY(refusal_of(request).find("needs markers") != std::string::npos);
  request.inputs.marker = line<std::uint8_t>({0, 0, 0});
  QVERIFY(refusal_of(request).find("needs markers") != std::string::npos);
  request.inputs.marker = line<std::int16_t>({0, -1, 0});
  QVERIFY(refusal_of(request).find("the marker holds -1") != std::string::npos);
  request.inputs.marker = line<float>({0.0F, 1.5F, 0.0F});
  QVERIFY(refusal_of(request).find("the marker holds 1.5") != std::string::npos);
  request.inputs.marker = line<float>({0, 4294967296.0F, 0});
  QVERIFY(refusal_of(request).find("the marker holds 4294967296") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestWatershedOperation)
#include "test_watershed.moc"
