// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/morphology/connected_parts.h"
#include "core/morphology/object_intensity.h"
#include "core/morphology/object_shape.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seedwave {

/// The objects of a label map: its connected parts, or all parts of a label together.
enum class ObjectsAre { Parts, Labels };

struct ObjectRules {
  ObjectsAre are = ObjectsAre::Parts;
  Connectivity connectivity = Connectivity::C4;
  /// Parts with fewer voxels are left out.
  std::int64_t smallest = 0;
};

/// Objects with their measures, each vector in the order of the objects.
struct MeasuredObjects {
  std::vector<ConnectedPart> objects;
  std::vector<ObjectShape> shapes;
  /// Number of other objects of which a voxel shares an edge (in a volume a face) with one of it.
  std::vector<std::int32_t> neighbours;
  /// Distance of its centre to the nearest other one; NaN for an only object.
  std::vector<double> nearest;
  /// MeasuredChannels::ids().
  std::vector<std::string> channels;
  /// By object, then channel.
  std::vector<IntensityStatistics> intensities;
};

/// Measures objects: parts in raster order of their first voxels, labels in increasing order.
///
/// channels: of an image on the grid of the labels, or none.
/// The bits do not depend on the number of threads: each strip of rows is summed up in raster
/// order, and strips one after the other. Memory: about 500 bytes an object and 32 a channel of it,
/// however large the map is. Moves through the labels twice, through the image once. Throws
/// InputError (2^32 parts or more), Cancelled.
[[nodiscard]] MeasuredObjects measure_objects(const LabelMap& labels, const ObjectRules& rules,
                                              const MeasuredChannels& channels, Context& context);

}  // namespace seedwave
