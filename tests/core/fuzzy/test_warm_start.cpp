// SPDX-License-Identifier: Apache-2.0
// Strokes are added and removed, and every answer must equal that of a run from scratch. Tiles
// continue from the previous run in the cache; the bucket queue never does.
#include "core/base/error.h"
#include "core/fuzzy/added_seeds.h"
#include "core/fuzzy/dijkstra.h"
#include "core/fuzzy/setup.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/fuzzy/tiles/tiles.h"
#include "tests/support/random_segmentation.h"

#include <QTest>

#include <map>
#include <memory>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

using namespace seedwave;
using fuzzy::Answer;
using fuzzy::SeedChange;

namespace {

struct Case {
  Index3 size;
  Connectivity connectivity;
  test::WithMask mask;
  test::Texture texture;
  int sequences;
  /// If not 0, the image has so few intensities that most strengths are equal and most edges
  /// optimal.
  int greys = 0;
};

constexpr int kSteps = 12;
constexpr int kLabels = 5;

/// One image with two sets of affinities, and seeds that change.
class Painting {
 public:
  Painting(const Case& c, std::uint32_t number) : random_(number) {
    const test::RandomSegmentation input = test::random_segmentation(
        {.size = c.size, .type = VoxelType::U8, .mask = c.mask, .texture = c.texture}, number);
    fuzzy::Request request;
    request.connectivity = c.connectivity;
    request.m.for_all = c.greys == 0 ? input.m : 99.0;
    request.sigma_o.for_all = c.greys == 0 ? input.sigma_o : 2.0;
    const double sigma_h = c.greys == 0 ? input.sigma_h : 2.0;
    const Volume image = c.greys == 0 ? input.image : image_of(c.size, c.greys);
    Context context;
    for (const double factor : {1.0, 2.0}) {
      request.sigma_h = sigma_h * factor;
      problems_.push_back(fuzzy::set_up(image, input.seeds, input.mask, request, context).problem);
    }
    for (const Seed& seed : problems_[0].seeds)
      seeds_[seed.offset] = seed.label;
  }

  [[nodiscard]] const fuzzy::Problem& problem() {
    fuzzy::Problem& problem = problems_[affinities_];
    problem.seeds.clear();
    for (const auto& [offset, label] : seeds_)
      problem.seeds.push_back({offset, label});
    return problem;
  }

  /// Mostly adds a stroke; sometimes makes another change that a user may make.
  void change() {
    switch (below(12)) {
      case 0:
        stroke(Over::All, 0);  // the eraser
        break;
      case 1:
        stroke(Over::All, some_label());
        break;
      case 2:
        withdraw();
        break;
      case 3:
        affinities_ = 1 - affinities_;
        break;
      case 4:
        break;  // runs again without a change
      default:
        add_stroke();
    }
  }
  void add_stroke() { stroke(Over::Free, some_label()); }
  [[nodiscard]] int below(int count) {
    return static_cast<int>(random_() % static_cast<unsigned>(count));
  }

 private:
  enum class Over { Free, All };

  [[nodiscard]] std::uint16_t some_label() {
    return static_cast<std::uint16_t>(1 + below(below(3) == 0 ? kLabels : 2));
  }
  /// Returns random intensities from 100 on.
  [[nodiscard]] Volume image_of(const Index3& size, int greys) {
    Geometry geometry;
    geometry.size = size;
    std::vector<std::uint8_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
    for (std::uint8_t& voxel : voxels)
      voxel = static_cast<std::uint8_t>(100 + below(greys));
    return Volume(geometry, std::move(voxels));
  }
  /// Adds a straight line of voxels, as far as the grid and the mask extend.
  void stroke(Over over, std::uint16_t label) {
    const fuzzy::Scene& scene = problems_[0].scene;
    const Index3& size = scene.geometry.size;
    Index3 at{};
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = below(static_cast<int>(size[axis]));
    const int axis = below(3);
    for (int left = 1 + below(8); left > 0 && at[axis] < size[axis]; --left, ++at[axis]) {
      const std::int64_t offset = scene.geometry.offset(at);
      if (scene.mask && (*scene.mask)[static_cast<std::size_t>(offset)] == 0) continue;
      if (over == Over::Free && seeds_.contains(offset)) continue;
      if (label != 0) {
        seeds_[offset] = label;
      } else if (seeds_.size() > 1) {
        seeds_.erase(offset);
      }
    }
  }
  /// Removes a label's seeds, or any.
  void withdraw() {
    const std::uint16_t label = some_label();
    std::erase_if(seeds_, [&](const auto& seed) {
      return seeds_.size() > 1 && seed.second == label && below(4) > 0;
    });
    while (seeds_.size() > 1 && below(3) > 0)
      seeds_.erase(seeds_.begin());
  }

  std::mt19937 random_;
  std::vector<fuzzy::Problem> problems_;
  int affinities_ = 0;
  std::map<std::int64_t, Label> seeds_;
};

void add_rows() {
  QTest::addColumn<Case>("c");
  const auto add = [](const Index3& size, Connectivity connectivity, int sequences,
                      test::WithMask mask = test::WithMask::No,
                      test::Texture texture = test::Texture::Noise) {
    const std::string name = std::to_string(size[0]) + 'x' + std::to_string(size[1]) + 'x' +
                             std::to_string(size[2]) + ", " +
                             std::to_string(static_cast<int>(connectivity)) + "-connected" +
                             (mask == test::WithMask::Yes ? ", mask" : "") +
                             (texture == test::Texture::Patches ? ", patches" : "");
    QTest::newRow(name.c_str()) << Case{size, connectivity, mask, texture, sequences};
  };
  using enum Connectivity;
  const auto yes = test::WithMask::Yes;
  const auto no = test::WithMask::No;
  const auto patches = test::Texture::Patches;
  // Inside one brick, where trials are cheap.
  add({7, 5, 1}, C4, 40);
  add({9, 8, 1}, C8, 20, yes);
  add({5, 6, 4}, C6, 40);
  add({4, 5, 6}, C26, 15, yes);
  // One cell wide, along each axis, over several bricks.
  add({70, 1, 1}, C4, 30);
  add({1, 70, 1}, C8, 15);
  add({1, 1, 70}, C6, 30);
  add({1, 33, 18}, C6, 15, yes);
  add({40, 1, 17}, C18, 8);
  // Over several bricks.
  add({17, 33, 1}, C4, 40, no, patches);
  add({50, 35, 1}, C4, 30, yes);
  add({50, 35, 1}, C8, 12);
  add({33, 17, 19}, C6, 16, no, patches);
  add({35, 33, 20}, C6, 12, yes);
  add({34, 33, 18}, C6, 12);
  add({33, 18, 17}, C18, 4);
  add({18, 33, 17}, C26, 4, no, patches);
  add({33, 18, 3}, C4, 10);  // every plane is isolated
  // Few intensities: ties everywhere, and edges that are gained from a neighbouring brick.
  const auto flat = [](const Index3& size, Connectivity connectivity, int greys, int sequences) {
    const std::string name = std::to_string(size[0]) + 'x' + std::to_string(size[1]) + 'x' +
                             std::to_string(size[2]) + ", " +
                             std::to_string(static_cast<int>(connectivity)) + "-connected, " +
                             std::to_string(greys) + " greys";
    QTest::newRow(name.c_str()) << Case{
        size, connectivity, test::WithMask::No, test::Texture::Noise, sequences, greys};
  };
  flat({40, 33, 1}, C4, 1, 40);
  flat({40, 33, 1}, C4, 2, 40);
  flat({35, 18, 1}, C8, 1, 10);
  flat({100, 1, 1}, C4, 2, 20);
  flat({33, 20, 18}, C6, 1, 15);
  flat({33, 20, 18}, C6, 2, 15);
  flat({18, 33, 20}, C6, 3, 10);
  // Many bricks, of which a stroke changes few: labels are updated, not flooded again.
  add({100, 90, 1}, C4, 16, no, patches);
  add({66, 50, 34}, C6, 5, no, patches);
  add({66, 50, 34}, C6, 5);
}

}  // namespace

Q_DECLARE_METATYPE(Case)

class TestWarmStart : public QObject {
  Q_OBJECT
 private slots:
  void every_change_of_seeds_gives_what_a_run_from_nothing_gives_data() { add_rows(); }
  void every_change_of_seeds_gives_what_a_run_from_nothing_gives() {
    QFETCH(Case, c);
    int seen[3] = {};
    for (int sequence = 0; sequence < c.sequences; ++sequence) {
      Painting painting(c, static_cast<std::uint32_t>(sequence));
      const auto cache = std::make_shared<ScratchCache>();
      fuzzy::GrownFrom former;
      for (int step = 0; step < kSteps; ++step) {
        if (step > 0) painting.change();
        const fuzzy::Problem& problem = painting.problem();
        ++seen[static_cast<int>(fuzzy::seed_difference(former, problem).change)];
        former = fuzzy::grown_from(problem);
        const int threads = 1 + painting.below(8);
        const bool iterative = sequence % 4 != 3 && painting.below(20) != 0;
        const fuzzy::TileKernel& kernel =
            painting.below(4) == 0 ? fuzzy::plain_kernel() : fuzzy::best_kernel();
        const std::string where = "sequence " + std::to_string(sequence) + ", step " +
                                  std::to_string(step) + ", " + std::to_string(threads) +
                                  " threads, " + kernel.name + (iterative ? ", irfc" : ", rfc");
        Context fresh({.threads = 1});
        Context kept({.threads = threads, .cache = cache});
        const Answer expected = iterative ? fuzzy::irfc_by_dijkstra(problem, fresh)
                                          : fuzzy::rfc_by_dijkstra(problem, fresh);
        const Answer answer = iterative ? fuzzy::irfc_on_bricks(problem, kernel, kept)
                                        : fuzzy::rfc_on_bricks(problem, kernel, kept);
        QVERIFY2(answer.strength == expected.strength, where.c_str());
        QVERIFY2(answer.labels == expected.labels, where.c_str());
      }
    }
    for (const int count : seen)
      QVERIFY(count > 0);
  }

  void a_stop_anywhere_leaves_nothing_wrong_behind() {
    const Case c{{100, 90, 80}, Connectivity::C6, test::WithMask::No, test::Texture::Noise, 1};
    Painting painting(c, 3);
    const fuzzy::Problem first = painting.problem();
    for (int strokes = 0; strokes < 30; ++strokes)
      painting.add_stroke();
    const fuzzy::Problem second = painting.problem();
    QVERIFY(fuzzy::seed_difference(fuzzy::grown_from(first), second).change == SeedChange::Added);
    Context queue({.threads = 1});
    const Answer expected_first = fuzzy::irfc_by_dijkstra(first, queue);
    const Answer expected_second = fuzzy::irfc_by_dijkstra(second, queue);
    for (const int threads : {1, 3}) {
      int stopped = 0;
      bool ended = false;
      // Stops later and later, until the run ends first.
      for (int most_reports = 0; !ended; ++most_reports) {
        const auto cache = std::make_shared<ScratchCache>();
        Context context({.threads = threads, .cache = cache});
        QVERIFY(fuzzy::irfc_by_tiles(first, context).labels == expected_first.labels);
        std::stop_source stop;
        int reports = 0;
        Context stopping({.stop = stop.get_token(),
                          .progress =
                              [&](const std::string&, double) {
                                if (++reports > most_reports) stop.request_stop();
                              },
                          .threads = threads,
                          .cache = cache});
        if (most_reports == 0) stop.request_stop();
        try {
          QVERIFY(fuzzy::irfc_by_tiles(second, stopping).labels == expected_second.labels);
          ended = true;
        } catch (const Cancelled&) {
          ++stopped;
        }
        // Alternates between the two.
        const bool back = most_reports % 2 == 1;
        const Answer& expected = back ? expected_first : expected_second;
        const Answer answer = fuzzy::irfc_by_tiles(back ? first : second, context);
        QVERIFY(answer.strength == expected.strength);
        QVERIFY(answer.labels == expected.labels);
      }
      QVERIFY(stopped > 0);
    }
  }

  void memory_that_is_kept_is_bounded() {
    const Case c{{96, 96, 96}, Connectivity::C6, test::WithMask::No, test::Texture::Patches, 1};
    Painting painting(c, 1);
    const auto cache = std::make_shared<ScratchCache>();
    Context context({.threads = 2, .cache = cache});
    const auto voxels = static_cast<std::size_t>(96 * 96 * 96);
    // Chunks of 2 MB for each kind of brick; the last one may be empty.
    const std::size_t most = 4 * voxels + 5 * (std::size_t{1} << 21);
    for (int step = 0; step < 6; ++step) {
      (void)fuzzy::irfc_by_tiles(painting.problem(), context);
      QVERIFY2(cache->bytes() <= most, std::to_string(cache->bytes()).c_str());
      QVERIFY(cache->bytes() > 0);
      painting.change();
    }
  }
};

QTEST_GUILESS_MAIN(TestWarmStart)
#include "test_warm_start.moc"
