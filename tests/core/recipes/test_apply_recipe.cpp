// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/engine/resolve.h"
#include "core/recipes/apply_recipe.h"
#include "core/recipes/case_result.h"
#include "tests/support/random_numbers.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

using namespace seedwave;

namespace {

const OperationTable& table() {
  static const OperationTable all = make_operation_table();
  return all;
}

Volume random_image(std::uint64_t seed, int components) {
  Geometry grid;
  grid.size = {60, 50, 1};
  grid.unit = LengthUnit::Pixel;
  test::RandomNumbers random(seed);
  std::vector<std::uint8_t> values(static_cast<std::size_t>(grid.voxel_count() * components));
  for (std::uint8_t& value : values)
    value = static_cast<std::uint8_t>(random.below(256));
  return {grid, std::move(values), components};
}

SavedRecipe recipe_of(const std::string& steps) {
  return parse_recipe(table(), R"({"seedwave_recipe": 1, "steps": )" + steps + "}", "r.json");
}

constexpr const char* kChain = R"([
  {"id": "smooth", "operation": "gaussian", "inputs": {"image": "case"}, "channel": "green",
   "values": {"sigma": 2}},
  {"id": "dark", "operation": "threshold", "inputs": {"image": "smooth.image"}, "values": {"high": 125}},
  {"id": "parts", "operation": "split-objects", "inputs": {"image": "dark.labels"}, "values": {"h": 1}}])";

RunReport run(const std::string& operation, Values values, Inputs inputs) {
  Context context;
  return run_operation(
      table(), {.operation = operation, .values = std::move(values), .inputs = std::move(inputs)},
      context);
}

template <typename Exception>
std::string refusal(const SavedRecipe& recipe, const RecipeCase& to) {
  try {
    (void)apply_recipe(table(), recipe, to, {});
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace

class TestApplyRecipe : public QObject {
  Q_OBJECT
 private slots:
  void a_chain_gives_what_its_steps_give_one_by_one() {
    const LoadedCase of = whole_case(random_image(1, 3));
    Inputs first;
    first.image = image_of(of, "green");
    const RunReport smooth = run("gaussian", {{"sigma", 2.0}}, first);
    Inputs second;
    second.image = std::get<Volume>(smooth.outputs.at("image"));
    const RunReport dark = run("threshold", {{"high", 125.0}}, second);
    Inputs third;
    third.image = as_image(dark.outputs.at("labels"));
    const RunReport parts = run("split-objects", {{"h", 1.0}}, third);
    QVERIFY(parts.facts.voxels.size() > 1);

    std::vector<double> fractions;
    const std::vector<StepReport> reports = apply_recipe(
        table(), recipe_of(kChain), {.of = of},
        {.progress = [&](const std::string&, double fraction) { fractions.push_back(fraction); },
         .threads = 1});
    QCOMPARE(reports.size(), std::size_t{3});
    QCOMPARE(reports[0].run.facts.digest, smooth.facts.digest);
    QCOMPARE(reports[1].run.facts.digest, dark.facts.digest);
    QCOMPARE(reports[2].run.facts.digest, parts.facts.digest);
    // Only the result is kept.
    QVERIFY(reports[0].run.outputs.empty() && reports[1].run.outputs.empty());
    QVERIFY(std::get<LabelMap>(reports[2].run.outputs.at("labels")).labels() ==
            std::get<LabelMap>(parts.outputs.at("labels")).labels());
    for (const double fraction : fractions)
      QVERIFY(fraction >= 0.0 && fraction <= 1.0);
  }

  void what_a_case_lacks_is_named_with_the_step() {
    const SavedRecipe seeded = recipe_of(
        R"([{"id": "organ", "operation": "irfc", "inputs": {"image": "case", "seeds": "case"}}])");
    QCOMPARE(refusal<InputError>(seeded, {.of = whole_case(random_image(2, 1))}),
             std::string("the step 'organ' (irfc) needs seeds, and the case has none"));
    QCOMPARE(refusal<InputError>(recipe_of(kChain), {.of = whole_case(random_image(3, 1))}),
             std::string("step 'smooth' (gaussian): the channel 'green' is of colour images, and "
                         "this image has one channel"));
    const SavedRecipe grey =
        recipe_of(R"([{"id": "smooth", "operation": "gaussian", "inputs": {"image": "case"}}])");
    QVERIFY(refusal<InputError>(grey, {.of = whole_case(random_image(4, 3))})
                .starts_with("step 'smooth' (gaussian): the image has colours"));
    const SavedRecipe wrong = recipe_of(
        R"([{"id": "smooth", "operation": "gaussian", "inputs": {"image": "case"}, "values": {"sigma": -1}}])");
    QVERIFY(refusal<UsageError>(wrong, {.of = whole_case(random_image(5, 1))})
                .starts_with("step 'smooth' (gaussian): "));
  }

  void a_result_file_stands_for_its_inputs_recipe_and_version() {
    const SavedRecipe recipe = recipe_of(kChain);
    const std::vector<StepReport> reports =
        apply_recipe(table(), recipe, {.of = whole_case(random_image(6, 3))}, {});
    CaseResult result{.name = "one", .version = "7", .recipe = recipe};
    result.inputs = {{"image", {.path = "/a/i.png", .series = "1.2", .digest = "xxh64:1"}},
                     {"reference", {.path = "/a/r.png", .series = {}, .digest = "xxh64:2"}}};
    result.steps = results_of(reports);
    result.files = {{"labels", "labels.nrrd"}};
    const CaseResult read = parse_case_result(table(), to_json(result).dump(), "result.json");
    QCOMPARE(read.name, result.name);
    QCOMPARE(read.recipe, recipe);
    QCOMPARE(read.inputs.at("image").series, std::string("1.2"));
    QCOMPARE(read.digests(), result.digests());
    QVERIFY(!read.digests().empty());
    QCOMPARE(why_another(read, recipe, "7", result.inputs), std::string());
    // A file that was moved is the same; one that was changed is not.
    auto inputs = result.inputs;
    inputs["image"].path = "/b/i.png";
    QCOMPARE(why_another(read, recipe, "7", inputs), std::string());
    inputs["image"].digest = "xxh64:3";
    QCOMPARE(why_another(read, recipe, "7", inputs), std::string("another image"));
    inputs = result.inputs;
    inputs.erase("reference");
    QCOMPARE(why_another(read, recipe, "7", inputs), std::string("no reference"));
    QCOMPARE(why_another(read, recipe, "8", result.inputs), std::string("another version"));
    SavedRecipe changed = recipe;
    changed.steps[1].values.set("high", 126.0);
    QCOMPARE(why_another(read, changed, "7", result.inputs), std::string("another recipe"));
  }

  void digests_are_those_of_the_bytes() {
    const QTemporaryDir folder;
    const auto write = [&](const char* name, const std::string& text) {
      std::ofstream(folder.filePath(name).toStdString(), std::ios::binary) << text;
      return std::filesystem::path(folder.filePath(name).toStdString());
    };
    Context context;
    const std::string large(3'000'000, 'x');
    const std::string one = digest_of_files({write("a", large + "ab")}, context);
    QCOMPARE(digest_of_files({write("b", large), write("c", "ab")}, context), one);
    QVERIFY(digest_of_files({write("d", large + "ba")}, context) != one);
    try {
      (void)digest_of_files({"/no/such/file"}, context);
      QFAIL("nothing thrown");
    } catch (const InputError& error) {
      QCOMPARE(error.what(), "cannot read /no/such/file");
    }
  }
};

QTEST_GUILESS_MAIN(TestApplyRecipe)
#include "test_apply_recipe.moc"
