// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/file_structure.h"
#include "core/io/dicom/header.h"

#include <filesystem>

class DcmDataset;
class DcmItem;

/// The parts that the headers of images and of slides have in common.
namespace seedwave::io::dicom {

/// Reads and parses a file's data set up to its pixel data. Throws InputError.
[[nodiscard]] FileStructure read_data_set(const std::filesystem::path& file, DcmDataset& dataset);

/// Returns whether a data set belongs to a slide.
[[nodiscard]] bool is_slide(DcmItem& dataset);

/// Returns identity, layout, place and number of the frames, which are not described. Throws
/// InputError.
[[nodiscard]] Header read_pixel_header(const std::filesystem::path& file, FileStructure structure,
                                       DcmDataset& dataset);

}  // namespace seedwave::io::dicom
