// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/channel.h"
#include "core/image/stains.h"
#include "core/image/vec3.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>

namespace seedwave {

namespace {

Volume picture(std::vector<std::uint8_t> rgb) {
  Geometry geometry;
  geometry.size = {static_cast<std::int64_t>(rgb.size() / 3), 1, 1};
  geometry.unit = LengthUnit::Pixel;
  return {geometry, std::move(rgb), 3};
}

/// Returns the colour of glass with `amount` of a stain, by the Beer-Lambert law.
std::vector<std::uint8_t> stained(const Vec3& vector, double amount) {
  const double length = std::hypot(vector[0], vector[1], vector[2]);
  std::vector<std::uint8_t> rgb;
  for (const double part : vector) {
    rgb.push_back(
        static_cast<std::uint8_t>(std::lround(255.0 * std::pow(10.0, -amount * part / length))));
  }
  return rgb;
}

/// Returns the amount of `wanted` in a pixel by its definition: Cramer's rule for the amounts of
/// both stains and of their cross product.
double plain_amount(const std::uint8_t* rgb, const Vec3& wanted, const Vec3& other,
                    const Rgb& background) {
  const Vec3 w = scaled(wanted, 1.0 / norm(wanted));
  const Vec3 o = scaled(other, 1.0 / norm(other));
  const Vec3 rest = cross(w, o);
  Vec3 density{};
  for (std::size_t c = 0; c < 3; ++c)
    density[c] = std::max(0.0, std::log10(background[c]) - std::log10(std::max<int>(1, rgb[c])));
  return dot(density, cross(o, rest)) / dot(w, cross(o, rest));
}

}  // namespace

class TestChannel : public QObject {
  Q_OBJECT

 private slots:
  void takes_components_as_stored() {
    const Volume rgb = picture({1, 2, 3, 40, 50, 60});
    QCOMPARE(channel_of(rgb, "red").voxels<std::uint8_t>()[1], 40);
    QCOMPARE(channel_of(rgb, "green").voxels<std::uint8_t>()[1], 50);
    QCOMPARE(channel_of(rgb, "blue").voxels<std::uint8_t>()[0], 3);
  }

  void weighs_grey_by_the_eye() {
    const auto grey = channel_of(picture({255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255}), "gray");
    QCOMPARE(grey.voxels<std::uint8_t>()[0], 255);
    QCOMPARE(grey.voxels<std::uint8_t>()[1], 76);
    QCOMPARE(grey.voxels<std::uint8_t>()[2], 150);
    QCOMPARE(grey.voxels<std::uint8_t>()[3], 29);
  }

  void a_channel_is_the_sum_of_what_its_components_add() {
    std::vector<std::uint8_t> colors;
    for (int i = 0; i < 3000; ++i)
      colors.push_back(static_cast<std::uint8_t>(i * 7919 % 256));
    const Volume rgb = picture(colors);
    for (const Channel& channel : channels()) {
      const ChannelSum sum = sum_of_channel(channel.id);
      const Volume expected = channel_of(rgb, channel.id);
      QCOMPARE(sum.stain.has_value(), expected.type() == VoxelType::F32);
      for (std::size_t i = 0; i < colors.size() / 3; ++i) {
        const double value = sum.parts[0][colors[3 * i]] + sum.parts[1][colors[3 * i + 1]] +
                             sum.parts[2][colors[3 * i + 2]];
        const double there = expected.value_at({static_cast<std::int64_t>(i), 0, 0});
        QVERIFY2(std::abs(value - there) <= (sum.stain ? 1e-6 : 0.5 + 1e-9), channel.id.c_str());
      }
    }
    QVERIFY_EXCEPTION_THROWN((void)sum_of_channel("violet"), InputError);
  }

  void finds_the_amount_of_a_pure_stain_and_none_of_the_other() {
    // 8-bit rounding moves an optical density of about 0.5 by less than 0.01.
    const Volume h = picture(stained({0.65, 0.70, 0.29}, 0.8));
    QVERIFY(std::abs(channel_of(h, "hematoxylin").voxels<float>()[0] - 0.8F) < 0.02F);
    QVERIFY(std::abs(channel_of(h, "eosin").voxels<float>()[0]) < 0.02F);
    const Volume e = picture(stained({0.2159, 0.8012, 0.5581}, 0.5));
    QVERIFY(std::abs(channel_of(e, "eosin").voxels<float>()[0] - 0.5F) < 0.02F);
    QVERIFY(std::abs(channel_of(e, "hematoxylin").voxels<float>()[0]) < 0.02F);
    const Volume d = picture(stained({0.27, 0.57, 0.78}, 0.6));
    QVERIFY(std::abs(channel_of(d, "dab").voxels<float>()[0] - 0.6F) < 0.02F);
  }

  void stains_of_ones_own_are_a_channel() {
    // With the vectors of a named channel, its values.
    std::vector<std::uint8_t> colors;
    for (int i = 0; i < 3000; ++i)
      colors.push_back(static_cast<std::uint8_t>(i * 7919 % 256));
    const Volume rgb = picture(colors);
    const Volume own = channel_of(rgb, "stain:0.65,0.7,0.29:0.2159,0.8012,0.5581");
    QVERIFY(
        std::ranges::equal(own.voxels<float>(), channel_of(rgb, "hematoxylin").voxels<float>()));
    QCOMPARE(type_of_channel("stain:0.65,0.7,0.29:0.2159,0.8012,0.5581"), VoxelType::F32);
    // Only directions count.
    const Volume longer = channel_of(rgb, "stain:1.3,1.4,0.58:0.2159,0.8012,0.5581");
    for (std::size_t i = 0; i < own.voxels<float>().size(); ++i)
      QVERIFY(std::abs(longer.voxels<float>()[i] - own.voxels<float>()[i]) < 1e-5F);
    const Vec3 violet{0.5, 0.7, 0.4};
    const Volume alone = picture(stained(violet, 0.7));
    QVERIFY(std::abs(channel_of(alone, stain_channel(violet, kDab)).voxels<float>()[0] - 0.7F) <
            0.02F);
    QVERIFY(std::abs(channel_of(alone, stain_channel(kDab, violet)).voxels<float>()[0]) < 0.02F);
  }

  void the_name_of_ones_own_stains_is_short_and_read_back() {
    const std::string id = stain_channel({0.65, 1.0 / 3.0, 0.29}, {-0.0004, 0.8012, 0.5581});
    QCOMPARE(id, std::string("stain:0.65,0.333,0.29:0,0.801,0.558"));
    QCOMPARE(channel_named(id).id, id);
    QCOMPARE(channel_named(id).title, std::string("Stain 0.65 0.333 0.29"));
    QVERIFY(find_channel(id).has_value());
  }

  void a_background_holds_no_stain() {
    test::RandomNumbers random(11);
    const auto density = [&random] { return static_cast<double>(1 + random.below(1000)) / 1000.0; };
    for (int i = 0; i < 2000; ++i) {
      const Vec3 wanted{density(), density(), density()};
      const Vec3 other{density(), density(), density()};
      if (norm(cross(wanted, other)) < 0.1 * norm(wanted) * norm(other)) continue;
      std::vector<std::uint8_t> colors(30);
      for (std::uint8_t& color : colors)
        color = static_cast<std::uint8_t>(random.below(256));
      const Rgb background{static_cast<std::uint8_t>(1 + random.below(255)),
                           static_cast<std::uint8_t>(1 + random.below(255)),
                           static_cast<std::uint8_t>(1 + random.below(255))};
      std::ranges::copy(background, colors.begin());
      const std::string id = stain_channel(wanted, other, background);
      const Volume amounts = channel_of(picture(colors), id);
      QCOMPARE(amounts.voxels<float>()[0], 0.0F);
      for (std::size_t pixel = 0; pixel < 10; ++pixel) {
        const double expected = plain_amount(&colors[3 * pixel], wanted, other, background);
        QVERIFY(std::abs(amounts.voxels<float>()[pixel] - expected) <=
                1e-5 * std::max(1.0, std::abs(expected)));
      }
      QVERIFY(sum_of_channel(id).background == background);
    }
  }

  void a_white_background_is_not_written() {
    const Vec3 violet{0.5, 0.7, 0.4};
    const std::string white = stain_channel(violet, kDab);
    QCOMPARE(white, std::string("stain:0.5,0.7,0.4:0.27,0.57,0.78"));
    QCOMPARE(stain_channel(violet, kDab, {255, 255, 255}), white);
    const std::string tinted = stain_channel(violet, kDab, {243, 240, 255});
    QCOMPARE(tinted, white + ":243,240,255");
    QCOMPARE(channel_named(tinted).title, std::string("Stain 0.5 0.7 0.4"));
    // Written nevertheless, it changes nothing.
    std::vector<std::uint8_t> colors;
    for (int i = 0; i < 3000; ++i)
      colors.push_back(static_cast<std::uint8_t>(i * 7919 % 256));
    const Volume own = channel_of(picture(colors), white);
    const Volume written = channel_of(picture(colors), white + ":255,255,255");
    QVERIFY(std::ranges::equal(own.bytes(), written.bytes()));
    QVERIFY_EXCEPTION_THROWN((void)stain_channel(violet, kDab, {243, 0, 245}), InputError);
    QVERIFY(parse_background("243,240,255") == Rgb({243, 240, 255}));
  }

  void stains_that_cannot_be_read_or_told_apart_are_refused() {
    for (const char* id : {"stain:",
                           "stain:1,2,3",
                           "stain:1,2,3:",
                           "stain:1,2,3:4,5",
                           "stain:1,2,3:4,5,6,7",
                           "stain:1,2,3:4,5,x",
                           "stain:1,2,nan:4,5,7",
                           "stain:1,2,3:4,5,inf",
                           "stain:1,2,3:1e9,1,1",
                           "stain: 1,2,3:4,5,7",
                           "stain:0,0,0:1,2,3",
                           "stain:1,2,3:0,0,0",
                           "stain:1,2,3:2,4,6",
                           "stain:1,2,3:1,2,3.01",
                           "Stain:1,2,3:3,2,1",
                           "stain:1,2,3:3,2,1:",
                           "stain:1,2,3:3,2,1:240",
                           "stain:1,2,3:3,2,1:0,1,2",
                           "stain:1,2,3:3,2,1:256,1,1",
                           "stain:1,2,3:3,2,1:1,2,-3",
                           "stain:1,2,3:3,2,1:1,2,3,4",
                           "stain:1,2,3:3,2,1:1.5,2,3",
                           "stain:1,2,3:3,2,1:1,2,3:",
                           "stain:1,2,3:3,2,1,1,2,3"}) {
      QVERIFY2(!find_channel(id), id);
      QVERIFY_EXCEPTION_THROWN((void)channel_of(picture({1, 2, 3}), id), InputError);
      QVERIFY_EXCEPTION_THROWN((void)type_of_channel(id), InputError);
    }
    QVERIFY(find_channel("stain:1,2,3:3,2,1").has_value());
  }

  void white_glass_holds_no_stain_and_black_is_finite() {
    const auto amount = channel_of(picture({255, 255, 255, 0, 0, 0}), "hematoxylin");
    QCOMPARE(amount.voxels<float>()[0], 0.0F);
    QVERIFY(std::isfinite(amount.voxels<float>()[1]));
  }

  void refuses_what_is_no_colour_picture_and_unknown_names() {
    Geometry geometry;
    geometry.size = {1, 1, 1};
    QVERIFY_EXCEPTION_THROWN(
        static_cast<void>(channel_of(Volume(geometry, std::vector<std::uint8_t>(1)), "gray")),
        InputError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(channel_of(picture({1, 2, 3}), "pink")), InputError);
  }

  void every_listed_channel_can_be_taken() {
    for (const Channel& channel : channels()) {
      QCOMPARE(channel_of(picture({10, 20, 30}), channel.id).components(), 1);
    }
  }
};

}  // namespace seedwave

QTEST_GUILESS_MAIN(seedwave::TestChannel)
#include "test_channel.moc"
