// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "core/io/slides/slide.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace seedwave::io {

/// The files of one DICOM slide: those of its levels, several a level if need be, and of the
/// pictures beside them.
struct DicomSlideFiles {
  std::string series;
  std::vector<std::filesystem::path> files;
};

/// Groups the files of slides by their series. Files that cannot be read are added to `skipped`.
[[nodiscard]] std::vector<DicomSlideFiles> group_dicom_slides(
    std::span<const std::filesystem::path> files, std::vector<Skipped>& skipped);

/// Returns the files beside this one that belong to the same slide, itself included.
[[nodiscard]] std::vector<std::filesystem::path> dicom_slide_beside(
    const std::filesystem::path& file);

/// Opens a slide of these files. Throws InputError that names a file.
[[nodiscard]] std::shared_ptr<const Slide> open_dicom_slide(
    std::span<const std::filesystem::path> files);

}  // namespace seedwave::io
