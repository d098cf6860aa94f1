// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/slide_file.h"

#include "core/base/error.h"
#include "core/io/dicom/header_parts.h"
#include "core/io/dicom/tags.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcdatset.h>
#include <dcmtk/dcmdata/dcdeftag.h>
#include <dcmtk/dcmdata/dcsequen.h>

#include <algorithm>
#include <map>
#include <utility>

namespace seedwave::io::dicom {
namespace {

/// Largest side of a level, and number of its tiles; no scanner comes near.
constexpr std::int64_t kLongestSide = std::int64_t{1} << 24;
constexpr std::int64_t kMostTiles = std::int64_t{1} << 26;

std::int64_t positive(DcmItem& item, const DcmTagKey& tag, std::int64_t otherwise) {
  const auto number = number_of(item, tag);
  return number && *number >= 1.0 && *number <= static_cast<double>(kLongestSide)
             ? static_cast<std::int64_t>(*number)
             : otherwise;
}

/// The optical paths of a file, in the order of its sequence.
struct Paths {
  std::vector<std::string> names;
  std::map<std::string, int> by_identifier;
};

std::vector<std::uint8_t> profile_of(DcmItem& path) {
  const Uint8* bytes = nullptr;
  unsigned long size = 0;
  if (!is_good(path.findAndGetUint8Array(DCM_ICCProfile, bytes, &size)) || bytes == nullptr)
    return {};
  return {bytes, bytes + size};
}

Paths read_paths(DcmItem& dataset, SlideFile& file) {
  Paths paths;
  DcmSequenceOfItems* sequence = nullptr;
  if (!is_good(dataset.findAndGetSequence(DCM_OpticalPathSequence, sequence)) ||
      sequence == nullptr)
    return paths;
  DcmObject* object = nullptr;
  while ((object = sequence->nextInContainer(object)) != nullptr) {
    auto& item = *static_cast<DcmItem*>(object);
    const std::string identifier = text_of(item, DCM_OpticalPathIdentifier);
    const std::string description = utf8_of(item, DCM_OpticalPathDescription);
    paths.by_identifier.emplace(identifier, static_cast<int>(paths.names.size()));
    paths.names.push_back(description.empty() ? identifier : description);
    if (const auto power = number_of(item, DCM_ObjectiveLensPower); power && *power > 0.0)
      file.objective = power;
    if (file.color_profile.empty()) file.color_profile = profile_of(item);
  }
  return paths;
}

/// The grid of a level's tiles.
struct TileGrid {
  std::int64_t columns = 0;
  std::int64_t rows = 0;
};

/// Tiles one after the other: along x, then along y, then by focal plane, then by optical path.
void place_in_order(DcmItem& dataset, const TileGrid& grid, SlideFile& file) {
  const std::int64_t planes = positive(dataset, DCM_TotalPixelMatrixFocalPlanes, 1);
  const std::int64_t first = std::max<std::int64_t>(
      0, integer_of(dataset, DCM_ConcatenationFrameOffsetNumber)
             .value_or(static_cast<std::int64_t>(
                 number_of(dataset, DCM_ConcatenationFrameOffsetNumber).value_or(0.0))));
  for (std::size_t i = 0; i < file.places.size(); ++i) {
    std::int64_t number = first + static_cast<std::int64_t>(i);
    TilePlace place;
    place.column = number % grid.columns;
    number /= grid.columns;
    place.row = number % grid.rows;
    number /= grid.rows;
    const std::int64_t plane = number % planes;
    place.optical_path =
        static_cast<int>(std::min<std::int64_t>(number / planes, std::numeric_limits<int>::max()));
    if (plane == 0) file.places[i] = place;
  }
}

/// Tiles whose places the frames state.
void place_as_stated(DcmItem& dataset, const Paths& paths, SlideFile& file) {
  DcmSequenceOfItems* sequence = nullptr;
  if (!is_good(dataset.findAndGetSequence(DCM_PerFrameFunctionalGroupsSequence, sequence)) ||
      sequence == nullptr)
    throw InputError("the places of its tiles are missing");
  DcmObject* object = nullptr;
  std::map<std::array<std::int64_t, 3>, bool> taken;
  for (auto& stated : file.places) {
    object = sequence->nextInContainer(object);
    if (object == nullptr) throw InputError("describes fewer frames than it states");
    auto& frame = *static_cast<DcmItem*>(object);
    DcmItem* const position = first_item(frame, DCM_PlanePositionSlideSequence);
    if (position == nullptr) throw InputError("the place of a tile is missing");
    const std::int64_t x = positive(*position, DCM_ColumnPositionInTotalImagePixelMatrix, 0);
    const std::int64_t y = positive(*position, DCM_RowPositionInTotalImagePixelMatrix, 0);
    if (x < 1 || y < 1 || x > file.columns || y > file.rows)
      throw InputError("a tile lies outside its level");
    if ((x - 1) % file.header.layout.columns != 0 || (y - 1) % file.header.layout.rows != 0)
      throw InputError("its tiles overlap or leave gaps, which is not supported");
    TilePlace place{(x - 1) / file.header.layout.columns, (y - 1) / file.header.layout.rows, 0};
    if (DcmItem* const path = first_item(frame, DCM_OpticalPathIdentificationSequence)) {
      const auto found = paths.by_identifier.find(text_of(*path, DCM_OpticalPathIdentifier));
      if (found != paths.by_identifier.end()) place.optical_path = found->second;
    }
    // Further focal planes lie at the same place.
    if (taken.try_emplace({place.column, place.row, place.optical_path}, true).second)
      stated = place;
  }
}

void read_spacing(DcmItem& dataset, SlideFile& file) {
  DcmItem* const shared = first_item(dataset, DCM_SharedFunctionalGroupsSequence);
  DcmItem* const measures =
      shared == nullptr ? nullptr : first_item(*shared, DCM_PixelMeasuresSequence);
  if (measures == nullptr) return;
  const auto spacing = numbers_of(*measures, DCM_PixelSpacing, 2);
  // Between rows, between columns.
  if (spacing && (*spacing)[0] > 0.0 && (*spacing)[1] > 0.0)
    file.spacing = std::array<double, 2>{(*spacing)[1], (*spacing)[0]};
}

}  // namespace

SlideFile read_slide_file(const std::filesystem::path& path) {
  DcmDataset dataset;
  FileStructure structure = read_data_set(path, dataset);
  if (!is_slide(dataset)) throw InputError("not a part of a slide");
  if (!structure.has_pixels) throw InputError("holds no image (no pixel data)");
  SlideFile file;
  file.header = read_pixel_header(path, std::move(structure), dataset);
  const std::vector<std::string> type = texts_of(dataset, DCM_ImageType);
  file.flavor = type.size() > 2 ? type[2] : "VOLUME";
  const PixelLayout& layout = file.header.layout;
  file.columns = positive(dataset, DCM_TotalPixelMatrixColumns, layout.columns);
  file.rows = positive(dataset, DCM_TotalPixelMatrixRows, layout.rows);
  const TileGrid grid{(file.columns + layout.columns - 1) / layout.columns,
                      (file.rows + layout.rows - 1) / layout.rows};
  if (grid.columns * grid.rows > kMostTiles)
    throw InputError("states " + std::to_string(grid.columns * grid.rows) +
                     " tiles, more than any slide has");
  const Paths paths = read_paths(dataset, file);
  file.optical_paths = paths.names;
  file.places.resize(static_cast<std::size_t>(file.header.frame_count));
  if (text_of(dataset, DCM_DimensionOrganizationType) == "TILED_FULL" ||
      first_item(dataset, DCM_PerFrameFunctionalGroupsSequence) == nullptr) {
    place_in_order(dataset, grid, file);
  } else {
    place_as_stated(dataset, paths, file);
  }
  read_spacing(dataset, file);
  return file;
}

}  // namespace seedwave::io::dicom
