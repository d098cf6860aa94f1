// SPDX-License-Identifier: Apache-2.0
//
// Slides written here, whose pixels are known: any box of any level, views, damage, hostile files.
#include "core/image/channel.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "core/io/slides/pyramid_writer.h"
#include "core/io/slides/slide.h"
#include "core/io/slides/slide_item.h"
#include "tests/core/io/io_fixture.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <tiffio.h>
#include <vector>

using namespace seedwave;

namespace {

namespace fs = std::filesystem;

/// Pixels of a level, components together.
struct Level {
  std::int64_t width = 0;
  std::int64_t height = 0;
  int components = 1;
  std::vector<std::int64_t> values;

  [[nodiscard]] std::int64_t at(std::int64_t x, std::int64_t y, int c) const {
    return values[static_cast<std::size_t>((y * width + x) * components + c)];
  }
};

Level random_level(std::mt19937& random, std::int64_t width, std::int64_t height, int components,
                   std::int64_t most) {
  Level level{width, height, components, {}};
  for (std::int64_t i = 0; i < width * height * components; ++i)
    level.values.push_back(std::uniform_int_distribution<std::int64_t>(0, most)(random));
  return level;
}

/// The next level by its definition: the mean of the pixels of each square that exist, where one at
/// the end stands for the missing one beside it.
Level halved(const Level& from, io::PyramidLevels how) {
  Level to{(from.width + 1) / 2, (from.height + 1) / 2, from.components, {}};
  for (std::int64_t y = 0; y < to.height; ++y) {
    for (std::int64_t x = 0; x < to.width; ++x) {
      for (int c = 0; c < from.components; ++c) {
        std::int64_t sum = 0;
        for (const auto& [dx, dy] : {std::pair{0, 0}, {1, 0}, {0, 1}, {1, 1}})
          sum += from.at(std::min(2 * x + dx, from.width - 1),
                         std::min(2 * y + dy, from.height - 1), c);
        to.values.push_back(how == io::PyramidLevels::First ? from.at(2 * x, 2 * y, c)
                                                            : (sum + 2) / 4);
      }
    }
  }
  return to;
}

template <typename T>
Volume volume_as(const Level& level, double spacing) {
  Geometry grid;
  grid.size = {level.width, level.height, 1};
  grid.spacing = {spacing, spacing, 1.0};
  grid.planar = true;
  return Volume(grid, std::vector<T>(level.values.begin(), level.values.end()), level.components);
}

/// Writes a pyramid through the writer, a row of tiles at a time.
template <typename T>
void write(const fs::path& file, const Level& level, io::PyramidSettings settings) {
  settings.width = level.width;
  settings.height = level.height;
  settings.components = level.components;
  settings.type = voxel_type_of<T>();
  io::OutputSet outputs;
  io::PyramidWriter writer(outputs, file, settings);
  Context context;
  std::int64_t row = 0;
  while (const std::int64_t rows = writer.next_rows()) {
    const auto values = level.width * level.components;
    Level band{level.width, rows, level.components, {}};
    band.values.assign(level.values.begin() + row * values,
                       level.values.begin() + (row + rows) * values);
    writer.write(volume_as<T>(band, 1.0), context);
    row += rows;
  }
  writer.finish(context);
  outputs.commit();
}

/// Returns whether a part has the pixels of its box, and the background outside the level.
bool agrees(const io::SlidePart& part, const Box& box, const Level& level,
            const io::SlideInfo& info) {
  const std::vector<double> values = test::values_of(part.pixels);
  std::size_t i = 0;
  for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
    for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x) {
      for (int c = 0; c < level.components; ++c, ++i) {
        const bool inside = x >= 0 && y >= 0 && x < level.width && y < level.height;
        const std::int64_t expected =
            inside ? level.at(x, y, c) : info.background[static_cast<std::size_t>(c)];
        if (values[i] != static_cast<double>(expected)) return false;
      }
    }
  }
  return i == values.size();
}

/// A page of a TIFF, uncompressed, in tiles of 16 or as one strip.
struct Page {
  std::int64_t width = 64;
  std::int64_t height = 64;
  int components = 1;
  bool is_reduced = false;
  std::string description{};
  int value = 0;
  std::vector<std::uint8_t> profile{};
  bool is_tiled = true;
};

void write_pages(const fs::path& file, const std::vector<Page>& pages) {
  TIFF* const tiff = TIFFOpen(file.c_str(), "w");
  for (const Page& page : pages) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(page.width));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(page.height));
    if (page.is_tiled) {
      TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
      TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
    } else {
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(page.height));
    }
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, page.components);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                 page.components == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    if (page.is_reduced) TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    if (!page.description.empty())
      TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, page.description.c_str());
    if (!page.profile.empty()) {
      TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(page.profile.size()),
                   page.profile.data());
    }
    const std::int64_t pixels = page.is_tiled ? 256 : page.width * page.height;
    std::vector<std::uint8_t> chunk(static_cast<std::size_t>(pixels * page.components),
                                    static_cast<std::uint8_t>(page.value));
    const auto bytes = static_cast<tmsize_t>(chunk.size());
    if (!page.is_tiled) TIFFWriteEncodedStrip(tiff, 0, chunk.data(), bytes);
    for (std::uint32_t i = 0; page.is_tiled && i < TIFFNumberOfTiles(tiff); ++i)
      TIFFWriteEncodedTile(tiff, i, chunk.data(), bytes);
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

}  // namespace

class TestSlides : public QObject {
  Q_OBJECT
 private slots:
  void any_box_of_any_level_has_its_pixels() {
    std::mt19937 random(1);
    const auto below = [&](std::int64_t most) {
      return std::uniform_int_distribution<std::int64_t>(0, most - 1)(random);
    };
    for (int run = 0; run < 60; ++run) {
      const bool deep = run % 3 == 1;
      const int components = run % 3 == 2 ? 3 : 1;
      const auto how = run % 2 == 0 ? io::PyramidLevels::Mean : io::PyramidLevels::First;
      std::vector<Level> levels{
          random_level(random, 1 + below(150), 1 + below(150), components, deep ? 65535 : 255)};
      const std::int64_t side = 16 + 16 * below(3);
      const fs::path file = folder_ / "pyramid.ome.tif";
      const io::PyramidSettings settings{.mpp = std::array{0.25, 0.5}, .levels = how, .tile = side};
      if (deep) {
        write<std::uint16_t>(file, levels[0], settings);
      } else {
        write<std::uint8_t>(file, levels[0], settings);
      }
      while (levels.back().width > side || levels.back().height > side)
        levels.push_back(halved(levels.back(), how));
      const auto slide = io::open_slide(file);
      if (levels.size() < 2) {
        QVERIFY(slide == nullptr);  // an image like any other
        continue;
      }
      QVERIFY(slide != nullptr);
      QCOMPARE(slide->info().levels.size(), levels.size());
      QCOMPARE((*slide->info().mpp)[0], 0.25);
      QCOMPARE((*slide->info().mpp)[1], 0.5);
      Context context;
      for (int box_number = 0; box_number < 20; ++box_number) {
        const auto number = static_cast<std::size_t>(below(std::ssize(levels)));
        const Level& level = levels[number];
        Box box{{below(level.width + 20) - 10, below(level.height + 20) - 10, 0}, {0, 0, 1}};
        box.hi[0] = box.lo[0] + 1 + below(level.width);
        box.hi[1] = box.lo[1] + 1 + below(level.height);
        const io::SlidePart part = slide->read(static_cast<int>(number), box, 0, context);
        QCOMPARE(part.damaged, std::int64_t{0});
        QVERIFY(agrees(part, box, level, slide->info()));
      }
    }
  }

  void a_part_lies_where_it_does_in_the_slide() {
    std::mt19937 random(2);
    const Level level = random_level(random, 200, 120, 1, 255);
    const fs::path file = folder_ / "part.ome.tif";
    write<std::uint8_t>(file, level, {.mpp = std::array{2.0, 2.0}, .tile = 64});
    Context context;
    const io::Item whole = io::find_item(file, "", context);
    QVERIFY(whole.kind == io::ItemKind::Slide);
    const io::LoadedImage image = io::load(
        io::with_view(whole, {.level = 0, .region = Box{{30, 40, 0}, {50, 60, 1}}}), context);
    const Geometry& grid = image.volume.geometry();
    QCOMPARE(grid.size, (Index3{20, 20, 1}));
    QVERIFY(grid.unit == LengthUnit::Micrometre);
    QCOMPARE(grid.spacing[0], 2.0);
    // The centre of pixel 30 lies 61 micrometres from the corner.
    QVERIFY(std::abs(grid.origin[0] - 61.0) < 1e-9);
    QCOMPARE(image.volume.value_at({0, 0, 0}), static_cast<double>(level.at(30, 40, 0)));
    // A level's pixel has the centre of its four.
    const Geometry half = io::with_view(whole, {.level = 1}).geometry;
    QVERIFY(std::abs(half.origin[0] - 2.0) < 1e-12);
  }

  void pixels_on_a_grid_are_found_on_their_level() {
    std::mt19937 random(4);
    const Level level = random_level(random, 2000, 1200, 1, 255);
    const fs::path file = folder_ / "levels.ome.tif";
    write<std::uint8_t>(file, level, {.mpp = std::array{2.0, 2.0}, .tile = 64});
    Context context;
    const io::Item whole = io::find_item(file, "", context);
    for (const int number : {0, 1, 2}) {
      for (const std::optional<Box> region :
           {std::optional<Box>(), std::optional(Box{{200, 400, 0}, {1000, 880, 1}})}) {
        const io::Item seen = io::with_view(whole, {.level = number, .region = region});
        const io::Item found = io::with_pixels_on(whole, seen.geometry);
        QCOMPARE(found.part, seen.part);
        QVERIFY(same_grid(found.geometry, seen.geometry));
        // The same places in millimetres, as other formats have them.
        QCOMPARE(io::with_pixels_on(whole, in_millimetres(seen.geometry)).part, seen.part);
      }
    }
    Geometry between = io::with_view(whole, {.level = 1}).geometry;
    between.origin[0] += between.spacing[0] / 2.0;
    QCOMPARE(io::with_pixels_on(whole, between).geometry.size, whole.slide->grid(0).size);
    Geometry beyond = io::with_view(whole, {.level = 1}).geometry;
    beyond.size[1] += 1;
    QCOMPARE(io::with_pixels_on(whole, beyond).geometry.size, whole.slide->grid(0).size);
    QCOMPARE(io::with_pixels_on(whole, {}).geometry.size, whole.slide->grid(0).size);
  }

  void a_channel_of_colours_is_made_as_they_are_read() {
    std::mt19937 random(5);
    const Level level = random_level(random, 400, 700, 3, 255);
    const fs::path file = folder_ / "colours.ome.tif";
    write<std::uint8_t>(file, level, {.mpp = std::array{1.0, 1.0}, .tile = 64});
    Context context;
    const io::Item whole = io::find_item(file, "", context);
    const Box part{{33, 101, 0}, {399, 690, 1}};
    for (const std::string channel : {"gray", "blue", "eosin"}) {
      for (const io::SlideView& view : {io::SlideView{.level = 0},
                                        {.level = 1, .region = part},
                                        {.mpp = 3.0, .region = part}}) {
        const Volume colours = io::load(io::with_view(whole, view), context).volume;
        io::SlideView of = view;
        of.of_colours = channel;
        const io::Item item = io::with_view(whole, of);
        QCOMPARE(item.components, 1);
        const Volume made = io::load(item, context).volume;
        const Volume expected = channel_of(colours, channel);
        QVERIFY(made.geometry().size == expected.geometry().size);
        QVERIFY(made.type() == expected.type());
        QVERIFY(std::ranges::equal(made.bytes(), expected.bytes()));
      }
    }
  }

  /// Formats that know no micrometres get millimetres; labels come back to the slide's grid.
  void other_formats_are_in_millimetres() {
    Geometry grid;
    grid.size = {30, 20, 1};
    grid.spacing = {0.5, 0.25, 1.0};
    grid.origin = {10.25, 20.125, 0.0};
    grid.unit = LengthUnit::Micrometre;
    grid.planar = true;
    std::vector<std::uint8_t> numbers(600);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<std::uint8_t>(i % 7);
    const LabelMap labels(grid, numbers);
    Context context;
    for (const char* name : {"labels.nrrd", "labels.mha", "labels.nii"}) {
      io::save_labels(folder_ / name, labels);
      const LabelMap read = io::read_labels(folder_ / name, context);
      QVERIFY(read.geometry().unit == LengthUnit::Millimetre);
      QVERIFY(std::abs(read.geometry().spacing[1] - 0.00025) < 1e-10);
      const auto fitted = io::fit_labels(read, grid);
      QVERIFY2(fitted, name);
      QVERIFY(same_grid(fitted->geometry(), grid));
      QVERIFY(fitted->labels() == labels.labels());
      Geometry moved = grid;
      moved.origin[0] += 1.0;
      QVERIFY(!io::fit_labels(read, moved));
    }
  }

  void a_scale_that_no_level_has_is_made_by_means() {
    std::mt19937 random(3);
    const Level level = random_level(random, 203, 117, 3, 255);
    const fs::path file = folder_ / "scale.ome.tif";
    write<std::uint8_t>(file, level, {.mpp = std::array{1.0, 1.0}, .tile = 128});
    Context context;
    const io::Item whole = io::find_item(file, "", context);
    QCOMPARE(whole.slide->levels.size(), std::size_t{2});
    // 10 micrometres a pixel at a magnification of 1: 6 a pixel are three of level 1.
    for (const io::SlideView& view : {io::SlideView{.mpp = 6.0}, {.magnification = 10.0 / 6.0}}) {
      const io::LoadedImage image = io::load(io::with_view(whole, view), context);
      const Level from = halved(level, io::PyramidLevels::Mean);
      QCOMPARE(image.volume.geometry().size, (Index3{34, 20, 1}));
      for (std::int64_t y = 0; y < 20; ++y) {
        for (std::int64_t x = 0; x < 34; ++x) {
          for (int c = 0; c < 3; ++c) {
            std::int64_t sum = 0;
            std::int64_t count = 0;
            for (std::int64_t v = 3 * y; v < std::min<std::int64_t>(3 * y + 3, 59); ++v) {
              for (std::int64_t u = 3 * x; u < std::min<std::int64_t>(3 * x + 3, 102); ++u) {
                sum += from.at(u, v, c);
                ++count;
              }
            }
            const double mean =
                std::floor(static_cast<double>(sum) / static_cast<double>(count) + 0.5);
            QCOMPARE(image.volume.value_at({x, y, 0}, c), mean);
          }
        }
      }
    }
    for (const io::SlideView& wrong : {io::SlideView{.level = 2},
                                       {.level = -1},
                                       {.region = Box{{0, 0, 0}, {204, 1, 1}}},
                                       {.channel = 1}})
      QVERIFY_EXCEPTION_THROWN((void)io::with_view(whole, wrong), UsageError);
  }

  void channels_are_read_one_by_one() {
    const std::string ome =
        "<OME><Image><Pixels SizeC=\"3\" SizeZ=\"1\" SizeT=\"1\" DimensionOrder=\"XYCZT\" "
        "PhysicalSizeX=\"500\" PhysicalSizeXUnit=\"nm\" PhysicalSizeY=\"0.5\"><Channel "
        "Name=\"DAPI\"/>"
        "<Channel/><Channel Name=\"Cy5\"/></Pixels></Image></OME>";
    const fs::path file = folder_ / "channels.ome.tif";
    // Large enough to be a slide by itself.
    const std::int64_t side = 8256;
    write_pages(file, {{side, side, 1, false, ome, 10},
                       {side, side, 1, false, "", 20},
                       {side, side, 1, false, "", 30}});
    const auto slide = io::open_slide(file);
    QVERIFY(slide != nullptr);
    QCOMPARE(slide->info().channels, (std::vector<std::string>{"DAPI", "channel 2", "Cy5"}));
    QCOMPARE((*slide->info().mpp)[0], 0.5);
    Context context;
    for (int channel = 0; channel < 3; ++channel) {
      const io::SlidePart part = slide->read(0, {{100, 100, 0}, {103, 101, 1}}, channel, context);
      QCOMPARE(part.pixels.value_at({1, 0, 0}), 10.0 * (channel + 1));
    }
    QVERIFY_EXCEPTION_THROWN((void)slide->read(0, {{0, 0, 0}, {1, 1, 1}}, 3, context), InputError);
    QVERIFY_EXCEPTION_THROWN((void)slide->read(1, {{0, 0, 0}, {1, 1, 1}}, 0, context), InputError);
  }

  void levels_that_disagree_are_ignored_with_a_word() {
    const fs::path file = folder_ / "disagree.tif";
    write_pages(
        file,
        {{128, 96, 3}, {64, 48, 3, true}, {64, 20, 3, true}, {32, 24, 1, true}, {16, 12, 3, true}});
    const auto slide = io::open_slide(file);
    QVERIFY(slide != nullptr);
    QCOMPARE(slide->info().levels.size(), std::size_t{3});
    QCOMPARE(slide->info().levels.back().width, std::int64_t{16});
    // And that there is no size of a pixel.
    QCOMPARE(slide->info().warnings.size(), std::size_t{3});
  }

  void pages_that_are_no_levels_stay_pictures() {
    const fs::path file = folder_ / "stack.tif";
    write_pages(file, {{64, 64}, {64, 64}, {64, 64}});
    QVERIFY(io::open_slide(file) == nullptr);
    Context context;
    QVERIFY(io::find_item(file, "", context).kind == io::ItemKind::Volume);
  }

  void the_colour_profile_is_kept() {
    const fs::path file = folder_ / "profile.tif";
    const std::vector<std::uint8_t> profile{9, 8, 7, 6, 5, 4, 3};
    write_pages(file, {{.width = 256, .components = 3, .profile = profile},
                       {.width = 128, .height = 32, .components = 3, .is_reduced = true}});
    const auto slide = io::open_slide(file);
    QVERIFY(slide != nullptr);
    QVERIFY(std::ranges::equal(slide->color_profile(), profile));
    write_pages(file, {{.width = 256, .components = 3},
                       {.width = 128, .height = 32, .components = 3, .is_reduced = true}});
    QVERIFY(io::open_slide(file)->color_profile().empty());
  }

  void a_picture_beside_the_levels_has_its_own_colour_profile() {
    const fs::path file = folder_ / "label.svs";
    const std::vector<std::uint8_t> profile{3, 1, 4, 1, 5};
    const std::string scanner = "Aperio Image Library v11.2.1 \r\n";
    write_pages(file, {{.width = 256, .components = 3, .description = scanner + "256x64"},
                       {.width = 128, .height = 32, .components = 3, .is_reduced = true},
                       {.width = 48,
                        .height = 32,
                        .components = 3,
                        .is_reduced = true,
                        .description = scanner + "label 48x32",
                        .value = 77,
                        .profile = profile,
                        .is_tiled = false}});
    const auto slide = io::open_slide(file);
    QVERIFY(slide != nullptr);
    Context context;
    const io::SlidePicture label = slide->picture("label", context);
    QCOMPARE(label.pixels.geometry().size[0], std::int64_t{48});
    QCOMPARE(label.color_profile, profile);
    QVERIFY(slide->color_profile().empty());
    QCOMPARE(test::input_error_of([&] { (void)slide->picture("macro", context); }),
             std::string("the slide has no picture 'macro'"));
  }

  void a_damaged_tile_is_background_and_counted() {
    std::mt19937 random(4);
    const Level level = random_level(random, 200, 120, 1, 255);
    const fs::path file = folder_ / "damaged.ome.tif";
    write<std::uint8_t>(file, level, {.tile = 64});
    std::string bytes = test::bytes_of_file(file);
    // The first tile lies behind the header of 16 bytes; random bytes do not compress.
    std::fill_n(bytes.begin() + 1016, 64, '\0');
    const fs::path damaged = folder_.put("damaged.tif", bytes);
    Context context;
    const auto slide = io::open_slide(damaged);
    const io::SlidePart part = slide->read(0, {{0, 0, 0}, {200, 120, 1}}, 0, context);
    QCOMPARE(part.damaged, std::int64_t{1});
    QVERIFY(!part.reason.empty());
    for (std::int64_t y = 0; y < 120; ++y) {
      for (std::int64_t x = 0; x < 200; ++x) {
        const bool lost = x < 64 && y < 64;
        QCOMPARE(part.pixels.value_at({x, y, 0}),
                 lost ? 0.0 : static_cast<double>(level.at(x, y, 0)));
      }
    }
  }

  void a_file_that_shrinks_while_it_is_open_is_damage() {
    std::mt19937 random(5);
    const fs::path file = folder_ / "shrinks.ome.tif";
    write<std::uint8_t>(file, random_level(random, 300, 300, 1, 255), {.tile = 64});
    const auto slide = io::open_slide(file);
    fs::resize_file(file, 4000);
    Context context;
    const io::SlidePart part = slide->read(0, {{0, 0, 0}, {300, 300, 1}}, 0, context);
    QCOMPARE(part.damaged, std::int64_t{25});
    QVERIFY(!part.reason.empty());
  }

  void wrong_bytes_never_do_harm() {
    std::mt19937 random(6);
    const fs::path file = folder_ / "whole.ome.tif";
    write<std::uint8_t>(file, random_level(random, 130, 90, 3, 255), {.tile = 32});
    const std::string whole = test::bytes_of_file(file);
    int opened = 0;
    int refused = 0;
    for (int run = 0; run < 600; ++run) {
      std::string bytes = whole;
      // Every other time among the directories, which lie behind the tiles.
      for (int change = 0; change < 3; ++change) {
        const std::size_t at = std::uniform_int_distribution<std::size_t>(
            run % 2 == 0 ? 0 : 2 * bytes.size() / 3, bytes.size() - 1)(random);
        bytes[at] = static_cast<char>(std::uniform_int_distribution<int>(0, 255)(random));
      }
      if (run % 5 == 0)
        bytes.resize(std::uniform_int_distribution<std::size_t>(0, bytes.size())(random));
      const fs::path changed = folder_.put("changed.tif", bytes);
      Context context;
      try {
        const auto slide = io::open_slide(changed);
        if (slide == nullptr) continue;
        ++opened;
        for (int level = 0; level < std::ssize(slide->info().levels); ++level)
          (void)slide->read(level, {{0, 0, 0}, {64, 64, 1}}, 0, context);
      } catch (const Error&) {
        ++refused;
      }
    }
    QVERIFY(opened > 50);
    QVERIFY(refused > 5);
  }

  void tiles_that_were_asked_for_last_are_kept() {
    const auto tile = [](int value) {
      Geometry grid;
      grid.size = {10, 10, 1};
      return Volume(grid, std::vector<std::uint8_t>(100, static_cast<std::uint8_t>(value)));
    };
    std::mt19937 random(7);
    io::TileCache cache(1050);
    std::vector<io::TileKey> recent;  // the last first
    for (int step = 0; step < 2000; ++step) {
      const int number = std::uniform_int_distribution<int>(0, 30)(random);
      const io::TileKey key{number % 2, 0, number, -number};
      const auto place = std::ranges::find(recent, key);
      const Volume found = cache.find(key);
      QCOMPARE(!found.empty(), place != recent.end());
      if (!found.empty()) QCOMPARE(found.value_at({0, 0, 0}), static_cast<double>(number));
      if (place != recent.end()) recent.erase(place);
      if (found.empty()) cache.add(key, tile(number));
      recent.insert(recent.begin(), key);
      if (recent.size() > 10) recent.pop_back();
      QCOMPARE(cache.bytes(), 100 * recent.size());
    }
    Geometry large;
    large.size = {100, 100, 1};
    cache.add({9, 9, 9, 9}, Volume(large, std::vector<std::uint8_t>(10000)));
    QVERIFY(cache.find({9, 9, 9, 9}).empty());
  }

  void values_of_every_type_come_back() {
    values_come_back<std::int16_t>({-300, 0, 301, 32767});
    values_come_back<std::int32_t>({-70'000, 0, 70'001, 2147483647});
    values_come_back<float>({-0.25F, 0.0F, 1.5F, 1e30F});
  }

  void numbers_beyond_two_bytes_stay_labels() {
    const std::vector<std::uint32_t> numbers{0, 1, 65'536, 2147483647};
    const LabelMap labels(plain_grid(), spread(numbers));
    const fs::path file = folder_ / "many.ome.tif";
    io::save_labels(file, labels);
    Context context;
    QVERIFY(io::read_labels(file, context).labels() == labels.labels());
    // The marker of an operation, which may be any image.
    QVERIFY(io::load_path(file, "", context).volume.type() == VoxelType::I32);

    const LabelMap beyond(plain_grid(), spread(std::vector<std::uint32_t>{0, 2147483648U}));
    io::save_labels(folder_ / "beyond.ome.tif", beyond);
    try {
      static_cast<void>(io::read_labels(folder_ / "beyond.ome.tif", context));
      QFAIL("no error");
    } catch (const InputError& error) {
      QVERIFY2(std::string(error.what()).find("beyond 2147483647") != std::string::npos,
               error.what());
    }
  }

  void labels_keep_their_numbers() {
    Geometry grid;
    grid.size = {1200, 700, 1};
    grid.spacing = {0.0005, 0.0005, 1.0};
    grid.planar = true;
    std::vector<std::uint16_t> numbers(1200 * 700);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<std::uint16_t>(i % 997);
    io::save_labels(folder_ / "labels.ome.tif", LabelMap(grid, numbers));
    const auto slide = io::open_slide(folder_ / "labels.ome.tif");
    QVERIFY(slide != nullptr);
    Context context;
    const io::SlidePart part = slide->read(1, {{0, 0, 0}, {600, 350, 1}}, 0, context);
    for (std::int64_t y = 0; y < 350; ++y) {
      for (std::int64_t x = 0; x < 600; ++x)
        QCOMPARE(part.pixels.value_at({x, y, 0}),
                 static_cast<double>(numbers[static_cast<std::size_t>(2 * y * 1200 + 2 * x)]));
    }
  }

 private:
  [[nodiscard]] static Geometry plain_grid() {
    Geometry grid;
    grid.size = {1100, 601, 1};
    grid.spacing = {0.0005, 0.0005, 1.0};
    grid.planar = true;
    return grid;
  }
  /// Returns values for the grid, in an order without blocks of one value.
  template <typename T>
  [[nodiscard]] static std::vector<T> spread(const std::vector<T>& values) {
    std::vector<T> all(static_cast<std::size_t>(plain_grid().voxel_count()));
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = values[i / 7 % values.size()];
    return all;
  }
  template <typename T>
  void values_come_back(const std::vector<T>& values) {
    const Volume volume(plain_grid(), spread(values));
    const fs::path file = folder_ / (std::string(name_of(volume.type())) + ".ome.tif");
    io::save_volume(file, volume);
    Context context;
    const io::Item item = io::find_item(file, "", context);
    QVERIFY(item.kind == io::ItemKind::Slide);
    const Volume read = io::load(io::with_view(item, {.level = 0}), context).volume;
    QVERIFY(read.type() == volume.type());
    QVERIFY(std::ranges::equal(read.bytes(), volume.bytes()));
    // A scale that no level has: the mean of four.
    const Volume half = io::load(io::with_view(item, {.level = 1}), context).volume;
    const Volume made = io::load(io::with_view(item, {.mpp = 1.5}), context).volume;
    QCOMPARE(made.geometry().size, (Index3{275, 151, 1}));
    for (const std::int64_t x : {0, 1, 2, 3, 4, 5, 6}) {
      double sum = 0.0;
      for (const std::int64_t v : {2, 3})
        sum += half.value_at({2 * x, v, 0}) + half.value_at({2 * x + 1, v, 0});
      const double mean = std::is_integral_v<T> ? std::floor((sum + 2.0) / 4.0) : sum / 4.0;
      QCOMPARE(made.value_at({x, 1, 0}), static_cast<double>(static_cast<T>(mean)));
    }
  }

  test::TemporaryFolder folder_;
};

QTEST_GUILESS_MAIN(TestSlides)
#include "test_slides.moc"
