// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/io/formats/output_set.h"
#include "core/parallel/context.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::io {

/// Makes the pixels of a coarser level from squares of four.
enum class PyramidLevels {
  Mean,   // of whole numbers rounded, halves up: for images
  First,  // the top left one: for labels, whose numbers have no mean
};

struct PyramidSettings {
  std::int64_t width = 0;
  std::int64_t height = 0;
  VoxelType type = VoxelType::U8;
  int components = 1;  // 1, or 3 for colours
  /// Size of a pixel in micrometres.
  std::optional<std::array<double, 2>> mpp{};
  PyramidLevels levels = PyramidLevels::Mean;
  /// Side of the tiles, a multiple of 16.
  std::int64_t tile = 512;
};

/// Writes an OME-TIFF with levels from top to bottom, in memory for a few rows of tiles. Lossless
/// (deflate). Levels are SubIFDs, each half of the last, until one tile holds it.
class PyramidWriter {
 public:
  /// Begins the file as part of the set, and a temporary file without a name beside it for the
  /// coarser levels. Throws OutputError.
  PyramidWriter(OutputSet& outputs, const std::filesystem::path& path,
                const PyramidSettings& settings);
  ~PyramidWriter();
  PyramidWriter(const PyramidWriter&) = delete;
  PyramidWriter& operator=(const PyramidWriter&) = delete;

  /// Returns how many rows the next call takes: a row of tiles, fewer at the bottom, 0 at the end.
  [[nodiscard]] std::int64_t next_rows() const;
  /// Writes the next rows, of the settings' width, type and components. Tiles are packed on all
  /// threads. Throws OutputError, Cancelled.
  void write(const Volume& rows, Context& context);
  /// Completes the file; the set is committed later. Call it once, after all rows. Throws
  /// OutputError, Cancelled.
  void finish(Context& context);

 private:
  class File;
  std::unique_ptr<File> file_;
};

/// Writes a volume as such a pyramid. Throws OutputError, also if it is not 2-D.
void write_pyramid(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume,
                   PyramidLevels levels);

}  // namespace seedwave::io
