// SPDX-License-Identifier: Apache-2.0
#include "core/io/slides/dicom_slide.h"

#include "core/base/error.h"
#include "core/io/dicom/dicom_source.h"
#include "core/io/dicom/frame_decoder.h"
#include "core/io/dicom/slide_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <system_error>
#include <utility>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// Number of files in a folder that are looked at for other parts of a slide.
constexpr std::size_t kMostBeside = 4096;

/// Reads the header of a file and names it in errors.
dicom::SlideFile read_file(const fs::path& file) {
  try {
    return dicom::read_slide_file(file);
  } catch (const InputError& error) {
    throw InputError(file.string() + ": " + error.what());
  }
}

/// A file that stays open.
struct OpenSlideFile {
  explicit OpenSlideFile(dicom::SlideFile of) : file(std::move(of)), decoder(file.header) {}
  dicom::SlideFile file;
  dicom::FrameDecoder decoder;
};

/// A frame of an open file.
struct FrameAt {
  const OpenSlideFile* file = nullptr;
  int frame = 0;
};

/// The frames of a level by channel, row and column.
using FrameMap = std::map<std::array<std::int64_t, 3>, FrameAt>;

struct Level {
  SlideLevel size;
  FrameMap frames;
  std::vector<const OpenSlideFile*> files;
};

std::string word_of(const std::string& flavor) {
  if (flavor == "OVERVIEW") return "macro";
  std::string word = flavor;
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

class DicomReader final : public Slide {
 public:
  struct Parts {
    SlideInfo info;
    std::vector<std::unique_ptr<const OpenSlideFile>> files;
    std::vector<Level> levels;
    std::vector<const OpenSlideFile*> pictures;  // in the order of info.pictures
  };

  explicit DicomReader(Parts parts)
      : Slide(std::move(parts.info), parts.levels.front().files.front()->file.color_profile),
        files_(std::move(parts.files)),
        levels_(std::move(parts.levels)),
        pictures_(std::move(parts.pictures)) {}

 private:
  [[nodiscard]] SlidePicture read_picture(std::size_t at, Context& /*context*/) const override {
    return {decoded({pictures_[at], 0}), pictures_[at]->file.color_profile};
  }
  [[nodiscard]] Volume tile(int level, int channel, std::int64_t column,
                            std::int64_t row) const override {
    const FrameMap& frames = levels_[static_cast<std::size_t>(level)].frames;
    const auto found = frames.find({channel, row, column});
    return found == frames.end() ? Volume() : decoded(found->second);
  }

  [[nodiscard]] Volume decoded(const FrameAt& at) const {
    const dicom::PixelLayout& layout = at.file->file.header.layout;
    const std::vector<std::int32_t> values = at.file->decoder.decode(at.frame);
    Geometry grid;
    grid.size = {layout.columns, layout.rows, 1};
    grid.unit = LengthUnit::Pixel;
    if (info().type == VoxelType::U16)
      return Volume(grid, std::vector<std::uint16_t>(values.begin(), values.end()),
                    layout.components());
    return Volume(grid, std::vector<std::uint8_t>(values.begin(), values.end()),
                  layout.components());
  }

  std::vector<std::unique_ptr<const OpenSlideFile>> files_;
  std::vector<Level> levels_;
  std::vector<const OpenSlideFile*> pictures_;
};

/// Adds a file to the level of its size.
void add_to_level(const OpenSlideFile& open, DicomReader::Parts& parts) {
  const dicom::SlideFile& file = open.file;
  const dicom::PixelLayout& layout = file.header.layout;
  auto level = std::ranges::find_if(parts.levels, [&](const Level& each) {
    return each.size.width == file.columns && each.size.height == file.rows;
  });
  if (level == parts.levels.end()) {
    parts.levels.push_back({{file.columns, file.rows, layout.columns, layout.rows}, {}, {}});
    level = parts.levels.end() - 1;
  } else if (level->size.tile_width != layout.columns || level->size.tile_height != layout.rows) {
    throw InputError(file.header.file.string() +
                     " has tiles of another size than the other files of its level");
  }
  level->files.push_back(&open);
  for (std::size_t i = 0; i < file.places.size(); ++i) {
    if (!file.places[i]) continue;
    const auto& [column, row, path] = *file.places[i];
    level->frames.try_emplace({path, row, column}, FrameAt{&open, static_cast<int>(i)});
  }
}

/// Keeps the levels that have values and shape of the finest.
void sort_levels(DicomReader::Parts& parts) {
  std::ranges::stable_sort(parts.levels, std::greater<>(),
                           [](const Level& level) { return level.size.width; });
  const Level first = parts.levels.front();
  const dicom::PixelLayout& layout = first.files.front()->file.header.layout;
  std::erase_if(parts.levels, [&](const Level& level) {
    const dicom::PixelLayout& of = level.files.front()->file.header.layout;
    const bool agrees = of.components() == layout.components() &&
                        of.bits_allocated == layout.bits_allocated &&
                        has_shape_of(level.size, first.size);
    if (!agrees) {
      parts.info.warnings.push_back(
          "a level (" + std::to_string(level.size.width) + " x " +
          std::to_string(level.size.height) +
          ") does not have the shape or the values of the first: it is ignored");
    }
    return !agrees;
  });
  for (const Level& level : parts.levels)
    parts.info.levels.push_back(level.size);
}

void describe(DicomReader::Parts& parts) {
  SlideInfo& info = parts.info;
  info.format = "dicom";
  const dicom::SlideFile& file = parts.levels.front().files.front()->file;
  const dicom::PixelLayout& layout = file.header.layout;
  info.components = layout.components();
  info.type = layout.bits_allocated > 8 ? VoxelType::U16 : VoxelType::U8;
  if (info.components == 1) info.background = {0, 0, 0};
  info.objective = file.objective;
  if (file.spacing) {
    info.mpp = std::array<double, 2>{(*file.spacing)[0] * kMicrometresPerMillimetre,
                                     (*file.spacing)[1] * kMicrometresPerMillimetre};
  } else {
    info.warnings.emplace_back("the size of a pixel is unknown: lengths are in pixels");
  }
  if (info.components == 1 && file.optical_paths.size() > 1) info.channels = file.optical_paths;
  const auto stored =
      std::ranges::count_if(file.places, [](const auto& place) { return place.has_value(); });
  if (stored < std::ssize(file.places))
    info.warnings.emplace_back("it has several focal planes: the first is shown");
}

}  // namespace

std::vector<DicomSlideFiles> group_dicom_slides(std::span<const fs::path> files,
                                                std::vector<Skipped>& skipped) {
  std::map<std::string, std::vector<fs::path>> by_series;
  for (const fs::path& file : files) {
    try {
      by_series[dicom::read_slide_file(file).header.series_uid].push_back(file);
    } catch (const InputError& error) {
      skipped.push_back({file, error.what()});
    }
  }
  std::vector<DicomSlideFiles> slides;
  slides.reserve(by_series.size());
  for (auto& [series, of] : by_series)
    slides.push_back({series, std::move(of)});
  return slides;
}

std::vector<fs::path> dicom_slide_beside(const fs::path& file) {
  const std::string series = read_file(file).header.series_uid;
  std::vector<fs::path> files{file};
  std::error_code error;
  std::size_t seen = 0;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code unknown;
    if (++seen > kMostBeside) break;
    if (!entry->is_regular_file(unknown) || fs::equivalent(entry->path(), file, unknown) ||
        !looks_like_dicom(entry->path()))
      continue;
    try {
      if (dicom::read_slide_file(entry->path()).header.series_uid == series)
        files.push_back(entry->path());
    } catch (const InputError&) {
      continue;  // another file in this folder
    }
  }
  std::ranges::sort(files);
  return files;
}

std::shared_ptr<const Slide> open_dicom_slide(std::span<const fs::path> files) {
  DicomReader::Parts parts;
  for (const fs::path& path : files) {
    dicom::SlideFile file = read_file(path);
    const bool is_level =
        file.flavor != "THUMBNAIL" && file.flavor != "LABEL" && file.flavor != "OVERVIEW";
    const std::string flavor = file.flavor;
    try {
      parts.files.push_back(std::make_unique<const OpenSlideFile>(std::move(file)));
    } catch (const InputError& error) {
      throw InputError(path.string() + ": " + error.what());
    }
    const OpenSlideFile& open = *parts.files.back();
    if (is_level) {
      add_to_level(open, parts);
    } else if (open.file.header.layout.bits_allocated == 8) {
      parts.info.pictures.push_back(word_of(flavor));
      parts.pictures.push_back(&open);
    }
  }
  if (parts.levels.empty()) {
    throw InputError(files.empty() ? "a slide without files"
                                   : files.front().string() +
                                         " belongs to a slide, but none of its levels is there");
  }
  sort_levels(parts);
  describe(parts);
  return std::make_shared<DicomReader>(std::move(parts));
}

}  // namespace seedwave::io
