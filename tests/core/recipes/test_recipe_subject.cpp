// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/engine/sweep/sweep.h"
#include "core/recipes/recipe_subject.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <atomic>
#include <string>

using namespace seedwave;

namespace {

const OperationTable& table() {
  static const OperationTable all = make_operation_table();
  return all;
}

Volume random_image(std::uint64_t seed) {
  Geometry grid;
  grid.size = {40, 30, 1};
  grid.unit = LengthUnit::Pixel;
  test::RandomNumbers random(seed);
  std::vector<std::uint8_t> values(static_cast<std::size_t>(grid.voxel_count()));
  for (std::uint8_t& value : values)
    value = static_cast<std::uint8_t>(random.below(256));
  return {grid, std::move(values)};
}

SavedRecipe chain() {
  return parse_recipe(table(), R"({"seedwave_recipe": 1, "name": "chain", "steps": [
    {"id": "smooth", "operation": "gaussian", "inputs": {"image": "case"}, "values": {"sigma": 2}},
    {"id": "dark-parts", "operation": "threshold", "inputs": {"image": "smooth.image"},
     "values": {"high": 125}},
    {"id": "parts", "operation": "split-objects", "inputs": {"image": "dark-parts.labels"},
     "values": {"h": 1}}]})",
                      "r.json");
}

SweepGrid grid_of(const SavedRecipe& recipe, const std::vector<std::string>& vary) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : vary)
    axes.push_back(axis_of(table(), recipe, parse_vary(table(), recipe, text), true));
  return SweepGrid(std::move(axes));
}

/// Returns the recipe without the values of these parameters.
SavedRecipe without(const SavedRecipe& recipe, const SweepGrid& grid) {
  Values kept;
  for (const auto& [name, value] : values_of(recipe)) {
    if (std::ranges::find(grid.axes(), name, &SweepAxis::parameter) == grid.axes().end())
      kept.set(name, value);
  }
  return with_values(recipe, kept);
}

std::string refusal(const std::string& vary) {
  try {
    (void)parse_vary(table(), chain(), vary);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "not refused";
}

/// An operation that counts its runs and gives its image, with `add` added.
Operation counted(const std::string& id, std::atomic<int>& runs) {
  const auto run = [&runs](const Inputs& inputs, const Values& values, Context&) {
    ++runs;
    std::vector<float> voxels;
    for (std::int64_t i = 0; i < inputs.image.geometry().voxel_count(); ++i)
      voxels.push_back(static_cast<float>(values.number("add") + static_cast<double>(i)));
    Result result;
    result.outputs["image"] = Volume(inputs.image.geometry(), std::move(voxels));
    result.values = values;
    return result;
  };
  return {.id = id,
          .title = "",
          .help = "",
          .inputs = {{InputKind::Image, true, ""}},
          .parameters = {{.id = "add", .domain = NumberDomain{.low = 0, .high = 10}}},
          .outputs = {{"image", "", ImageForm{}}},
          .implementations = {{.algorithm = "only", .run = run}},
          .reference_algorithm = "only"};
}

}  // namespace

class TestRecipeSubject : public QObject {
  Q_OBJECT
 private slots:
  void each_run_is_the_recipe_with_these_values() {
    const LoadedCase of = whole_case(random_image(1));
    const SweepGrid grid =
        grid_of(chain(), {"smooth.sigma=1:3:1", "dark-parts.high=115,125", "parts.h=0.5:2:*2"});
    Context context;
    SweepRequest request{.subject = std::make_shared<const RecipeSubject>(
                             table(), without(chain(), grid), RecipeCase{.of = of}, context),
                         .grid = grid};
    const Sweep sweep(std::move(request));
    std::set<std::string> digests;
    std::size_t rows = 0;
    run_sweep(sweep, {}, {.row = [&](const SweepRow& row) {
                ++rows;
                const SavedRecipe recipe = with_values(chain(), [&] {
                  Values values = values_of(chain());
                  for (const auto& [name, value] : grid.values_of(row.run))
                    values.set(name, value);
                  return values;
                }());
                const auto reports = apply_recipe(table(), recipe, {.of = of}, {});
                QCOMPARE(row.facts.digest, reports.back().run.facts.digest);
                QCOMPARE(row.facts.values.number("parts.h"),
                         reports.back().run.facts.values.number("h"));
                digests.insert(row.facts.digest);
              }});
    QCOMPARE(rows, std::size_t{18});
    QVERIFY(digests.size() > 10);
  }

  void steps_in_front_of_the_varied_one_run_once() {
    std::atomic<int> first = 0;
    std::atomic<int> second = 0;
    std::atomic<int> third = 0;
    const OperationTable counting(
        {counted("first", first), counted("second", second), counted("third", third)});
    const SavedRecipe recipe = parse_recipe(counting, R"({"seedwave_recipe": 1, "steps": [
        {"id": "a", "operation": "first", "inputs": {"image": "case"}},
        {"id": "b", "operation": "second", "inputs": {"image": "a.image"}},
        {"id": "c", "operation": "third", "inputs": {"image": "b.image"}}]})",
                                            "r.json");
    Context context;
    const auto runs_of = [&](const std::vector<std::string>& vary) {
      first = second = third = 0;
      std::vector<SweepAxis> axes;
      for (const std::string& text : vary)
        axes.push_back(axis_of(counting, recipe, parse_vary(counting, recipe, text), true));
      SweepRequest request{
          .subject = std::make_shared<const RecipeSubject>(
              counting, recipe, RecipeCase{.of = whole_case(random_image(2))}, context),
          .grid = SweepGrid(std::move(axes))};
      run_sweep(Sweep(std::move(request)), {}, {.row = [](const SweepRow&) {}});
      return std::vector<int>{first, second, third};
    };
    QCOMPARE(runs_of({"c.add=0:9:1"}), (std::vector<int>{1, 1, 10}));
    QCOMPARE(runs_of({"b.add=0:4:1"}), (std::vector<int>{1, 5, 5}));
    QCOMPARE(runs_of({"b.add=1,2", "c.add=1,2,3"}), (std::vector<int>{1, 2, 6}));
    QCOMPARE(runs_of({"a.add=1,2"}), (std::vector<int>{2, 2, 2}));
  }

  void values_have_the_names_of_their_steps() {
    QCOMPARE(parse_vary(table(), chain(), "dark-parts.high=1:3:0.5").parameter,
             std::string("dark-parts.high"));
    QCOMPARE(parse_vary(table(), chain(), "parts.h=0.5,1.5").list.size(), std::size_t{2});
    QVERIFY(refusal("high=1,2").find("STEP.PARAM; the steps are smooth, dark-parts, parts") !=
            std::string::npos);
    QVERIFY(refusal("light.high=1,2").find("STEP.PARAM") != std::string::npos);
    QVERIFY(refusal("parts.hh=1,2").find("hh") != std::string::npos);
    QVERIFY(refusal("parts").find("STEP.PARAM") != std::string::npos);
    QVERIFY(refusal("").find("STEP.PARAM") != std::string::npos);
    Values values = values_of(chain());
    QCOMPARE(values.number("dark-parts.high"), 125.0);
    QCOMPARE(with_values(chain(), values), chain());
    values.set("parts.h", 3.0);
    QCOMPARE(with_values(chain(), values).result().values.number("h"), 3.0);
  }

  void a_value_cannot_be_set_and_varied() {
    Context context;
    const SweepGrid grid = grid_of(chain(), {"parts.h=1,2"});
    const auto subject = std::make_shared<const RecipeSubject>(
        table(), chain(), RecipeCase{.of = whole_case(random_image(3))}, context);
    QVERIFY_EXCEPTION_THROWN(Sweep({.subject = subject, .grid = grid}), UsageError);
  }
};

QTEST_GUILESS_MAIN(TestRecipeSubject)
#include "test_recipe_subject.moc"
