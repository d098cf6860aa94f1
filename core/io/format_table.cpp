// SPDX-License-Identifier: Apache-2.0
#include "core/io/format_table.h"

#include "core/io/formats/gipl.h"
#include "core/io/formats/metaimage.h"
#include "core/io/formats/nifti.h"
#include "core/io/formats/npy.h"
#include "core/io/formats/nrrd.h"
#include "core/io/pictures/jpeg_format.h"
#include "core/io/pictures/png_format.h"
#include "core/io/pictures/tiff_format.h"

#include <array>

namespace seedwave::io {

std::span<const Format> format_table() {
  static const std::array kFormats{nifti_format(), nrrd_format(), metaimage_format(),
                                   gipl_format(),  npy_format(),  png_format(),
                                   jpeg_format(),  tiff_format()};
  return kFormats;
}

}  // namespace seedwave::io
