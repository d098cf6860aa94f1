// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/head_case.h"

#include "research/bench/inputs.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace seedwave::gpu_check {

CheckCase head_case(const Volume& head, const SeedVoxels& seeds, const std::string& seeding,
                    int connectivity) {
  const Geometry& geometry = head.geometry();
  CheckCase c;
  c.name = "head " + std::to_string(geometry.size[0]) + "x" + std::to_string(geometry.size[1]) +
           "x" + std::to_string(geometry.size[2]) + ", " + seeding;
  c.inputs.image = head;
  c.inputs.seeds = seeds;
  c.values.set("m", bench::kHeadM);
  c.values.set("sigma_o", bench::kHeadSigmaO);
  c.values.set("sigma_h", bench::kHeadSigmaH);
  if (connectivity != 0) {
    c.values.set("connectivity", std::to_string(connectivity));
    c.name += ", " + std::to_string(connectivity) + " neighbours";
  } else if (geometry.is_2d()) {
    c.values.set("connectivity", "4");
  }
  return c;
}

std::vector<CheckCase> added_strokes(const CheckCase& c) {
  constexpr std::int64_t kLength = 100;
  struct AddedStroke {
    const char* name;
    std::uint16_t label;
    double x, y, z;  // its centre, as a fraction of the head
    bool along_x;
  };
  constexpr std::array kStrokes{AddedStroke{"+ object", 1, 0.62, 0.5, 0.5, false},
                                AddedStroke{"+ background", 2, 0.5, 0.8, 0.5, true},
                                AddedStroke{"+ correction", 2, 0.4, 0.45, 0.4, true},
                                AddedStroke{"+ object elsewhere", 1, 0.35, 0.6, 0.7, false}};
  std::vector<CheckCase> cases;
  for (const AddedStroke& stroke : kStrokes) {
    CheckCase with = c;
    with.name += std::string(" ") + stroke.name;
    const Geometry& geometry = c.inputs.image.geometry();
    const auto place = [&](double share, std::size_t axis) {
      return static_cast<std::int64_t>(share * static_cast<double>(geometry.size[axis]));
    };
    std::map<std::int64_t, Label> painted;
    for (const Seed& seed : c.inputs.seeds.seeds)
      painted[seed.offset] = seed.label;
    for (std::int64_t k = -kLength / 2; k < kLength / 2; ++k) {
      Index3 at{place(stroke.x, 0), place(stroke.y, 1), place(stroke.z, 2)};
      at[stroke.along_x ? 0 : 1] += k;
      if (geometry.contains(at)) painted.emplace(geometry.offset(at), stroke.label);
    }
    with.inputs.seeds.seeds.clear();
    for (const auto& [offset, label] : painted)
      with.inputs.seeds.seeds.push_back({offset, label});
    cases.push_back(std::move(with));
  }
  return cases;
}

}  // namespace seedwave::gpu_check
