// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/ops/run.h"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

/// Returns one background voxel to the left of three, 2 mm apart.
RunRequest three_voxels() {
  RunRequest request;
  request.operation = "distance";
  request.inputs.image = Volume(Geometry{.size = {3, 1, 1}, .spacing = {2, 1, 1}},
                                std::vector<std::int16_t>{0, -7, 9});
  return request;
}

template <typename T>
std::vector<T> voxels_of(const RunReport& report, const std::string& output) {
  const auto voxels = std::get<Volume>(report.outputs.at(output)).voxels<T>();
  return {voxels.begin(), voxels.end()};
}

RunReport run(const RunRequest& request) {
  Context context;
  return run_operation(make_operation_table(), request, context);
}

}  // namespace

class TestDistance : public QObject {
  Q_OBJECT
 private slots:
  void writes_what_units_and_squared_say();
  void says_when_there_is_no_background();
  void finds_the_nearest_voxel_only_where_asked();
  void takes_labels_of_any_type();
  void refuses_what_is_no_label();
  void zones_end_at_their_reach();
};

void TestDistance::writes_what_units_and_squared_say() {
  RunRequest request = three_voxels();
  QCOMPARE(voxels_of<float>(run(request), "image"), (std::vector<float>{0, 2, 4}));
  request.values.set("squared", "yes");
  QCOMPARE(voxels_of<float>(run(request), "image"), (std::vector<float>{0, 4, 16}));
  request.values.set("units", "voxel");
  QCOMPARE(voxels_of<std::int32_t>(run(request), "image"), (std::vector<std::int32_t>{0, 1, 4}));
  request.values.set("squared", "no");
  QCOMPARE(voxels_of<float>(run(request), "image"), (std::vector<float>{0, 1, 2}));
}

void TestDistance::says_when_there_is_no_background() {
  RunRequest request = three_voxels();
  request.inputs.image = Volume(Geometry{.size = {2, 1, 1}}, std::vector<float>{0.5F, -1.0F});
  request.inputs.requested = {"nearest"};
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  QCOMPARE(voxels_of<float>(run(request), "image"), (std::vector<float>{kInfinity, kInfinity}));
  QCOMPARE(voxels_of<std::int32_t>(run(request), "nearest"), (std::vector<std::int32_t>{-1, -1}));
  request.values.set("squared", "yes");
  request.values.set("units", "voxel");
  QCOMPARE(voxels_of<std::int32_t>(run(request), "image"), (std::vector<std::int32_t>{-1, -1}));
}

void TestDistance::finds_the_nearest_voxel_only_where_asked() {
  RunRequest request = three_voxels();
  QVERIFY(!run(request).outputs.contains("nearest"));
  request.inputs.requested = {"nearest"};
  QCOMPARE(voxels_of<std::int32_t>(run(request), "nearest"), (std::vector<std::int32_t>{0, 0, 0}));
}

void TestDistance::takes_labels_of_any_type() {
  RunRequest request;
  request.operation = "influence-zones";
  // The middle is equally far from both: the smaller label wins.
  request.inputs.image = Volume(Geometry{.size = {5, 1, 1}}, std::vector<float>{65535, 0, 0, 0, 7});
  const RunReport report = run(request);
  const auto labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  QCOMPARE(std::vector<std::uint16_t>(labels.begin(), labels.end()),
           (std::vector<std::uint16_t>{65535, 65535, 7, 7, 7}));
}

void TestDistance::refuses_what_is_no_label() {
  RunRequest request;
  request.operation = "influence-zones";
  for (const float value : {-1.0F, 0.5F, 4294967296.0F, std::numeric_limits<float>::quiet_NaN()}) {
    request.inputs.image = Volume(Geometry{.size = {2, 1, 1}}, std::vector<float>{1.0F, value});
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(run(request)), InputError);
  }
}

// A voxel has the label of its zone if and only if `distance` to the labels is at most the reach,
// whatever the implementation. Reaches are mostly distances that occur, since rounding matters
// there.
void TestDistance::zones_end_at_their_reach() {
  std::mt19937_64 random(5);
  const auto upto = [&](int most) { return 1 + static_cast<std::int64_t>(random() % most); };
  for (int number = 0; number < 1000; ++number) {
    const Geometry grid{.size = {upto(12), upto(9), random() % 2 == 0 ? 1 : upto(4)},
                        .spacing = {0.2465, random() % 2 == 0 ? 0.2465 : 0.7, 1.3}};
    std::vector<std::uint8_t> labels(static_cast<std::size_t>(grid.voxel_count()));
    std::vector<std::uint8_t> unlabelled(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = static_cast<std::uint8_t>(random() % 12 == 0 ? upto(3) : 0);
      unlabelled[i] = labels[i] == 0 ? 1 : 0;
    }
    RunRequest request;
    request.operation = "influence-zones";
    request.values.set("units", random() % 2 == 0 ? "mm" : "voxel");
    RunRequest distances = request;
    distances.operation = "distance";
    distances.inputs.image = Volume(grid, unlabelled);
    const std::vector<float> lengths = voxels_of<float>(run(distances), "image");
    request.inputs.image = Volume(grid, labels);
    const LabelMap zones = std::get<LabelMap>(run(request).outputs.at("labels"));
    double reach = lengths[random() % lengths.size()];
    if (std::isinf(reach)) reach = 2.0;
    request.values.set("reach", reach);
    for (const char* algorithm : {"min-plus", "envelope"}) {
      request.how.algorithm = algorithm;
      const LabelMap within = std::get<LabelMap>(run(request).outputs.at("labels"));
      for (std::size_t i = 0; i < labels.size(); ++i)
        QCOMPARE(within.labels()[i], lengths[i] <= reach ? zones.labels()[i] : 0U);
    }
  }
}

QTEST_GUILESS_MAIN(TestDistance)
#include "test_distance.moc"
