// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/formats/byte_source.h"
#include "core/io/labels.h"
#include "core/io/region_file.h"
#include "core/io/save.h"
#include "core/io/seed_json.h"

#include <string_view>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// Largest file: some five million points; a day of painting makes some ten thousand.
constexpr std::int64_t kMostSeedBytes = std::int64_t{256} << 20;
/// Number of voxels that drawing the strokes may examine: some ten seconds.
constexpr double kMostWork = 2e9;

enum class Space {
  LpsMm,
  SlideUm,
  Index,
  Level0,
  /// Pixels on a 2-D image with a scale: points and radius are converted.
  ScaledPixels,
};

/// `pixels`: the grid that pixels of level 0 refer to.
Space read_space(const JsonPlace& root, const Geometry& grid, const Geometry& pixels) {
  const JsonPlace place = root.at("space");
  const std::string name = place.text();
  const bool has_grid = grid.voxel_count() > 0;
  const bool on_slide = has_grid && grid.unit == LengthUnit::Micrometre;
  if (name == "LPS-mm") {
    if (on_slide) place.fail("is 'LPS-mm', but this is a slide: level0-px or slide-um");
    return Space::LpsMm;
  }
  if (name == "slide-um") {
    if (has_grid && !on_slide) place.fail("is 'slide-um', but this is no slide");
    return Space::SlideUm;
  }
  if (name == "index") {
    if (!has_grid) place.fail("is 'index', which needs the image to which the indices refer");
    return Space::Index;
  }
  if (name == "level0-px") {
    if (!has_grid || grid.unit == LengthUnit::Pixel) return Space::Level0;
    if (!grid.planar) {
      place.fail("is 'level0-px', pixels of a slide or image, but this image is in millimetres");
    }
    if (pixels.spacing[0] != pixels.spacing[1]) {
      place.fail("is 'level0-px', but the pixels of the image are not square");
    }
    return Space::ScaledPixels;
  }
  place.fail("must be LPS-mm, slide-um, index or level0-px");
}

/// Throws for strokes that are valid one by one but would take hours to draw, such as a million
/// points with the largest brush. Checked here, where the file can be named.
void refuse_endless_work(const SeedSet& seeds, const Geometry& grid, const std::string& file) {
  if (grid.voxel_count() <= 0) return;
  double work = 0.0;
  for (std::size_t i = 0; i < seeds.strokes.size(); ++i) {
    work += rasterise_cost(seeds.strokes[i], grid);
    if (work <= kMostWork) continue;
    throw InputError(file + ": strokes[" + std::to_string(i) +
                     "] has too many points for its radius: drawing it would take very long; paint "
                     "large regions with fewer points");
  }
}

}  // namespace

SeedFile load_seeds(const fs::path& path, const Geometry& grid, const Geometry& level0) {
  const nlohmann::json document = parse_json(read_text(path, kMostSeedBytes), path.string());
  const JsonPlace root(document, path.string());
  const JsonPlace kind = root.at("kind");
  if (kind.text() == "session")
    root.fail("is a session: open it in the window, and export its seeds");
  if (kind.text() != "seeds") kind.fail("must be 'seeds'");
  (void)root.at("seedwave").integer(1, 1);
  const Geometry& pixels = level0.voxel_count() > 0 ? level0 : grid;
  const Space space = read_space(root, grid, pixels);

  SeedFile file;
  file.unit = space == Space::LpsMm     ? LengthUnit::Millimetre
              : space == Space::SlideUm ? LengthUnit::Micrometre
              : space == Space::Level0  ? LengthUnit::Pixel
                                        : grid.unit;
  StrokeForm form;
  if (file.unit != LengthUnit::Millimetre || space == Space::ScaledPixels)
    form = {kLargestRadiusPixels, 2};
  if (const auto labels = root.find("labels")) file.labels = labels_from_json(*labels);
  file.seeds = strokes_from_json(root.at("strokes"), form);
  if (space == Space::Index || space == Space::ScaledPixels) {
    const Geometry& counted = space == Space::Index ? grid : pixels;
    for (Stroke& stroke : file.seeds.strokes) {
      if (space == Space::ScaledPixels) stroke.radius_mm *= pixels.spacing[0];
      for (Vec3& point : stroke.points)
        point = counted.to_world(point);
    }
  }
  refuse_endless_work(file.seeds, grid, path.string());
  return file;
}

void save_seeds(OutputSet& outputs, const fs::path& path, const SeedFile& file) {
  // A name that is not UTF-8 must not prevent saving the strokes.
  const auto text_of = [](const nlohmann::json& value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  // One stroke per line, for people and for version control.
  std::string text = R"({"seedwave": 1, "kind": "seeds", "space": )";
  text += file.unit == LengthUnit::Pixel        ? R"("level0-px",)"
          : file.unit == LengthUnit::Micrometre ? R"("slide-um",)"
                                                : R"("LPS-mm",)";
  text += "\n \"labels\": " + text_of(labels_to_json(file.labels)) + ",\n \"strokes\": [";
  const char* separator = "\n  ";
  for (const nlohmann::json& stroke : strokes_to_json(file.seeds.strokes)) {
    text += separator + text_of(stroke);
    separator = ",\n  ";
  }
  outputs.add(path, text + "]}\n");
}

void save_seeds(const fs::path& path, const SeedFile& file) {
  OutputSet outputs;
  save_seeds(outputs, path, file);
  outputs.commit();
}

bool is_seed_file(const fs::path& path) {
  if (is_region_file(path)) return false;
  const auto head = read_head(path, 4096);
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  // Space and a byte order mark may come first. No supported image starts with a brace.
  const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && text[first] == '{';
}

}  // namespace seedwave::io
