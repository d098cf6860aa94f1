// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

namespace seedwave::fuzz {

using Bytes = std::span<const std::uint8_t>;

/// Splits the fuzzer's bytes into several files. Each begins with its length, four bytes, little
/// endian. The last one ends with the input.
inline std::vector<Bytes> files_of(Bytes input, std::size_t most) {
  std::vector<Bytes> files;
  while (input.size() >= 4 && files.size() < most) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i)
      length |= std::size_t{input[i]} << (8 * i);
    input = input.subspan(4);
    length = std::min(length, input.size());
    files.push_back(input.first(length));
    input = input.subspan(length);
  }
  return files;
}

inline void write_file(const std::filesystem::path& path, Bytes bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) std::abort();
  // An empty file has a null pointer, which must not be written from.
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    std::abort();
  std::fclose(file);
}

/// A folder in memory, empty at the start and removed at the end.
class InputFolder {
 public:
  InputFolder() : path_("/dev/shm/seedwave-fuzz-folder-" + std::to_string(::getpid())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  ~InputFolder() { std::filesystem::remove_all(path_); }
  InputFolder(const InputFolder&) = delete;
  InputFolder& operator=(const InputFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace seedwave::fuzz
