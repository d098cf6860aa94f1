// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/scene.h"
#include "core/image/label_map.h"
#include "core/image/vec3.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <memory>
#include <string>

namespace seedwave::fuzzy {

/// A scene in the cache. It keeps image and mask alive, because their addresses and the size
/// identify it. The size is needed because the first slices of an image have the address of the
/// image.
struct CachedScene {
  Volume image;
  LabelMap mask;
  AffinityImage read;
  ScaledScene scaled;
  std::string digest;  // of intensities and mask

  [[nodiscard]] std::size_t bytes() const;
};

/// Returns the size as text, such as "4 3 5".
[[nodiscard]] std::string size_text(const Geometry& geometry);

/// Keeps the affinity's image and mask, and the scene of the last scale, in the context's cache.
class KeptScene {
 public:
  /// Reads the image, or finds it in the cache. Throws as read_affinity_image() does.
  KeptScene(const Volume& image, const LabelMap& mask, const Vec3& smooth, Context& context);

  [[nodiscard]] const AffinityImage& image() const { return kept_->read; }
  /// Makes the scene on a scale, unless it is the last one.
  [[nodiscard]] const CachedScene& on(const GreyScale& scale);

 private:
  Context& context_;
  std::string key_;
  std::shared_ptr<const CachedScene> kept_;
};

}  // namespace seedwave::fuzzy
