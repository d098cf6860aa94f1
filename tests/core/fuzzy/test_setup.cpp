// SPDX-License-Identifier: Apache-2.0
// From an image and strokes to a problem: the scene on 16 bits, what `auto` means, which seeds
// count.
#include "core/base/error.h"
#include "core/fuzzy/scene.h"
#include "core/fuzzy/setup.h"
#include "core/fuzzy/smoothing.h"
#include "core/image/crop.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace seedwave;
using fuzzy::Request;

namespace {

Geometry grid(std::int64_t x, std::int64_t y, std::int64_t z) {
  Geometry geometry;
  geometry.size = {x, y, z};
  return geometry;
}

/// The text of the InputError that `call` must throw.
template <typename Call>
std::string complaint(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

template <typename T>
void keeps_differences(std::vector<T> voxels, double expected_step) {
  const auto count = static_cast<std::int64_t>(voxels.size());
  Context context;
  const auto made = fuzzy::make_scene(Volume(grid(count, 1, 1), voxels), {}, 0.0, context);
  QCOMPARE(made.scale.step, expected_step);
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const double error =
        made.scale.value_of((*made.scene.grey)[i]) - static_cast<double>(voxels[i]);
    QVERIFY(std::abs(error) <= (expected_step == 1.0 ? 0.0 : 0.5000001 * expected_step));
  }
  QCOMPARE(made.warnings.empty(), sizeof(T) <= 2);
}

std::vector<std::uint16_t> random_greys(const Geometry& geometry, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint16_t> greys(geometry.voxel_count());
  std::generate(greys.begin(), greys.end(), [&] { return static_cast<std::uint16_t>(random()); });
  return greys;
}

}  // namespace

class TestSetup : public QObject {
  Q_OBJECT
 private slots:
  void scene_keeps_what_fits_on_16_bits() {
    keeps_differences<std::uint8_t>({0, 1, 254, 255}, 1.0);
    keeps_differences<std::int16_t>({-32768, -1, 0, 1, 32767}, 1.0);
    keeps_differences<std::uint16_t>({0, 1, 65534, 65535}, 1.0);
    keeps_differences<std::int32_t>({-100000, -99999, -34465}, 1.0);
    keeps_differences<float>({2.5F, 2.5F, 2.5F}, 1.0);
  }

  void scene_maps_the_rest_linearly() {
    keeps_differences<std::int32_t>({-2147483647 - 1, 0, 2147483647}, 4294967295.0 / 65535.0);
    keeps_differences<float>({-1.0F, 0.0F, 0.3F, 1.0F}, 2.0 / 65535.0);
  }

  void scene_refuses_nan_infinity_and_colours() {
    Context context;
    const auto refused = [&](std::vector<float> voxels, int components) {
      const auto count = static_cast<std::int64_t>(voxels.size()) / components;
      const Volume image(grid(count, 1, 1), std::move(voxels), components);
      return complaint([&] { (void)fuzzy::make_scene(image, {}, 0.0, context); });
    };
    const float inf = std::numeric_limits<float>::infinity();
    QVERIFY(refused({1.0F, std::nanf(""), 2.0F}, 1) != "no complaint");
    QCOMPARE(refused({1.0F, 0.0F, inf, -inf}, 1),
             std::string("the image has 2 infinite values, the first at (2, 0, 0)"));
    QVERIFY(refused({1.0F, 2.0F, 3.0F}, 3).find("one channel") != std::string::npos);
  }

  void smoothing_does_not_depend_on_the_thread_count() {
    const Geometry geometry = grid(67, 61, 33);  // more cells than one thread is given at once
    const auto greys = random_greys(geometry, 7);
    Context one({.threads = 1});
    const auto expected = fuzzy::gaussian_smoothed(greys, geometry, 1.3, one);
    for (const int threads : {2, 3, 8}) {
      Context context({.threads = threads});
      QCOMPARE(fuzzy::gaussian_smoothed(greys, geometry, 1.3, context), expected);
    }
  }

  void smoothing_is_the_weighted_mean_of_the_neighbourhood() {
    // The plain three-fold sum, with repeated borders, may differ by rounding between the axes.
    const Geometry geometry = grid(7, 5, 6);
    const auto greys = random_greys(geometry, 3);
    const double sigma = 0.6;
    Context context;
    const auto smoothed = fuzzy::gaussian_smoothed(greys, geometry, sigma, context);
    const int reach = 3;
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      const Index3 at = geometry.index_of(i);
      double sum = 0.0;
      double weights = 0.0;
      for (int dz = -reach; dz <= reach; ++dz) {
        for (int dy = -reach; dy <= reach; ++dy) {
          for (int dx = -reach; dx <= reach; ++dx) {
            const double w = std::exp(-(dx * dx + dy * dy + dz * dz) / (2.0 * sigma * sigma));
            const Index3 from{std::clamp<std::int64_t>(at[0] + dx, 0, 6),
                              std::clamp<std::int64_t>(at[1] + dy, 0, 4),
                              std::clamp<std::int64_t>(at[2] + dz, 0, 5)};
            sum += w * greys[geometry.offset(from)];
            weights += w;
          }
        }
      }
      QVERIFY(std::abs(smoothed[i] - sum / weights) < 0.51);
    }
  }

  void smoothing_leaves_a_flat_image_and_thin_axes_alone() {
    Context context;
    const std::vector<std::uint16_t> flat(5 * 4, 65535);
    QCOMPARE(fuzzy::gaussian_smoothed(flat, grid(5, 4, 1), 2.0, context), flat);
    const std::vector<std::uint16_t> one{7};
    QCOMPARE(fuzzy::gaussian_smoothed(one, grid(1, 1, 1), 2.0, context), one);
  }

  void auto_takes_median_and_spread_of_the_objects_seeds() {
    // Nine distinct seeds: their own statistics. Deviations 0 1 1 2 2 3 3 4 36: MAD 2.
    std::vector<std::int16_t> voxels{-4, -3, -2, -1, 0, 1, 2, 3, 36, 500};
    SeedVoxels seeds;
    for (int i = 0; i < 9; ++i)
      seeds.seeds.push_back({i, 1});
    seeds.seeds.push_back({9, 2});
    Context context;
    const auto setup = fuzzy::set_up(Volume(grid(10, 1, 1), voxels), seeds, {},
                                     {.connectivity = Connectivity::C4}, context);
    QCOMPARE(setup.objects.at(1).m, 0.0);
    QCOMPARE(setup.objects.at(1).sigma_o, 1.4826 * 2.0);
    const double mean = (7 * 1.0 + 33.0 * 33.0 + 464.0 * 464.0) / 9.0;
    QCOMPARE(setup.sigma_h, std::sqrt(mean));
  }

  void first_slices_of_an_image_are_a_scene_of_their_own() {
    const Volume image(grid(4, 3, 5), random_greys(grid(4, 3, 5), 7));
    const Volume first = shared_part(image, {{0, 0, 0}, {4, 3, 2}});  // begins where `image` does
    const SeedVoxels seeds{.seeds = {{0, 1}, {20, 2}}};
    Context context;
    const auto of_all = fuzzy::set_up(image, seeds, {}, {}, context);
    const auto of_first = fuzzy::set_up(first, seeds, {}, {}, context);
    QCOMPARE(of_all.problem.scene.grey->size(), std::size_t{60});
    QCOMPARE(of_first.problem.scene.grey->size(), std::size_t{24});
  }

  void auto_looks_around_seeds_of_few_greys() {
    // One seed in the middle of 3x3: the median of all nine is 5, of the deviations 2.
    const std::vector<std::uint8_t> image{1, 2, 3, 90, 4, 9, 6, 90, 7, 8, 5, 90};
    const SeedVoxels seeds{.seeds = {{5, 1}, {11, 2}}};
    Context context;
    const Request request{.connectivity = Connectivity::C8};
    const auto setup = fuzzy::set_up(Volume(grid(4, 3, 1), image), seeds, {}, request, context);
    QCOMPARE(setup.objects.at(1).m, 5.0);
    QCOMPARE(setup.objects.at(1).sigma_o, 1.4826 * 2.0);
    // With the middle column's neighbours to the right masked out, they do not count: 1 2 4 7 8 9.
    const LabelMap mask(grid(4, 3, 1), {1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1});
    const auto masked = fuzzy::set_up(Volume(grid(4, 3, 1), image), seeds, mask, request, context);
    QCOMPARE(masked.objects.at(1).m, 5.5);
  }

  void auto_is_at_least_half_a_grey_step() {
    const Request request{.connectivity = Connectivity::C4};
    const SeedVoxels seeds{.seeds = {{0, 1}, {3, 2}}};
    Context context;
    const auto flat = fuzzy::set_up(Volume(grid(4, 1, 1), std::vector<std::uint8_t>(4, 9)), seeds,
                                    {}, request, context);
    QCOMPARE(flat.objects.at(1).sigma_o, 0.5);
    QCOMPARE(flat.sigma_h, 0.5);
  }

  void sigma_h_reads_the_seeds_box_grown_by_ten() {
    // A step of 100 at x = 30: outside the box of a seed pair at x = 5 and 6, inside with one
    // at 20.
    std::vector<std::uint8_t> voxels(40, 0);
    std::fill(voxels.begin() + 30, voxels.end(), std::uint8_t{100});
    const Volume image(grid(40, 1, 1), voxels);
    const Request request{.connectivity = Connectivity::C4};
    Context context;
    const SeedVoxels near{.seeds = {{5, 1}, {6, 2}}};
    QCOMPARE(fuzzy::set_up(image, near, {}, request, context).sigma_h, 0.5);
    const SeedVoxels far{.seeds = {{5, 1}, {20, 2}}};
    QCOMPARE(fuzzy::set_up(image, far, {}, request, context).sigma_h,
             std::sqrt(100.0 * 100.0 / 30.0));
  }

  void sigma_h_does_not_depend_on_the_thread_count() {
    // More cells than one thread is given at once, with and without a mask, against the definition.
    const Geometry geometry = grid(71, 67, 61);
    auto greys = random_greys(geometry, 11);
    greys[0] = 65535;
    greys[1] = 0;
    const Volume image(geometry, std::vector<std::uint16_t>(greys));
    std::vector<std::uint16_t> cells(greys.size(), 1);
    for (std::size_t i = 5; i < cells.size(); i += 7)
      cells[i] = 0;
    cells.back() = 1;
    const SeedVoxels seeds{.seeds = {{0, 1}, {geometry.voxel_count() - 1, 2}}};
    for (const LabelMap& mask : {LabelMap(), LabelMap(geometry, cells)}) {
      double sum = 0.0;
      double pairs = 0.0;
      for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
        const Index3 at = geometry.index_of(i);
        for (int axis = 0; axis < 3; ++axis) {
          Index3 next = at;
          if (++next[axis] == geometry.size[axis]) continue;
          const std::int64_t j = geometry.offset(next);
          if (!mask.empty() && (cells[i] == 0 || cells[j] == 0)) continue;
          const double d = static_cast<double>(greys[i]) - static_cast<double>(greys[j]);
          sum += d * d;
          pairs += 1.0;
        }
      }
      for (const int threads : {1, 2, 5}) {
        Context context({.threads = threads});
        const double sigma_h = fuzzy::set_up(image, seeds, mask, {}, context).sigma_h;
        QVERIFY(sigma_h == std::sqrt(sum / pairs));  // sums of integers: the same bits
      }
    }
  }

  void all_describes_every_label_with_seeds() {
    std::vector<std::uint8_t> voxels{10, 11, 50, 51, 90, 91};
    const SeedVoxels seeds{.seeds = {{0, 1}, {5, 7}}};
    Request request{.object = std::nullopt, .connectivity = Connectivity::C4};
    request.m.by_label = {{7, 80.0}};
    Context context;
    const auto setup = fuzzy::set_up(Volume(grid(6, 1, 1), voxels), seeds, {}, request, context);
    QCOMPARE(setup.objects.size(), std::size_t{2});
    QCOMPARE(setup.objects.at(1).m, 10.5);
    QCOMPARE(setup.objects.at(7).m, 80.0);
    QCOMPARE(setup.problem.tables.objects.size(), std::size_t{2});
  }

  void numbers_for_a_label_that_is_not_described_are_refused() {
    const Volume image(grid(4, 1, 1), std::vector<std::uint8_t>{1, 2, 3, 4});
    const SeedVoxels seeds{.seeds = {{0, 1}, {3, 2}}};
    Context context;
    Request request{.connectivity = Connectivity::C4};
    request.m.by_label = {{1, 5.0}};
    QCOMPARE(fuzzy::set_up(image, seeds, {}, request, context).objects.at(1).m, 5.0);
    request.sigma_o.by_label = {{2, 500.0}};
    try {
      (void)fuzzy::set_up(image, seeds, {}, request, context);
      QFAIL("label 2 is not described");
    } catch (const UsageError& error) {
      QCOMPARE(std::string(error.what()),
               std::string("sigma_o has a number for label 2, but the object is label 1: leave "
                           "that number out, or choose all as the object"));
    }
    request.object.reset();
    QCOMPARE(fuzzy::set_up(image, seeds, {}, request, context).objects.at(2).sigma_o, 500.0);
  }

  void seeds_outside_the_mask_are_dropped_and_counted() {
    const Volume image(grid(4, 1, 1), std::vector<std::uint8_t>{1, 2, 3, 4});
    const LabelMap mask(grid(4, 1, 1), {1, 0, 1, 1});
    const SeedVoxels seeds{.seeds = {{0, 1}, {1, 1}, {3, 2}}, .outside = 2};
    Context context;
    const auto setup =
        fuzzy::set_up(image, seeds, mask, {.connectivity = Connectivity::C4}, context);
    QCOMPARE(setup.problem.seeds, (std::vector<Seed>{{0, 1}, {3, 2}}));
    QCOMPARE(setup.warnings, (std::vector<std::string>{
                                 "2 stroke points lie outside the image and left no seed there",
                                 "1 seed voxel outside the mask was left out"}));
  }

  void a_label_painted_outside_the_image_is_refused_by_name() {
    const Volume image(grid(4, 1, 1), std::vector<std::uint8_t>{1, 2, 3, 4});
    const SeedVoxels seeds{.seeds = {{0, 1}, {3, 2}}, .outside = 1, .labels_outside = {3}};
    Context context;
    Request request{.connectivity = Connectivity::C4};
    QCOMPARE(complaint([&] { (void)fuzzy::set_up(image, seeds, {}, request, context); }),
             std::string("all strokes of label 3 lie outside the image: paint some inside it, or "
                         "withdraw them"));
    // An absolute object grows from its own seeds: others, wherever they are, play no part.
    request.seeds = Request::Seeds::OfTheObject;
    request.fewest_labels = 1;
    QCOMPARE(fuzzy::set_up(image, seeds, {}, request, context).problem.seeds.size(),
             std::size_t{1});
  }

  void too_few_labels_are_refused_in_words() {
    const Volume image(grid(4, 1, 1), std::vector<std::uint8_t>{1, 2, 3, 4});
    const LabelMap mask(grid(4, 1, 1), {1, 1, 1, 0});
    Context context;
    const auto refused = [&](std::vector<Seed> seeds, const LabelMap& where, Request request) {
      request.connectivity = Connectivity::C4;
      return complaint([&] {
        (void)fuzzy::set_up(image, {.seeds = std::move(seeds)}, where, request, context);
      });
    };
    QCOMPARE(refused({}, {}, {}), std::string("there are no seeds: paint some first"));
    QCOMPARE(refused({{0, 3}}, {}, {}),
             std::string("only label 3 has seeds: paint some of at least one other label, such as "
                         "background"));
    QCOMPARE(refused({{0, 1}, {3, 2}}, mask, {}),
             std::string("all seeds of label 2 lie outside the mask: paint some inside it"));
    QVERIFY(refused({{0, 2}, {3, 3}}, {}, {}).find("label 1 has no seeds to take m") == 0);
    Request numbers{.object_needs_seeds = true};
    numbers.m.for_all = 1.0;
    numbers.sigma_o.for_all = 1.0;
    QVERIFY(refused({{0, 2}, {3, 3}}, {}, numbers).find("label 1 has no seeds: paint") == 0);
    QVERIFY(refused({{0, 1}, {3, 65535}}, {}, {}).find("65535 is reserved") != std::string::npos);
  }

  void the_cache_counts_all_that_the_scene_keeps_alive() {
    const Volume image(grid(4, 1, 1), std::vector<float>{1, 2, 3, 4});
    const LabelMap mask(grid(4, 1, 1), {1, 1, 1, 1});
    const SeedVoxels seeds{.seeds = {{0, 1}, {3, 2}}};
    const Request request{.connectivity = Connectivity::C4};
    Context without;
    (void)fuzzy::set_up(image, seeds, {}, request, without);
    QCOMPARE(without.cache().bytes(), std::size_t{4 * (4 + 2)});  // image, greys
    Context with;
    (void)fuzzy::set_up(image, seeds, mask, request, with);
    QCOMPARE(with.cache().bytes(), std::size_t{4 * (4 + 2 + 2 + 1)});  // mask, its cells
  }

  void equal_keys_mean_equal_affinities() {
    const Volume image(grid(4, 1, 1), std::vector<std::uint8_t>{1, 2, 3, 4});
    const Volume same(grid(4, 1, 1), std::vector<std::uint8_t>{1, 2, 3, 4});
    const Volume other(grid(4, 1, 1), std::vector<std::uint8_t>{1, 2, 3, 5});
    const SeedVoxels seeds{.seeds = {{0, 1}, {3, 2}}};
    Request request{.sigma_h = 3.0, .connectivity = Connectivity::C4};
    request.m.for_all = 1.0;
    request.sigma_o.for_all = 2.0;
    Context context;
    const auto key = [&](const Volume& volume, const LabelMap& mask) {
      return fuzzy::set_up(volume, seeds, mask, request, context).problem.affinity_key;
    };
    const std::string first = key(image, {});
    QCOMPARE(key(same, {}), first);
    QVERIFY(key(other, {}) != first);
    QVERIFY(key(image, LabelMap(grid(4, 1, 1), {1, 1, 1, 1})) != first);
    // The same greys in another shape have other neighbours.
    QVERIFY(key(Volume(grid(2, 2, 1), std::vector<std::uint8_t>{1, 2, 3, 4}), {}) != first);
    request.sigma_h = 3.5;
    QVERIFY(key(image, {}) != first);
    request.sigma_h = 3.0;
    request.connectivity = Connectivity::C8;
    QVERIFY(key(image, {}) != first);
  }
};

QTEST_GUILESS_MAIN(TestSetup)
#include "test_setup.moc"
