// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"
#include "core/morphology/flat_morphology.h"
#include "core/morphology/regional_maxima.h"
#include "research/bench/inputs.h"
#include "research/bench/normal.h"
#include "research/bench/timing.h"
#include "research/bench/tissue.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::bench {
namespace {

constexpr std::int64_t kHalfWindow = 7;
constexpr int kDark = 140;
constexpr std::uint64_t kCellsPerMarker = 961;
constexpr std::int64_t kMostLabels = 65535;

/// Applies one pass of 1 4 6 4 1 along a line, of variance 1; the ends are repeated. Scaled by 64.
void smooth_line(int* first, std::int64_t stride, std::int64_t length) {
  std::vector<int> line(static_cast<std::size_t>(length + 4));
  for (std::int64_t i = 0; i < length + 4; ++i)
    line[static_cast<std::size_t>(i)] =
        first[stride * std::clamp<std::int64_t>(i - 2, 0, length - 1)];
  for (std::int64_t i = 0; i < length; ++i) {
    const int* at = line.data() + i;
    first[stride * i] = (at[0] + 4 * at[1] + 6 * at[2] + 4 * at[3] + at[4] + 8) / 16;
  }
}

/// Returns the image with dark nuclei, smoothed by sigma 2: four passes, in integers.
Volume smoothed(const Volume& image) {
  const Index3 size = image.geometry().size;
  std::vector<int> cells;
  for (const std::uint8_t value : image.voxels<std::uint8_t>())
    cells.push_back(64 * (255 - value));
  for (int pass = 0; pass < 4; ++pass) {
    for (std::int64_t y = 0; y < size[1]; ++y)
      smooth_line(cells.data() + y * size[0], 1, size[0]);
    for (std::int64_t x = 0; x < size[0]; ++x)
      smooth_line(cells.data() + x, size[0], size[1]);
  }
  std::vector<std::uint8_t> voxels;
  voxels.reserve(cells.size());
  for (const int cell : cells)
    voxels.push_back(static_cast<std::uint8_t>((cell + 32) / 64));
  return Volume(image.geometry(), std::move(voxels));
}

std::uint16_t label_of(std::int64_t number) {
  return static_cast<std::uint16_t>(1 + number % kMostLabels);
}

/// Returns the dark minima of squares, with a marker for each connected one.
Volume minima(const Volume& image, Context& context) {
  const Geometry& grid = image.geometry();
  const Volume lowest =
      eroded(image, FlatElement::box({kHalfWindow, kHalfWindow, 0}, grid), context);
  const auto f = image.voxels<std::uint8_t>();
  const auto least = lowest.voxels<std::uint8_t>();
  std::vector<std::uint8_t> found;
  for (std::size_t i = 0; i < f.size(); ++i)
    found.push_back(f[i] == least[i] && f[i] < kDark ? 1 : 0);
  const Volume objects(grid, std::move(found));
  const NumberedMaxima components = regional_maxima(objects, objects, Connectivity::C8, context);
  std::vector<std::uint16_t> labels;
  for (const std::uint32_t number : components.numbers)
    labels.push_back(number == NumberedMaxima::kNone ? std::uint16_t{0} : label_of(number - 1));
  return Volume(grid, std::move(labels));
}

/// Returns a marker in one of so many cells, selected by a hash.
Volume scattered(const Geometry& grid) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(grid.voxel_count()));
  std::int64_t number = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (hash(i) % kCellsPerMarker == 0) labels[i] = label_of(number++);
  }
  return Volume(grid, std::move(labels));
}

Volume flat_noise(const Geometry& grid) {
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()));
  for (std::size_t i = 0; i < voxels.size(); ++i)
    voxels[i] = static_cast<std::uint8_t>(hash(~i) >> 56);
  return Volume(grid, std::move(voxels));
}

Volume of_seeds(const Geometry& grid, const SeedVoxels& seeds) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(grid.voxel_count()));
  for (const Seed& seed : seeds.seeds)
    labels[static_cast<std::size_t>(seed.offset)] = static_cast<std::uint16_t>(seed.label);
  return Volume(grid, std::move(labels));
}

TimedCase case_of(const Operation& operation, const std::string& name, const Volume& image) {
  TimedCase timed;
  timed.name = name + " " + text_of_size(image.geometry().size);
  timed.digest = xxh64_digest(image.bytes());
  timed.request.operation = operation.id;
  timed.request.inputs.image = image;
  return timed;
}

}  // namespace

std::vector<TimedCase> watershed_cases(const Operation& operation, const Index3& size,
                                       Context& context) {
  const bool picture = size[2] == 1;
  if (operation.id == "split-objects" || operation.id == "clean-labels") {
    if (picture) {
      const Volume nuclei = nuclei_in_tissue(size, context);
      return {case_of(operation, "nuclei", nuclei)};
    }
    return {case_of(operation, "head tissue", head_tissue(size, context))};
  }
  std::vector<TimedCase> cases;
  const auto add = [&](const std::string& name, const Volume& image, const Volume& markers,
                       const char* connectivity) {
    cases.push_back(case_of(operation, name, image));
    cases.back().name += std::string(", ") + connectivity + " neighbours";
    cases.back().request.inputs.marker = markers;
    cases.back().request.values.set("connectivity", connectivity);
  };
  if (!picture) {
    const Volume image = head(size, context);
    add("head", image, of_seeds(image.geometry(), many_seeds(image)), "6");
    return cases;
  }
  const Volume image = smoothed(tissue(size, 1.0, context));
  const Volume markers = minima(image, context);
  add("tissue", image, markers, "4");
  add("tissue", image, markers, "8");
  const Volume some = scattered(image.geometry());
  add("noise", flat_noise(image.geometry()), some, "4");
  const Volume flat(image.geometry(),
                    std::vector<std::uint8_t>(static_cast<std::size_t>(image.value_count()), 7));
  add("plateau", flat, some, "4");
  return cases;
}

}  // namespace seedwave::bench
