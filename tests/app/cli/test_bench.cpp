// SPDX-License-Identifier: Apache-2.0
// `bench` must measure what it reports: results are compared first, and all contenders take turns.
#include "core/morphology/reconstruction.h"
#include "core/ops/operation_table.h"
#include "research/bench/inputs.h"
#include "research/bench/mazes.h"
#include "research/bench/texture_inputs.h"
#include "research/bench/timing.h"
#include "research/bench/tissue.h"
#include "tests/app/cli/cli_process.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace seedwave;
using namespace seedwave::bench;

namespace {

/// Appends its name to `order` at each run; labels all voxels as `label`.
Implementation filler(const char* name, std::uint16_t label, std::vector<std::string>& order,
                      Exactness exactness = Exactness::Exact) {
  return {
      .algorithm = name,
      .backend = Backend::Cpu,
      .exactness = exactness,
      .run = [name, label, &order](const Inputs& inputs, const Values& values, Context& context) {
        const auto stage = context.stage("fill");
        order.emplace_back(name);
        Result result;
        const Geometry& geometry = inputs.image.geometry();
        result.outputs["labels"] = LabelMap(
            geometry,
            std::vector<std::uint16_t>(static_cast<std::size_t>(geometry.voxel_count()), label));
        result.values = values;
        return result;
      }};
}

OperationTable table_of(std::vector<Implementation> implementations) {
  return OperationTable({{.id = "op",
                          .title = "",
                          .help = "",
                          .inputs = {{InputKind::Image, true, ""}},
                          .parameters = {},
                          .outputs = {{"labels", "", LabelsForm{}}},
                          .implementations = std::move(implementations),
                          .reference_algorithm = "plain"}});
}

CaseTimings measure(const OperationTable& table, const std::vector<Contender>& contenders) {
  Context context;
  const auto cases = cases_of(table.at("op"), {9, 7, 3}, context);
  return time_case(table, cases.front(), contenders, {.repeats = 3});
}

}  // namespace

class TestBench : public QObject {
  Q_OBJECT
 private slots:
  void takes_turns_after_a_first_look();
  void strokes_are_added_to_what_the_run_before_left();
  void tells_who_differs();
  void command_times_every_algorithm();
  void kept_inputs_give_the_result_that_was_timed();
  void every_corridor_starts_in_the_corner_data();
  void every_corridor_starts_in_the_corner();
  void the_winding_path_is_one();
  void tissue_keeps_its_share();
  void reconstruction_is_measured_with_its_markers();
  void lines_are_measured_at_angles_and_lengths();
  void without_the_reference_the_case_says_what_to_compare_with();
  void two_point_correlations_are_measured_by_window();
  void what_takes_minutes_is_left_out();
  void phases_by_formula_are_all_there();
  void command_refuses_what_makes_no_sense_data();
  void command_refuses_what_makes_no_sense();
  void asking_for_cuda_without_a_device_says_so();
};

void TestBench::takes_turns_after_a_first_look() {
  std::vector<std::string> order;
  const OperationTable table = table_of({filler("fast", 1, order), filler("plain", 1, order)});
  const CaseTimings timings = measure(table, {{.algorithm = "fast"}, {.algorithm = "plain"}});
  QCOMPARE(order, (std::vector<std::string>{"fast", "plain", "fast", "plain", "fast", "plain",
                                            "fast", "plain"}));
  QCOMPARE(timings.baseline, std::size_t{1});  // the reference algorithm, whatever its position
  QCOMPARE(timings.timings[1].times_faster, 1.0);
  QCOMPARE(timings.voxels, std::int64_t{9 * 7 * 3});
  QVERIFY(timings.all_agree());
  for (const Timing& timing : timings.timings) {
    QCOMPARE(timing.ms.size(), std::size_t{3});
    std::vector<double> sorted = timing.ms;
    std::sort(sorted.begin(), sorted.end());
    QCOMPARE(timing.low_ms, sorted[0]);
    QCOMPARE(timing.median_ms, sorted[1]);
    QCOMPARE(timing.high_ms, sorted[2]);
    QCOMPARE(timing.stages.size(), std::size_t{1});
  }
}

/// Counts the runs that found the cache of a previous run, by their seeds.
void TestBench::strokes_are_added_to_what_the_run_before_left() {
  std::vector<std::size_t> cold;
  std::vector<std::size_t> warm;
  std::vector<std::string> order;
  Implementation counting = filler("plain", 1, order);
  counting.run = [&, fill = counting.run](const Inputs& inputs, const Values& values,
                                          Context& context) {
    const bool found = context.cache().find<int>("run") != nullptr;
    (found ? warm : cold).push_back(inputs.seeds.seeds.size());
    context.cache().put("run", std::make_shared<int>(1), 4);
    return fill(inputs, values, context);
  };
  const OperationTable table = table_of({counting});
  Context context;
  TimedCase timed = cases_of(table.at("op"), {9, 7, 3}, context).front();
  timed.request.inputs.seeds.seeds = {{0, 1}};
  timed.further_seeds = {{.seeds = {{0, 1}, {1, 1}}}, {.seeds = {{0, 1}, {1, 1}, {2, 1}}}};
  const std::vector<Contender> contenders{{.algorithm = "plain"}};
  const CaseTimings timings = time_case(table, timed, contenders, {.repeats = 2});
  QCOMPARE(timings.timings.front().ms.size(), std::size_t{4});
  QCOMPARE(cold, (std::vector<std::size_t>{1, 1, 1}));  // a check and two rounds, each with an
                                                        // empty cache
  QCOMPARE(warm, (std::vector<std::size_t>{2, 3, 2, 3, 2, 3}));
}

void TestBench::tells_who_differs() {
  std::vector<std::string> order;
  const OperationTable table = table_of({filler("plain", 1, order), filler("wrong", 2, order),
                                         filler("rough", 3, order, Exactness::Approximate)});
  const CaseTimings wrong = measure(table, {{.algorithm = "plain"}, {.algorithm = "wrong"}});
  QVERIFY(!wrong.timings[1].agrees);
  QVERIFY(!wrong.all_agree());
  QVERIFY(describe(wrong).find("DIFFERS") != std::string::npos);
  // An approximate contender may differ, and the difference is still reported.
  const CaseTimings rough = measure(table, {{.algorithm = "plain"}, {.algorithm = "rough"}});
  QVERIFY(!rough.timings[1].agrees);
  QVERIFY(rough.all_agree());
}

void TestBench::command_times_every_algorithm() {
  const test::CliOutcome outcome = test::run_cli(
      {"bench", "irfc", "--size", "96,80,5", "--threads", "1,2", "--repeat", "2", "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonArray cases = outcome.json()["cases"].toArray();
  // Many seeds, two strokes, front only, every voxel, added stroke; snake.
  QCOMPARE(cases.size(), 6);
  for (const auto& one : cases) {
    const QJsonObject entry = one.toObject();
    QCOMPARE(entry["voxels"].toInt(), 96 * 80 * 5);
    QVERIFY(entry["input_digest"].toString().startsWith("xxh64:"));
    const QJsonArray timings = entry["timings"].toArray();
    QVERIFY(timings.size() >= 2);
    for (const auto& timing : timings) {
      const bool strokes = entry["input"].toString().endsWith("added stroke");  // six in turn
      QCOMPARE(timing.toObject()["ms_runs"].toArray().size(), strokes ? 12 : 2);
      QCOMPARE(timing.toObject()["agrees"].toBool(), true);
    }
  }
  const test::CliOutcome text = test::run_cli({"bench", "threshold", "--size", "9,9"});
  QCOMPARE(text.code, 0);
  QVERIFY(text.out.contains("baseline"));
}

void TestBench::kept_inputs_give_the_result_that_was_timed() {
  const QTemporaryDir folder;
  const QStringList bench{"bench", "irfc", "--size", "40,30,5", "--repeat", "1", "--json"};
  const test::CliOutcome timed = test::run_cli(bench + QStringList{"--keep-inputs", folder.path()});
  QVERIFY2(timed.code == 0, timed.err.constData());
  const QJsonArray cases = timed.json()["cases"].toArray();
  for (int i = 0; i < 2; ++i) {  // many seeds, two strokes: both with the head's own values
    const QString stem = folder.filePath("irfc-" + QString::number(i + 1));
    const test::CliOutcome run = test::run_cli({"run", "irfc", "--image", stem + "-image.npy",
                                                "--seeds", stem + "-seeds.npy", "--m", "900",
                                                "--sigma_o", "200", "--sigma_h", "100", "--json"});
    QVERIFY2(run.code == 0, run.err.constData());
    const QJsonValue outputs = run.json()["outputs"];
    const QJsonValue timings = cases[i].toObject()["timings"];
    QCOMPARE(outputs["labels"]["digest"].toString(), timings[0]["digest"].toString());
    QVERIFY(!outputs["labels"]["digest"].toString().isEmpty());
  }
  const test::CliOutcome nowhere =
      test::run_cli(bench + QStringList{"--keep-inputs", folder.filePath("not there")});
  QCOMPARE(nowhere.code, 4);
}

void TestBench::every_corridor_starts_in_the_corner_data() {
  QTest::addColumn<int>("side");
  for (const int side : {1, 2, 3, 4, 5, 8, 15, 64, 65, 66, 67})
    QTest::addRow("%d", side) << side;
}

void TestBench::every_corridor_starts_in_the_corner() {
  QFETCH(int, side);
  const Volume binary_maze = maze(side, Corridors::Binary);
  for (const Volume& image : {snake(side), spiral(side), binary_maze}) {
    Context context;
    const Reconstruction grown = reconstruct_by_hybrid({corner_marker(image), image}, context);
    QVERIFY(std::ranges::equal(grown.image.bytes(), image.bytes()));
    // Thin: no square of four open pixels. Long: at least a quarter of all pixels.
    const auto open = [&](std::int64_t x, std::int64_t y) {
      return image.value_at({x, y, 0}) != 0.0;
    };
    std::int64_t count = 0;
    for (std::int64_t y = 0; y < side; ++y) {
      for (std::int64_t x = 0; x < side; ++x) {
        count += open(x, y) ? 1 : 0;
        if (x + 1 == side || y + 1 == side) continue;
        QVERIFY(!(open(x, y) && open(x + 1, y) && open(x, y + 1) && open(x + 1, y + 1)));
      }
    }
    QVERIFY(4 * count >= std::int64_t{side} * side);
  }
  // Grey: the same corridors.
  const Volume grey = maze(side, Corridors::Grey);
  for (std::int64_t i = 0; i < grey.value_count(); ++i)
    QCOMPARE(grey.voxels<std::uint8_t>()[i] != 0, binary_maze.voxels<std::uint8_t>()[i] != 0);
}

void TestBench::the_winding_path_is_one() {
  for (const Index3& size : {Index3{7, 6, 5}, Index3{4, 9, 7}, Index3{5, 1, 1}, Index3{6, 5, 4}}) {
    const Volume path = winding_path(size);
    const auto voxels = path.voxels<std::uint16_t>();
    const SeedVoxels ends = path_ends(path);
    QCOMPARE(ends.seeds.size(), std::size_t{2});
    // From the first end every voxel but the last has one way on, and all are reached.
    std::vector<std::uint8_t> been(voxels.size(), 0);
    std::int64_t at = ends.seeds.front().offset;
    std::int64_t steps = 1;
    const std::int64_t strides[] = {1, size[0], size[0] * size[1]};
    for (bool on = true; on; ++steps) {
      been[static_cast<std::size_t>(at)] = 1;
      std::vector<std::int64_t> ways;
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t place = at / strides[axis] % size[axis];
        for (const std::int64_t way : {-1, 1}) {
          if (place + way < 0 || place + way >= size[axis]) continue;
          const std::int64_t next = at + way * strides[axis];
          const auto i = static_cast<std::size_t>(next);
          if (voxels[i] != 0 && been[i] == 0) ways.push_back(next);
        }
      }
      QVERIFY(ways.size() <= 1);
      on = !ways.empty();
      if (on) at = ways.front();
    }
    QCOMPARE(at, ends.seeds.back().offset);
    QCOMPARE(steps - 1, std::count_if(voxels.begin(), voxels.end(), [](auto v) { return v != 0; }));
  }
}

void TestBench::tissue_keeps_its_share() {
  Context context;
  const Volume whole = tissue({1024, 768, 1}, 1.0, context);
  for (const double share : {0.25, 0.5, 0.75}) {
    Context several(Context::Settings{.threads = 3});
    const Volume part = tissue({1024, 768, 1}, share, several);
    int kept = 0;
    for (int square = 0; square < 12; ++square) {
      bool same = true;
      for (std::int64_t y = square / 4 * 256; y < square / 4 * 256 + 256; ++y) {
        for (std::int64_t x = square % 4 * 256; x < square % 4 * 256 + 256; ++x)
          same &= part.value_at({x, y, 0}) == whole.value_at({x, y, 0});
      }
      kept += same ? 1 : 0;
    }
    QCOMPARE(kept, static_cast<int>(share * 12));
  }
}

void TestBench::reconstruction_is_measured_with_its_markers() {
  const QTemporaryDir folder;
  const test::CliOutcome timed =
      test::run_cli({"bench", "reconstruct", "--size", "90,70", "--repeat", "1", "--json",
                     "--keep-inputs", folder.path()});
  QVERIFY2(timed.code == 0, timed.err.constData());
  const QJsonArray cases = timed.json()["cases"].toArray();
  QCOMPARE(cases.size(), 10);  // three markers with 8 and 4 neighbours, four worst cases
  for (int i = 0; i < cases.size(); ++i) {
    const QString stem = folder.filePath("reconstruct-" + QString::number(i + 1));
    const test::CliOutcome run =
        test::run_cli({"run", "reconstruct", "--image", stem + "-image.npy", "--marker",
                       stem + "-marker.npy", "--connectivity", i < 3 ? "8" : "4", "--json"});
    QVERIFY2(run.code == 0, run.err.constData());
    const QJsonArray timings = cases[i].toObject()["timings"].toArray();
    const QJsonValue outputs = run.json()["outputs"];
    QCOMPARE(outputs["image"]["digest"].toString(), timings[0].toObject()["digest"].toString());
    QCOMPARE(timings.size(), i < 6 ? 6 : 5);  // sr is left out of the worst cases
    for (const auto& timing : timings)
      QVERIFY(timing.toObject()["agrees"].toBool());
  }
  for (const char* operation : {"h-domes", "open-by-reconstruction", "fill-holes"}) {
    const test::CliOutcome other = test::run_cli(
        {"bench", operation, "--size", "40,30,6", "--repeat", "1", "--algorithm", "tiles,fh"});
    QVERIFY2(other.code == 0, other.err.constData());
  }
}

void TestBench::lines_are_measured_at_angles_and_lengths() {
  const auto cases_at = [](const char* operation, const char* size) {
    const test::CliOutcome timed =
        test::run_cli({"bench", operation, "--size", size, "--repeat", "1", "--json"});
    QStringList told;
    for (const QJsonValue one : timed.json()["cases"].toArray()) {
      bool agree = timed.code == 0;
      for (const QJsonValue timing : one["timings"].toArray())
        agree = agree && timing["agrees"].toBool();
      told << one["input"].toString() + (agree ? "" : " DIFFERS") + " by " +
                  QString::number(one["timings"].toArray().size());
    }
    return told;
  };
  const QStringList pictures = cases_at("linear-opening", "90,70");
  QCOMPARE(pictures.size(), 20);
  QVERIFY(pictures.contains("noise 90x70, 30 degrees, 41 by 5"));
  QVERIFY(pictures.contains("noise 90x70, 45 degrees, 251 by 4"));  // naive is left out
  QVERIFY(pictures.contains("tissue 90x70, 90 degrees, 41 by 5"));
  QCOMPARE(cases_at("linear-closing", "40,30,6"),
           (QStringList{"head 40x30x6, along 0,0,1 by 5", "head 40x30x6, along 1,0.5,0.25 by 5"}));
  QCOMPARE(cases_at("granulometry", "90,70"), QStringList{"noise 90x70 by 2"});
  QCOMPARE(cases_at("orientation", "90,70"), QStringList{"noise 90x70 by 5"});
}

void TestBench::without_the_reference_the_case_says_what_to_compare_with() {
  std::vector<std::string> order;
  const OperationTable table =
      table_of({filler("fast", 1, order), filler("paper", 1, order), filler("plain", 1, order)});
  Context context;
  TimedCase timed = cases_of(table.at("op"), {9, 7, 3}, context).front();
  timed.left_out = {"plain"};
  const std::vector<Contender> all{
      {.algorithm = "fast"}, {.algorithm = "paper"}, {.algorithm = "plain"}};
  QCOMPARE(time_case(table, timed, all, {.repeats = 1}).baseline, std::size_t{0});
  timed.baseline = "paper";
  const CaseTimings timings = time_case(table, timed, all, {.repeats = 1});
  QCOMPARE(timings.timings.size(), std::size_t{2});
  QCOMPARE(timings.baseline, std::size_t{1});
}

void TestBench::two_point_correlations_are_measured_by_window() {
  const auto told = [](const QStringList& words) {
    const test::CliOutcome timed =
        test::run_cli(QStringList{"bench"} + words + QStringList{"--repeat", "1", "--json"});
    QStringList cases;
    for (const QJsonValue one : timed.json()["cases"].toArray()) {
      QStringList algorithms;
      for (const QJsonValue timing : one["timings"].toArray())
        algorithms << timing["algorithm"].toString() + (timing["agrees"].toBool() ? "" : "!");
      cases << one["input"].toString() + ": " + algorithms.join(' ');
    }
    return cases;
  };
  const QString all = " directions: box update fft naive";
  QCOMPARE(told({"tpcf", "--size", "36,34,5"}),
           (QStringList{"tissue 36x34, 4 phases, window 32, 8" + all,
                        "noise 36x34, 4 phases, window 32, 8" + all}));
  QCOMPARE(told({"tpcf", "--size", "9,20"}).front(), "tissue 9x20, 4 phases, window 9, 8" + all);
  QCOMPARE(told({"tissue", "--size", "40,40,3"}), QStringList{"tissue 40x40: box"});
  QCOMPARE(told({"look-alike", "--size", "40,40"}), QStringList{"tissue 40x40: box"});
}

void TestBench::what_takes_minutes_is_left_out() {
  using Names = std::vector<std::string>;
  const OperationTable table = make_operation_table();
  const auto left_out = [&](std::int64_t side) {
    Context context;
    std::vector<Names> all;
    for (const TimedCase& timed : cases_of(table.at("tpcf"), {side, side, 1}, context))
      all.push_back(timed.left_out);
    return all;
  };
  const std::vector<Names> small = left_out(256);
  QCOMPARE(small.size(), std::size_t{6});  // windows of 32, 64, 128 on tissue, then on noise
  QCOMPARE(small[0], Names{});
  QCOMPARE(small[1], (Names{"naive", "fft"}));
  const std::vector<Names> large = left_out(1024);
  QCOMPARE(large[3], (Names{"naive", "fft"}));
  QCOMPARE(large[5], (Names{"naive", "update", "fft"}));
}

void TestBench::phases_by_formula_are_all_there() {
  Context context;
  for (const std::int64_t count : {2, 4, 5, 8}) {
    for (const LabelMap& phases :
         {tissue_phases({300, 300, 1}, count, context), noise_phases({300, 300, 1}, count)}) {
      const auto labels = phases.labels();
      for (std::int64_t phase = 1; phase <= count; ++phase)
        QVERIFY2(std::ranges::count(labels, phase) > 100,
                 qPrintable(QString("%1 of %2").arg(phase).arg(count)));
      QVERIFY(std::ranges::all_of(labels, [&](auto phase) { return phase > 0 && phase <= count; }));
    }
  }
}

void TestBench::command_refuses_what_makes_no_sense_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<int>("code");
  QTest::addColumn<QByteArray>("part");
  const auto row = [](const char* name, const QStringList& words, int code, const char* part) {
    QTest::newRow(name) << words << code << QByteArray(part);
  };
  row("operation", {"grow"}, 2, "'grow'");
  row("size", {"irfc", "--size", "0,4,4"}, 2, "--size");
  row("huge size", {"irfc", "--size", "99999999999,4,4"}, 2, "--size");
  row("threads", {"irfc", "--threads", "1,x"}, 2, "--threads");
  row("backend", {"irfc", "--backend", "gpu"}, 2, "--backend");
  row("cache", {"irfc", "--cache", "hot"}, 2, "--cache");
  row("algorithm", {"irfc", "--algorithm", "magic"}, 2, "irfc");
  row("algorithm of none", {"--algorithm", "magic"}, 2, "no operation");
  row("accuracy without tissues", {"accuracy"}, 2, "--tissues");
  row("accuracy of something", {"accuracy", "irfc"}, 2, "'irfc'");
  row("flag of the timings", {"accuracy", "--size", "8,8"}, 2, "--size");
}

void TestBench::command_refuses_what_makes_no_sense() {
  QFETCH(QStringList, words);
  QFETCH(int, code);
  QFETCH(QByteArray, part);
  const test::CliOutcome outcome = test::run_cli(QStringList{"bench"} + words);
  QCOMPARE(outcome.code, code);
  QVERIFY2(outcome.err.contains(part), outcome.err.constData());
}

void TestBench::asking_for_cuda_without_a_device_says_so() {
  const test::CliOutcome devices = test::run_cli({"devices", "--json"});
  if (!devices.json()["cuda"].toArray().isEmpty()) QSKIP("this machine has a CUDA device");
  const test::CliOutcome outcome = test::run_cli({"bench", "irfc", "--backend", "cuda"});
  QCOMPARE(outcome.code, 5);
  QVERIFY(outcome.err.contains(devices.json()["why_no_cuda"].toString().toUtf8()));
}

QTEST_GUILESS_MAIN(TestBench)
#include "test_bench.moc"
