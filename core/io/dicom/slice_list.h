// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"

#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// The conversion of an item's slices to its volume.
enum class Repair {
  None,
  /// Resampled to the item's grid: upright, even.
  Resample,
};

/// The contents of Item::part: the frame of each slice, and how they are combined.
///
/// Written as "frames=0-62/2,70;repair=resample". Both parts may be absent: first frames, no
/// repair.
struct SliceList {
  std::vector<int> frames;  // one per slice; empty: each slice is the first frame of its own file
  Repair repair = Repair::None;
};

[[nodiscard]] std::string write_part(const SliceList& list);
/// Throws InputError if the text does not have the form that write_part writes.
[[nodiscard]] SliceList read_part(const std::string& part);

}  // namespace seedwave::io::dicom
