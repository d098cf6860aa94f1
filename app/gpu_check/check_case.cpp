// SPDX-License-Identifier: Apache-2.0
#include "app/gpu_check/check_case.h"

#include "core/base/error.h"
#include "core/io/formats/nifti.h"
#include "core/io/formats/npy.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <utility>

namespace seedwave::gpu_check {
namespace {

/// Whole numbers below `count` by a stated rule: the library's distributions differ by vendor.
class Dice {
 public:
  explicit Dice(std::uint64_t number) : engine_(number * 0x9E3779B97F4A7C15U + 1) {}
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(count));
  }
  template <typename T, std::size_t n>
  const T& of(const std::array<T, n>& choices) {
    return choices[static_cast<std::size_t>(below(n))];
  }

 private:
  std::mt19937_64 engine_;
};

/// Around one cell, a vector of 8, a batch of 8 loads, a warp.
constexpr std::array<std::int64_t, 12> kSizes = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 40};

/// A picture in one case of three; at least 8 cells, room for every label's seeds.
Geometry random_grid(Dice& dice) {
  Geometry geometry;
  const bool planar = dice.below(3) == 0;
  geometry.size = {dice.of(kSizes), dice.of(kSizes), planar ? 1 : dice.of(kSizes)};
  while (geometry.voxel_count() < 8)
    geometry.size[dice.below(planar ? 2 : 3)] += 4;
  return geometry;
}

/// Noise of few levels, in one case of three smoothed into patches, so that paths are long.
std::vector<int> random_levels(const Geometry& geometry, int count, Dice& dice) {
  std::vector<int> levels;
  const bool patches = dice.below(3) == 0;
  const std::int64_t nx = geometry.size[0];
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    int level = static_cast<int>(dice.below(count));
    if (patches && i >= nx && dice.below(5) != 0) {
      level = levels[static_cast<std::size_t>(dice.below(2) == 0 ? i - 1 : i - nx)];
    }
    levels.push_back(level);
  }
  return levels;
}

template <typename T>
Volume image_of(const Geometry& geometry, const std::vector<int>& levels, double first,
                double step) {
  std::vector<T> voxels;
  voxels.reserve(levels.size());
  for (const int level : levels)
    voxels.push_back(static_cast<T>(first + level * step));
  return Volume(geometry, std::move(voxels));
}

Volume random_image(const Geometry& geometry, int level_count, double step, Dice& dice,
                    double& first) {
  const std::vector<int> levels = random_levels(geometry, level_count, dice);
  switch (dice.below(4)) {
    case 0:
      first = 0.0;
      return image_of<std::uint8_t>(geometry, levels, first, step);
    case 1:
      first = -40.0;
      return image_of<std::int16_t>(geometry, levels, first, step);
    case 2:
      first = 65000.0;
      return image_of<std::uint16_t>(geometry, levels, first, step);
    default:
      first = -0.25;
      return image_of<float>(geometry, levels, first, step);
  }
}

using Painted = std::map<std::int64_t, std::uint16_t>;

SeedVoxels voxels_of(const Painted& painted) {
  SeedVoxels seeds;
  for (const auto& [offset, label] : painted)
    seeds.seeds.push_back({offset, label});
  return seeds;
}

Painted random_seeds(std::int64_t cells, int labels, Dice& dice) {
  Painted painted;
  const std::int64_t most = std::min<std::int64_t>(cells, labels + dice.below(6));
  while (static_cast<std::int64_t>(painted.size()) < most) {
    const auto count = static_cast<std::int64_t>(painted.size());
    const std::int64_t label = count < labels ? count + 1 : 1 + dice.below(labels);
    painted.emplace(dice.below(cells), static_cast<std::uint16_t>(label));
  }
  return painted;
}

/// A mask that keeps every label's seeds, so that none is left empty.
LabelMap random_mask(const Geometry& geometry, const Painted& painted, Dice& dice) {
  std::vector<std::uint16_t> mask;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    mask.push_back(dice.below(5) == 0 && !painted.contains(i) ? 0 : 1);
  }
  return LabelMap(geometry, std::move(mask));
}

std::string describe_case(std::uint64_t number, const CheckCase& c) {
  const Geometry& geometry = c.inputs.image.geometry();
  return "random " + std::to_string(number) + ", " + std::to_string(geometry.size[0]) + "x" +
         std::to_string(geometry.size[1]) + "x" + std::to_string(geometry.size[2]) + " " +
         std::string(name_of(c.inputs.image.type())) + ", " + c.values.word("connectivity") +
         "-connected" + (c.inputs.mask.empty() ? "" : ", mask");
}

LabelMap labels_from(const Volume& volume) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(volume.value_count()));
  visit_voxels(volume, [&](auto voxels) {
    std::transform(voxels.begin(), voxels.end(), labels.begin(),
                   [](auto value) { return static_cast<std::uint16_t>(value); });
  });
  return LabelMap(volume.geometry(), std::move(labels));
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

CheckCase random_case(std::uint64_t number) {
  Dice dice(number);
  const Geometry geometry = random_grid(dice);
  const auto level_count = static_cast<int>(dice.below(10) == 0 ? 1 : 2 + dice.below(5));
  const double step = dice.of(std::array{1.0, 7.0, 20.0});
  CheckCase c;
  double first = 0.0;
  c.inputs.image = random_image(geometry, level_count, step, dice, first);
  const auto labels = static_cast<int>(2 + dice.below(3));
  const Painted painted = random_seeds(geometry.voxel_count(), labels, dice);
  c.inputs.seeds = voxels_of(painted);
  if (dice.below(2) == 0) c.inputs.mask = random_mask(geometry, painted, dice);

  using Words = std::array<const char*, 3>;
  const std::string connectivity =
      geometry.is_2d() ? dice.of(Words{"4", "8", "4"}) : dice.of(Words{"6", "18", "26"});
  c.values.set("connectivity", connectivity);
  c.values.set("sigma_h", step * dice.of(std::array{0.25, 1.0, 3.0, 1000.0}));
  if (dice.below(3) == 0) {
    c.values.set("object", "all");
  } else {
    c.values.set("object", static_cast<double>(1 + dice.below(labels)));
    c.values.set("m", first + static_cast<double>(dice.below(level_count)) * step);
    c.values.set("sigma_o", step * dice.of(std::array{0.3, 1.0, 4.0, 1000.0}));
  }
  c.name = describe_case(number, c);
  return c;
}

CheckCase with_more_seeds(const CheckCase& before, std::uint64_t number) {
  Dice dice(~number);
  CheckCase c = before;
  Painted painted;
  for (const Seed& seed : before.inputs.seeds.seeds)
    painted[seed.offset] = seed.label;
  const std::int64_t cells = before.inputs.image.geometry().voxel_count();
  for (int k = 0; k < 3; ++k) {
    const std::int64_t place = dice.below(cells);
    const bool outside =
        !c.inputs.mask.empty() && c.inputs.mask.labels()[static_cast<std::size_t>(place)] == 0;
    if (!outside) painted.emplace(place, static_cast<std::uint16_t>(1 + dice.below(2)));
  }
  c.inputs.seeds = voxels_of(painted);
  c.name += ", more seeds";
  return c;
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
  const LabelMap labels = labels_from(load_volume(source.labels));
  if (labels.geometry().size != c.inputs.image.geometry().size) {
    throw InputError(source.labels.string() + " and " + source.image.string() + " differ in size");
  }
  const std::set<std::uint16_t> wanted(source.seed_labels.begin(), source.seed_labels.end());
  std::vector<std::uint16_t> mask;
  std::map<std::uint16_t, std::int64_t> counts;
  for (std::int64_t i = 0; i < c.inputs.image.geometry().voxel_count(); ++i) {
    const std::uint16_t label = labels.labels()[static_cast<std::size_t>(i)];
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

}  // namespace seedwave::gpu_check
