// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/check_case.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/labels_from.h"
#include "core/io/formats/nifti.h"
#include "core/io/formats/npy.h"
#include "core/ops/place_text.h"
#include "core/texture/tpcf.h"
#include "research/bench/inputs.h"
#include "research/bench/mazes.h"
#include "research/bench/tissue.h"
#include "tests/support/random_numbers.h"
#include "tests/support/random_phases.h"
#include "tests/support/random_request.h"
#include "tests/support/random_segmentation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace seedwave::gpu_check {
namespace {

using test::RandomNumbers;

/// Sizes around one cell, a vector of 8, a batch of 8 loads, a warp.
constexpr std::array<std::int64_t, 12> kSizes = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 40};

/// Sizes around those of a plane's tiles, up to three of them.
constexpr std::array<std::int64_t, 10> kLongSizes = {1, 31, 32, 33, 63, 64, 65, 97, 128, 150};

/// Returns a 2-D size in one case of three; at least 8 cells, so that there is room for every
/// label's seeds.
Index3 random_size(RandomNumbers& random) {
  const bool planar = random.below(3) == 0;
  Index3 size{random.of(kSizes), random.of(kSizes), planar ? 1 : random.of(kSizes)};
  if (planar && random.below(2) == 0) size = {random.of(kLongSizes), random.of(kLongSizes), 1};
  while (size[0] * size[1] * size[2] < 8)
    size[static_cast<std::size_t>(random.below(planar ? 2 : 3))] += 4;
  return size;
}

std::string describe_case(std::uint64_t number, const CheckCase& c) {
  const Geometry& geometry = c.inputs.image.geometry();
  return "random " + std::to_string(number) + ", " + std::to_string(geometry.size[0]) + "x" +
         std::to_string(geometry.size[1]) + "x" + std::to_string(geometry.size[2]) + " " +
         std::string(name_of(c.inputs.image.type())) + ", " + c.values.word("connectivity") +
         "-connected" + (c.inputs.mask.empty() ? "" : ", mask");
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Reduces an image to two values. The upper one is sparse enough to be joined by long snakes,
/// through which a wave crawls.
Volume two_valued(const Volume& image, RandomNumbers& random) {
  return visit_voxels(image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    std::vector<Voxel> cells(voxels.size());
    for (Voxel& cell : cells)
      cell = static_cast<Voxel>(random.below(8) < 5 ? 7 : 0);
    return Volume(image.geometry(), std::move(cells));
  });
}

/// Changes the spacing to a different one along each axis, in one case of two.
Volume with_random_spacing(const Volume& image, RandomNumbers& random) {
  Geometry geometry = image.geometry();
  if (random.below(2) == 0) return image;
  constexpr std::array kSpacings{0.5, 0.7, 1.0, 2.5};
  for (double& spacing : geometry.spacing)
    spacing = random.of(kSpacings);
  return visit_voxels(image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return Volume(geometry, std::vector<Voxel>(voxels.begin(), voxels.end()));
  });
}

std::string random_place(const Index3& size, RandomNumbers& random) {
  const std::int64_t x = random.below(size[0]);
  return place_text({x, random.below(size[1])});
}

/// Returns a few cells of each of three labels.
SeedVoxels random_strokes(std::int64_t cells, RandomNumbers& random) {
  std::map<std::int64_t, Label> painted;
  for (int k = 0; k < 30; ++k)
    painted.emplace(random.below(cells), static_cast<std::uint16_t>(1 + k % 3));
  SeedVoxels strokes;
  for (const auto& [offset, label] : painted)
    strokes.seeds.push_back({offset, label});
  return strokes;
}

/// Gives all labels but the first numbers above 16 bits, some with equal halves.
void use_wide_labels(SeedVoxels& seeds) {
  constexpr std::array<Label, 3> kWide{65536, 65537, 4294967295};
  for (Seed& seed : seeds.seeds) {
    if (seed.label > 1) seed.label = kWide[(seed.label - 2) % kWide.size()];
  }
}

/// Returns balls of some labels, later ones over earlier ones.
LabelMap random_balls(const Geometry& geometry, RandomNumbers& random) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (int ball = 0; ball < 8; ++ball) {
    Index3 centre{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      centre[axis] = random.below(geometry.size[axis]);
    const std::int64_t radius = 1 + random.below(12);
    const auto label = static_cast<std::uint8_t>(random.below(4));
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      const Index3 at = geometry.index_of(i);
      std::int64_t square = 0;
      for (std::size_t axis = 0; axis < 3; ++axis)
        square += (at[axis] - centre[axis]) * (at[axis] - centre[axis]);
      if (square <= radius * radius) labels[static_cast<std::size_t>(i)] = label;
    }
  }
  return {geometry, std::move(labels)};
}

/// Gives all values of `segment` that are estimated otherwise, around the image's intensities.
void give_all_values(CheckCase& c, RandomNumbers& random) {
  const ValueRange range = value_range(c.inputs.image);
  const double width = std::max(1.0, range.high - range.low);
  std::string windows;
  std::string evidence;
  for (int label = 1; label <= 4; ++label) {
    const auto in_range = [&](std::int64_t of_eight) {
      return number_text(range.low + width * static_cast<double>(of_eight) / 8.0);
    };
    const std::string comma = label == 1 ? "" : ",";
    windows += comma + std::to_string(label) + "=" + in_range(random.below(9)) + ":" +
               number_text(width / 4) + ":" + number_text(width / 8);
    evidence += (label == 1 ? "" : ";") + std::to_string(label) + "=" + in_range(0) + ":" +
                in_range(8) + ":" + (label % 2 == 0 ? "2,0,-2" : "-3,1,2");
  }
  c.values.set("windows", windows);
  c.values.set("sigma_h", width / static_cast<double>(1 + random.below(8)));
  c.values.set("smooth_mm", static_cast<double>(random.below(3)) / 2);
  c.values.set("evidence", evidence);
  c.values.set("evidence_weight", 1.0);
  c.values.set("contrast", width / 8);
  c.values.set("band", 0.5 + static_cast<double>(random.below(8)) / 2);
  c.values.set("background", kAuto);
  c.values.set("clean_keep", random.below(2) == 0 ? "all" : "with-strokes");
  c.values.set("clean_outline_smooth", 0.0);
  c.values.set("connectivity", c.inputs.image.geometry().is_2d() ? "4" : "6");
}

/// Returns objects with a hole in one voxel of about 3000.
Volume few_holes(const Geometry& geometry) {
  RandomNumbers random(1);
  std::vector<std::uint8_t> objects(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::uint8_t& object : objects)
    object = random.below(3000) == 0 ? 0 : 1;
  return {geometry, std::move(objects)};
}

}  // namespace

CheckCase label_case(const Operation& operation, std::uint64_t number) {
  RandomNumbers random(number + 2'000'000);
  RunRequest request = test::random_request(operation, number);
  CheckCase c;
  c.operation = operation.id;
  c.inputs = std::move(request.inputs);
  c.inputs.image = with_random_spacing(c.inputs.image, random);
  const Geometry& geometry = c.inputs.image.geometry();
  c.name = "labels " + std::to_string(number) + ", " + std::to_string(geometry.size[0]) + "x" +
           std::to_string(geometry.size[1]) + "x" + std::to_string(geometry.size[2]);
  if (!c.inputs.mask.empty()) c.inputs.mask = c.inputs.mask.on_grid(geometry);
  const bool are_balls = random.below(3) != 0;
  if (operation.wants(InputKind::Labels)) {
    c.inputs.labels =
        are_balls ? random_balls(geometry, random) : c.inputs.labels.on_grid(geometry);
  }
  if (operation.id == "clean-labels" && are_balls) {
    const LabelMap balls = random_balls(geometry, random);
    const auto labels = balls.labels().as<std::uint8_t>();
    std::vector<std::uint8_t> speckled(labels.begin(), labels.end());
    for (int k = 0; k < geometry.voxel_count() / 50; ++k)
      speckled[static_cast<std::size_t>(random.below(geometry.voxel_count()))] =
          static_cast<std::uint8_t>(random.below(4));
    c.inputs.image = Volume(geometry, std::move(speckled));
  }
  if (operation.id != "segment" && random.below(3) == 0) c.inputs.seeds.seeds.clear();
  for (const auto& [id, value] : request.values) {
    const Parameter* const parameter = operation.find_parameter(id);
    // A band may not be wider than the image allows.
    if (id == "band" && std::holds_alternative<double>(value) && random.below(2) == 0) {
      c.values.set(id, 0.5 + static_cast<double>(random.below(8)) / 2);
    } else if (parameter != nullptr) {
      c.values.set(id, value);
    }
  }
  if (operation.id == "segment" && random.below(4) != 0) give_all_values(c, random);
  return c;
}

CheckCase random_case(std::uint64_t number) {
  RandomNumbers random(number);
  test::RandomSpec spec;
  spec.size = random_size(random);
  spec.type = random.of(kVoxelTypes);
  spec.labels = static_cast<int>(2 + random.below(3));
  spec.mask = random.below(2) == 0 ? test::WithMask::Yes : test::WithMask::No;
  spec.texture = random.below(3) == 0 ? test::Texture::Patches : test::Texture::Noise;
  test::RandomSegmentation made = test::random_segmentation(spec, number);
  CheckCase c;
  c.inputs.image = std::move(made.image);
  c.inputs.seeds = std::move(made.seeds);
  c.inputs.mask = std::move(made.mask);
  const bool snakes = spec.size[2] == 1 && random.below(4) == 0;
  if (snakes) c.inputs.image = two_valued(c.inputs.image, random);

  using Words = std::array<const char*, 3>;
  const std::string connectivity =
      spec.size[2] == 1 ? random.of(Words{"4", "8", "4"}) : random.of(Words{"6", "18", "26"});
  c.values.set("connectivity", connectivity);
  c.values.set("sigma_h", made.sigma_h);
  if (random.below(3) == 0) {
    c.values.set("object", "all");
  } else {
    c.values.set("object", static_cast<double>(1 + random.below(spec.labels)));
    c.values.set("m", made.m);
    c.values.set("sigma_o", made.sigma_o);
  }
  if (random.below(4) == 0) use_wide_labels(c.inputs.seeds);
  constexpr std::array kMarkers{"h-dome", "opening", "border"};
  constexpr std::array kDirections{"dilation", "erosion"};
  c.values.set("marker_from", snakes ? "border" : random.of(kMarkers));
  c.values.set("direction", random.of(kDirections));
  constexpr std::array kUnits{"mm", "voxel"};
  constexpr std::array kAnswers{"no", "yes"};
  c.values.set("units", random.of(kUnits));
  c.values.set("squared", random.of(kAnswers));
  c.values.set("h", static_cast<double>(random.below(8)));
  c.values.set("radius", static_cast<double>(random.below(4)));
  c.values.set("sigma", static_cast<double>(number % 6) / 2);
  if (spec.size[2] == 1) c.values.set("angle", static_cast<double>(number * 37 % 180));
  c.values.set("length", static_cast<double>(2 + number * 7 % 23));
  c.inputs.image = with_random_spacing(c.inputs.image, random);
  if (!c.inputs.mask.empty()) c.inputs.mask = c.inputs.mask.on_grid(c.inputs.image.geometry());
  if (random.below(2) == 0) c.inputs.requested.insert("nearest");
  c.name = describe_case(number, c);
  return c;
}

std::vector<CheckCase> phase_cases(std::uint64_t number) {
  RandomNumbers random(number + 1'000'000);
  const std::int64_t window = 4 + random.below(20);
  const Index3 size{window + random.below(160), window + random.below(60), 1};
  const LabelMap phases =
      test::random_phases(random, size[0], size[1], 2 + random.below(kMostPhases - 1));
  CheckCase c;
  c.name = "phases " + std::to_string(number);
  const auto cells = phases.labels();
  c.inputs.image =
      Volume(phases.geometry(), std::vector<std::uint16_t>(cells.begin(), cells.end()));
  if (random.below(2) == 0) c.inputs.seeds = random_strokes(std::ssize(cells), random);
  c.values.set("window", static_cast<double>(window));
  c.values.set("clusters", static_cast<double>(2 + random.below(4)));
  c.values.set("majority", static_cast<double>(random.below(4)));
  std::vector<CheckCase> cases;
  for (const char* operation : {"tpcf", "tissue", "look-alike"}) {
    cases.push_back(c);
    cases.back().operation = operation;
  }
  cases[0].inputs.requested.insert("image");
  cases[2].values.set("at", random_place(size, random));
  return cases;
}

CheckCase with_more_seeds(const CheckCase& before, std::uint64_t number) {
  RandomNumbers random(~number);
  CheckCase c = before;
  std::map<std::int64_t, Label> painted;
  for (const Seed& seed : before.inputs.seeds.seeds)
    painted[seed.offset] = seed.label;
  const std::int64_t cells = before.inputs.image.geometry().voxel_count();
  for (int k = 0; k < 3; ++k) {
    const std::int64_t place = random.below(cells);
    const bool outside =
        !c.inputs.mask.empty() && c.inputs.mask.labels()[static_cast<std::size_t>(place)] == 0;
    if (!outside) painted.emplace(place, static_cast<Label>(1 + random.below(2)));
  }
  c.inputs.seeds.seeds.clear();
  for (const auto& [offset, label] : painted)
    c.inputs.seeds.seeds.push_back({offset, label});
  c.name += ", more seeds";
  return c;
}

std::vector<CheckCase> painted_on(const CheckCase& before, std::uint64_t number) {
  std::vector<CheckCase> cases{before};
  const auto add = [&](CheckCase next, const char* what) {
    next.name = before.name + ", " + what;
    cases.push_back(std::move(next));
  };
  add(with_more_seeds(cases.back(), number), "seeds added");
  add(with_more_seeds(cases.back(), number + 1'000'000), "seeds added twice");
  if (cases.back().inputs.seeds.seeds.empty()) return cases;
  CheckCase less = cases.back();
  less.inputs.seeds.seeds.erase(less.inputs.seeds.seeds.begin() +
                                static_cast<std::ptrdiff_t>(less.inputs.seeds.seeds.size() / 2));
  add(std::move(less), "one seed taken away");
  if (cases.back().inputs.seeds.seeds.empty()) return cases;
  CheckCase repainted = cases.back();
  Label& label = repainted.inputs.seeds.seeds.back().label;
  label = label == 1 ? 2 : 1;
  add(std::move(repainted), "one seed of another label");
  add(with_more_seeds(cases.back(), number + 2'000'000), "seeds added at last");
  return cases;
}

Volume load_volume(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  const io::Format format = ends_with(name, ".npy") ? io::npy_format() : io::nifti_format();
  if (!std::filesystem::exists(file)) throw InputError(file.string() + " is missing");
  Context context;
  return format.load(format.scan(file).front(), {}, context).volume;
}

CheckCase case_from(const LabelledVolume& source) {
  CheckCase c;
  c.name = source.image.filename().string() + ", " +
           std::to_string(static_cast<int>(source.connectivity)) + "-connected" +
           (source.mask == LabelledVolume::Mask::Labels ? ", mask" : "");
  c.inputs.image = load_volume(source.image);
  const LabelMap labels = labels_from(load_volume(source.labels), source.labels.string(), [] {});
  if (labels.geometry().size != c.inputs.image.geometry().size) {
    throw InputError(source.labels.string() + " and " + source.image.string() + " differ in size");
  }
  const std::set<Label> wanted(source.seed_labels.begin(), source.seed_labels.end());
  std::vector<std::uint16_t> mask;
  std::map<Label, std::int64_t> counts;
  for (std::int64_t i = 0; i < c.inputs.image.geometry().voxel_count(); ++i) {
    const Label label = labels.labels()[static_cast<std::size_t>(i)];
    const bool takes_part = label != 0 && (wanted.empty() || wanted.contains(label));
    mask.push_back(takes_part ? 1 : 0);
    if (takes_part && counts[label]++ % source.one_in == 0) {
      c.inputs.seeds.seeds.push_back({i, label});
    }
  }
  if (counts.size() < 2) throw InputError(source.labels.string() + " has fewer than two labels");
  if (source.mask == LabelledVolume::Mask::Labels) {
    c.inputs.mask = LabelMap(c.inputs.image.geometry(), std::move(mask));
  }
  c.values.set("object", static_cast<double>(counts.begin()->first));
  c.values.set("connectivity", std::to_string(static_cast<int>(source.connectivity)));
  return c;
}

std::vector<CheckCase> larger_cases() {
  Context context;
  std::vector<CheckCase> cases(5);
  cases[0].name = "tissue 900 x 700";
  cases[0].inputs.image = bench::tissue({900, 700, 1}, 1.0, context);
  cases[1].name = "snake 300 x 300";
  cases[1].inputs.image = bench::snake(300);
  cases[2].name = "spiral 260 x 260";
  cases[2].inputs.image = bench::spiral(260);
  cases[3].name = "grey maze 260 x 260";
  cases[3].inputs.image = bench::maze(260, bench::Corridors::Grey);
  cases[4].name = "head 70 x 60 x 50";
  cases[4].inputs.image = bench::head({70, 60, 50}, context);
  for (CheckCase& c : cases) {
    const std::int64_t cells = c.inputs.image.geometry().voxel_count();
    c.inputs.seeds.seeds = {{0, 1}, {cells / 2, 2}, {cells - 1, 1}};
    c.values.set("sigma_h", 100.0);
    c.values.set("m", 200.0);
    c.values.set("sigma_o", 200.0);
  }
  for (const std::size_t corridor : {1U, 2U, 3U}) {
    CheckCase from_corner = cases[corridor];
    from_corner.name += ", from the corner";
    from_corner.operation = "reconstruct";
    from_corner.inputs.marker = bench::corner_marker(from_corner.inputs.image);
    cases.push_back(std::move(from_corner));
  }
  // Rows and columns that are longer than a multiprocessor's memory, rows between the narrow keys'
  // longest and their largest square, more rows than a launch has, slices of several bands.
  const auto add_holes = [&](const Geometry& geometry, const char* units) {
    const auto [nx, ny, nz] = geometry.size;
    CheckCase c;
    c.name = "holes in " + std::to_string(nx) + " x " + std::to_string(ny) + " x " +
             std::to_string(nz) + ", " + units;
    c.operation = "distance";
    c.values.set("units", units);
    c.inputs.image = few_holes(geometry);
    cases.push_back(std::move(c));
  };
  add_holes({.size = {30000, 70, 1}, .spacing = {0.5, 0.3, 1.0}}, "mm");
  add_holes({.size = {40, 60000, 1}, .spacing = {0.5, 0.3, 1.0}}, "mm");
  add_holes({.size = {46200, 40, 1}}, "voxel");
  add_holes({.size = {10, 70000, 2}}, "voxel");
  add_holes({.size = {10, 70000, 2}, .spacing = {0.5, 0.3, 1.0}}, "mm");
  add_holes({.size = {600, 500, 3}}, "voxel");
  return cases;
}

}  // namespace seedwave::gpu_check
