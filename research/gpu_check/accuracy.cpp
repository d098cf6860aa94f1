// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/checks.h"
#include "research/gpu_check/comparison.h"
#include "tests/support/random_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace seedwave::gpu_check {
namespace {

using test::RandomNumbers;

/// Maximum error of an approximate distance, in pixels, as allowed for the CPU's too.
constexpr double kMostError = 0.09;
/// Tolerance for rounding in sums and roots.
constexpr double kRounding = 1e-4;

CheckCase distance_case(std::string name, const Index3& size, std::vector<std::uint8_t> voxels) {
  CheckCase c;
  c.operation = "distance";
  c.name = std::move(name);
  Geometry geometry;
  geometry.size = size;
  geometry.unit = LengthUnit::Pixel;
  c.inputs.image = Volume(geometry, std::move(voxels));
  c.values.set("units", "voxel");
  return c;
}

/// An image with few background pixels, so that distances are long and zones thin.
CheckCase sparse_case(std::uint64_t number) {
  constexpr std::array<std::int64_t, 8> kSizes = {1, 31, 64, 65, 97, 128, 200, 257};
  RandomNumbers random(number);
  const Index3 size{random.of(kSizes), random.of(kSizes), 1};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(size[0] * size[1]), 1);
  const std::int64_t points = 1 + random.below(40);
  for (std::int64_t k = 0; k < points; ++k)
    voxels[static_cast<std::size_t>(random.below(std::ssize(voxels)))] = 0;
  return distance_case("sparse", size, std::move(voxels));
}

/// Figure 3 of Teodoro et al. 2013, after Cuisenaire and Macq: the pixel at (0, 0) is 13 from the
/// background pixel B at (5, 12), but all its neighbours are nearer to A or C.
CheckCase paper_case() {
  const Index3 size{14, 14, 1};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(size[0] * size[1]), 1);
  for (const auto& [x, y] : {std::pair{5, 12}, std::pair{1, 13}, std::pair{7, 11}})
    voxels[static_cast<std::size_t>(x + y * size[0])] = 0;
  return distance_case("the paper's example", size, std::move(voxels));
}

struct Errors {
  std::int64_t images = 0;
  std::int64_t pixels = 0;
  std::int64_t too_large = 0;
  std::int64_t too_small = 0;
  double largest = 0.0;

  void add(std::span<const float> exact, std::span<const float> got) {
    ++images;
    pixels += std::ssize(exact);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      if (exact[i] == got[i]) continue;
      const double error = static_cast<double>(got[i]) - static_cast<double>(exact[i]);
      too_large += error > 0.0 ? 1 : 0;
      too_small += error < -kRounding || std::isnan(error) ? 1 : 0;
      largest = std::max(largest, error);
    }
  }
};

}  // namespace

Report check_accuracy(const OperationTable& table, const AccuracyOptions& options) {
  Report report;
  const Operation& operation = table.at("distance");
  const Implementation* const exact = find_reference(operation);
  std::vector<CheckCase> cases{paper_case()};
  for (int k = 0; k < options.random_cases; ++k)
    cases.push_back(sparse_case(static_cast<std::uint64_t>(k)));
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.exactness == Exactness::Exact) continue;
    std::map<std::string, Errors> errors;
    for (const CheckCase& c : cases) {
      const Outcome expected = run(operation, *exact, c, {});
      const Outcome got = run(operation, implementation, c, {options.device});
      errors[c.name].add(std::get<Volume>(expected.result.outputs.at("image")).voxels<float>(),
                         std::get<Volume>(got.result.outputs.at("image")).voxels<float>());
    }
    for (const auto& [inputs, found] : errors) {
      report.rows.push_back({{"operation", operation.id},
                             {"algorithm", implementation.algorithm},
                             {"on", name_of(implementation.backend)},
                             {"inputs", inputs},
                             {"images", found.images},
                             {"pixels", found.pixels},
                             {"too_large", found.too_large},
                             {"largest_error", found.largest}});
      const std::string name = implementation.algorithm + " on " + name_of(implementation.backend);
      if (found.too_small > 0) {
        report.failures.push_back(name + ": " + std::to_string(found.too_small) +
                                  " distances are too small");
      }
      if (found.largest > kMostError) {
        report.failures.push_back(name + ": a distance is off by " + std::to_string(found.largest));
      }
    }
  }
  return report;
}

}  // namespace seedwave::gpu_check
