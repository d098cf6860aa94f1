// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/crop.h"
#include "core/ops/run.h"
#include "core/ops/texture.h"
#include "core/texture/tissue.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

Operation operation_of(const char* id) {
  return make_operation_table().at(id);
}

constexpr std::int64_t kSide = 80;

/// Returns noise on the left and patches of 4 pixels on the right, with the same amount of each of
/// two values.
Volume two_textures(std::uint8_t low, std::uint8_t high) {
  test::RandomNumbers random(1);
  Geometry geometry;
  geometry.size = {kSide, kSide, 1};
  std::vector<std::uint8_t> patches(kSide * kSide / 16);
  for (std::uint8_t& value : patches)
    value = random.below(2) == 0 ? low : high;
  std::vector<std::uint8_t> values(kSide * kSide);
  for (std::int64_t i = 0; i < kSide * kSide; ++i) {
    const std::int64_t patch = i / kSide / 4 * (kSide / 4) + i % kSide / 4;
    values[i] = i % kSide >= kSide / 2 ? patches[patch] : random.below(2) == 0 ? low : high;
  }
  return {geometry, std::move(values)};
}

Volume in_colour(const Volume& grey) {
  std::vector<std::uint8_t> values;
  for (const std::uint8_t value : grey.voxels<std::uint8_t>())
    values.insert(values.end(), {value, static_cast<std::uint8_t>(value / 2), 40});
  return {grey.geometry(), std::move(values), 3};
}

RunRequest request(const std::string& operation, Volume image) {
  RunRequest made;
  made.operation = operation;
  made.inputs.image = std::move(image);
  made.values.set("window", 16.0);
  if (operation == "tissue") {
    made.values.set("clusters", 2.0);
    made.values.set("majority", 2.0);
  } else {
    made.values.set("at", "20,40");
  }
  return made;
}

RunReport run(const RunRequest& wanted, int threads = 1) {
  Context context(Context::Settings{.threads = threads});
  return run_operation(make_operation_table(), wanted, context);
}

template <typename Exception>
QString refusal(const RunRequest& wanted) {
  try {
    static_cast<void>(run(wanted));
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing thrown";
}

/// Returns the labels of two pixels far from the middle.
std::vector<int> labels_of_halves(const RunReport& report) {
  const auto& labels = std::get<LabelMap>(report.outputs.at("labels"));
  return {static_cast<int>(labels.at({20, 40, 0})), static_cast<int>(labels.at({60, 40, 0}))};
}

}  // namespace

class TestTissue : public QObject {
  Q_OBJECT
 private slots:
  void an_image_of_phases_is_read_as_it_is();
  void other_images_are_divided_and_the_number_told();
  void strokes_give_the_labels();
  void the_step_that_was_used_is_told();
  void threads_change_no_digest();
  void labels_what_looks_alike();
  void another_threshold_takes_no_new_features();
  void what_is_looked_at_comes_before_the_rest();
  void bands_are_shown_as_they_are_computed();
  void a_worker_that_failed_in_a_band_takes_no_part_in_others();
  void refuses_what_it_cannot_answer();
};

void TestTissue::an_image_of_phases_is_read_as_it_is() {
  const RunReport report = run(request("tissue", two_textures(1, 2)));
  QCOMPARE(text_of(report.facts.values.at("phases")), std::string("auto"));
  const std::vector<int> labels = labels_of_halves(report);
  QVERIFY(labels[0] != labels[1]);
  // Pixels of no phase have no curve of their own, but change the features.
  QVERIFY(run(request("tissue", two_textures(0, 2))).summaries.at("distance").digest !=
          report.summaries.at("distance").digest);
}

void TestTissue::other_images_are_divided_and_the_number_told() {
  const Volume grey = two_textures(40, 200);
  const RunReport report = run(request("tissue", grey));
  QCOMPARE(report.facts.values.number("phases"), 4.0);
  RunRequest of_phases = request("tissue", two_textures(1, 2));
  for (const Volume& image : {grey, in_colour(grey)}) {
    // Two values are two phases, however many are requested.
    const RunReport divided = run(request("tissue", image));
    QCOMPARE(divided.summaries.at("labels").digest, run(of_phases).summaries.at("labels").digest);
  }
}

void TestTissue::strokes_give_the_labels() {
  RunRequest wanted = request("tissue", two_textures(1, 2));
  for (std::int64_t y = 16; y < 64; ++y) {
    wanted.inputs.seeds.seeds.push_back({y * kSide + 20, 40});
    wanted.inputs.seeds.seeds.push_back({y * kSide + 60, 7});
  }
  QCOMPARE(labels_of_halves(run(wanted)), (std::vector<int>{40, 7}));
}

void TestTissue::the_step_that_was_used_is_told() {
  RunRequest wanted = request("tissue", two_textures(1, 2));
  wanted.values.set("angle_step", 0.3);
  QCOMPARE(run(wanted).facts.values.number("angle_step"), 1.0 / 3.0);
}

void TestTissue::threads_change_no_digest() {
  for (const std::string operation : {"tissue", "look-alike"}) {
    const RunRequest wanted = request(operation, in_colour(two_textures(40, 200)));
    const RunReport expected = run(wanted);
    for (const int threads : {2, 3, 16}) {
      const RunReport report = run(wanted, threads);
      for (const char* output : {"labels", "distance"})
        QCOMPARE(report.summaries.at(output).digest, expected.summaries.at(output).digest);
    }
  }
}

void TestTissue::labels_what_looks_alike() {
  RunRequest wanted = request("look-alike", two_textures(1, 2));
  const RunReport report = run(wanted);
  QCOMPARE(labels_of_halves(report), (std::vector<int>{1, 0}));
  const auto labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  const auto distances = std::get<Volume>(report.outputs.at("distance")).voxels<float>();
  for (std::size_t i = 0; i < labels.size(); ++i)
    QCOMPARE(labels[i], static_cast<std::uint16_t>(distances[i] <= 3.0F ? 1 : 0));
}

void TestTissue::another_threshold_takes_no_new_features() {
  int classified = 0;
  const TissueSolvers counting{
      .nearest = [&](const TpcfProblem& windows, const FeatureClasses& classes, Context& context) {
        ++classified;
        return nearest_class(windows, classes, context);
      }};
  const Implementation counted = look_alike_implementation("box", Backend::Cpu, counting);
  const auto cache = std::make_shared<ScratchCache>();
  RunRequest wanted = request("look-alike", in_colour(two_textures(40, 200)));
  const auto labels_of_run = [&] {
    Context context(Context::Settings{.cache = cache});
    const Values values = checked_values(operation_of("look-alike"), wanted.values, true);
    const Result result = counted.run(wanted.inputs, values, context);
    const RunReport fresh = run(wanted);
    return result.values == fresh.facts.values &&
           std::ranges::equal(std::get<LabelMap>(result.outputs.at("labels")).labels(),
                              std::get<LabelMap>(fresh.outputs.at("labels")).labels());
  };
  for (const double within : {3.0, 0.5, 20.0}) {
    wanted.values.set("within", within);
    QVERIFY(labels_of_run());
    QCOMPARE(classified, 1);
  }
  wanted.values.set("at", "60,40");
  QVERIFY(labels_of_run());
  QCOMPARE(classified, 2);
  wanted.values.set("stains", "h-e");
  QVERIFY(labels_of_run());
  QCOMPARE(classified, 3);
  // The same values of another image.
  wanted.inputs.image = in_colour(two_textures(200, 40));
  QVERIFY(labels_of_run());
  QCOMPARE(classified, 4);
}

void TestTissue::what_is_looked_at_comes_before_the_rest() {
  for (const std::string operation : {"tissue", "look-alike"}) {
    RunRequest wanted = request(operation, in_colour(two_textures(40, 200)));
    const RunReport expected = run(wanted);
    std::vector<std::map<std::string, Output>> parts;
    const auto look_at = [&](const Box& box) {
      parts.clear();
      wanted.inputs.focus =
          Focus{.box = box, .show = [&](const auto& part) { parts.push_back(part); }};
      const RunReport report = run(wanted);
      for (const char* output : {"labels", "distance"}) {
        QCOMPARE(report.summaries.at(output).digest, expected.summaries.at(output).digest);
      }
    };
    const Box box{{30, 20, 0}, {50, 38, 1}};
    look_at(box);
    QCOMPARE(parts.size(), std::size_t{1});
    const auto& labels = std::get<LabelMap>(parts[0].at("labels"));
    const auto& distance = std::get<Volume>(parts[0].at("distance"));
    QVERIFY(std::ranges::equal(
        labels.labels(), crop(std::get<LabelMap>(expected.outputs.at("labels")), box).labels()));
    QVERIFY(std::ranges::equal(
        distance.bytes(), crop(std::get<Volume>(expected.outputs.at("distance")), box).bytes()));
    // Nearly everything would take nearly as long as everything.
    look_at({{0, 0, 0}, {kSide, kSide / 2, 1}});
    QVERIFY(parts.empty());
  }
}

void TestTissue::bands_are_shown_as_they_are_computed() {
  Geometry geometry;
  geometry.size = {24, 900, 1};
  test::RandomNumbers random(7);
  std::vector<std::uint8_t> values(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::uint8_t>(random.below(i < values.size() / 3 ? 2 : 3));
  for (const char* operation : {"tissue", "look-alike"}) {
    RunRequest wanted = request(operation, Volume(geometry, values));
    wanted.values.set("window", 8.0);
    // A voxel that is fixed by hand lies above a band, too.
    std::vector<std::uint8_t> drawn(values.size());
    drawn[24 * 800 + 5] = 9;
    wanted.inputs.edits = edits_from(LabelMap(geometry, std::move(drawn)), {}, "edits");
    const RunReport expected = run(wanted);
    std::vector<Box> bands;
    std::vector<Label> labels;
    std::vector<float> distances;
    std::vector<double> fractions;
    wanted.inputs.show_band = [&](const Box& band, const std::map<std::string, Output>& part) {
      bands.push_back(band);
      const LabelMap& of = std::get<LabelMap>(part.at("labels"));
      labels.insert(labels.end(), of.labels().begin(), of.labels().end());
      std::ranges::copy(std::get<Volume>(part.at("distance")).voxels<float>(),
                        std::back_inserter(distances));
    };
    Context context(Context::Settings{.progress =
                                          [&](const std::string& stage, double fraction) {
                                            if (stage == "classify") fractions.push_back(fraction);
                                          },
                                      .threads = 1});
    const RunReport report = run_operation(make_operation_table(), wanted, context);
    for (const char* output : {"labels", "distance"})
      QCOMPARE(report.summaries.at(output).digest, expected.summaries.at(output).digest);
    QVERIFY(bands.size() > 2);
    for (std::size_t i = 0; i < bands.size(); ++i)
      QCOMPARE(bands[i].lo[1], i == 0 ? std::int64_t{0} : bands[i - 1].hi[1]);
    QCOMPARE(bands.back().hi[1], geometry.size[1]);
    QVERIFY(std::ranges::equal(labels, std::get<LabelMap>(expected.outputs.at("labels")).labels()));
    QVERIFY(std::ranges::equal(distances,
                               std::get<Volume>(expected.outputs.at("distance")).voxels<float>()));
    QVERIFY(std::ranges::is_sorted(fractions));
  }
}

void TestTissue::a_worker_that_failed_in_a_band_takes_no_part_in_others() {
  Geometry geometry;
  geometry.size = {24, 900, 1};
  test::RandomNumbers random(8);
  std::vector<std::uint8_t> values(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::uint8_t& value : values)
    value = static_cast<std::uint8_t>(1 + random.below(2));
  RunRequest wanted = request("tissue", Volume(geometry, values));
  wanted.values.set("window", 8.0);
  const RunReport expected = run(wanted);
  std::atomic<int> on_device = 0;
  const NearestClassSolver nearest = [&](const TpcfProblem& windows, const FeatureClasses& classes,
                                         Context& own) {
    if (own.on_cpu()) return nearest_class(windows, classes, own);
    ++on_device;
    throw DeviceFault("fell off the bus");
  };
  const Implementation implementation =
      tissue_implementation("box", Backend::Cpu, {.nearest = nearest});
  Context context({.workers = {{.device = 0}, {.device = kCpu}}, .in_files = true});
  const Result result = implementation.run(
      wanted.inputs, checked_values(operation_of("tissue"), wanted.values, true), context);
  QVERIFY(std::ranges::equal(std::get<LabelMap>(result.outputs.at("labels")).labels(),
                             std::get<LabelMap>(expected.outputs.at("labels")).labels()));
  QVERIFY(std::ranges::equal(std::get<Volume>(result.outputs.at("distance")).voxels<float>(),
                             std::get<Volume>(expected.outputs.at("distance")).voxels<float>()));
  QCOMPARE(on_device.load(), 1);
  QCOMPARE(context.work_done()[0].failure, std::string("fell off the bus"));
  QVERIFY(context.work_done()[1].visits > 3);
}

void TestTissue::refuses_what_it_cannot_answer() {
  RunRequest alike = request("look-alike", two_textures(1, 2));
  alike.values.set("at", "none");
  QCOMPARE(refusal<UsageError>(alike), "at: give a pixel with the texture to find, such as 120,45");
  RunRequest wanted = request("tissue", two_textures(1, 2));
  wanted.values.set("window", 81.0);
  QCOMPARE(refusal<InputError>(wanted),
           "the image has 80 x 80 pixels, too few for a window of 81 x 81: choose a smaller "
           "window");
  wanted.values.set("window", 16.0);
  wanted.inputs.seeds.seeds = {{100, 4}};
  QCOMPARE(refusal<InputError>(wanted),
           "the strokes have one label, 4: tissues are told apart by two or more, or without "
           "strokes");
}

QTEST_GUILESS_MAIN(TestTissue)
#include "test_tissue.moc"
