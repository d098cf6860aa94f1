// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace seedwave::io::dicom {

/// A file open for reading at any offset. Any thread may read; nothing is buffered.
class FileReader {
 public:
  /// Throws InputError if the file cannot be opened or is not a regular file.
  explicit FileReader(const std::filesystem::path& file);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Fills `bytes` from `offset`. Throws InputError if the file ends before.
  void read(std::uint64_t offset, std::span<std::uint8_t> bytes) const;

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace seedwave::io::dicom
