// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "core/image/volume.h"
#include "core/io/image_source.h"

#include <string>
#include <vector>

namespace seedwave {

/// What scalar operations read: the image, or the chosen channel of a colour picture.
struct Scene {
  Volume volume;
  ValueRange range;
  /// Otsu's threshold, whole for images of whole numbers; 0 for an empty scene.
  double threshold = 0.0;
};

/// `channel` counts for colour pictures only. Cost: all voxels.
[[nodiscard]] Scene make_scene(const Volume& image, const std::string& channel);

/// An image with all that the window must know of its voxels before it shows them: made where the
/// file is read, because each of these takes a pass over the image.
struct PreparedImage {
  io::LoadedImage loaded;
  /// False: a picture without a place in the patient; it has no sides to be lettered.
  bool in_patient = true;
  /// The channel that the scene is; empty where the image has one component.
  std::string channel;
  Scene scene;
  /// By the image's values; of one component only.
  GreyWindow automatic_window;
  /// Smaller forms of a large picture.
  std::vector<Volume> levels;
};

/// `channel`: that of a colour picture; empty: the first.
[[nodiscard]] PreparedImage prepare(const io::LoadedImage& loaded, io::ItemKind kind,
                                    const std::string& channel = {});

}  // namespace seedwave
