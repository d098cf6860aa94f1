// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"

namespace seedwave::io {

/// GIPL, the Guys Image Processing Lab format (.gipl, .gipl.gz): a header of 256 bytes, then the
/// voxels, all big endian. Sizes, voxel sizes and the position of the first voxel are read. The
/// header's matrix has no agreed meaning, so the axes are left, posterior, superior, as in ITK. A
/// fourth axis is time. Source: itkGiplImageIO.cxx of ITK 5.
[[nodiscard]] Format gipl_format();

}  // namespace seedwave::io
