// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::cli {

/// The labels of a run as far as they are known, as a small PNG that is replaced as more of them
/// are: for a program or a person that waits for a long run. 0 is background, and what is not known
/// yet.
class Preview {
 public:
  /// Largest number of pixels along a side.
  static constexpr std::int64_t kLongest = 1024;

  /// Writes an empty picture, so that a path that cannot be written is refused before the run.
  /// Throws OutputError, UsageError for a volume.
  Preview(std::filesystem::path file, const Geometry& image);

  /// Takes in the labels of a band of rows, on its grid, and writes the picture if the last one is
  /// old enough.
  void add(const Box& band, const LabelMap& labels);
  /// Writes what was taken in since then.
  void finish();
  /// Returns why the picture was given up during the run, or "".
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

 private:
  void write();
  void write_unless_failed();

  std::filesystem::path file_;
  Index3 size_;
  std::int64_t step_;  // every n-th pixel of the image along both axes
  Geometry small_;
  std::vector<std::uint16_t> labels_;
  std::chrono::steady_clock::time_point written_;
  bool is_written_ = false;  // all that was taken in
  std::string failure_;
};

}  // namespace seedwave::cli
