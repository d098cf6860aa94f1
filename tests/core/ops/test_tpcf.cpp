// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/ops/run.h"
#include "core/ops/tpcf_means.h"
#include "core/texture/tpcf.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::int64_t kWindow = 8;
constexpr std::int64_t kRadii = kWindow / 2 + 1;

Volume picture(std::int64_t nx, std::int64_t ny, std::int64_t count, std::uint64_t seed = 1) {
  test::RandomNumbers random(seed);
  Geometry geometry;
  geometry.size = {nx, ny, 1};
  geometry.spacing = {0.5, 0.5, 1.0};
  geometry.origin = {10.0, 20.0, 0.0};
  std::vector<std::uint8_t> phases;
  for (std::int64_t i = 0; i < nx * ny; ++i)
    phases.push_back(static_cast<std::uint8_t>(random.below(count + 1)));
  phases.front() = static_cast<std::uint8_t>(count);
  return {geometry, std::move(phases)};
}

RunRequest request(Volume image, const std::string& at = "none") {
  RunRequest made;
  made.operation = "tpcf";
  made.inputs.image = std::move(image);
  made.values.set("window", static_cast<double>(kWindow));
  if (made.inputs.image.geometry().is_2d()) made.values.set("at", at);
  return made;
}

RunReport run(const RunRequest& wanted, int threads = 1) {
  Context context(Context::Settings{.threads = threads});
  return run_operation(make_operation_table(), wanted, context);
}

Table curve(const RunReport& report) {
  return std::get<Table>(report.outputs.at("curve"));
}

/// Returns the curves of the window whose first cell is (x, y), phase by phase.
std::vector<float> features(const Volume& image, std::int64_t count, std::int64_t x,
                            std::int64_t y) {
  const auto voxels = image.voxels<std::uint8_t>();
  return features_at({.phases = LabelMap(image.geometry(),
                                         std::vector<std::uint16_t>(voxels.begin(), voxels.end())),
                      .count = count,
                      .window = kWindow},
                     x, y);
}

/// Returns the values of the columns from `first` on, in the order of features().
std::vector<double> told(const Table& table, std::size_t first, std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t phase = 0; phase < count; ++phase) {
    for (const std::vector<double>& row : table.rows)
      values.push_back(row[first + static_cast<std::size_t>(phase)]);
  }
  return values;
}

std::vector<double> as_f64(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

template <typename Exception>
QString refusal(const RunRequest& wanted) {
  try {
    static_cast<void>(run(wanted));
  } catch (const Exception& error) {
    return error.what();
  }
  return QStringLiteral("nothing thrown");
}

Volume with_value(float value) {
  Geometry geometry;
  geometry.size = {kWindow, kWindow, 1};
  std::vector<float> values(kWindow * kWindow, 1.0F);
  values[5] = value;
  return {geometry, std::move(values)};
}

}  // namespace

class TestTpcf : public QObject {
  Q_OBJECT
 private slots:
  void a_place_has_the_curves_of_the_window_around_it_data();
  void a_place_has_the_curves_of_the_window_around_it();
  void columns_are_the_radius_and_the_phases();
  void the_image_has_all_features();
  void without_a_place_the_curve_is_the_mean();
  void sums_of_strips_of_any_width_are_exact();
  void seeds_have_the_mean_around_them();
  void many_seeds_are_picked_evenly();
  void seeds_count_for_each_picture_anew();
  void says_which_step_was_used();
  void refuses_what_are_no_phases_data();
  void refuses_what_are_no_phases();
  void refuses_what_has_no_window();
  void refuses_an_image_that_nobody_could_hold();
};

void TestTpcf::a_place_has_the_curves_of_the_window_around_it_data() {
  QTest::addColumn<QString>("at");
  QTest::addColumn<int>("x");
  QTest::addColumn<int>("y");
  QTest::newRow("inside") << "12,9" << 8 << 5;
  QTest::newRow("first corner") << "0,0" << 0 << 0;
  QTest::newRow("last corner") << "29,19" << 22 << 12;
  QTest::newRow("one border") << "2,9" << 0 << 5;
}

void TestTpcf::a_place_has_the_curves_of_the_window_around_it() {
  QFETCH(QString, at);
  QFETCH(int, x);
  QFETCH(int, y);
  const Volume image = picture(30, 20, 3);
  const RunReport report = run(request(image, at.toStdString()));
  QCOMPARE(report.outputs.size(), std::size_t{1});
  QCOMPARE(told(curve(report), 1, 3), as_f64(features(image, 3, x, y)));
}

void TestTpcf::columns_are_the_radius_and_the_phases() {
  RunRequest wanted = request(picture(30, 20, 2), "9,9");
  wanted.inputs.seeds.seeds = {{100, 7}};
  const Table table = curve(run(wanted));
  QCOMPARE(table.columns, (std::vector<std::string>{"radius", "phase_1", "phase_2",
                                                    "phase_1_of_label_7", "phase_2_of_label_7"}));
  QCOMPARE(std::ssize(table.rows), kRadii);
  QCOMPARE(table.rows.back().front(), 2.0);  // four pixels of half a millimetre
}

void TestTpcf::the_image_has_all_features() {
  const Volume image = picture(19, 15, 3);
  RunRequest wanted = request(image);
  wanted.inputs.requested = {"image"};
  const auto volume = std::get<Volume>(run(wanted, 3).outputs.at("image"));
  const Geometry& grid = volume.geometry();
  QCOMPARE(grid.size, (Index3{12, 8, 3 * kRadii}));
  QCOMPARE(grid.origin, (Vec3{10.0 + 3.5 * 0.5, 20.0 + 3.5 * 0.5, 0.0}));
  const auto voxels = volume.voxels<float>();
  for (std::int64_t y = 0; y < grid.size[1]; ++y) {
    for (std::int64_t x = 0; x < grid.size[0]; ++x) {
      const std::vector<float> expected = features(image, 3, x, y);
      for (std::int64_t plane = 0; plane < grid.size[2]; ++plane)
        QCOMPARE(voxels[grid.offset({x, y, plane})], expected[static_cast<std::size_t>(plane)]);
    }
  }
}

void TestTpcf::without_a_place_the_curve_is_the_mean() {
  const Volume image = picture(40, 33, 2);
  std::vector<double> sums(2 * kRadii);
  for (std::int64_t y = 0; y <= 33 - kWindow; ++y) {
    for (std::int64_t x = 0; x <= 40 - kWindow; ++x) {
      const std::vector<float> values = features(image, 2, x, y);
      for (std::size_t plane = 0; plane < sums.size(); ++plane)
        sums[plane] += values[plane];  // exact: multiples of 2^-40, and few
    }
  }
  const std::vector<double> means = told(curve(run(request(image))), 1, 2);
  QCOMPARE(means.size(), sums.size());
  for (std::size_t plane = 0; plane < sums.size(); ++plane)
    QCOMPARE(means[plane], sums[plane] / (26.0 * 33.0));
}

/// In units of 2^-40, of which a device's strip has more than f64 can represent.
void TestTpcf::sums_of_strips_of_any_width_are_exact() {
  test::RandomNumbers random(3);
  for (const std::int64_t columns : {1, 7, 8, 9, 4095, 4096, 4097, 12345}) {
    constexpr std::int64_t kRows = 2;
    std::vector<float> values;
    std::int64_t units = 0;
    for (std::int64_t i = 0; i < columns * kRows; ++i) {
      const std::int64_t whole = std::int64_t{1} << 40;
      values.push_back(random.below(3) == 0 ? feature_of(whole - random.below(1000))
                                            : feature_of(random.below(whole)));
      units += static_cast<std::int64_t>(values.back() * 0x1p40F);
    }
    TpcfSums sums(1);
    sums.add({.first_column = 0,
              .first_row = 0,
              .columns = columns,
              .rows = kRows,
              .planes = 1,
              .values = values.data()});
    QCOMPARE(sums.means().front(),
             static_cast<double>(units) * 0x1p-40 / static_cast<double>(columns * kRows));
  }
}

void TestTpcf::seeds_have_the_mean_around_them() {
  const Volume image = picture(30, 20, 2);
  RunRequest wanted = request(image, "3,3");
  wanted.inputs.seeds.seeds = {{0, 4}, {30 * 9 + 12, 2}, {30 * 19 + 29, 4}};
  const Table table = curve(run(wanted, 2));
  QCOMPARE(told(table, 3, 2), as_f64(features(image, 2, 8, 5)));  // label 2
  const std::vector<float> first = features(image, 2, 0, 0);
  const std::vector<float> last = features(image, 2, 22, 12);
  const std::vector<double> mean = told(table, 5, 2);
  for (std::size_t plane = 0; plane < mean.size(); ++plane)
    QCOMPARE(mean[plane], (static_cast<double>(first[plane]) + last[plane]) / 2);
}

void TestTpcf::many_seeds_are_picked_evenly() {
  const Volume image = picture(60, 50, 1);
  RunRequest wanted = request(image, "3,3");
  std::vector<double> sums(kRadii);
  for (std::int64_t offset = 0; offset < 2500; ++offset) {
    wanted.inputs.seeds.seeds.push_back({offset, 1});
    // The first and the third of five seeds.
    if (offset % 5 != 0 && offset % 5 != 2) continue;
    const std::int64_t x = std::clamp<std::int64_t>(offset % 60 - 4, 0, 52);
    const std::int64_t y = std::clamp<std::int64_t>(offset / 60 - 4, 0, 42);
    const std::vector<float> values = features(image, 1, x, y);
    for (std::size_t plane = 0; plane < sums.size(); ++plane)
      sums[plane] += values[plane];
  }
  const std::vector<double> mean = told(curve(run(wanted, 3)), 2, 1);
  for (std::size_t plane = 0; plane < sums.size(); ++plane)
    QCOMPARE(mean[plane], sums[plane] / 1000.0);
}

void TestTpcf::seeds_count_for_each_picture_anew() {
  // One context as in the window: its cache stays.
  Context context;
  const OperationTable table = make_operation_table();
  for (const std::uint64_t number : {1, 2, 2, 1}) {
    const Volume image = picture(30, 20, 2, number);
    RunRequest wanted = request(image, "3,3");
    wanted.inputs.seeds.seeds = {{30 * 9 + 12, 2}};
    for (int again = 0; again < 2; ++again) {
      const Table told_now = curve(run_operation(table, wanted, context));
      QCOMPARE(told(told_now, 3, 2), as_f64(features(image, 2, 8, 5)));
    }
    wanted.inputs.seeds.seeds = {{30 * 4 + 4, 2}};
    const Table moved = curve(run_operation(table, wanted, context));
    QCOMPARE(told(moved, 3, 2), as_f64(features(image, 2, 0, 0)));
  }
}

void TestTpcf::says_which_step_was_used() {
  RunRequest wanted = request(picture(30, 20, 1), "3,3");
  wanted.values.set("angle_step", 0.3);
  QCOMPARE(run(wanted).facts.values.number("angle_step"), 1.0 / 3.0);
}

void TestTpcf::refuses_what_are_no_phases_data() {
  QTest::addColumn<float>("value");
  QTest::addColumn<QString>("part");
  QTest::newRow("too many") << 17.0F << "the image holds 17:";
  QTest::newRow("negative") << -1.0F << "the image holds -1:";
  QTest::newRow("fraction") << 1.5F << "the image holds 1.5:";
  QTest::newRow("infinite") << INFINITY << "the image holds inf:";
  QTest::newRow("no number") << NAN << "the image holds nan:";
}

void TestTpcf::refuses_what_are_no_phases() {
  QFETCH(float, value);
  QFETCH(QString, part);
  for (const char* at : {"none", "1,1"}) {
    const QString text = refusal<InputError>(request(with_value(value), at));
    QVERIFY2(text.contains(part) && text.contains("`phases`"), qPrintable(text));
  }
}

void TestTpcf::refuses_what_has_no_window() {
  for (const char* at : {"none", "1,1"}) {
    QCOMPARE(refusal<InputError>(request(picture(7, 30, 2), at)),
             "the image has 7 x 30 pixels, too few for a window of 8 x 8: choose a smaller "
             "window");
  }
  Geometry volume;
  volume.size = {9, 9, 2};
  QCOMPARE(refusal<InputError>(request({volume, std::vector<std::uint8_t>(162, 1)})),
           "two-point correlations need a 2-D image, not a volume");
  Geometry empty;
  empty.size = {9, 9, 1};
  QCOMPARE(refusal<InputError>(request({empty, std::vector<std::uint8_t>(81)})),
           "the image has no phases: all its values are 0");
}

void TestTpcf::refuses_an_image_that_nobody_could_hold() {
  RunRequest wanted = request(picture(5000, 4000, 16));
  wanted.values.set("window", 64.0);
  wanted.inputs.requested = {"image"};
  const QString text = refusal<InputError>(wanted);
  QVERIFY2(text.startsWith("the features of all windows would take 41.1 GB: choose one place"),
           qPrintable(text));
  wanted = request(picture(30, 20, 2), "3,3");
  wanted.inputs.requested = {"image"};
  QCOMPARE(refusal<UsageError>(wanted), "the image output covers all windows: leave out `at`");
}

QTEST_GUILESS_MAIN(TestTpcf)
#include "test_tpcf.moc"
