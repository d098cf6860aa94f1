// SPDX-License-Identifier: Apache-2.0
#include "core/io/slides/dicom_slide.h"
#include "core/io/slides/slide_item.h"
#include "core/io/slides/tiff_slide.h"
#include "tests/fuzz/fuzz_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace {

using namespace seedwave;

/// Opens the bytes with the readers of this program; OpenSlide is not theirs.
std::shared_ptr<const io::Slide> open(const std::filesystem::path& file, bool is_dicom) {
  if (!is_dicom) return io::open_tiff_slide(file).slide;
  const std::array<std::filesystem::path, 1> files{file};
  return io::open_dicom_slide(files);
}

void read_parts(const io::Slide& slide) {
  Context::Settings settings;
  settings.threads = 1;
  Context context(settings);
  const io::SlideInfo& info = slide.info();
  for (int level = 0; level < std::min<int>(4, static_cast<int>(info.levels.size())); ++level) {
    const io::SlideLevel& of = info.levels[static_cast<std::size_t>(level)];
    info.grid(level).validate("a level");
    // The first pixels, and the last with some beyond.
    for (const Index3& corner : {Index3{-1, -1, 0}, Index3{of.width - 8, of.height - 8, 0}}) {
      const Box box{corner, {corner[0] + 16, corner[1] + 16, 1}};
      const io::SlidePart part = slide.read(level, box, info.channel_count() - 1, context);
      if (part.pixels.geometry().size != Index3{16, 16, 1}) std::abort();
      if (part.pixels.components() != info.components) std::abort();
      if (part.pixels.type() != info.type) std::abort();
    }
  }
  for (const std::string& name : info.pictures) {
    try {
      (void)slide.picture(name, context);
    } catch (const Error&) {
      continue;
    }
  }
}

}  // namespace

/// Any bytes as a slide: opened, with parts of its levels and its pictures. Only an Error may be
/// thrown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fuzz::InputFile file(bytes, size);
  const bool is_dicom = size > 132 && std::memcmp(bytes + 128, "DICM", 4) == 0;
  try {
    const auto slide = open(file.path(), is_dicom);
    if (slide == nullptr) return 0;
    read_parts(*slide);
    const io::Item item = io::slide_item(*slide, {file.path()});
    (void)io::with_view(item, {.mpp = slide->info().mpp ? std::optional(2.0) : std::nullopt});
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
