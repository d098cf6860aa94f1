// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace seedwave {

/// Where an image or label file came from, so that a session finds it again.
struct Source {
  std::filesystem::path path;
  /// Series UID or 1-based place in the scan; "" when the path holds one thing.
  std::string series;
  /// Of the voxels after rescale: tells a moved file from another one. "" until computed.
  std::string digest;
  friend bool operator==(const Source&, const Source&) = default;
};

/// Where an operation reads an input from that is neither the open image nor strokes: a file on the
/// image's grid, or what an earlier run gave.
struct InputChoice {
  /// Its path is empty where it is a run.
  Source file;
  /// The entry in the history; 0: it is a file.
  std::uint64_t run = 0;
  /// Which of the run's outputs, by id.
  std::string output;
  friend bool operator==(const InputChoice&, const InputChoice&) = default;
};
/// By what the input is to the operation: "image", "marker", "mask". One that is not in it is the
/// open image, or none.
using InputChoices = std::map<std::string, InputChoice>;

}  // namespace seedwave
