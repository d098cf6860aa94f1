// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"

#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// How an item's slices become its volume.
enum class Repair {
  None,
  /// Resampled to the item's grid: upright, even.
  Resample,
};

/// What Item::part says: which frame each slice is, and how they are put together.
///
/// Written as "frames=0-62/2,70;repair=resample"; both parts may be absent: first frames, as is.
struct SliceList {
  std::vector<int> frames;  // one per slice; empty: each slice is the first frame of its own file
  Repair repair = Repair::None;
};

[[nodiscard]] std::string write_part(const SliceList& list);
/// Throws InputError when the text is not what write_part makes.
[[nodiscard]] SliceList read_part(const std::string& part);

}  // namespace seedwave::io::dicom
