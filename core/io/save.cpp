// SPDX-License-Identifier: Apache-2.0
#include "core/io/save.h"

#include "core/base/error.h"
#include "core/io/formats/metaimage.h"
#include "core/io/formats/nifti.h"
#include "core/io/formats/npy.h"
#include "core/io/formats/nrrd.h"
#include "core/io/label_table.h"
#include "core/io/labels.h"
#include "core/io/pictures/png_format.h"
#include "core/io/pictures/tiff_format.h"
#include "core/io/region_file.h"
#include "core/io/slides/pyramid_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string_view>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

struct Writer {
  std::string_view suffix;
  void (*write)(OutputSet& outputs, const fs::path& path, const Volume& volume);
  /// Refuses grids that the format cannot hold; null if it holds any grid.
  void (*check)(const fs::path& path, const Geometry& geometry) = nullptr;
};
void write_pyramid_of_image(OutputSet& outputs, const fs::path& path, const Volume& volume) {
  write_pyramid(outputs, path, volume, PyramidLevels::Mean);
}

void refuse_image(OutputSet& /*outputs*/, const fs::path& path, const Volume& /*volume*/) {
  throw OutputError("cannot write " + path.string() + ": only labels have regions");
}

constexpr std::array kWriters{Writer{".nii", write_nifti},
                              Writer{".nii.gz", write_nifti},
                              Writer{".nrrd", write_nrrd},
                              Writer{".mha", write_metaimage},
                              Writer{".png", write_png, check_png_grid},
                              Writer{".ome.tif", write_pyramid_of_image, check_png_grid},
                              Writer{".ome.tiff", write_pyramid_of_image, check_png_grid},
                              Writer{".tif", write_tiff},
                              Writer{".tiff", write_tiff},
                              Writer{".npy", write_npy},
                              Writer{".geojson", refuse_image, check_region_grid}};

bool ends_with(const fs::path& path, std::string_view suffix) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.size() > suffix.size() && name.ends_with(suffix);
}

std::string suffixes() {
  std::string list;
  for (const Writer& writer : kWriters)
    list += (list.empty() ? "" : " ") + std::string(writer.suffix);
  return list;
}

const Writer& writer_of(const fs::path& path) {
  for (const Writer& writer : kWriters) {
    if (ends_with(path, writer.suffix)) return writer;
  }
  throw OutputError("cannot write " + path.string() + ": its suffix must be one of " + suffixes());
}

}  // namespace

void check_suffix(const fs::path& path) {
  const Writer& ignored = writer_of(path);
  static_cast<void>(ignored);
}

void check_suffix(const fs::path& path, const Geometry& geometry) {
  if (const Writer& writer = writer_of(path); writer.check != nullptr) writer.check(path, geometry);
}

void save_volume(OutputSet& outputs, const fs::path& path, const Volume& volume) {
  const Writer& writer = writer_of(path);
  // Pyramids state micrometres; the other formats know millimetres or no unit.
  const bool keeps_unit = writer.write == write_pyramid_of_image;
  writer.write(outputs, path,
               keeps_unit ? volume : volume.on_grid(in_millimetres(volume.geometry())));
}

Volume volume_of(const LabelMap& labels) {
  return visit_labels(labels.labels(), [&](auto values) {
    const auto as = [&]<typename T>(T) {
      std::vector<T> numbers(values.size());
      std::transform(values.begin(), values.end(), numbers.begin(),
                     [](auto label) { return static_cast<T>(label); });
      return Volume(labels.geometry(), std::move(numbers));
    };
    const Label most = largest_label(labels.labels());
    if (most <= std::numeric_limits<std::uint8_t>::max()) return as(std::uint8_t{});
    if (most <= std::numeric_limits<std::uint16_t>::max()) return as(std::uint16_t{});
    return as(std::uint32_t{});
  });
}

void save_volume(const fs::path& path, const Volume& volume) {
  OutputSet outputs;
  save_volume(outputs, path, volume);
  outputs.commit();
}

void save_labels(OutputSet& outputs, const fs::path& path, const LabelMap& labels) {
  if (is_region_file(path)) {
    Context context;
    save_regions(outputs, path, labels, {}, {}, context);
  } else if (writer_of(path).write == write_pyramid_of_image) {
    write_pyramid(outputs, path, volume_of(labels), PyramidLevels::First);
  } else {
    save_volume(outputs, path, volume_of(labels));
  }
}

void save_labels(const fs::path& path, const LabelMap& labels) {
  OutputSet outputs;
  save_labels(outputs, path, labels);
  outputs.commit();
}

}  // namespace seedwave::io
