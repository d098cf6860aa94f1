// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/dicom_source.h"
#include "core/io/formats/byte_source.h"
#include "core/io/formats/format.h"
#include "core/io/pictures/tiff_format.h"
#include "core/io/slides/dicom_slide.h"
#include "core/io/slides/openslide_reader.h"
#include "core/io/slides/slide.h"
#include "core/io/slides/tiff_slide.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// Names of files that are slides for OpenSlide alone, and whose contents do not tell: MIRAX is a
/// JPEG, VMS and VMU are text.
constexpr std::array<std::string_view, 3> kNamedSlides{".mrxs", ".vms", ".vmu"};

bool is_named_slide(const fs::path& file) {
  std::string suffix = file.extension().string();
  std::ranges::transform(suffix, suffix.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(kNamedSlides, suffix) != kNamedSlides.end();
}

std::shared_ptr<const Slide> open_tiff(const fs::path& file) {
  const TiffSlide opened = open_tiff_slide(file);
  if (opened.kind != TiffKind::Foreign) return opened.slide;
  // Without OpenSlide the reader of pictures says what it lacks.
  return openslide_vendor(file).empty() ? nullptr : open_with_openslide(file);
}

}  // namespace

std::shared_ptr<const Slide> open_slide(const fs::path& file) {
  const std::vector<std::byte> head = read_head(file, kHeadBytes);
  // A DICOM slide may be a TIFF at once.
  if (has_mark(head, "DICM", 128)) return open_dicom_slide(dicom_slide_beside(file));
  if (tiff_format().recognises(head)) return open_tiff(file);
  if (is_named_slide(file)) return open_with_openslide(file);
  return nullptr;
}

}  // namespace seedwave::io
