// SPDX-License-Identifier: Apache-2.0
#include "app/gpu_check/head_case.h"

#include "tests/bench/inputs.h"

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

}  // namespace seedwave::gpu_check
