// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <string>
#include <vector>

namespace seedwave::cli {

/// Objects of a file as numbers on a grid.
struct NumberedObjects {
  LabelMap numbers;
  /// The name of each object's class, from number 1; empty for a label map, which has no classes.
  std::vector<std::string> classes;
};

/// The objects of two files on one grid.
struct ComparedObjects {
  NumberedObjects result;
  NumberedObjects reference;
  /// In plain words: what was left out.
  std::vector<std::string> warnings;
};

/// Loads the objects of two files: labels of label maps, regions of GeoJSON. They lie on the grid
/// of a label map, or else on the pixels that regions are given in. Throws InputError, Cancelled.
[[nodiscard]] ComparedObjects load_compared_objects(const std::string& result,
                                                    const std::string& reference, Context& context);

}  // namespace seedwave::cli
