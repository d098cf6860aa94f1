// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/io/slides/slide.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::io {

/// A window that a file names.
struct WindowPreset {
  std::string name;
  double centre = 0.0;
  double width = 0.0;
};

/// Display properties beside the voxels.
struct DisplayHints {
  std::string modality;     // "MR", "CT", "" if unknown (see complete_hints())
  std::string description;  // the series' own description
  std::string patient;      // displayed only if the user allows it
  std::string unit;         // "HU", "" if unknown
  std::vector<WindowPreset> windows;
  /// MONOCHROME1: the smallest value is displayed white. The values themselves are as stored.
  bool inverted = false;
};

enum class ItemKind {
  Volume,  // has a position in the patient, one slice or many
  Image,   // a 2-D image without a position; it may have a scale
  Slide,   // a whole slide: one level of it, or a part of one, is read as a 2-D image
};

/// One item of a path that can be opened: a series or a part of it, a file.
struct Item {
  ItemKind kind = ItemKind::Volume;
  std::string format;  // "dicom", "nifti", "nrrd", "metaimage", "gipl", "png", "jpeg", "tiff",
                       // "npy"; of a slide as SlideInfo::format
  std::string series;  // DICOM series UID, else ""
  DisplayHints hints;
  /// In the order of the slices; one file for most formats.
  std::vector<std::filesystem::path> files;
  Geometry geometry;
  VoxelType type = VoxelType::U8;  // after rescale
  int components = 1;
  /// Cleared if the slices are not evenly spaced; `positions` are theirs along the normal, in mm.
  bool regular = true;
  std::vector<double> positions;
  /// Cleared if the item cannot be loaded as it is; the last warning says why.
  bool usable = true;
  /// In plain words: properties that are missing, assumed or repaired.
  std::vector<std::string> warnings;
  /// The stack of a multi-frame file or of a split series, for the reader that made the item; of a
  /// slide what is read of it (slides/slide_item.h).
  std::string part;
  /// The levels of a slide. Geometry, type and components are those of the part to read.
  std::optional<SlideInfo> slide;
};

/// A file that is not an image, and the reason, which the user sees.
struct Skipped {
  std::filesystem::path file;
  std::string reason;
};

struct Scan {
  std::vector<Item> items;
  std::vector<Skipped> skipped;
};

struct LoadedImage {
  Volume volume;
  DisplayHints hints;
  std::vector<std::string> warnings;
  /// The slide whose pixels `volume` holds as they are stored; null for all else.
  std::shared_ptr<const Slide> slide{};
  int slide_level = 0;
  int slide_channel = 0;
  /// The part that `volume` is, in pixels of the level.
  Box slide_box{};

  /// Returns the grid of the slide's finest level; an empty one without a slide.
  [[nodiscard]] Geometry level0() const { return slide ? slide->info().grid(0) : Geometry(); }
};

/// The treatment of an image that is truncated or has wrong data. Read: the missing parts are
/// wrong, gray, black or 0, and a warning says so.
enum class Damaged { Refuse, Read };

/// Thrown if an image is refused only because it is damaged: with Damaged::Read some of it can be
/// read.
class DamagedError : public InputError {
 public:
  using InputError::InputError;
};

/// Finds the images in a file or folder, by content and not by name. Folders are searched to any
/// depth. A bad file never stops the scan: it is listed in `skipped`.
/// Throws InputError if the path does not exist or cannot be read at all, Cancelled.
[[nodiscard]] Scan scan(const std::filesystem::path& path, Context& context);

/// Reads an item's voxels, rescaled: the smallest integer type if all slopes and intercepts are
/// integers and the values fit, else f32. Checks the memory that it needs before it allocates.
/// Throws DamagedError, InputError, UnavailableError (too large for this machine), Cancelled.
[[nodiscard]] LoadedImage load(const Item& item, Context& context,
                               Damaged damaged = Damaged::Refuse);

/// Scans a path and returns its only usable item, or the one that `series` selects: a series UID or
/// its 1-based place in the scan. Throws InputError that lists the items to choose from; Cancelled.
[[nodiscard]] Item find_item(const std::filesystem::path& path, const std::string& series,
                             Context& context);
/// Loads that item. Throws as both.
[[nodiscard]] LoadedImage load_path(const std::filesystem::path& path, const std::string& series,
                                    Context& context, Damaged damaged = Damaged::Refuse);

/// Returns the first informative slice, as 8-bit grayscale or RGB of at most `side`
/// pixels: for thumbnails. Shows the readable part of a damaged image.
[[nodiscard]] Volume thumbnail(const Item& item, int side, Context& context);

}  // namespace seedwave::io
