// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "core/image/volume.h"
#include "core/io/image_source.h"

#include <string>
#include <vector>

namespace seedwave {

/// The input of scalar operations: the image, or the chosen channel of a colour image.
struct Scene {
  Volume volume;
  ValueRange range;
  Histogram histogram;
  /// Otsu's threshold, an integer for integer images; 0 for an empty scene.
  double threshold = 0.0;
};

/// `channel` is used for colour images only. Cost: all voxels.
[[nodiscard]] Scene make_scene(const Volume& image, const std::string& channel);

/// An image with everything that the window must know about its voxels before displaying it.
/// Computed where the file is read, because each of these takes a pass over the image.
struct PreparedImage {
  io::LoadedImage loaded;
  /// If false, the image has no position in the patient and no sides to be lettered.
  bool in_patient = true;
  /// The channel of the scene; empty if the image has one component.
  std::string channel;
  Scene scene;
  /// From the values of the image; for one component only.
  GreyWindow automatic_window;
  /// Reduced levels of a large 2-D image.
  std::vector<Volume> levels;
  /// A coarse copy of the whole slide if the image is a part of one; else empty.
  Volume surroundings{};
};

/// `channel`: channel of a colour image; empty for the first.
[[nodiscard]] PreparedImage prepare(const io::LoadedImage& loaded, io::ItemKind kind,
                                    const std::string& channel = {});

}  // namespace seedwave
