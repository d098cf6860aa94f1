// SPDX-License-Identifier: Apache-2.0
#include "core/image/cie_lab.h"
#include "core/texture/colours.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Returns pixels with `levels` values per channel, from black to white.
Bytes random_picture(test::RandomNumbers& random, std::int64_t pixels, std::int64_t levels) {
  Bytes rgb;
  for (std::int64_t i = 0; i < 3 * pixels; ++i)
    rgb.push_back(static_cast<std::uint8_t>(random.below(levels) * 255 / (levels - 1)));
  return rgb;
}

std::map<ColourCode, std::int64_t> plain_counts(const Bytes& rgb) {
  std::map<ColourCode, std::int64_t> counts;
  for (std::size_t i = 0; i < rgb.size(); i += 3)
    ++counts[rgb[i] * 65536U + rgb[i + 1] * 256U + rgb[i + 2]];
  return counts;
}

/// Returns amounts a and b with density = a u + b v + c (u x v), by Cramer's rule.
std::array<double, 2> plain_amounts(const Rgb& rgb, const Vec3& first, const Vec3& second) {
  const auto unit = [](const Vec3& v) {
    const double length = std::hypot(v[0], v[1], v[2]);
    return Vec3{v[0] / length, v[1] / length, v[2] / length};
  };
  const auto cross = [](const Vec3& a, const Vec3& b) {
    return Vec3{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const auto determinant = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 bc = cross(b, c);
    return a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
  };
  Vec3 density{};
  for (std::size_t c = 0; c < 3; ++c)
    density[c] = -std::log10(std::max<double>(rgb[c], 1.0) / 255.0);
  const Vec3 u = unit(first);
  const Vec3 v = unit(second);
  const Vec3 w = cross(u, v);
  const double whole = determinant(u, v, w);
  return {determinant(density, v, w) / whole, determinant(u, density, w) / whole};
}

}  // namespace

class TestColours : public QObject {
  Q_OBJECT
 private slots:
  void counts_each_colour();
  void takes_lab_to_mean_0_and_deviation_1();
  void takes_stains_to_shares_of_what_few_exceed();
  void a_picture_of_one_colour_has_one_place();
  void cells_are_colours_without_their_lowest_bits();
};

void TestColours::counts_each_colour() {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    test::RandomNumbers random(seed);
    const Bytes rgb = random_picture(random, 1 + random.below(200000), seed % 2 == 0 ? 2 : 256);
    const std::map<ColourCode, std::int64_t> expected = plain_counts(rgb);
    for (const int threads : {1, 3}) {
      Context context(Context::Settings{.threads = threads});
      const ColourCounts colours = count_colours(rgb, context);
      QCOMPARE(colours.colours.size(), expected.size());
      std::size_t i = 0;
      for (const auto& [code, count] : expected) {
        QCOMPARE(colours.colours[i], code);
        QCOMPARE(colours.counts[i++], count);
      }
    }
  }
}

void TestColours::takes_lab_to_mean_0_and_deviation_1() {
  Context context;
  test::RandomNumbers random(3);
  const Bytes rgb = random_picture(random, 5000, 5);
  const ColourCounts colours = count_colours(rgb, context);
  const Points places = places_of(colours, Stains::Colour, context);
  for (std::size_t j = 0; j < 3; ++j) {
    double sum = 0.0;
    double squares = 0.0;
    // Each coordinate is the same linear function of its Lab coordinate everywhere.
    const auto lab = [&](std::int64_t i) { return to_lab(colour_of(colours.colours[i]))[j]; };
    const double slope = (places.row(1)[j] - places.row(0)[j]) / (lab(1) - lab(0));
    for (std::int64_t i = 0; i < places.count(); ++i) {
      const auto count = static_cast<double>(colours.counts[i]);
      sum += count * places.row(i)[j];
      squares += count * places.row(i)[j] * places.row(i)[j];
      QVERIFY(std::abs(places.row(i)[j] - places.row(0)[j] - slope * (lab(i) - lab(0))) < 1e-9);
    }
    QVERIFY(slope > 0.0);
    QVERIFY(std::abs(sum / 5000.0) < 1e-12);
    QVERIFY(std::abs(squares / 5000.0 - 1.0) < 1e-12);
  }
}

void TestColours::takes_stains_to_shares_of_what_few_exceed() {
  const Vec3 h{0.65, 0.70, 0.29};
  const Vec3 e{0.2159, 0.8012, 0.5581};
  const Vec3 dab{0.27, 0.57, 0.78};
  Context context;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    test::RandomNumbers random(seed);
    const Bytes rgb = random_picture(random, 100 + random.below(3000), 4 + random.below(200));
    const ColourCounts colours = count_colours(rgb, context);
    for (const auto& [stains, other] :
         {std::pair(Stains::HematoxylinEosin, e), std::pair(Stains::HematoxylinDab, dab)}) {
      const Points places = places_of(colours, stains, context);
      QCOMPARE(places.dimensions, 2);
      for (std::size_t stain = 0; stain < 2; ++stain) {
        std::vector<double> of_pixels;
        for (std::int64_t i = 0; i < places.count(); ++i) {
          const double amount = plain_amounts(colour_of(colours.colours[i]), h, other)[stain];
          of_pixels.insert(of_pixels.end(), static_cast<std::size_t>(colours.counts[i]), amount);
        }
        std::ranges::sort(of_pixels);
        const std::size_t enough = (99 * of_pixels.size() + 99) / 100;
        const double most = std::ceil(std::max(0.0, of_pixels[enough - 1]) * 1000.0) / 1000.0;
        for (std::int64_t i = 0; i < places.count(); ++i) {
          const double amount = plain_amounts(colour_of(colours.colours[i]), h, other)[stain];
          QVERIFY(std::abs(places.row(i)[stain] - std::clamp(amount / most, 0.0, 1.0)) < 1e-9);
        }
      }
    }
  }
}

void TestColours::a_picture_of_one_colour_has_one_place() {
  Context context;
  for (const int value : {0, 1, 100, 255}) {
    const Bytes rgb(3 * 1000, static_cast<std::uint8_t>(value));
    const ColourCounts colours = count_colours(rgb, context);
    QCOMPARE(colours.counts, (std::vector<std::int64_t>{1000}));
    QCOMPARE(places_of(colours, Stains::Colour, context).values, (std::vector<double>{0, 0, 0}));
    for (const double share : places_of(colours, Stains::HematoxylinEosin, context).values)
      QVERIFY(share >= 0.0 && share <= 1.0);
  }
}

void TestColours::cells_are_colours_without_their_lowest_bits() {
  Context context;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    test::RandomNumbers random(seed);
    const Bytes rgb = random_picture(random, 1 + random.below(3000), 256);
    const std::int64_t most = 1 + random.below(400);
    const ColourCounts colours = count_colours(rgb, context);
    const Points places = places_of(colours, Stains::Colour, context);
    const ColourCells cells = cells_of(colours, places, most);

    int dropped = 0;
    std::set<std::tuple<int, int, int>> expected;
    for (;; ++dropped) {
      expected.clear();
      for (std::size_t i = 0; i < rgb.size(); i += 3)
        expected.emplace(rgb[i] >> dropped, rgb[i + 1] >> dropped, rgb[i + 2] >> dropped);
      if (std::ssize(expected) <= most) break;
    }
    QCOMPARE(std::ssize(cells.counts), std::ssize(expected));
    std::size_t cell = 0;
    for (const auto& [r, g, b] : expected) {
      std::int64_t count = 0;
      double sum = 0.0;
      for (std::size_t i = 0; i < colours.colours.size(); ++i) {
        const Rgb colour = colour_of(colours.colours[i]);
        if (std::tuple(colour[0] >> dropped, colour[1] >> dropped, colour[2] >> dropped) !=
            std::tuple(r, g, b))
          continue;
        count += colours.counts[i];
        sum += static_cast<double>(colours.counts[i]) * places.row(static_cast<std::int64_t>(i))[1];
      }
      QCOMPARE(cells.counts[cell], count);
      const double mean = cells.places.row(static_cast<std::int64_t>(cell++))[1];
      QVERIFY(std::abs(mean - sum / static_cast<double>(count)) < 1e-12);
    }
  }
}

QTEST_GUILESS_MAIN(TestColours)
#include "test_colours.moc"
