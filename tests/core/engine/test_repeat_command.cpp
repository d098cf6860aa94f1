// SPDX-License-Identifier: Apache-2.0
#include "core/engine/repeat_command.h"
#include "core/engine/run_history.h"

#include <QTest>

using namespace seedwave;

namespace {

constexpr const char* kMain = "xxh64:0123456789abcdef";

/// Returns a run of "look-alike", which gives labels with a distance; the digest is that of the
/// distance.
Run look_alike(double within) {
  Run run;
  run.recipe.operation = "look-alike";
  run.facts.values.set("within", within);
  run.facts.digest = kMain;
  return run;
}

Run filled(const Run& labels_of) {
  Run run;
  run.recipe.operation = "fill-holes";
  run.recipe.inputs["image"] = output_of(labels_of, "labels");
  return run;
}

/// Returns the file that a call reads as its image.
std::string image_of_last_call(const std::string& text) {
  const std::string flag = " --image ";
  const auto begin = text.rfind(flag) + flag.size();
  return text.substr(begin, text.find(' ', begin) - begin);
}

}  // namespace

class TestRepeatCommand : public QObject {
  Q_OBJECT
 private slots:
  void results_of_different_calls_are_different_files();
  void devices_that_shared_a_run_are_named();
};

void TestRepeatCommand::results_of_different_calls_are_different_files() {
  const OperationTable table = make_operation_table();
  RunHistory history;
  const auto near = history.add(look_alike(1.0));
  const auto far = history.add(look_alike(2.0));
  const Run of_near = *history.find(history.add(filled(*history.find(near))));
  const Run of_far = *history.find(history.add(filled(*history.find(far))));
  const CommandPlaces places{
      .image = {.path = "/a/page.png", .series = {}, .digest = {}}, .grid = {}, .folder = "/f"};
  const std::string one = command_repeating(table, of_near, places).text;
  const std::string two = command_repeating(table, of_far, places).text;
  const std::string file = image_of_last_call(one);
  QVERIFY2(file.starts_with("/f/look-alike-"), file.c_str());
  // The output of one call is the input of the next.
  QVERIFY2(one.find(" --out-labels " + file + " && ") != std::string::npos, one.c_str());
  QVERIFY(file != image_of_last_call(two));
  QCOMPARE(command_repeating(table, of_near, places).text, one);
  // A recipe holds the steps that it reads: their runs are not needed.
  history.clear();
  QCOMPARE(command_repeating(table, of_near, places).text, one);
}

void TestRepeatCommand::devices_that_shared_a_run_are_named() {
  const OperationTable table = make_operation_table();
  const CommandPlaces places{
      .image = {.path = "/a/page.png", .series = {}, .digest = {}}, .grid = {}, .folder = "/f"};
  Run run;
  run.recipe.operation = "h-domes";
  const std::string alone = command_repeating(table, run, places).text;
  run.recipe.devices = "all";
  // It could not be shared.
  QCOMPARE(command_repeating(table, run, places).text, alone);
  run.facts.shares = {{.name = "CPU, 2 threads"}};
  QCOMPARE(command_repeating(table, run, places).text, alone + " --devices all");
}

QTEST_GUILESS_MAIN(TestRepeatCommand)
#include "test_repeat_command.moc"
