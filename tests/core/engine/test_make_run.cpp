// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/engine/run_inputs.h"
#include "core/engine/run_product.h"

#include <QTest>

namespace seedwave {

namespace {

/// An image of one value, by an algorithm of that name.
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

/// "measure" is 2 by its exact algorithm and 3 by the other.
OperationTable table() {
  return OperationTable(
      {{.id = "measure",
        .title = "Measure",
        .help = "For this test",
        .inputs = {{.kind = InputKind::Image, .help = "any"}},
        .parameters = {},
        .outputs = {{.id = "image", .kind = OutputKind::Image, .help = "a number"}},
        .implementations = {constant("exact", 2, Exactness::Exact),
                            constant("near", 3, Exactness::Approximate)},
        .reference_algorithm = "exact"}});
}

InputSources some_image() {
  Geometry grid;
  grid.size = {3, 2, 1};
  return {.scene = Volume(grid, std::vector<std::uint8_t>(6))};
}

/// A run by the approximate algorithm whose image was given up for space.
Run given_up(const OperationTable& table) {
  RunOrder order;
  order.request.operation = "measure";
  order.request.how.algorithm = "near";
  order.sources = some_image();
  Context context;
  Run run = make_run(table, order, {}, context).run;
  run.id = 1;
  run.images.clear();
  return run;
}

}  // namespace

class TestRunProduct : public QObject {
  Q_OBJECT

 private slots:
  void an_approximate_run_is_repeated_by_its_own_algorithm() {
    const OperationTable operations = table();
    const Run run = given_up(operations);
    Context context;
    const auto maps = maps_again(operations, order_again(run, some_image()), run, context).maps;
    QCOMPARE(maps.size(), std::size_t{1});
    QCOMPARE(maps.front().volume.value_at({0, 0, 0}), 3.0);

    InputSources sources = some_image();
    sources.runs.emplace(run.id, run);
    Inputs inputs;
    take_inputs(operations, {{"image", {.file = {}, .run = run.id, .output = "image"}}}, sources,
                inputs, context);
    QCOMPARE(inputs.image.value_at({0, 0, 0}), 3.0);
  }

  void a_run_whose_algorithm_is_not_here_is_not_blamed_on_the_image_alone() {
    const OperationTable operations = table();
    Run run = given_up(operations);
    run.algorithm = "iwpp-edt";
    Context context;
    try {
      (void)maps_again(operations, order_again(run, some_image()), run, context);
      QFAIL("another result was taken for the run's");
    } catch (const InputError& error) {
      QVERIFY2(std::string(error.what()).find("'iwpp-edt'") != std::string::npos, error.what());
    }
  }
};

}  // namespace seedwave

QTEST_GUILESS_MAIN(seedwave::TestRunProduct)
#include "test_run_product.moc"
