// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/stains.h"
#include "core/image/vec3.h"
#include "core/texture/stain_vectors.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace seedwave {
namespace {

using Picture = std::vector<std::uint8_t>;

/// Adds a pixel through which light passed these amounts of two stains (Beer and Lambert).
void add_pixel(Picture& picture, const std::array<Vec3, 2>& stains, double first, double second) {
  for (int c = 0; c < 3; ++c) {
    const double density = first * unit_of(stains[0])[c] + second * unit_of(stains[1])[c];
    picture.push_back(static_cast<std::uint8_t>(std::lround(255.0 * std::pow(10.0, -density))));
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
Picture stained_picture(const std::array<Vec3, 2>& stains) {
  test::RandomNumbers random(7);
  Picture picture;
  for (int i = 0; i < 20000; ++i) {
    const double a = 0.4 + 0.8 * share_of(random);
    const double b = 0.4 + 0.8 * share_of(random);
    switch (i % 4) {
      case 0:
        add_pixel(picture, stains, a, 0.0);
        break;
      case 1:
        add_pixel(picture, stains, 0.0, b);
        break;
      case 2:
        add_pixel(picture, stains, a, b);
        break;
      default:
        picture.insert(picture.end(), {250, 249, 251});
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
