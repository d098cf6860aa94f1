// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::io {

/// A window as a file names it.
struct WindowPreset {
  std::string name;
  double centre = 0.0;
  double width = 0.0;
};

/// What a viewer should know beside the voxels.
struct DisplayHints {
  std::string modality;     // "MR", "CT", "" where unknown (see complete_hints())
  std::string description;  // the series' own words
  std::string patient;      // shown only where the user lets it
  std::string unit;         // "HU", "" where unknown
  std::vector<WindowPreset> windows;
  /// MONOCHROME1: the smallest value is shown white. The values themselves are as stored.
  bool inverted = false;
};

enum class ItemKind {
  Volume,  // has a position in the patient, one slice or many
  Image,   // a 2-D image without one; it may have a scale
};

/// One thing that a path holds and that can be opened: a series or a part of it, a file.
struct Item {
  ItemKind kind = ItemKind::Volume;
  std::string
      format;  // "dicom", "nifti", "nrrd", "metaimage", "gipl", "png", "jpeg", "tiff", "npy"
  std::string series;  // DICOM series UID, else ""
  DisplayHints hints;
  /// In the order of the slices; one file for most formats.
  std::vector<std::filesystem::path> files;
  Geometry geometry;
  VoxelType type = VoxelType::U8;  // after rescale
  int components = 1;
  /// False: the slices are not evenly spaced; `positions` are theirs along the normal, in mm.
  bool regular = true;
  std::vector<double> positions;
  /// False: it cannot be loaded as it stands, and the last warning says why.
  bool usable = true;
  /// In plain words: what is missing, assumed or repaired.
  std::vector<std::string> warnings;
  /// Which stack of a multi-frame file or of a split series; for the reader that made the item.
  std::string part;
};

/// A file that is not an image, and why: the user sees the list.
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
};

/// The treatment of a picture that is cut short or has wrong data. Read: the missing parts are
/// wrong, grey, black or 0, and a warning says so.
enum class Damaged { Refuse, Read };

/// A picture is damaged, and was refused for that alone: with Damaged::Read some of it can be read.
class DamagedError : public InputError {
 public:
  using InputError::InputError;
};

/// What is in a file or folder, told from the content and not from the name. Folders are searched
/// to any depth. One bad file never stops the rest: it is listed in `skipped`.
/// Throws InputError when the path does not exist or cannot be read at all, Cancelled.
[[nodiscard]] Scan scan(const std::filesystem::path& path, Context& context);

/// Reads an item's voxels, rescaled: the smallest integer type when all slopes and intercepts are
/// integers and the values fit, else f32. Checks the memory it needs before it allocates.
/// Throws DamagedError, InputError, UnavailableError (too large for this machine), Cancelled.
[[nodiscard]] LoadedImage load(const Item& item, Context& context,
                               Damaged damaged = Damaged::Refuse);

/// Scans and loads the one usable item of a path. `series`: a series UID or its 1-based place in
/// the scan; "" when there is only one. Throws InputError that lists the items to choose from, and
/// as load() does.
[[nodiscard]] LoadedImage load_path(const std::filesystem::path& path, const std::string& series,
                                    Context& context, Damaged damaged = Damaged::Refuse);

/// The first slice that is worth a look, as 8-bit grey or RGB of at most `side` pixels: thumbnails.
/// Shows the readable part of a damaged picture.
[[nodiscard]] Volume thumbnail(const Item& item, int side, Context& context);

}  // namespace seedwave::io
