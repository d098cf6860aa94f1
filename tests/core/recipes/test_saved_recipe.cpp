// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/recipes/recipe_of_step.h"
#include "core/recipes/saved_recipe.h"

#include <QTest>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

using namespace seedwave;

namespace {

const OperationTable& table() {
  static const OperationTable all = make_operation_table();
  return all;
}

constexpr const char* kChain = R"({"seedwave_recipe": 1, "name": "Nuclei", "mpp": 0.5, "steps": [
  {"id": "smooth", "operation": "gaussian", "inputs": {"image": "case"}, "channel": "hematoxylin",
   "values": {"sigma": 1.5}},
  {"id": "dark", "operation": "threshold", "inputs": {"image": "smooth.image"}, "values": {"high": 90}},
  {"id": "parts", "operation": "split-objects", "inputs": {"image": "dark.labels"}}]})";

std::string refusal(const std::string& text) {
  try {
    (void)parse_recipe(table(), text, "r.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing thrown";
}

/// A chain with one text in it replaced.
std::string chain_with(const std::string& before, const std::string& after) {
  std::string text = kChain;
  return text.replace(text.find(before), before.size(), after);
}

Step step_of(std::uint64_t id, Recipe recipe) {
  Step step{.id = id, .time = std::to_string(id), .recipe = std::move(recipe), .facts = {}};
  step.facts.values = step.recipe.values;
  return step;
}

}  // namespace

class TestSavedRecipe : public QObject {
  Q_OBJECT
 private slots:
  void what_is_written_is_read() {
    const SavedRecipe recipe = parse_recipe(table(), kChain, "r.json");
    QCOMPARE(recipe.name, std::string("Nuclei"));
    QCOMPARE(recipe.mpp, std::optional(0.5));
    QCOMPARE(recipe.steps.size(), std::size_t{3});
    QCOMPARE(recipe.steps[0].channel, std::string("hematoxylin"));
    QVERIFY(recipe.steps[0].inputs.at("image").is_of_case());
    QCOMPARE(recipe.steps[1].inputs.at("image"), (RecipeInput{"smooth", "image"}));
    QCOMPARE(recipe.steps[1].values.number("high"), 90.0);
    QCOMPARE(recipe.result().id, std::string("parts"));
    QVERIFY(recipe.case_inputs().empty());
    QCOMPARE(parse_recipe(table(), text_of(recipe), "again.json"), recipe);
  }

  void what_cannot_be_used_names_its_place_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const std::string& text, const char* message) {
      QTest::newRow(name) << QString::fromStdString(text) << QString(message);
    };
    row("no JSON", "{", "r.json is not valid JSON: syntax error in line 1");
    row("another file", R"({"strokes": []})",
        "r.json: the file is no recipe: it has no member \"seedwave_recipe\"");
    row("a list", "[1]", "r.json: the file is no recipe");
    row("a newer version", chain_with("\"seedwave_recipe\": 1", "\"seedwave_recipe\": 2"),
        "r.json: seedwave_recipe is 2: it was saved by a newer version of Seedwave");
    row("no steps", R"({"seedwave_recipe": 1, "steps": []})", "r.json: steps must have a step");
    row("an unknown operation", chain_with("\"gaussian\"", "\"blur\""),
        "r.json: steps[0].operation is no operation of this version: 'blur'");
    row("an unknown value", chain_with("\"sigma\"", "\"width\""),
        "r.json: steps[0].values.width is no parameter of gaussian");
    row("an unknown input", chain_with("{\"image\": \"case\"}", "{\"marker\": \"case\"}"),
        "r.json: steps[0].inputs.marker is no input of gaussian");
    row("a step that is missing", chain_with("\"smooth.image\"", "\"smoth.image\""),
        "r.json: steps[1].inputs.image reads the step 'smoth', which is not among those before it");
    row("a cycle", chain_with("\"case\"", "\"parts.labels\""),
        "r.json: steps[0].inputs.image reads the step 'parts', which is not among those before it");
    row("itself", chain_with("\"smooth.image\"", "\"dark.labels\""),
        "r.json: steps[1].inputs.image reads the step 'dark', which is not among those before it");
    row("an unknown output", chain_with("\"smooth.image\"", "\"smooth.labels\""),
        "r.json: steps[1].inputs.image reads 'labels', which is no output of gaussian");
    row("neither case nor step", chain_with("\"smooth.image\"", "\"smooth\""),
        "r.json: steps[1].inputs.image must be \"case\", or a step and its output");
    row("the same name twice", chain_with("\"id\": \"dark\"", "\"id\": \"smooth\""),
        "r.json: steps[1].id is the name of an earlier step, too");
    row("the name of the case", chain_with("\"id\": \"dark\"", "\"id\": \"case\""),
        "r.json: steps[1].id must be a word");
    row("a name with a dot", chain_with("\"id\": \"dark\"", "\"id\": \"a.b\""),
        "r.json: steps[1].id must be a word");
    row("no size of a pixel", chain_with("\"mpp\": 0.5", "\"mpp\": 0"), "r.json: mpp must be");
    row("a value that is none", chain_with("90", "[90]"), "r.json: steps[1].values.high must be");
  }
  void what_cannot_be_used_names_its_place() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const QString found = QString::fromStdString(refusal(text.toStdString()));
    QVERIFY2(found.startsWith(message), qPrintable(found));
  }

  void those_that_ship_can_be_used() {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SEEDWAVE_RECIPES)) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      const SavedRecipe recipe = parse_recipe(table(), text, entry.path().string());
      QVERIFY(!recipe.name.empty() && !recipe.about.empty());
      ++count;
    }
    QVERIFY(count >= 5);
  }

  /// An opening as a marker beside the image itself, and an opening of the result.
  void a_graph_of_runs_is_a_recipe() {
    const Step opened =
        step_of(1, {.operation = "linear-opening", .values = {{"length", 21.0}}, .channel = "red"});
    Recipe flooded{.operation = "watershed", .channel = "red"};
    flooded.inputs["marker"] = output_of(opened, "image");
    flooded.inputs["mask"] = {.file = {.path = "/a/mask.png"}, .step = {}, .output = {}};
    const Step basins = step_of(2, std::move(flooded));
    Recipe last{.operation = "linear-opening", .values = {{"length", 41.0}}, .channel = "red"};
    last.inputs["image"] = output_of(basins, "labels");
    const SavedRecipe recipe =
        recipe_of_step(table(), step_of(3, std::move(last)), "Lines", std::nullopt);
    QCOMPARE(recipe.steps.size(), std::size_t{3});
    QCOMPARE(recipe.steps[0].id, std::string("linear-opening"));
    QCOMPARE(recipe.steps[0].channel, std::string("red"));
    QVERIFY(recipe.steps[0].inputs.at("image").is_of_case());
    QCOMPARE(recipe.steps[1].inputs.at("marker"), (RecipeInput{"linear-opening", "image"}));
    QVERIFY(recipe.steps[1].inputs.at("mask").is_of_case());
    QVERIFY(recipe.steps[1].inputs.at("image").is_of_case());
    // The second of its operation, whose image has no colours to choose from.
    QCOMPARE(recipe.result().id, std::string("linear-opening-2"));
    QVERIFY(recipe.result().channel.empty());
    QCOMPARE(recipe.result().values.number("length"), 41.0);
    QCOMPARE(recipe.case_inputs(), (std::set<std::string>{"mask"}));
    QCOMPARE(parse_recipe(table(), text_of(recipe), "r.json"), recipe);
  }

  void a_lost_run_gives_no_recipe() {
    Recipe recipe{.operation = "threshold"};
    recipe.inputs["image"] = output_of(step_of(7, {}), "image");
    try {
      (void)recipe_of_step(table(), step_of(8, std::move(recipe)), "", std::nullopt);
      QFAIL("nothing thrown");
    } catch (const InputError& error) {
      QVERIFY(std::string(error.what()).starts_with("run 7, which this one reads"));
    }
  }
};

QTEST_GUILESS_MAIN(TestSavedRecipe)
#include "test_saved_recipe.moc"
