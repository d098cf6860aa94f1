// SPDX-License-Identifier: Apache-2.0
// The four operations as the table offers them: values as input; labels, strength and numbers as
// output.
#include "core/base/error.h"
#include "core/ops/fuzzy_connectedness.h"
#include "core/ops/label_numbers.h"
#include "core/ops/operation_table.h"
#include "core/ops/sigma_search.h"
#include "tests/support/figure_3.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

Operation operation_of(const char* id) {
  return make_operation_table().at(id);
}

Values values_for(const std::string& connectivity) {
  Values values;
  values.set("m", "auto");
  values.set("sigma_o", "auto");
  values.set("sigma_h", "auto");
  values.set("object", 1.0);
  values.set("smooth", 0.0);
  values.set("connectivity", connectivity);
  values.set("theta", 0.5);
  return values;
}

Result run(const Operation& operation, const Inputs& inputs, const Values& values) {
  Context context;
  return operation.implementations.front().run(inputs, values, context);
}

std::vector<std::uint16_t> labels_of(const Result& result) {
  const auto labels = std::get<LabelMap>(result.outputs.at("labels")).labels();
  return {labels.begin(), labels.end()};
}

std::vector<std::uint16_t> strength_of(const Result& result) {
  const auto strength = std::get<Volume>(result.outputs.at("strength")).voxels<std::uint16_t>();
  return {strength.begin(), strength.end()};
}

struct ScoredInputs : Inputs {
  LabelMap reference;
};

/// Returns two noisy regions side by side, a few seeds in each, with the left one as the reference.
ScoredInputs two_regions() {
  Geometry geometry;
  geometry.size = {24, 16, 8};
  std::mt19937 random(5);
  std::vector<std::int16_t> voxels;
  std::vector<std::uint16_t> truth;
  ScoredInputs inputs;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const bool left = at[0] < 12;
    const int noise = static_cast<int>(random() % 31) - 15;
    voxels.push_back(static_cast<std::int16_t>((left ? 100 : 160) + noise));
    truth.push_back(left ? 1 : 2);
    if (at[2] == 4 && at[1] == 8 && at[0] % 12 > 2 && at[0] % 12 < 9) {
      inputs.seeds.seeds.push_back({i, static_cast<std::uint16_t>(left ? 1 : 2)});
    }
  }
  inputs.image = Volume(geometry, std::move(voxels));
  inputs.reference = LabelMap(geometry, std::move(truth));
  return inputs;
}

}  // namespace

class TestFuzzyConnectedness : public QObject {
  Q_OBJECT
 private slots:
  void labels_of_any_number_compete() {
    constexpr std::array<Label, 3> kWide{0, 65535, 4294967295};
    const Inputs narrow = two_regions();
    Inputs wide = narrow;
    for (Seed& seed : wide.seeds.seeds)
      seed.label = kWide.at(seed.label);
    for (const char* id : {"rfc", "irfc"}) {
      Values values = values_for("6");
      values.set("object", "all");
      const Result expected = run(operation_of(id), narrow, values);
      const Result found = run(operation_of(id), wide, values);
      const auto labels = labels_of(expected);
      const LabelSpan& painted = std::get<LabelMap>(found.outputs.at("labels")).labels();
      for (std::size_t i = 0; i < labels.size(); ++i)
        QCOMPARE(painted[i], kWide.at(labels[i]));
      QCOMPARE(strength_of(found), strength_of(expected));
    }
  }

  void every_implementation_gives_the_papers_set_of_figure_3() {
    const test::Figure3 figure;
    Values values = values_for("4");
    values.set("m", test::Figure3::kM);
    values.set("sigma_o", test::Figure3::kSigmaO);
    values.set("sigma_h", test::Figure3::kSigmaH);
    const Inputs inputs{.image = figure.image, .seeds = figure.seeds, .mask = figure.mask};
    const std::pair<Operation, std::string> expected[] = {{operation_of("rfc"), "sabc"},
                                                          {operation_of("porfc"), "sabcd"},
                                                          {operation_of("irfc"), "sabcde"}};
    for (const auto& [operation, object] : expected) {
      for (const Implementation& implementation : operation.implementations) {
        Context context;
        const Result result = implementation.run(inputs, values, context);
        QCOMPARE(test::Figure3::object(labels_of(result)), object);
      }
    }
  }

  void the_values_used_can_be_given_back() {
    const ScoredInputs inputs = two_regions();
    for (const Value& object : {Value(1.0), Value("all")}) {
      Values values = values_for("6");
      values.set("object", object);
      const Result first = run(operation_of("irfc"), inputs, values);
      QVERIFY(first.values != values);
      const Result second = run(operation_of("irfc"), inputs, first.values);
      QCOMPARE(second.values, first.values);
      QCOMPARE(strength_of(second), strength_of(first));
    }
  }

  void fixed_values_keep_the_affinity_when_a_stroke_is_added() {
    ScoredInputs inputs = two_regions();
    const Values fixed = run(operation_of("irfc"), inputs, values_for("6")).values;
    inputs.seeds.seeds.insert(inputs.seeds.seeds.begin(), {0, 1});
    QCOMPARE(run(operation_of("irfc"), inputs, fixed).values, fixed);
    QVERIFY(run(operation_of("irfc"), inputs, values_for("6")).values != fixed);
  }

  void absolute_object_ignores_the_other_labels_seeds() {
    ScoredInputs inputs = two_regions();
    Values values = values_for("6");
    const Result both = run(operation_of("afc"), inputs, values);
    std::erase_if(inputs.seeds.seeds, [](const Seed& seed) { return seed.label == 2; });
    const Result alone = run(operation_of("afc"), inputs, values);
    QCOMPARE(labels_of(both), labels_of(alone));
    QCOMPARE(strength_of(both), strength_of(alone));
  }

  void theta_cuts_the_strength() {
    const ScoredInputs inputs = two_regions();
    Values values = values_for("6");
    const auto strength = strength_of(run(operation_of("afc"), inputs, values));
    for (const double theta : {0.0, 0.25, 0.9, 1.0}) {
      values.set("theta", theta);
      const auto labels = labels_of(run(operation_of("afc"), inputs, values));
      for (std::size_t i = 0; i < labels.size(); ++i) {
        // At 1 nothing is stronger; only painted voxels remain.
        const bool seed =
            std::any_of(inputs.seeds.seeds.begin(), inputs.seeds.seeds.end(), [&](const Seed& s) {
              return s.label == 1 && s.offset == static_cast<std::int64_t>(i);
            });
        QCOMPARE(labels[i] == 1, seed || strength[i] > 4096.0 * theta);
      }
    }
  }

  void one_label_alone_is_refused_except_by_afc() {
    ScoredInputs inputs = two_regions();
    std::erase_if(inputs.seeds.seeds, [](const Seed& seed) { return seed.label == 2; });
    QVERIFY_EXCEPTION_THROWN(run(operation_of("rfc"), inputs, values_for("6")), InputError);
    QVERIFY_EXCEPTION_THROWN(run(operation_of("irfc"), inputs, values_for("6")), InputError);
    QVERIFY_EXCEPTION_THROWN(run(operation_of("porfc"), inputs, values_for("6")), InputError);
    (void)run(operation_of("afc"), inputs, values_for("6"));
  }

  void label_numbers_survive_a_round_trip() {
    const LabelNumbers numbers{{1, 0.1}, {2, -1.0 / 3.0}, {65534, 1e300}};
    QVERIFY(parse_label_numbers(to_text(numbers)) == numbers);
    QVERIFY(parse_label_numbers(" 1 = 900 , 2=612.5 ") == (LabelNumbers{{1, 900.0}, {2, 612.5}}));
    for (const char* wrong : {"", "1", "1=", "=2", "1=2,", "1=2,1=3", "0=2", "1=2;2=3",
                              "4294967296=1", "1=nan", "1=inf", "-1=2", "auto"}) {
      QVERIFY2(!parse_label_numbers(wrong), wrong);
    }
  }

  void sigma_search_finds_a_result_no_worse_than_auto() {
    const ScoredInputs inputs = two_regions();
    for (const Value& object : {Value(1.0), Value("all")}) {
      Values values = values_for("6");
      values.set("object", object);
      Context context;
      const Operation operation = operation_of("irfc");
      const SigmaSearch found = search_sigma_o(operation.implementations.front(), inputs, values,
                                               inputs.reference, 1, Scored::Everywhere, context);
      QCOMPARE(found.tried.size(), std::size_t{14});
      QVERIFY(std::is_sorted(
          found.tried.begin(), found.tried.end(),
          [](const SigmaScore& a, const SigmaScore& b) { return a.sigma_o < b.sigma_o; }));
      for (const SigmaScore& score : found.tried)
        QVERIFY(score.dice <= found.best.dice);
      QVERIFY(found.best.dice > 0.95);
      // The returned values give exactly that Dice.
      const auto labels = labels_of(run(operation, inputs, found.values));
      const auto truth = inputs.reference.labels();
      double both = 0;
      double sum = 0;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        both += labels[i] == 1 && truth[i] == 1;
        sum += (labels[i] == 1) + (truth[i] == 1);
      }
      QCOMPARE(2.0 * both / sum, found.best.dice);
    }
  }

  void sigma_search_looks_where_it_is_told() {
    ScoredInputs inputs = two_regions();
    const auto truth = inputs.reference.labels();
    std::vector<std::uint16_t> sparse(truth.begin(), truth.end());
    for (std::size_t i = 0; i < sparse.size(); ++i) {
      if (i % 4 != 0) sparse[i] = 0;
    }
    inputs.reference = LabelMap(inputs.reference.geometry(), std::move(sparse));
    const Operation operation = operation_of("irfc");
    const auto best = [&](Scored scored) {
      Context context;
      return search_sigma_o(operation.implementations.front(), inputs, values_for("6"),
                            inputs.reference, 1, scored, context)
          .best.dice;
    };
    QVERIFY(best(Scored::WhereLabelled) > 0.95);
    QVERIFY(best(Scored::Everywhere) < 0.5);
  }

  void sigma_search_stops_and_needs_a_reference() {
    ScoredInputs inputs = two_regions();
    const Operation operation = operation_of("irfc");
    std::stop_source stop;
    int runs = 0;
    Context context({.stop = stop.get_token(), .progress = [&](const std::string&, double) {
                       if (++runs == 3) stop.request_stop();
                     }});
    QVERIFY_EXCEPTION_THROWN(
        (void)search_sigma_o(operation.implementations.front(), inputs, values_for("6"),
                             inputs.reference, 1, Scored::Everywhere, context),
        Cancelled);
    Context other;
    QVERIFY_EXCEPTION_THROWN(
        (void)search_sigma_o(operation.implementations.front(), inputs, values_for("6"),
                             inputs.reference, 9, Scored::Everywhere, other),
        InputError);
    inputs.reference = {};
    QVERIFY_EXCEPTION_THROWN(
        (void)search_sigma_o(operation.implementations.front(), inputs, values_for("6"),
                             inputs.reference, 1, Scored::Everywhere, other),
        InputError);
  }
};

QTEST_GUILESS_MAIN(TestFuzzyConnectedness)
#include "test_fuzzy_connectedness.moc"
