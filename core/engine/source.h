// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
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
  friend bool operator==(const Source&, const Source&) = default;
};

/// The source of an input that is neither the open image nor strokes: a file on the image's grid,
/// or an output of an earlier run.
struct InputChoice {
  /// The path is empty if the source is a run.
  Source file;
  /// Id of the run in the history; 0 for a file.
  std::uint64_t run = 0;
  /// Id of the output of the run.
  std::string output;
  friend bool operator==(const InputChoice&, const InputChoice&) = default;
};
/// Choices by the name of the input: "image", "marker", "mask". An absent input is the open image,
/// or none.
using InputChoices = std::map<std::string, InputChoice>;

}  // namespace seedwave
