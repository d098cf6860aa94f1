// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <string>

namespace seedwave {

/// The image that recipes are applied to, as a value that any thread may read.
struct LoadedCase {
  /// As loaded: one component, or three for a colour image.
  Volume image;
  /// One channel of a colour image; empty for all other images. It is computed once, because caches
  /// identify an image by its owner.
  Volume channel_image{};
  /// Name of that channel.
  std::string channel{};
  /// The unit of intensities: "HU"; "" if it is not known.
  std::string unit{};
};

}  // namespace seedwave
