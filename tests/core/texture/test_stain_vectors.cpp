// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/stains.h"
#include "core/image/vec3.h"
#include "core/texture/stain_vectors.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

namespace seedwave {
namespace {

using Picture = std::vector<std::uint8_t>;

/// Adds a pixel through which light passed these amounts of two stains (Beer and Lambert).
void add_pixel(Picture& picture, const std::array<Vec3, 2>& stains, double first, double second,
               const Rgb& background = kWhiteBackground) {
  for (std::size_t c = 0; c < 3; ++c) {
    const double density = first * unit_of(stains[0])[c] + second * unit_of(stains[1])[c];
    picture.push_back(
        static_cast<std::uint8_t>(std::lround(background[c] * std::pow(10.0, -density))));
  }
}

ColourCounts counted(const Picture& picture, int threads = 1) {
  Context context(Context::Settings{.threads = threads});
  return count_colours(picture, context);
}

double degrees_between(const Vec3& a, const Vec3& b) {
  const double cosine = dot(unit_of(a), unit_of(b));
  return std::acos(std::min(1.0, cosine)) * 180.0 / std::numbers::pi;
}

/// Returns a number from 0 to 1.
double share_of(test::RandomNumbers& random) {
  return static_cast<double>(random.below(1001)) / 1000.0;
}

/// Glass, pixels of either stain alone and of both.
Picture stained_picture(const std::array<Vec3, 2>& stains,
                        const Rgb& background = kWhiteBackground) {
  test::RandomNumbers random(7);
  Picture picture;
  for (int i = 0; i < 20000; ++i) {
    const double a = 0.4 + 0.8 * share_of(random);
    const double b = 0.4 + 0.8 * share_of(random);
    switch (i % 4) {
      case 0:
        add_pixel(picture, stains, a, 0.0, background);
        break;
      case 1:
        add_pixel(picture, stains, 0.0, b, background);
        break;
      case 2:
        add_pixel(picture, stains, a, b, background);
        break;
      default:
        add_pixel(picture, stains, 0.0, 0.0, background);
        if (random.below(3) == 0) {  // noise
          for (auto component = picture.end() - 3; component != picture.end(); ++component)
            *component = static_cast<std::uint8_t>(*component - 2);
        }
    }
  }
  return picture;
}

}  // namespace

class TestStainVectors : public QObject {
  Q_OBJECT

 private slots:
  void the_stains_of_a_picture_are_found() {
    // Both with enough density in red: pale ones are left out.
    const std::array<Vec3, 2> pairs[]{{Vec3{0.60, 0.75, 0.29}, Vec3{0.35, 0.80, 0.50}},
                                      {Vec3{0.65, 0.70, 0.29}, Vec3{0.27, 0.57, 0.78}},
                                      {Vec3{0.50, 0.60, 0.62}, Vec3{0.30, 0.40, 0.86}}};
    for (const auto& stains : pairs) {
      const std::array<Vec3, 2> found = two_stains_of(counted(stained_picture(stains)));
      QVERIFY(degrees_between(found[0], stains[0]) < 1.5);
      QVERIFY(degrees_between(found[1], stains[1]) < 1.5);
    }
  }

  void the_order_of_the_pixels_does_not_matter() {
    Picture picture = stained_picture({kHematoxylin, kDab});
    const std::array<Vec3, 2> found = two_stains_of(counted(picture));
    std::ranges::rotate(picture, picture.begin() + 3 * 5000);
    QCOMPARE(two_stains_of(counted(picture, 4)), found);
  }

  void a_region_gives_its_stain() {
    test::RandomNumbers random(3);
    Picture region;
    for (int i = 0; i < 500; ++i)
      add_pixel(region, {kEosin, kHematoxylin}, 0.2 + share_of(random), 0.0);
    QVERIFY(degrees_between(stain_of(counted(region)), kEosin) < 0.5);
  }

  void on_their_background_stains_are_found_as_on_white() {
    const Rgb background{240, 216, 228};
    for (const auto& stains :
         {std::array<Vec3, 2>{kHematoxylin, kDab},
          std::array<Vec3, 2>{Vec3{0.50, 0.60, 0.62}, Vec3{0.30, 0.40, 0.86}}}) {
      const ColourCounts colours = counted(stained_picture(stains, background));
      QVERIFY(background_of_picture(colours) == background);
      const std::array<Vec3, 2> found = two_stains_of(colours, background);
      QVERIFY(degrees_between(found[0], stains[0]) < 1.5);
      QVERIFY(degrees_between(found[1], stains[1]) < 1.5);
      // White is another answer.
      const std::array<Vec3, 2> on_white = two_stains_of(colours);
      QVERIFY(degrees_between(on_white[0], stains[0]) > 1.5 ||
              degrees_between(on_white[1], stains[1]) > 1.5);
    }
    test::RandomNumbers random(3);
    Picture region;
    for (int i = 0; i < 500; ++i)
      add_pixel(region, {kEosin, kHematoxylin}, 0.2 + share_of(random), 0.0, background);
    QVERIFY(degrees_between(stain_of(counted(region), background), kEosin) < 0.5);
    // The background itself is as bright as glass.
    Picture glass;
    for (int i = 0; i < 500; ++i)
      glass.insert(glass.end(), background.begin(), background.end());
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(stain_of(counted(glass), background)), InputError);
  }

  /// Against the definitions, on pictures of few and of many pixels.
  void a_background_is_a_bright_mode_or_a_median() {
    test::RandomNumbers random(5);
    for (int i = 0; i < 2000; ++i) {
      const auto pixels = static_cast<std::size_t>(1 + random.below(i % 2 == 0 ? 6 : 60));
      const std::int64_t values = 1 + random.below(i % 3 == 0 ? 4 : 255);
      Picture picture(3 * pixels);
      for (std::uint8_t& value : picture)
        value = static_cast<std::uint8_t>(256 - values + random.below(values));
      const ColourCounts colours = counted(picture);
      const Rgb mode = background_of_picture(colours);
      const Rgb median = background_of_region(colours);
      for (std::size_t c = 0; c < 3; ++c) {
        std::vector<int> of;
        for (std::size_t pixel = 0; pixel < pixels; ++pixel)
          of.push_back(picture[3 * pixel + c]);
        std::ranges::sort(of);
        const double mean = std::accumulate(of.begin(), of.end(), 0.0) / double(pixels);
        int expected = 0;
        for (int value = 1; value < 256; ++value) {
          if (value >= mean && std::ranges::count(of, value) >=
                                   std::ranges::count(of, expected) * (expected > 0 ? 1 : 0))
            expected = value;
        }
        QCOMPARE(int{mode[c]}, expected);
        QCOMPARE(int{median[c]}, of[pixels / 2]);
      }
    }
    QVERIFY(!is_stained({236, 236, 234}));
    QVERIFY(!is_stained({240, 216, 228}));
    QVERIFY(is_stained({240, 190, 190}));
    QVERIFY(is_stained({235, 161, 196}));
    QVERIFY(is_stained({202, 139, 192}));
    QVERIFY(background_of_picture(counted({7, 8, 9, 7, 8, 9})) == Rgb({7, 8, 9}));
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(background_of_picture(ColourCounts{})), InputError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(background_of_region(counted({9, 0, 9}))),
                             InputError);
  }

  void only_the_given_pixels_are_counted() {
    const Picture picture{1, 2, 3, 9, 9, 9, 1, 2, 3, 4, 4, 4};
    const std::vector<LabelRun> pixels{{0, 1, 1}, {2, 4, 1}};
    Context context(Context::Settings{.threads = 1});
    const ColourCounts counts = count_colours(picture, pixels, context);
    QCOMPARE(counts.colours, (std::vector<ColourCode>{0x010203, 0x040404}));
    QCOMPARE(counts.counts, (std::vector<std::int64_t>{2, 1}));
  }

  void what_has_no_stains_is_refused() {
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(stain_of(ColourCounts{})), InputError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(stain_of(counted(Picture(300, 254)))), InputError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(two_stains_of(counted(Picture(30000, 250)))),
                             InputError);
    Picture single;
    for (int i = 0; i < 5000; ++i)
      add_pixel(single, {kDab, kHematoxylin}, 0.5, 0.0);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(two_stains_of(counted(single))), InputError);
  }
};

}  // namespace seedwave

QTEST_APPLESS_MAIN(seedwave::TestStainVectors)
#include "test_stain_vectors.moc"
