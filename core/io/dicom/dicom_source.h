// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace seedwave::io {

/// Returns whether the file starts like DICOM: the mark DICM after 128 bytes, or a bare data set of
/// the kind that old machines wrote. A file that cannot be read is not DICOM.
[[nodiscard]] bool looks_like_dicom(const std::filesystem::path& file);

/// Adds the contents of these DICOM files to `scan`: one item for each stack of slices, ordered by
/// series and then by part; files without an image, and damaged ones, with the reason. Returns the
/// files of slides, which it leaves to slides/dicom_slide.h.
///
/// Reads headers only, in parallel. The result depends on the set of files, not on their names,
/// their order or the number of threads (docs/dicom.md states the rules).
/// Throws Cancelled.
std::vector<std::filesystem::path> scan_dicom(std::span<const std::filesystem::path> files,
                                              Scan& scan, Context& context);

/// Reads and rescales an item from scan_dicom. Slices are decoded in parallel; cancellation takes
/// effect within one frame. Every header is read again and checked against the item.
///
/// Throws DamagedError (a slice's pixels cannot be decoded; with Damaged::Read its stored values
/// are 0 and a warning names it), InputError (names the file: missing, changed since the scan, no
/// slice that can be decoded; or the item is not usable), UnavailableError (not enough memory),
/// Cancelled.
[[nodiscard]] LoadedImage load_dicom(const Item& item, Context& context,
                                     Damaged damaged = Damaged::Refuse);

/// Returns one slice of an item, rescaled as by load_dicom, as an image of one slice: for
/// thumbnails and for the first image on the screen. For an item that is repaired by resampling it
/// is the nearest source slice as stored. slice: 0 .. geometry.size[2] - 1. Throws as load_dicom.
[[nodiscard]] LoadedImage load_dicom_slice(const Item& item, std::int64_t slice, Context& context,
                                           Damaged damaged = Damaged::Refuse);

}  // namespace seedwave::io
