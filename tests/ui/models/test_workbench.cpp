// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_counts.h"
#include "core/image/label_map.h"
#include "core/session/session_json.h"
#include "tests/support/random_numbers.h"
#include "ui/models/label_fit.h"
#include "ui/models/workbench.h"

#include <QSignalSpy>
#include <QTest>

#include <utility>

namespace seedwave::ui {

namespace {

PreparedImage small_image(int components = 1) {
  Geometry geometry;
  geometry.size = {4, 3, components == 1 ? 2 : 1};
  io::LoadedImage image;
  image.volume = Volume(
      geometry,
      std::vector<std::uint8_t>(static_cast<std::size_t>(geometry.voxel_count() * components)),
      components);
  return prepare(image, io::ItemKind::Volume);
}

Stroke stroke_of(std::uint16_t label, double x = 0.0) {
  return {.label = label, .radius_mm = 1.0, .points = {{x, 0, 0}}, .plane = {}};
}

}  // namespace

class TestWorkbench : public QObject {
  Q_OBJECT

 private slots:
  void a_stroke_is_a_named_step() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    workbench.steps().add_stroke(stroke_of(2));
    QCOMPARE(workbench.steps().undo_stack().undoText(), QStringLiteral("stroke of background"));
    workbench.steps().add_stroke(stroke_of(0));
    QCOMPARE(workbench.steps().undo_stack().undoText(), QStringLiteral("erasing stroke"));
    workbench.steps().undo_stack().undo();
    workbench.steps().undo_stack().undo();
    QVERIFY(workbench.document().seeds.strokes.empty());
  }

  void a_change_that_changes_nothing_is_no_step() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    workbench.steps().add_stroke(Stroke{});
    workbench.steps().withdraw_strokes({});
    workbench.steps().withdraw_strokes({7});
    workbench.steps().change_label(workbench.document().labels.front());
    workbench.steps().set_operation(workbench.document().operation, {});
    workbench.steps().set_channel(workbench.document().channel);
    workbench.steps().set_algorithm(workbench.document().algorithm, workbench.document().backend);
    workbench.steps().reset_value("theta", {});
    workbench.steps().import_seeds({}, workbench.document().labels);
    QCOMPARE(workbench.steps().undo_stack().count(), 0);
  }

  void any_strokes_can_be_withdrawn_and_come_back_where_they_were() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    for (int i = 0; i < 6; ++i)
      workbench.steps().add_stroke(stroke_of(1, i));
    const SeedSet all = workbench.document().seeds;
    workbench.steps().withdraw_strokes({4, 1, 4});
    SeedSet rest;
    for (const std::size_t i : {0, 2, 3, 5})
      rest.strokes.push_back(all.strokes[i]);
    QCOMPARE(workbench.document().seeds, rest);
    workbench.steps().undo_stack().undo();
    QCOMPARE(workbench.document().seeds, all);
    workbench.steps().undo_stack().redo();
    QCOMPARE(workbench.document().seeds, rest);
  }

  void a_dragged_value_is_one_step_and_none_when_it_ends_where_it_began() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    workbench.steps().set_value("sigma_o", 10.0, "spread");
    QCOMPARE(workbench.steps().undo_stack().count(), 1);
    workbench.steps().set_value("sigma_o", 11.0, "spread", Gesture::New);
    workbench.steps().set_value("sigma_o", 12.0, "spread", Gesture::Continued);
    workbench.steps().set_value("sigma_o", 13.0, "spread", Gesture::Continued);
    QCOMPARE(workbench.steps().undo_stack().count(), 2);
    workbench.steps().undo_stack().undo();
    QCOMPARE(workbench.document().current_values().number("sigma_o"), 10.0);
    workbench.steps().set_value("sigma_o", 20.0, "spread", Gesture::New);
    workbench.steps().set_value("sigma_o", 10.0, "spread", Gesture::Continued);
    QCOMPARE(workbench.steps().undo_stack().count(), 1);
  }

  void resetting_a_value_leaves_the_others() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    workbench.steps().set_value("sigma_o", 10.0, {});
    workbench.steps().set_value("smooth", 0.5, {});
    workbench.steps().reset_value("sigma_o", {});
    QVERIFY(!workbench.document().current_values().has("sigma_o"));
    QCOMPARE(workbench.document().current_values().number("smooth"), 0.5);
  }

  void removing_a_label_takes_its_strokes_as_one_step() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    workbench.steps().add_stroke(stroke_of(1));
    workbench.steps().add_stroke(stroke_of(2));
    const Document before = workbench.document();
    workbench.steps().remove_label(1);
    QCOMPARE(workbench.document().seeds.strokes.size(), std::size_t{1});
    QCOMPARE(workbench.document().labels.size(), std::size_t{1});
    QCOMPARE(workbench.document().current_label, Label{2});
    workbench.steps().undo_stack().undo();
    QCOMPARE(workbench.document().seeds, before.seeds);
    QCOMPARE(workbench.document().labels, before.labels);
  }

  void the_last_label_cannot_be_removed() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    workbench.steps().remove_label(1);
    workbench.steps().remove_label(2);
    QCOMPARE(workbench.document().labels.size(), std::size_t{1});
  }

  void a_new_label_gets_a_free_id_and_its_own_colour() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    workbench.steps().add_label();
    QCOMPARE(workbench.document().labels.back().id, Label{3});
    QCOMPARE(workbench.document().current_label, Label{3});
    QVERIFY(workbench.document().labels.back().color != workbench.document().labels[0].color);
  }

  void a_new_label_is_one_that_can_be_painted() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    workbench.steps().set_labels({make_label(1, "one"), make_label(kLargestLabel, "last")}, {});
    workbench.steps().add_label();
    QCOMPARE(workbench.document().labels.back().id, Label{2});
    workbench.steps().add_label();
    QCOMPARE(workbench.document().labels.back().id, Label{3});
    std::vector<LabelEntry> all;
    for (Label id = 1; id <= kLargestLabel; ++id)
      all.push_back({.id = id, .name = "x", .color = "#000000"});
    workbench.steps().set_labels(all, {});
    workbench.steps().add_label();
    QCOMPARE(workbench.document().labels.size(), all.size());
  }

  void any_document_is_read_back_from_a_session() {
    constexpr std::uint16_t kIds[] = {0, 1, 2, 254, 255, 256, 65533, 65534, 65535};
    for (int seed = 0; seed < 500; ++seed) {
      test::RandomNumbers random(seed);
      Workbench workbench;
      workbench.set_image(small_image(), Source{});
      const Geometry grid = workbench.image().geometry();
      for (int step = 0; step < 8; ++step) {
        std::vector<std::uint16_t> voxels(static_cast<std::size_t>(grid.voxel_count()));
        for (std::uint16_t& voxel : voxels)
          voxel = kIds[random.below(std::ssize(kIds))];
        const LabelMap map(grid, std::move(voxels));
        const std::int64_t what = random.below(3);
        if (what == 0) workbench.set_reference(map, Source{}, count_labels(map));
        if (what == 1)
          workbench.steps().import_seeds(strokes_from(map), workbench.document().labels);
        if (what == 2) workbench.steps().add_label();
        const SessionPlace place{"/nowhere"};
        const nlohmann::json json = to_json(workbench.document(), place);
        const JsonPlace root(json, std::to_string(seed));
        QVERIFY(document_from_json(root, place) == workbench.document());
      }
    }
  }

  void a_reference_brings_its_labels_only_while_nothing_is_painted() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    const LabelMap labels(workbench.image().geometry(), std::vector<std::uint16_t>(24, 5));
    workbench.set_reference(labels, Source{}, {{2, 1}, {5, 23}});
    std::vector<Label> ids;
    for (const LabelEntry& entry : workbench.document().labels)
      ids.push_back(entry.id);
    QCOMPARE(ids, (std::vector<Label>{2, 5, 6}));
    QCOMPARE(workbench.document().labels.back().name, std::string("background"));

    workbench.set_image(small_image(), Source{});
    workbench.steps().add_stroke(stroke_of(1));
    workbench.set_reference(labels, Source{}, {{2, 1}, {5, 23}});
    QCOMPARE(workbench.document().labels.size(), std::size_t{2});
  }

  void labels_of_a_reference_have_its_names_and_none_of_ours() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    const LabelMap labels(workbench.image().geometry(), std::vector<std::uint16_t>(24, 1));
    workbench.set_reference(labels, Source{}, {{1, 23}, {3, 1}},
                            {{.id = 3, .name = "caudates", .color = "#ff000d"}});
    const auto& taken = workbench.document().labels;
    QCOMPARE(taken.size(), std::size_t{3});
    QCOMPARE(taken[0].name, std::string("label 1"));  // not "object"
    QCOMPARE(taken[1].name, std::string("caudates"));
    QCOMPARE(taken[1].color, std::string("#ff000d"));
    QCOMPARE(taken[2].name, std::string("background"));

    // A name given by the user stays if the reference has none.
    workbench.set_image(small_image(), Source{});
    LabelEntry mine = workbench.document().labels.front();
    mine.name = "liver";
    workbench.steps().change_label(mine);
    workbench.set_reference(labels, Source{}, {{1, 24}});
    QCOMPARE(workbench.document().labels.front().name, std::string("liver"));
  }

  void a_mask_brings_a_foreground_and_a_background() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    const LabelMap mask(workbench.image().geometry(), std::vector<std::uint16_t>(24, 1));
    workbench.set_reference(mask, Source{}, {{1, 24}});
    const auto& taken = workbench.document().labels;
    QCOMPARE(taken.size(), std::size_t{2});
    QCOMPARE(taken[0].name, std::string("foreground"));
    QCOMPARE(taken[1].name, std::string("background"));
    QCOMPARE(taken[1].id, Label{2});

    // The file's name describes its content, unless it is meaningless.
    for (const auto& [file, name] : {std::pair{"/a/left_kidney.nii.gz", "left_kidney"},
                                     {"/a/liver.nrrd", "liver"},
                                     {"/a/Mask.nii", "foreground"}}) {
      workbench.set_image(small_image(), Source{});
      workbench.set_reference(mask, Source{.path = file}, {{1, 24}});
      QCOMPARE(workbench.document().labels[0].name, std::string(name));
    }

    // Numbering does not continue from a mark beside labels ("ignore").
    workbench.set_image(small_image(), Source{});
    workbench.set_reference(mask, Source{}, {{1, 22}, {2, 1}, {255, 1}});
    QCOMPARE(workbench.document().labels.back().name, std::string("background"));
    QCOMPARE(workbench.document().labels.back().id, Label{3});
    workbench.set_image(small_image(), Source{});
    workbench.set_reference(mask, Source{}, {{1, 22}, {2, 1}, {65535, 1}});
    QCOMPARE(workbench.document().labels.size(), std::size_t{3});
    QCOMPARE(workbench.document().labels.back().name, std::string("background"));
    QCOMPARE(workbench.document().labels.back().id, Label{3});
  }

  void a_colour_picture_is_read_by_one_channel() {
    Workbench workbench;
    workbench.set_image(small_image(3), Source{});
    QCOMPARE(workbench.image().components(), 3);
    QCOMPARE(workbench.opened().scene.volume.components(), 1);
    QSignalSpy taken(&workbench, &Workbench::scene_changed);
    workbench.steps().set_channel("eosin");
    // In the background: until it is ready, nobody reads the wrong one.
    QVERIFY(workbench.opened().scene.volume.empty());
    QVERIFY(taken.wait());
    QCOMPARE(workbench.opened().scene.volume.type(), VoxelType::F32);
    workbench.steps().undo_stack().undo();
    QVERIFY(taken.wait());
    QCOMPARE(workbench.opened().scene.volume.type(), VoxelType::U8);
    // Only the last of several requests counts.
    workbench.steps().set_channel("red");
    workbench.steps().set_channel("dab");
    QVERIFY(taken.wait());
    QCOMPARE(workbench.opened().scene.volume.type(), VoxelType::F32);
    QCOMPARE(taken.count(), 3);
  }

  void restoring_a_run_is_one_step() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    workbench.steps().add_stroke(stroke_of(1));
    workbench.steps().set_value("sigma_o", 10.0, {});
    const Document before = workbench.document();
    SeedSet seeds;
    seeds.strokes = {stroke_of(2)};
    Values values;
    values.set("smooth", 1.0);
    const InputChoices inputs{{"mask", output_of(Step{.id = 2}, "labels")}};
    workbench.steps().restore({.operation = "afc",
                               .values = values,
                               .seeds = seeds,
                               .inputs = inputs,
                               .requested = {"nearest"}},
                              "restore run 3");
    QCOMPARE(workbench.document().operation, std::string("afc"));
    QVERIFY(workbench.document().current_inputs() == inputs);
    QVERIFY(workbench.document().requested.at("afc").contains("nearest"));
    QCOMPARE(workbench.document().current_values(), values);
    QCOMPARE(workbench.document().seeds, seeds);
    QCOMPARE(workbench.steps().undo_stack().undoText(), QStringLiteral("restore run 3"));
    workbench.steps().undo_stack().undo();
    QCOMPARE(workbench.document(), before);
  }

  void looking_is_no_step() {
    Workbench workbench;
    workbench.set_image(small_image(), Source{});
    ViewState view = workbench.document().view;
    view.cursor = {1, 2, 3};
    workbench.set_view(view);
    workbench.set_current_label(2);
    QCOMPARE(workbench.steps().undo_stack().count(), 0);
    QCOMPARE(workbench.document().view, view);
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestWorkbench)
#include "test_workbench.moc"
