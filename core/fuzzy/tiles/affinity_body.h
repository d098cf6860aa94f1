// SPDX-License-Identifier: Apache-2.0
// Included by kernel_body.h: computes the affinities of 16 edges at a time.
#pragma once

#include "core/fuzzy/kappa.h"
#include "core/fuzzy/tiles/kernel.h"

namespace seedwave::fuzzy {
namespace {

Row load_greys(const std::uint16_t* greys) {
  return load(reinterpret_cast<const std::int16_t*>(greys));
}

/// Returns the affinities of 16 cells along x to the cells `offset` further on. As in kappa(), each
/// takes a single multiplication.
inline Row affinities_of_row(const Shell& shell, const float* homogeneity, int from, int offset) {
  Floats phi = no_floats();
  for (const auto& object : shell.objects) {
    const float* here = object.data() + from;
    phi = max(phi, min(load_floats(here), load_floats(here + offset)));
  }
  const std::uint16_t* grey = shell.grey.data() + from;
  const Row step = distance(load_greys(grey), load_greys(grey + offset));
  return truncated(product(looked_up(homogeneity, step), phi));
}

Level affinity_of_cell(const Shell& shell, const float* homogeneity, int from, int to) {
  float phi = 0.0F;
  for (const auto& object : shell.objects) {
    const float both = object[from] < object[to] ? object[from] : object[to];
    phi = phi < both ? both : phi;
  }
  const int f = shell.grey[from];
  const int g = shell.grey[to];
  return static_cast<Level>(quantised_affinity(homogeneity[f < g ? g - f : f - g], phi));
}

void affinity_row(const Shell& shell, const float* homogeneity, int from, int offset, int count,
                  Level* result) {
  int i = 0;
  for (; i + kSide <= count; i += kSide)
    store(result + i, affinities_of_row(shell, homogeneity, from + i, offset));
  for (; i < count; ++i)
    result[i] = affinity_of_cell(shell, homogeneity, from + i, from + i + offset);
}

void look_up(const std::uint16_t* grey, int count, const float* table, float* result) {
  int i = 0;
  for (; i + kSide <= count; i += kSide)
    store_floats(result + i, looked_up(table, load_greys(grey + i)));
  for (; i < count; ++i)
    result[i] = table[grey[i]];
}

void face_affinities(const Shell& shell, const float* homogeneity, int depth, bool along_z,
                     const FaceAffinities& result) {
  const auto row = [&](int y, int z, int offset) {
    return affinities_of_row(shell, homogeneity, shell_index(0, y, z), offset);
  };
  for (int z = 0; z < depth; ++z) {
    Row columns[kSide];
    for (int y = 0; y < kSide; ++y) {
      columns[y] = row(y, z, -1);
      store(result.y + z * kPlane + y * kSide, row(y, z, -kShellSide));
      const int beyond = shell_index(kSide, y, z);
      result.x_upper[z * kSide + y] = affinity_of_cell(shell, homogeneity, beyond, beyond - 1);
    }
    store(result.y_upper + z * kSide, row(kSide, z, -kShellSide));
    transpose(columns);
    for (int x = 0; x < kSide; ++x)
      store(result.x + z * kPlane + x * kSide, columns[x]);
  }
  if (depth == 1) return;
  for (int y = 0; y < kSide; ++y) {
    for (int z = 0; z <= depth; ++z) {
      Level* to = z < depth ? result.z + z * kPlane : result.z_upper;
      store(to + y * kSide, along_z ? row(y, z, -kShellPlane) : zero());
    }
  }
}

}  // namespace
}  // namespace seedwave::fuzzy
