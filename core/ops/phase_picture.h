// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <optional>

/// An image that an operation reads as a picture of phases, numbered from 1 on; 0 is none.
namespace seedwave {

/// What such an image holds; see InputSpec::holds.
inline constexpr const char* kPhasesHeld = "phases";

/// The number of phases where it can be read as one: one value per pixel, all whole numbers from 0
/// to kMostPhases, some of them above 0.
[[nodiscard]] std::optional<std::int64_t> phases_held(const Volume& image);

/// The number of phases: the largest number in the image. A pass over it, but for the one that was
/// counted last. Throws InputError where that is not 1 .. kMostPhases, or where a value is no whole
/// number from 0 on.
[[nodiscard]] std::int64_t count_phases(const Volume& image, Context& context);

/// The phases in a box of such an image.
[[nodiscard]] LabelMap phases_in(const Volume& image, const Box& box);

}  // namespace seedwave
