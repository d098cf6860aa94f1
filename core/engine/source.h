// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/slides/slide_view.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace seedwave {

/// The origin of an image or label file, by which a session finds it again.
struct Source {
  std::filesystem::path path;
  /// Series UID or 1-based position in the scan; "" if the path holds a single item.
  std::string series;
  /// Digest of the voxels after rescale, which tells a moved file from another one. "" until
  /// computed.
  std::string digest;
  /// The part of a slide that is the image.
  io::SlideView view{};
  friend bool operator==(const Source&, const Source&) = default;
};

struct Step;

/// The source of an input that is neither the open image nor strokes: a file on the image's grid,
/// or an output of a step.
struct InputChoice {
  /// The path is empty if the source is a step.
  Source file{};
  /// Null for a file.
  std::shared_ptr<const Step> step{};
  /// Id of the output of the step.
  std::string output{};
  /// Steps are equal if they are the same_step().
  friend bool operator==(const InputChoice& a, const InputChoice& b);
};
/// Choices by the name of the input: "image", "marker", "mask". An absent input is the open image,
/// or none.
using InputChoices = std::map<std::string, InputChoice>;

}  // namespace seedwave
