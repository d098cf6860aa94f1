// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <memory>
#include <string>
#include <vector>

namespace seedwave::io {
struct Item;
}

namespace seedwave::io::dicom {

/// One frame of one file.
struct Slice {
  std::shared_ptr<const Header> header;
  int frame = 0;

  [[nodiscard]] const Frame& get() const { return header->frames[static_cast<std::size_t>(frame)]; }
};

/// Slices that belong together: the same series, size, kind, spacing and orientation.
struct Stack {
  /// Sorted by position along the normal, feet to head for axial slices; by instance without
  /// positions.
  std::vector<Slice> slices;
  /// Set if position, orientation and pixel spacing are known: slices of a volume.
  bool has_geometry = false;
  /// The part of its series: "time point 2 of 2", "FIELD_MAP"; "" for a whole series.
  std::string name;
  std::vector<std::string> warnings;
};

/// A file that duplicates another one.
struct Copy {
  std::filesystem::path file;
  std::filesystem::path original;
};

struct Grouping {
  std::vector<Stack> stacks;
  std::vector<Copy> copies;
};

/// Sorts frames into stacks: by series; within it by modality, size, kind, spacing and orientation;
/// and, only if two slices have one position, by other attributes that distinguish them
/// (discriminators, in their order; finally by their number, with a warning). Images without a
/// position are stacks of one. The result does not depend on the order of `headers`.
[[nodiscard]] Grouping group_slices(const std::vector<std::shared_ptr<const Header>>& headers);

/// Returns the items as which a stack can be opened. A grid gives one. Uneven or sheared slices
/// give one that is not usable and says why, then its repairs, each marked in its description.
[[nodiscard]] std::vector<Item> items_of(const Stack& stack);

/// Returns row axis x column axis.
[[nodiscard]] Vec3 normal_of(const Frame& frame);

/// Returns position . normal in mm. The slice must have a position and an orientation.
[[nodiscard]] double place_along(const Frame& frame, const Vec3& normal);

}  // namespace seedwave::io::dicom
