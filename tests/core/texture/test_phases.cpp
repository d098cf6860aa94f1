// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/phases.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::array kStains{Stains::Colour, Stains::HematoxylinEosin, Stains::HematoxylinDab};

Geometry grid(std::int64_t width, std::int64_t height) {
  Geometry geometry;
  geometry.size = {width, height, 1};
  return geometry;
}

using Bytes = std::vector<std::uint8_t>;

Volume picture(std::int64_t width, const Bytes& rgb) {
  return {grid(width, std::ssize(rgb) / 3 / width), rgb, 3};
}

/// Returns random colours around the given ones.
Bytes around(const std::vector<std::array<int, 3>>& colours, std::int64_t spread,
             std::int64_t pixels, test::RandomNumbers& random) {
  Bytes rgb;
  for (std::int64_t i = 0; i < pixels; ++i) {
    for (const int value : colours[static_cast<std::size_t>(i) % colours.size()])
      rgb.push_back(static_cast<std::uint8_t>(
          std::clamp<std::int64_t>(value + random.below(2 * spread + 1) - spread, 0, 255)));
  }
  return rgb;
}

/// Returns the colour of light that has passed these amounts (Beer-Lambert law).
std::array<int, 3> stained(double hematoxylin, double eosin) {
  // Vectors of length 1.
  const std::array<double, 3> h{0.6511, 0.7012, 0.2905};
  const std::array<double, 3> e{0.2159, 0.8012, 0.5581};
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] =
        static_cast<int>(std::lround(255.0 * std::pow(10.0, -hematoxylin * h[c] - eosin * e[c])));
  return rgb;
}

std::vector<std::uint16_t> labels_of(const Phases& phases) {
  return {phases.labels.labels().begin(), phases.labels.labels().end()};
}

double brightness(const Bytes& rgb, std::size_t pixel) {
  return 0.299 * rgb[3 * pixel] + 0.587 * rgb[3 * pixel + 1] + 0.114 * rgb[3 * pixel + 2];
}

}  // namespace

class TestPhases : public QObject {
  Q_OBJECT
 private slots:
  void finds_the_colours_that_a_picture_is_made_of();
  void tells_amounts_of_stains_apart();
  void ink_gets_no_phase_of_its_own();
  void numbers_from_dark_to_bright();
  void finds_the_values_of_each_type();
  void values_that_are_all_there_are_nearest_means();
  void colours_of_any_number_are_given_to_the_same_centre();
  void a_picture_four_times_as_large_has_the_same_phases();
  void gives_fewer_where_there_are_no_more();
  void threads_do_not_count();
  void colours_stay_for_the_next_run();
  void refuses_what_has_no_phases();
  void stops_when_asked();
};

void TestPhases::finds_the_colours_that_a_picture_is_made_of() {
  Context context;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    test::RandomNumbers random(seed);
    // Nuclei, cytoplasm, collagen, glass.
    const std::vector<std::array<int, 3>> colours{
        {70, 40, 110}, {150, 110, 170}, {230, 130, 170}, {244, 243, 246}};
    const Bytes rgb = around(colours, 10, 40 * 60, random);
    const Phases found = phases({.image = picture(60, rgb)}, context);
    QCOMPARE(found.count, 4);
    const auto labels = labels_of(found);
    for (std::size_t i = 0; i < labels.size(); ++i)
      QCOMPARE(static_cast<std::size_t>(labels[i]), i % 4 + 1);
  }
}

void TestPhases::tells_amounts_of_stains_apart() {
  Context context;
  test::RandomNumbers random(1);
  const Bytes rgb =
      around({stained(0.6, 0.5), stained(0.7, 0.0), stained(0.0, 0.6), stained(0.0, 0.0)}, 4,
             40 * 60, random);
  const auto labels =
      labels_of(phases({.image = picture(60, rgb), .stains = Stains::HematoxylinEosin}, context));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    QCOMPARE(labels[i], labels[i % 4]);
    if (i % 4 != 0) QVERIFY(labels[i] != labels[i % 4 - 1]);
  }
  QCOMPARE(labels[0], 1);  // both stains
  QCOMPARE(labels[3], 4);  // none
}

/// Half a percent of black would be a separate cluster: its density is far from all others.
void TestPhases::ink_gets_no_phase_of_its_own() {
  Context context;
  test::RandomNumbers random(2);
  Bytes rgb = around({stained(0.5, 0.1), stained(0.0, 0.3), stained(0.0, 0.0)}, 3, 60 * 60, random);
  std::fill_n(rgb.begin(), 3 * 18, std::uint8_t{0});
  const auto labels = labels_of(
      phases({.image = picture(60, rgb), .count = 3, .stains = Stains::HematoxylinEosin}, context));
  for (std::size_t i = 18; i < labels.size(); ++i)
    QCOMPARE(labels[i], labels[18 + (i - 18) % 3]);
  QVERIFY(labels[18] != labels[19] && labels[19] != labels[20] && labels[20] != labels[18]);
}

void TestPhases::numbers_from_dark_to_bright() {
  Context context;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    test::RandomNumbers random(seed);
    Bytes rgb;
    for (int i = 0; i < 3 * 600; ++i)
      rgb.push_back(static_cast<std::uint8_t>(random.below(256)));
    const Phases found = phases(
        {.image = picture(30, rgb), .count = 1 + random.below(16), .stains = random.of(kStains)},
        context);
    std::vector<double> sums(static_cast<std::size_t>(found.count) + 1);
    std::vector<double> pixels(sums.size());
    const auto labels = labels_of(found);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      QVERIFY(labels[i] >= 1 && labels[i] <= found.count);
      sums[labels[i]] += brightness(rgb, i);
      ++pixels[labels[i]];
    }
    for (std::size_t phase = 1; phase < sums.size(); ++phase) {
      QVERIFY(pixels[phase] > 0.0);
      if (phase > 1)
        QVERIFY(sums[phase] / pixels[phase] > sums[phase - 1] / pixels[phase - 1] - 1e-9);
    }
  }
}

void TestPhases::finds_the_values_of_each_type() {
  Context context;
  const auto check = [&](auto low, auto step) {
    using Voxel = decltype(low);
    std::vector<Voxel> voxels;
    std::vector<std::uint16_t> expected;
    for (int i = 0; i < 90; ++i) {
      const int level = i * 7 % 3;
      voxels.push_back(static_cast<Voxel>(low + static_cast<Voxel>(level) * step));
      expected.push_back(static_cast<std::uint16_t>(level + 1));
    }
    const Phases found = phases({.image = Volume(grid(9, 10), voxels), .count = 3}, context);
    QCOMPARE(found.count, 3);
    QCOMPARE(labels_of(found), expected);
  };
  check(std::uint8_t{0}, std::uint8_t{127});
  check(std::uint8_t{7}, std::uint8_t{1});
  check(std::uint16_t{3}, std::uint16_t{30000});
  check(std::int16_t{-32768}, std::int16_t{32767});
  check(std::int32_t{-5}, std::int32_t{2});
  check(std::int32_t{-1000000000}, std::int32_t{1000000000});
  check(-0.25F, 0.1F);
  check(-1e38F, 1e38F);
  check(0.0F, 1e-38F);
}

/// With up to 2^16 integers Lloyd's rounds have converged, so each value is with the nearest mean.
void TestPhases::values_that_are_all_there_are_nearest_means() {
  Context context;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    test::RandomNumbers random(seed);
    const VoxelType type = random.of(std::array{VoxelType::U8, VoxelType::I16, VoxelType::U16});
    const Volume image =
        test::random_volume(random, grid(1 + random.below(40), 1 + random.below(40)), type);
    const Phases found = phases({.image = image, .count = 1 + random.below(16)}, context);
    const std::vector<double> values = test::values_of(image);
    const auto labels = labels_of(found);
    std::vector<double> mean(static_cast<std::size_t>(found.count));
    std::vector<double> count(mean.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      mean[labels[i] - 1U] += values[i];
      ++count[labels[i] - 1U];
    }
    for (std::size_t phase = 0; phase < mean.size(); ++phase)
      mean[phase] /= count[phase];
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (const double other : mean)
        QVERIFY(std::abs(values[i] - mean[labels[i] - 1U]) <= std::abs(values[i] - other) + 1e-9);
    }
  }
}

/// With more than 2^16 colours, centres are computed from cells. A colour still has one phase, and
/// a phase is one interval of each line through the colours.
void TestPhases::colours_of_any_number_are_given_to_the_same_centre() {
  Context context;
  test::RandomNumbers random(4);
  Bytes rgb;
  for (int i = 0; i < 3 * 400 * 400; ++i)
    rgb.push_back(static_cast<std::uint8_t>(random.below(256)));
  Bytes twice = rgb;
  twice.insert(twice.end(), rgb.begin(), rgb.end());
  for (int value = 0; value < 256; ++value) {
    const auto grey = static_cast<std::uint8_t>(value);
    twice.insert(twice.end(), {grey, grey, grey});
  }
  for (int i = 0; i < 3 * 144; ++i)
    twice.push_back(255);  // to the end of the row
  const Phases found = phases({.image = picture(400, twice), .count = 6}, context);
  QCOMPARE(found.count, 6);
  const auto labels = labels_of(found);
  for (std::size_t i = 0; i < 160000; ++i)
    QCOMPARE(labels[i], labels[i + 160000]);
  int changes = 0;
  for (std::size_t i = 320001; i < 320256; ++i) {
    changes += labels[i] != labels[i - 1] ? 1 : 0;
    QVERIFY(labels[i] >= labels[i - 1]);
  }
  QVERIFY(changes >= 1 && changes <= 5);
}

/// All counts are four times as large, so no sum is rounded differently.
void TestPhases::a_picture_four_times_as_large_has_the_same_phases() {
  Context context;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    test::RandomNumbers random(seed);
    const Bytes rgb = around({{80, 40, 120}, {200, 120, 160}, {240, 240, 240}}, 40, 500, random);
    Bytes large;
    for (int time = 0; time < 4; ++time)
      large.insert(large.end(), rgb.begin(), rgb.end());
    PhasesProblem problem{.image = picture(50, rgb), .count = 5, .stains = random.of(kStains)};
    const auto once = labels_of(phases(problem, context));
    problem.image = picture(50, large);
    const auto four_times = labels_of(phases(problem, context));
    for (std::size_t i = 0; i < four_times.size(); ++i)
      QCOMPARE(four_times[i], once[i % once.size()]);
  }
}

void TestPhases::gives_fewer_where_there_are_no_more() {
  Context context;
  const Bytes two{255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255, 255};
  for (const Stains stains : kStains) {
    const Phases found = phases({.image = picture(2, two), .count = 16, .stains = stains}, context);
    QCOMPARE(found.count, 2);
    QCOMPARE(labels_of(found), (std::vector<std::uint16_t>{2, 1, 2, 2}));
    QCOMPARE(phases({.image = picture(1, {9, 9, 9}), .stains = stains}, context).count, 1);
  }
  const Volume values(grid(4, 1), std::vector<float>{0.5F, 0.5F, -2.0F, 0.5F});
  QCOMPARE(labels_of(phases({.image = values}, context)), (std::vector<std::uint16_t>{2, 2, 1, 2}));
}

void TestPhases::threads_do_not_count() {
  test::RandomNumbers random(6);
  Bytes rgb;
  for (int i = 0; i < 3 * 600 * 500; ++i)
    rgb.push_back(static_cast<std::uint8_t>(random.below(1 + i % 256)));
  const Volume many_colours = picture(600, rgb);
  const Volume values = test::random_volume(random, grid(700, 900), VoxelType::F32);
  for (const Stains stains : kStains) {
    for (const Volume& image : {many_colours, values}) {
      const PhasesProblem problem{.image = image, .count = 7, .stains = stains};
      Context alone(Context::Settings{.threads = 1});
      const auto expected = labels_of(phases(problem, alone));
      for (const int threads : {2, 3, 16}) {
        Context context(Context::Settings{.threads = threads});
        QVERIFY(labels_of(phases(problem, context)) == expected);
      }
    }
  }
}

void TestPhases::colours_stay_for_the_next_run() {
  test::RandomNumbers random(8);
  const auto any_picture = [&] {
    Bytes rgb;
    for (int i = 0; i < 3 * 90 * 40; ++i)
      rgb.push_back(static_cast<std::uint8_t>(random.below(256)));
    return picture(90, rgb);
  };
  const std::array pictures{any_picture(), any_picture()};
  const auto cache = std::make_shared<ScratchCache>();
  std::optional<PhasesProblem> before;
  int kept = 0;
  for (int run = 0; run < 60; ++run) {
    const PhasesProblem problem{.image = pictures[static_cast<std::size_t>(random.below(2))],
                                .count = 1 + random.below(6),
                                .stains = kStains[static_cast<std::size_t>(random.below(3))]};
    Context context(Context::Settings{.cache = cache});
    const auto labels = labels_of(phases(problem, context));
    Context fresh;
    QVERIFY(labels == labels_of(phases(problem, fresh)));
    const bool same_colours = before && before->stains == problem.stains &&
                              before->image.owner() == problem.image.owner();
    QCOMPARE(context.stage_times().front().stage,
             std::string(same_colours ? "k-means" : "colours"));
    kept += same_colours;
    before = problem;
  }
  QVERIFY(kept > 0 && kept < 59);

  // More colours than the centres are computed from.
  Bytes rgb;
  for (int i = 0; i < 3 * 500 * 300; ++i)
    rgb.push_back(static_cast<std::uint8_t>(random.below(256)));
  const Volume many = picture(500, rgb);
  for (const std::int64_t count : {3, 5, 3}) {
    Context context(Context::Settings{.cache = cache});
    Context fresh;
    const PhasesProblem problem{.image = many, .count = count};
    QVERIFY(labels_of(phases(problem, context)) == labels_of(phases(problem, fresh)));
  }
}

void TestPhases::refuses_what_has_no_phases() {
  Context context;
  const Volume image(grid(2, 1), std::vector<std::uint8_t>{1, 2});
  QVERIFY_EXCEPTION_THROWN((void)phases({.image = image, .count = 0}, context), UsageError);
  QVERIFY_EXCEPTION_THROWN((void)phases({.image = image, .count = 17}, context), UsageError);
  const Volume deep(grid(1, 1), std::vector<std::uint16_t>{1, 2, 3}, 3);
  QVERIFY_EXCEPTION_THROWN((void)phases({.image = deep}, context), InputError);
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const Volume odd(grid(2, 1), std::vector<float>{0.0F, value});
    QVERIFY_EXCEPTION_THROWN((void)phases({.image = odd}, context), InputError);
  }
}

void TestPhases::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  const Volume image = picture(2, {1, 2, 3, 4, 5, 6});
  QVERIFY_EXCEPTION_THROWN((void)phases({.image = image}, context), Cancelled);
}

QTEST_GUILESS_MAIN(TestPhases)
#include "test_phases.moc"
