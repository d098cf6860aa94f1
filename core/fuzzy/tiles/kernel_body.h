// SPDX-License-Identifier: Apache-2.0
// Included once by each kernel_*.cpp, after its Row and inside its instruction set. Everything here
// has internal linkage, so the linker cannot mix code for different processors.
#pragma once

#include "core/fuzzy/tiles/affinity_body.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/fuzzy/tiles/label_body.h"
#include "core/fuzzy/tiles/strength_body.h"

namespace seedwave::fuzzy {
namespace {

constexpr TileKernel make_kernel(const char* name) {
  return {.name = name,
          .affinity_row = affinity_row,
          .look_up = look_up,
          .face_affinities = face_affinities,
          .apply_face = apply_face,
          .make_offers = make_offers,
          .gain_of_face = gain_of_face,
          .settle = settle,
          .optimal_edges = optimal_edges,
          .face_edges = face_edges,
          .side_of = side_of,
          .take_sides = take_sides,
          .renew_sides = renew_sides,
          .can_take = can_take,
          .flood = flood,
          .label_row = label_row};
}

}  // namespace
}  // namespace seedwave::fuzzy
