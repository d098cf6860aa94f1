// SPDX-License-Identifier: Apache-2.0
#include "core/image/connectivity.h"
#include "core/morphology/reconstruction.h"
#include "core/morphology/watershed.h"
#include "gpu/morphology/papers/reconstruction.h"
#include "gpu/morphology/reconstruction.h"
#include "gpu/morphology/watershed.h"
#include "research/gpu_check/check_case.h"
#include "research/gpu_check/checks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu_check {
namespace {

/// Returns a marker with the image's value at the seeds and its lowest value elsewhere.
Volume marker_at(const SeedVoxels& seeds, const Volume& image) {
  return visit_voxels(image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    std::vector<Voxel> marker(voxels.size(), *std::ranges::min_element(voxels));
    for (const Seed& seed : seeds.seeds) {
      const auto cell = static_cast<std::size_t>(seed.offset);
      marker[cell] = voxels[cell];
    }
    return Volume(image.geometry(), std::move(marker));
  });
}

LabelMap map_of(const SeedVoxels& seeds, const Geometry& geometry) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (const Seed& seed : seeds.seeds)
    labels[static_cast<std::size_t>(seed.offset)] = static_cast<std::uint16_t>(seed.label);
  return LabelMap(geometry, std::move(labels));
}

struct Solver {
  const char* operation;
  const char* algorithm;
  bool (*agrees)(const CheckCase& c, Connectivity connectivity, Context& context);
};

template <Reconstruction (*on_device)(const ReconstructionProblem&, Context&)>
bool reconstructs(const CheckCase& c, Connectivity connectivity, Context& context) {
  const ReconstructionProblem problem{marker_at(c.inputs.seeds, c.inputs.image), c.inputs.image,
                                      connectivity};
  const Volume expected = reconstruct_by_scans(problem, context).image;
  const Volume got = on_device(problem, context).image;
  return std::ranges::equal(expected.bytes(), got.bytes());
}

bool floods(const CheckCase& c, Connectivity connectivity, Context& context) {
  const WatershedProblem problem{c.inputs.image, map_of(c.inputs.seeds, c.inputs.image.geometry()),
                                 c.inputs.mask, connectivity};
  return gpu::watershed_by_tiles(problem, context).labels() ==
         watershed_by_flood(problem, context).labels();
}

constexpr std::array kSolvers{
    Solver{"reconstruct", "tiles", reconstructs<gpu::reconstruct_by_tiles>},
    Solver{"reconstruct", "sr-gpu", reconstructs<gpu::reconstruct_by_line_scans>},
    Solver{"reconstruct", "fh-gpu", reconstructs<gpu::reconstruct_by_waves>},
    Solver{"watershed", "tiles", floods}};

}  // namespace

void compare_flat_volumes(int device, int cases, Report& report) {
  std::vector<CheckCase> images;
  for (std::uint64_t number = 0; std::ssize(images) < cases; ++number) {
    CheckCase c = random_case(number);
    if (c.inputs.image.geometry().is_2d()) images.push_back(std::move(c));
  }
  Context context({.device = device});
  for (const Solver& solver : kSolvers) {
    int compared = 0;
    int different = 0;
    for (const CheckCase& c : images) {
      for (const Connectivity connectivity :
           {Connectivity::C6, Connectivity::C18, Connectivity::C26}) {
        ++compared;
        if (!solver.agrees(c, connectivity, context)) ++different;
      }
    }
    report.rows.push_back({{"operation", solver.operation},
                           {"algorithm", solver.algorithm},
                           {"inputs", "one slice with 6, 18 and 26 neighbours"},
                           {"cases", compared},
                           {"different", different}});
    if (different == 0) continue;
    report.failures.push_back(std::string(solver.operation) + " (" + solver.algorithm +
                              "): " + std::to_string(different) +
                              " images with the neighbours of volumes came out wrong");
  }
}

}  // namespace seedwave::gpu_check
