// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <optional>

/// Images that an operation reads as phases, numbered from 1; 0 is none.
namespace seedwave {

/// The contents of such an image; see InputSpec::holds.
inline constexpr const char* kPhasesHeld = "phases";

/// Returns the number of phases if the image can be read as phases: one value per pixel, all whole
/// numbers from 0 to kMostPhases, and some above 0.
[[nodiscard]] std::optional<std::int64_t> phases_held(const Volume& image);

/// Returns the number of phases: the largest number in the image. Costs a pass over the image,
/// except for the one counted last. Throws InputError if that is not 1 .. kMostPhases, or if a
/// value is not a whole number from 0.
[[nodiscard]] std::int64_t count_phases(const Volume& image, Context& context);

/// Returns the phases in a box of such an image.
[[nodiscard]] LabelMap phases_in(const Volume& image, const Box& box);

}  // namespace seedwave
