// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"
#include "core/io/formats/output_set.h"

#include <filesystem>

namespace seedwave::io {

/// NIfTI-1 and NIfTI-2, one file or a pair (.hdr, .img), uncompressed or gzip.
///
/// Position: sform if its code is above 0, else qform, else the voxel sizes alone; converted here
/// from RAS to LPS. Slope and intercept are applied. One item per time point. Source: nifti1.h and
/// nifti2.h of the NIfTI Data Format Working Group (R. Cox et al., 2003, 2011).
[[nodiscard]] Format nifti_format();

/// Writes NIfTI-1: qform = sform, codes 1, slope 1, intercept 0. Throws OutputError, also if its
/// 32-bit numbers would change the grid.
void write_nifti(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume);

}  // namespace seedwave::io
