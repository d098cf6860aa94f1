// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <string>

namespace seedwave {

/// What recipes are applied to: an image, as a value that any thread may read.
struct LoadedCase {
  /// As loaded: one component, or three of a colour image.
  Volume image;
  /// One channel of a colour image, made once, since caches know an image by its owner; empty of
  /// all other images.
  Volume channel_image{};
  /// Which channel that is.
  std::string channel{};
  /// The unit of intensities: "HU"; "" if it is not known.
  std::string unit{};
};

}  // namespace seedwave
