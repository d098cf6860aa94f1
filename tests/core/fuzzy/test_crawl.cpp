// SPDX-License-Identifier: Apache-2.0
// The worst case of a wavefront on bricks: one path that winds through all of them. The run must
// notice, hand over to the bucket queue, and give the same bits.
#include "core/fuzzy/added_seeds.h"
#include "core/fuzzy/dijkstra.h"
#include "core/fuzzy/setup.h"
#include "core/fuzzy/tiles/affinity_bricks.h"
#include "core/fuzzy/tiles/strength_bricks.h"
#include "core/fuzzy/tiles/tiles.h"
#include "research/bench/mazes.h"
#include "tests/support/random_fuzzy_problem.h"

#include <QTest>

#include <memory>
#include <vector>

using namespace seedwave;
using fuzzy::Answer;
using fuzzy::StrengthBricks;

namespace {

/// Returns corridors of 200 between walls of 0, in every second plane of `planes`. One voxel
/// connects a corridor's end to that of the next plane, in which it runs back.
Volume corridors(const Volume& plane, std::int64_t planes) {
  Geometry geometry = plane.geometry();
  geometry.size[2] = planes;
  const auto path = plane.voxels<std::uint8_t>();
  const auto cells = static_cast<std::int64_t>(path.size());
  // The far end is the corridor's cell with one neighbour that is not the corner.
  const std::int64_t nx = geometry.size[0];
  std::int64_t end = 0;
  for (std::int64_t i = 1; i < cells; ++i) {
    if (path[static_cast<std::size_t>(i)] == 0) continue;
    int neighbours = 0;
    const auto count = [&](bool inside, std::int64_t at) {
      if (inside && path[static_cast<std::size_t>(at)] != 0) ++neighbours;
    };
    count(i % nx > 0, i - 1);
    count(i % nx + 1 < nx, i + 1);
    count(i >= nx, i - nx);
    count(i + nx < cells, i + nx);
    if (neighbours == 1) end = i;
  }
  std::vector<std::uint16_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t z = 0; z < planes; ++z) {
    std::uint16_t* to = voxels.data() + z * cells;
    if (z % 2 == 1) {
      to[z % 4 == 1 ? end : 0] = 200;
      continue;
    }
    for (std::int64_t i = 0; i < cells; ++i)
      to[i] = path[static_cast<std::size_t>(i)] != 0 ? 200 : 0;
  }
  return Volume(geometry, std::move(voxels));
}

fuzzy::Problem problem_on(const Volume& image, Connectivity connectivity) {
  SeedVoxels seeds;
  const auto voxels = image.voxels<std::uint16_t>();
  std::int64_t last = 0;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(voxels.size()); ++i) {
    if (voxels[static_cast<std::size_t>(i)] != 0) last = i;
  }
  seeds.seeds = {{0, 1}, {last, 2}};
  fuzzy::Request request;
  request.connectivity = connectivity;
  request.m.for_all = 200.0;
  request.sigma_o.for_all = 10.0;
  request.sigma_h = 10.0;
  Context context;
  return fuzzy::set_up(image, seeds, {}, request, context).problem;
}

struct Case {
  Volume image;
  Connectivity connectivity;
};

StrengthBricks::Outcome outcome_of(const fuzzy::Problem& problem, int threads) {
  fuzzy::AffinityBricks affinities(problem, fuzzy::best_kernel());
  StrengthBricks strength(affinities.grid(), affinities.steps());
  Context context({.threads = threads});
  return strength.grow(problem.seeds, affinities, context);
}

}  // namespace

Q_DECLARE_METATYPE(Case)

class TestCrawl : public QObject {
  Q_OBJECT
 private slots:
  void a_winding_path_is_handed_over_data() {
    QTest::addColumn<Case>("c");
    QTest::newRow("snake") << Case{corridors(bench::snake(515), 1), Connectivity::C4};
    QTest::newRow("spiral") << Case{corridors(bench::spiral(515), 1), Connectivity::C4};
    QTest::newRow("snake, volume") << Case{corridors(bench::snake(99), 33), Connectivity::C6};
    QTest::newRow("spiral, volume") << Case{corridors(bench::spiral(99), 33), Connectivity::C6};
  }
  void a_winding_path_is_handed_over() {
    QFETCH(Case, c);
    fuzzy::Problem problem = problem_on(c.image, c.connectivity);
    Context one({.threads = 1});
    Answer irfc = fuzzy::irfc_by_dijkstra(problem, one);
    const Answer rfc = fuzzy::rfc_by_dijkstra(problem, one);
    for (const int threads : {1, 2, 5}) {
      QVERIFY(outcome_of(problem, threads) == StrengthBricks::Outcome::Crawls);
      Context context({.threads = threads});
      Answer answer = fuzzy::irfc_by_tiles(problem, context);
      QVERIFY(answer.labels == irfc.labels);
      QVERIFY(answer.strength == irfc.strength);
      answer = fuzzy::rfc_by_tiles(problem, context);
      QVERIFY(answer.labels == rfc.labels);
      QVERIFY(answer.strength == rfc.strength);
    }
    // The next strokes with the same cache.
    Context context({.threads = 2, .cache = std::make_shared<ScratchCache>()});
    QVERIFY(fuzzy::irfc_by_tiles(problem, context).labels == irfc.labels);
    problem.seeds.insert(problem.seeds.begin() + 1, {2, 2});
    irfc = fuzzy::irfc_by_dijkstra(problem, one);
    QVERIFY(fuzzy::irfc_by_tiles(problem, context).labels == irfc.labels);
    // Other affinities are judged anew.
    const fuzzy::Problem open =
        problem_on(Volume(c.image.geometry(),
                          std::vector<std::uint16_t>(c.image.voxels<std::uint16_t>().size(), 200)),
                   c.connectivity);
    const Answer answer = fuzzy::irfc_by_tiles(open, context);
    QVERIFY(answer.labels == fuzzy::irfc_by_dijkstra(open, one).labels);
  }

  void an_ordinary_front_stays_on_bricks() {
    for (const Index3& size : {Index3{500, 400, 1}, Index3{100, 100, 100}}) {
      const test::RandomSegmentation input =
          test::random_segmentation({.size = size, .type = VoxelType::U16}, 5);
      const fuzzy::Problem problem =
          test::fuzzy_problem(input, Connectivity::C6, test::Statistics::Given);
      QVERIFY(outcome_of(problem, 1) == StrengthBricks::Outcome::AtRest);
    }
  }
};

QTEST_GUILESS_MAIN(TestCrawl)
#include "test_crawl.moc"
