// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/io/image_source.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace seedwave {

/// Runs of the history by id, as a copy that another thread may read.
using KeptOutputs = std::map<std::uint64_t, Run>;

/// The image that recipes are applied to, as a value that any thread may read. Made by whole_case()
/// and cut_case().
struct LoadedCase {
  /// One component, or three of a colour image; cut to `box`.
  Volume image;
  /// The grid of the image before it was cut. Files may lie on it or on that of the part.
  Geometry whole;
  Box box;
  /// The grid of the finest level if the image is of a slide; else empty.
  Geometry level0{};
  /// One channel of a colour image, made once, since caches know an image by its owner; empty of
  /// all other images.
  Volume channel_image{};
  /// The name of that channel.
  std::string channel{};
  /// The unit of intensities: "HU"; "" if it is not known.
  std::string unit{};
  /// The treatment of damaged files that belong to the case.
  io::Damaged damaged = io::Damaged::Refuse;
  /// The outputs that are kept of steps on this image, see kept_behind(). Others are recomputed.
  KeptOutputs kept{};
};

[[nodiscard]] LoadedCase whole_case(const Volume& image);
/// The same case cut to a box of its image.
[[nodiscard]] LoadedCase cut_case(const LoadedCase& of, const Box& box);

/// The image, or a channel of a colour image; "" stands for all colours. Throws InputError if there
/// is no channel of that name.
[[nodiscard]] Volume image_of(const LoadedCase& of, const std::string& channel);

/// Reads a label map and brings it onto the grid of the case's image by geometry; its file lies on
/// the grid of the whole image or of the part. Throws InputError that names both grids.
[[nodiscard]] LabelMap load_labels(const std::filesystem::path& path, const LoadedCase& of,
                                   Context& context);

}  // namespace seedwave
