// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/label_counts.h"
#include "core/session/session_file.h"
#include "tests/support/small_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace seedwave;
namespace fs = std::filesystem;

namespace {

Run example_run(std::uint64_t id, std::uint16_t label, const std::string& digest) {
  Geometry geometry;
  geometry.size = {5, 4, 3};
  geometry.spacing = {0.5, 0.75, 2.0};
  geometry.origin = {-10, 20, 30};
  std::vector<std::uint16_t> voxels(60);
  voxels[7] = label;
  Run run;
  run.id = id;
  run.time = "2030-01-02T03:04:05Z";
  run.recipe.operation = "irfc";
  run.recipe.values.set("sigma_o", std::string("auto"));
  run.facts.values.set("sigma_o", 12.5);
  run.facts.algorithm = "tiles";
  run.facts.backend = "cpu";
  run.facts.stages = {{"affinity", 1.5}, {"propagate", 20.25}};
  run.facts.total_ms = 22;
  run.facts.digest = digest;
  run.facts.voxels = {{label, 1}};
  run.score.labels = {{label, 0.875}};
  run.recipe.seeds = SeedSet{{{label, 1.5, {{1, 2, 3}, {4, 5, 6}}, StrokePlane{{0, 0, 1}, 2.0}}}};
  run.labels = PackedLabels(LabelMap(geometry, voxels));
  run.note = "the Größe one";
  run.pinned = true;
  return run;
}

SessionFile example(const fs::path& folder) {
  SessionFile session;
  Document& d = session.document;
  d.image = {folder / "image 大.nii.gz", "1.2.3", "xxh64:0000000000000001"};
  d.reference = {folder / "reference.nii.gz", "", ""};
  d.seeds.strokes = {Stroke{1, 2.5, {{1.25, -2, 3}}, {}}, Stroke{0, 1, {{0, 0, 0}}, {}}};
  d.labels = default_labels();
  d.labels[0].opacity = 0.25;
  d.labels[1].visible = false;
  d.current_label = 2;
  d.edits.size = {200, 100, 3};
  d.edits.drawn = FixedVoxels(std::vector<LabelRun>{{0, 5, 1}, {5, 40'000, kFixedAsNone}});
  d.edits.locked[3] =
      FixedVoxels(std::vector<LabelRun>{{50'000, 50'001, 3}, {60'000 - 1, 60'000, 3}});
  d.edits.locked[4];  // without a voxel
  d.operation = "afc";
  d.values["afc"].set("theta", 0.75);
  d.values["afc"].set("object", std::string("all"));
  d.inputs["watershed"]["marker"].file = {folder / "marker Größe.nii.gz", "", ""};
  d.requested["distance"] = {"nearest"};
  d.algorithm = "tiles";
  d.backend = "cpu";
  d.scored = Scored::WhereLabelled;
  d.view.cursor = {1, 2, 3.5};
  d.view.window_width = 400;
  d.view.layout = "axial";
  d.view.show_map = true;
  d.view.map = "nearest";
  d.view.map_colors = "inferno";
  d.view.maps["distance/image"] = {.low = -1.5, .high = 20.0, .threshold = {}};
  d.view.maps["h-domes/image"] = {
      .low = {}, .high = {}, .threshold = -std::numeric_limits<double>::infinity()};
  session.runs = {example_run(1, 1, "xxh64:00000000000000aa"),
                  example_run(4, 300, "xxh64:00000000000000bb")};
  // An operation numbers objects up to the last label.
  session.runs[1].facts.voxels = LabelCounts{{300, 60}, {65535, 2}, {4294967295, 3}};
  session.runs[1].recipe.inputs["image"] = output_of(session.runs[0], "labels");
  session.runs[1].recipe.inputs["mask"].file = {folder / "mask.nii.gz", "", ""};
  session.runs[1].recipe.requested = {"nearest"};
  session.runs[1].score.labels.clear();
  session.runs[1].score.foreground = 0.75;
  session.runs[1].recipe.channel = "hematoxylin";
  session.runs[1].recipe.devices = "all";
  session.runs[1].facts.shares = {
      {"GPU (cuda:0)", {.busy_ms = 20.5, .visits = 3, .cells = 40, .failure = "full"}},
      {"CPU, 2 threads", {.busy_ms = 1.5, .visits = 1, .cells = 20, .failure = {}}}};
  session.runs[1].recipe.edits = d.edits;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  session.runs[1].curves["spectrum"] = {{"angle", "response"},
                                        {{0, 1.0 / 3.0}, {90, -kInfinity}, {135, kInfinity}}};
  session.runs[1].curves["nothing"] = {{"angle"}, {}};
  session.runs[1].curve_pinned = true;
  d.inputs["watershed"]["image"] = output_of(session.runs[1], "image");
  return session;
}

/// Returns "s-0123456789abcdef.nii.gz" beside "s.json".
fs::path labels_file(const fs::path& session, const Run& run) {
  const std::string digest = run.labels.digest();
  return session.parent_path() /
         (session.stem().string() + "-" + digest.substr(digest.find(':') + 1) + ".nii.gz");
}

}  // namespace

class TestSessionFile : public QObject {
  Q_OBJECT
 private slots:
  void opening_gives_what_was_saved();
  void a_thousand_live_strokes_stay_small();
  void runs_with_strokes_of_their_own_are_read();
  void what_could_not_be_opened_is_not_written();
  void views_beyond_all_bounds_are_brought_in();
  void a_moved_folder_still_opens();
  void wide_strokes_on_pictures_come_back();
  void steps_that_left_the_list_are_kept_where_they_are_read();
  void steps_without_a_recipe_are_lost();
  void diamonds_of_removed_steps_are_written_once();
  void keeps_the_last_three_versions();
  void a_save_that_fails_leaves_the_file_and_its_versions();
  void runs_of_one_digest_keep_their_own_labels();
  void counts_of_many_objects_come_from_the_label_file();
  void unused_label_files_go();
  void a_version_that_cannot_be_read_fails_no_save();
  void missing_label_files_are_warnings();
  void refuses_what_is_no_session_data();
  void refuses_what_is_no_session();
};

void TestSessionFile::opening_gives_what_was_saved() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  const SessionFile saved = example(folder);
  save_session(folder / "my study.json", saved);
  QVERIFY(is_session_file(folder / "my study.json"));
  const SessionFile opened = load_session(folder / "my study.json");
  QVERIFY(opened.document == saved.document);
  QCOMPARE(opened.warnings.size(), std::size_t{0});
  QCOMPARE(opened.runs.size(), saved.runs.size());
  for (std::size_t i = 0; i < saved.runs.size(); ++i) {
    const Run& a = saved.runs[i];
    const Run& b = opened.runs[i];
    QCOMPARE(b.id, a.id);
    QCOMPARE(b.time, a.time);
    QVERIFY(b.recipe.values == a.recipe.values);
    QVERIFY(b.facts.values == a.facts.values);
    QVERIFY(b.recipe.seeds == a.recipe.seeds && b.recipe.edits == a.recipe.edits);
    QVERIFY(b.recipe.inputs == a.recipe.inputs && b.recipe.requested == a.recipe.requested);
    QCOMPARE(b.note, a.note);
    QCOMPARE(b.pinned, a.pinned);
    QCOMPARE(b.curve_pinned, a.curve_pinned);
    QCOMPARE(b.curves.size(), a.curves.size());
    for (const auto& [output, curve] : a.curves) {
      QVERIFY(b.curves.at(output).columns == curve.columns);
      QVERIFY(b.curves.at(output).rows == curve.rows);
    }
    QCOMPARE(b.facts.digest, a.facts.digest);
    QVERIFY(b.score.labels == a.score.labels && b.facts.voxels == a.facts.voxels);
    QVERIFY(b.score.foreground == a.score.foreground && b.score.mean() == a.score.mean());
    QCOMPARE(b.recipe.channel, a.recipe.channel);
    QCOMPARE(b.recipe.devices, a.recipe.devices);
    QVERIFY(std::ranges::equal(b.facts.shares, a.facts.shares, [](const auto& x, const auto& y) {
      return x.name == y.name && x.done.busy_ms == y.done.busy_ms &&
             x.done.visits == y.done.visits && x.done.cells == y.done.cells &&
             x.done.failure == y.done.failure;
    }));
    QCOMPARE(b.facts.stages.size(), a.facts.stages.size());
    const LabelMap labels_a = a.labels.unpack();
    const LabelMap labels_b = b.labels.unpack();
    QVERIFY(same_grid(labels_a.geometry(), labels_b.geometry()));
    QVERIFY(std::ranges::equal(labels_a.labels(), labels_b.labels()));
  }
}

void TestSessionFile::a_thousand_live_strokes_stay_small() {
  constexpr int kStrokes = 1000;
  constexpr int kPoints = 35;  // per stroke: a day of painting makes some ten thousand strokes
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  SessionFile session = example(file.parent_path());
  SeedSet& seeds = session.document.seeds;
  seeds = {};
  RunHistory history;
  for (int i = 0; i < kStrokes; ++i) {
    Stroke stroke{1, 2.5, {}, StrokePlane{{0, 0, 1}, 1.0}};
    for (int point = 0; point < kPoints; ++point)
      stroke.points.push_back({i / 7.0, point / 3.0, 1.0 / (i + 1)});
    seeds.strokes.push_back(stroke);
    Run run;
    run.recipe.operation = "irfc";
    run.recipe.seeds = seeds;
    history.add(std::move(run));
  }
  session.runs = history.runs();
  // Processor time, because the machine may be busy.
  const std::clock_t begin = std::clock();
  save_session(file, session);
  const SessionFile opened = load_session(file);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  qInfo("%.1f MB, %.2f s of processor time", static_cast<double>(fs::file_size(file)) / 1e6,
        seconds);
  QCOMPARE(opened.runs.size(), std::size_t{kStrokes});
  QVERIFY(opened.runs.back().recipe.seeds == seeds);
  QVERIFY(opened.runs[0].recipe.seeds.size() == 1 && opened.runs[499].recipe.seeds.size() == 500);
  // Twice the strokes of the document and of all runs together. With all strokes in each run it
  // would be 500 times as much.
  QVERIFY(fs::file_size(file) < 2 * kStrokes * kPoints * 60 + kStrokes * 1000);
  QVERIFY2(seconds < 10.0, "saving and opening take a fraction of a second");
}

void TestSessionFile::runs_with_strokes_of_their_own_are_read() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "old.json";
  std::ofstream(file)
      << R"({"seedwave": 1, "kind": "session", "strokes": [], "labels": [], "runs": [
      {"id": 1, "operation": "irfc", "strokes": [{"label": 1, "radius": 2, "points": [[1, 2, 3]]}]},
      {"id": 2, "operation": "irfc", "strokes": [{"label": 1, "radius": 2, "points": [[1, 2, 3]]},
                                                 {"label": 2, "radius": 1, "points": [[0, 0, 0]]}]}
      ]})";
  const SessionFile opened = load_session(file);
  const Stroke first{1, 2.0, {{1, 2, 3}}, {}};
  const Stroke second{2, 1.0, {{0, 0, 0}}, {}};
  QVERIFY(opened.runs.at(0).recipe.seeds == SeedSet{{first}});
  QVERIFY((opened.runs.at(1).recipe.seeds == SeedSet{{first, second}}));
}

void TestSessionFile::what_could_not_be_opened_is_not_written() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  SessionFile session = example(file.parent_path());
  save_session(file, session);
  session.document.seeds.strokes.front().points.front() = {2e6, 0, 0};
  try {
    save_session(file, session);
    QFAIL("it was written");
  } catch (const OutputError& error) {
    QVERIFY2(std::string(error.what()).find("strokes[0]") != std::string::npos, error.what());
  }
  QVERIFY(load_session(file).document == example(file.parent_path()).document);
  QVERIFY(!fs::exists(fs::path(file).concat(".1")));
}

void TestSessionFile::views_beyond_all_bounds_are_brought_in() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  SessionFile session = example(file.parent_path());
  session.document.view.window_centre = -1e20;  // of an image in f32
  session.document.view.window_width = std::numeric_limits<double>::infinity();
  session.document.view.cursor = {1, 2, 1e10};
  save_session(file, session);
  const ViewState view = load_session(file).document.view;
  QCOMPARE(view.window_centre, -1e12);
  QCOMPARE(view.window_width, 0.0);  // automatic
  QCOMPARE(view.cursor[2], 1e9);
}

void TestSessionFile::a_moved_folder_still_opens() {
  const QTemporaryDir dir;
  const fs::path before = fs::path(dir.path().toStdString()) / "before";
  const fs::path after = fs::path(dir.path().toStdString()) / "after";
  fs::create_directory(before);
  const SessionFile saved = example(before);
  std::ofstream(saved.document.image.path) << "stands for an image";
  save_session(before / "s.json", saved);
  fs::rename(before, after);
  const SessionFile opened = load_session(after / "s.json");
  QCOMPARE(opened.document.image.path, after / "image 大.nii.gz");
  // A missing file keeps its recorded path.
  QCOMPARE(opened.document.reference.path, before / "reference.nii.gz");
}

void TestSessionFile::wide_strokes_on_pictures_come_back() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  SessionFile session = example(file.parent_path());
  session.document.seeds.strokes.front().radius_mm = 15000.0;  // pixels: legal in seed files there
  session.runs.front().recipe.seeds = session.document.seeds;
  save_session(file, session);
  const SessionFile opened = load_session(file);
  QVERIFY(opened.document.seeds == session.document.seeds);
  QVERIFY(opened.runs.front().recipe.seeds == session.document.seeds);
}

void TestSessionFile::steps_that_left_the_list_are_kept_where_they_are_read() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  SessionFile session = example(file.parent_path());
  // Run 4 reads run 1, and the document reads run 4: none of them is listed any more.
  const Step last = session.runs[1];
  session.runs.clear();
  save_session(file, session);
  for (int round = 0; round < 2; ++round) {
    const SessionFile opened = load_session(file);
    QVERIFY(opened.runs.empty() && opened.warnings.empty());
    QVERIFY(opened.document == session.document);
    const Step& read = *opened.document.inputs.at("watershed").at("image").step;
    QVERIFY(same_step(read, last) && !is_lost(read));
    QVERIFY(read.facts.values == last.facts.values && read.facts.voxels == last.facts.voxels);
    QVERIFY(read.recipe.seeds == last.recipe.seeds);
    QCOMPARE(read.recipe.inputs.at("mask").file.path, file.parent_path() / "mask.nii.gz");
    const Step& first = *read.recipe.inputs.at("image").step;
    QCOMPARE(first.id, std::uint64_t{1});
    QVERIFY(!is_lost(first) && first.recipe.operation == "irfc");
    QVERIFY(first.recipe.seeds == example(file.parent_path()).runs[0].recipe.seeds);
    save_session(file, opened);
  }
}

void TestSessionFile::steps_without_a_recipe_are_lost() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "old.json";
  std::ofstream(file) << R"({"seedwave": 2, "kind": "session", "strokes": [], "labels": [],
      "inputs": {"threshold": {"image": {"run": 7, "output": "image"}}},
      "runs": [{"id": 9, "operation": "x", "inputs": {"image": {"run": 7, "output": "image"}}}]})";
  for (int round = 0; round < 2; ++round) {
    const SessionFile opened = load_session(file);
    const Step& of_document = *opened.document.inputs.at("threshold").at("image").step;
    const Step& of_run = *opened.runs.at(0).recipe.inputs.at("image").step;
    for (const Step* step : {&of_document, &of_run}) {
      QCOMPARE(step->id, std::uint64_t{7});
      QVERIFY(is_lost(*step));
    }
    save_session(file, opened);
  }
}

void TestSessionFile::diamonds_of_removed_steps_are_written_once() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  SessionFile session = example(file.parent_path());
  constexpr int kSteps = 900;
  // Each step reads the one before twice: 2^900 ways lead to the first one.
  for (const bool listed : {true, false}) {
    Step step = session.runs[1];
    std::vector<Run> runs;
    for (int i = 0; i < kSteps; ++i) {
      Step next = step;
      next.id = step.id + 1;
      next.recipe.inputs["image"] = output_of(step, "labels");
      next.recipe.inputs["marker"] = output_of(step, "image");
      runs.push_back(Run{next});
      step = next;
    }
    SessionFile deep = session;
    deep.document.inputs["watershed"]["image"] = output_of(step, "image");
    if (listed) deep.runs.insert(deep.runs.end(), runs.begin(), runs.end());
    save_session(file, deep);
    const SessionFile opened = load_session(file);
    QCOMPARE(opened.runs.size(), deep.runs.size());
    QVERIFY(same_step(*opened.document.inputs.at("watershed").at("image").step, step));
    QVERIFY(fs::file_size(file) < std::uintmax_t{kSteps} * 4000);
  }
}

void TestSessionFile::keeps_the_last_three_versions() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  for (int version = 1; version <= 5; ++version) {
    SessionFile session = example(file.parent_path());
    session.document.channel = std::to_string(version);
    save_session(file, session);
  }
  QCOMPARE(load_session(file).document.channel, std::string("5"));
  for (int back = 1; back <= 3; ++back) {
    const SessionFile old = load_session(fs::path(file).concat("." + std::to_string(back)));
    QCOMPARE(old.document.channel, std::to_string(5 - back));
  }
  QVERIFY(!fs::exists(fs::path(file).concat(".4")));
}

void TestSessionFile::a_save_that_fails_leaves_the_file_and_its_versions() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  SessionFile session = example(file.parent_path());
  for (int version = 1; version <= 4; ++version) {
    session.document.channel = std::to_string(version);
    save_session(file, session);
  }
  session.document.channel = "never";
  {
    const test::SmallFiles full(100);
    for (int attempt = 0; attempt < 3; ++attempt)
      QVERIFY_EXCEPTION_THROWN(save_session(file, session), OutputError);
  }
  QCOMPARE(load_session(file).document.channel, std::string("4"));
  for (int back = 1; back <= 3; ++back) {
    const SessionFile old = load_session(fs::path(file).concat("." + std::to_string(back)));
    QCOMPARE(old.document.channel, std::to_string(4 - back));
  }
}

void TestSessionFile::runs_of_one_digest_keep_their_own_labels() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  SessionFile session = example(file.parent_path());
  // As for "look-alike": the digest is that of a distance, and the labels lie within a threshold or
  // another.
  session.runs[1].facts.digest = session.runs[0].facts.digest;
  save_session(file, session);
  const SessionFile opened = load_session(file);
  for (std::size_t i = 0; i < 2; ++i) {
    const LabelMap expected = session.runs[i].labels.unpack();
    QVERIFY(std::ranges::equal(opened.runs[i].labels.unpack().labels(), expected.labels()));
    QCOMPARE(opened.runs[i].labels.digest(), session.runs[i].labels.digest());
  }
  QVERIFY(session.runs[0].labels.digest() != session.runs[1].labels.digest());
}

void TestSessionFile::counts_of_many_objects_come_from_the_label_file() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  Geometry geometry;
  geometry.size = {400, 200, 1};
  for (const Label objects : {10'000U, 10'001U, 79'999U}) {
    SessionFile session = example(file.parent_path());
    Run& run = session.runs[1];
    std::vector<std::uint32_t> labels(400 * 200);
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = std::min(static_cast<Label>(i), objects);
    const LabelMap map(geometry, labels);
    run.labels = PackedLabels(map);
    run.facts.voxels = count_labels(map);
    QCOMPARE(run.facts.voxels.size(), std::size_t{objects});
    save_session(file, session);
    QFile written(QString::fromStdString(file.string()));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll().contains("\"9999\""), objects == 10'000U);
    const SessionFile opened = load_session(file);
    QVERIFY(opened.warnings.empty());
    QVERIFY(opened.runs[1].facts.voxels == run.facts.voxels);
    QCOMPARE(opened.runs[1].labels.digest(), run.labels.digest());
  }
}

void TestSessionFile::unused_label_files_go() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  const fs::path file = folder / "s.json";
  const SessionFile both = example(folder);
  const fs::path first = labels_file(file, both.runs[0]);
  save_session(file, both);
  QVERIFY(fs::exists(first));
  std::ofstream(folder / "s-mine.nii.gz") << "the user's own";
  SessionFile fewer = example(folder);
  fewer.runs.erase(fewer.runs.begin());
  save_session(file, fewer);
  QVERIFY(fs::exists(first));  // version .1 needs it
  for (int i = 0; i < 3; ++i)
    save_session(file, fewer);
  QVERIFY(!fs::exists(first));
  QVERIFY(fs::exists(labels_file(file, both.runs[1])));
  QVERIFY(fs::exists(folder / "s-mine.nii.gz"));
}

void TestSessionFile::a_version_that_cannot_be_read_fails_no_save() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  const SessionFile both = example(file.parent_path());
  save_session(file, both);
  // Unreadable for everybody, including root.
  fs::create_directory(fs::path(file).concat(".3"));
  std::ofstream(fs::path(file).concat(".3") / "in the way") << "so that nothing replaces it";
  SessionFile fewer = both;
  fewer.runs.erase(fewer.runs.begin());
  save_session(file, fewer);
  QCOMPARE(load_session(file).runs.size(), std::size_t{1});
  QVERIFY(fs::exists(labels_file(file, both.runs[0])));
}

void TestSessionFile::missing_label_files_are_warnings() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  const SessionFile saved = example(folder);
  save_session(folder / "s.json", saved);
  fs::remove(labels_file(folder / "s.json", saved.runs[0]));
  const SessionFile opened = load_session(folder / "s.json");
  QCOMPARE(opened.warnings.size(), std::size_t{1});
  QVERIFY(opened.runs[0].labels.empty());
  QVERIFY(!opened.runs[1].labels.empty());
}

void TestSessionFile::refuses_what_is_no_session_data() {
  QTest::addColumn<QByteArray>("text");
  const auto row = [](const char* name, const char* text) {
    QTest::newRow(name) << QByteArray(text);
  };
  row("empty", "");
  row("not JSON", "hello");
  row("cut", R"({"seedwave": 1, "kind": "session", "strokes": [)");
  row("a list", "[1, 2]");
  row("seeds", R"({"seedwave": 1, "kind": "seeds", "strokes": []})");
  row("newer", R"({"seedwave": 3, "kind": "session", "strokes": [], "labels": []})");
  row("no strokes", R"({"seedwave": 1, "kind": "session", "labels": []})");
  row("text for a number",
      R"({"seedwave": 1, "kind": "session", "labels": [], "strokes": [{"label": "x", "radius": 1, "points": [[0,0,0]]}]})");
  row("huge radius",
      R"({"seedwave": 1, "kind": "session", "labels": [], "strokes": [{"label": 1, "radius": 1e300, "points": [[0,0,0]]}]})");
  row("infinite point",
      R"({"seedwave": 1, "kind": "session", "labels": [], "strokes": [{"label": 1, "radius": 1, "points": [[1e999,0,0]]}]})");
  row("label out of range",
      R"({"seedwave": 1, "kind": "session", "strokes": [], "labels": [{"id": 65535, "name": "x"}]})");
  row("runs are a number",
      R"({"seedwave": 1, "kind": "session", "strokes": [], "labels": [], "runs": 3})");
  row("a curve's row is short",
      R"({"seedwave": 1, "kind": "session", "strokes": [], "labels": [], "runs": [{"id": 1, "operation": "x", "curves": {"c": {"columns": ["a", "b"], "rows": [[1]]}}}]})");
  row("a curve's number is a word",
      R"({"seedwave": 1, "kind": "session", "strokes": [], "labels": [], "runs": [{"id": 1, "operation": "x", "curves": {"c": {"columns": ["a"], "rows": [["one"]]}}}]})");
  row("strokes that are not in the list",
      R"({"seedwave": 2, "kind": "session", "strokes": [], "labels": [], "run_strokes": [], "runs": [{"id": 1, "operation": "x", "strokes_at": [[0, 1]]}]})");
  const std::string stroke = R"({"label": 1, "radius": 1, "points": [[0, 0, 0]]})";
  std::string strokes = stroke;
  std::string places = "[0, 1000]";
  for (int i = 1; i < 1000; ++i)
    strokes += "," + stroke;
  for (int i = 1; i < 5000; ++i)
    places += ",[0, 1000]";
  row("more strokes than a run can have",
      (R"({"seedwave": 2, "kind": "session", "strokes": [], "labels": [], "run_strokes": [)" +
       strokes + R"(], "runs": [{"id": 1, "operation": "x", "strokes_at": [)" + places + "]}]}")
          .c_str());
  const auto runs = [&](const char* name, const std::string& list) {
    row(name, (R"({"seedwave": 1, "kind": "session", "strokes": [], "labels": [], "runs": [)" +
               list + "]}")
                  .c_str());
  };
  const auto run = [](int id, int reads) {
    return R"({"id": )" + std::to_string(id) +
           R"(, "operation": "x", "inputs": {"image": {"run": )" + std::to_string(reads) +
           R"(, "output": "image"}}})";
  };
  runs("a run reads itself", run(1, 1));
  runs("runs read each other", run(1, 2) + "," + run(2, 1));
  runs("two runs of one id", run(2, 1) + "," + run(2, 1));
  runs("ids that fall", run(3, 1) + "," + run(2, 1));
  const auto removed = [&](const char* name, const std::string& list, const std::string& gone) {
    row(name, (R"({"seedwave": 2, "kind": "session", "strokes": [], "labels": [], "runs": [)" +
               list + R"(], "removed_runs": [)" + gone + "]}")
                  .c_str());
  };
  removed("a removed run has the id of another", run(3, 2), run(3, 2));
  removed("two removed runs of one id", run(3, 2), run(2, 1) + "," + run(2, 1));
  removed("a run reads a removed one that came later", run(3, 4), run(4, 1));
  removed("a removed run reads itself", run(3, 2), run(2, 2));
  removed("runs read each other across the lists", run(3, 2), run(2, 3));
  removed("a removed run has no operation", run(3, 2), R"({"id": 2})");
  removed("removed runs are numbers", run(3, 2), "2");
  std::string chain = run(2, 1);
  for (int id = 3; id < 5000; ++id)
    chain += "," + run(id, id - 1);
  runs("an endless chain of runs", chain);
  // Keeping it for the next save would overflow the stack there.
  constexpr int kDeep = 200'000;
  QTest::newRow("nested without end")
      << QByteArray(R"({"seedwave": 1, "kind": "session", "strokes": [], "labels": [], "x": )") +
             QByteArray(kDeep, '[') + QByteArray(kDeep, ']') + '}';
}

void TestSessionFile::refuses_what_is_no_session() {
  QFETCH(QByteArray, text);
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "bad.json";
  std::ofstream(file, std::ios::binary).write(text.data(), text.size());
  try {
    const SessionFile session = load_session(file);
    QFAIL("it was opened");
  } catch (const InputError& error) {
    QVERIFY2(std::string(error.what()).find("bad.json") != std::string::npos, error.what());
  }
}

QTEST_GUILESS_MAIN(TestSessionFile)
#include "test_session_file.moc"
