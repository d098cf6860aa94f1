// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/engine/label_origin.h"
#include "core/engine/make_run.h"
#include "core/engine/resolve.h"
#include "core/image/crop.h"
#include "core/io/labels.h"
#include "tests/core/io/io_fixture.h"
#include "tests/support/pretended_device.h"

#include <QImage>
#include <QTest>

namespace seedwave {

namespace {

/// Returns an algorithm of that name that gives an image of one value.
Implementation constant(const char* algorithm, std::uint8_t value, Exactness exactness) {
  return {.algorithm = algorithm,
          .backend = Backend::Cpu,
          .exactness = exactness,
          .run = [value](const Inputs& inputs, const Values&, Context&) {
            const Geometry& grid = inputs.image.geometry();
            const std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()),
                                                   value);
            Result result;
            result.outputs.emplace("image", Volume(grid, voxels));
            return result;
          }};
}

/// Returns a table in which "measure" is 2 by its exact algorithm and 3 by the other.
OperationTable table() {
  return OperationTable({{.id = "measure",
                          .title = "Measure",
                          .help = "For this test",
                          .inputs = {{.kind = InputKind::Image, .help = "any"}},
                          .parameters = {},
                          .outputs = {{.id = "image", .help = "a number", .form = ImageForm{}}},
                          .implementations = {constant("exact", 2, Exactness::Exact),
                                              constant("near", 3, Exactness::Approximate)},
                          .reference_algorithm = "exact"}});
}

LoadedCase some_image() {
  Geometry grid;
  grid.size = {3, 2, 1};
  return whole_case(Volume(grid, std::vector<std::uint8_t>(6)));
}

/// Returns an image that holds 1 at one place and 2 at two, apart from each other.
LoadedCase numbered_image() {
  Geometry grid;
  grid.size = {7, 3, 1};
  std::vector<std::uint8_t> voxels(21);
  voxels[8] = 1;
  voxels[10] = voxels[12] = 2;
  return whole_case(Volume(grid, std::move(voxels)));
}

/// Returns the run that gives the numbers of that image as labels.
Run two_labels(const OperationTable& operations) {
  Context context;
  Run run = make_run(operations, {.operation = "merge-labels"}, numbered_image(), context).run;
  run.id = 1;
  return run;
}

/// Returns a run by the approximate algorithm with an evicted image.
Run evicted(const OperationTable& table) {
  const Recipe recipe{.operation = "measure", .algorithm = "near"};
  Context context;
  Run run = make_run(table, recipe, some_image(), context).run;
  run.id = 1;
  run.images.clear();
  return run;
}

}  // namespace

class TestMakeRun : public QObject {
  Q_OBJECT

 private slots:
  void an_approximate_run_is_repeated_by_its_own_algorithm() {
    const OperationTable operations = table();
    const Run run = evicted(operations);
    Context context;
    const auto maps = picture_of(operations, run, some_image(), context).maps;
    QCOMPARE(maps.size(), std::size_t{1});
    QCOMPARE(maps.front().volume.value_at({0, 0, 0}), 3.0);

    const Recipe next{.operation = "measure", .inputs = {{"image", output_of(run, "image")}}};
    LoadedCase of = some_image();
    of.kept = {{run.id, run}};
    const Inputs inputs = resolve(operations, next, of, context);
    QCOMPARE(inputs.image.value_at({0, 0, 0}), 3.0);
  }

  void workers_of_a_recipe_share_its_run() {
    const OperationTable operations = make_operation_table();
    Recipe recipe{.operation = "h-domes"};
    Context context({.threads = 2});
    const Run alone = make_run(operations, recipe, numbered_image(), context).run;
    recipe.devices = "cpu,cpu";
    const Run shared = make_run(operations, recipe, numbered_image(), context).run;
    QCOMPARE(shared.facts.digest, alone.facts.digest);
    QCOMPARE(shared.facts.shares.size(), std::size_t{2});
    QVERIFY(alone.facts.shares.empty() && shared.facts.warnings.empty());
    // An evicted result is recomputed by one of them, and steps that a run reads are, too.
    Run evicted = shared;
    evicted.images.clear();
    QCOMPARE(picture_of(operations, evicted, numbered_image(), context).maps.size(),
             std::size_t{1});
    recipe.devices = "all";
    const Run pretended = make_run(test::with_pretended_device(operations, "h-domes"), recipe,
                                   numbered_image(), context)
                              .run;
    QCOMPARE(pretended.facts.digest, alone.facts.digest);
    QCOMPARE(pretended.facts.backend, std::string("cuda"));
    QCOMPARE(pretended.facts.shares.size(), std::size_t{2});
  }

  void inputs_that_devices_cannot_share_run_automatically() {
    OperationTable operations = make_operation_table();
    operations.set_devices({{0, "Pretended GPU", 1'000'000'000, 1'000'000'000}}, "");
    Implementation picky{.algorithm = "tiles",
                         .backend = Backend::Cuda,
                         .why_not = [](const Inputs&, const Values&) { return "cannot do this"; }};
    picky.sharing = Sharing::BySlabs;
    operations.add("h-domes", picky);
    Context context({.threads = 2});
    const Recipe recipe{.operation = "h-domes", .devices = "all"};
    const Run run = make_run(operations, recipe, numbered_image(), context).run;
    QCOMPARE(run.facts.backend, std::string("cpu"));
    QVERIFY(run.facts.shares.empty() && run.facts.warnings.empty());
  }

  void all_devices_without_any_are_a_plain_run_with_a_warning() {
    Context context;
    const Recipe recipe{.operation = "h-domes", .devices = "all"};
    const Run run = make_run(make_operation_table(), recipe, numbered_image(), context).run;
    QCOMPARE(run.facts.backend, std::string("cpu"));
    QVERIFY(run.facts.shares.empty());
    QCOMPARE(run.facts.warnings,
             std::vector<std::string>{"there is no GPU to share the run with (built without CUDA): "
                                      "the CPU did all of it"});
  }

  void what_is_not_shared_says_so() {
    OperationTable operations = table();
    Context context;
    const Recipe recipe{.operation = "measure", .devices = "cpu,cpu"};
    try {
      (void)make_run(operations, recipe, some_image(), context);
      QFAIL("it was shared");
    } catch (const UsageError& error) {
      QCOMPARE(
          std::string(error.what()),
          std::string("devices: measure by exact (cpu) is not shared among devices: name one"));
    }
  }

  void a_run_whose_algorithm_is_not_here_is_not_blamed_on_the_image_alone() {
    const OperationTable operations = table();
    Run run = evicted(operations);
    run.facts.algorithm = "iwpp-edt";
    Context context;
    try {
      (void)picture_of(operations, run, some_image(), context);
      QFAIL("another result was taken for the run's");
    } catch (const InputError& error) {
      QVERIFY2(std::string(error.what()).find("'iwpp-edt'") != std::string::npos, error.what());
    }
  }

  // A run that left the history is part of the recipes that read it.
  void a_step_of_which_nothing_is_kept_is_recomputed() {
    const OperationTable operations = table();
    Run run = evicted(operations);
    Context context;
    const Recipe next{.operation = "measure", .inputs = {{"image", output_of(run, "image")}}};
    QCOMPARE(resolve(operations, next, some_image(), context).image.value_at({0, 0, 0}), 3.0);

    Run another = evicted(operations);
    another.id = 2;
    another.facts.digest = "xxh64:0000000000000000";
    const Recipe other{.operation = "measure", .inputs = {{"image", output_of(another, "image")}}};
    const std::string refusal =
        test::input_error_of([&] { (void)resolve(operations, other, some_image(), context); });
    QVERIFY2(refusal.starts_with("run 2 (measure) cannot be read: "), refusal.c_str());
  }

  // Numbers of runs start again with every image.
  void a_kept_run_of_the_same_number_is_not_taken_for_another_step() {
    const OperationTable operations = table();
    const Run run = evicted(operations);
    Run impostor = run;
    impostor.time = "2001-01-01T00:00:00Z";
    impostor.images.emplace("image", Volume(some_image().whole, std::vector<std::uint8_t>(6, 99)));
    LoadedCase of = some_image();
    of.kept = {{run.id, impostor}};
    Context context;
    const Recipe next{.operation = "measure", .inputs = {{"image", output_of(run, "image")}}};
    QCOMPARE(resolve(operations, next, of, context).image.value_at({0, 0, 0}), 3.0);
  }

  // The caches of later runs know a mask by its owner.
  void a_mask_is_made_once() {
    const OperationTable operations = table();
    const LoadedCase of = some_image();
    const test::TemporaryFolder folder;
    const auto file = folder / "mask.nii";
    io::save_volume(file, Volume(of.whole, std::vector<std::uint8_t>{0, 1, 2, 0, 0, 9}));
    const Recipe recipe{.operation = "measure", .inputs = {{"mask", {.file = {.path = file}}}}};
    Context context;
    const LabelMap first = resolve(operations, recipe, of, context).mask;
    const LabelMap second = resolve(operations, recipe, of, context).mask;
    QVERIFY(first.owner() == second.owner());
    QCOMPARE((std::vector<std::uint16_t>(first.labels().begin(), first.labels().end())),
             (std::vector<std::uint16_t>{0, 1, 1, 0, 0, 1}));
  }

  // A palette of a mask holds numbers, not colours.
  void a_mask_may_be_a_palette_image() {
    const OperationTable operations = table();
    Geometry pixels;
    pixels.size = {3, 2, 1};
    pixels.unit = LengthUnit::Pixel;
    const LoadedCase of = whole_case(Volume(pixels, std::vector<std::uint8_t>(6)));
    const test::TemporaryFolder folder;
    const auto file = folder / "mask.png";
    QImage palette(3, 2, QImage::Format_Indexed8);
    palette.setColorTable({qRgb(0, 0, 0), qRgb(255, 0, 0), qRgb(0, 0, 255)});
    for (int i = 0; i < 6; ++i)
      palette.setPixel(i % 3, i / 3, i % 3);
    QVERIFY(palette.save(QString::fromStdString(file.string())));
    const Recipe recipe{.operation = "measure", .inputs = {{"mask", {.file = {.path = file}}}}};
    Context context;
    const LabelMap mask = resolve(operations, recipe, of, context).mask;
    QCOMPARE((std::vector<std::uint16_t>(mask.labels().begin(), mask.labels().end())),
             (std::vector<std::uint16_t>{0, 1, 1, 0, 1, 1}));
  }

  // A file may lie on the whole image or on the part that a case was cut to.
  void inputs_of_a_part_lie_on_it_or_on_the_whole() {
    const OperationTable operations = table();
    const LoadedCase whole = some_image();
    const LoadedCase part = cut_case(whole, {{1, 0, 0}, {3, 2, 1}});
    const test::TemporaryFolder folder;
    const auto on_whole = folder / "whole.mha";
    const auto on_part = folder / "part.mha";
    const Volume marker(whole.whole, std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5});
    io::save_volume(on_whole, marker);
    io::save_volume(on_part, crop(marker, part.box));
    Context context;
    for (const auto& file : {on_whole, on_part}) {
      const Recipe recipe{.operation = "measure", .inputs = {{"marker", {.file = {.path = file}}}}};
      QCOMPARE(test::values_of(resolve(operations, recipe, part, context).marker),
               (std::vector<double>{1, 2, 4, 5}));
    }
    // As large as the part, and beside it: what was read for the part is not taken for this one.
    const LoadedCase other = cut_case(whole, {{0, 0, 0}, {2, 2, 1}});
    const Recipe recipe{.operation = "measure",
                        .inputs = {{"marker", {.file = {.path = on_part}}}}};
    const std::string refusal =
        test::input_error_of([&] { (void)resolve(operations, recipe, other, context); });
    QVERIFY2(refusal.find("different grid from the image: marker 2 x 2") != std::string::npos,
             refusal.c_str());
  }

  void labels_in_place_of_the_image_give_labels() {
    const OperationTable operations = make_operation_table();
    const Run labels = two_labels(operations);
    const Recipe fill{.operation = "fill-holes",
                      .inputs = {{"labels", output_of(labels, "labels")}}};
    Context context;
    const Run filled = make_run(operations, fill, numbered_image(), context).run;
    QVERIFY(!filled.labels.empty() && filled.images.empty());
    QCOMPARE(filled.facts.digest, labels.facts.digest);
    QVERIFY(keeps_picture(operations, filled));  // nothing else is missing
    QVERIFY(!has_maps(operations.at("fill-holes"), reads_of(fill)));
    QVERIFY(has_maps(operations.at("fill-holes"), Reads::Image));
    // A word stands for the same number if nothing but the edits differs.
    Recipe edited = fill;
    edited.edits.size = numbered_image().whole.size;
    QVERIFY(agrees_but_for_edits(operations.at("fill-holes"), edited, filled, true));
    edited.values.set("background", 2.0);
    QVERIFY(!agrees_but_for_edits(operations.at("fill-holes"), edited, filled, true));
  }

  void parts_are_those_of_their_label() {
    const OperationTable operations = make_operation_table();
    const Run labels = two_labels(operations);
    const Recipe split{.operation = "split-objects",
                       .inputs = {{"labels", output_of(labels, "labels")}}};
    Context context;
    const Run parts = make_run(operations, split, numbered_image(), context).run;
    QCOMPARE(parts.facts.voxels.of(11), std::int64_t{1});
    QCOMPARE(parts.facts.voxels.of(22), std::int64_t{1});
    const auto second = part_named(operations, parts, 22);
    QVERIFY(second && second->of == 2 && second->part == 2);
    QCOMPARE(second->source->facts.digest, labels.facts.digest);
    QVERIFY(!part_named(operations, parts, 5) && !part_named(operations, labels, 2));
    // Labels that keep their numbers keep their names.
    Run listed = parts;
    listed.id = 2;
    const Recipe clean{.operation = "clean-labels",
                       .values = {{"outline_smooth", 0.0}},
                       .inputs = {{"image", output_of(listed, "labels")}}};
    const Run cleaned = make_run(operations, clean, numbered_image(), context).run;
    const auto again = part_named(operations, cleaned, 22);
    QVERIFY(again && again->of == 2 && again->part == 2);
  }

  // A number that was estimated once stays, and a value that was set gives way to it nowhere else.
  void fixed_numbers_stand_for_what_was_left_alone() {
    Recipe recipe{.operation = "measure"};
    recipe.values.set("m", std::string("auto"));
    recipe.values.set("smooth", 2.0);
    recipe.fixed.set("m", 12.5);
    const Values values = effective_values(recipe);
    QCOMPARE(values.number("m"), 12.5);
    QCOMPARE(values.number("smooth"), 2.0);
  }
};

}  // namespace seedwave

QTEST_GUILESS_MAIN(seedwave::TestMakeRun)
#include "test_make_run.moc"
