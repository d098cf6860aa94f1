// SPDX-License-Identifier: Apache-2.0
// Tests `segment` as a user runs it: its estimates, its parts, and the promise for further strokes.
#include "core/base/error.h"
#include "core/fuzzy/tiles/tiles.h"
#include "core/image/edits.h"
#include "core/ops/label_windows.h"
#include "core/ops/operation_table.h"
#include "core/ops/run.h"
#include "core/ops/segment.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

const OperationTable& table() {
  static const OperationTable made = make_operation_table();
  return made;
}

RunReport run(const std::string& operation, const Inputs& inputs, Values values = {},
              int threads = 2) {
  RunRequest request;
  request.operation = operation;
  request.values = std::move(values);
  request.inputs = inputs;
  Context context(Context::Settings{.threads = threads});
  return run_operation(table(), request, context);
}

const LabelMap& labels_of(const RunReport& report) {
  return std::get<LabelMap>(report.outputs.at("labels"));
}

Geometry grid() {
  Geometry geometry;
  geometry.size = {48, 40, 16};
  geometry.spacing = {1.0, 1.0, 1.5};
  return geometry;
}

/// 1 and 2 in two balls, 0 elsewhere.
Label ball_at(const Index3& at) {
  const auto within = [&](double x, double y, double z, double radius) {
    return std::hypot(static_cast<double>(at[0]) - x, static_cast<double>(at[1]) - y,
                      1.5 * (static_cast<double>(at[2]) - z)) < radius;
  };
  return within(15, 18, 8, 10) ? 1 : within(35, 22, 8, 8) ? 2 : 0;
}

/// Two balls of 100 and 150 on a ground of 40, with noise, and a stroke in each: 1, 2 and 3.
Inputs two_balls() {
  const Geometry geometry = grid();
  test::RandomNumbers random(5);
  std::vector<std::int16_t> values;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Label ball = ball_at(geometry.index_of(i));
    const std::int64_t level = ball == 1 ? 100 : ball == 2 ? 150 : 40;
    values.push_back(static_cast<std::int16_t>(level + random.below(25) + random.below(25) - 24));
  }
  Inputs inputs;
  inputs.image = Volume(geometry, values);
  for (std::int64_t x = 0; x < 8; ++x) {
    for (std::int64_t y = 0; y < 3; ++y) {
      inputs.seeds.seeds.push_back({geometry.offset({11 + x, 17 + y, 8}), 1});
      inputs.seeds.seeds.push_back({geometry.offset({31 + x, 21 + y, 8}), 2});
      inputs.seeds.seeds.push_back({geometry.offset({20 + x, 34 + y, 8}), 3});
    }
  }
  std::ranges::sort(inputs.seeds.seeds, {}, &Seed::offset);
  return inputs;
}

double dice_with_truth(const LabelMap& labels, Label label) {
  double both = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < labels.labels().size(); ++i) {
    const bool truth = ball_at(grid().index_of(static_cast<std::int64_t>(i))) == label;
    const bool found = labels.labels()[i] == label;
    both += truth && found ? 1.0 : 0.0;
    sum += (truth ? 1.0 : 0.0) + (found ? 1.0 : 0.0);
  }
  return 2.0 * both / sum;
}

/// Noise with blocks of other intensities, and a few seeds of up to three labels.
Inputs random_inputs(test::RandomNumbers& random) {
  Geometry geometry;
  geometry.size = {4 + random.below(9), 4 + random.below(8),
                   random.below(2) == 0 ? 1 : 2 + random.below(4)};
  std::vector<std::uint8_t> values;
  const std::int64_t step = 2 + random.below(4);
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const std::int64_t block = (at[0] / step + 2 * (at[1] / step)) % 3;
    values.push_back(static_cast<std::uint8_t>(60 * block + random.below(50)));
  }
  Inputs inputs;
  inputs.image = Volume(geometry, values);
  std::map<std::int64_t, Label> seeds;
  std::int64_t place = random.below(geometry.voxel_count() / 4);
  for (const Label label : {1U, 2U, 3U}) {
    seeds[place] = label;
    place += 1 + random.below(geometry.voxel_count() / 4);
  }
  for (std::int64_t k = random.below(6); k > 0; --k)
    seeds.try_emplace(random.below(geometry.voxel_count()),
                      1 + static_cast<Label>(random.below(3)));
  for (const auto& [offset, label] : seeds)
    inputs.seeds.seeds.push_back({offset, label});
  return inputs;
}

/// Runs the steps as the problems say.
Segmented one_after_the_other(const SegmentSteps& steps, Context& context) {
  const Geometry& geometry = steps.border.image.geometry();
  const auto voxels = static_cast<std::size_t>(geometry.voxel_count());
  std::vector<std::uint16_t> labels(voxels);
  std::vector<std::uint16_t> strength(voxels);
  for (const auto& [label, problem] : steps.connectedness) {
    fuzzy::Answer answer = fuzzy::irfc_by_tiles(problem, context);
    if (steps.connectedness.size() == 1) {
      labels = std::move(answer.labels);
      strength = std::move(answer.strength);
      break;
    }
    for (std::size_t i = 0; i < voxels; ++i) {
      const std::uint16_t won = answer.labels[i];
      if (won == label && answer.strength[i] > strength[i]) {
        labels[i] = won;
        strength[i] = answer.strength[i];
      } else if (won != 0 && won != label && labels[i] == 0) {
        labels[i] = static_cast<std::uint16_t>(steps.background);
      }
    }
  }
  for (const Seed& seed : steps.border.seeds)
    labels[static_cast<std::size_t>(seed.offset)] = static_cast<std::uint16_t>(seed.label);
  CleanLabelsProblem parts = steps.seeded_parts;
  parts.labels = LabelMap(geometry, std::move(labels));
  border::RefineBorderProblem border = steps.border;
  border.labels = clean_labels(parts, context);
  CleanLabelsProblem cleaning = steps.cleaning;
  cleaning.labels = border::refine_border(border, context);
  LabelMap cleaned = clean_labels(cleaning, context);
  if (!steps.mask.empty()) {
    cleaned = make_labels(geometry, 3, [&](auto& made) {
      for (std::size_t i = 0; i < made.size(); ++i) {
        if (steps.mask.labels()[i] != 0) made[i] = static_cast<std::uint8_t>(cleaned.labels()[i]);
      }
    });
  }
  return {std::move(cleaned), std::move(strength)};
}

/// Leaves out a voxel in five, but no seed.
LabelMap random_mask(const Inputs& inputs, test::RandomNumbers& random) {
  std::vector<std::uint8_t> mask;
  for (std::int64_t i = 0; i < inputs.image.geometry().voxel_count(); ++i)
    mask.push_back(random.below(5) == 0 ? 0 : 1);
  for (const Seed& seed : inputs.seeds.seeds)
    mask[static_cast<std::size_t>(seed.offset)] = 1;
  return {inputs.image.geometry(), std::move(mask)};
}

}  // namespace

class TestSegment : public QObject {
  Q_OBJECT

 private slots:
  void finds_several_objects_from_one_stroke_each() {
    const RunReport report = run("segment", two_balls());
    for (const Label label : {1U, 2U}) {
      const double dice = dice_with_truth(labels_of(report), label);
      QVERIFY2(dice > 0.97, qPrintable(QString("label %1: %2").arg(label).arg(dice)));
    }
    QCOMPARE(report.facts.values.number("background"), 3.0);
    const auto windows = parse_label_windows(report.facts.values.word("windows"));
    QVERIFY(windows && windows->size() == 2);
    QVERIFY(std::abs(windows->at(1)[0].m - 100.0) < 5.0);
    QVERIFY(std::abs(windows->at(2)[0].m - 150.0) < 5.0);
  }

  void drafts_come_while_it_estimates_and_change_nothing() {
    Inputs inputs = two_balls();
    const RunReport without = run("segment", inputs);
    std::vector<LabelMap> drafts;
    inputs.show_draft = [&](const std::map<std::string, Output>& outputs) {
      drafts.push_back(std::get<LabelMap>(outputs.at("labels")));
    };
    const RunReport with = run("segment", inputs);
    QCOMPARE(with.facts.digest, without.facts.digest);
    QCOMPARE(drafts.size(), std::size_t{2});
    for (const LabelMap& draft : drafts)
      QVERIFY(dice_with_truth(draft, 1) > 0.9 && dice_with_truth(draft, 2) > 0.9);
    // Edits lie above them too; with given values there is nothing to wait for.
    std::vector<std::uint8_t> drawn(static_cast<std::size_t>(grid().voxel_count()));
    drawn[0] = 7;
    inputs.edits = edits_from(LabelMap(grid(), drawn), {}, "edits");
    (void)run("segment", inputs);
    QCOMPARE(drafts.size(), std::size_t{4});
    QCOMPARE(drafts.back().labels()[0], Label{7});
    (void)run("segment", inputs, with.facts.values);
    QCOMPARE(drafts.size(), std::size_t{4});
  }

  void fixed_estimates_give_the_same_bits() {
    const Inputs inputs = two_balls();
    const RunReport estimated = run("segment", inputs);
    const RunReport fixed = run("segment", inputs, estimated.facts.values);
    QCOMPARE(fixed.facts.digest, estimated.facts.digest);
    for (const auto& [id, value] : estimated.facts.values)
      QVERIFY2(fixed.facts.values.at(id) == value, id.c_str());
  }

  void threads_change_no_bit() {
    const Inputs inputs = two_balls();
    QCOMPARE(run("segment", inputs, {}, 1).facts.digest,
             run("segment", inputs, {}, 3).facts.digest);
  }

  void is_its_parts_one_after_the_other() {
    Inputs inputs = two_balls();
    const Values values =
        run("segment", inputs,
            {{"windows", "1=100:9:9,2=150:9:9"}, {"sigma_h", 12.0}, {"smooth_mm", 0.0}})
            .facts.values;
    const RunReport whole = run("segment", inputs, values);
    const RunReport connected = run("irfc", inputs,
                                    {{"object", "all"},
                                     {"m", "1=100,2=150,3=-1000"},
                                     {"sigma_o", "1=9,2=9,3=1"},
                                     {"sigma_h", 12.0}});
    const auto cleaned = [&](const LabelMap& labels) {
      Inputs of = inputs;
      std::vector<std::uint8_t> voxels;
      for (const Label label : labels.labels())
        voxels.push_back(static_cast<std::uint8_t>(label));
      of.image = Volume(labels.geometry(), voxels);
      return of;
    };
    const RunReport parts =
        run("clean-labels", cleaned(labels_of(connected)),
            {{"outline_smooth", 0.0}, {"fill_holes", "no"}, {"removed", "none"}});
    // The background gives way: refine-border knows labels that are cut and unlabelled voxels.
    std::vector<std::uint8_t> objects;
    for (const Label label : labels_of(parts).labels())
      objects.push_back(static_cast<std::uint8_t>(label == 3 ? 0 : label));
    Inputs to_refine = inputs;
    to_refine.labels = LabelMap(grid(), objects);
    std::erase_if(to_refine.seeds.seeds, [](const Seed& seed) { return seed.label == 3; });
    const RunReport refined = run("refine-border", to_refine,
                                  {{"evidence", values.at("evidence")},
                                   {"evidence_weight", values.at("evidence_weight")},
                                   {"contrast", values.at("contrast")}});
    const RunReport clean =
        run("clean-labels", cleaned(labels_of(refined)), {{"outline_smooth", 0.0}});
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const Label a = labels_of(whole).labels()[i];
      const Label b = labels_of(clean).labels()[i];
      QCOMPARE(a == 3 ? 0 : a, b == 3 ? 0 : b);
    }
  }

  // So `segment` need not look for parts without one after a single contest.
  void each_part_of_connectedness_has_a_stroke() {
    test::RandomNumbers random(29);
    int parted = 0;
    for (int k = 0; k < 3000; ++k) {
      Inputs inputs = random_inputs(random);
      const Geometry geometry = inputs.image.geometry();
      const RunReport connected = run(
          "irfc", inputs, {{"object", 1.0}, {"m", 100.0}, {"sigma_o", 9.0}, {"sigma_h", 12.0}}, 1);
      std::vector<std::uint8_t> labels;
      for (const Label label : labels_of(connected).labels())
        labels.push_back(static_cast<std::uint8_t>(label));
      inputs.image = Volume(geometry, labels);
      const RunReport clean = run("clean-labels", inputs,
                                  {{"outline_smooth", 0.0},
                                   {"fill_holes", "no"},
                                   {"removed", "none"},
                                   {"keep", "with-strokes"}},
                                  1);
      if (labels_of(clean).labels() != LabelMap(geometry, labels).labels())
        QFAIL(qPrintable(QString("case %1").arg(k)));
      parted += std::ranges::count(labels, 0) > 0 && std::ranges::count(labels, 1) > 0 ? 1 : 0;
    }
    QVERIFY(parted > 300);
  }

  void a_further_stroke_takes_nothing_from_its_label() {
    test::RandomNumbers random(17);
    int grew = 0;
    for (int k = 0; k < 1000; ++k) {
      Inputs inputs = random_inputs(random);
      const std::int64_t voxels = inputs.image.geometry().voxel_count();
      // All seeds of every second case can be stray.
      const double smallest_stroke = k % 2 == 0 ? 0.0 : 12.0;
      const RunReport before =
          run("segment", inputs, {{"background", 3.0}, {"smallest_stroke", smallest_stroke}}, 1);
      const Label label = 1 + static_cast<Label>(random.below(3));
      std::map<std::int64_t, Label> seeds;
      for (const Seed& seed : inputs.seeds.seeds)
        seeds[seed.offset] = seed.label;
      for (std::int64_t more = 1 + random.below(4); more > 0; --more)
        seeds.try_emplace(random.below(voxels), label);
      inputs.seeds.seeds.clear();
      for (const auto& [offset, of] : seeds)
        inputs.seeds.seeds.push_back({offset, of});
      const RunReport after = run("segment", inputs, before.facts.values, 1);
      const LabelSpan& had = labels_of(before).labels();
      const LabelSpan& has = labels_of(after).labels();
      for (std::size_t i = 0; i < had.size(); ++i) {
        if (had[i] == label && has[i] != label) QFAIL(qPrintable(QString("case %1").arg(k)));
        if (had[i] != label && has[i] == label) ++grew;
      }
    }
    QVERIFY(grew > 1000);
  }

  void the_sliders_stand_for_values() {
    const Inputs inputs = two_balls();
    Values values = run("segment", inputs).facts.values;
    Values tight = values;
    tight.set("tightness", 1.0);
    LabelWindows half = *parse_label_windows(values.word("windows"));
    for (auto& [label, windows] : half) {
      for (fuzzy::IntensityWindow& window : windows) {
        window.below /= 2.0;
        window.above /= 2.0;
      }
    }
    Values halved = values;
    halved.set("windows", to_text(half));
    QCOMPARE(run("segment", inputs, tight).facts.digest,
             run("segment", inputs, halved).facts.digest);
    Values detailed = values;
    detailed.set("detail", 0.5);
    Values less = values;
    less.set("smoothness", 0.5);
    QCOMPARE(run("segment", inputs, detailed).facts.digest,
             run("segment", inputs, less).facts.digest);
  }

  void scattered_seeds_that_look_like_another_label_label_only_themselves() {
    Inputs inputs = two_balls();
    test::RandomNumbers random(19);
    std::map<std::int64_t, Label> seeds;
    for (int k = 0; k < 1500; ++k) {
      const std::int64_t offset = random.below(grid().voxel_count());
      const Label truth = ball_at(grid().index_of(offset));
      const Label drawn = 1 + static_cast<Label>(random.below(3));
      seeds.try_emplace(offset, random.below(4) == 0 ? drawn : truth == 0 ? 3 : truth);
    }
    inputs.seeds.seeds.clear();
    for (const auto& [offset, label] : seeds)
      inputs.seeds.seeds.push_back({offset, label});
    const RunReport report = run("segment", inputs);
    QCOMPARE(report.facts.values.number("smallest_stroke"), 12.0);
    QVERIFY(report.facts.warnings.size() == 1 &&
            report.facts.warnings[0].find("scattered seeds look like another label") !=
                std::string::npos);
    for (const auto& [offset, label] : seeds)
      QCOMPARE(labels_of(report).labels()[static_cast<std::size_t>(offset)], label);
    const RunReport all_spread = run("segment", inputs, {{"smallest_stroke", 0.0}});
    for (const Label label : {1U, 2U}) {
      const double dice = dice_with_truth(labels_of(report), label);
      QVERIFY2(dice > 0.93, qPrintable(QString("label %1: %2").arg(label).arg(dice)));
      QVERIFY(dice > dice_with_truth(labels_of(all_spread), label));
    }
    // Nothing competes if every seed of all labels but one is stray.
    const RunReport none =
        run("segment", inputs, {{"windows", "1=-500:5:5,2=-600:5:5"}, {"sigma_h", 12.0}});
    QVERIFY(std::ranges::count(labels_of(none).labels(), 1U) <= 1500);
  }

  void warns_of_strokes_that_hardly_grow() {
    Inputs inputs = two_balls();
    QVERIFY(run("segment", inputs).facts.warnings.empty());
    // Nothing is like label 1.
    const std::vector<std::string> warnings =
        run("segment", inputs, {{"windows", "1=-500:5:5,2=150:9:9"}}).facts.warnings;
    QCOMPARE(warnings.size(), std::size_t{1});
    QCOMPARE(warnings[0], std::string("the strokes of label 1 hardly grow: paint where it looks "
                                      "typical, or make it looser"));
  }

  void nothing_outside_the_mask_is_labelled() {
    Inputs inputs = two_balls();
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(grid().voxel_count()), 1);
    mask[grid().offset({16, 22, 8})] = 0;  // a hole in the first ball
    inputs.mask = LabelMap(grid(), mask);
    const RunReport report = run("segment", inputs);
    QCOMPARE(labels_of(report).at({16, 22, 8}), Label{0});
    QCOMPARE(labels_of(report).at({16, 23, 8}), Label{1});
  }

  void strokes_outside_the_mask_do_not_count() {
    Inputs inputs = two_balls();
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(grid().voxel_count()), 1);
    for (std::int64_t i = 0; i < grid().voxel_count(); ++i) {
      if (grid().index_of(i)[2] == 0) mask[i] = 0;
    }
    inputs.mask = LabelMap(grid(), mask);
    const RunReport inside = run("segment", inputs);
    inputs.seeds.seeds.insert(inputs.seeds.seeds.begin(), {grid().offset({1, 1, 0}), 1});
    const RunReport with_one = run("segment", inputs);
    QCOMPARE(with_one.facts.digest, inside.facts.digest);
    QCOMPARE(with_one.facts.warnings.size(), std::size_t{1});
    // A label with strokes outside alone is named.
    inputs.seeds.seeds.front().label = 7;
    try {
      (void)run("segment", inputs);
      QFAIL("ran without strokes of label 7");
    } catch (const InputError& error) {
      QCOMPARE(std::string(error.what()),
               std::string("all seeds of label 7 lie outside the mask: paint some inside it"));
    }
  }

  void steps_at_once_give_the_same_bits() {
    int calls = 0;
    const Implementation at_once =
        segment_implementation("at-once", Backend::Cpu,
                               {.connectedness = fuzzy::irfc_by_tiles,
                                .border = border::refine_border,
                                .cleaning = clean_labels,
                                .at_once = [&](const SegmentSteps& steps, Context& context) {
                                  ++calls;
                                  return std::optional(one_after_the_other(steps, context));
                                }});
    test::RandomNumbers random(11);
    for (int round = 0; round < 200; ++round) {
      Inputs inputs = random_inputs(random);
      const Label most = 2 + static_cast<Label>(random.below(2));
      for (Seed& seed : inputs.seeds.seeds)
        seed.label = std::min(seed.label, most);
      if (random.below(2) == 0) inputs.mask = random_mask(inputs, random);
      Values values;
      values.set("detail", static_cast<double>(random.below(3)) - 1.0);
      values.set("clean_smallest", static_cast<double>(random.below(3)) / 1000);
      const RunReport expected = run("segment", inputs, values);
      calls = 0;
      Context context;
      const Result estimated = at_once.run(
          inputs, checked_values(table().at("segment"), values, inputs.image.geometry().is_2d()),
          context);
      QCOMPARE(calls, 0);
      const Result fixed = at_once.run(inputs, expected.facts.values, context);
      QCOMPARE(calls, 1);
      for (const Result* result : {&estimated, &fixed}) {
        QVERIFY(std::get<LabelMap>(result->outputs.at("labels")).labels() ==
                labels_of(expected).labels());
        QVERIFY(std::ranges::equal(
            std::get<Volume>(result->outputs.at("strength")).voxels<std::uint16_t>(),
            std::get<Volume>(expected.outputs.at("strength")).voxels<std::uint16_t>()));
        QVERIFY(result->values == expected.facts.values);
      }
    }
  }

  void needs_two_labels() {
    Inputs inputs = two_balls();
    std::erase_if(inputs.seeds.seeds, [](const Seed& seed) { return seed.label != 1; });
    try {
      (void)run("segment", inputs);
      QFAIL("ran with one label");
    } catch (const InputError& error) {
      QCOMPARE(std::string(error.what()),
               std::string("only label 1 has seeds: paint some of at least one other label, such "
                           "as background"));
    }
  }

  void reads_and_writes_windows() {
    const std::string text = "1=72:7.5:9+110:4:4,70000=-3:1:2";
    const auto windows = parse_label_windows(text);
    QVERIFY(windows.has_value());
    QCOMPARE(to_text(*windows), text);
    QCOMPARE(windows->at(1).size(), std::size_t{2});
    QVERIFY(parse_label_windows(" 1 = 5 : 1 : 2 , 2=1:1:1").has_value());
    for (const char* wrong : {"", "1", "1=", "1=5", "1=5:1", "1=5:0:1", "1=5:1:-1", "0=5:1:1",
                              "1=5:1:1,1=5:1:1", "1=5:1:1,", "1=nan:1:1", "1=5:1:1+", "x"}) {
      QVERIFY2(!parse_label_windows(wrong).has_value(), wrong);
    }
  }
};

QTEST_GUILESS_MAIN(TestSegment)
#include "test_segment.moc"
