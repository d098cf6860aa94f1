// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/texture/phases.h"

#include <cstdint>

/// Common parts of the operations that read an image as phases, or divide it into phases.
namespace seedwave {

/// Returns the parameter `stains`: the features that distinguish colours.
[[nodiscard]] Parameter stains_parameter();
[[nodiscard]] Stains stains_of(const Values& values);

/// Returns the parameter `phases`: the number of phases; auto: those of the image if it has any.
[[nodiscard]] Parameter phases_parameter();

/// The phases that an operation with these two parameters reads.
struct PhasesRead {
  LabelMap labels;
  std::int64_t count = 1;
  /// The values, with the number of phases used if the image was divided.
  Values values;
};

/// Reads the phases of an image. auto: an image of whole numbers from 0 to kMostPhases, not all 0,
/// is phases; any other is divided into 4. A number: the image is divided into that many, or into
/// as many as it has different values. The last result is cached for the next run. Throws the
/// errors of phases().
[[nodiscard]] PhasesRead read_phases(const Volume& image, const Values& values, Context& context);

}  // namespace seedwave
