// SPDX-License-Identifier: Apache-2.0
// Conversion of an image and strokes to a problem: the scene on 16 bits, the meaning of `auto`, and
// the seeds that count.
#include "core/base/error.h"
#include "core/fuzzy/affinity.h"
#include "core/fuzzy/kappa.h"
#include "core/fuzzy/scene.h"
#include "core/fuzzy/setup.h"
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

/// Returns the text of the InputError that `call` must throw.
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
  const auto image =
      fuzzy::read_affinity_image(Volume(grid(count, 1, 1), voxels), {}, Vec3{}, context);
  const auto made = fuzzy::make_scene(image, fuzzy::scale_for(image, image.range), context);
  QCOMPARE(made.scale.step, expected_step);
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const double error = made.scale.value_of(made.scene.grey.voxels<std::uint16_t>()[i]) -
                         static_cast<double>(voxels[i]);
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

/// Returns intensities of N(100, 10) on 24 x 24 x 6 voxels, with darker and brighter ones for other
/// objects.
template <typename T>
std::vector<T> noise_around_100(double factor) {
  std::mt19937 random(11);
  std::vector<T> voxels;
  for (int i = 0; i < 24 * 24 * 6; ++i) {
    double sum = -6.0;  // twelve uniform numbers: nearly normal, and the same on every machine
    for (int k = 0; k < 12; ++k)
      sum += static_cast<double>(random()) / 4294967296.0;
    const double middle = i % 24 < 12 ? 100.0 : 160.0;
    voxels.push_back(static_cast<T>((middle + 10.0 * sum) * factor));
  }
  return voxels;
}

/// Returns two strokes of about 20 voxels, in the darker and in the brighter half.
SeedVoxels two_strokes() {
  SeedVoxels seeds;
  for (int i = 0; i < 20; ++i) {
    seeds.seeds.push_back({24 * (i + 2) + 4, 1});
    seeds.seeds.push_back({24 * (i + 2) + 20, 2});
  }
  std::sort(seeds.seeds.begin(), seeds.seeds.end(),
            [](const Seed& a, const Seed& b) { return a.offset < b.offset; });
  return seeds;
}

/// Returns kappa of Zhuge et al. 2013 on 4096 levels, in f64 from the intensities themselves.
double kappa_by_definition(double f, double g, const fuzzy::Setup& setup) {
  double phi = 0.0;
  for (const auto& [label, object] : setup.objects) {
    const double d = std::max(std::abs(f - object.m), std::abs(g - object.m));
    phi = std::max(phi, std::exp(-d * d / (2.0 * object.sigma_o * object.sigma_o)));
  }
  const double d = f - g;
  return 4096.0 * phi * std::exp(-d * d / (2.0 * setup.sigma_h * setup.sigma_h));
}

/// Returns the largest error of a scene's affinities, in levels, over voxels adjacent in memory. It
/// must be exactly 0 if the definition gives 0 for an end with any neighbour.
double largest_error(const Volume& image, const fuzzy::Setup& setup) {
  const fuzzy::KappaTables tables(setup.problem.tables);
  const auto grey = setup.problem.scene.grey.voxels<std::uint16_t>();
  double largest = 0.0;
  for (std::int64_t i = 1; i < image.value_count(); ++i) {
    const double f = image.value_at(image.geometry().index_of(i - 1));
    const double g = image.value_at(image.geometry().index_of(i));
    const double expected = kappa_by_definition(f, g, setup);
    const int found = fuzzy::kappa(tables.view(), grey[i - 1], grey[i]);
    const bool none = kappa_by_definition(f, f, setup) < 1.0 - 1e-4 ||
                      kappa_by_definition(g, g, setup) < 1.0 - 1e-4;
    if (none && found != 0) return 4096.0;
    largest = std::max(largest, std::abs(found + 0.5 - expected) - 0.5);  // rounded down
  }
  return largest;
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

  void an_outlier_does_not_coarsen_the_affinity_data() {
    QTest::addColumn<bool>("integer");
    QTest::addColumn<bool>("all");
    for (const bool integer : {false, true}) {
      for (const bool all : {false, true}) {
        QTest::addRow("%s, %s", integer ? "i32" : "f32", all ? "all objects" : "one object")
            << integer << all;
      }
    }
  }
  void an_outlier_does_not_coarsen_the_affinity() {
    QFETCH(bool, integer);
    QFETCH(bool, all);
    // i32: ten thousand times the noise, so that 16 bits cannot represent even its own range.
    const auto image_with = [&](double outlier) {
      const Geometry geometry = grid(24, 24, 6);
      if (integer) {
        auto voxels = noise_around_100<std::int32_t>(1e4);
        voxels[2000] = static_cast<std::int32_t>(outlier);
        return Volume(geometry, std::move(voxels));
      }
      auto voxels = noise_around_100<float>(1.0);
      voxels[2000] = static_cast<float>(outlier);
      return Volume(geometry, std::move(voxels));
    };
    const double factor = integer ? 1e4 : 1.0;
    Request request;
    if (all) request.object.reset();
    request.sigma_h = 12.0 * factor;
    Context context;
    const Volume tame = image_with(400.0 * factor);
    const auto expected = fuzzy::set_up(tame, two_strokes(), {}, request, context);
    QVERIFY(largest_error(tame, expected) < 1.0);
    for (const double outlier : {1e7, -1e7, 3e38}) {
      const Volume image =
          image_with(integer ? std::clamp(outlier * 200.0, -2147483647.0, 2147483647.0) : outlier);
      const auto setup = fuzzy::set_up(image, two_strokes(), {}, request, context);
      QCOMPARE(setup.objects, expected.objects);
      QVERIFY(largest_error(image, setup) < 1.0);
    }
  }

  void what_was_cut_off_is_said() {
    std::vector<float> voxels(100);
    std::iota(voxels.begin(), voxels.end(), 0.0F);
    voxels[99] = 1e7F;
    const SeedVoxels seeds{.seeds = {{50, 1}, {60, 2}}};
    Request request{.sigma_h = 3.0};
    request.m.for_all = 50.0;
    request.sigma_o.for_all = 5.0;
    Context context;
    const auto warning = [&](const Volume& image) {
      return fuzzy::set_up(image, seeds, {}, request, context).warnings.at(0);
    };
    QCOMPARE(warning(Volume(grid(100, 1, 1), voxels)),
             std::string("the f32 image was mapped linearly onto 16 bits for the affinity from "
                         "29.6 to 70.4; one grey step is 0.000622568; voxels outside have an "
                         "affinity of 0"));
    std::vector<std::int32_t> whole(voxels.begin(), voxels.end());
    QCOMPARE(warning(Volume(grid(100, 1, 1), whole)),
             std::string("the i32 image was shifted onto 16 bits from 29 to 65564; voxels outside "
                         "have an affinity of 0"));
    voxels[99] = 99.0F;
    request.sigma_o.for_all = 500.0;
    QCOMPARE(warning(Volume(grid(100, 1, 1), voxels)),
             std::string("the f32 image was mapped linearly onto 16 bits for the affinity; one "
                         "grey step is 0.00151064"));
  }

  void auto_reads_intensities_in_full_precision() {
    // Seeds and their box without the outlier, which lies elsewhere in the image.
    std::vector<float> voxels(60, 0.125F);
    const std::vector<float> seen{1.25F, 1.5F, 1.75F, 2.0F, 2.25F, 2.5F, 2.75F, 3.0F, 9.5F};
    std::copy(seen.begin(), seen.end(), voxels.begin());
    voxels[59] = 1e7F;
    SeedVoxels seeds;
    for (int i = 0; i < 9; ++i)
      seeds.seeds.push_back({i, static_cast<std::uint16_t>(1)});
    seeds.seeds.push_back({10, 2});
    Context context;
    const auto setup = fuzzy::set_up(Volume(grid(60, 1, 1), voxels), seeds, {}, {}, context);
    QCOMPARE(setup.objects.at(1).m, 2.25);
    QCOMPARE(setup.objects.at(1).sigma_o, 1.4826 * 0.5);
    // 20 pairs of x = 0..20.
    QCOMPARE(setup.sigma_h, std::sqrt((7 * 0.0625 + 6.5 * 6.5 + 9.375 * 9.375) / 20.0));
    // A flat object's sigma is half a step of the seeds' range, whatever else is in the image.
    std::vector<float> flat(60, 0.0F);
    std::fill(flat.begin(), flat.begin() + 5, 1.0F);
    flat[59] = 1e7F;
    const SeedVoxels two{.seeds = {{1, 1}, {2, 1}, {10, 2}}};
    const auto of_flat = fuzzy::set_up(Volume(grid(60, 1, 1), flat), two, {}, {}, context);
    QCOMPARE(of_flat.objects.at(1).m, 1.0);
    QCOMPARE(of_flat.objects.at(1).sigma_o, 0.5 / 65535.0);
    const fuzzy::KappaTables tables(of_flat.problem.tables);
    const auto grey = of_flat.problem.scene.grey.voxels<std::uint16_t>();
    QVERIFY(fuzzy::kappa(tables.view(), grey[1], grey[2]) > 2000);
    QCOMPARE(int{fuzzy::kappa(tables.view(), grey[4], grey[5])}, 0);
  }

  void an_estimate_is_at_least_half_a_step_of_the_common_scale() {
    // Label 1 varies little, label 2 widely: their scale is much coarser than label 1's sigma.
    std::vector<float> voxels;
    SeedVoxels seeds;
    for (int i = 0; i < 20; ++i) {
      voxels.push_back(i < 10 ? 1.0F + 1e-6F * static_cast<float>(i)
                              : 1000.0F * static_cast<float>(i));
      seeds.seeds.push_back({i, static_cast<std::uint16_t>(i < 10 ? 1 : 2)});
    }
    Context context;
    const Request request{.object = std::nullopt};
    const auto setup = fuzzy::set_up(Volume(grid(20, 1, 1), voxels), seeds, {}, request, context);
    const fuzzy::KappaTables tables(setup.problem.tables);
    const auto grey = setup.problem.scene.grey.voxels<std::uint16_t>();
    QVERIFY(setup.objects.at(1).sigma_o > 0.1);
    QVERIFY(fuzzy::kappa(tables.view(), grey[4], grey[5]) > 2000);
  }

  void scene_refuses_nan_infinity_and_colours() {
    Context context;
    const auto refused = [&](std::vector<float> voxels, int components) {
      const auto count = static_cast<std::int64_t>(voxels.size()) / components;
      const Volume image(grid(count, 1, 1), std::move(voxels), components);
      return complaint([&] { (void)fuzzy::read_affinity_image(image, {}, Vec3{}, context); });
    };
    const float inf = std::numeric_limits<float>::infinity();
    QVERIFY(refused({1.0F, std::nanf(""), 2.0F}, 1) != "no complaint");
    QCOMPARE(refused({1.0F, 0.0F, inf, -inf}, 1),
             std::string("the image has 2 infinite values, the first at (2, 0, 0)"));
    QVERIFY(refused({1.0F, 2.0F, 3.0F}, 3).find("one channel") != std::string::npos);
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
    QCOMPARE(of_all.problem.scene.grey.value_count(), 60);
    QCOMPARE(of_first.problem.scene.grey.value_count(), 24);
  }

  void auto_looks_around_seeds_of_few_greys() {
    // One seed in the middle of 3x3: the median of all nine is 5, that of the deviations 2.
    const std::vector<std::uint8_t> image{1, 2, 3, 90, 4, 9, 6, 90, 7, 8, 5, 90};
    const SeedVoxels seeds{.seeds = {{5, 1}, {11, 2}}};
    Context context;
    const Request request{.connectivity = Connectivity::C8};
    const auto setup = fuzzy::set_up(Volume(grid(4, 3, 1), image), seeds, {}, request, context);
    QCOMPARE(setup.objects.at(1).m, 5.0);
    QCOMPARE(setup.objects.at(1).sigma_o, 1.4826 * 2.0);
    // With the neighbours to the right masked out, six values remain: 1 2 4 7 8 9.
    const LabelMap mask(grid(4, 3, 1),
                        std::vector<std::uint8_t>{1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1});
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
    // A step of 100 at x = 30: outside the box of a seed pair at x = 5 and 6, inside that with a
    // seed at 20.
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
    // More cells than a thread gets at once, with and without a mask, compared with the definition.
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
    const LabelMap mask(grid(4, 1, 1), std::vector<std::uint8_t>{1, 0, 1, 1});
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
                         "remove them"));
    // An absolute object grows from its own seeds; others have no effect, wherever they are.
    request.seeds = Request::Seeds::OfTheObject;
    request.fewest_labels = 1;
    QCOMPARE(fuzzy::set_up(image, seeds, {}, request, context).problem.seeds.size(),
             std::size_t{1});
  }

  void too_few_labels_are_refused_in_words() {
    const Volume image(grid(4, 1, 1), std::vector<std::uint8_t>{1, 2, 3, 4});
    const LabelMap mask(grid(4, 1, 1), std::vector<std::uint8_t>{1, 1, 1, 0});
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
  }

  void the_cache_counts_all_that_the_scene_keeps_alive() {
    const Volume image(grid(4, 1, 1), std::vector<float>{1, 2, 3, 4});
    const LabelMap mask(grid(4, 1, 1), std::vector<std::uint8_t>{1, 1, 1, 1});
    const SeedVoxels seeds{.seeds = {{0, 1}, {3, 2}}};
    const Request request{.connectivity = Connectivity::C4};
    Context without;
    (void)fuzzy::set_up(image, seeds, {}, request, without);
    QCOMPARE(without.cache().bytes(), std::size_t{4 * (4 + 2)});  // image, intensities
    Context with;
    (void)fuzzy::set_up(image, seeds, mask, request, with);
    QCOMPARE(with.cache().bytes(), std::size_t{4 * (4 + 2 + 1 + 1)});  // mask, its cells
  }

  void a_cached_scene_follows_the_scale() {
    // Other values map an f32 image differently; an 8-bit image never changes.
    const Volume image(grid(4, 1, 1), std::vector<float>{1, 2, 3, 400});
    const SeedVoxels seeds{.seeds = {{0, 1}, {2, 2}}};
    Request request{.sigma_h = 1.0};
    request.m.for_all = 2.0;
    Context context;
    const auto greys = [&](double sigma_o) {
      request.sigma_o.for_all = sigma_o;
      const Volume grey = fuzzy::set_up(image, seeds, {}, request, context).problem.scene.grey;
      return std::vector(grey.voxels<std::uint16_t>().begin(), grey.voxels<std::uint16_t>().end());
    };
    const auto fine = greys(1.0);
    QVERIFY(greys(10.0) != fine);
    QCOMPARE(greys(1.0), fine);
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
    QVERIFY(key(image, LabelMap(grid(4, 1, 1), std::vector<std::uint16_t>{1, 1, 1, 1})) != first);
    // The same intensities in another shape have other neighbours.
    QVERIFY(key(Volume(grid(2, 2, 1), std::vector<std::uint8_t>{1, 2, 3, 4}), {}) != first);
    request.sigma_h = 3.5;
    QVERIFY(key(image, {}) != first);
    request.sigma_h = 3.0;
    request.connectivity = Connectivity::C8;
    QVERIFY(key(image, {}) != first);
  }

  void tables_need_spreads_above_zero() {
    const auto make = [](double sigma_h, double sigma_o) {
      (void)fuzzy::make_affinity_tables({sigma_h, {{{1.0, sigma_o, sigma_o}}}}, {});
    };
    make(1.0, 1.0);
    QVERIFY_EXCEPTION_THROWN(make(0.0, 1.0), Fault);
    QVERIFY_EXCEPTION_THROWN(make(1.0, 0.0), Fault);
    QVERIFY_EXCEPTION_THROWN((void)fuzzy::connectable_range({}), Fault);
  }
};

QTEST_GUILESS_MAIN(TestSetup)
#include "test_setup.moc"
