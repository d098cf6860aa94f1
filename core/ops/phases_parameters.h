// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/texture/phases.h"

#include <cstdint>

/// What the operations have in common that read a picture as phases, or divide it into some.
namespace seedwave {

/// `stains`: what tells colours apart.
[[nodiscard]] Parameter stains_parameter();
[[nodiscard]] Stains stains_of(const Values& values);

/// `phases`: how many; auto: the image's own where it has any.
[[nodiscard]] Parameter phases_parameter();

/// The phases that an operation with these two parameters reads.
struct PhasesRead {
  LabelMap labels;
  std::int64_t count = 1;
  /// `phases` is the number used, where the image was divided.
  Values values;
};

/// auto: an image of whole numbers from 0 to kMostPhases, not all 0, is phases; any other is
/// divided into 4. A number: divided into so many, or as many as there are different values.
/// What was made last is kept for the next run. Throws what phases() throws.
[[nodiscard]] PhasesRead read_phases(const Volume& image, const Values& values, Context& context);

}  // namespace seedwave
